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
 * told as a skip, and left in `absent`. */
static void check_present(const struct device_info *infos, int count, struct words *absent)
{
    const char *required = getenv("REQUIRE_DEVICES");
    const struct words kinds = device_kinds();
    char *names = strdup(required ? required : ""), *rest = NULL;
    for (char *name = names ? strtok_r(names, ", ", &rest) : NULL; name;
         name = strtok_r(NULL, ", ", &rest))
        tap_check(
            is_present(infos, count, name), "%s, which REQUIRE_DEVICES names, is present", name);
    free(names);
    for (int i = 0; i < kinds.count; i++) {
        const char *kind = kinds.word[i];
        const int is = is_present(infos, count, kind);
        tap_check(1, is ? "%s is present" : "%s # SKIP not present", kind);
        if (!is)
            words_add(absent, kind);
    }
}

/* On which devices the checks were made, and which kinds are absent. */
static void tell_verdict(const struct device_info *infos, int count, const struct words *absent)
{
    struct words ids = {0};
    char where[600];
    for (int i = 0; i < count; i++)
        words_add(&ids, infos[i].id);
    snprintf(where, sizeof(where), "%s%s%s%s", count ? " on " : "", words_join(&ids, ", ").text,
        absent->count ? "; not present: " : "", words_join(absent, ", ").text);
    tap_verdict(absent->count, where);
}

int self_test_run(const struct self_test *test, const char *device, int threads, int large,
    void (*progress)(const char *stage, double share))
{
    struct device_info infos[DEVICE_LIMIT];
    struct run runs[DEVICE_LIMIT] = {0};
    struct words absent = {0};
    int count = device_list(infos), kept = 0;
    if (!device)
        check_present(infos, count, &absent);
    for (int i = 0; i < count; i++)
        if (!device || is_wanted(infos[i].id, device))
            infos[kept++] = infos[i];
    if (kept == 0)
        tap_check(0, "device '%s' is present", device);
    for (int i = 0; i < kept; i++)
        runs[i] = (struct run){.device_id = infos[i].id, .threads = threads};
    const size_t cases = test->cases - (large ? 0 : test->large_cases);
    for (size_t i = 0; i < cases; i++) {
        if (ferror(stdout))
            break;
        progress("self-test", (double)i / (double)cases);
        test->run_case(i, runs, infos, kept);
        fflush(stdout);
    }
    for (int i = 0; i < kept; i++)
        run_end(&runs[i]);
    const int status = tap_finish();
    if (!ferror(stdout))
        tell_verdict(infos, kept, &absent);
    return status;
}
