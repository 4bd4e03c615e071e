/* The costs of the partners that compare_edges lists, by a dissimilarity. Floats are
 * only added, subtracted, multiplied, divided and square-rooted, in one order, so that the bytes
 * are the same everywhere. */
#include "stages/unscramble/compatibility.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/squares.h"
#include "stages/unscramble/unscramble.h"

/* Features are divided by the second best ones plus this, so that a perfect second best does not
 * make all others bad. */
static const float FLOOR[FEATURE_COUNT] = {[FEATURE_STEP] = 0.5f,
    [FEATURE_ONE_SIDED] = 1,
    [FEATURE_STEP_ALONG] = 0.5f,
    [FEATURE_TWO_SIDED] = 1,
    [FEATURE_LUMINANCE] = 1};

enum { SECOND_SCORE = 1000, EDGES_A_REPORT = 4096 };

/* Strips as floats of Lab: [outer, inner, outer backwards, inner backwards][channel][pixel]. */
static void strip_floats(const struct strips *strips, int edge, int length, float *strip)
{
    const int16_t *outer = strip_of(strips, edge, 0), *inner = strip_of(strips, edge, 1);
    for (int i = 0; i < 3 * length; i++) {
        const int back = i / length * length + length - 1 - i % length;
        strip[i] = (float)outer[i] / LAB_SCALE;
        strip[3 * length + i] = (float)inner[i] / LAB_SCALE;
        strip[6 * length + back] = (float)outer[i] / LAB_SCALE;
        strip[9 * length + back] = (float)inner[i] / LAB_SCALE;
    }
}

/* The order for qsort: by cost, then by edge, NOTHING last. */
static int by_cost(const void *x, const void *y)
{
    const struct partner *a = x, *b = y;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    const uint32_t p = (uint32_t)a->edge, q = (uint32_t)b->edge;
    return (p > q) - (p < q);
}

void partners_sort(struct partner *list, int width)
{
    qsort(list, (size_t)width, sizeof(*list), by_cost);
}

/* The best partner of an edge, its score, the score of the second best, and cut_off. */
struct rival {
    int32_t edge, score[2], cut;
};

/* Work space for computing the costs of the partners. */
struct rescore {
    struct compatibility *c; /* its lists hold scores before they hold costs */
    const struct strips *strips;
    int longest;                     /* pixels of a strip */
    struct edge_model *model;        /* [edge]; NULL where no feature is made of strips */
    float *strip;                    /* [edge][12 * longest] by strip_floats; likewise */
    float (*feature)[FEATURE_COUNT]; /* [edge][partner] */
    float (*second)[FEATURE_COUNT];  /* [edge] the second least of its partners */
    struct rival *rival;             /* [edge] */
    float *work;                     /* [thread][3 * longest] */
    const struct progress *progress;
};

static float *floats_of(const struct rescore *r, int edge)
{
    return r->strip + (size_t)edge * 12 * (size_t)r->longest;
}

static struct edge_view view_of(const struct rescore *r, int edge)
{
    return r->strip ? (struct edge_view){&r->model[edge], floats_of(r, edge)}
                    : (struct edge_view){0};
}

#define CACHE_LINE 64

/* Asks for memory that is read soon: partners lie anywhere in it, and waiting for each takes longer
 * than computing with it. */
static void prefetch(const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i += CACHE_LINE)
        __builtin_prefetch((const char *)bytes + i);
}

/* Asks for a half of an edge's strip: the one that goes forward, or the one by which it is a
 * partner (strip_floats). */
static void prefetch_strip(const struct rescore *r, int edge, int length, int is_partner)
{
    if (r->strip)
        prefetch(
            floats_of(r, edge) + (is_partner ? 6 * length : 0), 6 * (size_t)length * sizeof(float));
}

static int has_one_partner(const struct compatibility *c, int edge)
{
    const struct partner *list = partners_of(c, edge);
    return list[0].edge != NOTHING && (c->width < 2 || list[1].edge == NOTHING);
}

/* The last of an edge's partners where it is as good as the one before, so that equal ones may
 * stand beyond the end of the list; else NOTHING. */
static int32_t cut_off(const struct compatibility *c, int edge)
{
    const struct partner *last = partners_of(c, edge) + c->width - 1;
    return c->width > 1 && last->edge != NOTHING && last[-1].cost == last->cost ? last->edge
                                                                                : NOTHING;
}

/* Finds the features of an edge's partners. */
static void partners_compare(struct rescore *r, int e, float *work)
{
    const int width = r->c->width;
    const struct edge_view own = view_of(r, e);
    float least[FEATURE_COUNT], *second = r->second[e];
    for (int j = 0; j < FEATURE_COUNT; j++)
        least[j] = second[j] = INFINITY;
    const int length = r->strips->length[e & 1];
    const struct partner *list = partners_of(r->c, e);
    for (int i = 0; i < width; i++) {
        const int f = list[i].edge;
        if (f == NOTHING)
            break;
        if (i + 2 < width && list[i + 2].edge != NOTHING)
            prefetch_strip(r, list[i + 2].edge, length, 1);
        float *x = r->feature[(int64_t)e * width + i];
        const struct edge_view other = view_of(r, f);
        features_find(r->c->dissimilarity, &own, &other, length, work, x);
        if (dissimilarity_learned(r->c->dissimilarity)) /* by which the list was made */
            x[FEATURE_LEARNED] = (float)list[i].cost / LEARNED_STEPS;
        for (int j = 0; j < FEATURE_COUNT; j++)
            if (x[j] < least[j]) {
                second[j] = least[j];
                least[j] = x[j];
            } else if (x[j] < second[j]) {
                second[j] = x[j];
            }
    }
}

/* Edges with a single partner have no second best. They take the worst feature of all such edges in
 * its place, separately of left and right edges and of top and bottom ones, so that the better
 * order of two tiles costs less. */
static void second_replace(struct rescore *r)
{
    const int edges = 4 * r->c->tiles;
    float worst[2][FEATURE_COUNT] = {{0}};
#pragma omp parallel for reduction(max : worst)
    for (int e = 0; e < edges; e++)
        for (int j = 0; has_one_partner(r->c, e) && j < FEATURE_COUNT; j++)
            worst[e & 1][j] = fmaxf(worst[e & 1][j], r->feature[(int64_t)e * r->c->width][j]);
#pragma omp parallel for
    for (int e = 0; e < edges; e++)
        if (has_one_partner(r->c, e))
            memcpy(r->second[e], worst[e & 1], sizeof(*r->second));
}

/* How far a pair is from the second best, in thousandths: each feature is divided by the sum of the
 * second best of its edge and FLOOR, and the mean of these from both edges, less 1, is multiplied
 * by `percent` / 100. Returns 0 if `percent` is 0; only then may `count` be
 * 0. */
static float relative_score(const float *x, const float *second, const float *back,
    const float *back_second, int count, int percent)
{
    float sum = 0;
    for (int j = 0; j < count; j++)
        sum += x[j] / (second[j] + FLOOR[j]) + back[j] / (back_second[j] + FLOOR[j]);
    return percent ? (sum / (float)(2 * count) - 1) * (float)percent * (SECOND_SCORE / 100) : 0;
}

/* What the network adds to the score: what it says of this pair less what it says of the second
 * best, for a pixel, the mean from both edges, times `percent` / 100. It is a difference, since
 * what the network says is a logarithm of odds. */
static float learned_score(const float *x, const float *second, const float *back,
    const float *back_second, int length, int percent)
{
    const int j = FEATURE_LEARNED;
    const float more = x[j] - second[j] + back[j] - back_second[j];
    return percent ? more / (float)(2 * length) * (float)percent * (SECOND_SCORE / 100) : 0;
}

/* The features of a pair that is in the lists of edge e; NULL where it is not. */
static const float *known_features(const struct rescore *r, int e, int partner)
{
    for (int i = 0; i < r->c->width; i++)
        if (partners_of(r->c, e)[i].edge == partner)
            return r->feature[(int64_t)e * r->c->width + i];
    return NULL;
}

/* Leaves for each of an edge's partners the features of the pair in the partner's own lists, NULL
 * where it is not in them. What is read of all partners is asked for before the first is read. */
static void find_back(const struct rescore *r, int e, int length, const float **back)
{
    const struct partner *list = partners_of(r->c, e);
    const int width = r->c->width;
    int count = 0;
    for (; count < width && list[count].edge != NOTHING; count++)
        prefetch(partners_of(r->c, list[count].edge), (size_t)width * sizeof(*list));
    for (int i = 0; i < count; i++) {
        back[i] = known_features(r, list[i].edge, e);
        prefetch(r->second[list[i].edge], sizeof(*r->second));
        if (back[i])
            prefetch(back[i], sizeof(*r->feature));
        else
            prefetch_strip(r, list[i].edge, length, 0);
    }
}

/* Computes the scores of an edge's partners: SECOND_SCORE for one that fits like the second best,
 * less for a better one. The same from either edge. */
static void scores_find(struct rescore *r, int e, float *work)
{
    const enum dissimilarity dissimilarity = r->c->dissimilarity;
    const int width = r->c->width, used = dissimilarity_features(dissimilarity);
    const int weight = dissimilarity_weight(dissimilarity);
    const int learned = dissimilarity_learned(dissimilarity), length = r->strips->length[e & 1];
    const struct edge_view own = view_of(r, e);
    struct partner *list = r->c->list + (int64_t)e * width;
    struct rival *rival = &r->rival[e];
    const float *known[LEARNED_CANDIDATES];
    find_back(r, e, length, known);
    *rival = (struct rival){NOTHING, {FAR_COST, FAR_COST}, cut_off(r->c, e)};
    for (int i = 0; i < width && list[i].edge != NOTHING; i++) {
        const int f = list[i].edge;
        const struct edge_view other = view_of(r, f);
        const float *x = r->feature[(int64_t)e * width + i];
        const float *second = r->second[e], *back_second = r->second[f];
        const float *back = known[i];
        float found[FEATURE_COUNT], score = SECOND_SCORE;
        if (!back) {
            features_find(dissimilarity, &other, &own, length, work, found);
            found[FEATURE_LEARNED] = x[FEATURE_LEARNED];
            back = found;
        }
        score += relative_score(x, second, back, back_second, used, weight);
        score += learned_score(x, second, back, back_second, length, learned);
        list[i].cost = score < FAR_COST ? (int32_t)(score > 0 ? score + 0.5f : 0) : FAR_COST;
        if (list[i].cost < rival->score[0])
            *rival = (struct rival){f, {list[i].cost, rival->score[0]}, rival->cut};
        else if (list[i].cost < rival->score[1])
            rival->score[1] = list[i].cost;
    }
    if (has_one_partner(r->c, e))
        *rival = (struct rival){list[0].edge, {list[0].cost, SECOND_SCORE}, rival->cut};
}

/* Sets what the pairs of an edge cost that its list does not have; `last` is what the last one of
 * the list costs. */
static void unlisted_set(const struct rescore *r, int e, int32_t last)
{
    struct unlisted *unlisted = &r->c->unlisted[e];
    *unlisted = (struct unlisted){(int16_t)last, {NO_COLOR}};
    if (r->rival[e].cut == NOTHING)
        return;
    const int length = r->strips->length[e & 1];
    const int16_t *outer = strip_of(r->strips, e, 0);
    for (int channel = 0; channel < 3; channel++) {
        int64_t sum = 0;
        for (int i = 0; i < length; i++)
            sum += outer[channel * length + i];
        unlisted->color[channel] = (int16_t)(sum / length);
    }
}

/* Turns the scores of an edge's partners into costs: how far they are from the best other scores
 * of both edges. */
static void costs_find(struct rescore *r, int e, float *work)
{
    (void)work;
    const int width = r->c->width;
    struct partner *list = r->c->list + (int64_t)e * width;
    const struct rival *mine = &r->rival[e];
    int32_t last = 0;
    for (int i = 0; i < width; i++) {
        if (list[i].edge == NOTHING) {
            list[i].cost = FAR_COST;
            continue;
        }
        const struct rival *theirs = &r->rival[list[i].edge];
        const int others =
            mine->score[mine->edge == list[i].edge] + theirs->score[theirs->edge == e];
        const int32_t cost = TIE_COST + list[i].cost - others / 2;
        list[i].cost = cost < 0 ? 0 : cost > FAR_COST ? FAR_COST : cost;
        if (list[i].edge == mine->cut)
            last = list[i].cost;
    }
    partners_sort(list, width);
    unlisted_set(r, e, mine->cut == NOTHING ? list[width - 1].cost : last);
}

static void strip_prepare(struct rescore *r, int e, float *work)
{
    const int length = r->strips->length[e & 1];
    strip_floats(r->strips, e, length, floats_of(r, e));
    model_fit(floats_of(r, e), length, work, &r->model[e]);
}

/* Calls `act` for every edge, some thousands at a time, and reports progress in between, from
 * `from` to `to`. Returns 0 or ERROR_STOPPED. */
static int edges_do(
    struct rescore *r, void (*act)(struct rescore *, int, float *), double from, double to)
{
    const int count = 4 * r->c->tiles;
    for (int first = 0; first < count; first += EDGES_A_REPORT) {
        const int end = count - first < EDGES_A_REPORT ? count : first + EDGES_A_REPORT;
#pragma omp parallel for schedule(dynamic, 16)
        for (int e = first; e < end; e++)
            act(r, e, r->work + (size_t)omp_get_thread_num() * 3 * (size_t)r->longest);
        if (progress_report(r->progress, from + (to - from) * end / count))
            return ERROR_STOPPED;
    }
    return 0;
}

/* Makes the costs of all lists from the dissimilarities of their pairs. Returns 0, ERROR_STOPPED,
 * or ERROR_INPUT where memory is short. */
static int list_rescore(
    const struct strips *strips, const struct progress *progress, struct compatibility *c)
{
    const int longest =
        strips->length[0] > strips->length[1] ? strips->length[0] : strips->length[1];
    const size_t edges = 4 * (size_t)c->tiles, room = 3 * (size_t)longest;
    struct rescore r = {.c = c, .strips = strips, .longest = longest, .progress = progress};
    const int has_strips = dissimilarity_features(c->dissimilarity) > 0;
    if (has_strips) {
        r.model = malloc(edges * sizeof(*r.model));
        r.strip = malloc(edges * 12 * (size_t)longest * sizeof(*r.strip));
    }
    r.feature = malloc(edges * (size_t)c->width * sizeof(*r.feature));
    r.second = malloc(edges * sizeof(*r.second));
    r.rival = malloc(edges * sizeof(*r.rival));
    r.work = malloc((size_t)omp_get_max_threads() * room * sizeof(*r.work));
    int rc = (!has_strips || (r.model && r.strip)) && r.feature && r.second && r.rival && r.work
                 ? 0
                 : ERROR_INPUT;
    if (rc == 0 && has_strips)
        rc = edges_do(&r, strip_prepare, 0, .1);
    if (rc == 0)
        rc = edges_do(&r, partners_compare, .1, .5);
    if (rc == 0) {
        second_replace(&r);
        rc = edges_do(&r, scores_find, .5, .9);
    }
    if (rc == 0)
        rc = edges_do(&r, costs_find, .9, 1);
    free(r.model);
    free(r.strip);
    free(r.feature);
    free(r.second);
    free(r.rival);
    free(r.work);
    return rc;
}

int pair_order(const void *x, const void *y)
{
    const struct pair_cost *p = x, *q = y;
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

/* Where a pair is entered, from its hash: the first place of the table, and the byte of the
 * filter. */
static uint64_t *place_of(const struct compatibility *c, uint32_t hash)
{
    return &c->table[hash >> c->shift];
}

static uint8_t *filter_of(const struct compatibility *c, uint32_t hash)
{
    return &c->filter[hash >> c->shift];
}

/* Enters a pair, also while others do. Where both edges list it, with costs that differ, that in
 * the lesser edge's list counts. Where it comes to lie depends on the threads, but not what is
 * found. */
static void table_enter(struct compatibility *c, int32_t edge, const struct partner *partner)
{
    const uint64_t entry = pair_key(edge, partner->edge) | (uint64_t)partner->cost;
    const uint32_t mask = 0xffffffffu >> c->shift, hash = pair_hash(edge, partner->edge);
    for (uint32_t at = hash >> c->shift;; at = (at + 1) & mask) {
        uint64_t there = NO_PAIR;
        if (__atomic_compare_exchange_n(
                &c->table[at], &there, entry, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            break;
        if (there >> COST_BITS != entry >> COST_BITS)
            continue;
        if (edge < partner->edge)
            __atomic_store_n(&c->table[at], entry, __ATOMIC_RELAXED);
        return;
    }
    __atomic_fetch_or(
        filter_of(c, hash), (uint8_t)(1 << (hash >> (c->shift - 3) & 7)), __ATOMIC_RELAXED);
}

int compatibility_index(struct compatibility *c)
{
    const int32_t edges = 4 * c->tiles;
    int64_t entries = 0;
#pragma omp parallel for reduction(+ : entries)
    for (int64_t i = 0; i < (int64_t)edges * c->width; i++)
        entries += c->list[i].edge != NOTHING;
    c->shift = 31;
    while (c->shift > 3 && (int64_t)1 << (32 - c->shift) < entries + entries / 2)
        c->shift--;
    const size_t places = (size_t)1 << (32 - c->shift);
    c->table = malloc(places * sizeof(*c->table));
    c->filter = malloc(places);
    if (!c->table || !c->filter)
        return -1;
#pragma omp parallel for
    for (size_t i = 0; i < places; i++) {
        c->table[i] = NO_PAIR;
        c->filter[i] = 0;
    }
#pragma omp parallel for
    for (int32_t edge = 0; edge < edges; edge++) {
        const struct partner *list = partners_of(c, edge);
        int count = 0;
        for (; count < c->width && list[count].edge != NOTHING; count++) {
            const uint32_t hash = pair_hash(edge, list[count].edge);
            __builtin_prefetch(place_of(c, hash), 1);
            __builtin_prefetch(filter_of(c, hash), 1);
        }
        for (int i = 0; i < count; i++)
            table_enter(c, edge, &list[i]);
    }
    return 0;
}

int compatibility_make(const struct strips *seen, enum turns turns,
    enum dissimilarity dissimilarity, int width, struct partner *list,
    const struct progress *progress, struct compatibility *c, struct error *error)
{
    *c = (struct compatibility){.tiles = seen->tiles,
        .width = width,
        .turns = turns,
        .dissimilarity = dissimilarity,
        .list = list};
    c->unlisted = malloc((size_t)c->tiles * 4 * sizeof(*c->unlisted));
    int rc = c->unlisted ? list_rescore(seen, progress, c) : ERROR_INPUT;
    if (rc == 0)
        return 0;
    compatibility_free(c);
    return error_set(error, rc, "%s",
        rc == ERROR_STOPPED ? "stopped" : "not enough memory to compare the tiles");
}

void compatibility_free(struct compatibility *compatibility)
{
    free(compatibility->list);
    free(compatibility->unlisted);
    free(compatibility->table);
    free(compatibility->filter);
    *compatibility = (struct compatibility){0};
}

static int compatibility_run(struct run *run, struct unscramble *u)
{
    struct compatibility made;
    struct partner *list = u->partners;
    u->partners = NULL;
    const int rc = compatibility_make(&u->seen, u->turns, u->dissimilarity, LISTED_PARTNERS, list,
        run_watch(run), &made, &run->error);
    if (rc)
        return rc;
    if (u->is_open)
        squares_keep_settled(&u->compatibility, u->is_open, &made);
    if (u->compatibility.list && !squares_are_more(&made, &u->compatibility)) {
        compatibility_free(&made);
        return 0;
    }
    compatibility_free(&u->compatibility);
    u->compatibility = made;
    return 0;
}

const struct unscramble_stage COMPATIBILITY = {
    .stage = {"compatibility", "turn how well partners fit, beside the next best, into costs"},
    .run = compatibility_run,
};
