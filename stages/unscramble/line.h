/* The order of tiles that stand in one line, such as the strips of a shredded page. */
#ifndef LINE_H
#define LINE_H

#include <stdint.h>

#define LINE_MOST 256 /* tiles; the time grows with the third power of their number */

/* Finds an order of tiles in which the costs of neighbors, cost[a][b] for b after a, have a small sum:
 * joins the cheapest ends first, then lets neighboring segments change places as long as that helps,
 * from there and from orders that chance has changed. Leaves it in order[tiles]. The same on every
 * device. Returns 0, or -1 when memory is short. */
int line_order(const int32_t *cost, int tiles, uint64_t seed, int32_t *order);

/* Moves tiles that are blank, blank[tile], between the ends of the order, so that they are about as
 * many at either, unless the costs speak against it: paper has margins. */
void line_center(const int32_t *cost, int tiles, const uint8_t *blank, int32_t *order);

#endif
