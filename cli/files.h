/* The files that a command reads and writes, held against each other before any work is done, so
 * that nothing of the user's is lost. What counts is which file a path leads to: links, hard links
 * and other spellings of it are the same file, and so is what standard input or output was
 * redirected to. */
#ifndef FILES_H
#define FILES_H

#include <stdint.h>

#include "error.h"

enum file_use {
    FILE_READ,        /* no output may be the same file */
    FILE_REPLACEABLE, /* it is read as a whole first, so OUTPUT may be the same file */
    FILE_WRITTEN,     /* no other file of the command may be the same */
    FILE_OUTPUT,      /* likewise, but those that are FILE_REPLACEABLE */
};

/* A path, "-" for standard input or output; or frames, which stand for a-0001.png, a-0002.png,
 * ...; or a set of files that are read, of which `path` is the first; or a folder of tiles that is
 * written; or a set of paths, among them folders whose files are all read. */
struct file {
    enum file_use use;
    const char *path;   /* of frames: "a.png" */
    const char *format; /* of an image that is written; NULL: by its extension */
    int is_frames, is_folder;
    uint32_t first, last; /* of the frames */
    const char *const *set;
    uint32_t set_count; /* 0: this is no set */
};

#define FILES_MAX 2048 /* of a command */

struct files {
    int count;
    struct file files[FILES_MAX];
};

/* Add a file, unless path is NULL; the path stays the caller's. Several sets of frames differ in
 * their extensions, which is not checked. An image has a format, NULL where its extension tells. */
void files_add(struct files *files, enum file_use use, const char *path);
void files_add_image(struct files *files, enum file_use use, const char *path, const char *format);
void files_add_folder(struct files *files, const char *path);
void files_add_folders_read(struct files *files, const char *const *paths, uint32_t count);
void files_add_set(struct files *files, const char *const *paths, uint32_t count);
void files_add_frames(struct files *files, const char *path, uint32_t first, uint32_t last);

/* Refuses that an output is a file that is read, or another output, or would be read by the next
 * command, since it lies in a folder whose files are all read. Returns 0, ERROR_USAGE, or
 * ERROR_INPUT where memory is short. */
int files_check(const struct files *files, struct error *error);

/* The folder of tiles, which may belong to a DeepZoom image and is perhaps still to be made; NULL
 * where there are none. The caller frees it. */
char *files_tiles(const struct file *file);

/* Whether what is written to the descriptor is added to a file that an argument names, by itself or
 * behind a "=": it may be one that is read, and must get no message. */
int files_are_named(int argc, char *const argv[], int descriptor);

#endif
