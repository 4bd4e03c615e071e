/* GLB, the binary form of glTF 2.0: a header, a chunk of JSON and one of arrays. These are vertices
 * and corners of triangles, group by group; a vertex that several groups have is there for each of
 * them, so that each is a mesh of its own. */
#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "scenes/mesh_formats.h"
#include "scenes/rows.h"

/* Numbers that glTF and OpenGL have for types and uses of arrays. */
enum { TYPE_UINT32 = 5125, TYPE_FLOAT = 5126, USE_VERTICES = 34962, USE_INDICES = 34963 };

/* Parts of the arrays' chunk: vertices, each with all that it has, and corners of triangles. */
enum { VIEW_VERTICES, VIEW_CORNERS };

#define VECTOR_SIZE ((uint64_t)12) /* bytes of three floats or numbers */

/* The triangles in the order of their groups, and of each group the vertices that it has: those of
 * group g are from first[g] to first[g + 1]. */
struct parts {
    size_t groups;
    size_t *first_triangle, *first_vertex;
    uint32_t (*corners)[3]; /* of each triangle: vertices, numbered from 0 in their group */
    uint32_t *vertices;     /* of each group's vertex: its number in the mesh */
};

static void parts_free(struct parts *parts)
{
    free(parts->first_triangle);
    free(parts->first_vertex);
    free(parts->corners);
    free(parts->vertices);
}

/* Counts, then places: first[g + 1] is first where the next triangle of group g goes. */
static void sort_triangles(const struct mesh *mesh, struct parts *parts)
{
    size_t *first = parts->first_triangle;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        assert(mesh->triangles[t].group < parts->groups);
        first[mesh->triangles[t].group + 2]++;
    }
    for (size_t g = 2; g < parts->groups + 2; g++)
        first[g] += first[g - 1];
    for (size_t t = 0; t < mesh->triangle_count; t++)
        memcpy(parts->corners[first[mesh->triangles[t].group + 1]++], mesh->triangles[t].vertex,
            sizeof(*parts->corners));
}

/* Vertices in the order in which triangles have them. A vertex has its number in the group at work
 * only if the group's vertex of that number is this one. */
static void number_vertices(struct parts *parts, uint32_t *numbers)
{
    size_t count = 0;
    for (size_t g = 0; g < parts->groups; g++) {
        uint32_t *const own = parts->vertices + count;
        uint32_t next = 0;
        for (size_t t = parts->first_triangle[g]; t < parts->first_triangle[g + 1]; t++)
            for (int i = 0; i < 3; i++) {
                const uint32_t vertex = parts->corners[t][i];
                if (numbers[vertex] >= next || own[numbers[vertex]] != vertex) {
                    numbers[vertex] = next;
                    own[next++] = vertex;
                }
                parts->corners[t][i] = numbers[vertex];
            }
        count += next;
        parts->first_vertex[g + 1] = count;
    }
}

static int parts_new(const struct mesh *mesh, struct parts *parts)
{
    const size_t groups = mesh->group_count > 0 ? (size_t)mesh->group_count : 1;
    uint32_t *numbers = calloc(mesh->vertex_count + 1, sizeof(*numbers));
    *parts = (struct parts){
        .groups = groups,
        .first_triangle = calloc(groups + 2, sizeof(*parts->first_triangle)),
        .first_vertex = calloc(groups + 1, sizeof(*parts->first_vertex)),
        .corners = malloc(mesh->triangle_count * sizeof(*parts->corners)),
        .vertices = malloc(3 * mesh->triangle_count * sizeof(*parts->vertices)), /* at most */
    };
    const int is_made = numbers && parts->first_triangle && parts->first_vertex && parts->corners &&
                        parts->vertices;
    if (is_made) {
        sort_triangles(mesh, parts);
        number_vertices(parts, numbers);
    }
    free(numbers);
    return is_made ? 0 : ERROR_INPUT;
}

/* Bytes of a vertex: its position, normal and curvatures. */
static uint64_t vertex_size(const struct mesh *mesh)
{
    return VECTOR_SIZE + (mesh->normals ? VECTOR_SIZE : 0) +
           (mesh->curvature ? (uint64_t)CURVATURES * 4 : 0);
}

static uint64_t arrays_size(const struct mesh *mesh, size_t vertices)
{
    return vertices * vertex_size(mesh) + mesh->triangle_count * VECTOR_SIZE;
}

static double linear(uint8_t srgb)
{
    const double c = srgb / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Of a group; NULL where it is no UTF-8 or there is none. */
static json_t *name_of(const struct mesh *mesh, size_t group)
{
    return mesh->group_names ? json_string(mesh->group_names[group]) : NULL;
}

/* Rough, no metal, seen from both sides, since patches need not close. */
static json_t *describe_material(const struct mesh *mesh, size_t group)
{
    static const uint8_t GRAY[3] = {204, 204, 204};
    const uint8_t *c = mesh->group_colors ? mesh->group_colors[group] : GRAY;
    return json_pack("{s:o*, s:b, s:{s:[f, f, f, f], s:f, s:f}}", "name", name_of(mesh, group),
        "doubleSided", 1, "pbrMetallicRoughness", "baseColorFactor", linear(c[0]), linear(c[1]),
        linear(c[2]), 1.0, "metallicFactor", 0.0, "roughnessFactor", 0.5);
}

/* A part of the arrays' chunk, and what is in it. */
static json_t *describe_view(uint64_t offset, uint64_t size, int use)
{
    return json_pack("{s:i, s:I, s:I, s:i}", "buffer", 0, "byteOffset", (json_int_t)offset,
        "byteLength", (json_int_t)size, "target", use);
}

/* Adds the array that begins at an offset into a view, and gives its number. */
static json_t *add_array(
    json_t *arrays, int view, uint64_t offset, int type, size_t count, const char *shape)
{
    json_array_append_new(arrays,
        json_pack("{s:i, s:I, s:i, s:I, s:s}", "bufferView", view, "byteOffset", (json_int_t)offset,
            "componentType", type, "count", (json_int_t)count, "type", shape));
    return json_integer((json_int_t)json_array_size(arrays) - 1);
}

/* Gives the last array, a group's positions, the bounds that the format demands, of the floats as
 * they are stored. */
static void set_bounds(
    json_t *arrays, const struct mesh *mesh, const uint32_t *vertices, size_t count)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t v = 0; v < count; v++)
        for (int i = 0; i < 3; i++) {
            low[i] = fminf(low[i], (float)mesh->positions[vertices[v]][i]);
            high[i] = fmaxf(high[i], (float)mesh->positions[vertices[v]][i]);
        }
    json_t *array = json_array_get(arrays, json_array_size(arrays) - 1);
    json_object_set_new(
        array, "min", json_pack("[f, f, f]", (double)low[0], (double)low[1], (double)low[2]));
    json_object_set_new(
        array, "max", json_pack("[f, f, f]", (double)high[0], (double)high[1], (double)high[2]));
}

/* Adds the arrays of a group, and gives what its mesh says of them. The format leaves names that
 * begin with _ to programs. */
static json_t *describe_group(
    json_t *arrays, const struct mesh *mesh, const struct parts *parts, size_t g)
{
    static const char *const NAMES[] = {[CURVATURE_GAUSSIAN] = "_GAUSSIAN_CURVATURE",
        [CURVATURE_MEAN] = "_MEAN_CURVATURE",
        [CURVATURE_MAX] = "_MAX_CURVATURE",
        [CURVATURE_MIN] = "_MIN_CURVATURE"};
    const size_t first = parts->first_vertex[g], count = parts->first_vertex[g + 1] - first;
    const size_t triangle = parts->first_triangle[g];
    uint64_t offset = first * vertex_size(mesh);
    json_t *attributes = json_object();
    json_object_set_new(attributes, "POSITION",
        add_array(arrays, VIEW_VERTICES, offset, TYPE_FLOAT, count, "VEC3"));
    set_bounds(arrays, mesh, parts->vertices + first, count);
    offset += VECTOR_SIZE;
    if (mesh->normals) {
        json_object_set_new(attributes, "NORMAL",
            add_array(arrays, VIEW_VERTICES, offset, TYPE_FLOAT, count, "VEC3"));
        offset += VECTOR_SIZE;
    }
    for (int c = 0; mesh->curvature && c < CURVATURES; c++, offset += 4)
        json_object_set_new(attributes, NAMES[c],
            add_array(arrays, VIEW_VERTICES, offset, TYPE_FLOAT, count, "SCALAR"));
    return json_pack("{s:o, s:o}", "attributes", attributes, "indices",
        add_array(arrays, VIEW_CORNERS, triangle * VECTOR_SIZE, TYPE_UINT32,
            3 * (parts->first_triangle[g + 1] - triangle), "SCALAR"));
}

/* A mesh, a node and a material for each group that has triangles. The first node, that of the
 * whole model, turns our z upward into glTF's y. Gives NULL when memory is short; the caller
 * releases it. */
static json_t *describe_mesh(const struct mesh *mesh, const struct parts *parts)
{
    const uint64_t vertices = parts->first_vertex[parts->groups] * vertex_size(mesh);
    const uint64_t corners = mesh->triangle_count * VECTOR_SIZE;
    json_t *vertex_view = describe_view(0, vertices, USE_VERTICES);
    json_t *arrays = json_array(), *materials = json_array(), *meshes = json_array();
    json_t *nodes = json_array(), *children = json_array();
    json_object_set_new(vertex_view, "byteStride", json_integer((json_int_t)vertex_size(mesh)));
    json_array_append_new(nodes, json_pack("{s:[f, i, i, f], s:O}", "rotation", -sqrt(0.5), 0, 0,
                                     sqrt(0.5), "children", children));
    for (size_t g = 0; g < parts->groups; g++) {
        const json_int_t number = (json_int_t)json_array_size(meshes);
        if (parts->first_triangle[g] == parts->first_triangle[g + 1])
            continue;
        json_t *primitive = describe_group(arrays, mesh, parts, g);
        json_object_set_new(primitive, "material", json_integer(number));
        json_array_append_new(
            meshes, json_pack("{s:o*, s:[o]}", "name", name_of(mesh, g), "primitives", primitive));
        json_array_append_new(
            nodes, json_pack("{s:o*, s:I}", "name", name_of(mesh, g), "mesh", number));
        json_array_append_new(children, json_integer(number + 1));
        json_array_append_new(materials, describe_material(mesh, g));
    }
    json_decref(children);
    return json_pack("{s:{s:s, s:s}, s:i, s:[{s:[i]}], s:o, s:o, s:o, s:o, s:[o, o], s:[{s:I}]}",
        "asset", "version", "2.0", "generator", "Tessera " VERSION, "scene", 0, "scenes", "nodes",
        0, "nodes", nodes, "meshes", meshes, "materials", materials, "accessors", arrays,
        "bufferViews", vertex_view, describe_view(vertices, corners, USE_INDICES), "buffers",
        "byteLength", (json_int_t)vertices + (json_int_t)corners);
}

static void write_integer(struct output *output, uint32_t value)
{
    char record[4];
    put_integer(record, value);
    output_write(output, record, sizeof(record));
}

static char *put_floats(char *at, const float *floats, int count)
{
    for (int i = 0; i < count; i++)
        at = put_float(at, floats[i]);
    return at;
}

/* What the arrays are written from. */
struct arrays {
    const struct mesh *mesh;
    const struct parts *parts;
};

static char *put_vertex(const void *source, size_t number, char *at)
{
    static const float UP[3] = {0, 0, 1}; /* the format has no vertex without a normal */
    const struct arrays *arrays = source;
    const struct mesh *mesh = arrays->mesh;
    const uint32_t v = arrays->parts->vertices[number];
    const double *p = mesh->positions[v];
    const float *n = mesh->normals ? mesh->normals[v] : NULL;
    at = put_floats(at, (const float[3]){(float)p[0], (float)p[1], (float)p[2]}, 3);
    if (n)
        at = put_floats(at, n[0] == 0 && n[1] == 0 && n[2] == 0 ? UP : n, 3);
    if (mesh->curvature)
        at = put_floats(at, mesh->curvature[v], CURVATURES);
    return at;
}

static char *put_corners(const void *source, size_t t, char *at)
{
    const struct arrays *arrays = source;
    for (int i = 0; i < 3; i++)
        at = put_integer(at, arrays->parts->corners[t][i]);
    return at;
}

static void write_arrays(struct output *output, const struct mesh *mesh, const struct parts *parts)
{
    const struct arrays arrays = {mesh, parts};
    const struct rows vertices = {parts->first_vertex[parts->groups],
        2 * VECTOR_SIZE + CURVATURES * 4, put_vertex, &arrays, 0, 0.6};
    const struct rows corners = {mesh->triangle_count, VECTOR_SIZE, put_corners, &arrays, 0.6, 1};
    if (!rows_write(output, &vertices))
        rows_write(output, &corners);
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

static int write_chunks(struct output *output, const struct mesh *mesh, const struct parts *parts,
    const char *text, struct error *error)
{
    const size_t length = strlen(text), padding = -length & 3;
    const uint64_t arrays = arrays_size(mesh, parts->first_vertex[parts->groups]);
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
    write_arrays(output, mesh, parts);
    return 0;
}

static int glb_write(struct output *output, const struct mesh *mesh, struct error *error)
{
    struct parts parts = {0};
    json_t *json = NULL;
    char *text = NULL;
    int rc = check_size(
        output->name, arrays_size(mesh, mesh->vertex_count), error); /* before much work is done */
    if (rc)
        return rc;
    if (parts_new(mesh, &parts) == 0 && (json = describe_mesh(mesh, &parts)) != NULL)
        text = json_dumps(json, JSON_COMPACT);
    rc = text ? write_chunks(output, mesh, &parts, text, error)
              : error_set(error, ERROR_INPUT, "cannot write mesh '%s': no memory for %zu triangles",
                    output->name, mesh->triangle_count);
    free(text);
    json_decref(json);
    parts_free(&parts);
    return rc;
}

const struct mesh_format MESH_GLB = {
    .extension = ".glb",
    .has_curvatures = 1,
    .is_binary = 1,
    .write = glb_write,
};
