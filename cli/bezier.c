/* bezier: Bézier patches of any degree, evaluated, drawn or written as a mesh. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/bezier_info.h"
#include "cli/cli.h"
#include "cli/tools.h"
#include "kernels/device/clock.h"
#include "stages/bezier/bezier.h"
#include "stages/bezier/reference.h"

#define SWEEP_STEP 5 /* percent */
#define SWEEP_RUNS 5
#define MAX_CLAMP 1e100

enum {
    KEY_PRECISION = CLI_KEY,
    KEY_SHARE,
    KEY_FRAMES,
    KEY_ANIMATE,
    KEY_SHADING,
    KEY_LINES,
    KEY_NET,
    KEY_GROUPS,
    KEY_CURVATURE,
    KEY_CLAMP,
    KEY_YAW,
    KEY_PITCH,
    KEY_ZOOM,
    KEY_ORTHOGRAPHIC,
    KEY_ANTIALIAS,
    KEY_BACKGROUND,
    KEY_FORMAT,
    KEY_INFO,
};

static const char *const METHODS[] = {[EVALUATION_SEP] = "sep",
    [EVALUATION_MLE] = "mle",
    [EVALUATION_BRF] = "brf",
    [EVALUATION_MAT3] = "mat3",
    [EVALUATION_MAT4] = "mat4",
    [EVALUATION_CASTELJAU] = "casteljau",
    [EVALUATION_DIRECT] = "direct",
    NULL};
static const char *const PRECISION_NAMES[] = {"float", "double", NULL};
static const char *const ANIMATIONS[] = {[ANIMATE_NOTHING] = "nothing",
    [ANIMATE_TURN] = "turn",
    [ANIMATE_WAVE] = "wave",
    [ANIMATE_RESOLUTION] = "resolution",
    [ANIMATE_DEGREE] = "degree",
    NULL};
static const char *const SHADINGS[] = {[SHADING_SMOOTH] = "smooth",
    [SHADING_FLAT] = "flat",
    [SHADING_CURVATURE] = "curvature",
    [SHADING_HIGHLIGHT] = "highlight",
    [SHADING_REFLECTION] = "reflection",
    [SHADING_NONE] = "none",
    NULL};
static const char *const CURVATURE_NAMES[] = {[CURVATURE_GAUSSIAN] = "gaussian",
    [CURVATURE_MEAN] = "mean",
    [CURVATURE_MAX] = "max",
    [CURVATURE_MIN] = "min",
    NULL};

static const struct cli_option OPTIONS[] = {
    {"resolution", 'n', "N", "points of a side of a patch, or UxV (default 17)", NULL},
    {"method", 'm', "HOW", " (default sep)", CLI_ARRAY(METHODS)},
    {"precision", KEY_PRECISION, "TYPE", " (default float)", CLI_ARRAY(PRECISION_NAMES)},
    {"share", KEY_SHARE, "P", "percent of the work for the CPU beside the device, dynamic or sweep",
        NULL},
    {"frames", KEY_FRAMES, "A:B", "make frames A to B of an animation", NULL},
    {"animate", KEY_ANIMATE, "WHAT", " changes from frame to frame", CLI_ARRAY(ANIMATIONS)},
    {"size", 's', "WxH", "pixels of the picture (default 1024x768)", NULL},
    {"shading", KEY_SHADING, "HOW", " (smooth)", CLI_ARRAY(SHADINGS)},
    {"lines", KEY_LINES, NULL, "draw the lines of the grid; wireframe with --shading none", NULL},
    {"net", KEY_NET, NULL, "draw the control net", NULL},
    {"groups", KEY_GROUPS, NULL, "give each group its colour", NULL},
    {"curvature", KEY_CURVATURE, "WHICH", " (default gaussian), as colours",
        CLI_ARRAY(CURVATURE_NAMES)},
    {"clamp", KEY_CLAMP, "A:B", "curvatures at the ends of the colours", NULL},
    {"yaw", KEY_YAW, "DEGREES", "turn about the vertical axis (default 30)", NULL},
    {"pitch", KEY_PITCH, "DEGREES", "turn towards the viewer (default 25)", NULL},
    {"zoom", KEY_ZOOM, "FACTOR", "1 shows all of the model (default 1)", NULL},
    {"orthographic", KEY_ORTHOGRAPHIC, NULL, "no perspective", NULL},
    {"antialias", KEY_ANTIALIAS, "N", "take the mean of N x N samples a pixel (default 2)", NULL},
    {"background", KEY_BACKGROUND, "R,G,B", "colour, each part 0 to 1 (default 1,1,1)", NULL},
    {"format", KEY_FORMAT, "NAME", " (default: by OUTPUT)", CLI_LIST(cli_frame_formats)},
    {"info", KEY_INFO, NULL, "tell what INPUT holds; writes no OUTPUT", NULL},
    {"benchmark", 'b', NULL, "time 5 evaluations, and 5 of the reference; writes no OUTPUT", NULL},
    {0},
};

struct tool {
    struct bezier bezier;
    struct cli *cli;
    int wants_info, benchmark, sweeps; /* asked for */
    int has_view;                      /* options of pictures */
    int has_shading, has_curvature;
    double largest_error; /* of the points, over the size of the patch */
};

static int set_share(struct tool *tool, const char *value, struct error *error)
{
    struct bezier *b = &tool->bezier;
    uint64_t percent = 0;
    b->sharing = strcmp(value, "dynamic") == 0 ? SHARE_DYNAMIC : SHARE_STATIC;
    tool->sweeps = strcmp(value, "sweep") == 0;
    if (b->sharing == SHARE_DYNAMIC || tool->sweeps)
        return 0;
    if (cli_number("--share", value, 0, 100, &percent, error))
        return error_set(error, ERROR_USAGE,
            "bad --share '%s': write percent from 0 to 100, or dynamic, or sweep", value);
    b->share = (uint32_t)percent;
    return 0;
}

/* "-1:1" */
static int set_clamp(struct drawing *drawing, const char *value, struct error *error)
{
    drawing->has_clamp = 1;
    const char *end = cli_decimal(value, &drawing->clamp[0]);
    end = end && *end == ':' ? cli_decimal(end + 1, &drawing->clamp[1]) : NULL;
    if (!end || *end || !(fabs(drawing->clamp[0]) <= MAX_CLAMP) ||
        !(fabs(drawing->clamp[1]) <= MAX_CLAMP) || drawing->clamp[0] >= drawing->clamp[1])
        return error_set(error, ERROR_USAGE,
            "bad --clamp '%s': write two numbers from %g to %g, as in -1:1, the first below the "
            "second",
            value, -MAX_CLAMP, MAX_CLAMP);
    return 0;
}

static int set_picture_option(struct tool *tool, int key, const char *value, struct error *error)
{
    struct drawing *drawing = &tool->bezier.drawing;
    uint64_t number;
    int word = 0, rc = 0;
    tool->has_view = 1;
    switch (key) {
    case 's':
        return cli_size(
            "--size", value, DRAWING_MAX_SIDE, &drawing->width, &drawing->height, error);
    case KEY_SHADING:
        rc = cli_word(OPTIONS, key, value, &word, error);
        drawing->shading = (enum shading)word;
        tool->has_shading = 1;
        return rc;
    case KEY_LINES:
        drawing->has_lines = 1;
        return 0;
    case KEY_NET:
        tool->bezier.has_net = 1;
        return 0;
    case KEY_GROUPS:
        drawing->has_groups = 1;
        return 0;
    case KEY_CURVATURE:
        rc = cli_word(OPTIONS, key, value, &word, error);
        drawing->curvature = (enum mesh_curvature)word;
        tool->has_curvature = 1;
        if (!tool->has_shading)
            drawing->shading = SHADING_CURVATURE;
        return rc;
    case KEY_CLAMP:
        return set_clamp(drawing, value, error);
    case KEY_YAW:
        return cli_real("--yaw", value, -3600, 3600, &drawing->yaw, error);
    case KEY_PITCH:
        return cli_real("--pitch", value, -3600, 3600, &drawing->pitch, error);
    case KEY_ZOOM:
        return cli_real("--zoom", value, 0.01, 1000, &drawing->zoom, error);
    case KEY_ORTHOGRAPHIC:
        drawing->is_orthographic = 1;
        return 0;
    case KEY_ANTIALIAS:
        rc = cli_number("--antialias", value, 1, 16, &number, error);
        drawing->samples = rc ? 0 : (uint32_t)number;
        return rc;
    case KEY_BACKGROUND:
        return cli_shares("--background", value, drawing->background, 3, error);
    default:
        tool->bezier.frames.format = value;
        return 0;
    }
}

static int set_option(void *state, int key, const char *value, struct error *error)
{
    struct tool *tool = state;
    struct bezier *b = &tool->bezier;
    int word = 0, rc;
    switch (key) {
    case 'n':
        return cli_size("--resolution", value, BEZIER_MAX_RESOLUTION, &b->resolution_u,
            &b->resolution_v, error);
    case 'm':
        rc = cli_word(OPTIONS, key, value, &word, error);
        b->method = (enum evaluation)word;
        return rc;
    case KEY_PRECISION:
        rc = cli_word(OPTIONS, key, value, &word, error);
        b->precision = (enum precision)word;
        return rc;
    case KEY_SHARE:
        return set_share(tool, value, error);
    case KEY_FRAMES:
        return cli_frames(value, &b->frames, error);
    case KEY_ANIMATE:
        rc = cli_word(OPTIONS, key, value, &word, error);
        b->animation = (enum animation)word;
        return rc;
    case KEY_INFO:
        tool->wants_info = 1;
        return 0;
    case 'b':
        tool->benchmark = 1;
        return 0;
    default:
        return set_picture_option(tool, key, value, error);
    }
}

/* What options ask of each other. Returns 0 or an ERROR_ code. */
static int check_options(const struct tool *tool, struct error *error)
{
    const struct bezier *b = &tool->bezier;
    const struct cli *cli = tool->cli;
    const int writes = !tool->wants_info && !tool->benchmark && !tool->sweeps;
    if (cli->operand_count != (writes ? 2 : 1))
        return error_set(error, ERROR_USAGE,
            writes ? "name an INPUT and an OUTPUT; --help explains"
                   : "--info, --benchmark and --share sweep take an INPUT and write no OUTPUT");
    if (tool->wants_info + tool->benchmark + tool->sweeps > 1)
        return error_set(
            error, ERROR_USAGE, "--info, --benchmark and --share sweep go one at a time");
    if (b->frames.are_asked && b->animation == ANIMATE_NOTHING)
        return error_set(
            error, ERROR_USAGE, "--frames needs --animate turn, wave, resolution or degree");
    if (b->animation != ANIMATE_NOTHING && !b->frames.are_asked)
        return error_set(error, ERROR_USAGE, "--animate needs --frames, as in 0:59");
    if (!writes && (b->frames.are_asked || tool->has_view))
        return error_set(error, ERROR_USAGE,
            "--info, --benchmark and --share sweep write nothing; leave out --frames and options "
            "of pictures");
    if (writes && mesh_is_name(b->frames.output) && tool->has_view)
        return error_set(error, ERROR_USAGE,
            "'%s' is a mesh; options of pictures do nothing there, leave them out",
            b->frames.output);
    if (b->sharing != SHARE_NOTHING &&
        (!cli->run.device_id || strncmp(cli->run.device_id, "cpu", 3) == 0 ||
            strcmp(cli->run.device_id, "auto") == 0))
        return error_set(error, ERROR_USAGE,
            "--share needs a device beside the CPU; name it by -r, --list-devices shows those "
            "present");
    if (b->sharing != SHARE_NOTHING && b->method != EVALUATION_SEP && b->method != EVALUATION_MLE)
        return error_set(error, ERROR_USAGE, "--share works with --method sep and mle");
    if ((b->drawing.has_clamp || tool->has_curvature) && b->drawing.shading != SHADING_CURVATURE)
        return error_set(error, ERROR_USAGE, "--curvature and --clamp need --shading curvature");
    if (b->drawing.has_groups &&
        (b->drawing.shading == SHADING_CURVATURE || b->drawing.shading == SHADING_NONE))
        return error_set(error, ERROR_USAGE,
            "--groups does nothing with --shading %s; leave one out",
            b->drawing.shading == SHADING_NONE ? "none" : "curvature");
    if (b->drawing.samples * fmax(b->drawing.width, b->drawing.height) > DRAWING_MAX_SAMPLES)
        return error_set(error, ERROR_USAGE,
            "a side of %u samples, at most %d are possible; lower --antialias or --size",
            b->drawing.samples *
                (b->drawing.width > b->drawing.height ? b->drawing.width : b->drawing.height),
            DRAWING_MAX_SAMPLES);
    return 0;
}

/* All files, before any work is done. */
static int check_outputs(const struct tool *tool, struct error *error)
{
    const struct bezier *b = &tool->bezier;
    const struct image picture = {(int)b->drawing.width, (int)b->drawing.height, 3, 8, NULL};
    const char *output = b->frames.output;
    struct files files = {0};
    char path[PATH_MAX];
    files_add(&files, FILE_READ, b->input);
    cli_add_frames(&files, &b->frames);
    int rc = cli_check_files(tool->cli, &files, error);
    if (rc || !output)
        return rc;
    const struct words meshes = mesh_endings(), pictures = image_endings(&picture);
    if (!mesh_is_name(output) && !b->frames.format && !image_is_name(output) &&
        !y4m_is_name(output))
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': its ending is that of no mesh (%s), picture (%s) or video (%s); "
            "use "
            "one of them, or --format",
            output, words_join(&meshes, ", ").text, words_join(&pictures, ", ").text, Y4M_ENDING);
    if (!mesh_is_name(output))
        return cli_check_frames(&b->frames, &picture, error);
    rc = frames_path(&b->frames, b->frames.frame, path, error);
    if (rc == 0)
        rc = mesh_check_output(path, error);
    return rc == 0 && b->frames.are_asked
               ? output_check_frames(output, b->frames.frame, b->frames.last, error)
               : rc;
}

/* The same points in long double, one after the other; leaves the largest difference. */
static int make_reference(void *context)
{
    struct tool *tool = context;
    struct bezier *b = &tool->bezier;
    tool->largest_error = 0;
    tool->cli->run.stage = "reference";
    for (size_t i = 0; i < b->batch_count; i++) {
        const struct batch *batch = &b->batches[i];
        for (size_t j = 0; j < batch->count; j++) {
            const struct patch *patch = &b->patches.patches[batch->members[j]];
            const double size = (double)reference_magnitude(&b->patches, patch);
            size_t point = batch->first_point + j * batch->rows * batch->columns;
            for (uint32_t r = 0; r < b->points_u; r++)
                for (uint32_t s = 0; s < (batch->is_triangle ? b->points_u - r : b->points_v);
                     s++, point++) {
                    struct reference_point exact;
                    const long double last_u = b->points_u > 1 ? b->points_u - 1 : 1;
                    const long double last_v = batch->is_triangle ? last_u
                                               : b->points_v > 1  ? b->points_v - 1
                                                                  : 1;
                    reference_point(&b->patches, patch, r / last_u, s / last_v, &exact);
                    for (size_t c = 0; c < 3; c++)
                        tool->largest_error = fmax(tool->largest_error,
                            fabs(number_get(b->points, 3 * point + c, b->precision) -
                                 (double)exact.position[c]) /
                                size);
                }
            const int rc = run_progress(&tool->cli->run, (double)(j + 1) / (double)batch->count);
            if (rc)
                return rc;
        }
    }
    return 0;
}

static json_t *describe(const struct tool *tool)
{
    const struct bezier *b = &tool->bezier;
    return json_pack("{s:o, s:s, s:s, s:I, s:i, s:i, s:I}", "input", cli_string(b->input), "method",
        METHODS[b->method], "precision", PRECISION_NAMES[b->precision], "patches",
        (json_int_t)b->patches.count, "points_u", (int)b->points_u, "points_v", (int)b->points_v,
        "points", (json_int_t)b->point_count);
}

static int evaluate(void *context)
{
    struct tool *tool = context;
    return bezier_run_stage(&tool->cli->run, &EVALUATE, &tool->bezier);
}

static int evaluate_first(struct run *run, struct bezier *b)
{
    run_start(run);
    int rc = bezier_run_stage(run, &PATCHES, b);
    return rc ? rc : bezier_evaluate(run, b);
}

/* All levels once; then only level 1 is timed. */
static int start(struct run *run, struct bezier *b)
{
    const int rc = evaluate_first(run, b);
    return run_falls_back(run, rc) ? evaluate_first(run, b) : rc;
}

static int run_benchmark(struct tool *tool, json_t **result)
{
    struct cli *cli = tool->cli;
    struct bezier *b = &tool->bezier;
    const double epsilon = tool->bezier.precision == PRECISION_FLOAT ? FLT_EPSILON : DBL_EPSILON;
    const struct benchmark_row rows[] = {{"evaluate", evaluate, make_reference}, {0}};
    int rc = start(&cli->run, b);
    if (rc)
        return rc;
    cli->run.notice = NULL; /* all has been said */
    *result = describe(tool);
    if (!cli->json)
        printf("%s, %zu points by %s in %s on %s (%s); 5 runs\n", tool->bezier.input,
            tool->bezier.point_count, METHODS[tool->bezier.method],
            PRECISION_NAMES[tool->bezier.precision], cli->run.device.info.id,
            cli->run.device.info.name);
    rc = benchmark(cli, rows, tool, *result);
    if (rc)
        return rc;
    json_object_set_new(
        *result, "largest_error_epsilons", json_real(tool->largest_error / epsilon));
    if (!cli->json)
        printf("largest difference from long double: %.2g epsilon of the patch's size\n",
            tool->largest_error / epsilon);
    return 0;
}

static int compare_doubles(const void *a, const void *b)
{
    const double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

/* The median wall time of level 1. */
static int time_level_1(struct tool *tool, double *median)
{
    double seconds[SWEEP_RUNS];
    for (int i = -1; i < SWEEP_RUNS; i++) {
        const double start = clock_seconds();
        const int rc = evaluate(tool);
        if (rc)
            return rc;
        seconds[i < 0 ? 0 : i] = clock_seconds() - start;
    }
    qsort(seconds, SWEEP_RUNS, sizeof(*seconds), compare_doubles);
    *median = seconds[SWEEP_RUNS / 2];
    return 0;
}

/* Level 1 with 0 to 100 percent of the tiles on the CPU, and with one list for both. */
static int run_sweep(struct tool *tool, json_t **result)
{
    struct cli *cli = tool->cli;
    struct bezier *b = &tool->bezier;
    double best = INFINITY, alone = 0, seconds = 0;
    uint32_t best_share = 0;
    int rc = start(&cli->run, b);
    if (rc)
        return rc;
    cli->run.notice = NULL; /* all has been said */
    *result = describe(tool);
    json_t *table = json_array();
    json_object_set_new(*result, "sweep", table);
    if (!cli->json)
        printf("%8s %12s\n", "CPU %", "ms");
    for (b->share = 0; b->share <= 100; b->share += SWEEP_STEP) {
        rc = time_level_1(tool, &seconds);
        if (rc)
            return rc;
        if (b->share == 0)
            alone = seconds;
        if (seconds < best) {
            best = seconds;
            best_share = b->share;
        }
        json_array_append_new(
            table, json_pack("{s:i, s:f}", "cpu_percent", (int)b->share, "seconds", seconds));
        if (!cli->json)
            printf("%8u %12.4f\n", b->share, 1e3 * seconds);
    }
    b->sharing = SHARE_DYNAMIC;
    rc = time_level_1(tool, &seconds);
    if (rc)
        return rc;
    json_object_set_new(*result, "dynamic_seconds", json_real(seconds));
    json_object_set_new(*result, "best_percent", json_integer(best_share));
    if (!cli->json)
        printf("%8s %12.4f, %.2f times as fast as the device alone\nbest: %u %%, %.2f times\n",
            "dynamic", 1e3 * seconds, alone / seconds, best_share, alone / best);
    return 0;
}

static int run_tool(struct tool *tool, json_t **result)
{
    if (tool->wants_info)
        return bezier_info(tool->cli, &tool->bezier, result);
    if (tool->benchmark)
        return run_benchmark(tool, result);
    if (tool->sweeps)
        return run_sweep(tool, result);
    const int rc = bezier_run(&tool->cli->run, &tool->bezier);
    *result = describe(tool);
    json_object_set_new(
        *result, "triangles", json_integer((json_int_t)tool->bezier.mesh.triangle_count));
    return rc;
}

/* The first lines of the help, with the endings of what is read and written. */
static const char *summarize(char *text, size_t size)
{
    const struct words inputs = patch_endings(), meshes = mesh_endings();
    snprintf(text, size,
        "Evaluates the Bézier patches of a %s file and draws them,\n"
        "or writes a mesh: OUTPUT's ending is that of a picture, or %s.",
        words_join(&inputs, " or ").text, words_join(&meshes, ", ").text);
    return text;
}

int bezier_main(int argc, char **argv)
{
    char summary[800];
    struct tool tool = {.bezier.drawing = {.width = 1024,
                            .height = 768,
                            .samples = 2,
                            .yaw = 30,
                            .pitch = 25,
                            .background = {1, 1, 1}}};
    struct cli cli = {
        .name = "bezier",
        .operands = "INPUT [OUTPUT]",
        .summary = summarize(summary, sizeof(summary)),
        .options = OPTIONS,
        .stages = BEZIER_PICTURE,
        .self_test = &BEZIER_SELF_TEST,
        .set = set_option,
    };
    struct error error;
    json_t *result = NULL;
    tool.cli = &cli;
    int status = cli_parse(&cli, argc, argv, &tool);
    if (status >= 0)
        return status;
    tool.bezier.input = cli.operand_count > 0 ? cli.operand[0] : "";
    tool.bezier.frames.output = cli.operand_count > 1 ? cli.operand[1] : NULL;
    int rc = check_options(&tool, &error);
    if (rc == 0)
        rc = check_outputs(&tool, &error);
    if (rc)
        return cli_fail(&cli, rc, &error);
    tool.bezier.drawing.is_tight = !tool.bezier.frames.are_asked;
    tool.bezier.has_normals = cli.operand_count > 1;
    if (tool.bezier.has_normals && mesh_is_name(tool.bezier.frames.output))
        cli.stages = BEZIER_MESH;
    tool.bezier.has_own_unit =
        !tool.bezier.frames.output || !mesh_has_curvatures(tool.bezier.frames.output);
    rc = run_tool(&tool, &result);
    frames_abandon(&tool.bezier.frames); /* cli_finish may end by a signal */
    status = cli_finish(&cli, rc, result);
    bezier_end(&tool.bezier);
    return status;
}
