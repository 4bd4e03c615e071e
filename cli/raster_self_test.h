/* The cases of bezier's self-test that draw meshes. */
#ifndef RASTER_SELF_TEST_H
#define RASTER_SELF_TEST_H

#include "stages/run.h"

#define RASTER_CASES 66

/* As run_case of struct self_test; `number` is below RASTER_CASES. */
void raster_run_case(
    size_t number, struct run *runs, const struct device_info *infos, int device_count);

#endif
