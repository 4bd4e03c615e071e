#include "stages/circles/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 64 /* of circles, which threads sort into lists, and take out of them, at once */

static double clamp(double value, double most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

double reach_margin(const struct circle *circle, double side)
{
    const double far = fabs(circle->x) + fabs(circle->y) + circle->r + 0.375;
    return 2 + far * side / (1 << 20);
}

/* The first and the last part that a circle reaches; 0 where it reaches none. Row i is at
 * (rows - 1 - i + 1/2 + (side - rows) / 2) / side. */
static int find_parts(
    const struct reach *reach, const struct circle *circle, uint32_t *first, uint32_t *last)
{
    const double rows = reach->rows, columns = reach->columns;
    const double side = columns > rows ? columns : rows;
    const double margin = reach_margin(circle, side);
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

/* The lists of a part: of circles that reach only it, and of those that reach the next one, too. */
static uint32_t list_of_one(uint32_t part)
{
    return 2 * part;
}
static uint32_t list_of_two(uint32_t part)
{
    return 2 * part + 1;
}

/* The list of circles that reach more than two parts; the one after it is of those that reach
 * none. */
static uint32_t list_of_many(const struct reach *reach)
{
    return 2 * reach->parts;
}

/* The list that a circle belongs to. */
static uint32_t find_list(const struct reach *reach, size_t number)
{
    uint32_t first, last;
    if (!find_parts(reach, &reach->circles[number], &first, &last))
        return list_of_many(reach) + 1;
    return first == last       ? list_of_one(first)
           : first + 1 == last ? list_of_two(first)
                               : list_of_many(reach);
}

/* Counts, or with `puts` puts down, the circles of a block. */
static void sort_block(struct reach *reach, size_t block, size_t *next, int puts)
{
    const size_t end = reach->count * (block + 1) / BLOCKS;
    for (size_t i = reach->count * block / BLOCKS; i < end; i++) {
        const uint32_t list = find_list(reach, i);
        if (list <= list_of_many(reach) && puts)
            reach->numbers[next[list]] = (uint32_t)i;
        next[list]++;
    }
}

int reach_make(struct reach *reach, struct error *error)
{
    const size_t lists = (size_t)list_of_many(reach) + 2; /* the last one is not kept */
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

/* What is left of a list, whose numbers rise. */
struct source {
    const uint32_t *next, *end;
};

/* The first place of a list, from `from` to before `end`, with that number or a larger one. */
static const uint32_t *find_place(const uint32_t *from, const uint32_t *end, size_t number)
{
    while (from < end) {
        const uint32_t *middle = from + (end - from) / 2;
        if (*middle < number)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* Counts, or with `to` puts down, the circles of a block that reach a part. */
static size_t take_block(const struct reach *reach, uint32_t part, size_t block, struct circle *to)
{
    const uint32_t lists[] = {list_of_many(reach), list_of_one(part), list_of_two(part),
        part ? list_of_two(part - 1) : 0};
    const int count = part ? 4 : 3;
    struct source sources[4];
    size_t taken = 0;
    for (int i = 0; i < count; i++) {
        const uint32_t *const list = reach->numbers + reach->first[lists[i]];
        const uint32_t *const end = reach->numbers + reach->first[lists[i] + 1];
        sources[i].next = find_place(list, end, reach->count * block / BLOCKS);
        sources[i].end = find_place(list, end, reach->count * (block + 1) / BLOCKS);
    }
    for (;;) {
        struct source *least = NULL;
        uint32_t first = part, last = part;
        for (int i = 0; i < count; i++)
            if (sources[i].next < sources[i].end && (!least || *sources[i].next < *least->next))
                least = &sources[i];
        if (!least)
            return taken;
        const struct circle *circle = &reach->circles[*least->next++];
        if (least == sources) /* that of many */
            find_parts(reach, circle, &first, &last);
        if (first > part || last < part)
            continue;
        if (to)
            to[taken] = *circle;
        taken++;
    }
}

struct circle *reach_take(const struct reach *reach, uint32_t part, size_t *count)
{
    size_t first[BLOCKS + 1];
    first[0] = 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t block = 0; block < BLOCKS; block++)
        first[block + 1] = take_block(reach, part, block, NULL);
    for (size_t block = 0; block < BLOCKS; block++)
        first[block + 1] += first[block];
    *count = first[BLOCKS];
    struct circle *circles = malloc((*count + 1) * sizeof(*circles));
    if (!circles)
        return NULL;
    if (*count == 0)
        circles[(*count)++] = (struct circle){.alpha = 0}; /* a scene has at least one */
#pragma omp parallel for schedule(dynamic)
    for (size_t block = 0; block < BLOCKS; block++)
        take_block(reach, part, block, circles + first[block]);
    return circles;
}

void reach_free(struct reach *reach)
{
    free(reach->begin);
    free(reach->end);
    free(reach->first);
    free(reach->numbers);
    *reach = (struct reach){0};
}
