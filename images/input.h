/* Files that are read as streams: the first bytes can decide what is read on, memory stays within
 * limits, and reading can be stopped. */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "progress.h"

#define INPUT_PEEK ((size_t)1 << 16) /* bytes that can be looked at before they are taken */

struct input {
    const char *name;              /* of the file, for messages */
    const char *path;              /* of the file; NULL for standard input and memory */
    int page;                      /* of an image file of several, from 0 */
    struct scratch *scratch;       /* for the pixels of an image; or NULL */
    const unsigned char *at, *end; /* bytes that are in memory and not taken yet */
    int is_stream; /* what was gathered is a pipe, whose bytes are read as they are asked for, and
                      then kept */

    /* For input.c alone: */
    unsigned char *buffer; /* NULL where the input is memory */
    int fd;                /* -1 where the input is memory */
    int is_at_end;
    int failure;         /* errno of a read, ECANCELED where it was stopped, or an INPUT_ code */
    uint64_t read, size; /* bytes so far; of the file, 0 where that is not known */
    double share;        /* that was reported last of a file whose size is not known */
    const struct progress *progress;

    /* For input.c alone, of input_gather: */
    uint64_t most;                 /* bytes */
    uint64_t base;                 /* where they begin in the file */
    const unsigned char *gathered; /* where they are in memory */
    unsigned char **parts;         /* of a stream: PART_SIZE bytes each */
    size_t part_count;
    uint64_t kept;         /* bytes */
    const char *too_large; /* why no more than `most` are read */
    char *no_room;         /* why there is no further part */
};

/* Opens a file; "-" is standard input. A folder is refused. Reading reports to `progress` (NULL:
 * nobody watches), which must outlive the input, as `path` must. Returns 0 or ERROR_INPUT; on
 * failure there is nothing to close. */
int input_open(
    const char *path, const struct progress *progress, struct input *input, struct error *error);

/* Reads from memory instead; `bytes` and `name` must outlive the input. There is nothing to
 * close. */
void input_from_memory(const void *bytes, size_t size, const char *name, struct input *input);

void input_close(struct input *input);

/* Makes the next `count` bytes (at most INPUT_PEEK), or all up to the end, stand at input->at.
 * Returns how many there are, which may be more. */
size_t input_peek(struct input *input, size_t count);

/* Takes the next bytes. Returns how many; fewer than `count` at the end or after a failure. */
size_t input_read(struct input *input, void *bytes, size_t count);

/* Takes the next byte; -1 at the end or after a failure. */
static inline int input_byte(struct input *input)
{
    return input->at < input->end || input_peek(input, 1) > 0 ? *input->at++ : -1;
}

/* Takes the byte order mark of UTF-8, which some programs write before a text, where there is
 * one. */
void input_skip_mark(struct input *input);

/* Takes all that is left into memory that the caller frees, with a zero behind it. Where that is
 * more than `limit` bytes, `too_large` is the reason in the message. Returns 0, ERROR_INPUT or
 * ERROR_STOPPED. */
int input_rest(struct input *input, uint64_t limit, const char *too_large, unsigned char **bytes,
    size_t *size, struct error *error);

/* Makes all that is left be there at any place, for the three functions below alone from then on:
 * of a file in the file, of a pipe in memory or input->scratch as far as it has been asked for. Or
 * only sets the limit, where the functions above read on, until input_pass_rest.
 * `size` gets how many bytes these are; of a pipe, whose end is not known, `limit`. Where they are
 * more, `too_large` is the reason in the message, here or, of a pipe, in that of input_check.
 * Returns 0 or ERROR_INPUT. */
int input_gather(struct input *input, uint64_t limit, const char *too_large, uint64_t *size,
    struct error *error);

/* Whether so many bytes are there at a place of what was gathered. */
int input_has(struct input *input, uint64_t at, uint64_t size);

/* Reads bytes from a place of what was gathered. Returns how many; fewer than `count` at the end,
 * or where the file cannot be read or has become shorter, as input_check says. */
size_t input_read_at(struct input *input, uint64_t at, void *bytes, size_t count);

/* Takes what is left of a pipe, and keeps none of it, so that its writer can write all and it is
 * known whether that is more than the limit: input_check says so. */
void input_pass_rest(struct input *input);

/* For decoders, which may work long on few bytes: reports the share that is decoded. Returns
 * whether the user asks to stop; then the decoder gives up with any message, since input_check has
 * the reason. */
int input_is_stopped(struct input *input, double share);

/* Whether reading has failed, which a reader sees as an early end: 0, ERROR_INPUT or ERROR_STOPPED,
 * the latter two with the message. */
int input_check(const struct input *input, struct error *error);

#endif
