/* Times the comparison of all edges of random tiles: compare_bench [OPTIONS] TILES...
 *
 *   --device ID  --turn none|half|any  --tile SIDE  --width KEYS  --runs N (the best counts)
 *
 * A line for each number of tiles: seconds of the kernels and of all that compare_edges does, pairs
 * of edges and products of bytes a second of the kernels, and the share of what the processor could
 * do where --peak gives the billions of products a second that it could add up. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/device/clock.h"
#include "random.h"
#include "stages/unscramble/compare.h"

#define SIGNATURE_BYTES 48 /* of an edge, by colors */

static int random_terms(int tiles, int side, struct terms *terms, struct error *error)
{
    uint64_t random = 1;
    const int length[2] = {side, side}, rc = terms_new(tiles, 3, length, terms, error);
    for (int i = 0; rc == 0 && i < 2; i++)
        for (size_t j = 0; j < (size_t)tiles * 12 * (size_t)side; j++)
            terms->value[i][j] = (uint16_t)(random_bits(&random) % (100 * LAB_SCALE));
    return rc;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"device", 1, NULL, 'd'}, {"turn", 1, NULL, 'r'},
        {"tile", 1, NULL, 't'}, {"width", 1, NULL, 'k'}, {"runs", 1, NULL, 'n'},
        {"peak", 1, NULL, 'p'}, {0}};
    struct run run = {.device_id = "cpu", .stage = "compare"};
    enum turns turns = TURNS_NONE;
    int side = 28, width = 24, runs = 3;
    double peak = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) >= 0;) {
        if (o == 'd')
            run.device_id = optarg;
        else if (o == 'r')
            turns = optarg[0] == 'a' ? TURNS_ANY : optarg[0] == 'h' ? TURNS_HALF : TURNS_NONE;
        else if (o == 't')
            side = atoi(optarg);
        else if (o == 'k')
            width = atoi(optarg);
        else if (o == 'n')
            runs = atoi(optarg);
        else if (o == 'p')
            peak = atof(optarg);
        else
            return 2;
    }
    printf("%8s %10s %10s %10s %10s\n", "tiles", "kernel s", "all s", "Gpairs/s", "Gbytes/s");
    int rc = 0;
    for (int i = optind; i < argc && rc == 0; i++) {
        const int tiles = atoi(argv[i]);
        const double others = turns_count(turns);
        const double pairs = 4 * others * tiles * (double)tiles;
        struct terms terms = {0};
        struct partner *list = malloc((size_t)tiles * 4 * (size_t)width * sizeof(*list));
        double best[2] = {1e9, 1e9};
        rc = list ? random_terms(tiles, side, &terms, &run.error)
                  : error_set(&run.error, ERROR_INPUT, "not enough memory");
        for (int k = 0; k < runs && rc == 0; k++) {
            struct device_times times = {0};
            const double start = clock_seconds();
            rc = compare_edges(&run, &terms, turns, NULL, width, list);
            const double seconds = clock_seconds() - start;
            if (rc == 0)
                rc = device_finish(&run.device, &times, &run.error);
            best[0] = times.kernel < best[0] ? times.kernel : best[0];
            best[1] = seconds < best[1] ? seconds : best[1];
        }
        const double sums = pairs * SIGNATURE_BYTES;
        if (rc == 0) {
            printf("%8d %10.4f %10.4f %10.3f %10.1f", tiles, best[0], best[1],
                pairs / best[0] / 1e9, sums / best[0] / 1e9);
            if (peak > 0)
                printf(" %5.1f%%", 100 * sums / best[0] / peak);
            printf("\n");
            fflush(stdout);
        }
        free(list);
        terms_free(&terms);
    }
    run_end(&run);
    if (rc)
        fprintf(stderr, "compare_bench: %s\n", run.error.text);
    return rc != 0;
}
