/* bezier --benchmark and --share sweep. */
#ifndef BEZIER_BENCHMARK_H
#define BEZIER_BENCHMARK_H

#include "cli/cli.h"
#include "stages/bezier/bezier.h"

/* Times the evaluation of the points, and their reference in long double; prints it, with the
 * names of method and precision, or adds it to `result`. Returns 0 or an ERROR_ code. */
int bezier_benchmark(struct cli *cli, struct bezier *bezier, const char *method,
    const char *precision, json_t *result);

/* Times it with 0 to 100 percent of the patch blocks on the CPU, and with one list for CPU and
 * device; the same way. */
int bezier_sweep(struct cli *cli, struct bezier *bezier, json_t *result);

#endif
