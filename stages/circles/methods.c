/* The methods, each a table of stages. */
#include "stages/circles/circles.h"

const struct stage *const CIRCLES_FAST[] = {
    &SCENE, &UPLOAD, &BIN, &SHADE, &RESOLVE, &SAVE_FRAME, NULL};

const struct stage *const CIRCLES_GOOD[] = {&SCENE, &UPLOAD, &CULL, &RESOLVE, &SAVE_FRAME, NULL};

const struct stage *const CIRCLES_BAD[] = {&SCENE, &UPLOAD, &RACE, &RESOLVE, &SAVE_FRAME, NULL};

const struct stage *const CIRCLES_REFERENCE[] = {&SCENE, &REFERENCE, &SAVE_FRAME, NULL};
