/* Welding meshes, and mesh files, which small readers here and assimp read back. */
#include "scenes/mesh_formats.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"
#include "random.h"

static char folder[] = "/tmp/test_mesh.XXXXXX";

static const char *const EXTENSIONS[] = {".obj", ".ply", ".stl", ".glb"};

static struct mesh make(size_t vertices, size_t triangles)
{
    struct error error = {""};
    struct mesh mesh;
    if (mesh_new(vertices, triangles, 0, &mesh, &error) != 0)
        abort();
    return mesh;
}

static int weld(struct mesh *mesh, double degrees)
{
    struct error error = {""};
    return mesh_weld(mesh, degrees, NULL, &error) == 0;
}

static int64_t boundary_edges(const struct mesh *mesh)
{
    struct error error = {""};
    return mesh_boundary_edges(mesh, NULL, &error);
}

static void set_triangle(
    struct mesh *mesh, size_t number, uint32_t a, uint32_t b, uint32_t c, uint32_t group)
{
    mesh->triangles[number] = (struct mesh_triangle){{a, b, c}, group, 7};
}

/* Triangles of a square of vertices: a, b below and d, c above. */
static void set_square(struct mesh *mesh, size_t number, const uint32_t v[4], uint32_t group)
{
    set_triangle(mesh, number, v[0], v[1], v[2], group);
    set_triangle(mesh, number + 1, v[0], v[2], v[3], group);
}

/* Tells -0 from 0. */
static int same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static int is_unit(const float n[3])
{
    return fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-6f;
}

static int is_vector(const float v[3], float x, float y, float z)
{
    return fabsf(v[0] - x) + fabsf(v[1] - y) + fabsf(v[2] - z) < 1e-6f;
}

/* The cube from -1 to 1: its six faces have four vertices each, or six, and share none. Face 2a + s
 * looks along axis a, down for s = 0 and up for s = 1, and is a group. */
static struct mesh make_cube(int corners)
{
    static const int SQUARE[6] = {0, 1, 2, 0, 2, 3};
    struct mesh cube = make(6 * (size_t)corners, 12);
    cube.group_count = 6;
    for (uint32_t face = 0, v = 0; face < 6; face++) {
        const uint32_t first = v;
        const int axis = (int)face / 2, up = face % 2;
        for (int i = 0; i < corners; i++, v++) {
            const int corner = corners == 4 ? i : SQUARE[i];
            const int right = corner == 1 || corner == 2, above = corner >= 2;
            cube.positions[v][axis] = up ? 1 : -1;
            cube.positions[v][(axis + 1) % 3] = (up ? right : above) ? 1 : -1;
            cube.positions[v][(axis + 2) % 3] = (up ? above : right) ? 1 : -1;
            cube.normals[v][axis] = up ? 1 : -1;
        }
        if (corners == 4) {
            set_square(&cube, 2 * face, (uint32_t[]){first, first + 1, first + 2, first + 3}, face);
        } else {
            set_triangle(&cube, 2 * face, first, first + 1, first + 2, face);
            set_triangle(&cube, 2 * face + 1, first + 3, first + 4, first + 5, face);
        }
    }
    return cube;
}

/* A unit sphere of separate squares: `rows` from pole to pole, `columns` around, each a vertex row
 * of its own. At the poles the squares have two corners in one place, without a normal. Half the
 * columns are group 0, half group 1. */
static struct mesh make_sphere(uint32_t rows, uint32_t columns)
{
    struct mesh sphere = make((size_t)rows * columns * 4, (size_t)rows * columns * 2);
    sphere.group_count = 2;
    sphere.is_double = 1;
    for (uint32_t i = 0; i < rows * columns; i++) {
        for (uint32_t corner = 0; corner < 4; corner++) {
            const uint32_t row = i / columns + (corner >= 2);
            const uint32_t column = (i + (corner == 1 || corner == 2)) % columns;
            const double turn = 2 * acos(-1) * column / columns;
            const double radius = row % rows ? sin(acos(-1) * row / rows) : 0;
            double *p = sphere.positions[4 * i + corner];
            p[0] = radius * cos(turn);
            p[1] = radius * sin(turn);
            p[2] = -cos(acos(-1) * row / rows);
            for (int k = 0; k < 3 && row % rows; k++)
                sphere.normals[4 * i + corner][k] = (float)p[k];
        }
        set_square(&sphere, 2 * (size_t)i, (uint32_t[]){4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3},
            i % columns >= columns / 2);
    }
    return sphere;
}

/* The same triangles in the same places, whatever the numbers of their vertices. */
static int same_corners(const struct mesh *a, const struct mesh *b)
{
    int same = a->triangle_count == b->triangle_count;
    for (size_t t = 0; same && t < a->triangle_count; t++) {
        same &= a->triangles[t].group == b->triangles[t].group;
        same &= a->triangles[t].lines == b->triangles[t].lines;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                same &= a->positions[a->triangles[t].vertex[i]][k] ==
                        b->positions[b->triangles[t].vertex[i]][k];
    }
    return same;
}

static void check_cube(void)
{
    for (int corners = 4; corners <= 6; corners += 2) {
        struct mesh plain = make_cube(corners), creased = make_cube(corners);
        struct mesh smooth = make_cube(corners);
        tap_check(weld(&creased, 30) && creased.vertex_count == 24 && creased.triangle_count == 12,
            "a cube of %d vertices a face: 24 with creases of 30 degrees", corners);
        tap_check(same_corners(&plain, &creased), "its triangles are as before");
        int passed = 1;
        for (uint32_t v = 0; v < 24; v++) {
            const float *n = creased.normals[v];
            passed &= n[v / 8] == (v / 4 % 2 ? 1 : -1) && is_unit(n);
        }
        tap_check(passed, "vertices keep their order and their normals");
        tap_check(weld(&smooth, 180) && smooth.vertex_count == 8 && same_corners(&plain, &smooth),
            "8 without creases");
        passed = 1;
        for (size_t v = 0; corners == 4 && v < smooth.vertex_count; v++)
            for (int k = 0; k < 3; k++)
                passed &=
                    fabs(sqrt(3) * (double)smooth.normals[v][k] - smooth.positions[v][k]) < 1e-6;
        tap_check(passed, "whose normals are the means");
        tap_check(boundary_edges(&plain) == 0 && boundary_edges(&creased) == 0 &&
                      boundary_edges(&smooth) == 0,
            "it is closed, welded or not");
        smooth.triangle_count = 11;
        creased.triangle_count = 10;
        tap_check(boundary_edges(&smooth) == 3 && boundary_edges(&creased) == 4,
            "3 sides are open without one triangle, 4 without one face");
        mesh_free(&plain);
        mesh_free(&creased);
        mesh_free(&smooth);
    }
    struct mesh cube = make_cube(4);
    tap_check(weld(&cube, 89.9) && cube.vertex_count == 24, "24 with creases of 89.9 degrees");
    mesh_free(&cube);
    cube = make_cube(4);
    tap_check(weld(&cube, 90) && cube.vertex_count == 8, "8 with creases of 90 degrees");
    mesh_free(&cube);
    cube = make_cube(6);
    tap_check(
        weld(&cube, 0) && cube.vertex_count == 24, "equal normals are no crease of 0 degrees");
    mesh_free(&cube);
    cube = make_cube(6);
    free(cube.normals);
    cube.normals = NULL;
    tap_check(weld(&cube, 30) && cube.vertex_count == 8, "without normals there are no creases");
    mesh_free(&cube);
}

static void check_sphere(void)
{
    struct mesh sphere = make_sphere(8, 12), unwelded = make_sphere(8, 12);
    int passed = weld(&sphere, 1);
    tap_check(passed && sphere.vertex_count == 7 * 12 + 2, "a sphere with a vertex at each pole");
    tap_check(sphere.triangle_count == 2 * 7 * 12, "triangles without area at the poles are gone");
    for (size_t v = 0; v < sphere.vertex_count; v++)
        for (int k = 0; k < 3; k++)
            passed &= fabs((double)sphere.normals[v][k] - sphere.positions[v][k]) < 1e-6;
    tap_check(passed, "poles get their normals from the triangles");
    tap_check(boundary_edges(&sphere) == 0 && boundary_edges(&unwelded) == 0, "it is closed");
    for (size_t t = 0; t < sphere.triangle_count; t++)
        passed &= sphere.triangles[t].lines == 7;
    tap_check(passed, "lines of triangles stay");

    /* One vertex at each pole has a normal, which the others take, though it is oblique. */
    unwelded.normals[0][0] = .6f;
    unwelded.normals[0][2] = -.8f;
    passed = weld(&unwelded, 0) && unwelded.vertex_count == sphere.vertex_count;
    tap_check(
        passed && is_vector(unwelded.normals[0], .6f, 0, -.8f), "or from a vertex that has one");
    mesh_free(&sphere);
    mesh_free(&unwelded);
}

static void check_small(void)
{
    struct error error = {""};
    struct mesh mesh = make(0, 0);
    tap_check(
        weld(&mesh, 30) && mesh.vertex_count == 0 && boundary_edges(&mesh) == 0, "an empty mesh");
    mesh_free(&mesh);
    mesh_free(&mesh);
    tap_check(!mesh.positions, "freed twice");

    mesh = make(3, 1);
    set_triangle(&mesh, 0, 0, 1, 2, 0);
    mesh.positions[1][0] = mesh.positions[2][1] = 1;
    tap_check(
        weld(&mesh, 30) && mesh.vertex_count == 3 && boundary_edges(&mesh) == 3, "one triangle");
    tap_check(is_vector(mesh.normals[0], 0, 0, 1) && is_vector(mesh.normals[2], 0, 0, 1),
        "it looks to where it is counterclockwise from");
    mesh_free(&mesh);

    /* 0 to 3 are a triangle and a corner that is -0, 4 is in no triangle, 5 in some without
     * area. */
    mesh = make(6, 5);
    mesh.positions[1][0] = mesh.positions[2][1] = mesh.positions[4][0] = mesh.positions[5][1] = 1;
    mesh.positions[3][0] = mesh.positions[3][1] = mesh.positions[3][2] = -0.0;
    set_triangle(&mesh, 0, 0, 3, 5, 0);
    set_triangle(&mesh, 1, 3, 1, 2, 0);
    set_triangle(&mesh, 2, 2, 1, 3, 1);
    set_triangle(&mesh, 3, 0, 5, 3, 0);
    set_triangle(&mesh, 4, 5, 0, 3, 0);
    tap_check(boundary_edges(&mesh) == 0, "0 and -0 are one place: two triangles, back to back");
    tap_check(weld(&mesh, 30) && mesh.vertex_count == 3 && mesh.triangle_count == 2 &&
                  mesh.triangles[1].group == 1,
        "they are welded, and vertices without a triangle are gone");
    tap_check(mesh.positions[0][0] == 1 && mesh.triangles[0].vertex[0] == 2 &&
                  mesh.triangles[0].vertex[1] == 0 && mesh.triangles[1].vertex[2] == 2,
        "in the order in which they came");
    tap_check(is_vector(mesh.normals[0], 0, 0, 0), "no normal where the triangles cancel out");
    mesh_free(&mesh);

    /* Two triangles run through the same side in the same direction. */
    mesh = make(4, 2);
    for (int v = 0; v < 4; v++) {
        mesh.positions[v][0] = v;
        mesh.positions[v][1] = v * v;
    }
    set_triangle(&mesh, 0, 0, 1, 2, 0);
    set_triangle(&mesh, 1, 0, 1, 3, 0);
    tap_check(boundary_edges(&mesh) == 6, "a side is no partner of one of the same direction");
    mesh_free(&mesh);

    mesh = (struct mesh){0};
    tap_check(mesh_new(3, 1, 1, &mesh, &error) == 0 && mesh.curvature, "a mesh with curvature");
    for (int v = 0; v < 3; v++)
        mesh.curvature[v][CURVATURE_MEAN] = (float)v;
    mesh.positions[2][1] = mesh.positions[0][0] = 1;
    set_triangle(&mesh, 0, 0, 1, 2, 0);
    tap_check(weld(&mesh, 30) && mesh.curvature[2][CURVATURE_MEAN] == 2, "which welding keeps");
    mesh_free(&mesh);
    tap_check(mesh_new(UINT32_MAX, 1, 0, &mesh, &error) == ERROR_INPUT && !mesh.positions, "%s",
        error.text);
}

/* Of a model moved far from the origin, since the middle of its box must do. */
static void move(struct mesh *mesh, double by)
{
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            mesh->positions[v][k] += (k + 1) * by;
}

static void check_volume(void)
{
    const double ball = 4 * acos(-1) / 3;
    struct mesh cube = make_cube(4), two = make(48, 24), empty = make(0, 0);
    tap_check(mesh_volume(&cube) == 8, "the volume of a cube");
    for (int v = 0; v < 48; v++)
        for (int k = 0; k < 3; k++)
            two.positions[v][k] = cube.positions[v % 24][k] * (v < 24 ? 1 : .5);
    for (uint32_t t = 0; t < 24; t++) {
        const uint32_t *corner = cube.triangles[t % 12].vertex, more = t < 12 ? 0 : 24;
        set_triangle(&two, t, corner[0] + more, corner[t < 12 ? 1 : 2] + more,
            corner[t < 12 ? 2 : 1] + more, 0);
    }
    tap_check(fabs(mesh_volume(&two) - 7) < 1e-12,
        "of a cube with a hole in it, whose sides point inward");
    mesh_flip(&two);
    tap_check(fabs(mesh_volume(&two) + 7) < 1e-12, "and inside out");
    cube.triangle_count = 10;
    tap_check(isnan(mesh_volume(&cube)), "a cube without one face encloses none");
    tap_check(isnan(mesh_volume(&empty)), "nor does nothing");
    for (uint32_t t = 0; t < 12; t++)
        set_triangle(&two, 12 + t, two.triangles[t].vertex[0], two.triangles[t].vertex[2],
            two.triangles[t].vertex[1], 0);
    move(&two, .1);
    tap_check(isnan(mesh_volume(&two)), "nor do two sides of one surface, but for rounding");
    mesh_free(&cube);
    mesh_free(&two);
    mesh_free(&empty);
    for (uint32_t rows = 16; rows <= 64; rows *= 4) {
        struct mesh sphere = make_sphere(rows, 2 * rows);
        const double volume = mesh_volume(&sphere), chord = acos(-1) / rows;
        tap_check(volume < ball && volume > ball * (1 - chord * chord),
            "the volume of a sphere of %u rows, from inside", rows);
        move(&sphere, 1e3);
        tap_check(fabs(mesh_volume(&sphere) - volume) < 1e-9, "far off too");
        mesh_flip(&sphere);
        tap_check(fabs(mesh_volume(&sphere) + volume) < 1e-9, "negative where it is inside out");
        sphere.triangle_count -= 2 * 2 * rows; /* the row at a pole */
        tap_check(fabs(mesh_volume(&sphere) + volume) < .02 * volume, "or has a hole at a pole");
        sphere.triangle_count = 2 * rows * rows;
        tap_check(isnan(mesh_volume(&sphere)), "half of it has none");
        mesh_free(&sphere);
    }
}

static struct mesh make_full(int is_double);

static void check_flip(void)
{
    struct mesh mesh = make_full(1), before = make_full(1);
    const size_t count = mesh.vertex_count;
    int passed = 1;
    mesh.triangles[0].lines = 1 | 2;
    mesh.triangles[1].lines = before.triangles[1].lines = 4;
    before.triangles[0].lines = 1 | 2;
    mesh_flip(&mesh);
    tap_check(mesh.triangles[0].lines == (2 | 4) && mesh.triangles[1].lines == 1 &&
                  mesh.triangles[0].group == 2,
        "flipped: lines and groups stay at their sides and triangles");
    for (size_t t = 0; t < 2; t++) {
        double one[3], other[3];
        for (int k = 0; k < 3; k++) {
            one[k] = before.positions[before.triangles[t].vertex[1]][k];
            other[k] = mesh.positions[mesh.triangles[t].vertex[2]][k];
        }
        passed &= same_bits(one, other, sizeof(one)) &&
                  mesh.triangles[t].vertex[0] == before.triangles[t].vertex[0];
    }
    tap_check(passed, "flipped: triangles run the other way around");
    for (size_t v = 0; v < count; v++) {
        const float *was = before.curvature[v], *is = mesh.curvature[v];
        for (int k = 0; k < 3; k++)
            passed &= mesh.normals[v][k] == -before.normals[v][k] && !signbit(mesh.normals[3][k]);
        passed &= is[CURVATURE_GAUSSIAN] == was[CURVATURE_GAUSSIAN] &&
                  is[CURVATURE_MEAN] == -was[CURVATURE_MEAN] &&
                  is[CURVATURE_MAX] == -was[CURVATURE_MIN] &&
                  is[CURVATURE_MIN] == -was[CURVATURE_MAX];
    }
    tap_check(passed, "flipped: normals, without -0, and curvatures");
    mesh_flip(&mesh);
    tap_check(same_bits(mesh.triangles, before.triangles, 2 * sizeof(*mesh.triangles)) &&
                  same_bits(mesh.normals, before.normals, count * sizeof(*mesh.normals)) &&
                  same_bits(mesh.curvature, before.curvature, count * sizeof(*mesh.curvature)) &&
                  same_bits(mesh.positions, before.positions, count * sizeof(*mesh.positions)),
        "flipped twice it is as before");
    mesh_free(&mesh);
    mesh_free(&before);
}

static const char *path_of(const char *name)
{
    static char path[100];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

/* A file's bytes, read in order. */
struct bytes {
    uint8_t *start, *at;
    size_t size;
};

static struct bytes read_all(const char *path)
{
    static const size_t LARGEST = 1 << 22;
    struct bytes bytes = {.start = calloc(LARGEST, 1)};
    FILE *file = fopen(path, "rb");
    if (!file || !bytes.start)
        abort();
    bytes.size = fread(bytes.start, 1, LARGEST - 1, file);
    bytes.at = bytes.start;
    fclose(file);
    unlink(path);
    return bytes;
}

static uint64_t take(struct bytes *bytes, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint64_t)*bytes->at++ << 8 * i;
    return value;
}

static float take_float(struct bytes *bytes)
{
    const uint32_t bits = (uint32_t)take(bytes, 4);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static double take_double(struct bytes *bytes)
{
    const uint64_t bits = take(bytes, 8);
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static struct bytes write_mesh(const char *name, const struct mesh *mesh)
{
    struct error error = {""};
    if (!tap_check(mesh_write(path_of(name), mesh, NULL, &error) == 0, "%s %s", name, error.text))
        abort();
    return read_all(path_of(name));
}

/* Two triangles of two groups in space, with all that a mesh can have, and two groups that have no
 * triangle. */
static struct mesh make_full(int is_double)
{
    static char *names[] = {"", "no triangle", "caf\xc3\xa9 1\n", "\xe9"};
    static uint8_t colors[][3] = {{255, 0, 128}, {1, 2, 3}, {10, 200, 255}, {4, 5, 6}};
    struct error error = {""};
    struct mesh mesh;
    if (mesh_new(4, 2, 1, &mesh, &error) != 0)
        abort();
    for (int v = 0; v < 4; v++) {
        for (int k = 0; k < 3; k++)
            mesh.positions[v][k] =
                is_double ? 1e3 * sin(3 * v + k) : (double)(1e-3f * sinf((float)(3 * v + k)));
        for (int k = 0; k < CURVATURES; k++)
            mesh.curvature[v][k] = cosf((float)(4 * v + k));
    }
    mesh.normals[0][0] = mesh.normals[1][1] = mesh.normals[2][2] = 1; /* vertex 3 has none */
    set_triangle(&mesh, 0, 0, 1, 2, 2);
    set_triangle(&mesh, 1, 2, 1, 3, 0);
    mesh.is_double = is_double;
    mesh.group_count = 4;
    mesh.group_names = names;
    mesh.group_colors = colors;
    return mesh;
}

/* The next line, with a zero for its end. */
static char *take_line(struct bytes *bytes)
{
    char *line = (char *)bytes->at;
    bytes->at += strcspn(line, "\n");
    *bytes->at++ = 0;
    return line;
}

static void check_obj(int is_double)
{
    struct mesh mesh = make_full(is_double);
    struct bytes bytes = write_mesh("a.obj", &mesh), materials = read_all(path_of("a.mtl"));
    int passed = strcmp(take_line(&bytes), "mtllib a.mtl") == 0;
    for (int v = 0; v < 4; v++) {
        double p[3];
        passed &= sscanf(take_line(&bytes), "v %lf %lf %lf", &p[0], &p[1], &p[2]) == 3;
        for (int k = 0; k < 3; k++)
            passed &= is_double ? p[k] == mesh.positions[v][k]
                                : (float)p[k] == (float)mesh.positions[v][k];
    }
    for (int v = 0; v < 4; v++) {
        float n[3];
        passed &= sscanf(take_line(&bytes), "vn %f %f %f", &n[0], &n[1], &n[2]) == 3 &&
                  same_bits(n, mesh.normals[v], sizeof(n));
    }
    tap_check(passed, "OBJ: all digits of %s", is_double ? "doubles" : "floats");
    tap_check(
        strcmp((const char *)bytes.at, "g caf\xc3\xa9_1_\nusemtl caf\xc3\xa9_1_\nf 1//1 2//2 3//3\n"
                                       "g default\nusemtl default\nf 3//3 2//2 4//4\n") == 0,
        "OBJ: faces, groups and materials");
    tap_check(strcmp((const char *)materials.at,
                  MATERIALS_MARK "newmtl default\nKd 1.0000 0.0000 0.5020\n"
                                 "newmtl caf\xc3\xa9_1_\nKd 0.0392 0.7843 1.0000\n") == 0,
        "MTL: the colors of groups that have triangles");
    free(bytes.start);
    free(materials.start);
    mesh_free(&mesh);
}

/* What OBJ is for a mesh without colors, written by printf. */
static char *plain_obj(const struct mesh *mesh)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (size_t v = 0; v < mesh->vertex_count; v++)
        fprintf(file, "v %.*g %.*g %.*g\n", mesh->is_double ? 17 : 9, mesh->positions[v][0],
            mesh->is_double ? 17 : 9, mesh->positions[v][1], mesh->is_double ? 17 : 9,
            mesh->positions[v][2]);
    for (size_t v = 0; v < mesh->vertex_count; v++)
        fprintf(file, "vn %.9g %.9g %.9g\n", (double)mesh->normals[v][0],
            (double)mesh->normals[v][1], (double)mesh->normals[v][2]);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *v = mesh->triangles[t].vertex, group = mesh->triangles[t].group;
        if (t == 0 || group != mesh->triangles[t - 1].group)
            fprintf(
                file, "g %s\n", *mesh->group_names[group] ? mesh->group_names[group] : "default");
        fprintf(file, "f %u//%u %u//%u %u//%u\n", v[0] + 1, v[0] + 1, v[1] + 1, v[1] + 1, v[2] + 1,
            v[2] + 1);
    }
    fclose(file);
    return text;
}

/* Of many triangles, in runs of groups with names of all lengths, by any number of threads. */
static void check_large_obj(void)
{
    enum { GROUPS = 7 };
    static const size_t LENGTHS[GROUPS] = {0, 1, 20, 99, 100, 101, 9000};
    char *names[GROUPS];
    struct mesh mesh = make_sphere(50, 30);
    uint64_t random = 5;
    for (int g = 0; g < GROUPS; g++) {
        names[g] = calloc(LENGTHS[g] + 1, 1);
        memset(names[g], 'a' + g, LENGTHS[g]);
    }
    mesh.group_names = names;
    mesh.group_count = GROUPS;
    for (size_t t = 0; t < mesh.triangle_count; t++)
        mesh.triangles[t].group = t > 0 && random_bits(&random) % 10
                                      ? mesh.triangles[t - 1].group
                                      : random_bits(&random) % GROUPS;
    for (int i = 0; i < 6; i++) {
        mesh.is_double = i % 2;
        omp_set_num_threads(1 + i);
        char *wanted = plain_obj(&mesh);
        struct bytes bytes = write_mesh("large.obj", &mesh);
        tap_check(strcmp((char *)bytes.start, wanted) == 0,
            "OBJ: %zu bytes by %d threads, as printf writes them", bytes.size, 1 + i);
        free(bytes.start);
        free(wanted);
    }
    for (int g = 0; g < GROUPS; g++)
        free(names[g]);
    mesh_free(&mesh);
}

/* Where the materials go, and that nothing is left of what cannot be written as a whole. */
static void check_materials(void)
{
    struct error error = {""};
    struct mesh mesh = make_full(0);
    char path[PATH_MAX], name[100];
    tap_check(mesh_materials_path("d.x/a b.OBJ", path) && strcmp(path, "d.x/a b.mtl") == 0,
        "MTL: its name");
    tap_check(!mesh_materials_path("a.ply", path) && !mesh_materials_path("a.glb", path) &&
                  !mesh_materials_path("-", path) && !mesh_materials_path("a.obj.png", path),
        "MTL: for OBJ alone");
    snprintf(name, sizeof(name), "%s", path_of("pipe.obj"));
    if (mkfifo(name, 0600) != 0)
        abort();
    tap_check(!mesh_materials_path(name, path), "MTL: not beside a pipe");
    unlink(name);
    struct bytes bytes = write_mesh("odd name\t.obj", &mesh);
    struct bytes materials = read_all(path_of("odd name\t.mtl"));
    tap_check(strcmp(take_line(&bytes), "mtllib odd name_.mtl") == 0 && materials.size > 0,
        "OBJ: the name of its materials is one line");
    free(bytes.start);
    free(materials.start);
    if (mkdir(path_of("b.mtl"), 0700) != 0)
        abort();
    tap_check(mesh_write(path_of("b.obj"), &mesh, NULL, &error) == ERROR_INPUT &&
                  access(path_of("b.obj"), F_OK) != 0 && rmdir(path_of("b.mtl")) == 0 &&
                  rmdir(folder) == 0 && mkdir(folder, 0700) == 0,
        "no mesh without its materials: %s", error.text);
    mesh_free(&mesh);
}

/* A disk that gets full, for which a limit on file sizes stands, with room for the OBJ file but not
 * for its materials: neither is left. */
static void check_materials_full(void)
{
    enum { GROUPS = 100, ROOM = 3200 }; /* the files have 3084 and 3358 bytes */
    char *names[GROUPS];
    uint8_t colors[GROUPS][3] = {{0}};
    struct error error = {""};
    struct mesh mesh;
    struct rlimit limit, small;
    if (mesh_new(4, GROUPS, 0, &mesh, &error) != 0)
        abort();
    mesh.group_count = GROUPS;
    mesh.group_names = names;
    mesh.group_colors = colors;
    for (int g = 0; g < GROUPS; g++) {
        names[g] = "g";
        mesh.triangles[g] = (struct mesh_triangle){{0, 1, 2}, (uint32_t)g, 0};
    }
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    small = (struct rlimit){ROOM, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    tap_check(mesh_write(path_of("full.obj"), &mesh, NULL, &error) == ERROR_INPUT &&
                  strstr(error.text, "full.mtl': File too large") && rmdir(folder) == 0 &&
                  mkdir(folder, 0700) == 0,
        "no mesh without its materials, which the disk has no room for: %s", error.text);
    setrlimit(RLIMIT_FSIZE, &limit);
    mesh_free(&mesh);
}

static void check_ply(int is_double)
{
    static const char *const LINES[] = {"ply", "format binary_little_endian 1.0",
        "element vertex 4", "x", "y", "z", "property float nx", "property float ny",
        "property float nz", "property uchar red", "property uchar green", "property uchar blue",
        "property float gaussian_curvature", "property float mean_curvature",
        "property float max_curvature", "property float min_curvature", "element face 2",
        "property list uchar int vertex_indices", "end_header"};
    static const int GROUPS[] = {2, 2, 2, 0};
    struct mesh mesh = make_full(is_double);
    struct bytes bytes = write_mesh("a.ply", &mesh);
    int passed = 1;
    for (size_t i = 0; i < sizeof(LINES) / sizeof(LINES[0]); i++) {
        char line[60];
        snprintf(line, sizeof(line), "%s%s",
            LINES[i][1] ? ""
            : is_double ? "property double "
                        : "property float ",
            LINES[i]);
        passed &= strcmp(take_line(&bytes), line) == 0;
    }
    tap_check(passed, "PLY: the header, with %s", is_double ? "doubles" : "floats");
    for (int v = 0; v < 4; v++) {
        for (int k = 0; k < 3; k++)
            passed &= (is_double ? take_double(&bytes) : (double)take_float(&bytes)) ==
                      mesh.positions[v][k];
        for (int k = 0; k < 3; k++)
            passed &= take_float(&bytes) == mesh.normals[v][k];
        for (int k = 0; k < 3; k++)
            passed &= take(&bytes, 1) == mesh.group_colors[GROUPS[v]][k];
        for (int k = 0; k < CURVATURES; k++)
            passed &= take_float(&bytes) == mesh.curvature[v][k];
    }
    tap_check(passed, "PLY: vertices; a shared one has the color of its first triangle");
    for (int t = 0; t < 2; t++) {
        passed &= take(&bytes, 1) == 3;
        for (int i = 0; i < 3; i++)
            passed &= take(&bytes, 4) == mesh.triangles[t].vertex[i];
    }
    tap_check(passed && bytes.at == bytes.start + bytes.size, "PLY: faces");
    free(bytes.start);
    mesh_free(&mesh);
}

static void check_stl(void)
{
    struct mesh cube = make_cube(4);
    cube.triangles[11].vertex[2] = cube.triangles[11].vertex[0]; /* no area */
    struct bytes bytes = write_mesh("a.stl", &cube);
    int passed = 1;
    tap_check(bytes.size == 84 + 12 * 50 && strncasecmp((char *)bytes.at, "solid", 5) != 0,
        "STL: a header that is no text's");
    bytes.at += 80;
    tap_check(take(&bytes, 4) == 12, "STL: the number of triangles");
    for (size_t t = 0; t < 12; t++) {
        const uint32_t *v = cube.triangles[t].vertex;
        for (int k = 0; k < 3; k++)
            passed &= take_float(&bytes) == (t < 11 ? cube.normals[v[0]][k] : 0);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                passed &= (double)take_float(&bytes) == cube.positions[v[i]][k];
        passed &= take(&bytes, 2) == 0;
    }
    tap_check(passed && bytes.at == bytes.start + bytes.size,
        "STL: normals by the positions, 0 without an area; corners");
    free(bytes.start);
    mesh_free(&cube);
}

/* An accessor's elements in the second chunk: of so many numbers each. */
struct array {
    uint8_t *at;
    size_t count, stride;
    int type, numbers;
};

static struct array find_array(const json_t *json, uint8_t *arrays, json_int_t number)
{
    json_int_t view, offset, start, size, length, stride = 0, target;
    const char *shape;
    struct array array = {0};
    if (json_unpack(json_array_get(json_object_get(json, "accessors"), (size_t)number),
            "{s:I, s:I, s:I, s:i, s:s}", "bufferView", &view, "byteOffset", &offset, "count",
            &length, "componentType", &array.type, "type", &shape) != 0 ||
        json_unpack(json_array_get(json_object_get(json, "bufferViews"), (size_t)view),
            "{s:i, s:I, s:I, s:I, s?I}", "buffer", &(int){0}, "byteOffset", &start, "byteLength",
            &size, "target", &target, "byteStride", &stride) != 0)
        abort();
    array.at = arrays + start + offset;
    array.count = (size_t)length;
    array.numbers = strcmp(shape, "VEC3") == 0 ? 3 : 1;
    array.stride = stride ? (size_t)stride : 4 * (size_t)array.numbers;
    if (!tap_check((target == 34963) == (array.type == 5125) && start % 4 == 0 && offset % 4 == 0 &&
                       (json_int_t)((array.count - 1) * array.stride + 4 * (size_t)array.numbers) +
                               offset <=
                           size,
            "GLB: array %d lies in its view", (int)number))
        abort();
    return array;
}

static struct bytes element(const struct array *array, size_t i)
{
    return (struct bytes){.at = array->at + i * array->stride};
}

/* Whether the floats of an element are these. */
static int has_floats(const struct array *array, size_t i, const float *wanted)
{
    struct bytes bytes = element(array, i);
    int same = array->type == 5126;
    for (int k = 0; k < array->numbers; k++)
        same &= take_float(&bytes) == wanted[k];
    return same;
}

/* Splits a GLB file into its JSON, which the caller releases, and its arrays. */
static json_t *split_glb(struct bytes *bytes)
{
    const uint64_t magic = take(bytes, 4), version = take(bytes, 4), stated = take(bytes, 4);
    tap_check(magic == 0x46546c67 && version == 2 && stated == bytes->size, "GLB: the header");
    const size_t length = (size_t)take(bytes, 4);
    int passed = length % 4 == 0 && take(bytes, 4) == 0x4e4f534a;
    json_t *json = json_loadb((const char *)bytes->at, length, 0, NULL);
    bytes->at += length;
    const size_t size = (size_t)take(bytes, 4);
    passed &= take(bytes, 4) == 0x004e4942 && bytes->at + size == bytes->start + bytes->size;
    json_int_t buffer = -1;
    json_unpack(json, "{s:[{s:I}]}", "buffers", "byteLength", &buffer);
    tap_check(json && passed && (size_t)buffer == size, "GLB: a chunk of JSON, one of arrays");
    return json;
}

static double decode(uint8_t srgb)
{
    const double c = srgb / 255.0;
    return c <= .04045 ? c / 12.92 : pow((c + .055) / 1.055, 2.4);
}

static int is_named(const json_t *thing, const char *name)
{
    const char *is = json_string_value(json_object_get(thing, "name"));
    return name ? is && strcmp(is, name) == 0 : !is;
}

static void check_glb_material(
    const json_t *json, size_t number, const char *name, const uint8_t color[3])
{
    const json_t *material = json_array_get(json_object_get(json, "materials"), number);
    double c[4] = {0}, metal = 1;
    json_unpack((json_t *)material, "{s:{s:[F, F, F, F], s:F}}", "pbrMetallicRoughness",
        "baseColorFactor", &c[0], &c[1], &c[2], &c[3], "metallicFactor", &metal);
    int passed = c[3] == 1 && metal == 0;
    for (int k = 0; k < 3; k++)
        passed &= fabs(c[k] - decode(color[k])) < 1e-6;
    tap_check(
        passed && is_named(material, name), "GLB: the color and name of material %zu", number);
}

/* Whether the bounds that are stated are those of the positions. */
static int has_bounds(const json_t *json, int number, const struct array *positions)
{
    double bounds[2][3] = {{0}}, low[3] = {DBL_MAX, DBL_MAX, DBL_MAX},
           high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    json_unpack(json_array_get(json_object_get(json, "accessors"), (size_t)number),
        "{s:[F, F, F], s:[F, F, F]}", "min", &bounds[0][0], &bounds[0][1], &bounds[0][2], "max",
        &bounds[1][0], &bounds[1][1], &bounds[1][2]);
    for (size_t v = 0; v < positions->count; v++) {
        struct bytes bytes = element(positions, v);
        for (int k = 0; k < 3; k++) {
            const double p = (double)take_float(&bytes);
            low[k] = fmin(low[k], p);
            high[k] = fmax(high[k], p);
        }
    }
    return same_bits(bounds[0], low, sizeof(low)) && same_bits(bounds[1], high, sizeof(high));
}

/* Mesh `number` has the triangles of the group, in their order, and each vertex of these once. */
static void check_glb_group(const json_t *json, uint8_t *arrays, size_t number,
    const struct mesh *mesh, uint32_t group, const char *name)
{
    static const char *const NAMES[] = {
        "_GAUSSIAN_CURVATURE", "_MEAN_CURVATURE", "_MAX_CURVATURE", "_MIN_CURVATURE"};
    const json_t *own = json_array_get(json_object_get(json, "meshes"), number);
    const json_t *node = json_array_get(json_object_get(json, "nodes"), number + 1);
    json_t *attributes = NULL;
    int position = -1, normal = -1, indices = -1, material = -1, of_node = -1, child = -1;
    json_unpack((json_t *)own, "{s:[{s:o, s:i, s:i} !]}", "primitives", "attributes", &attributes,
        "indices", &indices, "material", &material);
    json_unpack(attributes, "{s:i, s?i}", "POSITION", &position, "NORMAL", &normal);
    json_unpack((json_t *)node, "{s:i}", "mesh", &of_node);
    child = (int)json_integer_value(json_array_get(
        json_object_get(json_array_get(json_object_get(json, "nodes"), 0), "children"), number));
    tap_check(is_named(own, name) && is_named(node, name) && of_node == (int)number &&
                  child == (int)number + 1 && material == (int)number,
        "GLB: mesh, node and material %zu belong together", number);
    const struct array p = find_array(json, arrays, position),
                       at = find_array(json, arrays, indices);
    struct array n = p, c[CURVATURES] = {p};
    int passed = p.numbers == 3 && at.numbers == 1 && has_bounds(json, position, &p);
    if (mesh->normals)
        n = find_array(json, arrays, normal);
    for (int k = 0; mesh->curvature && k < CURVATURES; k++)
        c[k] = find_array(json, arrays, json_integer_value(json_object_get(attributes, NAMES[k])));
    passed &= json_object_size(attributes) ==
              (size_t)1 + (mesh->normals ? 1 : 0) + (mesh->curvature ? CURVATURES : 0);
    uint32_t *vertices = calloc(p.count + 1, sizeof(*vertices)), last = 0;
    size_t corner = 0;
    for (size_t t = 0; passed && t < mesh->triangle_count; t++)
        for (int i = 0; i < 3 && mesh->triangles[t].group == group; i++, corner++) {
            const uint32_t v = mesh->triangles[t].vertex[i];
            struct bytes index = element(&at, corner);
            const uint32_t place = (uint32_t)take(&index, 4);
            const float is[3] = {(float)mesh->positions[v][0], (float)mesh->positions[v][1],
                (float)mesh->positions[v][2]};
            passed &= corner < at.count && place <= last && place < p.count;
            if (!passed)
                break;
            if (place == last)
                vertices[last++] = v;
            passed &= vertices[place] == v && has_floats(&p, place, is);
            if (mesh->normals && is_unit(mesh->normals[v]))
                passed &= has_floats(&n, place, mesh->normals[v]);
            else if (mesh->normals)
                passed &= has_floats(&n, place, (const float[]){0, 0, 1});
            for (int k = 0; mesh->curvature && k < CURVATURES; k++)
                passed &= c[k].numbers == 1 && has_floats(&c[k], place, &mesh->curvature[v][k]);
        }
    uint32_t most = 0; /* how often one vertex is there */
    for (size_t i = 0; i < p.count && i < 100; i++) {
        uint32_t times = 0;
        for (size_t k = 0; k < p.count; k++)
            times += vertices[k] == vertices[i];
        most = times > most ? times : most;
    }
    tap_check(passed && corner == at.count && last == p.count && most == 1,
        "GLB: mesh %zu has the triangles of group %u, with %u vertices", number, group, last);
    free(vertices);
}

static void check_glb(void)
{
    struct mesh mesh = make_full(0), sphere = make_sphere(8, 12);
    struct bytes bytes = write_mesh("a.glb", &mesh);
    json_t *json = split_glb(&bytes);
    uint8_t *arrays = bytes.at;
    const char *version = NULL;
    json_unpack(json, "{s:{s:s}}", "asset", "version", &version);
    tap_check(version && strcmp(version, "2.0") == 0 &&
                  json_array_size(json_object_get(json, "meshes")) == 2 &&
                  json_array_size(json_object_get(json, "nodes")) == 3 &&
                  json_array_size(json_object_get(json, "materials")) == 2,
        "GLB: version 2.0; nothing of groups without triangles");
    check_glb_group(json, arrays, 0, &mesh, 0, "");
    check_glb_group(json, arrays, 1, &mesh, 2, "caf\xc3\xa9 1\n");
    check_glb_material(json, 0, "", mesh.group_colors[0]);
    check_glb_material(json, 1, "caf\xc3\xa9 1\n", mesh.group_colors[2]);
    json_decref(json);
    free(bytes.start);

    weld(&sphere, 180);
    bytes = write_mesh("sphere.glb", &sphere);
    json = split_glb(&bytes);
    for (uint32_t g = 0; g < 2; g++)
        check_glb_group(json, bytes.at, g, &sphere, g, NULL);
    json_decref(json);
    free(bytes.start);
    mesh_free(&sphere);

    mesh.triangles[1].group = 3;
    bytes = write_mesh("b.glb", &mesh);
    json = split_glb(&bytes);
    check_glb_material(json, 1, NULL, mesh.group_colors[3]); /* its name is no UTF-8 */
    json_decref(json);
    free(bytes.start);

    for (int length = 0; length < 4; length++) {
        char name[] = "abc", *names[] = {"", "", name, ""};
        name[length] = 0;
        mesh.group_names = names;
        bytes = write_mesh("padded.glb", &mesh);
        json_decref(split_glb(&bytes));
        free(bytes.start);
    }
    mesh_free(&mesh);
}

static void check_bare(void)
{
    struct mesh mesh = make_cube(4);
    static const uint8_t GRAY[3] = {204, 204, 204};
    free(mesh.normals);
    mesh.normals = NULL;
    for (size_t t = 0; t < mesh.triangle_count; t++)
        mesh.triangles[t].group = 0;
    mesh.group_count = 0;
    struct bytes bytes = write_mesh("bare.obj", &mesh);
    tap_check(strncmp((char *)bytes.at, "v -1 -1 -1\n", 11) == 0 &&
                  strstr((char *)bytes.at, "\nv 1 1 -1\nf 1 2 3\nf 1 3 4\n") == NULL &&
                  strstr((char *)bytes.at, "\nf 1 2 3\nf 1 3 4\nf 5 6 7\n"),
        "OBJ of positions alone");
    free(bytes.start);
    bytes = write_mesh("bare.ply", &mesh);
    tap_check(strstr((char *)bytes.at, "float z\nelement face 12\n") &&
                  bytes.size == 24 * 12 + 12 * 13 +
                                    (size_t)(strstr((char *)bytes.at, "end_header\n") + 11 -
                                             (char *)bytes.at),
        "PLY of positions alone");
    free(bytes.start);
    bytes = write_mesh("bare.glb", &mesh);
    json_t *json = split_glb(&bytes);
    check_glb_group(json, bytes.at, 0, &mesh, 0, NULL);
    tap_check(json_array_size(json_object_get(json, "accessors")) == 2, "GLB of positions alone");
    check_glb_material(json, 0, NULL, GRAY);
    json_decref(json);
    free(bytes.start);
    mesh_free(&mesh);
}

static void check_refused(
    const char *path, const struct mesh *mesh, int expected, const char *message)
{
    struct error error = {""};
    const int rc = mesh_write(path, mesh, NULL, &error);
    tap_check(rc == expected && strstr(error.text, message) && rmdir(folder) == 0 &&
                  mkdir(folder, 0700) == 0,
        "refused, and nothing is left: %s", error.text);
}

static void check_refusals(void)
{
    struct error error = {""};
    struct mesh mesh = make(0, 0), cube = make_cube(4);
    for (int i = 0; i < 4; i++) {
        char name[20];
        check_refused(
            path_of(EXTENSIONS[i]), &mesh, ERROR_INPUT, "no triangle is left; check that");
        snprintf(name, sizeof(name), "no/a%s", EXTENSIONS[i]);
        check_refused(path_of(name), &cube, ERROR_INPUT, "make it first");
        tap_check(mesh_check_output(path_of(name), &error) == ERROR_INPUT &&
                      mesh_check_output(EXTENSIONS[i], &error) == 0 && mesh_is_name(EXTENSIONS[i]),
            "that is known beforehand");
    }
    mesh_free(&mesh);
    check_refused("-", &cube, ERROR_USAGE,
        "cannot write mesh '-': name a file that ends in .obj, .ply, .stl");
    check_refused("a.png", &cube, ERROR_USAGE, "cannot write mesh 'a.png': name a file");
    tap_check(!mesh_is_name("-") && !mesh_is_name("a.obj.png") && !mesh_is_name("obj") &&
                  mesh_is_name("a/b.OBJ") && mesh_is_name("a.Glb"),
        "names of meshes");

    cube.positions[7][1] = (double)NAN;
    check_refused(path_of("a.obj"), &cube, ERROR_INPUT, "a vertex at y = nan; check the control");
    cube.is_double = 1;
    cube.positions[7][1] = 1e39;
    check_refused(path_of("a.stl"), &cube, ERROR_INPUT, "a vertex at y = 1e+39");
    check_refused(path_of("a.glb"), &cube, ERROR_INPUT, "a vertex at y = 1e+39");
    tap_check(
        mesh_write(path_of("a.ply"), &cube, NULL, &error) == 0 && unlink(path_of("a.ply")) == 0 &&
            mesh_write(path_of("a.obj"), &cube, NULL, &error) == 0 && unlink(path_of("a.obj")) == 0,
        "doubles hold more than floats");
    cube.is_double = 0;
    check_refused(path_of("a.ply"), &cube, ERROR_INPUT, "a vertex at y = 1e+39");
    cube.positions[7][1] = 1;

    cube.triangle_count = (size_t)1 << 32;
    check_refused(path_of("a.stl"), &cube, ERROR_INPUT, "STL counts 4294967295 triangles");
    cube.triangle_count = ((size_t)1 << 32) / 12;
    check_refused(path_of("a.glb"), &cube, ERROR_INPUT, "GLB ends at 4 GiB and this has 42949");
    cube.triangle_count = 12;

    /* The file system is full: a limit on file sizes stands for it. */
    struct rlimit limit, small;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    small = (struct rlimit){100, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 4; i++)
        check_refused(path_of(EXTENSIONS[i]), &cube, ERROR_INPUT, "cannot write '");
    setrlimit(RLIMIT_FSIZE, &limit);
    mesh_free(&cube);
}

/* A number that `assimp info` prints behind a word; -1 if it prints none. */
static long ask_assimp(const char *path, const char *options, const char *word)
{
    char command[200], line[200];
    long number = -1;
    snprintf(command, sizeof(command), "assimp info '%s' %s 2>&1", path, options);
    FILE *pipe = popen(command, "r");
    while (pipe && fgets(line, sizeof(line), pipe))
        if (strncmp(line, word, strlen(word)) == 0)
            number = strtol(line + strlen(word), NULL, 10);
    return pipe && pclose(pipe) == 0 ? number : -1;
}

static void check_assimp(void)
{
    struct error error = {""};
    if (system("command -v assimp >/dev/null") != 0) {
        tap_check(1, "assimp reads the files # SKIP assimp is not there");
        return;
    }
    struct mesh sphere = make_sphere(8, 12);
    weld(&sphere, 30);
    for (int i = 0; i < 4; i++) {
        /* STL has three vertices a triangle, which assimp joins by facets unless told not to. */
        const int is_stl = strcmp(EXTENSIONS[i], ".stl") == 0;
        /* GLB has those twice that lie between the groups: two meridians and the poles. */
        const int is_glb = strcmp(EXTENSIONS[i], ".glb") == 0;
        const char *options = is_stl ? "-r" : "", *path = path_of(EXTENSIONS[i]);
        if (mesh_write(path, &sphere, NULL, &error) != 0)
            abort();
        const long vertices = ask_assimp(path, options, "Vertices:");
        const long faces = ask_assimp(path, options, "Faces:");
        const size_t wanted = is_stl   ? 3 * sphere.triangle_count
                              : is_glb ? sphere.vertex_count + 2 * 7 + 2
                                       : sphere.vertex_count;
        tap_check(vertices == (long)wanted && faces == (long)sphere.triangle_count,
            "assimp finds %ld vertices and %ld faces in %s", vertices, faces, EXTENSIONS[i]);
        unlink(path);
    }
    mesh_free(&sphere);
}

/* Who asks to stop at the report of a number. */
struct stop {
    int reports, at;
    double share;
    int falls; /* the share has fallen */
};

static int count_report(void *context, double share)
{
    struct stop *stop = context;
    stop->falls |= share < stop->share;
    stop->share = share;
    return stop->reports++ == stop->at;
}

/* Strips of triangles without neighbors, whose work must not go on for long after any report. */
static struct mesh make_strips(size_t triangles)
{
    struct mesh mesh = make(3 * triangles, triangles);
    for (uint32_t t = 0; t < triangles; t++) {
        for (uint32_t i = 0; i < 3; i++) {
            mesh.positions[3 * t + i][0] = t;
            mesh.positions[3 * t + i][1] = i;
            mesh.positions[3 * t + i][2] = i * i;
        }
        set_triangle(&mesh, t, 3 * t, 3 * t + 1, 3 * t + 2, 0);
    }
    return mesh;
}

static void check_stop(void)
{
    const size_t triangles = 5 * REPORT_EVERY;
    struct stop stop = {.at = -1};
    const struct progress progress = {count_report, &stop};
    struct error error;
    struct mesh mesh = make_strips(triangles);
    int rc = mesh_weld(&mesh, 30, &progress, &error), early = 0;
    const int all = stop.reports;
    /* Threads share more than these in one go, but in the two passes that give normals. */
    tap_check(rc == 0 && all == 2 + 1 + (3 + 1) * 5 + 1 && !stop.falls && stop.share < 1,
        "welding reports all the time: %d times", all);
    mesh_free(&mesh);
    for (int at = 0; at < all; at++) {
        stop = (struct stop){.at = at};
        mesh = make_strips(triangles);
        rc = mesh_weld(&mesh, 30, &progress, &error);
        early += rc == ERROR_STOPPED && stop.reports == at + 1;
        mesh_free(&mesh);
    }
    tap_check(early == all, "and stops at any report");
    mesh = make_strips(triangles);
    stop = (struct stop){.at = -1};
    const int64_t open = mesh_boundary_edges(&mesh, &progress, &error);
    const int reports = stop.reports;
    tap_check(open == 3 * (int64_t)triangles && reports == 2 + 5 && !stop.falls,
        "counting boundary edges reports all the time");
    stop = (struct stop){.at = reports - 1};
    tap_check(mesh_boundary_edges(&mesh, &progress, &error) == ERROR_STOPPED, "and stops");
    mesh_free(&mesh);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    check_cube();
    check_sphere();
    check_small();
    check_volume();
    check_flip();
    check_obj(0);
    check_obj(1);
    check_large_obj();
    check_materials();
    check_materials_full();
    check_ply(0);
    check_ply(1);
    check_stl();
    check_glb();
    check_bare();
    check_refusals();
    check_stop();
    check_assimp();
    tap_check(rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
