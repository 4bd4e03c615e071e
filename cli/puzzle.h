/* Options that scramble and unscramble share. */
#ifndef PUZZLE_H
#define PUZZLE_H

#include "cli/cli.h"
#include "cli/loose.h"
#include "stages/unscramble/unscramble.h"

enum {
    PUZZLE_KEY_PERMUTATION = CLI_KEY,
    PUZZLE_KEY_TILE,
    PUZZLE_KEY_ROTATE,
    PUZZLE_KEY_SEED,
    PUZZLE_KEY_MISSING_COLOR,
    PUZZLE_KEY_FORMAT,
    PUZZLE_KEY_QUALITY,
    PUZZLE_KEY_STRIP,
    PUZZLE_KEY_MAX_PIXELS,
    PUZZLE_KEY_MEMORY,
    PUZZLE_KEY_END, /* the tool's own keys go on from here */
};

/* The names of all formats that images are written in. */
struct words puzzle_formats(void);

/* Rows of a tool's option table. The tools give the help of options that differ between them. */
#define PUZZLE_OPTIONS(grid_help, rotate_help, seed_help, permutation_help) \
    {"grid", 'g', "CxR", grid_help, NULL, CLI_WORK}, \
        {"tile", PUZZLE_KEY_TILE, "WxH", "tiles of that many pixels, without --grid", NULL, \
            CLI_WORK}, \
        {"rotate", PUZZLE_KEY_ROTATE, NULL, rotate_help, NULL, CLI_WORK}, \
        {"seed", PUZZLE_KEY_SEED, "N", seed_help, NULL, CLI_WORK}, \
        {"permutation", PUZZLE_KEY_PERMUTATION, "FILE", permutation_help, NULL, CLI_FILES}, \
        {"missing-color", PUZZLE_KEY_MISSING_COLOR, "COLOR", \
            "color of places without a tile (default 000000)", NULL, CLI_LOOKS}, \
        {"format", PUZZLE_KEY_FORMAT, "NAME", " (default: by OUTPUT)", CLI_LIST(puzzle_formats), \
            CLI_FILES}, \
        CLI_QUALITY(PUZZLE_KEY_QUALITY), \
        {"strip-metadata", PUZZLE_KEY_STRIP, NULL, \
            "leave out the color profile, EXIF, resolution and texts of INPUT", NULL, CLI_FILES}, \
        {"max-pixels", PUZZLE_KEY_MAX_PIXELS, "N", "refuse larger images (default 536870912)", \
            NULL, CLI_FILES}, \
    { \
        "memory", PUZZLE_KEY_MEMORY, "SIZE", \
            "take about SIZE bytes of memory, for larger images files in TMPDIR or /var/tmp; " \
            "K, M or G may follow (default: what the machine has)", \
            NULL, CLI_METHOD \
    }

/* A puzzle that is made or solved, and where the results go. */
struct puzzle {
    struct cli *cli;
    struct unscramble unscramble;
    const char *output;      /* path; "-" is standard output; NULL: nowhere */
    const char *folder;      /* for the tiles as files of their own, in place of the output; NULL */
    struct loose loose;      /* the tiles that are read, where they are such files */
    const char *format;      /* of the output; NULL: by the extension of its name */
    int quality;             /* of the output; 0: what its format has without */
    const char *permutation; /* path to write the permutation to, or NULL */
    int strips_metadata;     /* results have none */
    const char *confidence;  /* path of an image that shows how sure each place is, or NULL */
    const char *report;      /* path of a page that shows all, or NULL */
    struct frames assembly;  /* a video, or numbered images; without an output none */
};

/* Sets one of the options. Returns 0 or ERROR_USAGE. */
int puzzle_set_option(struct puzzle *puzzle, int key, const char *value, struct error *error);

/* Refuses options that contradict each other. Returns 0 or ERROR_USAGE. */
int puzzle_check_options(const struct puzzle *puzzle, struct error *error);

/* Takes up to `most_inputs` INPUTs from the operands: MAX_SOLUTIONS images to cut, or INT_MAX for a
 * puzzle or its loose tiles; and OUTPUT, which may be left out unless it is needed. Sets the sinks
 * through which the pipeline writes the output files. `applied` and `truth` are the permutation
 * files that are read too, or NULL. Returns -1 to go on, or the exit status to leave with. */
int puzzle_set_operands(struct puzzle *puzzle, const char *applied, const char *truth,
    int most_inputs, int needs_output);

/* Checks the files that are read and written against each other, as cli_check_files does. Returns
 * as puzzle_set_operands does. */
int puzzle_check_files(struct puzzle *puzzle, const char *applied, const char *truth);

/* Describes the puzzle's size and grid and the permutation for JSON. */
json_t *puzzle_describe(const struct unscramble *unscramble);

/* Frees what the puzzle holds and abandons a video that is not complete. */
void puzzle_end(struct puzzle *puzzle);

#endif
