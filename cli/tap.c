#include "cli/tap.h"

#include <stdarg.h>
#include <stdio.h>

/* A process writes one stream of results. */
static int count, failures;
static char first_failure[200];

int tap_check(int passed, const char *name, ...)
{
    va_list arguments, again;
    va_start(arguments, name);
    va_copy(again, arguments);
    printf("%sok %d - ", passed ? "" : "not ", ++count);
    vprintf(name, arguments);
    printf("\n");
    if (!passed)
        fflush(stdout); /* what failed may soon crash */
    if (!passed && failures++ == 0)
        vsnprintf(first_failure, sizeof(first_failure), name, again);
    va_end(again);
    va_end(arguments);
    return passed;
}

int tap_finish(void)
{
    printf("1..%d\n", count);
    return failures != 0;
}

void tap_verdict(int skipped, const char *where)
{
    if (failures == 0)
        printf("# all %d checks passed%s\n", count - skipped, where);
    else
        printf("# %d of %d checks failed%s; the first: %s\n", failures, count - skipped, where,
            first_failure);
}
