/* Greedy filling. A heap holds, for each open cell, the best oriented tile that was found for it.
 * Entries go stale as other tiles are placed, which is noticed when they come up. */
#include "stages/unscramble/fill.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUDDY_BONUS = 150,    /* taken off the score for each best buddy */
    NEIGHBOR_BONUS = 200, /* and usually for each neighbor but the first */
    TRIED = 6,            /* tiles that are left, of the partners of each edge around a cell */
    FORCE_CELLS = 256,    /* cells and tiles that are tried where no list has a tile left */
    FORCE_TILES = 256,
    BITS = 64 /* of a word of `taken` */
};

int fill_make(const struct compatibility *compatibility, const int32_t *buddy,
    const uint8_t *present, int columns, int rows, struct fill *fill, struct error *error)
{
    const int longest = columns > rows ? columns : rows;
    const int can_turn = compatibility->turns == TURNS_ANY;
    const int width = 2 * (can_turn ? longest : columns) + 3;
    const int height = 2 * (can_turn ? longest : rows) + 3;
    const size_t cells = (size_t)width * (size_t)height, tiles = (size_t)compatibility->tiles;
    const size_t words = ((size_t)width + BITS - 1) / BITS;
    *fill = (struct fill){0};
    if (cells > INT32_MAX)
        return error_set(error, ERROR_INPUT,
            "a board of %d x %d tiles that may be turned is too long to be searched", columns,
            rows);
    *fill = (struct fill){.compatibility = compatibility,
        .buddy = buddy,
        .present = present,
        .columns = columns,
        .rows = rows,
        .width = width,
        .height = height,
        .most = INFINITY,
        .box = {0, 0, width - 1, height - 1}, /* fill_begin empties all of it */
        .neighbor_bonus = NEIGHBOR_BONUS,
        .cell = malloc(cells * sizeof(*fill->cell)),
        .words = (int)words,
        .taken = malloc((size_t)height * words * sizeof(*fill->taken)),
        .used = malloc(tiles),
        .version = calloc(cells, sizeof(*fill->version))};
    for (size_t i = 0; i < tiles; i++)
        fill->tiles += !present || present[i];
    if (fill->cell && fill->taken && fill->used && fill->version)
        return 0;
    fill_free(fill);
    return error_set(error, ERROR_INPUT, "not enough memory to fill the board");
}

void fill_free(struct fill *fill)
{
    free(fill->cell);
    free(fill->taken);
    free(fill->used);
    free(fill->version);
    free(fill->heap.entry);
    *fill = (struct fill){0};
}

void fill_begin(struct fill *fill, int locked)
{
    const size_t width = (size_t)fill->width, words = (size_t)fill->words;
    const uint8_t *present = fill->present;
    uint8_t *used = fill->used;
    const int tiles = fill->compatibility->tiles;
    for (int y = fill->box[1]; y <= fill->box[3]; y++) { /* the rows that tiles may lie in */
        memset(fill->cell + (size_t)y * width, 0xff, width * sizeof(*fill->cell));
        memset(fill->taken + (size_t)y * words, 0, words * sizeof(*fill->taken));
    }
    memset(used, 0, (size_t)tiles);
#pragma omp simd
    for (int i = 0; i < (present ? tiles : 0); i++)
        used[i] = !present[i];
    fill->placed = fill->heap.count = 0;
    fill->box[0] = fill->box[1] = locked ? 1 : INT32_MAX;
    fill->box[2] = locked ? fill->columns : INT32_MIN;
    fill->box[3] = locked ? fill->rows : INT32_MIN;
}

/* The word of `taken` that holds a cell's bit. */
static uint64_t *word_of(const struct fill *fill, int x, int y)
{
    return fill->taken + (size_t)y * (size_t)fill->words + (size_t)(x / BITS);
}

void fill_put(struct fill *fill, int cell, int32_t oriented)
{
    const int x = cell % fill->width, y = cell / fill->width;
    fill->cell[cell] = oriented;
    fill->used[oriented >> 2] = 1;
    *word_of(fill, x, y) |= (uint64_t)1 << x % BITS;
    fill->placed++;
    box_extend(fill->box, x, y);
}

void fill_take(struct fill *fill, int cell)
{
    const int x = cell % fill->width;
    if (fill->cell[cell] == NOTHING)
        return;
    fill->used[fill->cell[cell] >> 2] = 0;
    fill->cell[cell] = NOTHING;
    *word_of(fill, x, cell / fill->width) &= ~((uint64_t)1 << x % BITS);
    fill->placed--;
}

/* Whether the frame can slide over a box. */
static int frame_holds(const struct fill *fill, const int *box)
{
    return box_fits(box, fill->columns, fill->rows, fill->compatibility->turns);
}

static int fits(const struct fill *fill, int cell)
{
    int box[4];
    memcpy(box, fill->box, sizeof(box));
    box_extend(box, cell % fill->width, cell / fill->width);
    return frame_holds(fill, box);
}

/* The edges that face a cell, NOTHING where no tile lies; returns how many. */
static int facing(const struct fill *fill, int cell, int32_t *edge)
{
    const int step[4] = {-1, -fill->width, 1, fill->width};
    int count = 0;
    for (int d = 0; d < 4; d++) {
        const int32_t oriented = fill->cell[cell + step[d]];
        edge[d] = oriented == NOTHING ? NOTHING : oriented_edge(oriented, d ^ 2);
        count += oriented != NOTHING;
    }
    return count;
}

/* The score of an oriented tile between the edges around it. Its cost toward direction `known` is
 * `cost`. */
static float score_of(const struct fill *fill, int32_t oriented, const int32_t *edge, int count,
    int known, int32_t cost)
{
    int buddies = 0;
    for (int d = 0; d < 4; d++)
        if (edge[d] != NOTHING) {
            const int32_t mine = oriented_edge(oriented, d);
            if (d != known)
                cost += cost_of(fill->compatibility, mine, edge[d]);
            buddies += fill->buddy[mine] == edge[d];
        }
    return (float)cost / (float)count -
           (float)(BUDDY_BONUS * buddies + fill->neighbor_bonus * (count - 1));
}

/* Finds the best oriented tile for a cell and enters it into the heap. */
static int offer(struct fill *fill, int cell)
{
    fill->version[cell]++;
    if (!fits(fill, cell))
        return 0;
    int32_t edge[4];
    const int count = facing(fill, cell, edge);
    struct fill_entry best = {.score = 1e30f, .cell = cell, .oriented = NOTHING};
    if (!count)
        return 0;
    const float most_bonus = (float)(BUDDY_BONUS * count + fill->neighbor_bonus * (count - 1));
    for (int d = 0; d < 4; d++) {
        if (edge[d] == NOTHING)
            continue;
        const struct partner *list = partners_of(fill->compatibility, edge[d]);
        int tried = 0;
        for (int i = 0; i < fill->compatibility->width && tried < TRIED; i++) {
            if (list[i].edge == NOTHING)
                break;
            if (fill->used[list[i].edge >> 2])
                continue;
            tried++;
            if ((float)list[i].cost / (float)count - most_bonus >= best.score)
                break;
            const int32_t oriented = oriented_by_edge(list[i].edge, d);
            float score = score_of(fill, oriented, edge, count, d, list[i].cost);
            if (fill->noise > 0)
                score += fill->noise * random_unit(&fill->random);
            if (score < best.score) {
                best.score = score;
                best.oriented = oriented;
            }
        }
    }
    best.version = fill->version[cell];
    return best.oriented == NOTHING ? 0 : heap_push(&fill->heap, best);
}

static int offer_around(struct fill *fill, int cell)
{
    const int step[4] = {-1, -fill->width, 1, fill->width};
    int rc = 0;
    for (int d = 0; d < 4; d++)
        if (fill->cell[cell + step[d]] == NOTHING)
            rc |= offer(fill, cell + step[d]);
    return rc;
}

/* Where a tile of a block goes when the block's tile `first` lies, turned, at a cell; gives the
 * oriented tile that lies there then. */
static int32_t block_tile(
    const struct fill *fill, int32_t tile, int32_t first, int turn, int at, int *x, int *y)
{
    const struct blocks *blocks = fill->blocks;
    const int place = blocks->place[tile], from = blocks->place[first];
    step_turned(turn, place % fill->columns - from % fill->columns,
        place / fill->columns - from / fill->columns, x, y);
    *x += at % fill->width;
    *y += at / fill->width;
    return oriented_turned(blocks->oriented[tile], turn);
}

/* Whether no tile of the block collides or leaves the frame, and the new neighbors cost, on
 * average, no more than POOR_COST. */
static int block_fits(const struct fill *fill, int32_t first, int turn, int at)
{
    const struct blocks *blocks = fill->blocks;
    int box[4], sum = 0, contacts = 0, x, y;
    memcpy(box, fill->box, sizeof(box));
    for (int32_t t = blocks->next[first]; t != first; t = blocks->next[t]) {
        const int32_t other = block_tile(fill, t, first, turn, at, &x, &y);
        if (x < 1 || y < 1 || x > fill->width - 2 || y > fill->height - 2 || fill->used[t] ||
            fill->cell[y * fill->width + x] != NOTHING)
            return 0;
        box_extend(box, x, y);
        int32_t edge[4];
        facing(fill, y * fill->width + x, edge);
        for (int d = 0; d < 4; d++)
            if (edge[d] != NOTHING && edge[d] >> 2 != first) {
                sum += cost_of(fill->compatibility, oriented_edge(other, d), edge[d]);
                contacts++;
            }
    }
    return frame_holds(fill, box) && sum <= contacts * POOR_COST;
}

/* Places the rest of the block of a tile that was just placed, where it fits. */
static int place_block(struct fill *fill, int at, int32_t oriented)
{
    const struct blocks *blocks = fill->blocks;
    const int32_t first = oriented >> 2;
    if (!blocks || blocks->next[first] == first)
        return 0;
    const int turn = (oriented - blocks->oriented[first]) & 3;
    if (!block_fits(fill, first, turn, at))
        return 0;
    for (int32_t t = blocks->next[first]; t != first; t = blocks->next[t]) {
        int x, y;
        const int32_t other = block_tile(fill, t, first, turn, at, &x, &y);
        fill_put(fill, y * fill->width + x, other);
        if (offer_around(fill, y * fill->width + x))
            return -1;
    }
    return 0;
}

/* A walk over the open cells of the field, row by row, from where the last one ended. */
struct walk {
    int left, top, right, bottom; /* the tiles' box, and a cell more on each side */
    int x, y, remaining;          /* the next cell, and how many are still to come */
    int cell;                     /* where it stands in the field */
};

static struct walk walk_begin(struct fill *fill)
{
    const int *box = fill->box;
    struct walk w = {
        .left = box[0] - 1, .top = box[1] - 1, .right = box[2] + 1, .bottom = box[3] + 1};
    const int columns = w.right - w.left + 1;
    w.remaining = columns * (w.bottom - w.top + 1);
    if (w.remaining <= FORCE_CELLS || fill->next_cell >= w.remaining)
        fill->next_cell = 0;
    w.x = w.left + fill->next_cell % columns;
    w.y = w.top + fill->next_cell / columns;
    return w;
}

/* Of the BITS cells of the word of `taken` that holds (x, y), leaves which have a tile to the left,
 * above, to the right and below; returns which are open. The bit that comes from the word before
 * or behind may be of another row. It is 0, since the first and the last cell of a row have no
 * tile. */
static uint64_t look_around(const struct fill *fill, int x, int y, uint64_t *has_tile)
{
    const uint64_t *word = word_of(fill, x, y);
    has_tile[0] = word[0] << 1 | word[-1] >> (BITS - 1);
    has_tile[1] = word[-fill->words];
    has_tile[2] = word[0] >> 1 | word[1] << (BITS - 1);
    has_tile[3] = word[fill->words];
    return ~word[0];
}

/* Goes to the next open cell that touches a tile and is in the frame. Returns how many it touches;
 * 0 at the end of the walk. */
static int walk_next(const struct fill *fill, struct walk *w)
{
    while (w->remaining > 0) {
        const int x = w->x, y = w->y, in_row = w->right - x + 1;
        const int ahead = in_row < w->remaining ? in_row : w->remaining;
        const int in_field = y > 0 && y < fill->height - 1;
        uint64_t tile[4] = {0}, open = in_field ? look_around(fill, x, y, tile) : 0;
        open = (open & (tile[0] | tile[1] | tile[2] | tile[3])) >> x % BITS;
        const int skipped = open ? __builtin_ctzll(open) : in_field ? BITS - x % BITS : ahead;
        const int steps = skipped < ahead ? skipped + (open != 0) : ahead;
        w->remaining -= steps;
        w->x += steps;
        if (w->x > w->right) {
            w->x = w->left;
            w->y = y == w->bottom ? w->top : y + 1;
        }
        w->cell = y * fill->width + x + skipped;
        if (!open || skipped >= ahead || x + skipped == 0 || x + skipped == fill->width - 1 ||
            !fits(fill, w->cell))
            continue;
        const int bit = x % BITS + skipped;
        return (int)((tile[0] >> bit & 1) + (tile[1] >> bit & 1) + (tile[2] >> bit & 1) +
                     (tile[3] >> bit & 1));
    }
    return 0;
}

/* The next walk begins at a cell of this one. */
static void walk_end(struct fill *fill, const struct walk *w, int cell)
{
    const int columns = w->right - w->left + 1;
    fill->next_cell = (cell / fill->width - w->top) * columns + cell % fill->width - w->left;
}

/* The open cell with the most neighbors, among the first FORCE_CELLS from the cursor on that have
 * any. */
static int find_cell(struct fill *fill, int *most)
{
    struct walk w = walk_begin(fill);
    int best = NOTHING;
    *most = 0;
    for (int found = 0, count; found < FORCE_CELLS && *most < 4 && (count = walk_next(fill, &w));
         found++)
        if (count > *most) {
            *most = count;
            best = w.cell;
        }
    if (best != NOTHING)
        walk_end(fill, &w, best);
    return best;
}

/* Fills the cell with the most neighbors with the best of the next FORCE_TILES tiles that are left.
 * Returns the cell, or NOTHING. */
static int force_cell(struct fill *fill)
{
    int32_t edge[4];
    int most, tried = 0;
    const int cell = find_cell(fill, &most);
    if (cell == NOTHING)
        return NOTHING;
    facing(fill, cell, edge);
    const enum turns turns = fill->compatibility->turns;
    float best = 1e30f;
    int32_t best_oriented = NOTHING;
    while (fill->used[fill->next_tile])
        fill->next_tile++;
    for (int32_t tile = fill->next_tile; tile < fill->compatibility->tiles && tried < FORCE_TILES;
         tile++) {
        if (fill->used[tile])
            continue;
        tried++;
        for (int turn = 0; turn < 4; turn += 4 / turns_count(turns)) {
            const float score = score_of(fill, 4 * tile + turn, edge, most, NOTHING, 0);
            if (score < best) {
                best = score;
                best_oriented = 4 * tile + turn;
            }
        }
    }
    fill_put(fill, cell, best_oriented);
    return cell;
}

/* What a tile in an open cell adds to the cost of the board. */
static int added_cost(const struct fill *fill, int cell, int32_t oriented, const int32_t *edge)
{
    const int step[4] = {-1, -fill->width, 1, fill->width};
    int cost = 0;
    for (int d = 0; d < 4; d++)
        if (edge[d] != NOTHING)
            cost += cost_of(fill->compatibility, oriented_edge(oriented, d), edge[d]) - OPEN_COST;
        else if (fits(fill, cell + step[d]))
            cost += OPEN_COST;
    return cost;
}

/* Puts the next of the tiles that are left where it adds least, of the first FORCE_CELLS open cells
 * from the cursor on that touch a tile. Returns the cell, or NOTHING. */
static int force_tile(struct fill *fill)
{
    const enum turns turns = fill->compatibility->turns;
    struct walk w = walk_begin(fill);
    int best = NOTHING, least = INT_MAX;
    int32_t edge[4], best_oriented = NOTHING;
    while (fill->used[fill->next_tile])
        fill->next_tile++;
    for (int found = 0; found < FORCE_CELLS && walk_next(fill, &w); found++) {
        facing(fill, w.cell, edge);
        for (int turn = 0; turn < 4; turn += 4 / turns_count(turns)) {
            const int cost = added_cost(fill, w.cell, 4 * fill->next_tile + turn, edge);
            if (cost < least) {
                least = cost;
                best = w.cell;
                best_oriented = 4 * fill->next_tile + turn;
            }
        }
    }
    if (best == NOTHING)
        return NOTHING;
    walk_end(fill, &w, best);
    fill_put(fill, best, best_oriented);
    return best;
}

/* Puts the first tile that is there into the middle, of the frame if that is locked. */
static void put_first(struct fill *fill)
{
    const int is_locked = fill->box[0] <= fill->box[2];
    const int x = is_locked ? (fill->box[0] + fill->box[2]) / 2 : fill->width / 2;
    const int y = is_locked ? (fill->box[1] + fill->box[3]) / 2 : fill->height / 2;
    for (int t = 0; t < fill->compatibility->tiles && !fill->placed; t++)
        if (!fill->used[t])
            fill_put(fill, y * fill->width + x, 4 * t);
}

int fill_run(struct fill *fill, const int32_t *open, int count)
{
    int rc = 0;
    fill->heap.count = fill->next_cell = fill->next_tile = 0;
    if (!fill->placed)
        put_first(fill);
    for (int i = 0; open && i < count; i++)
        if (fill->cell[open[i]] == NOTHING)
            rc |= offer(fill, open[i]);
    for (int y = fill->box[1] - 1; !open && fill->placed && y <= fill->box[3] + 1; y++)
        for (int x = fill->box[0] - 1; x <= fill->box[2] + 1; x++)
            if (x > 0 && y > 0 && x < fill->width - 1 && y < fill->height - 1 &&
                fill->cell[y * fill->width + x] == NOTHING)
                rc |= offer(fill, y * fill->width + x);
    while (rc == 0 && fill->placed < fill->tiles) {
        if (!fill->heap.count) {
            /* No list has a tile left. A full board needs one in each cell; in another one, cells
             * that nothing fits can stay empty. */
            const int is_full = fill->tiles == fill->columns * fill->rows;
            const int cell = fill->most < INFINITY ? NOTHING
                             : is_full             ? force_cell(fill)
                                                   : force_tile(fill);
            if (cell == NOTHING)
                break;
            rc |= offer_around(fill, cell);
            continue;
        }
        const struct fill_entry entry = heap_pop(&fill->heap);
        if (entry.score > fill->most)
            break;
        if (entry.version != fill->version[entry.cell] || fill->cell[entry.cell] != NOTHING ||
            !fits(fill, entry.cell))
            continue;
        if (fill->used[entry.oriented >> 2]) {
            rc |= offer(fill, entry.cell);
            continue;
        }
        fill_put(fill, entry.cell, entry.oriented);
        rc |= offer_around(fill, entry.cell);
        rc |= place_block(fill, entry.cell, entry.oriented);
    }
    return rc;
}

void fill_board(const struct fill *fill, int32_t *board)
{
    const int w = fill->placed ? fill->box[2] - fill->box[0] + 1 : 0;
    const int h = fill->placed ? fill->box[3] - fill->box[1] + 1 : 0;
    const int turned =
        fill->compatibility->turns == TURNS_ANY && (w > fill->columns || h > fill->rows);
    for (int y = 0; y < fill->rows; y++)
        for (int x = 0; x < fill->columns; x++) {
            /* Turned by a quarter clockwise, (x, y) comes from (y, h - 1 - x). */
            const int sx = turned ? y : x, sy = turned ? h - 1 - x : y;
            int32_t oriented = NOTHING;
            if (sx < w && sy >= 0 && sy < h)
                oriented = fill->cell[(sy + fill->box[1]) * fill->width + sx + fill->box[0]];
            if (oriented != NOTHING && turned)
                oriented = oriented_turned(oriented, 1);
            board[y * fill->columns + x] = oriented;
        }
}
