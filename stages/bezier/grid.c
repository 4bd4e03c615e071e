#include "stages/bezier/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "stages/bezier/batch.h"
#include "stages/bezier/grid_halvings.h"

#define MAX_HALVINGS 15         /* of a side: so many cells are below BEZIER_MAX_RESOLUTION */
#define END_STEPS 4096.0        /* in the size of the model */
#define PARALLEL_CONTROLS 16384 /* fewer are done before other threads wake up */

/* A side: the places of its ends and how often it is halved into cells. Places are rounded, since
 * patches with other weights have them only nearly; sides that are taken for one another get finer
 * grids. */
struct side {
    double ends[6]; /* of both, in steps; the smaller one first */
    uint32_t halvings;
    int is_used; /* a slot of the table */
};

int grids_follow_view(const struct bezier *b)
{
    const struct bezier_options *o = &b->options;
    return b->raster.view.radius > 0 && o->resolution_u == 0 && !o->drawing.has_lines &&
           o->animation != ANIMATE_RESOLUTION;
}

/* The numbers of the control points at the ends of a side: of a tensor product u = 0, u = 1, v = 0,
 * v = 1; of a triangle u = 0, v = 0, w = 0. */
static void find_ends(const struct patch *patch, int side, size_t ends[2])
{
    const size_t u = (size_t)patch->degree_u, v = (size_t)patch->degree_v;
    const size_t corners[4] = {0, v, u * (v + 1), u * (v + 1) + v};
    static const int TENSOR[4][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}};
    const size_t last = patch->control_count - 1; /* of a triangle, where u = 1 */
    const size_t triangle[3][2] = {{0, v}, {0, last}, {last, v}};
    for (int i = 0; i < 2; i++)
        ends[i] = patch_is_triangle(patch) ? triangle[side][i] : corners[TENSOR[side][i]];
}

static struct side make_side(const struct bezier *b, const struct patch *patch, int side)
{
    struct side made = {.is_used = 1};
    double size = 0;
    size_t ends[2];
    for (int c = 0; c < 3; c++)
        size = fmax(size, b->high[c] - b->low[c]);
    find_ends(patch, side, ends);
    for (size_t i = 0; i < 2; i++) {
        const double *const p = b->controls[patch->control + ends[i]];
        for (size_t c = 0; c < 3; c++)
            made.ends[3 * i + c] =
                size > 0 ? floor((p[c] / p[3] - b->low[c]) / size * END_STEPS + 0.5) : 0;
    }
    if (memcmp(made.ends, made.ends + 3, sizeof(made.ends) / 2) > 0) {
        const struct side other = made;
        memcpy(made.ends, other.ends + 3, sizeof(made.ends) / 2);
        memcpy(made.ends + 3, other.ends, sizeof(made.ends) / 2);
    }
    return made;
}

/* Where the table has a side with the same ends, or room for it. Its size is a power of two. */
static struct side *find_side(struct side *table, size_t size, const struct side *side)
{
    uint64_t hash = 0;
    for (int i = 0; i < 6; i++) {
        uint64_t bits;
        memcpy(&bits, &side->ends[i], sizeof(bits));
        bits ^= hash;
        hash = random_bits(&bits);
    }
    size_t slot = hash & (size - 1);
    while (table[slot].is_used && memcmp(table[slot].ends, side->ends, sizeof(side->ends)) != 0)
        slot = (slot + 1) & (size - 1);
    return &table[slot];
}

static int side_count(const struct patch *patch)
{
    return patch->kind == KIND_POLYHEDRON ? 0 : patch_is_triangle(patch) ? 3 : 4;
}

/* The direction that a side runs along: 0 is u, 1 is v. A triangle's have the same count. */
static int side_direction(int side)
{
    return side < 2;
}

/* The halvings that a patch needs by itself along a direction, as far as `most` allows. */
static uint32_t need_of(const uint8_t need[2], int direction, unsigned most)
{
    return need[direction] < most ? need[direction] : most;
}

/* Enters into the table, for each side, the most that one of the patches that have it needs. */
static void enter_sides(const struct bezier *b, const uint8_t (*needs)[2], unsigned most,
    struct side *table, size_t size)
{
    for (size_t i = 0; i < b->patches.count; i++) {
        const struct patch *const patch = &b->patches.patches[i];
        for (int k = 0; k < side_count(patch); k++) {
            struct side own = make_side(b, patch, k);
            struct side *const side = find_side(table, size, &own);
            own.halvings = need_of(needs[i], side_direction(k), most);
            if (!side->is_used || side->halvings < own.halvings)
                *side = own;
        }
    }
}

/* Gives a patch the halvings that it or one of its sides needs. */
static void set_grid(const struct bezier *b, size_t number, const uint8_t need[2], unsigned most,
    struct side *table, size_t size)
{
    const struct patch *const patch = &b->patches.patches[number];
    struct patch_grid *const grid = &b->grids[number];
    uint32_t halvings[2] = {need_of(need, 0, most), need_of(need, 1, most)}, sides[4] = {0};
    for (int k = 0; k < side_count(patch); k++) {
        const struct side own = make_side(b, patch, k);
        const int direction = side_direction(k);
        sides[k] = find_side(table, size, &own)->halvings;
        halvings[direction] = halvings[direction] > sides[k] ? halvings[direction] : sides[k];
    }
    if (patch_is_triangle(patch))
        halvings[0] = halvings[1] = halvings[0] > halvings[1] ? halvings[0] : halvings[1];
    *grid = (struct patch_grid){(1U << halvings[0]) + 1, (1U << halvings[1]) + 1, {0}};
    for (int k = 0; k < 4; k++)
        grid->steps[k] = 1U << (halvings[side_direction(k)] - sides[k]);
}

/* Sets all grids with at most so many halvings of a side. Gives whether they are within the
 * limits. */
static int set_grids(
    struct run *run, struct bezier *b, const uint8_t (*needs)[2], unsigned most, int *is_within)
{
    uint64_t points = 0, sums = 0, numbers = 0;
    size_t size = 8;
    while (size < 8 * b->patches.count)
        size *= 2;
    struct side *const table = calloc(size, sizeof(*table));
    if (!table)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the sides of patches");
    enter_sides(b, needs, most, table, size);
    for (size_t i = 0; i < b->patches.count; i++) {
        const struct patch *const patch = &b->patches.patches[i];
        struct batch batch = batch_new(patch);
        struct basis tables[2];
        if (patch->kind == KIND_POLYHEDRON)
            continue;
        set_grid(b, i, needs[i], most, table, size);
        batch_lay_out(&batch, &b->grids[i]);
        batch_tables(b, &batch, tables);
        points += (uint64_t)batch.rows * batch.columns;
        sums += (uint64_t)batch.rows * batch.columns * patch->control_count;
        for (int k = 0; k < 2; k++)
            numbers = basis_numbers(&tables[k]) > numbers ? basis_numbers(&tables[k]) : numbers;
    }
    free(table);
    *is_within =
        points <= GRID_VIEW_POINTS && sums <= GRID_VIEW_SUMS && numbers <= GRID_VIEW_NUMBERS;
    return 0;
}

static int choose_seen(struct run *run, struct bezier *b)
{
    const size_t count = b->patches.count;
    uint8_t(*const needs)[2] = malloc(count * sizeof(*needs));
    unsigned most = 0, allowed;
    int rc = 0, is_within = 0;
    if (!needs)
        return error_set(&run->error, ERROR_INPUT, "not enough memory for the grids of patches");
#pragma omp parallel for schedule(dynamic) if (b->patches.control_count >= PARALLEL_CONTROLS)
    for (size_t i = 0; i < count; i++) {
        unsigned halvings[2] = {0, 0};
        if (b->patches.patches[i].kind != KIND_POLYHEDRON)
            patch_halvings(b, &b->patches.patches[i], MAX_HALVINGS, halvings);
        needs[i][0] = (uint8_t)halvings[0];
        needs[i][1] = (uint8_t)halvings[1];
    }
    for (size_t i = 0; i < 2 * count; i++)
        most = needs[i / 2][i % 2] > most ? needs[i / 2][i % 2] : most;
    for (allowed = most + 1; rc == 0 && !is_within && allowed > 0; allowed--)
        rc = set_grids(run, b, (const uint8_t(*)[2])needs, allowed - 1, &is_within);
    if (rc == 0 && allowed < most && !(b->warned & WARNED_OF_GRID)) {
        run_notice(run, 1,
            "the view asks for a finer grid than can be drawn; patches have at most %u cells a "
            "side, so that corners may show; lower the zoom or the size",
            1U << allowed);
        b->warned |= WARNED_OF_GRID;
    }
    free(needs);
    return rc;
}

struct patch_grid grid_given(const struct patch *patch, uint32_t points_u, uint32_t points_v)
{
    return (struct patch_grid){
        points_u, patch_is_triangle(patch) ? points_u : points_v, {1, 1, 1, 1}};
}

int grids_choose(struct run *run, struct bezier *b)
{
    const uint32_t u = (uint32_t)frame_points_u(b, b->frame);
    const uint32_t v = (uint32_t)frame_points_v(b, b->frame);
    b->result.points_u = b->result.points_v = 0;
    for (size_t i = 0; i < b->patches.count; i++)
        b->grids[i] = grid_given(&b->patches.patches[i], u, v);
    const int rc = grids_follow_view(b) ? choose_seen(run, b) : 0;
    for (size_t i = 0; i < b->patches.count; i++) {
        const struct patch_grid *const grid = &b->grids[i];
        if (grid->points_u > b->result.points_u)
            b->result.points_u = grid->points_u;
        if (grid->points_v > b->result.points_v)
            b->result.points_v = grid->points_v;
    }
    return rc;
}

/* The number of the point that stands for that of row i and column j of a tensor product. */
static size_t tensor_point(const struct patch_grid *grid, uint32_t i, uint32_t j)
{
    const uint32_t *const steps = grid->steps;
    if (i == 0 || i == grid->points_u - 1)
        j -= j % steps[i == 0 ? 0 : 1];
    if (j == 0 || j == grid->points_v - 1)
        i -= i % steps[j == 0 ? 2 : 3];
    return (size_t)i * grid->points_v + j;
}

/* The same of a triangle. On each side it is the next one toward the corner from which the side
 * before it comes, so that at no corner both lead away from it, which would turn a triangle
 * over. */
static size_t triangle_point(const struct patch_grid *grid, uint32_t i, uint32_t j)
{
    const uint32_t last = grid->points_u - 1;
    if (i == 0) {
        j = (j + grid->steps[0] - 1) / grid->steps[0] * grid->steps[0];
    } else if (j == 0) {
        i -= i % grid->steps[1];
    } else if (i + j == last) {
        j -= j % grid->steps[2];
        i = last - j;
    }
    return (size_t)i * grid->points_u - (size_t)i * (i - 1) / 2 + j;
}

static struct mesh_triangle triangle_of(
    size_t first, const size_t points[3], uint32_t group, uint32_t lines)
{
    return (struct mesh_triangle){{(uint32_t)(first + points[0]), (uint32_t)(first + points[1]),
                                      (uint32_t)(first + points[2])},
        group, lines};
}

struct mesh_triangle *grid_triangles(const struct batch *batch, const struct patch_grid *grid,
    size_t first, uint32_t group, struct mesh_triangle *to)
{
    const uint32_t last_u = grid->points_u - 1, last_v = grid->points_v - 1;
    for (uint32_t i = 0; !batch->is_triangle && i < last_u; i++)
        for (uint32_t j = 0; j < last_v; j++) { /* the diagonal is no line */
            const size_t a = tensor_point(grid, i, j), b = tensor_point(grid, i + 1, j);
            const size_t c = tensor_point(grid, i + 1, j + 1), d = tensor_point(grid, i, j + 1);
            *to++ = triangle_of(first, (size_t[]){a, b, c}, group, 1 | 2);
            *to++ = triangle_of(first, (size_t[]){a, c, d}, group, 2 | 4);
        }
    for (uint32_t i = 0; batch->is_triangle && i < last_u; i++)
        for (uint32_t j = 0; i + j < last_u; j++) {
            const size_t a = triangle_point(grid, i, j), b = triangle_point(grid, i + 1, j);
            const size_t d = triangle_point(grid, i, j + 1);
            *to++ = triangle_of(first, (size_t[]){a, b, d}, group, 7);
            if (i + j + 1 < last_u)
                *to++ = triangle_of(
                    first, (size_t[]){d, b, triangle_point(grid, i + 1, j + 1)}, group, 7);
        }
    return to;
}
