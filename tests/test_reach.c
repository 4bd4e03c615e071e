/* Circles that are sorted by the parts of an image that they reach, against a look at each of them:
 * a part gets, in their order, all whose box, as kernels widen it, comes within its rows, and none
 * that is far from them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/circles/reach.h"

enum { CIRCLES = 5000 };

/* Samples by which a circle may be off the rows of a part that it is given to. */
#define FAR 8

/* How far the circle is from rows `begin` to before `end`, in samples; not above 0 where it comes
 * within them. Row i is at (rows - 1 - i + 1/2 + (side - rows) / 2) / side. */
static double distance(const struct reach *reach, const struct circle *circle, uint32_t part)
{
    const double rows = reach->rows, columns = reach->columns, side = fmax(rows, columns);
    const double at = rows - 0.5 + (side - rows) / 2 - circle->y * side;
    const double low = reach->begin[part] - (at + circle->r * side);
    const double high = at - circle->r * side - (reach->end[part] - 1.0);
    return fmax(low, high);
}

/* By how many samples the kernels widen the box of a circle (box_margin of circle.h). */
static double kernel_margin(const struct reach *reach, const struct circle *circle)
{
    const double side = fmax(reach->columns, reach->rows);
    return 1.0 / 32 + (fabs(circle->x) + fabs(circle->y) + circle->r + 0.375) * side / (1 << 20);
}

/* Whether the part has what it must have, and no more than it may. */
static int is_right(const struct reach *reach, uint32_t part)
{
    size_t count, taken = 0;
    struct circle *got = reach_take(reach, part, &count);
    int right = got && count >= 1;
    for (size_t i = 0; right && i < reach->count; i++) {
        const struct circle *circle = &reach->circles[i];
        const double off = distance(reach, circle, part);
        const int is_next = taken < count && memcmp(&got[taken], circle, sizeof(*circle)) == 0;
        right = is_next ? off <= FAR : off > kernel_margin(reach, circle);
        taken += is_next;
    }
    right = right && (taken == count || (taken == 0 && count == 1 && got[0].alpha == 0));
    free(got);
    return right;
}

/* Parts of so many rows, which take `more` of their neighbors' on both sides. */
static void check(const struct circle *circles, uint32_t columns, uint32_t rows, uint32_t part_rows,
    uint32_t more, const char *name)
{
    const uint32_t parts = (rows + part_rows - 1) / part_rows;
    struct error error;
    struct reach reach = {.circles = circles,
        .count = CIRCLES,
        .columns = columns,
        .rows = rows,
        .parts = parts,
        .begin = malloc(parts * sizeof(uint32_t)),
        .end = malloc(parts * sizeof(uint32_t))};
    for (uint32_t i = 0; i < parts; i++) {
        reach.begin[i] = i ? i * part_rows - more : 0;
        reach.end[i] = (i + 1) * part_rows + more < rows ? (i + 1) * part_rows + more : rows;
    }
    int right = reach_make(&reach, &error) == 0;
    for (uint32_t i = 0; right && i < parts; i++)
        right = is_right(&reach, i);
    tap_check(right, "%u x %u in parts of %u rows: %s", columns, rows, part_rows, name);
    reach_free(&reach);
}

int main(void)
{
    static struct circle circles[CIRCLES];
    uint64_t random = 7;
    for (int i = 0; i < CIRCLES; i++) /* z tells them apart; one in ten is large */
        circles[i] = (struct circle){.x = (float)random_unit(&random),
            .y = (float)(2 * random_unit(&random) - 0.5),
            .z = (float)-i,
            .r = (float)(random_unit(&random) * (i % 10 ? 0.02 : 0.8)),
            .alpha = 0.5f};
    circles[0].r = 1e18f;
    circles[1].y = -1e18f;
    circles[2].r = 0;
    check(circles, 1000, 1000, 64, 0, "square");
    check(circles, 300, 2000, 128, 2, "high, with rows of neighbors");
    check(circles, 2000, 300, 16, 0, "wide");
    check(circles, 700, 500, 500, 0, "one part");
    check(circles, 500, 333, 1, 0, "a part for each row");
    for (int i = 0; i < CIRCLES; i++)
        circles[i].y += 10;
    check(circles, 100, 100, 16, 0, "none is seen");
    return tap_finish();
}
