/* A device that fails at the n-th call of one kind. */
#ifndef TEST_FAKE_H
#define TEST_FAKE_H

#include <stdlib.h>
#include <string.h>

#include "stages/run.h"

enum call { CALL_ALLOCATE, CALL_UPLOAD, CALL_LAUNCH, CALL_DOWNLOAD, CALL_FINISH, CALL_COUNT };
static const char *const CALL_NAMES[] = {"allocate", "upload", "launch", "download", "finish"};

static struct {
    enum call call;
    int fail_at, calls;   /* of that kind */
    int buffers, is_open; /* what is in use */
} fake;

static int fake_fails(enum call call, struct error *error)
{
    if (call != fake.call || ++fake.calls != fake.fail_at)
        return 0;
    return error_set(error, ERROR_DEVICE, "%s %d failed", CALL_NAMES[call], fake.fail_at);
}

static void fake_close(struct device *device)
{
    fake.is_open--;
    CPU_BACKEND.close(device);
}

static int fake_allocate(struct buffer *buffer, struct error *error)
{
    const int rc = fake_fails(CALL_ALLOCATE, error);
    if (rc) {
        buffer->memory = &fake; /* what fails may leave anything */
        return rc;
    }
    fake.buffers++;
    return CPU_BACKEND.allocate(buffer, error);
}

static void fake_release(struct buffer *buffer)
{
    fake.buffers--;
    CPU_BACKEND.release(buffer);
}

static int fake_upload(struct buffer *buffer, const void *from, size_t size, struct error *error)
{
    const int rc = fake_fails(CALL_UPLOAD, error);
    return rc ? rc : CPU_BACKEND.upload(buffer, from, size, error);
}

static int fake_download(
    const struct buffer *buffer, size_t offset, void *to, size_t size, struct error *error)
{
    const int rc = fake_fails(CALL_DOWNLOAD, error);
    return rc ? rc : CPU_BACKEND.download(buffer, offset, to, size, error);
}

/* Within a launch nothing is reported, as by most devices. */
static int fake_launch(struct device *device, enum kernel kernel, unsigned groups_x,
    unsigned groups_y, const struct argument *arguments, int count, struct error *error)
{
    const int rc = fake_fails(CALL_LAUNCH, error);
    device->progress = NULL;
    return rc ? rc
              : CPU_BACKEND.launch(device, kernel, groups_x, groups_y, arguments, count, error);
}

static int fake_finish(struct device *device, struct device_times *times, struct error *error)
{
    const int rc = fake_fails(CALL_FINISH, error);
    return rc ? rc : CPU_BACKEND.finish(device, times, error);
}

static const struct backend FAKE = {
    .close = fake_close,
    .allocate = fake_allocate,
    .release = fake_release,
    .upload = fake_upload,
    .download = fake_download,
    .launch = fake_launch,
    .finish = fake_finish,
};

/* A processor with memory of its own. */
static void fake_open(struct run *run, enum call call, int fail_at)
{
    if (device_open("cpu", 0, 2, &run->device, &run->error) != 0)
        abort();
    run->device.backend = &FAKE;
    run->device.shares_memory = 0;
    memset(&fake, 0, sizeof(fake));
    fake.call = call;
    fake.fail_at = fail_at;
    fake.is_open = 1;
}

#endif
