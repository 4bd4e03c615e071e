#include "cli/bezier_values.h"

#include <math.h>

#include "cli/cli.h"

#define MAX_NUMBER 1e100

int bezier_set_clamp(struct drawing *drawing, const char *value, struct error *error)
{
    drawing->has_clamp = 1;
    const char *end = cli_decimal(value, &drawing->clamp[0]);
    end = end && *end == ':' ? cli_decimal(end + 1, &drawing->clamp[1]) : NULL;
    if (!end || *end || !(fabs(drawing->clamp[0]) <= MAX_NUMBER) ||
        !(fabs(drawing->clamp[1]) <= MAX_NUMBER) || drawing->clamp[0] >= drawing->clamp[1])
        return error_set(error, ERROR_USAGE,
            "bad --clamp '%s': write two numbers from %g to %g, as in -1:1, the first below the "
            "second",
            value, -MAX_NUMBER, MAX_NUMBER);
    return 0;
}

int bezier_set_up(struct drawing *drawing, const char *value, struct error *error)
{
    double *const up = drawing->up;
    const int rc = cli_reals("--up", value, -MAX_NUMBER, MAX_NUMBER, up, 3, error);
    if (rc == 0 && up[0] == 0 && up[1] == 0 && up[2] == 0)
        return error_set(
            error, ERROR_USAGE, "bad --up '%s': that is no direction; one is not 0", value);
    return rc;
}

int bezier_set_background(struct drawing *drawing, const char *value, struct error *error)
{
    float rgba[4];
    const int rc = cli_color("--background", value, rgba, error);
    if (rc)
        return rc;
    if (rgba[3] > 0 && rgba[3] < 1)
        return error_set(error, ERROR_USAGE,
            "bad --background '%s': write a color that is opaque, or none", value);
    drawing->is_clear = rgba[3] == 0;
    for (int c = 0; c < 3; c++)
        drawing->background[c] = drawing->is_clear ? 1 : rgba[c];
    return 0;
}
