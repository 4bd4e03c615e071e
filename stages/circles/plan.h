/* How the image is cut into bands and the scene into chunks. */
#ifndef CIRCLES_PLAN_H
#define CIRCLES_PLAN_H

#include "stages/circles/circles.h"

/* Decides, once the device is open, on bands of whole screen tiles and pixels and on chunks of
 * circles, such that all fits the device; whether the nearest circles are taken first; and how
 * circles are found. Returns 0 or an ERROR_ code. */
int circles_plan(struct run *run, struct circles *circles);

/* How many circles from `first` on fit a chunk, at least one; sets the entries of its lists. To ask
 * for the same chunk again costs nothing. */
size_t circles_fit_chunk(struct run *run, struct circles *circles, size_t first);

/* Of so many circles, how many a group counts or lists. Each group keeps counts of all bins, so
 * there are no more groups than keep the device busy. */
uint32_t circles_of_group(const struct circles *c, size_t count, const struct device_info *device);

#endif
