/* IPTC: which data sets are taken, alone and among resources, and that no damaged ones do harm. */
#include "images/iptc.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tap.h"
#include "tests/test_random.h"

#define SETS \
    "\x1c\x02\x05\0\x03" \
    "abc" \
    "\x1c\x02\x78\x80\x04\0\0\0\x02" \
    "de"
#define SETS_SIZE (sizeof(SETS) - 1)
#define RESOURCES \
    "8BIM\x03\xed\x03" \
    "abc\0\0\0\x03" \
    "xyz\0" \
    "8BIM\x04\x04\0\0\0\0\0\x13" SETS "\0" \
    "8BIM\x04\x25\0\0\0\0\0\x02" \
    "no"

typedef void taker(struct metadata *metadata, const unsigned char *bytes, size_t size);

/* Whether what is taken of bytes, which stand in memory of just their size, is these. */
static int takes(
    taker *take, const void *bytes, size_t size, const void *wanted, size_t wanted_size)
{
    struct metadata metadata = {0};
    unsigned char *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, bytes, size);
    take(&metadata, copy, size);
    const int is_so = metadata.iptc.size == wanted_size && !metadata.is_short &&
                      (wanted_size == 0 || memcmp(metadata.iptc.bytes, wanted, wanted_size) == 0);
    metadata_free(&metadata);
    free(copy);
    return is_so;
}
#define TAKES(take, bytes, wanted, size) takes(take, bytes, sizeof(bytes) - 1, wanted, size)

static void check_sets(void)
{
    tap_check(TAKES(iptc_take, SETS, SETS, SETS_SIZE), "two data sets");
    tap_check(TAKES(iptc_take, SETS "\0\0\0", SETS, SETS_SIZE), "zeros behind them are left out");
    tap_check(TAKES(iptc_take, "", "", 0) && TAKES(iptc_take, "\x1c\x02", "", 0) &&
                  TAKES(iptc_take, "\0\0\0\0\0\0", "", 0),
        "there are none");
    tap_check(TAKES(iptc_take, "\x03\x02\x1c\x02", "", 0), "no mark at the beginning");
    tap_check(TAKES(iptc_take,
                  "\0\x05\x02\x1c"
                  "\0\0\0\0",
                  "\x1c\x02\x05\0\0", 5) &&
                  TAKES(iptc_take,
                      "\0\x05\x02\x1c"
                      "cba\x03"
                      "\0\0\0",
                      "\x1c\x02\x05\0\x03"
                      "abc",
                      8),
        "each four bytes the other way round");
    tap_check(TAKES(iptc_take,
                  "\x1c\x02\x05\x80\x09\0\0\0\0\0\0\0\0\x01"
                  "a",
                  "", 0) &&
                  TAKES(iptc_take,
                      "\x1c\x02\x05\x80\x08\xff\xff\xff\xff\xff\xff\xff\xff"
                      "a",
                      "", 0) &&
                  TAKES(iptc_take,
                      "\x1c\x02\x05\xff\xff"
                      "a",
                      "", 0),
        "sizes that are too long");
    size_t wrong = 0;
    for (size_t size = 0; size <= SETS_SIZE; size++)
        wrong += !takes(iptc_take, SETS, size, SETS, size < 8 ? 0 : size < SETS_SIZE ? 8 : size);
    tap_check(wrong == 0, "cut short: the data sets that are whole");
}

static void check_resources(void)
{
    size_t wrong = 0;
    const size_t end = 18 + 12 + SETS_SIZE;
    tap_check(TAKES(iptc_take_resources, RESOURCES, SETS, SETS_SIZE), "among resources");
    tap_check(TAKES(iptc_take_resources, "8BIM\x04\x04\0\0\0\0\0\0", "", 0) &&
                  TAKES(iptc_take_resources,
                      "8BIM\x04\x04\xff"
                      "ab",
                      "", 0) &&
                  TAKES(iptc_take_resources, "8BIM\x04\x04\0\0\xff\xff\xff\xff" SETS, "", 0) &&
                  TAKES(iptc_take_resources, "8BIX\x04\x04\0\0\0\0\0\x13" SETS, "", 0),
        "resources that hold none");
    for (size_t size = 0; size < sizeof(RESOURCES); size++)
        wrong += !takes(iptc_take_resources, RESOURCES, size, SETS, size < end ? 0 : SETS_SIZE);
    tap_check(wrong == 0, "resources cut short: IPTC where it is whole");
    unsigned char header[IPTC_RESOURCE_HEADER];
    iptc_make_header(0x12345, header);
    tap_check(memcmp(header, "8BIM\x04\x04\0\0\0\x01\x23\x45", sizeof(header)) == 0, "a header");
}

/* What is taken of any bytes is whole data sets, and so is taken again as it is. */
static void check_damaged(void)
{
    int passed = 1;
    for (int i = 0; i < 200000 && passed; i++) {
        unsigned char bytes[] = RESOURCES;
        struct metadata metadata = {0};
        for (uint32_t k = next_random() % 4 + 1; k > 0; k--)
            bytes[next_random() % sizeof(bytes)] = (unsigned char)(next_random() >> 9);
        (i % 2 ? iptc_take_resources : iptc_take)(
            &metadata, bytes + (i % 2 ? 0 : 30), sizeof(bytes) - (i % 2 ? 0 : 30));
        passed = takes(iptc_take, metadata.iptc.bytes ? metadata.iptc.bytes : bytes,
            metadata.iptc.size, metadata.iptc.bytes, metadata.iptc.size);
        metadata_free(&metadata);
    }
    tap_check(passed, "damaged resources and data sets");
}

int main(void)
{
    check_sets();
    check_resources();
    check_damaged();
    return tap_finish();
}
