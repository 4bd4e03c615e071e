/* Short lists of words, such as the names of formats, and how messages print them. */
#ifndef WORDS_H
#define WORDS_H

#include <ctype.h>
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

static inline void words_add_all(struct words *words, const struct words *others)
{
    for (int i = 0; i < others->count; i++)
        words_add(words, others->word[i]);
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

/* Whether two letters are the same but for their case. */
static inline int words_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* How many letters are put in, left out, replaced, or exchanged with the next one, to make one word
 * of the other, whatever their case: the optimal string alignment distance. Both have at most
 * WORDS_LETTERS. */
static inline int words_distance(const char *a, const char *b)
{
    int distance[WORDS_LETTERS + 1][WORDS_LETTERS + 1]; /* of the first i letters and the first j */
    const int m = (int)strlen(a), n = (int)strlen(b);
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) {
            int least = i == 0   ? j
                        : j == 0 ? i
                                 : distance[i - 1][j - 1] + !words_same(a[i - 1], b[j - 1]);
            if (i > 0 && distance[i - 1][j] + 1 < least)
                least = distance[i - 1][j] + 1;
            if (j > 0 && distance[i][j - 1] + 1 < least)
                least = distance[i][j - 1] + 1;
            if (i > 1 && j > 1 && words_same(a[i - 1], b[j - 2]) &&
                words_same(a[i - 2], b[j - 1]) && distance[i - 2][j - 2] + 1 < least)
                least = distance[i - 2][j - 2] + 1;
            distance[i][j] = least;
        }
    return distance[m][n];
}

/* How many letters a text and a word, or a part of it behind a dash, have in common from their
 * beginning. */
static inline int words_common(const char *word, const char *text)
{
    int most = 0;
    for (const char *part = word; part; part = strchr(part, '-') ? strchr(part, '-') + 1 : NULL) {
        int count = 0;
        while (text[count] && words_same(part[count], text[count]))
            count++;
        most = count > most ? count : most;
    }
    return most;
}

/* The word that is meant by a text that is none, or NULL: the first of those at the least distance,
 * if that is at most a third of the letters; else the one that has most letters in common with it
 * from the beginning, at least four and half of them. */
static inline const char *words_nearest(const struct words *words, const char *text)
{
    const int length = (int)strlen(text);
    const char *near = NULL, *alike = NULL;
    int distance = length / 3 + 1, common = length < 8 ? 3 : (length - 1) / 2;
    for (int i = 0; i < words->count && length <= WORDS_LETTERS; i++) {
        const char *word = words->word[i];
        const int own = strlen(word) <= WORDS_LETTERS ? words_distance(word, text) : distance;
        if (own < distance) {
            distance = own;
            near = word;
        }
        if (words_common(word, text) > common) {
            common = words_common(word, text);
            alike = word;
        }
    }
    return near ? near : alike;
}

/* What messages end in where a word is not in the list: "; did you mean 'fast'?", with `prefix`
 * before the word; nothing where none is like it. */
static inline struct words_text words_suggest(
    const struct words *words, const char *prefix, const char *text)
{
    struct words_text suggestion = {""};
    const char *nearest = words_nearest(words, text);
    if (nearest)
        snprintf(
            suggestion.text, sizeof(suggestion.text), "; did you mean '%s%s'?", prefix, nearest);
    return suggestion;
}

/* The same for the extension of a path: the words are extensions, with their dot or without. */
static inline struct words_text words_suggest_extension(
    const struct words *extensions, const char *path)
{
    struct words bare = {0, {NULL}};
    const char *dot = strrchr(path, '.');
    for (int i = 0; i < extensions->count; i++)
        words_add(&bare, extensions->word[i] + (extensions->word[i][0] == '.'));
    return words_suggest(&bare, ".", dot ? dot + 1 : "");
}

#endif
