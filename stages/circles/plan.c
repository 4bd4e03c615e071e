/* How the image is cut into bands and the scene into chunks, and how these are painted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stages/circles/plan.h"

#define BAND_ROWS 65535 /* of a band: groups of a launch in y, at most */
#define MAX_CHUNK_BYTES (((uint64_t)1 << 33) - (1 << 20)) /* places in lists are below 2^31 */
#define PROVEN_BITS 20       /* opacity, in halvings, that proves most pixels */
#define FRONT_BITS 44        /* opacity that proves nearly all pixels: see docs/kernels.md */
#define AT_CORNERS 4         /* times that for corners, where a scene is a quarter as dense */
#define DENSE_BITS 32        /* opacity of the scene, in halvings, from which nearest first pays */
#define SMALL_COVER 64       /* samples, up to which a circle marks them faster than they test it */
#define COARSE_CIRCLES 32768 /* from which finer lines of the bit matrix cost more than they save */
#define MANY_WORDS 1024      /* of the bit matrix, from which a tile's walk costs more than lists */

#define PARTS 256                     /* into which loops over all circles are cut */
#define THREAD_CIRCLES ((size_t)4096) /* for which another thread is not worth waking */

/* What the whole scene, or a part of it, tells about rendering it. */
struct summary {
    double circles;     /* whose center lies in the scene's rows of the image; of these: */
    double bits;        /* mean opacity of a pixel in halvings of what is behind: 1 for alpha 0.5 */
    double cover;       /* samples that they cover */
    double diameters;   /* of all of them, in samples; of parts only */
    double least_alpha; /* above 0 */
    float low[3], high[3];
};

/* Circles of a scene from `first` to `end`, in PARTS parts. */
struct parts {
    struct circles *c;
    size_t first, end;
    struct summary summary[PARTS];
    size_t entries[PARTS];
};

static size_t part_begin(const struct parts *parts, int64_t part)
{
    return parts->first + (parts->end - parts->first) * (size_t)part / PARTS;
}

/* Does a function for every part, by as many threads as it pays for. */
static void for_parts(struct run *run, struct parts *parts, team_function *function)
{
    const size_t worth = 1 + (parts->end - parts->first) / THREAD_CIRCLES;
    const int threads = run->device.threads;
    device_for(
        &run->device, worth < (size_t)threads ? (int)worth : threads, PARTS, function, parts);
}

/* -log2(1 - alpha), close enough, finite at 1. */
static double opacity_bits(double alpha)
{
    return 1.5 * alpha / (1 - alpha / 2);
}

/* fmin and fmax, which handle NaN, would take most of the time here; no circle has NaN. */
static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Widens low and high to hold a value. */
static void include(float *low, float *high, float value)
{
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

/* Rows of samples for which the scene has all circles. */
static uint32_t scene_rows(const struct circles *c)
{
    return c->scene_end - c->scene_begin;
}

/* Widens the summary of a part by its circles. */
static void summarize_part(void *context, int64_t part)
{
    struct parts *parts = context;
    const struct circles *c = parts->c;
    struct summary summary = parts->summary[part];
    const struct scene *scene = &c->scene;
    const size_t end = part_begin(parts, part + 1);
    const double side = c->columns > c->rows ? c->columns : c->rows;
    const double area = (double)c->columns * scene_rows(c) / (side * side);
    const float half_width = (float)(c->columns / side / 2);
    const float top = (float)(0.5 + (c->rows / 2.0 - c->scene_begin) / side);
    const float bottom = (float)(0.5 + (c->rows / 2.0 - c->scene_end) / side);
    const double share = scene->soft ? 0.25 : 1;     /* mean of exp(-4 d^2) over a disc */
    const float darkest = scene->soft ? 0.8f : 1.0f; /* of the soft colors */
    for (size_t i = part_begin(parts, part); i < end; i++) {
        const struct circle *circle = &scene->circles[i];
        const int white = c->paints_alpha;
        const float color[3] = {
            white ? 1 : circle->red, white ? 1 : circle->green, white ? 1 : circle->blue};
        const double disc = least(3.14159265 * circle->r * circle->r, area);
        if (circle->alpha == 0)
            continue; /* changes nothing */
        for (int j = 0; j < 3; j++) {
            include(&summary.low[j], &summary.high[j], color[j]);
            include(&summary.low[j], &summary.high[j], darkest * color[j]);
        }
        summary.least_alpha = least(summary.least_alpha, circle->alpha);
        if (fabsf(circle->x - 0.5f) > half_width || circle->y > top || circle->y < bottom)
            continue;
        summary.circles++;
        summary.bits += disc / area * opacity_bits(share * circle->alpha);
        summary.cover += disc * side * side;
        summary.diameters += least(2 * circle->r * side, side);
    }
    parts->summary[part] = summary;
}

/* A component of the background where it has risen by that share of the rise, as it is painted. */
static float behind(const struct circles *c, int component, float up)
{
    const struct scene *scene = &c->scene;
    const float alpha = 1 - scene->transmittance;
    const float color = scene->background[component] + scene->rise[component] * up;
    return c->paints_alpha ? alpha : alpha * color;
}

/* Of all circles, and of each part. Sums of floats depend on their order, so parts do not depend on
 * the threads. */
static struct summary summarize(struct run *run, struct circles *c, struct parts *parts)
{
    struct summary all = {.least_alpha = 1};
    for (int i = 0; i < 3; i++) {
        all.low[i] = fminf(behind(c, i, 0), behind(c, i, 1));
        all.high[i] = fmaxf(behind(c, i, 0), behind(c, i, 1));
    }
    for (int part = 0; part < PARTS; part++)
        parts->summary[part] = all;
    for_parts(run, parts, summarize_part);
    for (int part = 0; part < PARTS; part++) {
        const struct summary *summary = &parts->summary[part];
        all.circles += summary->circles;
        all.bits += summary->bits;
        all.cover += summary->cover;
        all.least_alpha = least(all.least_alpha, summary->least_alpha);
        for (int i = 0; i < 3; i++) {
            include(&all.low[i], &all.high[i], summary->low[i]);
            include(&all.low[i], &all.high[i], summary->high[i]);
        }
    }
    memcpy(c->low, all.low, sizeof(c->low));
    memcpy(c->high, all.high, sizeof(c->high));
    if (c->scene.soft)
        all.least_alpha *= 0.018; /* exp(-4) */
    return all;
}

/* Widens low and high by what rounding can add: a step from v stays within alpha c + (1 - alpha) v,
 * up to 4 roundings of the largest value, and what they add fades by 1 - alpha a step. */
static void set_bounds(struct circles *c, double least_alpha)
{
    const double steps = fmin((double)c->scene.count, 1 / least_alpha);
    double largest = 1, widest = 0;
    for (int i = 0; i < 3; i++)
        largest = fmax(largest, fmax(fabs(c->low[i]), fabs(c->high[i])));
    for (int i = 0; i < 3; i++) {
        c->low[i] -= (float)(largest * steps * 0x1p-22);
        c->high[i] += (float)(largest * steps * 0x1p-22);
        widest = fmax(widest, (double)c->high[i] - c->low[i]);
    }
    /* With u = 2^-24, half of the last place: a sum of n terms alpha color transmittance differs
     * from the exact one by less than (n + 2) u largest. The reference's value differs by the sum
     * of (2 j + 1) u alpha color transmittance over its terms j, less than u largest (1 + 2 times
     * the sum of the transmittances), which is at most n and at most 1 / alpha. What remains
     * behind, the comparison, the sum's start and the reference's multiplication by 255 add less
     * than 10, and the bound itself less than 3. A hundredth covers squares of u.
     * Soft circles: the reference rounds 1 - alpha, too, which makes it (2 + 1/2) times the sum of
     * the transmittances; they are added up with the terms. With alpha wrong by a share e and the
     * color by e / 8, a sum is wrong by
     *   alpha e |color - what is behind| + alpha color e / 8 <= alpha e (widest + largest / 8)
     * a term, times its transmittance; and the sum of alpha transmittance is at most 1. */
    c->slack = (float)(255 * 1.01 * 0x1p-24 * largest);
    c->limit = 0.5f - 13 * c->slack;
    if (c->scene.soft)
        c->limit -= (float)(255 * 1.01 * SOFT_ERROR * (widest + largest / 8));
    c->slack_most = (float)(2 / least_alpha);
    c->terms_a_halving = least_alpha < 1 ? (float)(-1.01 * log(2) / log1p(-least_alpha)) : 1;
    c->check_below = (float)(0.25 / (255 * widest)); /* where looks begin to succeed */
}

/* How screen tiles come by their circles, and the bins for it: walking the bit matrix costs by the
 * circles walked, making it by circles and lines; lists cost by their entries, and a screen tile
 * reads all of its bin's. */
static void set_bins(struct circles *c, double bits)
{
    c->fitted_end = 0;
    /* At the corners the scene is a quarter as dense. */
    const double share = c->takes_nearest ? fmin(1, AT_CORNERS * PROVEN_BITS / bits) : 1;
    c->from = (double)c->scene.count / 32 * share <= MANY_WORDS ? FROM_MATRIX : FROM_LISTS;
    const uint32_t longest = c->columns > c->band_rows ? c->columns : c->band_rows;
    const uint32_t tiles = (longest + TILE - 1) / TILE;
    /* Of lists of circles that are not small, few entries are read before all is proven. */
    const int is_coarse = c->from == FROM_MATRIX
                              ? c->scene.count > COARSE_CIRCLES
                              : c->takes_nearest && bits >= DENSE_BITS && !c->small;
    const uint32_t lines = is_coarse ? BIN_LINES / 2 : BIN_LINES;
    for (c->bin_shift = 0; lines << c->bin_shift < tiles; c->bin_shift++)
        ;
    c->bin_size = (uint32_t)TILE << c->bin_shift;
    c->bin_columns = (c->columns + c->bin_size - 1) / c->bin_size;
    c->bin_rows = (c->band_rows + c->bin_size - 1) / c->bin_size;
}

/* How many circles, from the nearest on, hide what is behind them nearly everywhere, and how many
 * entries of a list: a circle's box reaches into (1 + its side / the bin's)^2 bins. */
static void set_front(const struct run *run, struct circles *c, const struct parts *parts)
{
    const double bin = c->bin_size, bins = (double)c->columns * scene_rows(c) / (bin * bin);
    double bits = 0, entries = 0;
    c->front = c->scene.count;
    c->most = ALL_ENTRIES;
    /* A snapshot shows what all circles take, in one pass. */
    if (!c->takes_nearest || c->options.method != METHOD_FAST || c->is_small_scene || run->snapshot)
        return;
    for (int part = PARTS - 1; part >= 0 && c->front == c->scene.count; part--) {
        const struct summary *own = &parts->summary[part];
        bits += own->bits;
        entries +=
            own->circles + 2 * own->diameters / bin + 4 / 3.14159265 * own->cover / (bin * bin);
        if (c->from == FROM_LISTS && bits >= FRONT_BITS && c->most == ALL_ENTRIES)
            c->most = (uint32_t)least(entries / bins + 1, 1 << 28); /* room to double it */
        if (bits >= AT_CORNERS * FRONT_BITS)
            c->front = c->scene.count - part_begin(parts, part);
    }
}

void circles_forget_places(struct circles *c)
{
    free(c->places);
    c->places = NULL;
}

/* x of every column, y of every row, background of every row: see scenes/scene.h. */
static int make_places(struct run *run, struct circles *c)
{
    const uint32_t columns = c->columns, rows = c->rows;
    const float side = (float)(columns > rows ? columns : rows);
    const size_t size = ((size_t)columns + 4 * (size_t)rows) * sizeof(float);
    circles_forget_places(c);
    c->places = malloc(size);
    c->places_alpha = c->paints_alpha;
    if (!c->places)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for an image's rows");
    for (uint32_t i = 0; i < columns; i++)
        c->places[i] = ((float)i + 0.5f + (side - (float)columns) / 2) / side;
    for (uint32_t i = 0; i < rows; i++) {
        const float up = (float)(rows - i) / (float)rows;
        c->places[columns + i] = ((float)(rows - 1 - i) + 0.5f + (side - (float)rows) / 2) / side;
        for (int j = 0; j < 3; j++)
            c->places[columns + rows + 3 * i + j] = behind(c, j, up);
    }
    const int rc = run_buffer(run, &c->places_buffer, size, c->places);
    return rc ? rc : buffer_upload(&c->places_buffer, c->places, size, &run->error);
}

/* Bins that a circle's box can touch. */
static size_t count_entries(const struct circles *c, const struct circle *circle)
{
    const double side = c->columns > c->rows ? c->columns : c->rows;
    const double margin = reach_margin(circle, side);
    const double across = (2 * circle->r * side + 2 * margin) / c->bin_size + 2;
    const double columns = least(across, c->bin_columns), rows = least(across, c->bin_rows);
    return (size_t)(columns * rows);
}

uint32_t circles_of_group(const struct circles *c, size_t count, const struct device_info *device)
{
    const size_t groups = (size_t)LIST_UNIT_GROUPS * (device->units ? device->units : 1);
    const size_t share = (count / groups / LIST_GROUP + 1) * LIST_GROUP;
    /* Beyond that there are more groups than run at once anyway. */
    const size_t most = c->small ? LIST_GPU_SMALL : LIST_GPU_CIRCLES;
    return !device->is_gpu ? LIST_CPU_CIRCLES : share <= most ? (uint32_t)share : LIST_GPU_CIRCLES;
}

/* On the device, without its entries in lists: as the scene has it, geometry and paint, its range,
 * its bits, its share of the counts. */
static size_t circle_bytes(const struct circles *c)
{
    return 64 + 4 + 2 * BIN_LINES / 8 +
           4 * LIST_GROUP_WORDS(BIN_LINES * BIN_LINES) / c->group_circles + 1;
}

/* Of so many rows of samples that fit the device: all of a strip, or whole steps, or 0. */
static uint32_t choose_band_rows(const struct circles *c, uint64_t rows, uint64_t step)
{
    const uint64_t strip = (uint64_t)c->strip_rows * c->result.samples;
    const uint64_t most = BAND_SAMPLES / c->columns > step ? BAND_SAMPLES / c->columns : step;
    if (rows > most)
        rows = most;
    if (rows > BAND_ROWS)
        rows = BAND_ROWS;
    rows = strip <= rows ? strip : rows / step * step;
    return rows * c->columns > UINT32_MAX / 2 ? 0 : (uint32_t)rows;
}

static void count_part(void *context, int64_t part)
{
    struct parts *parts = context;
    const size_t end = part_begin(parts, part + 1);
    size_t entries = 0;
    for (size_t i = part_begin(parts, part); i < end; i++)
        entries += count_entries(parts->c, &parts->c->scene.circles[i]);
    parts->entries[part] = entries;
}

size_t circles_fit_chunk(struct run *run, struct circles *c, size_t first)
{
    if (c->fitted_end && c->fitted_first == first)
        return c->fitted_end;
    const struct scene *scene = &c->scene;
    const int has_lists = c->from == FROM_LISTS;
    struct parts parts = {.c = c, .first = first, .end = scene->count};
    size_t end = scene->count, entries = 0;
    if (has_lists)
        for_parts(run, &parts, count_part);
    for (int part = 0; part < PARTS; part++)
        entries += parts.entries[part];
    /* All of them, or as many as fit. */
    if ((end - first) * circle_bytes(c) + 4 * entries > c->chunk_bytes) {
        size_t bytes = 0;
        for (end = first, entries = 0; end < scene->count; end++) {
            const size_t own = has_lists ? count_entries(c, &scene->circles[end]) : 0;
            bytes += circle_bytes(c) + 4 * own;
            if (bytes > c->chunk_bytes && end > first)
                break;
            entries += own;
        }
    }
    c->entries = entries;
    c->fitted_first = first;
    c->fitted_end = end;
    return end;
}

/* Whether circles that hide nearly all that is behind them, or all there are, fit the device at
 * once, with their lists. Else there are chunks, and behind one that is painted nothing is
 * proven. */
static int front_fits(struct run *run, struct circles *c)
{
    return circles_fit_chunk(run, c, c->scene.count - c->front) == c->scene.count;
}

/* Decides whether the nearest circles are taken first, which pays where they hide much. */
static void choose_order(struct run *run, struct circles *c, double bits, const struct parts *parts)
{
    /* Soft circles are sooner added up than painted by a GPU, where its items replay the few pixels
     * that this leaves open together (REPLAYS_TOGETHER of shade_tile.h). */
    const int adds_soft = run->device.info.is_gpu && run->device.backend->skips_sync;
    c->takes_nearest = bits >= DENSE_BITS || (c->scene.soft && adds_soft);
    c->is_small_scene = c->scene.count <= (c->takes_nearest ? FEW_NEAREST : FEW_CIRCLES);
    set_bins(c, bits);
    set_front(run, c, parts);
    if (c->takes_nearest && !front_fits(run, c)) {
        c->takes_nearest = 0;
        set_bins(c, bits);
        set_front(run, c, parts);
    }
}

/* Says in how many parts the work goes, where it is more than one. */
static void tell_parts(struct run *run, struct circles *c)
{
    const uint32_t bands = (c->rows + c->band_rows - 1) / c->band_rows;
    size_t chunks = 0;
    size_t first = c->scene.count - c->front;
    for (; run->wants_detail && first < c->scene.count; chunks++)
        first = circles_fit_chunk(run, c, first);
    if (bands > 1 || chunks > 1)
        run_notice(run, 0, "bands of the image: %u, chunks of the scene: %zu", bands, chunks);
}

int circles_plan(struct run *run, struct circles *c)
{
    const struct device_info *device = &run->device.info;
    uint64_t memory = c->options.device_memory ? c->options.device_memory
                      : device->memory         ? (uint64_t)device->memory / 4 * 3
                                               : (uint64_t)1 << 30;
    c->columns = c->result.width * c->result.samples;
    c->rows = c->result.height * c->result.samples;
    /* A sample, what is painted of it between chunks, its hits, and the pixel. */
    const uint64_t row_bytes = (uint64_t)c->columns * (4 + 16 + 4 + 4);
    const uint64_t step = (uint64_t)TILE * c->result.samples;
    const uint64_t tables =
        4 * (c->columns + 4 * (uint64_t)c->rows + LIST_WORDS * BIN_LINES * BIN_LINES + 1);
    const uint64_t fewest = tables + 2 * step * row_bytes;
    if (c->options.memory && !device->is_gpu &&
        !c->options.device_memory) /* it is the same memory */
        memory = fewest > c->options.memory / 4   ? fewest
                 : memory > c->options.memory / 4 ? c->options.memory / 4
                                                  : memory;
    const uint64_t half = memory > tables ? (memory - tables) / 2 : 0;
    c->band_rows = choose_band_rows(c, half / row_bytes, step);
    if (c->band_rows == 0)
        return error_set(&run->error, ERROR_INPUT,
            "%u rows of %u samples need %llu bytes of device memory, and it has %llu; give more, "
            "or make the image smaller",
            (unsigned)step, c->columns, (unsigned long long)fewest, (unsigned long long)memory);
    c->chunk_bytes = half < MAX_CHUNK_BYTES ? half : MAX_CHUNK_BYTES;
    struct parts parts = {.c = c, .end = c->scene.count};
    const struct summary summary = summarize(run, c, &parts);
    c->small = !c->scene.soft && summary.cover < SMALL_COVER * summary.circles;
    c->group_circles = circles_of_group(c, c->scene.count, &run->device.info);
    c->most_groups = c->chunk_bytes / circle_bytes(c) / c->group_circles;
    set_bounds(c, summary.least_alpha);
    choose_order(run, c, summary.bits, &parts);
    const int tries_all = c->is_small_scene && circles_fit_chunk(run, c, 0) == c->scene.count;
    run_notice(run, 0,
        "the circles over a pixel cover as much as %.1f layers of opacity 1/2; painting %s; "
        "circles are found by %s",
        summary.bits,
        c->takes_nearest && !tries_all ? "nearest first until bytes are proven"
                                       : "all circles, farthest first",
        tries_all                ? "trying them all"
        : c->from == FROM_MATRIX ? "a bit matrix"
                                 : "a list for each bin");
    const int has_places = c->places && c->places_buffer.memory;
    int rc = 0;
    if (!has_places || c->places_alpha != c->paints_alpha)
        rc = make_places(run, c);
    if (rc == 0)
        tell_parts(run, c);
    return rc;
}
