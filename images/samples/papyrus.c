/* Draws the bundled sample: a sheet of papyrus with two columns of invented writing.
 *
 * The image is the same to the last bit everywhere: it uses its own random generator, and of
 * the mathematical library only functions whose results IEEE 754 fixes (sqrtf, floorf, fabsf). */

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "images/image.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* gcc does not contract under -std=c11, and warns of the pragma */
#endif

enum { SIDE = 900, ROWS = 16, JOIN = 574 };

struct point {
    float x, y;
};

struct color {
    float level[3];
};

/* An ellipse: a hole, a stain or a worn place. Lists end with a patch of no width. */
struct patch {
    float x, y, width, height, strength;
};

/* A curve from (x0, y0) to (x1, y1), pulled toward (cx, cy); the top of an ordinary letter is
 * at y = 0 and the line that it stands on at y = 10. */
struct stroke {
    int8_t x0, y0, cx, cy, x1, y1;
};

struct letter {
    int strokes, width;
    struct stroke stroke[4];
};

static const struct letter letters[] = {
    {3, 11, {{1, 10, 5, 4, 6, 0}, {6, 0, 7, 6, 10, 10}, {2, 7, 6, 5, 8, 8}}},
    {3, 11, {{7, 0, 6, 6, 8, 13}, {7, 1, -4, 0, 1, 5}, {1, 5, 4, 7, 11, 4}}},
    {2, 9, {{9, 1, -5, 4, 9, 10}, {0, 5, 5, 4, 7, 5}}},
    {3, 10, {{0, 1, 5, 2, 10, 1}, {5, 1, 4, 6, 6, 10}, {6, 10, 8, 11, 10, 8}}},
    {3, 10, {{0, 1, 0, 8, 5, 7}, {5, 7, 9, 6, 9, 0}, {4, 3, 4, 9, 7, 13}}},
    {3, 11, {{0, 2, 6, -1, 6, 5}, {6, 5, 6, 11, 0, 9}, {6, 5, 9, 3, 11, 5}}},
    {3, 10, {{0, 0, 6, 5, 0, 10}, {10, 0, 4, 5, 10, 10}, {3, 5, 5, 4, 7, 5}}},
    {3, 10, {{0, 0, 6, 2, 10, 10}, {10, 0, 6, 5, -2, 13}, {3, 0, 5, -2, 7, 0}}},
    {3, 10, {{5, 1, -4, 5, 5, 9}, {5, 1, 14, 5, 5, 9}, {5, -4, 5, 5, 5, 14}}},
    {4, 11, {{0, 1, 6, -1, 9, 1}, {9, 1, 4, 5, 0, 10}, {0, 10, 6, 8, 11, 10}, {2, 5, 6, 4, 9, 6}}},
    {4, 12, {{0, 10, 2, 4, 3, 0}, {3, 0, 5, 8, 6, 7}, {6, 7, 8, 3, 9, 0}, {9, 0, 9, 6, 12, 10}}},
    {3, 11, {{0, 3, 3, -1, 4, 4}, {4, 4, 4, 8, 4, 13}, {4, 6, 7, 2, 11, 2}}},
    {2, 8, {{5, 2, -3, 3, 3, 8}, {3, 8, 11, 7, 5, 2}}},
    {3, 10, {{0, 2, 5, 0, 10, 1}, {2, 2, 3, 6, 1, 10}, {8, 1, 7, 6, 9, 10}}},
    {3, 10, {{0, 6, 5, 4, 10, 6}, {5, 0, 4, 4, 5, 11}, {1, 1, 2, 3, 1, 4}}},
    {4, 10, {{0, 3, 0, 10, 4, 9}, {4, 9, 5, 6, 5, 4}, {5, 6, 6, 11, 9, 9}, {9, 9, 11, 6, 9, 2}}},
    {3, 11, {{1, 10, 8, 8, 8, 0}, {8, 0, 0, 0, 3, 5}, {3, 5, 5, 7, 11, 6}}},
};

static const struct patch holes[] = {{892, 402, 74, 11, 6}, {14, 655, 44, 22, 9},
    {236, 246, 17, 7, 4}, {262, 262, 7, 4, 2}, {688, 596, 24, 8, 4}, {655, 611, 8, 4, 2},
    {408, 762, 10, 6, 4}, {772, 168, 9, 5, 3}, {120, 470, 6, 4, 2}, {470, 388, 7, 13, 4},
    {330, 892, 34, 20, 8}, {350, 876, 9, 26, 6}, {602, 8, 32, 16, 8}, {622, 18, 8, 22, 6},
    {888, 846, 42, 24, 9}, {18, 16, 36, 24, 8}, {548, 700, 6, 4, 2}, {176, 828, 9, 5, 3},
    {0, 0, 0, 0, 0}};

static const struct patch stains[] = {{150, 190, 130, 95, 0.60f}, {720, 745, 160, 105, 0.62f},
    {430, 545, 80, 90, 0.45f}, {830, 250, 90, 120, 0.50f}, {60, 800, 140, 90, 0.70f},
    {498, 60, 120, 56, 0.45f}, {330, 350, 40, 30, 0.50f}, {640, 470, 32, 24, 0.60f},
    {0, 0, 0, 0, 0}};

static const struct patch worn[] = {{300, 640, 90, 36, 0.8f}, {800, 520, 64, 42, 0.9f},
    {550, 232, 64, 32, 0.8f}, {96, 400, 60, 28, 0.7f}, {450, 838, 110, 24, 0.8f},
    {330, 110, 80, 18, 0.7f}, {0, 0, 0, 0, 0}};

static float depth[SIDE * SIDE], ink[SIDE * SIDE];

static uint64_t random_state = 20240607;

static uint64_t bits_mix(uint64_t bits)
{
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

/* splitmix64 */
static float random_between(float low, float high)
{
    random_state += 0x9e3779b97f4a7c15u;
    return low + (high - low) * (float)(bits_mix(random_state) >> 40) / 16777216.0f;
}

static float value_clamp(float value, float low, float high)
{
    return fminf(fmaxf(value, low), high);
}

static float value_smooth(float low, float high, float value)
{
    const float part = value_clamp((value - low) / (high - low), 0, 1);
    return part * part * (3 - 2 * part);
}

static float noise_corner(int x, int y, uint32_t seed)
{
    const uint64_t place = (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
    return (float)(bits_mix(bits_mix(place) + seed) >> 40) / 8388608.0f - 1;
}

/* Smooth noise in -1 .. 1 with one bump to the unit. */
static float noise_at(float x, float y, uint32_t seed)
{
    const int column = (int)floorf(x), row = (int)floorf(y);
    const float u = value_smooth(0, 1, x - floorf(x)), v = value_smooth(0, 1, y - floorf(y));
    float line[2];
    for (int i = 0; i < 2; i++) {
        const float left = noise_corner(column, row + i, seed);
        line[i] = left + (noise_corner(column + 1, row + i, seed) - left) * u;
    }
    return line[0] + (line[1] - line[0]) * v;
}

/* Four octaves, each turned against the last so that the grid of corners does not show. */
static float noise_cloud(float x, float y, uint32_t seed)
{
    float sum = 0, weight = 8;
    for (uint32_t i = 0; i < 4; i++, weight /= 2) {
        const float turned = 1.6f * x - 1.2f * y;
        y = 1.2f * x + 1.6f * y;
        x = turned;
        sum += weight * noise_at(x / 2, y / 2, seed + i);
    }
    return sum / 15;
}

/* 1 in the middle of the patch, 0 on its outline, negative outside. */
static float patch_depth(const struct patch *patch, float x, float y)
{
    const float across = (x - patch->x) / patch->width, down = (y - patch->y) / patch->height;
    return 1 - sqrtf(across * across + down * down);
}

/* How strongly a list of patches marks a place; rim is the share that their outlines take. */
static float patches_mark(const struct patch *patch, float x, float y, float ragged, float rim)
{
    float sum = 0;
    for (; patch->width > 0; patch++) {
        const float inside = patch_depth(patch, x, y) + ragged;
        const float edge = value_smooth(-0.03f, 0.06f, inside);
        const float line = edge * (1 - value_smooth(0.05f, 0.22f, inside));
        sum += patch->strength * (edge * (1 - rim) + line * rim);
    }
    return fminf(sum, 1);
}

/* Pixels to the nearest edge of the sheet; at its sides every strip has broken off elsewhere. */
static float sheet_depth(float x, float y)
{
    const float fray = 1.8f * noise_at(x / 30, y / 1.7f, 1) + 2 * noise_at(x / 40, y / 5, 2);
    const int strip = (int)floorf(y / 13 + noise_at(1, y / 30, 3));
    const float left = x - 17 - 5 * noise_cloud(3, y / 70, 4) - 3 * noise_corner(1, strip, 5);
    const float right = 882 - x - 5 * noise_cloud(7, y / 60, 6) - 3 * noise_corner(2, strip, 5);
    const float nick = 1.2f * noise_at(x / 4, y / 20, 7);
    const float top = y - 16 - 6 * noise_cloud(x / 80, 3, 8) + nick;
    const float bottom = 882 - y - 7 * noise_cloud(x / 70, 7, 9) + nick;
    const float cloud = noise_cloud(x / 26, y / 11, 10);
    float least = fminf(fminf(left, right) + fray, fminf(top, bottom));
    for (const struct patch *hole = holes; hole->width > 0; hole++) {
        const float inside = patch_depth(hole, x, y) * fminf(hole->width, hole->height);
        least = fminf(least, hole->strength * cloud + 0.5f * fray - inside);
    }
    return least;
}

static void ink_dab(struct point at, float radius, float density)
{
    const int left = (int)at.x - 4, top = (int)at.y - 4;
    for (int i = 0; i < 81; i++) {
        const int x = left + i % 9, y = top + i / 9;
        const float dx = (float)x - at.x, dy = (float)y - at.y;
        const float edge = value_clamp(radius + 0.5f - sqrtf(dx * dx + dy * dy), 0, 1);
        ink[y * SIDE + x] = fmaxf(ink[y * SIDE + x], edge * density);
    }
}

/* Pulls a reed pen along the curve: broad falling to the right, thin rising, tapered at the end. */
static void ink_pull(const struct point curve[3], float radius, float density)
{
    struct point last = curve[0];
    for (int i = 0; i <= 64; i++) {
        const float t = (float)i / 64, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
        const struct point at = {a * curve[0].x + b * curve[1].x + c * curve[2].x,
            a * curve[0].y + b * curve[1].y + c * curve[2].y};
        const float dx = at.x - last.x, dy = at.y - last.y;
        const float along = fabsf(0.5f * dx + 0.87f * dy) / (sqrtf(dx * dx + dy * dy) + 0.0001f);
        const float taper = fminf(0.65f + 3 * t, 1) * (1 - 0.65f * value_smooth(0.6f, 1, t));
        ink_dab(at, radius * (0.6f + 0.4f * along) * taper, density * (1 - 0.3f * t));
        last = at;
    }
}

static void letter_write(const struct letter *letter, struct point at, float unit, float density)
{
    const float lean = random_between(-0.10f, 0.04f);
    for (int i = 0; i < letter->strokes; i++) {
        const struct stroke s = letter->stroke[i];
        const int8_t grid[3][2] = {{s.x0, s.y0}, {s.cx, s.cy}, {s.x1, s.y1}};
        struct point curve[3];
        for (int j = 0; j < 3; j++) {
            const float x = (float)grid[j][0] + random_between(-0.5f, 0.5f);
            const float y = (float)grid[j][1] + random_between(-0.5f, 0.5f) - 10;
            curve[j] = (struct point){at.x + unit * (x + lean * y), at.y + unit * y};
        }
        ink_pull(curve, random_between(1.9f, 2.5f), density);
    }
}

/* The pen is dipped again whenever it has nearly run dry. */
static void row_write(float left, float right, float baseline)
{
    const int count = sizeof letters / sizeof *letters;
    float load = random_between(0.7f, 1);
    int choice = 0;
    for (float x = left; x < right; load = load < 0.55f ? 1 : load - random_between(0.01f, 0.07f)) {
        choice = (choice + (int)random_between(1, (float)count)) % count;
        const float y = baseline + 7 * noise_at(x / 150, baseline, 11) + random_between(-1, 1);
        const float unit = random_between(2.2f, 2.5f);
        letter_write(&letters[choice], (struct point){x, y}, unit, load);
        x += unit * ((float)letters[choice].width + random_between(1.6f, 3));
        x += random_between(0, 1) < 0.12f ? 9 : 0;
    }
}

/* Two columns, in which a short bar under a row now and then marks off a passage. */
static void text_write(void)
{
    static const struct letter bar = {1, 0, {{-7, 15, 2, 13, 15, 14}}};
    for (int i = 0; i < 2 * ROWS; i++) {
        const int column = i / ROWS, row = i % ROWS;
        const float drift = random_between(-4, 4) - 0.5f * (float)row;
        const float left = (column == 0 ? 66 : 476) + drift, y = 98 + 48.0f * (float)row;
        row_write(left, left + random_between(314, 346), y);
        if (row % 5 == 3 - column)
            letter_write(&bar, (struct point){left, y}, 2.3f, 0.9f);
    }
}

/* Tone, about -1 .. 1, of one layer of reed strips: side by side, with a dark seam between. */
static float layer_tone(float along, float across, uint32_t seed)
{
    const float bent = across + 5 * noise_at(along / 280, across / 120, seed);
    const float place = bent / 26 + 0.45f * noise_at(along / 900, bent / 50, seed + 1);
    const float strip = floorf(place), from_seam = 26 * (place - strip);
    const float wear = 0.6f + 0.4f * noise_at(along / 70, strip, seed + 2);
    const float seam = value_smooth(3.5f, 2, from_seam) - 1.7f * value_smooth(2, 0.6f, from_seam);
    const float vein = value_smooth(0.25f, 0.8f, noise_at(along / 260, bent / 2.7f, seed + 3));
    const float hair = value_smooth(0.6f, 0.9f, noise_at(along / 60, bent / 1.5f, seed + 4));
    const float coarse = noise_at(along / 240, bent / 6, seed + 5);
    const float fine = noise_at(along / 110, bent / 1.9f, seed + 6);
    return 0.55f * noise_corner((int)strip, 0, seed + 7) + 0.45f * coarse + 0.25f * fine -
           0.5f * vein + 0.5f * hair + 0.5f * wear * seam;
}

/* The overlap where two sheets are glued: darker, with a lit edge and a shadow beside it. */
static float join_tone(float x, float y)
{
    const float from = x - JOIN - 3 * noise_cloud(5, y / 90, 12) - 1.2f * noise_at(2, y / 3, 13);
    if (from < 0)
        return -0.6f * value_smooth(-6, -0.5f, from);
    return 0.5f * value_smooth(4, 1, from) - 0.25f * value_smooth(44, 20, from);
}

/* Where the upper layer, whose fibres run level, has worn off, the upright one lies open. */
static float sheet_tone(float x, float y, float wear)
{
    const float level = layer_tone(x, y + 0.012f * x, x < JOIN ? 100 : 200);
    const float upright = layer_tone(y, x + 0.02f * y, 300);
    const float from_crease = fabsf(x - 292 - 5 * noise_at(3, y / 120, 14));
    const float share = 0.28f + 0.64f * wear;
    return level * (1 - share) + upright * share + join_tone(x, y) - 0.4f * wear -
           0.5f * value_smooth(1.8f, 0, from_crease) + 0.6f * noise_cloud(x / 240, y / 200, 15);
}

static struct color color_mix(struct color a, struct color b, float part)
{
    for (int i = 0; i < 3; i++)
        a.level[i] += (b.level[i] - a.level[i]) * part;
    return a;
}

static struct color sheet_color(float x, float y, int place)
{
    static const struct color dark = {{92, 58, 28}}, light = {{238, 204, 146}};
    static const struct color gray = {{172, 158, 128}}, rust = {{104, 58, 26}};
    static const struct color soot = {{28, 21, 18}};
    const float cloud = noise_cloud(x / 60, y / 60, 16), grain = noise_at(x / 40, y / 2.5f, 17);
    const float wear = patches_mark(worn, x, y, 0.5f * grain + 0.5f * cloud, 0);
    const float stain = patches_mark(stains, x, y, 0.1f * grain + 0.7f * cloud, 0.4f);
    const float tone = sheet_tone(x, y, wear), grime = value_smooth(12, 0, depth[place]);
    const float part = 0.66f + 0.27f * tone - 0.25f * grime - 0.35f * stain;
    struct color color = color_mix(dark, light, value_clamp(part, 0, 1.1f));
    color = color_mix(color, gray, 0.18f + 0.25f * noise_cloud(x / 300, y / 260, 18));
    color = color_mix(color, rust, 0.6f * stain);
    const float held = 0.6f + 0.4f * value_smooth(-0.9f, 0.2f, tone + 0.7f * grain);
    return color_mix(color, soot, ink[place] * held * (1 - 0.85f * wear));
}

/* The mount under the sheet, another tone at every corner, in the shadow that the sheet casts. */
static struct color ground_color(int x, int y)
{
    static const struct color pale = {{236, 234, 228}}, warm = {{214, 205, 190}};
    static const struct color cool = {{150, 158, 168}}, deep = {{120, 112, 104}}, black = {{0}};
    const float right = (float)x / SIDE, down = (float)y / SIDE;
    const struct color upper = color_mix(pale, warm, right), lower = color_mix(cool, deep, right);
    const float from_sheet = depth[(y < 4 ? 0 : y - 4) * SIDE + (x < 4 ? 0 : x - 4)];
    return color_mix(color_mix(upper, lower, down), black, 0.6f * value_smooth(-9, 6, from_sheet));
}

/* The levels go in steps of three: too fine to see, and the file is a third smaller for it. */
static void image_draw(uint8_t *pixel)
{
    text_write();
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE;
        depth[i] = sheet_depth((float)x, (float)y);
    }
    for (int i = 0; i < SIDE * SIDE; i++, pixel += 4) {
        const int x = i % SIDE, y = i / SIDE;
        const struct color sheet = sheet_color((float)x, (float)y, i);
        const struct color ground = ground_color(x, y);
        const struct color color = color_mix(ground, sheet, value_clamp(depth[i] + 0.5f, 0, 1));
        for (int j = 0; j < 3; j++)
            pixel[j] = (uint8_t)(3 * (int)(value_clamp(color.level[j], 0, 255) / 3));
        pixel[3] = 255;
    }
}

int main(int argc, char **argv)
{
    struct image image;
    struct error error;
    if (argc != 2) {
        fputs("usage: papyrus OUTPUT.png\n", stderr);
        return 2;
    }
    int result = image_new(SIDE, SIDE, 3, 8, &image, &error);
    if (result == 0) {
        image_draw(image.pixels);
        result = image_write(argv[1], NULL, &image, NULL, &error);
        image_free(&image);
    }
    if (result < 0)
        fprintf(stderr, "papyrus: %s\n", error.text);
    return result < 0;
}
