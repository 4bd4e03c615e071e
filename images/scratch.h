/* Scratch files: images that are larger than memory stand in files without a name, mapped into
 * memory, so that all works on their pixels as on others. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* What images that are there at the same time share. Threads may use it at the same time. */
struct scratch;

/* Begins with a process that is to take about `memory` bytes; 0: as many as it may. Images
 * take up to half of them; those beyond are scratch files in the folder that TMPDIR names, or else
 * /var/tmp, since /tmp is often memory itself. NULL where memory is short, and everywhere below:
 * all is in memory. */
struct scratch *scratch_open(uint64_t memory);

/* Frees it, with all that is left. */
void scratch_close(struct scratch *scratch);

/* Zeros for an image, which scratch_free frees. A file is as large as it must be from the
 * beginning, so that it does not meet a full disk later. NULL on failure, with ERROR_INPUT's
 * message. */
void *scratch_new(struct scratch *scratch, size_t size, struct error *error);

/* A loop of many threads, or one that touches single bytes far apart, says how many bytes may be
 * mapped since its last call. More than is meant to be in memory is let go of. NULL is fine. */
void scratch_pass(struct scratch *scratch, size_t bytes);

/* NULL is fine. */
void scratch_free(struct scratch *scratch, void *memory);

#endif
