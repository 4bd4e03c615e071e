#include "cli/cli.h"
#include "cli/display.h"
#include "cli/files.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "images/film.h"
#include "images/output.h"
#include "kernels/device/clock.h"

/* What makes getopt begin anew, where it has run before in this process. */
#ifdef __GLIBC__
#define GETOPT_START 0
#else
#define GETOPT_START 1
#endif

enum {
    KEY_JSON = 1000,
    KEY_TIMINGS,
    KEY_TRACE,
    KEY_SAVE_STAGES,
    KEY_PROGRESS,
    KEY_COMMANDS = 2000, /* from here on, and -h: what is done instead of the tool's work */
    KEY_LIST_DEVICES = KEY_COMMANDS,
    KEY_LIST_STAGES,
    KEY_SELF_TEST,
    KEY_COMPLETION,
    KEY_VERSION,
};

/* "auto" and the kinds of devices. */
static struct words device_words(void)
{
    const struct words kinds = device_kinds();
    struct words words = {1, {"auto"}};
    for (int i = 0; i < kinds.count; i++)
        words_add(&words, kinds.word[i]);
    return words;
}

static const struct cli_words DEVICES = {
    .list = device_words,
    .printed_by = "--list-devices",
};

static const struct cli_option COMMON[] = {
    {"device", 'r', "DEVICE", ", or such as cpu:1 (default auto)", &DEVICES, CLI_METHOD},
    {"threads", 'j', "N", "threads on the CPU (default: all processors)", NULL, CLI_METHOD},
    {"json", KEY_JSON, "FILE", "write the result as JSON; - is standard output", NULL, CLI_REPORTS},
    {"timings", KEY_TIMINGS, NULL, "print the time of each stage, and a chart of them", NULL,
        CLI_REPORTS},
    {"trace", KEY_TRACE, "FILE", "write the times as a trace, for viewers of Chrome's format", NULL,
        CLI_REPORTS},
    {"save-stages", KEY_SAVE_STAGES, "DIR", "write a snapshot of each stage into a folder", NULL,
        CLI_REPORTS},
    {"list-devices", KEY_LIST_DEVICES, NULL, "list the devices of this machine", NULL,
        CLI_COMMANDS},
    {"list-stages", KEY_LIST_STAGES, NULL, "list the stages of this tool", NULL, CLI_COMMANDS},
    {"self-test", KEY_SELF_TEST, "[large]", "check every kernel on every device, or on -r's", NULL,
        CLI_COMMANDS},
    {"progress", KEY_PROGRESS, "WHEN", " (default auto: on a terminal)",
        CLI_WORDS("auto", "always", "never"), CLI_REPORTS},
    {"completion", KEY_COMPLETION, "[SHELL]",
        " (default bash): print the completions for that shell", CLI_WORDS("bash", "zsh", "fish"),
        CLI_COMMANDS},
    {"quiet", 'q', NULL, "no warnings, no progress, no last line", NULL, CLI_REPORTS},
    {"verbose", 'v', NULL, "say what is done and why", NULL, CLI_REPORTS},
    {"help", 'h', NULL, "print this help", NULL, CLI_COMMANDS},
    {"version", KEY_VERSION, NULL, "print the version and what the program was built with", NULL,
        CLI_COMMANDS},
    {0},
};

#define SAME_REQUEST 0.5 /* seconds within which signals are one: timeout(1) sends two at once */

static const int STOP_SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};

/* The first of these that came, or 0: work, in other threads too, stops at the next report of
 * progress. A second one that comes later than SAME_REQUEST kills. */
static atomic_int stop_signal;
static FILE *messages; /* where they go; NULL: nowhere */

static void request_stop(int number)
{
    static volatile double first;
    const double now = clock_seconds();
    if (!stop_signal) {
        first = now;
        stop_signal = number;
        film_interrupt();
    } else if (now > first + SAME_REQUEST) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* Those that the caller has had ignored stay ignored. */
static void handle_stop_signals(void (*handler)(int))
{
    struct sigaction action, stop = {.sa_handler = handler};
    sigemptyset(&stop.sa_mask);
    for (size_t i = 0; i < sizeof(STOP_SIGNALS) / sizeof(STOP_SIGNALS[0]); i++)
        sigaddset(&stop.sa_mask, STOP_SIGNALS[i]);
    for (size_t i = 0; i < sizeof(STOP_SIGNALS) / sizeof(STOP_SIGNALS[0]); i++)
        if (sigaction(STOP_SIGNALS[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaction(STOP_SIGNALS[i], &stop, NULL);
}

/* What is closed would be given to the next file that is opened, and messages would go into it.
 * Reading and writing fail there, as they should. */
static void occupy_standard_streams(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0)
            open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Ends by the signal that asked to stop, so that a shell's loop stops too. Another rank than 0 does
 * not: the launcher would kill rank 0, which may still write. */
static void end_by_signal(const struct cli *cli)
{
    if (stop_signal && cli->rank == 0) {
        signal(stop_signal, SIG_DFL);
        raise(stop_signal);
    }
}

/* One line, whatever a file's name holds, and written at once: other processes write there, too. */
static void print_line(const struct cli *cli, const char *text)
{
    if (cli->rank > 0)
        return;
    display_clear();
    char line[sizeof(((struct error *)0)->text) + 64]; /* the name of a tool before it */
    snprintf(line, sizeof(line), "%s: %s", cli->name, text);
    for (char *at = line; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = '?';
    if (messages)
        fprintf(messages, "%s\n", line);
}

static int show_progress(void *context, const char *stage, double share)
{
    const struct cli *cli = context;
    const char *part = cli->run.part;
    char label[sizeof(cli->run.part) + 32];
    snprintf(label, sizeof(label), "%s%s%s", part, part[0] ? ": " : "", stage);
    display_show(label, share);
    return stop_signal != 0;
}

static void show_notice(void *context, int is_warning, const char *line)
{
    const struct cli *cli = context;
    if (is_warning ? cli->quiet : !cli->verbose)
        return;
    print_line(cli, line);
}

/* A signal may also have cut a read short, which then seems to have failed. */
int cli_fail(struct cli *cli, int code, const struct error *error)
{
    if (cli->rank == 0 && ranks_check(&cli->run)) /* its error says more than what followed */
        error = &cli->run.error;
    print_line(cli, stop_signal ? "stopped" : error->text);
    /* Launchers kill all ranks as soon as one fails, but what is wrong with the command line, which
     * each finds before they are started as ranks, rank 0 must tell first. */
    if (cli->rank > 0 && !cli->run.ranks && !stop_signal)
        nanosleep(&(struct timespec){3, 0}, NULL); /* until the launcher's signal */
    ranks_end(&cli->run, code);
    end_by_signal(cli);
    return code == ERROR_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

static int draws_progress; /* unless --quiet */

static int set_progress(const char *value, struct error *error)
{
    int word;
    const int rc = cli_word(COMMON, KEY_PROGRESS, value, &word, error);
    draws_progress = word == 0 ? isatty(STDERR_FILENO) : word == 1;
    return rc;
}

static int set_common(struct cli *cli, int key, const char *value, struct error *error)
{
    uint64_t number;
    int rc = 0;
    switch (key) {
    case 'r':
        cli->run.device_id = value;
        break;
    case 'j':
        rc = cli_number("--threads", value, 1, DEVICE_MAX_THREADS, &number, error);
        cli->run.threads = rc ? 0 : (int)number;
        if (rc == 0)
            omp_set_num_threads((int)number); /* of stages on the host */
        break;
    case 'q':
        cli->quiet = 1;
        break;
    case 'v':
        cli->verbose = 1;
        break;
    case KEY_JSON:
        cli->json = value;
        break;
    case KEY_TRACE:
        cli->trace = value;
        cli->run.keeps_events = 1;
        break;
    case KEY_TIMINGS:
        cli->timings = 1;
        cli->run.keeps_events = 1;
        break;
    case KEY_SAVE_STAGES:
        cli->save_stages = value;
        break;
    case KEY_PROGRESS:
        rc = set_progress(value, error);
        break;
    default:
        break;
    }
    return rc;
}

static int flush_output(struct error *error)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    return error_set(error, ERROR_INPUT, "cannot write to standard output: %s", strerror(errno));
}

static int run_self_test(struct cli *cli, const char *size)
{
    const char *device = cli->run.device_id;
    struct error error;
    if (size && strcmp(size, "large") != 0)
        return cli_fail(cli,
            error_set(&error, ERROR_USAGE, "bad --self-test '%s': use large or nothing", size),
            &error);
    handle_stop_signals(SIG_DFL); /* it writes no file, and a check may take seconds */
    end_by_signal(cli);           /* where one came before */
    const int status =
        self_test_run(cli->self_test, device && strcmp(device, "auto") != 0 ? device : NULL,
            cli->run.threads, size != NULL, display_show);
    display_clear();
    const int rc = flush_output(&error);
    return rc ? cli_fail(cli, rc, &error) : status;
}

static int print_completion(const struct cli *cli, const char *value, struct error *error)
{
    int shell = 0;
    const int rc = value ? cli_word(COMMON, KEY_COMPLETION, value, &shell, error) : 0;
    if (rc == 0)
        cli_print_completion(cli, shell);
    return rc;
}

/* Options that are a command of their own; -1 for the others. */
static int run_command(struct cli *cli, int key, const char *value)
{
    struct error error;
    json_t *list = NULL;
    int rc = 0;
    switch (key) {
    case 'h':
        cli_print_help(cli);
        break;
    case KEY_VERSION:
        cli_print_version(cli);
        break;
    case KEY_LIST_DEVICES:
        rc = cli_list_devices(cli, &list, &error);
        break;
    case KEY_LIST_STAGES:
        list = cli_list_stages(cli);
        break;
    case KEY_COMPLETION:
        rc = print_completion(cli, value, &error);
        break;
    case KEY_SELF_TEST:
        return run_self_test(cli, value);
    default:
        return -1;
    }
    if (rc == 0 && list && cli->json)
        rc = cli_write_json(cli->json, list, &error);
    json_decref(list);
    if (rc == 0)
        rc = flush_output(&error);
    return rc ? cli_fail(cli, rc, &error) : EXIT_DONE;
}

static int has_key(const struct cli_option *options, int key)
{
    while (options->name && options->key != key)
        options++;
    return options->name != NULL;
}

/* For an option that is unknown, without its dashes and its value: the nearest that --help
 * lists. */
static struct words_text suggest_option(const struct cli *cli, const char *name)
{
    struct words names = {0};
    for (int i = 0; cli->all[i]; i++)
        if (cli->all[i]->help)
            words_add(&names, cli->all[i]->name);
    return words_suggest(&names, "--", name);
}

/* What is wrong with an option, in one line. getopt leaves its key in optopt, 0 for an unknown
 * word. */
static void explain_option(const struct cli *cli, int key, const char *word, struct error *error)
{
    char letter[3] = {'-', (char)optopt, 0};
    const int is_letter = optopt > 0 && optopt < CLI_KEY && strncmp(word, "--", 2) != 0;
    char option[80];
    snprintf(option, sizeof(option), "%.*s", (int)strcspn(word, "="), is_letter ? letter : word);
    if (key == ':')
        error_write(error, "option '%s' needs a value; --help lists the options", option);
    else if (has_key(cli->options, optopt) || has_key(COMMON, optopt))
        error_write(error, "option '%s' takes no value; --help lists the options", option);
    else if (optopt > 0 && optopt < CLI_KEY)
        error_write(error, "unknown option '%s'; --help lists the options", letter);
    else
        error_write(error, "unknown option '%s'; --help lists the options%s", option,
            suggest_option(cli, option + 2).text);
}

/* The command line as getopt reads it, which keeps its place for one command line a process. */
static struct {
    int argc;
    char **argv;
    int count;
    struct option longs[CLI_MAX_OPTIONS];
    char shorts[2 * CLI_MAX_OPTIONS];
    int command; /* the key of the last option such as --help, or 0 */
    const char *command_value;
} arguments;

static void add_options(struct cli *cli, const struct cli_option *options)
{
    char *shorts = arguments.shorts + strlen(arguments.shorts);
    for (const struct cli_option *option = options; option->name; option++) {
        assert(arguments.count < CLI_MAX_OPTIONS - 1);
        if (option->key == KEY_SAVE_STAGES && cli->has_no_snapshots)
            continue;
        cli->all[arguments.count] = option;
        arguments.longs[arguments.count++] = (struct option){option->name,
            !option->argument            ? no_argument
            : option->argument[0] == '[' ? optional_argument
                                         : required_argument,
            NULL, option->key};
        if (option->key < CLI_KEY) {
            *shorts++ = (char)option->key;
            if (option->argument)
                *shorts++ = ':';
        }
    }
}

void cli_start(struct cli *cli, int argc, char **argv)
{
    occupy_standard_streams();
    messages = !files_are_named(argc, argv, STDERR_FILENO)   ? stderr
               : !files_are_named(argc, argv, STDOUT_FILENO) ? stdout
                                                             : NULL;
    memset(&arguments, 0, sizeof(arguments));
    arguments.argc = argc;
    arguments.argv = argv;
    arguments.shorts[0] = ':'; /* an option without its value comes as ':' */
    add_options(cli, cli->options);
    add_options(cli, COMMON);
    cli->rank_count = ranks_started(&cli->rank);
    display_start(cli->name, &cli->run);
    draws_progress = isatty(STDERR_FILENO);
    handle_stop_signals(request_stop);
    signal(SIGPIPE, SIG_IGN); /* a failing write tells more */
    signal(SIGXFSZ, SIG_IGN);
    opterr = 0;
    optind = GETOPT_START;
}

int cli_next(struct cli *cli)
{
    int index;
    while (cli->rc == 0) {
        const int key =
            getopt_long(arguments.argc, arguments.argv, arguments.shorts, arguments.longs, &index);
        if (key == -1)
            return 0;
        if (key == '?' || key == ':') {
            explain_option(cli, key, arguments.argv[optind - 1], &cli->error);
            cli->rc = ERROR_USAGE;
        } else if (has_key(cli->options, key)) {
            cli->key = key;
            cli->value = optarg;
            return 1;
        } else if (key == 'h' || key >= KEY_COMMANDS) {
            arguments.command = key;
            arguments.command_value = optarg;
        } else {
            cli->rc = set_common(cli, key, optarg, &cli->error);
        }
    }
    return 0;
}

/* What a command that takes the place of the tool's work does not write is refused. */
static int check_command(const struct cli *cli, int command, struct error *error)
{
    const int has_json = !command || command == KEY_LIST_DEVICES || command == KEY_LIST_STAGES;
    if (cli->json && !has_json)
        return error_set(error, ERROR_USAGE, "--json is for results and lists; leave it out");
    return cli->trace && command
               ? error_set(error, ERROR_USAGE, "--trace is for the tool's own work; leave it out")
               : 0;
}

int cli_ready(struct cli *cli)
{
    int rc = cli->rc;
    if (cli->rank > 0) {
        cli->json = cli->trace = NULL;
        cli->timings = cli->run.keeps_events = 0;
    }
    if (rc == 0)
        rc = check_command(cli, arguments.command, &cli->error);
    if (rc == 0 && cli->json)
        rc = output_check(cli->json, 0, &cli->error);
    if (rc == 0 && cli->trace)
        rc = output_check(cli->trace, 0, &cli->error);
    if (rc)
        return cli_fail(cli, rc, &cli->error);
    display_enable(draws_progress && !cli->quiet && cli->rank == 0);
    if (arguments.command)
        return cli->rank > 0 && arguments.command != KEY_LIST_DEVICES
                   ? EXIT_DONE
                   : run_command(cli, arguments.command, arguments.command_value);
    cli->operand_count = arguments.argc - optind;
    cli->operand = arguments.argv + optind;
    cli->run.progress = show_progress;
    cli->run.notice = show_notice;
    cli->run.wants_detail = cli->verbose;
    cli->run.snapshot = cli->save_stages ? cli_save_snapshot : NULL;
    cli->run.context = cli;
    if (cli->save_stages && cli->rank_count > 1)
        rc = error_set(&cli->error, ERROR_USAGE, "--save-stages is for one process, not for ranks");
    if (rc == 0)
        rc = ranks_start(&cli->run, &cli->error);
    return rc ? cli_fail(cli, rc, &cli->error) : -1;
}

int cli_finish(struct cli *cli, int code, json_t *result)
{
    struct error error = cli->run.error;
    if (code == 0)
        ranks_disband(&cli->run, 0);
    display_clear();
    if (code == 0 && cli->timings)
        timings_print(&cli->run);
    if (code == 0 && cli->json && json_is_object(result))
        cli_describe_run(cli, result);
    if (code == 0 && cli->json)
        code = cli_write_json(cli->json, result, &error);
    if (code == 0 && cli->trace && cli->run.event_count)
        code = timings_trace(&cli->run, cli->trace, &error);
    if (code == 0)
        code = flush_output(&error);
    if (code == 0 && cli->save_stages && cli->snapshots == 0)
        run_notice(&cli->run, 1, "no stage that ran draws a snapshot; '%s' has got none",
            cli->save_stages);
    if (code == 0)
        cli_tell_written(cli);
    json_decref(result);
    run_end(&cli->run);
    const int status = code ? cli_fail(cli, code, &error) : EXIT_DONE;
    ranks_end(&cli->run, 0);
    end_by_signal(cli);
    return status;
}
