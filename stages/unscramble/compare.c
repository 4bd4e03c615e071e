#include "stages/unscramble/compare.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/features.h"
#include "stages/unscramble/shared_work.h"
#include "stages/unscramble/unscramble.h"

#define LEAST_SPLITS 16        /* if there are as many slices */
#define COLOR_PARTS 8          /* of an edge, whose means of colors a signature has */
#define LAUNCH_GROUPS 2112     /* after which progress is reported */
#define SECONDS_A_BYTE 0.02e-9 /* of one processor, for a pair of edges */
#define SECONDS_A_TERM 0.4e-9  /* of one processor, for a pair of edges that is ranked */

/* Lists the tiles that are present; the device gets no others. Returns how many there are. */
static uint32_t find_tiles(const struct terms *terms, const uint8_t *present, int32_t *tiles)
{
    uint32_t count = 0;
    for (int32_t tile = 0; tile < terms->tiles; tile++)
        if (!present || present[tile])
            tiles[count++] = tile;
    return count;
}

/* Work that ranks share: the blocks of own tiles, some at a time. */
struct comparison {
    struct compare_args args;
    uint32_t blocks; /* in all; a part has args.blocks, the last one what is left */
    uint32_t parts;
    int are_learned; /* the terms */
    const uint16_t *value[2];
    const int32_t *tiles;   /* that are compared */
    size_t size[3];         /* of these, bytes */
    struct partner *ranked; /* [tile][side][width] of all parts, by numbers among these tiles */
    int holds_part;         /* only of the part at work, as in ranks other than 0 */
};

static struct compare_args part_args(const struct comparison *c, uint32_t part)
{
    struct compare_args args = c->args;
    args.first = part * c->args.blocks;
    if (c->blocks - args.first < args.blocks)
        args.blocks = c->blocks - args.first;
    return args;
}

static uint32_t part_tiles(const struct compare_args *args)
{
    const uint32_t most = args->blocks * COMPARE_TILES;
    const uint32_t left = args->tiles - args->first * COMPARE_TILES;
    return left < most ? left : most;
}

/* Where the ranked partners of a part are, as struct share asks. */
static void *part_ranked(void *context, uint32_t part, size_t *size)
{
    const struct comparison *c = context;
    const struct compare_args args = part_args(c, part);
    const size_t edge = c->args.width, tile = SIDES * edge;
    *size = part_tiles(&args) * tile * sizeof(*c->ranked);
    return c->ranked + (c->holds_part ? 0 : (size_t)args.first * COMPARE_TILES * tile);
}

/* What a rank has on its device. */
struct compare_buffers {
    struct buffer words, value[2], tiles, scores, lists, ranked;
};

static void buffers_free(struct compare_buffers *b)
{
    struct buffer *all[] = {
        &b->ranked, &b->lists, &b->scores, &b->tiles, &b->value[1], &b->value[0], &b->words};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        buffer_free(all[i]);
}

static int buffers_make(struct run *run, const struct comparison *c, struct compare_buffers *b)
{
    const struct compare_args *a = &c->args;
    const size_t edges = (size_t)SIDES * a->blocks * COMPARE_TILES;
    const size_t all_edges = (size_t)SIDES * c->blocks * COMPARE_TILES;
    const void *from[] = {c->value[0], c->value[1], c->tiles, NULL, NULL, NULL, NULL};
    struct buffer *to[] = {
        &b->value[0], &b->value[1], &b->tiles, &b->words, &b->scores, &b->lists, &b->ranked};
    const size_t size[] = {c->size[0], c->size[1], c->size[2],
        all_edges * (a->rows + 1) * sizeof(uint32_t),
        a->splits * edges * COMPARE_TILES * sizeof(int32_t),
        edges * a->candidates * sizeof(uint32_t), edges * a->width * sizeof(struct partner)};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof(to) / sizeof(to[0]); i++) {
        rc = buffer_new(&run->device, size[i], (void *)from[i], to[i], &run->error);
        if (rc == 0 && from[i])
            rc = buffer_upload(to[i], from[i], size[i], &run->error);
    }
    return rc;
}

/* Every rank makes the signatures of all edges: that is less than to bring them to others. */
static int make_signatures(
    struct run *run, const struct comparison *c, const struct compare_buffers *b)
{
    run->launch_from = run->launch_to = 0;
    return DEVICE_LAUNCH(&run->device, KERNEL_signatures, c->blocks, SIDES, &run->error,
        ARGUMENT_BUFFER(&b->value[0]), ARGUMENT_BUFFER(&b->value[1]), ARGUMENT_BUFFER(&b->tiles),
        ARGUMENT_BUFFER(&b->words), ARGUMENT(c->args));
}

/* Says which share of a part the next launches are, for progress. */
static void expect_launch(struct run *run, const struct comparison *c,
    const struct compare_args *args, double from, double to)
{
    run->launch_from = (args->first + from * args->blocks) / c->blocks;
    run->launch_to = (args->first + to * args->blocks) / c->blocks;
}

static int compare_part(
    struct run *run, struct comparison *c, uint32_t part, struct compare_buffers *b)
{
    const struct compare_args args = part_args(c, part);
    size_t size;
    void *ranked = part_ranked(c, part, &size);
    expect_launch(run, c, &args, 0, 0.5);
    int rc = DEVICE_LAUNCH(&run->device, KERNEL_compare, args.blocks * args.splits, SIDES,
        &run->error, ARGUMENT_BUFFER(&b->words), ARGUMENT_BUFFER(&b->scores), ARGUMENT(args));
    expect_launch(run, c, &args, 0.5, 0.5);
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device, KERNEL_compare_list, args.blocks, SIDES, &run->error,
            ARGUMENT_BUFFER(&b->scores), ARGUMENT_BUFFER(&b->lists), ARGUMENT(args));
    expect_launch(run, c, &args, 0.5, 1);
    if (rc == 0)
        rc = DEVICE_LAUNCH(&run->device,
            c->are_learned ? KERNEL_compare_rank_learned : KERNEL_compare_rank, part_tiles(&args),
            SIDES, &run->error, ARGUMENT_BUFFER(&b->value[0]), ARGUMENT_BUFFER(&b->value[1]),
            ARGUMENT_BUFFER(&b->tiles), ARGUMENT_BUFFER(&b->lists), ARGUMENT_BUFFER(&b->ranked),
            ARGUMENT(args));
    if (rc == 0)
        rc = buffer_download(&b->ranked, ranked, size, &run->error);
    if (rc == 0)
        run_give(run, part);
    return rc ? rc : run_progress(run, (double)(args.first + args.blocks) / c->blocks);
}

/* Compares the parts that this rank takes. */
static int compare_parts(struct run *run, struct comparison *c)
{
    struct compare_buffers buffers = {0};
    uint32_t part;
    int rc = buffers_make(run, c, &buffers);
    if (rc == 0)
        rc = make_signatures(run, c, &buffers);
    while (rc == 0 && run_take(run, &part))
        rc = compare_part(run, c, part, &buffers);
    buffers_free(&buffers);
    return run_join(run, rc);
}

static struct workload estimate(const struct comparison *c)
{
    const double tiles = c->args.tiles, pairs = SIDES * tiles * tiles * c->args.others;
    const double terms = 2.0 * c->args.channels * (c->args.length[0] + c->args.length[1]);
    return (struct workload){.cpu_seconds = pairs * 4 * c->args.rows * SECONDS_A_BYTE +
                                            2 * tiles * c->args.candidates * terms * SECONDS_A_TERM,
        .bytes = (double)(c->size[0] + c->size[1] + c->size[2]) +
                 tiles * SIDES * c->args.width * sizeof(struct partner)};
}

/* Into how many parts the work is cut. */
static void plan_parts(const struct run *run, struct comparison *c)
{
    const uint32_t slices = c->args.others * c->blocks;
    const uint32_t splits = (slices + COMPARE_SLICES - 1) / COMPARE_SLICES;
    const uint32_t least = slices < LEAST_SPLITS ? slices : LEAST_SPLITS;
    c->args.splits = splits > least ? splits : least;
    c->args.blocks = LAUNCH_GROUPS / SIDES / (c->args.splits + 1) + 1;
    if (run_ranks(run) > 1) {
        const uint32_t parts = PARTS_A_RANK * (uint32_t)run_ranks(run);
        const uint32_t most = (c->blocks + parts - 1) / parts;
        c->args.blocks = most < c->args.blocks ? most : c->args.blocks;
    }
    if (c->blocks < c->args.blocks)
        c->args.blocks = c->blocks;
    if (c->blocks)
        c->parts = (c->blocks + c->args.blocks - 1) / c->args.blocks;
}

/* The largest byte with which a sum of products less half a sum of squares has 24 bits. */
static uint32_t largest_byte(uint32_t rows)
{
    uint32_t byte = 127;
    while (4 * rows * byte * byte / 2 * 3 >= 0x7fffff)
        byte--;
    return byte;
}

/* What signatures are like. */
static void plan_signatures(const struct terms *terms, struct compare_args *args)
{
    args->channels = (uint32_t)terms->channels;
    args->halvings = (uint32_t)terms->halvings;
    args->parts = terms->are_learned ? SIGNATURE_PARTS : COLOR_PARTS;
    args->rows = 2 * args->channels * args->parts / 4;
    assert(args->rows % COMPARE_ROWS == 0);
    args->most = largest_byte(args->rows);
}

static void plan(const struct run *run, const struct terms *terms, enum turns turns, int width,
    struct comparison *c)
{
    c->are_learned = terms->are_learned;
    c->args.others = (uint32_t)turns_count(turns);
    c->args.step = turns == TURNS_ANY ? 1 : 2;
    c->args.candidates = terms->are_learned ? LEARNED_CANDIDATES : COLOR_CANDIDATES;
    c->args.width = (uint32_t)width;
    c->blocks = (c->args.tiles + COMPARE_TILES - 1) / COMPARE_TILES;
    plan_signatures(terms, &c->args);
    plan_parts(run, c);
    for (int i = 0; i < 2; i++) {
        c->args.length[i] = (uint32_t)terms->length[i];
        c->value[i] = terms->value[i];
        c->size[i] = terms_count(terms, i) * sizeof(uint16_t);
    }
    c->size[2] = c->args.tiles * sizeof(*c->tiles);
}

static int share_parts(struct run *run, struct comparison *c)
{
    /* The struct goes as it is; its pointers mean nothing to others. */
    enum shared_work work = SHARED_PAIRS;
    const struct share share = {.parts = c->parts,
        .input = {&work, c, (void *)c->value[0], (void *)c->value[1], (void *)c->tiles},
        .input_size = {sizeof(work), sizeof(*c), c->size[0], c->size[1], c->size[2]},
        .result = part_ranked,
        .context = c};
    const int rc = run_share(run, &share);
    return rc ? rc : compare_parts(run, c);
}

/* Gives the lists of the tiles that are compared, which come first, the tiles' own numbers and
 * places, and those of all other tiles nothing. */
static void spread_lists(
    const int32_t *tiles, uint32_t count, uint32_t all, size_t width, struct partner *list)
{
    const size_t size = SIDES * width;
    for (uint32_t tile = all; tile-- > 0;) {
        struct partner *to = list + tile * size;
        const int is_compared = count > 0 && tiles[count - 1] == (int32_t)tile;
        const struct partner *from = list + (is_compared ? --count : 0) * size;
        for (size_t i = 0; i < size; i++) {
            const int32_t edge = is_compared ? from[i].edge : NOTHING;
            to[i] = edge == NOTHING
                        ? (struct partner){NOTHING, INT_MAX}
                        : (struct partner){4 * tiles[edge / 4] + edge % 4, from[i].cost};
        }
    }
}

int compare_edges(struct run *run, const struct terms *terms, enum turns turns,
    const uint8_t *present, int width, struct partner *list)
{
    assert(width <= LEARNED_CANDIDATES);
    assert(turns != TURNS_ANY || terms->length[0] == terms->length[1]);
    struct comparison c = {.ranked = list};
    const uint32_t all = (uint32_t)terms->tiles;
    int32_t *tiles = malloc((all + 1) * sizeof(*tiles));
    if (!tiles)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    c.tiles = tiles;
    c.args.tiles = find_tiles(terms, present, tiles);
    plan(run, terms, turns, width, &c);
    const struct workload work = estimate(&c);
    const int can_compare = c.args.tiles > 1;
    int rc = run_device(run, &work);
    if (rc == 0 && can_compare)
        rc = share_parts(run, &c);
    if (rc == 0 && (c.args.tiles < all || !can_compare))
        spread_lists(tiles, can_compare ? c.args.tiles : 0, all, (size_t)width, list);
    free(tiles);
    return rc;
}

int compare_serve(struct run *run)
{
    struct comparison c;
    size_t size;
    memcpy(&c, run->shared.input[1], sizeof(c));
    const struct workload work = estimate(&c);
    c.value[0] = run->shared.input[2];
    c.value[1] = run->shared.input[3];
    c.tiles = run->shared.input[4];
    c.holds_part = 1;
    part_ranked(&c, 0, &size);
    c.ranked = malloc(size);
    run->shared.result = part_ranked;
    run->shared.context = &c;
    int rc = c.ranked
                 ? run_device(run, &work)
                 : error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    if (rc == 0)
        rc = compare_parts(run, &c);
    free(c.ranked);
    return rc;
}

static int compare_strips(struct run *run, struct unscramble *u)
{
    struct terms terms = {0};
    int rc =
        terms_of_strips(&u->seen, dissimilarity_predicts(u->dissimilarity), &terms, &run->error);
    if (rc == 0)
        rc = compare_edges(run, &terms, u->turns, u->present, LISTED_PARTNERS, u->partners);
    terms_free(&terms);
    return rc;
}

/* The partners are the same for all dissimilarities that are learned and see, or do not see, a gap;
 * the first makes them. Settled tiles get none, and are in no list: COMPATIBILITY puts in those
 * that they have by blend. */
static int compare_features(struct run *run, struct unscramble *u)
{
    const int has_gap = dissimilarity_has_gap(u->dissimilarity);
    const struct terms *features = &u->features[has_gap];
    struct partner **learned = &u->learned_partners[has_gap];
    const size_t size =
        (size_t)SIDES * (size_t)features->tiles * LISTED_PARTNERS * sizeof(**learned);
    int rc = 0;
    if (!*learned) {
        *learned = malloc(size);
        if (!*learned)
            return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
        rc = compare_edges(
            run, features, u->turns, unscramble_tiles_to_look_at(u), LISTED_PARTNERS, *learned);
    }
    if (rc == 0) {
        memory_copy(u->partners, *learned, size);
    } else {
        free(*learned);
        *learned = NULL;
    }
    return rc;
}

static int compare_run(struct run *run, struct unscramble *u)
{
    strips_free(&u->seen);
    free(u->partners);
    u->partners = malloc((size_t)u->strips.tiles * SIDES * LISTED_PARTNERS * sizeof(*u->partners));
    if (!u->partners)
        return error_set(&run->error, ERROR_INPUT, "not enough memory to compare the tiles");
    const int rc =
        strips_see(&u->strips, dissimilarity_view(u->dissimilarity), &u->seen, &run->error);
    if (rc)
        return rc;
    return dissimilarity_learned(u->dissimilarity) ? compare_features(run, u)
                                                   : compare_strips(run, u);
}

const struct unscramble_stage COMPARE = {
    .stage = {"compare", "find the partners that seem to fit each edge best"},
    .run = compare_run,
};
