#include "stages/unscramble/permutation.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images/output.h"
#include "random.h"

#define MAX_FILE_SIZE 65536

/* Reads a decimal number of at most 9 digits; leaves *text after it. Returns -1 if there is none. */
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

int grid_parse(const char *text, struct grid *grid, struct error *error)
{
    const char *at = text, *end = text + strlen(text);
    const int64_t columns = parse_number(&at, end);
    const int separated = at < end && (*at == 'x' || *at == 'X');
    at += separated;
    const int64_t rows = parse_number(&at, end);
    if (!separated || at != end || columns < 1 || rows < 1)
        return error_set(error, ERROR_USAGE,
            "bad grid '%s': write columns x rows, each at least 1, as in 4x3", text);
    if (columns * rows > MAX_TILES)
        return error_set(error, ERROR_USAGE, "grid '%s' has %lld tiles; at most %d are possible",
            text, (long long)(columns * rows), MAX_TILES);
    *grid = (struct grid){(uint32_t)columns, (uint32_t)rows};
    return 0;
}

/* One row of the file; adds its numbers. Returns how many, or -1 with the reason. */
static int parse_row(const char *line, const char *end, int line_number, const char *name,
    struct permutation *permutation, uint32_t *count, struct error *error)
{
    int numbers = 0;
    for (;;) {
        while (line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
            line++;
        if (line == end || *line == '#')
            return numbers;
        const int64_t tile = parse_number(&line, end);
        if (tile < 0 || (line < end && !strchr(" \t\r#", *line))) {
            error_write(error, "bad permutation '%s': line %d: expected the number of a tile", name,
                line_number);
            return -1;
        }
        if (*count == MAX_TILES) {
            error_write(error, "bad permutation '%s': line %d: more than %d tiles", name,
                line_number, MAX_TILES);
            return -1;
        }
        permutation->order[(*count)++] = (uint32_t)tile;
        numbers++;
    }
}

/* Every tile of the grid occurs exactly once. */
static int check_tiles(
    const struct permutation *permutation, uint32_t count, const char *name, struct error *error)
{
    for (uint32_t tile = 0; tile < count; tile++) {
        int found = 0;
        for (uint32_t place = 0; place < count; place++) {
            found += permutation->order[place] == tile;
            if (permutation->order[place] >= count)
                return error_set(error, ERROR_INPUT,
                    "bad permutation '%s': there is no tile %u; with %u tiles the last is %u", name,
                    permutation->order[place], count, count - 1);
        }
        if (found != 1)
            return error_set(error, ERROR_INPUT, "bad permutation '%s': tile %u %s", name, tile,
                found ? "occurs twice" : "is missing");
    }
    return 0;
}

int permutation_parse(const char *text, size_t size, const char *name,
    struct permutation *permutation, struct error *error)
{
    const char *end = text + size;
    uint32_t count = 0, columns = 0, rows = 0;
    *permutation = (struct permutation){0};
    for (int line_number = 1; text < end; line_number++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *line_end = newline ? newline : end;
        const int numbers =
            parse_row(text, line_end, line_number, name, permutation, &count, error);
        if (numbers < 0)
            return ERROR_INPUT;
        if (numbers > 0) {
            if (rows++ == 0)
                columns = (uint32_t)numbers;
            else if ((uint32_t)numbers != columns)
                return error_set(error, ERROR_INPUT,
                    "bad permutation '%s': line %d has %d tiles, the first row %u", name,
                    line_number, numbers, columns);
        }
        text = newline ? newline + 1 : end;
    }
    if (count == 0)
        return error_set(error, ERROR_INPUT, "bad permutation '%s': it has no tiles", name);
    permutation->grid = (struct grid){columns, rows};
    return check_tiles(permutation, count, name, error);
}

int permutation_read(const char *path, struct permutation *permutation, struct error *error)
{
    char text[MAX_FILE_SIZE];
    const int standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file)
        return error_set(error, ERROR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    const size_t size = fread(text, 1, sizeof(text), file);
    const int failed = ferror(file), reason = errno;
    if (!standard)
        fclose(file);
    if (failed)
        return error_set(error, ERROR_INPUT, "cannot read '%s': %s", path, strerror(reason));
    if (size == sizeof(text))
        return error_set(error, ERROR_INPUT, "bad permutation '%s': longer than %d bytes", path,
            MAX_FILE_SIZE - 1);
    return permutation_parse(text, size, path, permutation, error);
}

int permutation_write(const char *path, const struct permutation *permutation, struct error *error)
{
    struct output output;
    const int rc = output_open(path, 0, &output, error);
    if (rc)
        return rc;
    fprintf(output.file, "# which tile of the shuffled picture goes where\n");
    for (uint32_t place = 0; place < grid_tiles(permutation->grid); place++)
        fprintf(output.file, "%u%c", permutation->order[place],
            (place + 1) % permutation->grid.columns ? ' ' : '\n');
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

void permutation_shuffle(struct grid grid, uint64_t seed, struct permutation *permutation)
{
    const uint32_t tiles = grid_tiles(grid);
    permutation->grid = grid;
    for (uint32_t place = 0; place < tiles; place++)
        permutation->order[place] = place;
    for (uint32_t place = tiles; place-- > 1;) {
        const uint32_t other = (uint32_t)random_below(&seed, place + 1);
        const uint32_t tile = permutation->order[place];
        permutation->order[place] = permutation->order[other];
        permutation->order[other] = tile;
    }
}

void permutation_invert(const struct permutation *permutation, struct permutation *inverse)
{
    inverse->grid = permutation->grid;
    for (uint32_t place = 0; place < grid_tiles(permutation->grid); place++)
        inverse->order[permutation->order[place]] = place;
}
