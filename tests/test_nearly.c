/* The nearly right functions of kernels, on the CPU, against exact ones: by how much they are wrong
 * of what they give. */
#define CPU_VARIANT base
#define GROUP 64
#include <math.h>

#include "cli/tap.h"
#include "kernels/circles/circle.h"

#define STEP 31 /* of all floats one in so many is tried */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double share_wrong(double value, double exact)
{
    return fabs(value / exact - 1);
}

int main(void)
{
    double power = 0, color = 0, alpha = 0, most_alpha = 0;
    for (uint bits = FLOAT_BITS(0x1p-40f); bits <= FLOAT_BITS(6.0f); bits += STEP) {
        const float x = -BITS_FLOAT(bits);
        power = larger(power, share_wrong(EXP2_NEARLY(x), exp2(x)));
    }
    tap_check(power < 0x1p-19, "2^x from -6 to 0 is wrong by %.3g", power);

    const float radii[] = {1e-9f, 0.007f, 0.3f, 1, 40};
    for (int i = 0; i < 5; i++) {
        const float rr = radii[i] * radii[i];
        const float4 paint = {0.7f, 0.3f, 1, 1 - 0.1f * (float)i};
        for (uint bits = FLOAT_BITS(0x1p-40f); bits <= FLOAT_BITS(1.0f); bits += STEP) {
            const float dd = BITS_FLOAT(bits) * rr;
            const float4 exact = soft_paint(paint, dd, rr);
            const float4 near = soft_paint_nearly(paint, dd * soft_rate(rr));
            alpha = larger(alpha, share_wrong(near.w, exact.z));
            color = larger(color, share_wrong(near.x, exact.x / (double)exact.z));
            color = larger(color, share_wrong(near.y, exact.y / (double)exact.z));
            most_alpha = larger(most_alpha, near.w);
        }
    }
    tap_check(alpha < SOFT_ERROR, "a soft circle's opacity is wrong by %.3g", alpha);
    tap_check(color < SOFT_ERROR / 8, "and its color by %.3g", color);
    tap_check(most_alpha <= 1, "and it hides no more than all");
    return tap_finish();
}
