/* patches_parse of any bytes: what it gives is valid. The first byte says the format. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/patches.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(int condition)
{
    if (!condition)
        abort();
}

static size_t check_degrees(const struct patch *patch, int degree_u, int degree_v)
{
    const size_t rows = (size_t)degree_u + 1, columns = (size_t)degree_v + 1;
    check(degree_u >= 1 && degree_u <= PATCHES_MAX_DEGREE);
    check(degree_v >= 1 && degree_v <= PATCHES_MAX_DEGREE);
    check(degree_u == degree_v || !(patch_is_triangle(patch) || patch->kind == KIND_SQUARE));
    return patch_is_triangle(patch) ? rows * (rows + 1) / 2 : rows * columns;
}

/* Gives the place behind its faces. */
static size_t check_faces(const struct patches *patches, const struct patch *patch)
{
    size_t at = patch->face;
    for (size_t i = 0; i < patch->face_count; i++) {
        check(at < patches->face_count);
        const size_t end = at + 1 + patches->faces[at];
        check(patches->faces[at] >= 3 && end <= patches->face_count);
        while (++at < end)
            check(patches->faces[at] < patch->control_count);
    }
    return at;
}

/* Gives how many controls it has, its normals included. */
static size_t check_patch(const struct patches *patches, const struct patch *patch)
{
    size_t normals = 0;
    check(patch_kind_name(patch->kind)[0] && patch->group < patches->group_count);
    if (patch->kind == KIND_POLYHEDRON) {
        check(patch->face_count >= 1);
        return patch->control_count;
    }
    check(patch->control_count == check_degrees(patch, patch->degree_u, patch->degree_v));
    if (patch->kind == KIND_PN_TRIANGLE || patch->kind == KIND_PN_TENSOR) {
        check(patch->normal == patch->control + patch->control_count);
        normals = check_degrees(patch, patch->normal_degree_u, patch->normal_degree_v);
    }
    return patch->control_count + normals;
}

static void check_controls(const struct patches *patches, const struct patch *patch, size_t count)
{
    for (size_t i = patch->control; i < patch->control + count; i++) {
        const double *p = patches->controls[i], w = p[3];
        check(patch_is_rational(patch) ? w >= 1e-30 && w <= 1e30 : w == 1);
        for (int j = 0; j < 3; j++)
            check(fabs(p[j]) <= 1e30 && fabs(p[j] / w) <= 1.0001e30);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct error error = {""};
    struct patches patches;
    size_t controls = 0, face = 0;
    if (size == 0)
        return 0;
    const char *name = bytes[0] == 'o' ? "fuzz.obj" : bytes[0] == 'p' ? "fuzz.bpt" : "fuzz.bv";
    if (patches_parse(bytes + 1, size - 1, name, &patches, &error) != 0) {
        check(error.text[0] && !strchr(error.text, '\n') && !patches.patches && !patches.groups);
        return 0;
    }
    check(patches.count >= 1 && patches.count <= PATCHES_MAX_COUNT && patches.group_count >= 1);
    for (int i = 0; i < patches.group_count; i++)
        check(patches.groups[i].color >= 0 && !strchr(patches.groups[i].name, '\n'));
    for (size_t i = 0; i < patches.count; i++) {
        const struct patch *patch = &patches.patches[i];
        const size_t count = check_patch(&patches, patch);
        check(patch->control == controls && controls + count <= patches.control_count);
        check_controls(&patches, patch, count);
        controls += count;
        if (patch->kind == KIND_POLYHEDRON) {
            check(patch->face == face);
            face = check_faces(&patches, patch);
        }
    }
    check(controls == patches.control_count && face == patches.face_count);
    patches_free(&patches);
    return 0;
}
