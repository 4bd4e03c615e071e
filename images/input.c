#include "images/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "images/scratch.h"

#define CHUNK ((size_t)1 << 18)        /* bytes read at a time; more than INPUT_PEEK */
#define LARGEST_READ ((size_t)1 << 24) /* bytes, between two looks whether to stop */
#define READ_SHARE ((size_t)1 << 20)   /* bytes of these that a thread reads at a time */
#define WAIT 100                       /* milliseconds, likewise, where there is nothing to read */
#define FIRST_PART ((size_t)1 << 16)   /* bytes that input_rest begins with */
#define PART_SIZE ((size_t)1 << 24)    /* bytes, of a pipe that was gathered */

/* For `failure`, where no errno is meant. */
enum { INPUT_SHRUNK = -1, INPUT_TOO_LARGE = -2, INPUT_NO_ROOM = -3 };

int input_open(
    const char *path, const struct progress *progress, struct input *input, struct error *error)
{
    struct stat status;
    const int is_standard = strcmp(path, "-") == 0;
    *input = (struct input){.name = path, .path = is_standard ? NULL : path, .progress = progress};
    input->fd = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (input->fd < 0)
        return error_set(error, ERROR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    const int is_known = fstat(input->fd, &status) == 0;
    if (is_known && S_ISREG(status.st_mode))
        input->size = (uint64_t)status.st_size;
    input->buffer = malloc(CHUNK);
    if (input->buffer && !(is_known && S_ISDIR(status.st_mode)))
        return 0;
    const int rc = input->buffer
                       ? error_set(error, ERROR_INPUT, "cannot read '%s': %s", path,
                             is_standard ? "standard input is a folder; name a file"
                                         : "it is a folder; name a file in it")
                       : error_set(error, ERROR_INPUT, "cannot read '%s': no memory", path);
    input_close(input);
    return rc;
}

void input_from_memory(const void *bytes, size_t size, const char *name, struct input *input)
{
    const unsigned char *at = bytes;
    *input = (struct input){.name = name, .fd = -1, .is_at_end = 1, .at = at};
    input->end = size ? at + size : at;
}

void input_close(struct input *input)
{
    if (input->fd > STDIN_FILENO)
        close(input->fd);
    for (size_t i = 0; i < input->part_count; i++)
        scratch_free(input->scratch, input->parts[i]);
    free(input->parts);
    free(input->no_room);
    free(input->buffer);
    *input = (struct input){.fd = -1};
}

/* As read() does, of a file and up to LARGEST_READ bytes. Where these are many, threads read a
 * share each, and are the first to touch the memory for it. What comes up to the first share that
 * is short counts; where nothing does, read() tells why. */
static ssize_t read_file(int fd, unsigned char *to, size_t count)
{
    ssize_t got[LARGEST_READ / READ_SHARE];
    const size_t shares = (count + READ_SHARE - 1) / READ_SHARE;
    const off_t at = shares > 1 ? lseek(fd, 0, SEEK_CUR) : -1;
    size_t done = 0;
    if (at >= 0) {
#pragma omp parallel for
        for (size_t i = 0; i < shares; i++) {
            const size_t first = i * READ_SHARE, left = count - first;
            got[i] =
                pread(fd, to + first, left < READ_SHARE ? left : READ_SHARE, at + (off_t)first);
        }
        for (size_t i = 0; i < shares && done == i * READ_SHARE && got[i] > 0; i++)
            done += (size_t)got[i];
    }
    if (done == 0)
        return read(fd, to, count);
    return lseek(fd, at + (off_t)done, SEEK_SET) < 0 ? -1 : (ssize_t)done;
}

/* Reads once, what there is. A pipe may have nothing for long, so it is waited for in short times,
 * between which the user can stop. Returns the bytes, 0 at the end or after a failure. */
static size_t read_some(struct input *input, unsigned char *to, size_t most)
{
    struct pollfd wait = {.fd = input->fd, .events = POLLIN};
    while (!input->is_at_end) {
        const double share = input->size ? (double)input->read / (double)input->size : input->share;
        if (progress_report(input->progress, share < 1 ? share : 1)) {
            input->failure = ECANCELED;
            break;
        }
        if (!input->size && poll(&wait, 1, WAIT) <= 0)
            continue;
        const size_t part = most < LARGEST_READ ? most : LARGEST_READ;
        const ssize_t got =
            input->size ? read_file(input->fd, to, part) : read(input->fd, to, part);
        if (got > 0) {
            input->read += (uint64_t)got;
            return (size_t)got;
        }
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        input->failure = got < 0 ? errno : 0;
        break;
    }
    input->is_at_end = 1;
    return 0;
}

size_t input_peek(struct input *input, size_t count)
{
    size_t left = (size_t)(input->end - input->at);
    if (left >= count || input->is_at_end)
        return left;
    if (left > 0)
        memmove(input->buffer, input->at, left);
    input->at = input->buffer;
    while (left < count && !input->is_at_end)
        left += read_some(input, input->buffer + left, CHUNK - left);
    input->end = input->at + left;
    return left;
}

/* Small reads go through the buffer, large ones straight to where they are wanted. */
size_t input_read(struct input *input, void *bytes, size_t count)
{
    unsigned char *to = bytes;
    size_t got = 0;
    while (got < count) {
        const size_t wanted = count - got;
        size_t part = (size_t)(input->end - input->at);
        if (part == 0 && wanted < CHUNK)
            part = input_peek(input, 1);
        if (part > 0) {
            part = part < wanted ? part : wanted;
            memcpy(to + got, input->at, part);
            input->at += part;
        } else {
            part = read_some(input, to + got, wanted);
        }
        if (part == 0)
            break;
        got += part;
    }
    return got;
}

int input_is_stopped(struct input *input, double share)
{
    input->share = share;
    if (!input->failure && progress_report(input->progress, share))
        input->failure = ECANCELED;
    return input->failure == ECANCELED;
}

void input_skip_mark(struct input *input)
{
    if (input_peek(input, 3) >= 3 && memcmp(input->at, "\xef\xbb\xbf", 3) == 0)
        input->at += 3;
}

/* The file's size, where it tells, is the room to begin with; one byte more than the limit shows
 * that there is more. */
int input_rest(struct input *input, uint64_t limit, const char *too_large, unsigned char **bytes,
    size_t *size, struct error *error)
{
    const uint64_t known = input->fd < 0 ? (uint64_t)(input->end - input->at) : input->size;
    uint64_t room = known > FIRST_PART ? known + 1 : FIRST_PART;
    int rc = 0, is_too_large = known > limit;
    *bytes = NULL;
    *size = 0;
    while (rc == 0 && !is_too_large && !(*bytes && *size < room)) {
        room = *bytes ? 2 * room : room;
        room = room <= limit ? room : limit + 1;
        unsigned char *larger = realloc(*bytes, (size_t)room + 1);
        if (!larger) {
            rc = error_set(error, ERROR_INPUT, "cannot read '%s': no memory for %llu bytes",
                input->name, (unsigned long long)room);
            break;
        }
        *bytes = larger;
        *size += input_read(input, *bytes + *size, (size_t)room - *size);
        is_too_large = *size > limit;
        rc = input_check(input, error);
    }
    if (rc == 0 && !is_too_large) {
        (*bytes)[*size] = 0;
        return 0;
    }
    free(*bytes);
    *bytes = NULL;
    return rc ? rc : error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, too_large);
}

int input_gather(
    struct input *input, uint64_t limit, const char *too_large, uint64_t *size, struct error *error)
{
    const size_t left = (size_t)(input->end - input->at);
    const off_t at = input->size ? lseek(input->fd, 0, SEEK_CUR) : -1;
    input->too_large = too_large;
    input->most = limit;
    if (input->fd < 0) {
        input->gathered = input->at;
        input->most = left;
    } else if (at >= 0) {
        input->base = (uint64_t)at - left;
        input->most = input->size > input->base ? input->size - input->base : 0;
    } else {
        input->is_stream = 1;
        input->base = input->read - left;
    }
    *size = input->most;
    if (*size <= limit)
        return 0;
    return error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, too_large);
}

/* Makes room for more of a pipe: in parts, since one place would have to be moved when it grows. */
static int add_part(struct input *input)
{
    struct error error = {"not enough memory"};
    unsigned char **parts = realloc(input->parts, (input->part_count + 1) * sizeof(*input->parts));
    unsigned char *part = parts ? scratch_new(input->scratch, PART_SIZE, &error) : NULL;
    input->parts = parts ? parts : input->parts;
    if (part) {
        input->parts[input->part_count++] = part;
        return 0;
    }
    input->no_room = strdup(error.text);
    input->failure = INPUT_NO_ROOM;
    return -1;
}

/* Reads of a pipe until so many bytes are kept, or as many as there are. */
static void keep(struct input *input, uint64_t wanted)
{
    for (int is_more = 1; is_more && input->kept < wanted && !input->failure;) {
        const size_t used = (size_t)(input->kept % PART_SIZE), room = PART_SIZE - used;
        const uint64_t missing = wanted - input->kept;
        const size_t count = missing < room ? (size_t)missing : room;
        if (input->kept == input->part_count * (uint64_t)PART_SIZE && add_part(input) != 0)
            return;
        const size_t got = input_read(input, input->parts[input->part_count - 1] + used, count);
        input->kept += got;
        is_more = got == count;
    }
}

int input_has(struct input *input, uint64_t at, uint64_t size)
{
    if (at > input->most || size > input->most - at)
        return 0;
    if (input->is_stream)
        keep(input, at + size);
    return !input->is_stream || at + size <= input->kept;
}

/* What was kept of a pipe, which may lie in several parts. */
static void copy_kept(const struct input *input, uint64_t at, unsigned char *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const size_t from = (size_t)((at + done) % PART_SIZE), left = PART_SIZE - from;
        const size_t part = count - done < left ? count - done : left;
        memcpy(bytes + done, input->parts[(at + done) / PART_SIZE] + from, part);
        done += part;
    }
}

/* What would begin beyond the limit is not looked for. */
static size_t read_stream(struct input *input, uint64_t at, void *bytes, size_t count)
{
    const uint64_t left = at < input->most ? input->most - at : 0;
    if (left > 0)
        keep(input, at + (count < left ? count : left));
    if (left == 0 || (count > left && input->kept == input->most && input_peek(input, 1) > 0))
        input->failure = input->failure ? input->failure : INPUT_TOO_LARGE;
    const uint64_t there = input->kept > at ? input->kept - at : 0;
    const size_t got = count < there ? count : (size_t)there;
    copy_kept(input, at, bytes, got);
    return got;
}

size_t input_read_at(struct input *input, uint64_t at, void *bytes, size_t count)
{
    if (input->is_stream)
        return read_stream(input, at, bytes, count);
    const uint64_t left = at < input->most ? input->most - at : 0;
    const size_t most = count < left ? count : (size_t)left;
    size_t done = 0;
    if (input->gathered && most > 0) {
        memcpy(bytes, input->gathered + at, most);
        return most;
    }
    while (done < most && !input->failure) {
        const size_t part = most - done < LARGEST_READ ? most - done : LARGEST_READ;
        const ssize_t got =
            pread(input->fd, (unsigned char *)bytes + done, part, (off_t)(input->base + at + done));
        if (got > 0)
            done += (size_t)got;
        else if (got == 0 || errno != EINTR)
            input->failure = got == 0 ? INPUT_SHRUNK : errno;
    }
    return done;
}

void input_pass_rest(struct input *input)
{
    while (input->is_stream && !input->failure && input_peek(input, 1) > 0) {
        input->at = input->end;
        if (input->read - input->base > input->most)
            input->failure = INPUT_TOO_LARGE;
    }
}

/* Why reading failed. */
static const char *reason_of(const struct input *input)
{
    if (input->failure == INPUT_SHRUNK)
        return "it has become shorter meanwhile; read it once more";
    if (input->failure == INPUT_TOO_LARGE)
        return input->too_large;
    if (input->failure == INPUT_NO_ROOM)
        return input->no_room ? input->no_room : "not enough memory";
    return strerror(input->failure);
}

int input_check(const struct input *input, struct error *error)
{
    if (!input->failure)
        return 0;
    if (input->failure == ECANCELED)
        return error_set(error, ERROR_STOPPED, "stopped");
    return error_set(error, ERROR_INPUT, "cannot read '%s': %s", input->name, reason_of(input));
}
