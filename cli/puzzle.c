#include "cli/puzzle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/report.h"
#include "images/output.h"
#include "stages/unscramble/animate.h"

#define ASSEMBLY_RATE 30 /* frames a second; it stands still for one before and after */

/* A color as all tools take it, or six hexadecimal digits alone. */
static int parse_color(const char *text, struct color *color, struct error *error)
{
    char css[8];
    float rgba[4];
    const int is_bare = strlen(text) == 6 && strspn(text, "0123456789abcdefABCDEF") == 6;
    snprintf(css, sizeof(css), "#%.6s", text);
    if (cli_color("--missing-color", is_bare ? css : text, rgba, error) != 0 || rgba[3] < 1)
        return error_set(error, ERROR_USAGE,
            "bad --missing-color '%s': write an opaque color as CSS does, as in '#fff', navy or "
            "'rgb(0 0 80)', or three numbers from 0 to 1 with commas between",
            text);
    *color = (struct color){(uint8_t)lrintf(255 * rgba[0]), (uint8_t)lrintf(255 * rgba[1]),
        (uint8_t)lrintf(255 * rgba[2])};
    return 0;
}

struct words puzzle_formats(void)
{
    return image_formats(NULL);
}

int puzzle_set_option(struct puzzle *puzzle, int key, const char *value, struct error *error)
{
    struct unscramble_options *options = &puzzle->unscramble.options;
    switch (key) {
    case 'g':
        return grid_parse(value, &options->grid, error);
    case PUZZLE_KEY_PERMUTATION:
        puzzle->permutation = value;
        return 0;
    case PUZZLE_KEY_MISSING_COLOR:
        options->has_missing_color = 1;
        return parse_color(value, &options->missing, error);
    case PUZZLE_KEY_TILE:
        return tile_size_parse(value, &options->tile_width, &options->tile_height, error);
    case PUZZLE_KEY_ROTATE:
        options->rotates = 1;
        return 0;
    case PUZZLE_KEY_SEED:
        return cli_number("--seed", value, 0, UINT64_MAX, &options->seed, error);
    case PUZZLE_KEY_STRIP:
        puzzle->strips_metadata = 1;
        return 0;
    case PUZZLE_KEY_FORMAT:
        puzzle->format = value;
        return 0;
    case PUZZLE_KEY_QUALITY:
        return cli_quality(value, &puzzle->quality, error);
    case PUZZLE_KEY_MEMORY:
        return cli_memory("--memory", value, &options->memory, error);
    default:
        return cli_number("--max-pixels", value, 1, UINT32_MAX, &options->max_pixels, error);
    }
}

int puzzle_check_options(const struct puzzle *puzzle, struct error *error)
{
    const struct unscramble_options *options = &puzzle->unscramble.options;
    if (options->tile_width && options->grid.columns)
        return error_set(error, ERROR_USAGE, "--grid and --tile both cut; leave one out");
    if (options->tile_width && options->loose)
        return error_set(
            error, ERROR_USAGE, "loose tiles have the size of their files; leave out --tile");
    if (puzzle->quality && !puzzle->output && !puzzle->folder)
        return error_set(
            error, ERROR_USAGE, "--quality is for an OUTPUT, and there is none; leave it out");
    if (puzzle->quality && puzzle->folder) /* tiles are PNG files by default */
        return image_check_quality(puzzle->folder, puzzle->format ? puzzle->format : "png", error);
    return puzzle->quality ? image_check_quality(puzzle->output, puzzle->format, error) : 0;
}

/* Where the image of a solution goes: the output, or where there may be several, "out-1.png",
 * "out-2.png", ... for "out.png". */
static int output_path(
    const struct puzzle *puzzle, uint32_t solution, char path[PATH_MAX], struct error *error)
{
    const uint32_t solutions = unscramble_solutions(&puzzle->unscramble);
    const char *output = puzzle->output, *dot = strrchr(output_name(output), '.');
    const size_t stem = dot ? (size_t)(dot - output) : strlen(output);
    if (solutions > 1 && strcmp(output, "-") == 0)
        return error_set(
            error, ERROR_INPUT, "cannot write several images to standard output; name a file");
    if (solutions > 1 && stem + strlen(output + stem) + 12 < PATH_MAX)
        snprintf(path, PATH_MAX, "%.*s-%u%s", (int)stem, output, solution + 1, output + stem);
    else if (strlen(output) < PATH_MAX)
        strcpy(path, output);
    else
        return error_set(error, ERROR_INPUT, "the name of '%.100s...' is too long", output);
    return 0;
}

/* Refuses, before any work is done, an assembly that cannot be written. */
static int check_assembly(const struct puzzle *puzzle, struct error *error)
{
    const uint64_t asked = puzzle->unscramble.options.film_side;
    const int side = asked ? (int)asked : MONTAGE_MAX_SIDE;
    const struct image frame = {.width = side, .height = side, .channels = 3, .depth = 8};
    return puzzle->assembly.output ? cli_check_frames(&puzzle->assembly, &frame, error) : 0;
}

/* Several tiles that are named without an output leave one of them in its place: what is there and
 * is as large as a tile is not replaced. */
static int check_no_tile(const struct puzzle *puzzle, struct error *error)
{
    const struct unscramble *u = &puzzle->unscramble;
    const uint64_t pixels = (uint64_t)u->tile_width * u->tile_height;
    struct image there;
    struct error unread;
    struct stat status;
    if (u->options.loose_count < 2 || stat(puzzle->output, &status) != 0 ||
        !S_ISREG(status.st_mode) || image_read(puzzle->output, pixels, NULL, &there, &unread) != 0)
        return 0;
    const int is_tile = there.width == (int)u->tile_width && there.height == (int)u->tile_height;
    image_free(&there);
    return is_tile ? error_set(error, ERROR_USAGE,
                         "'%s' is there and looks like one of the tiles; name the OUTPUT last, or "
                         "remove that file first",
                         puzzle->output)
                   : 0;
}

/* Refuses a folder in which tiles cannot be written. */
static int check_folder(
    const struct puzzle *puzzle, const struct unscramble *u, struct error *error)
{
    const struct image tile = {.width = (int)u->tile_width,
        .height = (int)u->tile_height,
        .channels = u->puzzle.channels,
        .depth = u->puzzle.depth};
    return loose_check(puzzle->folder, puzzle->format, u->puzzle.pixels ? &tile : NULL, error);
}

/* The pipeline's sinks; see struct unscramble_sinks. Before there is a puzzle, images are checked
 * as what they may be, then as what they are. */
static int check_outputs(void *context, const struct unscramble *u, struct error *error)
{
    const struct puzzle *puzzle = context;
    const uint32_t solutions = unscramble_solutions(u);
    char path[PATH_MAX];
    struct image result;
    int rc = 0;
    if (puzzle->folder)
        rc = check_folder(puzzle, u, error);
    if (rc == 0 && puzzle->output && puzzle->loose.are_named && u->puzzle.pixels)
        rc = check_no_tile(puzzle, error);
    for (uint32_t solution = 0; rc == 0 && puzzle->output && solution < solutions; solution++) {
        rc = output_path(puzzle, solution, path, error);
        if (rc == 0 && u->puzzle.pixels)
            rc = unscramble_result_size(u, solution, &result, error);
        if (rc == 0)
            rc = image_check_output(path, puzzle->format, u->puzzle.pixels ? &result : NULL, error);
    }
    if (rc == 0 && puzzle->permutation)
        rc = output_check(puzzle->permutation, 0, error);
    if (rc == 0 && puzzle->confidence)
        rc = image_check_output(puzzle->confidence, NULL, NULL, error);
    if (rc == 0 && puzzle->report)
        rc = report_check(puzzle->report, u, error);
    return rc ? rc : check_assembly(puzzle, error);
}

/* The tiles come first in the image, then places that are empty. */
static int save_tiles(const struct puzzle *puzzle, struct run *run, const struct image *image)
{
    const struct permutation *permutation = &puzzle->unscramble.result.permutation;
    const uint32_t places = permutation_first(permutation, permutation->solutions);
    uint32_t tiles = 0;
    for (uint32_t place = 0; place < places; place++)
        tiles += permutation->placed[place].tile != NO_TILE;
    return loose_write(puzzle->folder, puzzle->format, image, puzzle->unscramble.grid, tiles,
        run_watch(run), &run->error);
}

/* What PNG tells of colors is lost in files of other formats. Tiles are PNG files by default. */
static void warn_of_colors(const struct puzzle *puzzle, struct run *run, const char *path)
{
    const struct metadata *metadata = &puzzle->unscramble.puzzle.metadata;
    if (metadata_has_png_colors(metadata) &&
        !image_keeps_png_colors(puzzle->folder ? "-" : path, puzzle->format))
        run_notice(run, 1,
            "'%s' does not keep the color space that the PNG file told, so its colors may look "
            "different; a PNG file keeps it",
            puzzle->folder ? puzzle->folder : path);
}

static int save(void *context, struct run *run, const struct image *image, uint32_t solution,
    uint32_t solutions)
{
    const struct puzzle *puzzle = context;
    struct image whole = *image;
    char path[PATH_MAX];
    int rc = solution + 1 == solutions ? run_release_device(run) : 0;
    whole.quality = puzzle->quality;
    if (!puzzle->strips_metadata)
        whole.metadata = puzzle->unscramble.puzzle.metadata;
    if (rc == 0)
        rc = puzzle->folder ? save_tiles(puzzle, run, &whole)
                            : output_path(puzzle, solution, path, &run->error);
    if (rc == 0 && solution == 0 && !puzzle->strips_metadata)
        warn_of_colors(puzzle, run, path);
    if (rc == 0 && !puzzle->folder)
        rc = image_write(path, puzzle->format, &whole, run_watch(run), &run->error);
    struct permutation order = puzzle->unscramble.result.permutation;
    order.is_without_lines = puzzle->unscramble.left_out != LEFT_OUT_NOTHING;
    if (rc == 0 && solution + 1 == solutions && puzzle->permutation)
        rc = permutation_write(puzzle->permutation, &order,
            (const char *const *)puzzle->loose.paths, puzzle->loose.count, &run->error);
    return rc;
}

static int save_confidence(void *context, struct run *run, const struct image *image)
{
    const struct puzzle *puzzle = context;
    return image_write(puzzle->confidence, NULL, image, run_watch(run), &run->error);
}

static int save_frame(
    void *context, struct run *run, const struct image *image, uint32_t frame, uint32_t frames)
{
    struct puzzle *puzzle = context;
    puzzle->assembly.last = frames;
    return frames_save(
        run, &puzzle->assembly, image, frame + 1, run_watch_part(run, (int)frame, (int)frames));
}

static void set_sinks(struct puzzle *puzzle)
{
    struct unscramble_options *options = &puzzle->unscramble.options;
    struct frames *assembly = &puzzle->assembly;
    if (assembly->output) {
        assembly->are_asked = 1;
        assembly->first = 1;
        assembly->last = ANIMATION_FRAMES;
        assembly->rate = ASSEMBLY_RATE;
        options->still_frames = frames_are_video(assembly) ? ASSEMBLY_RATE : 0;
    }
    options->sinks = (struct unscramble_sinks){
        .context = puzzle,
        .check = check_outputs,
        .save = puzzle->output || puzzle->folder ? save : NULL,
        .save_confidence = puzzle->confidence ? save_confidence : NULL,
        .save_frame = assembly->output ? save_frame : NULL,
    };
}

int puzzle_set_operands(struct puzzle *puzzle, const char *applied, const char *truth,
    int most_inputs, int needs_output)
{
    struct unscramble_options *options = &puzzle->unscramble.options;
    struct cli *cli = puzzle->cli;
    struct error error;
    const int count = cli->operand_count,
              has_output = needs_output || (count == 2 && !puzzle->folder);
    const int inputs = count - has_output;
    if (inputs < 1 || inputs > most_inputs) {
        error_write(&error, "name %s; --help explains",
            puzzle->folder           ? "1 to 100 INPUTs, and no OUTPUT beside --loose"
            : most_inputs == INT_MAX ? "one INPUT, or several that are tiles, and one OUTPUT"
                                     : "1 to 100 INPUTs and one OUTPUT");
        return cli_fail(cli, ERROR_USAGE, &error);
    }
    options->scramble.inputs = (const char *const *)cli->operand;
    options->scramble.input_count = (uint32_t)inputs;
    options->input = cli->operand[0];
    puzzle->output = inputs < count ? cli->operand[inputs] : NULL;
    int readers = applied && strcmp(applied, "-") == 0;
    readers += truth && strcmp(truth, "-") == 0;
    for (int i = 0; i < inputs; i++)
        readers += strcmp(cli->operand[i], "-") == 0;
    if (readers > 1) {
        error_write(&error, "standard input is one file; name files for all inputs but one");
        return cli_fail(cli, ERROR_USAGE, &error);
    }
    set_sinks(puzzle);
    if (most_inputs == MAX_SOLUTIONS)
        return -1;
    const int rc =
        loose_find(options->scramble.inputs, options->scramble.input_count, &puzzle->loose, &error);
    options->loose = (const char *const *)puzzle->loose.paths;
    options->loose_count = puzzle->loose.count;
    return rc ? cli_fail(cli, rc, &error) : -1;
}

int puzzle_check_files(struct puzzle *puzzle, const char *applied, const char *truth)
{
    static char outputs[MAX_SOLUTIONS][PATH_MAX];
    const struct unscramble_options *options = &puzzle->unscramble.options;
    const uint32_t solutions = unscramble_solutions(&puzzle->unscramble);
    struct files files = {0};
    struct error error;
    char file[PATH_MAX];
    int page, rc = 0;
    files_add_set(&files, options->loose, options->loose_count);
    if (options->loose)
        files_add_folders_read(&files, options->scramble.inputs, options->scramble.input_count);
    for (uint32_t i = 0; !options->loose && i < options->scramble.input_count; i++) {
        const char *input = options->scramble.inputs[i];
        const int has_others = image_page(input, file, &page); /* pages, which would be lost */
        files_add(&files, has_others ? FILE_READ : FILE_REPLACEABLE, input);
    }
    files_add(&files, FILE_READ, applied);
    files_add(&files, FILE_READ, truth);
    for (uint32_t solution = 0; rc == 0 && puzzle->output && solution < solutions; solution++) {
        rc = output_path(puzzle, solution, outputs[solution], &error);
        files_add_image(
            &files, solutions > 1 ? FILE_WRITTEN : FILE_OUTPUT, outputs[solution], puzzle->format);
    }
    files_add_folder(&files, puzzle->folder);
    files_add(&files, FILE_WRITTEN, puzzle->permutation);
    files_add(&files, FILE_WRITTEN, puzzle->confidence);
    files_add(&files, FILE_WRITTEN, puzzle->report);
    cli_add_frames(&files, &puzzle->assembly);
    if (rc == 0)
        rc = cli_check_files(puzzle->cli, &files, &error);
    return rc ? cli_fail(puzzle->cli, rc, &error) : -1;
}

/* The files of the tiles by their places, null where none is. */
static json_t *describe_files(const struct unscramble *u, uint32_t places)
{
    json_t *files = json_array();
    for (uint32_t place = 0; place < places; place++) {
        const uint32_t tile = u->result.permutation.placed[place].tile;
        json_array_append_new(
            files, tile == NO_TILE ? json_null() : cli_string(u->options.loose[tile]));
    }
    return files;
}

json_t *puzzle_describe(const struct unscramble *unscramble)
{
    const struct permutation *permutation = &unscramble->result.permutation;
    json_t *order = json_array(), *turns = json_array(), *solutions = json_array();
    const uint32_t places = permutation_first(permutation, permutation->solutions);
    for (uint32_t place = 0; place < places; place++) {
        const struct placed placed = permutation->placed[place];
        json_array_append_new(
            order, placed.tile == NO_TILE ? json_null() : json_integer(placed.tile));
        json_array_append_new(turns, json_integer(placed.turn * 90));
    }
    for (uint32_t i = 0; i < permutation->solutions; i++)
        json_array_append_new(
            solutions, json_pack("{s:i, s:i}", "columns", (int)permutation->grids[i].columns,
                           "rows", (int)permutation->grids[i].rows));
    json_t *described = json_pack("{s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "width",
        unscramble->puzzle.width, "height", unscramble->puzzle.height, "columns",
        (int)permutation->puzzle.columns, "rows", (int)permutation->puzzle.rows, "solutions",
        solutions, "permutation", order, "turns", turns);
    if (unscramble->options.loose)
        json_object_set_new(described, "files", describe_files(unscramble, places));
    return described;
}

void puzzle_end(struct puzzle *puzzle)
{
    frames_abandon(&puzzle->assembly);
    unscramble_end(&puzzle->unscramble);
    loose_free(&puzzle->loose);
}
