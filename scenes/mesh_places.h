/* Which vertices of a mesh have the same position; for scenes/ alone. */
#ifndef MESH_PLACES_H
#define MESH_PLACES_H

#include "scenes/mesh.h"

#define NO_VERTEX UINT32_MAX
#define PARALLEL_RECORDS 16384          /* fewer are done before other threads wake up */
#define BLOCK_RECORDS ((size_t)1 << 17) /* that threads share between two reports */
#define PARTS 64 /* of all records, whatever the threads, where each part has a result of its own */

/* The first record of a part, or behind the last one of all. */
static inline size_t part_start(size_t count, size_t part)
{
    return count / PARTS * part + part * (count % PARTS) / PARTS;
}

/* Several passes over a mesh, of which each reports how far it is. */
struct passes {
    const struct progress *progress;
    int pass, count; /* the one at work, from 0; of all */
    int is_stopped;
};

/* Whether the user asks to stop, before record `i` of a pass over `count`. */
static inline int stops_before(struct passes *passes, size_t i, size_t count)
{
    const double share = (passes->pass + (double)i / (double)count) / passes->count;
    passes->is_stopped = passes->is_stopped || progress_report(passes->progress, share);
    return passes->is_stopped;
}

/* The same of a loop that one thread runs: asks now and then. */
static inline int stops(struct passes *passes, size_t i, size_t count)
{
    return passes->is_stopped || (i % REPORT_EVERY == 0 && stops_before(passes, i, count));
}

/* The vertices that have the same position in every bit (0 and -0 alike) make one place. */
struct places {
    uint32_t *first; /* of each vertex: the first one at its place */
    uint32_t *next;  /* the next one there, or NO_VERTEX */
};

/* Finds the places; it is a pass. Returns 0, or ERROR_INPUT when memory is short, without a
 * message; places_free is for the caller in either case. Stopped, it leaves places unfinished. */
int places_find(const struct mesh *mesh, struct passes *passes, struct places *places);

void places_free(struct places *places);

/* Slots of a hash table that stays at most half full; a power of two. */
size_t table_size(size_t count);

#endif
