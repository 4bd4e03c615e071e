#include "images/pnm.h"

struct reader {
    const unsigned char *bytes, *end;
};

static int is_space(int byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static void skip_space(struct reader *reader)
{
    while (reader->bytes < reader->end && (is_space(*reader->bytes) || *reader->bytes == '#')) {
        if (*reader->bytes == '#')
            while (reader->bytes < reader->end && *reader->bytes != '\n')
                reader->bytes++;
        else
            reader->bytes++;
    }
}

/* Reads a decimal number of at most `digits` digits up to 2^31 - 1; -1 where there is none. */
static int64_t read_number(struct reader *reader, int digits)
{
    int64_t number = -1;
    skip_space(reader);
    while (digits-- > 0 && reader->bytes < reader->end && *reader->bytes >= '0' &&
           *reader->bytes <= '9') {
        number = (number < 0 ? 0 : number) * 10 + (*reader->bytes++ - '0');
        if (number > INT32_MAX)
            return -1;
    }
    return number;
}

/* The next sample as the file has it, or -1 at the end of the data. */
static int64_t read_sample(struct reader *reader, char kind, int maximum)
{
    if (kind <= '3')
        return read_number(reader, kind == '1' ? 1 : 10);
    const int size = maximum > 255 ? 2 : 1;
    if (reader->end - reader->bytes < size)
        return -1;
    const int64_t sample = size == 2 ? reader->bytes[0] << 8 | reader->bytes[1] : reader->bytes[0];
    reader->bytes += size;
    return sample;
}

static void put_pixel(struct image *image, size_t pixel, const uint16_t rgb[3])
{
    if (image->depth == 16) {
        uint16_t *out = (uint16_t *)image->pixels + 4 * pixel;
        for (int c = 0; c < 3; c++)
            out[c] = rgb[c];
        out[3] = 65535;
    } else {
        uint8_t *out = (uint8_t *)image->pixels + 4 * pixel;
        for (int c = 0; c < 3; c++)
            out[c] = (uint8_t)rgb[c];
        out[3] = 255;
    }
}

/* A bitmap's rows start on a byte; a set bit is black. */
static int read_bitmap(struct reader *reader, struct image *image)
{
    const size_t row_bytes = ((size_t)image->width + 7) / 8;
    if ((size_t)(reader->end - reader->bytes) / row_bytes < (size_t)image->height)
        return -1;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const int bit = reader->bytes[(size_t)y * row_bytes + (size_t)x / 8] >> (7 - x % 8) & 1;
            const uint16_t gray = bit ? 0 : 255;
            put_pixel(image, (size_t)y * (size_t)image->width + (size_t)x,
                (const uint16_t[3]){gray, gray, gray});
        }
    return 0;
}

static int read_samples(struct reader *reader, char kind, int maximum, struct image *image)
{
    const int full = image->depth == 16 ? 65535 : 255;
    const size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < count; i++) {
        uint16_t rgb[3] = {0};
        for (int c = 0; c < image->channels; c++) {
            int64_t sample = read_sample(reader, kind, maximum);
            if (sample < 0 || sample > maximum)
                return -1;
            if (kind == '1')
                sample = 1 - sample;
            rgb[c] = (uint16_t)((sample * full + maximum / 2) / maximum);
        }
        if (image->channels == 1)
            rgb[1] = rgb[2] = rgb[0];
        put_pixel(image, i, rgb);
    }
    return 0;
}

int pnm_recognise(const void *bytes, size_t size)
{
    const char *text = bytes;
    return size > 2 && text[0] == 'P' && text[1] >= '1' && text[1] <= '6' &&
           (is_space(text[2]) || text[2] == '#');
}

int pnm_decode(const void *bytes, size_t size, const char *name, uint64_t max_pixels,
    struct image *image, struct error *error)
{
    const char kind = ((const char *)bytes)[1];
    const int bitmap = kind == '1' || kind == '4';
    struct reader reader = {(const unsigned char *)bytes + 2, (const unsigned char *)bytes + size};
    const int64_t width = read_number(&reader, 10), height = read_number(&reader, 10);
    const int64_t maximum = bitmap ? 1 : read_number(&reader, 10);
    if (width < 1 || height < 1 || maximum < 1 || maximum > 65535)
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': its PNM header has a bad width, height or maximum", name);
    const uint64_t pixels = (uint64_t)width * (uint64_t)height;
    int rc = image_check_size(width, height, name, max_pixels, error);
    if (rc)
        return rc;
    /* Every pixel takes at least a bit, so that a header cannot ask for memory it has no data for. */
    if (pixels / 8 > size)
        return error_set(error, ERROR_INPUT, "cannot read '%s': the file is cut short", name);
    reader.bytes += reader.bytes < reader.end;
    rc = image_new((int)width, (int)height, kind == '3' || kind == '6' ? 3 : 1,
        maximum > 255 ? 16 : 8, image, error);
    if (rc)
        return rc;
    if (kind == '4' ? read_bitmap(&reader, image)
                    : read_samples(&reader, kind, (int)maximum, image)) {
        image_free(image);
        return error_set(error, ERROR_INPUT,
            "cannot read '%s': its data is cut short or has a sample above the maximum", name);
    }
    return 0;
}
