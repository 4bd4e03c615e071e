/* The program of a tool. The Makefile compiles this once for each: TOOL is tessera_circles_main or
 * another of the four functions of "the tools" in tessera.h. */
#include "stages/tessera.h"

int main(int argc, char **argv)
{
    return TOOL(argc, argv);
}
