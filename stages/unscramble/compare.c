#include "stages/unscramble/compare.h"

#include <assert.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/features.h"
#include "stages/unscramble/unscramble.h"

#define LEAST_GROUPS 64         /* of a launch, if need be by cutting the partners into splits */
#define LEAST_GPU_GROUPS 256    /* the same on a GPU, which needs more */
#define LAUNCH_GROUPS 528       /* after which progress is reported */
#define SECONDS_A_TERM 0.065e-9 /* of one processor, for a pair of edges */

/* Lists the tiles that are present; the device gets no others. Returns how many there are. */
static uint32_t find_tiles(const struct terms *terms, const uint8_t *present, int32_t *tiles)
{
    uint32_t count = 0;
    for (int32_t tile = 0; tile < terms->tiles; tile++)
        if (!present || present[tile])
            tiles[count++] = tile;
    return count;
}

/* Lays the terms out as compare.cl takes them: what edges are from the front and, from the end,
 * what they expect. */
static void terms_fill(const struct terms *terms, const int32_t *tiles,
    const struct compare_args *args, uint16_t *values)
{
    const size_t blocks = (args->tiles + COMPARE_TILES - 1) / COMPARE_TILES;
    for (int side = 0; side < SIDES; side++) {
        const int length = terms->length[side & 1], last = (int)args->terms[side & 1] - 1;
#pragma omp parallel for
        for (uint32_t i = 0; i < args->tiles; i++) {
            const uint16_t *is = terms_of(terms, 4 * tiles[i] + side, 0);
            const uint16_t *expected = terms_of(terms, 4 * tiles[i] + side, 1);
            uint16_t *to =
                values + i / COMPARE_TILES * (size_t)(last + 1) * COMPARE_TILES + i % COMPARE_TILES;
            for (int channel = 0; channel < terms->channels; channel++)
                for (int k = channel * length; k < (channel + 1) * length; k++) {
                    const int back = (2 * channel + 1) * length - 1 - k;
                    to[k * COMPARE_TILES] = is[k];
                    to[(last - back) * COMPARE_TILES] = expected[k];
                }
        }
        values += blocks * (size_t)(last + 1) * COMPARE_TILES;
    }
}

/* Work that ranks share: the blocks of own tiles, some at a time. */
struct comparison {
    struct compare_args args;
    uint32_t blocks; /* in all; a part has args.blocks, the last one what is left */
    uint32_t parts;
    const uint16_t *values;
    size_t size;    /* of the values, bytes */
    uint64_t *keys; /* the lists of all parts */
    int holds_part; /* the keys are only those of the part at work, as in a rank other than 0 */
};

static struct compare_args part_args(const struct comparison *c, uint32_t part)
{
    struct compare_args args = c->args;
    args.first = part * c->args.blocks;
    if (c->blocks - args.first < args.blocks)
        args.blocks = c->blocks - args.first;
    return args;
}

static size_t keys_size(const struct compare_args *args)
{
    return (size_t)args->blocks * COMPARE_TILES * SIDES * args->width * sizeof(uint64_t);
}

/* Where the keys of a part are, as struct share asks. */
static void *part_keys(void *context, uint32_t part, size_t *size)
{
    const struct comparison *c = context;
    const struct compare_args args = part_args(c, part);
    *size = keys_size(&args);
    return c->keys + (c->holds_part ? 0 : part * keys_size(&c->args) / sizeof(*c->keys));
}

/* Copies the keys of a part into the lists of its edges. */
static void lists_take(const struct compare_args *args, const int32_t *tiles, const uint64_t *keys,
    struct partner *list)
{
    const uint32_t count = args->blocks * COMPARE_TILES, first = args->first * COMPARE_TILES;
#pragma omp parallel for
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t side = 0; side < SIDES && first + i < args->tiles; side++) {
            const uint64_t *key = keys + ((size_t)side * count + i) * args->width;
            struct partner *to = list + (4 * (size_t)tiles[first + i] + side) * args->width;
            for (uint32_t k = 0; k < args->width && key[k] != UINT64_MAX; k++) {
                const uint32_t edge = (uint32_t)key[k];
                to[k] = (struct partner){
                    4 * tiles[edge / 4] + (int32_t)(edge % 4), (int32_t)(key[k] >> 32)};
            }
        }
}

/* Into how many parts the partners are cut, so that a launch has groups enough. */
static uint32_t choose_splits(const struct run *run, const struct comparison *c)
{
    const uint32_t least = run->device.info.is_gpu ? LEAST_GPU_GROUPS : LEAST_GROUPS;
    const uint32_t most = c->args.others * c->blocks;
    const uint32_t splits = (least + SIDES * c->blocks - 1) / (SIDES * c->blocks);
    return splits < most ? splits : most;
}

static int compare_part(struct run *run, struct comparison *c, uint32_t part,
    const struct buffer *strips, struct buffer *lists)
{
    const struct compare_args args = part_args(c, part);
    size_t size;
    void *keys = part_keys(c, part, &size);
    run->launch_from = (double)args.first / c->blocks;
    run->launch_to = (double)(args.first + args.blocks) / c->blocks;
    int rc = DEVICE_LAUNCH(&run->device, KERNEL_compare, args.blocks * args.splits, SIDES,
        &run->error, ARGUMENT_BUFFER(strips), ARGUMENT_BUFFER(lists), ARGUMENT(args));
    if (rc == 0 && args.splits > 1)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_compare_merge, args.blocks, SIDES, &run->error,
            ARGUMENT_BUFFER(lists), ARGUMENT(args));
    if (rc == 0)
        rc = buffer_download(lists, keys, size, &run->error);
    if (rc == 0)
        run_give(run, part);
    return rc ? rc : run_progress(run, (double)(args.first + args.blocks) / c->blocks);
}

/* Compares the parts that this rank takes. */
static int compare_parts(struct run *run, struct comparison *c)
{
    struct buffer on_device = {0}, lists = {0};
    uint32_t part;
    c->args.splits = choose_splits(run, c);
    int rc = buffer_new(&run->device, c->size, (void *)c->values, &on_device, &run->error);
    if (rc == 0)
        rc = buffer_upload(&on_device, c->values, c->size, &run->error);
    if (rc == 0)
        rc = buffer_new(
            &run->device, c->args.splits * keys_size(&c->args), NULL, &lists, &run->error);
    while (rc == 0 && run_take(run, &part))
        rc = compare_part(run, c, part, &on_device, &lists);
    buffer_free(&lists);
    buffer_free(&on_device);
    return run_join(run, rc);
}

static struct workload estimate(const struct comparison *c)
{
    const double pairs = (double)c->args.tiles * c->args.tiles * c->args.others;
    return (struct workload){
        .cpu_seconds = pairs * 2 * (double)(c->args.terms[0] + c->args.terms[1]) * SECONDS_A_TERM,
        .bytes =
            (double)c->size + (double)c->args.tiles * SIDES * c->args.width * sizeof(uint64_t)};
}

/* What of the comparison does not depend on the terms. */
static void plan(const struct run *run, const struct terms *terms, enum turns turns, int width,
    struct comparison *c)
{
    c->args.others = turns == TURNS_ANY ? 4 : turns == TURNS_HALF ? 2 : 1;
    c->args.step = turns == TURNS_ANY ? 1 : 2;
    c->args.width = (uint32_t)width;
    for (int i = 0; i < 2; i++)
        c->args.terms[i] =
            (2 * (uint32_t)(terms->channels * terms->length[i]) + COMPARE_TERMS - 1) /
            COMPARE_TERMS * COMPARE_TERMS;
    c->blocks = (c->args.tiles + COMPARE_TILES - 1) / COMPARE_TILES;
    c->args.blocks = LAUNCH_GROUPS / SIDES < c->blocks ? LAUNCH_GROUPS / SIDES : c->blocks;
    if (run_ranks(run) > 1) {
        const uint32_t parts = PARTS_A_RANK * (uint32_t)run_ranks(run);
        const uint32_t least = (c->blocks + parts - 1) / parts;
        c->args.blocks = least < c->args.blocks ? least : c->args.blocks;
    }
    if (c->blocks)
        c->parts = (c->blocks + c->args.blocks - 1) / c->args.blocks;
    c->size = (size_t)c->blocks * COMPARE_TILES * 2 * (c->args.terms[0] + c->args.terms[1]) *
              sizeof(uint16_t);
}

static int share_parts(struct run *run, struct comparison *c)
{
    /* The struct goes as it is; its pointers mean nothing to others. */
    const struct share share = {.parts = c->parts,
        .input = {c, (void *)c->values},
        .input_size = {sizeof(*c), c->size},
        .result = part_keys,
        .context = c};
    const int rc = run_share(run, &share);
    return rc ? rc : compare_parts(run, c);
}

int compare_edges(struct run *run, const struct terms *terms, enum turns turns,
    const uint8_t *present, int width, struct partner *list)
{
    assert(turns != TURNS_ANY || terms->length[0] == terms->length[1]);
    struct comparison c = {0};
    for (size_t i = 0; i < (size_t)terms->tiles * SIDES * (size_t)width; i++)
        list[i] = (struct partner){NOTHING, INT_MAX};
    int32_t *tiles = malloc(((size_t)terms->tiles + 1) * sizeof(*tiles));
    if (tiles)
        c.args.tiles = find_tiles(terms, present, tiles);
    plan(run, terms, turns, width, &c);
    const struct workload work = estimate(&c);
    uint16_t *values = calloc(c.size + 1, 1);
    c.values = values;
    c.keys = malloc(c.parts * keys_size(&c.args) + 1);
    int rc = tiles && values && c.keys
                 ? 0
                 : error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (rc == 0)
        rc = run_device(run, &work);
    if (rc == 0 && c.args.tiles > 1) {
        terms_fill(terms, tiles, &c.args, values);
        rc = share_parts(run, &c);
    }
    for (uint32_t part = 0; rc == 0 && c.args.tiles > 1 && part < c.parts; part++) {
        const struct compare_args args = part_args(&c, part);
        size_t size;
        lists_take(&args, tiles, part_keys(&c, part, &size), list);
    }
    free(tiles);
    free(values);
    free(c.keys);
    return rc;
}

int compare_serve(struct run *run)
{
    struct comparison c;
    memcpy(&c, run->shared.input[0], sizeof(c));
    const struct workload work = estimate(&c);
    c.values = run->shared.input[1];
    c.holds_part = 1;
    c.keys = malloc(keys_size(&c.args));
    run->shared.result = part_keys;
    run->shared.context = &c;
    int rc = c.keys ? run_device(run, &work)
                    : error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (rc == 0)
        rc = compare_parts(run, &c);
    free(c.keys);
    return rc;
}

/* How tiles may be turned to be compared: as said, or where an order is given, as it turns them. */
static enum turns compared_turns(const struct unscramble *u)
{
    const struct permutation *p = &u->result.permutation;
    enum turns turns = unscramble_turns(u);
    const uint32_t places = u->options.apply ? permutation_first(p, p->solutions) : 0;
    for (uint32_t place = 0; place < places; place++)
        if (p->placed[place].turn && turns != TURNS_ANY)
            turns = u->tile_width == u->tile_height ? TURNS_ANY : TURNS_HALF;
    return turns;
}

static int strips_run(struct run *run, struct unscramble *u)
{
    strips_free(&u->strips);
    u->turns = compared_turns(u);
    return strips_make(&u->puzzle, (int)u->grid.columns, (int)u->grid.rows, (int)u->tile_width,
        (int)u->tile_height, &u->strips, &run->error);
}

static int compare_strips(struct run *run, struct unscramble *u)
{
    struct terms terms = {0};
    int rc =
        terms_of_strips(&u->seen, dissimilarity_predicts(u->dissimilarity), &terms, &run->error);
    if (rc == 0)
        rc = compare_edges(run, &terms, u->turns, u->present, CANDIDATES, u->partners);
    terms_free(&terms);
    return rc;
}

/* Of the partners with the least sums, twice as many, keeps those that the network finds best: what
 * fits badly at a few pixels only has a large sum. */
static int list_by_features(struct run *run, struct unscramble *u)
{
    enum { LISTED = 2 * CANDIDATES };
    const struct terms *features = &u->features;
    const int edges = SIDES * features->tiles;
    const size_t longest =
        (size_t)(u->tile_width > u->tile_height ? u->tile_width : u->tile_height);
    struct partner *lists = malloc((size_t)edges * LISTED * sizeof(*lists));
    float *work = malloc((size_t)omp_get_max_threads() * longest * sizeof(*work));
    const int rc = lists && work ? compare_edges(run, features, u->turns, u->present, LISTED, lists)
                                 : error_set(&run->error, ERROR_INPUT,
                                       "not enough memory to compare the tiles");
#pragma omp parallel for schedule(dynamic, 16)
    for (int edge = 0; edge < (rc ? 0 : edges); edge++) {
        struct partner *list = lists + (size_t)edge * LISTED;
        for (int i = 0; i < LISTED && list[i].edge != NOTHING; i++)
            list[i].cost =
                (int32_t)(FEATURE_STEPS * learned_find(features, edge, list[i].edge,
                                              work + (size_t)omp_get_thread_num() * longest));
        candidates_sort(list, LISTED);
        memcpy(u->partners + (size_t)edge * CANDIDATES, list, CANDIDATES * sizeof(*list));
    }
    free(lists);
    free(work);
    return rc;
}

/* The partners are the same for all dissimilarities that are learned; the first makes them. */
static int compare_features(struct run *run, struct unscramble *u)
{
    const size_t size =
        (size_t)SIDES * (size_t)u->features.tiles * CANDIDATES * sizeof(*u->partners);
    if (u->learned_partners) {
        memcpy(u->partners, u->learned_partners, size);
        return 0;
    }
    u->learned_partners = malloc(size);
    if (!u->learned_partners)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    const int rc = list_by_features(run, u);
    if (rc == 0)
        memcpy(u->learned_partners, u->partners, size);
    return rc;
}

static int compare_run(struct run *run, struct unscramble *u)
{
    strips_free(&u->seen);
    free(u->partners);
    u->partners = malloc((size_t)u->strips.tiles * SIDES * CANDIDATES * sizeof(*u->partners));
    if (!u->partners)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    const int rc =
        strips_see(&u->strips, dissimilarity_view(u->dissimilarity), &u->seen, &run->error);
    if (rc)
        return rc;
    return dissimilarity_learned(u->dissimilarity) ? compare_features(run, u)
                                                   : compare_strips(run, u);
}

const struct unscramble_stage STRIPS = {
    .stage = {"strips", "take the pixels along the edges of the tiles"},
    .run = strips_run,
};
const struct unscramble_stage COMPARE = {
    .stage = {"compare", "find the partners that seem to fit each edge best"},
    .run = compare_run,
};
