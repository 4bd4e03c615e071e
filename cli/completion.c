/* --completion: scripts that complete what is typed in a shell, from the tables of options. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static int has_letter(const struct cli_option *option)
{
    return option->key < CLI_KEY;
}

/* Its value can only follow a "=". */
static int is_optional(const struct cli_option *option)
{
    return option->argument && option->argument[0] == '[';
}

/* Whether the value is a path, by what the help calls it. */
static int takes_path(const struct cli_option *option)
{
    return option->argument &&
           (strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "DIR") == 0);
}

static void print_words(const struct words *words)
{
    for (int i = 0; i < words->count; i++)
        printf("%s%s", i ? " " : "", words->word[i]);
}

/* What a tool is for may stand in place of the first file. */
static void print_operand_words(const struct cli *cli)
{
    const struct words words = cli->operand_words ? cli->operand_words() : (struct words){0};
    print_words(&words);
}

static const char *printed_by(const struct cli_option *option)
{
    return option->words ? option->words->printed_by : NULL;
}

/* A text in single quotes: `quote` stands for a quote in it, and a backslash goes before each of
 * the letters of `special`. */
static void print_quoted(const char *text, const char *quote, const char *special)
{
    for (; *text; text++)
        if (*text == '\'')
            printf("%s", quote);
        else
            printf("%s%c", strchr(special, *text) ? "\\" : "", *text);
}

/* The case of an option whose value is completed; manual pages take the words from here. */
static void print_bash_case(const struct cli_option *option)
{
    const struct words words = cli_words(option);
    printf("    --%s=", option->name);
    if (!is_optional(option))
        printf(" | --%s", option->name);
    if (has_letter(option))
        printf(" | -%c", option->key);
    printf(") mapfile -t COMPREPLY < <(compgen -W '");
    print_words(&words);
    printf("'");
    if (printed_by(option))
        printf("\" $(\"$1\" %s 2>/dev/null | cut -d' ' -f1)\"", printed_by(option));
    printf(" -- \"$word\") ;;\n");
}

/* Where nothing is left in COMPREPLY, bash completes files. */
static void print_bash(const struct cli *cli)
{
    printf("_tessera_%s()\n{\n"
           "    local words typed word prefix=\n"
           "    COMPREPLY=()\n"
           "    read -ra words <<<\"${COMP_LINE:0:COMP_POINT}x\" # x: a word even where none is "
           "begun\n"
           "    typed=${words[-1]%%x}\n"
           "    [[ $typed == --*=* ]] && prefix=${typed%%%%=*}=\n"
           "    word=${typed#\"$prefix\"}\n"
           "    case ${prefix:-${words[-2]}} in\n",
        cli->name);
    for (int i = 0; cli->all[i]; i++)
        if (cli->all[i]->help && cli->all[i]->words)
            print_bash_case(cli->all[i]);
    printf("    *)\n"
           "        if [[ $typed == -* && -z $prefix ]]; then\n"
           "            mapfile -t COMPREPLY < <(compgen -W '");
    for (int i = 0; cli->all[i]; i++)
        if (cli->all[i]->help)
            printf("--%s ", cli->all[i]->name);
    printf("' -- \"$word\")\n");
    if (cli->operand_words) { /* and files, unless they need quotes */
        printf("        elif [[ $typed == \"${COMP_WORDS[COMP_CWORD]}\" ]]; then\n"
               "            compopt -o filenames 2>/dev/null\n"
               "            mapfile -t COMPREPLY < <(compgen -f -W '");
        print_operand_words(cli);
        printf("' -- \"$word\")\n");
    }
    printf("        fi ;;\n"
           "    esac\n"
           "    # Bash replaces what follows the last of the letters at which it splits words.\n"
           "    local kept=${typed%%\"${typed##*[\"$COMP_WORDBREAKS\"]}\"}\n"
           "    COMPREPLY=(\"${COMPREPLY[@]/#/\"$prefix\"}\")\n"
           "    COMPREPLY=(\"${COMPREPLY[@]#\"$kept\"}\")\n"
           "}\n"
           "complete -o bashdefault -o default -F _tessera_%s %s\n",
        cli->name, cli->name);
}

/* The value of an option, as _arguments wants it: ":NAME:ACTION", "::" before one that may be left
 * out. */
static void print_zsh_value(const struct cli_option *option)
{
    const struct words words = cli_words(option);
    printf(is_optional(option) ? "::" : ":");
    print_quoted(option->argument, "", ":");
    printf(":");
    if (words.count) {
        printf("{ compadd -- ");
        print_words(&words);
        if (printed_by(option))
            printf(" ${${(f)\"$(_call_program words $words[1] %s 2>/dev/null)\"}%%%% *}",
                printed_by(option));
        printf(" }");
    } else if (takes_path(option)) {
        printf("_files");
    }
}

static void print_zsh_option(const struct cli_option *option)
{
    const char *value = !option->argument ? "" : is_optional(option) ? "=-" : "=";
    char help[400];
    cli_describe_option(option, help, sizeof(help));
    printf("    ");
    if (has_letter(option))
        printf("'(-%c --%s)'{-%c%s,--%s%s}'[", option->key, option->name, option->key,
            option->argument ? "+" : "", option->name, value);
    else
        printf("'--%s%s[", option->name, value);
    print_quoted(help, "'\\''", "[]");
    printf("]");
    if (option->argument)
        print_zsh_value(option);
    printf("' \\\n");
}

static void print_zsh(const struct cli *cli)
{
    printf("#compdef %s\n_arguments -s -S \\\n", cli->name);
    for (int i = 0; cli->all[i]; i++)
        if (cli->all[i]->help)
            print_zsh_option(cli->all[i]);
    if (cli->operand_words) {
        printf("    '1: :{ compadd -- ");
        print_operand_words(cli);
        printf("; _files }' \\\n");
    }
    printf("    '*: :_files'\n");
}

static void print_fish_option(const struct cli *cli, const struct cli_option *option)
{
    const struct words words = cli_words(option);
    char help[400];
    cli_describe_option(option, help, sizeof(help));
    printf("complete -c %s -l %s", cli->name, option->name);
    if (has_letter(option))
        printf(" -s %c", option->key);
    if (takes_path(option))
        printf(" -r -F");
    else if (option->argument)
        printf(is_optional(option) ? " -f" : " -x");
    if (words.count) {
        printf(" -a '");
        print_words(&words);
        if (printed_by(option))
            printf(" (%s %s 2>/dev/null | string replace -r \" .*\" \"\")", cli->name,
                printed_by(option));
        printf("'");
    }
    printf(" -d '");
    print_quoted(help, "\\'", "\\");
    printf("'\n");
}

static void print_fish(const struct cli *cli)
{
    for (int i = 0; cli->all[i]; i++)
        if (cli->all[i]->help)
            print_fish_option(cli, cli->all[i]);
    if (cli->operand_words) {
        printf("complete -c %s -a '", cli->name);
        print_operand_words(cli);
        printf("'\n");
    }
}

void cli_print_completion(const struct cli *cli, int shell)
{
    static void (*const PRINTERS[])(const struct cli *cli) = {print_bash, print_zsh, print_fish};
    PRINTERS[shell](cli);
}
