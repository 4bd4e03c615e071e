/* Libraries that are opened when they are first needed, since a machine may lack them and loading
 * them takes time. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "error.h"

/* The functions that are called are listed by a macro, F(X) X(first) X(second). They are called by
 * their addresses, which stand in struct { F(LIBRARY_POINTER) }, found by their names, which are
 * {F(LIBRARY_NAME) NULL}. */
#define LIBRARY_POINTER(function) __typeof__(&function) function;
#define LIBRARY_NAME(function) LIBRARY_QUOTED(function), /* also of what is a macro for another */
#define LIBRARY_QUOTED(function) #function

/* Opens the first of `files` that there is, and finds its `functions`; both lists end with NULL.
 * `name` is what messages call it. `pointers`, zeros at first, get the addresses; where they have
 * them, nothing is done. The library stays open. Several threads may call this at once, for the
 * same pointers too. Returns 0 or ERROR_INPUT. */
static inline int library_open(const char *name, const char *const *files,
    const char *const *functions, void **pointers, struct error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    void *handle = NULL;
    size_t count = 0;
    int rc = 0;
    pthread_mutex_lock(&lock);
    if (!pointers[0]) {
        for (size_t i = 0; files[i] && !handle; i++)
            handle = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
        if (!handle)
            rc = error_set(error, ERROR_INPUT, "%s is not installed", name);
        while (rc == 0 && functions[count] && (pointers[count] = dlsym(handle, functions[count])))
            count++;
        if (rc == 0 && functions[count]) {
            rc = error_set(
                error, ERROR_INPUT, "%s is too old: it has no %s", name, functions[count]);
            pointers[0] = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

#endif
