/* One chunk by the CPU and a device together (Palomar et al. 2017, 5.2). */
#include <pthread.h>
#include <stdlib.h>

#include "stages/bezier/chunk.h"

/* Groups of a device take a DEVICE_TAKES-th of the list at a time: each take is a microsecond or
 * two of the bus, and what no group has taken is left to the CPU. Groups of the CPU take a block at
 * a time. */
#define DEVICE_GROUPS 64
#define DEVICE_TAKES 128
#define CPU_GROUPS 128  /* enough for a launch to use all threads */
#define HANDED_PARTS 16 /* in which the host hands out blocks to a device that cannot take them */

/* What the CPU and a device share a chunk by. */
struct both {
    struct run *run;
    struct bezier *b;
    const struct chunk *chunk;
    const struct buffer *of_device[5], *of_cpu[5];
    struct buffer cpu_buffers[5];
    int rc; /* of the thread that drives the device */
};

/* Rows of points, of all patches of the chunk in turn, that lie one after the other. */
struct range {
    size_t first, end;
};

static int download_rows(struct both *s, const struct range *rows)
{
    const size_t row = (size_t)s->chunk->args.columns * 3 * precision_size(s->b->options.precision);
    const size_t from = rows->first * row, size = (rows->end - rows->first) * row;
    if (size == 0)
        return 0;
    return buffer_download_from(
        s->of_device[3], from, (char *)chunk_points(s->b, s->chunk) + from, size, &s->run->error);
}

/* Makes the range longer, or copies it and starts with another. */
static int download_more(struct both *s, struct range *pending, size_t first, size_t end)
{
    int rc = 0;
    if (first != pending->end) {
        rc = download_rows(s, pending);
        pending->first = first;
    }
    pending->end = end;
    return rc;
}

/* Copies the points of strips that the device has done. */
static int download_strips(struct both *s, size_t first, size_t end)
{
    const struct patch_args *t = &s->chunk->args;
    const size_t half = s->chunk->has_pairs ? (t->rows + 1) / 2 : t->rows;
    struct range pending = {0, 0};
    int rc = 0;
    for (size_t patch = first / t->strips; rc == 0 && first < end; patch++) {
        const size_t rest = (patch + 1) * t->strips, until = end < rest ? end : rest;
        const size_t top = patch * t->rows;
        const size_t low = (first - patch * t->strips) * t->strip_rows;
        const size_t all = (until - patch * t->strips) * t->strip_rows;
        const size_t high = all < half ? all : half;
        rc = download_more(s, &pending, top + low, top + high);
        if (rc == 0 && s->chunk->has_pairs) {
            const size_t mirror = t->rows - high; /* the middle row of an odd number has none */
            rc = download_more(s, &pending, top + (mirror > high ? mirror : high),
                top + (t->rows - low > high ? t->rows - low : high));
        }
        first = until;
    }
    return rc ? rc : download_rows(s, &pending);
}

/* `--share P`: the first blocks to the CPU, whole strips, while the device does the rest. */
static int share_fixed(struct both *s)
{
    struct patch_args args = s->chunk->args;
    const size_t strips = args.end / args.blocks;
    const size_t split = (strips * s->b->options.share + 50) / 100 * args.blocks;
    args.first = (uint32_t)split;
    int rc = chunk_launch_blocks(
        &s->run->device, s->chunk, s->of_device, args, args.end - split, &s->run->error);
    args.first = 0;
    args.end = (uint32_t)split;
    if (rc == 0)
        rc = chunk_launch_blocks(&s->b->helper, s->chunk, s->of_cpu, args, split, &s->run->error);
    return rc ? rc : download_strips(s, split / args.blocks, strips);
}

/* Hands parts of the list to a device that cannot take from it. */
static void *drive_device(void *context)
{
    struct both *s = context;
    const struct patch_args *all = &s->chunk->args;
    const uint32_t strips = all->end / all->blocks;
    const uint32_t part = (strips + HANDED_PARTS - 1) / HANDED_PARTS;
    struct patch_args args = *all;
    while (s->rc == 0) {
        const uint32_t first =
            __atomic_fetch_add(s->b->taken, part * all->blocks, __ATOMIC_RELAXED) / all->blocks;
        if (first >= strips)
            break;
        args.first = first * all->blocks;
        args.end = first + part < strips ? args.first + part * all->blocks : all->end;
        s->rc = chunk_launch_blocks(
            &s->run->device, s->chunk, s->of_device, args, args.end - args.first, &s->run->error);
        if (s->rc == 0)
            s->rc = download_strips(s, first, args.end / all->blocks);
    }
    return NULL;
}

/* `--share dynamic`: CPU and device take blocks from one list, a counter that both add to, the CPU
 * one at a time; the device writes into the host's memory. Where it cannot, the host takes for it,
 * and all take strips. */
static int share_by_list(struct both *s)
{
    struct run *run = s->run;
    struct patch_args args = s->chunk->args;
    pthread_t driver;
    int rc = 0;
    *s->b->taken = 0;
    const int maps = device_maps_memory(&run->device);
    if (maps) {
        args.takes = (args.end + DEVICE_TAKES - 1) / DEVICE_TAKES;
        rc = chunk_launch_blocks(
            &run->device, s->chunk, s->of_device, args, DEVICE_GROUPS, &run->error);
    } else if (pthread_create(&driver, NULL, drive_device, s) != 0) {
        return error_set(&run->error, ERROR_DEVICE, "cannot start a thread");
    }
    args.takes = maps ? 1 : args.blocks;
    const int cpu_rc =
        rc ? rc
           : chunk_launch_blocks(&s->b->helper, s->chunk, s->of_cpu, args, CPU_GROUPS, &run->error);
    if (!maps) {
        pthread_join(driver, NULL);
        return cpu_rc ? cpu_rc : s->rc;
    }
    const int device_rc = run_finish(run);
    return cpu_rc ? cpu_rc : device_rc;
}

int chunk_evaluate_together(struct run *run, struct bezier *b, const struct chunk *chunk)
{
    if (!b->taken)
        b->taken = aligned_alloc(BEZIER_LIST_BYTES, BEZIER_LIST_BYTES);
    if (!b->taken)
        return error_set(&run->error, ERROR_INPUT, "not enough memory");
    const struct basis *u = &b->bases[chunk->batch->basis_u];
    const struct basis *v = &b->bases[chunk->batch->basis_v];
    const int is_list = b->options.sharing == SHARE_DYNAMIC;
    const size_t size = chunk_points_size(b, chunk);
    void *const hosts[5] = {b->nets, chunk->has_pairs ? u->folded : u->values, v->values,
        chunk_points(b, chunk), b->taken};
    const size_t sizes[5] = {b->nets_buffer.size, chunk->has_pairs ? u->folded_size : u->size,
        v->size, size, BEZIER_LIST_BYTES};
    struct both both = {run, b, chunk,
        {&b->nets_buffer, chunk->has_pairs ? &b->folded_buffer : &b->basis_u_buffer,
            &b->basis_v_buffer, &b->points_buffer, &b->counter},
        {NULL}, {{0}}, 0};
    const int maps = is_list && device_maps_memory(&run->device);
    int rc = b->helper.backend ? 0 : device_open("cpu", 0, run->threads, &b->helper, &run->error);
    if (rc == 0)
        rc = maps ? run_map(run, &b->points_buffer, hosts[3], size)
                  : run_buffer(run, &b->points_buffer, size, NULL);
    if (rc == 0)
        rc = maps ? run_map(run, &b->counter, b->taken, BEZIER_LIST_BYTES)
                  : run_buffer(run, &b->counter, BEZIER_LIST_BYTES, NULL);
    for (int i = 0; rc == 0 && i < 5; i++) { /* used in place */
        both.of_cpu[i] = &both.cpu_buffers[i];
        rc = buffer_new(&b->helper, sizes[i], hosts[i], &both.cpu_buffers[i], &run->error);
    }
    if (rc == 0)
        rc = is_list ? share_by_list(&both) : share_fixed(&both);
    if (rc == 0) /* sides take it as it is */
        rc = buffer_new(&b->helper, u->size, u->values, &both.cpu_buffers[1], &run->error);
    return rc ? rc : chunk_evaluate_sides(run, b, chunk, &b->helper, both.of_cpu);
}
