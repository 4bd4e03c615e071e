/* A heap of open cells with the best oriented tile that was found for each: the least score comes
 * first, of several as good the least cell. */
#ifndef FILL_HEAP_H
#define FILL_HEAP_H

#include <stdint.h>
#include <stdlib.h>

struct fill_entry {
    float score;
    int32_t cell, oriented;
    uint32_t version; /* of the cell's entry: older ones are stale */
};

struct fill_heap {
    struct fill_entry *entry;
    int count, room;
};

enum { HEAP_CHILDREN = 4 }; /* of an entry, one behind the other: fewer levels than with two */

static inline int entry_before(const struct fill_entry *a, const struct fill_entry *b)
{
    return a->score < b->score || (a->score == b->score && a->cell < b->cell);
}

/* Returns 0, or -1 when memory is short. free(heap->entry) frees. */
static inline int heap_push(struct fill_heap *heap, struct fill_entry entry)
{
    if (heap->count == heap->room) {
        const int room = heap->room ? 2 * heap->room : 1024;
        struct fill_entry *grown = realloc(heap->entry, (size_t)room * sizeof(*grown));
        if (!grown)
            return -1;
        heap->entry = grown;
        heap->room = room;
    }
    int at = heap->count++;
    for (int parent; at > 0; at = parent) {
        parent = (at - 1) / HEAP_CHILDREN;
        if (!entry_before(&entry, &heap->entry[parent]))
            break;
        heap->entry[at] = heap->entry[parent];
    }
    heap->entry[at] = entry;
    return 0;
}

/* Takes the first entry out of a heap that has one. */
static inline struct fill_entry heap_pop(struct fill_heap *heap)
{
    const struct fill_entry top = heap->entry[0], last = heap->entry[--heap->count];
    int at = 0;
    for (int first; (first = HEAP_CHILDREN * at + 1) < heap->count;) {
        const int end = heap->count - first < HEAP_CHILDREN ? heap->count : first + HEAP_CHILDREN;
        int least = first;
        for (int child = first + 1; child < end; child++)
            if (entry_before(&heap->entry[child], &heap->entry[least]))
                least = child;
        if (!entry_before(&heap->entry[least], &last))
            break;
        heap->entry[at] = heap->entry[least];
        at = least;
    }
    heap->entry[at] = last;
    return top;
}

#endif
