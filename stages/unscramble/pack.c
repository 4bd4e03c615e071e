#include "stages/unscramble/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/best_instructions.h"

enum {
    LEAST_PART = 64,   /* tiles of a component that grows */
    GROWS_UNTIL = 300, /* the score above which a part takes no more tiles */
    OPENING = 3,       /* the side of the squares that a part is made of */
    LOST_SHARE = 4,    /* at most one of so many tiles of a part may find its place taken */
    OVERHANG = 8,      /* cells that a part may stand out of the frame */
    BITS = 64
};

/* Tiles that keep their places toward each other. */
struct part {
    int32_t root; /* of the component that grew */
    int columns, rows, tiles;
    int32_t *oriented; /* [rows][columns], NOTHING where it has no tile */
};

/* Where a part may go: turned by so many quarters, its upper left corner at a place. */
struct free_spot {
    int turn, x, y;
    int value; /* how good it is there */
};

/* Cells as bits; the first bit of a row is the column -BITS, the first row is -BITS. */
struct cells {
    int words, rows;
    uint64_t *bits; /* [rows][words] */
};

struct packer {
    const struct forest *forest;
    struct fill *fill;
    uint8_t *left;        /* [tile] in no part yet */
    struct blocks blocks; /* the components */
    struct part *parts;
    int count;
    struct cells taken; /* of the frame, and all around it */
};

static uint64_t *row_of(const struct cells *cells, int y)
{
    return cells->bits + (size_t)(y + BITS) * (size_t)cells->words;
}

/* The 64 cells of a row from column x on. */
static uint64_t cells_at(const struct cells *cells, int x, int y)
{
    const uint64_t *row = row_of(cells, y) + (x + BITS) / BITS;
    const int shift = (x + BITS) % BITS;
    return shift ? row[0] >> shift | row[1] << (BITS - shift) : row[0];
}

static void cell_set(struct cells *cells, int x, int y)
{
    row_of(cells, y)[(x + BITS) / BITS] |= (uint64_t)1 << ((x + BITS) % BITS);
}

static int cells_make(int columns, int rows, struct cells *cells)
{
    cells->words = (columns + BITS - 1) / BITS + 3;
    cells->rows = rows + 2 * BITS;
    cells->bits = calloc((size_t)cells->words * (size_t)cells->rows, sizeof(*cells->bits));
    return cells->bits ? 0 : -1;
}

/* Where a cell of a part stands, from its upper left corner, once it is turned by some quarters. */
static void cell_turned(const struct part *part, int turn, int cell, int *x, int *y)
{
    const int w = turn & 1 ? part->rows : part->columns, h = turn & 1 ? part->columns : part->rows;
    step_turned(turn, cell % part->columns, cell / part->columns, x, y);
    *x += turn == 1 || turn == 2 ? w - 1 : 0;
    *y += turn == 2 || turn == 3 ? h - 1 : 0;
}

/* The part turned by some quarters, as bits. */
static int part_cells(const struct part *part, int turn, struct cells *cells)
{
    if (cells_make(
            turn & 1 ? part->rows : part->columns, turn & 1 ? part->columns : part->rows, cells))
        return -1;
    for (int i = 0; i < part->columns * part->rows; i++) {
        int x, y;
        if (part->oriented[i] == NOTHING)
            continue;
        cell_turned(part, turn, i, &x, &y);
        cell_set(cells, x, y);
    }
    return 0;
}

/* How good it is to put the part, of w x h cells, at a place: by how many sides it touches others
 * or the frame. Less than 0 where too much is taken. */
BEST_INSTRUCTIONS static int value_at(
    const struct cells *part, int tiles, int w, int h, const struct cells *taken, int x0, int y0)
{
    static const int step_x[4] = {-1, 0, 1, 0}, step_y[4] = {0, -1, 0, 1};
    int lost = 0, touched = 0;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x += BITS)
            lost += __builtin_popcountll(cells_at(part, x, y) & cells_at(taken, x0 + x, y0 + y));
        if (lost * LOST_SHARE > tiles)
            return -1;
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x += BITS)
            for (int d = 0; d < 4; d++)
                touched += __builtin_popcountll(
                    cells_at(part, x, y) & ~cells_at(part, x + step_x[d], y + step_y[d]) &
                    cells_at(taken, x0 + x + step_x[d], y0 + y + step_y[d]));
    return touched > lost ? touched - lost : 0;
}

/* The best spot of a row, of several the first. */
static struct free_spot best_of_row(
    const struct packer *p, const struct cells *cells, const struct part *part, int turn, int y)
{
    const int w = turn & 1 ? part->rows : part->columns, h = turn & 1 ? part->columns : part->rows;
    struct free_spot best = {turn, 0, y, -1};
    for (int x = -OVERHANG; x + w <= p->fill->columns + OVERHANG; x++) {
        const int value = value_at(cells, part->tiles, w, h, &p->taken, x, y);
        if (value > best.value)
            best = (struct free_spot){turn, x, y, value};
    }
    return best;
}

/* Finds where a part goes; of several spots as good the first. The value of none is less than 0. */
static int find_spot(const struct packer *p, const struct part *part, struct free_spot *best)
{
    const enum turns turns = p->fill->compatibility->turns;
    *best = (struct free_spot){.value = -1};
    for (int turn = 0; turn < 4; turn += 4 / turns_count(turns)) {
        const int h = turn & 1 ? part->columns : part->rows;
        const int rows = p->fill->rows + 2 * OVERHANG - h + 1;
        struct cells cells;
        struct free_spot *spots = malloc((size_t)(rows > 0 ? rows : 1) * sizeof(*spots));
        if (part_cells(part, turn, &cells) || !spots) {
            free(cells.bits);
            free(spots);
            return -1;
        }
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < rows; i++)
            spots[i] = best_of_row(p, &cells, part, turn, i - OVERHANG);
        for (int i = 0; i < rows; i++)
            if (spots[i].value > best->value)
                *best = spots[i];
        free(cells.bits);
        free(spots);
    }
    return 0;
}

/* Puts the tiles of a part whose places are free. */
static void put_part(struct packer *p, const struct part *part, const struct free_spot *spot)
{
    for (int i = 0; i < part->columns * part->rows; i++) {
        int x, y;
        if (part->oriented[i] == NOTHING)
            continue;
        cell_turned(part, spot->turn, i, &x, &y);
        x += spot->x;
        y += spot->y;
        if (cells_at(&p->taken, x, y) & 1)
            continue;
        cell_set(&p->taken, x, y);
        fill_put(p->fill, (y + 1) * p->fill->width + x + 1,
            oriented_turned(part->oriented[i], spot->turn));
    }
}

/* Makes each component a block of the fill. One that is wider than the frame is turned. */
static int forest_to_blocks(struct packer *p)
{
    const struct forest *f = p->forest;
    const int columns = p->fill->columns;
    int32_t(*box)[4] = malloc((size_t)f->tiles * sizeof(*box)); /* [root] */
    if (!box)
        return -1;
    for (int32_t t = 0; t < f->tiles; t++) {
        const int32_t own[4] = {f->x[t], f->y[t], f->x[t], f->y[t]};
        memcpy(box[t], own, sizeof(own));
        p->blocks.next[t] = t;
    }
    for (int32_t t = 0; t < f->tiles; t++) {
        const int32_t root = f->root[t];
        box_extend(box[root], f->x[t], f->y[t]);
        if (t == root)
            continue;
        p->blocks.next[t] = p->blocks.next[root];
        p->blocks.next[root] = t;
    }
    for (int32_t t = 0; t < f->tiles; t++) {
        const int32_t *of = box[f->root[t]];
        const int turn = of[2] - of[0] >= columns;
        const int x = turn ? of[3] - f->y[t] : f->x[t] - of[0];
        p->blocks.place[t] = (turn ? f->x[t] - of[0] : f->y[t] - of[1]) * columns + x;
        p->blocks.oriented[t] = oriented_turned(f->oriented[t], turn);
    }
    free(box);
    p->fill->blocks = &p->blocks;
    return 0;
}

/* Takes away the tiles of a part that stand in no square of OPENING x OPENING of its tiles: what
 * sticks out of it is often wrong, and would keep other parts from standing beside it. */
static int trim(struct part *part)
{
    const int w = part->columns, h = part->rows;
    uint8_t *keep = calloc((size_t)w * (size_t)h, 1);
    if (!keep)
        return -1;
    for (int y = 0; y + OPENING <= h; y++)
        for (int x = 0; x + OPENING <= w; x++) {
            int full = 1;
            for (int i = 0; full && i < OPENING * OPENING; i++)
                full = part->oriented[(y + i / OPENING) * w + x + i % OPENING] != NOTHING;
            for (int i = 0; full && i < OPENING * OPENING; i++)
                keep[(y + i / OPENING) * w + x + i % OPENING] = 1;
        }
    for (int i = 0; i < w * h; i++)
        if (!keep[i] && part->oriented[i] != NOTHING) {
            part->oriented[i] = NOTHING;
            part->tiles--;
        }
    free(keep);
    return 0;
}

/* Lets the component of a part grow, and takes what it has become. Leaves out what is too small. */
static int grow(struct packer *p, struct part *part)
{
    struct fill *fill = p->fill;
    const int columns = fill->columns;
    const int x0 = fill->width / 2 - p->blocks.place[part->root] % columns;
    const int y0 = fill->height / 2 - p->blocks.place[part->root] / columns;
    int32_t t = part->root;
    fill_begin(fill, 0);
    do {
        if (p->left[t])
            fill_put(fill,
                (y0 + p->blocks.place[t] / columns) * fill->width + x0 +
                    p->blocks.place[t] % columns,
                p->blocks.oriented[t]);
        t = p->blocks.next[t];
    } while (t != part->root);
    part->tiles = 0;
    if (fill->placed < LEAST_PART)
        return 0;
    if (fill_run(fill, NULL, 0))
        return -1;
    part->tiles = fill->placed;
    part->columns = fill->box[2] - fill->box[0] + 1;
    part->rows = fill->box[3] - fill->box[1] + 1;
    const int places = part->columns * part->rows;
    part->oriented = calloc((size_t)places, sizeof(*part->oriented));
    if (!part->oriented)
        return -1;
    for (int i = 0; i < places; i++)
        part->oriented[i] = fill->cell[(fill->box[1] + i / part->columns) * fill->width +
                                       fill->box[0] + i % part->columns];
    if (trim(part))
        return -1;
    for (int i = 0; i < places; i++)
        if (part->oriented[i] != NOTHING)
            p->left[part->oriented[i] >> 2] = 0;
    return 0;
}

/* The largest part first. */
static int by_tiles(const void *x, const void *y)
{
    const struct part *a = x, *b = y;
    if (a->tiles != b->tiles)
        return a->tiles > b->tiles ? -1 : 1;
    return (a->root > b->root) - (a->root < b->root);
}

/* Makes the parts: lets the larger components grow, the largest first. */
static int grow_all(struct packer *p)
{
    const struct forest *f = p->forest;
    const uint8_t *present = p->fill->present;
    int rc = 0;
    p->parts = calloc((size_t)f->tiles / LEAST_PART + 1, sizeof(*p->parts));
    if (!p->parts)
        return -1;
    for (int32_t t = 0; t < f->tiles; t++) {
        p->left[t] = !present || present[t];
        if (f->root[t] == t && f->size[t] >= LEAST_PART)
            p->parts[p->count++] = (struct part){.root = t, .tiles = f->size[t]};
    }
    qsort(p->parts, (size_t)p->count, sizeof(*p->parts), by_tiles);
    p->fill->present = p->left;
    p->fill->most = GROWS_UNTIL;
    for (int i = 0; rc == 0 && i < p->count; i++)
        rc = grow(p, &p->parts[i]);
    p->fill->present = present;
    p->fill->most = INFINITY;
    qsort(p->parts, (size_t)p->count, sizeof(*p->parts), by_tiles);
    return rc;
}

/* Packs the parts into the frame, the largest first. */
static int pack_all(struct packer *p)
{
    struct cells *taken = &p->taken;
    if (cells_make(p->fill->columns, p->fill->rows, taken))
        return -1;
    memset(taken->bits, 0xff, (size_t)taken->words * (size_t)taken->rows * sizeof(*taken->bits));
    for (int y = 0; y < p->fill->rows; y++)
        for (int x = 0; x < p->fill->columns; x++)
            row_of(taken, y)[(x + BITS) / BITS] &= ~((uint64_t)1 << ((x + BITS) % BITS));
    fill_begin(p->fill, 1);
    for (int i = 0; i < p->count && p->parts[i].tiles > 0; i++) {
        struct free_spot spot;
        if (find_spot(p, &p->parts[i], &spot))
            return -1;
        if (spot.value >= 0)
            put_part(p, &p->parts[i], &spot);
    }
    return 0;
}

int pack(const struct forest *forest, struct fill *fill, int32_t *board)
{
    struct packer p = {.forest = forest, .fill = fill, .left = malloc((size_t)forest->tiles)};
    int rc = blocks_make(forest->tiles, fill->columns * fill->rows, &p.blocks);
    if (rc == 0)
        rc = p.left ? forest_to_blocks(&p) : -1;
    if (rc == 0)
        rc = grow_all(&p);
    if (rc == 0)
        rc = pack_all(&p);
    if (rc == 0)
        rc = fill_run(fill, NULL, 0);
    if (rc == 0)
        fill_board(fill, board);
    fill->blocks = NULL;
    for (int i = 0; i < p.count; i++)
        free(p.parts[i].oriented);
    free(p.parts);
    free(p.left);
    blocks_free(&p.blocks);
    free(p.taken.bits);
    return rc;
}
