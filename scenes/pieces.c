#include "scenes/pieces.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PIECES (PIECES_TEXT / PIECE_TEXT)

/* Cuts the text behind borders. Returns how many pieces there are. */
static int cut(
    struct pieces *pieces, const struct builder *builder, const char *text, const char *end)
{
    int count = 0;
    while (text < end) {
        struct piece *piece = &pieces->list[count++];
        const size_t left = (size_t)(end - text);
        const char *border = left > PIECE_TEXT && count < (int)MAX_PIECES
                                 ? memchr(text + PIECE_TEXT, pieces->border, left - PIECE_TEXT)
                                 : NULL;
        piece->at = text;
        piece->end = border ? border + 1 : end;
        piece->lines = 0;
        piece->scene.count = 0;
        piece->builder.scene = &piece->scene;
        piece->builder.origin = builder->origin;
        piece->builder.origin.error = &piece->error;
        text = piece->end;
    }
    return count;
}

/* Adds the circles of the first pieces. Returns 0 or ERROR_INPUT, without a message. */
static int add(struct builder *builder, const struct piece *pieces, int count, size_t circles)
{
    struct scene *scene = builder->scene;
    size_t firsts[MAX_PIECES];
    if (builder_reserve(builder, circles) != 0)
        return ERROR_INPUT;
    for (int i = 0; i < count; i++) {
        firsts[i] = scene->count;
        scene->count += pieces[i].scene.count;
    }
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (int i = 0; i < count; i++)
        if (pieces[i].scene.count > 0)
            memcpy(scene->circles + firsts[i], pieces[i].scene.circles,
                pieces[i].scene.count * sizeof(struct circle));
    return 0;
}

/* A piece that was not read to its end is the last whose circles are taken: what follows it may not
 * begin where it seems to. */
const char *pieces_read(struct pieces *pieces, struct builder *builder, const char *text,
    const char *end, size_t *lines)
{
    const size_t left = (size_t)(end - text), room = SCENE_MAX_CIRCLES - builder->scene->count;
    if (left < 2 * PIECE_TEXT || pieces->is_full)
        return text;
    if (!pieces->list)
        pieces->list = calloc(MAX_PIECES, sizeof(*pieces->list));
    if (!pieces->list)
        return text;
    const int count = cut(pieces, builder, text, left > PIECES_TEXT ? text + PIECES_TEXT : end);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; i++)
        pieces->read(pieces->format, &pieces->list[i]);
    size_t circles = 0;
    int taken = 0, is_whole = 1;
    while (taken < count && is_whole && circles + pieces->list[taken].scene.count <= room) {
        circles += pieces->list[taken].scene.count;
        is_whole = pieces->list[taken].at == pieces->list[taken].end;
        taken++;
    }
    pieces->is_full = taken == 0 || add(builder, pieces->list, taken, circles) != 0;
    if (pieces->is_full)
        return text;
    for (int i = 0; i < taken; i++)
        *lines += pieces->list[i].lines;
    return pieces->list[taken - 1].at;
}

void pieces_free(struct pieces *pieces)
{
    for (size_t i = 0; pieces->list && i < MAX_PIECES; i++)
        free(pieces->list[i].scene.circles);
    free(pieces->list);
}
