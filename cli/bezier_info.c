#include "cli/bezier_info.h"

#include <stdlib.h>

/* Shapes of patches that occur, for --info. */
struct shape {
    enum patch_kind kind;
    int degree_u, degree_v;
    size_t count;
};

static int compare_shapes(const void *a, const void *b)
{
    const struct shape *one = a, *other = b;
    const int differences[] = {(int)one->kind - (int)other->kind, one->degree_u - other->degree_u,
        one->degree_v - other->degree_v};
    for (int i = 0; i < 3; i++)
        if (differences[i])
            return differences[i];
    return 0;
}

/* The patches by kind and degree; the caller frees it. */
static struct shape *count_shapes(const struct patches *patches, size_t *count)
{
    struct shape *shapes = malloc(patches->count * sizeof(*shapes));
    *count = 0;
    if (!shapes)
        return NULL;
    for (size_t i = 0; i < patches->count; i++) {
        const struct patch *patch = &patches->patches[i];
        shapes[i] = (struct shape){patch->kind, patch->degree_u, patch->degree_v, 1};
    }
    qsort(shapes, patches->count, sizeof(*shapes), compare_shapes);
    for (size_t i = 0; i < patches->count; i++)
        if (*count && compare_shapes(&shapes[*count - 1], &shapes[i]) == 0)
            shapes[*count - 1].count++;
        else
            shapes[(*count)++] = shapes[i];
    return shapes;
}

/* How many patches each group has; the caller frees it. */
static size_t *count_members(const struct patches *patches)
{
    size_t *counts = calloc((size_t)patches->group_count, sizeof(*counts));
    for (size_t i = 0; counts && i < patches->count; i++)
        counts[patches->patches[i].group]++;
    return counts;
}

static json_t *tell_shape(const struct cli *cli, const struct shape *shape)
{
    const char *name = patch_kind_name(shape->kind);
    const struct patch like = {.kind = shape->kind};
    if (!cli->json && shape->kind == KIND_POLYHEDRON)
        printf("%zu of kind %d, %s\n", shape->count, (int)shape->kind, name);
    else if (!cli->json && patch_is_triangle(&like))
        printf("%zu of kind %d, %s, degree %d\n", shape->count, (int)shape->kind, name,
            shape->degree_u);
    else if (!cli->json)
        printf("%zu of kind %d, %s, degree %d x %d\n", shape->count, (int)shape->kind, name,
            shape->degree_u, shape->degree_v);
    return json_pack("{s:i, s:s, s:i, s:i, s:I}", "kind", (int)shape->kind, "name", name,
        "degree_u", shape->degree_u, "degree_v", shape->degree_v, "count",
        (json_int_t)shape->count);
}

static json_t *tell_group(const struct cli *cli, const struct patch_group *group, size_t count)
{
    if (!cli->json)
        printf("group '%s', color %d: %zu\n", group->name, group->color, count);
    return json_pack("{s:o, s:i, s:I}", "name", cli_string(group->name), "color", group->color,
        "count", (json_int_t)count);
}

int bezier_info(struct cli *cli, struct bezier *b, json_t **result)
{
    const struct patches *patches = &b->patches;
    double low[3], high[3];
    size_t count = 0;
    run_start(&cli->run);
    int rc = bezier_run_stage(&cli->run, &PATCHES, b);
    if (rc)
        return rc;
    struct shape *shapes = count_shapes(patches, &count);
    size_t *members = count_members(patches);
    json_t *kinds = json_array(), *groups = json_array();
    patches_box(patches, low, high);
    *result = json_pack("{s:o, s:I, s:I, s:o, s:o, s:[fff], s:[fff]}", "input",
        cli_string(b->options.input), "patches", (json_int_t)patches->count, "control_points",
        (json_int_t)patches->control_count, "kinds", kinds, "groups", groups, "low", low[0], low[1],
        low[2], "high", high[0], high[1], high[2]);
    if (shapes && members && !cli->json)
        printf("patches: %zu, control points: %zu\nbox: %g %g %g to %g %g %g\n", patches->count,
            patches->control_count, low[0], low[1], low[2], high[0], high[1], high[2]);
    for (size_t i = 0; shapes && members && i < count; i++)
        json_array_append_new(kinds, tell_shape(cli, &shapes[i]));
    for (int i = 0; shapes && members && i < patches->group_count; i++)
        if (members[i])
            json_array_append_new(groups, tell_group(cli, &patches->groups[i], members[i]));
    const int is_told = shapes && members;
    free(shapes);
    free(members);
    return is_told ? 0 : error_set(&cli->run.error, ERROR_INPUT, "not enough memory");
}
