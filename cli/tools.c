/* tessera_tool: the way into the tools, which are a part of the library. */
#include "cli/tools.h"

#include <stdio.h>
#include <string.h>

#include "stages/tessera.h"

int tessera_tool(const char *tool, int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } TOOLS[] = {
        {"unscramble", unscramble_main},
        {"scramble", scramble_main},
        {"circles", circles_main},
        {"bezier", bezier_main},
    };
    for (size_t i = 0; i < sizeof(TOOLS) / sizeof(TOOLS[0]); i++)
        if (strcmp(TOOLS[i].name, tool) == 0)
            return TOOLS[i].run(argc, argv);
    fprintf(stderr, "'%s' is none of the tools unscramble, scramble, circles, bezier\n", tool);
    return 2;
}
