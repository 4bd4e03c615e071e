#include "stages/unscramble/reference.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/features.h"

static unsigned sample_at(const struct image *image, size_t x, size_t y, size_t channel)
{
    const size_t i = 4 * (y * (size_t)image->width + x) + channel;
    return (unsigned)image_sample(image, i);
}

/* The mean of 0.3 R + 0.6 G + 0.1 B over a box, in bytes, rounded down. */
static uint8_t box_mean(
    const struct image *image, size_t left, size_t right, size_t top, size_t bottom)
{
    uint64_t tenths = 0;
    for (size_t y = top; y < bottom; y++)
        for (size_t x = left; x < right; x++)
            tenths += 3 * sample_at(image, x, y, 0) + 6 * sample_at(image, x, y, 1) +
                      sample_at(image, x, y, 2);
    const uint64_t count = (right - left) * (bottom - top);
    return (uint8_t)(tenths / (10 * count * (image->depth == 16 ? 257 : 1)));
}

void reference_grayscale(
    const struct image *image, struct grid grid, enum sampling sampling, uint8_t *gray)
{
    const size_t width = grid.columns * 64, height = grid.rows * 64;
    const size_t tiled_width = (size_t)image->width / grid.columns * grid.columns;
    const size_t tiled_height = (size_t)image->height / grid.rows * grid.rows;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const size_t left = x * tiled_width / width, top = y * tiled_height / height;
            size_t right = (x + 1) * tiled_width / width;
            size_t bottom = (y + 1) * tiled_height / height;
            if (sampling == SAMPLING_POINT || right == left)
                right = left + 1;
            if (sampling == SAMPLING_POINT || bottom == top)
                bottom = top + 1;
            gray[y * width + x] = box_mean(image, left, right, top, bottom);
        }
}

void reference_edges(const uint8_t *gray, struct grid grid, uint8_t *edges)
{
    const size_t width = grid.columns * 64;
    memset(edges, 0, EDGE_BYTES);
    for (size_t tile = 0; tile < grid_tiles(grid); tile++) {
        const uint8_t *corner = gray + tile / grid.columns * 64 * width + tile % grid.columns * 64;
        for (size_t i = 0; i < 64; i++) {
            uint8_t *edge = edges + tile * 4 * 64 + i;
            edge[0 * 64] = corner[i * width];      /* left */
            edge[1 * 64] = corner[i];              /* top */
            edge[2 * 64] = corner[i * width + 63]; /* right */
            edge[3 * 64] = corner[63 * width + i]; /* bottom */
        }
    }
}

static uint32_t squared_difference(const uint8_t *a, const uint8_t *b)
{
    uint32_t sum = 0;
    for (int i = 0; i < 64; i++)
        sum += (uint32_t)((a[i] - b[i]) * (a[i] - b[i]));
    return sum;
}

void reference_fits(const uint8_t *edges, struct grid grid, uint32_t *pair_costs)
{
    const size_t tiles = grid_tiles(grid);
    memset(pair_costs, 0, PAIR_COSTS(1) * sizeof(*pair_costs));
    for (size_t a = 0; a < tiles; a++)
        for (size_t b = 0; b < tiles; b++) {
            const uint8_t *edges_a = edges + a * 4 * 64, *edges_b = edges + b * 4 * 64;
            pair_costs[a * SEARCH_TILES + b] = squared_difference(edges_a + 2 * 64, edges_b);
            pair_costs[SEARCH_TILES * SEARCH_TILES + a * SEARCH_TILES + b] =
                squared_difference(edges_a + 3 * 64, edges_b + 64);
        }
}

struct walk {
    const uint32_t *pair_costs;
    struct grid grid;
    uint32_t turns, first_turns;
    uint32_t order[SEARCH_TILES];
    int used[SEARCH_TILES];
    uint32_t *best;
    uint32_t best_cost, next_cost;
};

/* What the oriented tile costs at the place with those that are placed before it. */
static uint32_t cost_at(const struct walk *walk, uint32_t place, uint32_t oriented)
{
    const uint32_t columns = walk->grid.columns, pitch = ORIENTED_MAX(walk->turns);
    uint32_t cost = 0;
    if (place % columns != 0)
        cost += walk->pair_costs[walk->order[place - 1] * pitch + oriented];
    if (place >= columns)
        cost += walk->pair_costs[(pitch + walk->order[place - columns]) * pitch + oriented];
    return cost;
}

/* Goes through all permutations in lexicographic order. Leaves out those whose beginning already
 * costs as much as the second best: costs are not negative, and a later permutation loses a tie. */
static void place_tiles(struct walk *walk, uint32_t place, uint32_t cost)
{
    const uint32_t tiles = grid_tiles(walk->grid);
    if (cost >= walk->next_cost)
        return;
    if (place == tiles) {
        if (cost < walk->best_cost) {
            walk->next_cost = walk->best_cost;
            walk->best_cost = cost;
            memcpy(walk->best, walk->order, tiles * sizeof(*walk->order));
        } else {
            walk->next_cost = cost;
        }
        return;
    }
    for (uint32_t oriented = 0; oriented < tiles * walk->turns; oriented++) {
        const uint32_t tile = oriented / walk->turns;
        if (walk->used[tile] || (tile == 0 && oriented >= walk->first_turns))
            continue;
        walk->order[place] = oriented;
        walk->used[tile] = 1;
        place_tiles(walk, place + 1, cost + cost_at(walk, place, oriented));
        walk->used[tile] = 0;
    }
}

void reference_search(const uint32_t *pair_costs, struct grid grid, uint32_t turns,
    uint32_t first_turns, uint32_t *order, uint32_t *cost, uint32_t *runner_up_cost)
{
    struct walk walk = {.pair_costs = pair_costs,
        .grid = grid,
        .turns = turns,
        .first_turns = first_turns,
        .best = order,
        .best_cost = UINT32_MAX,
        .next_cost = UINT32_MAX};
    place_tiles(&walk, 0, 0);
    *cost = walk.best_cost;
    *runner_up_cost = walk.next_cost;
}

/* The pixel of a tile of width x height that comes to x, y when the tile is turned clockwise. */
static void turn_back(size_t width, size_t height, uint32_t turn, size_t *x, size_t *y)
{
    for (; turn > 0; turn--) {
        const size_t column = *x;
        *x = *y;
        *y = (turn % 2 ? height : width) - 1 - column;
    }
}

static void fill_pixel(const struct image *image, struct color color, char *to)
{
    const unsigned gray = (3u * color.red + 6u * color.green + color.blue) / 10;
    unsigned samples[4] = {color.red, color.green, color.blue, 255};
    for (int c = 0; c < 4; c++) {
        if (image->channels <= 2 && c < 3)
            samples[c] = gray;
        if (image->depth == 16)
            ((uint16_t *)to)[c] = (uint16_t)(257 * samples[c]);
        else
            ((uint8_t *)to)[c] = (uint8_t)samples[c];
    }
}

void reference_assemble(const struct image *puzzle, const struct permutation *permutation,
    uint32_t solution, struct color missing, struct image *assembled)
{
    const struct grid grid = permutation->grids[solution];
    const struct placed *all = permutation->placed + permutation_first(permutation, solution);
    const size_t pixel = image_pixel_size(puzzle), row = (size_t)puzzle->width * pixel;
    const size_t columns = grid.columns, from_columns = permutation->puzzle.columns;
    const size_t width = (size_t)puzzle->width / from_columns;
    const size_t height = (size_t)puzzle->height / permutation->puzzle.rows;
    const size_t to_row = (size_t)assembled->width * pixel;
    if (assembled->width == puzzle->width && assembled->height == puzzle->height)
        memcpy(assembled->pixels, puzzle->pixels, row * (size_t)puzzle->height);
    for (size_t place = 0; place < grid_tiles(grid); place++) {
        const struct placed placed = all[place];
        const char *from = (const char *)puzzle->pixels +
                           placed.tile / from_columns * height * row +
                           placed.tile % from_columns * width * pixel;
        for (size_t y = 0; y < height; y++) {
            char *to = (char *)assembled->pixels + (place / columns * height + y) * to_row +
                       place % columns * width * pixel;
            if (placed.tile != NO_TILE && placed.turn == 0) {
                memcpy(to, from + y * row, width * pixel);
                continue;
            }
            for (size_t x = 0; x < width; x++, to += pixel) {
                size_t from_x = x, from_y = y;
                turn_back(width, height, placed.turn, &from_x, &from_y);
                if (placed.tile == NO_TILE)
                    fill_pixel(puzzle, missing, to);
                else
                    memcpy(to, from + from_y * row + from_x * pixel, pixel);
            }
        }
    }
}

void reference_terms(const struct strips *strips, int predict, struct terms *terms)
{
    const int least[3] = LAB_LEAST, range[3] = LAB_RANGE;
    const int64_t longest =
        strips->length[0] > strips->length[1] ? strips->length[0] : strips->length[1];
    int halved = 0;
    while (2 * longest *
               ((int64_t)(range[0] >> halved) + (range[1] >> halved) + (range[2] >> halved)) >
           SUM_MAX)
        halved++;
    terms->halvings = halved;
    for (int edge = 0; edge < 4 * strips->tiles; edge++)
        for (int i = 0; i < 3 * strips->length[edge & 1]; i++) {
            const int channel = i / strips->length[edge & 1];
            const int outer = strip_of(strips, edge, 0)[i], inner = strip_of(strips, edge, 1)[i];
            const int seen[2] = {outer, predict ? 2 * outer - inner : outer};
            for (int expects = 0; expects < 2; expects++) {
                const int above = seen[expects] - least[channel];
                terms_of(terms, edge, expects)[i] =
                    (uint16_t)((above < 0                   ? 0
                                   : above > range[channel] ? range[channel]
                                                            : above) >>
                               halved);
            }
        }
}

/* What edge a expects against what b is, read backwards, and the same the other way round. */
static int edge_difference(const struct terms *terms, int a, int b)
{
    const int length = terms->length[a & 1];
    int sum = 0;
    for (int c = 0; c < terms->channels; c++)
        for (int k = 0; k < length; k++)
            for (int expects = 0; expects < 2; expects++)
                sum += abs(terms_of(terms, a, expects)[c * length + k] -
                           terms_of(terms, b, !expects)[c * length + length - 1 - k]);
    return sum;
}

/* A byte of a signature: the mean of a channel over a part of an edge, by fractions of pixels. */
static int signature_byte(const struct terms *terms, int edge, int expects, int channel, int part)
{
    const int parts = terms->are_learned ? 12 : 8, length = terms->length[edge & 1];
    const int most = terms->are_learned ? 120 : 127;
    int64_t sum = 0;
    for (int64_t i = 0; i < length; i++) /* of the part's length in units of 1 / parts pixel */
        sum += terms_of(terms, edge, expects)[channel * length + (part * length + i) / parts];
    const int byte = (int)((sum << terms->halvings) / 32 / length) - 128;
    return byte < -most ? -most : byte > most ? most : byte;
}

/* Signatures as the mean of parts: [edge][expects][channel][part]. NULL when memory is short. */
static int16_t *signatures_find(const struct terms *terms, int parts)
{
    const int bytes = terms->channels * parts;
    int16_t *signatures = malloc((size_t)terms->tiles * 8 * (size_t)bytes * sizeof(*signatures));
    for (int edge = 0; signatures && edge < 4 * terms->tiles; edge++)
        for (int expects = 0; expects < 2; expects++)
            for (int i = 0; i < bytes; i++)
                signatures[(2 * (size_t)edge + (size_t)expects) * (size_t)bytes + (size_t)i] =
                    (int16_t)signature_byte(terms, edge, expects, i / parts, i % parts);
    return signatures;
}

/* Minus half the squared distance of two signatures, but for what all partners of a have. */
static int signature_score(const int16_t *signatures, int channels, int parts, int a, int b)
{
    int product = 0, square = 0;
    for (int expects = 0; expects < 2; expects++) {
        const int16_t *mine = signatures + (2 * (int64_t)a + expects) * channels * parts;
        const int16_t *theirs = signatures + (2 * (int64_t)b + !expects) * channels * parts;
        for (int i = 0; i < channels * parts; i++) {
            const int opposite = theirs[i / parts * parts + parts - 1 - i % parts];
            product += mine[i] * opposite;
            square += opposite * opposite;
        }
    }
    return product - (square + 1) / 2;
}

/* By the network's terms, how badly edge b continues edge a: the sum, over both ways to look at the
 * pair and over groups of four channels, of q / (1 + q), where q is the squared distance of what
 * one edge expects and the other is; of a pixel way by way, then pixel by pixel. */
static float learned_difference(const struct terms *terms, int a, int b)
{
    const int length = terms->length[a & 1];
    const float square = 1.0f / (FEATURE_STEPS * FEATURE_STEPS);
    float sum = 0;
    for (int k = 0; k < length; k++) {
        float of_pixel = 0;
        for (int way = 0; way < 2; way++)
            for (int c = 0; c < terms->channels; c += 4) {
                float q = 0;
                for (int i = c; i < c + 4; i++) {
                    const float d = (float)(terms_of(terms, a, way)[i * length + k] -
                                            terms_of(terms, b, !way)[(i + 1) * length - 1 - k]);
                    q += d * d;
                }
                q *= square;
                of_pixel += q / (1 + q);
            }
        sum += of_pixel;
    }
    return sum;
}

/* The best partner at a place of a split's slices. */
struct place {
    int score, edge;
};

/* Takes those out of `places` that have the best scores, 128 or 192 of them, and puts their
 * edges, but for NOTHING and those of the own tile, into a list by their differences. */
static void places_list(const struct terms *terms, struct place *places, int count, int a,
    int width, struct partner *list)
{
    for (int taken = 0; taken < (terms->are_learned ? 128 : 192); taken++) {
        struct place *best = places;
        for (int i = 1; i < count; i++)
            if (places[i].score > best->score)
                best = &places[i];
        const int b = best->edge;
        *best = (struct place){INT_MIN, NOTHING};
        if (b == NOTHING || a / 4 == b / 4)
            continue;
        const int cost = terms->are_learned ? (int)(LEARNED_STEPS * learned_difference(terms, a, b))
                                            : edge_difference(terms, a, b);
        int at = width;
        while (at > 0 &&
               (cost < list[at - 1].cost || (cost == list[at - 1].cost && b < list[at - 1].edge)))
            at--;
        if (at == width)
            continue;
        memmove(list + at + 1, list + at, (size_t)(width - 1 - at) * sizeof(*list));
        list[at] = (struct partner){b, cost};
    }
}

int reference_compare(const struct terms *terms, enum turns turns, const uint8_t *present,
    int every, int width, struct partner *list)
{
    const int parts = terms->are_learned ? 12 : 8, others = turns_count(turns);
    int tiles = 0, splits = 16;
    int *tile = malloc((size_t)terms->tiles * sizeof(*tile));
    int16_t *signatures = signatures_find(terms, parts);
    for (int i = 0; tile && i < terms->tiles; i++)
        if (!present || present[i])
            tile[tiles++] = i;
    const int blocks = (tiles + 127) / 128, slices = others * blocks;
    while (splits * 256 < slices)
        splits++;
    splits = splits > slices ? slices : splits;
    struct place *places = malloc(((size_t)splits * 128 + 1) * sizeof(*places));
    const int rc = tile && signatures && places ? 0 : -1;
    for (int64_t i = 0; i < (int64_t)terms->tiles * 4 * width; i++)
        list[i] = (struct partner){NOTHING, INT_MAX};
    for (int own = 0; rc == 0 && own < 4 * tiles; own++) {
        const int a = 4 * tile[own / 4] + own % 4;
        if (a / 4 % every)
            continue;
        for (int i = 0; i < splits * 128; i++)
            places[i] = (struct place){INT_MIN, NOTHING};
        for (int split = 0; split < splits; split++)
            for (int slice = (int)((int64_t)split * slices / splits);
                 slice < (int64_t)(split + 1) * slices / splits; slice++)
                for (int i = 0; i < 128; i++) {
                    const int other = slice % blocks * 128 + i;
                    const int side = (own % 4) ^ 2 ^ (slice / blocks * (others == 4 ? 1 : 2));
                    const int b = other < tiles ? 4 * tile[other] + side : NOTHING;
                    const int score =
                        b == NOTHING ? -0x7fffff
                                     : signature_score(signatures, terms->channels, parts, a, b);
                    if (score >= places[split * 128 + i].score)
                        places[split * 128 + i] = (struct place){score, b};
                }
        places_list(terms, places, splits * 128, a, width, list + (int64_t)a * width);
    }
    free(tile);
    free(signatures);
    free(places);
    return rc;
}

int reference_agrees(const struct run_buffer *made, const struct unscramble *expected,
    const struct unscramble *u, struct error *error)
{
    const ptrdiff_t offset = (const char *)made->buffer - (const char *)expected;
    const struct buffer *buffer = (const struct buffer *)((const char *)u + offset);
    void *bytes = malloc(made->buffer->size);
    const int agrees = bytes && buffer->size == made->buffer->size &&
                       buffer_download(buffer, bytes, buffer->size, error) == 0 &&
                       memcmp(bytes, made->buffer->memory, buffer->size) == 0;
    free(bytes);
    return agrees;
}
