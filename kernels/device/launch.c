/* Launches, and what the tables and the kernels themselves say about kernels. */
#include <assert.h>

#include "kernels/bezier/bezier_args.h"
#include "kernels/circles/circles_args.h"
#include "kernels/device/device.h"
#include "kernels/device/parameter.h"
#include "kernels/drawing/drawing_args.h"
#include "kernels/unscramble/unscramble_args.h"

#define DECLARE_PARAMETERS(name, ...) extern const struct parameter name##_parameters[];
#define KERNEL_PARAMETERS(name, ...) name##_parameters,
#define KERNEL_NAME(name, ...) #name,
#define KERNEL_GROUP(name, group, ...) group,

KERNELS(DECLARE_PARAMETERS)
static const struct parameter *const PARAMETERS[] = {KERNELS(KERNEL_PARAMETERS)};

const char *kernel_name(enum kernel kernel)
{
    static const char *const NAMES[] = {KERNELS(KERNEL_NAME)};
    return NAMES[kernel];
}

unsigned kernel_group(enum kernel kernel)
{
    static const unsigned GROUPS[] = {KERNELS(KERNEL_GROUP)};
    return GROUPS[kernel];
}

const char *kernel_table(enum kernel kernel)
{
    const struct parameter *const first = PARAMETERS[kernel];
    return first->kind == PARAMETER_TABLE ? first->name : NULL;
}

int device_launch(struct device *device, enum kernel kernel, size_t groups_x, size_t groups_y,
    const struct argument *arguments, int count, struct error *error)
{
    if (groups_x == 0 || groups_y == 0)
        return 0;
    assert(count <= MAX_ARGUMENTS && groups_x <= INT32_MAX && groups_y <= 65535);
    return device->backend->launch(
        device, kernel, (unsigned)groups_x, (unsigned)groups_y, arguments, count, error);
}
