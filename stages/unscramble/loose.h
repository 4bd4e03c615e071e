/* A puzzle of loose tiles, each of them a file; see struct unscramble_options. */
#ifndef STAGES_LOOSE_H
#define STAGES_LOOSE_H

#include "stages/unscramble/unscramble.h"

/* How many times as long as the other a side of an image may be, counted in tiles, before images
 * are thought of that lack some tiles. */
#define LOOSE_ASPECT 4

/* Reads the tiles, by all threads, into `loaded`. Where there is no grid yet, makes one that has a
 * place for each, which need not be that of the answer. Returns 0, ERROR_INPUT or ERROR_STOPPED
 * with the reason in run->error. */
int loose_read(struct run *run, struct unscramble *unscramble);

/* Lays the tiles out in another grid that has a place for each. Returns 0 or ERROR_INPUT. */
int loose_lay_out(struct unscramble *unscramble, struct grid grid, struct error *error);

#endif
