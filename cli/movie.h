// SPDX-License-Identifier: MIT
/// Movies, made by ffmpeg out of numbered pictures.
#ifndef GULLY_CLI_MOVIE_H
#define GULLY_CLI_MOVIE_H

#include "gully/status.h"

/// Whether a movie could be made at that path: its ending, and that ffmpeg is there.
GullyStatus movie_check(const char* path);

/// Makes an MP4 of FOLDER/000000.png and so on, 25 a second. Whole or not at all.
GullyStatus movie_write(const char* folder, const char* path);

#endif
