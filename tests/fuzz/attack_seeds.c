#include "tests/fuzz/attack_seeds.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "images/image.h"
#include "random.h"
#include "scenes/mesh.h"
#include "scenes/scene.h"
#include "stages/unscramble/permutation.h"

#define LARGEST ((size_t)1 << 16) /* larger samples are left out: they would only take longer */
#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

static const struct {
    const char *extension;
    enum reader reader;
} EXTENSIONS[] = {
    {".png", READER_IMAGE},
    {".jpg", READER_IMAGE},
    {".bmp", READER_IMAGE},
    {".tga", READER_IMAGE},
    {".gif", READER_IMAGE},
    {".hdr", READER_IMAGE},
    {".pic", READER_IMAGE},
    {".psd", READER_IMAGE},
    {".pbm", READER_IMAGE},
    {".pgm", READER_IMAGE},
    {".ppm", READER_IMAGE},
    {".pnm", READER_IMAGE},
    {".tif", READER_IMAGE},
    {".dzi", READER_IMAGE},
    {".webp", READER_IMAGE},
    {".jxl", READER_IMAGE},
    {".avif", READER_IMAGE},
    {".csv", READER_SCENE},
    {".json", READER_SCENE},
    {".svg", READER_SCENE},
    {".bv", READER_PATCHES},
    {".bpt", READER_PATCHES},
    {".obj", READER_PATCHES},
    {".txt", READER_PERMUTATION},
};

/* READERS where none reads it. */
static enum reader reader_of(const char *name)
{
    const char *extension = strrchr(name, '.');
    if (strcmp(name, "grid.txt") == 0)
        return READER_GRID;
    for (size_t i = 0; extension && i < COUNT_OF(EXTENSIONS); i++)
        if (strcmp(extension, EXTENSIONS[i].extension) == 0)
            return EXTENSIONS[i].reader;
    return READERS;
}

static uint8_t *read_bytes(FILE *file, size_t *size)
{
    uint8_t *bytes = malloc(LARGEST + 1);
    if (bytes)
        *size = fread(bytes, 1, LARGEST + 1, file);
    return bytes;
}

/* In the folder of fuzzing seeds, a letter that tells the fuzzer the format stands in front. */
static int add_file(
    const char *folder, const char *name, int has_letter, struct seeds *seeds, struct error *error)
{
    char path[PATH_MAX];
    struct seed seed = {.reader = reader_of(name)};
    const int skips = has_letter && (seed.reader == READER_SCENE || seed.reader == READER_PATCHES);
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    snprintf(seed.name, sizeof(seed.name), "%s", name);
    FILE *file = fopen(path, "rb");
    if (!file || (skips && getc(file) == EOF))
        return file ? fclose(file) : 0,
               error_set(error, ERROR_INPUT,
                   "cannot read '%s'; run this from the repository's root", path);
    seed.bytes = read_bytes(file, &seed.size);
    fclose(file);
    if (!seed.bytes)
        return error_set(error, ERROR_INPUT, "no memory for '%s'", path);
    struct seed *larger = realloc(seeds->seeds, (seeds->count + 1) * sizeof(*larger));
    if (larger)
        seeds->seeds = larger;
    if (!larger || seed.size > LARGEST) {
        free(seed.bytes);
        return larger ? 0 : error_set(error, ERROR_INPUT, "no memory for '%s'", path);
    }
    seeds->seeds[seeds->count++] = seed;
    return 0;
}

static int add_folder(const char *folder, int has_letter, struct seeds *seeds, struct error *error)
{
    DIR *entries = opendir(folder);
    int rc = 0;
    if (!entries)
        return error_set(
            error, ERROR_INPUT, "cannot open '%s'; run this from the repository's root", folder);
    for (struct dirent *entry; rc == 0 && (entry = readdir(entries));)
        if (reader_of(entry->d_name) != READERS)
            rc = add_file(folder, entry->d_name, has_letter, seeds, error);
    closedir(entries);
    return rc;
}

/* Slopes and noise; where there is alpha, some of it. */
static int make_image(int channels, int depth, struct image *image, struct error *error)
{
    uint64_t state = 16 * (uint64_t)channels + (uint64_t)depth;
    const int rc = image_new(12, 9, channels, depth, image, error);
    for (size_t i = 0; rc == 0 && i < 12 * 9 * 4; i++) {
        const size_t channel = i % 4, pixel = i / 4;
        const uint32_t noise = (uint32_t)(random_bits(&state) >> 60);
        uint32_t value = (uint32_t)(pixel % 12 * 17 + pixel / 12 * 5 + noise);
        if (channel < 3 && channels < 3)
            value = (uint32_t)(pixel % 12 * 17 + pixel / 12 * 5);
        if (channel == 3)
            value = channels % 2 == 0 ? (uint32_t)(pixel * 2) : 255;
        if (depth == 8)
            ((uint8_t *)image->pixels)[i] = (uint8_t)value;
        else
            ((uint16_t *)image->pixels)[i] = (uint16_t)(value * 257);
    }
    return rc;
}

/* Every format that holds the kind of image. */
static int write_images(const char *folder, struct error *error)
{
    static const char *const FORMATS[] = {
        "png", "jpg", "bmp", "tga", "pgm", "ppm", "pnm", "tif", "webp", "jxl", "avif"};
    char path[PATH_MAX];
    int rc = 0;
    for (int kind = 0; rc == 0 && kind < 8; kind++) {
        struct image image = {0};
        struct error unfit;
        rc = make_image(1 + kind / 2, kind % 2 ? 16 : 8, &image, error);
        for (size_t i = 0; rc == 0 && i < COUNT_OF(FORMATS); i++) {
            snprintf(path, sizeof(path), "%s/made-%d-%d.%s", folder, 1 + kind / 2,
                kind % 2 ? 16 : 8, FORMATS[i]);
            if (image_check_output(path, NULL, &image, &unfit) == 0)
                rc = image_write(path, NULL, &image, NULL, error);
        }
        image_free(&image);
    }
    return rc;
}

static int write_scenes(const char *folder, struct error *error)
{
    static const char *const NAMES[] = {"made-plain.csv", "made-plain.json", "made-soft.json"};
    char path[PATH_MAX];
    struct scene scene = {0};
    int rc = scene_make(scene_find("rgby"), 1, &scene, error);
    for (size_t i = 0; rc == 0 && i < COUNT_OF(NAMES); i++) {
        if (i == 2) {
            scene.soft = 1;
            scene.rise[1] = -.5f;
            scene.width = 40;
            scene.height = 30;
        }
        snprintf(path, sizeof(path), "%s/%s", folder, NAMES[i]);
        rc = scene_write(path, &scene, NULL, error);
    }
    scene_free(&scene);
    return rc;
}

/* Plain, turned, with holes, and of three images. */
static int write_permutations(const char *folder, struct error *error)
{
    static const char *const NAMES[] = {
        "made-plain.txt", "made-turned.txt", "made-holes.txt", "made-images.txt"};
    const struct grid puzzle = {5, 4}, images[3] = {{2, 4}, {4, 2}, {1, 4}};
    char path[PATH_MAX];
    struct permutation permutation = {0}, several = {0};
    uint64_t state = 1;
    int rc = permutation_shuffle(puzzle, &state, &permutation, error);
    for (size_t i = 0; rc == 0 && i < COUNT_OF(NAMES); i++) {
        if (i == 1)
            permutation_turn(&permutation, 1, &state);
        if (i == 2)
            permutation_drop(&permutation, 20, 4, &state);
        if (i == 3)
            rc = permutation_invert(&permutation, 3, images, &several, error);
        snprintf(path, sizeof(path), "%s/%s", folder, NAMES[i]);
        if (rc == 0)
            rc = permutation_write(path, i == 3 ? &several : &permutation, NULL, 0, error);
    }
    permutation_free(&permutation);
    permutation_free(&several);
    return rc;
}

static int write_mesh(const char *folder, struct error *error)
{
    static const double CORNERS[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t TRIANGLES[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    char path[PATH_MAX];
    struct mesh mesh = {0};
    int rc = mesh_new(4, 4, 0, &mesh, error);
    if (rc == 0) {
        memcpy(mesh.positions, CORNERS, sizeof(CORNERS));
        for (int i = 0; i < 4; i++)
            memcpy(mesh.triangles[i].vertex, TRIANGLES[i], sizeof(TRIANGLES[i]));
        snprintf(path, sizeof(path), "%s/made-mesh.obj", folder);
        rc = mesh_weld(&mesh, 30, NULL, error);
    }
    if (rc == 0)
        rc = mesh_write(path, &mesh, NULL, error);
    mesh_free(&mesh);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct seed *)a)->name, ((const struct seed *)b)->name);
}

/* Takes away what was made there. */
static void clear_folder(const char *folder)
{
    char path[PATH_MAX];
    DIR *entries = opendir(folder);
    if (!entries)
        return;
    for (struct dirent *entry; (entry = readdir(entries));)
        if (snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) < PATH_MAX)
            unlink(path);
    closedir(entries);
}

int seeds_make(const char *folder, struct seeds *seeds, struct error *error)
{
    *seeds = (struct seeds){0};
    int rc = write_images(folder, error);
    if (rc == 0)
        rc = write_scenes(folder, error);
    if (rc == 0)
        rc = write_permutations(folder, error);
    if (rc == 0)
        rc = write_mesh(folder, error);
    if (rc == 0)
        rc = add_folder(folder, 0, seeds, error);
    if (rc == 0)
        rc = add_folder("scenes/samples", 0, seeds, error);
    if (rc == 0)
        rc = add_folder("tests/fuzz/seeds", 1, seeds, error);
    clear_folder(folder);
    qsort(seeds->seeds, seeds->count, sizeof(*seeds->seeds), by_name);
    return rc;
}

void seeds_free(struct seeds *seeds)
{
    for (size_t i = 0; i < seeds->count; i++)
        free(seeds->seeds[i].bytes);
    free(seeds->seeds);
    *seeds = (struct seeds){0};
}
