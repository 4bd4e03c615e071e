/* Patch files: every kind, groups, what is refused, and the samples. */
#include "scenes/patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"

#define REAL_FILES "../shared/patches/" /* foreign files, where they are */

static char folder[] = "/tmp/test_patches.XXXXXX";

/* Copies the text, so that a sanitizer sees what is read beyond it. */
static int parse(
    const char *text, size_t size, const char *name, struct patches *patches, struct error *error)
{
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    error->text[0] = 0;
    const int rc = patches_parse(copy, size, name, patches, error);
    free(copy);
    return rc;
}

/* Text that must be read, or nothing can be looked at. */
static struct patches read_text(const char *name, const char *text)
{
    struct error error;
    struct patches patches;
    if (!tap_check(parse(text, strlen(text), name, &patches, &error) == 0, "%s is read %s", name,
            error.text))
        exit(1);
    return patches;
}

/* Tells -0 from 0. */
static int same_bits(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static int is_control(
    const struct patches *patches, size_t number, double x, double y, double z, double w)
{
    const double expected[4] = {x, y, z, w};
    return number < patches->control_count &&
           same_bits(patches->controls[number], expected, sizeof(expected));
}

/* Writes the numbers from 1 on. */
static void write_numbers(char *text, int count)
{
    for (int i = 1; i <= count; i++)
        text += sprintf(text, i % 7 ? " %d" : "\n%d", i);
}

struct kind_case {
    enum patch_kind kind;
    const char *name, *header;
    int degrees[4]; /* u, v and those of normals */
    int points, normals;
};

/* A bilinear patch, then one of that kind. */
static void check_kind(const struct kind_case *c)
{
    const int size = c->kind == KIND_RATIONAL || c->kind == KIND_RATIONAL_TRIANGLE ? 4 : 3;
    char text[4000], *end = text + sprintf(text, "4 1 .5 -.17 1e-008 -0 0 1 +2 2E2 1 1 1 1.\n");
    end += sprintf(end, "%d\n%s\n", c->kind, c->header);
    write_numbers(end, size * (c->points + c->normals));
    struct patches patches = read_text("a.bv", text);
    const struct patch *p = &patches.patches[1];
    tap_check(patches.count == 2 && p->kind == c->kind && p->degree_u == c->degrees[0] &&
                  p->degree_v == c->degrees[1] && p->normal_degree_u == c->degrees[2] &&
                  p->normal_degree_v == c->degrees[3] && p->group == 0 && p->face_count == 0,
        "kind %d: its degrees", c->kind);
    int passed = p->control == 4 && p->control_count == (size_t)c->points &&
                 p->normal == (size_t)(c->normals ? 4 + c->points : 0) &&
                 patches.control_count == 4 + (size_t)c->points + (size_t)c->normals;
    for (int i = 0; i < c->points + c->normals; i++) {
        const int first = size * i + 1;
        passed &= is_control(
            &patches, 4 + (size_t)i, first, first + 1, first + 2, size == 4 ? first + 3 : 1);
    }
    tap_check(passed, "kind %d: its points", c->kind);
    tap_check(is_control(&patches, 0, .5, -.17, 1e-8, 1) &&
                  is_control(&patches, 1, -0.0, 0, 1, 1) && is_control(&patches, 2, 2, 200, 1, 1),
        "kind %d: the points of the patch before it", c->kind);
    tap_check(strcmp(patch_kind_name(c->kind), c->name) == 0, "kind %d: %s", c->kind, c->name);
    tap_check(patch_is_rational(p) == (size == 4) &&
                  patch_is_triangle(p) == (strstr(c->name, "triangle") != NULL),
        "kind %d: rational, triangle", c->kind);
    patches_free(&patches);
}

static void check_kinds(void)
{
    static const struct kind_case CASES[] = {
        {KIND_TRIANGLE, "triangle", "3", {3, 3}, 10, 0},
        {KIND_SQUARE, "tensor product of one degree", "2", {2, 2}, 9, 0},
        {KIND_TENSOR, "tensor product", "1 3", {1, 3}, 8, 0},
        {KIND_TENSOR, "tensor product", "100 1", {100, 1}, 202, 0},
        {KIND_RATIONAL, "rational tensor product", "2 1", {2, 1}, 6, 0},
        {KIND_PN_TRIANGLE, "PN triangle", "3 2", {3, 3, 2, 2}, 10, 6},
        {KIND_PN_TENSOR, "PN tensor product", "3 2 1 4", {3, 2, 1, 4}, 12, 10},
        {KIND_RATIONAL_TRIANGLE, "rational triangle", "2", {2, 2}, 6, 0},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++)
        check_kind(&CASES[i]);
}

static int is_faces(const struct patches *patches, const uint32_t *expected, size_t count)
{
    return patches->face_count == count &&
           memcmp(patches->faces, expected, count * sizeof(*expected)) == 0;
}

static void check_polyhedra(void)
{
    struct patches patches =
        read_text("a.bv", "1 4 2  0 0 0 1 0 0 1 1 0 0 1 0  4 0 1 2 3  3 3 2 1\n"
                          "1\n3\n1\n5 5 5 6 6 6 7 7 7\n3 2 1 0\n");
    const struct patch *p = patches.patches;
    tap_check(patches.count == 2 && p[0].kind == KIND_POLYHEDRON && p[0].control_count == 4 &&
                  p[0].face == 0 && p[0].face_count == 2 && p[1].control == 4 &&
                  p[1].control_count == 3 && p[1].face == 9 && p[1].face_count == 1,
        "two polyhedra");
    tap_check(is_faces(&patches, (const uint32_t[]){4, 0, 1, 2, 3, 3, 3, 2, 1, 3, 2, 1, 0}, 13) &&
                  is_control(&patches, 6, 7, 7, 7, 1),
        "their faces and vertices");
    tap_check(strcmp(patch_kind_name(KIND_POLYHEDRON), "polyhedron") == 0 &&
                  !patch_is_rational(&p[0]) && !patch_is_triangle(&p[0]),
        "a polyhedron's name");
    patches_free(&patches);
}

#define LINE " 1 1 0 0 0 1 0 0 0 1 0 1 1 0\n" /* a bilinear patch behind its kind, 5 */

static int is_group(const struct patches *patches, int number, const char *name, int color)
{
    return number < patches->group_count && strcmp(patches->groups[number].name, name) == 0 &&
           patches->groups[number].color == color;
}

static void check_groups(void)
{
    struct patches patches =
        read_text("a.bv", "\xef\xbb\xbf"
                          "5" LINE "group 2 two words \t\r\n5" LINE "GROUP\t7 seven\n5" LINE
                          "5" LINE "Group 3   two words\n5" LINE "gRoUp 1\n5" LINE "group 4 end");
    static const int GROUPS[] = {0, 1, 2, 2, 1, 0};
    tap_check(patches.group_count == 4 && is_group(&patches, 0, "", 1) &&
                  is_group(&patches, 1, "two words", 3) && is_group(&patches, 2, "seven", 7) &&
                  is_group(&patches, 3, "end", 4),
        "names up to the line's end; the last color holds");
    int passed = patches.count == 6;
    for (size_t i = 0; passed && i < 6; i++)
        passed &= patches.patches[i].group == GROUPS[i];
    tap_check(passed, "a group holds until the next; its name opens it again");
    patches_free(&patches);

    enum { COUNT = 20000 };
    char *text = malloc(COUNT * 64), *end = text;
    for (int i = 0; i < COUNT; i++)
        end += sprintf(end, "group %d g%d\n5" LINE, i, i % (COUNT / 2));
    patches = read_text("a.bv", text);
    passed = patches.count == COUNT && patches.group_count == COUNT / 2 + 1;
    for (int i = 0; passed && i < COUNT; i++)
        passed &= patches.patches[i].group == i % (COUNT / 2) + 1;
    tap_check(passed, "%d groups, each opened twice", COUNT / 2);
    patches_free(&patches);
    free(text);
}

static void check_bpt(void)
{
    struct patches patches = read_text("a.BPT", "2\n1 2\n1 2 3\n4 5 6\n7 8 9\n10 11 12\n13 14 15\n"
                                                "16 17 18\n1 1\n0 0 0 1 0 0 0 1 0 1 1 0\n");
    const struct patch *p = patches.patches;
    tap_check(patches.count == 2 && p[0].kind == KIND_TENSOR && p[0].degree_u == 1 &&
                  p[0].degree_v == 2 && p[1].control == 6 && p[1].degree_v == 1 &&
                  is_control(&patches, 2, 7, 8, 9, 1) && patches.control_count == 10,
        "two patches of a .bpt file");
    patches_free(&patches);
}

static void check_obj_surfaces(void)
{
    struct patches patches = read_text("a.obj",
        "# vertices\nv 1 0 0\nv 2 0 0 2\nv 3 0 0 4\nv 4 0 0\nv 5 0 0 .5\nv 6 0 0 .1 .2 .3\nvn 0 0 "
        "1\n"
        "cstype bezier # plain\ndeg 2 1\nsurf 0 1 0 1 1 2 3 \\\n 4/1 5/2/3\\\r\n 6//4\n"
        "parm u 0 1\nparm v 0 1\nend\n"
        "g two words\ncstype rat bezier\ndeg 1 2\nsurf 0.0 1.0 0.0 1.0 -6 -5 -4 -3 -2 -1\nend");
    const struct patch *p = patches.patches;
    tap_check(patches.count == 2 && p[0].kind == KIND_TENSOR && p[0].degree_u == 2 &&
                  p[0].degree_v == 1 && p[1].kind == KIND_RATIONAL && p[1].degree_u == 1 &&
                  p[1].degree_v == 2 && p[1].control == 6 && p[1].control_count == 6,
        "two surfaces of an .obj file");
    static const double PLAIN[] = {1, 4, 2, 5, 3, 6};
    static const double RATIONAL[][2] = {{1, 1}, {12, 4}, {2.5, .5}, {4, 2}, {4, 1}, {6, 1}};
    int passed = patches.control_count == 12;
    for (size_t i = 0; i < 6; i++)
        passed &= is_control(&patches, i, PLAIN[i], 0, 0, 1) &&
                  is_control(&patches, 6 + i, RATIONAL[i][0], 0, 0, RATIONAL[i][1]);
    tap_check(passed, "u runs fastest there; places are multiplied by their weights");
    tap_check(patches.group_count == 2 && is_group(&patches, 1, "two words", 1) &&
                  p[0].group == 0 && p[1].group == 1,
        "its group");
    patches_free(&patches);
}

static void check_obj_polygons(void)
{
    struct patches patches = read_text("a.obj",
        "o box\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 3 2\nusemtl red\nv 0 1 0\nf 1/1 -2/2 4/3\n"
        "g other\nf 4 3 2 1\ncstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 2 4 3\nf 2 3 4\no box\nf 1 2 "
        "3\n");
    const struct patch *p = patches.patches;
    static const uint32_t FACES[] = {3, 0, 1, 2, 3, 0, 1, 3, 4, 0, 1, 2, 3, 3, 0, 1, 2, 3, 0, 1, 2};
    tap_check(patches.count == 5 && p[0].kind == KIND_POLYHEDRON && p[0].control_count == 4 &&
                  p[0].face_count == 2 && p[1].control == 4 && p[1].control_count == 4 &&
                  p[1].face == 8 && p[2].kind == KIND_TENSOR && p[3].control == 12 &&
                  p[3].group == 2 && p[4].group == 1,
        "polygons in a row make a polyhedron");
    tap_check(is_faces(&patches, FACES, sizeof(FACES) / sizeof(FACES[0])) &&
                  is_control(&patches, 1, 1, 1, 0, 1) && is_control(&patches, 3, 0, 1, 0, 1),
        "with the vertices that they use");
    patches_free(&patches);
}

/* What is said of a name with no extension that is known. */
static struct words_text ask_for_extension(void)
{
    const struct words extensions = patch_extensions();
    struct words_text text;
    snprintf(text.text, sizeof(text.text), "name a file that ends in %.200s",
        words_join(&extensions, " or ").text);
    return text;
}

static void check_refused(const char *name, const char *text, size_t size, const char *reason)
{
    struct error error;
    struct patches patches;
    char expected[600];
    snprintf(expected, sizeof(expected), "cannot read patches '%s': %s", name, reason);
    const int rc = parse(text, size, name, &patches, &error);
    tap_check(rc == ERROR_INPUT && strcmp(error.text, expected) == 0 && !patches.patches &&
                  !patches.groups,
        "%s: %s", name, reason);
    if (strcmp(error.text, expected) != 0)
        printf("# %s\n", error.text);
    patches_free(&patches);
}

#define KINDS " is none of 1 to 11"
#define CUBE "1\n4 1\n0 0 0 1 0 0 1 1 0 0 1 0\n"

static void check_binary(const char *name, const char *text, size_t size, int byte)
{
    char expected[100];
    struct error error = {""};
    struct patches patches;
    snprintf(expected, sizeof(expected), "cannot read '%s': byte %d is zero; this is no text", name,
        byte);
    tap_check(parse(text, size, name, &patches, &error) == ERROR_INPUT && !patches.patches &&
                  strcmp(error.text, expected) == 0,
        "%s: %s", name, error.text);
}

static void check_refusals(void)
{
    static const struct {
        const char *name, *text, *reason;
    } CASES[] = {
        {"a.bv", "", "it has no patches"},
        {"a.bv", " \n\n", "it has no patches"},
        {"a.bv", "group 1 a\ngroup 2 b\n", "it has no patches"},
        {"a.bv", "0", "line 1: kind '0'" KINDS},
        {"a.bv", "12", "line 1: kind '12'" KINDS},
        {"a.bv", "5.0", "line 1: kind '5.0'" KINDS},
        {"a.bv", "5" LINE "0.5\n", "line 2: kind '0.5'" KINDS},
        {"a.bv", "groups 1 a\n", "line 1: kind 'groups'" KINDS},
        {"a.bv", "5", "line 1: the file ends before surface 1 is complete"},
        {"a.bv", "5\n1\n", "line 2: the file ends before surface 1 is complete"},
        {"a.bv", "5" LINE "5 1 1 0 0 0\n1 2\n\n",
            "line 3: the file ends before surface 2 is complete"},
        {"a.bv", "4 1 0 0 0 1 0 0\n0 1 0 group 1 a\n",
            "line 2: a group starts before surface 1 is complete"},
        {"a.bv", "4 1000\n", "line 1: degree '1000' is not a whole number from 1 to 100"},
        {"a.bv", "4 0\n", "line 1: degree '0' is not a whole number from 1 to 100"},
        {"a.bv", "4 101\n", "line 1: degree '101' is not a whole number from 1 to 100"},
        {"a.bv", "5\n3\n-3\n", "line 3: degree '-3' is not a whole number from 1 to 100"},
        {"a.bv", "3 2.0\n", "line 1: degree '2.0' is not a whole number from 1 to 100"},
        {"a.bv", "9 3 0", "line 1: degree '0' is not a whole number from 1 to 100"},
        {"a.bv", "10 3 3 2 99999999999999999999",
            "line 1: degree '99999999999999999999' is not a whole number from 1 to 100"},
        {"a.bv", "4 1 0 0 0x1", "line 1: '0x1' is no number"},
        {"a.bv", "4 1 0\n1.5e", "line 2: '1.5e' is no number"},
        {"a.bv", "4 1 0\n1,5", "line 2: '1,5' is no number"},
        {"a.bv", "4 1\nabc\x01", "line 2: 'abc?' is no number"},
        {"a.bv", "4 1\n\nnan", "line 3: 'nan' is no number"},
        {"a.bv", "4 1 -inf", "line 1: '-inf' is no number"},
        {"a.bv", "4 1 -1e31", "line 1: -1e31 is not from -1e+30 to 1e+30"},
        {"a.bv", "4 1 1e999", "line 1: 1e999 is not from -1e+30 to 1e+30"},
        {"a.bv", "8 1 1 0 0 0 1\n0 0 0 0", "line 2: weight 0 is not from 1e-30 to 1e+30"},
        {"a.bv", "11 1 0 0 0\n-1", "line 2: weight -1 is not from 1e-30 to 1e+30"},
        {"a.bv", "11 1 0 0 0 1e-31", "line 1: weight 1e-31 is not from 1e-30 to 1e+30"},
        {"a.bv", "11 1 0 1e10 0 1e-21",
            "line 1: 1e+31 with weight 1e-21 is not from -1e+30 to 1e+30"},
        {"a.bv", "1 2 1",
            "line 1: number of vertices '2' is not a whole number from 3 to 2147483647"},
        {"a.bv", "1 3 0", "line 1: number of faces '0' is not a whole number from 1 to 2147483647"},
        {"a.bv", "1 2147483647 2147483647 0 0 0",
            "line 1: the file ends before surface 1 is complete"},
        {"a.bv", "1 10000000000 1",
            "line 1: number of vertices '10000000000' is not a whole number from 3 to 2147483647"},
        {"a.bv", CUBE "3 0 1 4", "line 4: vertex '4' is not a whole number from 0 to 3"},
        {"a.bv", CUBE "3 0 1 -1", "line 4: vertex '-1' is not a whole number from 0 to 3"},
        {"a.bv", CUBE "2 0 1",
            "line 4: number of a face's vertices '2' is not a whole number from 3 to 2147483647"},
        {"a.bv", CUBE "2000000000 0 1 2", "line 4: the file ends before surface 1 is complete"},
        {"a.bv", "\ngroup",
            "line 2: color of a group '' is not a whole number from 0 to 2147483647"},
        {"a.bv", "group\n1 a",
            "line 1: color of a group '' is not a whole number from 0 to 2147483647"},
        {"a.bv", "group red a",
            "line 1: color of a group 'red' is not a whole number from 0 to 2147483647"},
        {"a.bpt", "", "line 1: number of patches '' is not a whole number from 1 to 1000000"},
        {"a.bpt", "0", "line 1: number of patches '0' is not a whole number from 1 to 1000000"},
        {"a.bpt", "1000001",
            "line 1: number of patches '1000001' is not a whole number from 1 to 1000000"},
        {"a.bpt", "2\n" LINE, "line 2: the file ends before surface 2 is complete"},
        {"a.bpt", "1\n" LINE "7", "line 3: '7' after the last patch"},
        {"a.bpt", "1\n3 101", "line 2: degree '101' is not a whole number from 1 to 100"},
        {"a.obj", "v 0 0 0\n", "it has no patches"},
        {"a.obj", "v 0 0\n", "line 1: a number is missing"},
        {"a.obj", "# v\n\nv 0 \\\n x 0", "line 4: 'x' is no number"},
        {"a.obj", "v 0 0 0 nan", "line 1: 'nan' is no number"},
        {"a.obj", "cstype cardinal",
            "line 1: cstype 'cardinal' is not supported; bezier and bspline are"},
        {"a.obj", "cstype rat", "line 1: cstype '' is not supported; bezier and bspline are"},
        {"a.obj", "deg 3 0", "line 1: degree '0' is not a whole number from 1 to 100"},
        {"a.obj", "deg 3 3\nsurf 0 1 0 1 1",
            "line 2: surf without cstype and deg of two degrees before it"},
        {"a.obj", "cstype bezier\ndeg 3 3\ndeg 3\nsurf 0 1 0 1 1",
            "line 4: surf without cstype and deg of two degrees before it"},
        {"a.obj", "v 0 0 0\ncstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 1 1",
            "line 4: surf with 3 control points; its degrees take 4"},
        {"a.obj", "v 0 0 0\ncstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 1 1 1 1",
            "line 4: surf with more than the 4 control points of one patch"},
        {"a.obj", "v 0 0 0\ncstype bezier\ndeg 1 1\nsurf 0 1 0 1 1 1 1 2",
            "line 4: vertex '2' is not a whole number from 1 to 1"},
        {"a.obj", "v 0 0 0\ncstype bezier\ndeg 1 1\nsurf 0 1 0 a", "line 4: 'a' is no number"},
        {"a.obj", "v 0 0 0\nv 1 0 0 0\ncstype rat bezier\ndeg 1 1\nsurf 0 1 0 1 1 1 1 2",
            "line 5: weight 0 is not from 1e-30 to 1e+30"},
        {"a.obj", "trim 0 1 1", "it has no patches"},
        {"a.obj", "v 0 0 0\nf 1 1", "line 2: a face of 2 vertices"},
        {"a.obj", "v 0 0 0\nf 1 1 0", "line 2: vertex '0' is not a whole number from 1 to 1"},
        {"a.obj", "v 0 0 0\nf 1 1 -2", "line 2: vertex '2' is not a whole number from 1 to 1"},
        {"a.obj", "v 0 0 0\nf 1 1 /", "line 2: vertex '' is not a whole number from 1 to 1"},
    };
    for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++)
        check_refused(CASES[i].name, CASES[i].text, strlen(CASES[i].text), CASES[i].reason);
    check_refused("a.txt", "5" LINE, strlen("5" LINE), ask_for_extension().text);
    check_refused("bv", "5" LINE, strlen("5" LINE), ask_for_extension().text);
    check_binary("a.bv", "4 1 0\0 1", 8, 6);
    check_binary("a.bv", "\0", 1, 1);
    check_binary("a.obj", "f\0", 2, 2);
}

static void check_limit(void)
{
    static const char PATCH[] = "3 1 0 0 0 0 0 0 0 0 0\n";
    const size_t size = sizeof(PATCH) - 1;
    char *text = malloc((PATCHES_MAX_COUNT + 1) * size);
    for (size_t i = 0; i <= PATCHES_MAX_COUNT; i++)
        memcpy(text + i * size, PATCH, size);
    struct error error;
    struct patches patches;
    tap_check(parse(text, PATCHES_MAX_COUNT * size, "a.bv", &patches, &error) == 0 &&
                  patches.count == PATCHES_MAX_COUNT,
        "%d patches", PATCHES_MAX_COUNT);
    patches_free(&patches);
    check_refused(
        "a.bv", text, (PATCHES_MAX_COUNT + 1) * size, "line 1000001: more than 1000000 patches");
    free(text);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

static void check_no_file(const char *path, const char *fault, const char *reason)
{
    struct error error;
    struct patches patches;
    char expected[200];
    snprintf(expected, sizeof(expected), "cannot %s '%s': %s", fault, path, reason);
    tap_check(patches_read(path, NULL, &patches, &error) == ERROR_INPUT &&
                  strcmp(error.text, expected) == 0 && !patches.patches,
        "%s: %s", path, reason);
}

static void check_reading(void)
{
    static char blanks[(1 << 18) + 1];
    char path[64];
    struct error error = {""};
    struct patches patches;
    snprintf(path, sizeof(path), "%s/a.bv", folder);
    check_no_file(path, "open", "No such file or directory");
    if (mkdir(path, 0700) != 0)
        abort();
    check_no_file(path, "read", "it is a folder; name a file in it");
    rmdir(path);
    write_file(path, "5");
    if (truncate(path, 1 << 30) != 0) /* holes take no room */
        abort();
    check_no_file(path, "read", "byte 2 is zero; this is no text");
    memset(blanks, ' ', sizeof(blanks) - 1);
    write_file(path, blanks); /* more than is looked at before the rest is read */
    if (truncate(path, 1 << 30) != 0)
        abort();
    check_no_file(path, "read", "it has 1 GiB or more");
    check_no_file("a.csv", "read patches", ask_for_extension().text);
    write_file(path, "5" LINE);
    tap_check(patches_read(path, NULL, &patches, &error) == 0 && patches.count == 1, "a file %s",
        error.text);
    patches_free(&patches);
    if (!freopen(path, "rb", stdin))
        abort();
    tap_check(patches_read("-", NULL, &patches, &error) == 0 && patches.count == 1,
        "standard input is .bv %s", error.text);
    patches_free(&patches);
    unlink(path);
}

static void check_real_files(void)
{
    static const struct {
        const char *name;
        size_t count, controls;
        int groups;
    } FILES[] = {{"blog_cube2.bv", 54, 54 * 16, 2}, {"kind11_tet2.bv", 24, 24 * 6, 1},
        {"kind1_cube.bv", 1, 8, 1}, {"kind3_icosa260.bv", 260, 260 * 15, 1},
        {"kind3_tri1.bv", 3, 30, 1}, {"kind4_teapot_groups.bv", 32, 32 * 16, 7},
        {"kind5_hex.bv", 6, 54, 1}, {"kind8_sphere.bv", 24, 24 * 25, 1},
        {"kind8_torus.bv", 8, 96, 1}, {"kind9_male_head.bv", 359, 359 * 16, 1},
        {"mixed_twg2.bv", 288, 0, 1}, {"newell_teacup.bv", 26, 26 * 16, 2},
        {"newell_teapot.bv", 32, 32 * 16, 2}, {"newell_teaspoon.bv", 16, 16 * 16, 2}};
    if (access(REAL_FILES, F_OK) != 0)
        return;
    for (size_t i = 0; i < sizeof(FILES) / sizeof(FILES[0]); i++) {
        char path[100];
        struct error error = {""};
        struct patches patches;
        snprintf(path, sizeof(path), REAL_FILES "%s", FILES[i].name);
        tap_check(patches_read(path, NULL, &patches, &error) == 0 &&
                      patches.count == FILES[i].count &&
                      (!FILES[i].controls || patches.control_count == FILES[i].controls) &&
                      patches.group_count == FILES[i].groups,
            "%s: %zu patches %s", FILES[i].name, FILES[i].count, error.text);
        patches_free(&patches);
    }
}

static struct patches read_sample(const char *name, size_t count)
{
    char path[64];
    struct error error = {""};
    struct patches patches;
    snprintf(path, sizeof(path), "scenes/samples/%s.bv", name);
    tap_check(patches_read(path, NULL, &patches, &error) == 0 && patches.count == count,
        "%s: %zu patches %s", name, count, error.text);
    return patches;
}

/* The point of a patch of degree 2 x 2. */
static void quadratic_at(const double (*controls)[4], double u, double v, double point[3])
{
    const double a[3] = {(1 - u) * (1 - u), 2 * u * (1 - u), u * u};
    const double b[3] = {(1 - v) * (1 - v), 2 * v * (1 - v), v * v};
    double sum[4] = {0};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 4; j++)
            sum[j] += a[i / 3] * b[i % 3] * controls[i][j];
    for (int j = 0; j < 3; j++)
        point[j] = sum[j] / sum[3];
}

/* How far at most points are from the tube around a ring, which is a sphere where the ring is 0. */
static double tube_distance(const struct patches *patches, double ring, double radius)
{
    double most = 0;
    for (size_t i = 0; i < patches->count; i++)
        for (int step = 0; step < 100; step++) {
            const int row = step / 10, column = step % 10;
            double p[3];
            quadratic_at((const double(*)[4])patches->controls + patches->patches[i].control,
                row / 9.0, column / 9.0, p);
            const double across = hypot(p[0], p[1]) - ring;
            most = fmax(most, fabs(hypot(across, p[2]) - radius));
        }
    return most;
}

/* Control point k of a side of a square patch: sides 0 and 1 are the first and last row. */
static const double *side_point(
    const struct patches *patches, const struct patch *patch, int side, int k)
{
    const int n = patch->degree_u, end = side % 2 ? n : 0;
    const int place = side < 2 ? end * (n + 1) + k : k * (n + 1) + end;
    return patches->controls[patch->control + (size_t)place];
}

static int sides_agree(const struct patches *patches, const struct patch *a, int side_a,
    const struct patch *b, int side_b)
{
    int agree = 1;
    for (int k = 0; k <= a->degree_u; k++)
        agree &= same_bits(side_point(patches, a, side_a, k), side_point(patches, b, side_b, k),
            4 * sizeof(double));
    return agree;
}

static int is_collapsed(const struct patches *patches, const struct patch *patch, int side)
{
    int collapsed = 1;
    for (int k = 1; k <= patch->degree_u; k++) {
        const double *first = side_point(patches, patch, side, 0);
        const double *other = side_point(patches, patch, side, k);
        for (int j = 0; j < 3; j++)
            collapsed &= other[j] / other[3] == first[j] / first[3];
    }
    return collapsed;
}

/* Sides that are no point and have not the control points of exactly one other side. */
static int boundary_edges(const struct patches *patches)
{
    int open = 0;
    for (size_t i = 0; i < patches->count; i++)
        for (int side = 0; side < 4; side++) {
            int partners = 0;
            for (size_t j = 0; j < patches->count; j++)
                for (int other = 0; other < 4; other++)
                    partners +=
                        (i != j || side != other) && sides_agree(patches, &patches->patches[i],
                                                         side, &patches->patches[j], other);
            open += partners != 1 && !is_collapsed(patches, &patches->patches[i], side);
        }
    return open;
}

static void check_samples(void)
{
    static const enum patch_kind KINDS_IN_ORDER[] = {KIND_POLYHEDRON, KIND_TRIANGLE, KIND_SQUARE,
        KIND_TENSOR, KIND_RATIONAL, KIND_PN_TRIANGLE, KIND_PN_TENSOR, KIND_RATIONAL_TRIANGLE};
    struct patches patches = read_sample("torus", 16);
    tap_check(tube_distance(&patches, 1, .4) < 1e-14, "torus: exact");
    tap_check(boundary_edges(&patches) == 0, "torus: closed");
    patches_free(&patches);

    patches = read_sample("sphere", 8);
    tap_check(tube_distance(&patches, 0, 1) < 1e-14, "sphere: exact");
    tap_check(boundary_edges(&patches) == 0, "sphere: closed");
    patches_free(&patches);

    patches = read_sample("goblet", 36);
    tap_check(boundary_edges(&patches) == 0, "goblet: closed");
    tap_check(patches.group_count == 4 && is_group(&patches, 3, "bowl", 2), "goblet: its groups");
    patches_free(&patches);

    patches = read_sample("wave", 1);
    tap_check(
        patches.patches[0].degree_u == 11 && patches.patches[0].degree_v == 11, "wave: degree 11");
    patches_free(&patches);

    patches = read_sample("kinds", 8);
    int passed = patches.group_count == 9;
    for (int i = 0; passed && i < 8; i++)
        passed &= patches.patches[i].kind == KINDS_IN_ORDER[i] &&
                  patches.patches[i].group == i + 1 &&
                  is_group(&patches, i + 1, patch_kind_name(KINDS_IN_ORDER[i]), i);
    tap_check(passed, "kinds: one of each, in a group of its name");
    patches_free(&patches);
}

/* Stops a file that has been read while it is parsed, which reports from 0 on again. */
struct watch {
    double last; /* share */
    int is_read;
};

static int stop_parsing(void *context, double share)
{
    struct watch *watch = context;
    watch->is_read |= share < watch->last;
    watch->last = share;
    return watch->is_read && share > 0;
}

static void check_stop(const char *extension, const char *head, const char *statement)
{
    struct watch watch = {0};
    const struct progress progress = {stop_parsing, &watch};
    struct error error = {""};
    struct patches patches;
    char path[64];
    snprintf(path, sizeof(path), "%s/a%s", folder, extension);
    FILE *file = fopen(path, "wb");
    if (!file || fputs(head, file) < 0)
        abort();
    for (int i = 0; i < 10000; i++)
        fputs(statement, file);
    if (fclose(file) != 0)
        abort();
    const int rc = patches_read(path, &progress, &patches, &error);
    tap_check(rc == ERROR_STOPPED && !patches.patches && strcmp(error.text, "stopped") == 0,
        "parsing %s is stopped", extension);
    unlink(path);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    check_kinds();
    check_polyhedra();
    check_groups();
    check_bpt();
    check_obj_surfaces();
    check_obj_polygons();
    check_refusals();
    check_limit();
    check_reading();
    check_real_files();
    check_samples();
    check_stop(".bv", "", "5" LINE);
    check_stop(".bv", "5" LINE, "group 0 a\n");
    check_stop(".bpt", "10000\n", LINE);
    check_stop(".obj", "", "v 0 0 0\n");
    tap_check(rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
