/* Best buddies, and Kruskal's tree over them. */
#include "stages/unscramble/tree.h"

#include <stdlib.h>
#include <string.h>

/* Of forest_join: how many buddies must want a merge (of the merges in a sheet of photographs that
 * two wanted one of 2400 was wrong, of those that one wanted 100 of 63,000); the part of the frame
 * by which a component may be too large until all merges are done; and how many times as many tiles
 * the mean line of a component may have as an outer one. */
enum { LEAST_WISHES = 2, OVERHANG = 8, FULLER = 4 };

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

/* Whether a component may move into another: no more tiles collide than may, and of the neighbors
 * that come together no more are bad than good. */
static int may_join(
    const struct joiner *j, int32_t large, int32_t small, struct motion m, int may_collide)
{
    const struct forest *f = j->f;
    int good = 0, bad = 0, collisions = 0;
    for (int32_t t = small; t != NOTHING; t = j->next[t]) {
        int x, y;
        move_place(m, f->x[t], f->y[t], &x, &y);
        if (tile_at(j, large, x, y) != NOTHING) {
            if (++collisions > may_collide)
                return 0;
            continue;
        }
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

/* How the component of edge b moves so that b touches edge a. */
static struct motion motion_to(const struct forest *f, int32_t a, int32_t b)
{
    const int direction = ((a & 3) + f->oriented[a >> 2]) & 3;
    struct motion m = {.turn = (oriented_by_edge(b, direction ^ 2) - f->oriented[b >> 2]) & 3};
    int x, y;
    move_place(m, f->x[b >> 2], f->y[b >> 2], &x, &y);
    m.x = f->x[a >> 2] + STEP_X[direction] - x;
    m.y = f->y[a >> 2] + STEP_Y[direction] - y;
    return m;
}

/* Makes a tile, which is in no list and in no bucket, a component of its own. */
static void set_alone(struct joiner *j, int32_t t)
{
    struct forest *f = j->f;
    f->root[t] = j->last[t] = t;
    f->size[t] = 1;
    j->next[t] = NOTHING;
    for (int i = 0; i < 4; i++)
        j->box[t][i] = i & 1 ? f->y[t] : f->x[t];
    bucket_add(j, t);
}

/* Moves the tiles of a component into another. Those that collide with one of its tiles stay
 * alone. */
static void merge(struct joiner *j, int32_t large, int32_t small, struct motion m)
{
    struct forest *f = j->f;
    for (int32_t t = small, next; t != NOTHING; t = next) {
        int x, y;
        next = j->next[t];
        bucket_remove(j, t);
        move_place(m, f->x[t], f->y[t], &x, &y);
        if (tile_at(j, large, x, y) != NOTHING) {
            set_alone(j, t);
            continue;
        }
        f->x[t] = x;
        f->y[t] = y;
        f->oriented[t] = oriented_turned(f->oriented[t], m.turn);
        f->root[t] = large;
        f->size[large]++;
        j->next[t] = NOTHING;
        j->next[j->last[large]] = t;
        j->last[large] = t;
        bucket_add(j, t);
    }
}

/* Joins the components of edges a and b so that the edges touch, if that is allowed. */
static void join(struct joiner *j, int32_t a, int32_t b, int may_collide)
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
    const struct motion m = motion_to(f, a, b);
    int32_t box[4];
    memcpy(box, j->box[large], sizeof(box));
    for (int corner = 0; corner < 2; corner++) {
        int x, y;
        move_place(m, j->box[small][corner * 2], j->box[small][corner * 2 + 1], &x, &y);
        box_extend(box, x, y);
    }
    if (!box_fits(box, j->columns, j->rows, j->c->turns) ||
        !may_join(j, large, small, m, may_collide))
        return;
    merge(j, large, small, m);
    memcpy(j->box[large], box, sizeof(box));
}

static void joiner_free(struct joiner *j)
{
    free(j->next);
    free(j->last);
    free(j->box);
    free(j->first);
    free(j->after);
    *j = (struct joiner){0};
}

/* Takes over the components that a forest has. Returns 0, or -1 when memory is short. */
static int joiner_make(
    const struct compatibility *c, int columns, int rows, struct forest *forest, struct joiner *j)
{
    const size_t tiles = (size_t)forest->tiles;
    uint32_t buckets = 1;
    while (buckets < tiles)
        buckets *= 2;
    *j = (struct joiner){.c = c,
        .f = forest,
        .columns = columns,
        .rows = rows,
        .next = malloc(tiles * sizeof(int32_t)),
        .last = malloc(tiles * sizeof(int32_t)),
        .box = calloc(tiles, sizeof(*j->box)),
        .buckets = buckets,
        .first = malloc(buckets * sizeof(int32_t)),
        .after = malloc(tiles * sizeof(int32_t))};
    if (!j->next || !j->last || !j->box || !j->first || !j->after) {
        joiner_free(j);
        return -1;
    }
    memset(j->first, 0xff, buckets * sizeof(*j->first));
    for (int32_t t = 0; t < forest->tiles; t++) {
        const int32_t own[4] = {forest->x[t], forest->y[t], forest->x[t], forest->y[t]};
        memcpy(j->box[t], own, sizeof(own));
        j->next[t] = NOTHING;
        j->last[t] = t;
        bucket_add(j, t);
    }
    for (int32_t t = 0; t < forest->tiles; t++) {
        const int32_t root = forest->root[t];
        if (root == t)
            continue;
        box_extend(j->box[root], forest->x[t], forest->y[t]);
        j->next[j->last[root]] = t;
        j->last[root] = t;
    }
    return 0;
}

int forest_make(int tiles, struct forest *forest)
{
    const size_t bytes = (size_t)tiles * sizeof(int32_t);
    *forest = (struct forest){.tiles = tiles,
        .root = malloc(bytes),
        .size = malloc(bytes),
        .x = calloc((size_t)tiles, sizeof(int32_t)),
        .y = calloc((size_t)tiles, sizeof(int32_t)),
        .oriented = malloc(bytes)};
    if (!forest->root || !forest->size || !forest->x || !forest->y || !forest->oriented) {
        forest_free(forest);
        return -1;
    }
    for (int32_t t = 0; t < tiles; t++) {
        forest->root[t] = t;
        forest->size[t] = 1;
        forest->oriented[t] = 4 * t;
    }
    return 0;
}

int tree_make(const struct compatibility *compatibility, const int32_t *buddy, int columns,
    int rows, struct forest *forest, struct error *error)
{
    const int tiles = compatibility->tiles;
    struct joiner j = {0};
    struct pair_cost *links = malloc((size_t)tiles * 4 * sizeof(*links));
    size_t count = 0;
    *forest = (struct forest){0};
    int rc = links ? forest_make(tiles, forest) : -1;
    if (rc == 0)
        rc = joiner_make(compatibility, columns, rows, forest, &j);
    for (int32_t e = 0; rc == 0 && e < 4 * tiles; e++)
        if (buddy[e] > e)
            links[count++] = (struct pair_cost){e, buddy[e], cost_of(compatibility, e, buddy[e])};
    if (rc == 0)
        qsort(links, count, sizeof(*links), pair_order);
    for (size_t i = 0; rc == 0 && i < count; i++)
        join(&j, links[i].a, links[i].b, 0);
    joiner_free(&j);
    free(links);
    if (rc == 0)
        return 0;
    forest_free(forest);
    return error_set(error, ERROR_INPUT, "not enough memory to join the tiles");
}

/* A pair of buddies in two components, and how the second of these would move. */
struct wish {
    int32_t a, b; /* edges; the component of a has the lesser root */
    int32_t root_a, root_b;
    struct motion motion;
};

/* Those that want the same follow each other. */
static int wish_order(const void *x, const void *y)
{
    const struct wish *p = x, *q = y;
    const int32_t order[5][2] = {{p->root_a, q->root_a}, {p->root_b, q->root_b},
        {p->motion.turn, q->motion.turn}, {p->motion.x, q->motion.x}, {p->motion.y, q->motion.y}};
    for (int i = 0; i < 5; i++)
        if (order[i][0] != order[i][1])
            return order[i][0] < order[i][1] ? -1 : 1;
    return (p->a > q->a) - (p->a < q->a);
}

static int are_same(const struct wish *p, const struct wish *q)
{
    return p->root_a == q->root_a && p->root_b == q->root_b && p->motion.turn == q->motion.turn &&
           p->motion.x == q->motion.x && p->motion.y == q->motion.y;
}

/* Whether the edge and its buddy are sure, and of two components; true for one of the two edges. */
static int is_wish(const struct joiner *j, const int32_t *buddy, int32_t e)
{
    return buddy[e] > e && j->f->root[e >> 2] != j->f->root[buddy[e] >> 2] &&
           is_sure(j->c, buddy, e);
}

/* One pair of sure buddies for each way in which components are wanted beside each other by
 * LEAST_WISHES at least; its cost is minus their number. Returns how many, or -1 when memory is
 * short. */
static int count_wishes(const struct joiner *j, const int32_t *buddy, struct pair_cost **links)
{
    const struct forest *f = j->f;
    size_t count = 0;
    int ways = 0;
    for (int32_t e = 0; e < 4 * f->tiles; e++)
        count += (size_t)is_wish(j, buddy, e);
    struct wish *wishes = malloc((count + 1) * sizeof(*wishes));
    *links = malloc((count + 1) * sizeof(**links));
    if (!wishes || !*links) {
        free(wishes);
        return -1;
    }
    count = 0;
    for (int32_t e = 0; e < 4 * f->tiles; e++) {
        if (!is_wish(j, buddy, e))
            continue;
        const int is_first = f->root[e >> 2] < f->root[buddy[e] >> 2];
        const int32_t a = is_first ? e : buddy[e], b = is_first ? buddy[e] : e;
        wishes[count++] = (struct wish){a, b, f->root[a >> 2], f->root[b >> 2], motion_to(f, a, b)};
    }
    qsort(wishes, count, sizeof(*wishes), wish_order);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && are_same(&wishes[i], &wishes[next]);)
            next++;
        if (next - i >= LEAST_WISHES)
            (*links)[ways++] = (struct pair_cost){wishes[i].a, wishes[i].b, -(int32_t)(next - i)};
    }
    free(wishes);
    qsort(*links, (size_t)ways, sizeof(**links), pair_order);
    return ways;
}

/* Which lines a component keeps, of which each has so many tiles: not the outer ones of few tiles,
 * and no more than fit, where they have most. Leaves the first, and returns how many. */
static int choose_lines(const int32_t *counts, int lines, int size, int most_lines, int *first)
{
    int last = lines - 1, begin = 0;
    int64_t sum = 0, most = -1;
    while (begin < last && (int64_t)FULLER * counts[begin] * lines < size)
        begin++;
    while (last > begin && (int64_t)FULLER * counts[last] * lines < size)
        last--;
    const int left = last - begin + 1, window = left < most_lines ? left : most_lines;
    for (int i = begin; i <= last; i++) {
        sum += counts[i] - (i - window >= begin ? counts[i - window] : 0);
        if (i + 1 - window >= begin && sum > most) {
            most = sum;
            *first = i + 1 - window;
        }
    }
    return window;
}

/* Takes the tiles out of a component that stick out of it, or of the frame where that holds most.
 * Returns 0, or -1 when memory is short. */
static int crop(struct joiner *j, int32_t root, int columns, int rows)
{
    struct forest *f = j->f;
    const int32_t *box = j->box[root];
    const int w = box[2] - box[0] + 1, h = box[3] - box[1] + 1;
    const int is_turned = j->c->turns == TURNS_ANY && (w > h) != (columns > rows);
    int32_t *counts = calloc((size_t)w + (size_t)h, sizeof(*counts));
    int32_t first = NOTHING, last = NOTHING;
    int x0 = 0, y0 = 0;
    if (!counts)
        return -1;
    for (int32_t t = root; t != NOTHING; t = j->next[t]) {
        counts[f->x[t] - box[0]]++;
        counts[w + f->y[t] - box[1]]++;
    }
    const int across = choose_lines(counts, w, f->size[root], is_turned ? rows : columns, &x0);
    const int down = choose_lines(counts + w, h, f->size[root], is_turned ? columns : rows, &y0);
    x0 += box[0];
    y0 += box[1];
    free(counts);
    for (int32_t t = root, next; t != NOTHING; t = next) {
        next = j->next[t];
        bucket_remove(j, t);
        if (f->x[t] < x0 || f->y[t] < y0 || f->x[t] >= x0 + across || f->y[t] >= y0 + down) {
            set_alone(j, t);
            continue;
        }
        if (first == NOTHING) {
            first = last = t;
            f->size[t] = 0;
        }
        f->root[t] = first;
        f->size[first]++;
        j->next[last] = t;
        j->next[t] = NOTHING;
        last = t;
        bucket_add(j, t);
    }
    if (first == NOTHING)
        return 0;
    const int32_t frame[4] = {x0, y0, x0 + across - 1, y0 + down - 1};
    memcpy(j->box[first], frame, sizeof(frame));
    j->last[first] = last;
    return 0;
}

int forest_join(const struct compatibility *compatibility, const int32_t *buddy, int columns,
    int rows, struct forest *forest)
{
    struct joiner j;
    struct pair_cost *links = NULL;
    if (joiner_make(
            compatibility, columns + columns / OVERHANG, rows + rows / OVERHANG, forest, &j))
        return -1;
    const int count = count_wishes(&j, buddy, &links);
    int rc = count < 0 ? -1 : 0;
    for (int i = 0; i < count; i++)
        join(&j, links[i].a, links[i].b, -links[i].cost);
    for (int32_t t = 0; rc == 0 && t < forest->tiles; t++)
        if (forest->root[t] == t && forest->size[t] > 1)
            rc = crop(&j, t, columns, rows);
    joiner_free(&j);
    free(links);
    return rc;
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
