/* The line that ends a command on a terminal: what was written, its size, how long it took. */
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/size.h"
#include "images/output.h"
#include "kernels/device/clock.h"

#define MAX_NAMED 3 /* files */

/* A file, or frames, that may be written; of frames, the first one's status is kept. */
struct expected {
    struct file file;
    char *path; /* of the file, or of the first frame */
    struct stat before;
    int was_there;
};

/* One command a process: there is one set of them. */
static struct {
    struct expected *all;
    int count;
    double start;
} expected;

/* What was found of a file or of frames. */
struct found {
    int count;
    uint64_t bytes;
};

static void forget(void)
{
    for (int i = 0; i < expected.count; i++)
        free(expected.all[i].path);
    free(expected.all);
    expected.all = NULL;
    expected.count = 0;
}

void cli_expect_written(const struct files *files)
{
    forget();
    expected.start = clock_seconds();
    expected.all = calloc((size_t)files->count + 1, sizeof(*expected.all));
    for (int i = 0; expected.all && i < files->count; i++) {
        const struct file *file = &files->files[i];
        struct expected *kept = &expected.all[expected.count];
        char path[PATH_MAX];
        struct error error;
        if (file->use == FILE_READ || file->use == FILE_REPLACEABLE)
            continue;
        if (output_frame_path(file->path, file->is_frames, file->first, path, &error) != 0)
            continue;
        kept->file = *file;
        kept->path = strdup(path);
        kept->was_there = stat(path, &kept->before) == 0;
        expected.count += kept->path != NULL;
    }
}

static int add_frame(void *context, const char *path)
{
    struct found *found = context;
    struct stat status;
    if (stat(path, &status) == 0) {
        found->count++;
        found->bytes += (uint64_t)status.st_size;
    }
    return 0;
}

/* The bytes of the files in a folder, and how many stand in it itself; nftw has no context. */
static struct found in_folder;

static int add_file(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)path;
    in_folder.bytes += type == FTW_F ? (uint64_t)status->st_size : 0;
    in_folder.count += type == FTW_F && at->level == 1;
    return 0;
}

static struct found measure_folder(const char *path)
{
    in_folder = (struct found){0};
    nftw(path, add_file, 8, FTW_PHYS);
    return in_folder;
}

/* The tiles of a DeepZoom image. */
static uint64_t measure_tiles(const struct file *file)
{
    char *folder = files_tiles(file);
    const uint64_t bytes = folder ? measure_folder(folder).bytes : 0;
    free(folder);
    return bytes;
}

/* A file that is written is a new one under the old name; devices and pipes are not told. */
static struct found find_written(const struct expected *e)
{
    struct found found = {0};
    struct stat now;
    const struct stat *before = &e->before;
    if (strcmp(e->path, "-") == 0)
        return (struct found){.count = 1};
    if (stat(e->path, &now) != 0 || !(e->file.is_folder || S_ISREG(now.st_mode)))
        return found;
    if (e->was_there && now.st_ino == before->st_ino && now.st_mtime == before->st_mtime &&
        now.st_size == before->st_size)
        return found;
    if (e->file.is_frames)
        output_each_frame(e->file.path, e->file.first, e->file.last, add_frame, &found);
    else if (e->file.is_folder)
        found = measure_folder(e->path);
    else
        found = (struct found){1, (uint64_t)now.st_size + measure_tiles(&e->file)};
    return found;
}

/* Adds " solved.png (1.2 MB)" to the line, in which it may be the first. */
static size_t name_file(const struct cli *cli, const struct expected *e, const struct found *found,
    int is_first, char *line, size_t room)
{
    const char *what = e->file.path == cli->json    ? " JSON"
                       : e->file.path == cli->trace ? " the trace"
                       : !is_first                  ? " another"
                                                    : "";
    char several[40] = "";
    if (e->file.is_frames || e->file.is_folder)
        snprintf(several, sizeof(several), e->file.is_frames ? "%d frames from " : "%d tiles to ",
            found->count);
    const int length =
        strcmp(e->path, "-") == 0
            ? snprintf(line, room, "%s to standard output", what)
            : snprintf(line, room, " %s%s (%s)", several, e->path, size_write(found->bytes).text);
    return (size_t)length < room ? (size_t)length : room - 1;
}

void cli_tell_written(struct cli *cli)
{
    struct error line = {"wrote"};
    size_t used = strlen(line.text);
    int files = 0;
    if (!isatty(STDERR_FILENO))
        return;
    for (int i = 0; i < expected.count; i++) {
        const struct found found = find_written(&expected.all[i]);
        if (found.count == 0 || ++files > MAX_NAMED || used + 8 > sizeof(line.text))
            continue;
        if (files > 1)
            line.text[used++] = ',';
        used += name_file(
            cli, &expected.all[i], &found, files == 1, line.text + used, sizeof(line.text) - used);
    }
    if (files > MAX_NAMED)
        snprintf(line.text + used, sizeof(line.text) - used, " and %d more file%s",
            files - MAX_NAMED, files == MAX_NAMED + 1 ? "" : "s");
    if (files > 0 || cli->verdict[0])
        run_notice(&cli->run, 1, "%s in %.2f s%s%s", files ? line.text : "done",
            clock_seconds() - expected.start, cli->verdict[0] ? "; " : "", cli->verdict);
    forget();
}
