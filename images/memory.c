#include "images/memory.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The limit that a file of a control group tells, or `least` if that is less or it is "max". */
static uint64_t read_limit(const char *path, uint64_t least)
{
    unsigned long long limit;
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%llu", &limit) == 1 && limit < least)
        least = limit;
    if (file)
        fclose(file);
    return least;
}

/* The least limit of a control group, "/a/b", and of those that it is in. */
static uint64_t least_limit(const char *root, char *group, const char *name, uint64_t least)
{
    char path[2 * PATH_MAX];
    char *slash;
    do {
        snprintf(path, sizeof(path), "%s%s/%s", root, group, name);
        least = read_limit(path, least);
        slash = strrchr(group, '/');
        if (slash)
            *slash = 0;
    } while (slash);
    return least;
}

/* Lines of /proc/self/cgroup are "0::/a/b" (version 2) or "4:cpu,memory:/a/b" (version 1). */
uint64_t memory_limit(void)
{
    uint64_t least = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    char line[PATH_MAX + 64];
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof(line), file)) {
        char *kinds = strchr(line, ':'), *group = kinds ? strchr(kinds + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        group[strcspn(group, "\n")] = 0;
        if (strcmp(kinds, ":") == 0)
            least = least_limit("/sys/fs/cgroup", group, "memory.max", least);
        else if (strstr(kinds, "memory"))
            least = least_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", least);
    }
    if (file)
        fclose(file);
    return least;
}
