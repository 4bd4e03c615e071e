/* Messages between ranks by MPI: a library of its own, see ranks_module.h. */
#include "stages/ranks_module.h"

#include <mpi.h>

#define MESSAGE_BYTES ((size_t)1 << 30) /* MPI counts in an int */

static const char *start(struct ranks_place *place)
{
    MPI_Comm host;
    int level;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
        return "MPI does not start";
    if (level < MPI_THREAD_SERIALIZED)
        return "this MPI can be called by one thread only";
    MPI_Comm_rank(MPI_COMM_WORLD, &place->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &place->count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, place->rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &place->on_host);
    MPI_Comm_size(host, &place->host_count);
    MPI_Comm_free(&host);
    return NULL;
}

static int next_size(size_t size, size_t done)
{
    return (int)(size - done < MESSAGE_BYTES ? size - done : MESSAGE_BYTES);
}

static void send_message(int to, int tag, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size; done += MESSAGE_BYTES)
        MPI_Send(
            (const char *)bytes + done, next_size(size, done), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

static int probe(int tag, int *from)
{
    MPI_Status status;
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there)
        *from = status.MPI_SOURCE;
    return is_there;
}

static void receive(int from, int tag, void *bytes, size_t size)
{
    for (size_t done = 0; done < size; done += MESSAGE_BYTES)
        MPI_Recv((char *)bytes + done, next_size(size, done), MPI_BYTE, from, tag, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
}

static void broadcast(void *bytes, size_t size)
{
    for (size_t done = 0; done < size; done += MESSAGE_BYTES)
        MPI_Bcast((char *)bytes + done, next_size(size, done), MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void end(void)
{
    MPI_Finalize();
}

static void abort_all(void)
{
    MPI_Abort(MPI_COMM_WORLD, 1);
}

__attribute__((visibility("default"))) extern const struct ranks_table tessera_ranks_table;
const struct ranks_table tessera_ranks_table = {
    .start = start,
    .send = send_message,
    .probe = probe,
    .receive = receive,
    .broadcast = broadcast,
    .end = end,
    .abort = abort_all,
};
