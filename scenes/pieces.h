/* Long texts of circles, read in pieces by all threads; for scenes/ alone. */
#ifndef PIECES_H
#define PIECES_H

#include "scenes/scene_formats.h"

#define PIECE_TEXT ((size_t)1 << 17)  /* bytes of a piece, roughly: stay in a cache */
#define PIECES_TEXT ((size_t)1 << 24) /* bytes read in one go: threads wait for each other seldom */

/* A part of the text, and the circles in it. */
struct piece {
    const char *at, *end; /* what is not read yet; a part begins behind a border */
    size_t lines;         /* how many ended in what was read */
    struct builder builder;
    struct scene scene;
    struct error error;
};

/* Any number of them, which keep their memory; zeros at the start. */
struct pieces {
    char border; /* the character behind which circles begin */
    /* Reads circles, adds them to the piece's builder, and moves `at` and `lines` on, at most up to
     * where a piece begins. Stops before what it cannot read or what is wrong, which is then read
     * by the thread that has the whole text. */
    void (*read)(const void *format, struct piece *piece);
    const void *format;
    struct piece *list; /* for pieces.c alone, as what follows */
    int is_full;        /* there is no room for a piece more: what is left is not looked at again */
};

/* Reads circles from there on as far as it can, at most up to the end, and adds them. Gives the
 * place behind them, the same with any number of threads: the beginning of a circle, or the end.
 * Adds to the lines. What is short is not read at all. */
const char *pieces_read(struct pieces *pieces, struct builder *builder, const char *text,
    const char *end, size_t *lines);

void pieces_free(struct pieces *pieces);

#endif
