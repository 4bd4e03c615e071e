/* What every tool's command line shares: options, help, progress, messages, JSON, exit status. */
#ifndef CLI_H
#define CLI_H

#include <jansson.h>

#include "cli/files.h"
#include "cli/frames.h"
#include "cli/self_test.h"
#include "stages/run.h"
#include "words.h"

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
};

/* The words of an option: an array ended by NULL, or a function of the part that knows them. */
struct cli_words {
    const char *const *array;
    struct words (*list)(void);
    const char *printed_by; /* option of the tool that prints more, the first word of each line;
                             * completions run it; or NULL */
};

/* Under which heading --help lists an option, in this order; help.c has the headings. */
enum cli_group {
    CLI_FILES,
    CLI_WORK,
    CLI_LOOKS,
    CLI_METHOD,
    CLI_REPORTS,
    CLI_COMMANDS,
    CLI_GROUPS,
};

/* A tool's option. The table gives the parser, --help and the completions. */
struct cli_option {
    const char *name;              /* long, without dashes */
    int key;                       /* the letter of its short form, or a number from CLI_KEY on */
    const char *argument;          /* what it takes, in [] if it may be left out; NULL: nothing */
    const char *help;              /* goes on after the words, where there are some; NULL: an old
                                    * name, which works but is not listed */
    const struct cli_words *words; /* that it takes; NULL: any text */
    enum cli_group group;
};
#define CLI_KEY 256
#define CLI_WORDS(...) CLI_ARRAY(((const char *const[]){__VA_ARGS__, NULL}))
#define CLI_ARRAY(words) (&(const struct cli_words){.array = (words)})
#define CLI_LIST(function) (&(const struct cli_words){.list = (function)})

/* The row of --quality, for the tables of tools that write images. */
#define CLI_QUALITY(key) \
    { \
        "quality", key, "N", \
            "of a JPEG or lossy WebP OUTPUT, 1 to 100 (default: 95, and WebP without loss)", NULL, \
            CLI_FILES \
    }

#define CLI_MAX_OPTIONS 64 /* of a tool, with those that all tools share */

struct cli {
    /* The tool sets: */
    const char *name;
    const char *operands;                /* "INPUT OUTPUT" */
    const char *summary;                 /* one sentence */
    const struct cli_option *options;    /* its own, ended by an empty row */
    struct words (*operand_words)(void); /* what may stand in place of the first file, or NULL */
    const struct stage *const *stages;
    int has_no_snapshots; /* none of the stages draws one, so there is no --save-stages */
    const struct self_test *self_test;

    /* cli_start leaves the tool's options and those that all tools share, ended by NULL. */
    const struct cli_option *all[CLI_MAX_OPTIONS];

    /* cli_next leaves an option of the tool's own here; the tool, whether it took it: 0, or
     * ERROR_USAGE with the reason in `error`. */
    int key, rc;
    const char *value; /* NULL without one */
    struct error error;

    /* cli_ready leaves: */
    const char *json, *trace; /* paths, or NULL */
    const char *save_stages;  /* folder for snapshots, or NULL */
    int snapshots;            /* that were written there */
    int timings, quiet, verbose;
    int rank,
        rank_count; /* which of how many this is, see ranks.h: only rank 0 speaks and writes */
    int operand_count;
    char **operand; /* what is left of argv */
    struct run run;

    /* The tool may set: how sure its result is, for the line that ends a command on a terminal */
    char verdict[80];
};

/* Reading the command line:
 *
 *     cli_start(&cli, argc, argv);
 *     while (cli_next(&cli))
 *         cli.rc = set_option(&tool, cli.key, cli.value, &cli.error);
 *     status = cli_ready(&cli);
 *
 * The options that all tools share go into cli and cli->run. cli_next returns 0 after the last
 * option and after one that is refused. cli_ready carries out options such as --help and returns
 * the exit status to leave with, or -1 to go on. */
void cli_start(struct cli *cli, int argc, char **argv);
int cli_next(struct cli *cli);
int cli_ready(struct cli *cli);

/* Print the help, and a script for a shell, one of the words of --completion by its number, that
 * completes what is typed. */
void cli_print_help(const struct cli *cli);
void cli_print_completion(const struct cli *cli, int shell);

/* What the help says of an option: its words, and what goes on after them. */
void cli_describe_option(const struct cli_option *option, char *text, size_t size);

/* List the devices and the stages, on standard output or, with --json, in `list`. Of several ranks
 * the first lists which device each of them takes; the list of the others stays NULL. Return 0 or
 * ERROR_INPUT; the list. */
int cli_list_devices(struct cli *cli, json_t **list, struct error *error);
json_t *cli_list_stages(const struct cli *cli);
/* Prints the version, and with which devices and libraries the program was built. */
void cli_print_version(const struct cli *cli);

/* Prints "tool: message" and gives the exit status for the code; where a signal asked to stop, says
 * so and ends by it. */
int cli_fail(struct cli *cli, int code, const struct error *error);

/* Adds the files of --json and --trace and snapshots to the tool's own files, refuses what
 * files_check does, makes the folder of --save-stages, and warns of temporary files that runs which
 * were killed have left beside the outputs. Returns 0, ERROR_USAGE or ERROR_INPUT. */
int cli_check_files(struct cli *cli, struct files *files, struct error *error);

/* Writes the snapshot of a stage into the folder of --save-stages; as struct run has it, whose
 * context is the struct cli. */
int cli_save_snapshot(
    struct run *run, const struct stage *stage, int number, const struct image *snapshot);

/* After the work: clears the progress line, prints timings, writes JSON (`result`, where it is an
 * object, goes through cli_describe_run; it is released), tells what was written. `code` is the
 * pipeline's. Returns the exit status. */
int cli_finish(struct cli *cli, int code, json_t *result);

/* Prints the times of the stages with a chart of when each ran, and of the device's start beside
 * them; gives the times for JSON. */
void timings_print(const struct run *run);
json_t *timings_describe(const struct run *run);

/* Writes the run's events to a file, as "complete events" of the Trace Event Format, which the
 * trace viewers of browsers read: stages are thread 1, the start of the device is thread 2. Returns
 * 0 or ERROR_INPUT. */
int timings_trace(const struct run *run, const char *path, struct error *error);

/* Adds the device and, unless it is a benchmark, the stages to a result. */
void cli_describe_run(const struct cli *cli, json_t *result);

/* Remembers the files that a command may write, as they are before; the line that ends a command on
 * a terminal then says which were written, how large they are, how long it took, and the verdict.
 * Without the terminal or with --quiet nothing is said. */
void cli_expect_written(const struct files *files);
void cli_tell_written(struct cli *cli);

/* Writes JSON; "-" is standard output. Returns 0 or ERROR_INPUT. */
int cli_write_json(const char *path, const json_t *value, struct error *error);

/* Text for JSON, with ? for bytes that are not ASCII where it is no UTF-8, as names of files may
 * be. */
json_t *cli_string(const char *text);

/* Reads a whole number from `least` to `most`. Returns 0 or ERROR_USAGE. */
int cli_number(const char *option, const char *text, uint64_t least, uint64_t most,
    uint64_t *number, struct error *error);

/* All words of an option. */
struct words cli_words(const struct cli_option *option);

/* Reads a number of bytes: "268435456", "256M". Returns 0 or ERROR_USAGE. */
int cli_memory(const char *option, const char *value, uint64_t *memory, struct error *error);

/* Finds the value among the words of the option with that key. Returns 0 or ERROR_USAGE. */
int cli_word(
    const struct cli_option *options, int key, const char *value, int *index, struct error *error);

/* Reads --quality, 1 to 100. Returns 0 or ERROR_USAGE. */
int cli_quality(const char *value, int *quality, struct error *error);

/* Reads "1024", both sides, or "1920x1080", from 1 to `most`. Returns 0 or ERROR_USAGE. */
int cli_size(const char *option, const char *text, uint32_t most, uint32_t *width, uint32_t *height,
    struct error *error);

/* Reads a decimal number: no blanks before it, no hexadecimal, infinite or missing ones. Returns
 * what follows it, or NULL where there is none. */
const char *cli_decimal(const char *text, double *number);

/* Reads a decimal number from `least` to `most`. Returns 0 or ERROR_USAGE. */
int cli_real(const char *option, const char *text, double least, double most, double *number,
    struct error *error);

/* Reads `count` of them, one to three, with commas between. Returns 0 or ERROR_USAGE. */
int cli_reals(const char *option, const char *text, double least, double most, double *numbers,
    int count, struct error *error);

/* The same of numbers from 0 to 1. */
int cli_shares(const char *option, const char *text, float *shares, int count, struct error *error);

/* Reads a color: as CSS writes it or "none" (scenes/color.h), or red, green and blue from 0 to 1
 * with commas between. Gives red, green, blue and alpha. Returns 0 or ERROR_USAGE. */
int cli_color(const char *option, const char *text, float rgba[4], struct error *error);

/* Reads "first:last" of --frames. Returns 0 or ERROR_USAGE. */
int cli_frames(const char *text, struct frames *frames, struct error *error);

/* The names of the formats that an image in color, and a video, can be written in. */
struct words cli_frame_formats(void);

/* Adds the file of an image or video, or those of its frames; none without an output. */
void cli_add_frames(struct files *files, const struct frames *frames);

/* Checks that they can be written as images like the one given, or as a video. Returns 0,
 * ERROR_USAGE or ERROR_INPUT. */
int cli_check_frames(const struct frames *frames, const struct image *image, struct error *error);

/* Runs `stages` and their sequential reference once to warm up and 5 times more; prints the least
 * time, the median and the largest, below the heading where it is the first, or adds them to
 * `result` under "benchmark". Both get the tool's own context, and return 0 or an ERROR_ code with
 * the reason in run->error. Returns 0, or the first code that is not. */
int benchmark(struct cli *cli, const char *name, int (*stages)(void *context),
    int (*reference)(void *context), void *context, json_t *result);

/* Prints the verdict, one line: how many times as fast as the reference, or as slow, all stages of
 * `result` were together, and the finding, how the results compare. Nothing with --json. */
void benchmark_tell(const struct cli *cli, const json_t *result, const char *finding);

/* The median of an odd number of times, which are sorted. */
double benchmark_median(double *seconds, size_t count);

#endif
