/* IPTC: what press agencies write down about a photograph, as data sets of a record and a number
 * (IPTC-IIM 4.2). JPEG has it among the resources of Photoshop, TIFF in an entry. Bytes may be
 * anything. */
#ifndef IPTC_H
#define IPTC_H

#include "images/metadata.h"

/* Takes the data sets that are there as a whole, from the first byte on; behind them there may be
 * others, such as zeros. Some programs have each four bytes in the other order, which is undone. */
void iptc_take(struct metadata *metadata, const unsigned char *bytes, size_t size);

/* Takes it from the resources of Photoshop, as they stand in a JPEG file behind their name. */
void iptc_take_resources(struct metadata *metadata, const unsigned char *bytes, size_t size);

#define IPTC_RESOURCE_HEADER 12 /* bytes */

/* Makes the header of a resource of so many bytes that holds it; a resource of an odd size has a
 * zero behind it. */
void iptc_make_header(size_t size, unsigned char header[IPTC_RESOURCE_HEADER]);

#endif
