#include "cli/viewer.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "embed.h"
#include "images/input.h"
#include "images/output.h"

EMBED(viewer_html, "cli/viewer.html")

#define MAX_BYTES (1 << 16) /* of a DeepZoom file */

/* How each page begins. */
#define MARK "<!doctype html>\n<meta charset=\"utf-8\">\n<script>\nconst image = {width: "

/* The number that an attribute has, or -1. */
static long find_number(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtol(at + strlen(name), NULL, 10) : -1;
}

/* Writes the name of the folder of tiles as a part of an address, in which any byte can stand. */
static void write_address(FILE *file, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (strchr("-._", name[i]) || (name[i] >= '0' && name[i] <= '9') ||
            (name[i] >= 'A' && name[i] <= 'Z') || (name[i] >= 'a' && name[i] <= 'z'))
            fputc(name[i], file);
        else
            fprintf(file, "%%%02X", (unsigned char)name[i]);
    fputs("_files", file);
}

/* The page stands where the tiles do: beside what a link leads to. */
void viewer_path(const char *path, char page[PATH_MAX])
{
    char target[PATH_MAX];
    struct stat status;
    const int is_link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
    const char *own = is_link && realpath(path, target) ? target : path;
    const char *slash = strrchr(own, '/'), *dot = strrchr(slash ? slash : own, '.');
    snprintf(page, PATH_MAX, "%.*s.html", dot ? (int)(dot - own) : (int)strlen(own), own);
}

int viewer_check(const char *page, struct error *error)
{
    return output_check_own(page, MARK, "is no page of --viewer; choose another OUTPUT", error);
}

/* Writes the page for what the text of a DeepZoom file says. */
static int write_page(const char *path, const char *text, struct error *error)
{
    const char *format = strstr(text, "Format=\"");
    const long width = find_number(text, "Width=\""), height = find_number(text, "Height=\"");
    const long tile = find_number(text, "TileSize=\""), overlap = find_number(text, "Overlap=\"");
    const char *name = output_name(path), *dot = strrchr(name, '.');
    const size_t length = dot ? (size_t)(dot - name) : strlen(name);
    char page[PATH_MAX];
    struct output output;
    if (!format || width < 1 || height < 1 || tile < 1 || overlap < 0)
        return error_set(error, ERROR_INPUT, "cannot read '%s': it is no DeepZoom image", path);
    viewer_path(path, page);
    const int rc = output_open(page, 0, NULL, &output, error);
    if (rc)
        return rc;
    format += strlen("Format=\"");
    fprintf(output.file,
        MARK "%ld, height: %ld, tile: %ld, overlap: %ld, format: \"%.*s\", folder: \"", width,
        height, tile, overlap, (int)strspn(format, "abcdefghijklmnopqrstuvwxyz"), format);
    write_address(output.file, name, length);
    fputs("\"};\n</script>\n", output.file);
    fputs(viewer_html, output.file);
    return output_commit(&output, error);
}

int viewer_write(const char *path, struct error *error)
{
    char target[PATH_MAX];
    struct input input;
    unsigned char *text = NULL;
    size_t size;
    int rc = input_open(path, NULL, &input, error);
    if (rc)
        return rc;
    rc = input_rest(&input, MAX_BYTES, "it is no DeepZoom image", &text, &size, error);
    if (rc == 0)
        rc = write_page(realpath(path, target) ? target : path, (const char *)text, error);
    input_close(&input);
    free(text);
    return rc;
}
