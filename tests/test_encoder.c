/* An encoder that hangs, and a signal that asks to stop as it starts or while it is waited for. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/tap.h"
#include "images/film.h"

/* Where the signal arrives. */
enum moment { STARTS, ENDS };

static char folder[] = "/tmp/test_encoder.XXXXXX";
static char encoder[64], path[64];
static enum moment moment;

/* Instead of that of the C library, which it calls. */
int posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
    (void)file;
    const int failure = posix_spawn(process, encoder, actions, attributes, arguments, environment);
    if (moment == STARTS)
        film_interrupt();
    return failure;
}

/* Likewise. */
int waitid(idtype_t type, id_t process, siginfo_t *ended, int options)
{
    int (*wait)(idtype_t, id_t, siginfo_t *, int);
    void *symbol = dlsym(RTLD_NEXT, "waitid");
    memcpy(&wait, &symbol, sizeof(wait));
    if (moment == ENDS)
        film_interrupt();
    return wait(type, process, ended, options);
}

/* Writes a film, which the signal stops. Returns 0, or a number that tells what is wrong. */
static int write_film(void)
{
    struct error error;
    struct image frame = {0};
    struct film film;
    int rc = image_new(640, 480, 3, 8, &frame, &error);
    if (rc != 0 || film_open(path, NULL, 640, 480, 60, &film, &error) != 0)
        return 1;
    for (int i = 0; rc == 0 && moment == STARTS && i < 100; i++)
        rc = film_add(&film, &frame, &error);
    rc = rc ? rc : film_close(&film, &error);
    film_abandon(&film);
    image_free(&frame);
    return rc != ERROR_STOPPED ? 2 : access(path, F_OK) == 0 ? 3 : 0;
}

/* In a process of its own: no film is written after a stop. */
static void check(enum moment when, const char *name)
{
    const pid_t process = fork();
    int status = -1;
    if (process == 0) {
        moment = when;
        alarm(60); /* against hanging */
        _exit(write_film());
    }
    if (process > 0)
        waitpid(process, &status, 0);
    tap_check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: status %d", name, status);
}

int main(void)
{
    static const char SCRIPT[] = "#!/bin/sh\nexec /bin/sleep 1000\n";
    if (!mkdtemp(folder))
        return 1;
    snprintf(encoder, sizeof(encoder), "%s/ffmpeg", folder);
    snprintf(path, sizeof(path), "%s/film.mp4", folder);
    const int fd = open(encoder, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    if (fd < 0 || write(fd, SCRIPT, strlen(SCRIPT)) < 0 || close(fd) != 0 ||
        setenv("PATH", folder, 1) != 0)
        return 1;
    signal(SIGPIPE, SIG_IGN);
    check(STARTS, "a signal as the encoder starts");
    check(ENDS, "a signal before the encoder is waited for");
    unlink(encoder);
    tap_check(rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
