/* Colors of CSS: names, digits, rgb() and hsl(). */
#include "scenes/color.h"

#include <ctype.h>
#include <math.h>

#include "scenes/css.h"

static const struct {
    const char *name;
    unsigned rgb;
} NAMES[] = {{"aliceblue", 0xf0f8ff}, {"antiquewhite", 0xfaebd7}, {"aqua", 0x00ffff},
    {"aquamarine", 0x7fffd4}, {"azure", 0xf0ffff}, {"beige", 0xf5f5dc}, {"bisque", 0xffe4c4},
    {"black", 0x000000}, {"blanchedalmond", 0xffebcd}, {"blue", 0x0000ff}, {"blueviolet", 0x8a2be2},
    {"brown", 0xa52a2a}, {"burlywood", 0xdeb887}, {"cadetblue", 0x5f9ea0}, {"chartreuse", 0x7fff00},
    {"chocolate", 0xd2691e}, {"coral", 0xff7f50}, {"cornflowerblue", 0x6495ed},
    {"cornsilk", 0xfff8dc}, {"crimson", 0xdc143c}, {"cyan", 0x00ffff}, {"darkblue", 0x00008b},
    {"darkcyan", 0x008b8b}, {"darkgoldenrod", 0xb8860b}, {"darkgray", 0xa9a9a9},
    {"darkgreen", 0x006400}, {"darkgrey", 0xa9a9a9}, {"darkkhaki", 0xbdb76b},
    {"darkmagenta", 0x8b008b}, {"darkolivegreen", 0x556b2f}, {"darkorange", 0xff8c00},
    {"darkorchid", 0x9932cc}, {"darkred", 0x8b0000}, {"darksalmon", 0xe9967a},
    {"darkseagreen", 0x8fbc8f}, {"darkslateblue", 0x483d8b}, {"darkslategray", 0x2f4f4f},
    {"darkslategrey", 0x2f4f4f}, {"darkturquoise", 0x00ced1}, {"darkviolet", 0x9400d3},
    {"deeppink", 0xff1493}, {"deepskyblue", 0x00bfff}, {"dimgray", 0x696969}, {"dimgrey", 0x696969},
    {"dodgerblue", 0x1e90ff}, {"firebrick", 0xb22222}, {"floralwhite", 0xfffaf0},
    {"forestgreen", 0x228b22}, {"fuchsia", 0xff00ff}, {"gainsboro", 0xdcdcdc},
    {"ghostwhite", 0xf8f8ff}, {"gold", 0xffd700}, {"goldenrod", 0xdaa520}, {"gray", 0x808080},
    {"green", 0x008000}, {"greenyellow", 0xadff2f}, {"grey", 0x808080}, {"honeydew", 0xf0fff0},
    {"hotpink", 0xff69b4}, {"indianred", 0xcd5c5c}, {"indigo", 0x4b0082}, {"ivory", 0xfffff0},
    {"khaki", 0xf0e68c}, {"lavender", 0xe6e6fa}, {"lavenderblush", 0xfff0f5},
    {"lawngreen", 0x7cfc00}, {"lemonchiffon", 0xfffacd}, {"lightblue", 0xadd8e6},
    {"lightcoral", 0xf08080}, {"lightcyan", 0xe0ffff}, {"lightgoldenrodyellow", 0xfafad2},
    {"lightgray", 0xd3d3d3}, {"lightgreen", 0x90ee90}, {"lightgrey", 0xd3d3d3},
    {"lightpink", 0xffb6c1}, {"lightsalmon", 0xffa07a}, {"lightseagreen", 0x20b2aa},
    {"lightskyblue", 0x87cefa}, {"lightslategray", 0x778899}, {"lightslategrey", 0x778899},
    {"lightsteelblue", 0xb0c4de}, {"lightyellow", 0xffffe0}, {"lime", 0x00ff00},
    {"limegreen", 0x32cd32}, {"linen", 0xfaf0e6}, {"magenta", 0xff00ff}, {"maroon", 0x800000},
    {"mediumaquamarine", 0x66cdaa}, {"mediumblue", 0x0000cd}, {"mediumorchid", 0xba55d3},
    {"mediumpurple", 0x9370db}, {"mediumseagreen", 0x3cb371}, {"mediumslateblue", 0x7b68ee},
    {"mediumspringgreen", 0x00fa9a}, {"mediumturquoise", 0x48d1cc}, {"mediumvioletred", 0xc71585},
    {"midnightblue", 0x191970}, {"mintcream", 0xf5fffa}, {"mistyrose", 0xffe4e1},
    {"moccasin", 0xffe4b5}, {"navajowhite", 0xffdead}, {"navy", 0x000080}, {"oldlace", 0xfdf5e6},
    {"olive", 0x808000}, {"olivedrab", 0x6b8e23}, {"orange", 0xffa500}, {"orangered", 0xff4500},
    {"orchid", 0xda70d6}, {"palegoldenrod", 0xeee8aa}, {"palegreen", 0x98fb98},
    {"paleturquoise", 0xafeeee}, {"palevioletred", 0xdb7093}, {"papayawhip", 0xffefd5},
    {"peachpuff", 0xffdab9}, {"peru", 0xcd853f}, {"pink", 0xffc0cb}, {"plum", 0xdda0dd},
    {"powderblue", 0xb0e0e6}, {"purple", 0x800080}, {"rebeccapurple", 0x663399}, {"red", 0xff0000},
    {"rosybrown", 0xbc8f8f}, {"royalblue", 0x4169e1}, {"saddlebrown", 0x8b4513},
    {"salmon", 0xfa8072}, {"sandybrown", 0xf4a460}, {"seagreen", 0x2e8b57}, {"seashell", 0xfff5ee},
    {"sienna", 0xa0522d}, {"silver", 0xc0c0c0}, {"skyblue", 0x87ceeb}, {"slateblue", 0x6a5acd},
    {"slategray", 0x708090}, {"slategrey", 0x708090}, {"snow", 0xfffafa}, {"springgreen", 0x00ff7f},
    {"steelblue", 0x4682b4}, {"tan", 0xd2b48c}, {"teal", 0x008080}, {"thistle", 0xd8bfd8},
    {"tomato", 0xff6347}, {"turquoise", 0x40e0d0}, {"violet", 0xee82ee}, {"wheat", 0xf5deb3},
    {"white", 0xffffff}, {"whitesmoke", 0xf5f5f5}, {"yellow", 0xffff00}, {"yellowgreen", 0x9acd32}};

/* Those of the viewer's window and of its buttons. */
static const char *const SYSTEM[] = {"AccentColor", "AccentColorText", "ActiveBorder",
    "ActiveCaption", "ActiveText", "AppWorkspace", "Background", "ButtonBorder", "ButtonFace",
    "ButtonHighlight", "ButtonShadow", "ButtonText", "Canvas", "CanvasText", "CaptionText", "Field",
    "FieldText", "GrayText", "Highlight", "HighlightText", "InactiveBorder", "InactiveCaption",
    "InactiveCaptionText", "InfoBackground", "InfoText", "LinkText", "Mark", "MarkText", "Menu",
    "MenuText", "Scrollbar", "SelectedItem", "SelectedItemText", "ThreeDDarkShadow", "ThreeDFace",
    "ThreeDHighlight", "ThreeDLightShadow", "ThreeDShadow", "VisitedText", "Window", "WindowFrame",
    "WindowText", NULL};

static int digit_value(char digit)
{
    return isdigit((unsigned char)digit) ? digit - '0' : tolower((unsigned char)digit) - 'a' + 10;
}

/* What follows the #: one digit or two for each of three components, and for alpha where there are
 * four. Returns 0, or -1 if it is anything else. */
static int hex_parse(struct span digits, struct css_color *color)
{
    const long size = digits.end - digits.begin;
    const int step = size <= 4 ? 1 : 2;
    if (size != 3 && size != 4 && size != 6 && size != 8)
        return -1;
    for (long i = 0; i < size; i++)
        if (!isxdigit((unsigned char)digits.begin[i]))
            return -1;
    for (int i = 0; i < size / step; i++) {
        const int high = digit_value(digits.begin[i * step]);
        const int value = high * 16 + digit_value(digits.begin[i * step + step - 1]);
        if (i < 3)
            color->rgb[i] = (float)value / 255;
        else
            color->alpha = value / 255.0;
    }
    return 0;
}

static int name_parse(struct span name, struct css_color *color)
{
    color->is_current = span_is(name, "currentColor");
    if (span_is(name, "transparent"))
        color->alpha = 0;
    if (color->is_current || color->alpha == 0)
        return 0;
    for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++)
        if (span_is(name, NAMES[i].name)) {
            for (int k = 0; k < 3; k++)
                color->rgb[k] = (float)(NAMES[i].rgb >> (16 - 8 * k) & 255) / 255;
            return 0;
        }
    return -1;
}

/* What is between the parentheses of a color: three values and maybe alpha, with commas between
 * them, or with blanks and a / before alpha. */
struct arguments {
    struct css_token values[4];
    int count;
    int has_commas;
};

static int is_closing(const struct css_token *token)
{
    return token->type == CSS_END || css_delim(token) == ')';
}

/* Reads them and the closing parenthesis, which the end of the text stands for too. Returns 0, or
 * -1 if they are anything else. */
static int arguments_read(struct span *rest, struct arguments *arguments)
{
    arguments->has_commas = 0;
    for (arguments->count = 0; arguments->count < 4; arguments->count++) {
        struct css_token token = css_next(rest);
        const int i = arguments->count, c = css_delim(&token);
        if (i == 3 && is_closing(&token))
            return 0;
        if (i == 1)
            arguments->has_commas = c == ',';
        if (i > 0 && (arguments->has_commas || i == 3)) {
            if (c != (arguments->has_commas ? ',' : '/'))
                return -1;
            token = css_next(rest);
        }
        const int is_none = token.type == CSS_IDENT && span_is(token.text, "none");
        if (token.type != CSS_NUMBER && token.type != CSS_PERCENT && token.type != CSS_DIMENSION &&
            !is_none)
            return -1;
        arguments->values[i] = token;
    }
    const struct css_token token = css_next(rest);
    return is_closing(&token) ? 0 : -1;
}

static double clamp(double value)
{
    return fmin(fmax(value, 0), 1);
}

/* The share of `whole` that a number, a percentage or "none" is, from 0 to 1. Returns 0, or -1 for
 * a unit, and for "none" between commas, which are older than it. */
static int share_parse(const struct arguments *arguments, int i, double whole, double *share)
{
    const struct css_token *value = &arguments->values[i];
    const int is_none = value->type == CSS_IDENT;
    if (value->type == CSS_DIMENSION || (is_none && arguments->has_commas))
        return -1;
    *share = is_none ? 0 : clamp(value->number / (value->type == CSS_PERCENT ? 100 : whole));
    return 0;
}

/* Between commas, all are numbers or all are percentages. */
static int rgb_parse(const struct arguments *arguments, float rgb[3])
{
    for (int i = 0; i < 3; i++) {
        double share;
        if (share_parse(arguments, i, 255, &share) != 0 ||
            (arguments->has_commas && arguments->values[i].type != arguments->values[0].type))
            return -1;
        rgb[i] = (float)share;
    }
    return 0;
}

/* Degrees from 0 to 360. Returns 0, or -1 if it is no angle. */
static int hue_parse(const struct arguments *arguments, double *degrees)
{
    static const struct {
        const char *name;
        double degrees, count; /* so many degrees are so many of the unit */
    } UNITS[] = {
        {"deg", 1, 1}, {"grad", 360, 400}, {"rad", 180, 3.14159265358979323846}, {"turn", 360, 1}};
    const struct css_token *hue = &arguments->values[0];
    size_t unit = 0;
    if (hue->type == CSS_PERCENT || (hue->type == CSS_IDENT && arguments->has_commas))
        return -1;
    while (hue->type == CSS_DIMENSION && unit < 4 && !span_is(hue->text, UNITS[unit].name))
        unit++;
    if (unit == 4)
        return -1;
    const double whole = 360 * UNITS[unit].count / UNITS[unit].degrees;
    *degrees = fmod(hue->number, whole) * UNITS[unit].degrees / UNITS[unit].count;
    *degrees += *degrees < 0 ? 360 : 0;
    return 0;
}

/* A component is l - a max(-1, min(k - 3, 9 - k, 1)) with a = s min(l, 1 - l) and
 * k = (n + hue / 30) mod 12, where n is 0 for red, 8 for green and 4 for blue. */
static int hsl_parse(const struct arguments *arguments, float rgb[3])
{
    double hue, saturation, lightness;
    if (hue_parse(arguments, &hue) != 0 || share_parse(arguments, 1, 100, &saturation) != 0 ||
        share_parse(arguments, 2, 100, &lightness) != 0)
        return -1;
    for (int i = 1; i < 3; i++)
        if (arguments->has_commas && arguments->values[i].type != CSS_PERCENT)
            return -1;
    const double a = saturation * fmin(lightness, 1 - lightness);
    for (int i = 0; i < 3; i++) {
        const double sum = (12 - 4 * i) % 12 + hue / 30;
        const double k = sum < 12 ? sum : sum - 12;
        rgb[i] = (float)(lightness - a * fmax(-1, fmin(fmin(k - 3, 9 - k), 1)));
    }
    return 0;
}

static int function_parse(struct span name, struct span *rest, struct css_color *color)
{
    struct arguments arguments;
    const int is_rgb = span_is(name, "rgb") || span_is(name, "rgba");
    if (!is_rgb && !span_is(name, "hsl") && !span_is(name, "hsla"))
        return -1;
    if (arguments_read(rest, &arguments) != 0)
        return -1;
    if (arguments.count == 4 && share_parse(&arguments, 3, 1, &color->alpha) != 0)
        return -1;
    return is_rgb ? rgb_parse(&arguments, color->rgb) : hsl_parse(&arguments, color->rgb);
}

enum css_result css_color_parse(struct span value, struct css_color *color)
{
    struct span rest = value;
    const struct css_token token = css_next(&rest);
    int rc = -1;
    *color = (struct css_color){.alpha = 1};
    if (token.type == CSS_HASH)
        rc = hex_parse(token.text, color);
    else if (token.type == CSS_IDENT)
        rc = name_parse(token.text, color);
    else if (token.type == CSS_FUNCTION)
        rc = function_parse(token.text, &rest, color);
    const int is_alone = css_next(&rest).type == CSS_END;
    if (rc == 0 && is_alone)
        return CSS_READ;
    if (is_alone && token.type == CSS_IDENT && span_is_one_of(token.text, SYSTEM))
        return CSS_UNSUPPORTED;
    return css_unread(value);
}

int color_parse(const char *text, float rgba[4])
{
    const struct span value = span_of(text);
    struct css_color color = {.alpha = 0};
    if (!span_is(css_keyword(value), "none") &&
        (css_color_parse(value, &color) != CSS_READ || color.is_current))
        return -1;
    for (int i = 0; i < 3; i++)
        rgba[i] = color.rgb[i];
    rgba[3] = (float)color.alpha;
    return 0;
}
