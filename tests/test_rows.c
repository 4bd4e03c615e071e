/* Texts that are written: numbers as printf writes them, and rows that threads make together. */
#include "scenes/rows.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/tap.h"
#include "random.h"

static char folder[] = "/tmp/test_rows.XXXXXX";

enum { MARGIN = 8 }; /* bytes behind the room that must stay as they are */

static int same_number(double number, int digits)
{
    char text[NUMBER_ROOM + MARGIN + 1], wanted[64];
    memset(text, '#', sizeof(text));
    char *end = number_put(text, number, digits);
    const int stays = memcmp(text + NUMBER_ROOM, "########", MARGIN) == 0;
    *end = 0;
    snprintf(wanted, sizeof(wanted), "%.*g", digits, number);
    const int same = stays && strcmp(text, wanted) == 0;
    if (!same)
        tap_check(0, "%d digits of %a are '%s', not '%s'", digits, number, text, wanted);
    return same;
}

/* With any number of digits, and so do its neighbors and its float. */
static int same_numbers(double number)
{
    int same = 1;
    for (int digits = 1; digits <= 17 && same; digits++)
        same = same_number(number, digits) && same_number(-number, digits) &&
               same_number(nextafter(number, INFINITY), digits) &&
               same_number(nextafter(number, -INFINITY), digits) &&
               same_number((double)(float)number, digits);
    return same;
}

/* Powers of ten and of two with their neighbors, halves that round to the even digit, nines that
 * carry, whole numbers, and what is so large or small that no bits but those of printf do. */
static void check_odd_numbers(void)
{
    static const double ODD[] = {0, 1, 0.5, 1.5, 2.5, 0.25, 0.125, 0.375, 9.5, 99.5, 999999.5,
        9999999.5, 99999999.5, 999999999.5, 999999998.5, 0.99999999949999996, 0.9999999995,
        9.9999999949999996, 0.00099999999995, 0.000099999999995, 0.0001, 0.00001, 123456789,
        1234567890, 100000000, 1e15, 123456789012345678.0, 0x1p53, 0x1p63, 0x1p64, 1e9, 1e-16,
        1e-17, 1e-24, 1e-25, FLT_MIN, FLT_MAX, FLT_TRUE_MIN, DBL_MIN, DBL_MAX, DBL_TRUE_MIN,
        0x1.fffffffffffffp-1023, (double)INFINITY, (double)NAN, 1e22, 1e23, 0x1.8p-1074};
    int passed = 1;
    for (size_t i = 0; i < sizeof(ODD) / sizeof(ODD[0]); i++)
        passed &= same_numbers(ODD[i]);
    tap_check(passed, "odd numbers as printf writes them");
    for (int order = -40; order <= 40 && passed; order++)
        passed = same_numbers(pow(10, order)) && same_numbers(5 * pow(10, order));
    tap_check(passed, "powers of ten");
    for (int order = -200; order <= 200 && passed; order++)
        passed = same_numbers(ldexp(1, order)) && same_numbers(ldexp(3, order));
    tap_check(passed, "powers of two");
    for (int i = 0; i < 2000 && passed; i++)
        passed = same_number(i / 8.0, 1 + i % 4) && same_number(i / 8.0, 3) &&
                 same_number(i + 0.5, 3) && same_number(1e6 + i / 16.0, 9);
    tap_check(passed, "halves round to even digits");
}

static double double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

static double float_of(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, sizeof(number));
    return (double)number;
}

static void check_random_numbers(void)
{
    uint64_t state = 3;
    int passed = 1;
    for (int i = 0; i < 100000 && passed; i++) {
        const uint64_t bits = random_bits(&state), more = random_bits(&state);
        const uint64_t mantissa = bits & ~((uint64_t)0x7ff << 52);
        const int digits = 1 + (int)(more % 17);
        passed = same_number(double_of(bits), digits) && same_number(float_of((uint32_t)bits), 9) &&
                 same_number(double_of(mantissa | (1023 - 90 + (more >> 8) % 160) << 52), digits) &&
                 same_number(double_of(mantissa | (1023 - 12 + (more >> 8) % 20) << 52), 17) &&
                 same_number((double)(random_unit(&state) * 4 - 2), 9) &&
                 same_number((double)(more % 2000001) / 1e6, digits);
    }
    tap_check(passed, "600,000 random numbers");
}

static int same_whole(uint32_t number)
{
    char text[NUMBER_ROOM], wanted[16];
    *whole_put(text, number) = 0;
    snprintf(wanted, sizeof(wanted), "%u", number);
    const int same = strcmp(text, wanted) == 0;
    if (!same)
        tap_check(0, "'%s' is not '%s'", text, wanted);
    return same;
}

static void check_whole_numbers(void)
{
    uint64_t state = 4;
    int passed = same_whole(0) && same_whole(UINT32_MAX);
    for (uint32_t power = 1; passed && power <= 1000000000; power *= 10)
        passed = same_whole(power - 1) && same_whole(power) && same_whole(power + 1);
    for (int i = 0; i < 100000 && passed; i++)
        passed = same_whole((uint32_t)random_bits(&state) >> i % 32);
    tap_check(passed, "whole numbers");
}

/* Rows of different lengths, some of them empty. */
enum { LONGEST = 60 };

static char *row_put(const void *source, size_t row, char *at)
{
    const size_t length = row * 7 % LONGEST;
    memset(at, *(const char *)source + (char)(row % 26), length);
    if (length > 0)
        at[length - 1] = '\n';
    return at + length;
}

/* Who watches, and asks to stop at the report of a number. */
struct watch {
    int reports, stop_at;
    double share;
    int is_wrong; /* a share has fallen, or lies outside of the part */
};

static int count_report(void *context, double share)
{
    struct watch *watch = context;
    watch->is_wrong |= share < watch->share || share < .25 || share >= .75;
    watch->share = share;
    return watch->reports++ == watch->stop_at;
}

/* Writes rows into a file between two words. Returns as output_commit. */
static int write_rows(const char *path, size_t count, struct watch *watch, struct error *error)
{
    const struct progress progress = {count_report, watch};
    const struct rows rows = {count, LONGEST, row_put, "a", .25, .75};
    struct output output;
    int rc = output_open(path, 0, &progress, &output, error);
    if (rc)
        return rc;
    fputs("before", output.file);
    if (!rows_write(&output, &rows))
        fputs("behind", output.file);
    return output_commit(&output, error);
}

static int holds_rows(const char *path, size_t count)
{
    char *wanted = malloc(count * LONGEST + 20), *read = malloc(count * LONGEST + 20);
    FILE *file = fopen(path, "rb");
    if (!wanted || !read || !file)
        abort();
    char *at = text_put(wanted, "before");
    for (size_t row = 0; row < count; row++)
        at = row_put("a", row, at);
    at = text_put(at, "behind");
    const size_t size = fread(read, 1, count * LONGEST + 20, file);
    const int holds = size == (size_t)(at - wanted) && memcmp(read, wanted, size) == 0;
    fclose(file);
    free(wanted);
    free(read);
    return holds;
}

/* As by one thread, in one piece, as many as fit in one, and in many batches of them. */
static void check_rows(void)
{
    static const size_t COUNTS[] = {0, 1, 2, 4369, 4370, 4371, 8740, 300000, 1000001};
    static const int THREADS[] = {1, 2, 3, 7};
    for (size_t i = 0; i < sizeof(COUNTS) / sizeof(COUNTS[0]); i++)
        for (size_t k = 0; k < sizeof(THREADS) / sizeof(THREADS[0]); k++) {
            struct error error = {""};
            struct watch watch = {.stop_at = -1};
            omp_set_num_threads(THREADS[k]);
            const int rc = write_rows("rows", COUNTS[i], &watch, &error);
            tap_check(rc == 0 && holds_rows("rows", COUNTS[i]) && !watch.is_wrong &&
                          (watch.reports > 0) == (COUNTS[i] > 0),
                "%zu rows by %d threads, and %d reports", COUNTS[i], THREADS[k], watch.reports);
            unlink("rows");
        }
}

static void check_stop(void)
{
    const size_t count = 1000001;
    struct error error = {""};
    struct watch watch = {.stop_at = -1};
    int reports = 1, stopped = 0;
    for (int at = 0; at < reports; at++) {
        omp_set_num_threads(1 + at % 3);
        watch = (struct watch){.stop_at = -1};
        reports = write_rows("rows", count, &watch, &error) == 0 ? watch.reports : -1;
        unlink("rows");
        watch = (struct watch){.stop_at = at};
        if (at < reports)
            stopped += write_rows("rows", count, &watch, &error) == ERROR_STOPPED &&
                       watch.reports == at + 1 && access("rows", F_OK) != 0;
    }
    tap_check(
        reports > 5 && stopped == reports, "stopped at any of %d reports, no file stays", reports);
    watch = (struct watch){.stop_at = -1};
    if (access("/dev/full", W_OK) == 0)
        tap_check(write_rows("/dev/full", count, &watch, &error) == ERROR_INPUT &&
                      watch.reports < reports,
            "a full disk ends it: %s", error.text);
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    check_odd_numbers();
    check_random_numbers();
    check_whole_numbers();
    check_rows();
    check_stop();
    tap_check(chdir("/") == 0 && rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
