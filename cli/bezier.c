/* bezier: Bézier patches of any degree, evaluated, drawn or written as a mesh. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/bezier_benchmark.h"
#include "cli/bezier_info.h"
#include "cli/bezier_values.h"
#include "cli/cli.h"
#include "stages/bezier/bezier.h"
#include "stages/tessera.h"

#define MAX_PAN 1000.0 /* widths and heights of the image */

enum {
    KEY_PRECISION = CLI_KEY,
    KEY_SHARE,
    KEY_FRAMES,
    KEY_ANIMATE,
    KEY_FLIP,
    KEY_SHADING,
    KEY_LINES,
    KEY_NET,
    KEY_GROUPS,
    KEY_CURVATURE,
    KEY_CLAMP,
    KEY_YAW,
    KEY_PITCH,
    KEY_UP,
    KEY_LOOK_AT,
    KEY_ZOOM,
    KEY_PAN,
    KEY_ORTHOGRAPHIC,
    KEY_ANTIALIAS,
    KEY_BACKGROUND,
    KEY_FORMAT,
    KEY_QUALITY,
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
    {"resolution", 'n', "N",
        "points of a side of a patch, or UxV (default 17; of an image, as many as its view needs)",
        NULL, CLI_WORK},
    {"method", 'm', "HOW", " (default sep)", CLI_ARRAY(METHODS), CLI_METHOD},
    {"precision", KEY_PRECISION, "TYPE", " (default float)", CLI_ARRAY(PRECISION_NAMES),
        CLI_METHOD},
    {"share", KEY_SHARE, "P", "percent of the work for the CPU beside the device, dynamic or sweep",
        NULL, CLI_METHOD},
    {"frames", KEY_FRAMES, "A:B", "make frames A to B of an animation", NULL, CLI_WORK},
    {"animate", KEY_ANIMATE, "WHAT", " changes from frame to frame", CLI_ARRAY(ANIMATIONS),
        CLI_WORK},
    {"flip", KEY_FLIP, NULL, "turn the other side of the surface out", NULL, CLI_WORK},
    {"size", 's', "SIZE", "pixels of a side, or WxH (default 1024x768)", NULL, CLI_LOOKS},
    {"shading", KEY_SHADING, "HOW", " (smooth)", CLI_ARRAY(SHADINGS), CLI_LOOKS},
    {"lines", KEY_LINES, NULL, "draw the lines of the grid; wireframe with --shading none", NULL,
        CLI_LOOKS},
    {"net", KEY_NET, NULL, "draw the control net", NULL, CLI_LOOKS},
    {"groups", KEY_GROUPS, NULL, "give each group its color", NULL, CLI_LOOKS},
    {"curvature", KEY_CURVATURE, "WHICH", " (default gaussian), as colors",
        CLI_ARRAY(CURVATURE_NAMES), CLI_LOOKS},
    {"clamp", KEY_CLAMP, "A:B", "curvatures at the ends of the colors", NULL, CLI_LOOKS},
    {"yaw", KEY_YAW, "DEGREES", "turn about the vertical axis (default 30)", NULL, CLI_LOOKS},
    {"pitch", KEY_PITCH, "DEGREES", "turn toward the viewer (default 25)", NULL, CLI_LOOKS},
    {"up", KEY_UP, "X,Y,Z", "the model's direction that is upward (default 0,0,1)", NULL,
        CLI_LOOKS},
    {"look-at", KEY_LOOK_AT, "X,Y,Z", "point in the middle of the image (default: the model's)",
        NULL, CLI_LOOKS},
    {"zoom", KEY_ZOOM, "FACTOR", "1 shows all of the model (default 1)", NULL, CLI_LOOKS},
    {"pan", KEY_PAN, "X,Y", "move by widths to the right and heights up (default 0,0)", NULL,
        CLI_LOOKS},
    {"orthographic", KEY_ORTHOGRAPHIC, NULL, "no perspective", NULL, CLI_LOOKS},
    {"antialias", KEY_ANTIALIAS, "N", "take the mean of N x N samples a pixel (default 2)", NULL,
        CLI_LOOKS},
    {"background", KEY_BACKGROUND, "COLOR",
        "as CSS writes it, R,G,B from 0 to 1, or none: transparent (default white)", NULL,
        CLI_LOOKS},
    {"format", KEY_FORMAT, "NAME", " (default: by OUTPUT)", CLI_LIST(cli_frame_formats), CLI_FILES},
    CLI_QUALITY(KEY_QUALITY),
    {"info", KEY_INFO, NULL, "tell what INPUT holds; writes no OUTPUT", NULL, CLI_COMMANDS},
    {"benchmark", 'b', NULL, "time 5 evaluations, and 5 of the reference; writes no OUTPUT", NULL,
        CLI_COMMANDS},
    {0},
};

struct tool {
    struct bezier bezier;
    struct cli *cli;
    struct frames frames;              /* what is made, and where to */
    int wants_info, benchmark, sweeps; /* asked for */
    int has_view;                      /* options of images */
    int has_shading, has_curvature;
};

static int set_share(struct tool *tool, const char *value, struct error *error)
{
    struct bezier_options *o = &tool->bezier.options;
    uint64_t percent = 0;
    o->sharing = strcmp(value, "dynamic") == 0 ? SHARE_DYNAMIC : SHARE_STATIC;
    tool->sweeps = strcmp(value, "sweep") == 0;
    if (o->sharing == SHARE_DYNAMIC || tool->sweeps)
        return 0;
    if (cli_number("--share", value, 0, 100, &percent, error))
        return error_set(error, ERROR_USAGE,
            "bad --share '%s': write percent from 0 to 100, or dynamic, or sweep", value);
    o->share = (uint32_t)percent;
    return 0;
}

static int set_image_option(struct tool *tool, int key, const char *value, struct error *error)
{
    struct drawing *drawing = &tool->bezier.options.drawing;
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
        tool->bezier.options.has_net = 1;
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
        return bezier_set_clamp(drawing, value, error);
    case KEY_YAW:
        return cli_real("--yaw", value, -3600, 3600, &drawing->yaw, error);
    case KEY_PITCH:
        return cli_real("--pitch", value, -3600, 3600, &drawing->pitch, error);
    case KEY_UP:
        return bezier_set_up(drawing, value, error);
    case KEY_LOOK_AT:
        drawing->has_target = 1;
        return cli_reals("--look-at", value, -PATCHES_MAX_COORDINATE, PATCHES_MAX_COORDINATE,
            drawing->target, 3, error);
    case KEY_PAN:
        return cli_reals("--pan", value, -MAX_PAN, MAX_PAN, drawing->pan, 2, error);
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
        return bezier_set_background(drawing, value, error);
    case KEY_QUALITY:
        return cli_quality(value, &tool->frames.quality, error);
    default:
        tool->frames.format = value;
        return 0;
    }
}

static int set_option(struct tool *tool, int key, const char *value, struct error *error)
{
    struct bezier_options *o = &tool->bezier.options;
    int word = 0, rc;
    switch (key) {
    case 'n':
        return cli_size("--resolution", value, BEZIER_MAX_RESOLUTION, &o->resolution_u,
            &o->resolution_v, error);
    case 'm':
        rc = cli_word(OPTIONS, key, value, &word, error);
        o->method = (enum evaluation)word;
        return rc;
    case KEY_PRECISION:
        rc = cli_word(OPTIONS, key, value, &word, error);
        o->precision = (enum precision)word;
        return rc;
    case KEY_SHARE:
        return set_share(tool, value, error);
    case KEY_FRAMES:
        return cli_frames(value, &tool->frames, error);
    case KEY_ANIMATE:
        rc = cli_word(OPTIONS, key, value, &word, error);
        o->animation = (enum animation)word;
        return rc;
    case KEY_FLIP:
        o->is_flipped = 1;
        return 0;
    case KEY_INFO:
        tool->wants_info = 1;
        return 0;
    case 'b':
        tool->benchmark = 1;
        return 0;
    default:
        return set_image_option(tool, key, value, error);
    }
}

/* What options ask of each other. Returns 0 or an ERROR_ code. */
static int check_options(const struct tool *tool, struct error *error)
{
    const struct bezier_options *o = &tool->bezier.options;
    const struct cli *cli = tool->cli;
    const int writes = !tool->wants_info && !tool->benchmark && !tool->sweeps;
    if (cli->operand_count != (writes ? 2 : 1))
        return error_set(error, ERROR_USAGE,
            writes ? "name an INPUT and an OUTPUT; --help explains"
                   : "--info, --benchmark and --share sweep take an INPUT and write no OUTPUT");
    if (tool->wants_info + tool->benchmark + tool->sweeps > 1)
        return error_set(
            error, ERROR_USAGE, "--info, --benchmark and --share sweep go one at a time");
    if (tool->frames.are_asked && o->animation == ANIMATE_NOTHING)
        return error_set(
            error, ERROR_USAGE, "--frames needs --animate turn, wave, resolution or degree");
    if (o->animation != ANIMATE_NOTHING && !tool->frames.are_asked)
        return error_set(error, ERROR_USAGE, "--animate needs --frames, as in 0:59");
    if (!writes && (tool->frames.are_asked || tool->has_view || o->is_flipped))
        return error_set(error, ERROR_USAGE,
            "--info, --benchmark and --share sweep write nothing; leave out --frames and options "
            "of images and meshes");
    if (writes && mesh_is_name(tool->frames.output) && tool->has_view)
        return error_set(error, ERROR_USAGE,
            "'%s' is a mesh; options of images do nothing there, leave them out",
            tool->frames.output);
    if (o->sharing != SHARE_NOTHING &&
        (!cli->run.device_id || strncmp(cli->run.device_id, "cpu", 3) == 0 ||
            strcmp(cli->run.device_id, "auto") == 0))
        return error_set(error, ERROR_USAGE,
            "--share needs a device beside the CPU; name it by -r, --list-devices shows those "
            "present");
    if (o->sharing != SHARE_NOTHING && o->method != EVALUATION_SEP && o->method != EVALUATION_MLE)
        return error_set(error, ERROR_USAGE, "--share works with --method sep and mle");
    if ((o->drawing.has_clamp || tool->has_curvature) && o->drawing.shading != SHADING_CURVATURE)
        return error_set(error, ERROR_USAGE, "--curvature and --clamp need --shading curvature");
    if (o->drawing.has_groups &&
        (o->drawing.shading == SHADING_CURVATURE || o->drawing.shading == SHADING_NONE))
        return error_set(error, ERROR_USAGE,
            "--groups does nothing with --shading %s; leave one out",
            o->drawing.shading == SHADING_NONE ? "none" : "curvature");
    if (o->drawing.samples * fmax(o->drawing.width, o->drawing.height) > DRAWING_MAX_SAMPLES)
        return error_set(error, ERROR_USAGE,
            "a side of %u samples, at most %d are possible; lower --antialias or --size",
            o->drawing.samples *
                (o->drawing.width > o->drawing.height ? o->drawing.width : o->drawing.height),
            DRAWING_MAX_SAMPLES);
    return 0;
}

/* The materials that go beside the mesh; of frames their name without a number. NULL: none. */
static const char *find_materials(const struct tool *tool, char path[PATH_MAX])
{
    const char *output = tool->frames.output;
    return output && mesh_materials_path(output, path) ? path : NULL;
}

static int check_frame(void *error, const char *path)
{
    return mesh_check_materials(path, error);
}

static int check_materials(const struct frames *materials, struct error *error)
{
    if (!materials->are_asked)
        return mesh_check_materials(materials->output, error);
    const int rc = output_check_frames(materials->output, materials->first, materials->last, error);
    return rc ? rc
              : output_each_frame(
                    materials->output, materials->first, materials->last, check_frame, error);
}

/* All files, before any work is done. */
static int check_outputs(const struct tool *tool, struct error *error)
{
    const struct bezier_options *o = &tool->bezier.options;
    const struct image image = {.width = (int)o->drawing.width,
        .height = (int)o->drawing.height,
        .channels = o->drawing.is_clear ? 4 : 3,
        .depth = 8};
    const char *output = tool->frames.output;
    struct frames materials = tool->frames;
    struct files files = {0};
    char path[PATH_MAX], materials_path[PATH_MAX];
    materials.output = find_materials(tool, materials_path);
    files_add(&files, FILE_READ, o->input);
    cli_add_frames(&files, &tool->frames);
    cli_add_frames(&files, &materials);
    int rc = cli_check_files(tool->cli, &files, error);
    if (rc || !output)
        return rc;
    const struct words meshes = mesh_extensions(), images = image_extensions(&image),
                       films = film_formats();
    struct words all = meshes;
    words_add_all(&all, &images);
    words_add_all(&all, &films);
    if (!mesh_is_name(output) && !tool->frames.format && output_refuse_folder(output, error))
        return ERROR_INPUT;
    if (!mesh_is_name(output) && !tool->frames.format && !image_is_name(output, NULL) &&
        !film_is_name(output, NULL))
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': its extension is that of no mesh (%s), image (%s) or video (%s); "
            "use one of them, or --format%s",
            output, words_join(&meshes, ", ").text, words_join(&images, ", ").text,
            words_join(&films, ", ").text, words_suggest_extension(&all, output).text);
    if (!mesh_is_name(output))
        return cli_check_frames(&tool->frames, &image, error);
    rc = frames_path(&tool->frames, tool->frames.first, path, error);
    if (rc == 0)
        rc = mesh_check_output(path, error);
    if (rc == 0 && tool->frames.are_asked)
        rc = output_check_frames(output, tool->frames.first, tool->frames.last, error);
    return rc || !materials.output ? rc : check_materials(&materials, error);
}

static int save(void *context, struct run *run, const struct image *image, uint32_t frame)
{
    struct tool *tool = context;
    const int rc = frame == tool->frames.last ? run_release_device(run) : 0;
    return rc ? rc : frames_save(run, &tool->frames, image, frame, run_watch(run));
}

static int save_mesh(void *context, struct run *run, const struct mesh *mesh, uint32_t frame)
{
    const struct tool *tool = context;
    char path[PATH_MAX];
    int rc = frame == tool->frames.last ? run_release_device(run) : 0;
    if (rc == 0)
        rc = frames_path(&tool->frames, frame, path, &run->error);
    return rc ? rc : mesh_write(path, mesh, run_watch(run), &run->error);
}

/* What to make for the output. */
static void set_outputs(struct tool *tool)
{
    struct bezier_options *o = &tool->bezier.options;
    const struct frames *frames = &tool->frames;
    o->has_frames = frames->are_asked;
    o->first_frame = frames->first;
    o->last_frame = frames->last;
    o->drawing.is_tight = !frames->are_asked;
    o->has_normals = frames->output != NULL;
    o->has_mesh = frames->output && mesh_is_name(frames->output);
    o->has_own_unit = !frames->output || !mesh_has_curvatures(frames->output);
    o->sinks = (struct bezier_sinks){tool, save, save_mesh};
    if (o->has_mesh)
        tool->cli->stages = BEZIER_MESH;
}

static json_t *describe(const struct tool *tool)
{
    const struct bezier *b = &tool->bezier;
    return json_pack("{s:o, s:s, s:s, s:I, s:i, s:i, s:I}", "input", cli_string(b->options.input),
        "method", METHODS[b->options.method], "precision", PRECISION_NAMES[b->options.precision],
        "patches", (json_int_t)b->patches.count, "points_u", (int)b->result.points_u, "points_v",
        (int)b->result.points_v, "points", (json_int_t)b->result.point_count);
}

static int measure(struct tool *tool, json_t **result)
{
    struct bezier *b = &tool->bezier;
    json_t *measured = json_object();
    const int rc = tool->sweeps ? bezier_sweep(tool->cli, b, measured)
                                : bezier_benchmark(tool->cli, b, METHODS[b->options.method],
                                      PRECISION_NAMES[b->options.precision], measured);
    *result = describe(tool);
    json_object_update(*result, measured);
    json_decref(measured);
    return rc;
}

/* Whether what is written shows which side of the surface is out: images do only by the signs of
 * curvatures. */
static int shows_sides(const struct bezier *b)
{
    const struct drawing *drawing = &b->options.drawing;
    return b->options.has_mesh ||
           (drawing->shading == SHADING_CURVATURE && drawing->curvature != CURVATURE_GAUSSIAN);
}

static int run_tool(struct tool *tool, json_t **result)
{
    struct bezier *b = &tool->bezier;
    char materials[PATH_MAX];
    if (tool->wants_info)
        return bezier_info(tool->cli, b, result);
    if (tool->benchmark || tool->sweeps)
        return measure(tool, result);
    const int rc = bezier_run(&tool->cli->run, b);
    *result = describe(tool);
    json_object_set_new(*result, "output", cli_string(tool->frames.output));
    if (find_materials(tool, materials))
        json_object_set_new(*result, "materials", cli_string(materials));
    json_object_set_new(
        *result, "triangles", json_integer((json_int_t)b->result.mesh.triangle_count));
    json_object_set_new(
        *result, "volume", isnan(b->result.volume) ? json_null() : json_real(b->result.volume));
    if (rc == 0 && shows_sides(b) && b->result.volume < 0)
        run_notice(&tool->cli->run, 1,
            "the model is inside out: normals point inward, and its volume is %.6g; %s",
            b->result.volume, b->options.is_flipped ? "leave out --flip" : "--flip turns it");
    return rc;
}

/* The first lines of the help, with the extensions of what is read and written. */
static const char *summarize(char *text, size_t size)
{
    const struct words inputs = patch_extensions(), meshes = mesh_extensions();
    snprintf(text, size,
        "Evaluates the Bézier patches of a %s file and draws them, "
        "or writes a mesh: OUTPUT's extension is that of an image, or %s.",
        words_join(&inputs, " or ").text, words_join(&meshes, ", ").text);
    return text;
}

int tessera_bezier_main(int argc, char **argv)
{
    char summary[800];
    struct tool tool = {.bezier.options.drawing = {.width = 1024,
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
        .stages = BEZIER_IMAGE,
        .has_no_snapshots = 1,
        .self_test = &BEZIER_SELF_TEST,
    };
    struct error error;
    json_t *result = NULL;
    tool.cli = &cli;
    cli_start(&cli, argc, argv);
    while (cli_next(&cli))
        cli.rc = set_option(&tool, cli.key, cli.value, &cli.error);
    int status = cli_ready(&cli);
    if (status >= 0)
        return status;
    if (cli.rank > 0)
        return cli_finish(&cli, bezier_serve(&cli.run), NULL);
    tool.bezier.options.input = cli.operand_count > 0 ? cli.operand[0] : "";
    tool.frames.output = cli.operand_count > 1 ? cli.operand[1] : NULL;
    int rc = check_options(&tool, &error);
    if (rc == 0)
        rc = check_outputs(&tool, &error);
    if (rc)
        return cli_fail(&cli, rc, &error);
    set_outputs(&tool);
    rc = run_tool(&tool, &result);
    frames_abandon(&tool.frames); /* cli_finish may end by a signal */
    status = cli_finish(&cli, rc, result);
    bezier_end(&tool.bezier);
    return status;
}
