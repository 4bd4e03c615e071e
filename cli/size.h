/* How messages write the size of a file. */
#ifndef SIZE_H
#define SIZE_H

#include <stdint.h>
#include <stdio.h>

struct size_text {
    char text[24];
};

/* "1.62 MB" */
static inline struct size_text size_write(uint64_t bytes)
{
    static const char *const UNITS[] = {"bytes", "kB", "MB", "GB", "TB"};
    struct size_text size;
    double number = (double)bytes;
    int unit = 0;
    for (; number >= 999.5 && unit < 4; unit++)
        number /= 1000;
    snprintf(size.text, sizeof(size.text), "%.3g %s", number, UNITS[unit]);
    return size;
}

#endif
