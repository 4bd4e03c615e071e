/* Running stages: order, failures, stopping, notices; and a device that fails at any call. */
#include "stages/run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"
#include "stages/unscramble/unscramble.h"
#include "tests/test_fake.h"

/* --- a tool whose stages only write their letter down --- */

struct trace {
    char letters[16];
    int code; /* what stage b returns */
};

STAGE_OF(trace);

static int trace_stage(struct run *run, struct trace *trace)
{
    strcat(trace->letters, run->stage);
    if (strcmp(run->stage, "b") == 0 && trace->code)
        return error_set(&run->error, trace->code, "b failed");
    return run_progress(run, 0.5);
}

static const struct trace_stage A = {.stage = {"a", ""}, .run = trace_stage},
                                B = {.stage = {"b", ""}, .run = trace_stage},
                                C = {.stage = {"c", ""}, .run = trace_stage};

/* The pipeline: b is run so many times. */
static int trace_run(struct run *run, struct trace *trace, int rounds)
{
    run_start(run);
    int rc = trace_run_stage(run, &A, trace);
    for (int i = 0; rc == 0 && i < rounds; i++)
        rc = trace_run_stage(run, &B, trace);
    return rc ? rc : trace_run_stage(run, &C, trace);
}

/* What the run tells and how it is stopped. */
struct listener {
    char progress[128]; /* "a:0 a:50 " */
    const char *stop_at;
    int warnings, details;
    char warning[1024];
};

static int listen_progress(void *context, const char *stage, double share)
{
    struct listener *listener = context;
    const size_t used = strlen(listener->progress);
    snprintf(listener->progress + used, sizeof(listener->progress) - used, "%s:%.0f ", stage,
        100 * share);
    return listener->stop_at && strcmp(listener->progress + used, listener->stop_at) == 0;
}

static void listen_notice(void *context, int is_warning, const char *line)
{
    struct listener *listener = context;
    if (is_warning) {
        listener->warnings++;
        snprintf(listener->warning, sizeof(listener->warning), "%s", line);
    } else {
        listener->details++;
    }
}

/* The snapshots taken, by name, each once; and whether all had the number of their stage. */
static char snapshots[100];
static int are_numbered = 1;

static int take_snapshot(
    struct run *run, const struct stage *stage, int number, const struct image *snapshot)
{
    char name[40];
    are_numbered &= run->timings[number - 1].stage == stage->name;
    snprintf(name, sizeof(name), "%s ", stage->name);
    if (snapshot->pixels && snapshot->width > 0 && !strstr(snapshots, name))
        strncat(snapshots, name, sizeof(snapshots) - strlen(snapshots) - 1);
    return 0;
}

static void check_order(void)
{
    struct listener listener = {0};
    struct trace trace = {0};
    struct run run = {.progress = listen_progress, .context = &listener};
    tap_check(trace_run(&run, &trace, 1) == 0 && strcmp(trace.letters, "abc") == 0,
        "stages run in order");
    tap_check(strcmp(listener.progress, "a:0 a:50 b:0 b:50 c:0 c:50 ") == 0, "each tells progress");
    int timed = run.stage_count == 3;
    for (int i = 0; i < run.stage_count; i++)
        timed &= run.timings[i].stage[0] == "abc"[i] && run.timings[i].wall >= 0 &&
                 run.timings[i].wall < 60;
    tap_check(timed, "each is timed");
    tap_check(trace_run(&run, &trace, 1) == 0 && run.stage_count == 3 &&
                  strcmp(trace.letters, "abcabc") == 0,
        "a run can be repeated");
    run_end(&run);
}

/* A stage that runs again has one timing, and keeps its place. */
static void check_rounds(void)
{
    struct trace trace = {0};
    struct run run = {0};
    tap_check(trace_run(&run, &trace, 3) == 0 && strcmp(trace.letters, "abbbc") == 0,
        "a stage runs again: %s", trace.letters);
    tap_check(run.stage_count == 3 && strcmp(run.timings[1].stage, "b") == 0 &&
                  strcmp(run.timings[2].stage, "c") == 0,
        "each stage has one timing");
    run_end(&run);
}

static void check_failure(void)
{
    static const int CODES[] = {ERROR_INPUT, ERROR_USAGE, ERROR_STOPPED};
    for (int i = 0; i < 3; i++) {
        struct trace trace = {.code = CODES[i]};
        struct run run = {0};
        tap_check(trace_run(&run, &trace, 1) == CODES[i] && strcmp(trace.letters, "ab") == 0 &&
                      strcmp(run.error.text, "b failed") == 0 && run.stage_count == 2,
            "a stage that fails with %d is the last", CODES[i]);
        run_end(&run);
    }
}

static void check_stop(void)
{
    static const char *const STOPS[][2] = {{"a:0 ", ""}, {"b:0 ", "a"}, {"b:50 ", "ab"}};
    for (int i = 0; i < 3; i++) {
        struct listener listener = {.stop_at = STOPS[i][0]};
        struct trace trace = {0};
        struct run run = {.progress = listen_progress, .context = &listener};
        tap_check(trace_run(&run, &trace, 1) == ERROR_STOPPED &&
                      strcmp(trace.letters, STOPS[i][1]) == 0 &&
                      strcmp(run.error.text, "stopped") == 0,
            "stopped at %s", STOPS[i][0]);
        run_end(&run);
    }
}

static void check_notices(void)
{
    struct listener listener = {0};
    struct run run = {.notice = listen_notice, .context = &listener}, silent = {0};
    run_notice(&run, 1, "%d of %s", 3, "x");
    run_notice(&run, 0, "detail");
    run_notice(&silent, 1, "nobody listens");
    tap_check(
        listener.warnings == 1 && listener.details == 1 && strcmp(listener.warning, "3 of x") == 0,
        "notices are passed on");
}

static struct image puzzle, good; /* and its solution */
static int good_stages;           /* that solve it */
static int saved;                 /* images that were handed on, all of them good */

static int take_image(void *context, struct run *run, const struct image *image, uint32_t solution,
    uint32_t solutions)
{
    const size_t size = (size_t)image->width * (size_t)image->height * 4;
    (void)context;
    (void)run;
    if (solution != 0 || solutions != 1 || memcmp(image->pixels, good.pixels, size) != 0)
        abort();
    saved++;
    return 0;
}

static struct unscramble new_puzzle(enum search search)
{
    saved = 0;
    return (struct unscramble){.options = {.input = "puzzle",
                                   .puzzle = &puzzle,
                                   .grid = {2, 2},
                                   .is_classic = 1,
                                   .search = search,
                                   .sinks = {.save = take_image}}};
}

/* 2 x 2 tiles of a noisy slope; of the puzzle tiles 0 and 3 have changed places. */
static void make_images(void)
{
    struct error error;
    if (image_new(70, 66, 3, 8, &puzzle, &error) || image_new(70, 66, 3, 8, &good, &error))
        abort();
    for (int y = 0; y < 66; y++)
        for (int x = 0; x < 70; x++) {
            const int moved = x / 35 == y / 33;
            const int from_x = moved ? (x + 35) % 70 : x, from_y = moved ? (y + 33) % 66 : y;
            uint8_t *own = (uint8_t *)good.pixels + 4 * (y * 70 + x);
            uint8_t *other = (uint8_t *)puzzle.pixels + 4 * (from_y * 70 + from_x);
            memset(own, 20 + 2 * x + y + x * y % 5, 3);
            own[3] = 255;
            memcpy(other, own, 4);
        }
}

/* What a device without faults makes. */
static void check_good(void)
{
    static const struct placed ORDER[] = {{3, 0}, {1, 0}, {2, 0}, {0, 0}};
    struct unscramble u = new_puzzle(SEARCH_PRUNED);
    struct run run = {.device_id = "cpu"};
    tap_check(unscramble_run(&run, &u) == 0 && saved == 1 &&
                  memcmp(u.result.permutation.placed, ORDER, sizeof(ORDER)) == 0,
        "the puzzle is solved by the CPU");
    good_stages = run.stage_count;
    run_end(&run);
    unscramble_end(&u);
}

/* One run. Gives whether it came out as it should; *untouched tells that nothing failed. */
static int faulty_run_is_right(
    enum call call, int fail_at, enum search search, int named, int *untouched)
{
    struct listener listener = {0};
    char message[64];
    struct unscramble u = new_puzzle(search);
    struct run run = {.device_id = named ? "fake:0" : NULL,
        .snapshot = named ? take_snapshot : NULL,
        .notice = listen_notice,
        .context = &listener};
    fake_open(&run, call, fail_at);
    const int rc = unscramble_run(&run, &u);
    *untouched = fake.calls < fail_at;
    snprintf(message, sizeof(message), "%s %d failed", CALL_NAMES[call], fail_at);

    int right;
    if (*untouched)
        right = rc == 0 && saved == 1 && listener.warnings == 0 && run.device.backend == &FAKE;
    else if (named)
        right =
            rc == ERROR_DEVICE && strcmp(run.error.text, message) == 0 && listener.warnings == 0;
    else
        right = rc == 0 && saved >= 1 && run.stage_count == good_stages && listener.warnings == 1 &&
                strncmp(listener.warning, message, strlen(message)) == 0 &&
                strstr(listener.warning, "going on with the CPU") &&
                run.device.backend == &CPU_BACKEND && fake.is_open == 0 && fake.buffers == 0;
    if (rc == 0)
        right &=
            u.result.permutation.placed[0].tile == 3 && u.result.permutation.placed[3].tile == 0;
    run_end(&run);
    run_end(&run); /* a second time does nothing */
    right &= fake.buffers == 0 && fake.is_open == 0;
    if (!right)
        printf("# %s: code %d, '%s', %d warnings, %d buffers left\n", message, rc, run.error.text,
            listener.warnings, fake.buffers);
    unscramble_end(&u);
    return right;
}

/* Lets the first, second, ... call fail, until there is none left to fail. */
static void check_faults(enum call call, enum search search, int named, int least)
{
    int right = 1, untouched = 0, fail_at = 0;
    while (!untouched && fail_at < 1000)
        right &= faulty_run_is_right(call, ++fail_at, search, named, &untouched);
    tap_check(right && untouched && fail_at > least, "%s, %s device: each of %d times %s fails",
        search == SEARCH_PRUNED ? "pruned" : "exhaustive", named ? "named" : "automatic",
        fail_at - 1, CALL_NAMES[call]);
}

/* A stage that is run again makes its buffers anew. */
static void check_repetition(void)
{
    struct unscramble u = new_puzzle(SEARCH_PRUNED);
    struct run run = {.device_id = "fake:0"};
    fake_open(&run, CALL_FINISH, -1);
    int right = unscramble_run(&run, &u) == 0;
    const int buffers = fake.buffers;
    right &= unscramble_run(&run, &u) == 0 && fake.buffers == buffers && buffers > 0 && saved == 2;
    run_end(&run);
    tap_check(right && fake.buffers == 0, "a second run needs no more buffers than the first");
    unscramble_end(&u);
}

/* A device that is named starts with the pipeline, one that is chosen when the work is known; who
 * needs it waits, and learns only then that it could not be opened. */
static void check_start(void)
{
    const struct workload work = {.cpu_seconds = 1e-6};
    struct run run = {.device_id = "cpu", .keeps_events = 1};
    run_start(&run);
    tap_check(run.starting.is_going && !run.device.backend, "a device that is named starts early");
    tap_check(run_device(&run, &work) == 0 && run.device.backend == &CPU_BACKEND &&
                  !run.starting.is_going && run.event_count == 1 && run.events[0].is_device &&
                  run.events[0].end >= run.events[0].start,
        "it is taken when a stage needs it, and when it started is told");
    run_start(&run);
    tap_check(!run.starting.is_going && run.device.backend == &CPU_BACKEND,
        "one that is open is not started again");
    run_end(&run);

    run_start(&run);
    run_end(&run);
    tap_check(!run.starting.is_going && !run.device.backend && !run.events,
        "one that no stage needed is closed at the end");

    run = (struct run){.device_id = "cpu:99"};
    run_start(&run);
    tap_check(run.error.text[0] == 0 && run_device(&run, &work) == ERROR_INPUT &&
                  strstr(run.error.text, "cpu:99"),
        "one that cannot be opened fails when a stage needs it");
    error_write(&run.error, "kept");
    run_start(&run);
    run_end(&run);
    tap_check(strcmp(run.error.text, "kept") == 0, "and not at all where none does");

    run = (struct run){.device_id = "auto"};
    run_start(&run);
    tap_check(!run.starting.is_going, "without a name none starts");
    run_expect(&run, &work);
    tap_check(
        run.starting.is_going && run_device(&run, &work) == 0 && run.device.backend == &CPU_BACKEND,
        "until the work is known");
    run_end(&run);
}

/* A fake device with a buffer that holds something, in a stage. */
static int use_fake(struct run *run, struct timing *timing, struct buffer *buffer, int fail_at)
{
    static const char TEXT[] = "text";
    *run = (struct run){.device_id = "fake:0", .timing = timing};
    fake_open(run, CALL_FINISH, fail_at);
    strcpy(run->device.info.id, "fake:0");
    const int rc = run_buffer(run, buffer, sizeof(TEXT), NULL);
    return rc ? rc : buffer_upload(buffer, TEXT, sizeof(TEXT), &run->error);
}

/* A device that no stage needs any more is closed beside what follows, the CPU at the end. */
static void check_release(void)
{
    const struct workload work = {.cpu_seconds = 1e-6};
    struct buffer buffer;
    struct timing timing = {0};
    struct run run;
    int right = use_fake(&run, &timing, &buffer, -1) == 0 && run_release_device(&run) == 0;
    tap_check(right && fake.buffers == 0 && !run.device.backend && fake.calls == 1 &&
                  strcmp(run.device.info.id, "fake:0") == 0,
        "a device that is released has ended its work, and what it is can still be told");
    run.device_id = "cpu";
    right = run_release_device(&run) == 0 && run_device(&run, &work) == 0 &&
            run_release_device(&run) == 0 && run.device.backend == &CPU_BACKEND;
    run_end(&run);
    tap_check(right && fake.is_open == 0 && !run.closing.is_going && !run.device.backend,
        "it is closed, and the CPU, which was opened then, at the end");

    right = use_fake(&run, &timing, &buffer, 1) == 0 && run_release_device(&run) == ERROR_DEVICE;
    tap_check(
        right && strcmp(run.error.text, "finish 1 failed") == 0 && run.device.backend == &FAKE,
        "one whose work has failed is not released");
    run_end(&run);
    tap_check(fake.buffers == 0 && fake.is_open == 0, "but closed at the end");
}

/* A second plan takes over what is left of the share; stages that are left out count as done. */
static void check_plan(void)
{
    static const struct weight FIRST[] = {{&A.stage, 1}, {&B.stage, 1}, {&C.stage, 2}};
    static const struct weight SECOND[] = {{&A.stage, 7}, {&B.stage, 2}, {&C.stage, 1}};
    struct run run = {0};
    struct trace trace = {0};
    run_start(&run);
    tap_check(run_overall(&run, 1) < 0 && run_left(&run, 1) < 0, "without a plan nothing is known");
    run_plan(&run, FIRST, 3);
    trace_run_stage(&run, &A, &trace);
    tap_check(run_overall(&run, 0) == 0.25, "a share of the plan");
    run_plan(&run, SECOND, 3);
    tap_check(run_overall(&run, 0) == 0.25, "another plan: the share stays");
    tap_check(run_begin_stage(&run, &B.stage) == 0 && run_overall(&run, 0.75) == 0.25 + 0.75 * 0.5,
        "a stage that was left out is not waited for");
    run.outlook.start -= 5;
    tap_check(run_left(&run, 0.75) > 2.9 && run_left(&run, 0.75) < 3.5,
        "the time left goes by the time that the work so far has taken");
    run_end_stage(&run, 0);
    trace_run_stage(&run, &C, &trace);
    tap_check(run_overall(&run, 0) == 1, "in the end all is done");
    run_end(&run);
}

int main(void)
{
    /* How many calls there are at least: one of each stage that makes it. */
    static const int LEAST[CALL_COUNT] = {7, 2, 6, 2, 7};
    check_order();
    check_rounds();
    check_failure();
    check_stop();
    check_notices();
    check_start();
    check_release();
    check_plan();
    make_images();
    check_good();
    check_repetition();
    for (int call = 0; call < CALL_COUNT; call++)
        for (int named = 0; named < 2; named++) {
            check_faults((enum call)call, SEARCH_PRUNED, named, LEAST[call]);
            check_faults((enum call)call, SEARCH_EXHAUSTIVE, named, LEAST[call] - 1);
        }
    tap_check(strcmp(snapshots, "grayscale edges fits confidence assemble ") == 0 && are_numbered,
        "five stages give a snapshot, under their number and name");
    image_free(&puzzle);
    image_free(&good);
    return tap_finish();
}
