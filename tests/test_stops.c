/* What is written after a stop, and what is said of it, by the stage in which it is asked for. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "stages/unscramble/unscramble.h"
#include "tests/test_fake.h"

enum { COLUMNS = 6, ROWS = 4, SIDE = 16 }; /* tiles, and pixels of one */

static const char BEST[] = "stopped; " BEST_SO_FAR;
static const char NOT_JUDGED[] = "stopped; the answer is not judged";
static const char NO_VIDEO[] = "stopped; the answer is written without its video";

/* A stop that is asked for from a stage on, and what came of it. */
struct stop {
    const char *stage;
    int is_asked, searches; /* since when stages of a search were begun */
    char said[128];         /* the lines of the stop */
    int saved, frames;
};

static int ask(void *context, const char *stage, double share)
{
    struct stop *stop = context;
    stop->is_asked |= strcmp(stage, stop->stage) == 0;
    stop->searches += share <= 0 && strcmp(stage, "buddies") == 0;
    return stop->is_asked;
}

static void hear(void *context, int is_warning, const char *line)
{
    struct stop *stop = context;
    const size_t length = strlen(stop->said);
    if (is_warning && strncmp(line, "stopped", 7) == 0)
        snprintf(stop->said + length, sizeof(stop->said) - length, "%s", line);
}

static int save(void *context, struct run *run, const struct image *image, uint32_t solution,
    uint32_t solutions)
{
    struct stop *stop = context;
    (void)run, (void)image, (void)solution, (void)solutions;
    stop->saved++;
    return 0;
}

static int save_frame(
    void *context, struct run *run, const struct image *image, uint32_t frame, uint32_t frames)
{
    struct stop *stop = context;
    (void)run, (void)image, (void)frame, (void)frames;
    stop->frames++;
    return 0;
}

/* Noise, whose answer is doubtful. */
static struct image make_puzzle(void)
{
    struct image puzzle;
    struct error error;
    uint64_t random = 5;
    if (image_new(COLUMNS * SIDE, ROWS * SIDE, 3, 8, &puzzle, &error) != 0)
        abort();
    for (size_t i = 0; i < (size_t)COLUMNS * ROWS * SIDE * SIDE * 4; i++)
        ((uint8_t *)puzzle.pixels)[i] = i % 4 == 3 ? 255 : (uint8_t)random_bits(&random);
    return puzzle;
}

/* A puzzle that is stopped. */
struct job {
    struct stop stop;
    struct run run;
    struct unscramble u;
};

static void job_start(struct job *job, const char *stage, const struct unscramble_options *options)
{
    *job = (struct job){.stop = {.stage = stage},
        .run = {.device_id = "cpu", .progress = ask, .notice = hear, .context = &job->stop},
        .u = {.options = *options}};
    job->u.options.input = "noise";
    job->u.options.sinks.context = &job->stop;
    job->u.options.sinks.save = save;
}

static void job_end(struct job *job)
{
    run_end(&job->run);
    unscramble_end(&job->u);
}

/* What a stop in that stage should come to: the answer is written, and that is said, "" for
 * nothing. */
static void check(const char *name, const char *stage, const struct unscramble_options *options,
    const char *said, int frames)
{
    struct job job;
    job_start(&job, stage, options);
    const int rc = unscramble_run(&job.run, &job.u);
    tap_check(rc == 0 && job.stop.is_asked && job.stop.saved == 1 &&
                  strcmp(job.stop.said, said) == 0 && job.stop.frames == frames,
        "%s, stopped in %s: code %d, saved %d, %d frames, '%s'", name, stage, rc, job.stop.saved,
        job.stop.frames, job.stop.said);
    job_end(&job);
}

static void check_searches(const struct image *puzzle)
{
    const struct unscramble_options once = {.puzzle = puzzle,
        .grid = {COLUMNS, ROWS},
        .effort = 50,
        .dissimilarity = DISSIMILARITY_BLEND,
        .is_once = 1};
    const struct unscramble_options film = {.puzzle = puzzle,
        .grid = {COLUMNS, ROWS},
        .effort = 50,
        .dissimilarity = DISSIMILARITY_BLEND,
        .is_once = 1,
        .sinks = {.save_frame = save_frame}};
    const struct unscramble_options longer = {.puzzle = puzzle, .grid = {COLUMNS, ROWS}};
    const struct unscramble_options few = {.puzzle = puzzle, .grid = {3, 2}};
    check("a search", "refine", &once, BEST, 0);
    check("a search", "judge", &once, "", 0);
    check("a search", "confidence", &once, "", 0);
    check("a search", "assemble", &once, "", 0);
    check("a search", "save", &once, "", 0);
    check("a search that goes on", "judge", &longer, BEST, 0);
    check("a search that goes on", "anneal", &longer, BEST, 0);
    check("a search that goes on", "save", &longer, "", 0);
    check("a search of few tiles", "judge", &few, BEST, 0);
    check("a search of few tiles", "save", &few, "", 0);
    check("a film", "refine", &film, BEST, 0);
    check("a film", "judge", &film, NO_VIDEO, 0);
    check("a film", "animate", &film, NO_VIDEO, 0);
    check("a film", "assemble", &film, "", 150);
}

/* An order that is given, or found by gray edges, is not lost while it is judged. */
static void check_orders(const struct image *puzzle)
{
    static struct placed placed[COLUMNS * ROWS];
    const struct permutation large = {{COLUMNS, ROWS}, 1, {{COLUMNS, ROWS}}, placed, 0};
    const struct permutation small = {{3, 2}, 1, {{3, 2}}, placed, 0};
    const struct unscramble_options classic = {.puzzle = puzzle, .grid = {3, 2}, .is_classic = 1};
    struct unscramble_options given = {.puzzle = puzzle, .apply = &large, .apply_name = "order"};
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++)
        placed[i].tile = i;
    check("an order", "assemble", &given, "", 0);
    check("an order", "save", &given, "", 0);
    given.is_judged = 1;
    check("an order to be judged", "compare", &given, NOT_JUDGED, 0);
    check("an order to be judged", "judge", &given, "", 0);
    check("an order to be judged", "confidence", &given, "", 0);
    given.apply = &small;
    check("an order of few tiles", "strips", &given, NOT_JUDGED, 0);
    check("an order of few tiles", "measure", &given, NOT_JUDGED, 0);
    check("an order of few tiles", "judge", &given, "", 0);
    given.is_classic = 1;
    check("an order and gray edges", "fits", &given, NOT_JUDGED, 0);
    check("an order and gray edges", "compatibility", &given, NOT_JUDGED, 0);
    check("gray edges", "present", &classic, NOT_JUDGED, 0);
    check("gray edges", "compatibility", &classic, NOT_JUDGED, 0);
    check("gray edges", "judge", &classic, "", 0);
    check("gray edges", "save", &classic, "", 0);
}

/* A device that was chosen and fails after the stop: the search does not begin again, and what it
 * found is written by the CPU. */
static void check_fallback(const struct image *puzzle, const char *stage, enum call call)
{
    const struct unscramble_options options = {.puzzle = puzzle,
        .grid = {COLUMNS, ROWS},
        .effort = 50,
        .dissimilarity = DISSIMILARITY_BLEND,
        .is_once = 1};
    int right = 1, is_over = 0, fail_at = 0;
    while (right && !is_over) {
        struct job job;
        job_start(&job, stage, &options);
        job.run.device_id = NULL;
        fake_open(&job.run, call, ++fail_at);
        const int rc = unscramble_run(&job.run, &job.u);
        is_over = fake.calls < fail_at;
        right = rc == 0 && job.stop.saved >= 1 && job.stop.searches == 1;
        job_end(&job);
    }
    tap_check(right && fail_at > 1, "stopped in %s: each of %d times %s fails", stage, fail_at - 1,
        CALL_NAMES[call]);
}

int main(void)
{
    struct image puzzle = make_puzzle();
    check_searches(&puzzle);
    check_orders(&puzzle);
    for (int call = 0; call < CALL_COUNT; call++) {
        check_fallback(&puzzle, "refine", (enum call)call);
        check_fallback(&puzzle, "assemble", (enum call)call);
    }
    image_free(&puzzle);
    return tap_finish();
}
