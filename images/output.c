#include "images/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY ".tessera-" /* and the number of the process, "-" and a number */

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

const char *output_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* Whether a file can be made in the folder of the path, which is the target of what the user
 * named. */
static int check_folder(const char *name, const char *path, struct error *error)
{
    char *folder = folder_of(path);
    int rc = 0;
    if (!folder)
        rc = fail(name, strerror(ENOMEM), error);
    else if (access(folder, W_OK | X_OK) != 0)
        rc = error_set(error, ERROR_INPUT, "cannot write '%s': folder '%s': %s%s", name, folder,
            strerror(errno), errno == ENOENT ? "; make it first" : "");
    free(folder);
    return rc;
}

int output_refuse_folder(const char *path, struct error *error)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode)
               ? fail(path, "it is a folder; name a file in it", error)
               : 0;
}

int output_check(const char *path, int binary, struct error *error)
{
    struct stat status;
    if (strcmp(path, "-") == 0) {
        const int mode = fcntl(STDOUT_FILENO, F_GETFL);
        if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY)
            return fail("-", "standard output is closed; name a file", error);
        if (binary && isatty(STDOUT_FILENO))
            return fail("-", "standard output is a terminal; name a file or use a pipe", error);
        return 0;
    }
    if (stat(path, &status) != 0) {
        if (errno != ENOENT)
            return fail(path, strerror(errno), error);
        if (lstat(path, &status) == 0)
            return fail(
                path, "it is a link to nothing; remove it or make what it points to", error);
        return check_folder(path, path, error);
    }
    if (output_refuse_folder(path, error))
        return ERROR_INPUT;
    if (!writable_file(path, &status))
        return fail(path, "the file is read-only; choose another name or make it writable", error);
    if (!S_ISREG(status.st_mode))
        return binary && is_terminal(path)
                   ? fail(path, "it is a terminal; name a file or use a pipe", error)
                   : 0;
    char *target = realpath(path, NULL);
    const int rc = target ? check_folder(path, target, error) : fail(path, strerror(errno), error);
    free(target);
    return rc;
}

int output_check_own(const char *path, const char *mark, const char *fault, struct error *error)
{
    const int rc = output_check(path, 0, error);
    struct stat status;
    FILE *file =
        rc == 0 && stat(path, &status) == 0 && status.st_size > 0 ? fopen(path, "rb") : NULL;
    if (!file)
        return rc;
    while (*mark && getc(file) == (unsigned char)*mark)
        mark++;
    fclose(file);
    return *mark ? error_set(error, ERROR_INPUT,
                       "cannot write '%s': there is such a file that %s, or remove that file", path,
                       fault)
                 : 0;
}

/* Makes a file or a folder under a temporary name in the folder of the path. Tries names until one
 * is free: a killed run may have left its own behind. Returns it open, or -1 and errno. */
static int create_temporary(const char *path, int is_folder, char **temporary)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    const size_t size = (size_t)folder + 64;
    char *name = malloc(size);
    int fd = -1;
    for (int i = 0; name && fd < 0 && i < 100; i++) {
        snprintf(name, size, "%.*s" TEMPORARY "%ld-%d", folder, path, (long)getpid(), i);
        if (!is_folder)
            fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        else if (mkdir(name, 0777) == 0)
            fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0)
        flock(fd, LOCK_EX | LOCK_NB); /* tells that somebody writes it, see is_leftover */
    if (fd >= 0)
        *temporary = name;
    else
        free(name);
    return fd;
}

int output_make_folder(const char *path, char **temporary)
{
    return create_temporary(path, 1, temporary);
}

static int open_temporary(struct output *output, const struct stat *replaced, struct error *error)
{
    const int fd = create_temporary(output->path, 0, &output->temporary);
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
    const char *name = output_name(output), *dot = strrchr(name, '.');
    const char *extension = dot ? dot : name + strlen(name);
    char number[16] = "";
    if (!*name)
        return fail(output, "it names no file; add a file's name", error);
    if (is_numbered)
        snprintf(number, sizeof(number), "-%04u", (unsigned)frame);
    const int length =
        snprintf(path, PATH_MAX, "%.*s%s%s", (int)(extension - output), output, number, extension);
    if (length >= PATH_MAX)
        return error_set(error, ERROR_INPUT,
            "cannot write '%.100s...': the name is too long; choose a shorter one", output);
    return 0;
}

/* What stands before and behind a frame's number in the name of its file. */
static const char *split_name(const char *output, int *before)
{
    const char *name = output_name(output), *dot = strrchr(name, '.');
    *before = (int)(dot ? dot - name : (long)strlen(name));
    return name;
}

int output_frame_number(const char *output, const char *name, uint32_t *frame)
{
    char number[16];
    int before;
    const char *own = split_name(output, &before);
    if (strncmp(name, own, (size_t)before) != 0 || name[before] != '-')
        return 0;
    const char *digits = name + before + 1;
    const size_t length = strspn(digits, "0123456789");
    *frame = length <= 9 ? (uint32_t)strtoul(digits, NULL, 10) : 0;
    snprintf(number, sizeof(number), "%04u", (unsigned)*frame);
    return strlen(number) == length && strncmp(digits, number, length) == 0 &&
           strcmp(digits + length, own + before) == 0;
}

int output_each_frame(const char *output, uint32_t first, uint32_t last,
    int (*visit)(void *context, const char *path), void *context)
{
    char path[PATH_MAX];
    struct error error;
    struct dirent *entry;
    uint32_t frame;
    int result = 0;
    char *folder = folder_of(output);
    DIR *entries = folder ? opendir(folder) : NULL;
    while (result == 0 && entries && (entry = readdir(entries)) != NULL)
        if (output_frame_number(output, entry->d_name, &frame) && frame >= first && frame <= last &&
            output_frame_path(output, 1, frame, path, &error) == 0)
            result = visit(context, path);
    if (entries)
        closedir(entries);
    free(folder);
    return result;
}

static int check_frame(void *error, const char *path)
{
    return output_check(path, 1, error);
}

/* Frames that are there already are found by their names. */
static int check_listing(const char *output, struct error *error)
{
    char *folder = folder_of(output);
    DIR *entries = folder ? opendir(folder) : NULL;
    const int rc =
        entries ? 0
                : error_set(error, ERROR_INPUT,
                      "cannot write '%s': which of its numbered files are there already cannot be "
                      "told: folder '%s': %s",
                      output, folder ? folder : "", strerror(errno));
    if (entries)
        closedir(entries);
    free(folder);
    return rc;
}

/* Those that are not there yet are as the first and the last. */
int output_check_frames(const char *output, uint32_t first, uint32_t last, struct error *error)
{
    char path[PATH_MAX];
    struct stat status;
    if (stat(output, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return error_set(error, ERROR_USAGE,
            "cannot write '%s': it is no file, and numbered files cannot be named after it; name "
            "a file",
            output);
    int rc = output_frame_path(output, 1, first, path, error);
    if (rc == 0)
        rc = output_check(path, 1, error);
    if (rc == 0)
        rc = output_frame_path(output, 1, last, path, error);
    if (rc == 0)
        rc = output_check(path, 1, error);
    if (rc == 0)
        rc = check_listing(output, error);
    return rc ? rc : output_each_frame(output, first, last, check_frame, error);
}

static int is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* Whoever writes a temporary file or folder holds its lock, and lives. */
static int is_leftover(const char *path, const char *name)
{
    long process;
    int number, length = 0;
    struct stat status;
    if (sscanf(name, TEMPORARY "%9ld-%2d%n", &process, &number, &length) != 2 || name[length] ||
        process < 1 || lstat(path, &status) != 0 ||
        !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
        return 0;
    if (kill((pid_t)process, 0) == 0 || errno != ESRCH)
        return 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const int is_free = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0;
    if (fd >= 0)
        close(fd);
    return is_free;
}

void output_each_leftover(
    const char *path, void (*visit)(void *context, const char *path), void *context)
{
    char *target = strcmp(path, "-") == 0 ? NULL : realpath(path, NULL); /* where it is a link */
    char *folder =
        strcmp(path, "-") == 0 ? NULL : folder_of(target && is_link(path) ? target : path);
    DIR *entries = folder ? opendir(folder) : NULL;
    struct dirent *entry;
    char found[PATH_MAX];
    while (entries && (entry = readdir(entries)) != NULL)
        if (strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)) == 0 &&
            snprintf(found, sizeof(found), "%s/%s", folder, entry->d_name) < PATH_MAX &&
            is_leftover(found, entry->d_name))
            visit(context, found);
    if (entries)
        closedir(entries);
    free(folder);
    free(target);
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

int output_status(const struct output *output, struct error *error)
{
    if (output->failure == ECANCELED)
        return error_set(error, ERROR_STOPPED, "stopped");
    return output->failure ? fail(output->name, strerror(output->failure), error) : 0;
}

int output_flush(struct output *output, struct error *error)
{
    if (fflush(output->file) != 0 && !output->failure)
        output->failure = errno;
    if (ferror(output->file) && !output->failure)
        output->failure = EIO;
    return output_status(output, error);
}

int output_commit(struct output *output, struct error *error)
{
    output_flush(output, error);
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
    const int rc = output_status(output, error);
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
