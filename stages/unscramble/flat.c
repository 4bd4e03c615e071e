#include "stages/unscramble/flat.h"

#define OUTSIDE 256   /* one of so many pixels of an edge may lie outside of its spread */
#define FLAT_SPREAD 2 /* of 255: an edge is flat up to it, */
#define FLAT_PART 8   /* or in a strip up to one of so many parts of the widest spread */

/* How far the outermost inner pixels of an edge spread: the least range of values, of the channel
 * where it is widest, that nearly all of them lie in. */
static int edge_spread(const struct tiling *tiling, int edge)
{
    const struct image *image = tiling->image;
    const struct edge_pixels pixels = inner_edge(tiling, edge / 4, edge % 4);
    const uint32_t length = (uint32_t)pixels.count;
    int widest = 0;
    for (size_t c = 0; c < 3; c++) {
        uint32_t count[256] = {0}, inside = 0;
        for (uint32_t i = 0; i < length; i++)
            count[image_sample_8(image, 4 * (pixels.first + i * pixels.step) + c)]++;
        int least = 0, spread = 255;
        for (int most = 0; most < 256; most++) {
            inside += count[most];
            while ((length - (inside - count[least])) * OUTSIDE <= length)
                inside -= count[least++];
            if ((length - inside) * OUTSIDE <= length && most - least < spread)
                spread = most - least;
        }
        widest = spread > widest ? spread : widest;
    }
    return widest;
}

void flat_find(const struct tiling *tiling, uint8_t *is_flat)
{
    const int edges = 4 * tiling->columns * tiling->rows;
    const int is_strip = tiling->columns == 1 || tiling->rows == 1;
    int widest = 0;
    for (int edge = 0; edge < edges; edge++) {
        const int spread = edge_spread(tiling, edge);
        is_flat[edge] = (uint8_t)spread;
        widest = spread > widest ? spread : widest;
    }
    for (int edge = 0; edge < edges; edge++)
        is_flat[edge] =
            is_flat[edge] <= FLAT_SPREAD || (is_strip && is_flat[edge] * FLAT_PART <= widest);
}
