/* What CSS makes of circles in SVG files, by its specifications: css-syntax-3, css-cascade-5,
 * css-color-4, css-values-4 and SVG 2. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/tap.h"
#include "scenes/color.h"
#include "scenes/scene.h"

/* The circle stands in the third line, in a group of this look, and before one of radius 2. */
#define AROUND "<g fill='#00ff80' fill-opacity='.5' color='#8000ff'>"
#define OUTER 0, 1, 128 / 255.0f, .5f
#define FILE_START "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>\n" AROUND "\n"
#define FILE_END "</g>\n<circle r='2'/></svg>"
#define HIDDEN -1, -1, -1, -1
#define RED 1, 0, 0, .5f
#define BLUE 0, 0, 1, .5f

/* `warnings` are the lines of the third line, each with a line break. */
struct row {
    const char *attributes;
    float red, green, blue, alpha;
    const char *warnings;
};

/* The style of a row that has no attribute but it. */
struct style_row {
    const char *style;
    float red, green, blue, alpha;
    const char *warnings;
};

static void keep_line(void *context, const char *line)
{
    static const char WHERE[] = "'a.svg': line 3: ";
    char *lines = context;
    const size_t size = sizeof(WHERE) - 1;
    strcat(strcat(lines, strncmp(line, WHERE, size) == 0 ? line + size : line), "\n");
}

static int parse(const char *text, struct scene *scene, char *lines, struct error *error)
{
    const struct scene_warning warning = {keep_line, lines};
    lines[0] = error->text[0] = 0;
    return scene_parse(text, strlen(text), "a.svg", scene, &warning, error);
}

static int is_near(double a, double b)
{
    return fabs(a - b) <= 1e-6;
}

static void check_text(const char *what, const char *text, const struct row *row)
{
    static struct error error;
    struct scene scene;
    char lines[9000];
    const int is_drawn = row->alpha >= 0;
    int passed = parse(text, &scene, lines, &error) == 0 && scene.count == 1 + (size_t)is_drawn;
    const struct circle *c = scene.circles;
    if (passed && is_drawn)
        passed = is_near(c->red, row->red) && is_near(c->green, row->green) &&
                 is_near(c->blue, row->blue) && is_near(c->alpha, row->alpha);
    if (!tap_check(
            passed && strcmp(lines, row->warnings) == 0, "%.*s", (int)strcspn(what, "\n"), what)) {
        printf("# %s\n", error.text);
        if (c)
            printf(
                "# %zu circles, %g %g %g %g\n", scene.count, c->red, c->green, c->blue, c->alpha);
        for (const char *line = lines; *line; line = strchr(line, '\n') + 1)
            printf("# %.*s\n", (int)strcspn(line, "\n"), line);
    }
    scene_free(&scene);
}

static void check_row(const struct row *row)
{
    char text[4000];
    snprintf(text, sizeof(text), FILE_START "<circle r='50' %s/>" FILE_END, row->attributes);
    check_text(row->attributes, text, row);
}

static void check_styles(const struct style_row *rows, size_t count)
{
    char attributes[2000];
    for (size_t i = 0; i < count; i++) {
        const struct style_row *r = &rows[i];
        snprintf(attributes, sizeof(attributes), "style='%s'", r->style);
        check_row(&(struct row){attributes, r->red, r->green, r->blue, r->alpha, r->warnings});
    }
}

#define CHECK_STYLES(rows) check_styles(rows, sizeof(rows) / sizeof(rows[0]))
#define INVALID(name, value) name " '" value "' is ignored: CSS has no such value\n"
#define ESCAPES(what) what " is ignored: escapes are not read\n"
#define NO_DECLARATION(text) "style '" text "' is ignored: it is no declaration\n"

static void check_declarations(void)
{
    static const struct style_row ROWS[] = {{"fill:red", RED, ""}, {"fill:/*x*/red", RED, ""},
        {"fill/**/:red", RED, ""}, {"/*a*/fill:red/*b*/", RED, ""},
        {"fill:re/**/d", OUTER, INVALID("fill", "re/**/d")}, {"/* fill:blue; */fill:red", RED, ""},
        {"/**;fill:blue*/fill:red", RED, ""}, {"fill:red/* ;fill:blue", RED, ""},
        {"fill:red/*/;fill:blue/**/", RED, ""}, {"/*", OUTER, ""},
        {"/", OUTER, NO_DECLARATION("/")}, {"", OUTER, ""}, {" ; ;;", OUTER, ""},
        {";fill:red;;", RED, ""}, {" fill : red ", RED, ""}, {"fill:&#10;red&#9;", RED, ""},
        {"FILL:RED", RED, ""}, {"Fill-Opacity:1", 0, 1, 128 / 255.0f, 1, ""},
        {"fill:blue;fill:red", RED, ""}, {"fill:red;fill:blue", BLUE, ""},
        {"fill:red;fill:reds", RED, INVALID("fill", "reds")},
        {"fill:red;fill:", RED, INVALID("fill", "")},
        {"fill:red;fill:/**/", RED, INVALID("fill", "/**/")},
        {"fill:reds;fill:red", RED, INVALID("fill", "reds")},
        {"fill:red blue", OUTER, INVALID("fill", "red blue")},
        {"fill:\"red\"", OUTER, INVALID("fill", "\"red\"")},
        {"fill:red}", OUTER, INVALID("fill", "red}")},
        {"fill:red)", OUTER, INVALID("fill", "red)")},
        {"fill:!;fill:red", RED, INVALID("fill", "!")},

        {"fill:red !important;fill:blue", RED, ""}, {"fill:red!important;fill:blue", RED, ""},
        {"fill:red ! /**/ IMPORTANT ;fill:blue", RED, ""},
        {"fill:red !important;fill:blue !important", BLUE, ""},
        {"fill:blue;fill:red !important;fill:blue", RED, ""},
        {"fill:none !important;fill:red", HIDDEN, ""}, {"fill:none !important", HIDDEN, ""},
        {"fill:reds !important;fill:red", RED, INVALID("fill", "reds")},
        {"fill:blue;fill:red !importent", BLUE, INVALID("fill", "red !importent")},
        {"fill:blue;fill:red important", BLUE, INVALID("fill", "red important")},
        {"fill:blue;fill:red !important !important", BLUE, INVALID("fill", "red !important")},
        {"fill:blue;fill:red !important 5", BLUE, INVALID("fill", "red !important 5")},
        {"fill:blue;fill:!important", BLUE, INVALID("fill", "")},

        {"fill:red;x:\"a;fill:blue\"", RED, ""}, {"fill:red;x:(;fill:blue;)", RED, ""},
        {"fill:red;x:f(\")\";fill:blue;);opacity:.5", 1, 0, 0, .25f, ""},
        {"fill:red;x:[;fill:blue;];opacity:.5", 1, 0, 0, .25f, ""},
        {"fill:red;x:{;fill:blue;};opacity:.5", 1, 0, 0, .25f, ""},
        {"fill:red;x:({)};fill:blue)", RED, ""},
        {"fill:red;x:({)};fill:blue);});opacity:.5", 1, 0, 0, .25f, NO_DECLARATION("})")},
        {"fill:red;x:url(a;fill:blue);opacity:.5", 1, 0, 0, .25f, ""},
        {"fill:red;x:url(/*);opacity:.5", 1, 0, 0, .25f, ""},
        {"fill:red;x:url( \"a)\" ;fill:blue);opacity:.5", 1, 0, 0, .25f, ""},
        {"fill:red;x:\"\\\";fill:blue\";opacity:.5", 1, 0, 0, .25f, ""},
        {"fill:red;x:\"a;fill:blue", RED, ""}, {"fill:red;x:(;fill:blue", RED, ""},
        {"fill:red;x:\"a&#10;;fill:blue", BLUE, ""}, {"fill:red;x:);fill:blue", BLUE, ""},
        {"fill:red;x:/*\"*/;fill:blue", BLUE, ""},
        {"fill:red;font:12px \"a:b\", c:d;--x:{;}", RED, ""},
        {"fill:red;-a:;--b;opacity:.5", 1, 0, 0, .25f, NO_DECLARATION("--b")},

        {"oops;fill:red", RED, NO_DECLARATION("oops")},
        {"fill red;fill:red", RED, NO_DECLARATION("fill red")},
        {":red;fill:red", RED, NO_DECLARATION(":red")},
        {"fill:red;\"fill\":blue", RED, NO_DECLARATION("\"fill\":blue")},
        {"fill:red;(;fill:blue;) ;opacity:.5", 1, 0, 0, .25f, NO_DECLARATION("(;fill:blue;)")},
        {"fill:red;*fill:blue", RED, NO_DECLARATION("*fill:blue")},
        {"@a;fill:red", RED, NO_DECLARATION("@a")},
        {"@a{fill:blue} fill:red", RED, NO_DECLARATION("@a{fill:blue}")},
        {"{fill:blue};fill:red", RED, NO_DECLARATION("{fill:blue}")},
        {"fill:red;f\\69ll:blue;", RED, ESCAPES("style 'f\\69ll:blue'")},
        {"fill:blue;fill:r\\65 d", BLUE, ESCAPES("fill 'r\\65 d'")},
        {"fill:blue;fill:red\\;opacity:0", BLUE, ESCAPES("fill 'red\\;opacity:0'")},
        {"fill:red;x:\\28;opacity:.5", 1, 0, 0, .25f, ""},
        {"fill:red;\\", RED, NO_DECLARATION("\\")}};
    CHECK_STYLES(ROWS);
    char deep[400] = "fill:red;x:";
    for (int i = 0; i < 65; i++)
        strcat(deep, "(");
    strcat(deep, ";fill:blue");
    char warning[200];
    snprintf(
        warning, sizeof(warning), "style '%.79s' is ignored: it is no declaration\n", deep + 9);
    const struct style_row row = {deep, RED, warning};
    check_styles(&row, 1);
}

static void check_colors(void)
{
    static const struct style_row ROWS[] = {
        {"fill:aliceblue", 240 / 255.0f, 248 / 255.0f, 1, .5f, ""},
        {"fill:YellowGreen", 154 / 255.0f, 205 / 255.0f, 50 / 255.0f, .5f, ""},
        {"fill:rebeccapurple", .4f, .2f, .6f, .5f, ""},
        {"fill:gray", 128 / 255.0f, 128 / 255.0f, 128 / 255.0f, .5f, ""},
        {"fill:grey", 128 / 255.0f, 128 / 255.0f, 128 / 255.0f, .5f, ""},
        {"fill:green", 0, 128 / 255.0f, 0, .5f, ""},
        {"fill:tomato", 1, 99 / 255.0f, 71 / 255.0f, .5f, ""}, {"fill:magenta", 1, 0, 1, .5f, ""},
        {"fill:lightgoldenrodyellow", 250 / 255.0f, 250 / 255.0f, 210 / 255.0f, .5f, ""},
        {"fill:transparent", 0, 0, 0, 0, ""}, {"fill:redd", OUTER, INVALID("fill", "redd")},
        {"fill:none", HIDDEN, ""}, {"fill:NONE", HIDDEN, ""},
        {"fill:auto", OUTER, INVALID("fill", "auto")},

        {"fill:#f08", 1, 0, 136 / 255.0f, .5f, ""}, {"fill:#F08c", 1, 0, 136 / 255.0f, .4f, ""},
        {"fill:#ff0080", 1, 0, 128 / 255.0f, .5f, ""},
        {"fill:#ff008033", 1, 0, 128 / 255.0f, .1f, ""}, {"fill:#", OUTER, INVALID("fill", "#")},
        {"fill:#ff", OUTER, INVALID("fill", "#ff")},
        {"fill:#fffff", OUTER, INVALID("fill", "#fffff")},
        {"fill:#fffffff", OUTER, INVALID("fill", "#fffffff")},
        {"fill:#ggg", OUTER, INVALID("fill", "#ggg")},
        {"fill:# fff", OUTER, INVALID("fill", "# fff")},
        {"fill:#123456789", OUTER, INVALID("fill", "#123456789")},
        {"fill:fff", OUTER, INVALID("fill", "fff")},

        {"fill:rgb(255,0,51)", 1, 0, .2f, .5f, ""},
        {"fill:RGB( 255 , 0 , 51 )", 1, 0, .2f, .5f, ""},
        {"fill:rgb(100%,50%,0%)", 1, .5f, 0, .5f, ""}, {"fill:rgb(300,-5,51)", 1, 0, .2f, .5f, ""},
        {"fill:rgb(101%,-1%,20%)", 1, 0, .2f, .5f, ""},
        {"fill:rgb(1e999,-1e999,2.55e1)", 1, 0, .1f, .5f, ""},
        {"fill:rgb(127.5,0,0)", .5f, 0, 0, .5f, ""},
        {"fill:rgba(255,0,51,.5)", 1, 0, .2f, .25f, ""},
        {"fill:rgba(255,0,51,50%)", 1, 0, .2f, .25f, ""},
        {"fill:rgb(255,0,51,.5)", 1, 0, .2f, .25f, ""}, {"fill:rgba(255,0,51)", 1, 0, .2f, .5f, ""},
        {"fill:rgb(255,0,51,7)", 1, 0, .2f, .5f, ""}, {"fill:rgb(255,0,51,-7)", 1, 0, .2f, 0, ""},
        {"fill:rgb(255 0 51)", 1, 0, .2f, .5f, ""}, {"fill:rgb(255 0 51/.5)", 1, 0, .2f, .25f, ""},
        {"fill:rgb(255 0 51 / 50%)", 1, 0, .2f, .25f, ""},
        {"fill:rgb(100% 0 51)", 1, 0, .2f, .5f, ""},
        {"fill:rgb(none 255 none/none)", 0, 1, 0, 0, ""},
        {"fill:rgb(255/**/0/**/51)", 1, 0, .2f, .5f, ""},
        {"fill:rgb(255-5+51)", 1, 0, .2f, .5f, ""}, {"fill:rgb(255,0,51", 1, 0, .2f, .5f, ""},
        {"fill:rgb(255,0,51;opacity:.5", OUTER, INVALID("fill", "rgb(255,0,51;opacity:.5")},
        {"fill:rgb (255,0,51)", OUTER, INVALID("fill", "rgb (255,0,51)")},
        {"fill:rgb(255,0 51)", OUTER, INVALID("fill", "rgb(255,0 51)")},
        {"fill:rgb(255 0,51)", OUTER, INVALID("fill", "rgb(255 0,51)")},
        {"fill:rgb(255,0%,51)", OUTER, INVALID("fill", "rgb(255,0%,51)")},
        {"fill:rgb(none,0,0)", OUTER, INVALID("fill", "rgb(none,0,0)")},
        {"fill:rgb(1,2)", OUTER, INVALID("fill", "rgb(1,2)")},
        {"fill:rgb(1 2 3 4)", OUTER, INVALID("fill", "rgb(1 2 3 4)")},
        {"fill:rgb(1,2,3/4)", OUTER, INVALID("fill", "rgb(1,2,3/4)")},
        {"fill:rgb(1,2,3,4,5)", OUTER, INVALID("fill", "rgb(1,2,3,4,5)")},
        {"fill:rgb(1,2,3,)", OUTER, INVALID("fill", "rgb(1,2,3,)")},
        {"fill:rgb()", OUTER, INVALID("fill", "rgb()")},
        {"fill:rgb(,,)", OUTER, INVALID("fill", "rgb(,,)")},
        {"fill:rgb(1.,2,3)", OUTER, INVALID("fill", "rgb(1.,2,3)")},
        {"fill:rgb(1px,2,3)", OUTER, INVALID("fill", "rgb(1px,2,3)")},
        {"fill:rgb(0x5,2,3)", OUTER, INVALID("fill", "rgb(0x5,2,3)")},
        {"fill:rgb(1,2,3) red", OUTER, INVALID("fill", "rgb(1,2,3) red")},

        {"fill:hsl(0,100%,50%)", RED, ""}, {"fill:hsl(120,100%,50%)", 0, 1, 0, .5f, ""},
        {"fill:HSL(240deg,100%,50%)", BLUE, ""}, {"fill:hsl(.5turn,100%,50%)", 0, 1, 1, .5f, ""},
        {"fill:hsl(200grad,100%,50%)", 0, 1, 1, .5f, ""},
        {"fill:hsl(3.14159265359rad,100%,50%)", 0, 1, 1, .5f, ""},
        {"fill:hsl(-120,100%,50%)", BLUE, ""}, {"fill:hsl(600,100%,50%)", BLUE, ""},
        {"fill:hsl(-1e-30,100%,50%)", RED, ""}, {"fill:hsl(-2.5turn,100%,50%)", 0, 1, 1, .5f, ""},
        {"fill:hsl(30,60%,70%)", .88f, .7f, .52f, .5f, ""},
        {"fill:hsl(30 60% 70% / .5)", .88f, .7f, .52f, .25f, ""},
        {"fill:hsla(30,60%,70%,.5)", .88f, .7f, .52f, .25f, ""},
        {"fill:hsl(30 60 70)", .88f, .7f, .52f, .5f, ""},
        {"fill:hsl(210,40%,30%)", .18f, .3f, .42f, .5f, ""}, {"fill:hsl(0,140%,50%)", RED, ""},
        {"fill:hsl(0,-40%,25%)", .25f, .25f, .25f, .5f, ""},
        {"fill:hsl(77,30%,120%)", 1, 1, 1, .5f, ""}, {"fill:hsl(none 100% 50%)", RED, ""},
        {"fill:hsl(0,0%,none)", OUTER, INVALID("fill", "hsl(0,0%,none)")},
        {"fill:hsl(0,0,0)", OUTER, INVALID("fill", "hsl(0,0,0)")},
        {"fill:hsl(5%,0%,0%)", OUTER, INVALID("fill", "hsl(5%,0%,0%)")},
        {"fill:hsl(5px,0%,0%)", OUTER, INVALID("fill", "hsl(5px,0%,0%)")},
        {"fill:hsl(0x5,0%,0%)", OUTER, INVALID("fill", "hsl(0x5,0%,0%)")}};
    CHECK_STYLES(ROWS);
}

static void check_cascade(void)
{
    static const struct row ROWS[] = {{"fill='red'", RED, ""}, {"fill='RED'", RED, ""},
        {"fill='/*x*/red'", RED, ""}, {"fill=' red '", RED, ""},
        {"fill=''", OUTER, INVALID("fill", "")},
        {"fill='red !important'", OUTER, INVALID("fill", "red !important")},
        {"fill='red;'", OUTER, INVALID("fill", "red;")}, {"Fill='red'", OUTER, ""},
        {"fill='r\\65 d'", OUTER, ESCAPES("fill 'r\\65 d'")},
        {"fill='rgb(1,2'", OUTER, INVALID("fill", "rgb(1,2")}, {"fill='rgb(255,0,0'", RED, ""},
        {"fill='blue' style='fill:red'", RED, ""}, {"style='fill:red' fill='blue'", RED, ""},
        {"fill='red' style='fill:reds'", RED, INVALID("fill", "reds")},
        {"fill='url(#a)' style='fill:red'", RED, ""},
        {"style='fill:color(srgb 1 1 1);fill:red'", RED, ""},
        {"style='fill:red!important;fill:url(#a)'", RED, ""},
        {"fill='reds' style='fill:red'", RED, INVALID("fill", "reds")},

        {"fill='inherit'", OUTER, ""}, {"fill='red' style='fill:inherit'", OUTER, ""},
        {"fill='red' style='fill:Unset'", OUTER, ""}, {"fill='red' style='fill:revert'", OUTER, ""},
        {"fill='red' style='fill:blue;fill:revert-layer'", RED, ""},
        {"style='fill:revert-layer'", OUTER, ""}, {"fill='revert-layer'", OUTER, ""},
        {"fill='red' style='fill:/**/initial'", 0, 0, 0, .5f, ""},
        {"style='fill:inherit red'", OUTER, INVALID("fill", "inherit red")},
        {"style='fill:red;fill-opacity:inherit'", RED, ""},
        {"style='fill:red;fill-opacity:initial'", 1, 0, 0, 1, ""},
        {"opacity='.5' style='fill:red;opacity:inherit'", RED, ""},
        {"opacity='.5' style='fill:red;opacity:unset'", RED, ""},

        {"fill='currentColor'", 128 / 255.0f, 0, 1, .5f, ""},
        {"fill='CURRENTCOLOR' color='red'", RED, ""},
        {"style='fill:currentcolor;color:red'", RED, ""},
        {"style='color:#f008;fill:currentColor'", 1, 0, 0, 68 / 255.0f, ""},
        {"fill='currentColor' color='red' style='color:currentColor'", 128 / 255.0f, 0, 1, .5f, ""},
        {"fill='currentColor' color='initial'", 0, 0, 0, .5f, ""},
        {"fill='currentColor' color='inherit'", 128 / 255.0f, 0, 1, .5f, ""},
        {"fill='currentColor' color='none'", 128 / 255.0f, 0, 1, .5f, INVALID("color", "none")},

        {"fill='red' opacity='.5'", 1, 0, 0, .25f, ""},
        {"fill='red' opacity='50%'", 1, 0, 0, .25f, ""}, {"fill='red' opacity='1.5'", RED, ""},
        {"fill='red' opacity='-1'", 1, 0, 0, 0, ""}, {"fill='red' opacity='150%'", RED, ""},
        {"fill='red' fill-opacity='200%'", 1, 0, 0, 1, ""},
        {"fill='red' fill-opacity='.25' opacity='.5'", 1, 0, 0, .125f, ""},
        {"fill='#ff000080' fill-opacity='.5' opacity='.5'", 1, 0, 0, 32 / 255.0f, ""},
        {"style='fill:red;opacity:/**/+5e-1'", 1, 0, 0, .25f, ""},
        {"fill='red' opacity='half'", RED, INVALID("opacity", "half")},
        {"fill='red' opacity='1.'", RED, INVALID("opacity", "1.")},
        {"fill='red' opacity='.5px'", RED, INVALID("opacity", ".5px")},
        {"fill='red' opacity='.5 .5'", RED, INVALID("opacity", ".5 .5")},
        {"fill='red' opacity='5 %'", RED, INVALID("opacity", "5 %")},
        {"fill='red' fill-opacity=''", RED, INVALID("fill-opacity", "")},

        {"display='none'", HIDDEN, ""}, {"style='display:NONE'", HIDDEN, ""},
        {"display='none' style='display:block'", OUTER, ""},
        {"style='display:none;display:foo'", HIDDEN, INVALID("display", "foo")},
        {"style='display:none;display:inline flow'", OUTER, ""},
        {"style='display:none !important;display:inline'", HIDDEN, ""},
        {"display='none' style='display:initial'", OUTER, ""},
        {"display='none' style='display:inline none'", HIDDEN, INVALID("display", "inline none")},
        {"visibility='hidden'", HIDDEN, ""}, {"style='visibility:Collapse'", HIDDEN, ""},
        {"visibility='hidden' style='visibility:visible'", OUTER, ""},
        {"visibility='foo'", OUTER, INVALID("visibility", "foo")},
        {"visibility='hidden' style='visibility:initial'", OUTER, ""},

        {"stroke='none'", OUTER, ""}, {"stroke='inherit'", OUTER, ""},
        {"stroke='red'", OUTER, "stroke 'red' is left out: circles have no outline\n"},
        {"style='stroke:url(#a)'", OUTER,
            "stroke 'url(#a)' is left out: circles have no outline\n"},
        {"stroke='red' style='stroke:none'", OUTER, ""},
        {"style='stroke:none;stroke:foo'", OUTER, INVALID("stroke", "foo")},
        {"style='all:foo'", OUTER, INVALID("all", "foo")}, {"style='background:red'", OUTER, ""},
        {"mix-blend-mode='screen'", OUTER, ""},
        {"transform='' clip-path='none' mask='none' "
         "style='filter:none;mix-blend-mode:normal;transform:NONE'",
            OUTER, ""},
        {"style='transform:;filter:inherit'", OUTER, INVALID("transform", "")},
        {"class='a' id='b' xmlns:o='http://other/' o:fill='red' o:style='fill:red'", OUTER, ""}};
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++)
        check_row(&ROWS[i]);
}

static void check_groups(void)
{
    static const struct row ROWS[] = {
        {"<g style='fill:red'><a fill='inherit'><g style='color:blue'><circle r='50'/></g></a></g>",
            RED, ""},
        {"<g fill='currentColor' color='red'><circle r='50' color='blue'/></g>", BLUE, ""},
        {"<g fill='currentColor' color='red'><circle r='50' style='color:reds'/></g>", RED,
            INVALID("color", "reds")},
        {"<g fill='#f008'><circle r='50' fill-opacity='1'/></g>", 1, 0, 0, 136 / 255.0f, ""},
        {"<g style='fill:red !important'><circle r='50' fill='blue'/></g>", BLUE, ""},
        {"<g style='opacity:2;fill:red'><circle r='50'/></g>", RED, ""},
        {"<g fill='reds'><circle r='50'/></g>", OUTER, INVALID("fill", "reds")},
        {"<g fill='none'><circle r='50'/><circle r='50' fill='initial' fill-opacity='1'/></g>", 0,
            0, 0, 1, ""},
        {"<g style='display:none'><circle r='50' style='display:inline!important'/></g>", HIDDEN,
            ""},
        {"<g style='visibility:hidden'><circle r='50' style='visibility:inherit'/></g>", HIDDEN,
            ""},
        {"<g style='visibility:hidden'><circle r='50' style='visibility:visible'/></g>", OUTER, ""},
        {"<g stroke='red'><circle r='50'/></g>", OUTER,
            "stroke 'red' is left out: circles have no outline\n"},
        {"<g cx='x' r='-1' style='r:50px'><circle style='r:inherit'/></g>", OUTER, ""},
        {"<g style='r:50px'><circle/></g>", HIDDEN, ""},
        {"<circle r='50' class='a'/><style>.a{fill:red}</style>", OUTER,
            "a style sheet is left out; write its declarations in style attributes\n"},
        {"<circle r='50'/><defs><style/><x/></defs>", OUTER,
            "a style sheet is left out; write its declarations in style attributes\n"},
        {"<circle r='50'/><?xml-stylesheet href='a.css'?>", OUTER,
            "a style sheet is left out; write its declarations in style attributes\n"},
        {"<circle r='50'/><?php?>", OUTER, ""}};
    char text[1000];
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        snprintf(text, sizeof(text), FILE_START "%s" FILE_END, ROWS[i].attributes);
        check_text(ROWS[i].attributes, text, &ROWS[i]);
    }
    static const struct row ROOT = {
        "", 0, 0, 0, 1, "background '#123' is left out: the background is no circle\n"};
    check_text("a background",
        "\n\n<svg viewBox='0 0 9 9' style='background:#123;background-image:none'>"
        "<circle r='5'/><circle r='2'/></svg>",
        &ROOT);
}

/* A color that stands alone. */
static void check_words(void)
{
    static const struct {
        const char *text;
        float rgba[4];
    } ROWS[] = {{"#fff", {1, 1, 1, 1}}, {"#0f08", {0, 1, 0, 136 / 255.0f}},
        {"#336699", {.2f, .4f, .6f, 1}}, {"Navy", {0, 0, 128 / 255.0f, 1}},
        {" rgb( 255, 0,51 ) ", {1, 0, .2f, 1}}, {"rgb(100% 0 51 / 25%)", {1, 0, .2f, .25f}},
        {"hsl(240 100% 50%)", {0, 0, 1, 1}}, {"none", {0}}, {" NONE ", {0}}, {"transparent", {0}},
        {"#00000000", {0}}};
    static const char *const BAD[] = {"", " ", "#ff", "fff", "nil", "none none", "#fff none",
        "currentColor", "inherit", "Canvas", "rgb(1,2)", "lab(50 0 0)", "url(#a)", "1,1,1"};
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        float rgba[4];
        int passed = color_parse(ROWS[i].text, rgba) == 0;
        for (int j = 0; passed && j < 4; j++)
            passed = is_near(rgba[j], ROWS[i].rgba[j]);
        tap_check(passed, "color '%s'", ROWS[i].text);
    }
    for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++) {
        float rgba[4];
        tap_check(color_parse(BAD[i], rgba) != 0, "no color '%s'", BAD[i]);
    }
}

/* In an image of 96 x 96, where the circle is and how large. */
static void check_lengths(void)
{
    static const struct {
        const char *attributes;
        double x, y, r; /* pixels from the upper left corner */
        const char *warnings;
    } ROWS[] = {{"cx='24' cy='36.5' r='5'", 24, 36.5, 5, ""},
        {"cx='.25in' cy='2.54cm' r='25.4MM'", 24, 96, 96, ""},
        {"cx='101.6q' cy='36pt' r='3pc'", 96, 48, 48, ""}, {"r='1PX' cx=' /**/2e1 '", 20, 0, 1, ""},
        {"style='cx:24px;cy:1in;r:5px'", 24, 96, 5, ""},
        {"cx='1' r='2' style='cx:24px;r:5px'", 24, 0, 5, ""},
        {"r='5' style='cx:0;cy:-0'", 0, 0, 5, ""}, {"r='5' cx='7' style='cx:initial'", 0, 0, 5, ""},
        {"r='5' style='cx:24'", 0, 0, 5,
            "cx '24' is ignored: in a style, a length has a unit, such as px\n"},
        {"r='5' style='r:-1px'", 0, 0, 5, "r '-1px' is ignored: a radius is not negative\n"},
        {"r='5' style='r:-1'", 0, 0, 5,
            "r '-1' is ignored: in a style, a length has a unit, such as px\n"},
        {"r='5' style='cx:foo;cy:5 5;r:-1foo'", 0, 0, 5,
            "cx 'foo' is ignored: it is no length\n"
            "cy '5 5' is ignored: it is no length\n"
            "r '-1foo' is ignored: it is no length\n"},
        {"r='5' cx='5em' style='cx:24px'", 24, 0, 5, ""}};
    static struct error error;
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        struct scene scene;
        char text[400], lines[9000];
        snprintf(text, sizeof(text), "\n\n<svg viewBox='0 0 96 96'><circle %s/></svg>",
            ROWS[i].attributes);
        const int passed =
            parse(text, &scene, lines, &error) == 0 && is_near(scene.circles->x, ROWS[i].x / 96) &&
            is_near(scene.circles->y, 1 - ROWS[i].y / 96) &&
            is_near(scene.circles->r, ROWS[i].r / 96) && strcmp(lines, ROWS[i].warnings) == 0;
        if (!tap_check(passed, "%s", ROWS[i].attributes))
            printf("# %s %s\n", error.text, lines);
        scene_free(&scene);
    }
}

#define NOT_A_COLOR "is not supported; write #rrggbb, rgb(), hsl() or a name"
#define NOT_A_CIRCLE "is not supported; write the circles as they end up"

static void check_refused(void)
{
    static const struct {
        const char *attributes, *message;
    } ROWS[] = {{"fill='url(#a)'", "fill 'url(#a)' " NOT_A_COLOR},
        {"fill='red' style='fill:url(\"#a\") red'", "fill 'url(\"#a\") red' " NOT_A_COLOR},
        {"style='fill:URL(data:a;b,c)'", "fill 'URL(data:a;b,c)' " NOT_A_COLOR},
        {"fill='var(--a)'", "fill 'var(--a)' " NOT_A_COLOR},
        {"fill='red var(--a)'", "fill 'red var(--a)' " NOT_A_COLOR},
        {"fill='rgb(calc(5) 2 3)'", "fill 'rgb(calc(5) 2 3)' " NOT_A_COLOR},
        {"fill='rgb(from red r g b)'", "fill 'rgb(from red r g b)' " NOT_A_COLOR},
        {"fill='lab(50% 1 1)'", "fill 'lab(50% 1 1)' " NOT_A_COLOR},
        {"fill='hwb(1 2% 3%)'", "fill 'hwb(1 2% 3%)' " NOT_A_COLOR},
        {"style='fill:red;fill:color(srgb 1 1 1)'", "fill 'color(srgb 1 1 1)' " NOT_A_COLOR},
        {"fill='context-fill'", "fill 'context-fill' " NOT_A_COLOR},
        {"fill='CONTEXT-STROKE'", "fill 'CONTEXT-STROKE' " NOT_A_COLOR},
        {"fill='CanvasText'", "fill 'CanvasText' " NOT_A_COLOR},
        {"color='windowframe'", "color 'windowframe' " NOT_A_COLOR},
        {"opacity='calc(1)'", "opacity 'calc(1)' is not supported; write a number or a percentage"},
        {"style='fill-opacity:var(--a, 1)'",
            "fill-opacity 'var(--a, 1)' is not supported; write a number or a percentage"},
        {"display='contents'", "display 'contents' is not supported; write none or inline"},
        {"visibility='var(--a)'",
            "visibility 'var(--a)' is not supported; write visible or hidden"},
        {"transform='rotate(5)'", "transform 'rotate(5)' " NOT_A_CIRCLE},
        {"style='transform:rotate(5deg)'", "transform 'rotate(5deg)' " NOT_A_CIRCLE},
        {"style='clip-path:url(#a)'", "clip-path 'url(#a)' " NOT_A_CIRCLE},
        {"mask='url(#a)'", "mask 'url(#a)' " NOT_A_CIRCLE},
        {"style='filter:/**/blur(5px)'", "filter '/**/blur(5px)' " NOT_A_CIRCLE},
        {"style='mix-blend-mode:multiply'", "mix-blend-mode 'multiply' " NOT_A_CIRCLE},
        {"style='scale:2'", "scale '2' " NOT_A_CIRCLE},
        {"style='all:unset'", "all 'unset' is not supported; write each property"},
        {"style='all:var(--a)'", "all 'var(--a)' is not supported; write each property"},
        {"cx='5%'", "cx '5%' is not supported; write px, in, cm, mm, Q, pt or pc"},
        {"style='r:2rem'", "r '2rem' is not supported; write px, in, cm, mm, Q, pt or pc"},
        {"style='cy:calc(1px + 2px)'",
            "cy 'calc(1px + 2px)' is not supported; write px, in, cm, mm, Q, pt or pc"},
        {"cx='5.'", "cx '5.' is no length; write px, in, cm, mm, Q, pt or pc"},
        {"cx='1 2'", "cx '1 2' is no length; write px, in, cm, mm, Q, pt or pc"},
        {"cx='0x5'", "cx '0x5' is no length; write px, in, cm, mm, Q, pt or pc"}};
    static struct error error;
    char text[1000], lines[9000], expected[1000];
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        struct scene scene;
        snprintf(text, sizeof(text), FILE_START "<circle %s/>" FILE_END, ROWS[i].attributes);
        snprintf(
            expected, sizeof(expected), "cannot read scene 'a.svg': line 3: %s", ROWS[i].message);
        const int rc = parse(text, &scene, lines, &error);
        if (!tap_check(rc == ERROR_INPUT && !scene.circles && strcmp(error.text, expected) == 0 &&
                           !lines[0],
                "refused: %s", ROWS[i].attributes))
            printf("# it was: %s %s\n", error.text, lines);
    }
}

/* Ten warnings, the summary of other elements, and how many more there were. */
static void check_many_warnings(void)
{
    static struct error error;
    struct scene scene;
    for (int count = 10; count <= 12; count++) {
        char text[2000] = FILE_START, lines[9000], expected[2000] = "";
        for (int i = 0; i < count; i++) {
            strcat(text, "<circle fill='reds'/>");
            strcat(expected, i < 10 ? INVALID("fill", "reds") : "");
        }
        strcat(text, "<rect/>" FILE_END);
        strcat(
            expected, "here begin the elements that are no circles and are left out, 1 in all\n");
        if (count > 10)
            snprintf(expected + strlen(expected), 100, "'a.svg': %d more warnings are not shown\n",
                count - 10);
        tap_check(parse(text, &scene, lines, &error) == 0 && strcmp(lines, expected) == 0,
            "%d warnings", count);
        scene_free(&scene);
    }
    tap_check(scene_parse("<svg viewBox='0 0 1 1'><circle r='1' fill='x'/></svg>", 53, "a.svg",
                  &scene, NULL, &error) == 0,
        "without anyone to warn %s", error.text);
    scene_free(&scene);
}

int main(void)
{
    check_declarations();
    check_colors();
    check_words();
    check_cascade();
    check_groups();
    check_lengths();
    check_refused();
    check_many_warnings();
    return tap_finish();
}
