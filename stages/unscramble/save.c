/* SAVE: downloads a result and writes it; with the last one the permutation, where that is
 * wanted. */
#include <string.h>

#include "stages/unscramble/unscramble.h"

int unscramble_output(const struct unscramble *u, uint32_t part, uint32_t parts,
    char path[PATH_MAX], struct error *error)
{
    const char *slash = strrchr(u->output, '/');
    const char *name = slash ? slash + 1 : u->output, *dot = strrchr(name, '.');
    const size_t stem = dot ? (size_t)(dot - u->output) : strlen(u->output);
    if (parts > 1 && strcmp(u->output, "-") == 0)
        return error_set(
            error, ERROR_INPUT, "cannot write %u pictures to standard output; name a file", parts);
    if (parts > 1 && stem + strlen(u->output + stem) + 12 < PATH_MAX)
        snprintf(path, PATH_MAX, "%.*s-%u%s", (int)stem, u->output, part + 1, u->output + stem);
    else if (strlen(u->output) < PATH_MAX)
        strcpy(path, u->output);
    else
        return error_set(error, ERROR_INPUT, "the name of '%.100s...' is too long", u->output);
    return 0;
}

static int save_run(struct run *run, struct unscramble *u)
{
    char path[PATH_MAX];
    int rc = buffer_download(&u->result, u->assembled.pixels, u->result.size, &run->error);
    if (rc == 0)
        rc = unscramble_output(u, u->part, unscramble_parts(u), path, &run->error);
    if (rc == 0)
        rc = image_write(path, u->format, &u->assembled, run_watch(run), &run->error);
    if (rc == 0 && u->part + 1 == u->parts && u->save_permutation)
        rc = permutation_write(u->save_permutation, &u->permutation, &run->error);
    return rc;
}

const struct unscramble_stage SAVE = {
    .stage = {"save", "download the result and write it"},
    .run = save_run,
};
