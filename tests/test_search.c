/* SEARCH on every kind of processor, from tables of pair costs, against the reference. */
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "stages/unscramble/reference.h"
#include "stages/unscramble/unscramble.h"
#include "tests/test_random.h"

#define LARGEST_FIT (64u * 255 * 255)

/* A puzzle, and in how many ways its tiles may be turned. */
struct puzzle {
    struct grid grid;
    uint32_t turns;
};

/* Tables of pair costs: evenly random up to a value, or all of one value. */
struct table {
    const char *name;
    uint32_t least, most;
};

static void fill(const struct table *table, uint32_t turns, uint32_t *pair_costs)
{
    for (uint32_t i = 0; i < PAIR_COSTS(turns); i++)
        pair_costs[i] = table->least + (next_random() >> 8) % (table->most - table->least + 1);
}

/* Low costs from tile to tile along an order: found without looking at too many others. */
static void plant(const struct puzzle *puzzle, uint64_t seed, uint32_t *pair_costs)
{
    const uint32_t pitch = ORIENTED_MAX(puzzle->turns), columns = puzzle->grid.columns;
    struct permutation order = {0};
    struct error error;
    uint32_t oriented[SEARCH_TILES];
    if (permutation_shuffle(puzzle->grid, &seed, &order, &error) != 0)
        abort();
    for (uint32_t place = 0; place < grid_tiles(puzzle->grid); place++) {
        const uint32_t tile = order.placed[place].tile;
        oriented[place] = tile * puzzle->turns + (tile ? next_random() % puzzle->turns : 0);
        if (place % columns)
            pair_costs[oriented[place - 1] * pitch + oriented[place]] /= 64;
        if (place >= columns)
            pair_costs[(pitch + oriented[place - columns]) * pitch + oriented[place]] /= 64;
    }
    permutation_free(&order);
}

struct answer {
    uint32_t order[SEARCH_TILES];
    uint32_t cost, runner_up_cost;
};

/* Runs SEARCH. A tie is one where both costs are equal. */
static int search_agrees(struct run *run, struct unscramble *u, const struct answer *expected)
{
    const uint32_t turns = unscramble_turn_count(u);
    if (unscramble_run_stage(run, &SEARCH, u) != 0) {
        printf("# %s\n", run->error.text);
        return 0;
    }
    const struct permutation *permutation = &u->result.permutation;
    int right = u->result.exact_cost == expected->cost &&
                u->result.runner_up_cost == expected->runner_up_cost &&
                permutation->puzzle.columns == u->grid.columns &&
                permutation->puzzle.rows == u->grid.rows && permutation->solutions == 1;
    for (uint32_t place = 0; right && place < grid_tiles(u->grid); place++)
        right = permutation->placed[place].tile == expected->order[place] / turns &&
                permutation->placed[place].turn == expected->order[place] % turns * (4 / turns);
    return right;
}

static void check(struct run *run, const struct puzzle *puzzle, const char *name,
    const uint32_t *pair_costs, int also_exhaustive)
{
    static const char *const TURNED[] = {"", "", " turned by half", "", " turned by quarters"};
    const struct grid grid = puzzle->grid;
    const size_t size = PAIR_COSTS(puzzle->turns) * sizeof(*pair_costs);
    struct unscramble u = {.options = {.input = "test", .rotates = puzzle->turns > 1},
        .grid = grid,
        .tile_width = 8,
        .tile_height = puzzle->turns == 4 ? 8 : 9};
    struct answer expected;
    /* A square board looks alike in four turns of all tiles, others in two. */
    reference_search(pair_costs, grid, puzzle->turns,
        puzzle->turns == 4 && grid.columns != grid.rows ? 2 : 1, expected.order, &expected.cost,
        &expected.runner_up_cost);
    if (run_device(run, &(const struct workload){0}) != 0 ||
        run_buffer(run, &u.pair_costs, size, NULL) != 0 ||
        buffer_upload(&u.pair_costs, pair_costs, size, &run->error) != 0) {
        tap_check(0, "%s", run->error.text);
        return;
    }
    u.options.search = SEARCH_PRUNED;
    tap_check(search_agrees(run, &u, &expected), "%s, %u x %u tiles%s, %s costs: pruned",
        run->device_id, grid.columns, grid.rows, TURNED[puzzle->turns], name);
    u.options.search = SEARCH_EXHAUSTIVE;
    if (also_exhaustive)
        tap_check(search_agrees(run, &u, &expected), "%s, %u x %u tiles, %s costs: exhaustive",
            run->device_id, grid.columns, grid.rows, name);
    run_buffers_free(run);
    permutation_free(&u.result.permutation);
}

static const struct table TABLES[] = {{"random", 0, LARGEST_FIT}, {"few different", 0, 2},
    {"zero", 0, 0}, {"largest", LARGEST_FIT, LARGEST_FIT},
    {"nearly largest", LARGEST_FIT - 1, LARGEST_FIT}};

/* All tables where there are at most so many tiles; planted ones, and ties, up to the most. */
static void check_turns(struct run *run, uint32_t turns, uint32_t all_tables)
{
    uint32_t pair_costs[PAIR_COSTS(4)];
    for (uint32_t columns = 1; columns <= SEARCH_TILES; columns++)
        for (uint32_t rows = 1; columns * rows * turns <= ORIENTED_MAX(turns); rows++) {
            const struct puzzle puzzle = {{columns, rows}, turns};
            if (columns * rows <= all_tables) {
                for (size_t i = 0; i < sizeof(TABLES) / sizeof(TABLES[0]); i++) {
                    fill(&TABLES[i], turns, pair_costs);
                    check(run, &puzzle, TABLES[i].name, pair_costs, turns == 1);
                }
            } else {
                fill(&TABLES[0], turns, pair_costs);
                plant(&puzzle, columns, pair_costs);
                check(run, &puzzle, "planted", pair_costs, 0);
                fill(&TABLES[2], turns, pair_costs);
                if (turns != 2)
                    check(run, &puzzle, "zero", pair_costs, 0);
            }
        }
}

static void check_device(const char *id)
{
    struct run run = {.device_id = id, .threads = 2};
    check_turns(&run, 1, 9);
    check_turns(&run, 2, 6);
    check_turns(&run, 4, 5);
    run_end(&run);
}

/* COSTS of 2 x 2 tiles of noise, the upper ones with gray lines at their outer sides, which fit
 * perfectly, and yet cost no less than a tie. */
static void check_lines(void)
{
    struct unscramble u = {.options = {.input = "test", .grid = {2, 2}}};
    struct run run = {.device_id = "cpu", .threads = 1};
    struct image image;
    uint32_t pair_costs[PAIR_COSTS(1)];
    if (image_new(40, 40, 3, 8, &image, &run.error) != 0)
        abort();
    for (int i = 0; i < 40 * 40; i++) {
        const int is_line = i < 20 * 40 && (i % 40 == 0 || i % 40 == 39);
        memset((uint8_t *)image.pixels + 4 * i, is_line ? 99 : (int)(next_random() >> 24), 3);
        ((uint8_t *)image.pixels)[4 * i + 3] = 255;
    }
    u.options.puzzle = &image;
    const int rc = unscramble_run_stage(&run, &LOAD, &u) || unscramble_compare(&run, &u) ||
                   unscramble_run_stage(&run, &COSTS, &u) ||
                   buffer_download(&u.pair_costs, pair_costs, sizeof(pair_costs), &run.error);
    tap_check(rc == 0 && pair_costs[1 * SEARCH_TILES + 0] >= TIE_COST,
        "lines do not attract each other: %u", pair_costs[1 * SEARCH_TILES + 0]);
    run_end(&run);
    unscramble_end(&u);
    image_free(&image);
}

int main(void)
{
    struct device_info infos[DEVICE_LIMIT];
    struct error error;
    const int count = CPU_BACKEND.list(infos, DEVICE_LIMIT, &error);
    check_lines();
    for (int i = 0; i < count; i++)
        check_device(infos[i].id);
    return tap_finish();
}
