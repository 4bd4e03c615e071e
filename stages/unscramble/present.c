/* Which tiles of the puzzle are present, how large a solution of them may be, and whether they are
 * those of a page. */
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/unscramble.h"

/* How far the pixels of a tile that had one color are from it after JPEG: those inside, at most,
 * and those near the edges, on average. Of 6048 such tiles of photographs, of quality 60 to 95, 98
 * percent are within. The missing color is taken only from tiles whose inside JPEG has hardly
 * changed, as those of skies with a little noise are not. */
#define MOST_INSIDE 12
#define SURELY_INSIDE 2
#define MEAN_TRACE 12
#define SAME_COLOR 2 /* as a color that was given */

static int is_jpeg(const struct unscramble *u)
{
    return u->puzzle.jpeg.luminance > 0;
}

static uint32_t pixel_at(const struct image *image, uint32_t x, uint32_t y)
{
    const size_t at = ((size_t)y * (size_t)image->width + x) * 4;
    uint32_t pixel = 0;
    for (size_t c = 0; c < 3; c++)
        pixel = pixel << 8 | (uint32_t)image_sample_8(image, at + c);
    return pixel;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The most of the differences of red, green and blue. */
static uint32_t color_distance(uint32_t a, uint32_t b)
{
    int most = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const int difference = abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
        most = difference > most ? difference : most;
    }
    return (uint32_t)most;
}

/* The median of each color of a tile's pixels. */
static uint32_t median_color(const struct unscramble *u, uint32_t left, uint32_t top)
{
    uint32_t counts[3][256] = {{0}}, color = 0;
    for (uint32_t y = 0; y < u->tile_height; y++) {
        image_pass_row(&u->puzzle);
        for (uint32_t x = 0; x < u->tile_width; x++) {
            const uint32_t pixel = pixel_at(&u->puzzle, left + x, top + y);
            for (int c = 0; c < 3; c++)
                counts[c][pixel >> (16 - 8 * c) & 255]++;
        }
    }
    for (int c = 0; c < 3; c++) {
        uint32_t value = 0, sum = counts[c][0];
        while (2 * sum < u->tile_width * u->tile_height)
            sum += counts[c][++value];
        color = color << 8 | value;
    }
    return color;
}

/* Whether a tile of a JPEG file had one color: then it has traces of the tiles beside it, mostly as
 * far as a block of its colors reaches, and inside pixels differ by so much at most. */
static int was_flat(
    const struct unscramble *u, uint32_t left, uint32_t top, uint32_t most_inside, uint32_t *color)
{
    const uint32_t width = u->tile_width, height = u->tile_height;
    const uint32_t reach = smaller(2 * JPEG_BLOCK, smaller(width, height) / 3);
    uint64_t traces = 0, pixels = 0;
    *color = median_color(u, left, top);
    for (uint32_t y = 0; y < height; y++) {
        image_pass_row(&u->puzzle);
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t distance =
                color_distance(pixel_at(&u->puzzle, left + x, top + y), *color);
            if (smaller(smaller(x, width - 1 - x), smaller(y, height - 1 - y)) < reach) {
                traces += distance;
                pixels++;
            } else if (distance > most_inside) {
                return 0;
            }
        }
    }
    return traces <= MEAN_TRACE * pixels;
}

/* Whether the inner pixels of a tile have one color, which `color` gets: red, green and blue, 8
 * bits each; of a JPEG file, whether it had, and pixels inside differ by so much at most. */
static int is_flat(const struct unscramble *u, uint32_t tile, uint32_t most_inside, uint32_t *color)
{
    const struct tiling tiling = unscramble_tiling(u);
    const uint32_t width = (uint32_t)inner_width(&tiling),
                   left = (uint32_t)inner_left(&tiling, (int)tile);
    const uint32_t height = (uint32_t)inner_height(&tiling),
                   top = (uint32_t)inner_top(&tiling, (int)tile);
    if (is_jpeg(u))
        return was_flat(u, left - tiling.bleed, top - tiling.bleed, most_inside, color);
    *color = pixel_at(&u->puzzle, left, top);
    for (uint32_t y = 0; y < height; y++) {
        image_pass_row(&u->puzzle);
        for (uint32_t x = 0; x < width; x++)
            if (pixel_at(&u->puzzle, left + x, top + y) != *color)
                return 0;
    }
    return 1;
}

int unscramble_has_flat_tile(const struct unscramble *u)
{
    uint32_t color;
    for (uint32_t tile = 0; tile < grid_tiles(u->grid); tile++)
        if (is_flat(u, tile, SURELY_INSIDE, &color))
            return 1;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of an order that is given, the tiles that it places are present. */
static void take_present(struct unscramble *u)
{
    const struct permutation *p = &u->result.permutation;
    const uint32_t places = permutation_first(p, p->solutions);
    memset(u->present, 0, grid_tiles(u->grid));
    for (uint32_t place = 0; place < places; place++)
        if (p->placed[place].tile != NO_TILE)
            u->present[p->placed[place].tile] = 1;
}

static uint32_t missing_color(const struct unscramble *u)
{
    const struct color *missing = &u->options.missing;
    return (uint32_t)(missing->red << 16 | missing->green << 8 | missing->blue);
}

/* The color of flat tiles that is nearest to the one that was given, as far as JPEG may have
 * changed that. */
static uint32_t nearest_color(const struct unscramble *u, const uint32_t *flat, uint32_t flats)
{
    const uint32_t given = missing_color(u);
    uint32_t nearest = given, least = is_jpeg(u) ? SAME_COLOR + 1 : 1;
    for (uint32_t i = 0; i < flats; i++) {
        const uint32_t distance = color_distance(flat[i], given);
        if (distance < least) {
            least = distance;
            nearest = flat[i];
        }
    }
    return nearest;
}

/* The color of absent tiles where none was given, from the colors of flat tiles, which are sorted:
 * that in which empty places are painted, if any tile has it, else the one of most. Says so where
 * more tiles have another color. */
static uint32_t find_missing_color(
    struct run *run, const struct unscramble *u, const uint32_t *flat, uint32_t flats)
{
    const uint32_t painted = missing_color(u);
    uint32_t most = 0, of_most = 0, of_painted = 0;
    for (uint32_t i = 0, end; i < flats; i = end) {
        for (end = i; end < flats && flat[end] == flat[i]; end++)
            continue;
        if (end - i > of_most) {
            most = flat[i];
            of_most = end - i;
        }
        if (flat[i] == painted)
            of_painted = end - i;
    }
    const int is_asked = !u->tries_ways; /* the caller says that tiles are absent */
    if (of_painted && of_painted < of_most)
        run_notice(run, is_asked,
            "'%s' has %u tiles of the color %06x, which are taken for absent ones, and %u of %06x, "
            "which are not; if these are absent, name their color",
            u->options.input, of_painted, painted, of_most, most);
    return of_painted || !of_most ? painted : most;
}

/* Says how many tiles are absent, and refuses where that leaves none, or more than fit. */
static int check_absent(struct run *run, const struct unscramble *u, int asks, uint32_t absent)
{
    const uint32_t tiles = grid_tiles(u->grid), places = grid_tiles(u->board_grid);
    if (asks && !absent && !u->options.apply)
        run_notice(run, !u->tries_ways,
            "no tile of '%s' has %s all over, so none is taken for absent", u->options.input,
            u->options.has_missing_color ? "the missing color" : "one color");
    else if (asks || absent)
        run_notice(run, 0, "%u of %u tiles are absent", absent, tiles);
    if (absent == tiles)
        return error_set(
            &run->error, ERROR_INPUT, "'%s' has no tiles: all are absent", u->options.input);
    if (u->options.solution_grid.columns &&
        tiles - absent > (uint64_t)places * unscramble_solutions(u))
        return error_set(&run->error, ERROR_INPUT,
            "%u tiles do not fit a solution of %u x %u; allow a larger one", tiles - absent,
            u->options.solution_grid.columns, u->options.solution_grid.rows);
    return 0;
}

/* Finds which tiles are present. Absent are those that have the missing color all over, given or
 * found. A puzzle of several images may also end with places of the missing color that belong to
 * none, fewer than a row: if there are no more tiles of that color, they are absent too. Loose
 * tiles are there, unless they have the color that was given. */
static int find_present(struct run *run, struct unscramble *u)
{
    const uint32_t tiles = grid_tiles(u->grid);
    const int is_loose = u->options.loose != NULL; /* then empty places come last */
    const int asks = u->options.has_missing && (!is_loose || u->options.has_missing_color);
    const int looks = asks || (unscramble_is_mixed(&u->options) && !is_loose);
    uint32_t *flat = malloc(tiles * sizeof(*flat)), flats = 0, absent = 0;
    free(u->present);
    u->present = malloc(tiles);
    if (!flat || !u->present) {
        free(flat);
        return error_set(&run->error, ERROR_INPUT, "not enough memory for %u tiles", tiles);
    }
    for (uint32_t tile = 0; looks && tile < tiles; tile++)
        flats += (uint32_t)is_flat(u, tile, SURELY_INSIDE, &flat[flats]);
    qsort(flat, flats, sizeof(*flat), by_number);
    const uint32_t missing = asks && !u->options.has_missing_color
                                 ? find_missing_color(run, u, flat, flats)
                                 : nearest_color(u, flat, flats);
    for (uint32_t tile = 0; tile < tiles; tile++) {
        uint32_t color;
        u->present[tile] = !(flats && is_flat(u, tile, MOST_INSIDE, &color) && color == missing) &&
                           !(is_loose && tile >= u->options.loose_count);
        absent += !u->present[tile];
    }
    free(flat);
    if (u->options.apply)
        take_present(u);
    if (!asks && !is_loose && absent >= u->grid.columns) {
        memset(u->present, 1, tiles);
        absent = 0;
    }
    return check_absent(run, u, asks, absent);
}

/* The largest frame of a solution of a mixed puzzle: four times the sides of a square of all
 * tiles. */
static struct grid largest_frame(uint32_t tiles)
{
    uint32_t side = 1;
    while (side * side < 16 * tiles && side < tiles)
        side++;
    return (struct grid){side, side};
}

/* A frame, cut down to what the tiles can reach when they all lie in one line. */
static struct grid reachable(struct grid frame, uint32_t tiles)
{
    return (struct grid){
        frame.columns < tiles ? frame.columns : tiles, frame.rows < tiles ? frame.rows : tiles};
}

/* Pages are known by their two tones. */
int unscramble_may_be_page(const struct unscramble *u)
{
    const uint32_t least = u->tile_width < u->tile_height ? u->tile_width : u->tile_height;
    return u->options.dissimilarity == DISSIMILARITY_AUTO && !u->options.has_missing &&
           !unscramble_is_mixed(&u->options) && grid_tiles(u->grid) <= PAGE_MAX_TILES &&
           least >= PAGE_LEAST_SIDE && page_is(&u->puzzle);
}

static int present_run(struct run *run, struct unscramble *u)
{
    u->board_grid = u->options.solution_grid.columns
                        ? reachable(u->options.solution_grid, grid_tiles(u->grid))
                        : u->grid;
    if (!u->options.solution_grid.columns && unscramble_is_mixed(&u->options))
        u->board_grid = largest_frame(grid_tiles(u->grid));
    u->is_page = !u->options.rotates && unscramble_may_be_page(u);
    return find_present(run, u);
}

const struct unscramble_stage PRESENT = {
    .stage = {"present", "find which tiles are present, and whether they are of a page"},
    .run = present_run,
};
