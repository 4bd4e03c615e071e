/* permutation_parse of any bytes: what it gives is a permutation, and reads back when written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stages/unscramble/permutation.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(int condition)
{
    if (!condition)
        abort();
}

static void check_permutation(const struct permutation *permutation)
{
    const uint32_t tiles = grid_tiles(permutation->grid);
    uint32_t found = 0;
    check(permutation->grid.columns >= 1 && permutation->grid.columns <= MAX_TILES &&
          permutation->grid.rows >= 1 && tiles <= MAX_TILES);
    for (uint32_t place = 0; place < tiles; place++) {
        check(permutation->order[place] < tiles);
        found |= 1u << permutation->order[place];
    }
    check(found == (1u << tiles) - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static char path[64];
    struct error error = {""};
    struct permutation permutation, again;
    if (permutation_parse((const char *)bytes, size, "fuzz", &permutation, &error) != 0) {
        check(error.text[0] != 0);
        return 0;
    }
    check_permutation(&permutation);
    if (!path[0])
        snprintf(path, sizeof(path), "/tmp/fuzz_permutation.%ld", (long)getpid());
    check(permutation_write(path, &permutation, &error) == 0);
    check(permutation_read(path, &again, &error) == 0);
    check(memcmp(&again, &permutation, sizeof(again)) == 0);
    unlink(path);
    return 0;
}
