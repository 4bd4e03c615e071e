#include "scenes/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "images/memory.h"
#include "images/output.h"
#include "scenes/depths.h"
#include "scenes/scene_formats.h"

#define SCENE_ALIGNMENT 16 /* bytes: kernels read circles as vectors of four floats */
#define TOO_LARGE "it has 1 GiB or more; CSV may be as long as it likes"

const char *const FIELD_NAMES[FIELDS] = {"x", "y", "z", "r", "red", "green", "blue", "alpha"};
const float FIELD_DEFAULTS[FIELDS] = {[FIELD_ALPHA] = .5f};

_Static_assert(sizeof(struct circle) == FIELDS * sizeof(float), "a circle is its fields");

int field_find(struct span name)
{
    int field = FIELDS - 1;
    while (field >= 0 && !span_is(name, FIELD_NAMES[field]))
        field--;
    return field;
}

int field_is_needed(int field)
{
    return field != FIELD_Z && field != FIELD_ALPHA;
}

int builder_check_color(struct builder *builder, size_t line, const char *what, float value)
{
    if (!isfinite(value))
        return builder_fail(builder, line, "%s is not a finite number", what);
    if (fabsf(value) > SCENE_MAX_COLOR)
        return builder_fail(builder, line, "%s %g is not from %.0f to %.0f", what, (double)value,
            (double)-SCENE_MAX_COLOR, (double)SCENE_MAX_COLOR);
    return 0;
}

int builder_reserve(struct builder *builder, size_t count)
{
    struct scene *scene = builder->scene;
    size_t capacity = builder->capacity ? builder->capacity : 1024;
    while (capacity < scene->count + count)
        capacity *= 2;
    if (capacity == builder->capacity)
        return 0;
    /* More a system may promise and not have, which ends the program. */
    const size_t most = memory_limit() / 4 * 3 / sizeof(struct circle);
    capacity = capacity < most ? capacity : most;
    struct circle *circles = capacity < scene->count + count
                                 ? NULL
                                 : realloc(scene->circles, capacity * sizeof(*circles));
    if (!circles)
        return builder_fail(builder, 0, "no memory for more than %zu circles", scene->count);
    scene->circles = circles;
    builder->capacity = capacity;
    return 0;
}

/* Whether a circle can be painted; nothing that is compared with NaN is true. */
static int is_fit(const float values[FIELDS])
{
    int is = fabsf(values[FIELD_X]) <= SCENE_MAX_LENGTH &&
             fabsf(values[FIELD_Y]) <= SCENE_MAX_LENGTH && isfinite(values[FIELD_Z]) &&
             values[FIELD_R] >= 0 && values[FIELD_R] <= SCENE_MAX_LENGTH &&
             values[FIELD_ALPHA] >= 0 && values[FIELD_ALPHA] <= 1;
    for (int field = FIELD_RED; field <= FIELD_BLUE; field++)
        is &= fabsf(values[field]) <= SCENE_MAX_COLOR;
    return is;
}

/* Says why a circle is not fit. */
static int refuse(struct builder *builder, size_t line, const float values[FIELDS])
{
    static const int LENGTHS[] = {FIELD_X, FIELD_Y, FIELD_R};
    for (int field = 0; field < FIELDS; field++)
        if (!isfinite(values[field]))
            return builder_fail(builder, line, "%s is not a finite number", FIELD_NAMES[field]);
    if (values[FIELD_R] < 0)
        return builder_fail(builder, line, "radius %g is negative", (double)values[FIELD_R]);
    for (size_t i = 0; i < sizeof(LENGTHS) / sizeof(LENGTHS[0]); i++)
        if (fabsf(values[LENGTHS[i]]) > SCENE_MAX_LENGTH)
            return builder_fail(builder, line, "%s %g is not from %g to %g",
                FIELD_NAMES[LENGTHS[i]], (double)values[LENGTHS[i]], (double)-SCENE_MAX_LENGTH,
                (double)SCENE_MAX_LENGTH);
    for (int field = FIELD_RED; field <= FIELD_BLUE; field++)
        if (builder_check_color(builder, line, FIELD_NAMES[field], values[field]) != 0)
            return ERROR_INPUT;
    return builder_fail(
        builder, line, "alpha %.8g is not from 0 to 1", (double)values[FIELD_ALPHA]);
}

int builder_add(struct builder *builder, size_t line, const float values[FIELDS])
{
    struct scene *scene = builder->scene;
    if (!is_fit(values))
        return refuse(builder, line, values);
    if (scene->count == SCENE_MAX_CIRCLES)
        return builder_fail(builder, line, "more than %d circles", SCENE_MAX_CIRCLES);
    if (scene->count == builder->capacity && builder_reserve(builder, 1) != 0)
        return ERROR_INPUT;
    memcpy(&scene->circles[scene->count++], values, sizeof(struct circle));
    return 0;
}

static int is_sorted(const struct scene *scene)
{
    int sorted = 1;
#pragma omp parallel for reduction(& : sorted) if (scene->count >= PARALLEL_CIRCLES)
    for (size_t i = 1; i < scene->count; i++)
        sorted &= scene->circles[i - 1].z >= scene->circles[i].z;
    return sorted;
}

/* Sorts farthest first, equal depths as they are. Returns 0, or ERROR_INPUT without a message where
 * memory is short. */
static int scene_sort(struct scene *scene)
{
    const size_t count = scene->count;
    if (is_sorted(scene))
        return 0;
    uint64_t *keys = keys_new(count), *sorted = NULL;
    struct circle *circles = malloc(count * sizeof(*circles));
    if (keys && circles) {
#pragma omp parallel for if (count >= PARALLEL_CIRCLES)
        for (size_t i = 0; i < count; i++)
            keys[i] = depth_key(scene->circles[i].z, i);
        sorted = keys_sort(keys, count);
    }
    if (!sorted) {
        free(keys);
        free(circles);
        return ERROR_INPUT;
    }
#pragma omp parallel for if (count >= PARALLEL_CIRCLES)
    for (size_t i = 0; i < count; i++)
        circles[i] = scene->circles[key_place(sorted[i])];
    free(keys);
    free(scene->circles);
    scene->circles = circles;
    return 0;
}

const struct scene_info *scene_find(const char *name)
{
    const struct scene_info *info = SCENES;
    while (info->name && strcmp(info->name, name) != 0)
        info++;
    return info->name ? info : NULL;
}

struct words scene_names(void)
{
    struct words names = {0};
    for (const struct scene_info *info = SCENES; info->name; info++)
        words_add(&names, info->name);
    return names;
}

int scene_make(
    const struct scene_info *info, uint64_t seed, struct scene *scene, struct error *error)
{
    *scene = (struct scene){.count = info->count, .background = {1, 1, 1}};
    scene->circles = calloc(info->count, sizeof(*scene->circles));
    if (scene->circles && info->make(scene, &seed) == 0)
        return 0;
    scene_free(scene);
    return error_set(error, ERROR_INPUT, "cannot make scene '%s': no memory for %zu circles",
        info->name, info->count);
}

static const struct scene_format *const FORMATS[] = {
#define FORMAT_ROW(format) &(format),
    SCENE_FORMATS(FORMAT_ROW)};
enum { FORMAT_COUNT = sizeof(FORMATS) / sizeof(FORMATS[0]) };

/* NULL where no format has the extension. */
static const struct scene_format *format_of(const char *path)
{
    const char *extension = strcmp(path, "-") == 0 ? FORMATS[0]->extension : strrchr(path, '.');
    for (int i = 0; extension && i < FORMAT_COUNT; i++)
        if (strcasecmp(extension, FORMATS[i]->extension) == 0)
            return FORMATS[i];
    return NULL;
}

struct words scene_extensions(int are_written)
{
    struct words extensions = {0};
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (!are_written || FORMATS[i]->write)
            words_add(&extensions, FORMATS[i]->extension);
    return extensions;
}

static struct builder builder_start(
    const char *name, struct scene *scene, const struct scene_warning *warning, struct error *error)
{
    *scene = (struct scene){.background = {1, 1, 1}};
    return (struct builder){.origin = {.what = "scene", .name = name, .error = error},
        .scene = scene,
        .warning = warning};
}

/* At line 0, the whole file is meant. */
static void pass_on(const struct builder *builder, size_t line, const char *reason)
{
    char where[40] = "";
    struct error whole;
    if (line > 0)
        snprintf(where, sizeof(where), "line %zu: ", line);
    snprintf(whole.text, sizeof(whole.text), "'%s': %s%s", builder->origin.name, where, reason);
    builder->warning->warn(builder->warning->context, whole.text);
}

void builder_warn(struct builder *builder, size_t line, const char *format, ...)
{
    va_list arguments;
    if (builder->warnings++ >= SCENE_MAX_WARNINGS)
        return;
    struct noted *noted = &builder->noted[builder->warnings - 1];
    noted->line = line;
    va_start(arguments, format);
    vsnprintf(noted->reason, sizeof(noted->reason), format, arguments);
    va_end(arguments);
}

/* Warns of a file that was read: what was noted, how many elements were no circles, and how many
 * warnings were too many. */
static void builder_sum_up(const struct builder *builder)
{
    char reason[100];
    for (size_t i = 0; i < builder->warnings && i < SCENE_MAX_WARNINGS; i++)
        pass_on(builder, builder->noted[i].line, builder->noted[i].reason);
    if (builder->others) {
        snprintf(reason, sizeof(reason),
            "here begin the elements that are no circles and are left out, %zu in all",
            builder->others);
        pass_on(builder, builder->first_other, reason);
    }
    if (builder->warnings > SCENE_MAX_WARNINGS) {
        snprintf(reason, sizeof(reason), "%zu more warnings are not shown",
            builder->warnings - SCENE_MAX_WARNINGS);
        pass_on(builder, 0, reason);
    }
}

/* Whatever was read: warns of what it says and the scene has not, and sorts it, or frees it where
 * reading failed. */
static int builder_finish(struct builder *builder, int rc)
{
    if (rc == 0 && builder->warning && (builder->scene->count || builder->warnings))
        builder_sum_up(builder); /* which may say why there are no circles */
    if (rc == 0 && builder->scene->count == 0)
        rc = builder_fail(builder, 0, "it has no circles");
    else if (rc == 0 && scene_sort(builder->scene) != 0)
        rc = builder_fail(builder, 0, "no memory to sort %zu circles", builder->scene->count);
    if (rc)
        scene_free(builder->scene);
    return rc;
}

static int fail_extension(struct builder *builder)
{
    const struct words extensions = scene_extensions(0);
    return builder_fail(
        builder, 0, "name a file that ends in %s", words_join(&extensions, " or ").text);
}

/* Whether all circles can be painted. */
static int are_fit(const struct circle *circles, size_t count)
{
    int are = 1;
#pragma omp parallel for reduction(& : are) if (count >= PARALLEL_CIRCLES)
    for (size_t i = 0; i < count; i++) {
        float values[FIELDS];
        memcpy(values, &circles[i], sizeof(values));
        are &= is_fit(values);
    }
    return are;
}

int scene_of_circles(
    const struct circle *circles, size_t count, struct scene *scene, struct error *error)
{
    struct builder builder = builder_start("circles", scene, NULL, error);
    int rc = 0;
    builder.origin.unit = "circle";
    const struct scene given = {.count = count,
        .circles = (struct circle *)(uintptr_t)circles,
        .borrows = 1,
        .background = {1, 1, 1}};
    if (count > 0 && count <= SCENE_MAX_CIRCLES && are_fit(circles, count)) {
        if ((uintptr_t)circles % SCENE_ALIGNMENT == 0 && is_sorted(&given)) {
            *scene = given;
            return 0;
        }
        rc = builder_reserve(&builder, count);
        if (rc == 0) {
            memcpy(scene->circles, circles, count * sizeof(*circles));
            scene->count = count;
        }
        return builder_finish(&builder, rc);
    }
    for (size_t i = 0; rc == 0 && i < count; i++) { /* to the one that is refused */
        float values[FIELDS];
        memcpy(values, &circles[i], sizeof(values));
        rc = builder_add(&builder, i + 1, values);
    }
    return builder_finish(&builder, rc);
}

/* What a step changes of a circle. */
struct motion {
    struct circle circle;
    float velocity[2];
};

/* Goes on until a state comes again that was kept before, then leaves out whole rounds: the state
 * that is kept is renewed after 1, 2, 4, ... steps (Brent, An improved Monte Carlo factorization
 * algorithm, BIT 20, 1980, section 2). */
static void advance_circle(struct scene *scene, size_t number, uint32_t frames)
{
    struct motion now = {.circle = scene->circles[number]}, kept;
    memcpy(now.velocity, scene->velocity[number], sizeof(now.velocity));
    kept = now;
    for (uint32_t length = 0, most = 1; frames > 0;) {
        scene->step(scene, number, &now.circle, now.velocity);
        frames--;
        length++;
        if (memcmp(&now, &kept, sizeof(now)) == 0) {
            frames %= length;
        } else if (length == most) {
            kept = now;
            most *= 2;
            length = 0;
        }
    }
    scene->circles[number] = now.circle;
    memcpy(scene->velocity[number], now.velocity, sizeof(now.velocity));
}

int scene_advance(struct scene *scene, uint32_t frames, struct error *error)
{
    for (size_t i = 0; i < scene->count; i++)
        advance_circle(scene, i, frames);
    return scene_sort(scene) == 0
               ? 0
               : error_set(error, ERROR_INPUT, "not enough memory for %zu circles", scene->count);
}

int builder_read_text(struct builder *builder, struct input *input,
    int (*parse)(struct builder *builder, const char *text, size_t size))
{
    char *text;
    size_t size;
    int rc = text_read(input, TOO_LARGE, &text, &size, builder->origin.error);
    if (rc)
        return rc;
    rc = parse(builder, text, size);
    free(text);
    return rc;
}

int scene_read(const char *path, const struct progress *progress, struct scene *scene,
    const struct scene_warning *warning, struct error *error)
{
    struct builder builder = builder_start(path, scene, warning, error);
    const struct scene_format *format = format_of(path);
    struct input input;
    if (!format)
        return fail_extension(&builder);
    int rc = input_open(path, progress, &input, error);
    if (rc)
        return rc;
    builder.origin.progress = progress;
    rc = format->read(&builder, &input);
    const int failed = input_check(&input, error); /* is what ended the text */
    input_close(&input);
    return builder_finish(&builder, failed ? failed : rc);
}

int scene_parse(const void *bytes, size_t size, const char *name, struct scene *scene,
    const struct scene_warning *warning, struct error *error)
{
    struct builder builder = builder_start(name, scene, warning, error);
    const struct scene_format *format = format_of(name);
    struct input input;
    if (!format)
        return fail_extension(&builder);
    input_from_memory(bytes, size, name, &input);
    return builder_finish(&builder, format->read(&builder, &input));
}

int scene_check_output(const char *path, struct error *error)
{
    const struct scene_format *format = format_of(path);
    const struct words extensions = scene_extensions(1);
    if (!format || !format->write)
        return error_set(error, ERROR_USAGE, "cannot write scene '%s': name a file that ends in %s",
            path, words_join(&extensions, " or ").text);
    return output_check(path, 0, error);
}

int scene_write(const char *path, const struct scene *scene, const struct progress *progress,
    struct error *error)
{
    const struct scene_format *format = format_of(path);
    struct output output;
    int rc = scene_check_output(path, error);
    if (rc)
        return rc;
    const char *loss = format->find_loss ? format->find_loss(scene) : NULL;
    if (loss)
        return error_set(error, ERROR_USAGE, "cannot write scene '%s': %s", path, loss);
    rc = output_open(path, 0, progress, &output, error);
    if (rc)
        return rc;
    format->write(&output, scene);
    return output_commit(&output, error);
}

void scene_free(struct scene *scene)
{
    if (!scene->borrows)
        free(scene->circles);
    free(scene->velocity);
    *scene = (struct scene){0};
}
