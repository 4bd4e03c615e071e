/* What the readers and writers of scene files share; for scenes/ alone. */
#ifndef SCENE_FORMATS_H
#define SCENE_FORMATS_H

#include "images/output.h"
#include "scenes/scene.h"
#include "scenes/text.h"

/* The numbers of a circle, in the order of struct circle, with their names in files. */
enum {
    FIELD_X,
    FIELD_Y,
    FIELD_Z,
    FIELD_R,
    FIELD_RED,
    FIELD_GREEN,
    FIELD_BLUE,
    FIELD_ALPHA,
    FIELDS
};
extern const char *const FIELD_NAMES[FIELDS];
extern const float FIELD_DEFAULTS[FIELDS];

/* Gives the FIELD_ of that name, or -1; `is_needed` tells whether a file must have it. */
int field_find(struct span name);
int field_is_needed(int field);

/* A warning, for later. */
struct noted {
    size_t line; /* 0: the whole file */
    char reason[400];
};

/* A scene that is being read. */
struct builder {
    struct origin origin;
    struct scene *scene;
    size_t capacity; /* of scene->circles */
    const struct scene_warning *warning;
    struct noted noted[SCENE_MAX_WARNINGS]; /* the first warnings, told when the file is read */
    size_t warnings;                        /* how many there were, but for the summary of others */
    size_t others, first_other; /* elements that are no circles, the line of the first */
};

#define builder_fail(builder, ...) origin_fail(&(builder)->origin, __VA_ARGS__)

/* Notes a warning, which is told only if the file is read in the end. At line 0 the whole file is
 * meant. */
__attribute__((format(printf, 3, 4))) void builder_warn(
    struct builder *builder, size_t line, const char *format, ...);

/* Checks a circle and adds it. Returns 0 or ERROR_INPUT. */
int builder_add(struct builder *builder, size_t line, const float values[FIELDS]);

/* Makes room for so many more circles. Returns 0 or ERROR_INPUT. */
int builder_reserve(struct builder *builder, size_t count);

/* Refuses a color component that is not finite or too large. Returns 0 or ERROR_INPUT. */
int builder_check_color(struct builder *builder, size_t line, const char *what, float value);

/* A format of scene files. */
struct scene_format {
    const char *extension; /* of the names of such files: ".csv" */
    /* Reads all of a file. Returns 0, ERROR_INPUT or ERROR_STOPPED. */
    int (*read)(struct builder *builder, struct input *input);
    /* Writes it; that bytes could not be written the output knows. NULL: such files are only
     * read. */
    void (*write)(struct output *output, const struct scene *scene);
    /* What of the scene has no place in such a file, and which extension to use instead: in words
     * for a message. NULL where all has its place, and for a format in which that is so for every
     * scene. */
    const char *(*find_loss)(const struct scene *scene);
};

/* The formats, each of which a file of scenes/ defines. "-" is the first. */
#define SCENE_FORMATS(FORMAT) \
    FORMAT(SCENE_CSV) \
    FORMAT(SCENE_JSON) \
    FORMAT(SCENE_SVG)
#define SCENE_FORMAT_EXTERN(format) extern const struct scene_format format;
SCENE_FORMATS(SCENE_FORMAT_EXTERN)

/* Reads what is left as one text of less than 1 GiB, and gives it to `parse`. Returns as a
 * reader. */
int builder_read_text(struct builder *builder, struct input *input,
    int (*parse)(struct builder *builder, const char *text, size_t size));

#endif
