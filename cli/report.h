/* A page that shows a puzzle and its answer, on which tiles are moved by hand. */
#ifndef REPORT_H
#define REPORT_H

#include "cli/puzzle.h"

/* Checks, before any work and when the puzzle is cut, that the page can be written and that
 * browsers can show so many columns and rows. Returns 0 or ERROR_INPUT. */
int report_check(const char *path, const struct unscramble *unscramble, struct error *error);

/* Writes the page to puzzle->report, after the work: `result` is what --json gets, the arguments
 * are the command line. The page holds all that it needs: the puzzle, scaled down so that the
 * longest side of the puzzle and of the solutions has at most 1920 pixels, unless they have more
 * tiles than that. Returns 0, or ERROR_INPUT with the reason in the run's error. */
int report_write(const struct puzzle *puzzle, int argc, char *const *argv, json_t *result);

#endif
