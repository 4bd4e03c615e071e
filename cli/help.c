/* --help and --completion, from the tables of options. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "images/image.h"
#include "kernels/device/kinds.h"

#define HELP_WIDTH 69 /* letters of a line of help, beside the option */

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
    printf("  %-28s ", left);
    const char *rest = help;
    while (strlen(rest) > HELP_WIDTH) { /* goes on in lines of its own */
        const char *end = rest + HELP_WIDTH;
        while (end > rest + 1 && *end != ' ')
            end--;
        printf("%.*s\n%31s", (int)(end - rest), rest, "");
        rest = end + 1;
    }
    printf("%s\n", rest);
}

void cli_print_help(const struct cli *cli, const struct cli_option *common)
{
    printf("usage: %s [OPTIONS] %s\n%s\n\n", cli->name, cli->operands, cli->summary);
    for (const struct cli_option *option = cli->options; option->name; option++)
        if (option->help)
            print_option(option);
    printf("\n");
    for (const struct cli_option *option = common; option->name; option++)
        print_option(option);
    printf("\nExit status: 0 done, 1 failed, 2 wrong usage. More in the manual page, %s(1).\n",
        cli->name);
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
