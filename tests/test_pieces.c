/* Scenes that threads make, sort and read together: the same as by one thread, and as by sequential
 * code. */
#include "scenes/pieces.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/tap.h"
#include "random.h"

static const int THREADS[] = {1, 2, 3, 7};
enum { WAYS = sizeof(THREADS) / sizeof(THREADS[0]) };

/* FNV-1a of words. */
static uint64_t checksum(const struct scene *scene)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < scene->count; i++) {
        uint32_t words[FIELDS];
        memcpy(words, &scene->circles[i], sizeof(words));
        for (int k = 0; k < FIELDS; k++)
            sum = (sum ^ words[k]) * 1099511628211u;
    }
    return sum;
}

/* What a sequential program made of the seeds 5 and 77. */
static void check_named(void)
{
    static const struct {
        const char *name;
        uint64_t sums[2];
    } MADE[] = {
        {"rgb", {0x7da82d7adeed0674, 0x7da82d7adeed0674}},
        {"rgby", {0x8cc1fe6d4c075568, 0x8cc1fe6d4c075568}},
        {"seed10k", {0xb11e81db7f852eeb, 0x395fc0ea3862c262}},
        {"seed100k", {0xf72f0e76e4f0a641, 0x78e1cd9a2e97efe1}},
        {"rand10k", {0x15233939d644292a, 0x18466bd05c994703}},
        {"rand100k", {0x8929bf8a923ed1d8, 0x52a8a30fe661c695}},
        {"rand1M", {0xd2b910c443a3d4b4, 0xb6485ed5e1b34fab}},
        {"micro2M", {0x2e93bc08e405425a, 0xd2b7af79a5a68865}},
        {"biglittle", {0x174936d15f380ab2, 0x4250a963a677271d}},
        {"littlebig", {0x605b767b87eb642c, 0xfe9d0453ddeec4f3}},
        {"pattern", {0x0155b58db97531c5, 0x0155b58db97531c5}},
        {"snow", {0xb6888afba63f30b9, 0xb5a6d0b8a6f7c189}},
        {"bouncingballs", {0xbc5d5c08f09dc91f, 0x63a6448bf969f9dd}},
        {"hypnosis", {0x915257fdc177703f, 0xddfa49d9ff06af70}},
        {"fireworks", {0x4f0613cbf5b9a7d8, 0x1fc4552638ada1ab}},
        {"tenmillion", {0x4a38221cc5599270, 0x8b6e5b89cba78e5a}},
    };
    for (size_t i = 0; i < sizeof(MADE) / sizeof(MADE[0]); i++)
        for (int k = 0; k < WAYS; k++) {
            struct error error = {""};
            struct scene scene;
            const int seed = k % 2 ? 77 : 5;
            omp_set_num_threads(THREADS[k]);
            const int rc = scene_make(scene_find(MADE[i].name), (uint64_t)seed, &scene, &error);
            tap_check(rc == 0 && checksum(&scene) == MADE[i].sums[k % 2],
                "%s, seed %d, made by %d threads", MADE[i].name, seed, THREADS[k]);
            scene_free(&scene);
        }
}

/* Each x is a place; two circles of equal depth are in the order of their places. */
static int farther(const void *a, const void *b)
{
    const struct circle *one = a, *other = b;
    if (one->z != other->z)
        return one->z > other->z ? -1 : 1;
    return one->x < other->x ? -1 : 1;
}

static void check_sort(void)
{
    enum { COUNT = 300000 };
    static struct circle circles[COUNT], sorted[COUNT];
    uint64_t random = 8;
    for (int i = 0; i < COUNT; i++) {
        const int z = (int)(random_bits(&random) % 2001) - 1000;
        circles[i] = (struct circle){.x = (float)i, .z = z == 1 ? -0.0f : (float)z / 7};
    }
    memcpy(sorted, circles, sizeof(sorted));
    qsort(sorted, COUNT, sizeof(*sorted), farther);
    for (int k = 0; k < WAYS; k++) {
        struct error error = {""};
        struct scene scene;
        omp_set_num_threads(THREADS[k]);
        const int rc = scene_of_circles(circles, COUNT, &scene, &error);
        tap_check(rc == 0 && memcmp(scene.circles, sorted, sizeof(sorted)) == 0,
            "sorted by %d threads, equal depths as they were", THREADS[k]);
        scene_free(&scene);
    }
}

/* Whether number_scan finds the float that strtod leads to, or nothing where the text is not plain,
 * whatever follows. */
static int scans_like_strtod(const char *text, const char *tail, int is_plain)
{
    char both[200], *end;
    const float wanted = (float)strtod(text, &end);
    float number = 0;
    snprintf(both, sizeof(both), "%s%s", text, tail);
    const char *at = both;
    const int found = number_scan(&at, both + strlen(both), &number);
    return found == is_plain &&
           (!found || (memcmp(&number, &wanted, sizeof(wanted)) == 0 && at - both == end - text));
}

static int same_number(const char *text, int is_plain)
{
    static const char *const TAILS[] = {"", ",", ",12345678901234", ":01234567890123456789012345",
        "/\xff\xb0\xba\x80\x3a\x2f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"};
    const struct span span = {text, text + strlen(text)};
    char *end;
    const double exact = strtod(text, &end), whole = span_number(span);
    int same =
        end == span.end && end > text ? memcmp(&whole, &exact, sizeof(exact)) == 0 : isnan(whole);
    for (size_t i = 0; i < sizeof(TAILS) / sizeof(TAILS[0]); i++)
        same &= scans_like_strtod(text, TAILS[i], is_plain);
    if (!same)
        tap_check(0, "'%s' is read as %.17g, and is %.17g", text, whole, exact);
    return same;
}

static const char *const PLAIN[] = {"0", "-0", "0.0", "-0.0e5", "1", "-1", "0.5", "1e5", "1E+5",
    "1e-5", "16777217", "16777217.00000000000000000000001", "16777218.99999999999", "16777219",
    "0.500000029802322387695312", "0.5000000298023223876953125", "0.50000002980232238769531251",
    "9007199254740993", "9007199254740992.5", "18446744073709551615", "18446744073709551616",
    "99999999999999999999", "1e22", "1e23", "1e-22", "1e-23", "12345678901234567e22",
    "3.4028235677973365e38", "3.4028235677973366e38", "1e39", "1e999", "1e-999", "1e-45",
    "7.0064923216240853e-46", "7.0064923216240854e-46", "1.17549435e-38", "1.1754943157898259e-38",
    "0.000000000000000000000000000000000000011754942807573643", "0e99999999999999999999",
    "1e0000000000000000005", "1e-18446744073709551617", "0.00000000000000000000000000000000001e35",
    "1234567890123456789012345678901234567890"};
static const char *const OTHERS[] = {"", "-", "+1", ".5", "1.", "-.5", "01", "00", "-01", "1e",
    "1e+", "1.e5", "1e-", "e5", "--1", "5.e", "1ee"};

/* A number just below, at, or just above the middle between two floats, or any. */
static void number_make(char *text, size_t size, uint64_t *random)
{
    const float low =
        (float)(random_bits(random) >> 40) * (random_bits(random) & 1 ? 0x1p-24f : 0x1p20f);
    const double middle = ((double)low + (double)nextafterf(low, INFINITY)) / 2;
    const int digits = 14 + (int)(random_bits(random) % 6);
    if (random_bits(random) % 2)
        snprintf(text, size, "%.*g", digits, middle);
    else
        snprintf(text, size, "%llu%se%d",
            (unsigned long long)(random_bits(random) >> random_bits(random) % 64),
            random_bits(random) & 1 ? ".25" : "", (int)(random_bits(random) % 60) - 30);
}

static void check_numbers(void)
{
    uint64_t random = 4;
    int passed = 1;
    for (size_t i = 0; i < sizeof(PLAIN) / sizeof(PLAIN[0]); i++)
        passed &= same_number(PLAIN[i], 1);
    for (size_t i = 0; i < sizeof(OTHERS) / sizeof(OTHERS[0]); i++)
        passed &= same_number(OTHERS[i], 0);
    tap_check(passed, "odd numbers as strtod reads them");
    for (int i = 0; i < 1000000 && passed; i++) {
        char text[64];
        number_make(text, sizeof(text), &random);
        passed &= same_number(text, 1);
    }
    tap_check(passed, "a million random numbers as strtod reads them");
}

/* A long text: `at` are where its lines begin, the first of which is 1. */
struct text {
    char *bytes;
    size_t size, *at;
};

enum { LINES = 240000, LINE = 200 }; /* bytes, at most; together more than PIECES_TEXT */

/* Circle i has x = i and y = 2 i, and is the line i + 2. The lines have different lengths, so that
 * pieces begin anywhere in them. */
static struct text text_make(int is_json, const char *line_end)
{
    struct text text = {
        malloc((size_t)(LINES + 2) * LINE), 0, malloc((LINES + 3) * sizeof(size_t))};
    uint64_t random = 6;
    char *to = text.bytes;
    to += sprintf(to, is_json ? "[%s" : "x,y,r,red,green,blue%s", line_end);
    for (int i = 0; i < LINES; i++) {
        const int blanks = (int)(random_bits(&random) % 120);
        text.at[i + 2] = (size_t)(to - text.bytes);
        to += sprintf(to,
            is_json ? "{\"x\":%d,\"y\":%d,\"r\":1,\"red\":0,\"green\":0,\"blue\":0%*s}%s%s"
                    : "%d,%d,1,0,0,0%*s%s%s",
            i, 2 * i, blanks, "", is_json && i + 1 < LINES ? "," : "", line_end);
    }
    text.at[LINES + 2] = (size_t)(to - text.bytes);
    to += sprintf(to, is_json ? "]" : "");
    text.size = (size_t)(to - text.bytes);
    return text;
}

static void text_free(struct text *text)
{
    free(text->bytes);
    free(text->at);
}

static int parse(const struct text *text, int is_json, struct scene *scene, struct error *error)
{
    return scene_parse(text->bytes, text->size, is_json ? "a.json" : "a.csv", scene, NULL, error);
}

/* All circles in their order, but for one that is left out. */
static int is_whole(const struct scene *scene, size_t left_out)
{
    int whole = scene->count == LINES - (left_out < LINES);
    for (size_t i = 0; whole && i < scene->count; i++) {
        const struct circle *c = &scene->circles[i];
        const float place = (float)(i + (i >= left_out));
        whole = c->x == place && c->y == 2 * place && c->r == 1 && c->z == 0 && c->alpha == .5f;
    }
    return whole;
}

enum { MAX_TRIED = 200 };

/* Which lines to try: the first and the last, and those around every twentieth that begins a piece
 * and around the end of what is read in one go. Returns how many. */
static int lines_choose(const struct text *text, int lines[MAX_TRIED])
{
    size_t from = text->at[2];
    int count = 0, borders = 0;
    lines[count++] = 2;
    for (int line = 3; line < LINES && count < MAX_TRIED - 4; line++) {
        const int is_border = text->at[line] > from + PIECE_TEXT;
        const int is_end = text->at[line - 1] <= PIECES_TEXT && text->at[line] > PIECES_TEXT;
        from = is_border ? text->at[line] : from;
        if ((is_border && borders++ % 20 == 0) || is_end)
            for (int i = -1; i <= 1; i++)
                lines[count++] = line + i;
    }
    lines[count++] = LINES;
    lines[count++] = LINES + 1;
    return count;
}

/* These words in place of a line. */
static void line_replace(struct text *text, int line, const char *words)
{
    memset(text->bytes + text->at[line], ' ', text->at[line + 1] - text->at[line] - 1);
    memcpy(text->bytes + text->at[line], words, strlen(words));
}

static int fails_with(const struct text *text, int is_json, int line, const char *reason)
{
    struct error error = {""};
    struct scene scene;
    char wanted[200];
    snprintf(wanted, sizeof(wanted), "cannot read scene '%s': line %d: %s",
        is_json ? "a.json" : "a.csv", line, reason);
    const int failed = parse(text, is_json, &scene, &error) == ERROR_INPUT && !scene.circles;
    const int same = failed && strcmp(error.text, wanted) == 0;
    if (!same)
        tap_check(0, "'%s', not '%s'", error.text, wanted);
    return same;
}

/* What is wrong in a line is told of it, also where a later line is wrong too. */
static void check_fault(int is_json, const char *fault, const char *reason)
{
    struct text text = text_make(is_json, "\n");
    char *kept = malloc(text.size);
    int lines[MAX_TRIED], passed = 1;
    const int count = lines_choose(&text, lines);
    memcpy(kept, text.bytes, text.size);
    for (int i = 0; i < count && passed; i++) {
        omp_set_num_threads(THREADS[i % WAYS]);
        line_replace(&text, LINES + 1, i % 2 ? "1,2," : "");
        line_replace(&text, lines[i], fault);
        passed = fails_with(&text, is_json, lines[i], reason);
        memcpy(text.bytes, kept, text.size);
    }
    tap_check(passed && count > 20, "%s: %s, in one of %d lines", is_json ? "JSON" : "CSV", reason,
        count);
    free(kept);
    text_free(&text);
}

/* Other lines are read as ever where one has no circle, or one that is not written plainly. */
static void check_odd_line(int is_json, const char *words, const char *what)
{
    struct text text = text_make(is_json, "\n");
    char *kept = malloc(text.size);
    int lines[MAX_TRIED], passed = 1;
    const int count = lines_choose(&text, lines) - is_json; /* a comma needs a circle behind */
    memcpy(kept, text.bytes, text.size);
    for (int i = 0; i < count && passed; i++) {
        struct error error = {""};
        struct scene scene;
        omp_set_num_threads(THREADS[i % WAYS]);
        if (words)
            line_replace(&text, lines[i], words);
        else
            text.bytes[text.at[lines[i]] + 2] = 'X'; /* in place of x */
        passed = parse(&text, is_json, &scene, &error) == 0 &&
                 is_whole(&scene, words ? (size_t)lines[i] - 2 : LINES);
        scene_free(&scene);
        memcpy(text.bytes, kept, text.size);
    }
    tap_check(passed, "%s: %s", is_json ? "JSON" : "CSV", what);
    free(kept);
    text_free(&text);
}

static void check_long(int is_json, const char *line_end, size_t without, const char *what)
{
    struct text text = text_make(is_json, line_end);
    int passed = 1;
    text.size -= without;
    for (int k = 0; k < WAYS && passed; k++) {
        struct error error = {""};
        struct scene scene;
        omp_set_num_threads(THREADS[k]);
        passed = parse(&text, is_json, &scene, &error) == 0 && is_whole(&scene, LINES);
        scene_free(&scene);
    }
    tap_check(passed, "%s: %s", is_json ? "JSON" : "CSV", what);
    text_free(&text);
}

/* A line of 5000 characters, which begins before a piece or a window ends. */
static void check_long_line(char fill)
{
    struct text text = text_make(0, "\n");
    int lines[MAX_TRIED], passed = 1;
    const int count = lines_choose(&text, lines);
    const size_t size = 5000;
    char *kept = malloc(text.size);
    memcpy(kept, text.bytes, text.size);
    for (int i = 1; i < count - 2 && passed; i++) {
        omp_set_num_threads(THREADS[i % WAYS]);
        memset(text.bytes + text.at[lines[i]], fill, size);
        passed = fails_with(&text, 0, lines[i],
            fill ? "longer than 4095 characters" : "a zero byte; this is no text");
        memcpy(text.bytes, kept, text.size);
    }
    tap_check(passed, "CSV: 5000 characters %d in a line", fill);
    free(kept);
    text_free(&text);
}

static void check_texts(void)
{
    check_long(0, "\n", 0, "circles in many pieces");
    check_long(0, "\r\n", 0, "ends of lines as on Windows");
    check_long(0, "\n", 1, "no end of the last line");
    check_long(0, "\n\n \n", 0, "empty lines");
    check_long(1, "\n", 0, "circles in many pieces");
    check_long(1, "", 0, "all in one line");
    check_long(1, "\r\n\t ", 0, "blanks between circles");
    check_odd_line(0, "", "an empty line");
    check_odd_line(0, "#,1", "a comment");
    check_odd_line(1, "", "an empty line");
    check_odd_line(1, NULL, "a name in upper case");
    check_fault(0, "1,2", "2 fields where the first line has 6");
    check_fault(0, "1,2,-1,0,0,0", "radius -1 is negative");
    check_fault(0, "1,x,1,0,0,0", "y is not a finite number");
    check_fault(1, "{\"x\":1},", "y is missing");
    check_fault(
        1, "{\"},{\":1},", "a circle has no '},{'; it has x, y, z, r, red, green, blue, alpha");
    check_fault(1, "[{},{},1],", "a circle is not an object");
    check_long_line('1');
    check_long_line('#');
    check_long_line(0);
}

static int filled; /* pieces */

/* Reads no circles, but says so many. */
static void piece_fill(const void *format, struct piece *piece)
{
    (void)format;
#pragma omp atomic
    filled++;
    piece->scene.count = 1000;
    piece->at = piece->end;
}

/* Pieces that would make too many circles are not taken; those circles are looked at one by one. */
static void check_limit(void)
{
    struct scene scene = {.count = SCENE_MAX_CIRCLES - 999};
    struct builder builder = {.scene = &scene, .capacity = SIZE_MAX};
    struct pieces pieces = {.border = '\n', .read = piece_fill};
    static char text[1 << 20];
    size_t lines = 0;
    memset(text, '\n', sizeof(text) - 1);
    const char *at = pieces_read(&pieces, &builder, text, text + sizeof(text) - 1, &lines);
    tap_check(at == text && scene.count == SCENE_MAX_CIRCLES - 999 && lines == 0,
        "a piece of 1000 circles where there is room for 999");
    const int looked_at = filled;
    const int is_left =
        pieces_read(&pieces, &builder, at + 1, text + sizeof(text) - 1, &lines) == at + 1;
    tap_check(looked_at > 0 && is_left && filled == looked_at,
        "what is left then is not read in pieces again");
    pieces_free(&pieces);
}

/* The first line of a pipe is looked at before the others have come. */
static void check_pipe(void)
{
    static const char WRONG[] = "x,q\n";
    struct error error = {""};
    struct scene scene;
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0 ||
        write(ends[1], WRONG, sizeof(WRONG) - 1) != sizeof(WRONG) - 1)
        abort();
    alarm(60); /* ends what waits for ever */
    tap_check(scene_read("-", NULL, &scene, NULL, &error) == ERROR_INPUT &&
                  strstr(error.text, "line 1: unknown column 'q'"),
        "a wrong first line of a pipe that goes on");
    alarm(0);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    check_named();
    check_sort();
    check_numbers();
    check_texts();
    check_limit();
    check_pipe();
    return tap_finish();
}
