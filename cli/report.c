#include "cli/report.h"

#include <stdlib.h>
#include <string.h>

#include "embed.h"
#include "images/output.h"

EMBED(report_html, "cli/report.html")
EMBED(report_script, "cli/report.js")

#define MAX_SHOWN_PIXELS 1920 /* of a side, as long as a tile has more than one */
#define MAX_SHOWN_TILES 16384 /* of a side: more pixels than that not all browsers draw */

/* The longest side of the puzzle and of its solutions, in tiles that have so many pixels; what is
 * not known yet has none. */
static uint64_t longest_side(const struct unscramble *u, uint32_t tile_width, uint32_t tile_height)
{
    const struct permutation *permutation = &u->result.permutation;
    uint64_t longest = 0;
    for (uint32_t i = 0; i < permutation->solutions + 2; i++) {
        const struct grid grid = i < permutation->solutions    ? permutation->grids[i]
                                 : i == permutation->solutions ? u->grid
                                                               : u->options.solution_grid;
        const uint64_t width = (uint64_t)grid.columns * tile_width;
        const uint64_t height = (uint64_t)grid.rows * tile_height;
        longest = width > longest ? width : longest;
        longest = height > longest ? height : longest;
    }
    return longest;
}

int report_check(const char *path, const struct unscramble *u, struct error *error)
{
    if (longest_side(u, 1, 1) > MAX_SHOWN_TILES)
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': the page shows at most %d columns and rows of tiles; leave it out",
            path, MAX_SHOWN_TILES);
    if (strcmp(path, "-") != 0 && image_is_name(path, NULL))
        return error_set(error, ERROR_USAGE,
            "cannot write '%s': the report is a page; name a file that ends in .html", path);
    return output_check(path, 0, error);
}

/* How many pixels remain of a tile's side. */
static int shrink_side(uint32_t side, uint64_t longest)
{
    const uint64_t shrunk =
        longest > MAX_SHOWN_PIXELS ? side * (uint64_t)MAX_SHOWN_PIXELS / longest : side;
    return shrunk ? (int)shrunk : 1;
}

/* The mean of the pixels of the puzzle from (x, y) up to (right, bottom), 8 bits a channel. */
static void average(
    const struct image *puzzle, int x, int y, int right, int bottom, uint8_t mean[4])
{
    const uint64_t count = (uint64_t)(right - x) * (uint64_t)(bottom - y);
    uint64_t sum[4] = {0};
    for (int j = y; j < bottom; j++)
        for (int i = x; i < right; i++) {
            const size_t pixel = 4 * ((size_t)j * (size_t)puzzle->width + (size_t)i);
            for (size_t k = 0; k < 4; k++)
                sum[k] += (uint64_t)image_sample_8(puzzle, pixel + k);
        }
    for (int k = 0; k < 4; k++)
        mean[k] = (uint8_t)((sum[k] + count / 2) / count);
}

/* Scales each tile by itself, so that no tile gets a part of its neighbor's pixels. */
static int shrink(const struct unscramble *u, struct image *shrunk, struct error *error)
{
    const int width = (int)u->tile_width, height = (int)u->tile_height;
    const uint64_t longest = longest_side(u, u->tile_width, u->tile_height);
    const int new_width = shrink_side(u->tile_width, longest);
    const int new_height = shrink_side(u->tile_height, longest);
    const int rc = image_new((int)u->grid.columns * new_width, (int)u->grid.rows * new_height,
        u->puzzle.channels, 8, shrunk, error);
    if (rc)
        return rc;
    uint8_t *pixels = shrunk->pixels;
#pragma omp parallel for
    for (int y = 0; y < shrunk->height; y++)
        for (int x = 0; x < shrunk->width; x++) {
            const int left = x / new_width * width, top = y / new_height * height;
            const int i = x % new_width, j = y % new_height;
            average(&u->puzzle, left + i * width / new_width, top + j * height / new_height,
                left + (i + 1) * width / new_width, top + (j + 1) * height / new_height,
                pixels + 4 * ((size_t)y * (size_t)shrunk->width + (size_t)x));
        }
    return 0;
}

/* Inside a script, where a name that holds </script> would end it. JSON has < in strings only. */
static void write_script(struct output *output, const char *json)
{
    for (; *json; json++)
        if (*json == '<')
            output_write(output, "\\u003c", 6);
        else
            output_write(output, json, 1);
}

static void write_base64(struct output *output, const unsigned char *bytes, size_t size)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t bits = (uint32_t)bytes[i] << 16 |
                              (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) |
                              (i + 2 < size ? (uint32_t)bytes[i + 2] : 0);
        const char digits[] = {DIGITS[bits >> 18], DIGITS[bits >> 12 & 63],
            i + 1 < size ? DIGITS[bits >> 6 & 63] : '=', i + 2 < size ? DIGITS[bits & 63] : '='};
        output_write(output, digits, sizeof(digits));
    }
}

/* The times of the stages, each with what it does. */
static json_t *describe_stages(const struct cli *cli)
{
    json_t *stages = timings_describe(&cli->run);
    for (int i = 0; i < cli->run.stage_count; i++)
        for (int k = 0; cli->stages[k]; k++)
            if (strcmp(cli->stages[k]->name, cli->run.timings[i].stage) == 0)
                json_object_set_new(json_array_get(stages, (size_t)i), "summary",
                    json_string(cli->stages[k]->summary));
    return stages;
}

/* What the page is told beside the image. */
static json_t *describe(const struct puzzle *puzzle, int argc, char *const *argv, json_t *result)
{
    const struct unscramble *u = &puzzle->unscramble;
    const struct device_info *device = &puzzle->cli->run.device.info;
    const struct color missing = u->options.missing;
    char color[8];
    json_t *command = json_array();
    for (int i = 1; i < argc; i++)
        json_array_append_new(command, cli_string(argv[i]));
    snprintf(color, sizeof(color), "%02x%02x%02x", missing.red, missing.green, missing.blue);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:s, s:o, s:i, s:i, s:o, s:O}", "version",
        VERSION, "command", command, "input", cli_string(u->options.input), "output",
        cli_string(puzzle->output), "cut",
        json_pack("[i, i]", (int)u->options.tile_width, (int)u->options.tile_height), "missing",
        color, "device", device->id, "device_name", cli_string(device->name), "tile_width",
        (int)u->tile_width, "tile_height", (int)u->tile_height, "stages",
        describe_stages(puzzle->cli), "result", result);
}

int report_write(const struct puzzle *puzzle, int argc, char *const *argv, json_t *result)
{
    struct error *error = &puzzle->cli->run.error;
    struct image shrunk = {0};
    struct output output;
    char *png = NULL;
    size_t size = 0;
    json_t *told = describe(puzzle, argc, argv, result);
    char *json = json_dumps(told, JSON_COMPACT | JSON_REAL_PRECISION(6));
    int rc = json ? 0 : error_set(error, ERROR_INPUT, "not enough memory for the page");
    if (rc == 0)
        rc = shrink(&puzzle->unscramble, &shrunk, error);
    if (rc == 0)
        rc = image_encode(&shrunk, puzzle->report, &png, &size, error);
    if (rc == 0)
        rc = output_open(puzzle->report, 0, NULL, &output, error);
    if (rc == 0) {
        fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<script>\n"
              "const report = ",
            output.file);
        write_script(&output, json);
        fputs(";\nconst picture = \"data:image/png;base64,", output.file);
        write_base64(&output, (const unsigned char *)png, size);
        fputs("\";\n</script>\n", output.file);
        fputs(report_html, output.file);
        fputs("<script>\n", output.file);
        fputs(report_script, output.file);
        fputs("</script>\n", output.file);
        rc = output_commit(&output, error);
    }
    json_decref(told);
    free(json);
    free(png);
    image_free(&shrunk);
    return rc;
}
