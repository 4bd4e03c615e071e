#include "cli/display.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kernels/device/clock.h"

#define PROGRESS_AFTER 0.5 /* seconds */
#define PROGRESS_EVERY 0.1
#define LEFT_AFTER 2.0  /* seconds of work after which the time left is told */
#define LEFT_FROM 0.02  /* of the work that has to be done by then */
#define MAX_LETTERS 200 /* of the line, less where the terminal has fewer columns */

static struct {
    const char *name;
    const struct run *run;
    int draws;
    double start, last;     /* seconds, by clock_seconds */
    double whole;           /* the share that was drawn last: none that is smaller is */
    char line[MAX_LETTERS]; /* what is there, "" for nothing */
} display;

void display_start(const char *name, const struct run *run)
{
    memset(&display, 0, sizeof(display));
    display.name = name;
    display.run = run;
    display.start = clock_seconds();
}

void display_enable(int draws)
{
    display.draws = draws;
}

/* Letters that fit into a line of the terminal without a new one. */
static int line_length(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2 ||
        size.ws_col > MAX_LETTERS)
        return MAX_LETTERS - 1;
    return size.ws_col - 1;
}

/* ", 12 s left", or "" where nobody knows. */
static void print_left(double whole, double share, double now, char *text, size_t size)
{
    const double left = run_left(display.run, share);
    text[0] = 0;
    if (whole < LEFT_FROM || now - display.run->outlook.start < LEFT_AFTER || left < 0)
        return;
    if (left < 100)
        snprintf(text, size, ", %.0f s left", ceil(left));
    else if (left < 100 * 60)
        snprintf(text, size, ", %.0f min left", ceil(left / 60));
    else
        snprintf(text, size, ", %.0f h left", ceil(left / 3600));
}

/* The share of the whole comes first, since a narrow terminal cuts off the end; that of a stage,
 * where the whole is not known, stands behind its name. No escape codes, which not all terminals
 * know: blanks cover what a longer line has left. */
void display_show(const char *stage, double share)
{
    const double now = clock_seconds();
    char line[MAX_LETTERS], left[32];
    if (!display.draws || now - display.start <= PROGRESS_AFTER ||
        now - display.last <= PROGRESS_EVERY)
        return;
    const double whole = run_overall(display.run, share);
    print_left(whole, share, now, left, sizeof(left));
    if (whole > display.whole)
        display.whole = whole;
    if (whole < 0)
        snprintf(line, (size_t)line_length() + 1, "%s: %s %3.0f %%", display.name, stage,
            floor(100 * share));
    else
        snprintf(line, (size_t)line_length() + 1, "%s: %3.0f %%%s: %s", display.name,
            floor(100 * display.whole), left, stage);
    display.last = now;
    if (strcmp(line, display.line) == 0)
        return;
    const int shorter = (int)strlen(display.line) - (int)strlen(line);
    fprintf(stderr, "\r%s%*s", line, shorter > 0 ? shorter : 0, "");
    strcpy(display.line, line);
}

void display_clear(void)
{
    if (display.line[0])
        fprintf(stderr, "\r%*s\r", (int)strlen(display.line), "");
    display.line[0] = 0;
}
