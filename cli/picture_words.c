// SPDX-License-Identifier: MIT
/// The words of a command line that say what a picture should look like.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "pictures.h"

/// Reads up to `most` numbers with commas between them; how many there are, 0 if it is not that.
static int read_numbers(const char* text, int most, double* out) {
    int count = 0;
    for (; count < most; text++) {
        char* end;
        out[count] = strtod(text, &end);
        if (end == text) return 0;
        count++;
        text = end;
        if (!*text) return count;
        if (*text != ',') return 0;
    }
    return 0;
}

/// Sets members of the definition by their names, in the order of the numbers.
static bool set_numbers(const char* command, const char* option, const char* form, const char* text,
                        const char* const* names, int least, int most, GullyRenderDef* def) {
    double numbers[4];
    int count = read_numbers(text, most, numbers);
    if (count < least) {
        console_error("%s: --%s wants %s, not '%s'", command, option, form, text);
        return false;
    }
    for (int i = 0; i < count; i++) {
        const GullyParam* row = gully_params_find(gully_render_table(), names[i]);
        if (gully_param_set_number(row, def, numbers[i]) != GULLY_OK) {
            console_error("%s: --%s %s: %s", command, option, text, gully_message());
            return false;
        }
    }
    return true;
}

static bool read_size(const char* command, const char* text, GullyRenderDef* def) {
    int end = 0;
    bool read = sscanf(text, "%6dx%6d%n", &def->width, &def->height, &end) == 2 && !text[end];
    if (read && def->width >= 1 && def->height >= 1 && def->width <= GULLY_RENDER_SIDE &&
        def->height <= GULLY_RENDER_SIDE)
        return true;
    console_error("%s: the size is WxH in pixels, each from 1 to %d, like 1280x720, not '%s'",
                  command, GULLY_RENDER_SIDE, text);
    return false;
}

static bool add_overlay(const char* command, const char* name, GullyRenderDef* def) {
    enum { MOST = 16 };
    const char* names[MOST + 2] = {"none"};
    if (strcmp(name, "none") == 0) {
        def->overlays = 0;
        return true;
    }
    for (int i = 0; gully_overlay_name(i) && i < MOST; i++) {
        names[i + 1] = gully_overlay_name(i);
        if (strcmp(name, names[i + 1]) != 0) continue;
        def->overlays |= 1u << i;
        return true;
    }
    char problem[96];
    snprintf(problem, sizeof problem, "%s: no overlay", command);
    unknown_name(problem, name, names);
    return false;
}

static bool read_palette(const char* command, const char* name, GullyRenderDef* def) {
    enum { MOST = 32 };
    const char* names[MOST + 1] = {0};
    for (int i = 0; gully_palette_name(i) && i < MOST; i++) {
        names[i] = gully_palette_name(i);
        if (strcmp(name, names[i]) != 0) continue;
        def->palette = i;
        return true;
    }
    char problem[96];
    snprintf(problem, sizeof problem, "%s: no palette", command);
    unknown_name(problem, name, names);
    return false;
}

void picture_relief_size(int width, int height, double aspect, GullyRenderDef* def) {
    const double most = 2048;
    double wide = width, high = width / aspect;
    if (high < height) {
        high = height;
        wide = height * aspect;
    }
    double over = wide > high ? wide / most : high / most;
    if (over < 1) over = 1;
    def->width = (int)(wide / over + 0.5);
    def->height = (int)(high / over + 0.5);
    if (def->width < 1) def->width = 1;
    if (def->height < 1) def->height = 1;
}

bool picture_words(const char* command, const PictureWords* words, int width, int height,
                   double aspect, bool materials, GullyRenderDef* out) {
    static const char* const camera[] = {"azimuth", "elevation", "distance"};
    static const char* const sun[] = {"sun_azimuth", "sun_elevation"};
    *out = gully_render_def(1280, 720);
    if (words->view && strcmp(words->view, "relief") == 0) out->view = GULLY_VIEW_RELIEF;
    if (out->view == GULLY_VIEW_RELIEF) picture_relief_size(width, height, aspect, out);
    if (words->exaggerate > 0) out->exaggerate = words->exaggerate;
    if (words->size && !read_size(command, words->size, out)) return false;
    if (words->camera && !set_numbers(command, "camera", "AZIMUTH,ELEVATION[,DISTANCE]",
                                      words->camera, camera, 2, 3, out))
        return false;
    if (words->sun && !set_numbers(command, "sun", "AZIMUTH,ELEVATION", words->sun, sun, 2, 2, out))
        return false;
    if (words->palette && !read_palette(command, words->palette, out)) return false;
    if (words->overlays.count == 0 && materials && !words->palette)
        out->overlays = GULLY_OVERLAY_MATERIALS;
    for (int i = 0; i < words->overlays.count; i++) {
        if (!add_overlay(command, words->overlays.items[i], out)) return false;
    }
    return true;
}
