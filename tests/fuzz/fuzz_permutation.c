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
    const uint32_t tiles = grid_tiles(permutation->puzzle);
    const uint32_t places = permutation_first(permutation, permutation->solutions);
    check(permutation->puzzle.columns >= 1 && permutation->puzzle.columns <= MAX_TILES &&
          permutation->puzzle.rows >= 1 && tiles <= MAX_TILES);
    check(permutation->solutions >= 1 && permutation->solutions <= MAX_SOLUTIONS);
    check(places >= 1 && places <= MAX_TILES);
    uint8_t *found = calloc(tiles, 1);
    check(found != NULL);
    for (uint32_t place = 0; place < places; place++) {
        const struct placed placed = permutation->placed[place];
        check(placed.turn < (placed.tile == NO_TILE ? 1 : 4));
        check(placed.tile == NO_TILE || (placed.tile < tiles && !found[placed.tile]++));
    }
    free(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static char path[64];
    struct error error = {""};
    struct permutation permutation = {0}, again = {0};
    if (permutation_parse((const char *)bytes, size, "fuzz", &permutation, &error) != 0) {
        check(error.text[0] != 0 && !permutation.placed);
        return 0;
    }
    check_permutation(&permutation);
    if (!path[0])
        snprintf(path, sizeof(path), "/tmp/fuzz_permutation.%ld", (long)getpid());
    check(permutation_write(path, &permutation, NULL, 0, &error) == 0);
    check(permutation_read(path, NULL, &again, &error) == 0);
    check(memcmp(&again, &permutation, offsetof(struct permutation, placed)) == 0);
    check(memcmp(again.placed, permutation.placed,
              permutation_first(&again, again.solutions) * sizeof(*again.placed)) == 0);
    permutation_free(&permutation);
    permutation_free(&again);
    unlink(path);
    return 0;
}
