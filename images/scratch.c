/* What a process has touched of a mapped file counts as its memory until it lets go of it, and only
 * a system that is short of memory makes it do so. Hence a thread that looks at how much that is,
 * and lets go of all where it is more than a quarter of what the process is to take. It may do so
 * at any time: the content stays with the file, which the system writes when it wants to, and what
 * is touched again is mapped again. So stages and formats need not know of it, but for loops over
 * pixels that have many threads or read a few bytes here and there: they map gigabytes between two
 * looks. They call scratch_pass, which looks itself and has the others wait. A quarter, so that
 * there is room for what other threads touch meanwhile, and for all that is no image. */
#include "images/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "images/memory.h"

#define LOOK_NANOSECONDS 5000000       /* between two looks; some 10 MB are touched in that time */
#define PASSED_MOST ((size_t)16 << 20) /* bytes that a loop passes between two looks */

/* Memory, or a file that is mapped. */
struct allocation {
    void *memory;
    size_t size;
    int is_file;
    struct allocation *next;
};

struct scratch {
    uint64_t memory;      /* bytes that the process is to take */
    uint64_t held;        /* bytes of allocations that are no files */
    atomic_size_t passed; /* bytes that scratch_pass was told of since it looked */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct allocation *allocations;
    pthread_t watcher;
    atomic_int is_watched; /* there are, or were, files */
    int is_ending;
    int statm; /* file that tells what is mapped, once it is watched */
};

/* The bytes of mapped files that are in memory; all that there are where nobody tells. */
static uint64_t mapped_bytes(const struct scratch *s)
{
    char text[128] = "";
    unsigned long long pages;
    if (pread(s->statm, text, sizeof(text) - 1, 0) <= 0 ||
        sscanf(text, "%*u %*u %llu", &pages) != 1)
        return UINT64_MAX;
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Lets go of all files where more of them is in memory than is meant to be. */
static void look(const struct scratch *s)
{
    if (mapped_bytes(s) <= s->memory / 4)
        return;
    for (struct allocation *allocation = s->allocations; allocation; allocation = allocation->next)
        if (allocation->is_file)
            madvise(allocation->memory, allocation->size, MADV_DONTNEED);
}

static void *watch(void *context)
{
    struct scratch *s = context;
    struct timespec next;
    pthread_mutex_lock(&s->lock);
    while (!s->is_ending) {
        look(s);
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_nsec += LOOK_NANOSECONDS;
        if (next.tv_nsec >= 1000000000) {
            next.tv_nsec -= 1000000000;
            next.tv_sec++;
        }
        pthread_cond_timedwait(&s->wake, &s->lock, &next);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

void scratch_pass(struct scratch *s, size_t bytes)
{
    if (!s || !atomic_load_explicit(&s->is_watched, memory_order_relaxed) ||
        atomic_fetch_add(&s->passed, bytes) + bytes <= PASSED_MOST)
        return;
    pthread_mutex_lock(&s->lock);
    if (atomic_load(&s->passed) > PASSED_MOST) { /* no other thread has looked meanwhile */
        atomic_store(&s->passed, 0);
        look(s);
    }
    pthread_mutex_unlock(&s->lock);
}

struct scratch *scratch_open(uint64_t memory)
{
    struct scratch *s = calloc(1, sizeof(*s));
    if (!s)
        return NULL;
    s->memory = memory ? memory : memory_limit();
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
    return s;
}

/* Signals are for the thread that the user's program has. */
static int start_watcher(struct scratch *s)
{
    sigset_t all, before;
    if (s->is_watched)
        return 0;
    s->statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failure = pthread_create(&s->watcher, NULL, watch, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    s->is_watched = !failure;
    if (failure && s->statm >= 0)
        close(s->statm);
    return failure;
}

/* Returns 0 or an errno. The file has no name as soon as it is there, so nothing can be left of
 * it. */
static int map_file(const char *folder, size_t size, void **memory)
{
    char path[PATH_MAX];
    snprintf(path, sizeof(path), "%s/tessera.XXXXXX", folder);
    const int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        return errno;
    int failure = unlink(path) == 0 ? EINTR : errno;
    while (failure == EINTR)
        failure = posix_fallocate(fd, 0, (off_t)size);
    if (!failure) {
        *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        failure = *memory == MAP_FAILED ? errno : 0;
    }
    close(fd);
    return failure;
}

static int fill_allocation(struct scratch *s, struct allocation *allocation, struct error *error)
{
    const char *named = getenv("TMPDIR"), *folder = named && *named ? named : "/var/tmp";
    allocation->is_file =
        allocation->size > s->memory / 2 || s->held > s->memory / 2 - allocation->size;
    if (!allocation->is_file) {
        allocation->memory = calloc(1, allocation->size);
        s->held += allocation->memory ? allocation->size : 0;
        return allocation->memory ? 0
                                  : error_set(error, ERROR_INPUT, "not enough memory for %zu bytes",
                                        allocation->size);
    }
    if (start_watcher(s) != 0)
        return error_set(error, ERROR_INPUT, "not enough memory for a thread");
    const int failure = map_file(folder, allocation->size, &allocation->memory);
    return failure ? error_set(error, ERROR_INPUT,
                         "cannot make a scratch file of %zu bytes in '%s': %s; name another folder "
                         "in TMPDIR, or allow more memory",
                         allocation->size, folder, strerror(failure))
                   : 0;
}

void *scratch_new(struct scratch *scratch, size_t size, struct error *error)
{
    struct allocation *allocation = scratch ? calloc(1, sizeof(*allocation)) : NULL;
    if (!allocation) {
        void *memory = scratch ? NULL : calloc(1, size);
        if (!memory)
            error_write(error, "not enough memory for %zu bytes", size);
        return memory;
    }
    allocation->size = size;
    pthread_mutex_lock(&scratch->lock);
    if (fill_allocation(scratch, allocation, error) == 0) {
        allocation->next = scratch->allocations;
        scratch->allocations = allocation;
    } else {
        free(allocation);
        allocation = NULL;
    }
    pthread_mutex_unlock(&scratch->lock);
    return allocation ? allocation->memory : NULL;
}

static void drop_allocation(struct scratch *s, struct allocation **place)
{
    struct allocation *allocation = *place;
    *place = allocation->next;
    if (allocation->is_file) {
        munmap(allocation->memory, allocation->size);
    } else {
        free(allocation->memory);
        s->held -= allocation->size;
    }
    free(allocation);
}

void scratch_free(struct scratch *scratch, void *memory)
{
    if (!scratch || !memory) {
        free(memory);
        return;
    }
    pthread_mutex_lock(&scratch->lock);
    struct allocation **place = &scratch->allocations;
    while ((*place)->memory != memory)
        place = &(*place)->next;
    drop_allocation(scratch, place);
    pthread_mutex_unlock(&scratch->lock);
}

void scratch_close(struct scratch *scratch)
{
    if (!scratch)
        return;
    pthread_mutex_lock(&scratch->lock);
    scratch->is_ending = 1;
    pthread_cond_signal(&scratch->wake);
    pthread_mutex_unlock(&scratch->lock);
    if (scratch->is_watched) {
        pthread_join(scratch->watcher, NULL);
        if (scratch->statm >= 0)
            close(scratch->statm);
    }
    while (scratch->allocations)
        drop_allocation(scratch, &scratch->allocations);
    pthread_cond_destroy(&scratch->wake);
    pthread_mutex_destroy(&scratch->lock);
    free(scratch);
}
