/* Films in GIF, read again by giflib: which frames there are, and which colors these have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"

#if HAVE_GIF
#include <gif_lib.h>
#include <unistd.h>

#include "images/film.h"

enum { SIDE = 32, PIXELS = SIDE * SIDE, MAX_FRAMES = 64, BYTES = 4 * PIXELS };

static char path[] = "/tmp/test_gif.XXXXXX";
static uint8_t made[MAX_FRAMES][BYTES], shown[MAX_FRAMES][BYTES];

static void write_film(int frames, int rate)
{
    struct film film = {0};
    struct error error;
    int rc = film_open(path, "gif", SIDE, SIDE, rate, &film, &error);
    for (int i = 0; rc == 0 && i < frames; i++) {
        const struct image frame = {
            .width = SIDE, .height = SIDE, .channels = 3, .depth = 8, .pixels = made[i]};
        rc = film_add(&film, &frame, &error);
    }
    if (rc == 0)
        rc = film_close(&film, &error);
    if (rc)
        abort();
}

/* Paints a frame of the file over the one before, which `canvas` has. */
static void paint_frame(
    const GifFileType *file, const SavedImage *frame, int transparent, uint8_t *canvas)
{
    const GifImageDesc *part = &frame->ImageDesc;
    for (int i = 0; i < part->Width * part->Height; i++) {
        const int number = frame->RasterBits[i];
        const int x = part->Left + i % part->Width, y = part->Top + i / part->Width;
        const GifColorType color = part->ColorMap->Colors[number];
        const uint8_t bytes[] = {color.Red, color.Green, color.Blue, 255};
        if (number != transparent)
            memcpy(canvas + 4 * (y * file->SWidth + x), bytes, sizeof(bytes));
    }
}

/* Leaves the frames of the file in `shown`; gives how many they are, and the hundredths of a second
 * that all take. */
static int read_film(int *time)
{
    static uint8_t canvas[BYTES];
    GifFileType *file = DGifOpenFileName(path, NULL);
    if (!file || DGifSlurp(file) != GIF_OK || file->ImageCount > MAX_FRAMES)
        abort();
    const int frames = file->ImageCount;
    *time = 0;
    for (int i = 0; i < frames; i++) {
        GraphicsControlBlock control;
        DGifSavedExtensionToGCB(file, i, &control);
        paint_frame(file, &file->SavedImages[i], control.TransparentColor, canvas);
        memcpy(shown[i], canvas, BYTES);
        *time += control.DelayTime;
    }
    DGifCloseFile(file, NULL);
    return frames;
}

static void set_gray(int frame, int pixel, int gray)
{
    memset(made[frame] + 4 * pixel, gray, 3);
    made[frame][4 * pixel + 3] = 255;
}

static int worst_of(int frame)
{
    int worst = 0;
    for (int i = 0; i < BYTES; i++) {
        const int far = abs(made[frame][i] - shown[frame][i]);
        worst = far > worst ? far : worst;
    }
    return worst;
}

/* All 256 grays in each frame; what changes from the second to the third has them all too, and some
 * pixels between do not change. */
static void check_grays(void)
{
    int time;
    for (int i = 0; i < PIXELS; i++) {
        set_gray(0, i, i % 256);
        set_gray(1, i, (i + 1) % 256);
        set_gray(2, i, i % 5 ? (i + 3) % 256 : (i + 1) % 256);
    }
    write_film(3, 25);
    const int frames = read_film(&time);
    tap_check(frames == 3 && worst_of(0) == 0 && worst_of(1) == 0 && worst_of(2) == 0,
        "256 grays are exact: worst %d, %d, %d", worst_of(0), worst_of(1), worst_of(2));
}

/* 256 colors that change around pixels that do not and have other ones. */
static void check_more(void)
{
    int time;
    for (int i = 0; i < PIXELS; i++) {
        set_gray(0, i, i % 256);
        set_gray(1, i, (i + 1) % 256);
        if (i % 7 == 0) {
            made[0][4 * i] = 255;
            memcpy(made[1] + 4 * i, made[0] + 4 * i, 4);
        }
    }
    write_film(2, 25);
    const int frames = read_film(&time);
    int still = 1;
    for (int i = 0; i < PIXELS; i += 7)
        still &= memcmp(shown[0] + 4 * i, shown[1] + 4 * i, 4) == 0;
    tap_check(frames == 2 && still && worst_of(1) <= worst_of(0) + 4,
        "where 256 grays change beside other colors, these stand still: worst %d, %d", worst_of(0),
        worst_of(1));
}

/* Above 25 frames a second the first and the last one are there. */
static void check_rate(int frames, int rate, int wanted)
{
    int time;
    for (int i = 0; i < frames; i++)
        for (int k = 0; k < PIXELS; k++)
            set_gray(i, k, 3 * i);
    write_film(frames, rate);
    const int count = read_film(&time);
    tap_check(count == wanted && memcmp(shown[0], made[0], BYTES) == 0 &&
                  memcmp(shown[count - 1], made[frames - 1], BYTES) == 0,
        "%d frames, %d a second: %d in %d hundredths, the last one too", frames, rate, count, time);
}

int main(void)
{
    const int fd = mkstemp(path);
    if (fd < 0 || close(fd) != 0)
        abort();
    check_grays();
    check_more();
    check_rate(1, 60, 1);
    check_rate(2, 60, 2);
    check_rate(25, 25, 25);
    check_rate(30, 60, 13);
    check_rate(60, 60, 26);
    remove(path);
    return tap_finish();
}
#else
int main(void)
{
    printf("1..0 # SKIP built without giflib\n");
    return 0;
}
#endif
