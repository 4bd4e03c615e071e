/* GLB, the binary form of glTF 2.0: a header, a chunk of JSON and one of arrays. These are
 * positions, numbers of vertices group by group, and normals; all groups share the vertices. */
#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "scenes/mesh_formats.h"

/* Numbers that glTF and OpenGL have for types and uses of arrays. */
enum { TYPE_UINT32 = 5125, TYPE_FLOAT = 5126, USE_VERTICES = 34962, USE_INDICES = 34963 };

#define VECTOR_SIZE ((uint64_t)12) /* bytes of three floats or numbers */

static uint64_t arrays_size(const struct mesh *mesh)
{
    return (mesh->vertex_count * (mesh->normals ? 2 : 1) + mesh->triangle_count) * VECTOR_SIZE;
}

/* The triangles in the order of their groups: those of group g from starts[g] to starts[g + 1]. */
struct order {
    size_t groups;
    size_t *starts;
    uint32_t *triangles;
};

static void order_free(struct order *order)
{
    free(order->starts);
    free(order->triangles);
}

/* Counts, then places: starts[g + 1] is first where the next triangle of group g goes. */
static int order_new(const struct mesh *mesh, struct order *order)
{
    const size_t groups = mesh->group_count > 0 ? (size_t)mesh->group_count : 1;
    *order = (struct order){
        .groups = groups,
        .starts = calloc(groups + 2, sizeof(*order->starts)),
        .triangles = malloc(mesh->triangle_count * sizeof(*order->triangles)),
    };
    if (!order->starts || !order->triangles)
        return ERROR_INPUT;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        assert(mesh->triangles[t].group < groups);
        order->starts[mesh->triangles[t].group + 2]++;
    }
    for (size_t g = 2; g < groups + 2; g++)
        order->starts[g] += order->starts[g - 1];
    for (size_t t = 0; t < mesh->triangle_count; t++)
        order->triangles[order->starts[mesh->triangles[t].group + 1]++] = (uint32_t)t;
    return 0;
}

static double linear(uint8_t srgb)
{
    const double c = srgb / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Rough, no metal, seen from both sides, since patches need not close. A name that is no UTF-8 is
 * left out. */
static json_t *describe_material(const struct mesh *mesh, size_t group)
{
    static const uint8_t GRAY[3] = {204, 204, 204};
    const uint8_t *c = mesh->group_colors ? mesh->group_colors[group] : GRAY;
    return json_pack("{s:o*, s:b, s:{s:[f, f, f, f], s:f, s:f}}", "name",
        mesh->group_names ? json_string(mesh->group_names[group]) : NULL, "doubleSided", 1,
        "pbrMetallicRoughness", "baseColorFactor", linear(c[0]), linear(c[1]), linear(c[2]), 1.0,
        "metallicFactor", 0.0, "roughnessFactor", 0.5);
}

/* A part of the arrays' chunk, and what is in it. */
static json_t *describe_view(uint64_t offset, uint64_t size, int use)
{
    return json_pack("{s:i, s:I, s:I, s:i}", "buffer", 0, "byteOffset", (json_int_t)offset,
        "byteLength", (json_int_t)size, "target", use);
}

static json_t *describe_array(int view, uint64_t offset, int type, size_t count, const char *shape)
{
    return json_pack("{s:i, s:I, s:i, s:I, s:s}", "bufferView", view, "byteOffset",
        (json_int_t)offset, "componentType", type, "count", (json_int_t)count, "type", shape);
}

/* The positions, with the bounds that the format demands, of the floats as they are stored. */
static json_t *describe_positions(const struct mesh *mesh)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            low[i] = fminf(low[i], (float)mesh->positions[v][i]);
            high[i] = fmaxf(high[i], (float)mesh->positions[v][i]);
        }
    json_t *array = describe_array(0, 0, TYPE_FLOAT, mesh->vertex_count, "VEC3");
    json_object_set_new(
        array, "min", json_pack("[f, f, f]", (double)low[0], (double)low[1], (double)low[2]));
    json_object_set_new(
        array, "max", json_pack("[f, f, f]", (double)high[0], (double)high[1], (double)high[2]));
    return array;
}

/* Gives NULL when memory is short; the caller releases it. */
static json_t *describe_mesh(const struct mesh *mesh, const struct order *order)
{
    const uint64_t vertices = mesh->vertex_count * VECTOR_SIZE;
    const uint64_t triangles = mesh->triangle_count * VECTOR_SIZE;
    json_t *views = json_pack("[o, o]", describe_view(0, vertices, USE_VERTICES),
        describe_view(vertices, triangles, USE_INDICES));
    json_t *arrays = json_pack("[o]", describe_positions(mesh));
    json_t *attributes = json_pack("{s:i}", "POSITION", 0);
    if (mesh->normals) {
        json_array_append_new(views, describe_view(vertices + triangles, vertices, USE_VERTICES));
        json_array_append_new(arrays, describe_array(2, 0, TYPE_FLOAT, mesh->vertex_count, "VEC3"));
        json_object_set_new(attributes, "NORMAL", json_integer(1));
    }
    json_t *materials = json_array(), *primitives = json_array();
    for (size_t g = 0; g < order->groups; g++) {
        const size_t count = order->starts[g + 1] - order->starts[g];
        if (count == 0)
            continue;
        json_array_append_new(primitives, json_pack("{s:O, s:I, s:I}", "attributes", attributes,
                                              "indices", (json_int_t)json_array_size(arrays),
                                              "material", (json_int_t)json_array_size(materials)));
        json_array_append_new(arrays,
            describe_array(1, order->starts[g] * VECTOR_SIZE, TYPE_UINT32, 3 * count, "SCALAR"));
        json_array_append_new(materials, describe_material(mesh, g));
    }
    json_decref(attributes);
    /* The node turns our z upward into glTF's y. */
    return json_pack("{s:{s:s, s:s}, s:i, s:[{s:[i]}], s:[{s:i, s:[f, i, i, f]}], "
                     "s:[{s:o}], s:o, s:o, s:o, s:[{s:I}]}",
        "asset", "version", "2.0", "generator", "Tessera " VERSION, "scene", 0, "scenes", "nodes",
        0, "nodes", "mesh", 0, "rotation", -sqrt(0.5), 0, 0, sqrt(0.5), "meshes", "primitives",
        primitives, "materials", materials, "accessors", arrays, "bufferViews", views, "buffers",
        "byteLength", (json_int_t)arrays_size(mesh));
}

static void write_integer(struct output *output, uint32_t value)
{
    uint8_t record[4];
    put_integer(record, value);
    output_write(output, record, sizeof(record));
}

static void write_vector(struct output *output, const float vector[3])
{
    uint8_t record[VECTOR_SIZE];
    for (int i = 0; i < 3; i++)
        put_float(record + 4 * i, vector[i]);
    output_write(output, record, sizeof(record));
}

static void write_arrays(struct output *output, const struct mesh *mesh, const struct order *order)
{
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (is_in_vain(output, v, mesh->vertex_count, 0, 0.3))
            return;
        const double *p = mesh->positions[v];
        write_vector(output, (const float[3]){(float)p[0], (float)p[1], (float)p[2]});
    }
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        if (is_in_vain(output, t, mesh->triangle_count, 0.3, 0.7))
            return;
        for (int i = 0; i < 3; i++)
            write_integer(output, mesh->triangles[order->triangles[t]].vertex[i]);
    }
    for (size_t v = 0; mesh->normals && v < mesh->vertex_count; v++) {
        static const float UP[3] = {0, 0, 1}; /* the format has no vertex without a normal */
        if (is_in_vain(output, v, mesh->vertex_count, 0.7, 1))
            return;
        const float *n = mesh->normals[v];
        write_vector(output, n[0] == 0 && n[1] == 0 && n[2] == 0 ? UP : n);
    }
}

static int check_size(const char *name, uint64_t size, struct error *error)
{
    if (size <= UINT32_MAX)
        return 0;
    return error_set(error, ERROR_INPUT,
        "cannot write mesh '%s': GLB ends at 4 GiB and this has %" PRIu64 " bytes; write .ply or "
        "take fewer points a patch",
        name, size);
}

static int write_chunks(struct output *output, const struct mesh *mesh, const struct order *order,
    const char *text, struct error *error)
{
    const size_t length = strlen(text), padding = -length & 3;
    const uint64_t arrays = arrays_size(mesh);
    const uint64_t size = 12 + 8 + length + padding + 8 + arrays; /* with the headers */
    const int rc = check_size(output->name, size, error);
    if (rc)
        return rc;
    output_write(output, "glTF", 4);
    write_integer(output, 2); /* version */
    write_integer(output, (uint32_t)size);
    write_integer(output, (uint32_t)(length + padding));
    output_write(output, "JSON", 4);
    output_write(output, text, length);
    output_write(output, "   ", padding);
    write_integer(output, (uint32_t)arrays);
    output_write(output, "BIN", 4); /* with its zero */
    write_arrays(output, mesh, order);
    return 0;
}

static int glb_write(struct output *output, const struct mesh *mesh, struct error *error)
{
    struct order order = {0};
    json_t *json = NULL;
    char *text = NULL;
    int rc = check_size(output->name, arrays_size(mesh), error); /* before much work is done */
    if (rc)
        return rc;
    if (order_new(mesh, &order) == 0 && (json = describe_mesh(mesh, &order)) != NULL)
        text = json_dumps(json, JSON_COMPACT);
    rc = text ? write_chunks(output, mesh, &order, text, error)
              : error_set(error, ERROR_INPUT, "cannot write mesh '%s': no memory for %zu triangles",
                    output->name, mesh->triangle_count);
    free(text);
    json_decref(json);
    order_free(&order);
    return rc;
}

const struct mesh_format MESH_GLB = {
    .extension = ".glb",
    .is_binary = 1,
    .write = glb_write,
};
