#include "cli/loose.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "images/output.h"

#define FOLDERS_OPEN 16 /* at a time, while one is removed */

static int is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Compares names letter by letter, but numbers in them by their size; those that are equal but for
 * zeros in front of numbers, letter by letter. */
static int compare_naturally(const void *x, const void *y)
{
    const char *const *one = x, *const *other = y;
    const char *a = *one, *b = *other;
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0");
            b += strspn(b, "0");
            const size_t digits = strspn(a, "0123456789"), others = strspn(b, "0123456789");
            const int order =
                digits != others ? (digits > others) - (digits < others) : strncmp(a, b, digits);
            if (order)
                return order;
            a += digits;
            b += others;
        } else if (*a != *b) {
            return (unsigned char)*a - (unsigned char)*b;
        } else {
            a++;
            b++;
        }
    }
    return *a != *b ? (unsigned char)*a - (unsigned char)*b : strcmp(*one, *other);
}

static int add(struct loose *loose, const char *folder, const char *name, struct error *error)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    if (loose->count == loose->capacity) {
        const uint32_t capacity = loose->capacity ? 2 * loose->capacity : 256;
        char **paths = realloc(loose->paths, capacity * sizeof(*paths));
        if (paths) {
            loose->paths = paths;
            loose->capacity = capacity;
        }
    }
    char *path = loose->count < loose->capacity ? malloc(size) : NULL;
    if (!path)
        return error_set(error, ERROR_INPUT, "not enough memory for the names of the tiles");
    const int has_slash = !*folder || folder[strlen(folder) - 1] == '/';
    snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    loose->paths[loose->count++] = path;
    if (loose->count <= MAX_TILES)
        return 0;
    return error_set(error, ERROR_INPUT, "there are more than %d tiles", MAX_TILES);
}

/* Adds the files of a folder, but for hidden ones and for what is no file. */
static int add_folder(struct loose *loose, const char *folder, struct error *error)
{
    DIR *entries = opendir(folder);
    const uint32_t before = loose->count;
    struct dirent *entry;
    struct stat status;
    int rc = 0;
    if (!entries)
        return error_set(
            error, ERROR_INPUT, "cannot read folder '%s': %s", folder, strerror(errno));
    while (rc == 0 && (errno = 0, entry = readdir(entries)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        rc = add(loose, folder, entry->d_name, error);
        if (rc == 0 && stat(loose->paths[loose->count - 1], &status) == 0 &&
            !S_ISREG(status.st_mode))
            free(loose->paths[--loose->count]);
    }
    if (rc == 0 && errno)
        rc = error_set(error, ERROR_INPUT, "cannot read folder '%s': %s", folder, strerror(errno));
    closedir(entries);
    if (rc == 0 && loose->count == before)
        rc = error_set(error, ERROR_INPUT,
            "folder '%s' has no files; name one with the images of single tiles", folder);
    return rc;
}

int loose_find(const char *const *inputs, uint32_t count, struct loose *loose, struct error *error)
{
    int rc = 0;
    if (count == 1 && !is_folder(inputs[0]))
        return 0;
    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        const int is_named = !is_folder(inputs[i]);
        rc = is_named ? add(loose, "", inputs[i], error) : add_folder(loose, inputs[i], error);
        loose->are_named |= is_named;
    }
    if (rc == 0)
        qsort(loose->paths, loose->count, sizeof(*loose->paths), compare_naturally);
    for (uint32_t i = 1; rc == 0 && i < loose->count; i++)
        if (strcmp(loose->paths[i - 1], loose->paths[i]) == 0)
            rc = error_set(
                error, ERROR_USAGE, "'%s' is named twice; name each tile once", loose->paths[i]);
    return rc;
}

void loose_free(struct loose *loose)
{
    for (uint32_t i = 0; i < loose->count; i++)
        free(loose->paths[i]);
    free(loose->paths);
    *loose = (struct loose){0};
}

/* The folder of the tiles, which has another name until all are written. */
struct folder {
    char *path; /* its own name, without slashes at its end */
    char *temporary;
    int fd;
};

static int cannot_make(const char *path, const char *reason, struct error *error)
{
    return error_set(error, ERROR_INPUT, "cannot make folder '%s': %s; name another", path, reason);
}

/* Refuses a path where no folder can be put: it may be there, but must be empty. */
static int check_place(const char *path, struct error *error)
{
    struct stat status, current;
    struct dirent *entry;
    int entry_count = 0;
    if (strcmp(path, "-") == 0)
        return cannot_make(path, "standard output takes no folder", error);
    if (!*path)
        return cannot_make(path, strerror(ENOENT), error);
    if (lstat(path, &status) != 0)
        return errno == ENOENT ? 0 : cannot_make(path, strerror(errno), error);
    if (S_ISDIR(status.st_mode) && stat(".", &current) == 0 && current.st_ino == status.st_ino &&
        current.st_dev == status.st_dev)
        return cannot_make(path, "it is the current one", error);
    DIR *entries = S_ISLNK(status.st_mode) ? NULL : opendir(path);
    if (!entries)
        return cannot_make(path, S_ISLNK(status.st_mode) ? "it is a link" : strerror(errno), error);
    while ((entry = readdir(entries)) != NULL)
        entry_count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(entries);
    return entry_count ? cannot_make(path, "it is there and not empty", error) : 0;
}

static int make_folder(const char *path, struct folder *folder, struct error *error)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    *folder = (struct folder){.path = strndup(path, length)};
    int rc =
        folder->path ? check_place(folder->path, error) : cannot_make(path, strerror(errno), error);
    if (rc == 0) {
        folder->fd = output_make_folder(folder->path, &folder->temporary);
        if (folder->fd < 0)
            rc = cannot_make(path, strerror(errno), error);
    }
    if (rc)
        free(folder->path);
    return rc;
}

/* Lets messages about files in the folder call it by its own name. */
static void tell_own_name(const struct folder *folder, struct error *error)
{
    const char *temporary = output_name(folder->temporary), *own = output_name(folder->path);
    for (char *at = error->text; (at = strstr(at, temporary)) != NULL; at += strlen(own)) {
        const struct error told = *error;
        const size_t before = (size_t)(at - error->text);
        snprintf(
            at, sizeof(error->text) - before, "%s%s", own, told.text + before + strlen(temporary));
    }
}

/* For nftw: removes a folder with what is in it, the tiles of DeepZoom images too. */
static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(struct folder *folder)
{
    if (folder->temporary)
        nftw(folder->temporary, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
    free(folder->temporary);
    free(folder->path);
    close(folder->fd);
}

/* Copies a tile out of the image. */
static void copy_tile(
    const struct image *image, struct grid grid, uint32_t number, const struct image *tile)
{
    image_copy_area(image, (int)(number % grid.columns) * tile->width,
        (int)(number / grid.columns) * tile->height, tile->width, tile->height, tile, 0, 0);
}

/* "FOLDER/tile-007.png". */
static int tile_path(const char *folder, const char *format, uint32_t number, uint32_t count,
    char path[PATH_MAX], struct error *error)
{
    char last[16];
    const int digits = snprintf(last, sizeof(last), "%u", count - 1);
    if (snprintf(path, PATH_MAX, "%s/tile-%0*u.%s", folder, digits, number,
            format ? format : "png") < PATH_MAX)
        return 0;
    return error_set(error, ERROR_INPUT,
        "the name of folder '%.100s...' is too long; choose a shorter one", folder);
}

int loose_check(const char *path, const char *format, const struct image *tile, struct error *error)
{
    struct folder folder;
    char file[PATH_MAX];
    int rc = make_folder(path, &folder, error);
    if (rc)
        return rc;
    rc = tile_path(folder.temporary, format, 0, 1, file, error);
    if (rc == 0)
        rc = image_check_output(file, format, tile, error);
    if (rc)
        tell_own_name(&folder, error);
    remove_folder(&folder);
    return rc;
}

static int write_tiles(const char *folder, const char *format, const struct image *image,
    struct grid grid, uint32_t count, const struct progress *progress, struct error *error)
{
    struct image tile;
    char path[PATH_MAX];
    int rc = image_new(image->width / (int)grid.columns, image->height / (int)grid.rows,
        image->channels, image->depth, &tile, error);
    tile.metadata = image->metadata;
    tile.quality = image->quality;
    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        copy_tile(image, grid, i, &tile);
        rc = tile_path(folder, format, i, count, path, error);
        if (rc == 0)
            rc = image_write(path, format, &tile, NULL, error);
        if (rc == 0 && progress_report(progress, (double)(i + 1) / count))
            rc = error_set(error, ERROR_STOPPED, "stopped");
    }
    tile.metadata = (struct metadata){0};
    image_free(&tile);
    return rc;
}

int loose_write(const char *path, const char *format, const struct image *image, struct grid grid,
    uint32_t count, const struct progress *progress, struct error *error)
{
    struct folder folder;
    int rc = make_folder(path, &folder, error);
    if (rc)
        return rc;
    rc = write_tiles(folder.temporary, format, image, grid, count, progress, error);
    if (rc) {
        tell_own_name(&folder, error);
    } else if (rename(folder.temporary, folder.path) == 0) {
        free(folder.temporary);
        folder.temporary = NULL;
    } else {
        rc = cannot_make(path, strerror(errno), error);
    }
    remove_folder(&folder);
    return rc;
}
