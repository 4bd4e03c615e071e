/* Video: its header, frames, colors, and what is left when it fails. */
#include "images/film.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"
#include "random.h"

static char folder[] = "/tmp/test_y4m.XXXXXX";
static char path[64];
static struct error error;

/* How many files there are, whatever they are called. */
static int count_files(void)
{
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (directory)
        closedir(directory);
    return count;
}

/* The file's bytes, which the caller frees. */
static uint8_t *read_file(size_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0)
        abort();
    *size = (size_t)status.st_size;
    uint8_t *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        abort();
    fclose(file);
    return bytes;
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) == EOF || fclose(file) != 0)
        abort();
}

static struct image make_frame(int width, int height, uint8_t red, uint8_t green, uint8_t blue)
{
    struct image frame = {0};
    if (image_new(width, height, 3, 8, &frame, &error) != 0)
        abort();
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++)
        memcpy((uint8_t *)frame.pixels + 4 * i, (uint8_t[]){red, green, blue, 255}, 4);
    return frame;
}

/* Two frames of 3 x 2 pixels, byte for byte. */
static void check_stream(void)
{
    static const char HEADER[] = "YUV4MPEG2 W3 H2 F60:1 Ip A1:1 C444\n";
    /* By ITU-R BT.601: white, black, and red at the left border of the second row. */
    static const uint8_t WANTED[] =
        "FRAME\n\xeb\xeb\xeb\xeb\xeb\xeb\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"
        "FRAME\n\x10\x10\x10\x52\x10\x10\x80\x80\x80\x5a\x80\x80\x80\x80\x80\xf0\x80\x80";
    struct image white = make_frame(3, 2, 255, 255, 255), black = make_frame(3, 2, 0, 0, 0);
    const size_t header = strlen(HEADER), frames = sizeof(WANTED) - 1;
    struct y4m y4m;
    size_t size;
    ((uint8_t *)black.pixels)[4 * 3] = 255;
    int rc = y4m_open(path, 0, 3, 2, 60, &y4m, &error);
    rc = rc ? rc : y4m_add(&y4m, &white, &error);
    rc = rc ? rc : y4m_add(&y4m, &black, &error);
    tap_check(rc == 0 && access(path, F_OK) != 0, "nothing is there before the end");
    tap_check(rc == 0 && y4m_close(&y4m, &error) == 0 && count_files() == 1, "then one file is");
    uint8_t *bytes = read_file(&size);
    tap_check(size == header + frames && memcmp(bytes, HEADER, header) == 0,
        "the header, %zu bytes", size);
    tap_check(size == header + frames && memcmp(bytes + header, WANTED, frames) == 0,
        "two frames of three planes");
    y4m_abandon(&y4m);
    tap_check(count_files() == 1 && !y4m.planes, "giving up what is closed does nothing");
    free(bytes);
    image_free(&white);
    image_free(&black);
    unlink(path);
}

static void check_sizes(void)
{
    static const int SIZES[][3] = {{1, 1, 60}, {1, 7, 25}, {7, 1, 24}, {640, 3, 1}, {65536, 1, 60}};
    for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++) {
        const int *s = SIZES[i];
        struct image frame = make_frame(s[0], s[1], 0, 255, 0);
        char header[100];
        size_t size = 0;
        struct y4m y4m;
        uint8_t *bytes = NULL;
        const int length = snprintf(header, sizeof(header),
            "YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C444\nFRAME\n", s[0], s[1], s[2]);
        if (y4m_open(path, 0, s[0], s[1], s[2], &y4m, &error) == 0 &&
            y4m_add(&y4m, &frame, &error) == 0 && y4m_close(&y4m, &error) == 0)
            bytes = read_file(&size);
        tap_check(bytes && size == (size_t)length + 3 * (size_t)s[0] * (size_t)s[1] &&
                      memcmp(bytes, header, (size_t)length) == 0,
            "%d x %d pixels, %d frames a second", s[0], s[1], s[2]);
        free(bytes);
        image_free(&frame);
        unlink(path);
    }
}

/* Every color, 4096 x 4096 of them, against ITU-R BT.601 in doubles. Whole numbers
 * for its coefficients are wrong by less than 1/2 in a plane (most where 74 stands for 74.49, of
 * 256), and rounding by 1/2. */
static void check_colors(void)
{
    static const double PLANES[3][4] = {
        {16, 65.481, 128.553, 24.966}, {128, -37.797, -74.203, 112}, {128, 112, -93.786, -18.214}};
    static const int MAX[3] = {235, 240, 240};
    const size_t count = 1 << 24;
    struct image frame = make_frame(4096, 4096, 0, 0, 0);
    struct y4m y4m;
    double worst = 0;
    int inside = 1, gray = 1;
    uint8_t *pixel = frame.pixels;
    for (size_t i = 0; i < count; i++, pixel += 4) {
        pixel[0] = (uint8_t)(i >> 16);
        pixel[1] = (uint8_t)(i >> 8);
        pixel[2] = (uint8_t)i;
    }
    int rc = y4m_open(path, 0, 4096, 4096, 60, &y4m, &error);
    rc = rc ? rc : y4m_add(&y4m, &frame, &error);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        const double red = (double)(i >> 16) / 255, green = (double)(i >> 8 & 255) / 255;
        const double blue = (double)(i & 255) / 255;
        for (int plane = 0; plane < 3; plane++) {
            const int got = y4m.planes[(size_t)plane * count + i];
            const double *k = PLANES[plane];
            worst = fmax(worst, fabs(got - (k[0] + k[1] * red + k[2] * green + k[3] * blue)));
            inside &= got >= 16 && got <= MAX[plane];
        }
    }
    for (size_t v = 0; rc == 0 && v < 256; v++)
        gray &=
            y4m.planes[count + v * 0x10101] == 128 && y4m.planes[2 * count + v * 0x10101] == 128;
    tap_check(rc == 0 && worst <= 1, "every color: wrong by %.3f at most", worst);
    tap_check(rc == 0 && inside, "every color: Y from 16 to 235, U and V to 240");
    tap_check(rc == 0 && gray, "gray has no color");
    y4m_abandon(&y4m);
    tap_check(count_files() == 0, "nothing is left of what is given up");
    y4m_abandon(&y4m);
    image_free(&frame);
}

/* Chroma of half the width and height, for an encoder by ITU-R BT.709 and in a file by BT.601, in
 * doubles, of pixels that weigh 1, 2, 1 in each of two rows; the one left of the first is the
 * first. */
static void check_halved(int is_pipe)
{
    const char *what = is_pipe ? "for an encoder" : "a file of halved chroma";
    const double red = is_pipe ? 0.2126 : 0.299, blue = is_pipe ? 0.0722 : 0.114;
    const double green = 1 - red - blue, u = 112 / (1 - blue), v = 112 / (1 - red);
    const double PLANES[3][4] = {{16, red * 219, green * 219, blue * 219},
        {128, -red * u, -green * u, 112}, {128, 112, -green * v, -blue * v}};
    static const char HEADER[] = "YUV4MPEG2 W34 H22 F30:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n";
    enum { WIDTH = 34, HEIGHT = 22, COUNT = WIDTH * HEIGHT };
    struct image frame = make_frame(WIDTH, HEIGHT, 0, 0, 0);
    FILE *pipe = is_pipe ? fopen(path, "wb") : NULL;
    uint64_t random = 5;
    struct y4m y4m;
    double worst = 0;
    for (size_t i = 0; i < COUNT * 4; i++)
        ((uint8_t *)frame.pixels)[i] = (uint8_t)random_bits(&random);
    int rc = pipe ? y4m_open_pipe(pipe, path, WIDTH, HEIGHT, 30, &y4m, &error)
                  : y4m_open(path, 1, WIDTH, HEIGHT, 30, &y4m, &error);
    rc = rc ? rc : y4m_add(&y4m, &frame, &error);
    for (int i = 0; rc == 0 && i < COUNT * 3 / 2; i++) {
        const int plane = i < COUNT ? 0 : i < COUNT * 5 / 4 ? 1 : 2, j = (i - COUNT) % (COUNT / 4);
        const double *k = PLANES[plane];
        double wanted = 0, weights = 0;
        for (int n = 0; n < 6; n++) {
            const int y = plane ? j / (WIDTH / 2) * 2 + n / 3 : i / WIDTH;
            const int x = plane ? j % (WIDTH / 2) * 2 + n % 3 - 1 : i % WIDTH;
            const uint8_t *p = (uint8_t *)frame.pixels + 4 * (y * WIDTH + (x < 0 ? 0 : x));
            const double weight = n % 3 == 1 ? 2 : 1;
            wanted += weight * (k[0] + (k[1] * p[0] + k[2] * p[1] + k[3] * p[2]) / 255);
            weights += weight;
        }
        worst = fmax(worst, fabs(y4m.planes[i] - wanted / weights));
    }
    tap_check(rc == 0 && worst <= 0.51, "%s: wrong by %.3f at most", what, worst);
    rc = rc ? rc : y4m_close(&y4m, &error);
    size_t size;
    uint8_t *bytes = read_file(&size);
    tap_check(rc == 0 && size == strlen(HEADER) + 6 + COUNT * 3 / 2 &&
                  memcmp(bytes, HEADER, strlen(HEADER)) == 0,
        "%s: the header", what);
    free(bytes);
    image_free(&frame);
    unlink(path);
}

static void check_failures(void)
{
    struct image frame = make_frame(300, 300, 1, 2, 3), small = make_frame(2, 2, 1, 2, 3);
    struct y4m y4m;
    int rc = y4m_open("/dev/full", 0, 300, 300, 60, &y4m, &error);
    for (int i = 0; rc == 0 && i < 2; i++)
        rc = y4m_add(&y4m, &frame, &error);
    tap_check(rc == ERROR_INPUT &&
                  strcmp(error.text, "cannot write '/dev/full': No space left on device") == 0,
        "a full device: %s", error.text);
    y4m_abandon(&y4m);
    rc = y4m_open("/dev/full", 0, 2, 2, 60, &y4m, &error);
    rc = rc ? rc : y4m_add(&y4m, &small, &error);
    tap_check(rc == 0 && y4m_close(&y4m, &error) == ERROR_INPUT &&
                  strcmp(error.text, "cannot write '/dev/full': No space left on device") == 0,
        "a full device, found out at the end: %s", error.text);
    y4m_abandon(&y4m);
    tap_check(y4m_open("/nowhere/a.y4m", 0, 2, 2, 60, &y4m, &error) == ERROR_INPUT &&
                  strstr(error.text, "cannot write '/nowhere/a.y4m'"),
        "a folder that is missing: %s", error.text);
    y4m_abandon(&y4m);
    write_file("precious");
    rc = y4m_open(path, 0, 300, 300, 60, &y4m, &error);
    rc = rc ? rc : y4m_add(&y4m, &frame, &error);
    y4m_abandon(&y4m);
    size_t size;
    uint8_t *bytes = read_file(&size);
    tap_check(rc == 0 && size == 8 && memcmp(bytes, "precious", 8) == 0 && count_files() == 1,
        "what was there survives giving up");
    free(bytes);
    image_free(&frame);
    image_free(&small);
    unlink(path);
}

int main(void)
{
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof(path), "%s/a.y4m", folder);
    tap_check(film_is_name("a.y4m", NULL) && film_is_name("b/a.1.Y4M", NULL) &&
                  film_is_name("a.mp4", NULL) && film_is_name("a.webm", NULL) &&
                  film_is_name("a.webp", NULL) && !film_is_name("a.y4m.png", NULL) &&
                  !film_is_name("y4m", NULL) && film_is_name("a.png", "gif") &&
                  !film_is_name("a.gif", "png"),
        "names of videos");
    check_stream();
    check_sizes();
    check_colors();
    check_halved(1);
    check_halved(0);
    check_failures();
    tap_check(rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
