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

/// Notes cells with a number that other programs write where there is no height, if the file does
/// not call it nodata.
void read_def_note_odd(const GullyReadDef* def, double scale, double offset, GullyRaster* raster);

/// Turns numbers into heights, for readers that read them as they are in the file.
GullyStatus read_def_numbers(const char* path, const GullyReadDef* def, GullyRaster* raster);

/// What remains when the heights are there: counts that went beyond their range are refused, the
/// cells become those that are told, and what was taken for granted is noted.
GullyStatus read_def_finish(const char* path, const GullyReadDef* def, bool sidecar,
                            GullyRaster* raster);

/// Gives a raster other cells than its file has.
void raster_replace_cells(GullyRaster* raster, double cell_x, double cell_y);

#endif
