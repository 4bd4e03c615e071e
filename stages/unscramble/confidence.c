#include "stages/unscramble/confidence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NEARLY_TIE 0.01   /* logarithm of the margin, below which the next best is as good */
#define TIE_PROBABLE 0.49 /* of one of two orders or more that fit alike */
#define NAMED 10          /* runs of places in a message */

/* Whether another order is known to be as good, or, of a page, all others together weigh as much as
 * one that is. */
static int is_tie(enum answer_kind kind, const double evidence[ANSWER_EVIDENCE])
{
    return kind == ANSWER_PROVEN ? evidence[ANSWER_RATIO] < NEARLY_TIE
                                 : kind == ANSWER_PAGE && evidence[ANSWER_EXCHANGES] >= 0;
}

double confidence_of_answer(enum answer_kind kind, const double evidence[ANSWER_EVIDENCE])
{
    const double most = is_tie(kind, evidence) ? TIE_PROBABLE : MAX_PROBABLE;
    double sum = 0;
    if (evidence[ANSWER_TILES] <= 0)
        return 1;
    for (int i = 0; i < ANSWER_EVIDENCE; i++)
        sum += ANSWER_COEFFICIENTS[kind][i] * evidence[i];
    const double probability = 1 / (1 + exp(-sum));
    return probability < most ? probability : most;
}

void confidence_of_places(enum answer_kind kind, const float (*evidence)[PLACE_EVIDENCE],
    uint32_t places, double whole, float *confidence)
{
    for (uint32_t place = 0; place < places; place++) {
        double sum = 0;
        for (int i = 0; i < PLACE_EVIDENCE; i++)
            sum += PLACE_COEFFICIENTS[kind][i] * (double)evidence[place][i];
        const int is_tied = kind == ANSWER_PAGE && evidence[place][PLACE_EXCHANGES] >= 0;
        const double most = is_tied ? TIE_PROBABLE : MAX_PROBABLE;
        double probability = 1 / (1 + exp(-sum));
        probability = probability < most ? probability : most;
        probability = probability > whole ? probability : whole;
        confidence[place] = evidence[place][PLACE_ONE] > 0 ? (float)probability : 0;
    }
}

struct sure_place {
    float confidence;
    uint32_t place;
};

static int surest_first(const void *x, const void *y)
{
    const struct sure_place *a = x, *b = y;
    if (a->confidence != b->confidence)
        return a->confidence > b->confidence ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

int confidence_order(const struct placed *placed, const float *confidence, uint32_t places,
    uint32_t *order, uint32_t *count, struct error *error)
{
    struct sure_place *sure = malloc(places * sizeof(*sure));
    *count = 0;
    if (!sure)
        return error_set(error, ERROR_INPUT, "not enough memory to sort the places");
    for (uint32_t place = 0; place < places; place++)
        if (placed[place].tile != NO_TILE)
            sure[(*count)++] = (struct sure_place){confidence[place], place};
    qsort(sure, *count, sizeof(*sure), surest_first);
    for (uint32_t i = 0; i < *count; i++)
        order[i] = sure[i].place;
    free(sure);
    return 0;
}

void confidence_name_doubtful(const struct placed *placed, const float *confidence, uint32_t places,
    double bound, char text[CONFIDENCE_TEXT])
{
    uint32_t least = 0, runs = 0, more = 0;
    int used = 0;
    for (uint32_t first = 0, end; first < places; first = end) {
        for (end = first;
             end < places && placed[end].tile != NO_TILE && (double)confidence[end] < bound;)
            end++;
        if (placed[first].tile != NO_TILE &&
            (placed[least].tile == NO_TILE || confidence[first] < confidence[least]))
            least = first;
        if (end == first) {
            end++;
            continue;
        }
        if (++runs > NAMED) {
            more += end - first;
            continue;
        }
        used += snprintf(
            text + used, CONFIDENCE_TEXT - (size_t)used, "%s%u", runs > 1 ? ", " : "", first);
        if (end - first > 1)
            used += snprintf(text + used, CONFIDENCE_TEXT - (size_t)used, "%s%u",
                end - first > 2 ? "-" : ", ", end - 1);
    }
    if (!runs)
        snprintf(text, CONFIDENCE_TEXT, "%u", least);
    if (more)
        snprintf(text + used, CONFIDENCE_TEXT - (size_t)used, " and %u more", more);
}
