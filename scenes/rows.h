/* Long files that are written: numbers as text, and rows, of text or bytes, that all threads make;
 * for scenes/ alone. */
#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "images/output.h"

/* Bytes that may be overwritten where a number is put, more than it takes. */
#define NUMBER_ROOM 40

/* Puts the number there as printf("%.*g") does with that many digits, 1 to 17, to the same bytes.
 * Gives its end. */
char *number_put(char *at, double number, int digits);

#define WHOLE_DIGITS 10 /* of a whole number, at most */

/* Puts all digits of the number. Gives its end. */
char *whole_put(char *at, uint32_t number);

/* Puts a text without its zero. Gives its end. */
static inline char *text_put(char *at, const char *text)
{
    const size_t size = strlen(text);
    memcpy(at, text, size);
    return at + size;
}

/* Rows of a file, any number of which may be made at once. */
struct rows {
    size_t count;
    size_t longest; /* bytes that a row may overwrite: few, since many rows are in memory */
    char *(*put)(const void *source, size_t row, char *at); /* gives the row's end */
    const void *source;
    double from, to; /* the part of the file that they are */
};

/* Makes the rows with up to 32 threads, in at most 64 blocks of 256 KiB and a row at a time, and
 * writes them in their order. Reports the share of the file
 * that is written. Returns whether the rest is in vain, as output_progress does. */
int rows_write(struct output *output, const struct rows *rows);

#endif
