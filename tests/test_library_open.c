/* Libraries that are opened when needed: what is found, what is said of what is missing, and many
 * threads at once. */
#include <math.h>
#include <string.h>

#include "cli/tap.h"
#include "library.h"

#define THREADS 64

#define FUNCTIONS(X) X(copysign) X(hypot)
static const char *const NAMES[] = {FUNCTIONS(LIBRARY_NAME) NULL};
static const char *const NEW_NAMES[] = {"copysign", "no_such_function", NULL};
#if defined(__APPLE__)
static const char *const FILES[] = {"libno-such.dylib", "libm.dylib", NULL};
#else
static const char *const FILES[] = {"libno-such.so.1", "libm.so.6", "libm.so", NULL};
#endif
static const char *const NO_FILES[] = {"libno-such.so.1", NULL};

struct functions {
    FUNCTIONS(LIBRARY_POINTER)
};

int main(void)
{
    struct functions math = {0}, none = {0}, shared = {0};
    struct error error = {0};
    tap_check(library_open("libm", FILES, NAMES, (void **)&math, &error) == 0,
        "the second of two files is opened");
    tap_check(math.copysign(3, -1) == -3 && math.hypot(3, 4) == 5, "its functions are called");
    tap_check(library_open("libm", NO_FILES, NAMES, (void **)&math, &error) == 0,
        "what is open is not looked for again");

    tap_check(library_open("libnone", NO_FILES, NAMES, (void **)&none, &error) == ERROR_INPUT &&
                  strcmp(error.text, "libnone is not installed") == 0,
        "a file that is not there");
    tap_check(library_open("libm", FILES, NEW_NAMES, (void **)&none, &error) == ERROR_INPUT &&
                  strcmp(error.text, "libm is too old: it has no no_such_function") == 0,
        "a function that is not there");
    tap_check(
        library_open("libm", FILES, NAMES, (void **)&none, &error) == 0 && none.hypot(6, 8) == 10,
        "what failed can be opened later");

    int failures = 0;
#pragma omp parallel for num_threads(THREADS) reduction(+ : failures)
    for (int i = 0; i < THREADS; i++) {
        struct error own;
        failures += library_open("libm", FILES, NAMES, (void **)&shared, &own) != 0 ||
                    shared.hypot(3, 4) != 5;
    }
    tap_check(failures == 0, "%d threads at once, for the same pointers", THREADS);
    return tap_finish();
}
