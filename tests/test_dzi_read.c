/* Reading DeepZoom images: such as are written here, such as are cut by this test with other tiles,
 * words and orders of words, and such that are damaged. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"
#include "tests/test_files.h"
#include "tests/test_levels.h"

#define MAX_PIXELS ((uint64_t)1 << 22)

/* The tests work in this folder. */
static char folder[] = "/tmp/test_dzi_read.XXXXXX";

static void remove_all(const char *name)
{
    char command[128];
    snprintf(command, sizeof(command), "rm -rf %s", name);
    if (system(command) != 0)
        abort();
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0)
        abort();
}

/* Whether the file reads as the image. */
static int reads_as(const char *path, const struct image *image, struct error *error)
{
    struct image read;
    *error = (struct error){""};
    if (image_read(path, MAX_PIXELS, NULL, &read, error) != 0)
        return 0;
    const int is_same =
        read.width == image->width && read.height == image->height &&
        read.channels == image->channels && read.depth == image->depth &&
        memcmp(read.pixels, image->pixels,
            (size_t)image->width * (size_t)image->height * image_pixel_size(image)) == 0;
    image_free(&read);
    return is_same;
}

static void check_own(void)
{
    static const int SIZES[][2] = {
        {1, 1}, {254, 254}, {255, 1}, {1, 509}, {256, 507}, {508, 255}, {701, 1033}, {2050, 130}};
    for (int i = 0; i < (int)(sizeof(SIZES) / sizeof(SIZES[0])); i++) {
        const int channels = 1 + i % 4, depth = i / 4 % 2 ? 16 : 8;
        struct image image = make_noise(SIZES[i][0], SIZES[i][1], channels, depth);
        struct error error;
        tap_check(image_write("own.dzi", NULL, &image, NULL, &error) == 0 &&
                      reads_as("own.dzi", &image, &error),
            "own, %d x %d, %d channels of %d bits: %s", image.width, image.height, channels, depth,
            error.text);
        image_free(&image);
    }
    remove_all("own.dzi own_files");
}

/* Copies a rectangle one pixel after the other. */
static struct image cut(const struct image *image, int left, int top, int right, int bottom)
{
    struct image part = make_empty(right - left, bottom - top, image->channels, image->depth);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            for (size_t c = 0; c < 4; c++)
                set_sample(&part,
                    4 * ((size_t)(y - top) * (size_t)part.width + (size_t)(x - left)) + c,
                    get_sample(image, 4 * ((size_t)y * (size_t)image->width + (size_t)x) + c));
    return part;
}

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value < most ? value : most;
}

/* Cuts the level of full size, as DeepZoom's description has it, into files. */
static void cut_tiles(
    const char *tiles, const struct image *image, int tile, int overlap, const char *extension)
{
    char path[200];
    for (int row = 0; row * tile < image->height; row++)
        for (int column = 0; column * tile < image->width; column++) {
            struct error error;
            struct image part = cut(image, clamp(column * tile - overlap, image->width),
                clamp(row * tile - overlap, image->height),
                clamp((column + 1) * tile + overlap, image->width),
                clamp((row + 1) * tile + overlap, image->height));
            snprintf(path, sizeof(path), "%s/%d_%d.%s", tiles, column, row, extension);
            if (image_write(
                    path, strcmp(extension, "png") == 0 ? "png" : NULL, &part, NULL, &error))
                abort();
            image_free(&part);
        }
}

/* Of several levels, only the one of full size is there. */
static void check_cut(int width, int height, int tile, int overlap, int level)
{
    struct error error;
    struct image image = make_noise(width, height, 3, 8);
    char text[300], tiles[100];
    snprintf(text, sizeof(text),
        "<Image TileSize='%d' Overlap='%d' Format='png'><Size Width='%d' Height='%d'/></Image>",
        tile, overlap, width, height);
    put_file("cut.dzi", text);
    make_folder("cut_files");
    snprintf(tiles, sizeof(tiles), "cut_files/%d", level);
    make_folder(tiles);
    cut_tiles(tiles, &image, tile, overlap, "png");
    tap_check(reads_as("cut.dzi", &image, &error), "%d x %d in tiles of %d, overlap %d: %s", width,
        height, tile, overlap, error.text);
    image_free(&image);
    remove_all("cut.dzi cut_files");
}

/* The words of other programs. */
static void check_words(void)
{
    static const char *const TEXTS[] = {
        "<?xml version=\"1.0\"?><Image Format=\"png\" Overlap=\"0\" TileSize=\"9\" "
        "xmlns=\"http://schemas.microsoft.com/deepzoom/2009\"><Size Height=\"13\" "
        "Width=\"20\"></Size></Image>",
        "\xef\xbb\xbf<?xml version='1.0' encoding='utf-8'?>\n<!-- by hand -->\n"
        "<d:Image xmlns:d='http://schemas.microsoft.com/deepzoom/2008' TileSize='9' "
        "ServerFormat='Default' Format='png' Overlap='0'>\n"
        "  <d:Size Width='20' Height='13' />\n  <d:DisplayRects><d:DisplayRect MinLevel='1'>"
        "<d:Rect X='0' Y='0' Width='5' Height='4'/></d:DisplayRect></d:DisplayRects></d:Image>",
        (" \r\n<Image Overlap='0' TileSize='9' Format='png'>"
         "<Size Width='20' Height='13'/><Other><Size Width='1' Height='1'/></Other></Image>"),
    };
    struct error error;
    struct image image = make_noise(20, 13, 4, 16);
    make_folder("words_files");
    make_folder("words_files/5");
    cut_tiles("words_files/5", &image, 9, 0, "png");
    for (int i = 0; i < 3; i++) {
        put_file("words.xml", TEXTS[i]);
        tap_check(reads_as("words.xml", &image, &error), "words %d: %s", i, error.text);
    }
    make_folder("there");
    if (rename("words.xml", "there/w.xml") || rename("words_files", "there/w_files") ||
        symlink("there/w.xml", "link.dzi"))
        abort();
    tap_check(reads_as("link.dzi", &image, &error), "by a link: %s", error.text);
    image_free(&image);
    remove_all("there link.dzi");
}

/* Tiles of JPEG files give what each of them gives. */
static void check_jpeg(const char *extension)
{
    static const int TILE = 16;
    struct error error;
    struct image image = make_noise(40, 20, 3, 8), wanted = make_empty(40, 20, 3, 8);
    char text[200], path[100];
    int is_same = 1;
    snprintf(text, sizeof(text),
        "<Image Format='%s' Overlap='0' TileSize='16'><Size Width='40' Height='20'/></Image>",
        extension);
    put_file("j.dzi", text);
    make_folder("j_files");
    make_folder("j_files/6");
    cut_tiles("j_files/6", &image, TILE, 0, extension);
    for (int i = 0; is_same && i < 6; i++) {
        struct image tile = {0};
        snprintf(path, sizeof(path), "j_files/6/%d_%d.%s", i % 3, i / 3, extension);
        is_same = image_read(path, MAX_PIXELS, NULL, &tile, &error) == 0;
        for (int p = 0; is_same && p < tile.width * tile.height; p++)
            for (size_t c = 0; c < 4; c++)
                set_sample(&wanted,
                    4 * (size_t)((i / 3 * TILE + p / tile.width) * 40 + i % 3 * TILE +
                                 p % tile.width) +
                        c,
                    get_sample(&tile, 4 * (size_t)p + c));
        image_free(&tile);
    }
    tap_check(
        is_same && reads_as("j.dzi", &wanted, &error), "tiles of %s: %s", extension, error.text);
    image_free(&image);
    image_free(&wanted);
    remove_all("j.dzi j_files");
}

/* Tiles that have gray and such that have alpha make an image in color with alpha. */
static void check_kinds(void)
{
    struct error error;
    struct image gray = make_noise(4, 4, 1, 8), clear = make_noise(3, 4, 4, 8);
    struct image wanted = make_empty(7, 4, 4, 8);
    for (size_t i = 0; i < 28; i++)
        for (size_t c = 0; c < 4; c++)
            set_sample(&wanted, 4 * i + c,
                i % 7 < 4 ? get_sample(&gray, 4 * (i / 7 * 4 + i % 7) + c)
                          : get_sample(&clear, 4 * (i / 7 * 3 + i % 7 - 4) + c));
    put_file("k.dzi",
        "<Image TileSize='4' Overlap='0' Format='PNG'><Size Width='7' Height='4'/></Image>");
    make_folder("k_files");
    make_folder("k_files/3");
    if (image_write("k_files/3/0_0.PNG", "png", &gray, NULL, &error) ||
        image_write("k_files/3/1_0.PNG", "png", &clear, NULL, &error))
        abort();
    tap_check(reads_as("k.dzi", &wanted, &error), "gray, and color with alpha: %s", error.text);
    image_free(&clear);
    clear = make_noise(3, 4, 4, 16);
    if (image_write("k_files/3/1_0.PNG", "png", &clear, NULL, &error))
        abort();
    reads_as("k.dzi", &wanted, &error);
    tap_check(strcmp(error.text,
                  "cannot read 'k.dzi': its tile 1_0 has 16 bits a channel, but the first one 8; "
                  "make the image again") == 0,
        "refused: %s", error.text);
    image_free(&gray);
    image_free(&clear);
    image_free(&wanted);
    remove_all("k.dzi k_files");
}

/* Whether reading is refused with a message that contains this. */
static void check_refusal(const char *path, const char *part)
{
    struct error error = {""};
    struct image image;
    const int rc = image_read(path, MAX_PIXELS, NULL, &image, &error);
    tap_check(
        rc == ERROR_INPUT && !image.pixels && strstr(error.text, path) && strstr(error.text, part),
        "refused: %s", error.text);
    if (rc == 0)
        image_free(&image);
}

static void check_text(const char *text, const char *part)
{
    put_file("bad.dzi", text);
    check_refusal("bad.dzi", part);
}

#define IMAGE(attributes, size) "<Image " attributes "><Size " size "/></Image>"
#define WHOLE "TileSize='254' Overlap='1' Format='png'"

static void check_texts(void)
{
    check_text("<svg/>", "its first element is 'svg', not 'Image'");
    check_text("<Image", "bad.dzi', line 1: ");
    check_text(IMAGE(WHOLE, "Width='3' Height='3'") "x", "bad.dzi', line 1: ");
    check_text(IMAGE("Overlap='1' Format='png'", "Width='3' Height='3'"), "not say its TileSize;");
    check_text(IMAGE("TileSize='254' Format='png'", "Width='3' Height='3'"), "not say its Overlap");
    check_text(IMAGE("TileSize='254' Overlap='1'", "Width='3' Height='3'"), "not say its Format;");
    check_text(IMAGE(WHOLE, "Height='3'"), "not say its Width;");
    check_text(IMAGE(WHOLE, "Width='3'"), "not say its Height;");
    check_text("<Image " WHOLE "/>", "not say its Width;");
    check_text(IMAGE("TileSize='0' Overlap='1' Format='png'", "Width='3' Height='3'"),
        "its TileSize is '0', no whole number from 1 to 999999999;");
    check_text(IMAGE("TileSize='4' Overlap='-1' Format='png'", "Width='3' Height='3'"),
        "its Overlap is '-1', no whole number from 0");
    check_text(IMAGE("TileSize='4' Overlap='5' Format='png'", "Width='3' Height='3'"),
        "its Overlap of 5 is more than its TileSize of 4;");
    check_text(IMAGE(WHOLE, "Width='0' Height='3'"), "its Width is '0'");
    check_text(IMAGE(WHOLE, "Width='3' Height='3.5'"), "its Height is '3.5'");
    check_text(IMAGE(WHOLE, "Width='3' Height=' 3'"), "its Height is ' 3'");
    check_text(IMAGE(WHOLE, "Width='99999999999999999999' Height='3'"),
        "its Width is '99999999999999999999', no whole number");
    check_text(
        IMAGE(WHOLE, "Width='999999999' Height='999999999'"), "pixels are more than 4194304");
    check_text(IMAGE("TileSize='254' Overlap='1' Format='webp'", "Width='3' Height='3'"),
        "its tiles are of format 'webp'; make the image again with png or jpg");
    check_text(IMAGE("TileSize='254' Overlap='1' Format='../x'", "Width='3' Height='3'"),
        "its tiles are of format '../x'");
    check_text(IMAGE(WHOLE, "Width='3' Height='3'"),
        "bad_files': No such file or directory; put that folder beside it");
    remove_all("bad.dzi");
}

/* Tiles that are missing, of another size, damaged, or no images. */
static void check_tiles(void)
{
    struct error error;
    char wanted[1000];
    struct image image = make_noise(20, 13, 3, 8), wide = make_noise(3, 4, 3, 8);
    put_file("bad.dzi", IMAGE("TileSize='9' Overlap='0' Format='png'", "Width='20' Height='13'"));
    make_folder("bad_files");
    make_folder("bad_files/5");
    cut_tiles("bad_files/5", &image, 9, 0, "png");
    tap_check(reads_as("bad.dzi", &image, &error), "as it was cut: %s", error.text);
    unlink("bad_files/5/2_1.png");
    char *folder_path = realpath("bad_files", NULL);
    if (!folder_path)
        abort();
    snprintf(wanted, sizeof(wanted),
        "cannot open '%s/5/2_1.png': No such file or directory; it is a tile of 'bad.dzi': copy or "
        "make all of that again",
        folder_path);
    free(folder_path);
    check_refusal("bad.dzi", wanted);
    if (image_write("bad_files/5/2_1.png", NULL, &wide, NULL, &error))
        abort();
    check_refusal("bad.dzi", "2_1.png': it has 3 x 4 pixels, not 2 x 4; it is a tile of");
    put_file("bad_files/5/2_1.png", "\x89PNG\r\n\x1a\n");
    check_refusal("bad.dzi", "2_1.png'");
    put_file("bad_files/5/2_1.png", "");
    check_refusal("bad.dzi", "2_1.png': it is neither PNG nor JPEG; it is a tile of");
    put_file("bad_files/5/0_0.png", "");
    check_refusal("bad.dzi", "0_0.png': it is neither PNG nor JPEG; it is a tile of");
    unlink("bad_files/5/0_0.png");
    if (symlink("../../bad.dzi", "bad_files/5/0_0.png")) /* would go round in a circle */
        abort();
    check_refusal("bad.dzi", "0_0.png': it is neither PNG nor JPEG; it is a tile of");
    image_free(&image);
    image_free(&wide);
    remove_all("bad.dzi bad_files");
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0)
        abort();
    check_own();
    check_cut(20, 13, 9, 0, 5);
    check_cut(64, 64, 32, 4, 6);
    check_cut(65, 33, 32, 32, 7);
    check_cut(7, 5, 1, 1, 3);
    check_cut(5, 9, 100, 7, 4);
    check_words();
    check_jpeg("jpg");
    check_jpeg("jpeg");
    check_kinds();
    check_texts();
    check_tiles();
    if (chdir("/") != 0 || rmdir(folder) != 0)
        abort();
    return tap_finish();
}
