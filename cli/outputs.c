/* What a tool writes, checked before any work is done: with what it reads, with the images of
 * stages, and frame by frame. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "images/output.h"

#define MAX_TOLD 3 /* files that were left behind, by name */

static const struct image COLOR = {.channels = 3, .depth = 8};

struct words cli_frame_formats(void)
{
    const struct words films = film_formats();
    struct words formats = image_formats(&COLOR);
    words_add_all(&formats, &films);
    return formats;
}

void cli_add_frames(struct files *files, const struct frames *frames)
{
    if (frames->output && frames->are_asked && !frames_are_video(frames))
        files_add_frames(files, frames->output, frames->first, frames->last);
    else
        files_add_image(files, FILE_WRITTEN, frames->output, frames->format);
}

/* What is the format of no image and no video. */
static int refuse_format(const struct frames *frames, struct error *error)
{
    const struct words formats = cli_frame_formats();
    if (frames->format)
        return error_set(error, ERROR_USAGE, "unknown format '%s'; use one of %s%s", frames->format,
            words_join(&formats, ", ").text, words_suggest(&formats, "", frames->format).text);
    if (output_refuse_folder(frames->output, error))
        return ERROR_INPUT;
    const struct words films = film_formats();
    struct words extensions = image_extensions(&COLOR);
    words_add_all(&extensions, &films);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': no format of images or videos has such an extension; use one of %s%s",
        frames->output, words_join(&formats, ", ").text,
        words_suggest_extension(&extensions, frames->output).text);
}

int cli_check_frames(const struct frames *frames, const struct image *image, struct error *error)
{
    const int is_video = frames_are_video(frames);
    if (frames->are_asked && strcmp(frames->output, "-") == 0 && !is_video)
        return error_set(error, ERROR_USAGE,
            "standard output takes frames as y4m, not as '%s'; leave out --format, or name a file",
            frames->format);
    if (!is_video && !image_is_name(frames->output, frames->format))
        return refuse_format(frames, error);
    if (frames->quality && is_video)
        return error_set(error, ERROR_USAGE,
            "cannot write '%s': --quality is for JPEG and WebP images, not for videos; leave it "
            "out",
            frames->output);
    int rc = frames->quality ? image_check_quality(frames->output, frames->format, error) : 0;
    if (rc == 0)
        rc = frames_check_image(frames, image, image->height, error);
    if (rc || is_video || !frames->are_asked)
        return rc;
    return output_check_frames(frames->output, frames->first, frames->last, error);
}

/* "DIR/3-edges.png": the snapshot of the `number`th stage that runs, from 1. */
static int snapshot_path(const char *folder, const struct stage *stage, int number,
    char path[PATH_MAX], struct error *error)
{
    if (snprintf(path, PATH_MAX, "%s/%d-%s.png", folder, number, stage->name) < PATH_MAX)
        return 0;
    return error_set(
        error, ERROR_INPUT, "the name of folder '%.100s...' is too long; choose another", folder);
}

int cli_save_snapshot(
    struct run *run, const struct stage *stage, int number, const struct image *snapshot)
{
    struct cli *cli = run->context;
    char path[PATH_MAX];
    cli->snapshots++;
    const int rc = snapshot_path(cli->save_stages, stage, number, path, &run->error);
    return rc ? rc : image_write(path, NULL, snapshot, run_watch(run), &run->error);
}

/* Whether a file of the command may be the one at that path, by a link that is there or since it
 * will get the name. */
static int may_meet(const struct files *files, const char *path)
{
    struct stat status;
    int meets = lstat(path, &status) == 0;
    for (int i = 0; !meets && i < files->count; i++)
        meets = strcmp(output_name(files->files[i].path), output_name(path)) == 0;
    return meets;
}

/* The snapshots that may be written: any stage's, with any number. Of these hundreds only those are
 * checked that may meet another file, since all are checked with each other. */
static int add_snapshots(const struct cli *cli, struct files *files, struct error *error)
{
    static char paths[FILES_MAX][PATH_MAX];
    for (int i = 0; cli->stages[i]; i++)
        for (int number = 1; number <= MAX_STAGES; number++) {
            char *path = paths[files->count];
            const int rc = snapshot_path(cli->save_stages, cli->stages[i], number, path, error);
            if (rc)
                return rc;
            if (may_meet(files, path))
                files_add(files, FILE_WRITTEN, path);
        }
    return 0;
}

/* Whether two paths name the same folder in the same way. */
static int is_beside(const char *a, const char *b)
{
    const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
    const size_t length_a = end_a ? (size_t)(end_a - a) + 1 : 0;
    return length_a == (end_b ? (size_t)(end_b - b) + 1 : 0) && strncmp(a, b, length_a) == 0;
}

struct leftovers {
    struct cli *cli;
    int count;
};

/* The path as one word of a shell. */
static const char *quote_for_shell(const char *path, char quoted[4 * PATH_MAX + 3])
{
    char *to = quoted;
    *to++ = '\'';
    for (; *path; path++) {
        if (*path == '\'')
            to = stpcpy(to, "'\\'");
        *to++ = *path;
    }
    *to++ = '\'';
    *to = 0;
    return quoted;
}

static void tell_leftover(void *context, const char *path)
{
    struct leftovers *leftovers = context;
    char quoted[4 * PATH_MAX + 3];
    struct stat status;
    const int is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (leftovers->count++ < MAX_TOLD)
        run_notice(&leftovers->cli->run, 1,
            "'%s' was left by a run that was killed; to remove it: rm %s%s", path,
            is_folder ? "-r " : "", quote_for_shell(path, quoted));
}

/* In the folders of all outputs, each once. */
static void tell_leftovers(struct cli *cli, const struct files *files)
{
    struct leftovers leftovers = {cli, 0};
    for (int i = 0; i < files->count; i++) {
        const struct file *file = &files->files[i];
        int is_new = file->use == FILE_WRITTEN || file->use == FILE_OUTPUT;
        for (int j = 0; is_new && j < i; j++)
            is_new = files->files[j].use == FILE_READ || files->files[j].use == FILE_REPLACEABLE ||
                     !is_beside(files->files[j].path, file->path);
        if (is_new)
            output_each_leftover(file->path, tell_leftover, &leftovers);
    }
    if (leftovers.count > MAX_TOLD)
        run_notice(&cli->run, 1, "and %d more such files", leftovers.count - MAX_TOLD);
}

int cli_check_files(struct cli *cli, struct files *files, struct error *error)
{
    files_add(files, FILE_WRITTEN, cli->json);
    files_add(files, FILE_WRITTEN, cli->trace);
    cli_expect_written(files);
    files_add(files, FILE_WRITTEN, cli->save_stages);
    int rc = cli->save_stages ? add_snapshots(cli, files, error) : 0;
    if (rc == 0)
        rc = files_check(files, error);
    if (rc == 0 && cli->save_stages && mkdir(cli->save_stages, 0777) != 0 && errno != EEXIST)
        rc = error_set(
            error, ERROR_INPUT, "cannot make folder '%s': %s", cli->save_stages, strerror(errno));
    if (rc == 0)
        tell_leftovers(cli, files);
    return rc;
}
