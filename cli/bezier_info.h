/* --info of bezier. */
#ifndef BEZIER_INFO_H
#define BEZIER_INFO_H

#include "cli/cli.h"
#include "stages/bezier/bezier.h"

/* Reads the patches and tells what the file holds: prints it, unless --json is given, and leaves it
 * as a JSON object, which the caller releases. Returns 0 or an ERROR_ code with the reason in the
 * run. */
int bezier_info(struct cli *cli, struct bezier *bezier, json_t **result);

#endif
