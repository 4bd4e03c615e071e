/* Says which file or scene was at work when an attack crashed, hung or met a sanitizer. */
#ifndef WATCH_H
#define WATCH_H

#include <stdint.h>

/* From now on the end of the program by a signal, by a sanitizer, or by `seconds` without a
 * watch_next, is told in one line: what, the number, the seed. */
void watch_start(const char *what, uint64_t seed, unsigned seconds);

/* The next one is at work. */
void watch_next(uint64_t number);

#endif
