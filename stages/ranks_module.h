/* Messages between ranks, by MPI. ranks_module.c implements it in a library of its own, which is
 * opened only where several ranks were started, so that programs run without MPI installed. No two
 * threads may be in it at once. */
#ifndef RANKS_MODULE_H
#define RANKS_MODULE_H

#include <stddef.h>

#define RANKS_LIBRARY "libtessera_mpi.so." SOVERSION
#define RANKS_TABLE "tessera_ranks_table" /* the name of a const struct ranks_table */

/* Which of `count` ranks this process is, and which of those on its machine. */
struct ranks_place {
    int rank, count;
    int on_host, host_count;
};

struct ranks_table {
    /* Starts MPI. Returns NULL, or what went wrong. */
    const char *(*start)(struct ranks_place *place);
    /* Sends a message, whose receiver knows its size. Messages between two ranks with one tag
     * arrive in order. */
    void (*send)(int to, int tag, const void *bytes, size_t size);
    /* Whether a message with that tag is there, from which rank. Does not wait. */
    int (*probe)(int tag, int *from);
    void (*receive)(int from, int tag, void *bytes, size_t size);
    /* Brings rank 0's bytes to all; every rank calls it. */
    void (*broadcast)(void *bytes, size_t size);
    void (*end)(void);   /* waits until all ranks call it */
    void (*abort)(void); /* kills all ranks, this one too */
};

#endif
