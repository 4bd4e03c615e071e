/* Chunks of a PNG file: writing them, and those of the metadata; for pngfile.c and png_rows.c. */
#ifndef PNG_CHUNKS_H
#define PNG_CHUNKS_H

#include "images/image.h"
#include "images/output.h"

/* Puts a number of four bytes, the highest first. */
void chunk_put_number(unsigned char *to, uint32_t number);

/* Writes a chunk of a type of four letters. */
void chunk_write(struct output *output, const char *type, const unsigned char *bytes, size_t size);

/* The types of the chunks that hold metadata: five bytes each, ended by zeros as libpng wants
 * them. */
extern const unsigned char CHUNK_METADATA[];
#define CHUNK_METADATA_TYPES 10

/* Reads a number of four bytes, the highest first. */
uint32_t chunk_get_number(const unsigned char *bytes);

/* Whether a chunk holds metadata also where it stands behind the pixels; those that tell of colors
 * then count nothing. */
int chunk_is_metadata_behind(const unsigned char type[4]);

/* Takes what such a chunk holds, whose checksum is right. */
void chunk_take_metadata(struct metadata *metadata, const unsigned char type[4],
    const unsigned char *bytes, size_t size);

/* Writes such chunks, of what there is. Returns 0, or -1 where memory is short. */
int chunk_write_metadata(struct output *output, const struct metadata *metadata);

#endif
