#include "cli/self_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"

/* Whether id is the device or of the kind that was asked for. */
static int is_wanted(const char *id, const char *wanted)
{
    const size_t length = strlen(wanted);
    return strncmp(id, wanted, length) == 0 && (id[length] == ':' || !id[length]);
}

static int is_present(const struct device_info *infos, int count, const char *wanted)
{
    int is = 0;
    for (int i = 0; i < count; i++)
        is |= is_wanted(infos[i].id, wanted);
    return is;
}

/* Each device and kind named in REQUIRE_DEVICES, between commas, is there; each kind that is not is
 * told as a skip. */
static void check_present(const struct device_info *infos, int count)
{
    const char *required = getenv("REQUIRE_DEVICES");
    const struct words kinds = device_kinds();
    char *names = strdup(required ? required : ""), *rest = NULL;
    for (char *name = names ? strtok_r(names, ", ", &rest) : NULL; name;
         name = strtok_r(NULL, ", ", &rest))
        tap_check(
            is_present(infos, count, name), "%s, which REQUIRE_DEVICES names, is present", name);
    free(names);
    for (int kind = 0; kind < kinds.count; kind++)
        tap_check(1,
            is_present(infos, count, kinds.word[kind]) ? "%s is present" : "%s # SKIP not present",
            kinds.word[kind]);
}

int self_test_run(const struct self_test *test, const char *device, int threads, int large,
    int (*progress)(void *context, const char *stage, double share))
{
    struct device_info infos[DEVICE_LIMIT];
    struct run runs[DEVICE_LIMIT] = {0};
    int count = device_list(infos), kept = 0;
    if (!device)
        check_present(infos, count);
    for (int i = 0; i < count; i++)
        if (!device || is_wanted(infos[i].id, device))
            infos[kept++] = infos[i];
    if (kept == 0)
        tap_check(0, "device '%s' is present", device);
    for (int i = 0; i < kept; i++)
        runs[i] = (struct run){.device_id = infos[i].id, .threads = threads};
    const size_t cases = test->cases - (large ? 0 : test->large_cases);
    for (size_t i = 0; i < cases; i++) {
        if (progress(NULL, "self-test", (double)i / (double)cases) || ferror(stdout))
            break;
        test->run_case(i, runs, infos, kept);
        fflush(stdout);
    }
    for (int i = 0; i < kept; i++)
        run_end(&runs[i]);
    return tap_finish();
}
