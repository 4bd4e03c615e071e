/* How libtiff is opened and reads a file; for tiff.c. */
#ifndef TIFF_SOURCE_H
#define TIFF_SOURCE_H

#include <tiffio.h>

#include "images/input.h"
#include "library.h"

#define FUNCTIONS(X) \
    X(TIFFOpenOptionsAlloc) \
    X(TIFFOpenOptionsSetErrorHandlerExtR) \
    X(TIFFOpenOptionsSetWarningHandlerExtR) \
    X(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    X(TIFFClientOpenExt) \
    X(TIFFOpenOptionsFree) \
    X(TIFFGetField) \
    X(TIFFGetFieldDefaulted) \
    X(TIFFIsCODECConfigured) \
    X(TIFFIsTiled) \
    X(TIFFTileRowSize) \
    X(TIFFScanlineSize) \
    X(TIFFReadEncodedTile) \
    X(TIFFComputeTile) \
    X(TIFFReadEncodedStrip) \
    X(TIFFComputeStrip) \
    X(TIFFNumberOfDirectories) \
    X(TIFFSetDirectory) \
    X(TIFFTileSize64) \
    X(TIFFStripSize64) \
    X(TIFFReadDirectory) \
    X(TIFFCurrentDirOffset) \
    X(TIFFClose) \
    X(TIFFGetVersion)

struct libtiff {
    FUNCTIONS(LIBRARY_POINTER)
};
extern struct libtiff libtiff; /* usable once it has been opened */

/* Opens libtiff. Returns 0 or ERROR_INPUT. */
int libtiff_open(struct error *error);

/* A file, which libtiff reads some places of, and the first thing that it complains of. The end of
 * a pipe is not known, so libtiff is told the limit as its size, which it uses only where a file
 * does not say how long its strips are. */
struct tiff_source {
    struct input *input; /* gathered */
    uint64_t size, at;
    char message[256];
};

/* What is wrong with the place of the first directory, as the header has it, or NULL. So nothing is
 * read of a pipe to look for it; what else is wrong is left to libtiff. */
const char *tiff_header_fault(struct input *input, uint64_t size);

/* Opens a file, of which libtiff may take `limit` bytes at once. Returns NULL where it is damaged
 * or memory is short; to be closed by TIFFClose. */
TIFF *tiff_open_source(struct tiff_source *source, uint64_t limit);

#endif
