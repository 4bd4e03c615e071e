/* The evidence for answers, the probabilities made of it, how they are told and drawn. */
#include "stages/unscramble/confidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "images/chart.h"
#include "random.h"
#include "stages/unscramble/exchange.h"
#include "stages/unscramble/overlay.h"
#include "stages/unscramble/unscramble.h"

#define MAX_EDGES 16
#define NONE \
    { \
        NOTHING, FAR_COST \
    }

/* Three tiles in a row. Edges 0, 4, 8 are the left ones, 2, 6, 10 the right ones. */
static const struct partner ROW[MAX_EDGES][2] = {
    {{6, 500}, {10, 1400}},
    {NONE, NONE},
    {{4, 100}, {8, 900}},
    {NONE, NONE},
    {{2, 100}, {10, 1200}},
    {NONE, NONE},
    {{8, 500}, {0, 500}},
    {NONE, NONE},
    {{6, 500}, {2, 900}},
    {NONE, NONE},
    {{4, 1200}, {0, 1400}},
    {NONE, NONE},
};

/* Four tiles that make a square; no edge has a second partner. */
static const struct partner SQUARE[MAX_EDGES][2] = {
    {NONE, NONE},
    {NONE, NONE},
    {{4, 100}, NONE},
    {{9, 100}, NONE},
    {{2, 100}, NONE},
    {NONE, NONE},
    {NONE, NONE},
    {{13, 100}, NONE},
    {NONE, NONE},
    {{3, 100}, NONE},
    {{12, 100}, NONE},
    {NONE, NONE},
    {{10, 100}, NONE},
    {{7, 100}, NONE},
    {NONE, NONE},
    {NONE, NONE},
};

static struct partner list[MAX_EDGES][2];
static struct unlisted unlisted[MAX_EDGES];
static int32_t alike[MAX_EDGES];
static struct compatibility c = {
    .width = 2, .turns = TURNS_NONE, .list = list[0], .unlisted = unlisted};

static void take_tiles(int tiles, const struct partner from[MAX_EDGES][2])
{
    memcpy(list, from, sizeof(list));
    free(c.table);
    free(c.filter);
    c.tiles = tiles;
    for (int32_t a = 0; a < 4 * tiles; a++) {
        unlisted[a] = (struct unlisted){FAR_COST, {NO_COLOR}};
        alike[a] = a;
    }
    if (compatibility_index(&c))
        abort();
}

static float place[4][PLACE_EVIDENCE];
static double answer[ANSWER_EVIDENCE];

static void gather_page(
    int columns, int rows, const int32_t *tiles, int64_t *exchanges, int64_t all_exchanges)
{
    int32_t board[4];
    struct error error;
    for (int i = 0; i < columns * rows; i++)
        board[i] = tiles[i] == NOTHING ? NOTHING : 4 * tiles[i];
    const struct evidence_board of = {
        &c, alike, board, columns, rows, 0.5, 0.25, exchanges, all_exchanges};
    if (evidence_gather(&of, place, answer, &error))
        abort();
}

static void gather(int columns, int rows, const int32_t *tiles)
{
    gather_page(columns, rows, tiles, NULL, 0);
}
#define TILES(...) ((const int32_t[]){__VA_ARGS__})

static void check_value(const char *what, double value, double wanted)
{
    tap_check(fabs(value - wanted) < 1e-6, "%s: %.6f", what, value);
}

/* 0 and 1 have a margin of 800; 1 and 2 one of 0, for 1 fits 0 as well as 2. */
static void check_row(void)
{
    take_tiles(3, ROW);
    gather(3, 1, TILES(0, 1, 2));
    check_value("one mutual joint", (double)place[0][PLACE_MUTUAL], 0.25);
    check_value("its margin", (double)place[0][PLACE_FOR], 800.0 / 4 / FAR_COST);
    check_value("a tie is not mutual", (double)place[2][PLACE_OTHER], 0.25);
    check_value("of the middle tile both", (double)place[1][PLACE_MUTUAL], 0.25);
    check_value("of the middle tile both", (double)place[1][PLACE_OTHER], 0.25);
    check_value("the next best tile there", (double)place[0][PLACE_MARGIN], 1100.0 / FAR_COST);
    check_value("no other tile for the middle", (double)place[1][PLACE_MARGIN], 0.8);
    check_value("one that fits as well", (double)place[2][PLACE_MARGIN], 0);
    check_value("the part of two tiles", (double)place[0][PLACE_PART], log(2 / 3.0));
    check_value("the part of one", (double)place[2][PLACE_PART], log(1 / 3.0));
    check_value("tiles outside the largest part", answer[ANSWER_PARTED], log(2));
    check_value("half of the joints are mutual", answer[ANSWER_MUTUAL], 0.5);
    check_value("the mean cost", answer[ANSWER_COST], 300.0 / TIE_COST);
    check_value("places that are no better", answer[ANSWER_BETTER], log(2));
    check_value("what the search knows", answer[ANSWER_LEAD] + answer[ANSWER_RATIO], 0.75);
    check_value("no exchanges", answer[ANSWER_EXCHANGES] + (double)place[1][PLACE_EXCHANGES], 0);
    gather_page(
        3, 1, TILES(0, 1, 2), (int64_t[]){0, EXCHANGE_EQUAL / 2, 0}, 3 * (int64_t)EXCHANGE_EQUAL);
    check_value("exchanges of a page", answer[ANSWER_EXCHANGES], log(3 + 1e-4));
    check_value("of a place", (double)place[1][PLACE_EXCHANGES], (double)(float)log(0.5 + 1e-4));
    check_value("none of a place", (double)place[0][PLACE_EXCHANGES], (double)(float)log(1e-4));
    alike[0] = alike[8];
    gather(3, 1, TILES(0, 1, 2));
    check_value("a rival that looks alike is none", (double)place[2][PLACE_MUTUAL], 0.25);
    check_value("and has no better place", (double)place[2][PLACE_MARGIN], 1000.0 / FAR_COST);
}

/* The best joint is not made: 2 and 4 could touch with a margin of 800. */
static void check_wrong_row(void)
{
    take_tiles(3, ROW);
    gather(3, 1, TILES(2, 0, NOTHING));
    check_value("what speaks against it", (double)place[0][PLACE_AGAINST], -900.0 / 4 / FAR_COST);
    check_value("an edge that is unmet", (double)place[1][PLACE_UNMET], 0.25);
    check_value("and by how much", (double)place[1][PLACE_UNMET_BY], 800.0 / 4 / FAR_COST);
    check_value("the other tile has none", (double)place[0][PLACE_UNMET], 0);
    check_value("the sum", answer[ANSWER_UNMET_BY], log(1 + 8000.0 / FAR_COST));
    check_value("two tiles", answer[ANSWER_TILES], log(2));
    check_value("one place is empty", answer[ANSWER_EMPTY], log(2));
    check_value("nothing at an empty place", (double)place[2][PLACE_ONE], 0);
}

static void check_square(void)
{
    take_tiles(4, SQUARE);
    gather(2, 2, TILES(0, 1, 2, 3));
    check_value("a square is a block", (double)place[3][PLACE_SQUARES], 0.25);
    check_value("of all tiles", (double)place[0][PLACE_BLOCK], 0);
    check_value("none is loose", answer[ANSWER_LOOSE], 0);
    gather(2, 2, TILES(0, 1, 3, 2));
    check_value("three tiles are none", (double)place[0][PLACE_SQUARES], 0);
    check_value("then three are loose", answer[ANSWER_LOOSE], log(4));
    gather(4, 1, TILES(2, 3, 0, 1));
    check_value("rows do not run on", answer[ANSWER_MUTUAL], 2 / 3.0);
}

/* Six tiles of 2 x 2 pixels: 0 and 3 are white, 1 and 5 have the same pixels. */
static void check_alike(int depth)
{
    struct image image;
    struct error error;
    int32_t edges[24];
    if (image_new(7, 4, 3, depth, &image, &error))
        abort();
    memset(image.pixels, 0xff, 28 * image_pixel_size(&image));
    for (int tile = 0; tile < 6; tile++) {
        static const uint8_t VALUES[] = {0xff, 1, 2, 0xff, 3, 1};
        const size_t at = (size_t)(tile / 3 * 2 * 7 + tile % 3 * 2) * image_pixel_size(&image);
        ((uint8_t *)image.pixels)[at] = VALUES[tile];
    }
    const struct tiling tiling = {&image, 3, 2, 2, 2, 0};
    int repeated = alike_find(&tiling, edges);
    tap_check(repeated == 2 && edges[4 * 1 + 2] == edges[4 * 5 + 2] && edges[4] != edges[5] &&
                  edges[0] == edges[1] && edges[0] == edges[4 * 3 + 2] &&
                  edges[4 * 2] != edges[4 * 4] && edges[4 * 2] != edges[4],
        "tiles that look alike, %d bits", depth);
    ((uint8_t *)image.pixels)[(3 * 7 + 5) * image_pixel_size(&image)] = 1;
    repeated = alike_find(&tiling, edges);
    tap_check(repeated == 1 && edges[4 * 1] != edges[4 * 5],
        "tiles that differ in their last pixel alone, %d bits", depth);
    image_free(&image);
}

static double logistic(const double *coefficients, const double *evidence, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += coefficients[i] * evidence[i];
    return 1 / (1 + exp(-sum));
}

static void check_probabilities(void)
{
    double e[ANSWER_EVIDENCE] = {
        1, log(9), 0.9, log(3), log(3), log(3), log(3), 1, 1, 0, log(2), 0.3, 0.6, 0, 0.1, 0.1};
    double wanted = logistic(ANSWER_COEFFICIENTS[ANSWER_PROVEN], e, ANSWER_EVIDENCE);
    check_value("the formula", confidence_of_answer(ANSWER_PROVEN, e), fmin(wanted, 0.99));
    wanted = logistic(ANSWER_COEFFICIENTS[ANSWER_SEARCHED], e, ANSWER_EVIDENCE);
    check_value("of large puzzles", confidence_of_answer(ANSWER_SEARCHED, e), fmin(wanted, 0.99));
    const double sure[ANSWER_EVIDENCE] = {
        1, log(9), 1, 0, 0, 0, 0, 0, 0, 0.9, 0, 0.9, 0.05, 0, 3, 2};
    const double known = confidence_of_answer(ANSWER_PROVEN, sure);
    tap_check(
        known > 0.9 && known <= 0.99, "a clear answer is sure, but not too sure: %.3f", known);
    memcpy(e, sure, sizeof(e));
    e[ANSWER_LEAD] = e[ANSWER_RATIO] = 0;
    tap_check(confidence_of_answer(ANSWER_PROVEN, e) <= 0.5, "a tie is at most as likely as not");
    e[ANSWER_EXCHANGES] = log(1e-4);
    tap_check(confidence_of_answer(ANSWER_PAGE, e) > 0.9, "a page that nothing else fits is sure");
    e[ANSWER_EXCHANGES] = log(1 + 1e-4);
    tap_check(
        confidence_of_answer(ANSWER_PAGE, e) < 0.5, "one that other orders fit as well is not");
    e[ANSWER_TILES] = 0;
    check_value("one tile is right", confidence_of_answer(ANSWER_PROVEN, e), 1);

    float places[3][PLACE_EVIDENCE] = {
        {1, 0.5F, 0.25F, 0.3F, 0, 0.3F, 0.25F, 0, 0, -1, -2, 0, 0.7F, -2, 3, 0.1F, 0, 0}, {0},
        {1, 0, 1, 0, -0.5F, -0.5F, 1, 0.5F, 0, -5, -5, 0, 0.1F, -5, 5, 0, 0, 0}};
    double first[PLACE_EVIDENCE];
    float confidence[3];
    for (int i = 0; i < PLACE_EVIDENCE; i++)
        first[i] = (double)places[0][i];
    wanted = logistic(PLACE_COEFFICIENTS[ANSWER_SEARCHED], first, PLACE_EVIDENCE);
    confidence_of_places(ANSWER_SEARCHED, places, 3, 0.125, confidence);
    check_value("a place", (double)confidence[0], fmax(fmin(wanted, 0.99), 0.125));
    check_value("an empty place", (double)confidence[1], 0);
    check_value("no less than the whole", (double)confidence[2], 0.125);
    for (int i = 0; i < PLACE_EVIDENCE; i++) /* all speaks for them */
        places[0][i] = places[2][i] = PLACE_COEFFICIENTS[ANSWER_PAGE][i] > 0 ? 2 : -2;
    places[0][PLACE_EXCHANGES] = (float)log(1 + 1e-4);
    places[2][PLACE_EXCHANGES] = (float)log(1e-4);
    confidence_of_places(ANSWER_PAGE, places, 3, 0.125, confidence);
    check_value("a place that an exchange suits as well", (double)confidence[0], (double)0.49F);
    tap_check((double)confidence[2] > 0.5, "one that none does");
}

static void check_order(void)
{
    static const struct placed placed[] = {{3, 0}, {0, 0}, {NO_TILE, 0}, {1, 0}, {2, 0}};
    static const float confidence[] = {0.5f, 0.25f, 1, 0.75f, 0.5f};
    uint32_t order[5], count = 0;
    struct error error;
    tap_check(confidence_order(placed, confidence, 5, order, &count, &error) == 0 && count == 4 &&
                  memcmp(order, (uint32_t[]){3, 0, 4, 1}, sizeof(uint32_t[4])) == 0,
        "the surest place first");
}

static void check_names(const char *doubtful, const char *wanted)
{
    struct placed placed[40] = {{0, 0}};
    float confidence[40] = {0};
    char text[CONFIDENCE_TEXT];
    const uint32_t places = (uint32_t)strlen(doubtful);
    for (uint32_t i = 0; i < places; i++) {
        placed[i].tile = doubtful[i] == '-' ? NO_TILE : i;
        confidence[i] = doubtful[i] == '-' ? 0 : (float)(doubtful[i] - '0') / 10;
    }
    confidence_name_doubtful(placed, confidence, places, 0.5, text);
    tap_check(strcmp(text, wanted) == 0, "'%s' has doubtful places %s", doubtful, text);
}

static void check_all_names(void)
{
    check_names("919195", "1, 3");
    check_names("11991119", "0, 1, 4-6");
    check_names("-1-999", "1");
    check_names("1-1", "0, 2");
    check_names("97689", "2");
    check_names("191919191919191919191191", "0, 2, 4, 6, 8, 10, 12, 14, 16, 18 and 3 more");
}

static int has_color(const struct image *image, int x, int y, struct color color)
{
    const uint8_t *pixel = (const uint8_t *)image->pixels + 4 * (y * image->width + x);
    return pixel[0] == color.red && pixel[1] == color.green && pixel[2] == color.blue;
}

/* Two gray tiles of 40 x 40 pixels and an empty place. */
static void check_picture(void)
{
    static const struct color GRAY = {100, 100, 100}, EMPTY = {1, 2, 3};
    struct placed placed[] = {{1, 0}, {0, 0}, {NO_TILE, 0}};
    static const float confidence[] = {1, 0, 0};
    const struct permutation permutation = {{3, 1}, 1, {{3, 1}}, placed, 0};
    struct image puzzle, image = {0};
    struct error error;
    if (image_new(120, 40, 3, 8, &puzzle, &error))
        abort();
    draw_rectangle(&puzzle, 0, 0, 120, 40, GRAY);
    const struct layout layout = {&puzzle, 40, 40, &permutation, EMPTY, 0};
    if (overlay_draw(&layout, confidence, &image, &error))
        abort();
    const uint8_t *doubtful = (const uint8_t *)image.pixels + 4 * (20 * image.width + 60);
    tap_check(image.width == 120 + chart_bar_width(chart_text_size(120, 40)) && image.height == 40,
        "the scale is beside");
    tap_check(has_color(&image, 20, 20, GRAY) && has_color(&image, 0, 0, GRAY), "sure: as it is");
    tap_check(doubtful[0] > 140 && doubtful[1] < 60 && doubtful[2] < 80, "doubtful: red");
    tap_check(
        has_color(&image, 40, 0, draw_diverging(1)) && !has_color(&image, 41, 1, draw_diverging(1)),
        "and with an outline");
    tap_check(has_color(&image, 100, 20, EMPTY), "empty: its own color");
    const uint8_t *low = (const uint8_t *)image.pixels + 4 * (31 * image.width + image.width - 35);
    const uint8_t *high = low - 4 * 23 * image.width;
    tap_check(low[0] > low[1] + 50 && abs(high[0] - high[1]) < 20, "the scale: sure above");
    image_free(&image);
    image_free(&puzzle);
}

static void count_kept(void *kept, int is_warning, const char *line)
{
    (void)is_warning;
    *(int *)kept += strstr(line, "keeping the answer that was there") != NULL;
}

/* Tiles of noise, which fit no better one way than another: other ways to search are tried, and
 * what they found is let go. The evidence is of the answer that is kept. */
static void check_kept_evidence(void)
{
    struct image puzzle;
    struct error error;
    uint64_t random = 1;
    int kept = 0;
    if (image_new(90, 60, 3, 8, &puzzle, &error))
        abort();
    for (size_t i = 0; i < (size_t)90 * 60 * 4; i++)
        ((uint8_t *)puzzle.pixels)[i] = i % 4 == 3 ? 255 : (uint8_t)random_index(&random, 256);
    struct run run = {.device_id = "cpu", .notice = count_kept, .context = &kept};
    struct unscramble u = {
        .options = {.input = "noise", .puzzle = &puzzle, .grid = {.columns = 3, .rows = 2}}};
    if (unscramble_run(&run, &u))
        abort();
    const struct unscramble_result *result = &u.result;
    tap_check(kept == 1 && result->probability ==
                               confidence_of_answer(result->answer_kind, result->answer_evidence),
        "the evidence is of the answer that is kept");
    unscramble_end(&u);
    run_end(&run);
    image_free(&puzzle);
}

int main(void)
{
    check_row();
    check_wrong_row();
    check_square();
    check_alike(8);
    check_alike(16);
    check_probabilities();
    check_order();
    check_all_names();
    check_picture();
    check_kept_evidence();
    return tap_finish();
}
