/* circles: paints translucent circles in depth order. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/viewer.h"
#include "images/output.h"
#include "stages/circles/circles.h"
#include "stages/circles/reference.h"
#include "stages/tessera.h"

enum {
    KEY_BLOCK = CLI_KEY,
    KEY_LIST_SCENES,
    KEY_SEED,
    KEY_FRAMES,
    KEY_BACKGROUND,
    KEY_ALPHA,
    KEY_ANTIALIAS,
    KEY_FORMAT,
    KEY_QUALITY,
    KEY_SAVE_SCENE,
    KEY_DEVICE_MEMORY,
    KEY_MEMORY,
    KEY_VIEWER,
};

static const char *const METHODS[] = {[METHOD_FAST] = "fast",
    [METHOD_GOOD] = "good",
    [METHOD_BAD] = "bad",
    [METHOD_REFERENCE] = "reference",
    NULL};

#define BLOCK_SIDE(side) side,
#define BLOCK_WORD(side) #side,
static const uint32_t BLOCKS[] = {GOOD_BLOCKS(BLOCK_SIDE)};
static const char *const BLOCK_WORDS[] = {GOOD_BLOCKS(BLOCK_WORD) NULL};

static const struct cli_option OPTIONS[] = {
    {"size", 's', "SIZE", "pixels of a side, or WxH (default 1024, or the file's own)", NULL,
        CLI_WORK},
    {"method", 'm', "HOW", " (default fast)", CLI_ARRAY(METHODS), CLI_METHOD},
    {"block", KEY_BLOCK, "N", ": side of good's blocks (default 16)", CLI_ARRAY(BLOCK_WORDS),
        CLI_METHOD},
    {"benchmark", 'b', NULL, "time 5 runs, and 5 of the reference; writes no OUTPUT", NULL,
        CLI_COMMANDS},
    {"list-scenes", KEY_LIST_SCENES, NULL, "list the scenes known by name", NULL, CLI_COMMANDS},
    {"seed", KEY_SEED, "N", "seed of the random scenes (default 0)", NULL, CLI_WORK},
    {"frames", KEY_FRAMES, "A:B", "render frames A to B of an animated scene", NULL, CLI_WORK},
    {"background", KEY_BACKGROUND, "COLOR",
        "the background, instead of the scene's: a color as CSS writes it, none, or R,G,B from 0 "
        "to 1",
        NULL, CLI_LOOKS},
    {"alpha", KEY_ALPHA, "A", "opacity of every circle, 0 to 1, instead of the scene's", NULL,
        CLI_LOOKS},
    {"antialias", KEY_ANTIALIAS, "N",
        "take the mean of N x N samples a pixel (default 4 for scene files, else 1)", NULL,
        CLI_LOOKS},
    {"format", KEY_FORMAT, "NAME", " (default: by OUTPUT)", CLI_LIST(cli_frame_formats), CLI_FILES},
    CLI_QUALITY(KEY_QUALITY),
    {"viewer", KEY_VIEWER, NULL, "write a page beside a DeepZoom image that shows it in a browser",
        NULL, CLI_FILES},
    {"save-scene", KEY_SAVE_SCENE, "FILE", "write the circles to a scene file", NULL, CLI_FILES},
    {"memory", KEY_MEMORY, "SIZE",
        "keep about SIZE bytes in memory, of a larger image some rows at a time; K, M or G may "
        "follow (default: half of the machine's)",
        NULL, CLI_METHOD},
    {"device-memory", KEY_DEVICE_MEMORY, "SIZE",
        "use at most SIZE bytes of the device's memory; K, M or G may follow", NULL, CLI_METHOD},
    {0},
};

struct tool {
    struct circles circles;
    struct cli *cli;
    struct frames frames;                /* what is painted, and where to */
    const char *save_scene;              /* path, or NULL */
    int benchmark, lists_scenes, viewer; /* asked for */
    struct image expected;               /* what the sequential reference makes */
};

static int set_option(struct tool *tool, int key, const char *value, struct error *error)
{
    struct circles_options *o = &tool->circles.options;
    uint64_t number;
    int word, rc;
    switch (key) {
    case 's':
        return cli_size("--size", value, CIRCLES_MAX_SIDE, &o->width, &o->height, error);
    case 'm':
        rc = cli_word(OPTIONS, key, value, &word, error);
        o->method = rc ? METHOD_FAST : (enum method)word;
        tool->cli->stages = CIRCLES_STAGES[o->method];
        return rc;
    case 'b':
        tool->benchmark = 1;
        o->samples = o->samples ? o->samples : 1;
        return 0;
    case KEY_BLOCK:
        rc = cli_word(OPTIONS, key, value, &word, error);
        o->block = rc ? 0 : BLOCKS[word];
        return rc;
    case KEY_LIST_SCENES:
        tool->lists_scenes = 1;
        return 0;
    case KEY_SEED:
        return cli_number("--seed", value, 0, UINT64_MAX, &o->seed, error);
    case KEY_FRAMES:
        return cli_frames(value, &tool->frames, error);
    case KEY_BACKGROUND:
        o->has_background = 1;
        return cli_color("--background", value, o->background, error);
    case KEY_ALPHA:
        o->has_alpha = 1;
        return cli_shares("--alpha", value, &o->alpha, 1, error);
    case KEY_ANTIALIAS:
        rc = cli_number("--antialias", value, 1, CIRCLES_MAX_SAMPLES, &number, error);
        o->samples = rc ? 0 : (uint32_t)number;
        return rc;
    case KEY_FORMAT:
        tool->frames.format = value;
        return 0;
    case KEY_QUALITY:
        return cli_quality(value, &tool->frames.quality, error);
    case KEY_VIEWER:
        tool->viewer = 1;
        return 0;
    case KEY_SAVE_SCENE:
        tool->save_scene = value;
        return 0;
    case KEY_MEMORY:
        return cli_memory("--memory", value, &o->memory, error);
    default: /* KEY_DEVICE_MEMORY */
        return cli_memory("--device-memory", value, &o->device_memory, error);
    }
}

/* Returns the exit status. */
static int list_scenes(struct cli *cli)
{
    struct error error;
    if (cli->operand_count > 0 || cli->trace)
        return cli_fail(cli,
            error_set(&error, ERROR_USAGE,
                "--list-scenes goes alone; leave out SCENE, OUTPUT and --trace"),
            &error);
    json_t *list = json_array();
    for (const struct scene_info *info = SCENES; info->name; info++) {
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:I, s:b}", "name", info->name, "summary", info->summary,
                      "circles", (json_int_t)info->count, "animated", info->is_animated));
        if (!cli->json)
            printf(
                "%-13s %s%s\n", info->name, info->summary, info->is_animated ? "; animated" : "");
    }
    return cli_finish(cli, 0, list);
}

/* SCENE.png in the current folder, where no OUTPUT is given. */
static void set_default_output(struct tool *tool, char *path, size_t size)
{
    const char *input = tool->circles.options.input;
    const char *name = output_name(input), *dot = strrchr(name, '.');
    const int stem = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    if (strcmp(name, "-") == 0)
        snprintf(path, size, "circles.png");
    else
        snprintf(path, size, "%.*s.png", stem, name);
    tool->frames.output = path;
}

/* All files, of every frame too, before the first is painted. */
static int check_outputs(const struct tool *tool, struct error *error)
{
    const struct circles_options *o = &tool->circles.options;
    const struct image image = {.width = (int)o->width,
        .height = (int)o->height,
        .channels = o->has_background && o->background[3] < 1 ? 4 : 3,
        .depth = 8};
    struct files files = {0};
    char page[PATH_MAX];
    files_add(&files, FILE_READ, scene_find(o->input) ? NULL : o->input);
    files_add(&files, FILE_WRITTEN, tool->save_scene);
    if (tool->viewer) {
        viewer_path(tool->frames.output, page);
        files_add(&files, FILE_WRITTEN, page);
    }
    cli_add_frames(&files, &tool->frames);
    int rc = cli_check_files(tool->cli, &files, error);
    if (rc == 0 && tool->viewer)
        rc = viewer_check(page, error);
    if (rc == 0 && tool->frames.output)
        rc = cli_check_frames(&tool->frames, &image, error);
    return rc == 0 && tool->save_scene ? scene_check_output(tool->save_scene, error) : rc;
}

/* What options ask of each other. Returns 0 or an ERROR_ code. */
static int check_options(const struct tool *tool, struct error *error)
{
    const struct circles_options *o = &tool->circles.options;
    const struct frames *frames = &tool->frames;
    const struct cli *cli = tool->cli;
    const char *id = cli->run.device_id;
    struct device device;
    if (cli->operand_count > 2)
        return error_set(error, ERROR_USAGE, "name a SCENE and an OUTPUT; --help explains");
    if (o->block && o->method != METHOD_GOOD)
        return error_set(error, ERROR_USAGE, "--block is for --method good");
    if (o->seed && cli->operand_count > 0 && !scene_find(cli->operand[0]))
        return error_set(error, ERROR_USAGE,
            "--seed is for a scene known by name, and '%s' is none; leave it out", cli->operand[0]);
    if (tool->benchmark && o->method == METHOD_REFERENCE)
        return error_set(
            error, ERROR_USAGE, "a benchmark compares with the reference; choose another --method");
    if (tool->benchmark &&
        (frames->are_asked || frames->format || frames->quality || cli->operand_count > 1))
        return error_set(error, ERROR_USAGE,
            "a benchmark renders one frame and writes none; leave out --frames, --format, "
            "--quality and OUTPUT");
    const size_t length = cli->operand_count > 1 ? strlen(cli->operand[1]) : 0;
    if (tool->viewer &&
        (frames->format || length < 4 || strcasecmp(cli->operand[1] + length - 4, ".dzi") != 0))
        return error_set(
            error, ERROR_USAGE, "--viewer is for an OUTPUT that ends in .dzi, without --format");
    if (tool->viewer && frames->are_asked)
        return error_set(error, ERROR_USAGE, "--viewer is for one image, not for --frames");
    if (o->method != METHOD_REFERENCE || !id || strcmp(id, "auto") == 0)
        return 0;
    if (strncmp(id, "cpu", 3) != 0)
        return error_set(error, ERROR_USAGE, "--method reference runs on the CPU; leave out -r");
    const int rc = device_open(id, 0, 1, &device, error); /* it must be there, though not used */
    if (rc == 0)
        device_close(&device);
    return rc;
}

static void set_operands(struct tool *tool, char *path, size_t size)
{
    const struct cli *cli = tool->cli;
    tool->circles.options.input = cli->operand_count > 0 ? cli->operand[0] : "rand10k";
    if (tool->benchmark)
        return;
    if (cli->operand_count > 1)
        tool->frames.output = cli->operand[1];
    else
        set_default_output(tool, path, size);
}

static int save(
    void *context, struct run *run, const struct image *rows, uint32_t first_row, uint32_t frame)
{
    struct tool *tool = context;
    const uint32_t height = tool->circles.result.height;
    const int is_last = frame == tool->frames.last && first_row + (uint32_t)rows->height == height;
    const int rc = is_last ? run_release_device(run) : 0;
    return rc ? rc
              : frames_save_rows(
                    run, &tool->frames, rows, (int)first_row, (int)height, frame, run_watch(run));
}

static int check(void *context, struct run *run, const struct image *whole, uint32_t rows)
{
    const struct tool *tool = context;
    return frames_check_image(&tool->frames, whole, (int)rows, &run->error);
}

static int open_parts(void *context, struct run *run, const struct image *whole, uint64_t memory,
    uint32_t frame, struct image_parts *parts)
{
    struct tool *tool = context;
    return frames_open_parts(run, &tool->frames, whole, memory, frame, run_watch(run), parts);
}

static int save_rest(void *context, struct run *run, const struct image *rest)
{
    struct tool *tool = context;
    return frames_save_rest(run, &tool->frames, rest);
}

static int save_scene(void *context, struct run *run, const struct scene *scene)
{
    const struct tool *tool = context;
    return scene_write(tool->save_scene, scene, run_watch(run), &run->error);
}

/* Which frames to paint, and where they go. */
static void set_frames(struct tool *tool)
{
    struct circles_options *o = &tool->circles.options;
    o->has_frames = tool->frames.are_asked;
    o->first_frame = tool->frames.first;
    o->last_frame = tool->frames.last;
    o->sinks = (struct circles_sinks){.context = tool,
        .save = tool->benchmark ? NULL : save,
        .open_parts = tool->benchmark ? NULL : open_parts,
        .save_rest = save_rest,
        .check = tool->benchmark ? NULL : check,
        .save_scene = tool->save_scene ? save_scene : NULL};
}

static int report_share(void *context, double share)
{
    struct run *run = context;
    run->stage = "reference";
    return run_progress(run, share);
}

static int make_reference(void *context)
{
    struct tool *tool = context;
    struct circles *c = &tool->circles;
    struct run *run = &tool->cli->run;
    return reference_circles(
        &c->scene, c->result.samples, &tool->expected, report_share, run, &run->error);
}

static size_t count_differences(const struct image *a, const struct image *b)
{
    const size_t pixels = (size_t)a->width * (size_t)a->height;
    size_t different = 0;
    for (size_t i = 0; i < pixels; i++)
        different += memcmp((uint8_t *)a->pixels + 4 * i, (uint8_t *)b->pixels + 4 * i, 4) != 0;
    return different;
}

static int paint(void *context)
{
    struct tool *tool = context;
    return circles_paint(&tool->cli->run, &tool->circles);
}

/* What all runs share: the scene, and the device, which is chosen here. */
static int start(struct run *run, struct circles *c)
{
    run_start(run);
    int rc = circles_run_stage(run, &SCENE, c);
    return rc ? rc : circles_run_stage(run, &UPLOAD, c);
}

/* All of the method's stages but the last, which saves, against the reference. */
static int run_benchmark(struct tool *tool, json_t *result)
{
    struct cli *cli = tool->cli;
    struct run *run = &cli->run;
    struct circles *c = &tool->circles;
    char finding[80];
    int rc = start(run, c);
    if (run_falls_back(run, rc))
        rc = start(run, c);
    if (rc == 0)
        rc = image_new(
            (int)c->result.width, (int)c->result.height, 3, 8, &tool->expected, &run->error);
    if (rc == 0 && !cli->json)
        printf("%s, %zu circles, %u x %u pixels on %s (%s); 5 runs\n", c->options.input,
            c->scene.count, c->result.width, c->result.height, run->device.info.id,
            run->device.info.name);
    if (rc == 0)
        rc = benchmark(cli, METHODS[c->options.method], paint, make_reference, tool, result);
    if (rc)
        return rc;
    const size_t different = count_differences(&c->result.image, &tool->expected);
    json_object_set_new(result, "different_pixels", json_integer((json_int_t)different));
    snprintf(finding, sizeof(finding), "the two images differ in %zu pixels of %zu", different,
        (size_t)c->result.width * c->result.height);
    if (different && c->options.method != METHOD_BAD)
        return error_set(
            &run->error, ERROR_DEVICE, "the two images differ in %zu pixels", different);
    benchmark_tell(cli, result, different ? finding : "the two images are equal byte for byte");
    return 0;
}

static json_t *describe(const struct tool *tool)
{
    const struct circles *c = &tool->circles;
    return json_pack("{s:o, s:s, s:I, s:i, s:i, s:i}", "scene", cli_string(c->options.input),
        "method", METHODS[c->options.method], "circles", (json_int_t)c->scene.count, "width",
        (int)c->result.width, "height", (int)c->result.height, "samples", (int)c->result.samples);
}

static int run_tool(struct tool *tool, json_t **result)
{
    struct run *run = &tool->cli->run;
    if (!tool->benchmark) {
        const int rc = circles_run(run, &tool->circles);
        *result = describe(tool);
        return rc;
    }
    json_t *measured = json_object();
    const int rc = run_benchmark(tool, measured);
    *result = describe(tool);
    json_object_update(*result, measured);
    json_decref(measured);
    return rc;
}

int tessera_circles_main(int argc, char **argv)
{
    struct tool tool = {0};
    struct cli cli = {
        .name = "circles",
        .operands = "[SCENE [OUTPUT]]",
        .summary =
            "Paints translucent circles in depth order: a scene by its name, or a scene file.",
        .options = OPTIONS,
        .operand_words = scene_names,
        .stages = CIRCLES_STAGES[METHOD_FAST],
        .self_test = &CIRCLES_SELF_TEST,
    };
    char path[4096];
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
        return cli_finish(&cli, circles_serve(&cli.run), NULL);
    if (tool.lists_scenes)
        return list_scenes(&cli);
    int rc = check_options(&tool, &error);
    set_operands(&tool, path, sizeof(path));
    set_frames(&tool);
    if (rc == 0)
        rc = check_outputs(&tool, &error);
    if (rc)
        return cli_fail(&cli, rc, &error);
    rc = run_tool(&tool, &result);
    if (rc == 0 && tool.viewer)
        rc = viewer_write(tool.frames.output, &cli.run.error);
    frames_abandon(&tool.frames); /* cli_finish may end by a signal */
    status = cli_finish(&cli, rc, result);
    circles_end(&tool.circles);
    image_free(&tool.expected);
    return status;
}
