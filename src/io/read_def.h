// SPDX-License-Identifier: MIT
/// What a reader is told about a raster, and what is done about it.
#ifndef READ_DEF_H
#define READ_DEF_H

#include "gully/raster.h"

/// Fails if what is told contradicts itself.
GullyStatus read_def_check(const char* path, const GullyReadDef* def);

/// Metres of the unit that is told; 1 if none is.
double read_def_unit(const GullyReadDef* def);

/// The scale and the offset that make heights of a file's numbers: as told, else `scale` and
/// `offset` as they are, the file's own. Fails if numbers of that type are no counts.
GullyStatus read_def_scale(const char* path, const GullyReadDef* def, const char* type,
                           double* scale, double* offset);

/// Cells with a number that other programs write where there is no height, if the file does not call
/// it nodata: counted band by band, noted at the end.
enum { ODD_NUMBERS = 6 };
typedef struct OddNumbers {
    bool plain;     ///< the numbers are no heights: none is odd
    bool explained; ///< a sidecar says what they mean
    double scale, offset;
    float most;  ///< of the usual ones
    double huge; ///< no height is as far from 0 [m]
    float highest;
    struct OddNumber {
        double number;
        float height; ///< what it became
        size_t count;
    } odd[ODD_NUMBERS]; ///< the last is the first one that is huge
} OddNumbers;
OddNumbers read_def_odd(const GullyReadDef* def, double scale, double offset);
void odd_numbers_count(OddNumbers* odd, const float* values, size_t count);
void odd_numbers_note(const OddNumbers* odd, GullyRaster* raster);

/// How numbers become heights, for readers that read them as they are in the file.
typedef struct NumberMeaning {
    double scale, offset;
    bool has_nodata;
    float nodata;
} NumberMeaning;
GullyStatus read_def_meaning(const char* path, const GullyReadDef* def, GullyRaster* head,
                             NumberMeaning* out);
void numbers_mean(const NumberMeaning* meaning, float* values, size_t count);

/// Refuses counts beyond their range: floats that do not go from 0 to 1 are heights already.
GullyStatus read_def_check_counts(const char* path, const GullyReadDef* def, const char* type,
                                  const float* values, size_t count);

/// Gives the raster the cells that are told, and notes what was taken for granted.
void read_def_finish(const GullyReadDef* def, bool sidecar, GullyRaster* raster);

/// Gives a raster other cells than its file has.
void raster_replace_cells(GullyRaster* raster, double cell_x, double cell_y);

#endif
