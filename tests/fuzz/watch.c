#include "tests/fuzz/watch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

static char message[128]; /* made before, since a handler may not print */
static const char *watched;
static uint64_t watched_seed;
static unsigned limit;

static void tell(void)
{
    const ssize_t ignored = write(STDERR_FILENO, message, strlen(message));
    (void)ignored;
}

/* The handler is gone when the signal comes again, and ends the program. */
static void on_signal(int number)
{
    static const char HANGS[] = "the time is up: ";
    if (number == SIGALRM) {
        const ssize_t ignored = write(STDERR_FILENO, HANGS, sizeof(HANGS) - 1);
        (void)ignored;
    }
    tell();
    raise(number);
}

void watch_start(const char *what, uint64_t seed, unsigned seconds)
{
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    watched = what;
    watched_seed = seed;
    limit = seconds;
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGABRT, &action, NULL);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(tell);
#else
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGILL, &action, NULL);
#endif
}

void watch_next(uint64_t number)
{
    snprintf(message, sizeof(message), "%s %llu of seed %llu ended it\n", watched,
        (unsigned long long)number, (unsigned long long)watched_seed);
    alarm(limit);
}
