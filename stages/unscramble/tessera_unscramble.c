/* tessera_unscramble: a puzzle in memory. */
#include <stdlib.h>
#include <string.h>

#include "stages/context.h"
#include "stages/unscramble/unscramble.h"

/* The solutions so far. */
struct collected {
    struct tessera *tessera;
    struct tessera_solution *solutions;
    int count;
};

static int take_image(void *context, struct run *run, const struct image *image, uint32_t solution,
    uint32_t solutions)
{
    struct collected *collected = context;
    (void)run;
    if (!collected->solutions)
        collected->solutions = calloc(solutions, sizeof(*collected->solutions));
    if (!collected->solutions)
        return context_refuse(collected->tessera, "not enough memory for %u solutions", solutions);
    collected->count = (int)solutions;
    tessera_image_free(&collected->solutions[solution].image);
    return context_give_image(collected->tessera, image, &collected->solutions[solution].image);
}

static int take_order(struct collected *collected, const struct unscramble_result *result)
{
    for (int i = 0; i < collected->count; i++) {
        struct tessera_solution *solution = &collected->solutions[i];
        const struct grid grid = result->permutation.grids[i];
        const uint32_t first = permutation_first(&result->permutation, (uint32_t)i);
        const size_t places = grid_tiles(grid);
        solution->columns = (int)grid.columns;
        solution->rows = (int)grid.rows;
        solution->tiles = malloc(places * sizeof(*solution->tiles));
        solution->turns = malloc(places);
        solution->probability = result->probability;
        solution->confidence = malloc(places * sizeof(*solution->confidence));
        if (!solution->tiles || !solution->turns || !solution->confidence)
            return context_refuse(collected->tessera, "not enough memory for %zu tiles", places);
        for (size_t place = 0; place < places; place++) {
            const struct placed placed = result->permutation.placed[first + place];
            solution->tiles[place] = placed.tile;
            solution->turns[place] = (uint8_t)placed.turn;
        }
        memcpy(solution->confidence, result->confidence + first,
            places * sizeof(*solution->confidence));
    }
    return 0;
}

static int take_options(struct tessera *tessera, const struct tessera_puzzle_options *from,
    struct unscramble_options *options)
{
    const struct words names = dissimilarity_names();
    const int numbers[] = {from->columns, from->rows, from->tile_width, from->tile_height,
        from->solutions, from->solution_columns, from->solution_rows, from->effort, from->seconds};
    const char *name = from->dissimilarity ? from->dissimilarity : "auto";
    int dissimilarity = 0;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (numbers[i] < 0)
            return context_refuse(tessera, "bad options: %d is negative", numbers[i]);
    if (!from->columns != !from->rows || !from->tile_width != !from->tile_height ||
        !from->solution_columns != !from->solution_rows || (from->columns && from->tile_width))
        return context_refuse(tessera, "bad options: columns and rows, width and height go "
                                       "together, and either the grid or the "
                                       "tiles' size is given");
    if (from->has_missing_color && !from->has_missing)
        return context_refuse(
            tessera, "bad options: a color of missing tiles, and has_missing is not set");
    if (from->solutions > MAX_SOLUTIONS || (int64_t)from->columns * from->rows > MAX_TILES ||
        (int64_t)from->solution_columns * from->solution_rows > MAX_TILES)
        return context_refuse(tessera,
            "bad options: at most %d solutions, and %d tiles or places of one", MAX_SOLUTIONS,
            MAX_TILES);
    while (dissimilarity < names.count && strcmp(names.word[dissimilarity], name) != 0)
        dissimilarity++;
    if (dissimilarity == names.count)
        return context_refuse(tessera, "bad dissimilarity '%.40s': use %s%s", name,
            words_join(&names, " or ").text, words_suggest(&names, "", name).text);
    *options = (struct unscramble_options){
        .input = "puzzle",
        .grid = {(uint32_t)from->columns, (uint32_t)from->rows},
        .tile_width = (uint32_t)from->tile_width,
        .tile_height = (uint32_t)from->tile_height,
        .is_once = 1, /* callers say what the tiles may be */
        .seed = from->seed,
        .missing = {from->missing_color[0], from->missing_color[1], from->missing_color[2]},
        .rotates = from->is_rotated,
        .has_missing = from->has_missing,
        .has_missing_color = from->has_missing_color,
        .solution_grid = {(uint32_t)from->solution_columns, (uint32_t)from->solution_rows},
        .mixed = (uint64_t)(from->solutions > 1 ? from->solutions : 0),
        .dissimilarity = (enum dissimilarity)dissimilarity,
        .effort = (uint64_t)from->effort,
        .seconds = (uint64_t)from->seconds,
    };
    return 0;
}

int tessera_unscramble(struct tessera *tessera, const struct tessera_image *puzzle,
    const struct tessera_puzzle_options *options, struct tessera_solution **solutions, int *count)
{
    static const struct tessera_puzzle_options DEFAULTS;
    struct collected collected = {.tessera = tessera};
    struct unscramble u = {0};
    struct image image = {0};
    *solutions = NULL;
    *count = 0;
    context_begin(tessera);
    int rc = take_options(tessera, options ? options : &DEFAULTS, &u.options);
    if (rc == 0)
        rc = context_take_image(tessera, puzzle, &image);
    if (rc == 0) {
        u.options.puzzle = &image;
        u.options.sinks = (struct unscramble_sinks){.context = &collected, .save = take_image};
        rc = unscramble_run(&tessera->run, &u);
    }
    if (rc == 0)
        rc = take_order(&collected, &u.result);
    if (rc == 0) {
        *solutions = collected.solutions;
        *count = collected.count;
    } else {
        tessera_solutions_free(collected.solutions, collected.count);
    }
    unscramble_end(&u);
    image_free(&image);
    return context_end(tessera, rc);
}

void tessera_solutions_free(struct tessera_solution *solutions, int count)
{
    for (int i = 0; solutions && i < count; i++) {
        free(solutions[i].tiles);
        free(solutions[i].turns);
        free(solutions[i].confidence);
        tessera_image_free(&solutions[i].image);
    }
    free(solutions);
}
