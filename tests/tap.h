/* Results in the Test Anything Protocol, for prove(1). */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdio.h>

static int tap_count, tap_failures;

/* One result; the name as in printf. Gives `passed`. */
__attribute__((format(printf, 2, 3))) static inline int tap_check(int passed, const char *name, ...)
{
    va_list arguments;
    va_start(arguments, name);
    printf("%sok %d - ", passed ? "" : "not ", ++tap_count);
    vprintf(name, arguments);
    printf("\n");
    va_end(arguments);
    tap_failures += !passed;
    return passed;
}

/* The plan, at the end; gives the exit status. */
static inline int tap_finish(void)
{
    printf("1..%d\n", tap_count);
    return tap_failures != 0;
}

#endif
