/* One piece by the CPU and a device together (Palomar et al. 2017, 5.2). */
#include <pthread.h>

#include "stages/bezier/piece.h"

#define TAKING_GROUPS 8  /* that take tiles from the list, a unit of the device */
#define SHARED_CHUNKS 16 /* in which the host hands out tiles to a device that cannot take them */

/* Bytes before the points of a tile that is the first of its strip. */
static size_t tile_offset(const struct bezier *b, const struct piece *piece, size_t tile)
{
    const struct patch_args *t = &piece->tiles;
    const size_t strip = tile / t->blocks, patch = strip / t->strips;
    const size_t row = patch * t->rows + strip % t->strips * t->strip_rows;
    return row * t->columns * 3 * precision_size(b->precision);
}

/* What the CPU and a device share a piece by. */
struct shared {
    struct run *run;
    struct bezier *b;
    const struct piece *piece;
    const struct buffer *of_device[5], *of_cpu[5];
    struct buffer cpu_buffers[5];
    int rc; /* of the thread that drives the device */
};

/* Copies the points of tiles that the device has done. */
static int download_tiles(struct shared *s, size_t first, size_t end)
{
    const size_t from = tile_offset(s->b, s->piece, first), to = tile_offset(s->b, s->piece, end);
    if (from == to)
        return 0;
    return buffer_download_from(s->of_device[3], from, (char *)piece_points(s->b, s->piece) + from,
        to - from, &s->run->error);
}

/* SDC: the first tiles to the CPU, whole strips, while the device does the rest. */
static int share_fixed(struct shared *s)
{
    struct patch_args args = s->piece->tiles;
    const size_t strips = args.end / args.blocks;
    const size_t split = (strips * s->b->share + 50) / 100 * args.blocks;
    args.first = (uint32_t)split;
    int rc = piece_launch_tiles(
        &s->run->device, s->piece, s->of_device, args, args.end - split, &s->run->error);
    args.first = 0;
    args.end = (uint32_t)split;
    if (rc == 0)
        rc = piece_launch_tiles(&s->b->helper, s->piece, s->of_cpu, args, split, &s->run->error);
    return rc ? rc : download_tiles(s, split, s->piece->tiles.end);
}

/* Hands chunks of the list to a device that cannot take from it. */
static void *drive_device(void *context)
{
    struct shared *s = context;
    const struct patch_args *all = &s->piece->tiles;
    const uint32_t strips = all->end / all->blocks;
    const uint32_t chunk = (strips + SHARED_CHUNKS - 1) / SHARED_CHUNKS;
    struct patch_args args = *all;
    while (s->rc == 0) {
        const uint32_t first = __atomic_fetch_add(&s->b->taken, chunk, __ATOMIC_RELAXED);
        if (first >= strips)
            break;
        args.first = first * all->blocks;
        args.end = first + chunk < strips ? args.first + chunk * all->blocks : all->end;
        s->rc = piece_launch_tiles(
            &s->run->device, s->piece, s->of_device, args, args.end - args.first, &s->run->error);
        if (s->rc == 0)
            s->rc = download_tiles(s, args.first, args.end);
    }
    return NULL;
}

/* DDC: CPU and device take strips from one list, a counter that both add to; the device writes into the
 * host's memory. Where it cannot, the host takes for it. */
static int share_by_list(struct shared *s)
{
    struct run *run = s->run;
    struct patch_args args = s->piece->tiles;
    pthread_t driver;
    int rc = 0;
    s->b->taken = 0;
    args.takes = 1;
    const int maps = device_maps_memory(&run->device);
    if (maps)
        rc = piece_launch_tiles(&run->device, s->piece, s->of_device, args,
            (size_t)run->device.info.units * TAKING_GROUPS, &run->error);
    else if (pthread_create(&driver, NULL, drive_device, s) != 0)
        return error_set(&run->error, ERROR_DEVICE, "cannot start a thread");
    const int cpu_rc = rc ? rc
                          : piece_launch_tiles(&s->b->helper, s->piece, s->of_cpu, args,
                                (size_t)s->b->helper.threads, &run->error);
    if (!maps) {
        pthread_join(driver, NULL);
        return cpu_rc ? cpu_rc : s->rc;
    }
    const int device_rc = run_finish(run);
    return cpu_rc ? cpu_rc : device_rc;
}

int piece_evaluate_shared(struct run *run, struct bezier *b, const struct piece *piece)
{
    const struct batch *batch = piece->batch;
    const int is_list = b->sharing == SHARE_DYNAMIC;
    const size_t size = piece_points_size(b, piece);
    void *const hosts[5] = {b->nets, b->bases[batch->basis_u].values,
        b->bases[batch->basis_v].values, piece_points(b, piece), &b->taken};
    const size_t sizes[5] = {b->nets_buffer.size, b->bases[batch->basis_u].size,
        b->bases[batch->basis_v].size, size, sizeof(b->taken)};
    struct shared shared = {run, b, piece,
        {&b->nets_buffer, &b->basis_u_buffer, &b->basis_v_buffer, &b->points_buffer, &b->counter},
        {NULL}, {{0}}, 0};
    const int maps = is_list && device_maps_memory(&run->device);
    int rc = b->helper.backend ? 0 : device_open("cpu", run->threads, &b->helper, &run->error);
    if (rc == 0)
        rc = maps ? run_map(run, &b->points_buffer, hosts[3], size)
                  : run_buffer(run, &b->points_buffer, size, NULL);
    if (rc == 0)
        rc = maps ? run_map(run, &b->counter, &b->taken, sizeof(b->taken))
                  : run_buffer(run, &b->counter, sizeof(b->taken), NULL);
    for (int i = 0; rc == 0 && i < 5; i++) { /* used in place */
        shared.of_cpu[i] = &shared.cpu_buffers[i];
        rc = buffer_new(&b->helper, sizes[i], hosts[i], &shared.cpu_buffers[i], &run->error);
    }
    if (rc == 0)
        rc = is_list ? share_by_list(&shared) : share_fixed(&shared);
    return rc ? rc : piece_evaluate_sides(run, b, piece, &b->helper, shared.of_cpu);
}
