#include "cli/tap.h"

#include <stdarg.h>
#include <stdio.h>

/* A process writes one stream of results. */
static int count, failures;

int tap_check(int passed, const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    printf("%sok %d - ", passed ? "" : "not ", ++count);
    vprintf(name, arguments);
    printf("\n");
    va_end(arguments);
    failures += !passed;
    return passed;
}

int tap_finish(void)
{
    printf("1..%d\n", count);
    return failures != 0;
}
