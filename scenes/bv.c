/* Patches as words and numbers: the .bv files of SurfLab's BezierView and the .bpt files in which
 * Newell's teapot is handed round. Where lines end matters to the name of a group only. */
#include <limits.h>
#include <math.h>

#include "scenes/surface.h"

/* The next word of what the file began last. Returns 0, ERROR_INPUT or ERROR_STOPPED. */
static int word_read(struct patch_reader *reader, struct span *word)
{
    *word = reader_word(reader);
    const int is_end = word->begin == word->end;
    if (is_end || span_is(*word, "group"))
        return reader_fail(reader, "%s before surface %zu is complete",
            is_end ? "the file ends" : "a group starts", reader->begun);
    return reader_progress(reader);
}

static int whole_read(
    struct patch_reader *reader, const char *what, int least, int most, int *value)
{
    struct span word;
    const int rc = word_read(reader, &word);
    return rc ? rc : reader_whole(reader, word, what, least, most, value);
}

/* Two degrees, or one for both. */
static int degrees_read(struct patch_reader *reader, int count, int *degree_u, int *degree_v)
{
    int rc = whole_read(reader, "degree", 1, PATCHES_MAX_DEGREE, degree_u);
    *degree_v = *degree_u;
    if (rc == 0 && count == 2)
        rc = whole_read(reader, "degree", 1, PATCHES_MAX_DEGREE, degree_v);
    return rc;
}

static int numbers_read(struct patch_reader *reader, int count, double *numbers)
{
    struct span word;
    int rc = 0;
    for (int i = 0; rc == 0 && i < count; i++) {
        rc = word_read(reader, &word);
        if (rc == 0)
            rc = reader_coordinate(reader, word, &numbers[i]);
    }
    return rc;
}

static int points_read(struct patch_reader *reader, size_t count, int is_rational)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        double control[4] = {0, 0, 0, 1};
        rc = numbers_read(reader, 3 + is_rational, control);
        if (rc == 0 && is_rational)
            rc = reader_check_weight(reader, control);
        if (rc == 0)
            rc = reader_add_control(reader, control);
    }
    return rc;
}

static int face_read(struct patch_reader *reader, int vertices)
{
    int size, vertex;
    int rc = whole_read(reader, "number of a face's vertices", 3, INT_MAX, &size);
    if (rc == 0)
        rc = reader_add_face_number(reader, (uint32_t)size);
    for (int i = 0; rc == 0 && i < size; i++) {
        rc = whole_read(reader, "vertex", 0, vertices - 1, &vertex);
        if (rc == 0)
            rc = reader_add_face_number(reader, (uint32_t)vertex);
    }
    return rc;
}

static int polyhedron_read(struct patch_reader *reader, struct patch *patch)
{
    int vertices, faces;
    int rc = whole_read(reader, "number of vertices", 3, INT_MAX, &vertices);
    if (rc == 0)
        rc = whole_read(reader, "number of faces", 1, INT_MAX, &faces);
    if (rc)
        return rc;
    patch->control_count = (size_t)vertices;
    patch->face_count = (size_t)faces;
    rc = points_read(reader, patch->control_count, 0);
    for (int i = 0; rc == 0 && i < faces; i++)
        rc = face_read(reader, vertices);
    return rc;
}

static size_t point_count(int is_triangle, int degree_u, int degree_v)
{
    return is_triangle ? (size_t)(degree_u + 1) * (size_t)(degree_u + 2) / 2
                       : (size_t)(degree_u + 1) * (size_t)(degree_v + 1);
}

static int bezier_read(struct patch_reader *reader, struct patch *patch)
{
    const int is_triangle = patch_is_triangle(patch);
    const int degrees = is_triangle || patch->kind == KIND_SQUARE ? 1 : 2;
    const int has_normals = patch->kind == KIND_PN_TRIANGLE || patch->kind == KIND_PN_TENSOR;
    size_t normals = 0;
    int rc = degrees_read(reader, degrees, &patch->degree_u, &patch->degree_v);
    if (rc == 0 && has_normals)
        rc = degrees_read(reader, degrees, &patch->normal_degree_u, &patch->normal_degree_v);
    if (rc)
        return rc;
    patch->control_count = point_count(is_triangle, patch->degree_u, patch->degree_v);
    if (has_normals) {
        patch->normal = patch->control + patch->control_count;
        normals = point_count(is_triangle, patch->normal_degree_u, patch->normal_degree_v);
    }
    return points_read(reader, patch->control_count + normals, patch_is_rational(patch));
}

static int patch_read(struct patch_reader *reader, enum patch_kind kind)
{
    struct patch *patch = reader_add_patch(reader, kind);
    reader->begun++;
    if (!patch)
        return ERROR_INPUT;
    return kind == KIND_POLYHEDRON ? polyhedron_read(reader, patch) : bezier_read(reader, patch);
}

/* What follows the numbers of control points of a B-spline: all knots, then the points. */
static int knots_and_points_read(
    struct patch_reader *reader, struct surface *surface, const int counts[2])
{
    int rc = 0;
    for (int i = 0; i < 2; i++)
        for (int64_t k = 0; rc == 0 && k <= (int64_t)counts[i] + surface->degrees[i]; k++) {
            struct span word;
            rc = word_read(reader, &word);
            if (rc == 0)
                rc = surface_add_knot(reader, surface, i, word);
        }
    for (int64_t i = 0; rc == 0 && i < (int64_t)counts[0] * counts[1]; i++) {
        double control[4] = {0, 0, 0, 1};
        rc = numbers_read(reader, 3 + surface->is_rational, control);
        if (rc == 0)
            rc = surface_add_control(reader, surface, control);
    }
    return rc;
}

static int counts_read(struct patch_reader *reader, int directions, const int *degrees, int *counts)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < directions; i++)
        rc = whole_read(reader, "number of control points", degrees[i] + 1, INT_MAX, &counts[i]);
    return rc;
}

static int spline_read(struct patch_reader *reader, int is_rational)
{
    struct surface surface = {.name = is_rational ? "NURBS surface" : "B-spline",
        .line = reader->line,
        .is_rational = is_rational,
        .is_v_fastest = 1,
        .range = {-INFINITY, INFINITY, -INFINITY, INFINITY}};
    int counts[2];
    reader->begun++;
    int rc = degrees_read(reader, 2, &surface.degrees[0], &surface.degrees[1]);
    if (rc == 0)
        rc = counts_read(reader, 2, surface.degrees, counts);
    if (rc == 0)
        rc = knots_and_points_read(reader, &surface, counts);
    if (rc == 0)
        rc = surface_cut(reader, &surface);
    surface_free(&surface);
    return rc;
}

/* A trimming curve in the parameters of the surface before it, which is taken whole. */
static int trim_read(struct patch_reader *reader)
{
    const struct patches *all = reader->patches;
    const struct patch *last = all->count ? &all->patches[all->count - 1] : NULL;
    int degree = 1, count = 0;
    double number;
    if (!last || last->kind == KIND_POLYHEDRON || patch_is_triangle(last))
        return reader_fail(
            reader, "a trimming curve, kind 6, without a surface of u and v before it");
    reader_trim(reader);
    int rc = degrees_read(reader, 1, &degree, &degree);
    if (rc == 0)
        rc = counts_read(reader, 1, &degree, &count);
    const int64_t numbers = (int64_t)count + degree + 1 + 3 * (int64_t)count;
    for (int64_t i = 0; rc == 0 && i < numbers; i++)
        rc = numbers_read(reader, 1, &number);
    return rc;
}

static int group_read(struct patch_reader *reader)
{
    int color;
    int rc = reader_progress(reader);
    if (rc == 0)
        rc = reader_whole(
            reader, reader_word_in_line(reader), "color of a group", 0, INT_MAX, &color);
    if (rc == 0)
        rc = reader_open_group(reader, reader_rest(reader));
    if (rc == 0)
        reader->patches->groups[reader->group].color = color;
    return rc;
}

static int kind_read(struct patch_reader *reader, struct span word)
{
    static const struct {
        const char *number;
        enum patch_kind kind;
    } KINDS[] = {{"1", KIND_POLYHEDRON}, {"3", KIND_TRIANGLE}, {"4", KIND_SQUARE},
        {"5", KIND_TENSOR}, {"8", KIND_RATIONAL}, {"9", KIND_PN_TRIANGLE}, {"10", KIND_PN_TENSOR},
        {"11", KIND_RATIONAL_TRIANGLE}};
    for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++)
        if (span_is(word, KINDS[i].number))
            return patch_read(reader, KINDS[i].kind);
    if (span_is(word, "2") || span_is(word, "7"))
        return spline_read(reader, span_is(word, "2"));
    if (span_is(word, "6"))
        return trim_read(reader);
    return reader_fail(reader, "kind '%s' is none of 1 to 11", span_quote(word).text);
}

static int bv_parse(struct patch_reader *reader)
{
    struct span word = reader_word(reader);
    int rc = 0;
    while (rc == 0 && word.begin < word.end) {
        rc = span_is(word, "group") ? group_read(reader) : kind_read(reader, word);
        word = reader_word(reader);
    }
    return rc;
}

static int bpt_parse(struct patch_reader *reader)
{
    int count;
    struct span word = reader_word(reader);
    int rc = reader_whole(reader, word, "number of patches", 1, PATCHES_MAX_COUNT, &count);
    for (int i = 0; rc == 0 && i < count; i++)
        rc = patch_read(reader, KIND_TENSOR);
    word = reader_word(reader);
    if (rc == 0 && word.begin < word.end)
        rc = reader_fail(reader, "'%s' after the last patch", span_quote(word).text);
    return rc;
}

const struct patch_format PATCHES_BV = {".bv", bv_parse};
const struct patch_format PATCHES_BPT = {".bpt", bpt_parse};
