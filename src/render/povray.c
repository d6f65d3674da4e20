#include "gully/render.h"
GullyStatus gully_render_povray(const GullyScenery* scenery, const GullyRenderDef* def,
                                const char* path) {
    (void)scenery, (void)def, (void)path;
    return GULLY_OK;
}
