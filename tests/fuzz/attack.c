/* attack [-n COUNT] [-f FIRST] [-s SEED] [-w DIR]: bad files through all parsers, with the checks
 * of the fuzzers here; with -w they are only written, named by their number and their seed. Run it
 * from the repository's root. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/watch.h"

#define SECONDS 2 /* that a file may take */

/* The checks of the fuzzers, each under the name of its file. */
typedef int check_function(const uint8_t *bytes, size_t size);
check_function fuzz_grid, fuzz_image, fuzz_patches, fuzz_permutation, fuzz_pnm, fuzz_scene;

/* What is tried with every file; the letter that tells a check the format. */
static const struct {
    check_function *check;
    enum reader reader;
    const char *extension; /* NULL: any that is not named */
    char letter;           /* 0: none */
} CHECKS[] = {
    {fuzz_image, READER_IMAGE, NULL, 0},
    {fuzz_pnm, READER_IMAGE, NULL, 0},
    {fuzz_scene, READER_SCENE, ".csv", 'c'},
    {fuzz_scene, READER_SCENE, ".json", 'j'},
    {fuzz_scene, READER_SCENE, ".svg", 's'},
    {fuzz_patches, READER_PATCHES, ".bv", 'b'},
    {fuzz_patches, READER_PATCHES, ".bpt", 'p'},
    {fuzz_patches, READER_PATCHES, ".obj", 'o'},
    {fuzz_permutation, READER_PERMUTATION, NULL, 0},
    {fuzz_grid, READER_GRID, NULL, 0},
};
#define CHECK_COUNT (sizeof(CHECKS) / sizeof(CHECKS[0]))

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* By the parser that it is meant for, one in eight by all of them. The parser gets memory that ends
 * where the file does, so that the sanitizer sees it read on. */
static void try_file(const struct bad *bad, uint64_t number)
{
    const char *extension = strrchr(bad->seed->name, '.');
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        const int is_meant = CHECKS[i].reader == bad->seed->reader &&
                             (!CHECKS[i].extension || strcmp(CHECKS[i].extension, extension) == 0);
        if (!is_meant && number % 8)
            continue;
        const size_t front = CHECKS[i].letter != 0;
        uint8_t *room = malloc(1 + front + bad->size), *bytes = room + 1;
        if (!room)
            abort();
        if (front)
            bytes[0] = (uint8_t)CHECKS[i].letter;
        memcpy(bytes + front, bad->bytes, bad->size);
        CHECKS[i].check(bytes, front + bad->size);
        free(room);
    }
}

static int write_file(const struct bad *bad, const char *folder, uint64_t number)
{
    char path[PATH_MAX];
    snprintf(
        path, sizeof(path), "%s/%06llu-%s", folder, (unsigned long long)number, bad->seed->name);
    FILE *file = fopen(path, "wb");
    const size_t written = file && bad->size ? fwrite(bad->bytes, 1, bad->size, file) : 0;
    if (file && fclose(file) == 0 && written == bad->size)
        return 0;
    fprintf(stderr, "attack: cannot write '%s'\n", path);
    return 1;
}

static int try_all(
    const struct seeds *seeds, uint64_t seed, uint64_t first, uint64_t count, const char *folder)
{
    struct bad bad = {.bytes = malloc(MUTATE_LARGEST)};
    double slowest = 0;
    uint64_t slowest_number = first;
    const double start = now();
    int failed = !bad.bytes;
    for (uint64_t number = first; !failed && number - first < count; number++) {
        const double before = now();
        watch_next(number);
        mutate(seeds, seed, number, &bad);
        if (folder)
            failed = write_file(&bad, folder, number);
        else
            try_file(&bad, number);
        const double took = now() - before;
        if (took > slowest) {
            slowest = took;
            slowest_number = number;
        }
        if (isatty(STDERR_FILENO) && number % 1000 == 0)
            fprintf(stderr, "\r%llu of %llu files", (unsigned long long)(number - first),
                (unsigned long long)count);
    }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    if (!failed)
        printf("%llu files from %zu seeds in %.1f s, the slowest, %llu, in %.3f s: all whole\n",
            (unsigned long long)count, seeds->count, now() - start,
            (unsigned long long)slowest_number, slowest);
    free(bad.bytes);
    return failed;
}

int main(int argc, char **argv)
{
    struct seeds seeds;
    struct error error = {"there is no place in /tmp"};
    uint64_t count = 100000, first = 0, seed = 1;
    const char *folder = NULL;
    char made[] = "/tmp/attack.XXXXXX";
    int option;
    while ((option = getopt(argc, argv, "n:f:s:w:")) != -1)
        if (option == 'n') {
            count = strtoull(optarg, NULL, 10);
        } else if (option == 'f') {
            first = strtoull(optarg, NULL, 10);
        } else if (option == 's') {
            seed = strtoull(optarg, NULL, 10);
        } else if (option == 'w') {
            folder = optarg;
        } else {
            fputs("usage: attack [-n COUNT] [-f FIRST] [-s SEED] [-w DIR]\n", stderr);
            return 2;
        }
    if (!mkdtemp(made) || seeds_make(made, &seeds, &error) != 0) {
        fprintf(stderr, "attack: cannot make the seeds: %s\n", error.text);
        return 1;
    }
    rmdir(made);
    watch_start("file", seed, SECONDS);
    const int failed = try_all(&seeds, seed, first, count, folder);
    seeds_free(&seeds);
    return failed;
}
