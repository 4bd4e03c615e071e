/* What an image's file carries besides pixels. It is kept as it is: profiles are not applied. */
#ifndef METADATA_H
#define METADATA_H

#include <stddef.h>

struct blob {
    unsigned char *bytes; /* NULL: there is none */
    size_t size;
};

/* Frees its bytes and leaves it empty. */
void blob_free(struct blob *blob);

struct resolution {
    double x, y;   /* pixels an inch, or a centimeter; 0: unknown */
    int is_metric; /* centimeters */
};

/* A text with its name, such as "Comment" or "Author", both in UTF-8. */
struct metadata_text {
    char *name, *value;
};

/* What PNG tells of the colors besides a profile, each in a chunk: numbers of code points, that
 * they are sRGB, a gamma, and primaries with a white. Where several are there, or a profile, the
 * first of cICP, profile, sRGB and the others counts. */
enum metadata_color { COLOR_CODES, COLOR_SRGB, COLOR_GAMMA, COLOR_PRIMARIES, COLOR_KINDS };

#define METADATA_MAX_TEXTS 64
#define METADATA_MAX_TEXT ((size_t)1 << 20)  /* bytes of a text; a longer one is left out */
#define METADATA_MAX_BYTES ((size_t)1 << 25) /* likewise of a profile, an EXIF block or XMP */

struct metadata {
    struct blob profile;             /* ICC */
    struct blob exif;                /* a block, see exif.h */
    struct blob xmp;                 /* a packet of XML */
    struct blob iptc;                /* data sets, see iptc.h */
    struct blob colors[COLOR_KINDS]; /* what the chunks hold */
    struct resolution resolution;
    struct metadata_text *texts;
    int text_count;
    int orientation; /* as EXIF numbers it, for decoders: what else the file says of it does not
                        count; 0: the EXIF block tells it */
    int is_short;    /* memory was, see image_settle */
};

/* Copies bytes into a blob that is empty. */
void metadata_set(struct metadata *metadata, struct blob *blob, const void *bytes, size_t size);

/* Adds a text, whose name ends in zero. Bytes that are not UTF-8 are taken for Latin-1; the text
 * ends where a zero is. */
void metadata_add_text(struct metadata *metadata, const char *name, const void *value, size_t size);

/* The value of the text of that name, or NULL. */
const char *metadata_text(const struct metadata *metadata, const char *name);

/* Whether a profile is one of gray samples, or else of red, green and blue. */
int metadata_profile_fits(const struct blob *profile, int is_gray);

/* Whether what PNG tells of the colors counts, a profile does not, and it is not that they are
 * sRGB, as files are taken that tell nothing. */
int metadata_has_png_colors(const struct metadata *metadata);

/* The EXIF block of a file that has no other place for the resolution: `exif`, with the resolution
 * where it tells none, or a block of the resolution alone, or nothing. The caller frees its bytes.
 * Returns 0, or -1 where memory is short. */
int metadata_make_exif(const struct metadata *metadata, struct blob *block);

/* Keeps of the metadata only what both have, to the last byte. */
void metadata_intersect(struct metadata *metadata, const struct metadata *other);

/* Frees what is in it. */
void metadata_free(struct metadata *metadata);

#endif
