/* What the readers of patch files share; for scenes/ alone. */
#ifndef PATCH_FORMATS_H
#define PATCH_FORMATS_H

#include "scenes/patches.h"
#include "scenes/text.h"

/* A patch file that is being read. */
struct patch_reader {
    struct origin origin;
    struct patches *patches;
    size_t patch_capacity, control_capacity, face_capacity, group_capacity;
    int group;             /* that is open */
    size_t begun, trimmed; /* surfaces that the file has begun, and the last that it trims */
    void *names;           /* of groups, for tsearch */
    const char *text, *at; /* at: what is left of the text, up to a zero at its end */
    const char *end;
    size_t reports; /* calls of reader_progress */
    size_t line;    /* of what was read last, from 1 */
};

/* Writes the message with the line that was read last; returns ERROR_INPUT. */
#define reader_fail(reader, ...) origin_fail(&(reader)->origin, (reader)->line, __VA_ARGS__)

/* The next word; empty at the end of the text. */
struct span reader_word(struct patch_reader *reader);

/* The next word of the line, which a backslash at its end joins to the next one. Empty where the
 * line ends or a word starts with #. */
struct span reader_word_in_line(struct patch_reader *reader);

/* What is left of the line, without blanks around it. */
struct span reader_rest(struct patch_reader *reader);

/* Reports how much has been read, once every few thousand calls. Returns 0 or ERROR_STOPPED. */
int reader_progress(struct patch_reader *reader);

/* Takes a word for a whole number. Returns 0 or ERROR_INPUT; `what` names it. */
int reader_whole(struct patch_reader *reader, struct span word, const char *what, int least,
    int most, int *value);

/* Takes a word for a coordinate. Returns 0 or ERROR_INPUT. */
int reader_coordinate(struct patch_reader *reader, struct span word, double *value);

/* Checks (wx, wy, wz, w) of a rational patch. Returns 0 or ERROR_INPUT. */
int reader_check_weight(struct patch_reader *reader, const double control[4]);

/* Makes room for one more item in an array of `count`. Gives the array, or NULL with the reason. */
void *reader_grow(
    struct patch_reader *reader, void *array, size_t count, size_t *capacity, size_t size);

/* Adds a patch to the group that is open. Gives it, until the next is added, or NULL with
 * the reason.
 *
 * The caller sets its degrees and control_count and adds so many control points, in the order that
 * struct patch states; of KIND_PN_ also the degrees of the normals, and normal = control +
 * control_count, where it adds them after the points. Of a polyhedron it sets control_count and
 * face_count, and adds the vertices and the numbers of each face: how many, then its vertices. */
struct patch *reader_add_patch(struct patch_reader *reader, enum patch_kind kind);

/* Add to the last patch. Return 0 or ERROR_INPUT. */
int reader_add_control(struct patch_reader *reader, const double control[4]);
int reader_add_face_number(struct patch_reader *reader, uint32_t number);

/* Notes that the file trims the surface that it began last; nothing where there is none. */
void reader_trim(struct patch_reader *reader);

/* Opens the group, which is made where there is none of that name. Returns 0 or ERROR_INPUT. */
int reader_open_group(struct patch_reader *reader, struct span name);

/* A format of patch files. */
struct patch_format {
    const char *extension; /* of the names of such files: ".bv" */
    /* Reads all of a text. Returns 0, ERROR_INPUT or ERROR_STOPPED. */
    int (*parse)(struct patch_reader *reader);
};

/* The formats, each of which a file of scenes/ defines. "-" is the first. */
#define PATCH_FORMATS(FORMAT) \
    FORMAT(PATCHES_BV) \
    FORMAT(PATCHES_BPT) \
    FORMAT(PATCHES_OBJ)
#define PATCH_FORMAT_EXTERN(format) extern const struct patch_format format;
PATCH_FORMATS(PATCH_FORMAT_EXTERN)

#endif
