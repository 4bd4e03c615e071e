/* Launches, and what the tables and the kernels themselves say about kernels. */
#include <assert.h>
#include <stdint.h>

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

/* Refuses arguments that are not those that the kernel declares. */
static int check_arguments(
    enum kernel kernel, const struct argument *arguments, int count, struct error *error)
{
    static const char *const KINDS[] = {[PARAMETER_VALUE] = "a value",
        [PARAMETER_BUFFER] = "a buffer",
        [PARAMETER_TABLE] = "a buffer for constant memory"};
    const struct parameter *const parameters = PARAMETERS[kernel];
    const char *const name = kernel_name(kernel);
    int expected = 0;
    while (parameters[expected].name)
        expected++;
    if (count != expected)
        return error_set(error, ERROR_DEVICE,
            "cannot run kernel '%s': it takes %d arguments, and the program gives %d", name,
            expected, count);
    for (int i = 0; i < count; i++) {
        const struct parameter *const parameter = &parameters[i];
        const struct argument *const argument = &arguments[i];
        const enum parameter_kind kind = !argument->buffer    ? PARAMETER_VALUE
                                         : argument->constant ? PARAMETER_TABLE
                                                              : PARAMETER_BUFFER;
        if (kind != parameter->kind)
            return error_set(error, ERROR_DEVICE,
                "cannot run kernel '%s': argument %d, '%s', must be %s, and the program gives %s",
                name, i + 1, parameter->name, KINDS[parameter->kind], KINDS[kind]);
        if (kind == PARAMETER_VALUE && argument->size != parameter->size)
            return error_set(error, ERROR_DEVICE,
                "cannot run kernel '%s': argument %d, '%s', must have %zu bytes, and the program "
                "gives %zu",
                name, i + 1, parameter->name, parameter->size, argument->size);
        if (kind == PARAMETER_TABLE && argument->buffer->size > parameter->size)
            return error_set(error, ERROR_DEVICE,
                "cannot run kernel '%s': argument %d, '%s', must have at most %zu bytes, and the "
                "program gives %zu",
                name, i + 1, parameter->name, parameter->size, argument->buffer->size);
        if (argument->buffer && !argument->buffer->device)
            return error_set(error, ERROR_DEVICE,
                "cannot run kernel '%s': nothing has made argument %d, '%s'", name, i + 1,
                parameter->name);
    }
    return 0;
}

int device_launch(struct device *device, enum kernel kernel, size_t groups_x, size_t groups_y,
    const struct argument *arguments, int count, struct error *error)
{
    const int rc = check_arguments(kernel, arguments, count, error);
    if (rc || groups_x == 0 || groups_y == 0)
        return rc;
    assert(count <= MAX_ARGUMENTS && groups_x <= INT32_MAX && groups_y <= 65535);
    device->is_busy = 1;
    return device->backend->launch(
        device, kernel, (unsigned)groups_x, (unsigned)groups_y, arguments, count, error);
}
