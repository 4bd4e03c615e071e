/* The patch files that come with Tessera. Patches side by side share the bits of their control
 * points, so that their meshes close. Du x Dv points outward. */
#include <math.h>
#include <stdio.h>

/* Control points are homogeneous: (wx, wy, wz, w). Of a profile: (wr, wz, w), r from the axis. */
#define ARC 0.55228474983079334 /* 4/3 tan(pi/8): the handles of a quarter of a circle as a cubic */
#define HALF 0.70710678118654752 /* the middle weight of a quarter of a circle as a conic */

/* The circle as four arcs of degree 2, exact, and of degree 3, to 3 / 10000 of the radius. */
static const double CONIC[8][3] = {{1, 0, 1}, {HALF, HALF, HALF}, {0, 1, 1}, {-HALF, HALF, HALF},
    {-1, 0, 1}, {-HALF, -HALF, HALF}, {0, -1, 1}, {HALF, -HALF, HALF}};
static const double CUBIC[12][3] = {{1, 0, 1}, {1, ARC, 1}, {ARC, 1, 1}, {0, 1, 1}, {-ARC, 1, 1},
    {-1, ARC, 1}, {-1, 0, 1}, {-1, -ARC, 1}, {-ARC, -1, 1}, {0, -1, 1}, {ARC, -1, 1}, {1, -ARC, 1}};

/* Half a circle from pole to pole. */
static const double MERIDIAN[5][3] = {
    {0, -1, 1}, {HALF, -HALF, HALF}, {1, 0, 1}, {HALF, HALF, HALF}, {0, 1, 1}};

/* From the foot's middle up the outside, over the lip and down the inside. Tangents agree where
 * cubics meet. */
static const double FOOT[][3] = {{0, 0, 1}, {.3, 0, 1}, {.6, 0, 1}, {.78, 0, 1}, {.84, 0, 1},
    {.84, .07, 1}, {.78, .08, 1}, {.45, .135, 1}, {.12, .12, 1}, {.1, .45, 1}};
static const double STEM[][3] = {{.1, .45, 1}, {.092, .582, 1}, {.085, .75, 1}, {.085, .9, 1},
    {.085, 1.05, 1}, {.2, 1.1, 1}, {.4, 1.2, 1}};
static const double BOWL[][3] = {{.4, 1.2, 1}, {.72, 1.36, 1}, {.8, 1.7, 1}, {.74, 2.3, 1},
    {.735, 2.35, 1}, {.69, 2.345, 1}, {.695, 2.295, 1}, {.755, 1.695, 1}, {.67, 1.42, 1},
    {.36, 1.27, 1}, {.2515, 1.2175, 1}, {.12, 1.19, 1}, {0, 1.19, 1}};

/* A kettle. Its pot: from the middle of the bottom up the outside, over the rim and down the inside
 * to the middle of the floor. */
static const double POT[][3] = {{0, 0, 1}, {.2, 0, 1}, {.42, 0, 1}, {.62, 0, 1}, {.72, 0, 1},
    {.8, .05, 1}, {.86, .14, 1}, {.94, .26, 1}, {1, .42, 1}, {1, .58, 1}, {1, .86, 1},
    {.84, 1.06, 1}, {.62, 1.16, 1}, {.554, 1.19, 1}, {.53, 1.2, 1}, {.53, 1.25, 1}, {.53, 1.3, 1},
    {.45, 1.3, 1}, {.45, 1.25, 1}, {.45, 1.17, 1}, {.5, 1.13, 1}, {.6, 1.09, 1}, {.8, 1.01, 1},
    {.94, .84, 1}, {.94, .58, 1}, {.94, .28, 1}, {.8, .07, 1}, {.5, .07, 1}, {.33, .07, 1},
    {.16, .07, 1}, {0, .07, 1}};
/* Its lid, with a knob: from the middle of the underside round the edge to the top. */
static const double LID[][3] = {{0, 1.29, 1}, {.16, 1.29, 1}, {.33, 1.29, 1}, {.5, 1.29, 1},
    {.54, 1.29, 1}, {.55, 1.335, 1}, {.5, 1.35, 1}, {.4, 1.38, 1}, {.22, 1.47, 1}, {.1, 1.49, 1},
    {.04, 1.5, 1}, {.04, 1.54, 1}, {.07, 1.57, 1}, {.13, 1.63, 1}, {.13, 1.74, 1}, {0, 1.74, 1}};

/* A vase, as the control points (r, z) of a B-spline: from the middle of the foot up the outside,
 * over the lip and down the inside. */
static const double VASE[][2] = {{0, 0}, {.3, 0}, {.52, 0}, {.62, .3}, {.95, .75}, {.8, 1.35},
    {.22, 1.6}, {.26, 2.15}, {.6, 2.3}, {.56, 2.36}, {.2, 2.2}, {.14, 1.6}, {.72, 1.3}, {.87, .75},
    {.52, .3}, {.4, .08}, {.2, .08}, {0, .08}};

/* A tube in the plane of x and z goes through rings: the middle of each, the direction in degrees
 * from x to z in which the tube passes through it, and its radius in that plane. */
struct ring {
    double x, z, direction, radius;
};
/* From the inside of the pot over the lid and back into the pot. */
static const struct ring HANDLE[] = {{-.68, .98, 98, .07}, {-.72, 1.25, 90, .065},
    {-.52, 1.86, 51, .058}, {0, 2.12, 0, .075}, {.52, 1.86, -51, .058}, {.72, 1.25, -90, .065},
    {.68, .98, -98, .07}};
/* From the inside of the pot to the mouth, over its lip, and back a little. */
static const struct ring SPOUT[] = {{.72, .42, 18, .3}, {1.05, .55, 30, .225}, {1.29, .78, 54, .16},
    {1.44, 1.08, 60, .125}, {1.62, 1.34, 46, .135}, {1.647, 1.365, 45, .12}, {1.62, 1.34, 46, .107},
    {1.45, 1.1, 60, .1}};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Adding 0 makes 0 of -0. */
static void write_point(FILE *file, const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%.17g%c", numbers[i] + 0.0, i + 1 < count ? ' ' : '\n');
}

/* A quarter of a piece of a surface of revolution: point i of the arc, point j of the profile. */
static void write_quarter(FILE *file, const double (*circle)[3], int degree, int quarter,
    const double (*profile)[3], double move_x, double move_y)
{
    for (int i = 0; i <= degree; i++)
        for (int j = 0; j <= degree; j++) {
            const double *c = circle[(quarter * degree + i) % (4 * degree)], *p = profile[j];
            const double w = c[2] * p[2];
            const double point[4] = {
                c[0] * p[0] + w * move_x, c[1] * p[0] + w * move_y, c[2] * p[1], w};
            write_point(file, point, circle == CONIC ? 4 : 3);
        }
}

static void write_revolution(
    FILE *file, const double (*circle)[3], int degree, const double (*profile)[3], int count)
{
    for (int first = 0; first + degree < count; first += degree)
        for (int quarter = 0; quarter < 4; quarter++) {
            fputs(circle == CONIC ? "8\n2 2\n" : "4\n3\n", file);
            write_quarter(file, circle, degree, quarter, profile + first, 0, 0);
        }
}

static void write_torus(FILE *file)
{
    double profile[9][3];
    for (int i = 0; i < 9; i++) {
        const double *c = CONIC[i % 8];
        profile[i][0] = c[2] + .4 * c[0];
        profile[i][1] = .4 * c[1];
        profile[i][2] = c[2];
    }
    fputs("Group 0 torus\n", file);
    write_revolution(file, CONIC, 2, profile, COUNT(profile));
}

static void write_sphere(FILE *file)
{
    fputs("Group 0 sphere\n", file);
    write_revolution(file, CONIC, 2, MERIDIAN, COUNT(MERIDIAN));
}

static void write_goblet(FILE *file)
{
    fputs("Group 0 foot\n", file);
    write_revolution(file, CUBIC, 3, FOOT, COUNT(FOOT));
    fputs("Group 1 stem\n", file);
    write_revolution(file, CUBIC, 3, STEM, COUNT(STEM));
    fputs("Group 2 bowl\n", file);
    write_revolution(file, CUBIC, 3, BOWL, COUNT(BOWL));
}

/* A ring as numbers that may be interpolated: its middle (x, z), the half axis in the plane of the
 * tube (x, z), and the half axis across it (y). */
#define RING_NUMBERS 5
#define MAX_RINGS 8

static void ring_numbers(const struct ring *ring, double depth, double *numbers)
{
    const double angle = ring->direction * acos(-1) / 180;
    numbers[0] = ring->x;
    numbers[1] = ring->z;
    numbers[2] = ring->radius * sin(angle);
    numbers[3] = -ring->radius * cos(angle);
    numbers[4] = ring->radius * depth;
}

static double ring_distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < RING_NUMBERS; i++)
        sum += (b[i] - a[i]) * (b[i] - a[i]);
    return sqrt(sum);
}

/* The patches between two of four rings, as arcs of 90 degrees. */
static void write_band(FILE *file, const double (*rings)[RING_NUMBERS])
{
    for (int quarter = 0; quarter < 4; quarter++) {
        fputs("4\n3\n", file);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                const double *c = CUBIC[(quarter * 3 + i) % 12], *r = rings[j];
                fprintf(file, "%.7g %.7g %.7g\n", r[0] + c[0] * r[2], c[1] * r[4] + 0.0,
                    r[1] + c[0] * r[3]);
            }
    }
}

/* A disk that closes a tube at a ring; outward along the tube, or against it. */
static void write_disk(FILE *file, const double *ring, int outward)
{
    double rings[4][RING_NUMBERS];
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < RING_NUMBERS; i++)
            rings[outward ? j : 3 - j][i] = i < 2 ? ring[i] : ring[i] * (3 - j) / 3;
    write_band(file, rings);
}

/* A tube through rings, `depth` times as wide across the plane as in it, closed at both ends. Its
 * cubics meet with one tangent: that of the parabola through three rings by their chord lengths, as
 * in a spline of Catmull and Rom. */
static void write_tube(FILE *file, const struct ring *path, int count, double depth)
{
    double at[MAX_RINGS][RING_NUMBERS] = {{0}}, slope[MAX_RINGS][RING_NUMBERS], length[MAX_RINGS];
    for (int k = 0; k < count; k++)
        ring_numbers(&path[k], depth, at[k]);
    for (int k = 0; k + 1 < count; k++)
        length[k] = ring_distance(at[k], at[k + 1]);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < RING_NUMBERS; i++) {
            const double a = k > 0 ? length[k - 1] : 0, b = k + 1 < count ? length[k] : 0;
            const double before = k > 0 ? (at[k][i] - at[k - 1][i]) / a : 0;
            const double after = k + 1 < count ? (at[k + 1][i] - at[k][i]) / b : 0;
            slope[k][i] = k == 0           ? after
                          : k + 1 == count ? before
                                           : (before * b + after * a) / (a + b);
        }
    write_disk(file, at[0], 0);
    for (int k = 0; k + 1 < count; k++) {
        double rings[4][RING_NUMBERS];
        for (int i = 0; i < RING_NUMBERS; i++) {
            rings[0][i] = at[k][i];
            rings[1][i] = at[k][i] + slope[k][i] * length[k] / 3;
            rings[2][i] = at[k + 1][i] - slope[k + 1][i] * length[k] / 3;
            rings[3][i] = at[k + 1][i];
        }
        write_band(file, rings);
    }
    write_disk(file, at[count - 1], 1);
}

static void write_kettle(FILE *file)
{
    fputs("Group 0 pot\n", file);
    write_revolution(file, CUBIC, 3, POT, COUNT(POT));
    fputs("Group 1 lid\n", file);
    write_revolution(file, CUBIC, 3, LID, COUNT(LID));
    fputs("Group 2 handle\n", file);
    write_tube(file, HANDLE, COUNT(HANDLE), 1.5);
    fputs("Group 3 spout\n", file);
    write_tube(file, SPOUT, COUNT(SPOUT), 1);
}

/* Knots from 0 on for a B-spline that begins and ends in its control points, inner ones `times`. */
static void write_knots(FILE *file, int degree, int count, int times)
{
    const int last = (count - 1 - degree) / times + 1;
    for (int i = 0; i < count + degree + 1; i++) {
        const int knot = i <= degree ? 0 : i >= count ? last : (i - degree - 1) / times + 1;
        fprintf(file, "%d%c", knot, i < count + degree ? ' ' : '\n');
    }
}

/* One NURBS surface: four quarters of a circle, twice differentiable along the profile. */
static void write_vase(FILE *file)
{
    fprintf(file, "Group 0 vase\n2\n2 3\n9 %d\n", COUNT(VASE));
    write_knots(file, 2, 9, 2);
    write_knots(file, 3, COUNT(VASE), 1);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < COUNT(VASE); j++) {
            const double *c = CONIC[i % 8], *p = VASE[j];
            const double point[4] = {c[0] * p[0], c[1] * p[0], c[2] * p[1], c[2]};
            write_point(file, point, 4);
        }
}

/* A square of side 2 around a place, and heights over it. */
static void write_square(
    FILE *file, const int degree[2], double middle_x, double middle_y, double (*height)(int, int))
{
    for (int i = 0; i <= degree[0]; i++)
        for (int j = 0; j <= degree[1]; j++) {
            const double point[3] = {middle_x - 1 + 2.0 * i / degree[0],
                middle_y - 1 + 2.0 * j / degree[1], height(i, j)};
            write_point(file, point, 3);
        }
}

static double wave_height(int i, int j)
{
    const double step = acos(-1) * 3 / 11;
    return .9 * sin(step * i) * cos(step * j);
}

static void write_wave(FILE *file)
{
    fputs("Group 0 wave\n5\n11 11\n", file);
    write_square(file, (const int[]){11, 11}, 0, 0, wave_height);
}

/* A right triangle with legs of 2, u along x and v along y, and heights over it. */
static void write_triangle(
    FILE *file, int degree, double corner_x, double corner_y, double (*height)(int, int))
{
    for (int i = 0; i <= degree; i++)
        for (int j = 0; j <= degree - i; j++) {
            const double point[3] = {
                corner_x + 2.0 * i / degree, corner_y + 2.0 * j / degree, height(i, j)};
            write_point(file, point, 3);
        }
}

/* 3 (uv + vw + wu) in degree 4. */
static double dome_height(int i, int j)
{
    const int k = 4 - i - j;
    return .25 * (i * j + j * k + k * i);
}

static double saddle_height(int i, int j)
{
    const double x = 2 * i / 3.0 - 1, y = 2 * j / 3.0 - 1;
    return .5 + .8 * (x * x - y * y);
}

static double pleat_height(int i, int j)
{
    return (j % 2 ? 1.5 : -.5) * (i == 1 ? 1.5 : .5);
}

/* 24 uvw. */
static double tent_height(int i, int j)
{
    return i == 1 && j == 1 ? 4 : 0;
}

/* .9 (1 - x^2) (1 - y^2), x and y from -1 to 1. */
static double cushion_height(int i, int j)
{
    return i == 1 && j == 1 ? 3.6 : 0;
}

static void write_cube(FILE *file, double x, double y)
{
    static const char FACES[] =
        "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n";
    fputs("8 6\n", file);
    for (int i = 0; i < 8; i++) {
        const double point[3] = {x + (i & 1 ? .7 : -.7), y + (i & 2 ? .7 : -.7), i & 4 ? 1.4 : 0};
        write_point(file, point, 3);
    }
    fputs(FACES, file);
}

/* The normals (-dz/dx, -dz/dy, 1) of 24 uvw where x = 2u, y = 2v: dz/dx = 12 (vw - uv). */
static void write_tent_normals(FILE *file)
{
    static const double NORMALS[6][3] = {
        {0, 0, 1}, {-6, 0, 1}, {0, 0, 1}, {0, -6, 1}, {6, 6, 1}, {0, 0, 1}};
    for (int i = 0; i < 6; i++)
        write_point(file, NORMALS[i], 3);
}

/* Those of the cushion: -dz/dx = 1.8 x (1 - y^2). */
static void write_cushion_normals(FILE *file)
{
    static const double LINE[3] = {-1, 0, 1}, BUMP[3] = {0, 2, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double normal[3] = {1.8 * LINE[i] * BUMP[j], 1.8 * BUMP[i] * LINE[j], 1};
            write_point(file, normal, 3);
        }
}

/* A piece of the unit sphere: the stereographic projection (2p, 1 - p.p, 1 + p.p) of a triangle
 * in the plane, whose control points are its polar form at pairs of corners. */
static void write_cap(FILE *file, double x, double y)
{
    static const double CORNERS[3][2] = {{0, -.9}, {.78, .45}, {-.78, .45}};
    static const int PAIRS[6][2] = {{0, 0}, {0, 2}, {2, 2}, {0, 1}, {1, 2}, {1, 1}};
    for (int i = 0; i < 6; i++) {
        const double *a = CORNERS[PAIRS[i][0]], *b = CORNERS[PAIRS[i][1]];
        const double product = a[0] * b[0] + a[1] * b[1], w = 1 + product;
        const double point[4] = {a[0] + b[0] + w * x, a[1] + b[1] + w * y, 1 - product, w};
        write_point(file, point, 4);
    }
}

static void write_kinds(FILE *file)
{
    fputs("Group 0 polyhedron\n1\n", file);
    write_cube(file, 0, 0);
    fputs("Group 1 triangle\n3\n4\n", file);
    write_triangle(file, 4, 2, -1, dome_height);
    fputs("Group 2 tensor product of one degree\n4\n3\n", file);
    write_square(file, (const int[]){3, 3}, 6, 0, saddle_height);
    fputs("Group 3 tensor product\n5\n2 4\n", file);
    write_square(file, (const int[]){2, 4}, 9, 0, pleat_height);
    fputs("Group 4 rational tensor product\n8\n2 2\n", file);
    write_quarter(file, CONIC, 2, 0, MERIDIAN + 2, -.5, -3.5);
    fputs("Group 5 PN triangle\n9\n3 2\n", file);
    write_triangle(file, 3, 2, -4, tent_height);
    write_tent_normals(file);
    fputs("Group 6 PN tensor product\n10\n2 2 2 2\n", file);
    write_square(file, (const int[]){2, 2}, 6, -3, cushion_height);
    write_cushion_normals(file);
    fputs("Group 7 rational triangle\n11\n2\n", file);
    write_cap(file, 9, -3);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(FILE *file);
    } SAMPLES[] = {{"torus", write_torus}, {"sphere", write_sphere}, {"goblet", write_goblet},
        {"kettle", write_kettle}, {"vase", write_vase}, {"wave", write_wave},
        {"kinds", write_kinds}};
    if (argc != 2) {
        fputs("usage: sample_patches FOLDER\n", stderr);
        return 2;
    }
    for (int i = 0; i < COUNT(SAMPLES); i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s.bv", argv[1], SAMPLES[i].name);
        FILE *file = fopen(path, "w");
        if (file)
            SAMPLES[i].write(file);
        if (!file || fclose(file) != 0) {
            perror(path);
            return 1;
        }
    }
    return 0;
}
