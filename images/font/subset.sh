#!/bin/sh
# Makes DejaVuSans.ttf again, from the root of the tree: the characters that charts use, without hints,
# of DejaVu Sans 2.37 as Debian's fonts-dejavu-core has it. It needs fonttools from PyPI or Debian.
#
#   images/font/subset.sh
#
# ASCII; degree, powers, middle dot, times; minus.
set -eu
SOURCE_DATE_EPOCH=0 pyftsubset /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf \
    --unicodes=20-7E,B0,B2,B3,B7,B9,D7,2070,2074-2079,207B,2212 --no-hinting --notdef-outline --name-IDs=0,1,2,5 \
    --drop-tables+=FFTM,GDEF,GPOS,GSUB,MATH,gasp --no-recalc-timestamp --output-file=images/font/DejaVuSans.ttf
