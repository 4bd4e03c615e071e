/* The registry of devices, and which one is taken for how much work. */
#include <stdio.h>
#include <string.h>

#include "cli/tap.h"
#include "kernels/device/device.h"

static const struct device_cost H200 = {0.3, 9e9, 400}, SMALL = {0.3, 3e9, 4};

static struct device_info gpu(const char *id, struct device_cost cost)
{
    struct device_info info = {.is_gpu = 1, .cost = cost};
    snprintf(info.id, sizeof(info.id), "%s", id);
    return info;
}

static void check_kinds(void)
{
    const struct words kinds = device_kinds();
    struct error error;
    int known = 0;
    tap_check(strcmp(kinds.word[0], "cpu") == 0, "the CPU is the first kind of device");
    for (int i = 0; i < kinds.count; i++) {
        struct device device = {0};
        const int rc = device_open(kinds.word[i], 0, 1, &device, &error);
        known += rc != ERROR_USAGE;
        device_close(&device);
    }
    tap_check(known == kinds.count, "each of %d kinds is known, present or not", kinds.count);
    struct device device;
    const int rc = device_open("abacus", 0, 1, &device, &error);
    tap_check(rc == ERROR_USAGE && strstr(error.text, words_join(&kinds, " or ").text),
        "an unknown kind: %s", error.text);
}

static void check_fastest(void)
{
    const struct device_info infos[] = {{.id = "cpu:0"}, gpu("opencl:0", SMALL),
        gpu("cuda:0", H200), gpu("cuda:1", H200), gpu("opencl:1", (struct device_cost){0})};
    const struct workload work = {60, 1e9};
    tap_check(device_fastest(infos, 1, &work) == -1, "the CPU is no GPU");
    tap_check(device_fastest(infos, 2, &work) == 1, "of one GPU it is taken");
    tap_check(
        device_fastest(infos, 5, &work) == 2, "of three the fastest, the first of equal ones");
    tap_check(device_seconds(&H200, &work) < 1 && device_seconds(&SMALL, &work) > 15,
        "a small GPU is judged by its own numbers");
}

/* Which device a rank takes: GPUs go round, of other kinds all take the best. */
static void check_turns(void)
{
    const struct device_info infos[] = {{.id = "cpu:0"}, {.id = "cpu:1"}, {.id = "cpu:2"},
        gpu("cuda:0", H200), gpu("cuda:1", H200), gpu("opencl:0", SMALL), {.id = "opencl:1"}};
    static const struct {
        const char *id;
        int count, taken[4]; /* in turns 0 to 3 */
    } CASES[] = {
        {NULL, 7, {3, 4, 3, 4}},
        {NULL, 3, {0, 0, 0, 0}},
        {"cpu", 7, {0, 0, 0, 0}},
        {"cpu:2", 7, {2, 2, 2, 2}},
        {"cuda", 7, {3, 4, 3, 4}},
        {"cuda:1", 7, {4, 4, 4, 4}},
        {"opencl", 7, {5, 5, 5, 5}},
        {"cuda", 3, {-1, -1, -1, -1}},
        {"cuda:2", 7, {-1, -1, -1, -1}},
        {"c", 7, {-1, -1, -1, -1}},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
        int is_right = 1;
        for (int turn = 0; turn < 4; turn++)
            is_right &=
                device_find(CASES[i].id, turn, infos, CASES[i].count) == CASES[i].taken[turn];
        tap_check(is_right, "%s of %d devices, in turn", CASES[i].id ? CASES[i].id : "the fastest",
            CASES[i].count);
    }
}

static void check_auto(void)
{
    struct device device = {0};
    struct error reason, error;
    const struct workload little = {0.01, 1e6};
    const int rc = device_open_auto(&little, 0, 1, &device, &reason, &error);
    tap_check(rc == 0 && strcmp(device.info.id, "cpu:0") == 0, "little work stays on the CPU");
    tap_check(strstr(reason.text, "device cpu:0: about 0.01 s on the CPU") == reason.text,
        "why: %s", reason.text);
    device_close(&device);
}

static void check_words(void)
{
    struct words words = {0};
    tap_check(words_join(&words, " or ").text[0] == 0, "no words");
    words_add(&words, "a");
    tap_check(strcmp(words_join(&words, " or ").text, "a") == 0, "one word");
    words_add(&words, "b");
    words_add(&words, "c");
    tap_check(strcmp(words_join(&words, " or ").text, "a, b or c") == 0, "three words");
    words_add(&words, "b");
    tap_check(words.count == 3, "a word that the list has is not added again");
    char long_words[WORDS_MAX][40];
    for (int i = 0; i < WORDS_MAX; i++) {
        snprintf(long_words[i], sizeof(long_words[i]), "word %d, as long as no list has", i);
        words_add(&words, long_words[i]);
    }
    tap_check(words.count == WORDS_MAX && strlen(words_join(&words, ", ").text) == 255,
        "a list that is full, cut short");
}

int main(void)
{
    check_kinds();
    check_fastest();
    check_turns();
    check_auto();
    check_words();
    return tap_finish();
}
