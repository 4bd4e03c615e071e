/* What list_count and list_fill share. */
#ifndef LISTS_H
#define LISTS_H

#include "kernels/kernel.h"

#define LIST_STRIDE \
    (LIST_WORDS + 1) /* words from line to line; odd, so that lines lie in different banks */

/* Copies the group's block of every line of the matrix of bits to LOCAL uint lines[2 * BIN_LINES *
 * LIST_STRIDE]: LIST_WORDS words each, 0 past the end. */
#define LIST_LOAD_LINES(lines, bins, args) \
    for (uint first_ = 0; first_ < (args.columns + args.rows) * LIST_WORDS; first_ += GROUP) { \
        ITEMS \
        { \
            const uint line_ = (first_ + ITEM) / LIST_WORDS, word_ = (first_ + ITEM) % LIST_WORDS; \
            const uint from_ = GROUP_X * LIST_WORDS + word_; \
            if (line_ < args.columns + args.rows) \
                lines[line_ * LIST_STRIDE + word_] = \
                    from_ < args.words ? bins[line_ * args.words + from_] : 0; \
        } \
    } \
    SYNC

#endif
