// SPDX-License-Identifier: MIT
#include "drainage_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "run_folder.h"

static bool say(void* context, double share) {
    (void)context;
    progress_say("measuring drainage: %.0f %%", 100 * share);
    return true;
}

GullyStatus drainage_of(const GullyRaster* raster, GullyDrainage* out) {
    GullyHeights heights = ground_heights(raster);
    GullyDrainageDef def = gully_drainage_default();
    def.progress = say;
    progress_enable(true);
    GullyStatus status = gully_drainage_measure(&heights, &def, out);
    progress_clear();
    return status;
}

/// "0.281", "1.9 %", "8.32 km/km2", "none".
static void value_text(const GullyDrainageMeasure* row, double value, char* buffer, size_t size) {
    if (!isfinite(value))
        snprintf(buffer, size, "none");
    else if (strcmp(row->unit, "share") == 0)
        snprintf(buffer, size, "%.2f %%", 100 * value);
    else
        snprintf(buffer, size, "%.3f%s%s", value, *row->unit ? " " : "", row->unit);
}

/// "0.22 to 0.54, median 0.4", or "" if that is not known.
static void spread_text(const GullyDrainageMeasure* row, char* buffer, size_t size) {
    bool share = strcmp(row->unit, "share") == 0;
    double scale = share ? 100 : 1;
    const char* unit = share ? " %" : "";
    char median[40] = "";
    buffer[0] = 0;
    if (!isfinite(row->low)) return;
    if (isfinite(row->median))
        snprintf(median, sizeof median, ", median %g%s", scale * row->median, unit);
    snprintf(buffer, size, "%g to %g%s%s", scale * row->low, scale * row->high, unit, median);
}

static const char* verdict(const GullyDrainage* drainage, const GullyDrainageMeasure* row,
                           int index) {
    double value = gully_drainage_value(drainage, index);
    if (!isfinite(row->low) || !isfinite(value)) return "";
    if (gully_drainage_is_real(drainage, index)) return "like real land";
    return value < row->low ? "lower" : "higher";
}

void drainage_print(const GullyDrainage* drainage) {
    int count;
    const GullyDrainageMeasure* rows = gully_drainage_measures(&count);
    printf("\n%-17s %-13s real land\n", "drainage", "this terrain");
    for (int i = 0; i < count; i++) {
        char value[40], spread[80];
        value_text(&rows[i], gully_drainage_value(drainage, i), value, sizeof value);
        spread_text(&rows[i], spread, sizeof spread);
        const char* is = verdict(drainage, &rows[i], i);
        if (*is)
            printf("%-17s %-13s %-26s %s\n", rows[i].name, value, spread, is);
        else
            printf("%-17s %-13s%s%s\n", rows[i].name, value, *spread ? " " : "", spread);
    }
    if (isfinite(drainage->roughness)) printf("%-17s %.3f m\n", "roughness", drainage->roughness);
    printf("%-17s %lld of %lld cells, streams up to order %d\n", "channels",
           (long long)drainage->channels, (long long)drainage->cells, drainage->orders);
}

void drainage_add(json_t* object, const GullyDrainage* drainage) {
    int count;
    const GullyDrainageMeasure* rows = gully_drainage_measures(&count);
    for (int i = 0; i < count; i++)
        json_object_set_new(object, rows[i].name,
                            json_number_or_null(gully_drainage_value(drainage, i)));
    json_object_set_new(object, "rose4_d8", json_number_or_null(drainage->rose4_d8));
    json_object_set_new(object, "rose8_d8", json_number_or_null(drainage->rose8_d8));
    json_object_set_new(object, "roughness", json_number_or_null(drainage->roughness));
    json_object_set_new(object, "channels", json_integer(drainage->channels));
    json_object_set_new(object, "stream_orders", json_integer(drainage->orders));
}
