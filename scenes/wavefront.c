/* Patches in Wavefront OBJ files: Bézier surfaces of one patch each, B-spline surfaces, and
 * polygons. Statements that make none of these are passed over. */
#include <stdlib.h>

#include "scenes/surface.h"

struct vertex {
    double place[3], weight;
    size_t patch;    /* the last polyhedron that has it, counted from 1 */
    uint32_t number; /* there */
};

struct obj {
    struct patch_reader *reader;
    struct vertex *vertices;
    size_t count, capacity;
    int has_type, is_rational, is_spline; /* what cstype and deg said last */
    int degree_u, degree_v;               /* the second is 0 where there was but one */
    struct surface surface;               /* that was read last */
    int takes_knots; /* it is a B-spline that is not yet made: knots follow, then `end` */
};

static int is_empty(struct span word)
{
    return word.begin == word.end;
}

/* What follows a fourth number is a color, of which it is the first component, and no weight. */
static int vertex_parse(struct obj *obj)
{
    struct vertex vertex = {.weight = 1};
    int rc = 0;
    for (int i = 0; rc == 0 && i < 3; i++)
        rc = reader_coordinate(obj->reader, reader_word_in_line(obj->reader), &vertex.place[i]);
    const struct span fourth = reader_word_in_line(obj->reader);
    if (rc == 0 && !is_empty(fourth) && is_empty(reader_word_in_line(obj->reader)))
        rc = reader_coordinate(obj->reader, fourth, &vertex.weight);
    if (rc)
        return rc;
    struct vertex *all =
        reader_grow(obj->reader, obj->vertices, obj->count, &obj->capacity, sizeof(*all));
    if (!all)
        return ERROR_INPUT;
    obj->vertices = all;
    all[obj->count++] = vertex;
    return 0;
}

/* The vertex that a word names: from 1, or from -1 backwards; behind a slash stand other things. */
static int vertex_find(struct obj *obj, struct span word, struct vertex **vertex)
{
    struct span number = span_next(&word, '/');
    const int is_backward = !is_empty(number) && *number.begin == '-';
    int value;
    number.begin += is_backward;
    const int rc = reader_whole(obj->reader, number, "vertex", 1, (int)obj->count, &value);
    if (rc == 0)
        *vertex = is_backward ? &obj->vertices[obj->count] - value : &obj->vertices[value - 1];
    return rc;
}

static int type_parse(struct obj *obj)
{
    struct span type = reader_word_in_line(obj->reader);
    obj->is_rational = span_is(type, "rat");
    if (obj->is_rational)
        type = reader_word_in_line(obj->reader);
    obj->is_spline = span_is(type, "bspline");
    obj->has_type = obj->is_spline || span_is(type, "bezier");
    return obj->has_type
               ? 0
               : reader_fail(obj->reader, "cstype '%s' is not supported; bezier and bspline are",
                     span_quote(type).text);
}

static int degree_parse(struct obj *obj)
{
    struct patch_reader *reader = obj->reader;
    obj->degree_v = 0;
    int rc = reader_whole(
        reader, reader_word_in_line(reader), "degree", 1, PATCHES_MAX_DEGREE, &obj->degree_u);
    const struct span second = reader_word_in_line(reader);
    if (rc == 0 && !is_empty(second))
        rc = reader_whole(reader, second, "degree", 1, PATCHES_MAX_DEGREE, &obj->degree_v);
    return rc;
}

/* Adds a control point to the surface. */
static int control_add(struct obj *obj, const struct vertex *vertex)
{
    const double w = obj->surface.is_rational ? vertex->weight : 1;
    const double *place = vertex->place;
    const double control[4] = {w * place[0], w * place[1], w * place[2], w};
    return surface_add_control(obj->reader, &obj->surface, control);
}

/* A Bézier surface is one patch, in which the range of parameters and knots have no meaning. */
static int bezier_make(struct obj *obj)
{
    const struct surface *surface = &obj->surface;
    const size_t rows = (size_t)surface->degrees[0] + 1;
    const size_t count = rows * ((size_t)surface->degrees[1] + 1);
    if (surface->count < count)
        return reader_fail(obj->reader, "surf with %zu control points; its degrees take %zu",
            surface->count, count);
    if (surface->count > count)
        return reader_fail(
            obj->reader, "surf with more than the %zu control points of one patch", count);
    return surface_add_patch(obj->reader, surface, (const double(*)[4])surface->controls, 1, rows);
}

static int check_end(const struct obj *obj)
{
    return obj->takes_knots
               ? origin_fail(&obj->reader->origin, obj->surface.line, "surf without an end")
               : 0;
}

/* A B-spline waits for its knots. */
static int surface_parse(struct obj *obj)
{
    struct patch_reader *reader = obj->reader;
    struct surface *surface = &obj->surface;
    int rc = check_end(obj);
    if (rc)
        return rc;
    if (!obj->has_type || !obj->degree_v)
        return reader_fail(reader, "surf without cstype and deg of two degrees before it");
    surface->line = reader->line;
    surface->is_rational = obj->is_rational;
    surface->degrees[0] = obj->degree_u;
    surface->degrees[1] = obj->degree_v;
    surface_clear(surface);
    obj->takes_knots = obj->is_spline;
    reader->begun++;
    for (int i = 0; rc == 0 && i < 4; i++)
        rc = reader_coordinate(reader, reader_word_in_line(reader), &surface->range[i]);
    for (struct span word; rc == 0 && !is_empty(word = reader_word_in_line(reader));) {
        struct vertex *vertex = NULL;
        rc = vertex_find(obj, word, &vertex);
        if (rc == 0)
            rc = control_add(obj, vertex);
    }
    return rc || obj->is_spline ? rc : bezier_make(obj);
}

/* The knots of a B-spline surface; those of Bézier surfaces and of curves are passed over. */
static int knots_parse(struct obj *obj)
{
    struct patch_reader *reader = obj->reader;
    const struct span word = reader_word_in_line(reader);
    const int direction = span_is(word, "v");
    if (obj->takes_knots && !direction && !span_is(word, "u"))
        return reader_fail(
            reader, "parm '%s' of a surface; parm u and parm v are its own", span_quote(word).text);
    int rc = 0;
    for (struct span knot;
         rc == 0 && obj->takes_knots && !is_empty(knot = reader_word_in_line(reader));)
        rc = surface_add_knot(reader, &obj->surface, direction, knot);
    return rc;
}

static int end_parse(struct obj *obj)
{
    const int takes_knots = obj->takes_knots;
    obj->takes_knots = 0;
    return takes_knots ? surface_cut(obj->reader, &obj->surface) : 0;
}

/* A loop of trimming curves. The surface is taken whole. */
static int trim_parse(struct obj *obj)
{
    reader_trim(obj->reader);
    return 0;
}

/* The polyhedron that further faces belong to: the last patch, if it is one of this group. */
static struct patch *polyhedron_open(struct obj *obj)
{
    const struct patches *patches = obj->reader->patches;
    struct patch *last = patches->count ? &patches->patches[patches->count - 1] : NULL;
    return last && last->kind == KIND_POLYHEDRON && last->group == obj->reader->group
               ? last
               : reader_add_patch(obj->reader, KIND_POLYHEDRON);
}

static int corner_add(struct obj *obj, struct patch *polyhedron, struct vertex *vertex)
{
    struct patch_reader *reader = obj->reader;
    int rc = 0;
    if (vertex->patch != reader->patches->count) {
        const double *place = vertex->place;
        const double control[4] = {place[0], place[1], place[2], 1};
        vertex->patch = reader->patches->count;
        vertex->number = (uint32_t)polyhedron->control_count++;
        rc = reader_add_control(reader, control);
    }
    return rc ? rc : reader_add_face_number(reader, vertex->number);
}

static int face_parse(struct obj *obj)
{
    struct patch_reader *reader = obj->reader;
    struct patch *polyhedron = polyhedron_open(obj);
    const size_t place = reader->patches->face_count;
    uint32_t size = 0;
    struct span word;
    if (!polyhedron || reader_add_face_number(reader, 0) != 0)
        return ERROR_INPUT;
    for (; !is_empty(word = reader_word_in_line(reader)); size++) {
        struct vertex *vertex;
        if (vertex_find(obj, word, &vertex) != 0 || corner_add(obj, polyhedron, vertex) != 0)
            return ERROR_INPUT;
    }
    if (size < 3)
        return reader_fail(reader, "a face of %u vertices", size);
    reader->patches->faces[place] = size;
    polyhedron->face_count++;
    return 0;
}

static int group_parse(struct obj *obj)
{
    struct patch_reader *reader = obj->reader;
    const int rc = reader_open_group(reader, reader_rest(reader));
    if (rc == 0)
        reader->patches->groups[reader->group].color = reader->group;
    return rc;
}

static int statement_parse(struct obj *obj)
{
    static const struct {
        const char *name;
        int (*parse)(struct obj *obj);
    } STATEMENTS[] = {{"v", vertex_parse}, {"f", face_parse}, {"g", group_parse},
        {"o", group_parse}, {"cstype", type_parse}, {"deg", degree_parse}, {"surf", surface_parse},
        {"parm", knots_parse}, {"end", end_parse}, {"trim", trim_parse}, {"hole", trim_parse}};
    const struct span name = reader_word_in_line(obj->reader);
    for (size_t i = 0; i < sizeof(STATEMENTS) / sizeof(STATEMENTS[0]); i++)
        if (span_is(name, STATEMENTS[i].name))
            return STATEMENTS[i].parse(obj);
    return 0;
}

static int obj_parse(struct patch_reader *reader)
{
    struct obj obj = {.reader = reader, .surface.name = "surf"};
    int rc = 0;
    while (rc == 0 && reader->at < reader->end) {
        rc = reader_progress(reader);
        if (rc == 0)
            rc = statement_parse(&obj);
        while (!is_empty(reader_word_in_line(reader))) {
        }
        reader->line += *reader->at == '\n';
        reader->at += reader->at < reader->end;
    }
    if (rc == 0)
        rc = check_end(&obj);
    free(obj.vertices);
    surface_free(&obj.surface);
    return rc;
}

const struct patch_format PATCHES_OBJ = {".obj", obj_parse};
