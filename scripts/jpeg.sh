#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# jpeg.sh PNG JPG: a picture of the studio's cards, as small as it may be.
set -eu
gdal_translate -q -of JPEG -co QUALITY=82 -b 1 -b 2 -b 3 --config GDAL_PAM_ENABLED NO "$1" "$2"
