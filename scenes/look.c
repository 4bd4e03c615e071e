/* The cascade of one element: its attributes, and its style, which prevails
 * (https://www.w3.org/TR/css-cascade-5/). */
#include "scenes/look.h"

#include <string.h>

enum kind {
    PAINT,
    COLOR,
    OPACITY,
    LENGTH,
    DISPLAY,
    VISIBILITY,
    OUTLINE,     /* left out */
    BACKDROP,    /* left out; of the root alone */
    UNPAINTABLE, /* refused unless it is `neutral` */
    EVERYTHING   /* refused */
};

enum {
    FILL,
    FILL_OPACITY,
    OWN_OPACITY,
    OWN_COLOR,
    IS_DISPLAYED,
    IS_VISIBLE,
    CX,
    CY,
    R,
    FIRST_OTHER
};

#define NOT_AS_CIRCLES "write the circles as they end up"

/* The first ones by their numbers. */
static const struct property {
    const char *name;
    enum kind kind;
    int is_inherited;
    int is_style_only; /* no attribute */
    const char *neutral;
    const char *remedy;
} PROPERTIES[] = {
    [FILL] = {"fill", PAINT, 1, 0, NULL, "write #rrggbb, rgb(), hsl() or a name"},
    [FILL_OPACITY] = {"fill-opacity", OPACITY, 1, 0, NULL, "write a number or a percentage"},
    [OWN_OPACITY] = {"opacity", OPACITY, 0, 0, NULL, "write a number or a percentage"},
    [OWN_COLOR] = {"color", COLOR, 1, 0, NULL, "write #rrggbb, rgb(), hsl() or a name"},
    [IS_DISPLAYED] = {"display", DISPLAY, 0, 0, NULL, "write none or inline"},
    [IS_VISIBLE] = {"visibility", VISIBILITY, 1, 0, NULL, "write visible or hidden"},
    [CX] = {"cx", LENGTH, 0, 0, NULL, "write px, in, cm, mm, Q, pt or pc"},
    [CY] = {"cy", LENGTH, 0, 0, NULL, "write px, in, cm, mm, Q, pt or pc"},
    [R] = {"r", LENGTH, 0, 0, NULL, "write px, in, cm, mm, Q, pt or pc"},
    [FIRST_OTHER] = {"stroke", OUTLINE, 1, 0, NULL, NULL},
    {"background", BACKDROP, 0, 1, NULL, NULL},
    {"background-color", BACKDROP, 0, 1, NULL, NULL},
    {"background-image", BACKDROP, 0, 1, NULL, NULL},
    {"transform", UNPAINTABLE, 0, 0, "none", NOT_AS_CIRCLES},
    {"translate", UNPAINTABLE, 0, 1, "none", NOT_AS_CIRCLES},
    {"rotate", UNPAINTABLE, 0, 1, "none", NOT_AS_CIRCLES},
    {"scale", UNPAINTABLE, 0, 1, "none", NOT_AS_CIRCLES},
    {"offset-path", UNPAINTABLE, 0, 1, "none", NOT_AS_CIRCLES},
    {"clip-path", UNPAINTABLE, 0, 0, "none", NOT_AS_CIRCLES},
    {"mask", UNPAINTABLE, 0, 0, "none", NOT_AS_CIRCLES},
    {"mask-image", UNPAINTABLE, 0, 1, "none", NOT_AS_CIRCLES},
    {"mask-border", UNPAINTABLE, 0, 1, "none", NOT_AS_CIRCLES},
    {"-webkit-mask", UNPAINTABLE, 0, 1, "none", NOT_AS_CIRCLES},
    {"zoom", UNPAINTABLE, 0, 1, "normal", NOT_AS_CIRCLES},
    {"filter", UNPAINTABLE, 0, 0, "none", NOT_AS_CIRCLES},
    {"mix-blend-mode", UNPAINTABLE, 0, 1, "normal", NOT_AS_CIRCLES},
    {"all", EVERYTHING, 0, 1, NULL, "write each property"},
};
enum { PROPERTY_COUNT = sizeof(PROPERTIES) / sizeof(PROPERTIES[0]) };

enum wide { NOT_WIDE, INHERIT, INITIAL, UNSET, REVERT_LAYER };

/* What an attribute or a style says of a property. */
struct value {
    struct span text;    /* of it, for messages */
    struct span keyword; /* that it is; empty if it is anything else */
    int is_important;
    enum wide wide;
    enum css_result result;
    int is_negative; /* a radius */
    int is_none;     /* of fill, stroke and display; also "hidden", and what is neutral */
    struct css_color color;
    double number;
};

const struct look LOOK_INITIAL = {.is_filled = 1,
    .is_visible = 1,
    .fill.alpha = 1,
    .color.alpha = 1,
    .fill_opacity = 1,
    .is_displayed = 1,
    .opacity = 1};

/* One element while it is read. */
struct element {
    struct builder *builder;
    size_t line;
    enum look_kind what;
    unsigned in_attributes, in_style; /* a bit for each property that is said there */
    struct value attributes[PROPERTY_COUNT], style[PROPERTY_COUNT]; /* of these */
};

_Static_assert(PROPERTY_COUNT <= 32, "a bit for each property");

#define WARN(element, ...) builder_warn((element)->builder, (element)->line, __VA_ARGS__)
#define FAIL(element, ...) builder_fail((element)->builder, (element)->line, __VA_ARGS__)

static enum css_result paint_parse(struct value *value)
{
    value->is_none = span_is(value->keyword, "none");
    if (value->is_none)
        return CSS_READ;
    if (span_is(value->keyword, "context-fill") || span_is(value->keyword, "context-stroke"))
        return CSS_UNSUPPORTED;
    return css_color_parse(value->text, &value->color);
}

/* Circles are drawn whatever they are displayed as, but that "contents" hides them and no group. */
static enum css_result display_parse(struct value *value)
{
    static const char *const WORDS[] = {"none", "inline", "block", "inline-block", "flow",
        "flow-root", "list-item", "run-in", "compact", "marker", "flex", "inline-flex", "grid",
        "inline-grid", "ruby", "ruby-base", "ruby-text", "ruby-base-container",
        "ruby-text-container", "math", "table", "inline-table", "table-row-group",
        "table-header-group", "table-footer-group", "table-row", "table-cell", "table-column-group",
        "table-column", "table-caption", NULL};
    struct span rest = value->text;
    int count = 0;
    value->is_none = span_is(value->keyword, "none");
    if (span_is(value->keyword, "contents"))
        return CSS_UNSUPPORTED;
    for (;; count++) {
        const struct css_token token = css_next(&rest);
        if (token.type == CSS_END && count > 0)
            return CSS_READ;
        if (token.type != CSS_IDENT || !span_is_one_of(token.text, WORDS) ||
            (count > 0 && span_is(token.text, "none")))
            return css_unread(value->text);
    }
}

static enum css_result visibility_parse(struct value *value)
{
    value->is_none = span_is(value->keyword, "hidden") || span_is(value->keyword, "collapse");
    return value->is_none || span_is(value->keyword, "visible") ? CSS_READ
                                                                : css_unread(value->text);
}

static enum css_result unpaintable_parse(
    const struct property *property, int is_attribute, struct value *value)
{
    struct span rest = value->text;
    const int is_empty = css_next(&rest).type == CSS_END;
    value->is_none = property->neutral && span_is(value->keyword, property->neutral);
    if (is_empty && is_attribute)
        value->is_none = 1; /* a list of no transforms */
    return value->is_none ? CSS_READ : is_empty ? CSS_INVALID : CSS_UNSUPPORTED;
}

static enum wide wide_of(struct span keyword)
{
    static const struct {
        const char *name;
        enum wide wide;
    } WORDS[] = {{"inherit", INHERIT}, {"initial", INITIAL}, {"unset", UNSET}, {"revert", UNSET},
        {"revert-layer", REVERT_LAYER}};
    for (size_t i = 0; keyword.begin < keyword.end && i < sizeof(WORDS) / sizeof(WORDS[0]); i++)
        if (span_is(keyword, WORDS[i].name))
            return WORDS[i].wide;
    return NOT_WIDE;
}

static void value_parse(
    const struct property *property, int is_attribute, struct span text, struct value *value)
{
    value->text = text;
    value->keyword = css_keyword(text);
    value->is_important = value->is_negative = value->is_none = 0;
    value->wide = wide_of(value->keyword);
    value->result = CSS_READ;
    value->color = (struct css_color){.alpha = 1};
    value->number = 0;
    if (value->wide && property->kind != EVERYTHING)
        return;
    switch (property->kind) {
    case PAINT:
    case OUTLINE:
        value->result = paint_parse(value);
        break;
    case COLOR:
        value->result = css_color_parse(text, &value->color);
        break;
    case OPACITY:
        value->result = css_opacity_parse(text, &value->number);
        break;
    case LENGTH:
        value->result = css_length_parse(text, is_attribute, &value->number);
        value->is_negative =
            value->result == CSS_READ && property == &PROPERTIES[R] && value->number < 0;
        if (value->is_negative)
            value->result = CSS_INVALID;
        break;
    case DISPLAY:
        value->result = display_parse(value);
        break;
    case VISIBILITY:
        value->result = visibility_parse(value);
        break;
    case BACKDROP:
        value->is_none = span_is(value->keyword, "none") || span_is(value->keyword, "transparent");
        break;
    case UNPAINTABLE:
        value->result = unpaintable_parse(property, is_attribute, value);
        break;
    case EVERYTHING:
        value->result = value->wide ? CSS_UNSUPPORTED : css_unread(text);
        value->wide = NOT_WIDE;
        break;
    }
}

/* Why a length in a style is invalid. */
static const char *length_problem(const struct value *value)
{
    struct span rest = value->text;
    const struct css_token token = css_next(&rest);
    if (value->is_negative)
        return "a radius is not negative";
    return token.type == CSS_NUMBER && css_next(&rest).type == CSS_END
               ? "in a style, a length has a unit, such as px"
               : "it is no length";
}

static void warn_invalid(
    const struct element *element, const struct property *property, const struct value *value)
{
    const struct span text = value->text;
    const char *reason = property->kind == LENGTH ? length_problem(value) : "CSS has no such value";
    if (memchr(text.begin, '\\', (size_t)(text.end - text.begin)))
        reason = "escapes are not read";
    WARN(element, "%s '%s' is ignored: %s", property->name, span_quote(text).text, reason);
}

/* A circle is not put elsewhere because its place cannot be read. */
static int attribute_read(
    struct element *element, const struct property *property, const char *text)
{
    const int i = (int)(property - PROPERTIES);
    struct value *value = &element->attributes[i];
    value_parse(property, 1, span_trim(span_of(text)), value);
    if (value->result != CSS_INVALID)
        element->in_attributes |= 1u << i;
    else if (property->kind != LENGTH)
        warn_invalid(element, property, value);
    else if (value->is_negative)
        return FAIL(element, "radius %g is negative", value->number);
    else
        return FAIL(element, "%s '%s' is no length; %s", property->name,
            span_quote(value->text).text, property->remedy);
    return 0;
}

/* Names mostly differ in their first two characters. */
static int are_same(const char *name, const char *other)
{
    return name[0] == other[0] && name[1] == other[1] && strcmp(name, other) == 0;
}

static int attributes_read(struct element *element, const char **attributes)
{
    for (; attributes[0]; attributes += 2) {
        const char *name = attributes[0];
        int i = 0;
        while (i < PROPERTY_COUNT && !are_same(name, PROPERTIES[i].name))
            i++;
        if (i == PROPERTY_COUNT || PROPERTIES[i].is_style_only ||
            (PROPERTIES[i].kind == LENGTH && element->what != LOOK_OF_CIRCLE))
            continue;
        if (attribute_read(element, &PROPERTIES[i], attributes[1]) != 0)
            return ERROR_INPUT;
    }
    return 0;
}

/* Later declarations prevail over earlier ones, unless only the earlier one is important. */
static void declaration_read(struct element *element, const struct css_declaration *declaration)
{
    int i = 0;
    while (i < PROPERTY_COUNT && !span_is(declaration->name, PROPERTIES[i].name))
        i++;
    if (i == PROPERTY_COUNT)
        return;
    const unsigned bit = 1u << i;
    struct value value;
    value_parse(&PROPERTIES[i], 0, span_trim(declaration->value), &value);
    value.is_important = declaration->is_important;
    if (value.result == CSS_INVALID)
        warn_invalid(element, &PROPERTIES[i], &value);
    else if (value.is_important || !(element->in_style & bit) || !element->style[i].is_important)
        element->style[i] = value;
    if (value.result != CSS_INVALID)
        element->in_style |= bit;
}

static void style_read(struct element *element, const char *style)
{
    struct css_declaration declaration;
    for (struct span rest = span_of(style); css_declaration_next(&rest, &declaration);)
        if (!declaration.is_valid || memchr(declaration.name.begin, '\\',
                                         (size_t)(declaration.name.end - declaration.name.begin)))
            WARN(element, "style '%s' is ignored: %s",
                span_quote(span_trim(declaration.whole)).text,
                declaration.is_valid ? "escapes are not read" : "it is no declaration");
        else
            declaration_read(element, &declaration);
}

/* Makes the property what it is there. */
static void property_copy(int property, const struct look *from, struct look *look)
{
    switch (property) {
    case FILL:
        look->is_filled = from->is_filled;
        look->fill = from->fill;
        break;
    case FILL_OPACITY:
        look->fill_opacity = from->fill_opacity;
        break;
    case OWN_OPACITY:
        look->opacity = from->opacity;
        break;
    case OWN_COLOR:
        look->color = from->color;
        break;
    case IS_VISIBLE:
        look->is_visible = from->is_visible;
        break;
    case CX:
        look->x = from->x;
        break;
    case CY:
        look->y = from->y;
        break;
    case R:
        look->r = from->r;
        break;
    }
}

/* The look where this value alone is said. */
static struct look look_from_value(const struct value *value)
{
    return (struct look){.is_filled = !value->is_none,
        .is_visible = !value->is_none,
        .fill = value->color,
        .color = value->color,
        .fill_opacity = value->number,
        .opacity = value->number,
        .x = value->number,
        .y = value->number,
        .r = value->number};
}

static int property_apply(const struct element *element, int i, const struct value *value,
    const struct look *outer, struct look *look)
{
    const struct property *property = &PROPERTIES[i];
    const int inherits =
        value->wide == INHERIT || (value->wide != INITIAL && property->is_inherited);
    if (value->wide) {
        property_copy(i, inherits ? outer : &LOOK_INITIAL, look);
    } else if (property->kind == OUTLINE) {
        if (!value->is_none)
            WARN(element, "stroke '%s' is left out: circles have no outline",
                span_quote(value->text).text);
    } else if (property->kind == BACKDROP) {
        if (!value->is_none && element->what == LOOK_OF_ROOT)
            WARN(element, "%s '%s' is left out: the background is no circle", property->name,
                span_quote(value->text).text);
    } else if (value->result == CSS_UNSUPPORTED) {
        return FAIL(element, "%s '%s' is not supported; %s", property->name,
            span_quote(value->text).text, property->remedy);
    } else if (property->kind == DISPLAY) {
        look->is_displayed &= !value->is_none;
    } else if (property->kind == COLOR && value->color.is_current) {
        property_copy(i, outer, look);
    } else {
        const struct look said = look_from_value(value);
        property_copy(i, &said, look);
    }
    return 0;
}

int look_read(struct builder *builder, size_t line, enum look_kind what, const char **attributes,
    const struct look *outer, struct look *look)
{
    struct element element;
    element.builder = builder;
    element.line = line;
    element.what = what;
    element.in_attributes = element.in_style = 0;
    *look = *outer;
    look->opacity = LOOK_INITIAL.opacity;
    look->x = look->y = look->r = 0;
    if (attributes_read(&element, attributes) != 0)
        return ERROR_INPUT;
    for (; attributes[0]; attributes += 2)
        if (are_same(attributes[0], "style"))
            style_read(&element, attributes[1]);
    for (unsigned left = element.in_attributes | element.in_style; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const struct value *value = &element.style[i];
        if (!(element.in_style >> i & 1) ||
            (value->wide == REVERT_LAYER && element.in_attributes >> i & 1))
            value = &element.attributes[i];
        if (property_apply(&element, i, value, outer, look) != 0)
            return ERROR_INPUT;
    }
    return 0;
}
