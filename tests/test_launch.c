/* Launches with arguments that are not those of the kernel are refused on every device, and run
 * nothing. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "kernels/device/device.h"
#include "kernels/unscramble/unscramble_args.h"

#define GRAY_BYTES (EDGE_PIXELS * EDGE_PIXELS)
#define TILE_EDGES (SIDES * EDGE_PIXELS) /* bytes */

/* A device with a tile, its edges, fits, and a buffer larger than the table of edges. */
struct fixture {
    struct device device;
    struct buffer gray, edges, fits, large;
};

static int fixture_open(const char *id, struct fixture *f, struct error *error)
{
    static uint8_t zeros[EDGE_BYTES];
    int rc = device_open(id, 0, 1, &f->device, error);
    if (rc == 0)
        rc = buffer_new(&f->device, GRAY_BYTES, NULL, &f->gray, error);
    if (rc == 0)
        rc = buffer_new(&f->device, TILE_EDGES, NULL, &f->edges, error);
    if (rc == 0)
        rc = buffer_new(&f->device, PAIR_COSTS(1) * sizeof(uint32_t), NULL, &f->fits, error);
    if (rc == 0)
        rc = buffer_new(&f->device, EDGE_BYTES + 1, NULL, &f->large, error);
    if (rc == 0)
        rc = buffer_upload(&f->edges, zeros, TILE_EDGES, error);
    return rc;
}

static void fixture_close(struct fixture *f)
{
    buffer_free(&f->gray);
    buffer_free(&f->edges);
    buffer_free(&f->fits);
    buffer_free(&f->large);
    device_close(&f->device);
}

/* Whether a launch was refused with a message that has all of these. */
static void check_refused(const char *id, int rc, const struct error *error, const char *kernel,
    const char *argument, const char *expected)
{
    tap_check(rc == ERROR_DEVICE && strstr(error->text, kernel) && strstr(error->text, argument) &&
                  strstr(error->text, expected),
        "%s: %s", id, error->text);
}

static void check_counts(struct fixture *f)
{
    const uint32_t one = 1;
    const char *const id = f->device.info.id;
    struct error error = {"was not refused"};
    int rc = DEVICE_LAUNCH(
        &f->device, KERNEL_edges, 1, SIDES, &error, ARGUMENT_BUFFER(&f->gray), ARGUMENT(one));
    check_refused(id, rc, &error, "'edges'", "4 arguments", "gives 2");
    rc = DEVICE_LAUNCH(&f->device, KERNEL_edges, 1, SIDES, &error, ARGUMENT_BUFFER(&f->gray),
        ARGUMENT_BUFFER(&f->edges), ARGUMENT(one), ARGUMENT(one), ARGUMENT(one));
    check_refused(id, rc, &error, "'edges'", "4 arguments", "gives 5");
    rc = DEVICE_LAUNCH(&f->device, KERNEL_edges, 0, SIDES, &error, ARGUMENT(one));
    check_refused(id, rc, &error, "'edges'", "4 arguments", "gives 1");
    const struct buffer none = {0};
    rc = DEVICE_LAUNCH(&f->device, KERNEL_edges, 1, SIDES, &error, ARGUMENT_BUFFER(&none),
        ARGUMENT_BUFFER(&f->edges), ARGUMENT(one), ARGUMENT(one));
    check_refused(id, rc, &error, "'edges'", "argument 1, 'gray'", "nothing has made");
}

static void check_kinds(struct fixture *f)
{
    const uint32_t one = 1;
    const char *const id = f->device.info.id;
    struct error error = {"was not refused"};
    int rc = DEVICE_LAUNCH(&f->device, KERNEL_edges, 1, SIDES, &error, ARGUMENT_BUFFER(&f->gray),
        ARGUMENT(one), ARGUMENT_BUFFER(&f->edges), ARGUMENT(one));
    check_refused(id, rc, &error, "'edges'", "argument 2, 'edge'", "must be a buffer");
    rc = DEVICE_LAUNCH(&f->device, KERNEL_edges, 1, SIDES, &error, ARGUMENT_BUFFER(&f->gray),
        ARGUMENT_BUFFER(&f->edges), ARGUMENT_BUFFER(&f->fits), ARGUMENT(one));
    check_refused(id, rc, &error, "'edges'", "argument 3, 'columns'", "must be a value");
    rc = DEVICE_LAUNCH(&f->device, KERNEL_edges, 1, SIDES, &error, ARGUMENT_CONSTANT(&f->gray),
        ARGUMENT_BUFFER(&f->edges), ARGUMENT(one), ARGUMENT(one));
    check_refused(id, rc, &error, "'edges'", "argument 1, 'gray'", "gives a buffer for constant");
    rc = DEVICE_LAUNCH(&f->device, KERNEL_fits, 1, DIRECTIONS, &error, ARGUMENT_BUFFER(&f->edges),
        ARGUMENT_BUFFER(&f->fits), ARGUMENT(one));
    check_refused(id, rc, &error, "'fits'", "argument 1, 'edge_table'", "must be a buffer for");
}

static void check_sizes(struct fixture *f)
{
    const struct grayscale_args longer = {.row_pixels = 1};
    const uint32_t one = 1;
    const char *const id = f->device.info.id;
    struct error error = {"was not refused"};
    int rc = DEVICE_LAUNCH(&f->device, KERNEL_edges, 1, SIDES, &error, ARGUMENT_BUFFER(&f->gray),
        ARGUMENT_BUFFER(&f->edges), ARGUMENT(longer), ARGUMENT(one));
    check_refused(id, rc, &error, "'edges'", "argument 3, 'columns'", "must have 4 bytes");
    rc = DEVICE_LAUNCH(&f->device, KERNEL_fits, 1, DIRECTIONS, &error, ARGUMENT_CONSTANT(&f->large),
        ARGUMENT_BUFFER(&f->fits), ARGUMENT(one));
    check_refused(id, rc, &error, "'fits'", "argument 1, 'edge_table'", "at most 3072 bytes");
}

/* The edges are as they were until a launch with the right arguments, which makes them white. */
static void check_runs(struct fixture *f)
{
    const uint32_t one = 1;
    const char *const id = f->device.info.id;
    uint8_t gray[GRAY_BYTES], edges[TILE_EDGES], black[TILE_EDGES] = {0}, white[TILE_EDGES];
    struct error error = {""};
    memset(gray, 255, sizeof(gray));
    memset(white, 255, sizeof(white));
    int rc = buffer_download(&f->edges, edges, sizeof(edges), &error);
    tap_check(
        rc == 0 && memcmp(edges, black, sizeof(edges)) == 0, "%s: nothing of this has run", id);
    rc = buffer_upload(&f->gray, gray, sizeof(gray), &error);
    if (rc == 0)
        rc = DEVICE_LAUNCH(&f->device, KERNEL_edges, 1, SIDES, &error, ARGUMENT_BUFFER(&f->gray),
            ARGUMENT_BUFFER(&f->edges), ARGUMENT(one), ARGUMENT(one));
    if (rc == 0)
        rc = buffer_download(&f->edges, edges, sizeof(edges), &error);
    tap_check(rc == 0 && memcmp(edges, white, sizeof(edges)) == 0,
        "%s: the right arguments run%s%s", id, rc ? ": " : "", rc ? error.text : "");
}

static void count_group(void *context)
{
    ++*(int *)context;
}

/* How many of 4 groups were told of, in a launch on a gray image of `size` bytes of the host. */
static int told_groups(struct fixture *f, size_t size)
{
    const uint32_t one = 1;
    uint8_t *memory = calloc(size, 1);
    struct buffer gray = {0};
    struct error error = {""};
    int told = 0;
    f->device.after_group = count_group;
    f->device.context = &told;
    if (!memory || buffer_new(&f->device, size, memory, &gray, &error) ||
        DEVICE_LAUNCH(&f->device, KERNEL_edges, 1, SIDES, &error, ARGUMENT_BUFFER(&gray),
            ARGUMENT_BUFFER(&f->edges), ARGUMENT(one), ARGUMENT(one)))
        told = -1;
    f->device.after_group = NULL;
    f->device.context = NULL;
    buffer_free(&gray);
    free(memory);
    return told;
}

/* What a group touches of the host's memory may be a file, if it is large. */
static void check_after_group(struct fixture *f)
{
    const int shares = f->device.shares_memory, few = told_groups(f, GRAY_BYTES),
              many = told_groups(f, (size_t)17 << 20);
    tap_check(few == 0 && many == (shares ? SIDES : 0),
        "%s: of %d groups none is told of, and %d where memory is large", f->device.info.id, SIDES,
        many);
}

int main(void)
{
    struct device_info infos[DEVICE_LIMIT];
    const int count = device_list(infos);
    tap_check(count > 0, "there is a device");
    for (int i = 0; i < count; i++) {
        struct fixture fixture = {0};
        struct error error = {""};
        const int rc = fixture_open(infos[i].id, &fixture, &error);
        if (tap_check(rc == 0, "%s can be used%s%s", infos[i].id, rc ? ": " : "", error.text)) {
            check_counts(&fixture);
            check_kinds(&fixture);
            check_sizes(&fixture);
            check_runs(&fixture);
            check_after_group(&fixture);
        }
        fixture_close(&fixture);
    }
    return tap_finish();
}
