/* --help and --completion, from the tables of options. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "images/image.h"
#include "kernels/device/kinds.h"

#define WIDTH 80  /* columns of the help */
#define COLUMN 29 /* where the help of an option begins */

static const char *const HEADINGS[CLI_GROUPS] = {
    [CLI_FILES] = "Input and output",
    [CLI_WORK] = "What to do",
    [CLI_LOOKS] = "How it looks",
    [CLI_METHOD] = "How it is computed",
    [CLI_REPORTS] = "What is told",
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

static void print_option(const struct cli_option *option)
{
    char left[64], help[400];
    const struct words words = cli_words(option);
    const char *argument = option->argument ? option->argument : "";
    const int is_optional = argument[0] == '[';
    snprintf(left, sizeof(left), "%s%c%s--%s%s%s", option->key < CLI_KEY ? "-" : " ",
        option->key < CLI_KEY ? option->key : ' ', option->key < CLI_KEY ? ", " : "  ",
        option->name,
        is_optional ? "[="
        : *argument ? "="
                    : "",
        argument + is_optional);
    snprintf(help, sizeof(help), "%s%s", words_join(&words, " or ").text, option->help);
    printf("  %-*s ", COLUMN - 3, left);
    print_wrapped(help, COLUMN);
}

void cli_print_help(const struct cli *cli, const struct cli_option *common)
{
    const struct cli_option *const tables[] = {cli->options, common};
    char end[120];
    printf("usage: %s [OPTIONS] %s\n", cli->name, cli->operands);
    print_wrapped(cli->summary, 0);
    for (enum cli_group group = 0; group < CLI_GROUPS; group++) {
        printf("\n%s:\n", HEADINGS[group]);
        for (int i = 0; i < 2; i++)
            for (const struct cli_option *option = tables[i]; option->name; option++)
                if (option->help && option->group == group)
                    print_option(option);
    }
    snprintf(end, sizeof(end),
        "Exit status: 0 done, 1 failed, 2 wrong usage. More in the manual page, %s(1).", cli->name);
    printf("\n");
    print_wrapped(end, 0);
}

/* A case of the option before the word that is completed. */
static void print_word_completion(const struct cli_option *option, const struct words *words)
{
    printf("    --%s", option->name);
    if (option->key < CLI_KEY)
        printf(" | -%c", option->key);
    printf(") mapfile -t COMPREPLY < <(compgen -W '");
    for (int i = 0; i < words->count; i++)
        printf("%s ", words->word[i]);
    printf("' -- \"$word\"); return ;;\n");
}

void cli_print_completion(const struct cli *cli, const struct cli_option *common)
{
    const struct cli_option *const tables[2] = {cli->options, common};
    printf("_tessera_%s()\n{\n    local word=${COMP_WORDS[COMP_CWORD]}\n", cli->name);
    printf("    case ${COMP_WORDS[COMP_CWORD - 1]} in\n");
    for (int i = 0; i < 2; i++)
        for (const struct cli_option *option = tables[i]; option->name; option++) {
            const struct words words = cli_words(option);
            if (words.count)
                print_word_completion(option, &words);
        }
    printf("    esac\n");
    printf("    if [[ $word == -* ]]; then\n        mapfile -t COMPREPLY < <(compgen -W '");
    for (int i = 0; i < 2; i++)
        for (const struct cli_option *option = tables[i]; option->name; option++)
            if (option->help)
                printf("--%s ", option->name);
    printf("' -- \"$word\")\n    else\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    fi\n}\n");
    printf("complete -o filenames -F _tessera_%s %s\n", cli->name, cli->name);
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
    printf("%s (Tessera) %s\nwith: %s\n", cli->name, VERSION, words_join(&with, ", ").text);
    if (without.count)
        printf("without: %s\n", words_join(&without, ", ").text);
}
