/* What follows the heads of messages between ranks. On one machine whoever gets much copies it out
 * of the other's memory, with all threads and without a copy between; MPI does that with one
 * thread. Where the system does not allow it, as in some containers, and between machines, MPI
 * sends it. */
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/uio.h>
#endif

#include "kernels/device/clock.h"
#include "stages/ranks_state.h"

#define LEAST_BYTES ((size_t)1 << 20) /* for which it is worth a message back and forth */
#define BLOCK_BYTES ((size_t)1 << 22) /* that a thread copies at a time */

/* Where a rank keeps a number that another process hardly has, for others to try whether they reach
 * it. */
struct landmark {
    pid_t pid;
    const double *at;
    double number;
    int reaches; /* this rank reaches rank 0 */
};

/* Copies a block out of the memory of another process. Returns whether that went well. */
static int read_block(pid_t pid, const char *from, char *to, size_t size)
{
#ifdef __linux__
    const struct iovec here = {to, size}, there = {(void *)from, size};
    return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
#else
    (void)pid, (void)from, (void)to, (void)size;
    return 0;
#endif
}

static int reaches(const struct landmark *mark)
{
    double number = 0;
    return read_block(mark->pid, (const char *)mark->at, (char *)&number, sizeof(number)) &&
           number == mark->number;
}

void ranks_find_reach(struct ranks *ranks)
{
    static double number;
    const struct ranks_table *table = ranks->table;
    const int count = ranks->place.count;
    struct landmark own = {.pid = getpid(), .at = &number}, first, other;
    number = own.number = clock_seconds() + 1e-3 * getpid();
    ranks->reaches = ranks->place.host_count == count;
#ifdef __linux__
    if (ranks->reaches)
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* Yama would let only parents reach it */
#endif
    first = own;
    table->broadcast(&first, sizeof(first));
    ranks->pid[0] = first.pid;
    if (ranks->place.rank > 0) {
        own.reaches = ranks->reaches && reaches(&first);
        table->send(0, TAG_GATHER, &own, sizeof(own));
    }
    for (int from = 1; ranks->place.rank == 0 && from < count; from++) {
        table->receive(from, TAG_GATHER, &other, sizeof(other));
        ranks->reaches = ranks->reaches && other.reaches && reaches(&other);
        ranks->pid[from] = other.pid;
    }
    table->broadcast(&ranks->reaches, sizeof(ranks->reaches));
#ifdef __linux__
    if (!ranks->reaches)
        prctl(PR_SET_PTRACER, 0);
#endif
}

static int goes_by_reading(const struct ranks *ranks, size_t size)
{
    return ranks->reaches && size >= LEAST_BYTES;
}

/* Tells another rank where the bytes are; it answers when it has read them. */
static void offer(struct ranks *ranks, int to, const void *bytes)
{
    ranks->table->send(to, TAG_BODY, &bytes, sizeof(bytes));
}

static void await_reader(struct ranks *ranks, int from)
{
    char unused;
    ranks->table->receive(from, TAG_READ, &unused, sizeof(unused));
}

void ranks_send_body(struct ranks *ranks, int to, const void *bytes, size_t size)
{
    if (!goes_by_reading(ranks, size)) {
        ranks->table->send(to, TAG_BODY, bytes, size);
        return;
    }
    offer(ranks, to, bytes);
    await_reader(ranks, to);
}

void ranks_receive_body(struct ranks *ranks, int from, void *bytes, size_t size)
{
    const char *there;
    int is_well = 1;
    if (!goes_by_reading(ranks, size)) {
        ranks->table->receive(from, TAG_BODY, bytes, size);
        return;
    }
    ranks->table->receive(from, TAG_BODY, &there, sizeof(there));
#pragma omp parallel for schedule(dynamic) reduction(&& : is_well)
    for (size_t at = 0; at < size; at += BLOCK_BYTES) {
        const size_t length = size - at < BLOCK_BYTES ? size - at : BLOCK_BYTES;
        is_well = read_block(ranks->pid[from], there + at, (char *)bytes + at, length) && is_well;
    }
    if (!is_well)
        ranks->table->abort(); /* as where the other rank has ended */
    ranks->table->send(from, TAG_READ, "", 1);
}

void ranks_broadcast(struct ranks *ranks, void *bytes, size_t size)
{
    const int count = ranks->place.count;
    if (!goes_by_reading(ranks, size))
        ranks->table->broadcast(bytes, size);
    else if (ranks->place.rank > 0)
        ranks_receive_body(ranks, 0, bytes, size);
    else {
        for (int to = 1; to < count; to++)
            offer(ranks, to, bytes);
        for (int from = 1; from < count; from++)
            await_reader(ranks, from);
    }
}
