/* Empties places of a board and refills them. */
#include "stages/unscramble/chain.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { WORST_SEAMS = 3, REFILL_BONUS = 225 };

/* The mean cost of a place and each of its neighbors. */
static int place_cost(const struct problem *p, const int32_t *board, int place)
{
    int sum = 0, count = 0;
    for (int d = 0; d < 4; d++) {
        const int other = place_beside(p->columns, p->rows, place, d);
        if (other == NOTHING)
            continue;
        count++;
        sum += joint_cost(p->c, board[place], board[other], d);
    }
    return count ? sum / count : 0;
}

static int cell_of(const struct problem *p, const struct chain *chain, int place)
{
    return (place / p->columns + 1) * chain->fill.width + place % p->columns + 1;
}

/* Empties a place in the field and notes the change. */
static void change(const struct problem *p, struct chain *chain, int place)
{
    if (chain->mark[place] || (p->fixed && p->fixed[place]))
        return;
    chain->mark[place] = 1;
    chain->changed[chain->changes] = place;
    chain->open[chain->changes] = cell_of(p, chain, place);
    fill_take(&chain->fill, chain->open[chain->changes++]);
}

/* Puts the board into the locked frame. */
static void field_set(const struct problem *p, struct chain *chain)
{
    fill_begin(&chain->fill, 1);
    for (int i = 0; i < p->columns * p->rows; i++)
        if (chain->board[i] != NOTHING)
            fill_put(&chain->fill, cell_of(p, chain, i), chain->board[i]);
}

/* Empties up to three windows, each around the place that fits worst of a few random ones. */
static void empty_windows(const struct problem *p, struct chain *chain)
{
    const int places = p->columns * p->rows, most = 2 + random_index(&chain->random, 9);
    for (int windows = 1 + random_index(&chain->random, 3); windows > 0; windows--) {
        const int w = 1 + random_index(&chain->random, most),
                  h = 1 + random_index(&chain->random, most);
        int place = random_index(&chain->random, places), worst = NOTHING;
        for (int i = random_index(&chain->random, 12); i > 0; i--) {
            const int other = random_index(&chain->random, places);
            const int cost = place_cost(p, chain->board, other);
            if (cost > worst) {
                worst = cost;
                place = other;
            }
        }
        const int x0 = place % p->columns - random_index(&chain->random, w);
        const int y0 = place / p->columns - random_index(&chain->random, h);
        for (int y = y0 < 0 ? 0 : y0; y < y0 + h && y < p->rows; y++)
            for (int x = x0 < 0 ? 0 : x0; x < x0 + w && x < p->columns; x++)
                change(p, chain, y * p->columns + x);
    }
}

/* Empties all but the larger segments; with `worn`, the borders of these too. */
static void empty_small(const struct problem *p, struct chain *chain, int worn)
{
    const int least = 1 + random_index(&chain->random, 1 << random_index(&chain->random, 10));
    for (int i = 0; i < p->columns * p->rows; i++) {
        const int32_t segment = chain->segments.number[i];
        if (segment == NOTHING || chain->segments.size[segment] < least ||
            (worn && !segment_surrounds(p, &chain->segments, i)))
            change(p, chain, i);
    }
}

/* Translates the whole board. Tiles that would leave it are free, and those of segments of fewer
 * than `least` places. */
static void translate_board(const struct problem *p, struct chain *chain, int dx, int dy, int least)
{
    for (int i = 0; i < p->columns * p->rows; i++)
        change(p, chain, i);
    for (int i = 0; i < p->columns * p->rows; i++) {
        const int x = i % p->columns + dx, y = i / p->columns + dy;
        if (chain->board[i] != NOTHING && x >= 0 && y >= 0 && x < p->columns && y < p->rows &&
            (!least || chain->segments.size[chain->segments.number[i]] >= least))
            fill_put(&chain->fill, cell_of(p, chain, y * p->columns + x), chain->board[i]);
    }
}

/* Empties all but one segment, and refills around it with a frame that may slide. */
static int regrow(const struct problem *p, struct chain *chain, int segments, int worn)
{
    const int places = p->columns * p->rows;
    int kept = 0;
    for (int i = 1; i < segments; i++)
        if (chain->segments.size[i] > chain->segments.size[kept])
            kept = i;
    const int32_t other = chain->segments.number[random_index(&chain->random, places)];
    if (random_index(&chain->random, 4) == 0 && other != NOTHING)
        kept = other;
    int x0 = p->columns, y0 = p->rows, x1 = -1, y1 = -1, count = 0;
    for (int i = 0; i < places; i++) {
        if (chain->segments.number[i] != kept ||
            (worn && !segment_surrounds(p, &chain->segments, i)))
            continue;
        x0 = i % p->columns < x0 ? i % p->columns : x0;
        x1 = i % p->columns > x1 ? i % p->columns : x1;
        y0 = i / p->columns < y0 ? i / p->columns : y0;
        y1 = i / p->columns;
        chain->list[count++] = i;
    }
    const int dx = chain->fill.width / 2 - x0 - (x1 - x0 + 1) / 2;
    const int dy = chain->fill.height / 2 - y0 - (y1 - y0 + 1) / 2;
    fill_begin(&chain->fill, 0);
    if (!count)
        return 0;
    for (int i = 0; i < count; i++)
        fill_put(&chain->fill,
            (chain->list[i] / p->columns + dy) * chain->fill.width + chain->list[i] % p->columns +
                dx,
            chain->board[chain->list[i]]);
    return fill_run(&chain->fill, NULL, 0);
}

/* Of the places that were emptied, keeps those that the refill has changed: marked, and each in a
 * group of its own. Notes the place of each tile that it moved: in the field, or on the board of
 * one that it left out. */
static void list_changes(struct chain *chain)
{
    int count = 0;
    for (int i = 0; i < chain->changes; i++) {
        const int place = chain->changed[i];
        const int32_t now = chain->fill.cell[chain->open[i]];
        chain->mark[place] = now != chain->board[place];
        if (!chain->mark[place])
            continue;
        chain->changed[count] = place;
        chain->open[count++] = chain->open[i];
        chain->parent[place] = place;
        chain->gain[place] = 0;
        if (chain->board[place] != NOTHING)
            chain->at[chain->board[place] >> 2] = place;
    }
    chain->changes = count;
    for (int i = 0; i < count; i++) {
        const int32_t now = chain->fill.cell[chain->open[i]];
        if (now != NOTHING)
            chain->at[now >> 2] = chain->changed[i];
    }
}

/* Joins the groups of changes that touch or exchange a tile. */
static void group_changes(const struct problem *p, struct chain *chain)
{
    for (int i = 0; i < chain->changes; i++) {
        const int place = chain->changed[i];
        for (int d = 0; d < 4; d++) {
            const int other = place_beside(p->columns, p->rows, place, d);
            if (other != NOTHING && chain->mark[other])
                sets_join(chain->parent, place, other);
        }
        if (chain->board[place] != NOTHING)
            sets_join(chain->parent, place, chain->at[chain->board[place] >> 2]);
    }
}

/* Sums up, for the root of each group, what its changes save. A joint between two changes counts
 * for one of them. */
static void sum_gains(const struct problem *p, struct chain *chain)
{
    const int32_t *cell = chain->fill.cell;
    for (int i = 0; i < chain->changes; i++) {
        const int place = chain->changed[i];
        int64_t *sum = &chain->gain[root_of(chain->parent, place)];
        for (int d = 0; d < 4; d++) {
            const int other = place_beside(p->columns, p->rows, place, d);
            if (other == NOTHING || (d < SIDE_RIGHT && chain->mark[other]))
                continue;
            *sum += joint_cost(p->c, chain->board[place], chain->board[other], d) -
                    joint_cost(p->c, cell[chain->open[i]], cell[cell_of(p, chain, other)], d);
        }
    }
}

/* Splits what the refill changed into groups of places that neither touch nor exchange tiles, so
 * that the costs of their changes add up. Keeps, on the board and in the field, the groups that do
 * not raise the cost, and undoes the others. */
static void keep_gains(const struct problem *p, struct chain *chain)
{
    const int64_t *gain = chain->gain;
    list_changes(chain);
    group_changes(p, chain);
    sum_gains(p, chain);
    for (int i = 0; i < chain->changes; i++)
        if (gain[root_of(chain->parent, chain->changed[i])] < 0)
            fill_take(&chain->fill, chain->open[i]);
    for (int i = 0; i < chain->changes; i++) {
        const int place = chain->changed[i], root = root_of(chain->parent, place);
        chain->mark[place] = 0;
        if (root == place)
            chain->cost -= gain[place] > 0 ? gain[place] : 0;
        if (gain[root] >= 0)
            chain->board[place] = chain->fill.cell[chain->open[i]];
        else if (chain->board[place] != NOTHING)
            fill_put(&chain->fill, chain->open[i], chain->board[place]);
    }
}

void chain_adopt(const struct problem *p, struct chain *chain, const int32_t *board)
{
    chain->changes = 0;
    for (int i = 0; i < p->columns * p->rows; i++)
        if (chain->board[i] != board[i])
            change(p, chain, i);
    for (int i = 0; i < chain->changes; i++)
        if (board[chain->changed[i]] != NOTHING)
            fill_put(&chain->fill, chain->open[i], board[chain->changed[i]]);
    keep_gains(p, chain);
}

/* Refills what has been emptied, and the empty places, and keeps what is no worse. */
static int refill(const struct problem *p, struct chain *chain)
{
    const int places = p->columns * p->rows;
    if (chain->fill.tiles < places)
        for (int i = 0; i < places; i++)
            if (chain->board[i] == NOTHING)
                change(p, chain, i);
    if (!chain->fill.placed) {
        for (int i = 0; i < chain->changes; i++)
            chain->mark[chain->changed[i]] = 0;
        field_set(p, chain);
        return 0;
    }
    const int rc = fill_run(&chain->fill, chain->open, chain->changes);
    keep_gains(p, chain);
    return rc;
}

/* Empties all but one segment and refills around it; the board takes over what is no worse. */
static int rebuild(const struct problem *p, struct chain *chain, int segments, int worn)
{
    const int rc = segments ? regrow(p, chain, segments, worn) : 0;
    if (segments && chain->fill.placed) {
        fill_board(&chain->fill, chain->next);
        field_set(p, chain);
        chain_adopt(p, chain, chain->next);
    } else {
        field_set(p, chain);
    }
    return rc;
}

int chain_step(const struct problem *p, struct chain *chain)
{
    /* One step in KINDS rebuilds the board, one translates it, some empty small segments, and the
     * others windows. In a region, where places are fixed, the board stays where it is. */
    enum { REBUILD = 0, TRANSLATE = 6, WINDOWS = 7, KINDS = 16 };
    uint64_t *random = &chain->random;
    const int kind = p->fixed ? 1 + random_index(random, KINDS - 1) : random_index(random, KINDS);
    const int worn = random_index(random, 3) == 0, has_blocks = random_index(random, 4) > 0;
    const int tie = 500 + random_index(random, 400);
    chain->fill.noise = random_index(random, 2) ? 0 : (float)random_index(random, 300);
    chain->fill.neighbor_bonus = 50 + random_index(random, 350);
    chain->changes = 0;
    chain->fill.blocks = NULL;
    if (kind >= WINDOWS || (kind == TRANSLATE && p->fixed)) {
        empty_windows(p, chain);
        return chain->changes ? refill(p, chain) : 0;
    }
    const int segments = segments_find(p, chain->board, tie, &chain->segments);
    if (has_blocks) {
        blocks_set(
            chain->board, chain->segments.number, p->fixed, p->columns * p->rows, &chain->blocks);
        chain->fill.blocks = &chain->blocks;
    }
    if (kind == REBUILD)
        return rebuild(p, chain, segments, worn);
    if (kind < TRANSLATE) {
        empty_small(p, chain, worn);
    } else {
        const int reach = 1 + random_index(random, 4);
        const int dx = random_index(random, 2 * reach + 1) - reach;
        const int dy = random_index(random, 2 * reach + 1) - reach;
        translate_board(p, chain, dx, dy,
            random_index(random, 3) ? 1 + random_index(random, 1 << random_index(random, 10)) : 0);
    }
    return chain->changes ? refill(p, chain) : 0;
}

/* The cost of the pairs between a column and the next, or a row and the next. */
static int64_t seam_cost(const struct problem *p, const int32_t *board, int direction, int line)
{
    int64_t sum = 0;
    for (int i = 0; i < (direction == SIDE_RIGHT ? p->rows : p->columns); i++) {
        const int at = direction == SIDE_RIGHT ? i * p->columns + line : line * p->columns + i;
        sum += joint_cost(
            p->c, board[at], board[place_beside(p->columns, p->rows, at, direction)], direction);
    }
    return sum;
}

/* By how much the board would move so that one of its worst seams comes to the nearer border. */
static void find_shifts(
    const struct problem *p, const int32_t *board, int direction, int shifts[WORST_SEAMS + 1])
{
    const int lines = direction == SIDE_RIGHT ? p->columns : p->rows;
    int64_t worst[WORST_SEAMS] = {0};
    for (int i = 0; i <= WORST_SEAMS; i++)
        shifts[i] = 0;
    for (int line = 0; line + 1 < lines; line++) {
        const int64_t cost = seam_cost(p, board, direction, line);
        int at = WORST_SEAMS;
        for (; at > 0 && cost > worst[at - 1]; at--)
            if (at < WORST_SEAMS) {
                worst[at] = worst[at - 1];
                shifts[at] = shifts[at - 1];
            }
        if (at == WORST_SEAMS)
            continue;
        worst[at] = cost;
        shifts[at] = line + 1 <= lines / 2 ? -(line + 1) : lines - 1 - line;
    }
}

int chain_translate(const struct problem *p, struct chain *chain)
{
    int across[WORST_SEAMS + 1], down[WORST_SEAMS + 1], rc = 0;
    find_shifts(p, chain->board, SIDE_RIGHT, across);
    find_shifts(p, chain->board, SIDE_BOTTOM, down);
    for (int i = 0; i <= WORST_SEAMS; i++)
        for (int k = 0; k <= WORST_SEAMS; k++) {
            if ((!across[i] && i < WORST_SEAMS) || (!down[k] && k < WORST_SEAMS) ||
                (!across[i] && !down[k]))
                continue;
            chain->fill.noise = 0;
            chain->fill.neighbor_bonus = REFILL_BONUS;
            chain->fill.blocks = NULL;
            chain->changes = 0;
            translate_board(p, chain, across[i], down[k], 0);
            rc |= refill(p, chain);
        }
    return rc;
}

/* Lets areas slip once in a direction. */
static int slip_once(const struct problem *p, struct chain *chain, struct slip *slip, int direction)
{
    const uint8_t *slips = slip_find(slip, p, chain->board, direction);
    if (!slips)
        return 0;
    chain->fill.noise = 0;
    chain->fill.neighbor_bonus = REFILL_BONUS;
    chain->fill.blocks = NULL;
    chain->changes = 0;
    for (int i = 0; i < p->columns * p->rows; i++)
        if (slips[i]) {
            change(p, chain, i);
            change(p, chain, place_beside(p->columns, p->rows, i, direction));
        }
    for (int i = 0; i < p->columns * p->rows; i++)
        if (slips[i])
            fill_put(&chain->fill,
                cell_of(p, chain, place_beside(p->columns, p->rows, i, direction)),
                chain->board[i]);
    return refill(p, chain);
}

int chain_slip(const struct problem *p, struct chain *chain, struct slip *slip)
{
    int64_t before;
    do {
        before = chain->cost;
        for (int direction = 0; direction < 4; direction++)
            if (slip_once(p, chain, slip, direction))
                return -1;
    } while (chain->cost < before);
    return 0;
}

int chain_make(const struct problem *p, const uint8_t *present, const int32_t *board, int64_t cost,
    uint64_t seed, struct chain *chain, struct error *error)
{
    const int places = p->columns * p->rows, tiles = p->c->tiles;
    const size_t bytes = (size_t)(places > tiles ? places : tiles) * sizeof(int32_t);
    *chain = (struct chain){.cost = cost, .random = seed};
    int rc = fill_make(p->c, p->buddy, present, p->columns, p->rows, &chain->fill, error);
    chain->board = malloc(bytes);
    chain->next = malloc(bytes);
    chain->list = malloc(bytes);
    chain->parent = malloc(bytes);
    chain->gain = malloc((size_t)places * sizeof(*chain->gain));
    chain->at = malloc(bytes);
    chain->changed = malloc(bytes);
    chain->open = malloc(bytes);
    chain->mark = calloc((size_t)places, 1);
    if (rc == 0 &&
        (segments_make(places, &chain->segments) || blocks_make(tiles, places, &chain->blocks) ||
            !(chain->board && chain->next && chain->list && chain->parent && chain->gain &&
                chain->at && chain->changed && chain->open && chain->mark)))
        rc = error_set(error, ERROR_INPUT, "not enough memory to search");
    if (rc)
        return rc;
    chain->fill.random = ~seed;
    memcpy(chain->board, board, (size_t)places * sizeof(*board));
    field_set(p, chain);
    return 0;
}

void chain_free(struct chain *chain)
{
    fill_free(&chain->fill);
    free(chain->board);
    free(chain->next);
    segments_free(&chain->segments);
    free(chain->list);
    free(chain->parent);
    free(chain->gain);
    free(chain->at);
    free(chain->changed);
    free(chain->open);
    blocks_free(&chain->blocks);
    free(chain->mark);
}
