/* Shades a scene of few circles, all of them farthest first: a group finds those that meet its
 * rectangle of GROUP columns and FEW_ROWS rows, of which an item shades a column. As long as no
 * circle of a slice has its edge in the rectangle, all pixels of a row are alike, and only rows are
 * painted. With SOFT, circles fade toward their edge, and pixels are never alike.
 *
 * Must move: 4 bytes a pixel out. Must do: 9 operations a circle and group to find those that meet
 * it, 2 for each of these and pixel to test, 6 to paint. */
#include "kernels/circles/circle.h"

#define LOADS 8 /* circles that an item loads at once */

/* What the items share. */
struct few_group {
    /* The circles of a slice that meet the rectangle. circles.w is -1 where the circle holds all of
     * it, else its least squared distance from a row. */
    float4 circles[GROUP], paints[GROUP];
    float rises[GROUP][FEW_ROWS]; /* their squared distances from the rows */
    float4 rows[FEW_ROWS];        /* y of the pixels' centers, then what pixels show if alike */
    uint pixels[FEW_ROWS];        /* the same as bytes */
    uint starts[GROUP + 1];
    ushort found[FEW_CIRCLES]; /* circles that meet the rectangle, nearest first */
};

/* What an item keeps: its pixels, and a circle of the next slice. */
struct few_own {
    PRIVATE(float, x);
    PRIVATE_ARRAY(float, red, FEW_ROWS);
    PRIVATE_ARRAY(float, green, FEW_ROWS);
    PRIVATE_ARRAY(float, blue, FEW_ROWS);
    PRIVATE(float4, circle);
    PRIVATE(float4, paint);
};

/* Puts y and the background of each row into `rows`. */
GROUP_FUNCTION void rows_start(
    IN_LOCAL struct few_group *group, GLOBAL const float *places, struct band band, uint first_row)
{
    ITEMS_TO(FEW_ROWS) {
        const uint row = image_row(band, first_row + ITEM);
        GLOBAL const float *behind = background(places, band, row);
        group->rows[ITEM].x = places[band.width + row];
        group->rows[ITEM].y = behind[0];
        group->rows[ITEM].z = behind[1];
        group->rows[ITEM].w = behind[2];
    }
}

/* Lists the circles that meet the box in `found`, nearest first. Returns how many they are. Items
 * that are threads test some each, that follow each other, and end with a SYNC; lanes of vectors
 * test GROUP at a time, which are listed one after the other. */
#if ITEMS_ARE_THREADS
GROUP_FUNCTION uint circles_find(
    IN_LOCAL struct few_group *group, struct box box, GLOBAL const float4 *geometry, uint circles)
{
    PRIVATE(uint, bits);
    const uint share = (circles + GROUP - 1) / GROUP;
    ITEMS
    {
        const uint first = ITEM * share, rest = first < circles ? circles - first : 0;
        MINE(bits) = 0;
        for (uint i = 0; i < share; i += LOADS) {
            float4 circle[LOADS];
            UNROLL(LOADS)
            for (uint j = 0; j < LOADS; j++)
                circle[j] = geometry[MIN(first + i + j, circles - 1)];
            UNROLL(LOADS)
            for (uint j = 0; j < LOADS; j++)
                MINE(bits) |= (uint)(i + j < share && i + j < rest && box_meets(box, circle[j]))
                              << (i + j);
        }
        group->starts[ITEM] = BITS(MINE(bits));
    }
    GROUP_SCAN(group->starts);
    ITEMS
    {
        uint place = group->starts[ITEM];
        for (uint left = MINE(bits); left; left &= left - 1)
            group->found[place++] = (ushort)(ITEM * share + (uint)LOWEST_BIT(left));
    }
    const uint total = group->starts[GROUP];
    SYNC;
    return total;
}
#else
GROUP_FUNCTION uint circles_find(
    IN_LOCAL struct few_group *group, struct box box, GLOBAL const float4 *geometry, uint circles)
{
    PRIVATE(uint, meets);
    uint total = 0;
    for (uint first = 0; first < circles; first += GROUP) {
        const uint amount = MIN(circles - first, GROUP);
        ITEMS
        {
            MINE(meets) = 0;
        }
        ITEMS_TO(amount) {
            MINE(meets) = box_meets(box, geometry[first + ITEM]);
        }
        if (SOME(meets))
            ITEMS_ATOMIC
            {
                if (MINE(meets))
                    group->found[total++] = (ushort)(first + ITEM);
            }
    }
    return total;
}
#endif

/* Each item loads a circle of the slice that begins with number `first` of `amount`: those found,
 * or with `are_all` those of the scene. */
GROUP_FUNCTION void slice_load(IN_LOCAL const struct few_group *group, struct few_own *own,
    GLOBAL const float4 *geometry, GLOBAL const float4 *paint, uint first, uint amount,
    uint are_all)
{
    ITEMS
    {
        if (first + ITEM < amount) {
            const uint index = are_all ? first + ITEM : group->found[first + ITEM];
            MINE(own->circle) = geometry[index];
            MINE(own->paint) = paint[index];
        }
    }
}

/* Puts those of the circles loaded that meet the box into local memory. Returns how many do; `any`
 * tells whether one of them has an edge in the box. Ends with a SYNC. */
GROUP_FUNCTION uint slice_keep(IN_LOCAL struct few_group *group, const struct few_own *own,
    struct box box, uint first, uint amount, IN_LOCAL uint *any)
{
    PRIVATE(uint, meets);
    PRIVATE(uint, rank);
    PRIVATE(uint, has_edge);
    uint listed;
    ITEMS
    {
        MINE(meets) = first + ITEM < amount && box_meets(box, MINE(own->circle));
    }
    GROUP_RANK(group->starts, meets, rank, listed);
    ITEMS
    {
        MINE(has_edge) = 0;
        if (MINE(meets)) {
            float4 circle = MINE(own->circle);
            MINE(has_edge) = !box_is_inside(box, circle);
            circle.w = MINE(has_edge) ? box_rise(box, circle) : -1.0f;
            group->circles[MINE(rank)] = circle;
            group->paints[MINE(rank)] = MINE(own->paint);
        }
    }
    GROUP_ANY(*any, has_edge);
    return listed;
}

/* Fills the rises of the slice. Ends with a SYNC. */
GROUP_FUNCTION void rises_make(IN_LOCAL struct few_group *group, uint listed)
{
    for (uint next = 0; next < listed; next += GROUP / FEW_ROWS) {
        ITEMS
        {
            const uint k = next + ITEM / FEW_ROWS, p = ITEM % FEW_ROWS;
            const float dy = group->rows[p].x - group->circles[k].y;
            group->rises[k][p] = dy * dy;
        }
    }
    SYNC;
}

/* Paints the slice over the rows, whose pixels are alike. */
GROUP_FUNCTION void rows_paint(IN_LOCAL struct few_group *group, uint listed)
{
    ITEMS_TO(FEW_ROWS) {
        float4 row = group->rows[ITEM];
        for (uint k = listed; k-- > 0;) {
            row.y = group->paints[k].x + group->paints[k].w * row.y;
            row.z = group->paints[k].y + group->paints[k].w * row.z;
            row.w = group->paints[k].z + group->paints[k].w * row.w;
        }
        group->rows[ITEM] = row;
    }
}

/* Pixels show what their row does. */
GROUP_FUNCTION void pixels_start(IN_LOCAL const struct few_group *group, struct few_own *own)
{
    UNROLL(FEW_ROWS)
    for (uint p = 0; p < FEW_ROWS; p++) {
        const float4 row = group->rows[p];
        ITEMS
        {
            MINE(own->red[p]) = row.y;
            MINE(own->green[p]) = row.z;
            MINE(own->blue[p]) = row.w;
        }
    }
}

/* Paints over a pixel. */
DEVICE void pixel_paint(struct few_own *own, uint item, uint p, float4 front)
{
    ITS(own->red[p], item) = front.x + front.w * ITS(own->red[p], item);
    ITS(own->green[p], item) = front.y + front.w * ITS(own->green[p], item);
    ITS(own->blue[p], item) = front.z + front.w * ITS(own->blue[p], item);
}

/* Paints circle k of the slice over all pixels that it holds. */
GROUP_FUNCTION void circle_paint(
    IN_LOCAL const struct few_group *group, struct few_own *own, uint k)
{
    PRIVATE(uint, reaches);
    const float4 circle = group->circles[k], flat = group->paints[k];
    if (!SOFT && circle.w < 0.0f) {
        UNROLL(FEW_ROWS)
        for (uint p = 0; p < FEW_ROWS; p++)
            ITEMS
            {
                pixel_paint(own, ITEM, p, flat);
            }
        return;
    }
    ITEMS
    {
        const float dx = MINE(own->x) - circle.x;
        MINE(reaches) = dx * dx + circle.w <= circle.z;
    }
    if (SOME(reaches)) {
        UNROLL(FEW_ROWS)
        for (uint p = 0; p < FEW_ROWS; p++) {
            const float rise = group->rises[k][p];
            if (ITEMS_ARE_THREADS || rise <= circle.z)
                ITEMS
                {
                    const float dx = MINE(own->x) - circle.x, dd = dx * dx + rise;
                    if (dd <= circle.z)
                        pixel_paint(own, ITEM, p, SOFT ? soft_paint(flat, dd, circle.z) : flat);
                }
        }
    }
}

/* Adds the circles of the slice that hold a pixel to its hits. */
GROUP_FUNCTION void hits_count(IN_LOCAL const struct few_group *group, const struct few_own *own,
    uint listed, GLOBAL uint *hits, uint width, uint columns, uint rows)
{
    for (uint p = 0; p < rows; p++)
        ITEMS_TO(columns)
            for (uint k = 0; k < listed; k++) {
                const float dx = MINE(own->x) - group->circles[k].x;
                hits[p * width + ITEM] += dx * dx + group->rises[k][p] <= group->circles[k].z;
            }
}

KERNEL6(KERNEL_NAME, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL uint *RESTRICT, pixels, GLOBAL uint *RESTRICT,
    hits, struct shade_args, args)
{
    LOCAL struct few_group group;
    struct few_own own;
    VOTE(any);
    const struct band band = args.band;
    const uint first_column = GROUP_X * GROUP, first_row = GROUP_Y * FEW_ROWS;
    const uint columns = MIN(band.width - first_column, GROUP);
    const uint rows = MIN(band.rows - first_row, FEW_ROWS);
    const uint corner = first_row * band.width + first_column;
    const uint are_all = args.circles <= GROUP;
    const struct box box = tile_box(places, band, first_column, first_row, GROUP, FEW_ROWS);
    ITEMS
    {
        MINE(own.x) = places[first_column + MIN(ITEM, columns - 1)];
    }
    rows_start(&group, places, band, first_row);
    uint found = args.circles, are_alike = 1;
    slice_load(&group, &own, geometry, paint, 0, are_all ? found : 0, 1);
    if (!SYNC_MAY_BE_SKIPPED || !are_all) {
        const uint total = circles_find(&group, box, geometry, args.circles);
        found = are_all ? found : total;
    }
    const uint slices = (found + GROUP - 1) / GROUP;
    if (!are_all && slices > 0)
        slice_load(&group, &own, geometry, paint, (slices - 1) * GROUP, found, 0);
    if (args.wants_hits)
        for (uint p = 0; p < rows; p++)
            ITEMS_TO(columns)
                hits[corner + p * band.width + ITEM] = 0;
    for (uint slice = slices; slice-- > 0;) {
        const uint listed = slice_keep(&group, &own, box, slice * GROUP, found, &any);
        if (slice > 0)
            slice_load(&group, &own, geometry, paint, (slice - 1) * GROUP, found, 0);
        const uint were_alike = are_alike;
        are_alike &= (uint)!any & !SOFT;
        if (!SYNC_MAY_BE_SKIPPED || !are_alike || args.wants_hits)
            rises_make(&group, listed);
        if (are_alike) {
            rows_paint(&group, listed);
        } else {
            if (were_alike)
                pixels_start(&group, &own);
            for (uint k = listed; k-- > 0;)
                circle_paint(&group, &own, k);
        }
        if (args.wants_hits)
            hits_count(&group, &own, listed, hits + corner, band.width, columns, rows);
    }
    if (!SYNC_MAY_BE_SKIPPED || are_alike) {
        ITEMS_TO(FEW_ROWS) {
            const float4 row = group.rows[ITEM];
            group.pixels[ITEM] = to_pixel(row.y, row.z, row.w);
        }
        SYNC;
    }
    GLOBAL uint *to = pixels + corner;
    if (are_alike) {
        for (uint p = 0; p < rows; p++, to += band.width)
            ITEMS_TO(columns)
                to[ITEM] = group.pixels[p];
    } else {
        UNROLL(FEW_ROWS)
        for (uint p = 0; p < FEW_ROWS; p++, to += band.width)
            ITEMS
            {
                const uint pixel =
                    to_pixel(MINE(own.red[p]), MINE(own.green[p]), MINE(own.blue[p]));
                if (p < rows && ITEM < columns)
                    to[ITEM] = pixel;
            }
    }
}
