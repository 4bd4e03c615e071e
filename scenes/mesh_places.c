/* Vertices are sorted into buckets by a hash of their positions, those of a bucket in their order,
 * and each bucket has a hash table that fits a processor's cache. So threads share nothing but the
 * buckets, and the first vertex of a place is found first, however many threads there are. */
#include "scenes/mesh_places.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

#define BUCKET_VERTICES 16384 /* about as many have a bucket */
#define BUCKETS 65536         /* at most */
#define BUCKETS_AT_ONCE 256   /* between two reports */

/* A vertex in its bucket. */
struct entry {
    uint32_t hash, vertex;
};

/* A slot of a bucket's table: a place, where it is used. */
struct slot {
    uint32_t hash, first, last, is_used;
};

/* What sorting works with. */
struct buckets {
    unsigned shift; /* the bucket is the hash's highest bits */
    size_t count;
    struct entry *entries;
    size_t (*ends)
        [PARTS]; /* of each bucket: where its entries of each part end, or before that start */
};

size_t table_size(size_t count)
{
    size_t size = 2;
    while (size < 2 * count)
        size *= 2;
    return size;
}

static uint32_t hash_position(const double position[3])
{
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        const double number = position[i] + 0.0; /* -0 + 0 is 0 */
        uint64_t bits;
        memcpy(&bits, &number, sizeof(bits));
        hash = (hash ^ bits) * RANDOM_STEP;
        hash ^= hash >> 32;
    }
    return (uint32_t)random_bits(&hash);
}

static int is_same_position(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* By the highest 32 - shift bits of the hash, which may be none. */
static size_t bucket_of(const struct buckets *buckets, uint32_t hash)
{
    return (size_t)((uint64_t)hash >> buckets->shift);
}

/* Sorts all vertices into buckets. `hashes` is room for a number a vertex. */
static void sort_vertices(const struct mesh *mesh, struct buckets *buckets, uint32_t *hashes)
{
    const size_t count = mesh->vertex_count;
#pragma omp parallel for if (count >= PARALLEL_RECORDS)
    for (size_t part = 0; part < PARTS; part++)
        for (size_t v = part_start(count, part); v < part_start(count, part + 1); v++) {
            hashes[v] = hash_position(mesh->positions[v]);
            buckets->ends[bucket_of(buckets, hashes[v])][part]++;
        }
    size_t start = 0;
    for (size_t b = 0; b < buckets->count; b++)
        for (size_t part = 0; part < PARTS; part++) {
            const size_t own = buckets->ends[b][part];
            buckets->ends[b][part] = start;
            start += own;
        }
#pragma omp parallel for if (count >= PARALLEL_RECORDS)
    for (size_t part = 0; part < PARTS; part++)
        for (size_t v = part_start(count, part); v < part_start(count, part + 1); v++)
            buckets->entries[buckets->ends[bucket_of(buckets, hashes[v])][part]++] =
                (struct entry){hashes[v], (uint32_t)v};
}

/* Finds the places of a bucket's vertices. Returns 0, or ERROR_INPUT when memory is short. */
static int find_in_bucket(
    const struct mesh *mesh, const struct entry *entries, size_t count, struct places *places)
{
    const size_t size = table_size(count);
    struct slot *table = calloc(size, sizeof(*table));
    if (!table)
        return ERROR_INPUT;
    for (const struct entry *entry = entries; entry < entries + count; entry++) {
        const double *position = mesh->positions[entry->vertex];
        struct slot *slot = &table[entry->hash & (size - 1)];
        while (slot->is_used && (slot->hash != entry->hash ||
                                    !is_same_position(mesh->positions[slot->first], position)))
            slot = slot + 1 < table + size ? slot + 1 : table;
        if (slot->is_used)
            places->next[slot->last] = entry->vertex;
        else
            slot->first = entry->vertex;
        slot->hash = entry->hash;
        slot->last = entry->vertex;
        slot->is_used = 1;
        places->first[entry->vertex] = slot->first;
        places->next[entry->vertex] = NO_VERTEX;
    }
    free(table);
    return 0;
}

int places_find(const struct mesh *mesh, struct passes *passes, struct places *places)
{
    const size_t count = mesh->vertex_count;
    struct buckets buckets = {.shift = 32, .count = 1};
    int rc = 0;
    while (buckets.count < BUCKETS && buckets.count * BUCKET_VERTICES < count) {
        buckets.count *= 2;
        buckets.shift--;
    }
    places->first = malloc((count + 1) * sizeof(*places->first));
    places->next = malloc((count + 1) * sizeof(*places->next));
    buckets.entries = malloc((count + 1) * sizeof(*buckets.entries));
    buckets.ends = calloc(buckets.count, sizeof(*buckets.ends));
    if (!places->first || !places->next || !buckets.entries || !buckets.ends)
        rc = ERROR_INPUT;
    if (rc == 0 && !stops_before(passes, 0, 1))
        sort_vertices(mesh, &buckets, places->next);
    for (size_t b = 0; rc == 0 && b < buckets.count && !stops_before(passes, b, buckets.count);
         b += BUCKETS_AT_ONCE) {
        const size_t end =
            b + BUCKETS_AT_ONCE < buckets.count ? b + BUCKETS_AT_ONCE : buckets.count;
#pragma omp parallel for schedule(dynamic) reduction(| : rc) if (end > b + 1)
        for (size_t own = b; own < end; own++) {
            const size_t first = own ? buckets.ends[own - 1][PARTS - 1] : 0;
            rc |= find_in_bucket(
                mesh, buckets.entries + first, buckets.ends[own][PARTS - 1] - first, places);
        }
    }
    free(buckets.entries);
    free(buckets.ends);
    passes->pass++;
    return rc;
}

void places_free(struct places *places)
{
    free(places->first);
    free(places->next);
    *places = (struct places){0};
}
