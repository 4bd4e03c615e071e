#include "stages/unscramble/overlay.h"

#include "images/chart.h"
#include "stages/unscramble/confidence.h"

#define STRENGTH 0.6 /* of the tint where nothing speaks for a tile */
#define OUTLINED 12  /* pixels a side that a tile has to have for an outline */

static const struct color PANEL = {32, 32, 32}, TEXT = {230, 230, 230};

static uint8_t mix(uint8_t below, uint8_t above, double strength)
{
    return (uint8_t)(below + strength * (above - below) + 0.5);
}

/* A color as it looks on a tile of some confidence. */
static struct color tint(struct color color, double confidence)
{
    const double doubt = 1 - confidence;
    const struct color red = draw_diverging(0.5 + doubt / 2);
    return (struct color){mix(color.red, red.red, STRENGTH * doubt),
        mix(color.green, red.green, STRENGTH * doubt), mix(color.blue, red.blue, STRENGTH * doubt)};
}

/* The scale's color: that of middle gray. */
static struct color tinted_gray(double confidence)
{
    return tint((struct color){128, 128, 128}, confidence);
}

static void mark_place(struct image *image, struct box box, float confidence)
{
    const struct color red = draw_diverging(1 - (double)confidence / 2);
    for (int y = box.top; y < box.top + box.height; y++)
        for (int x = box.left; x < box.left + box.width; x++) {
            const uint8_t *pixel =
                (const uint8_t *)image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
            draw_rectangle(image, x, y, 1, 1,
                tint((struct color){pixel[0], pixel[1], pixel[2]}, (double)confidence));
        }
    if ((double)confidence >= DOUBTFUL || box.width < OUTLINED || box.height < OUTLINED)
        return;
    const int right = box.left + box.width - 1, bottom = box.top + box.height - 1;
    draw_rectangle(image, box.left, box.top, box.width, 1, red);
    draw_rectangle(image, box.left, bottom, box.width, 1, red);
    draw_rectangle(image, box.left, box.top, 1, box.height, red);
    draw_rectangle(image, right, box.top, 1, box.height, red);
}

int overlay_draw(
    const struct layout *layout, const float *confidence, struct image *image, struct error *error)
{
    const struct permutation *p = layout->permutation;
    const struct chart_scale scale = {"confidence that the tile is right", tinted_gray, 0, 1, 0, 0};
    const uint32_t places = permutation_first(p, p->solutions);
    struct montage montage;
    int rc = montage_make(layout, &montage, error);
    if (rc)
        return rc;
    const struct image *frame = &montage.image;
    for (uint32_t place = 0; place < places; place++)
        if (p->placed[place].tile != NO_TILE) {
            montage_draw(&montage, place);
            mark_place(&montage.image, montage_box(&montage, place), confidence[place]);
        }
    const double size = chart_text_size(frame->width, frame->height);
    rc = image_new(frame->width + chart_bar_width(size), frame->height, 3, 8, image, error);
    if (rc == 0) {
        draw_rectangle(image, 0, 0, image->width, image->height, PANEL);
        image_copy_area(frame, 0, 0, frame->width, frame->height, image, 0, 0);
        draw_chart_bar(image, &scale, size, TEXT);
    }
    image_free(&montage.image);
    return rc;
}
