/* SEARCH on every kind of processor, from a table of fits, against the sequential reference. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"
#include "tests/test_random.h"

#define LARGEST_FIT (64u * 255 * 255)

static void count_warnings(void *context, int is_warning, const char *line)
{
    (void)line;
    *(int *)context += is_warning;
}

/* Tables of fits: evenly random up to a value, or all of one value. */
struct table {
    const char *name;
    uint32_t least, most;
};

static void fill(const struct table *table, uint32_t *fits)
{
    for (size_t i = 0; i < FIT_COUNT; i++)
        fits[i] = table->least + (next_random() >> 8) % (table->most - table->least + 1);
}

/* Low fits from tile to tile along an order: found without looking at too many others. */
static void plant(struct grid grid, uint64_t seed, uint32_t *fits)
{
    struct permutation order = {0};
    struct error error;
    if (permutation_shuffle(grid, &seed, &order, &error) != 0)
        abort();
    for (uint32_t place = 0; place < grid_tiles(grid); place++) {
        if (place % grid.columns)
            fits[order.placed[place - 1].tile * MAX_TILES + order.placed[place].tile] /= 8;
        if (place >= grid.columns)
            fits[FIT_DIRECTION + order.placed[place - grid.columns].tile * MAX_TILES +
                 order.placed[place].tile] /= 8;
    }
    permutation_free(&order);
}

struct answer {
    uint32_t order[MAX_TILES];
    uint32_t cost, runner_up_cost;
};

/* Runs SEARCH; a tie is told as a warning, and only a tie. */
static int search_agrees(struct run *run, struct unscramble *u, const struct answer *expected)
{
    int warnings = 0;
    run->notice = count_warnings;
    run->context = &warnings;
    if (unscramble_run_stage(run, &SEARCH, u) != 0) {
        printf("# %s\n", run->error.text);
        return 0;
    }
    int right = u->result.exact_cost == expected->cost &&
                u->result.runner_up_cost == expected->runner_up_cost &&
                u->result.permutation.puzzle.columns == u->grid.columns &&
                u->result.permutation.puzzle.rows == u->grid.rows &&
                permutation_is_plain(&u->result.permutation) &&
                warnings == (expected->cost == expected->runner_up_cost);
    for (uint32_t place = 0; right && place < grid_tiles(u->grid); place++)
        right = u->result.permutation.placed[place].tile == expected->order[place];
    return right;
}

static void check(
    struct run *run, struct grid grid, const char *name, const uint32_t *fits, int also_exhaustive)
{
    struct unscramble u = {.options = {.input = "test"}, .grid = grid};
    struct answer expected;
    reference_search(fits, grid, expected.order, &expected.cost, &expected.runner_up_cost);
    if (run_device(run, &(const struct workload){0}) != 0 ||
        run_buffer(run, &u.fits, FIT_COUNT * sizeof(*fits), NULL) != 0 ||
        buffer_upload(&u.fits, fits, FIT_COUNT * sizeof(*fits), &run->error) != 0) {
        tap_check(0, "%s", run->error.text);
        return;
    }
    u.options.search = SEARCH_PRUNED;
    tap_check(search_agrees(run, &u, &expected), "%s, %u x %u tiles, %s fits: pruned",
        run->device_id, grid.columns, grid.rows, name);
    u.options.search = SEARCH_EXHAUSTIVE;
    if (also_exhaustive)
        tap_check(search_agrees(run, &u, &expected), "%s, %u x %u tiles, %s fits: exhaustive",
            run->device_id, grid.columns, grid.rows, name);
    run_buffers_free(run);
    permutation_free(&u.result.permutation);
}

static void check_device(const char *id)
{
    static const struct table TABLES[] = {{"random", 0, LARGEST_FIT}, {"few different", 0, 2},
        {"zero", 0, 0}, {"largest", LARGEST_FIT, LARGEST_FIT},
        {"nearly largest", LARGEST_FIT - 1, LARGEST_FIT}};
    struct run run = {.device_id = id, .threads = 2};
    uint32_t fits[FIT_COUNT];
    for (uint32_t columns = 1; columns <= MAX_TILES; columns++)
        for (uint32_t rows = 1; columns * rows <= MAX_TILES; rows++) {
            const struct grid grid = {columns, rows};
            if (columns * rows <= 9) {
                for (size_t i = 0; i < sizeof(TABLES) / sizeof(TABLES[0]); i++) {
                    fill(&TABLES[i], fits);
                    check(&run, grid, TABLES[i].name, fits, 1);
                }
            } else {
                fill(&TABLES[0], fits);
                plant(grid, columns, fits);
                check(&run, grid, "planted", fits, 0);
                fill(&TABLES[2], fits);
                check(&run, grid, "zero", fits, 0);
            }
        }
    run_end(&run);
}

int main(void)
{
    struct device_info infos[DEVICE_LIMIT];
    struct error error;
    const int count = CPU_BACKEND.list(infos, DEVICE_LIMIT, &error);
    for (int i = 0; i < count; i++)
        check_device(infos[i].id);
    return tap_finish();
}
