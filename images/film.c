/* Libraries write WebP and GIF; the other formats but YUV4MPEG2 are left to a running encoder. It
 * gets frames as YUV4MPEG2 with the colors that it is to store, so that it changes none of them,
 * and writes a file under a temporary name. It runs without a shell, in a process group of its own,
 * so that Ctrl-C ends it through this program only. */
#include "images/film.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "images/film_library.h"

#define ENCODER "ffmpeg"

struct kind {
    const char *name;                  /* of the format, and the extension behind a dot */
    int is_halved;                     /* chroma, of what is written or the encoder reads */
    int has_alpha;                     /* it keeps that of frames */
    const char *const *options;        /* of the encoder, ended by NULL; NULL: there is none */
    const struct film_library *writer; /* that writes it; or NULL */
};

/* yuv420p with BT.709 colors. */
#define BT709 \
    "-pix_fmt", "yuv420p", "-vf", \
        "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709", \
        "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", \
        "bt709"

static const char *const MP4_OPTIONS[] = {BT709, "-f", "mp4", "-c:v", "libx264", "-preset",
    "medium", "-crf", "18", "-x264-params", "cpu-independent=1", "-movflags", "+faststart", NULL};
static const char *const WEBM_OPTIONS[] = {BT709, "-f", "webm", "-c:v", "libvpx-vp9", "-crf", "24",
    "-b:v", "0", "-row-mt", "1", "-deadline", "good", "-cpu-used", "4", NULL};
static const struct kind KINDS[] = {{.name = &Y4M_EXTENSION[1]}, {.name = "y4m420", .is_halved = 1},
    {.name = "mp4", .is_halved = 1, .options = MP4_OPTIONS},
    {.name = "webm", .is_halved = 1, .options = WEBM_OPTIONS}, {.name = "gif", .writer = &FILM_GIF},
    {.name = "webp", .has_alpha = 1, .writer = &FILM_WEBP}};
enum { KIND_COUNT = sizeof(KINDS) / sizeof(KINDS[0]), MAX_WORDS = 48 };

struct words film_formats(void)
{
    struct words names = {0};
    for (int i = 0; i < KIND_COUNT; i++)
        if (!KINDS[i].writer || !KINDS[i].writer->missing)
            words_add(&names, KINDS[i].name);
    return names;
}

void film_libraries(struct words *present, struct words *missing)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (KINDS[i].writer && KINDS[i].writer->title)
            words_add(KINDS[i].writer->missing ? missing : present, KINDS[i].writer->title);
}

static const struct kind *find_kind(const char *name)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcasecmp(KINDS[i].name, name) == 0)
            return &KINDS[i];
    return NULL;
}

/* By the format named, or the path's extension. */
static const struct kind *named_kind(const char *path, const char *format)
{
    const char *dot = strrchr(path, '.');
    return format ? find_kind(format) : dot ? find_kind(dot + 1) : NULL;
}

static const struct kind *kind_of(const char *path, const char *format)
{
    const struct kind *kind = named_kind(path, format);
    return kind ? kind : &KINDS[0];
}

int film_is_name(const char *path, const char *format)
{
    return named_kind(path, format) != NULL;
}

int film_has_alpha(const char *path, const char *format)
{
    return kind_of(path, format)->has_alpha;
}

/* Whether the encoder is in one of the folders of PATH. */
static int has_encoder(void)
{
    const char *folder = getenv("PATH");
    char path[PATH_MAX];
    while (folder) {
        const char *end = strchr(folder, ':');
        const int length = end ? (int)(end - folder) : (int)strlen(folder);
        const int size = snprintf(
            path, sizeof(path), "%.*s/" ENCODER, length ? length : 1, length ? folder : ".");
        if (size < PATH_MAX && access(path, X_OK) == 0)
            return 1;
        folder = end ? end + 1 : NULL;
    }
    return 0;
}

static int lacks_encoder(const char *path, struct error *error)
{
    struct words others = {0};
    for (int i = 0; i < KIND_COUNT; i++)
        if (!KINDS[i].options && !(KINDS[i].writer && KINDS[i].writer->missing))
            words_add(&others, KINDS[i].name);
    return error_set(error, ERROR_INPUT,
        "cannot write '%s': that takes " ENCODER ", which is not there; install it, or name a file "
        "in %s",
        path, words_join(&others, " or ").text);
}

int film_check(const char *path, const char *format, int width, int height, struct error *error)
{
    const struct kind *kind = kind_of(path, format);
    struct stat status;
    if ((kind->options || kind->writer) && (width > FILM_MAX_SIDE || height > FILM_MAX_SIDE))
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': a video in %s has at most %d pixels a side, not %d x %d; make it "
            "smaller, or name a %s file",
            path, kind->name, FILM_MAX_SIDE, width, height, Y4M_EXTENSION);
    if (kind->options &&
        (strcmp(path, "-") == 0 ||
            (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))))
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': a video in %s needs a file; only %s goes elsewhere", path,
            kind->name, KINDS[0].name);
    if (kind->options && !has_encoder())
        return lacks_encoder(path, error);
    if (kind->writer && kind->writer->missing)
        return error_set(error, ERROR_INPUT,
            "cannot write '%s': this build lacks %s for videos in %s; name a %s file", path,
            kind->writer->missing, kind->name, Y4M_EXTENSION);
    return output_check(path, 1, error);
}

/* The arguments: frames from standard input to the file. Encoders make other bytes with another
 * number of threads, which is that of processors unless it is given, and "bitexact" leaves out a
 * random number. */
static void list_arguments(const struct kind *kind, char *file, char *arguments[MAX_WORDS])
{
    static const char *const BEFORE[] = {ENCODER, "-v", "error", "-nostdin", "-y", "-f",
        "yuv4mpegpipe", "-i", "pipe:0", "-an", "-threads", "8", "-fflags", "+bitexact", NULL};
    int count = 0;
    for (int i = 0; BEFORE[i]; i++)
        arguments[count++] = (char *)(uintptr_t)BEFORE[i];
    for (int i = 0; kind->options[i]; i++)
        arguments[count++] = (char *)(uintptr_t)kind->options[i];
    arguments[count++] = file;
    arguments[count] = NULL;
}

/* The process of the encoder, or 0, and whether film_interrupt has been called: by the handler of a
 * signal, which runs in the thread that writes the film. */
static atomic_int running, is_interrupted;

void film_interrupt(void)
{
    const pid_t process = running;
    is_interrupted = 1;
    if (process > 0)
        kill(process, SIGKILL);
}

/* Starts the encoder, which reads `in` and writes messages to `messages`. Returns 0 or errno. */
static int spawn(char **arguments, int in, int messages, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int rc = posix_spawn_file_actions_init(&actions);
    if (rc)
        return rc;
    rc = posix_spawnattr_init(&attributes);
    if (rc) {
        posix_spawn_file_actions_destroy(&actions);
        return rc;
    }
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    rc = posix_spawnp(process, ENCODER, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

/* Makes a file without a name for what the encoder says. */
static int open_messages(struct film *film, struct error *error)
{
    const char *named = getenv("TMPDIR"), *folder = named && *named ? named : "/tmp";
    char name[PATH_MAX];
    snprintf(name, sizeof(name), "%s/tessera-XXXXXX", folder);
    film->messages = mkostemp(name, O_CLOEXEC);
    if (film->messages < 0)
        return error_set(error, ERROR_INPUT,
            "cannot make a file in '%s' for what " ENCODER
            " says: %s; name another folder in TMPDIR",
            folder, strerror(errno));
    unlink(name);
    return 0;
}

/* Starts the encoder and leaves the end of the pipe to it. Returns it, or NULL and errno. */
static FILE *start_encoder(struct film *film, const struct kind *kind)
{
    char *arguments[MAX_WORDS], file[PATH_MAX + 64];
    int ends[2];
    snprintf(file, sizeof(file), "file:%s", film->output.temporary); /* whatever it begins with */
    list_arguments(kind, file, arguments);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    const int failure = spawn(arguments, ends[0], film->messages, &film->encoder);
    close(ends[0]);
    running = failure ? 0 : film->encoder;
    if (is_interrupted)
        film_interrupt(); /* a signal that came before did not know whom to end */
    FILE *pipe = failure ? NULL : fdopen(ends[1], "wb");
    if (!pipe)
        close(ends[1]);
    if (failure) {
        film->encoder = 0;
        errno = failure;
    }
    return pipe;
}

static int open_encoder(const char *path, const struct kind *kind, int width, int height, int rate,
    struct film *film, struct error *error)
{
    int rc = output_open(path, 1, NULL, &film->output, error);
    if (rc == 0)
        rc = open_messages(film, error);
    if (rc)
        return rc;
    FILE *pipe = start_encoder(film, kind);
    if (!pipe)
        return errno == ENOENT ? lacks_encoder(path, error)
                               : error_set(error, ERROR_INPUT, "cannot write '%s': " ENCODER ": %s",
                                     path, strerror(errno));
    return y4m_open_pipe(pipe, path, width, height, rate, &film->stream, error);
}

int film_open(const char *path, const char *format, int width, int height, int rate,
    struct film *film, struct error *error)
{
    const struct kind *kind = kind_of(path, format);
    *film = (struct film){.messages = -1};
    int rc = film_check(path, format, width, height, error);
    if (rc)
        return rc;
    const int even_width = width + (kind->is_halved ? width % 2 : 0);
    const int even_height = height + (kind->is_halved ? height % 2 : 0);
    film->is_open = 1;
    if (even_width != width || even_height != height)
        rc = image_new(even_width, even_height, 3, 8, &film->padded, error);
    film->writer = kind->writer;
    if (rc == 0 && kind->writer)
        rc = kind->writer->open(path, width, height, rate, &film->animation, error);
    else if (rc == 0 && kind->options)
        rc = open_encoder(path, kind, even_width, even_height, rate, film, error);
    else if (rc == 0)
        rc = y4m_open(path, kind->is_halved, even_width, even_height, rate, &film->stream, error);
    if (rc)
        film_abandon(film);
    return rc;
}

/* The first line that the encoder said, or how it ended; empty where it ended well. It tells of
 * errors alone, and of a disk that is full at the end it does so and ends as if all were well. */
static void explain(const struct film *film, int status, char *text, size_t size)
{
    const ssize_t length = pread(film->messages, text, size - 1, 0);
    text[length > 0 ? length : 0] = 0;
    text[strcspn(text, "\r\n")] = 0;
    if (*text || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return;
    if (WIFSIGNALED(status))
        snprintf(text, size, "it was ended by signal %d", WTERMSIG(status));
    else
        snprintf(text, size, "it failed with status %d", WEXITSTATUS(status));
}

/* Waits until the encoder has ended, which may hang: film_interrupt can end it all the while. Its
 * number is forgotten before waitpid takes it, since another process may get it then. Returns its
 * status, as waitpid has it. */
static int wait_for_encoder(struct film *film)
{
    siginfo_t ended;
    int status = 0;
    while (film->encoder && waitid(P_PID, (id_t)film->encoder, &ended, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR)
        ;
    running = 0;
    while (film->encoder && waitpid(film->encoder, &status, 0) < 0 && errno == EINTR)
        ;
    film->encoder = 0;
    return status;
}

/* What came of the encoder, once it has all frames. */
static int finish_encoder(struct film *film, struct error *error)
{
    char text[512];
    const int status = wait_for_encoder(film);
    explain(film, status, text, sizeof(text));
    if (!*text)
        return 0;
    if (is_interrupted)
        return error_set(error, ERROR_STOPPED, "stopped");
    return error_set(
        error, ERROR_INPUT, "cannot write '%s': " ENCODER ": %s", film->output.name, text);
}

/* Repeats the last column and row. */
static const struct image *pad(struct film *film, const struct image *frame)
{
    struct image *padded = &film->padded;
    if (!padded->pixels)
        return frame;
    for (int y = 0; y < padded->height; y++)
        for (int x = 0; x < padded->width; x++) {
            const int from_x = x < frame->width ? x : x - 1, from_y = y < frame->height ? y : y - 1;
            memcpy((uint8_t *)padded->pixels + 4 * ((size_t)y * (size_t)padded->width + (size_t)x),
                (const uint8_t *)frame->pixels +
                    4 * ((size_t)from_y * (size_t)frame->width + (size_t)from_x),
                4);
        }
    return padded;
}

int film_add(struct film *film, const struct image *frame, struct error *error)
{
    if (film->writer)
        return film->writer->add(film->animation, frame, error);
    const int rc = y4m_add(&film->stream, pad(film, frame), error);
    if (rc == 0 || !film->encoder)
        return rc;
    y4m_abandon(&film->stream); /* the encoder has gone, and tells more */
    const int failed = finish_encoder(film, error);
    return failed ? failed
                  : error_set(error, ERROR_INPUT,
                        "cannot write '%s': " ENCODER " ended before it had all frames",
                        film->output.name);
}

int film_close(struct film *film, struct error *error)
{
    int rc;
    if (film->writer) {
        rc = film->writer->close(film->animation, error);
    } else if (!film->encoder) {
        rc = y4m_close(&film->stream, error);
    } else {
        const int pipe_rc = y4m_close(&film->stream, error);
        rc = finish_encoder(film, error); /* which tells more */
        rc = rc ? rc : pipe_rc;
        if (rc == 0)
            rc = output_commit(&film->output, error);
    }
    film_abandon(film);
    return rc;
}

void film_abandon(struct film *film)
{
    if (!film->is_open)
        return;
    if (film->writer)
        film->writer->abandon(film->animation);
    if (film->encoder)
        kill(film->encoder, SIGKILL);
    y4m_abandon(&film->stream);
    wait_for_encoder(film);
    if (film->messages >= 0)
        close(film->messages);
    output_abandon(&film->output);
    image_free(&film->padded);
    *film = (struct film){0};
}
