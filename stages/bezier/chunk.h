/* What EVALUATE and NORMALS share: chunks of batches, and bringing them to the device. */
#ifndef CHUNK_H
#define CHUNK_H

#include "stages/bezier/bezier.h"

/* Patches of a batch that are evaluated at a time: all, unless they are too many for one buffer. */
struct chunk {
    const struct batch *batch;
    size_t first, count; /* patches of the batch */
    size_t end;          /* of those that are evaluated, chunk by chunk */
    size_t controls;     /* of a patch */
    size_t points;       /* of a patch */
    struct patch_args args;
    enum kernel kernel;
    int has_pairs; /* rows of a strip come with those that mirror them */
};

/* The chunks from chunk->first to before chunk->end, of a batch: starts with chunk->count = 0; 0
 * after the last. */
int chunk_next(const struct bezier *b, struct chunk *chunk);

/* Where the chunk's points lie on the host. */
void *chunk_points(const struct bezier *b, const struct chunk *chunk);
size_t chunk_points_size(const struct bezier *b, const struct chunk *chunk);

/* What of a patch is brought to the device. */
enum net {
    NET_CONTROLS,
    NET_POWERS, /* coefficients of powers */
    NET_SCALED, /* scaled so that the largest coordinate is from 0.5 to 1, and moved nearer where
                 * it is far off */
};

/* Brings the nets of the chunk to the device, as numbers of the precision. Of NET_SCALED
 * `exponents` gets, for each patch, by which power of two it was divided; else it may be NULL. */
int chunk_upload_nets(
    struct run *run, struct bezier *b, const struct chunk *chunk, enum net net, int *exponents);

/* Brings its bases there, unless they are. */
int chunk_upload_bases(struct run *run, struct bezier *b, const struct chunk *chunk);

/* Brings R of a side of that many control points to the buffer, in place of its basis. */
int chunk_upload_matrix(
    struct run *run, const struct bezier *b, uint32_t order, struct buffer *buffer, size_t *in);

/* Whether the method evaluates the batch by patch blocks, which can be shared; whether it takes
 * coefficients of powers in the place of control points. */
int batch_has_blocks(const struct bezier *b, const struct batch *batch);
int batch_has_powers(const struct bezier *b, const struct batch *batch);

/* Chooses the method's kernel, or what stands in for it, and its patch blocks. */
void chunk_plan(const struct device *device, const struct bezier *b, struct chunk *chunk);

/* Starts the kernel. Buffers: nets, bases of u (folded where it has pairs) and v (or their
 * matrices), points, and the counter that blocks are taken from where args.takes. */
int chunk_launch(struct device *device, const struct bezier *b, const struct chunk *chunk,
    const struct buffer *const buffers[5], struct error *error);

/* The same for some of its blocks. */
int chunk_launch_blocks(struct device *device, const struct chunk *chunk,
    const struct buffer *const buffers[5], struct patch_args args, size_t groups,
    struct error *error);

/* Evaluates the points on the sides of the patches anew, so that neighbors have the same; buffers
 * as above. */
int chunk_evaluate_sides(struct run *run, struct bezier *b, const struct chunk *chunk,
    struct device *device, const struct buffer *const buffers[5]);

/* Evaluates the chunk by the CPU and the device together; leaves the points on the host. */
int chunk_evaluate_together(struct run *run, struct bezier *b, const struct chunk *chunk);

#endif
