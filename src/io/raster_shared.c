// SPDX-License-Identifier: MIT
// A GeoTIFF that ranks write together: rank 0 lays the file out, every rank writes its own rows.

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "hole_files.h"
#include "raster_files.h"

/// A file that rank 0 has laid out, and where its first row begins.
typedef struct Layout {
    char temporary[4096];
    long long first;
} Layout;

static GullyStatus hear_layout(const GullyRanks* ranks, Layout* layout) {
    Layout* all = malloc((size_t)ranks->count * sizeof *all);
    GullyStatus status = gully_ranks_agree(
        ranks,
        all ? GULLY_OK : gully_fail(GULLY_NO_MEMORY, "no memory for %d ranks", ranks->count));
    if (!status) status = ranks->gather(ranks->context, layout, sizeof *layout, all);
    if (!status) *layout = all[0];
    free(all);
    return status;
}

static GullyStatus no_rows(void* context, int y, int count, float* out) {
    (void)y;
    memset(out, 0, (size_t)count * (size_t)((const GullyRaster*)context)->width * sizeof *out);
    return GULLY_OK;
}

static GullyStatus lay_out(const char* path, const GullyRaster* raster, GullyStagedFile* staged,
                           Layout* layout) {
    const GullyRows rows = {.read = no_rows, .context = (void*)raster};
    int descriptor;
    GullyStatus status = gully_staged_begin(path, staged, &descriptor);
    if (status) return status;
    close(descriptor);
    snprintf(layout->temporary, sizeof layout->temporary, "%s", staged->temporary);
    return tiff_lay_out(path, staged->temporary, hole_files_prefix(), raster, &rows, NAN,
                        &layout->first);
}

/// Writes bytes to a place of a file; returns 0 or an errno.
static int write_at(int descriptor, const char* bytes, size_t size, off_t place) {
    while (size > 0) {
        const ssize_t written = pwrite(descriptor, bytes, size, place);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes += written;
        place += written;
        size -= (size_t)written;
    }
    return 0;
}

/// Writes rows first .. end-1 to their places.
static GullyStatus write_rows(const char* path, const Layout* layout, const GullyRaster* raster,
                              const GullyRows* rows, int first, int end) {
    const size_t width = (size_t)raster->width;
    const int band = gully_band_rows(raster->width);
    const int descriptor = open(layout->temporary, O_WRONLY | O_CLOEXEC);
    float* values = malloc((size_t)band * width * sizeof *values);
    GullyStatus status = GULLY_OK;
    int error = descriptor < 0 ? errno : values ? 0 : ENOMEM;
    for (int y = first; y < end && !error && !status; y += band) {
        const int count = end - y < band ? end - y : band;
        const size_t cells = (size_t)count * width;
        status = rows->read(rows->context, y, count, values);
        for (size_t i = 0; i < cells && !status; i++)
            values[i] = isnan(values[i]) ? (float)NAN : values[i];
        const off_t place = (off_t)layout->first + (off_t)y * (off_t)(width * sizeof *values);
        if (!status)
            error = write_at(descriptor, (const char*)values, cells * sizeof *values, place);
    }
    if (!error && !status) error = gully_descriptor_sync(descriptor);
    if (descriptor >= 0 && close(descriptor) != 0 && !error) error = errno;
    free(values);
    if (error && !status)
        status = gully_fail(GULLY_IO, "%s: cannot be written: %s", path, strerror(error));
    return status;
}

GullyStatus gully_outputs_shared(GullyOutputs* outputs, const GullyRanks* ranks, int first_row,
                                 int end_row, const char* path, const GullyRaster* raster,
                                 const GullyRows* rows) {
    assert(path != NULL && raster != NULL && rows != NULL);
    GullyStagedFile staged = {0};
    Layout layout = {.first = 0};
    GullyStatus status = GULLY_OK;
    if (ranks->rank == 0) status = lay_out(path, raster, &staged, &layout);
    status = gully_ranks_agree(ranks, status);
    if (!status) status = hear_layout(ranks, &layout);
    if (!status) status = write_rows(path, &layout, raster, rows, first_row, end_row);
    status = gully_ranks_agree(ranks, status);
    if (staged.temporary && status) gully_staged_drop(&staged);
    if (staged.temporary) status = gully_staged_keep(&staged, outputs);
    return gully_ranks_agree(ranks, status);
}
