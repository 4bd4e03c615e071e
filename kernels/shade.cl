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
#define CHUNK_ALL (32 * GROUP) /* circles in the words that a group loads at a time */

struct candidates {
    uint from;         /* FROM_ */
    uint words;        /* of the matrix of bits */
    uint column, row;  /* where the bin's lines start in it */
    uint first, count; /* the bin's list; without lists, the number of circles */
};

/* Batches of candidates: the words, or the entries, that are loaded at a time. */
DEVICE uint batch_count(struct candidates c)
{
    const uint size = c.from == FROM_LISTS ? SHADE_ENTRIES : CHUNK_ALL;
    return (c.count + size - 1) / size;
}

KERNEL9(shade, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL const uint *RESTRICT, bins,
    GLOBAL const uint *RESTRICT, lists, GLOBAL uint *RESTRICT, pixels, GLOBAL float4 *RESTRICT, state,
    GLOBAL uint *RESTRICT, counts, struct shade_args, args)
{
    LOCAL uint words[GROUP], starts[GROUP + 1];
    LOCAL ushort found[CHUNK_ALL];
    LOCAL float4 near[GROUP + SHADE_STEP], paints[GROUP + SHADE_STEP];
    PRIVATE(float, x);
    PRIVATE_ARRAY(float, y, SHADE_PIXELS);
    PRIVATE_ARRAY(float, red, SHADE_PIXELS);
    PRIVATE_ARRAY(float, green, SHADE_PIXELS);
    PRIVATE_ARRAY(float, blue, SHADE_PIXELS);
    PRIVATE_ARRAY(float, left, SHADE_PIXELS); /* transmittance */
    PRIVATE_ARRAY(uint, hits, SHADE_PIXELS);
    PRIVATE_ARRAY(uint, pixel, SHADE_PIXELS);
    PRIVATE_ARRAY(uint, proven, SHADE_PIXELS); /* hits until then */
    PRIVATE_ARRAY(float, value_red, SHADE_PIXELS); /* of a replay */
    PRIVATE_ARRAY(float, value_green, SHADE_PIXELS);
    PRIVATE_ARRAY(float, value_blue, SHADE_PIXELS);
    PRIVATE(uint, open); /* a bit for each pixel that is not proven */
    PRIVATE(uint, wants); /* pixels that further circles may prove */
    PRIVATE(float4, g);
    PRIVATE(uint, index);
    PRIVATE(uint, meets);
    VOTE(any);
    const struct band band = args.band;
    const uint first_column = GROUP_X * TILE, first_row = GROUP_Y * TILE;
    const struct box box = tile_box(places, band, first_column, first_row, TILE);
    const uint bin = GROUP_Y / args.bin_tiles * args.columns + GROUP_X / args.bin_tiles;
    struct candidates c;
    uint total = 0;                             /* circles listed so far */
    uint batch = 0, chunk = 0;                  /* the place reached */
    uint loaded = ~0u, amount = 0;              /* the batch in `found`, and its candidates */
    uint held_batch = ~0u, held_chunk = 0;      /* the chunk in `near` */
    uint listed = 0;                            /* its circles */
    uint chunks = 0, again = 0;                 /* taken so far; not to be replayed before */
    const float floor = 1.0f / (1 << 26);       /* transmittance below which circles tell no more */

    c.from = args.from;
    c.words = args.words;
    c.column = GROUP_X / args.bin_tiles * args.words;
    c.row = (args.columns + GROUP_Y / args.bin_tiles) * args.words;
    c.first = args.from == FROM_LISTS ? lists[2 * bin] : 0;
    c.count = args.from == FROM_LISTS ? lists[2 * bin + 1] : args.circles;
    const uint batches = batch_count(c);

/* Loads the candidates of a batch: the bits that are set, or how many entries of the list it has. */
#define LOAD_BATCH(b) \
    if (loaded != (b)) { \
        loaded = (b); \
        if (c.from == FROM_LISTS) { \
            const uint rest_ = c.count - (b) * SHADE_ENTRIES; \
            amount = rest_ < SHADE_ENTRIES ? rest_ : SHADE_ENTRIES; \
        } else { \
            ITEMS \
            { \
                const uint word_ = (b) * GROUP + ITEM, rest_ = c.count - word_ * 32; \
                uint bits_ = 0; \
                if (word_ * 32 < c.count) \
                    bits_ = c.from == FROM_BINS ? bins[c.column + word_] & bins[c.row + word_] \
                            : rest_ < 32        ? (1u << rest_) - 1 \
                                                : ~0u; \
                words[ITEM] = bits_; \
                starts[ITEM] = BITS(bits_); \
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
        } \
    }

/* Puts those of a chunk of candidates that meet the tile into `near` and `paints`, in order. Behind
 * them come circles that hold nothing, so that loops need no ends. */
#define GATHER(b, start) \
    ITEMS \
    { \
        const uint candidate_ = (start) + ITEM; \
        MINE(meets) = 0; \
        if (candidate_ < amount) { \
            MINE(index) = c.from == FROM_LISTS ? lists[c.first + (b) * SHADE_ENTRIES + candidate_] \
                                               : (b) * CHUNK_ALL + found[candidate_]; \
            MINE(g) = geometry[MINE(index)]; \
            MINE(meets) = box_meets(box, MINE(g)); \
        } \
        starts[ITEM] = MINE(meets); \
    } \
    GROUP_SCAN(starts); \
    ITEMS \
    { \
        if (MINE(meets)) { \
            near[starts[ITEM]] = MINE(g); \
            paints[starts[ITEM]] = paint[MINE(index)]; \
        } \
    } \
    listed = starts[GROUP]; \
    ITEMS_TO(SHADE_STEP) \
    { \
        near[listed + ITEM].z = -1.0f; \
    } \
    SYNC

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
            MINE(proven[p]) = 0;
        }
    }

    if (!args.nearest_first)
        batch = batches;
    for (;;) {
        /* Nearest first, until no pixel gains by it. */
        uint goes_on = args.nearest_first;
        while (goes_on && batch < batches) {
            LOAD_BATCH(batch);
            GATHER(batch, chunk);
            held_batch = batch;
            held_chunk = chunk;
            total += listed;
            chunks++;
            for (uint k = 0; k < listed && SOME(open); k += SHADE_STEP) {
                UNROLL(SHADE_STEP)
                for (uint i = 0; i < SHADE_STEP; i++) {
                    const float4 circle = near[k + i];
                    const float4 flat = paints[k + i];
                    ITEMS
                    {
                        const float dx = MINE(x) - circle.x;
                        UNROLL(SHADE_PIXELS)
                        for (uint p = 0; p < SHADE_PIXELS; p++) {
                            const float dy = MINE(y[p]) - circle.y;
                            const float dd = dx * dx + dy * dy;
                            if (dd <= circle.z) {
                                const float4 own =
                                    args.soft ? soft_paint(flat, dd, circle.z) : flat;
                                MINE(red[p]) += MINE(left[p]) * own.x;
                                MINE(green[p]) += MINE(left[p]) * own.y;
                                MINE(blue[p]) += MINE(left[p]) * own.z;
                                MINE(left[p]) *= own.w;
                                MINE(hits[p])++;
                            }
                        }
                    }
                }
                const float slack = args.slack * (float)(total + 4);
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
                                MINE(proven[p]) = MINE(hits[p]);
                                MINE(open) &= ~(1u << p);
                            }
                        }
                    }
                }
            }
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
                    MINE(wants) |=
                        MINE(open) & (uint)(MINE(left[p]) > floor || chunks < again) << p;
            }
            GROUP_ANY(any, wants);
            goes_on = any;
        }
        GROUP_ANY(any, open);
        if (!any)
            break;

        /* Farthest first: from the background, or twice, from both ends of what may lie behind. */
        const uint complete = batch == batches;
        for (uint pass = 0; pass < 2 - complete; pass++) {
            ITEMS
            {
                UNROLL(SHADE_PIXELS)
                for (uint p = 0; p < SHADE_PIXELS; p++) {
                    const uint row = first_row + ITEM / TILE * SHADE_PIXELS + p;
                    const uint column = first_column + ITEM % TILE;
                    const uint is_seen = row < band.rows && column < band.width;
                    const uint last_row = row < band.rows ? row : band.rows - 1;
                    GLOBAL const float *behind = places + band.width + band.height +
                                                 3 * (band.first_row + last_row);
                    if (!complete) {
                        MINE(value_red[p]) = pass == 0 ? args.low[0] : args.high[0];
                        MINE(value_green[p]) = pass == 0 ? args.low[1] : args.high[1];
                        MINE(value_blue[p]) = pass == 0 ? args.low[2] : args.high[2];
                    } else if (args.resumes && is_seen) {
                        const float4 before = state[row * band.width + column];
                        MINE(value_red[p]) = before.x;
                        MINE(value_green[p]) = before.y;
                        MINE(value_blue[p]) = before.z;
                    } else {
                        MINE(value_red[p]) = behind[0];
                        MINE(value_green[p]) = behind[1];
                        MINE(value_blue[p]) = behind[2];
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
                        UNROLL(SHADE_STEP)
                        for (uint i = 1; i <= SHADE_STEP; i++) {
                            const float4 circle = near[k - i];
                            const float4 flat = paints[k - i];
                            ITEMS
                            {
                                const float dx = MINE(x) - circle.x;
                                UNROLL(SHADE_PIXELS)
                                for (uint p = 0; p < SHADE_PIXELS; p++) {
                                    const float dy = MINE(y[p]) - circle.y;
                                    const float dd = dx * dx + dy * dy;
                                    if (dd <= circle.z) {
                                        const float4 own =
                                            args.soft ? soft_paint(flat, dd, circle.z) : flat;
                                        MINE(value_red[p]) = own.x + own.w * MINE(value_red[p]);
                                        MINE(value_green[p]) = own.y + own.w * MINE(value_green[p]);
                                        MINE(value_blue[p]) = own.z + own.w * MINE(value_blue[p]);
                                        MINE(hits[p]) += !args.nearest_first;
                                    }
                                }
                            }
                        }
                    }
                    SYNC;
                }
            }
            ITEMS
            {
                UNROLL(SHADE_PIXELS)
                for (uint p = 0; p < SHADE_PIXELS; p++) {
                    const uint result =
                        to_pixel(MINE(value_red[p]), MINE(value_green[p]), MINE(value_blue[p]));
                    if (MINE(open) >> p & 1) {
                        if (complete || (pass == 1 && result == MINE(pixel[p]))) {
                            MINE(open) &= ~(1u << p);
                            MINE(proven[p]) = MINE(hits[p]);
                        }
                        MINE(pixel[p]) = result;
                    }
                }
            }
        }
        again = 2 * chunks;
        GROUP_ANY(any, open);
        if (!any)
            break;
    }

    ITEMS
    {
        UNROLL(SHADE_PIXELS)
        for (uint p = 0; p < SHADE_PIXELS; p++) {
            const uint row = first_row + ITEM / TILE * SHADE_PIXELS + p;
            const uint column = first_column + ITEM % TILE;
            const uint place = row * band.width + column;
            if (row < band.rows && column < band.width) {
                if (args.pauses) {
                    float4 now;
                    now.x = MINE(value_red[p]);
                    now.y = MINE(value_green[p]);
                    now.z = MINE(value_blue[p]);
                    now.w = 0.0f;
                    state[place] = now;
                } else {
                    pixels[place] = MINE(pixel[p]);
                }
                if (args.counts)
                    counts[place] = MINE(proven[p]);
            }
        }
    }
}
