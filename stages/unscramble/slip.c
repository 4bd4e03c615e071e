/* Slips, by dynamic programming from line to line.
 *
 * Where a line slips from its place `begin` to `end`, `begin` becomes empty, each place after it
 * gets the tile before it, and `end`, which was empty, that of end - 1. So up to `begin` a line is
 * still, then up to `end` it has moved, and then it is still. Two lines beside each other have both
 * moved between the later begin and the earlier end. So what they cost is a sum of one part for
 * their begins and one for their ends. */
#include "stages/unscramble/slip.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { STILL, MOVED, WAYS };
enum { AREA_COST = TIE_COST }; /* what an area has to save more than */

static const int64_t NEVER = INT64_MAX / 4;

/* A begin or an end is a place of a line; where nothing slips, both are the length of the line. So
 * a side of these tables has one entry more than a line has places. */
struct slip {
    int lines, length, side;
    uint8_t *slips; /* [place of the board] */
    int32_t *tile;  /* [line][place] */
    /* [place] what two lines, each in one of the ways, cost before it */
    int64_t across[WAYS][WAYS][SLIP_LENGTH + 1];
    int64_t *begins, *ends; /* [of the line before][of this one] their parts of the cost */
    int64_t *cost, *next;   /* [begin][end] the least, up to the line before and this one */
    int32_t *from;          /* [line][begin][end] begin * side + end in the line before */
};

struct slip *slip_make(int columns, int rows)
{
    const int longer = columns > rows ? columns : rows, side = longer + 1;
    const size_t table = (size_t)side * (size_t)side;
    struct slip *slip = calloc(1, sizeof(*slip));
    assert(longer <= SLIP_LENGTH);
    if (!slip)
        return NULL;
    slip->slips = malloc((size_t)columns * (size_t)rows);
    slip->tile = malloc((size_t)columns * (size_t)rows * sizeof(*slip->tile));
    slip->begins = malloc(table * sizeof(*slip->begins));
    slip->ends = malloc(table * sizeof(*slip->ends));
    slip->cost = malloc(table * sizeof(*slip->cost));
    slip->next = malloc(table * sizeof(*slip->next));
    slip->from = malloc(table * (size_t)longer * sizeof(*slip->from));
    if (slip->slips && slip->tile && slip->begins && slip->ends && slip->cost && slip->next &&
        slip->from)
        return slip;
    slip_free(slip);
    return NULL;
}

void slip_free(struct slip *slip)
{
    if (!slip)
        return;
    free(slip->slips);
    free(slip->tile);
    free(slip->begins);
    free(slip->ends);
    free(slip->cost);
    free(slip->next);
    free(slip->from);
    free(slip);
}

/* The place of the board that is place i of a line. */
static int board_place(const struct slip *slip, int direction, int line, int i)
{
    const int at = direction == SIDE_LEFT || direction == SIDE_TOP ? slip->length - 1 - i : i;
    return direction == SIDE_LEFT || direction == SIDE_RIGHT ? line * slip->length + at
                                                             : at * slip->lines + line;
}

static const int32_t *tiles_of(const struct slip *slip, int line)
{
    return slip->tile + (size_t)line * (size_t)slip->length;
}

/* The tile at a place of a line that is still or has moved. */
static int32_t tile_at(const int32_t *tile, int place, int way)
{
    return way == STILL ? tile[place] : place ? tile[place - 1] : NOTHING;
}

static int may_begin(const struct slip *slip, const int32_t *tile, int begin)
{
    return begin == slip->length || tile[begin] != NOTHING;
}

static int may_end(const struct slip *slip, const int32_t *tile, int end)
{
    return end == slip->length || (end && tile[end] == NOTHING && tile[end - 1] != NOTHING);
}

/* What a line costs more by itself when it slips. */
static int64_t along_cost(const struct slip *slip, const struct compatibility *c,
    const int32_t *tile, int begin, int end, int direction)
{
    if (begin == slip->length)
        return 0;
    int64_t cost = 0; /* of the edges that were open at `end` and are now at `begin`, nothing */
    if (begin)
        cost += joint_cost(c, tile[begin - 1], NOTHING, direction) -
                joint_cost(c, tile[begin - 1], tile[begin], direction);
    if (end + 1 < slip->length)
        cost += joint_cost(c, tile[end - 1], tile[end + 1], direction) -
                joint_cost(c, NOTHING, tile[end + 1], direction);
    return cost;
}

/* Sums up what a line and the one before it cost across. */
static void sum_across(struct slip *slip, const struct compatibility *c, int line, int direction)
{
    const int32_t *before = tiles_of(slip, line - 1), *tile = tiles_of(slip, line);
    for (int way = 0; way < WAYS * WAYS; way++) {
        int64_t *sum = slip->across[way / WAYS][way % WAYS];
        sum[0] = 0;
        for (int i = 0; i < slip->length; i++)
            sum[i + 1] = sum[i] + joint_cost(c, tile_at(before, i, way / WAYS),
                                      tile_at(tile, i, way % WAYS), direction);
    }
}

/* The part of two begins, a in the line before: all up to the later one, less what it would be if
 * both lines had moved. Where only one line slips: up to its begin, less what it would be if this
 * line had moved. */
static int64_t begins_cost(
    const struct slip *slip, const struct compatibility *c, int line, int a, int b, int direction)
{
    const int n = slip->length, first = a < b ? a : b, last = a < b ? b : a;
    const int32_t *before = tiles_of(slip, line - 1), *tile = tiles_of(slip, line);
    /* What of the two lines has moved between the begins. */
    const int64_t *one = slip->across[a < b ? MOVED : STILL][a < b ? STILL : MOVED];
    if (first == n)
        return 0;
    int64_t cost = slip->across[STILL][STILL][first];
    if (a != b) {
        cost += a < b ? joint_cost(c, NOTHING, tile[a], direction)
                      : joint_cost(c, before[b], NOTHING, direction);
        if (last == n)
            return cost - one[first + 1] + (a == n ? AREA_COST : 0);
        cost += one[last] - one[first + 1];
        cost += a < b ? joint_cost(c, tile_at(before, b, MOVED), NOTHING, direction)
                      : joint_cost(c, NOTHING, tile_at(tile, a, MOVED), direction);
    }
    return cost - slip->across[MOVED][MOVED][last + 1];
}

/* The part of two ends: all after the earlier one, and what that before it would be if both lines
 * had moved, or the one that slips. */
static int64_t ends_cost(const struct slip *slip, int a, int b)
{
    const int n = slip->length, first = a < b ? a : b, last = a < b ? b : a;
    const int64_t *still = slip->across[STILL][STILL];
    if (first == n)
        return still[n];
    if (last == n)
        return slip->across[a < b ? MOVED : STILL][a < b ? STILL : MOVED][first + 1] + still[n] -
               still[first + 1];
    /* What of the two lines has moved between the ends. */
    const int64_t *one = slip->across[a < b ? STILL : MOVED][a < b ? MOVED : STILL];
    return slip->across[MOVED][MOVED][first + 1] + one[last + 1] - one[first + 1] + still[n] -
           still[last + 1];
}

static void price_lines(struct slip *slip, const struct compatibility *c, int line, int direction)
{
    const int32_t *before = tiles_of(slip, line - 1), *tile = tiles_of(slip, line);
    sum_across(slip, c, line, direction);
    for (int a = 0; a <= slip->length; a++)
        for (int b = 0; b <= slip->length; b++) {
            const int at = a * slip->side + b;
            if (may_begin(slip, before, a) && may_begin(slip, tile, b))
                slip->begins[at] = begins_cost(slip, c, line, a, b, direction);
            if (may_end(slip, before, a) && may_end(slip, tile, b))
                slip->ends[at] = ends_cost(slip, a, b);
        }
}

/* The least costs of a line that slips from `begin`, after one before it that slips up to `end`. */
static void slip_from(struct slip *slip, int line, int begin, int end)
{
    const int n = slip->length, side = slip->side;
    const int32_t *before = tiles_of(slip, line - 1), *tile = tiles_of(slip, line);
    int64_t least = NEVER;
    int least_at = n, a = end == n ? n : 0;
    for (int next_end = begin == n ? n : begin + 1; next_end < n + (begin == n); next_end++) {
        if (!may_end(slip, tile, next_end))
            continue;
        /* Begins in the line before; the runs have to overlap. */
        const int most = end == n ? n : end - 1 < next_end ? end - 1 : next_end;
        for (; a <= most; a++)
            if (may_begin(slip, before, a)) {
                const int64_t cost = slip->cost[a * side + end] + slip->begins[a * side + begin];
                if (cost < least) {
                    least = cost;
                    least_at = a;
                }
            }
        const int64_t cost = least + slip->ends[end * side + next_end];
        const int at = begin * side + next_end;
        if (cost < slip->next[at]) {
            slip->next[at] = cost;
            slip->from[(size_t)line * (size_t)side * (size_t)side + (size_t)at] =
                least_at * side + end;
        }
    }
}

/* Goes on from the line before. */
static void add_line(struct slip *slip, int line)
{
    const int n = slip->length;
    const int32_t *before = tiles_of(slip, line - 1), *tile = tiles_of(slip, line);
    for (int i = 0; i < slip->side * slip->side; i++)
        slip->next[i] = NEVER;
    for (int begin = 0; begin <= n; begin++)
        for (int end = 0; may_begin(slip, tile, begin) && end <= n; end++)
            if (may_end(slip, before, end) && (begin == n || begin <= end))
                slip_from(slip, line, begin, end);
    int64_t *cost = slip->cost;
    slip->cost = slip->next;
    slip->next = cost;
}

/* Adds what a line costs by itself. */
static void add_along(struct slip *slip, const struct compatibility *c, int line, int direction)
{
    const int n = slip->length;
    const int32_t *tile = tiles_of(slip, line);
    for (int begin = 0; begin < n; begin++)
        for (int end = begin + 1; may_begin(slip, tile, begin) && end < n; end++)
            if (may_end(slip, tile, end))
                slip->cost[begin * slip->side + end] +=
                    along_cost(slip, c, tile, begin, end, direction);
}

/* The costs of the first line across: none, but for an area that begins there. */
static void begin_lines(struct slip *slip)
{
    const int n = slip->length;
    const int32_t *tile = tiles_of(slip, 0);
    for (int begin = 0; begin <= n; begin++)
        for (int end = 0; end <= n; end++) {
            const int is_run =
                begin < end && end < n && may_begin(slip, tile, begin) && may_end(slip, tile, end);
            slip->cost[begin * slip->side + end] = is_run ? AREA_COST : NEVER;
        }
    slip->cost[n * slip->side + n] = 0;
}

/* Follows the least cost back from the last line. Returns whether a tile moves. */
static int mark_slips(struct slip *slip, int direction)
{
    const size_t table = (size_t)slip->side * (size_t)slip->side;
    int at = slip->length * slip->side + slip->length; /* where the last line is still */
    int found = 0;
    for (int i = 0; i < slip->side * slip->side; i++)
        if (slip->cost[i] < slip->cost[at])
            at = i;
    memset(slip->slips, 0, (size_t)slip->lines * (size_t)slip->length);
    for (int line = slip->lines - 1; line >= 0; line--) {
        for (int i = at / slip->side; i < at % slip->side; i++) {
            const int moves = tiles_of(slip, line)[i] != NOTHING;
            slip->slips[board_place(slip, direction, line, i)] = (uint8_t)moves;
            found |= moves;
        }
        at = line ? slip->from[(size_t)line * table + (size_t)at] : 0;
    }
    return found;
}

const uint8_t *slip_find(
    struct slip *slip, const struct problem *p, const int32_t *board, int direction)
{
    const int is_row = direction == SIDE_LEFT || direction == SIDE_RIGHT;
    slip->lines = is_row ? p->rows : p->columns;
    slip->length = is_row ? p->columns : p->rows;
    slip->side = slip->length + 1;
    for (int i = 0; i < slip->lines * slip->length; i++)
        slip->tile[i] = board[board_place(slip, direction, i / slip->length, i % slip->length)];
    begin_lines(slip);
    add_along(slip, p->c, 0, direction);
    for (int line = 1; line < slip->lines; line++) {
        price_lines(slip, p->c, line, is_row ? SIDE_BOTTOM : SIDE_RIGHT);
        add_line(slip, line);
        add_along(slip, p->c, line, direction);
    }
    return mark_slips(slip, direction) ? slip->slips : NULL;
}
