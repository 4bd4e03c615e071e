/* Results in the Test Anything Protocol, for prove(1). */
#ifndef TAP_H
#define TAP_H

/* One result; the name as in printf. Gives `passed`. */
__attribute__((format(printf, 2, 3))) int tap_check(int passed, const char *name, ...);

/* The plan, at the end; gives the exit status. */
int tap_finish(void);

#endif
