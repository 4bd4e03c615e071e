/* The tools as tables of stages, and what they leave. */
#include "stages/unscramble/unscramble.h"

const struct stage *const UNSCRAMBLE[] = {
    &LOAD, &GRAYSCALE, &EDGES, &FITS, &SEARCH, &ASSEMBLE, &SAVE, NULL};
const struct stage *const UNSCRAMBLE_APPLY[] = {
    &LOAD, &GRAYSCALE, &EDGES, &FITS, &MEASURE, &ASSEMBLE, &SAVE, NULL};
const struct stage *const UNSCRAMBLE_PLACE[] = {&LOAD, &ASSEMBLE, &SAVE, NULL};
const struct stage *const SCRAMBLE[] = {&CUT, &SHUFFLE, &ASSEMBLE, &INVERT, &SAVE, NULL};

double unscramble_confidence(const struct unscramble *u)
{
    return u->runner_up == NO_METRIC ? 0 : (u->runner_up + 1.0) / (u->metric + 1.0);
}

void unscramble_end(struct unscramble *u)
{
    image_free(&u->picture);
    image_free(&u->assembled);
    permutation_free(&u->permutation);
}
