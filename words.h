/* Short lists of words, such as the names of formats, and how messages print them. */
#ifndef WORDS_H
#define WORDS_H

#include <stdio.h>
#include <string.h>

#define WORDS_MAX 64     /* of one list */
#define WORDS_LETTERS 40 /* of a word that is looked for among those that are like it */

struct words {
    int count;
    const char *word[WORDS_MAX]; /* the texts are not copied */
};

struct words_text {
    char text[256];
};

/* Adds a word; a list that is full, or has it, stays as it is. */
static inline void words_add(struct words *words, const char *word)
{
    for (int i = 0; i < words->count; i++)
        if (strcmp(words->word[i], word) == 0)
            return;
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

/* How many letters are put in, left out, replaced, or exchanged with the next one, to make one word
 * of the other: the optimal string alignment distance. Both have at most WORDS_LETTERS. */
static inline int words_distance(const char *a, const char *b)
{
    int distance[WORDS_LETTERS + 1][WORDS_LETTERS + 1]; /* of the first i letters and the first j */
    const int m = (int)strlen(a), n = (int)strlen(b);
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) {
            int least = i == 0 ? j : j == 0 ? i : distance[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (i > 0 && distance[i - 1][j] + 1 < least)
                least = distance[i - 1][j] + 1;
            if (j > 0 && distance[i][j - 1] + 1 < least)
                least = distance[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                distance[i - 2][j - 2] + 1 < least)
                least = distance[i - 2][j - 2] + 1;
            distance[i][j] = least;
        }
    return distance[m][n];
}

/* What messages end in where a word is not in the list: "; did you mean 'fast'?", `prefix` before
 * the word, with the first of those at the least distance; nothing where that is more than a third
 * of the letters. */
static inline struct words_text words_suggest(
    const struct words *words, const char *prefix, const char *text)
{
    struct words_text suggestion = {""};
    int nearest = (int)strlen(text) / 3 + 1;
    for (int i = 0; i < words->count && strlen(text) <= WORDS_LETTERS; i++) {
        const int distance = strlen(words->word[i]) <= WORDS_LETTERS
                                 ? words_distance(words->word[i], text)
                                 : nearest;
        if (distance < nearest) {
            nearest = distance;
            snprintf(suggestion.text, sizeof(suggestion.text), "; did you mean '%s%s'?", prefix,
                words->word[i]);
        }
    }
    return suggestion;
}

#endif
