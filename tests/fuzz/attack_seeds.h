/* The good files that bad ones are made from. */
#ifndef ATTACK_SEEDS_H
#define ATTACK_SEEDS_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* Who reads a file. */
enum reader {
    READER_IMAGE,
    READER_SCENE,
    READER_PATCHES,
    READER_PERMUTATION,
    READER_GRID,
    READERS
};

struct seed {
    enum reader reader;
    char name[64]; /* of the file, without its folder; its extension says the format */
    uint8_t *bytes;
    size_t size;
};

struct seeds {
    struct seed *seeds; /* by name, so that their numbers are the same everywhere */
    size_t count;
};

/* Those of tests/fuzz/seeds and of scenes/samples, and small ones that the project's own writers
 * make of every format, by way of files in `folder`. Returns 0 or ERROR_INPUT. */
int seeds_make(const char *folder, struct seeds *seeds, struct error *error);
void seeds_free(struct seeds *seeds);

#endif
