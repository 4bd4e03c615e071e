/* Short lists of words, such as the names of formats, and how messages print them. */
#ifndef WORDS_H
#define WORDS_H

#include <stdio.h>

#define WORDS_MAX 32 /* of one list */

struct words {
    int count;
    const char *word[WORDS_MAX]; /* the texts are not copied */
};

struct words_text {
    char text[256];
};

/* Adds a word; a list that is full stays as it is. */
static inline void words_add(struct words *words, const char *word)
{
    if (words->count < WORDS_MAX)
        words->word[words->count++] = word;
}

/* "a, b or c", where `last`, " or " here, stands before the last of several words. */
static inline struct words_text words_join(const struct words *words, const char *last)
{
    struct words_text joined = {""};
    size_t used = 0;
    for (int i = 0; i < words->count && used < sizeof(joined.text); i++)
        used += (size_t)snprintf(joined.text + used, sizeof(joined.text) - used, "%s%s",
            i == 0                 ? ""
            : i + 1 < words->count ? ", "
                                   : last,
            words->word[i]);
    return joined;
}

#endif
