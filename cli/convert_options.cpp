// The command line of tessera-convert: its options, and what goes to the terminal.
#include "cli/convert.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <getopt.h>

#include <Standard_Version.hxx>

extern "C" {
#include "words.h"
}

static const char NAME[] = "tessera-convert";

enum { KEY_COMPLETION = 256, KEY_VERSION };

static const struct {
    struct option option; // as getopt has it
    const char *help;
} OPTIONS[] = {
    {{"quiet", no_argument, nullptr, 'q'}, "no warnings, no last line"},
    {{"completion", optional_argument, nullptr, KEY_COMPLETION},
        "print completions for bash (default), zsh or fish"},
    {{"help", no_argument, nullptr, 'h'}, "print this help"},
    {{"version", no_argument, nullptr, KEY_VERSION}, "print the version and that of Open CASCADE"},
};

void print_line(const std::string &line)
{
    std::string shown = line;
    for (char &c : shown)
        if ((unsigned char)c < ' ' || c == 127)
            c = '?';
    std::fprintf(stderr, "%s: %s\n", NAME, shown.c_str());
}

static int print_text(const std::string &text)
{
    if (std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0)
        return 0;
    print_line(std::string("cannot write to standard output: ") + std::strerror(errno));
    return 1;
}

static std::string letter_of(const struct option &option)
{
    return option.val < KEY_COMPLETION ? std::string(1, char(option.val)) : "";
}

static std::string help()
{
    std::string text = std::string("usage: ") + NAME +
                       " [OPTIONS] INPUT OUTPUT\n\n"
                       "Writes the surfaces of a STEP or IGES file as Bézier patches.\n\n";
    for (const auto &[option, help] : OPTIONS) {
        const std::string letter = letter_of(option);
        std::string left = (letter.empty() ? "    " : "-" + letter + ", ") + "--" + option.name +
                           (option.has_arg ? "[=SHELL]" : "");
        left.resize(25, ' ');
        text += "  " + left + help + "\n";
    }
    return text;
}

static std::string bash_completion()
{
    std::string names;
    for (const auto &row : OPTIONS)
        names += std::string(names.empty() ? "--" : " --") + row.option.name;
    return "_tessera_convert()\n{\n"
           "    COMPREPLY=()\n"
           "    [[ $2 != -* ]] || mapfile -t COMPREPLY < <(compgen -W '" +
           names +
           "' -- \"$2\")\n"
           "}\n"
           "complete -o bashdefault -o default -F _tessera_convert " +
           NAME + "\n";
}

static std::string zsh_completion()
{
    std::string text = std::string("#compdef ") + NAME + "\n_arguments -s -S \\\n";
    for (const auto &[option, help] : OPTIONS) {
        const std::string name = std::string("--") + option.name, letter = letter_of(option);
        text += letter.empty()
                    ? "    '" + name
                    : "    '(-" + letter + " " + name + ")'{-" + letter + "," + name + "}'";
        text += option.has_arg ? "=-[" : "[";
        text += help;
        text += option.has_arg ? "]::SHELL:(bash zsh fish)' \\\n" : "]' \\\n";
    }
    return text + "    '*: :_files'\n";
}

static std::string fish_completion()
{
    std::string text;
    for (const auto &[option, help] : OPTIONS) {
        const std::string letter = letter_of(option);
        text += std::string("complete -c ") + NAME + " -l " + option.name +
                (letter.empty() ? "" : " -s " + letter) +
                (option.has_arg ? " -f -a 'bash zsh fish'" : "") + " -d '" + help + "'\n";
    }
    return text;
}

static int refuse_usage(const std::string &reason)
{
    print_line(reason);
    return 2;
}

static int print_completion(const char *shell)
{
    if (!shell || std::strcmp(shell, "bash") == 0)
        return print_text(bash_completion());
    if (std::strcmp(shell, "zsh") == 0)
        return print_text(zsh_completion());
    if (std::strcmp(shell, "fish") == 0)
        return print_text(fish_completion());
    return refuse_usage(std::string("bad --completion '") + shell + "': use bash, zsh or fish");
}

static int refuse_option(const char *text)
{
    struct words names = {};
    for (const auto &row : OPTIONS)
        words_add(&names, row.option.name);
    const std::string name = std::strncmp(text, "--", 2) == 0 ? text + 2 : "";
    const std::string nearest =
        words_suggest(&names, "--", name.substr(0, name.find('=')).c_str()).text;
    return refuse_usage(
        std::string("unknown option '") + text + "'; --help lists the options" + nearest);
}

int read_options(int argc, char **argv, bool &is_quiet)
{
    std::vector<struct option> options;
    for (const auto &row : OPTIONS)
        options.push_back(row.option);
    options.push_back({});
    opterr = 0;
    for (int key; (key = getopt_long(argc, argv, "qh", options.data(), nullptr)) != -1;)
        switch (key) {
        case 'q':
            is_quiet = true;
            break;
        case 'h':
            return print_text(help());
        case KEY_COMPLETION:
            return print_completion(optarg);
        case KEY_VERSION:
            return print_text(std::string(NAME) + " (Tessera) " VERSION "\nwith: Open CASCADE " +
                              OCC_VERSION_COMPLETE "\n");
        default:
            return refuse_option(argv[optind - 1]);
        }
    return argc - optind == 2
               ? -1
               : refuse_usage("takes an input and an output; --help lists the options");
}
