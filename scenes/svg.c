/* The circles of an SVG file (https://www.w3.org/TR/SVG11/), read with expat. What they look like
 * comes from their attributes, `style` and groups; what else would change it is refused. */
#include <ctype.h>
#include <expat.h>
#include <math.h>
#include <string.h>

#include "scenes/scene_formats.h"

#define MAX_DEPTH 256

/* What a group hands down. */
struct look {
    int is_filled, is_visible, is_displayed;
    float rgb[3];
    double fill_opacity;
};

struct svg {
    XML_Parser parser;
    struct builder *builder;
    size_t *ignored;
    int rc;
    double scale, middle_x, middle_y; /* of the viewBox */
    struct look looks[MAX_DEPTH];     /* of the open groups, after that of no group */
    int depth;
    int skipped;  /* open elements, the outermost of which is not looked into */
    int is_quiet; /* whether that one draws nothing */
};

static size_t line_of(const struct svg *svg)
{
    return (size_t)XML_GetCurrentLineNumber(svg->parser);
}

#define FAIL(svg, ...) builder_fail((svg)->builder, line_of(svg), __VA_ARGS__)

static int fail_value(struct svg *svg, const char *name, struct span value, const char *remedy)
{
    return FAIL(svg, "%s '%s' %s", name, span_quote(value).text, remedy);
}

/* The number before the unit, where that is what it ends with; NAN if it is no number. */
static double number_before(struct span value, const char *unit)
{
    const size_t size = strlen(unit);
    if ((size_t)(value.end - value.begin) >= size &&
        span_is((struct span){value.end - size, value.end}, unit))
        value.end -= size;
    return span_number(span_trim(value));
}

static int length_parse(struct svg *svg, const char *name, const char *text, double *length)
{
    const struct span value = span_trim(span_of(text));
    *length = number_before(value, "px");
    return isfinite(*length)
               ? 0
               : fail_value(svg, name, value, "is no length; write a plain number or px");
}

static int opacity_parse(struct svg *svg, const char *name, struct span value, double *opacity)
{
    const int percent = value.begin < value.end && value.end[-1] == '%';
    *opacity = number_before(value, "%") / (percent ? 100 : 1);
    return *opacity >= 0 && *opacity <= 1
               ? 0
               : fail_value(svg, name, value, "is not a number from 0 to 1");
}

/* The digits after #: one or two for each component. Returns 0, or -1 if it is anything else. */
static int hex_parse(struct span digits, float rgb[3])
{
    const long size = digits.end - digits.begin;
    if (size != 3 && size != 6)
        return -1;
    for (int i = 0; i < size; i++) {
        const int c = tolower((unsigned char)digits.begin[i]);
        if (!isxdigit(c))
            return -1;
        const int digit = isdigit(c) ? c - '0' : c - 'a' + 10;
        if (size == 3)
            rgb[i] = (float)(digit * 17) / 255;
        else
            rgb[i / 2] = i % 2 ? (rgb[i / 2] * 16 + (float)digit) / 255 : (float)digit;
    }
    return 0;
}

/* What is between the parentheses of rgb(): numbers up to 255, or percentages. */
static int rgb_parse(struct span list, float rgb[3])
{
    int count = 0;
    for (; list.begin; count++) {
        const struct span value = span_trim(span_next(&list, ','));
        const int percent = value.begin < value.end && value.end[-1] == '%';
        const double component = number_before(value, "%") / (percent ? 100 : 255);
        if (count == 3 || !(component >= 0 && component <= 1))
            return -1;
        rgb[count] = (float)component;
    }
    return count == 3 ? 0 : -1;
}

static int name_parse(struct span value, float rgb[3])
{
    static const struct {
        const char *name;
        const char *digits;
    } NAMES[] = {{"aqua", "0ff"}, {"black", "000"}, {"blue", "00f"}, {"fuchsia", "f0f"},
        {"gray", "808080"}, {"green", "008000"}, {"lime", "0f0"}, {"maroon", "800000"},
        {"navy", "000080"}, {"olive", "808000"}, {"orange", "ffa500"}, {"purple", "800080"},
        {"red", "f00"}, {"silver", "c0c0c0"}, {"teal", "008080"}, {"white", "fff"},
        {"yellow", "ff0"}};
    for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++)
        if (span_is(value, NAMES[i].name))
            return hex_parse(span_of(NAMES[i].digits), rgb);
    return -1;
}

static int fill_parse(struct svg *svg, struct span value, struct look *look)
{
    const size_t size = (size_t)(value.end - value.begin);
    int rc;
    look->is_filled = !span_is(value, "none");
    if (!look->is_filled)
        return 0;
    if (size > 1 && value.begin[0] == '#')
        rc = hex_parse((struct span){value.begin + 1, value.end}, look->rgb);
    else if (size > 5 && span_is((struct span){value.begin, value.begin + 4}, "rgb(") &&
             value.end[-1] == ')')
        rc = rgb_parse((struct span){value.begin + 4, value.end - 1}, look->rgb);
    else
        rc = name_parse(value, look->rgb);
    if (rc == 0)
        return 0;
    return fail_value(
        svg, "fill", value, "is not supported; write #rrggbb, rgb(r, g, b), or a name of CSS 2.1");
}

static const struct look INITIAL = {
    .is_filled = 1, .is_visible = 1, .is_displayed = 1, .fill_opacity = 1};

/* The element that is read: its look so far, that of the group it is in, and its own opacity. */
struct element {
    const struct look *outer;
    struct look look;
    double opacity;
};

/* The keywords that every property has; opacity is not handed down, and that of a group is 1. */
static void keyword_apply(struct span name, const struct look *from, struct element *element)
{
    struct look *look = &element->look;
    if (span_is(name, "fill")) {
        look->is_filled = from->is_filled;
        memcpy(look->rgb, from->rgb, sizeof(look->rgb));
    } else if (span_is(name, "fill-opacity")) {
        look->fill_opacity = from->fill_opacity;
    } else if (span_is(name, "opacity")) {
        element->opacity = 1;
    } else if (span_is(name, "display")) {
        look->is_displayed = element->outer->is_displayed;
    } else if (span_is(name, "visibility")) {
        look->is_visible = from->is_visible;
    }
}

/* One attribute, or declaration of a style, that says what an element looks like. */
static int property_parse(
    struct svg *svg, struct span name, struct span value, struct element *element)
{
    static const char *const REFUSED[] = {"transform", "clip-path", "mask", "filter"};
    struct look *look = &element->look;
    if (span_is(value, "initial") || span_is(value, "inherit") || span_is(value, "unset")) {
        keyword_apply(name, span_is(value, "initial") ? &INITIAL : element->outer, element);
        return 0;
    }
    for (size_t i = 0; i < sizeof(REFUSED) / sizeof(REFUSED[0]); i++)
        if (span_is(name, REFUSED[i]) && !span_is(value, "none"))
            return fail_value(
                svg, REFUSED[i], value, "is not supported; write the circles as they end up");
    if (span_is(name, "fill"))
        return fill_parse(svg, value, look);
    if (span_is(name, "fill-opacity"))
        return opacity_parse(svg, "fill-opacity", value, &look->fill_opacity);
    if (span_is(name, "opacity"))
        return opacity_parse(svg, "opacity", value, &element->opacity);
    if (span_is(name, "display"))
        look->is_displayed = element->outer->is_displayed && !span_is(value, "none");
    if (span_is(name, "visibility"))
        look->is_visible = !span_is(value, "hidden") && !span_is(value, "collapse");
    return 0;
}

static int style_parse(struct svg *svg, const char *style, struct element *element)
{
    int rc = 0;
    for (struct span rest = span_of(style); rc == 0 && rest.begin;) {
        struct span value = span_next(&rest, ';');
        const struct span name = span_next(&value, ':');
        if (value.begin)
            rc = property_parse(svg, span_trim(name), span_trim(value), element);
    }
    return rc;
}

/* The look of an element in the open groups; a style goes before the attributes. */
static int look_parse(struct svg *svg, const char **attributes, struct element *element)
{
    int rc = 0;
    const char *style = "";
    const struct look *outer = &svg->looks[svg->depth];
    *element = (struct element){outer, *outer, 1};
    for (; rc == 0 && attributes[0]; attributes += 2) {
        if (strcmp(attributes[0], "style") == 0)
            style = attributes[1];
        rc =
            property_parse(svg, span_of(attributes[0]), span_trim(span_of(attributes[1])), element);
    }
    return rc ? rc : style_parse(svg, style, element);
}

static const char *attribute_of(const char **attributes, const char *name, const char *absent)
{
    for (; attributes[0]; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return absent;
}

/* Four numbers with blanks or commas between them. */
static int numbers_parse(const char *text, double numbers[4])
{
    static const char SEPARATORS[] = ", \t\r\n";
    int count = 0;
    text += strspn(text, SEPARATORS);
    while (*text) {
        const size_t size = strcspn(text, SEPARATORS);
        const double number = span_number((struct span){text, text + size});
        if (count == 4 || !isfinite(number))
            return -1;
        numbers[count++] = number;
        text += size;
        text += strspn(text, SEPARATORS);
    }
    return count == 4 ? 0 : -1;
}

/* The viewBox, or width and height: where the unit square is, and the size of the picture. */
static int root_parse(struct svg *svg, const char **attributes)
{
    const char *view = attribute_of(attributes, "viewBox", NULL);
    const char *width = attribute_of(attributes, "width", NULL);
    const char *height = attribute_of(attributes, "height", NULL);
    double box[4] = {0};
    int rc = 0;
    if (view) {
        if (numbers_parse(view, box) != 0)
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
        return FAIL(svg, "a picture of %g x %g is empty", box[2], box[3]);
    svg->scale = 1 / fmax(box[2], box[3]);
    svg->middle_x = box[0] + box[2] / 2;
    svg->middle_y = box[1] + box[3] / 2;
    const double columns = floor(box[2] + .5), rows = floor(box[3] + .5);
    if (columns >= 1 && columns <= SCENE_MAX_SIDE && rows >= 1 && rows <= SCENE_MAX_SIDE) {
        svg->builder->scene->width = (int)columns;
        svg->builder->scene->height = (int)rows;
    }
    return 0;
}

static int circle_parse(struct svg *svg, const char **attributes)
{
    struct element element;
    const struct look *look = &element.look;
    double x, y, r;
    if (look_parse(svg, attributes, &element) != 0 ||
        length_parse(svg, "cx", attribute_of(attributes, "cx", "0"), &x) != 0 ||
        length_parse(svg, "cy", attribute_of(attributes, "cy", "0"), &y) != 0 ||
        length_parse(svg, "r", attribute_of(attributes, "r", "0"), &r) != 0)
        return ERROR_INPUT;
    if (r < 0)
        return FAIL(svg, "radius %g is negative", r);
    if (r == 0 || !look->is_filled || !look->is_visible || !look->is_displayed)
        return 0;
    const float values[FIELDS] = {
        [FIELD_X] = (float)(.5 + (x - svg->middle_x) * svg->scale),
        [FIELD_Y] = (float)(.5 - (y - svg->middle_y) * svg->scale),
        [FIELD_R] = (float)(r * svg->scale),
        [FIELD_RED] = look->rgb[0],
        [FIELD_GREEN] = look->rgb[1],
        [FIELD_BLUE] = look->rgb[2],
        [FIELD_ALPHA] = (float)(look->fill_opacity * element.opacity),
    };
    return builder_add(svg->builder, line_of(svg), values);
}

static int group_parse(struct svg *svg, const char **attributes)
{
    struct element element;
    if (look_parse(svg, attributes, &element) != 0)
        return ERROR_INPUT;
    if (element.opacity < 1)
        return FAIL(
            svg, "opacity %g of a group is not supported; give it to its circles", element.opacity);
    if (svg->depth + 1 == MAX_DEPTH)
        return FAIL(svg, "groups nested deeper than %d", MAX_DEPTH - 1);
    svg->looks[++svg->depth] = element.look;
    return 0;
}

/* The name of an element of SVG; "" for one of another namespace. */
static const char *name_of(const char *name)
{
    static const char NAMESPACE[] = "http://www.w3.org/2000/svg ";
    if (!strchr(name, ' '))
        return name;
    const size_t size = sizeof(NAMESPACE) - 1;
    return strncmp(name, NAMESPACE, size) == 0 ? name + size : "";
}

static int is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

static int element_parse(struct svg *svg, const char *name, const char **attributes)
{
    static const char *const GROUPS[] = {"svg", "g", "a", NULL};
    static const char *const QUIET[] = {"", "defs", "desc", "metadata", "title", NULL};
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
    const int is_circle = strcmp(name, "circle") == 0;
    svg->skipped = 1;
    svg->is_quiet = is_circle || is_one_of(name, QUIET);
    *svg->ignored += !svg->is_quiet;
    return is_circle ? circle_parse(svg, attributes) : 0;
}

static void XMLCALL element_start(void *state, const char *name, const char **attributes)
{
    struct svg *svg = state;
    if (svg->rc)
        return;
    if (svg->skipped) {
        svg->skipped++;
        *svg->ignored += !svg->is_quiet;
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
    if (svg->skipped)
        svg->skipped--;
    else
        svg->depth--;
}

int svg_parse(struct builder *builder, const char *text, size_t size, size_t *ignored)
{
    struct svg svg = {.parser = XML_ParserCreateNS(NULL, ' '),
        .builder = builder,
        .ignored = ignored,
        .looks[0] = INITIAL};
    if (!svg.parser)
        return builder_fail(builder, 0, "no memory for the parser");
    XML_SetUserData(svg.parser, &svg);
    XML_SetElementHandler(svg.parser, element_start, element_end);
    if (XML_Parse(svg.parser, text, (int)size, XML_TRUE) != XML_STATUS_OK && svg.rc == 0)
        svg.rc = FAIL(&svg, "%s", XML_ErrorString(XML_GetErrorCode(svg.parser)));
    XML_ParserFree(svg.parser);
    return svg.rc;
}
