/* EXIF: what a camera writes down about a photograph, as directories of numbered entries. A file
 * holds it as a block that is built like a TIFF file; TIFF files have the directories themselves
 * (TIFF 6.0, Exif 2.32, BigTIFF). Bytes may be anything: what does not fit in them is left out. */
#ifndef EXIF_H
#define EXIF_H

#include <stddef.h>
#include <stdint.h>

#include "images/input.h"
#include "images/metadata.h"

/* What of the image itself is kept, how it was taken, where, and by which rules it is stored. */
enum exif_directory { EXIF_IMAGE, EXIF_PHOTO, EXIF_PLACE, EXIF_RULES, EXIF_DIRECTORIES };

enum {
    EXIF_DOCUMENT_NAME = 269,
    EXIF_DESCRIPTION = 270,
    EXIF_ORIENTATION = 274,
    EXIF_X_RESOLUTION = 282,
    EXIF_Y_RESOLUTION = 283,
    EXIF_PAGE_NAME = 285,
    EXIF_RESOLUTION_UNIT = 296, /* 2: inches, 3: centimeters */
    EXIF_XMP = 700,
    EXIF_IPTC = 33723, /* always taken as EXIF_UNDEFINED */
    EXIF_PROFILE = 34675,
    EXIF_PHOTO_DIRECTORY = 34665,
    EXIF_PLACE_DIRECTORY = 34853,
    EXIF_RULES_DIRECTORY = 40965,
    EXIF_MAKER_NOTE = 37500,
};

enum { EXIF_BYTE = 1, EXIF_ASCII, EXIF_SHORT, EXIF_LONG, EXIF_RATIONAL, EXIF_UNDEFINED = 7 };

struct exif_entry {
    uint16_t tag, type; /* EXIF_BYTE, ..., as of TIFF */
    uint32_t count;
    unsigned char *values; /* of the type, in native order */
};

#define EXIF_MAX 128 /* entries of a directory; more are left out */
#define EXIF_NAMED 2 /* more, which exif_make adds */

struct exif_list {
    struct exif_entry entries[EXIF_MAX + EXIF_NAMED]; /* by rising tags */
    int count;
};

struct exif {
    struct exif_list lists[EXIF_DIRECTORIES];
};

/* Bytes of one value of a type; 0 where there is no such type. */
size_t exif_type_size(int type);

/* Reads the directory of an image and those it names: of a block in memory the first one, of a TIFF
 * file of `size` bytes that were gathered the one that begins at a byte, or with 0 the first. Of
 * entries that describe the image these are kept: who made it, when and with what, and those listed
 * above. Returns 0, or -1 where memory is short; exif_free frees in any case. */
int exif_read(const void *bytes, size_t size, struct exif *exif);
int exif_read_file(struct input *input, uint64_t size, uint64_t directory, struct exif *exif);
void exif_free(struct exif *exif);

/* The entry of a tag, or NULL; adding one, whose values are copied, in the place of one of the same
 * tag; removing one, if it is there. Returns 0, or -1 where memory is short or the list full. */
struct exif_entry *exif_find(struct exif_list *list, int tag);
int exif_add(struct exif_list *list, int tag, int type, uint32_t count, const void *values);
void exif_remove(struct exif_list *list, int tag);

/* The resolution that entries tell; zeros where they do not. Adding such entries. */
struct resolution exif_resolution(struct exif_list *list);
int exif_add_resolution(struct exif_list *list, struct resolution resolution);

/* Makes a block of the directories. Returns 0, or -1 where memory is short. */
int exif_make(const struct exif *exif, struct blob *block);

/* Whether bytes begin as a block does. */
int exif_is_block(const struct blob *block);

/* The orientation that a block tells, 1 to 8; 1 where it tells none. */
int exif_orientation(const struct blob *block);

/* Makes a block describe an image that is upright and has that size: sets the orientation to 1, the
 * size of the photograph, where these are told, and takes out the small image, which shows
 * something else. Nothing else is moved, so what makers of cameras keep in it stays whole. */
void exif_settle(struct blob *block, int width, int height);

#endif
