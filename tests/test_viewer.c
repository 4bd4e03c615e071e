/* The page that shows a DeepZoom image: what it is told of it. How it looks is for people. */
#include "cli/viewer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/tap.h"
#include "tests/test_levels.h"

/* The tests work in this folder. */
static char folder[] = "/tmp/test_viewer.XXXXXX";

static void check_page(const char *name, const char *page, const char *tiles)
{
    struct error error = {""};
    struct image image = make_noise(300, 20, 3, 8);
    char text[20000] = "", expected[400];
    if (image_write(name, NULL, &image, NULL, &error))
        abort();
    snprintf(expected, sizeof(expected),
        "<!doctype html>\n<meta charset=\"utf-8\">\n<script>\nconst image = {width: 300, height: "
        "20, "
        "tile: 254, overlap: 1, format: \"png\", folder: \"%s\"};\n</script>\n<title>",
        tiles);
    const int rc = viewer_write(name, &error);
    FILE *file = fopen(page, "rb");
    const size_t size = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
    tap_check(rc == 0 && strncmp(text, expected, strlen(expected)) == 0 && size > 2000 &&
                  strcmp(text + size - 10, "</script>\n") == 0,
        "%s: the page knows the image%s", name, error.text);
    if (file)
        fclose(file);
    image_free(&image);
}

int main(void)
{
    struct error error = {""};
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    check_page("out.dzi", "out.html", "out_files");
    check_page(
        "a \"b\"<script>.c.dzi", "a \"b\"<script>.c.html", "a%20%22b%22%3Cscript%3E.c_files");
    FILE *file = fopen("other.dzi", "wb");
    fputs("<Image Format=\"png\"/>", file);
    fclose(file);
    tap_check(viewer_write("other.dzi", &error) == ERROR_INPUT &&
                  strstr(error.text, "other.dzi': it is no DeepZoom image") &&
                  access("other.html", F_OK) != 0,
        "refused: %s", error.text);
    tap_check(viewer_write("none.dzi", &error) == ERROR_INPUT, "refused: %s", error.text);
    char command[80];
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    tap_check(chdir("/") == 0 && system(command) == 0, "all is removed");
    return tap_finish();
}
