#include "stages/unscramble/compare.h"

#include <assert.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/features.h"
#include "stages/unscramble/unscramble.h"

#define LEAST_GROUPS 64         /* of a launch, if need be by cutting the partners into parts */
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

/* Copies the keys of the launched blocks into the lists of their edges. */
static void lists_take(const struct compare_args *args, const int32_t *tiles, const uint64_t *keys,
    struct partner *list)
{
    const uint32_t count = args->blocks * COMPARE_TILES, first = args->first * COMPARE_TILES;
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < count && first + i < args->tiles; i++) {
            const uint64_t *key = keys + ((size_t)side * count + i) * args->width;
            struct partner *to = list + (4 * (size_t)tiles[first + i] + side) * args->width;
            for (uint32_t k = 0; k < args->width && key[k] != UINT64_MAX; k++) {
                const uint32_t edge = (uint32_t)key[k];
                to[k] = (struct partner){
                    4 * tiles[edge / 4] + (int32_t)(edge % 4), (int32_t)(key[k] >> 32)};
            }
        }
}

static int launch(struct run *run, struct compare_args args, uint32_t blocks, const int32_t *tiles,
    const struct buffer *strips, struct buffer *lists, uint64_t *keys, struct partner *list)
{
    const uint32_t step = args.blocks;
    int rc = 0;
    for (; args.first < blocks && rc == 0; args.first += step) {
        args.blocks = blocks - args.first < step ? blocks - args.first : step;
        rc = DEVICE_LAUNCH(&run->device, KERNEL_compare, args.blocks * args.splits, SIDES,
            &run->error, ARGUMENT_BUFFER(strips), ARGUMENT_BUFFER(lists), ARGUMENT(args));
        if (rc == 0 && args.splits > 1)
            rc = DEVICE_LAUNCH(&run->device, KERNEL_compare_merge, args.blocks, SIDES, &run->error,
                ARGUMENT_BUFFER(lists), ARGUMENT(args));
        if (rc == 0)
            rc = buffer_download(lists, keys,
                (size_t)args.blocks * COMPARE_TILES * SIDES * args.width * sizeof(*keys),
                &run->error);
        if (rc == 0) {
            lists_take(&args, tiles, keys, list);
            rc = run_progress(run, (double)(args.first + args.blocks) / blocks);
        }
    }
    return rc;
}

int compare_edges(struct run *run, const struct terms *terms, enum turns turns,
    const uint8_t *present, int width, struct partner *list)
{
    assert(turns != TURNS_ANY || terms->length[0] == terms->length[1]);
    struct buffer on_device = {0}, lists = {0};
    struct compare_args args = {.others = turns == TURNS_ANY    ? 4
                                          : turns == TURNS_HALF ? 2
                                                                : 1,
        .step = turns == TURNS_ANY ? 1 : 2,
        .width = (uint32_t)width};
    for (size_t i = 0; i < (size_t)terms->tiles * SIDES * args.width; i++)
        list[i] = (struct partner){NOTHING, INT_MAX};
    int32_t *tiles = malloc(((size_t)terms->tiles + 1) * sizeof(*tiles));
    if (tiles)
        args.tiles = find_tiles(terms, present, tiles);
    for (int i = 0; i < 2; i++)
        args.terms[i] = (2 * (uint32_t)(terms->channels * terms->length[i]) + COMPARE_TERMS - 1) /
                        COMPARE_TERMS * COMPARE_TERMS;
    const uint32_t blocks = (args.tiles + COMPARE_TILES - 1) / COMPARE_TILES;
    const uint32_t least = run->device.info.is_gpu ? LEAST_GPU_GROUPS : LEAST_GROUPS;
    args.splits = blocks ? (least + SIDES * blocks - 1) / (SIDES * blocks) : 1;
    if (args.splits > args.others * blocks)
        args.splits = args.others * blocks;
    args.blocks = LAUNCH_GROUPS / SIDES < blocks ? LAUNCH_GROUPS / SIDES : blocks;

    const size_t padded = (size_t)blocks * COMPARE_TILES, numbers = args.terms[0] + args.terms[1];
    const size_t size = padded * 2 * numbers * sizeof(uint16_t);
    const size_t list_size =
        (size_t)args.blocks * COMPARE_TILES * SIDES * args.width * sizeof(uint64_t);
    const double pairs = (double)args.tiles * args.tiles * args.others;
    const struct workload work = {.cpu_seconds = pairs * 2 * (double)numbers * SECONDS_A_TERM,
        .bytes = (double)size + (double)padded * SIDES * width * sizeof(uint64_t)};
    uint16_t *values = calloc(size + 1, 1);
    uint64_t *keys = malloc(list_size + 1);
    int rc = tiles && values && keys
                 ? 0
                 : error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (rc == 0)
        rc = run_device(run, &work);
    if (rc == 0 && args.tiles > 1) {
        terms_fill(terms, tiles, &args, values);
        rc = buffer_new(&run->device, size, values, &on_device, &run->error);
        if (rc == 0)
            rc = buffer_upload(&on_device, values, size, &run->error);
        if (rc == 0)
            rc = buffer_new(&run->device, args.splits * list_size, NULL, &lists, &run->error);
        if (rc == 0)
            rc = launch(run, args, blocks, tiles, &on_device, &lists, keys, list);
        buffer_free(&lists);
        buffer_free(&on_device);
    }
    free(tiles);
    free(values);
    free(keys);
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
