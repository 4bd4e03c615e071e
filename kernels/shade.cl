/* Shades a tile of TILE x TILE pixels: group (tile column, tile row), an item SHADE_PIXELS pixels of a
 * column. Takes the tile's candidates nearest first, a chunk of GROUP at a time, keeps those that meet
 * the tile, and for each pixel adds up what they leave to be seen:
 *
 *   sum += transmittance * alpha * colour,  transmittance *= 1 - alpha
 *
 * What lies behind can add between transmittance * low and transmittance * high. Where both ends give
 * the same byte, whatever rounding did (see `slack`), the pixel is proven and its byte is the
 * reference's. Where the sum cannot tell, the circles so far are replayed farthest first with the
 * reference's own operations from low and from high: a step is monotone in the value behind it, in
 * float32 too, so that the reference's value lies between the two. With nothing left behind, the
 * replay starts from the background and is the reference's computation itself.
 *
 * Without nearest_first there is only that replay, over all candidates.
 *
 * Must move: 4 bytes a pixel out, 32 in for each circle listed. Must do, a pixel and circle: 6
 * operations to test, 7 to add (8 to replay). */
#include "kernels/circles.h"

#define GROUP SHADE_GROUP
#define BATCH (32 * GROUP) /* circles in the words that a group loads at a time */

/* What a replay starts from. */
#define FROM_LOW 0
#define FROM_HIGH 1
#define FROM_BACKGROUND 2

/* What a circle adds to pixel p, in front of which there are others. */
#define ADD_BEHIND(p, own) \
    MINE(red[p]) = MULTIPLY_ADD(MINE(left[p]), own.x, MINE(red[p])); \
    MINE(green[p]) = MULTIPLY_ADD(MINE(left[p]), own.y, MINE(green[p])); \
    MINE(blue[p]) = MULTIPLY_ADD(MINE(left[p]), own.z, MINE(blue[p])); \
    MINE(left[p]) *= own.w

/* The reference's step: the circle in front of what pixel p shows. */
#define PAINT_OVER(p, own) \
    MINE(red[p]) = own.x + own.w * MINE(red[p]); \
    MINE(green[p]) = own.y + own.w * MINE(green[p]); \
    MINE(blue[p]) = own.z + own.w * MINE(blue[p])

/* STEP for each pixel that the circle holds; all of them where circle.w says so. */
#define BLEND(circle, flat, STEP) \
    if (circle.w > 0.0f) { \
        ITEMS \
        { \
            UNROLL(SHADE_PIXELS) \
            for (uint p = 0; p < SHADE_PIXELS; p++) { \
                STEP(p, flat); \
            } \
        } \
    } else { \
        ITEMS \
        { \
            const float dx = MINE(x) - circle.x; \
            UNROLL(SHADE_PIXELS) \
            for (uint p = 0; p < SHADE_PIXELS; p++) { \
                const float dy = MINE(y[p]) - circle.y; \
                const float dd = dx * dx + dy * dy; \
                if (dd <= circle.z) { \
                    const float4 own = args.soft ? soft_paint(flat, dd, circle.z) : flat; \
                    STEP(p, own); \
                } \
            } \
        } \
    }

/* Adds the circles near[first ...] to the hits of the pixels that are open. */
#define COUNT_HITS(first, count) \
    for (uint i_ = 0; i_ < (count); i_++) { \
        const float4 circle = near[(first) + i_]; \
        ITEMS \
        { \
            const float dx = MINE(x) - circle.x; \
            for (uint p = 0; p < SHADE_PIXELS; p++) { \
                const float dy = MINE(y[p]) - circle.y; \
                MINE(hits[p]) += (uint)(dx * dx + dy * dy <= circle.z) & MINE(open) >> p; \
            } \
        } \
    }

/* Loads batch b of a walk over the matrix of bits: the numbers of the circles whose bits are set. What
 * comes from a list, or from all circles, is one batch. */
#define LOAD_BATCH(b) \
    if (args.from != FROM_BINS) { \
        amount = count; \
    } else if (loaded != (b)) { \
        loaded = (b); \
        ITEMS \
        { \
            const uint word_ = (b)*GROUP + ITEM; \
            words[ITEM] = \
                word_ < args.words ? bins[column_line + word_] & bins[row_line + word_] : 0; \
            starts[ITEM] = BITS(words[ITEM]); \
        } \
        GROUP_SCAN(starts); \
        ITEMS \
        { \
            uint place_ = starts[ITEM]; \
            for (uint bits_ = words[ITEM]; bits_; bits_ &= bits_ - 1) \
                found[place_++] = (ushort)(ITEM * 32 + (uint)LOWEST_BIT(bits_)); \
        } \
        amount = starts[GROUP]; \
        SYNC; \
    }

/* Puts those of a chunk of candidates that meet the tile into `near` and `paints`, in order; near.w is
 * 1 for one that holds all of it. Behind them come circles that hold nothing, so that loops need no
 * ends. */
#define GATHER(b, start) \
    ITEMS \
    { \
        const uint candidate_ = (start) + ITEM; \
        MINE(meets) = 0; \
        if (candidate_ < amount) { \
            const uint index_ = args.from == FROM_ALL    ? candidate_ \
                                : args.from == FROM_BINS ? (b)*BATCH + found[candidate_] \
                                                         : lists[first + candidate_]; \
            MINE(circle_own) = geometry[index_]; \
            MINE(paint_own) = paint[index_]; \
            MINE(meets) = box_meets(box, MINE(circle_own)); \
        } \
    } \
    GROUP_RANK(starts, meets, rank, listed); \
    ITEMS \
    { \
        if (MINE(meets)) { \
            float4 circle_ = MINE(circle_own); \
            circle_.w = !args.soft && box_is_inside(box, circle_) ? 1.0f : 0.0f; \
            near[MINE(rank)] = circle_; \
            paints[MINE(rank)] = MINE(paint_own); \
        } \
    } \
    ITEMS_TO(SHADE_STEP) { \
        near[listed + ITEM].z = -1.0f; \
        near[listed + ITEM].w = 0.0f; \
    } \
    SYNC

KERNEL9(shade, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL const uint *RESTRICT, bins,
    GLOBAL const uint *RESTRICT, lists, GLOBAL uint *RESTRICT, pixels, GLOBAL float4 *RESTRICT,
    state, GLOBAL uint *RESTRICT, counts, struct shade_args, args)
{
    LOCAL uint words[GROUP], starts[GROUP + 1];
    LOCAL ushort found[BATCH];
    LOCAL float4 near[GROUP + SHADE_STEP], paints[GROUP + SHADE_STEP];
    PRIVATE(float, x);
    PRIVATE_ARRAY(float, y, SHADE_PIXELS);
    PRIVATE_ARRAY(float, red, SHADE_PIXELS); /* the sum, or the value of a replay */
    PRIVATE_ARRAY(float, green, SHADE_PIXELS);
    PRIVATE_ARRAY(float, blue, SHADE_PIXELS);
    PRIVATE_ARRAY(float, left, SHADE_PIXELS); /* transmittance */
    PRIVATE_ARRAY(uint, hits, SHADE_PIXELS);
    PRIVATE_ARRAY(uint, pixel, SHADE_PIXELS);
    PRIVATE(uint, open);  /* a bit for each pixel that is not proven */
    PRIVATE(uint, wants); /* pixels that further circles may prove */
    PRIVATE(float4, circle_own);
    PRIVATE(float4, paint_own);
    PRIVATE(uint, meets);
    PRIVATE(uint, rank);
    VOTE(any);
    const struct band band = args.band;
    const uint first_column = GROUP_X * TILE, first_row = GROUP_Y * TILE;
    const struct box box = tile_box(places, band, first_column, first_row, TILE);
    const uint bin_column = GROUP_X / args.bin_tiles, bin_row = GROUP_Y / args.bin_tiles;
    const uint column_line = bin_column * args.words; /* of the bin in the matrix of bits */
    const uint row_line = (args.columns + bin_row) * args.words;
    const uint bin = bin_row * args.columns + bin_column;
    const uint first = args.from == FROM_LISTS ? lists[2 * bin] : 0; /* of the bin's list */
    const uint count = args.from == FROM_LISTS ? lists[2 * bin + 1] : args.circles;
    const uint batches = args.from == FROM_BINS ? (args.circles + BATCH - 1) / BATCH : 1;
    uint batch = 0, chunk = 0;             /* the place reached */
    uint loaded = ~0u, amount = 0;         /* the batch in `found`, and its candidates */
    uint held_batch = ~0u, held_chunk = 0; /* the chunk in `near` */
    uint listed = 0;                       /* its circles */
    uint walked = 0;                       /* circles added up so far */
    const float floor = 1.0f / (1 << 26);  /* transmittance below which circles tell no more */

    ITEMS
    {
        const uint column = first_column + ITEM % TILE;
        const uint row = first_row + ITEM / TILE * SHADE_PIXELS;
        MINE(x) = places[column < band.width ? column : band.width - 1];
        MINE(open) = 0;
        UNROLL(SHADE_PIXELS)
        for (uint p = 0; p < SHADE_PIXELS; p++) {
            const uint inside = row + p < band.rows;
            MINE(y[p]) = places[band.width + band.first_row + (inside ? row + p : band.rows - 1)];
            MINE(open) |= (uint)(inside && column < band.width) << p;
            MINE(red[p]) = 0.0f;
            MINE(green[p]) = 0.0f;
            MINE(blue[p]) = 0.0f;
            MINE(left[p]) = 1.0f;
            MINE(hits[p]) = 0;
            MINE(pixel[p]) = 0;
        }
    }
    if (!args.nearest_first)
        batch = batches;

    /* Nearest first, until no pixel gains by it. */
    uint goes_on = args.nearest_first;
    while (goes_on && batch < batches) {
        LOAD_BATCH(batch);
        GATHER(batch, chunk);
        held_batch = batch;
        held_chunk = chunk;
        for (uint k = 0; k < listed && SOME(open); k += SHADE_STEP) {
            UNROLL(4)
            for (uint i = 0; i < SHADE_STEP; i++) {
                const float4 circle = near[k + i], flat = paints[k + i];
                BLEND(circle, flat, ADD_BEHIND);
            }
            if (args.counts) {
                COUNT_HITS(k, SHADE_STEP);
            }
            const float terms = (float)(walked + k + SHADE_STEP);
            const float slack =
                args.slack *
                (terms + (2 * terms < args.slack_most ? 2 * terms : args.slack_most) + 8);
            ITEMS
            {
                UNROLL(SHADE_PIXELS)
                for (uint p = 0; p < SHADE_PIXELS; p++) {
                    const float t = MINE(left[p]);
                    if (t < args.check_below && (MINE(open) >> p & 1)) {
                        const uint lowest = to_pixel(MINE(red[p]) + t * args.low[0] - slack,
                            MINE(green[p]) + t * args.low[1] - slack,
                            MINE(blue[p]) + t * args.low[2] - slack);
                        const uint highest = to_pixel(MINE(red[p]) + t * args.high[0] + slack,
                            MINE(green[p]) + t * args.high[1] + slack,
                            MINE(blue[p]) + t * args.high[2] + slack);
                        if (lowest == highest) {
                            MINE(pixel[p]) = lowest;
                            MINE(open) &= ~(1u << p);
                        }
                    }
                }
            }
        }
        walked += listed;
        chunk += GROUP;
        if (chunk >= amount) {
            chunk = 0;
            batch++;
        }
        ITEMS
        {
            MINE(wants) = 0;
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++)
                MINE(wants) |= MINE(open) & (uint)(MINE(left[p]) > floor) << p;
        }
        GROUP_ANY(any, wants);
        goes_on = any;
    }

    /* Farthest first, with what is still open: from both ends of what may lie behind the circles added
     * up, then from the background behind all of them. */
    GROUP_ANY(any, open);
    for (uint pass = batch == batches ? FROM_BACKGROUND : FROM_LOW; any && pass <= FROM_BACKGROUND;
         pass++) {
        if (pass == FROM_BACKGROUND) {
            batch = batches;
            chunk = 0;
        }
        ITEMS
        {
            const uint column = first_column + ITEM % TILE;
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++) {
                const uint row = first_row + ITEM / TILE * SHADE_PIXELS + p;
                const uint at_row = band.first_row + (row < band.rows ? row : band.rows - 1);
                GLOBAL const float *behind = places + band.width + band.height + 3 * at_row;
                MINE(red[p]) = pass == FROM_LOW ? args.low[0] : args.high[0];
                MINE(green[p]) = pass == FROM_LOW ? args.low[1] : args.high[1];
                MINE(blue[p]) = pass == FROM_LOW ? args.low[2] : args.high[2];
                if (pass == FROM_BACKGROUND) {
                    MINE(red[p]) = behind[0];
                    MINE(green[p]) = behind[1];
                    MINE(blue[p]) = behind[2];
                    if (args.resumes && (MINE(open) >> p & 1)) {
                        const float4 before = state[row * band.width + column];
                        MINE(red[p]) = before.x;
                        MINE(green[p]) = before.y;
                        MINE(blue[p]) = before.z;
                    }
                }
            }
        }
        for (uint b = batch + (chunk > 0); b-- > 0;) {
            LOAD_BATCH(b);
            const uint end = b == batch ? chunk : amount;
            for (uint next = (end + GROUP - 1) / GROUP; next-- > 0;) {
                if (b != held_batch || next * GROUP != held_chunk) {
                    GATHER(b, next * GROUP);
                    held_batch = b;
                    held_chunk = next * GROUP;
                }
                for (uint k = (listed + SHADE_STEP - 1) / SHADE_STEP * SHADE_STEP;
                     k > 0 && SOME(open); k -= SHADE_STEP) {
                    UNROLL(4)
                    for (uint i = 1; i <= SHADE_STEP; i++) {
                        const float4 circle = near[k - i], flat = paints[k - i];
                        BLEND(circle, flat, PAINT_OVER);
                    }
                    if (args.counts && !args.nearest_first) {
                        COUNT_HITS(k - SHADE_STEP, SHADE_STEP);
                    }
                }
                SYNC;
            }
        }
        ITEMS
        {
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++) {
                const uint result = to_pixel(MINE(red[p]), MINE(green[p]), MINE(blue[p]));
                if (MINE(open) >> p & 1) {
                    const uint is_proven =
                        pass == FROM_BACKGROUND || (pass == FROM_HIGH && result == MINE(pixel[p]));
                    MINE(pixel[p]) = result;
                    MINE(open) &= ~(is_proven << p);
                }
            }
        }
        GROUP_ANY(any, open);
    }

    ITEMS
    {
        const uint column = first_column + ITEM % TILE;
        UNROLL(SHADE_PIXELS)
        for (uint p = 0; p < SHADE_PIXELS; p++) {
            const uint row = first_row + ITEM / TILE * SHADE_PIXELS + p;
            const uint place = row * band.width + column;
            if (row < band.rows && column < band.width) {
                pixels[place] = MINE(pixel[p]);
                if (args.pauses) {
                    float4 now;
                    now.x = MINE(red[p]);
                    now.y = MINE(green[p]);
                    now.z = MINE(blue[p]);
                    now.w = 0.0f;
                    state[place] = now;
                }
                if (args.counts)
                    counts[place] = MINE(hits[p]);
            }
        }
    }
}
