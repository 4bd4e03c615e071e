#include "stages/unscramble/permutation.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images/input.h"
#include "images/output.h"
#include "random.h"

#define MAX_FILE_SIZE (1 << 27) /* bytes: room for comments beside MAX_TILES places */

/* Reads a decimal number of at most 9 digits; leaves *text after it. Returns -1 if there is
 * none. */
static int64_t parse_number(const char **text, const char *end)
{
    int64_t number = -1;
    for (int digits = 0; *text < end && isdigit((unsigned char)**text); digits++, (*text)++) {
        if (digits == 9)
            return -1;
        number = (number < 0 ? 0 : number) * 10 + (**text - '0');
    }
    return number;
}

/* Reads "4x3"; leaves *text after it. Returns whether there are two numbers of at least 1. */
static int parse_pair(const char **text, const char *end, int64_t pair[2])
{
    pair[0] = parse_number(text, end);
    if (*text == end || (**text != 'x' && **text != 'X'))
        return 0;
    (*text)++;
    pair[1] = parse_number(text, end);
    return pair[0] >= 1 && pair[1] >= 1;
}

int grid_parse(const char *text, struct grid *grid, struct error *error)
{
    const char *at = text, *end = text + strlen(text);
    int64_t pair[2];
    if (!parse_pair(&at, end, pair) || at != end)
        return error_set(error, ERROR_USAGE,
            "bad grid '%s': write columns x rows, each at least 1, as in 4x3", text);
    if (pair[0] * pair[1] > MAX_TILES)
        return error_set(error, ERROR_USAGE, "grid '%s' has %lld tiles; at most %d are possible",
            text, (long long)(pair[0] * pair[1]), MAX_TILES);
    *grid = (struct grid){(uint32_t)pair[0], (uint32_t)pair[1]};
    return 0;
}

int tile_size_parse(const char *text, uint32_t *width, uint32_t *height, struct error *error)
{
    const char *at = text, *end = text + strlen(text);
    int64_t pair[2];
    if (!parse_pair(&at, end, pair) || at != end)
        return error_set(error, ERROR_USAGE,
            "bad tile size '%s': write width x height in pixels, each at least 1, as in 28x20",
            text);
    *width = (uint32_t)pair[0];
    *height = (uint32_t)pair[1];
    return 0;
}

int permutation_new(struct grid puzzle, uint32_t solutions, const struct grid *grids,
    struct permutation *permutation, struct error *error)
{
    permutation_free(permutation);
    permutation->puzzle = puzzle;
    permutation->solutions = solutions;
    memcpy(permutation->grids, grids, solutions * sizeof(*grids));
    const uint32_t places = permutation_first(permutation, solutions);
    permutation->placed = malloc(places * sizeof(*permutation->placed));
    if (!permutation->placed) {
        *permutation = (struct permutation){0};
        return error_set(error, ERROR_INPUT, "not enough memory for the order of the tiles");
    }
    for (uint32_t place = 0; place < places; place++)
        permutation->placed[place] = (struct placed){NO_TILE, 0};
    return 0;
}

void permutation_free(struct permutation *permutation)
{
    free(permutation->placed);
    memset(permutation, 0, sizeof(*permutation));
}

uint32_t permutation_first(const struct permutation *permutation, uint32_t solution)
{
    uint32_t places = 0;
    while (solution-- > 0)
        places += grid_tiles(permutation->grids[solution]);
    return places;
}

int permutation_is_full(const struct permutation *permutation)
{
    const uint32_t places = permutation_first(permutation, permutation->solutions);
    int full = 1;
    for (uint32_t place = 0; full && place < places; place++)
        full = permutation->placed[place].tile != NO_TILE;
    return full;
}

int permutation_is_plain(const struct permutation *permutation)
{
    const struct grid puzzle = permutation->puzzle, grid = permutation->grids[0];
    int plain =
        permutation->solutions == 1 && grid.columns == puzzle.columns && grid.rows == puzzle.rows;
    for (uint32_t place = 0; plain && place < grid_tiles(grid); place++)
        plain = !permutation->placed[place].turn;
    return plain && permutation_is_full(permutation);
}

static void exchange(struct placed *a, struct placed *b)
{
    const struct placed first = *a;
    *a = *b;
    *b = first;
}

/* Turns a square of places by a quarter, clockwise: its rows become columns, from the right. */
static void turn_square(struct placed *placed, uint32_t side)
{
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < y; x++)
            exchange(&placed[y * side + x], &placed[x * side + y]);
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side / 2; x++)
            exchange(&placed[y * side + x], &placed[y * side + side - 1 - x]);
}

void permutation_put_upright(struct permutation *permutation)
{
    const struct grid grid = permutation->grids[0];
    struct placed *placed = permutation->placed;
    const uint32_t places = grid_tiles(grid), step = grid.columns == grid.rows ? 1 : 2;
    uint32_t count[4] = {0}, most = 0;
    for (uint32_t place = 0; place < places; place++)
        count[placed[place].turn] += placed[place].tile != NO_TILE;
    for (uint32_t turn = step; turn < 4; turn += step)
        most = count[turn] > count[most] ? turn : most;
    const uint32_t back = (4 - most) % 4;
    for (uint32_t quarter = 0; step == 1 && quarter < back; quarter++)
        turn_square(placed, grid.columns);
    for (uint32_t place = 0; step == 2 && back && place < places / 2; place++)
        exchange(&placed[place], &placed[places - 1 - place]);
    for (uint32_t place = 0; place < places; place++)
        if (placed[place].tile != NO_TILE)
            placed[place].turn = (placed[place].turn + back) % 4;
}

void placed_print(struct placed placed, char text[PLACED_TEXT])
{
    int length = placed.tile == NO_TILE ? snprintf(text, PLACED_TEXT, "-")
                                        : snprintf(text, PLACED_TEXT, "%u", placed.tile);
    if (placed.turn)
        snprintf(text + length, PLACED_TEXT - (size_t)length, "@%u", placed.turn * 90);
}

/* A permutation file while it is read. */
struct reading {
    const char *name;
    int line;
    int begins; /* whether the next row is the first of a solution */
    uint32_t places;
    struct permutation *permutation;
};

static int fail(const struct reading *reading, const char *reason, struct error *error)
{
    return error_set(error, ERROR_INPUT, "bad permutation '%s': line %d: %s", reading->name,
        reading->line, reason);
}

static void skip_blanks(const char **text, const char *end)
{
    while (*text < end && strchr(" \t\r", **text) && **text)
        (*text)++;
}

/* Whether the text continues with a blank or a comment, or ends. */
static int ends_word(const char *text, const char *end)
{
    return text == end || (*text && strchr(" \t\r#", *text));
}

static int parse_word(const char **text, const char *end, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(end - *text) < length || memcmp(*text, word, length) != 0 ||
        !ends_word(*text + length, end))
        return 0;
    *text += length;
    skip_blanks(text, end);
    return 1;
}

/* Reads what placed_print prints. Returns whether it is that. */
static int parse_placed(const char **text, const char *end, struct placed *placed)
{
    int64_t tile = NO_TILE, degrees = 0;
    if (**text == '-')
        (*text)++;
    else
        tile = parse_number(text, end);
    if (tile != NO_TILE && *text < end && **text == '@') {
        (*text)++;
        degrees = parse_number(text, end);
    }
    *placed = (struct placed){(uint32_t)tile, (uint32_t)(degrees / 90)};
    return tile >= 0 && degrees >= 0 && degrees < 360 && degrees % 90 == 0 && ends_word(*text, end);
}

/* Adds a place; the room for them doubles when it is used up. */
static int add_place(struct reading *reading, struct placed placed, struct error *error)
{
    struct permutation *permutation = reading->permutation;
    const uint32_t places = reading->places;
    if (places == MAX_TILES)
        return error_set(error, ERROR_INPUT, "bad permutation '%s': line %d: more than %d tiles",
            reading->name, reading->line, MAX_TILES);
    if ((places & (places - 1)) == 0) {
        const size_t room = places ? 2 * places : 1;
        struct placed *more = realloc(permutation->placed, room * sizeof(*more));
        if (!more)
            return error_set(
                error, ERROR_INPUT, "not enough memory for permutation '%s'", reading->name);
        permutation->placed = more;
    }
    permutation->placed[reading->places++] = placed;
    return 0;
}

/* Reads a line that is a row of a solution. */
static int parse_row(
    struct reading *reading, const char *text, const char *end, struct error *error)
{
    struct permutation *permutation = reading->permutation;
    uint32_t count = 0;
    for (; text < end && *text != '#'; skip_blanks(&text, end), count++) {
        struct placed placed;
        if (!parse_placed(&text, end, &placed))
            return fail(reading,
                "expected the number of a tile, also turned, as in 17@90, or - for none", error);
        const int rc = add_place(reading, placed, error);
        if (rc)
            return rc;
    }
    if (reading->begins) {
        if (permutation->solutions == MAX_SOLUTIONS)
            return fail(reading, "too many images", error);
        permutation->grids[permutation->solutions++] = (struct grid){.columns = count};
        reading->begins = 0;
    }
    struct grid *grid = &permutation->grids[permutation->solutions - 1];
    grid->rows++;
    if (count != grid->columns)
        return error_set(error, ERROR_INPUT,
            "bad permutation '%s': line %d has %u tiles, the first row %u", reading->name,
            reading->line, count, grid->columns);
    return 0;
}

static int parse_puzzle(
    struct reading *reading, const char *text, const char *end, struct error *error)
{
    int64_t pair[2];
    if (!parse_pair(&text, end, pair) || !ends_word(text, end) || pair[0] * pair[1] > MAX_TILES)
        return fail(reading, "expected the puzzle's columns x rows, as in puzzle 4x3", error);
    reading->permutation->puzzle = (struct grid){(uint32_t)pair[0], (uint32_t)pair[1]};
    return 0;
}

static int parse_line(
    struct reading *reading, const char *text, const char *end, struct error *error)
{
    reading->line++;
    skip_blanks(&text, end);
    if (text == end || *text == '#')
        return 0;
    if (parse_word(&text, end, "puzzle"))
        return parse_puzzle(reading, text, end, error);
    if (parse_word(&text, end, "without")) {
        if (!parse_word(&text, end, "lines"))
            return fail(reading, "expected without lines", error);
        reading->permutation->is_without_lines = 1;
    } else if (parse_word(&text, end, "picture")) {
        reading->begins = 1;
    } else {
        return parse_row(reading, text, end, error);
    }
    return text == end || *text == '#' ? 0 : fail(reading, "expected nothing more", error);
}

/* Checks that each tile is one of the puzzle's and occurs at most once. */
static int check_tiles(const struct permutation *permutation, const char *name, struct error *error)
{
    const uint32_t tiles = grid_tiles(permutation->puzzle);
    const uint32_t places = permutation_first(permutation, permutation->solutions);
    uint32_t found = 0;
    uint8_t *used = calloc(tiles, 1);
    int rc = used ? 0 : error_set(error, ERROR_INPUT, "not enough memory to check '%s'", name);
    for (uint32_t place = 0; rc == 0 && place < places; place++) {
        const uint32_t tile = permutation->placed[place].tile;
        if (tile == NO_TILE)
            continue;
        found++;
        if (tile >= tiles)
            rc = error_set(error, ERROR_INPUT,
                "bad permutation '%s': there is no tile %u; with %u tiles the last is %u", name,
                tile, tiles, tiles - 1);
        else if (used[tile]++)
            rc = error_set(
                error, ERROR_INPUT, "bad permutation '%s': tile %u occurs twice", name, tile);
    }
    if (rc == 0 && !found)
        rc = error_set(error, ERROR_INPUT, "bad permutation '%s': all places are empty", name);
    free(used);
    return rc;
}

int permutation_parse(const char *text, size_t size, const char *name,
    struct permutation *permutation, struct error *error)
{
    const char *end = text + size;
    struct reading reading = {.name = name, .begins = 1, .permutation = permutation};
    permutation_free(permutation);
    int rc = 0;
    while (rc == 0 && text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        rc = parse_line(&reading, text, newline ? newline : end, error);
        text = newline ? newline + 1 : end;
    }
    if (rc == 0 && permutation->solutions == 0)
        rc = error_set(error, ERROR_INPUT, "bad permutation '%s': it has no tiles", name);
    if (rc == 0 && permutation->solutions == 1 && !permutation->puzzle.columns)
        permutation->puzzle = permutation->grids[0];
    if (rc == 0 && !permutation->puzzle.columns)
        rc = error_set(error, ERROR_INPUT,
            "bad permutation '%s': several images need the puzzle's grid, as in puzzle 4x3", name);
    if (rc == 0)
        rc = check_tiles(permutation, name, error);
    if (rc)
        permutation_free(permutation);
    return rc;
}

int permutation_read(const char *path, const struct progress *progress,
    struct permutation *permutation, struct error *error)
{
    struct input input;
    unsigned char *text;
    size_t size;
    int rc = input_open(path, progress, &input, error);
    if (rc)
        return rc;
    input_skip_mark(&input);
    rc =
        input_rest(&input, MAX_FILE_SIZE, "it is longer than any permutation", &text, &size, error);
    input_close(&input);
    if (rc)
        return rc;
    rc = permutation_parse((const char *)text, size, path, permutation, error);
    free(text);
    return rc;
}

/* Whatever a file's name holds, the comment is one line. */
static void write_names(const char *const *names, uint32_t count, FILE *file)
{
    for (uint32_t tile = 0; tile < count; tile++) {
        fprintf(file, "# %u is ", tile);
        for (const char *c = names[tile]; *c; c++)
            putc((unsigned char)*c < ' ' || *c == 127 ? '?' : *c, file);
        putc('\n', file);
    }
}

int permutation_write(const char *path, const struct permutation *permutation,
    const char *const *names, uint32_t name_count, struct error *error)
{
    const struct grid puzzle = permutation->puzzle, *grids = permutation->grids;
    const struct placed *placed = permutation->placed;
    struct output output;
    const int rc = output_open(path, 0, NULL, &output, error);
    if (rc)
        return rc;
    fprintf(output.file, "# which tile of the shuffled picture goes where\n");
    write_names(names, name_count, output.file);
    if (permutation->is_without_lines)
        fprintf(output.file, "without lines\n");
    if (permutation->solutions > 1 || grids[0].columns != puzzle.columns ||
        grids[0].rows != puzzle.rows)
        fprintf(output.file, "puzzle %ux%u\n", puzzle.columns, puzzle.rows);
    for (uint32_t solution = 0; solution < permutation->solutions; solution++) {
        if (permutation->solutions > 1)
            fprintf(output.file, "picture\n");
        for (uint32_t place = 0; place < grid_tiles(grids[solution]); place++) {
            char text[PLACED_TEXT];
            placed_print(*placed++, text);
            fprintf(output.file, "%s%c", text, (place + 1) % grids[solution].columns ? ' ' : '\n');
        }
    }
    return output_commit(&output, error);
}

static uint64_t random_below(uint64_t *state, uint64_t bound)
{
    const uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
    uint64_t number;
    do
        number = random_bits(state);
    while (number >= limit);
    return number % bound;
}

int permutation_shuffle(
    struct grid grid, uint64_t *random, struct permutation *permutation, struct error *error)
{
    const int rc = permutation_new(grid, 1, &grid, permutation, error);
    struct placed *placed = permutation->placed;
    if (rc)
        return rc;
    for (uint32_t place = 0; place < grid_tiles(grid); place++)
        placed[place].tile = place;
    for (uint32_t place = grid_tiles(grid); place-- > 1;) {
        const uint32_t other = (uint32_t)random_below(random, place + 1);
        const struct placed moved = placed[place];
        placed[place] = placed[other];
        placed[other] = moved;
    }
    return 0;
}

void permutation_drop(
    struct permutation *permutation, uint32_t tiles, uint32_t drop, uint64_t *random)
{
    uint32_t left = tiles;
    for (uint32_t place = 0; place < grid_tiles(permutation->puzzle); place++) {
        struct placed *placed = &permutation->placed[place];
        const int is_there = placed->tile < tiles;
        const int drops = is_there && random_below(random, left) < drop;
        left -= (uint32_t)is_there;
        drop -= (uint32_t)drops;
        if (!is_there || drops)
            placed->tile = NO_TILE;
    }
}

void permutation_turn(struct permutation *permutation, uint32_t quarters, uint64_t *random)
{
    for (uint32_t place = 0; place < grid_tiles(permutation->puzzle); place++)
        if (permutation->placed[place].tile != NO_TILE)
            permutation->placed[place].turn =
                quarters * (uint32_t)random_below(random, 4 / quarters);
}

int permutation_invert(const struct permutation *permutation, uint32_t solutions,
    const struct grid *grids, struct permutation *inverse, struct error *error)
{
    const int rc = permutation_new(permutation->puzzle, solutions, grids, inverse, error);
    for (uint32_t place = 0; rc == 0 && place < grid_tiles(permutation->puzzle); place++) {
        const struct placed placed = permutation->placed[place];
        if (placed.tile != NO_TILE)
            inverse->placed[placed.tile] = (struct placed){place, (4 - placed.turn) % 4};
    }
    return rc;
}
