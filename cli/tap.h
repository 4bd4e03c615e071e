/* Results in the Test Anything Protocol, for prove(1). */
#ifndef TAP_H
#define TAP_H

/* One result; the name as in printf. Gives `passed`. */
__attribute__((format(printf, 2, 3))) int tap_check(int passed, const char *name, ...);

/* The plan, at the end; gives the exit status. */
int tap_finish(void);

/* A comment behind the plan that says in one line whether all results passed, `skipped` of them not
 * counted, or how many failed and which first. `where` goes on after the number. */
void tap_verdict(int skipped, const char *where);

#endif
