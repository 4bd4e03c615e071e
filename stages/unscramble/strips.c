/* STRIPS: takes the pixels along the edges of the tiles, from sRGB to CIE Lab by IEC 61966-2-1 and
 * CIE 15, white point D65. */
#include "stages/unscramble/strips.h"

#include <stdlib.h>

#include "stages/unscramble/unscramble.h"

/* The n-th root by Newton's method from above, which ends where it no longer falls. */
static double root(double x, int n)
{
    if (x <= 0)
        return 0;
    double r = 1 + x;
    for (;;) {
        double power = 1;
        for (int i = 1; i < n; i++)
            power *= r;
        const double next = r - (r - x / power) / n;
        if (next >= r)
            return r;
        r = next;
    }
}

/* The linear light of an sRGB value in [0, 1]. x^2.4 = x^2 * (x^2)^(1/5). */
static double linear_light(double v)
{
    if (v <= 0.04045)
        return v / 12.92;
    const double x = (v + 0.055) / 1.055;
    return x * x * root(x * x, 5);
}

#define CUBE_STEPS 4096

/* The function f of Lab, from a table of [0, 1] with straight lines between; more than close enough
 * for steps of 1 / LAB_SCALE above the line near 0. */
static double lab_function(const double *table, double t)
{
    if (t <= 216.0 / 24389)
        return (24389.0 / 27 * t + 16) / 116;
    const double x = (t < 1 ? t : 1) * CUBE_STEPS;
    const int i = x < CUBE_STEPS ? (int)x : CUBE_STEPS - 1;
    return table[i] + (table[i + 1] - table[i]) * (x - i);
}

static int16_t lab_step(double x)
{
    return (int16_t)(x * LAB_SCALE + (x < 0 ? -0.5 : 0.5));
}

struct tables {
    double cube[CUBE_STEPS + 1];
    double light[65536];
};

static void convert(
    const struct tables *tables, const struct image *image, int x, int y, int16_t *lab, int step)
{
    const size_t at = ((size_t)y * (size_t)image->width + (size_t)x) * 4;
    double c[3];
    for (size_t i = 0; i < 3; i++)
        c[i] = tables->light[image_sample(image, at + i)];
    const double fx = lab_function(
        tables->cube, (0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047);
    const double fy =
        lab_function(tables->cube, 0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2]);
    const double fz = lab_function(
        tables->cube, (0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883);
    lab[0] = lab_step(116 * fy - 16);
    lab[step] = lab_step(500 * (fx - fy));
    lab[2 * step] = lab_step(200 * (fy - fz));
}

int strips_make(const struct tiling *tiling, struct strips *strips, struct error *error)
{
    const struct image *image = tiling->image;
    const int width = inner_width(tiling), height = inner_height(tiling);
    *strips = (struct strips){.tiles = tiling->columns * tiling->rows, .length = {height, width}};
    struct tables *tables = malloc(sizeof(*tables));
    for (int i = 0; i < 2; i++)
        strips->value[i] =
            malloc((size_t)strips->tiles * 12 * (size_t)strips->length[i] * sizeof(int16_t));
    if (!tables || !strips->value[0] || !strips->value[1]) {
        free(tables);
        strips_free(strips);
        return error_set(error, ERROR_INPUT, "not enough memory for the edges of the tiles");
    }
    const int levels = image->depth == 16 ? 65536 : 256;
    for (int i = 0; i <= CUBE_STEPS; i++)
        tables->cube[i] = root(i / (double)CUBE_STEPS, 3);
#pragma omp parallel for
    for (int i = 0; i < levels; i++)
        tables->light[i] = linear_light(i / (double)(levels - 1));
#pragma omp parallel for
    for (int tile = 0; tile < strips->tiles; tile++)
        for (int side = 0; side < 4; side++)
            for (int depth = 0; depth < 2; depth++) {
                const int length = strips->length[side & 1];
                const int across = side & 1 ? height : width;
                const int d = depth < across ? depth : across - 1;
                int16_t *strip = (int16_t *)strip_of(strips, 4 * tile + side, depth);
                for (int k = 0; k < length; k++) {
                    if (k == 0 || !(side & 1)) /* of a side that stands, each pixel is in a row */
                        image_pass_row(image);
                    const int at[4][2] = {{d, height - 1 - k}, {k, d}, {width - 1 - d, k},
                        {width - 1 - k, height - 1 - d}};
                    convert(tables, image, inner_left(tiling, tile) + at[side][0],
                        inner_top(tiling, tile) + at[side][1], strip + k, length);
                }
            }
    free(tables);
    return 0;
}

void strips_free(struct strips *strips)
{
    free(strips->value[0]);
    free(strips->value[1]);
    *strips = (struct strips){0};
}

/* A number of a strip, at `depth`, as it is seen. */
static int16_t see(enum view view, int channel, int16_t outer, int16_t inner, int depth)
{
    const int16_t own = depth ? inner : outer;
    switch (view) {
    case AS_LUMINANCE:
        return channel ? inner / COLOR_PART : own;
    case AS_GAP:
        return (int16_t)(outer + GAP_STEPS * (own - outer));
    default:
        return own;
    }
}

int strips_see(
    const struct strips *strips, enum view view, struct strips *seen, struct error *error)
{
    *seen = *strips;
    for (int i = 0; i < 2; i++)
        seen->value[i] =
            malloc((size_t)strips->tiles * 12 * (size_t)strips->length[i] * sizeof(int16_t));
    if (!seen->value[0] || !seen->value[1]) {
        strips_free(seen);
        return error_set(error, ERROR_INPUT, "not enough memory for the edges of the tiles");
    }
#pragma omp parallel for
    for (int edge = 0; edge < 4 * strips->tiles; edge++) {
        const int length = strips->length[edge & 1];
        const int16_t *outer = strip_of(strips, edge, 0), *inner = strip_of(strips, edge, 1);
        int16_t *to = (int16_t *)strip_of(seen, edge, 0);
        for (int i = 0; i < 6 * length; i++) {
            const int at = i % (3 * length);
            to[i] = see(view, at / length, outer[at], inner[at], i / (3 * length));
        }
    }
    return 0;
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
    const struct tiling tiling = unscramble_tiling(u);
    strips_free(&u->strips);
    u->turns = compared_turns(u);
    return strips_make(&tiling, &u->strips, &run->error);
}

const struct unscramble_stage STRIPS = {
    .stage = {"strips", "take the pixels along the edges of the tiles"},
    .run = strips_run,
};
