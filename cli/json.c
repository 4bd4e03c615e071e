/* What the tools write as JSON. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "images/output.h"

json_t *cli_string(const char *text)
{
    json_t *string = json_string(text);
    char *ascii = string ? NULL : strdup(text);
    for (char *c = ascii; c && *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    if (ascii)
        string = json_string(ascii);
    free(ascii);
    return string;
}

int cli_write_json(const char *path, const json_t *value, struct error *error)
{
    struct output output;
    char *text = json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    int rc = text ? output_open(path, 0, NULL, &output, error)
                  : error_set(error, ERROR_INPUT, "not enough memory for the JSON");
    if (rc == 0) {
        output_write(&output, text, strlen(text));
        output_write(&output, "\n", 1);
        rc = output_commit(&output, error);
    }
    free(text);
    return rc;
}

void cli_describe_run(const struct cli *cli, json_t *result)
{
    const struct device_info *device = &cli->run.device.info;
    if (device->id[0]) {
        json_object_set_new(result, "device", json_string(device->id));
        json_object_set_new(result, "device_name", cli_string(device->name));
    }
    if (!json_object_get(result, "benchmark"))
        json_object_set_new(result, "stages", timings_describe(&cli->run));
}
