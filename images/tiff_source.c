#include "images/tiff_source.h"

#include <stdarg.h>
#include <string.h>

#define CLASSIC_HEADER 8 /* bytes, which end in the place of the first directory */
#define BIG_HEADER 16    /* of BigTIFF */

struct libtiff libtiff;

int libtiff_open(struct error *error)
{
    static const char *const FILES[] = {TIFF_LIBRARY, NULL};
    static const char *const NAMES[] = {FUNCTIONS(LIBRARY_NAME) NULL};
    return library_open(FILES[0], FILES, NAMES, (void **)&libtiff, error);
}

static tmsize_t source_read(thandle_t handle, void *to, tmsize_t size)
{
    struct tiff_source *source = handle;
    const size_t got = input_read_at(source->input, source->at, to, (size_t)size);
    source->at += got;
    return (tmsize_t)got;
}

static tmsize_t source_write(thandle_t handle, void *from, tmsize_t size)
{
    (void)handle, (void)from, (void)size;
    return 0;
}

static toff_t source_seek(thandle_t handle, toff_t offset, int whence)
{
    struct tiff_source *source = handle;
    const uint64_t base = whence == SEEK_CUR ? source->at : whence == SEEK_END ? source->size : 0;
    source->at = base + offset;
    return source->at;
}

static int source_close(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t source_size(thandle_t handle)
{
    return ((const struct tiff_source *)handle)->size;
}

static int keep_message(
    TIFF *tiff, void *user, const char *module, const char *format, va_list list)
{
    struct tiff_source *source = user;
    char *message = source->message;
    (void)tiff, (void)module;
    if (message[0])
        return 1;
    vsnprintf(message, sizeof(source->message), format, list);
    if (strncmp(message, ": ", 2) == 0) /* behind the name, which is empty */
        memmove(message, message + 2, strlen(message + 2) + 1);
    return 1; /* it need not be told elsewhere */
}

static int ignore_warning(
    TIFF *tiff, void *user, const char *module, const char *format, va_list list)
{
    (void)tiff, (void)user, (void)module, (void)format, (void)list;
    return 1;
}

/* libtiff puts the name in front of some messages; our own have it anyway. */
TIFF *tiff_open_source(struct tiff_source *source, uint64_t limit)
{
    TIFFOpenOptions *options = libtiff.TIFFOpenOptionsAlloc();
    if (!options)
        return NULL;
    libtiff.TIFFOpenOptionsSetErrorHandlerExtR(options, keep_message, source);
    libtiff.TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, NULL);
    libtiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)limit);
    TIFF *tiff = libtiff.TIFFClientOpenExt("", "rm", source, source_read, source_write, source_seek,
        source_close, source_size, NULL, NULL, options);
    libtiff.TIFFOpenOptionsFree(options);
    return tiff;
}

const char *tiff_header_fault(struct input *input, uint64_t size)
{
    unsigned char header[BIG_HEADER] = {0};
    const size_t got = input_read_at(input, 0, header, CLASSIC_HEADER);
    const int is_little = header[0] == 'I', is_big = header[is_little ? 2 : 3] == 43;
    const size_t end = is_big ? BIG_HEADER : CLASSIC_HEADER, length = end / 2;
    uint64_t place = 0;
    if (got < CLASSIC_HEADER || input_read_at(input, 0, header, end) < end)
        return "the file is cut short";
    for (size_t i = 0; i < length; i++)
        place = place << 8 | header[is_little ? end - 1 - i : end - length + i];
    if (place < end)
        return "its header names no place where a directory can be; it is damaged, or was not "
               "written to its end";
    return place < size ? NULL
                        : "its directory would begin beyond its end, or further than an image that "
                          "is allowed has one; it is cut short, or raise max-pixels";
}
