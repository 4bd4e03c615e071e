#include "images/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *name, const char *reason, struct error *error)
{
    return error_set(error, ERROR_INPUT, "cannot write '%s': %s", name, reason);
}

/* A file that exists may be replaced only where it could be written: renaming over it would not
 * ask, and root may write anything, so a file without any write permission is left alone. */
static int writable_file(const char *path, const struct stat *status)
{
    return (status->st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) && access(path, W_OK) == 0;
}

static int is_terminal(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISCHR(status.st_mode))
        return 0;
    const int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    const int is = fd >= 0 && isatty(fd);
    if (fd >= 0)
        close(fd);
    return is;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

int output_check(const char *path, int binary, struct error *error)
{
    struct stat status;
    if (strcmp(path, "-") == 0) {
        if (binary && isatty(STDOUT_FILENO))
            return fail("-", "standard output is a terminal; name a file or use a pipe", error);
        return 0;
    }
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return fail(path, "it is a folder; name a file in it", error);
        if (!writable_file(path, &status))
            return fail(
                path, "the file is read-only; choose another name or make it writable", error);
        if (!S_ISREG(status.st_mode))
            return binary && is_terminal(path)
                       ? fail(path, "it is a terminal; name a file or use a pipe", error)
                       : 0;
    } else if (lstat(path, &status) == 0) {
        return fail(path, "it is a link to nothing; remove it or make what it points to", error);
    } else if (errno != ENOENT) {
        return fail(path, strerror(errno), error);
    }
    char *folder = folder_of(path);
    int rc = 0;
    if (!folder)
        rc = fail(path, strerror(ENOMEM), error);
    else if (access(folder, W_OK | X_OK) != 0)
        rc = error_set(error, ERROR_INPUT, "cannot write '%s': folder '%s': %s%s", path, folder,
            strerror(errno), errno == ENOENT ? "; make it first" : "");
    free(folder);
    return rc;
}

/* Tries names until one is free: a killed run may have left its own behind. */
static int create_temporary(struct output *output)
{
    const char *slash = strrchr(output->path, '/');
    const int folder = slash ? (int)(slash + 1 - output->path) : 0;
    const size_t size = (size_t)folder + 64;
    char *name = malloc(size);
    int fd = -1;
    for (int i = 0; name && fd < 0 && i < 100; i++) {
        snprintf(name, size, "%.*s.tessera-%ld-%d", folder, output->path, (long)getpid(), i);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0)
        output->temporary = name;
    else
        free(name);
    return fd;
}

static int open_temporary(struct output *output, const struct stat *replaced, struct error *error)
{
    const int fd = create_temporary(output);
    if (fd >= 0 && (!replaced || fchmod(fd, replaced->st_mode & 0777) == 0))
        output->file = fdopen(fd, "wb");
    if (output->file)
        return 0;
    const int rc = fail(output->name, strerror(errno), error);
    if (fd >= 0)
        close(fd);
    return rc;
}

int output_frame_path(
    const char *output, int is_numbered, uint32_t frame, char path[PATH_MAX], struct error *error)
{
    const char *slash = strrchr(output, '/');
    const char *name = slash ? slash + 1 : output;
    const char *dot = strrchr(name, '.');
    const char *ending = dot ? dot : name + strlen(name);
    char number[16] = "";
    if (!*name)
        return fail(output, "it names no file; add a file's name", error);
    if (is_numbered)
        snprintf(number, sizeof(number), "-%04u", (unsigned)frame);
    const int length =
        snprintf(path, PATH_MAX, "%.*s%s%s", (int)(ending - output), output, number, ending);
    if (length >= PATH_MAX)
        return error_set(error, ERROR_INPUT,
            "cannot write '%.100s...': the name is too long; choose a shorter one", output);
    return 0;
}

int output_open(const char *path, int binary, const struct progress *progress,
    struct output *output, struct error *error)
{
    struct stat status;
    *output = (struct output){.name = path, .progress = progress};
    int rc = output_check(path, binary, error);
    if (rc)
        return rc;
    if (strcmp(path, "-") == 0) {
        output->file = stdout;
        return 0;
    }
    const int exists = stat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        output->file = fopen(path, "wb");
        return output->file ? 0 : fail(path, strerror(errno), error);
    }
    output->path = exists ? realpath(path, NULL) : strdup(path);
    if (!output->path)
        rc = fail(path, strerror(errno), error);
    else
        rc = open_temporary(output, exists ? &status : NULL, error);
    if (rc)
        output_abandon(output);
    return rc;
}

void output_write(struct output *output, const void *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, output->file) != size && !output->failure)
        output->failure = errno;
}

int output_progress(struct output *output, double share)
{
    if (!output->failure && ferror(output->file))
        output->failure = errno ? errno : EIO;
    if (!output->failure && progress_report(output->progress, share))
        output->failure = ECANCELED;
    return output->failure != 0;
}

int output_commit(struct output *output, struct error *error)
{
    int rc = 0;
    if (fflush(output->file) != 0 && !output->failure)
        output->failure = errno;
    if (ferror(output->file) && !output->failure)
        output->failure = EIO;
    if (output->file != stdout && fclose(output->file) != 0 && !output->failure)
        output->failure = errno;
    output->file = NULL;
    if (!output->failure && output->temporary) {
        if (rename(output->temporary, output->path) == 0) {
            free(output->temporary);
            output->temporary = NULL;
        } else {
            output->failure = errno;
        }
    }
    if (output->failure == ECANCELED)
        rc = error_set(error, ERROR_STOPPED, "stopped");
    else if (output->failure)
        rc = fail(output->name, strerror(output->failure), error);
    output_abandon(output);
    return rc;
}

void output_abandon(struct output *output)
{
    if (output->file && output->file != stdout)
        fclose(output->file);
    if (output->temporary)
        unlink(output->temporary);
    free(output->temporary);
    free(output->path);
    *output = (struct output){0};
}
