/* Best buddies, and Kruskal's tree over them. */
#include "stages/unscramble/tree.h"

#include <stdlib.h>
#include <string.h>

void buddies_find(const struct compatibility *c, int32_t *buddy)
{
#pragma omp parallel for
    for (int32_t e = 0; e < 4 * c->tiles; e++) {
        const struct partner *mine = partners_of(c, e);
        buddy[e] = NOTHING;
        if (mine->edge == NOTHING || (c->width > 1 && mine[0].cost == mine[1].cost))
            continue;
        const struct partner *theirs = partners_of(c, mine->edge);
        if (theirs->edge == e && !(c->width > 1 && theirs[0].cost == theirs[1].cost))
            buddy[e] = mine->edge;
    }
}

struct joiner {
    const struct compatibility *c;
    struct forest *f;
    int columns, rows;    /* the largest that a component may be */
    int32_t *next, *last; /* [tile] lists of the tiles of each component */
    int32_t (*box)[4];    /* of a root: least x, y, greatest x, y */
    uint32_t buckets;     /* a power of 2; tiles are looked up by their component and place: */
    int32_t *first;       /* [bucket] the first tile of its list */
    int32_t *after;       /* [tile] the next tile of the list of its bucket */
};

static const int STEP_X[4] = {-1, 0, 1, 0}, STEP_Y[4] = {0, -1, 0, 1};

/* How the smaller component moves into the larger: turned by `turn` quarters clockwise, then
 * translated. */
struct motion {
    int turn, x, y;
};

static void move_place(struct motion m, int x, int y, int *to_x, int *to_y)
{
    step_turned(m.turn, x, y, to_x, to_y);
    *to_x += m.x;
    *to_y += m.y;
}

/* The list of the tiles that may lie at a place of a component. */
static int32_t *bucket_of(const struct joiner *j, int32_t root, int x, int y)
{
    uint32_t hash = (uint32_t)root * 0x9e3779b1u;
    hash = (hash ^ (uint32_t)x) * 0x85ebca6bu;
    hash = (hash ^ hash >> 15 ^ (uint32_t)y) * 0xc2b2ae35u;
    return &j->first[(hash ^ hash >> 16) & (j->buckets - 1)];
}

/* The tile at a place of a component, or NOTHING. */
static int32_t tile_at(const struct joiner *j, int32_t root, int x, int y)
{
    const struct forest *f = j->f;
    int32_t t = *bucket_of(j, root, x, y);
    while (t != NOTHING && !(f->root[t] == root && f->x[t] == x && f->y[t] == y))
        t = j->after[t];
    return t;
}

static void bucket_add(struct joiner *j, int32_t t)
{
    int32_t *first = bucket_of(j, j->f->root[t], j->f->x[t], j->f->y[t]);
    j->after[t] = *first;
    *first = t;
}

static void bucket_remove(struct joiner *j, int32_t t)
{
    int32_t *at = bucket_of(j, j->f->root[t], j->f->x[t], j->f->y[t]);
    while (*at != t)
        at = &j->after[*at];
    *at = j->after[t];
}

/* Whether a component may move into another: no tiles collide, and of the neighbors that come
 * together no more are bad than good. */
static int may_join(const struct joiner *j, int32_t large, int32_t small, struct motion m)
{
    const struct forest *f = j->f;
    int good = 0, bad = 0;
    for (int32_t t = small; t != NOTHING; t = j->next[t]) {
        int x, y;
        move_place(m, f->x[t], f->y[t], &x, &y);
        if (tile_at(j, large, x, y) != NOTHING)
            return 0;
        const int32_t oriented = oriented_turned(f->oriented[t], m.turn);
        for (int d = 0; d < 4; d++) {
            const int32_t other = tile_at(j, large, x + STEP_X[d], y + STEP_Y[d]);
            if (other == NOTHING)
                continue;
            if (cost_of(j->c, oriented_edge(oriented, d),
                    oriented_edge(f->oriented[other], d ^ 2)) < POOR_COST)
                good++;
            else
                bad++;
        }
    }
    return bad <= good;
}

/* Joins the components of edges a and b so that the edges touch, if that is allowed. */
static void join(struct joiner *j, int32_t a, int32_t b)
{
    struct forest *f = j->f;
    if (f->root[a >> 2] == f->root[b >> 2])
        return;
    if (f->size[f->root[a >> 2]] < f->size[f->root[b >> 2]]) {
        const int32_t c = a;
        a = b;
        b = c;
    }
    const int32_t large = f->root[a >> 2], small = f->root[b >> 2];
    const int direction = ((a & 3) + f->oriented[a >> 2]) & 3;
    struct motion m = {.turn = (oriented_by_edge(b, direction ^ 2) - f->oriented[b >> 2]) & 3};
    int x, y;
    move_place(m, f->x[b >> 2], f->y[b >> 2], &x, &y);
    m.x = f->x[a >> 2] + STEP_X[direction] - x;
    m.y = f->y[a >> 2] + STEP_Y[direction] - y;
    int32_t box[4];
    memcpy(box, j->box[large], sizeof(box));
    for (int corner = 0; corner < 2; corner++) {
        move_place(m, j->box[small][corner * 2], j->box[small][corner * 2 + 1], &x, &y);
        box_extend(box, x, y);
    }
    if (!box_fits(box, j->columns, j->rows, j->c->turns) || !may_join(j, large, small, m))
        return;
    for (int32_t t = small; t != NOTHING; t = j->next[t]) {
        bucket_remove(j, t);
        move_place(m, f->x[t], f->y[t], &x, &y);
        f->x[t] = x;
        f->y[t] = y;
        f->oriented[t] = oriented_turned(f->oriented[t], m.turn);
        f->root[t] = large;
        bucket_add(j, t);
    }
    j->next[j->last[large]] = small;
    j->last[large] = j->last[small];
    f->size[large] += f->size[small];
    memcpy(j->box[large], box, sizeof(box));
}

int tree_make(const struct compatibility *compatibility, const int32_t *buddy, int columns,
    int rows, struct forest *forest, struct error *error)
{
    const size_t tiles = (size_t)compatibility->tiles;
    uint32_t buckets = 1;
    while (buckets < tiles)
        buckets *= 2;
    struct joiner j = {.c = compatibility,
        .f = forest,
        .columns = columns,
        .rows = rows,
        .next = malloc(tiles * sizeof(int32_t)),
        .last = malloc(tiles * sizeof(int32_t)),
        .box = calloc(tiles, sizeof(*j.box)),
        .buckets = buckets,
        .first = malloc(buckets * sizeof(int32_t)),
        .after = malloc(tiles * sizeof(int32_t))};
    struct pair_cost *links = malloc(tiles * 4 * sizeof(*links));
    *forest = (struct forest){.tiles = (int)tiles,
        .root = malloc(tiles * sizeof(int32_t)),
        .size = malloc(tiles * sizeof(int32_t)),
        .x = calloc(tiles, sizeof(int32_t)),
        .y = calloc(tiles, sizeof(int32_t)),
        .oriented = malloc(tiles * sizeof(int32_t))};
    const int ok = j.next && j.last && j.box && j.first && j.after && links && forest->root &&
                   forest->size && forest->x && forest->y && forest->oriented;
    if (ok) {
        size_t count = 0;
        memset(j.first, 0xff, buckets * sizeof(*j.first));
        for (int32_t t = 0; t < (int32_t)tiles; t++) {
            forest->root[t] = j.last[t] = t;
            forest->size[t] = 1;
            forest->oriented[t] = 4 * t;
            j.next[t] = NOTHING;
            bucket_add(&j, t);
        }
        for (int32_t e = 0; e < 4 * (int32_t)tiles; e++)
            if (buddy[e] > e)
                links[count++] =
                    (struct pair_cost){e, buddy[e], cost_of(compatibility, e, buddy[e])};
        qsort(links, count, sizeof(*links), pair_order);
        for (size_t i = 0; i < count; i++)
            join(&j, links[i].a, links[i].b);
    }
    free(j.next);
    free(j.last);
    free(j.box);
    free(j.first);
    free(j.after);
    free(links);
    if (ok)
        return 0;
    forest_free(forest);
    return error_set(error, ERROR_INPUT, "not enough memory to join the tiles");
}

void forest_free(struct forest *forest)
{
    free(forest->root);
    free(forest->size);
    free(forest->x);
    free(forest->y);
    free(forest->oriented);
    *forest = (struct forest){0};
}

int32_t forest_largest(const struct forest *forest, const uint8_t *present)
{
    int32_t root = NOTHING;
    for (int32_t t = 0; t < forest->tiles; t++)
        if (forest->root[t] == t && !(present && !present[t]) &&
            (root == NOTHING || forest->size[t] > forest->size[root]))
            root = t;
    return root;
}
