#include "stages/circles/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 64 /* of circles, which threads sort into lists at once */

static double clamp(double value, double most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The first and the last part that a circle reaches, with what kernels widen its box by (box_margin
 * of circle.h) and a sample for rounding; 0 where it reaches none. Row i is at
 * (rows - 1 - i + 1/2 + (side - rows) / 2) / side. */
static int find_parts(
    const struct reach *reach, const struct circle *circle, uint32_t *first, uint32_t *last)
{
    const double rows = reach->rows, columns = reach->columns;
    const double side = columns > rows ? columns : rows;
    const double far = fabs(circle->x) + fabs(circle->y) + circle->r + 0.375;
    const double margin = 2 + far * side / (1 << 20);
    const double middle = rows - 0.5 + (side - rows) / 2;
    const double top = middle - ((double)circle->y + circle->r) * side - margin;
    const double bottom = middle - ((double)circle->y - circle->r) * side + margin;
    if (top > rows - 1 || bottom < 0)
        return 0;
    const uint32_t from = (uint32_t)clamp(top, rows - 1), to = (uint32_t)clamp(bottom, rows - 1);
    uint32_t low = 0, high = reach->parts - 1;
    while (low < high) { /* the first part that ends below the top */
        const uint32_t part = (low + high) / 2;
        if (reach->end[part] > from)
            high = part;
        else
            low = part + 1;
    }
    *first = *last = low;
    while (*last + 1 < reach->parts && reach->begin[*last + 1] <= to)
        ++*last;
    return 1;
}

/* The list that a circle belongs to; that after the last one where it reaches nothing. */
static uint32_t find_list(const struct reach *reach, size_t number)
{
    uint32_t first, last;
    if (!find_parts(reach, &reach->circles[number], &first, &last))
        return reach->parts + 1;
    return last - first < 2 ? first : reach->parts;
}

/* Counts, or with `next` puts down, the circles of a block. */
static void sort_block(struct reach *reach, size_t block, size_t *next, int puts)
{
    const size_t end = reach->count * (block + 1) / BLOCKS;
    for (size_t i = reach->count * block / BLOCKS; i < end; i++) {
        const uint32_t list = find_list(reach, i);
        if (list <= reach->parts && puts)
            reach->numbers[next[list]] = (uint32_t)i;
        next[list]++;
    }
}

int reach_make(struct reach *reach, struct error *error)
{
    const size_t lists = (size_t)reach->parts + 2; /* the last one is not kept */
    size_t *next = calloc(BLOCKS * lists, sizeof(*next)), at = 0;
    reach->first = malloc(lists * sizeof(*reach->first));
    reach->numbers = malloc(reach->count * sizeof(*reach->numbers));
    if (!next || !reach->first || !reach->numbers) {
        free(next);
        return error_set(
            error, ERROR_INPUT, "not enough memory to share out %zu circles", reach->count);
    }
#pragma omp parallel for
    for (size_t block = 0; block < BLOCKS; block++)
        sort_block(reach, block, next + block * lists, 0);
    for (size_t list = 0; list < lists; list++) {
        reach->first[list] = at;
        for (size_t block = 0; block < BLOCKS; block++) {
            const size_t size = next[block * lists + list];
            next[block * lists + list] = at;
            at += size;
        }
    }
#pragma omp parallel for
    for (size_t block = 0; block < BLOCKS; block++)
        sort_block(reach, block, next + block * lists, 1);
    free(next);
    return 0;
}

/* The lists in which the circles of a part can be: its own, that of the part above, and that of
 * those that reach many. */
struct source {
    const uint32_t *next, *end;
};

struct circle *reach_take(const struct reach *reach, uint32_t part, size_t *count)
{
    const uint32_t lists[3] = {part, part ? part - 1 : part, reach->parts};
    struct source sources[3];
    size_t most = 1, taken = 0;
    for (int i = 0; i < 3; i++) {
        const size_t *first = &reach->first[lists[i]];
        sources[i] = (struct source){reach->numbers + first[0], reach->numbers + first[1]};
        if (i == 1 && part == 0)
            sources[i].end = sources[i].next;
        most += (size_t)(sources[i].end - sources[i].next);
    }
    struct circle *circles = malloc(most * sizeof(*circles));
    while (circles) {
        struct source *least = NULL;
        uint32_t first, last;
        for (int i = 0; i < 3; i++)
            if (sources[i].next < sources[i].end && (!least || *sources[i].next < *least->next))
                least = &sources[i];
        if (!least)
            break;
        const struct circle *circle = &reach->circles[*least->next++];
        if (find_parts(reach, circle, &first, &last) && first <= part && part <= last)
            circles[taken++] = *circle;
    }
    if (circles && taken == 0)
        circles[taken++] = (struct circle){.alpha = 0}; /* a scene has at least one */
    *count = taken;
    struct circle *fitting = circles ? realloc(circles, taken * sizeof(*circles)) : NULL;
    return fitting ? fitting : circles;
}

void reach_free(struct reach *reach)
{
    free(reach->begin);
    free(reach->end);
    free(reach->first);
    free(reach->numbers);
    *reach = (struct reach){0};
}
