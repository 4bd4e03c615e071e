#include "stages/unscramble/terms.h"

#include <stdlib.h>

int terms_new(
    int tiles, int channels, const int length[2], struct terms *terms, struct error *error)
{
    *terms = (struct terms){.tiles = tiles, .channels = channels, .length = {length[0], length[1]}};
    for (int i = 0; i < 2; i++) {
        terms->value[i] = malloc(terms_count(terms, i) * sizeof(uint16_t));
        if (!terms->value[i]) {
            terms_free(terms);
            return error_set(error, ERROR_INPUT, "not enough memory to compare the tiles");
        }
    }
    return 0;
}

void terms_free(struct terms *terms)
{
    free(terms->value[0]);
    free(terms->value[1]);
    free(terms->is_made);
    *terms = (struct terms){0};
}

/* How often values are halved so that no sum exceeds SUM_MAX. */
static int halvings(const struct strips *strips)
{
    static const int64_t range[3] = LAB_RANGE;
    const int longest =
        strips->length[0] > strips->length[1] ? strips->length[0] : strips->length[1];
    int count = 0;
    while (
        2 * longest * ((range[0] >> count) + (range[1] >> count) + (range[2] >> count)) > SUM_MAX)
        count++;
    return count;
}

static uint16_t clip(int value, int channel, int halved)
{
    static const int least[3] = LAB_LEAST, range[3] = LAB_RANGE;
    const int above = value - least[channel];
    return (uint16_t)((above < 0 ? 0 : above > range[channel] ? range[channel] : above) >> halved);
}

int terms_of_strips(
    const struct strips *strips, int predict, struct terms *terms, struct error *error)
{
    const int halved = halvings(strips);
    const int rc = terms_new(strips->tiles, 3, strips->length, terms, error);
    if (rc)
        return rc;
    terms->halvings = halved;
#pragma omp parallel for
    for (int edge = 0; edge < 4 * strips->tiles; edge++) {
        const int length = strips->length[edge & 1];
        const int16_t *outer = strip_of(strips, edge, 0), *inner = strip_of(strips, edge, 1);
        uint16_t *is = terms_of(terms, edge, 0), *expected = terms_of(terms, edge, 1);
        for (int k = 0; k < 3 * length; k++) {
            const int predicted = predict ? 2 * outer[k] - inner[k] : outer[k];
            is[k] = clip(outer[k], k / length, halved);
            expected[k] = clip(predicted, k / length, halved);
        }
    }
    return 0;
}
