/* The line of progress on standard error: one for a process. */
#ifndef DISPLAY_H
#define DISPLAY_H

#include "stages/run.h"

/* Begins to measure time. The line starts with the name of the tool; `run` says what is still to
 * come, see run_plan. */
void display_start(const char *name, const struct run *run);

/* Whether the line is drawn; it is not until this is called. */
void display_enable(int draws);

/* Draws the line, where that is so and half a second has passed, with the share of the whole or,
 * where that is not known, of the stage. */
void display_show(const char *stage, double share);

/* Removes the line, so that something else can be printed. */
void display_clear(void);

#endif
