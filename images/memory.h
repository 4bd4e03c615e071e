/* How much memory there is. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

/* Bytes that this process may take: the machine's, or as many as its control groups allow. */
uint64_t memory_limit(void);

#endif
