/* SVG scenes whose circles are read plainly and in pieces: the same as by the parser alone, which
 * reads all of a file that begins with declarations. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "random.h"
#include "scenes/pieces.h"

#define DECLARATIONS "<!DOCTYPE svg [<!ENTITY e ''>]>"
#define MAX ((size_t)1 << 22) /* bytes of a file */

static const int THREADS[] = {1, 2, 3, 7};
enum { WAYS = sizeof(THREADS) / sizeof(THREADS[0]) };

struct text {
    char *bytes;
    size_t size;
    uint64_t random;
    int circles;
};

/* What comes of a file. */
struct outcome {
    int rc;
    struct error error;
    struct scene scene;
    char lines[9000]; /* warnings */
};

static void keep_line(void *context, const char *line)
{
    strcat(strcat(context, line), "\n");
}

static void parse(const struct text *text, struct outcome *outcome)
{
    const struct scene_warning warning = {keep_line, outcome->lines};
    outcome->lines[0] = outcome->error.text[0] = 0;
    outcome->rc =
        scene_parse(text->bytes, text->size, "a.svg", &outcome->scene, &warning, &outcome->error);
}

static int are_same(const struct outcome *a, const struct outcome *b)
{
    const struct scene *x = &a->scene, *y = &b->scene;
    return a->rc == b->rc && strcmp(a->error.text, b->error.text) == 0 &&
           strcmp(a->lines, b->lines) == 0 && x->count == y->count && x->width == y->width &&
           x->height == y->height && x->transmittance == y->transmittance &&
           memcmp(x->background, y->background, sizeof(x->background)) == 0 &&
           (x->count == 0 || memcmp(x->circles, y->circles, x->count * sizeof(*x->circles)) == 0);
}

/* The text behind a beginning that leaves it all to the parser. */
static struct text with_declarations(const struct text *text)
{
    const size_t added = sizeof(DECLARATIONS) - 1;
    struct text all = {malloc(added + text->size), added + text->size, 0, 0};
    memcpy(all.bytes, DECLARATIONS, added);
    memcpy(all.bytes + added, text->bytes, text->size);
    return all;
}

/* Whether both ways agree; `kinds` counts files that are read without a warning, with some, and
 * refused ones. */
static int both_agree(const struct text *text, int kinds[3])
{
    static struct outcome plain, parsed;
    struct text all = with_declarations(text);
    parse(text, &plain);
    parse(&all, &parsed);
    const int same = are_same(&plain, &parsed);
    if (!same)
        printf("# %d circles, not %d: %s %s\n# not %s %s\n", (int)plain.scene.count,
            (int)parsed.scene.count, plain.error.text, plain.lines, parsed.error.text,
            parsed.lines);
    kinds[parsed.rc ? 2 : parsed.lines[0] ? 1 : 0]++;
    scene_free(&plain.scene);
    scene_free(&parsed.scene);
    free(all.bytes);
    return same;
}

static size_t pick(struct text *text, size_t count)
{
    return (size_t)(random_bits(&text->random) % count);
}

static void append(struct text *text, const char *words)
{
    const size_t size = strlen(words);
    if (text->size + size > MAX)
        abort();
    memcpy(text->bytes + text->size, words, size);
    text->size += size;
}

#define PICK(text, list) (list)[pick(text, sizeof(list) / sizeof((list)[0]))]

/* One that differs from all others. */
static void append_circle(struct text *text, const char *attributes, const char *end)
{
    static const char *const BLANKS[] = {" ", " ", "  ", "\n", "\t", " \r\n "};
    char words[1500];
    snprintf(words, sizeof(words), "<circle%scx='%d.25' cy=\"%de-1\"%sr='%d'%s%s",
        PICK(text, BLANKS), text->circles, text->circles * 3, PICK(text, BLANKS), text->circles % 9,
        attributes, end);
    text->circles++;
    append(text, words);
}

/* What is read by the parser, or of which there is something to say, or that is wrong: the last
 * ones only in some files. */
static const char *const ODD[] = {" fill='&#35;f00'", " fill='r&#x65;d'", " id='\xc3\xa4'",
    " xmlns:x='http://x/'", " xmlns='http://x/'", " fill = 'red'", " style='fill:\nred'",
    " title='a>b'", " fill='reds'", " stroke='red'", " style='fill:reds;q'", " style='r:9'",
    " x:fill='red'", " id='\xff'", " d='<'", " cx='0'", " r='-1'", " transform='scale(2)'",
    " fill='url(#a)'", "fill='red'", " fill='red", " fill", " style='cx:1e30px'"};
enum { ODD_COUNT = sizeof(ODD) / sizeof(ODD[0]), WRONG = 11 };

static const char *const ODD_ENDS[] = {"><title/></circle>", "> </circle>", "></circle >",
    "><!-- <circle r='1'/> --></circle>", "><circle r='1'/></circle>"};

/* Between circles. Those of which the last are wrong, or leave something open. */
static const char *const ODD_ITEMS[] = {"<!-- <circle r='1'/> <circle r='2'/> -->",
    "<?a <circle r='1'/> <circle r='2'/> ?>", "<defs><circle r='1'/> <circle r='1'/> </defs>",
    "<path d='M1 1'/>", "text", "\xc3\xa4", "&lt;", "]", "\r", "\r\r\n", "<g/>",
    "<style><![CDATA[ <circle r='1'/> <circle r='2'/> ]]></style>",
    "<![CDATA[ <circle r='1'/> <circle r='2'/> ]]>", "<circle/>", "<circles r='1'/>",
    "<svg:circle xmlns:svg='http://www.w3.org/2000/svg' r='4'/>",
    "<g xmlns='http://www.w3.org/2000/svg'><circle r='2'/> </g>",
    "<g xmlns='http://other/'><circle r='1'/> </g>", "<g xmlns=''><circle r='1'/> </g>",
    "<rect width='9999' height='9999' fill='red'/>",
    ("<s:g xmlns:s='http://www.w3.org/2000/svg' xmlns='http://other/'>"
     "<circle r='1'/> <circle r='1'/> </s:g>"),
    "<g opacity='.5'>", "<g fill='#123'>", "</g>", "]]>", "<!-- ", "<circle r='1'", "</svg>", "&x;",
    "<", "\x01", "<circle r='1' r='2'/>", "<![CDATA["};
enum { ITEM_COUNT = sizeof(ODD_ITEMS) / sizeof(ODD_ITEMS[0]), WRONG_ITEMS = 12 };

static void append_plain(struct text *text)
{
    static const char *const LOOKS[] = {"", " fill='#1f8040'", " fill=\"rgb(10%,20%,30%)\"",
        " fill='red' fill-opacity='.5'", " style='fill:#0f8;opacity:25%'", " class='a' id='b'",
        " fill='none'", " opacity='0.75' color='blue' fill='currentColor'", " visibility='hidden'",
        " fill='RED '", " data-x.y=''"};
    static const char *const ENDS[] = {
        "/>", "/>", "/>", " />", "></circle>", "\n/>", "\r\n></circle>"};
    static const char *const BETWEEN[] = {"", "\n", "\n", "\n\n", "\r\n", " \t\n"};
    append_circle(text, PICK(text, LOOKS), PICK(text, ENDS));
    append(text, PICK(text, BETWEEN));
}

/* Of about as many attributes, and as long ones, as are read plainly. */
static void append_large(struct text *text)
{
    char words[1500];
    size_t size = 0;
    for (size_t i = 0, count = 11 + pick(text, 5); i < count; i++)
        size += (size_t)sprintf(words + size, " a%zu=''", i);
    sprintf(words + size, " z='%0*d'", pick(text, 2) ? 1 : 880 + (int)pick(text, 200), 0);
    append_circle(text, words, "/>");
}

static void append_odd(struct text *text, int may_be_wrong)
{
    const size_t odd = pick(text, ODD_COUNT - (may_be_wrong ? 0 : WRONG));
    const size_t item = pick(text, ITEM_COUNT - (may_be_wrong ? 0 : WRONG_ITEMS));
    switch (pick(text, 4)) {
    case 0:
        append_circle(text, ODD[odd], "/>");
        break;
    case 1:
        append_circle(text, "", PICK(text, ODD_ENDS));
        break;
    case 2:
        append_large(text);
        break;
    default:
        append(text, ODD_ITEMS[item]);
    }
    if (pick(text, 2))
        append(text, "\n");
}

static struct text text_start(char *bytes, uint64_t seed)
{
    static const char *const ROOTS[] = {"<svg viewBox='0 0 100 50'>\n",
        "\n<svg xmlns='http://www.w3.org/2000/svg' fill='blue' width='9' height='9px'>",
        "<s:svg xmlns:s='http://www.w3.org/2000/svg' viewBox='1,2,3,4'>\r\n"};
    struct text text = {bytes, 0, seed, 0};
    append(&text, PICK(&text, ROOTS));
    return text;
}

static void append_end(struct text *text)
{
    append(text, text->bytes[1] == 's' && text->bytes[2] == ':' ? "</s:svg>" : "</svg>\n");
}

/* Short files of circles, groups and odd things. */
static void check_short(char *bytes)
{
    int kinds[3] = {0}, passed = 1;
    for (uint64_t seed = 0; seed < 20000 && passed; seed++) {
        struct text text = text_start(bytes, seed);
        const int may_be_wrong = pick(&text, 4) == 0;
        const size_t items = pick(&text, 30), often = 1 + pick(&text, 8);
        int depth = 0;
        for (size_t i = 0; i < items; i++) {
            if (pick(&text, often) > 0) {
                append_plain(&text);
            } else if (pick(&text, 4) > 0) {
                append_odd(&text, may_be_wrong);
            } else if (depth > 0 && pick(&text, 2)) {
                append(&text, "</g>");
                depth--;
            } else {
                append(&text, pick(&text, 2) ? "<g fill='lime'>\n" : "<g style='fill:#00f8'>");
                depth++;
            }
        }
        for (; depth > 0; depth--)
            append(&text, "</g>");
        if (pick(&text, 20))
            append_end(&text);
        passed = both_agree(&text, kinds);
        if (!passed)
            printf("# seed %d:\n%.*s\n", (int)seed, (int)text.size, bytes);
    }
    tap_check(passed && kinds[0] > 1000 && kinds[1] > 1000 && kinds[2] > 1000,
        "%d short files, %d with warnings and %d that are refused", kinds[0], kinds[1], kinds[2]);
}

/* Long runs of circles with one odd thing, mostly where a piece begins, and maybe one behind. */
static void check_long(char *bytes)
{
    enum { FILES = 120 };
    int kinds[3] = {0}, passed = 1;
    for (uint64_t seed = 0; seed < FILES && passed; seed++) {
        struct text text = text_start(bytes, seed);
        size_t odd_at = text.size + (2 + pick(&text, 8)) * PIECE_TEXT + pick(&text, 1200);
        const size_t end = odd_at + PIECE_TEXT * pick(&text, 5) + pick(&text, PIECE_TEXT);
        omp_set_num_threads(THREADS[seed % WAYS]);
        append(&text, "<g fill='teal'>\n");
        while (text.size < end) {
            if (text.size >= odd_at) {
                append_odd(&text, seed % 2 == 0);
                odd_at = pick(&text, 2) ? end : text.size + pick(&text, 2 * PIECE_TEXT);
            }
            append_plain(&text);
        }
        append(&text, "</g>");
        append_end(&text);
        passed = both_agree(&text, kinds);
        if (!passed)
            printf("# seed %d, %d threads\n", (int)seed, THREADS[seed % WAYS]);
    }
    tap_check(passed && kinds[0] > 5 && kinds[1] > 5 && kinds[2] > 5,
        "%d long files, %d with warnings and %d that are refused", kinds[0], kinds[1], kinds[2]);
}

/* The end of a part for the parser falls behind characters that a plain circle follows but for its
 * first one. */
static void check_part(char *bytes)
{
    int kinds[3] = {0}, passed = 1;
    for (size_t i = 0; i < 40; i++) {
        struct text text = {bytes, 0, 0, 0};
        append(&text, "<svg viewBox='0 0 9 9'>");
        memset(bytes + text.size, ' ', MAX - text.size);
        text.size = ((size_t)1 << 20) - 20 + i;
        append(&text, "-circle r='1'/> <circle r='2'/> <path/></svg>");
        passed &= both_agree(&text, kinds);
    }
    tap_check(passed && kinds[1] == 40, "what is no element where a part ends");
}

static void check_count(const char *what, const char *words, size_t size, size_t count)
{
    struct error error = {""};
    struct scene scene;
    const int rc = scene_parse(words, size, "a.svg", &scene, NULL, &error);
    tap_check(rc == 0 && scene.count == count, "%s: %zu circles %s", what, count, error.text);
    scene_free(&scene);
}

/* Attributes that the file declares are those of plain circles, too; characters of two bytes that
 * look like a circle as single ones are text. */
static void check_declared(char *bytes)
{
    static const char DECLARED[] = "<!DOCTYPE svg [<!ATTLIST circle r CDATA '5'>]>"
                                   "<svg viewBox='0 0 9 9'><circle/><circle cx='1'/> <g/></svg>";
    static const char WIDE[] = "<svg viewBox='0 0 9 9'>*<circle r='1'/></svg>";
    static const char HIDDEN[] = "<circle r='1'/><circle r='2'/> <";
    size_t size = 0;
    check_count("a declared radius", DECLARED, sizeof(DECLARED) - 1, 2);
    bytes[size++] = '\xff';
    bytes[size++] = '\xfe';
    for (const char *c = WIDE; *c; c++) {
        if (*c == '*') {
            memcpy(bytes + size, HIDDEN, sizeof(HIDDEN) - 1);
            size += sizeof(HIDDEN) - 1;
        } else {
            bytes[size++] = *c;
            bytes[size++] = 0;
        }
    }
    check_count("UTF-16", bytes, size, 1);
}

int main(void)
{
    char *bytes = malloc(MAX);
    check_short(bytes);
    check_long(bytes);
    check_part(bytes);
    check_declared(bytes);
    free(bytes);
    return tap_finish();
}
