/* Paints a fan of translucent circles and writes it as paint.ppm; stops after ten seconds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera.h>
#include <time.h>

enum { COUNT = 1000 };

static int watch(void *context, const char *stage, double share)
{
    const time_t *start = context;
    fprintf(stderr, "%s: %.0f %%\n", stage, 100 * share);
    return time(NULL) > *start + 10;
}

int main(void)
{
    const struct tessera_circles_options options = {.width = 640, .height = 480, .samples = 2};
    struct tessera_circle circles[COUNT];
    struct tessera_image image;
    time_t start = time(NULL);
    for (int i = 0; i < COUNT; i++) {
        const float angle = 2.39996f * (float)i, far = 0.45f * sqrtf((float)i / COUNT);
        circles[i] = (struct tessera_circle){.x = 0.5f + far * cosf(angle),
            .y = 0.5f + 0.75f * far * sinf(angle),
            .z = -far, /* the outer ones in front */
            .r = 0.01f + 0.05f * far,
            .red = (float)i / COUNT,
            .green = 0.4f,
            .blue = 1 - (float)i / COUNT,
            .alpha = 0.5f};
    }

    struct tessera *tessera = tessera_new();
    if (!tessera)
        return EXIT_FAILURE;
    tessera_set_threads(tessera, 2);
    tessera_set_progress(tessera, watch, &start);
    if (tessera_paint_circles(tessera, circles, COUNT, &options, &image) != TESSERA_OK) {
        fprintf(stderr, "%s\n", tessera_error(tessera));
        tessera_free(tessera);
        return EXIT_FAILURE;
    }
    printf("painted on %s\n", tessera_device(tessera));
    tessera_free(tessera);

    FILE *file = fopen("paint.ppm", "wb");
    if (file) {
        fprintf(file, "P6\n%d %d\n255\n", image.width, image.height);
        fwrite(image.pixels, 3, (size_t)image.width * (size_t)image.height, file);
    }
    tessera_image_free(&image);
    if (!file || fclose(file) != 0) {
        perror("paint.ppm");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
