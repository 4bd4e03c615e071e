/* Bad files from good ones. */
#ifndef MUTATE_H
#define MUTATE_H

#include "tests/fuzz/attack_seeds.h"

#define MUTATE_LARGEST ((size_t)1 << 18) /* bytes of a bad file */

/* A bad file, and the seed that it was made from. */
struct bad {
    const struct seed *seed;
    uint8_t *bytes; /* the caller's, with room for MUTATE_LARGEST */
    size_t size;
};

/* Makes the bad file of that number: one to four changes of a seed. Of PNG files most have right
 * checksums again, so that it is not the checksum that refuses them. `seed` and `number` give the
 * same bytes everywhere where the seeds are the same. */
void mutate(const struct seeds *seeds, uint64_t seed, uint64_t number, struct bad *bad);

#endif
