#include "cli/place.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "images/image.h"
#include "images/output.h"

struct place place_of_status(const struct stat *status, const char *name)
{
    const mode_t mode = status->st_mode;
    return (struct place){!S_ISCHR(mode) && !S_ISSOCK(mode) && (*name || !S_ISDIR(mode)), name,
        status->st_dev, status->st_ino};
}

int place_stat_folder(const char *path, struct stat *status)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - path) : 0, path);
    return stat(!slash ? "." : *folder ? folder : "/", status);
}

struct place place_of_path(const char *path)
{
    struct stat status;
    char file[PATH_MAX];
    int page;
    if (stat(path, &status) == 0 || (image_page(path, file, &page) && stat(file, &status) == 0))
        return place_of_status(&status, "");
    if (place_stat_folder(path, &status) != 0)
        return (struct place){0};
    return place_of_status(&status, output_name(path));
}

int place_is_same(const struct place *a, const struct place *b)
{
    return a->is_known && b->is_known && a->device == b->device && a->number == b->number &&
           strcmp(a->name, b->name) == 0;
}
