/* What the ranks' own code shares: the state of a rank, and messages between them. */
#ifndef RANKS_STATE_H
#define RANKS_STATE_H

#include <pthread.h>
#include <sys/types.h>

#include "stages/ranks_module.h"
#include "stages/run.h"

#define NAP_LEAST 20e-6 /* seconds between two looks for messages, just after one */

/* Heads of messages have one tag, what follows some of them another, and that it was read a third;
 * what is gathered has no head. */
enum { TAG_HEAD = 1, TAG_BODY, TAG_READ, TAG_GATHER };

enum message_kind {
    /* To rank 0: */
    MESSAGE_TAKE,
    MESSAGE_GIVE, /* part and size; its result follows */
    MESSAGE_FAIL, /* the reason follows */
    MESSAGE_WARN, /* the warning follows */
    MESSAGE_STOP, /* the user asks to stop */
    MESSAGE_BYE,  /* a struct rank_times follows */
    /* From rank 0: */
    MESSAGE_PART,  /* to make; what it is made from follows, of that size */
    MESSAGE_NONE,  /* no part is left */
    MESSAGE_SHARE, /* parts and size; the inputs are broadcast */
    MESSAGE_END,   /* of the job */
};

struct message {
    enum message_kind kind;
    uint32_t number; /* of the share that it belongs to, from 1 */
    uint32_t part, parts;
    size_t size[SHARE_INPUTS];
};

/* How long a rank's stages took. */
struct rank_times {
    int count;
    struct {
        char stage[32];
        double seconds;
    } row[MAX_STAGES];
};

/* What another rank warns of. */
struct warning {
    struct warning *next;
    int rank;
    char text[];
};

struct ranks {
    const struct ranks_table *table;
    struct ranks_place place;
    /* OpenMP's: */
    int threads_alone;   /* of stages on the host, while the work is not shared */
    int threads_shared;  /* of rank 0's pipeline, while it is, */
    int threads_answers; /* and of its thread that answers the others */
    int reaches; /* rank 0 may read the memory of the others, and each of them that of rank 0 */
    pid_t *pid;  /* of all ranks in rank 0; of another rank, of rank 0 alone */

    /* Rank 0 has two threads: the pipeline's, and one that answers the others. One at a time calls
     * MPI, under mpi_lock; what follows is theirs under `lock`, which is never held for long. */
    pthread_mutex_t mpi_lock, lock;
    pthread_t answers;
    struct share share;
    uint32_t number; /* of the share; of another rank, of the one it works on */
    uint32_t next;   /* part to be handed out */
    uint32_t places; /* of results: no part is handed out so many after the first unfinished one */
    uint32_t finished; /* parts, of a share that finishes them */
    char *is_there;    /* the same: whether the result at a place is */
    int finish_rc;     /* what the caller's finish returned; only for the pipeline's thread */
    uint32_t *waiting; /* of each rank: the number of the share of which it waits for a place */
    int parts_out;     /* parts that others make, whose results are not here yet */
    int uses_share;    /* the answering thread is at what the share points to */
    int has_failed;    /* another rank; `error` says why */
    struct error error;
    struct warning *warnings; /* of other ranks, which are to be told, in their order */
    int is_stopped;           /* another rank was asked to stop; of another rank, has told so */
    int left;                 /* ranks that have said goodbye */
    int have_left;            /* all have */
    int has_disbanded;        /* ranks_disband has been called */
    int is_over;              /* nothing more is answered */
    struct run *run;          /* whose times the others' are added to */

    void *part_input; /* of the part that this rank makes */
    size_t part_input_size;

    /* Another rank's: */
    void *input[SHARE_INPUTS]; /* of the share; NULL where the caller keeps it */
    struct message pending;    /* rank 0 has gone on to this work */
    int has_pending;
    int holds_part; /* that is to be handed in */
    uint32_t held;
    int has_ended; /* rank 0 has said so */
};

/* Sleeps between two looks, longer and longer. */
void ranks_nap(double *seconds);

void ranks_send_head(struct ranks *ranks, int to, struct message message);

/* Finds out who reaches whose memory; all ranks call it, before anything else is sent. */
void ranks_find_reach(struct ranks *ranks);

/* What follows a head and may be large, from rank 0 or to it, whose size both know; and rank 0's
 * bytes to all, as all call it. */
void ranks_send_body(struct ranks *ranks, int to, const void *bytes, size_t size);
void ranks_receive_body(struct ranks *ranks, int from, void *bytes, size_t size);
void ranks_broadcast(struct ranks *ranks, void *bytes, size_t size);

/* Whether this is another rank than 0. */
int ranks_is_other(const struct run *run);

/* Another rank takes a message of rank 0 that is there, and keeps it where it is not an answer. */
struct message ranks_take_head(struct ranks *ranks);

/* Another rank gets the inputs of the work that rank 0 has gone on to, as all ranks have to; frees
 * those that nobody has kept. */
void ranks_receive_inputs(struct ranks *ranks, struct share *share);
void ranks_free_inputs(struct ranks *ranks);

/* Rank 0's thread that answers the others, until ranks->is_over; `context` is the struct ranks. */
void *ranks_answer(void *context);

#endif
