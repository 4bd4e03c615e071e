/* Places of files: what two paths to the same file have in common, whatever their spelling, and by
 * links too. */
#ifndef PLACE_H
#define PLACE_H

#include <sys/stat.h>

/* Where a path leads: to a file, or to a name that is free in a folder. */
struct place {
    int is_known;     /* 0: to nothing that could be lost, such as /dev/null, or to no folder */
    const char *name; /* in the folder; "" for a file that is there */
    dev_t device;
    ino_t number;
};

/* Of an open file, or of the folder in which `name` is free; `name` is not copied. */
struct place place_of_status(const struct stat *status, const char *name);

/* Of the file, also where the path is FILE[PAGE]; else of the free name in its folder. */
struct place place_of_path(const char *path);

/* The status of the folder in which the path names a file. Returns as stat. */
int place_stat_folder(const char *path, struct stat *status);

/* Whether both are known and the same. */
int place_is_same(const struct place *a, const struct place *b);

#endif
