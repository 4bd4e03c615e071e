#include "images/upright.h"

#include <stdlib.h>
#include <string.h>

#include "images/exif.h"

#define PART 64         /* pixels a side of what is turned at a time, so that caches hold it */
#define CHROMA_BLOCK 16 /* pixels a side of a block of a JPEG whose colors are halved, or of two */

/* The orientations of EXIF, as where a pixel of the upright image is in the file's. */
struct turn {
    int is_across;            /* x and y change places */
    int mirrors_x, mirrors_y; /* in the file */
};
static const struct turn TURNS[9] = {
    [2] = {0, 1, 0},
    [3] = {0, 1, 1},
    [4] = {0, 0, 1},
    [5] = {1, 0, 0},
    [6] = {1, 0, 1},
    [7] = {1, 1, 1},
    [8] = {1, 1, 0},
};

static void turn_part(
    const struct image *from, const struct turn *turn, int left, int top, const struct image *to)
{
    const size_t size = image_pixel_size(from);
    const int right = left + PART < to->width ? left + PART : to->width;
    const int bottom = top + PART < to->height ? top + PART : to->height;
    for (int i = 0; i < PART; i++) {
        image_pass_row(from);
        image_pass_row(to);
    }
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            const int u = turn->is_across ? y : x, v = turn->is_across ? x : y;
            const size_t column = (size_t)(turn->mirrors_x ? from->width - 1 - u : u);
            const size_t row = (size_t)(turn->mirrors_y ? from->height - 1 - v : v);
            memcpy((unsigned char *)to->pixels + ((size_t)y * (size_t)to->width + (size_t)x) * size,
                (const unsigned char *)from->pixels + (row * (size_t)from->width + column) * size,
                size);
        }
}

/* The blocks of a JPEG begin at its top left. Where that has become another corner, they begin at
 * the new one only if whole blocks fill the side between. */
static int keeps_blocks(const struct image *image, const struct turn *turn)
{
    return (!turn->mirrors_x || image->width % CHROMA_BLOCK == 0) &&
           (!turn->mirrors_y || image->height % CHROMA_BLOCK == 0);
}

static int turn_image(struct image *image, const struct turn *turn, struct error *error)
{
    struct image turned;
    const int rc = image_new_in(image->scratch, turn->is_across ? image->height : image->width,
        turn->is_across ? image->width : image->height, image->channels, image->depth, &turned,
        error);
    if (rc)
        return rc;
#pragma omp parallel for
    for (int top = 0; top < turned.height; top += PART)
        for (int left = 0; left < turned.width; left += PART)
            turn_part(image, turn, left, top, &turned);
    scratch_free(image->scratch, image->pixels);
    image->pixels = turned.pixels;
    image->width = turned.width;
    image->height = turned.height;
    return 0;
}

/* The packet of XMP may tell the orientation too. */
static void settle_xmp(struct blob *xmp)
{
    static const char NAME[] = "tiff:Orientation";
    const size_t length = sizeof(NAME) - 1;
    for (size_t at = 0; at + length + 3 < xmp->size; at++) {
        unsigned char *value = xmp->bytes + at + length;
        if (memcmp(xmp->bytes + at, NAME, length) != 0)
            continue;
        value += *value == '=' && (value[1] == '"' || value[1] == '\'') ? 2 : *value == '>' ? 1 : 0;
        if (*value >= '2' && *value <= '8')
            *value = '1';
    }
}

/* The resolution that the EXIF block tells. */
static int take_resolution(struct metadata *metadata)
{
    struct exif exif;
    const int rc = exif_read(metadata->exif.bytes, metadata->exif.size, &exif);
    if (rc == 0)
        metadata->resolution = exif_resolution(&exif.lists[EXIF_IMAGE]);
    exif_free(&exif);
    return rc;
}

int image_settle(struct image *image, struct error *error)
{
    struct metadata *metadata = &image->metadata;
    struct resolution *resolution = &metadata->resolution;
    int rc = 0;
    if (!metadata_profile_fits(&metadata->profile, image->channels <= 2))
        blob_free(&metadata->profile);
    if (!exif_is_block(&metadata->exif))
        blob_free(&metadata->exif);
    else if (metadata->resolution.x <= 0)
        metadata->is_short |= take_resolution(metadata) != 0;
    if (metadata->is_short)
        rc = error_set(error, ERROR_INPUT, "not enough memory for the metadata of an image");
    const int orientation =
        metadata->orientation ? metadata->orientation : exif_orientation(&metadata->exif);
    const struct turn *turn = &TURNS[orientation];
    if (rc == 0 && orientation > 1) {
        if (!keeps_blocks(image, turn))
            image->jpeg = (struct jpeg_origin){0};
        rc = turn_image(image, turn, error);
        if (turn->is_across)
            *resolution = (struct resolution){resolution->y, resolution->x, resolution->is_metric};
        settle_xmp(&metadata->xmp);
    }
    if (rc == 0 && metadata->exif.bytes)
        exif_settle(&metadata->exif, image->width, image->height);
    metadata->orientation = 1;
    if (rc)
        image_free(image);
    return rc;
}
