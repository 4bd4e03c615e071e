/* BINOMIALS: level 3, binomial coefficients up to the degrees that occur, as far as they are not
 * known yet: derivatives and triangles need those of lower degrees too. */
#include <stdlib.h>

#include "stages/bezier/bezier.h"

/* C(n, k) = C(n, k-1) (n - k + 1) / k, exact as long as a double holds it: to n = 56. */
static int make_binomials(struct run *run, struct bezier *b, uint32_t n)
{
    if (b->binomials[n])
        return 0;
    double *row = b->binomials[n] = malloc((n + 1) * sizeof(*row));
    if (!row)
        return error_set(&run->error, ERROR_INPUT, "not enough memory");
    row[0] = 1;
    for (uint32_t k = 1; k <= n; k++)
        row[k] = row[k - 1] * (double)(n - k + 1) / (double)k;
    return 0;
}

static int binomials_run(struct run *run, struct bezier *b)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < b->batch_count; i++) {
        const struct batch *batch = &b->batches[i];
        const uint32_t most = batch->degree_u > batch->degree_v ? batch->degree_u : batch->degree_v;
        for (uint32_t n = 0; rc == 0 && n <= most; n++)
            rc = make_binomials(run, b, n);
    }
    return rc;
}

const struct bezier_stage BINOMIALS = {
    .stage = {"binomials", "level 3: binomial coefficients of each degree"},
    .run = binomials_run,
};
