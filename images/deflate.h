/* Deflate streams whose parts are compressed apart, on several threads, and joined. */
#ifndef DEFLATE_H
#define DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/* What one thread compresses with; zeroed before deflate_open. */
struct deflate {
    struct libdeflate_compressor *compressor;
    struct reader *reader;
};

/* Returns 0, or -1 where memory is short; to be closed in both cases. */
int deflate_open(struct deflate *deflate);
void deflate_close(struct deflate *deflate);

/* The most bytes that a part of so many bytes takes. */
size_t deflate_bound(const struct deflate *deflate, size_t size);

/* Compresses bytes into `part`, which has room for deflate_bound bytes. The last part ends the
 * stream; others end at a whole byte, so that any part can follow. Returns the bytes of the part, 0
 * where libdeflate fails. */
size_t deflate_part(
    struct deflate *deflate, const void *bytes, size_t size, int is_last, unsigned char *part);

#endif
