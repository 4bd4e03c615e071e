/* The tools as tables of stages, and what they leave. */
#include <stdlib.h>

#include "stages/unscramble/unscramble.h"

const struct stage *const UNSCRAMBLE[] = {&LOAD, &PLAN, NULL};
const struct stage *const UNSCRAMBLE_SMALL[] = {
    &GRAYSCALE, &EDGES, &FITS, &SEARCH, &ASSEMBLE, &SAVE, NULL};
const struct stage *const UNSCRAMBLE_LARGE[] = {
    &COMPATIBILITY, &BUDDIES, &TREE, &FILL, &REFINE, &CONFIDENCE, &ANIMATE, &ASSEMBLE, &SAVE, NULL};
const struct stage *const UNSCRAMBLE_MIXED[] = {
    &COMPATIBILITY, &BUDDIES, &SPLIT, &CONFIDENCE, &ANIMATE, &ASSEMBLE, &SAVE, NULL};
const struct stage *const UNSCRAMBLE_APPLY[] = {
    &GRAYSCALE, &EDGES, &FITS, &MEASURE, &ASSEMBLE, &SAVE, NULL};
const struct stage *const UNSCRAMBLE_PLACE[] = {&ASSEMBLE, &SAVE, NULL};
const struct stage *const UNSCRAMBLE_STAGES[] = {&LOAD, &PLAN, &GRAYSCALE, &EDGES, &FITS, &SEARCH,
    &MEASURE, &COMPATIBILITY, &BUDDIES, &TREE, &FILL, &REFINE, &SPLIT, &CONFIDENCE, &ANIMATE,
    &ASSEMBLE, &SAVE, NULL};
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
    free(u->present);
    compatibility_free(&u->compatibility);
    free(u->buddy);
    forest_free(&u->forest);
    pictures_free(u->boards, (int)u->board_count);
    free(u->sureness);
}
