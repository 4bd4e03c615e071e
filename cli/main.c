/* The program of a tool, whose name the build defines. All it does is in the library. */
#include "stages/tessera.h"

int main(int argc, char **argv)
{
    return tessera_tool(TOOL, argc, argv);
}
