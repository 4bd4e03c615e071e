/* What the CPU's kernels tell the host: how to call them and, for all devices, what they take. */
#ifndef PARAMETER_H
#define PARAMETER_H

#include <stddef.h>
#include <stdint.h>

/* The work-group that a call of a kernel runs. */
struct group {
    uint32_t x, y;
};

enum parameter_kind {
    PARAMETER_VALUE,
    PARAMETER_BUFFER,
    PARAMETER_TABLE, /* in constant memory */
};

struct parameter {
    const char *name; /* NULL behind the last */
    enum parameter_kind kind;
    size_t size; /* of a value, or of a table at most; bytes */
};

#endif
