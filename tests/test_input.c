/* Files as streams: parts, limits, ends, failures, being stopped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/tap.h"
#include "images/input.h"
#include "random.h"

#define SIZE 20000003 /* bytes of a file: a prime, more than what is read at once */

static char path[] = "/tmp/test_input.XXXXXX";
static unsigned char content[SIZE];

static void make_file(size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(content, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static struct input open_file(const struct progress *progress)
{
    struct input input;
    struct error error;
    if (input_open(path, progress, &input, &error) != 0)
        abort();
    return input;
}

/* Peeks, single bytes and reads of all sizes, in turn, give the content. */
static void check_parts(size_t size)
{
    static unsigned char bytes[SIZE];
    uint64_t random = size;
    make_file(size);
    struct input input = open_file(NULL);
    size_t at = 0;
    int right = 1;
    while (right && at < size) {
        const size_t count = random_bits(&random) % (random & 1 << 20 ? 100 : 400000) + 1;
        const size_t left = size - at, peeked = count < INPUT_PEEK ? count : INPUT_PEEK;
        const size_t seen = input_peek(&input, peeked);
        right = seen >= (peeked < left ? peeked : left) && seen <= left &&
                memcmp(input.at, content + at, seen) == 0;
        right = right && input_byte(&input) == content[at++];
        const size_t got = input_read(&input, bytes, count);
        right = right && got == (count < left - 1 ? count : left - 1) &&
                memcmp(bytes, content + at, got) == 0;
        at += got;
    }
    right = right && input_byte(&input) == -1 && input_peek(&input, 1) == 0 &&
            input_read(&input, bytes, 1) == 0;
    struct error error;
    tap_check(right && input_check(&input, &error) == 0, "%zu bytes in parts", size);
    input_close(&input);
}

static void check_rest(size_t size, size_t taken, uint64_t limit, int fits)
{
    unsigned char *bytes = NULL;
    size_t got = 0;
    struct error error = {""};
    make_file(size);
    struct input input = open_file(NULL);
    const size_t wanted = size - taken;
    while (taken > 0 && input_byte(&input) >= 0)
        taken--;
    const int rc = input_rest(&input, limit, "too long", &bytes, &got, &error);
    const int right = fits ? rc == 0 && got == wanted && bytes[got] == 0 &&
                                 memcmp(bytes, content + size - got, got) == 0
                           : rc == ERROR_INPUT && !bytes && strstr(error.text, ": too long");
    tap_check(right, "%zu bytes, %llu allowed: %s", size, (unsigned long long)limit,
        fits ? "read" : "refused");
    free(bytes);
    input_close(&input);
}

/* Bytes at any place, behind the first that were taken: of a file, of a pipe and of memory. A file
 * is not read as a whole. */
static void check_gathered(const char *what, struct input *input, size_t taken, uint64_t most_read)
{
    static const size_t PLACES[][2] = {
        {SIZE - 5 - 1, 1}, {0, 1}, {3, 70000}, {0, SIZE - 5}, {SIZE - 5, 0}};
    static unsigned char bytes[SIZE];
    struct error error = {""};
    uint64_t size = 0;
    while (taken > 0 && input_byte(input) >= 0)
        taken--;
    int right = input_gather(input, SIZE - 5, "too long", &size, &error) == 0 && size == SIZE - 5;
    for (size_t i = 0; right && i < sizeof(PLACES) / sizeof(PLACES[0]); i++)
        right = input_read_at(input, PLACES[i][0], bytes, PLACES[i][1]) == PLACES[i][1] &&
                memcmp(bytes, content + 5 + PLACES[i][0], PLACES[i][1]) == 0;
    right = right && input_has(input, 0, SIZE - 5) && !input_has(input, 1, SIZE - 5) &&
            input_read_at(input, SIZE - 7, bytes, 3) == 2 && !input_read_at(input, SIZE, bytes, 1);
    tap_check(right && input->read <= most_read + SIZE / 2, "%s, at any place%s", what, error.text);
    input_close(input);
}

static void check_places(void)
{
    unsigned char *bytes = malloc(SIZE);
    struct error error = {""};
    struct input input;
    uint64_t size;
    int ends[2];
    make_file(SIZE);
    input = open_file(NULL);
    check_gathered("a file", &input, 5, 0);
    input_from_memory(content, SIZE, "memory", &input);
    check_gathered("memory", &input, 5, 0);
    const int kept = dup(STDIN_FILENO);
    if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
        abort();
    if (fork() == 0) {
        for (size_t done = 0; done < SIZE;)
            done += (size_t)write(ends[1], content + done, SIZE - done);
        _exit(0);
    }
    close(ends[1]);
    if (input_open("-", NULL, &input, &error) != 0)
        abort();
    check_gathered("a pipe", &input, 5, SIZE);
    wait(NULL);
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(ends[0]);
    input = open_file(NULL);
    tap_check(input_gather(&input, SIZE - 1, "too long", &size, &error) == ERROR_INPUT &&
                  strstr(error.text, ": too long"),
        "a file beyond the limit: %s", error.text);
    input_close(&input);
    input = open_file(NULL);
    if (input_gather(&input, SIZE, "too long", &size, &error) || truncate(path, 10) != 0)
        abort();
    tap_check(input_read_at(&input, 8, bytes, 3) == 2 &&
                  input_check(&input, &error) == ERROR_INPUT && strstr(error.text, "shorter"),
        "a file that shrinks: %s", error.text);
    input_close(&input);
    free(bytes);
}

/* An endless file takes no more memory than the limit. */
static void check_endless(void)
{
    unsigned char *bytes;
    size_t size;
    struct input input;
    struct error error = {""};
    const int opened = input_open("/dev/zero", NULL, &input, &error) == 0;
    tap_check(opened &&
                  input_rest(&input, 1000000, "too long", &bytes, &size, &error) == ERROR_INPUT &&
                  input.read <= 1000001,
        "no more is read of an endless file than is allowed");
    input_close(&input);
}

/* An endless file is read as far as it is asked for, and what is beyond the limit is refused. */
static void check_kept(void)
{
    enum { LIMIT = 40000000, FAR = 33554431 }; /* the end of a part */
    static unsigned char bytes[10] = {1};
    struct input input;
    struct error error = {""};
    uint64_t size = 0;
    if (input_open("/dev/zero", NULL, &input, &error) != 0)
        abort();
    int right = input_gather(&input, LIMIT, "too long", &size, &error) == 0 && size == LIMIT;
    right = right && input_read_at(&input, 8, bytes, 8) == 8 && input.read <= 1000000;
    right = right && input_has(&input, FAR, 10) && input.read <= FAR + 1000000;
    right = right && input_read_at(&input, FAR, bytes, 10) == 10 && !bytes[0];
    tap_check(right && input_check(&input, &error) == 0, "no more is read than is asked for");
    tap_check(!input_has(&input, LIMIT - 5, 6) && input_check(&input, &error) == 0,
        "what can be beyond the limit is not there");
    tap_check(input_read_at(&input, LIMIT - 5, bytes, 10) == 5 &&
                  input_check(&input, &error) == ERROR_INPUT && strstr(error.text, ": too long"),
        "but to read it fails: %s", error.text);
    input_close(&input);
    if (input_open("/dev/zero", NULL, &input, &error) != 0 ||
        input_gather(&input, LIMIT, "too long", &size, &error) != 0)
        abort();
    tap_check(!input_read_at(&input, (uint64_t)1 << 60, bytes, 1) && input.read == 0 &&
                  input_check(&input, &error) == ERROR_INPUT && strstr(error.text, ": too long"),
        "what begins beyond the limit is not looked for");
    input_close(&input);
    for (int is_endless = 0; is_endless < 2; is_endless++) {
        if (input_open(is_endless ? "/dev/zero" : "/dev/null", NULL, &input, &error) != 0 ||
            input_gather(&input, SIZE, "too long", &size, &error) != 0)
            abort();
        input_pass_rest(&input);
        tap_check(input_check(&input, &error) == (is_endless ? ERROR_INPUT : 0) &&
                      input.read <= (is_endless ? 2 * SIZE : 0),
            "the rest is passed over: %s", is_endless ? error.text : "nothing");
        input_close(&input);
    }
}

struct stopper {
    int reports; /* until it stops */
    double last; /* share */
};

static int report(void *context, double share)
{
    struct stopper *stopper = context;
    stopper->last = share;
    return --stopper->reports < 0;
}

/* A pipe into which nobody writes, and a file. */
static void check_stop(void)
{
    struct stopper stopper = {.reports = 1};
    const struct progress progress = {report, &stopper};
    struct error error = {""};
    unsigned char *bytes;
    size_t size;
    int ends[2];
    make_file(SIZE);
    struct input input = open_file(&progress);
    tap_check(
        input_rest(&input, SIZE, "too long", &bytes, &size, &error) == ERROR_STOPPED && !bytes,
        "reading a file is stopped");
    input_close(&input);
    const int kept = dup(STDIN_FILENO);
    if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
        abort();
    stopper.reports = 2;
    tap_check(input_open("-", &progress, &input, &error) == 0 && input_byte(&input) == -1 &&
                  input_check(&input, &error) == ERROR_STOPPED,
        "waiting for a pipe is stopped");
    input_close(&input);
    dup2(kept, STDIN_FILENO);
    close(kept);
    close(ends[0]);
    close(ends[1]);
    stopper = (struct stopper){.reports = 1 << 20};
    input = open_file(&progress);
    const int rc = input_rest(&input, SIZE, "too long", &bytes, &size, &error);
    tap_check(rc == 0 && stopper.last == 1, "the share of a file that is read ends at 1");
    free(bytes);
    input_close(&input);
}

static void check_refusal(const char *name, const char *expected)
{
    struct input input;
    struct error error = {""};
    int rc = input_open(name, NULL, &input, &error);
    if (rc == 0) {
        input_byte(&input);
        rc = input_check(&input, &error);
        input_close(&input);
    }
    tap_check(rc == ERROR_INPUT && strcmp(error.text, expected) == 0, "%s", error.text);
}

int main(void)
{
    static const size_t SIZES[] = {0, 1, 2, INPUT_PEEK - 1, INPUT_PEEK, INPUT_PEEK + 1,
        (1 << 18) - 1, 1 << 18, (1 << 18) + 1, SIZE};
    uint64_t random = 1;
    for (size_t i = 0; i < SIZE; i++)
        content[i] = (unsigned char)random_bits(&random);
    const int file = mkstemp(path);
    if (file < 0 || close(file) != 0)
        abort();
    for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++) {
        check_parts(SIZES[i]);
        check_rest(SIZES[i], 0, SIZES[i], 1);
        check_rest(SIZES[i], SIZES[i] / 2, SIZES[i], 1);
        if (SIZES[i] > 0)
            check_rest(SIZES[i], 0, SIZES[i] - 1, 0);
    }
    check_endless();
    check_places();
    check_kept();
    check_stop();
    unlink(path);
    check_refusal("/", "cannot read '/': it is a folder; name a file in it");
    check_refusal("/nowhere", "cannot open '/nowhere': No such file or directory");
    const int kept = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    check_refusal("-", "cannot read '-': Bad file descriptor");
    dup2(kept, STDIN_FILENO);
    return tap_finish();
}
