/* Output files appear whole or not at all. */
#include "images/output.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/tap.h"
#include "images/image.h"
#include "tests/test_files.h"

/* The tests work in this folder. */
static char folder[] = "/tmp/test_output.XXXXXX";

static int count_entries(const char *path)
{
    int count = -2; /* . and .. */
    DIR *entries = opendir(path);
    while (readdir(entries))
        count++;
    closedir(entries);
    return count;
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_mode : 0;
}

static void check_commit(void)
{
    struct error error = {""};
    struct output output;
    umask(027);
    tap_check(output_check("new", 1, &error) == 0 && count_entries(".") == 0,
        "checking a path makes nothing");
    tap_check(output_open("new", 1, NULL, &output, &error) == 0 && access("new", F_OK) != 0 &&
                  count_entries(".") == 1,
        "an open output has another name");
    output_write(&output, "whole", 5);
    fflush(output.file);
    tap_check(access("new", F_OK) != 0, "a written one, too");
    tap_check(output_commit(&output, &error) == 0 && file_holds("new", "whole") &&
                  count_entries(".") == 1,
        "committed, it has its own name");
    tap_check((mode_of("new") & 0777) == 0640, "a new file has the mode that umask leaves");
    output_abandon(&output);
    tap_check(file_holds("new", "whole"), "to abandon it after that does nothing");
    unlink("new");
}

static void check_replace(void)
{
    struct error error = {""};
    struct output output;
    put_file("old", "old");
    chmod("old", 0604);
    tap_check(output_open("old", 1, NULL, &output, &error) == 0 && file_holds("old", "old"),
        "an old file stays while the new one is written");
    output_write(&output, "new", 3);
    tap_check(output_commit(&output, &error) == 0 && file_holds("old", "new") &&
                  (mode_of("old") & 0777) == 0604 && count_entries(".") == 1,
        "committed, it is replaced and keeps its mode");
    unlink("old");
}

static void check_link(void)
{
    struct error error = {""};
    struct output output;
    if (mkdir("there", 0755) || symlink("there/target", "link"))
        abort();
    put_file("there/target", "old");
    chmod("there/target", 0600);
    const int rc = output_open("link", 1, NULL, &output, &error);
    tap_check(
        rc == 0 && count_entries("there") == 2, "behind a link, the folder of its target is used");
    output_write(&output, "new", 3);
    tap_check(output_commit(&output, &error) == 0 && S_ISLNK(mode_of("link")) &&
                  S_ISREG(mode_of("there/target")) && file_holds("there/target", "new") &&
                  count_entries("there") == 1,
        "the target is replaced, not the link");
    unlink("there/target");
    unlink("link");
    rmdir("there");
}

static void check_abandon(void)
{
    struct error error = {""};
    struct output output;
    put_file("old", "old");
    chmod("old", 0644);
    output_open("old", 1, NULL, &output, &error);
    output_write(&output, "new", 3);
    output_abandon(&output);
    tap_check(file_holds("old", "old") && count_entries(".") == 1, "abandoned, the old file stays");
    output_abandon(&output);
    unlink("old");
    output_open("new", 1, NULL, &output, &error);
    output_abandon(&output);
    tap_check(count_entries(".") == 0, "abandoned, a new file leaves nothing");
}

/* The file system is full: a limit on file sizes stands for it. */
static void check_full(void)
{
    struct error error = {""};
    struct output output;
    struct rlimit limit, small;
    static char bytes[100000];
    put_file("old", "old");
    chmod("old", 0644);
    fflush(stdout);
    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 50000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    output_open("old", 1, NULL, &output, &error);
    output_write(&output, bytes, sizeof(bytes));
    const int rc = output_commit(&output, &error);
    setrlimit(RLIMIT_FSIZE, &limit);
    tap_check(rc == ERROR_INPUT && strcmp(error.text, "cannot write 'old': File too large") == 0,
        "what does not fit is an error");
    tap_check(file_holds("old", "old") && count_entries(".") == 1, "and the old file stays");
    unlink("old");
}

/* A device is written in place. */
static void check_device(void)
{
    struct error error = {""};
    struct output output;
    struct image image;
    tap_check(output_open("/dev/null", 1, NULL, &output, &error) == 0 && !output.temporary &&
                  output_commit(&output, &error) == 0 && S_ISCHR(mode_of("/dev/null")),
        "/dev/null stays a device");
    output_open("/dev/full", 1, NULL, &output, &error);
    output_write(&output, "x", 1);
    tap_check(output_commit(&output, &error) == ERROR_INPUT &&
                  strcmp(error.text, "cannot write '/dev/full': No space left on device") == 0,
        "/dev/full is full");
    image_new(64, 64, 3, 16, &image, &error);
    static const char *const FORMATS[] = {"png", "ppm"};
    for (int i = 0; i < 2; i++)
        tap_check(image_write("/dev/full", FORMATS[i], &image, NULL, &error) == ERROR_INPUT &&
                      strcmp(error.text, "cannot write '/dev/full': No space left on device") == 0,
            "for a %s, too", FORMATS[i]);
    image_free(&image);
}

static void check_refusal(const char *path, const char *message)
{
    struct error error = {""};
    struct output output;
    const int checked = output_check(path, 1, &error);
    const int opened = output_open(path, 1, NULL, &output, &error);
    tap_check(checked == ERROR_INPUT && opened == ERROR_INPUT && strcmp(error.text, message) == 0,
        "refused: %s", message);
}

static void check_refusals(void)
{
    put_file("locked", "old");
    chmod("locked", 0444);
    check_refusal(".", "cannot write '.': it is a folder; name a file in it");
    check_refusal("locked",
        "cannot write 'locked': the file is read-only; choose another name or make it writable");
    check_refusal(
        "none/x", "cannot write 'none/x': folder 'none': No such file or directory; make it first");
    check_refusal("locked/x", "cannot write 'locked/x': Not a directory");
    tap_check(
        file_holds("locked", "old") && count_entries(".") == 1, "refusing leaves all as it was");
    unlink("locked");
}

static void check_frame_path(
    const char *output, int is_numbered, uint32_t frame, const char *expected)
{
    struct error error = {""};
    char path[PATH_MAX];
    tap_check(output_frame_path(output, is_numbered, frame, path, &error) == 0 &&
                  strcmp(path, expected) == 0,
        "frame %u of '%s'", (unsigned)frame, output);
}

static void check_frame_paths(void)
{
    char path[PATH_MAX], longest[PATH_MAX];
    struct error error = {""};
    check_frame_path("a.png", 1, 7, "a-0007.png");
    check_frame_path("a.b/c", 1, 0, "a.b/c-0000");
    check_frame_path("../a.b.png", 1, 123456, "../a.b-123456.png");
    check_frame_path("a.png", 0, 7, "a.png");
    check_frame_path("-", 0, 7, "-");
    tap_check(output_frame_path("a/", 0, 0, path, &error) == ERROR_INPUT &&
                  strcmp(error.text, "cannot write 'a/': it names no file; add a file's name") == 0,
        "no frame in a folder");
    memset(longest, 'a', PATH_MAX);
    longest[PATH_MAX - 6] = 0;
    tap_check(output_frame_path(longest, 1, 0, path, &error) == 0 && strlen(path) == PATH_MAX - 1,
        "the longest name");
    tap_check(output_frame_path(longest, 1, 10000, path, &error) == ERROR_INPUT &&
                  strstr(error.text, "the name is too long; choose a shorter one"),
        "a name that its number makes too long");
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    check_commit();
    check_replace();
    check_link();
    check_abandon();
    check_full();
    check_device();
    check_refusals();
    check_frame_paths();
    tap_check(chdir("/") == 0 && rmdir(folder) == 0, "nothing is left");
    return tap_finish();
}
