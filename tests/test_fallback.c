/* Ranks whose device fails: what it was at is made once more on the CPU, rank 0 warns of it once,
 * and the result is that of one process. Alone this program starts itself by mpirun for each case:
 * "test_fallback circles launch 2 3" is the second launch that fails, in each of 3 ranks but 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"
#include "stages/bezier/bezier.h"
#include "stages/circles/circles.h"
#include "stages/ranks.h"
#include "stages/ranks_module.h"
#include "stages/unscramble/unscramble.h"
#include "tests/test_fake.h"

static const char *const TOOLS[] = {"circles", "unscramble", "bezier"};
enum { CIRCLES, UNSCRAMBLE, BEZIER, TOOL_COUNT };

#define MAX_WAITS 3000 /* milliseconds, between reports of progress of rank 0 */

/* What rank 0 hears; it waits until all the others have warned, so that they get work to do. */
struct listener {
    int warnings, wanted, waits;
    char last[1024];
};

static int listen_progress(void *context, const char *stage, double share)
{
    struct listener *listener = context;
    (void)stage, (void)share;
    if (listener->warnings < listener->wanted && listener->waits++ < MAX_WAITS)
        usleep(1000);
    return 0;
}

/* Rank 0 says of its own that the image is not shuffled. */
static void listen_notice(void *context, int is_warning, const char *line)
{
    struct listener *listener = context;
    if (!is_warning || strncmp(line, "rank ", 5) != 0)
        return;
    listener->warnings++;
    snprintf(listener->last, sizeof(listener->last), "%s", line);
}

/* Bytes of a result, which the caller frees. */
struct result {
    void *bytes;
    size_t size;
};

static struct result copy(const void *bytes, size_t size)
{
    struct result result = {malloc(size + 1), size};
    memcpy(result.bytes, bytes, size);
    return result;
}

enum { WIDTH = 200, HEIGHT = 333, FRAMES = 40, FRAME_BYTES = 4 * WIDTH * HEIGHT };

/* Frames come in their order. */
static int append_frame(
    void *context, struct run *run, const struct image *image, uint32_t first_row, uint32_t frame)
{
    struct result *result = context;
    (void)run, (void)frame;
    if (first_row > 0 || image->height != HEIGHT || result->size == FRAMES * FRAME_BYTES)
        return ERROR_INPUT;
    memcpy((uint8_t *)result->bytes + result->size, image->pixels, FRAME_BYTES);
    result->size += FRAME_BYTES;
    return 0;
}

/* Frames of a scene that changes. */
static int run_circles(struct run *run, struct result *result)
{
    struct circles c = {.options = {.input = "fireworks",
                            .width = WIDTH,
                            .height = HEIGHT,
                            .has_frames = 1,
                            .first_frame = 3,
                            .last_frame = 3 + FRAMES - 1,
                            .sinks = {.context = result, .save = append_frame}}};
    *result = (struct result){malloc(FRAMES * FRAME_BYTES), 0};
    const int rc = circles_run(run, &c);
    run_buffers_free(run);
    circles_end(&c);
    return rc;
}

static int run_unscramble(struct run *run, struct result *result)
{
    struct unscramble u = {.options = {.input = "images/samples/papyrus.png", .grid = {30, 30}}};
    const int rc = unscramble_run(run, &u);
    if (rc == 0)
        *result = copy(u.result.permutation.placed, 30 * 30 * sizeof(struct placed));
    run_buffers_free(run);
    unscramble_end(&u);
    return rc;
}

static int run_bezier(struct run *run, struct result *result)
{
    struct bezier b = {.options = {.input = "scenes/samples/kettle.bv",
                           .resolution_u = 33,
                           .resolution_v = 33,
                           .has_normals = 1,
                           .animation = ANIMATE_TURN,
                           .has_frames = 1,
                           .first_frame = 1,
                           .last_frame = 2}};
    const int rc = bezier_run(run, &b);
    if (rc == 0)
        *result = copy(b.result.points, b.result.point_count * 3 * sizeof(float));
    run_buffers_free(run);
    bezier_end(&b);
    return rc;
}

static int (*const RUNS[])(struct run *run, struct result *result) = {
    run_circles, run_unscramble, run_bezier};
static int (*const SERVES[])(struct run *run) = {circles_serve, unscramble_serve, bezier_serve};

/* A rank other than 0. */
static int serve(int tool, enum call call, int fail_at)
{
    struct run run = {.threads = 1};
    if (ranks_start(&run, &run.error) != 0)
        return 1;
    fake_open(&run, call, fail_at);
    const int rc = SERVES[tool](&run);
    ranks_end(&run, rc);
    run_end(&run);
    return rc || fake.is_open || fake.buffers;
}

static int lead(int tool, int ranks)
{
    struct listener listener = {.wanted = ranks - 1};
    struct run alone = {.device_id = "cpu"}, run = {.device_id = "cpu",
                                                 .threads = 1,
                                                 .progress = listen_progress,
                                                 .notice = listen_notice,
                                                 .context = &listener};
    struct result wanted = {0}, got = {0};
    if (RUNS[tool](&alone, &wanted) != 0 || ranks_start(&run, &run.error) != 0)
        return 1;
    const int rc = RUNS[tool](&run, &got);
    ranks_end(&run, rc);
    const int is_right =
        rc == 0 && got.size == wanted.size && memcmp(got.bytes, wanted.bytes, got.size) == 0 &&
        listener.warnings == ranks - 1 && strstr(listener.last, " failed; going on with the CPU");
    if (!is_right)
        printf("# code %d '%s', %zu bytes of %zu, %d warnings, the last '%s'\n", rc, run.error.text,
            got.size, wanted.size, listener.warnings, listener.last);
    run_end(&run);
    run_end(&alone);
    free(wanted.bytes);
    free(got.bytes);
    return !is_right;
}

/* In a rank: makes one case. */
static int make_case(char **words, int rank)
{
    int tool = 0, call = 0;
    while (strcmp(words[0], TOOLS[tool]) != 0)
        tool++;
    while (strcmp(words[1], CALL_NAMES[call]) != 0)
        call++;
    return rank ? serve(tool, (enum call)call, atoi(words[2])) : lead(tool, atoi(words[3]));
}

static void check_case(const char *program, const char *words, int ranks)
{
    char command[1024];
    snprintf(command, sizeof(command), "timeout 300 mpirun -q -n %d '%s' %s %d </dev/null 2>&1",
        ranks, program, words, ranks);
    tap_check(system(command) == 0, "of %d ranks all but one fail: %s", ranks, words);
}

/* Whether the build has a library that speaks MPI, which is then found. */
static int find_library(const char *program)
{
    char folder[512], path[600];
    snprintf(folder, sizeof(folder), "%.*s/..", (int)(strrchr(program, '/') - program), program);
    snprintf(path, sizeof(path), "%s/" RANKS_LIBRARY, folder);
    setenv("LD_LIBRARY_PATH", folder, 1);
    return access(path, R_OK) == 0 && system("command -v mpirun >/dev/null") == 0;
}

int main(int argc, char **argv)
{
    int rank;
    if (argc == 5 && ranks_started(&rank) > 1)
        return make_case(argv + 1, rank);
    if (!find_library(argv[0])) {
        printf("1..0 # SKIP built without MPI, or mpirun is not here\n");
        return 0;
    }
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    check_case(argv[0], "circles allocate 1", 2);
    check_case(argv[0], "circles launch 2", 3);
    check_case(argv[0], "circles launch 70", 2); /* while it paints whole frames */
    check_case(argv[0], "circles finish 1", 2);
    check_case(argv[0], "circles download 2", 2);
    check_case(argv[0], "unscramble upload 1", 2);
    check_case(argv[0], "unscramble launch 2", 3);
    check_case(argv[0], "unscramble finish 1", 2);
    check_case(argv[0], "bezier launch 1", 3);
    check_case(argv[0], "bezier download 1", 2);
    check_case(argv[0], "bezier finish 3", 2);
    return tap_finish();
}
