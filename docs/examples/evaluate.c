/* Evaluates a rational patch, a quarter of a cylinder, on the CPU in double precision, and prints
 * how far its points are from the cylinder. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera.h>

int main(void)
{
    const double s = sqrt(0.5);
    const double control[3 * 2 * 4] = {
        /* (wx, wy, wz, w): a quarter circle along u, height along v */
        1, 0, 0, 1, 1, 0, 2, 1,     /* weight 1 */
        s, s, 0, s, s, s, 2 * s, s, /* weight s, the square root of 1/2 */
        0, 1, 0, 1, 0, 1, 2, 1};
    const struct tessera_patch patch = {
        .is_rational = 1, .degree_u = 2, .degree_v = 1, .control = control};
    const struct tessera_bezier_options options = {
        .points_u = 9, .points_v = 5, .is_double = 1, .has_normals = 1};
    struct tessera_points points;
    double farthest = 0;

    struct tessera *tessera = tessera_new();
    if (!tessera || tessera_set_device(tessera, "cpu") != 0 ||
        tessera_evaluate_patches(tessera, &patch, 1, &options, &points) != 0) {
        fprintf(stderr, "%s\n", tessera ? tessera_error(tessera) : "not enough memory");
        tessera_free(tessera);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < points.count; i++) {
        const double *p = points.positions + 3 * i;
        farthest = fmax(farthest, fabs(hypot(p[0], p[1]) - 1));
    }
    printf("%zu points, at most %.0e from the cylinder; mean curvature %.3f\n", points.count,
        farthest, (double)points.curvatures[1]);
    tessera_points_free(&points);
    tessera_free(tessera);
    return farthest < 1e-15 ? EXIT_SUCCESS : EXIT_FAILURE;
}
