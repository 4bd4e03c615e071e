/* The frames of the solutions of a puzzle: which rectangles of boards that grew freely they are. */
#ifndef FRAMES_H
#define FRAMES_H

#include "stages/unscramble/compatibility.h"

/* A rectangle of a board. */
struct frame {
    int x, y, columns, rows;
    int64_t gain; /* the sum of what pairs of neighbors in it cost less than a tie */
};

struct frame_list {
    int count;
    struct frame *frames; /* ascending by area; of each area the one of most gain */
};

/* Lists the frames that hold most of a core: the box {least x, y, greatest x, y} of the board
 * [rows][columns]. They may cut off a quarter of the core at each side. Returns 0, or ERROR_INPUT
 * when memory is short; the caller frees list->frames. */
int frames_list(const struct compatibility *compatibility, const int32_t *board, int columns,
    int rows, const int core[4], struct frame_list *list, struct error *error);

/* Chooses a frame from each list so that together they have the most gain among those that have
 * `least` to `most` places or, where there are none such, come nearest to that. Returns as
 * frames_list. */
int frames_choose(const struct frame_list *lists, int count, int least, int most,
    struct frame *chosen, struct error *error);

#endif
