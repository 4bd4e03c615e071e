/* --help, from the tables of options, and --version. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "images/film.h"
#include "kernels/device/kinds.h"

#define WIDTH 80  /* columns of the help */
#define COLUMN 29 /* where the help of an option begins */

static const char *const HEADINGS[CLI_GROUPS] = {
    [CLI_FILES] = "Input and output",
    [CLI_WORK] = "What to do",
    [CLI_LOOKS] = "How it looks",
    [CLI_METHOD] = "Computation",
    [CLI_REPORTS] = "Reports and times",
    [CLI_COMMANDS] = "Other things to do",
};

/* The text from a column on, in lines of whole words that all begin there. */
static void print_wrapped(const char *text, int column)
{
    const size_t room = (size_t)(WIDTH - column);
    while (strlen(text) > room) {
        const char *end = text + room;
        while (end > text + 1 && *end != ' ')
            end--;
        printf("%.*s\n%*s", (int)(end - text), text, column, "");
        text = end + 1;
    }
    printf("%s\n", text);
}

void cli_describe_option(const struct cli_option *option, char *text, size_t size)
{
    const struct words words = cli_words(option);
    snprintf(text, size, "%s%s", words_join(&words, " or ").text, option->help);
}

static void print_option(const struct cli_option *option)
{
    char left[64], help[400];
    const char *argument = option->argument ? option->argument : "";
    const int is_optional = argument[0] == '[';
    snprintf(left, sizeof(left), "%s%c%s--%s%s%s", option->key < CLI_KEY ? "-" : " ",
        option->key < CLI_KEY ? option->key : ' ', option->key < CLI_KEY ? ", " : "  ",
        option->name,
        is_optional ? "[="
        : *argument ? "="
                    : "",
        argument + is_optional);
    cli_describe_option(option, help, sizeof(help));
    printf("  %-*s ", COLUMN - 3, left);
    print_wrapped(help, COLUMN);
}

void cli_print_help(const struct cli *cli)
{
    char end[120];
    printf("usage: %s [OPTIONS] %s\n", cli->name, cli->operands);
    print_wrapped(cli->summary, 0);
    for (enum cli_group group = 0; group < CLI_GROUPS; group++) {
        printf("\n%s:\n", HEADINGS[group]);
        for (int i = 0; cli->all[i]; i++)
            if (cli->all[i]->help && cli->all[i]->group == group)
                print_option(cli->all[i]);
    }
    snprintf(end, sizeof(end),
        "Exit status: 0 done, 1 failed, 2 wrong usage. More in the manual page, %s(1).", cli->name);
    printf("\n");
    print_wrapped(end, 0);
}

static void print_list(const char *name, const struct words *words)
{
    for (int i = 0; i < words->count; i++)
        printf("%s%s%s", i == 0 ? name : "", i == 0 ? ": " : ", ", words->word[i]);
    if (words->count)
        putchar('\n');
}

void cli_print_version(const struct cli *cli)
{
    static const struct {
        const char *name;
        int is_there;
    } PARTS[] = {
#define KIND_PART(kind, backend, is_built) {#kind, is_built},
        DEVICE_KINDS(KIND_PART){"mpi", HAVE_MPI},
    };
    const struct image_libraries libraries = image_libraries();
    struct words with = {0}, without = {0};
    for (size_t i = 0; i < sizeof(PARTS) / sizeof(PARTS[0]); i++)
        words_add(PARTS[i].is_there ? &with : &without, PARTS[i].name);
    words_add(&with, libraries.present.text);
    if (libraries.missing.text[0])
        words_add(&without, libraries.missing.text);
    film_libraries(&with, &without);
    printf("%s (Tessera) %s\n", cli->name, VERSION);
    print_list("with", &with);
    print_list("without", &without);
}
