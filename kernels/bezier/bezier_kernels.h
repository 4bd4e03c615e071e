/* The kernels of bezier; kernels/kernels.h says what a row is. REAL is the type of points, and
 * EPSILON the distance from 1 to its next number. FLAT is the error of a derivative over the size
 * and the degree of the patch. The KERNEL_GROUPS of sep are as many as need no more registers than
 * there are. */
#ifndef BEZIER_KERNELS_H
#define BEZIER_KERNELS_H

#define BEZIER_KERNELS(KERNEL) \
    KERNEL(sep_float, 128, sep, REAL = float, SEP_PAIRS = 64, KERNEL_GROUPS = 5) \
    KERNEL(sep_double, 64, sep, REAL = double, SEP_PAIRS = 48, KERNEL_GROUPS = 4) \
    KERNEL(sep_rows_float, PATCH_GROUP, sep_rows, REAL = float) \
    KERNEL(sep_rows_double, PATCH_GROUP, sep_rows, REAL = double) \
    KERNEL(mle_float, 256, mle, REAL = float) \
    KERNEL(mle_double, 256, mle, REAL = double) \
    KERNEL(brf_float, PATCH_GROUP, brf, REAL = float) \
    KERNEL(brf_double, PATCH_GROUP, brf, REAL = double) \
    KERNEL(mat3_float, PATCH_GROUP, mat3, REAL = float) \
    KERNEL(mat3_double, PATCH_GROUP, mat3, REAL = double) \
    KERNEL(mat4_float, PATCH_GROUP, mat4, REAL = float) \
    KERNEL(mat4_double, PATCH_GROUP, mat4, REAL = double) \
    KERNEL(casteljau_float, 64, casteljau, REAL = float) \
    KERNEL(casteljau_double, 64, casteljau, REAL = double) \
    KERNEL(direct_float, PATCH_GROUP, direct, REAL = float) \
    KERNEL(direct_double, PATCH_GROUP, direct, REAL = double) \
    KERNEL(triangle_float, PATCH_GROUP, triangle, REAL = float) \
    KERNEL(triangle_double, PATCH_GROUP, triangle, REAL = double) \
    KERNEL(boundary_float, PATCH_GROUP, boundary, REAL = float, EPSILON = 1.1920929e-7f) \
    KERNEL(boundary_double, PATCH_GROUP, boundary, REAL = double, EPSILON = 2.220446049250313e-16) \
    KERNEL(differential_float, PATCH_GROUP, differential, REAL = float, FLAT = 1e-6f) \
    KERNEL(differential_double, PATCH_GROUP, differential, REAL = double, FLAT = 1e-9) \
    KERNEL(differential_triangle_float, PATCH_GROUP, differential_triangle, REAL = float, \
        FLAT = 1e-6f) \
    KERNEL(differential_triangle_double, PATCH_GROUP, differential_triangle, REAL = double, \
        FLAT = 1e-9)

#endif
