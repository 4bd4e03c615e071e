#include "cli/files.h"

#include <assert.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/place.h"
#include "images/image.h"
#include "images/output.h"

#define MAX_FOLDERS_OPEN 8 /* while those of tiles are walked through */

/* Which path of the frames meets the other file, where one does. */
struct meeting {
    const struct place *other;
    char *path;
};

void files_add(struct files *files, enum file_use use, const char *path)
{
    files_add_image(files, use, path, NULL);
}

void files_add_image(struct files *files, enum file_use use, const char *path, const char *format)
{
    assert(files->count < FILES_MAX);
    if (path)
        files->files[files->count++] = (struct file){.use = use, .path = path, .format = format};
}

void files_add_frames(struct files *files, const char *path, uint32_t first, uint32_t last)
{
    assert(files->count < FILES_MAX);
    files->files[files->count++] = (struct file){
        .use = FILE_WRITTEN, .path = path, .is_frames = 1, .first = first, .last = last};
}

void files_add_folder(struct files *files, const char *path)
{
    assert(files->count < FILES_MAX);
    if (path)
        files->files[files->count++] =
            (struct file){.use = FILE_WRITTEN, .path = path, .is_folder = 1};
}

void files_add_set(struct files *files, const char *const *paths, uint32_t count)
{
    assert(files->count < FILES_MAX);
    if (count)
        files->files[files->count++] =
            (struct file){.use = FILE_READ, .path = paths[0], .set = paths, .set_count = count};
}

void files_add_folders_read(struct files *files, const char *const *paths, uint32_t count)
{
    files_add_set(files, paths, count);
    if (count)
        files->files[files->count - 1].is_folder = 1;
}

static int is_written(const struct file *file)
{
    return file->use == FILE_WRITTEN || file->use == FILE_OUTPUT;
}

static struct place place_of(const struct file *file)
{
    struct stat status;
    if (strcmp(file->path, "-") != 0)
        return place_of_path(file->path);
    if (fstat(is_written(file) ? STDOUT_FILENO : STDIN_FILENO, &status) != 0)
        return (struct place){0};
    return place_of_status(&status, "");
}

static int meets(void *context, const char *path)
{
    const struct meeting *meeting = context;
    const struct place place = place_of_path(path);
    if (!place_is_same(&place, meeting->other))
        return 0;
    snprintf(meeting->path, PATH_MAX, "%s", path);
    return 1;
}

/* Whether one of the frames is the other file: among those that are there already, or one of them
 * will get the free name. `path` gets the frame's. */
static int frames_meet(const struct file *frames, const struct place *other, char path[PATH_MAX])
{
    struct meeting meeting = {other, path};
    struct error error;
    char named[PATH_MAX];
    uint32_t frame;
    if (!other->is_known)
        return 0;
    if (!*other->name)
        return output_each_frame(frames->path, frames->first, frames->last, meets, &meeting);
    return output_frame_number(frames->path, other->name, &frame) && frame >= frames->first &&
           frame <= frames->last && output_frame_path(frames->path, 1, frame, named, &error) == 0 &&
           meets(&meeting, named);
}

/* The places of frames that are there already. */
struct places {
    struct place *all;
    size_t count, capacity;
};

static int add_place(void *context, const char *path)
{
    struct places *places = context;
    if (places->count == places->capacity) {
        const size_t more = places->capacity ? 2 * places->capacity : 64;
        struct place *all = realloc(places->all, more * sizeof(*all));
        if (!all)
            return 1;
        places->all = all;
        places->capacity = more;
    }
    places->all[places->count++] = place_of_path(path);
    return 0;
}

static int compare_places(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    if (one->device != other->device)
        return one->device < other->device ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

/* Two frames may be the same file by links; then one would be lost. */
static int check_frames(const struct file *frames, struct error *error)
{
    struct places places = {0};
    int rc = 0;
    if (output_each_frame(frames->path, frames->first, frames->last, add_place, &places) != 0)
        rc =
            error_set(error, ERROR_INPUT, "not enough memory for the frames of '%s'", frames->path);
    if (places.count > 0)
        qsort(places.all, places.count, sizeof(*places.all), compare_places);
    for (size_t i = 1; rc == 0 && i < places.count; i++)
        if (place_is_same(&places.all[i - 1], &places.all[i]))
            rc = error_set(error, ERROR_USAGE,
                "two frames of '%s' lead to the same file by links; remove them or name another "
                "file",
                frames->path);
    free(places.all);
    return rc;
}

/* Files that are there already, in the order of compare_places, and which path leads to one. */
struct lookup {
    const struct places *places;
    char *path;
};

static int is_among(void *context, const char *path)
{
    const struct lookup *lookup = context;
    const struct place place = place_of_path(path);
    if (!place.is_known || *place.name || lookup->places->count == 0 ||
        !bsearch(&place, lookup->places->all, lookup->places->count, sizeof(place), compare_places))
        return 0;
    snprintf(lookup->path, PATH_MAX, "%s", path);
    return 1;
}

/* Whether a frame is by links also one of the other frames, whose names have another extension. */
static int sets_meet(const struct file *frames, const struct file *other, char path[PATH_MAX])
{
    struct places places = {0};
    struct lookup lookup = {&places, path};
    output_each_frame(other->path, other->first, other->last, add_place, &places);
    if (places.count > 0)
        qsort(places.all, places.count, sizeof(*places.all), compare_places);
    const int meet =
        output_each_frame(frames->path, frames->first, frames->last, is_among, &lookup);
    free(places.all);
    return meet;
}

/* Whether the output and the other file are the same; `path` gets that of the output. */
static int are_same(const struct file *output, const struct file *other, char path[PATH_MAX])
{
    const struct place place = place_of(other);
    if (output->is_frames && other->is_frames)
        return sets_meet(output, other, path);
    if (output->is_frames)
        return frames_meet(output, &place, path);
    if (other->is_frames)
        return are_same(other, output, path);
    const struct place own = place_of(output);
    const int are_both_standard =
        is_written(other) && strcmp(output->path, "-") == 0 && strcmp(other->path, "-") == 0;
    snprintf(path, PATH_MAX, "%s", output->path);
    return are_both_standard || place_is_same(&own, &place);
}

static int goes_to(int descriptor, const struct place *place)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    const struct place own = place_of_status(&status, "");
    return place_is_same(&own, place);
}

/* A shell may have opened the file for results and messages to be added to it, and even for the
 * output, which then does not replace it. What is said of standard error goes to standard output
 * instead. */
static int check_standard(const struct file *input, int may_be_output, struct error *error)
{
    const struct place place = place_of(input);
    const char *name = NULL;
    const int is_added = fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND;
    if (goes_to(STDOUT_FILENO, &place) && (!may_be_output || is_added))
        name = "standard output";
    if (goes_to(STDERR_FILENO, &place)) {
        name = "standard error";
        dup2(STDOUT_FILENO, STDERR_FILENO);
    }
    return name ? error_set(error, ERROR_USAGE,
                      "%s goes to '%s', which is read; send it to another file", name, input->path)
                : 0;
}

/* The path of a name in its folder, without links on the way to it. NULL where the folder is not
 * there; the caller frees. */
static char *resolve_name(const char *path)
{
    char parent[PATH_MAX], *whole = NULL;
    const char *slash = strrchr(path, '/');
    snprintf(
        parent, sizeof(parent), "%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
    char *folder = realpath(parent, NULL);
    if (folder && asprintf(&whole, "%s/%s", folder[1] ? folder : "", output_name(path)) < 0)
        whole = NULL;
    free(folder);
    return whole;
}

/* The same of what is there without any links. */
static char *resolve(const char *path)
{
    char *target = realpath(path, NULL);
    return target ? target : resolve_name(path);
}

char *files_tiles(const struct file *file)
{
    if (file->is_folder)
        return realpath(file->path, NULL);
    const char *dot = strrchr(file->path, '.');
    const char *format = file->format ? file->format : dot ? dot + 1 : "";
    const int has_tiles =
        is_written(file) ? strcasecmp(format, "dzi") == 0 : image_has_tiles(file->path);
    char *folder = has_tiles ? image_tiles(file->path) : NULL;
    char *tiles = folder ? resolve(folder) : NULL;
    free(folder);
    return tiles;
}

/* Whether a file, or one that is to be made, lies in the folder or in one of its own, or would get
 * the folder's name. */
static int lies_in(const char *folder, const struct file *file)
{
    char *path = file->is_frames ? resolve_name(file->path) : resolve(file->path);
    const size_t length = strlen(folder);
    const int lies =
        path && strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
    free(path);
    return lies;
}

/* Refuses that a file lies in the folder of tiles of an output, which is replaced with all that is
 * in it. */
static int check_replaced(const struct file *output, const struct file *other, struct error *error)
{
    char *tiles = files_tiles(output);
    const int lies = tiles && lies_in(tiles, other);
    free(tiles);
    return lies ? error_set(error, ERROR_USAGE,
                      "'%s' lies in the folder of tiles %s'%s', which is replaced; name another "
                      "file",
                      other->path, output->is_folder ? "" : "of ", output->path)
                : 0;
}

static int cannot_write_read(const char *path, struct error *error)
{
    return error_set(
        error, ERROR_USAGE, "cannot write '%s': it is the file that is read; name another", path);
}

static int would_write(const struct file *file, struct lookup *lookup)
{
    if (file->is_frames)
        return output_each_frame(file->path, file->first, file->last, is_among, lookup);
    return strcmp(file->path, "-") != 0 && is_among(lookup, file->path);
}

static int check_pair(const struct file *output, const struct file *other, struct error *error)
{
    char path[PATH_MAX];
    int rc = check_replaced(output, other, error);
    if (rc == 0 && is_written(other))
        rc = check_replaced(other, output, error);
    if (rc)
        return rc;
    if (output->use == FILE_OUTPUT && other->use == FILE_REPLACEABLE)
        return 0;
    if (!are_same(output, other, path))
        return 0;
    if (is_written(other))
        return error_set(error, ERROR_USAGE,
            "two outputs cannot both go to %s; name another file for one",
            strcmp(path, "-") == 0 ? "standard output" : path);
    return cannot_write_read(path, error);
}

/* The tiles of an image that is read. */
struct tiles {
    char *folder;
    struct places places; /* of all of them, sorted */
};

static int is_tile_place(const struct tiles *tiles, const struct place *place)
{
    return place->is_known && !*place->name && tiles->places.count > 0 &&
           bsearch(place, tiles->places.all, tiles->places.count, sizeof(*place), compare_places);
}

static int is_tile(void *context, const char *path)
{
    const struct place place = place_of_path(path);
    return is_tile_place(context, &place);
}

/* Whether an output is a tile, by whatever link, or would lie beside them. */
static int meets_tiles(const struct file *output, const struct tiles *tiles)
{
    struct tiles found = *tiles;
    const struct place place = place_of(output);
    if (output->is_frames)
        return lies_in(tiles->folder, output) ||
               output_each_frame(output->path, output->first, output->last, is_tile, &found);
    return is_tile_place(tiles, &place) ||
           (strcmp(output->path, "-") != 0 && lies_in(tiles->folder, output));
}

/* Whether an output's own tiles would replace those that are read, while the file that tells of
 * them stays. */
static int replaces_tiles(const struct file *output, const struct file *input, const char *folder)
{
    const struct place place = place_of(input), own = place_of(output);
    char *tiles = files_tiles(output);
    const int replaces = tiles && strcmp(tiles, folder) == 0 &&
                         !(output->use == FILE_OUTPUT && input->use == FILE_REPLACEABLE &&
                             place_is_same(&own, &place));
    free(tiles);
    return replaces;
}

static struct places *walked; /* by nftw, which gives its callback no context */

static int walk_place(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)place;
    return kind == FTW_F ? add_place(walked, path) : 0;
}

/* Refuses that an output is a tile of an image that is read, or would lie in their folder. */
static int check_tiles(const struct files *files, const struct file *input, struct error *error)
{
    struct tiles tiles = {.folder = files_tiles(input)};
    int rc = 0;
    if (!tiles.folder)
        return 0;
    walked = &tiles.places;
    nftw(tiles.folder, walk_place, MAX_FOLDERS_OPEN, 0);
    walked = NULL;
    if (tiles.places.count > 0)
        qsort(tiles.places.all, tiles.places.count, sizeof(*tiles.places.all), compare_places);
    for (int i = 0; rc == 0 && i < files->count; i++) {
        const struct file *output = &files->files[i];
        if (is_written(output) &&
            (meets_tiles(output, &tiles) || replaces_tiles(output, input, tiles.folder)))
            rc = error_set(error, ERROR_USAGE,
                "cannot write '%s': it meets the tiles of '%s', which are read; name another",
                output->path, input->path);
    }
    free(tiles.places.all);
    free(tiles.folder);
    return rc;
}

/* Refuses that an output is one of a set of files that are read, which may be thousands. */
static int check_set(const struct files *files, const struct file *set, struct error *error)
{
    struct places places = {0};
    char path[PATH_MAX];
    struct lookup lookup = {&places, path};
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < set->set_count; i++) {
        const struct file file = {.use = FILE_READ, .path = set->set[i]};
        if (add_place(&places, set->set[i]) != 0)
            rc = error_set(error, ERROR_INPUT, "not enough memory for the names of the tiles");
        if (rc == 0)
            rc = check_standard(&file, 0, error);
        if (rc == 0)
            rc = check_tiles(files, &file, error);
        for (int j = 0; rc == 0 && j < files->count; j++)
            if (is_written(&files->files[j]))
                rc = check_replaced(&files->files[j], &file, error);
    }
    if (rc == 0)
        qsort(places.all, places.count, sizeof(*places.all), compare_places);
    for (int j = 0; rc == 0 && j < files->count; j++)
        if (is_written(&files->files[j]) && would_write(&files->files[j], &lookup))
            rc = cannot_write_read(path, error);
    free(places.all);
    return rc;
}

static int is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Refuses an output that the next command would read, with all other files of its folder; also the
 * folder itself, where files are to be written. */
static int check_folders(const struct files *files, const struct file *read, struct error *error)
{
    struct stat folder, other;
    for (uint32_t i = 0; i < read->set_count; i++)
        for (int j = 0; stat(read->set[i], &folder) == 0 && j < files->count; j++) {
            const char *path = files->files[j].path;
            if (is_written(&files->files[j]) && strcmp(path, "-") != 0 && S_ISDIR(folder.st_mode) &&
                ((place_stat_folder(path, &other) == 0 && is_same(&other, &folder)) ||
                    (stat(path, &other) == 0 && is_same(&other, &folder))))
                return error_set(error, ERROR_USAGE,
                    "cannot write '%s': all files in folder '%s' are read as tiles, the next time "
                    "this one too; name another folder",
                    path, read->set[i]);
        }
    return 0;
}

int files_check(const struct files *files, struct error *error)
{
    int rc = 0, writes_to_standard = 0;
    for (int i = 0; i < files->count; i++)
        writes_to_standard |=
            files->files[i].use == FILE_OUTPUT && strcmp(files->files[i].path, "-") == 0;
    for (int i = 0; rc == 0 && i < files->count; i++) {
        const struct file *file = &files->files[i];
        if (file->set_count) {
            rc =
                file->is_folder ? check_folders(files, file, error) : check_set(files, file, error);
            continue;
        }
        if (!is_written(file)) {
            rc = check_standard(file, file->use == FILE_REPLACEABLE && writes_to_standard, error);
            if (rc == 0)
                rc = check_tiles(files, file, error);
            continue;
        }
        if (file->is_frames)
            rc = check_frames(file, error);
        for (int j = 0; rc == 0 && j < files->count; j++)
            if (!files->files[j].set_count && (j > i || !is_written(&files->files[j])))
                rc = check_pair(file, &files->files[j], error);
    }
    return rc;
}

int files_are_named(int argc, char *const argv[], int descriptor)
{
    for (int i = 1; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        const struct place whole = place_of_path(argv[i]);
        const struct place part = value ? place_of_path(value + 1) : (struct place){0};
        if (goes_to(descriptor, &whole) || goes_to(descriptor, &part))
            return 1;
    }
    return 0;
}
