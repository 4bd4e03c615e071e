/* The text of six kernels that shade a tile of TILE x TILE pixels: group (tile column, tile row),
 * an item SHADE_PIXELS pixels of a column.
 *
 * With NEAREST, circles are taken nearest first, a chunk of GROUP candidates at a time, of which
 * those are kept that meet the tile, and each pixel adds up what they leave to be seen:
 *
 *   sum += transmittance * alpha * colour,  transmittance *= 1 - alpha
 *
 * What lies behind can add between transmittance * low and transmittance * high. Where both ends
 * give the same byte, whatever rounding did (PROVE), the pixel is proven and its byte is the
 * reference's. Where the sum cannot tell, the circles so far are replayed farthest first with the
 * reference's own operations from low and from high: a step is monotone in the value behind it, in
 * float32 too, so that the reference's value lies between the two. Where that cannot tell either,
 * and where all circles are taken, the replay starts from the background and is the reference's
 * computation itself.
 *
 * Without NEAREST there is only that replay, over all candidates; only it can go on from an earlier
 * piece of the scene, and pause before a later one.
 *
 * With SOFT, circles fade towards their edge, see circles.h. With SMALL, where circles cover few
 * pixels, each circle marks the pixels that it holds; without it, each pixel tests all circles of
 * the tile.
 *
 * Must move: 4 bytes a pixel out, 32 in for each circle listed. Must do, a pixel and circle: 6
 * operations to test, unless the circle holds the whole tile, and 7 to add. */
#define KERNEL_GROUPS 16

#include "kernels/circles/circle.h"

#define BATCH (32 * GROUP) /* circles whose bits a group loads at a time, a word an item */

/* What a replay starts from. */
#define BEHIND_LOW 0
#define BEHIND_HIGH 1

/* STEP: what a circle adds to pixel p, behind those added before. */
#define ADD_BEHIND(p, own) \
    MINE(red[p]) = MULTIPLY_ADD(MINE(left[p]), own.x, MINE(red[p])); \
    MINE(green[p]) = MULTIPLY_ADD(MINE(left[p]), own.y, MINE(green[p])); \
    MINE(blue[p]) = MULTIPLY_ADD(MINE(left[p]), own.z, MINE(blue[p])); \
    MINE(left[p]) *= own.w

/* STEP: the reference's: the circle in front of what pixel p shows. */
#define PAINT_OVER(p, own) \
    MINE(red[p]) = own.x + own.w * MINE(red[p]); \
    MINE(green[p]) = own.y + own.w * MINE(green[p]); \
    MINE(blue[p]) = own.z + own.w * MINE(blue[p])

/* STEP for each pixel that circle near[k] holds; all of them where near[k].w says so. */
#define BLEND(k, STEP) \
    { \
        const float4 circle = near[k], flat = paints[k]; \
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
                        const float4 own = SOFT ? soft_paint(flat, dd, circle.z) : flat; \
                        STEP(p, own); \
                    } \
                } \
            } \
        } \
    }

/* With SMALL an item goes through the pixels of a circle's box, one more on each side,
 * and sets bit k of marks[k / 32][pixel] for each that circle near[k] holds. Ends with a SYNC. */
#define MARK \
    ITEMS_ATOMIC \
    { \
        if (ITEM < listed) { \
            const float4 circle = near[ITEM]; \
            const float margin = box_margin(circle, args.scale); \
            const uint first_x = \
                tile_clamp((circle.x - circle.w - box.left) * args.scale - margin); \
            const uint last_x = \
                tile_clamp((circle.x + circle.w - box.left) * args.scale + margin); \
            const uint first_y = \
                tile_clamp((box.top - circle.y - circle.w) * args.scale - margin); \
            const uint last_y = tile_clamp((box.top - circle.y + circle.w) * args.scale + margin); \
            for (uint row = first_y; row <= last_y; row++) \
                for (uint column = first_x; column <= last_x; column++) { \
                    const float dx = tile_x[column] - circle.x, dy = tile_y[row] - circle.y; \
                    if (dx * dx + dy * dy <= circle.z) \
                        ATOMIC_OR(&marks[ITEM / 32][row * TILE + column], 1u << ITEM % 32); \
                } \
        } \
    } \
    SYNC

/* STEP for the marks of each pixel, in the order that WORD and BIT give, and takes them away;
 * COUNTS says whether they are hits to count. Ends with a SYNC. */
#define BLEND_MARKS(WORD, BIT, STEP, COUNTS) \
    for (uint i_ = 0; i_ < GROUP / 32; i_++) { \
        const uint word = WORD(i_); \
        ITEMS \
        { \
            UNROLL(SHADE_PIXELS) \
            for (uint p = 0; p < SHADE_PIXELS; p++) { \
                const uint place = (ITEM / TILE * SHADE_PIXELS + p) * TILE + ITEM % TILE; \
                uint bits = marks[word][place]; \
                marks[word][place] = 0; \
                if (args.counts && COUNTS && (MINE(open) >> p & 1)) \
                    MINE(hits[p]) += BITS(bits); \
                while (bits) { \
                    const uint bit = (uint)BIT(bits); \
                    const float4 own = paints[word * 32 + bit]; \
                    STEP(p, own); \
                    bits ^= 1u << bit; \
                } \
            } \
        } \
    } \
    SYNC
#define UPWARDS(i) (i)
#define DOWNWARDS(i) (GROUP / 32 - 1 - (i))

/* Adds the circles near[first ...] to the hits of the pixels that are open. */
#define COUNT_HITS(first) \
    for (uint i_ = 0; i_ < SHADE_STEP; i_++) { \
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

/* Looks which open pixels are proven by their sums of at most so many circles: a channel is, in
 * bytes, 255 (sum + t * middle), give or take t * spread and the rounding; it is proven where no
 * whole number lies within, or less than 0.5 - that, `limit`, from the half between two. Sums start
 * a quarter below 0, so that values clamped to 0..1 lie from 0.25 before the half before byte 0 to
 * 0.25 behind the half behind byte 254, where nothing is clamped that is not proven. Whole numbers
 * without conversions, of which a GPU can do few: adding 1.5 * 2^23 rounds to one, and leaves it in
 * the lowest bits. */
#define SUM_START (-0.25f / 255.0f)
#define ROUNDER 12582912.0f
#define ROUNDER_BITS 0x4b400000u
#define PROVE(circles) \
    { \
        const float walked_ = (float)(circles); \
        const float twice = 2.0f * walked_ < args.slack_most ? 2.0f * walked_ : args.slack_most; \
        const float most = 0.5f - args.slack * (twice + 13.0f); \
        ITEMS \
        { \
            UNROLL(SHADE_PIXELS) \
            for (uint p = 0; p < SHADE_PIXELS; p++) { \
                const float t = MINE(left[p]); \
                if (t < args.check_below && (MINE(open) >> p & 1)) { \
                    /* 2^23 + the exponent of t, from the bits of t. */ \
                    const float exponent = BITS_FLOAT(FLOAT_BITS(t) >> 23 | 0x4b000000u); \
                    const float seen = (8388735.0f - exponent) * args.terms_a_halving; \
                    const float terms = seen < walked_ ? seen : walked_; \
                    const float limit = \
                        MULTIPLY_ADD(t, -args.spread, MULTIPLY_ADD(terms, -args.slack, most)); \
                    uint result = 0xff000000u - ROUNDER_BITS * 0x10101u, is_proven = 1; \
                    PROVE_CHANNEL(MINE(red[p]), args.middle[0], 0); \
                    PROVE_CHANNEL(MINE(green[p]), args.middle[1], 8); \
                    PROVE_CHANNEL(MINE(blue[p]), args.middle[2], 16); \
                    if (is_proven) { \
                        MINE(pixel[p]) = result; \
                        MINE(open) &= ~(1u << p); \
                    } \
                } \
            } \
        } \
    }
#define PROVE_CHANNEL(sum, middle, shift) \
    { \
        const float share = SATURATE(MULTIPLY_ADD(t, middle, sum)); \
        const float value = MULTIPLY_ADD(255.0f, share, -0.25f); \
        const float rounded = value + ROUNDER; \
        const float rest = value - (rounded - ROUNDER); \
        is_proven &= (uint)(ABS(rest) < limit); \
        result += FLOAT_BITS(rounded) << shift; \
    }

/* Loads batch b of a walk over the matrix of bits: the numbers of the circles whose bits are set. A
 * list is one batch. */
#define LOAD_BATCH(b) \
    amount = count; \
    UNLESS_LISTS \
    { \
        ITEMS \
        { \
            const uint word = (b)*GROUP + ITEM; \
            const uint is_there = args.from == FROM_BINS && word < args.words; \
            MINE(found_bits) = is_there ? bins[column_line + word] & bins[row_line + word] : 0; \
            starts[ITEM] = BITS(MINE(found_bits)); \
        } \
        GROUP_SCAN(starts); \
        ITEMS \
        { \
            uint place = starts[ITEM]; \
            for (uint rest = MINE(found_bits); rest; rest &= rest - 1) \
                found[place++] = (ushort)(ITEM * 32 + (uint)LOWEST_BIT(rest)); \
        } \
        amount = args.from == FROM_BINS ? starts[GROUP] : count; \
        SYNC; \
    }
/* Where a list is read there is nothing to do. */
#if SYNC_MAY_BE_SKIPPED
#define UNLESS_LISTS if (args.from == FROM_BINS)
#else
#define UNLESS_LISTS
#endif

/* Puts those candidates of a batch, from number `from` on, that meet the tile into `near` and
 * `paints`, in order; near.w tells whether the circle holds the whole tile, or small ones' radius.
 * Behind them come circles that hold nothing, so that loops need no ends. */
#define GATHER(b, from_) \
    ITEMS \
    { \
        const uint candidate = (from_) + ITEM; \
        MINE(meets) = 0; \
        if (candidate < amount) { \
            const uint index = \
                args.from == FROM_BINS ? (b)*BATCH + found[candidate] : lists[first + candidate]; \
            MINE(circle_own) = geometry[index]; \
            MINE(paint_own) = paint[index]; \
            MINE(meets) = box_meets(box, MINE(circle_own)); \
        } \
    } \
    GROUP_RANK(starts, meets, rank, listed); \
    ITEMS \
    { \
        if (MINE(meets)) { \
            float4 circle = MINE(circle_own); \
            if (!SMALL) \
                circle.w = !SOFT && box_is_inside(box, circle) ? 1.0f : 0.0f; \
            near[MINE(rank)] = circle; \
            paints[MINE(rank)] = MINE(paint_own); \
        } \
    } \
    ITEMS_TO(SHADE_STEP) { \
        near[listed + ITEM].z = -1.0f; \
        near[listed + ITEM].w = 0.0f; \
    } \
    SYNC

/* Runs a statement for each chunk of candidates that was taken, farthest first: its circles are in
 * `near`, from 0 to listed. Each ends with a SYNC. */
#define FOR_CHUNKS_BACK(statement) \
    for (uint b = batch + (chunk > 0); b-- > 0;) { \
        LOAD_BATCH(b); \
        const uint end = b == batch ? chunk : amount; \
        for (uint next = (end + GROUP - 1) / GROUP; next-- > 0;) { \
            GATHER(b, next *GROUP); \
            statement; \
            SYNC; \
        } \
    }

/* The reference's steps for the chunk in `near`. */
#if SMALL
#define PAINT_CHUNK \
    MARK; \
    BLEND_MARKS(DOWNWARDS, HIGHEST_BIT, PAINT_OVER, !NEAREST)
#else
#define PAINT_CHUNK \
    for (uint k = (listed + SHADE_STEP - 1) / SHADE_STEP * SHADE_STEP; k > 0 && SOME(open); \
         k -= SHADE_STEP) { \
        UNROLL(4) \
        for (uint i = 1; i <= SHADE_STEP; i++) \
            BLEND(k - i, PAINT_OVER); \
        if (args.counts && !NEAREST) { \
            COUNT_HITS(k - SHADE_STEP); \
        } \
    }
#endif

/* A pixel's row or column in the tile from where it would lie. */
DEVICE uint tile_clamp(float place)
{
    return place < 0.0f ? 0 : place < (float)(TILE - 1) ? (uint)place + 1 : TILE - 1;
}

KERNEL9(KERNEL_NAME, GLOBAL const float4 *RESTRICT, geometry, GLOBAL const float4 *RESTRICT, paint,
    GLOBAL const float *RESTRICT, places, GLOBAL const uint *RESTRICT, bins,
    GLOBAL const uint *RESTRICT, lists, GLOBAL uint *RESTRICT, pixels, GLOBAL float4 *RESTRICT,
    state, GLOBAL uint *RESTRICT, counts, struct shade_args, args)
{
    LOCAL uint starts[GROUP + 1];
    LOCAL ushort found[BATCH];
    LOCAL float4 near[GROUP + SHADE_STEP], paints[GROUP + SHADE_STEP];
#if SMALL
    LOCAL uint marks[GROUP / 32][TILE * TILE];
    LOCAL float tile_x[TILE], tile_y[TILE];
#endif
    PRIVATE(float, x);
    PRIVATE_ARRAY(float, y, SHADE_PIXELS);
    PRIVATE_ARRAY(float, red, SHADE_PIXELS); /* the sum, or what a replay shows */
    PRIVATE_ARRAY(float, green, SHADE_PIXELS);
    PRIVATE_ARRAY(float, blue, SHADE_PIXELS);
#if NEAREST
    PRIVATE_ARRAY(float, left, SHADE_PIXELS); /* transmittance */
#endif
    PRIVATE_ARRAY(uint, hits, SHADE_PIXELS);
    PRIVATE_ARRAY(uint, pixel, SHADE_PIXELS);
    PRIVATE(uint, open);       /* a bit for each pixel that is not proven */
    PRIVATE(uint, found_bits); /* the item's word of the batch */
    PRIVATE(float4, circle_own);
    PRIVATE(float4, paint_own);
    PRIVATE(uint, meets);
    PRIVATE(uint, rank);
    VOTE(any);
    const struct band band = args.band;
    /* From the upper and the lower border inwards: tiles there have fewer circles to end early by,
     * and what takes longest is to start first. */
    const uint tile_rows = (band.rows + TILE - 1) / TILE;
    const uint tile_row = GROUP_Y % 2 ? tile_rows - 1 - GROUP_Y / 2 : GROUP_Y / 2;
    const uint first_column = GROUP_X * TILE, first_row = tile_row * TILE;
    const struct box box = tile_box(places, band, first_column, first_row, TILE);
    const uint bin_column = GROUP_X >> args.bin_shift, bin_row = tile_row >> args.bin_shift;
    const uint column_line = bin_column * args.words; /* of the bin in the matrix of bits */
    const uint row_line = (args.columns + bin_row) * args.words;
    const uint bin = bin_row * args.columns + bin_column;
    const uint first = args.from == FROM_LISTS ? lists[2 * bin] : 0; /* of the bin's list */
    const uint count = args.from == FROM_LISTS ? lists[2 * bin + 1] : args.circles;
    const uint batches = args.from == FROM_BINS ? (args.circles + BATCH - 1) / BATCH : 1;
    uint batch = 0, chunk = 0; /* the place reached */
    uint amount = 0;           /* candidates of the batch loaded last */
    uint listed = 0;           /* circles in `near` */

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
            MINE(red[p]) = SUM_START;
            MINE(green[p]) = SUM_START;
            MINE(blue[p]) = SUM_START;
#if NEAREST
            MINE(left[p]) = 1.0f;
#endif
            MINE(hits[p]) = 0;
            MINE(pixel[p]) = 0;
#if SMALL
            const uint place = (ITEM / TILE * SHADE_PIXELS + p) * TILE + ITEM % TILE;
            for (uint word = 0; word < GROUP / 32; word++)
                marks[word][place] = 0;
            tile_y[ITEM / TILE * SHADE_PIXELS + p] = MINE(y[p]);
#endif
        }
#if SMALL
        if (ITEM < TILE)
            tile_x[ITEM] = MINE(x);
#endif
    }

#if NEAREST
    /* Nearest first, until no pixel gains by it. */
    const float floor = 1.0f / (1 << 26); /* transmittance below which circles tell no more */
    PRIVATE(uint, wants);                 /* open pixels, while further circles tell more */
    uint walked = 0, goes_on = 1;         /* circles added up so far */
    while (goes_on && batch < batches) {
        LOAD_BATCH(batch);
        GATHER(batch, chunk);
#if SMALL
        MARK;
        BLEND_MARKS(UPWARDS, LOWEST_BIT, ADD_BEHIND, 1);
        PROVE(walked + listed);
#else
        for (uint k = 0; k < listed && SOME(open); k += SHADE_STEP) {
            UNROLL(4)
            for (uint i = 0; i < SHADE_STEP; i++)
                BLEND(k + i, ADD_BEHIND);
            if (args.counts) {
                COUNT_HITS(k);
            }
            PROVE(walked + k + SHADE_STEP);
        }
#endif
        walked += listed;
        chunk += GROUP;
        if (chunk >= amount) {
            chunk = 0;
            batch++;
        }
        ITEMS
        {
            float most = 0.0f;
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++)
                most = MINE(left[p]) > most ? MINE(left[p]) : most;
            MINE(wants) = most > floor ? MINE(open) : 0;
        }
        GROUP_ANY(any, wants);
        goes_on = any;
    }

#endif

    GROUP_ANY(any, open);
#if NEAREST
    /* Replays of what was taken, from both ends of what may lie behind. */
    for (uint behind = batch == batches ? BEHIND_HIGH + 1 : BEHIND_LOW;
         any && behind <= BEHIND_HIGH; behind++) {
        ITEMS
        {
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++) {
                MINE(red[p]) = behind == BEHIND_LOW ? args.low[0] : args.high[0];
                MINE(green[p]) = behind == BEHIND_LOW ? args.low[1] : args.high[1];
                MINE(blue[p]) = behind == BEHIND_LOW ? args.low[2] : args.high[2];
            }
        }
        FOR_CHUNKS_BACK(PAINT_CHUNK);
        ITEMS
        {
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++) {
                const uint result = to_pixel(MINE(red[p]), MINE(green[p]), MINE(blue[p]));
                if (MINE(open) >> p & 1) {
                    const uint is_proven = behind == BEHIND_HIGH && result == MINE(pixel[p]);
                    MINE(pixel[p]) = result;
                    MINE(open) &= ~(is_proven << p);
                }
            }
        }
        GROUP_ANY(any, open);
    }
#endif

    /* The reference itself: all circles, from the background. */
    batch = any ? batches : 0;
    chunk = 0;
    if (any) {
        ITEMS
        {
            const uint column = first_column + ITEM % TILE;
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++) {
                const uint row = first_row + ITEM / TILE * SHADE_PIXELS + p;
                GLOBAL const float *behind = background(places, band, picture_row(band, row));
                MINE(red[p]) = behind[0];
                MINE(green[p]) = behind[1];
                MINE(blue[p]) = behind[2];
                if (!NEAREST && args.resumes && (MINE(open) >> p & 1)) {
                    const float4 before = state[row * band.width + column];
                    MINE(red[p]) = before.x;
                    MINE(green[p]) = before.y;
                    MINE(blue[p]) = before.z;
                }
            }
        }
    }
    FOR_CHUNKS_BACK(PAINT_CHUNK);
    if (any) {
        ITEMS
        {
            UNROLL(SHADE_PIXELS)
            for (uint p = 0; p < SHADE_PIXELS; p++)
                if (MINE(open) >> p & 1)
                    MINE(pixel[p]) = to_pixel(MINE(red[p]), MINE(green[p]), MINE(blue[p]));
        }
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
                if (!NEAREST && args.pauses) {
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
