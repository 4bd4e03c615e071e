/* How a function says what went wrong: a negative code to its caller and one line for the user. */
#ifndef ERROR_H
#define ERROR_H

#include <stdarg.h>
#include <stdio.h>

enum {
    ERROR_INPUT = -1,   /* a file, an argument or the machine's state; the user can fix it */
    ERROR_USAGE = -2,   /* the command line is wrong */
    ERROR_DEVICE = -3,  /* the device failed; another one may do */
    ERROR_STOPPED = -4, /* the user asked to stop */
};

struct error {
    char text[8192]; /* lower case, the subject quoted, the reason, the remedy; no newline */
};

/* Writes the message, as printf does. */
__attribute__((format(printf, 2, 3))) static inline void error_write(
    struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof(error->text), format, arguments);
    va_end(arguments);
}

/* The same, and gives the code: return error_set(error, ERROR_INPUT, "...", ...); a macro, so that
 * static analysis sees that the code is not 0. */
#define error_set(error, code, ...) (error_write((error), __VA_ARGS__), (code))

#endif
