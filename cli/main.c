/* The program of a tool: TOOL is one of the functions of "the tools" in tessera.h. */
#include "stages/tessera.h"

int main(int argc, char **argv)
{
    return TOOL(argc, argv);
}
