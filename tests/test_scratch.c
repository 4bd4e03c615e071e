/* Memory of images that may be files: when it is one, what stays in it, and what it leaves. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/tap.h"
#include "images/memory.h"
#include "images/scratch.h"

#define MEMORY ((uint64_t)16 << 20) /* that the process is to take, for all that it is to know */
#define SIZE ((size_t)48 << 20)     /* bytes of a file */
#define PAGE 4096                   /* bytes between numbers that are looked at */

static char folder[] = "/tmp/test_scratch.XXXXXX";

static int count_files(void)
{
    DIR *opened = opendir(folder);
    int count = 0;
    while (opened && readdir(opened))
        count++;
    closedir(opened);
    return count - 2; /* . and .. */
}

/* KiB of mapped files that the process holds, by another file than the one that is tested. */
static long mapped_size(void)
{
    char line[256];
    long size = 0, some;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof(line), file))
        if (sscanf(line, "RssFile: %ld", &some) == 1 || sscanf(line, "RssShmem: %ld", &some) == 1)
            size += some;
    if (file)
        fclose(file);
    return size;
}

static int is_zero(const unsigned char *memory, size_t size)
{
    for (size_t i = 0; i < size; i += PAGE)
        if (memory[i])
            return 0;
    return memory[size - 1] == 0;
}

static void fill(unsigned char *memory, size_t size, uint64_t first)
{
    for (size_t i = 0; i + sizeof(first) <= size; i += PAGE, first += 3)
        memcpy(memory + i, &first, sizeof(first));
}

static int holds(const unsigned char *memory, size_t size, uint64_t first)
{
    for (size_t i = 0; i + sizeof(first) <= size; i += PAGE, first += 3)
        if (memcmp(memory + i, &first, sizeof(first)) != 0)
            return 0;
    return 1;
}

/* What is touched is let go of, while nobody does anything, and is there when it is looked at. */
static void check_file(void)
{
    struct error error = {""};
    struct scratch *scratch = scratch_open(MEMORY);
    const long before = mapped_size();
    unsigned char *small = scratch_new(scratch, MEMORY / 4, &error);
    unsigned char *one = scratch_new(scratch, SIZE, &error);
    unsigned char *other = scratch_new(scratch, SIZE + 1, &error);
    tap_check(one && other && small && is_zero(one, SIZE) && is_zero(other, SIZE + 1),
        "zeros at first%s", error.text);
    if (!one || !other || !small)
        exit(1);
    tap_check(count_files() == 0, "no file has a name");
    fill(small, MEMORY / 4, 1);
    fill(one, SIZE, 2);
    fill(other, SIZE + 1, 3);
    const long most = before + (long)(SIZE >> 10);
    long looks = 0;
    while (mapped_size() > most && looks < 1000000)
        looks++;
    tap_check(mapped_size() <= most, "no more than half of what was touched stays mapped");
    tap_check(holds(one, SIZE, 2) && holds(other, SIZE + 1, 3) && holds(small, MEMORY / 4, 1),
        "the content stays");
    scratch_free(scratch, one);
    tap_check(holds(other, SIZE + 1, 3) && holds(small, MEMORY / 4, 1), "also when one is freed");
    scratch_close(scratch); /* frees the rest */
}

/* A loop that reads a byte of each page is faster than looks of now and then, so it must not hold
 * more than a quarter of the memory and what is passed between two looks. */
static void check_pass(void)
{
    struct error error = {""};
    struct scratch *scratch = scratch_open(8 * MEMORY);
    const long before = mapped_size();
    unsigned char *file = scratch_new(scratch, 5 * MEMORY, &error);
    const volatile unsigned char *bytes = file;
    long most = 0;
    if (!file)
        exit(1);
    fill(file, 5 * MEMORY, 4);
    for (int round = 0; round < 50; round++)
        for (size_t i = 0; i < 5 * MEMORY; i += PAGE) {
            (void)bytes[i];
            scratch_pass(scratch, PAGE);
            if (i % MEMORY == 0 && mapped_size() > most)
                most = mapped_size();
        }
    tap_check(most - before <= (long)(3 * MEMORY + MEMORY / 4) >> 10,
        "%ld KiB of a file that is passed are mapped", most - before);
    scratch_pass(NULL, PAGE);
    scratch_close(scratch);
}

/* Whether that much is memory, where no file can be made. */
static int is_memory(struct scratch *scratch, size_t size, void **memory)
{
    struct error error = {""};
    *memory = scratch_new(scratch, size, &error);
    return *memory != NULL;
}

static void check_choice(void)
{
    struct error error = {""};
    struct scratch *scratch = scratch_open(MEMORY);
    void *half, *one, *quarter;
    setenv("TMPDIR", "/tmp/no/such/folder", 1);
    tap_check(is_memory(scratch, MEMORY / 2, &half) && !is_memory(scratch, 1, &one),
        "half is memory, no byte more");
    scratch_free(scratch, half);
    tap_check(is_memory(scratch, MEMORY / 4, &quarter) && is_memory(scratch, MEMORY / 4, &half) &&
                  !is_memory(scratch, 1, &one),
        "and again when it was freed, in parts");
    tap_check(!scratch_new(scratch, SIZE, &error) &&
                  strstr(error.text, "cannot make a scratch file of 50331648 bytes in "
                                     "'/tmp/no/such/folder': No such file or directory"),
        "%s", error.text);
    scratch_free(scratch, NULL);
    scratch_close(scratch);
    tap_check(is_memory(NULL, SIZE, &one), "all is memory without a scratch");
    scratch_free(NULL, one);
    scratch_close(NULL);
    setenv("TMPDIR", folder, 1);
}

/* A file that cannot be made as large as it must be is told of at once. */
static void check_full(void)
{
    struct error error = {""};
    struct rlimit old, limit;
    struct scratch *scratch = scratch_open(MEMORY);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = SIZE - 1;
    setrlimit(RLIMIT_FSIZE, &limit);
    tap_check(!scratch_new(scratch, SIZE, &error) && strstr(error.text, "File too large"), "%s",
        error.text);
    setrlimit(RLIMIT_FSIZE, &old);
    void *memory = scratch_new(scratch, SIZE, &error);
    tap_check(memory != NULL && count_files() == 0, "and nothing is left of it");
    scratch_close(scratch);
}

int main(void)
{
    const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (!mkdtemp(folder))
        abort();
    setenv("TMPDIR", folder, 1);
    tap_check(memory_limit() > 0 && memory_limit() <= machine, "a limit within the machine's");
    check_choice();
    check_full();
    check_file();
    check_pass();
    rmdir(folder);
    return tap_finish();
}
