/* What --list-devices and --list-stages print, or leave for JSON. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* What a rank tells of itself. */
struct rank_device {
    char host[64];
    int has_device;
    struct device_info info;
};

static void print_device(const struct device_info *info)
{
    printf("%-10s %s, %u unit%s, %.1f GiB (%s)\n", info->id, info->name, info->units,
        info->units == 1 ? "" : "s", (double)info->memory / (1 << 30), info->detail);
}

static json_t *describe_device(const struct device_info *info)
{
    return json_pack("{s:s, s:o, s:i, s:I, s:o}", "id", info->id, "name", cli_string(info->name),
        "units", (int)info->units, "memory_bytes", (json_int_t)info->memory, "detail",
        cli_string(info->detail));
}

/* The device that this rank would take for much work. */
static struct rank_device find_own(const struct run *run)
{
    struct device_info infos[DEVICE_LIMIT];
    struct rank_device own = {0};
    const char *id = run->device_id;
    const int count = device_list(infos);
    const int index =
        device_find(id && strcmp(id, "auto") != 0 ? id : NULL, run->turn, infos, count);
    own.has_device = index >= 0;
    if (index >= 0)
        own.info = infos[index];
    gethostname(own.host, sizeof(own.host) - 1);
    return own;
}

static json_t *list_ranks(const struct cli *cli, const struct rank_device *ranks)
{
    json_t *list = json_array();
    for (int i = 0; i < cli->rank_count; i++) {
        json_t *row = ranks[i].has_device ? describe_device(&ranks[i].info) : json_object();
        json_object_set_new(row, "rank", json_integer(i));
        json_object_set_new(row, "host", cli_string(ranks[i].host));
        json_array_append_new(list, row);
        if (cli->json)
            continue;
        printf("rank %d on %s: ", i, ranks[i].host);
        if (ranks[i].has_device)
            print_device(&ranks[i].info);
        else
            printf("no device '%s'\n", cli->run.device_id);
    }
    return list;
}

static int list_by_ranks(struct cli *cli, json_t **list, struct error *error)
{
    struct rank_device *all = calloc((size_t)cli->rank_count, sizeof(*all));
    int rc = all ? ranks_start(&cli->run, error)
                 : error_set(error, ERROR_INPUT, "not enough memory to list the devices");
    if (rc == 0) {
        const struct rank_device own = find_own(&cli->run);
        ranks_gather(&cli->run, &own, sizeof(own), all);
        ranks_end(&cli->run, 0);
        *list = cli->rank == 0 ? list_ranks(cli, all) : NULL;
    }
    free(all);
    return rc;
}

int cli_list_devices(struct cli *cli, json_t **list, struct error *error)
{
    struct device_info infos[DEVICE_LIMIT];
    if (cli->rank_count > 1)
        return list_by_ranks(cli, list, error);
    const int count = device_list(infos);
    *list = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(*list, describe_device(&infos[i]));
        if (!cli->json)
            print_device(&infos[i]);
    }
    return 0;
}

json_t *cli_list_stages(const struct cli *cli)
{
    json_t *list = json_array();
    for (int i = 0; cli->stages[i]; i++) {
        const struct stage *stage = cli->stages[i];
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "name", stage->name, "summary", stage->summary));
        if (!cli->json)
            printf("%-13s %s\n", stage->name, stage->summary);
    }
    return list;
}
