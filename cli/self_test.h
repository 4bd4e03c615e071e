/* The device matrix: every kernel on every device against its sequential reference. */
#ifndef SELF_TEST_H
#define SELF_TEST_H

#include "stages/run.h"

/* A tool's cases. run_case makes the reference once and compares every device with it. */
struct self_test {
    size_t cases,
        large_cases; /* in all; of these, at the end, those that are run only when asked for */
    void (*run_case)(
        size_t number, struct run *runs, const struct device_info *infos, int device_count);
};

extern const struct self_test UNSCRAMBLE_SELF_TEST, CIRCLES_SELF_TEST, BEZIER_SELF_TEST;

/* Runs the cases on every device present (or only `device`, if not NULL) and prints the results in
 * the Test Anything Protocol, and a verdict of one line. Devices named in the environment variable
 * REQUIRE_DEVICES (cpu,opencl) must be there. `progress` is told the share of cases that are done.
 * Stops when the output is gone. Returns the exit status. */
int self_test_run(const struct self_test *test, const char *device, int threads, int large,
    void (*progress)(const char *stage, double share));

#endif
