/* The circles of an SVG file (https://www.w3.org/TR/SVG2/), read with expat. What they look like
 * comes from their attributes, `style` and groups; what else would change it is refused. A rect
 * before them that covers the image is its background.
 *
 * Circles that are written plainly are read without expat, long runs of them in pieces by all
 * threads. They leave nothing behind in the parser but the numbers of lines and bytes, so it goes
 * on behind them as if they were not there. */
#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/look.h"
#include "scenes/pieces.h"
#include "scenes/svg.h"

#define NAMESPACE "http://www.w3.org/2000/svg"
#define MAX_DEPTH 256
#define PART ((size_t)1 << 20) /* bytes parsed between two looks whether to stop */

struct svg {
    XML_Parser parser;
    struct builder *builder;
    int rc;
    const char *text;
    size_t size, at;     /* of the text: bytes, and how many are read */
    size_t reported;     /* how many were when the user last saw it */
    size_t bytes, lines; /* that were read without the parser */
    int may_skip_expat;  /* 0 once a text that looks like a circle may mean something else */
    struct pieces pieces;
    double box[4];                /* the viewBox: left, top, width, height */
    double side, left, bottom;    /* of the unit square */
    struct look looks[MAX_DEPTH]; /* of the open groups, after that of no group */
    int depth;
    int skipped;        /* open elements, the outermost of which is not looked into */
    int quiet;          /* which of these draws nothing, nor does what is in it; 0 if none does */
    int has_background; /* a rect that is one was read */
    int has_extras;     /* SVG_SOFT or SVG_RISE is said */
};

static size_t line_of(const struct svg *svg)
{
    return (size_t)XML_GetCurrentLineNumber(svg->parser) + svg->lines;
}

#define FAIL(svg, ...) builder_fail((svg)->builder, line_of(svg), __VA_ARGS__)

static int fail_value(struct svg *svg, const char *name, struct span value, const char *remedy)
{
    return FAIL(svg, "%s '%s' %s", name, span_quote(value).text, remedy);
}

static int length_parse(struct svg *svg, const char *name, const char *text, double *length)
{
    const struct span value = span_of(text);
    return css_length_parse(value, 1, length) == CSS_READ && isfinite(*length)
               ? 0
               : fail_value(
                     svg, name, span_trim(value), "is no length; write a plain number or px");
}

static const char *attribute_of(const char **attributes, const char *name, const char *absent)
{
    for (; attributes[0]; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return absent;
}

/* So many numbers with blanks or commas between them. */
static int numbers_parse(const char *text, int wanted, double *numbers)
{
    static const char SEPARATORS[] = ", \t\r\n";
    int count = 0;
    text += strspn(text, SEPARATORS);
    while (*text) {
        const size_t size = strcspn(text, SEPARATORS);
        const double number = span_number((struct span){text, text + size});
        if (count == wanted || !isfinite(number))
            return -1;
        numbers[count++] = number;
        text += size;
        text += strspn(text, SEPARATORS);
    }
    return count == wanted ? 0 : -1;
}

/* What SVG has no attributes for. */
static int extras_parse(struct svg *svg, const char **attributes)
{
    struct scene *scene = svg->builder->scene;
    const char *rise = attribute_of(attributes, SVG_RISE, NULL);
    double numbers[3];
    scene->soft = strcmp(attribute_of(attributes, SVG_SOFT, ""), "true") == 0;
    svg->has_extras = scene->soft || rise;
    if (rise && numbers_parse(rise, 3, numbers) != 0)
        return fail_value(svg, SVG_RISE, span_of(rise), "is not three numbers");
    for (int i = 0; rise && i < 3; i++) {
        scene->rise[i] = (float)numbers[i];
        if (builder_check_color(svg->builder, line_of(svg), SVG_RISE, scene->rise[i]) != 0)
            return ERROR_INPUT;
    }
    return 0;
}

/* The viewBox, or width and height: where the unit square is, and the size of the image. */
static int root_parse(struct svg *svg, const char **attributes)
{
    const char *view = attribute_of(attributes, "viewBox", NULL);
    const char *width = attribute_of(attributes, "width", NULL);
    const char *height = attribute_of(attributes, "height", NULL);
    double *box = svg->box;
    int rc = 0;
    if (view) {
        if (numbers_parse(view, 4, box) != 0)
            return fail_value(svg, "viewBox", span_of(view), "is not four numbers");
    } else if (width && height) {
        rc = length_parse(svg, "width", width, &box[2]);
        if (rc == 0)
            rc = length_parse(svg, "height", height, &box[3]);
    } else {
        return FAIL(svg, "svg has no viewBox, and no width and height instead");
    }
    if (rc)
        return rc;
    if (box[2] <= 0 || box[3] <= 0)
        return FAIL(svg, "an image of %g x %g is empty", box[2], box[3]);
    svg->side = fmax(box[2], box[3]);
    svg->left = box[0] + box[2] / 2 - svg->side / 2;
    svg->bottom = box[1] + box[3] / 2 + svg->side / 2;
    const double columns = floor(box[2] + .5), rows = floor(box[3] + .5);
    if (columns >= 1 && columns <= SCENE_MAX_SIDE && rows >= 1 && rows <= SCENE_MAX_SIDE) {
        svg->builder->scene->width = (int)columns;
        svg->builder->scene->height = (int)rows;
    }
    return extras_parse(svg, attributes);
}

/* The least of the open groups. */
static double group_opacity(const struct svg *svg)
{
    double least = 1;
    for (int i = 1; i <= svg->depth; i++)
        least = fmin(least, svg->looks[i].opacity);
    return least;
}

/* Adds a circle to the builder, which may be that of a piece. */
static int circle_parse(
    const struct svg *svg, struct builder *builder, size_t line, const char **attributes)
{
    struct look look;
    if (look_read(builder, line, LOOK_OF_CIRCLE, attributes, &svg->looks[svg->depth], &look) != 0)
        return ERROR_INPUT;
    if (look.r == 0 || !look.is_filled || !look.is_visible || !look.is_displayed)
        return 0;
    if (group_opacity(svg) < 1)
        return builder_fail(builder, line,
            "opacity %g of a group is not supported; give it to its circles", group_opacity(svg));
    const struct css_color *color = look.fill.is_current ? &look.color : &look.fill;
    const float values[FIELDS] = {
        [FIELD_X] = (float)((look.x - svg->left) / svg->side),
        [FIELD_Y] = (float)((svg->bottom - look.y) / svg->side),
        [FIELD_R] = (float)(look.r / svg->side),
        [FIELD_RED] = color->rgb[0],
        [FIELD_GREEN] = color->rgb[1],
        [FIELD_BLUE] = color->rgb[2],
        [FIELD_ALPHA] = (float)(look.fill_opacity * look.opacity * color->alpha),
    };
    return builder_add(builder, line, values);
}

/* A length of a rect, where a percentage is a share of the image. Returns 0, or -1 for any other
 * text. */
static int rect_length_parse(const char *text, double whole, double *length)
{
    struct span rest = span_of(text);
    const struct css_token token = css_next(&rest);
    if (token.type != CSS_PERCENT)
        return css_length_parse(span_of(text), 1, length) == CSS_READ ? 0 : -1;
    *length = token.number / 100 * whole;
    return css_next(&rest).type == CSS_END ? 0 : -1;
}

/* Whether a rect is the background: before all circles, of one color, with nothing else said of it,
 * and so large that it covers the image. Takes its color then. */
static int background_parse(struct svg *svg, const char **attributes)
{
    enum { X, Y, WIDTH, HEIGHT, COLOR, OPACITY, COUNT };
    static const char *const NAMES[] = {"x", "y", "width", "height", "fill", "fill-opacity", NULL};
    const struct look *outer = &svg->looks[svg->depth];
    struct scene *scene = svg->builder->scene;
    const char *values[COUNT] = {[X] = "0", [Y] = "0", [WIDTH] = "0", [HEIGHT] = "0", [COLOR] = ""};
    const double *box = svg->box;
    struct css_color color;
    double lengths[4], opacity = outer->fill_opacity;
    int is = !svg->has_background && scene->count == 0 && outer->is_displayed &&
             outer->is_visible && group_opacity(svg) == 1;
    for (; attributes[0]; attributes += 2) {
        int i = 0;
        while (i < COUNT && strcmp(attributes[0], NAMES[i]) != 0)
            i++;
        if (i == COUNT)
            return 0;
        values[i] = attributes[1];
    }
    for (int i = 0; is && i < 4; i++)
        is = rect_length_parse(values[i], box[2 + i % 2], &lengths[i]) == 0;
    is = is && lengths[X] <= box[0] && lengths[X] + lengths[WIDTH] >= box[0] + box[2] &&
         lengths[Y] <= box[1] && lengths[Y] + lengths[HEIGHT] >= box[1] + box[3] &&
         css_color_parse(span_of(values[COLOR]), &color) == CSS_READ && !color.is_current &&
         (!values[OPACITY] || css_opacity_parse(span_of(values[OPACITY]), &opacity) == CSS_READ);
    if (is) {
        memcpy(scene->background, color.rgb, sizeof(scene->background));
        scene->transmittance = 1 - (float)(opacity * color.alpha);
        svg->has_background = 1;
    }
    return is;
}

static int group_parse(struct svg *svg, const char **attributes)
{
    struct look look;
    if (look_read(svg->builder, line_of(svg), svg->depth ? LOOK_OF_GROUP : LOOK_OF_ROOT, attributes,
            &svg->looks[svg->depth], &look) != 0)
        return ERROR_INPUT;
    if (svg->depth + 1 == MAX_DEPTH)
        return FAIL(svg, "groups nested deeper than %d", MAX_DEPTH - 1);
    svg->looks[++svg->depth] = look;
    return 0;
}

/* The name of an element of SVG; "" for one of another namespace. */
static const char *name_of(const char *name)
{
    const size_t size = sizeof(NAMESPACE " ") - 1;
    if (!strchr(name, ' '))
        return name;
    return strncmp(name, NAMESPACE " ", size) == 0 ? name + size : "";
}

static int is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

static void warn_style_sheet(struct svg *svg)
{
    builder_warn(svg->builder, line_of(svg),
        "a style sheet is left out; write its declarations in style attributes");
}

/* An element that is not looked into, or one within such. */
static void element_skip(struct svg *svg, const char *name)
{
    static const char *const QUIET[] = {"", "defs", "desc", "metadata", "title", "style", NULL};
    svg->skipped++;
    if (strcmp(name, "style") == 0 && !svg->has_extras)
        warn_style_sheet(svg);
    if (svg->quiet)
        return;
    if (is_one_of(name, QUIET)) {
        svg->quiet = svg->skipped;
    } else if (svg->skipped > 1 || strcmp(name, "circle") != 0) {
        if (svg->builder->others++ == 0)
            svg->builder->first_other = line_of(svg);
    }
}

static int element_parse(struct svg *svg, const char *name, const char **attributes)
{
    static const char *const GROUPS[] = {"svg", "g", "a", NULL};
    if (svg->depth == 0) {
        if (strcmp(name, "svg") != 0)
            return FAIL(svg, "the outermost element is not svg");
        if (root_parse(svg, attributes) != 0)
            return ERROR_INPUT;
    } else if (strcmp(name, "svg") == 0) {
        return FAIL(svg, "an svg in an svg is not supported; use g");
    }
    if (is_one_of(name, GROUPS))
        return group_parse(svg, attributes);
    if (strcmp(name, "rect") == 0 && background_parse(svg, attributes)) {
        svg->quiet = ++svg->skipped;
        return 0;
    }
    element_skip(svg, name);
    return strcmp(name, "circle") == 0 ? circle_parse(svg, svg->builder, line_of(svg), attributes)
                                       : 0;
}

static void XMLCALL element_start(void *state, const char *name, const char **attributes)
{
    struct svg *svg = state;
    if (svg->rc)
        return;
    if (svg->skipped) {
        element_skip(svg, name_of(name));
        return;
    }
    svg->rc = element_parse(svg, name_of(name), attributes);
    if (svg->rc)
        XML_StopParser(svg->parser, XML_FALSE);
}

static void XMLCALL element_end(void *state, const char *name)
{
    struct svg *svg = state;
    (void)name;
    if (svg->skipped && svg->quiet == svg->skipped)
        svg->quiet = 0;
    if (svg->skipped)
        svg->skipped--;
    else
        svg->depth--;
}

static void XMLCALL instruction(void *state, const char *target, const char *data)
{
    (void)data;
    if (strcmp(target, "xml-stylesheet") == 0)
        warn_style_sheet(state);
}

/* A declaration could give circles attributes. */
static void XMLCALL doctype_start(
    void *state, const char *name, const char *system, const char *public, int has_declarations)
{
    struct svg *svg = state;
    (void)name;
    (void)system;
    (void)public;
    svg->may_skip_expat &= !has_declarations;
}

static void XMLCALL namespace_start(void *state, const char *prefix, const char *uri)
{
    struct svg *svg = state;
    svg->may_skip_expat &= prefix || !uri || strcmp(uri, NAMESPACE) == 0;
}

/* What seems to be an element there is text. */
static void XMLCALL cdata_start(void *state)
{
    struct svg *svg = state;
    svg->may_skip_expat &= svg->skipped > 0;
}

/* Stops before a circle of which there is something to say, too. */
static void piece_parse(const void *format, struct piece *piece)
{
    struct plain_circle circle;
    piece->builder.warnings = 0;
    while (piece->at < piece->end) {
        size_t lines = 0;
        const size_t count = piece->scene.count;
        const char *at = plain_circle_read(piece->at, &circle, &lines);
        if (!at || circle_parse(format, &piece->builder, 0, circle.attributes) != 0)
            return;
        if (piece->builder.warnings) {
            piece->scene.count = count;
            return;
        }
        piece->at = at;
        piece->lines += lines;
    }
}

/* Whether its characters are single bytes, as far as they are ASCII: UTF-16 begins with its mark or
 * has a zero there. */
static int has_bytes(const char *text, size_t size)
{
    return size > 1 && text[0] > 0 && text[0] <= '~' && text[1] > 0;
}

static int report(struct svg *svg)
{
    svg->reported = svg->at;
    return origin_progress(&svg->builder->origin, svg->at, svg->size);
}

/* Reads circles in pieces from there, behind a <, as far as they are plain. Returns the place
 * behind that, and in *looked_at the end of the text that was looked at: no more than was plain
 * from the beginning on, so that not much is in vain. */
static const char *pieces_parse(
    struct svg *svg, const char *begin, const char *at, const char **looked_at)
{
    const size_t read = (size_t)(at - begin), left = (size_t)(svg->text + svg->size - at);
    const size_t most = read < PIECES_TEXT ? read : PIECES_TEXT;
    *looked_at = at + (left < most ? left : most);
    return pieces_read(&svg->pieces, svg->builder, at, *looked_at, &svg->lines);
}

/* Moves on from the < of an element as long as circles are plain, to the < of another. */
static int plain_parse(struct svg *svg)
{
    const char *begin = svg->text + svg->at + 1, *at = begin, *next = begin;
    const char *looked_at = begin + 2 * PIECE_TEXT;
    int rc = 0;
    while (rc == 0 && next) {
        struct plain_circle circle;
        size_t lines = 0;
        if (at >= looked_at)
            at = pieces_parse(svg, begin, at, &looked_at);
        next = plain_circle_read(at, &circle, &lines);
        if (next) {
            rc = circle_parse(svg, svg->builder, line_of(svg), circle.attributes);
            svg->lines += lines;
            at = next;
        }
        svg->at = (size_t)(at - svg->text) - 1;
        if (rc == 0 && svg->at - svg->reported >= PART)
            rc = report(svg);
    }
    svg->bytes += (size_t)(at - begin);
    return rc;
}

/* Where the next part for the parser ends: at what may be a plain circle, if one is near. A part is
 * no smaller than what of those before it still waits for its end, which expat goes through
 * again. */
static size_t part_end(const struct svg *svg, size_t waiting)
{
    const size_t left = svg->size - svg->at, most = waiting > PART ? waiting : PART;
    const size_t part = left < most ? left : most, least = waiting > 0 ? waiting : 1;
    const char *from = svg->text + svg->at + least;
    const char *circle =
        svg->may_skip_expat && least < part ? memmem(from, part - least, "<circle", 7) : NULL;
    return circle ? (size_t)(circle - svg->text) : svg->at + part;
}

static int parts_parse(struct svg *svg)
{
    size_t waiting = 0;
    int rc = report(svg);
    do {
        const char *part = svg->text + svg->at;
        const size_t end = part_end(svg, waiting);
        if (rc == 0 && svg->at - svg->reported >= PART)
            rc = report(svg);
        if (rc)
            return rc;
        if (XML_Parse(svg->parser, part, (int)(end - svg->at), end == svg->size) != XML_STATUS_OK)
            return svg->rc ? svg->rc
                           : FAIL(svg, "%s", XML_ErrorString(XML_GetErrorCode(svg->parser)));
        svg->at = end;
        waiting = end - svg->bytes - (size_t)XML_GetCurrentByteIndex(svg->parser);
        if (waiting == 0 && svg->depth > 0 && !svg->skipped && svg->may_skip_expat &&
            svg->text[end] == '<')
            rc = plain_parse(svg);
    } while (svg->at < svg->size);
    return rc;
}

static int svg_parse(struct builder *builder, const char *text, size_t size)
{
    struct svg svg = {.parser = XML_ParserCreateNS(NULL, ' '),
        .builder = builder,
        .text = text,
        .size = size,
        .may_skip_expat = has_bytes(text, size),
        .pieces = {.border = '<', .read = piece_parse, .format = &svg},
        .looks[0] = LOOK_INITIAL};
    if (!svg.parser)
        return builder_fail(builder, 0, "no memory for the parser");
    XML_SetUserData(svg.parser, &svg);
    XML_SetElementHandler(svg.parser, element_start, element_end);
    XML_SetProcessingInstructionHandler(svg.parser, instruction);
    XML_SetStartDoctypeDeclHandler(svg.parser, doctype_start);
    XML_SetStartNamespaceDeclHandler(svg.parser, namespace_start);
    XML_SetStartCdataSectionHandler(svg.parser, cdata_start);
    const int rc = parts_parse(&svg);
    XML_ParserFree(svg.parser);
    pieces_free(&svg.pieces);
    return rc;
}

/* text_check refuses zeros, but UTF-16 has one in every other byte, so two in a row are refused. */
static int svg_read(struct builder *builder, struct input *input)
{
    const int is_zero = input_peek(input, 2) >= 2 && !input->at[0] && !input->at[1];
    const int rc = is_zero ? text_check(input, builder->origin.error) : 0;
    return rc ? rc : builder_read_text(builder, input, svg_parse);
}

const struct scene_format SCENE_SVG = {
    .extension = ".svg",
    .read = svg_read,
    .write = svg_write,
    .find_loss = svg_find_loss,
};
