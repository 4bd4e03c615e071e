/* Scores of answers: by hand, and against a slow way to count, on random ones. */
#include "stages/unscramble/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"

static struct error error;

static struct permutation parse(const char *text)
{
    struct permutation permutation = {0};
    if (permutation_parse(text, strlen(text), "x", &permutation, &error) != 0)
        abort();
    return permutation;
}

/* Shares are given as counts: of tiles, of pairs, of tiles. */
static void check_score(const char *what, const char *answer_text, const char *truth_text,
    enum turns turns, const int direct[2], const int neighbor[2], int largest, int perfect)
{
    struct permutation answer = parse(answer_text), truth = parse(truth_text);
    struct score s = {0};
    const int rc = score_answer(&answer, &truth, "x", turns, &s, &error);
    tap_check(rc == 0 && s.direct == (double)direct[0] / direct[1] &&
                  s.neighbor == (double)neighbor[0] / neighbor[1] &&
                  s.largest == (double)largest / direct[1] && s.perfect == perfect,
        "%s: %.3f %.3f %.3f %d", what, s.direct, s.neighbor, s.largest, s.perfect);
    permutation_free(&answer);
    permutation_free(&truth);
}
#define OF(...) ((const int[]){__VA_ARGS__})

#define TRUTH "0 1 2\n3 4 5\n"
#define TURNED_TRUTH "0@90 1@270 2\n3 4@180 5\n"
#define GAPS "0 - 2\n3 4 5\n"
#define TWO "puzzle 4x2\npicture\n0 1\n2 3\npicture\n4 5\n6 7\n"

static void check_by_hand(void)
{
    check_score("the truth", TRUTH, TRUTH, TURNS_NONE, OF(6, 6), OF(7, 7), 6, 1);
    check_score("two exchanged", "1 0 2\n3 4 5\n", TRUTH, TURNS_NONE, OF(4, 6), OF(3, 7), 4, 0);
    check_score("all moved by one", "2 0 1\n5 3 4\n", TRUTH, TURNS_NONE, OF(0, 6), OF(5, 7), 4, 0);
    check_score(
        "a tile that is turned", "0 1 2\n3 4@90 5\n", TRUTH, TURNS_NONE, OF(5, 6), OF(4, 7), 5, 0);

    const char *upside_down = "5@180 4@180 3@180\n2@180 1@180 0@180\n";
    check_score("upside down", upside_down, TRUTH, TURNS_HALF, OF(6, 6), OF(7, 7), 6, 1);
    check_score("upside down where tiles are not turned", upside_down, TRUTH, TURNS_NONE, OF(0, 6),
        OF(7, 7), 6, 0);
    const char *right = "puzzle 3x2\n3@90 0@90\n4@90 1@90\n5@90 2@90\n";
    check_score("on its right side", right, TRUTH, TURNS_ANY, OF(6, 6), OF(7, 7), 6, 1);
    check_score("on its side where tiles are turned by half", right, TRUTH, TURNS_HALF, OF(0, 6),
        OF(7, 7), 6, 0);
    check_score("on its left side", "puzzle 3x2\n2@270 5@270\n1@270 4@270\n0@270 3@270\n", TRUTH,
        TURNS_ANY, OF(6, 6), OF(7, 7), 6, 1);
    check_score("on its side, in parts", "puzzle 3x2\n3@90 0@90\n5@90 1@90\n4@90 2\n", TRUTH,
        TURNS_ANY, OF(3, 6), OF(2, 7), 3, 0);
    check_score("turns that the truth has", "puzzle 3x2\n3@90 0@180\n4@270 1\n5@90 2@90\n",
        TURNED_TRUTH, TURNS_NONE, OF(6, 6), OF(7, 7), 6, 1);
    check_score("half turns that the truth has", "5@180 4@180 3\n2@180 1@180 0@180\n",
        "0 1 2\n3@180 4 5\n", TURNS_NONE, OF(6, 6), OF(7, 7), 6, 1);
    check_score(
        "as if no tile were turned", TRUTH, TURNED_TRUTH, TURNS_NONE, OF(3, 6), OF(1, 7), 2, 0);

    check_score("a missing tile", GAPS, GAPS, TURNS_NONE, OF(5, 5), OF(4, 4), 5, 1);
    check_score("where one is missing, another", "0 1 2\n3 4 5\n", GAPS, TURNS_NONE, OF(5, 5),
        OF(4, 4), 5, 0);
    check_score("a tile not placed", GAPS, TRUTH, TURNS_NONE, OF(5, 6), OF(4, 7), 5, 0);

    check_score("a wider frame", "puzzle 3x2\n- - - - -\n- 0 1 2 -\n- 3 4 5 -\n", TRUTH, TURNS_NONE,
        OF(6, 6), OF(7, 7), 6, 1);
    check_score("a narrower frame", "puzzle 3x2\n1 2\n4 5\n0 3\n", TRUTH, TURNS_NONE, OF(4, 6),
        OF(4, 7), 4, 0);
    check_score("a wider frame on its side", "puzzle 3x2\n- 3@90 0@90\n- 4@90 1@90\n- 5@90 2@90\n",
        TRUTH, TURNS_ANY, OF(6, 6), OF(7, 7), 6, 1);
    check_score("shifted in its own frame", "- 0 1\n- 3 4\n", "0 1 -\n3 4 -\n", TURNS_NONE,
        OF(0, 4), OF(4, 4), 4, 0);

    check_score("shifted in its own frame, on its side", "puzzle 3x2\n- -\n3@90 0@90\n4@90 1@90\n",
        "0 1 -\n3 4 -\n", TURNS_ANY, OF(0, 4), OF(4, 4), 4, 0);

    check_score("turned by a quarter in a frame that is not", "4@90 1@90 0@90\n5@90 2@90 3@90\n",
        TRUTH, TURNS_ANY, OF(0, 6), OF(4, 7), 4, 0);

    check_score("two images, exchanged", "puzzle 4x2\npicture\n4 5\n6 7\npicture\n0 1\n2 3\n", TWO,
        TURNS_NONE, OF(8, 8), OF(8, 8), 4, 1);
    check_score("two images, mixed", "puzzle 4x2\npicture\n0 1\n2 7\npicture\n4 5\n6 3\n", TWO,
        TURNS_NONE, OF(6, 8), OF(4, 8), 3, 0);
    check_score("one image from two", "puzzle 4x2\npicture\n0 1\n2 4\n", TWO, TURNS_NONE, OF(3, 8),
        OF(2, 8), 3, 0);
    check_score("each turned its own way",
        "puzzle 4x2\npicture\n6@90 4@90\n7@90 5@90\npicture\n3@180 2@180\n1@180 0@180\n", TWO,
        TURNS_ANY, OF(8, 8), OF(8, 8), 4, 1);
    check_score("an image in two images", "puzzle 2x2\npicture\n0 1\n- -\npicture\n- -\n2 3\n",
        "0 1\n2 3\n", TURNS_NONE, OF(2, 4), OF(2, 4), 2, 0);
}

static void check_refusal(void)
{
    struct permutation truth = parse(TRUTH), answer = parse("0 1\n");
    struct score score;
    tap_check(
        score_answer(&answer, &truth, "order.txt", TURNS_NONE, &score, &error) == ERROR_INPUT &&
            strcmp(error.text,
                "truth 'order.txt' is of a puzzle of 3 x 2 tiles, not of 2 x 1; name "
                "the one of this puzzle") == 0,
        "another puzzle: %s", error.text);
    permutation_free(&truth);
    permutation_free(&answer);
}

/* The tile at a place that is counted by its true column and row, if the answer, of the true size,
 * is turned clockwise; its turn then. */
static struct placed turned_place(const struct permutation *answer, int whole, int x, int y)
{
    const int w = (int)answer->grids[0].columns, h = (int)answer->grids[0].rows;
    const int from[4][2] = {{x, y}, {y, h - 1 - x}, {w - 1 - x, h - 1 - y}, {w - 1 - y, x}};
    struct placed placed = answer->placed[from[whole][1] * w + from[whole][0]];
    placed.turn = (placed.turn + (uint32_t)whole) % 4;
    return placed;
}

/* Of square puzzles with some tiles moved and turned: direct by turning the answer, neighbors by
 * the four ways in which the answer can lie. */
static void check_random(void)
{
    int right = 1;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        enum { SIDE = 5, TILES = SIDE * SIDE };
        struct permutation truth = {0}, answer = {0};
        struct score score = {0};
        uint64_t random = seed;
        if (permutation_shuffle((struct grid){SIDE, SIDE}, &random, &truth, &error) != 0)
            abort();
        permutation_turn(&truth, 1, &random);
        if (permutation_new(truth.puzzle, 1, truth.grids, &answer, &error) != 0)
            abort();
        const int lies = (int)(seed % 4);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                answer.placed[y * SIDE + x] = turned_place(&truth, lies, x, y);
        for (int i = 0; i < (int)(seed % 9); i++) {
            struct placed *a = &answer.placed[random_bits(&random) % TILES];
            struct placed *b = &answer.placed[random_bits(&random) % TILES];
            const struct placed moved = *a;
            *a = *b;
            *b = moved;
            b->turn = (b->turn + seed % 5 / 4) % 4;
        }
        permutation_drop(&answer, TILES, (uint32_t)(seed % 3), &random);
        for (int place = 0; place < TILES; place++)
            if (answer.placed[place].tile == NO_TILE)
                answer.placed[place].turn = 0;
        int best = 0, together = 0;
        for (int whole = 0; whole < 4; whole++) {
            int direct = 0;
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) {
                    const struct placed is = turned_place(&answer, whole, x, y);
                    const struct placed *should = &truth.placed[y * SIDE + x];
                    direct += is.tile == should->tile && is.turn == should->turn;
                    for (int place = 0; place < TILES; place++) {
                        const struct placed *a = &truth.placed[place];
                        const int column = place % SIDE, row = place / SIDE;
                        if (is.tile != a->tile || is.turn != a->turn)
                            continue;
                        if (x + 1 < SIDE && column + 1 < SIDE) {
                            const struct placed b = turned_place(&answer, whole, x + 1, y);
                            together += b.tile == a[1].tile && b.turn == a[1].turn;
                        }
                        if (y + 1 < SIDE && row + 1 < SIDE) {
                            const struct placed b = turned_place(&answer, whole, x, y + 1);
                            together += b.tile == a[SIDE].tile && b.turn == a[SIDE].turn;
                        }
                    }
                }
            best = direct > best ? direct : best;
        }
        right &= score_answer(&answer, &truth, "x", TURNS_NONE, &score, &error) == 0 &&
                 score.direct == (double)best / TILES &&
                 score.neighbor == (double)together / (2 * SIDE * (SIDE - 1));
        permutation_free(&truth);
        permutation_free(&answer);
    }
    tap_check(right, "random answers");
}

/* The most tiles at their place when the whole answer is turned and laid onto the truth: exactly
 * onto it where a turn makes it as large, else in any place. */
static int laid_count(
    const struct permutation *answer, const struct permutation *truth, enum turns turns)
{
    const int w = (int)truth->grids[0].columns, h = (int)truth->grids[0].rows;
    int most[2] = {0, 0}, has_size = 0;
    for (int whole = 0; whole < 4; whole++) {
        if (whole && (turns == TURNS_NONE || (turns == TURNS_HALF && whole != 2)))
            continue;
        const struct grid own = answer->grids[0];
        const int columns = (int)(whole & 1 ? own.rows : own.columns);
        const int rows = (int)(whole & 1 ? own.columns : own.rows);
        for (int down = -rows; down <= h; down++)
            for (int right = -columns; right <= w; right++) {
                const int lies_exactly = columns == w && rows == h && !down && !right;
                int count = 0;
                for (int y = 0; y < rows; y++)
                    for (int x = 0; x < columns; x++) {
                        const int tx = x + right, ty = y + down;
                        if (tx < 0 || ty < 0 || tx >= w || ty >= h)
                            continue;
                        const struct placed is = turned_place(answer, whole, x, y);
                        const struct placed should = truth->placed[ty * w + tx];
                        count += is.tile == should.tile && is.turn == should.turn;
                    }
                has_size |= lies_exactly;
                most[lies_exactly] = count > most[lies_exactly] ? count : most[lies_exactly];
            }
    }
    return most[has_size];
}

/* Of puzzles that are not square, with answers that lie in any way in frames of any size, partly
 * right: direct by laying the answer onto the truth. */
static void check_frames(void)
{
    int right = 1;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        struct permutation truth = {0}, answer = {0};
        struct score score = {0};
        uint64_t random = seed;
        const enum turns turns = (enum turns)(seed % 3);
        const struct grid puzzle = {2 + (uint32_t)(random_bits(&random) % 5), 4};
        const struct grid turned = {puzzle.rows, puzzle.columns}, larger = {6, 5};
        if (permutation_shuffle(puzzle, &random, &truth, &error) != 0)
            abort();
        const struct grid frame = seed % 5 == 0 ? larger : seed % 5 == 1 ? turned : puzzle;
        if (permutation_new(puzzle, 1, &frame, &answer, &error) != 0)
            abort();
        /* What fits of the turned truth, from its corner on, and of the rest something else. */
        const int whole = (int)(random_bits(&random) % 4);
        const int w = (int)(whole & 1 ? puzzle.rows : puzzle.columns);
        const int h = (int)(whole & 1 ? puzzle.columns : puzzle.rows);
        for (int y = 0; y < (int)frame.rows && y < h; y++)
            for (int x = 0; x < (int)frame.columns && x < w; x++)
                if (random_bits(&random) % 5) {
                    struct placed *placed = &answer.placed[y * (int)frame.columns + x];
                    *placed = turned_place(&truth, whole, x, y);
                    if (turns == TURNS_NONE)
                        placed->turn = 0;
                }
        const int tiles = (int)grid_tiles(puzzle);
        right &= score_answer(&answer, &truth, "x", turns, &score, &error) == 0 &&
                 score.direct == (double)laid_count(&answer, &truth, turns) / tiles;
        permutation_free(&truth);
        permutation_free(&answer);
    }
    tap_check(right, "random answers in frames of other shapes");
}

static void check_large(void)
{
    static const struct grid GRIDS[] = {{100000, 1}, {1, 100000}, {400, 250}};
    for (int i = 0; i < 3; i++) {
        struct permutation truth = {0}, answer = {0};
        struct score score = {0};
        uint64_t random = 5;
        if (permutation_shuffle(GRIDS[i], &random, &truth, &error) != 0 ||
            permutation_new(GRIDS[i], 1, &GRIDS[i == 2 ? 0 : i], &answer, &error) != 0)
            abort();
        memcpy(answer.placed, truth.placed, 100000 * sizeof(*truth.placed));
        answer.placed[0].turn = 1;
        const int rc = score_answer(&answer, &truth, "x", TURNS_ANY, &score, &error);
        const double direct = i == 2 ? 400 : 99999;
        tap_check(rc == 0 && fabs(score.direct * 100000 - direct) <= 1, "%u x %u tiles",
            GRIDS[i].columns, GRIDS[i].rows);
        permutation_free(&truth);
        permutation_free(&answer);
    }
}

int main(void)
{
    check_by_hand();
    check_refusal();
    check_random();
    check_frames();
    check_large();
    return tap_finish();
}
