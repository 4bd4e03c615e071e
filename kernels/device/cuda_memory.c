/* Memory of the CUDA backend, and copies to and from it. */
#include <stdint.h>

#include "kernels/device/clock.h"
#include "kernels/device/cuda_backend.h"

static CUdeviceptr address_of(const struct buffer *buffer)
{
    return (CUdeviceptr)(uintptr_t)buffer->memory;
}

CUresult cuda_memory_open(struct cuda *state)
{
    CUresult status = CUDA_SUCCESS;
    for (int i = 0; i < STAGING_BLOCKS && status == CUDA_SUCCESS; i++) {
        status = state->cu.cuMemHostAlloc(&state->staging[i], STAGING_BYTES, 0);
        if (status == CUDA_SUCCESS)
            status = state->cu.cuEventCreate(&state->staged[i], CU_EVENT_DISABLE_TIMING);
    }
    return status;
}

static void free_kept(struct cuda *state)
{
    for (int i = 0; i < state->kept_count; i++)
        state->cu.cuMemFree(state->kept[i].address);
    state->kept_count = 0;
    state->kept_bytes = 0;
}

void cuda_memory_close(struct cuda *state)
{
    /* An upload that nothing came after may still be on its way. */
    state->cu.cuCtxSynchronize();
    free_kept(state);
    for (int i = 0; i < STAGING_BLOCKS; i++) {
        if (state->staging[i])
            state->cu.cuMemFreeHost(state->staging[i]);
        if (state->staged[i])
            state->cu.cuEventDestroy(state->staged[i]);
    }
}

/* Kept memory is taken by the size that it has, which is what is asked for at the next job of the
 * same kind. */
int cuda_allocate(struct buffer *buffer, struct error *error)
{
    struct cuda *state = cuda_state(buffer->device);
    CUdeviceptr address = 0;
    for (int i = 0; i < state->kept_count; i++)
        if (state->kept[i].size == buffer->room) {
            buffer->memory = (void *)(uintptr_t)state->kept[i].address;
            state->kept_bytes -= buffer->room;
            state->kept[i] = state->kept[--state->kept_count];
            return 0;
        }
    CUresult status = state->cu.cuMemAlloc(&address, buffer->room);
    if (status == CUDA_ERROR_OUT_OF_MEMORY && state->kept_count) {
        free_kept(state);
        status = state->cu.cuMemAlloc(&address, buffer->room);
    }
    buffer->memory = (void *)(uintptr_t)address;
    return status == CUDA_SUCCESS
               ? 0
               : cuda_fail(&state->cu, status, "cannot allocate a buffer", error);
}

void cuda_release(struct buffer *buffer)
{
    struct cuda *state = cuda_state(buffer->device);
    if (state->kept_count == KEPT_BLOCKS)
        free_kept(state);
    if (state->kept_bytes + buffer->room > KEPT_BYTES) {
        state->cu.cuMemFree(address_of(buffer));
        return;
    }
    state->kept[state->kept_count++] = (struct kept){address_of(buffer), buffer->room};
    state->kept_bytes += buffer->room;
}

/* Returns when all is in blocks, of which up to STAGING_BLOCKS may be on their way: what the device
 * does next waits for them. */
int cuda_upload(struct buffer *buffer, const void *from, size_t size, struct error *error)
{
    struct cuda *state = cuda_state(buffer->device);
    const struct library *cu = &state->cu;
    CUresult status = cuda_end_span(state);
    const double start = clock_seconds();
    for (size_t first = 0; first < size && status == CUDA_SUCCESS; first += STAGING_BYTES) {
        const size_t length = size - first < STAGING_BYTES ? size - first : STAGING_BYTES;
        const int block = state->next_block;
        status = cu->cuEventSynchronize(state->staged[block]);
        if (status != CUDA_SUCCESS)
            break;
        memory_copy(state->staging[block], (const char *)from + first, length);
        status =
            cu->cuMemcpyHtoDAsync(address_of(buffer) + first, state->staging[block], length, NULL);
        if (status == CUDA_SUCCESS)
            status = cu->cuEventRecord(state->staged[block], NULL);
        state->next_block = (block + 1) % STAGING_BLOCKS;
    }
    state->times.transfer += clock_seconds() - start;
    return status == CUDA_SUCCESS ? 0 : cuda_fail(cu, status, "cannot copy to the device", error);
}

/* The host's memory stays where it is and is reached over the bus. */
int cuda_map(struct buffer *buffer, struct error *error)
{
    struct cuda *state = cuda_state(buffer->device);
    CUdeviceptr address = 0;
    CUresult status =
        state->cu.cuMemHostRegister(buffer->mapped, buffer->size, CU_MEMHOSTREGISTER_DEVICEMAP);
    if (status != CUDA_SUCCESS)
        return cuda_fail(&state->cu, status, "cannot map memory", error);
    status = state->cu.cuMemHostGetDevicePointer(&address, buffer->mapped, 0);
    buffer->memory = (void *)(uintptr_t)address;
    if (status == CUDA_SUCCESS)
        return 0;
    state->cu.cuMemHostUnregister(buffer->mapped);
    return cuda_fail(&state->cu, status, "cannot map memory", error);
}

void cuda_unmap(struct buffer *buffer)
{
    struct cuda *state = cuda_state(buffer->device);
    state->cu.cuMemHostUnregister(buffer->mapped);
}

/* Starts the copy of a block's part, `offset` bytes into the buffer. */
static CUresult start_part(
    struct cuda *state, const struct buffer *buffer, size_t offset, size_t length, size_t block)
{
    const CUresult status = state->cu.cuMemcpyDtoHAsync(
        state->staging[block], address_of(buffer) + offset, length, NULL);
    return status == CUDA_SUCCESS ? state->cu.cuEventRecord(state->staged[block], NULL) : status;
}

/* Whether the host's memory is that of a buffer that is mapped, which the bus reaches itself. */
static int is_mapped(const struct cuda *state, void *memory)
{
    CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    CUmemorytype type = 0;
    void *value = &type;
    return state->cu.cuPointerGetAttributes(
               1, &attribute, &value, (CUdeviceptr)(uintptr_t)memory) == CUDA_SUCCESS &&
           type == CU_MEMORYTYPE_HOST;
}

/* Copies through the blocks. */
static CUresult download_parts(
    struct cuda *state, const struct buffer *buffer, size_t offset, void *to, size_t size)
{
    CUresult status = CUDA_SUCCESS;
    const size_t parts = (size + STAGING_BYTES - 1) / STAGING_BYTES;
    /* Part i is emptied when those behind it are on their way. */
    for (size_t i = 0; i < parts + STAGING_BLOCKS - 1 && status == CUDA_SUCCESS; i++) {
        const size_t first = i * STAGING_BYTES, done = i - (STAGING_BLOCKS - 1);
        if (i < parts)
            status = start_part(state, buffer, offset + first,
                size - first < STAGING_BYTES ? size - first : STAGING_BYTES, i % STAGING_BLOCKS);
        if (i < STAGING_BLOCKS - 1 || status != CUDA_SUCCESS)
            continue;
        status = state->cu.cuEventSynchronize(state->staged[done % STAGING_BLOCKS]);
        const size_t rest = size - done * STAGING_BYTES;
        if (status == CUDA_SUCCESS)
            memory_copy((char *)to + done * STAGING_BYTES, state->staging[done % STAGING_BLOCKS],
                rest < STAGING_BYTES ? rest : STAGING_BYTES);
    }
    return status;
}

int cuda_download(
    const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error)
{
    struct cuda *state = cuda_state(buffer->device);
    CUresult status = cuda_end_span(state);
    if (status == CUDA_SUCCESS)
        status = state->cu.cuCtxSynchronize();
    const double start = clock_seconds();
    if (status == CUDA_SUCCESS && is_mapped(state, to)) {
        status = state->cu.cuMemcpyDtoHAsync(to, address_of(buffer) + offset, size, NULL);
        if (status == CUDA_SUCCESS)
            status = state->cu.cuCtxSynchronize();
    } else if (status == CUDA_SUCCESS)
        status = download_parts(state, buffer, offset, to, size);
    state->times.transfer += clock_seconds() - start;
    return status == CUDA_SUCCESS
               ? 0
               : cuda_fail(&state->cu, status, "cannot copy from the device", error);
}
