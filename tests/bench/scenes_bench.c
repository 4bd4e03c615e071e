/* Times making and reading scenes: scenes_bench RUNS SCENE|FILE... Prints a line each: the scene,
 * the threads, and the least milliseconds of the runs. --threads is OMP_NUM_THREADS here. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scene.h"

int main(int argc, char **argv)
{
    const int runs = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 2; i < argc; i++) {
        const struct scene_info *info = scene_find(argv[i]);
        double least = 1e9;
        for (int run = 0; run < runs; run++) {
            struct error error;
            struct scene scene;
            const double begun = omp_get_wtime();
            const int rc = info ? scene_make(info, 0, &scene, &error)
                                : scene_read(argv[i], NULL, &scene, NULL, &error);
            const double seconds = omp_get_wtime() - begun;
            least = seconds < least ? seconds : least;
            if (rc) {
                fprintf(stderr, "scenes_bench: %s\n", error.text);
                return 1;
            }
            scene_free(&scene);
        }
        printf("%s\t%d\t%.1f\n", argv[i], omp_get_max_threads(), 1e3 * least);
    }
    return 0;
}
