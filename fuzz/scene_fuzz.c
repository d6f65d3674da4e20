// SPDX-License-Identifier: MIT
// A scene's text. What is accepted must be written and read again as the same.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gully/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static char* text_of(const char* text, size_t size) {
    GullyScene* scene = NULL;
    if (gully_scene_parse(text, size, "fuzz", ".", NULL, 0, &scene)) return NULL;
    for (int i = 0; i < gully_scene_phase_count(scene) && i < 8; i++)
        if (gully_scene_phase(scene, i)->steps < 0) abort();
    char* again = gully_scene_text(scene);
    gully_scene_destroy(scene);
    return again;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
    char* once = text_of((const char*)bytes, size);
    if (!once) return 0;
    char* twice = text_of(once, strlen(once));
    if (!twice || strcmp(once, twice) != 0) abort();
    free(once);
    free(twice);
    return 0;
}
