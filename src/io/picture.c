// SPDX-License-Identifier: MIT
// Pictures to files: what does not depend on who makes a PNG of them (texture.c, or plain_write.c without GDAL).

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "gully/mesh.h"

GullyStatus gully_picture_encode(int width, int height, const unsigned char* rgb, void** bytes,
                                 size_t* size) {
    assert(rgb != NULL && width > 0 && height > 0 && width <= INT_MAX / 3);
    return gully_texture_encode(&(GullyTexture){width, height, 3, (unsigned char*)rgb}, bytes,
                                size);
}

GullyStatus gully_picture_write(const char* path, int width, int height, const unsigned char* rgb) {
    return gully_texture_write(path, &(GullyTexture){width, height, 3, (unsigned char*)rgb});
}

GullyStatus gully_outputs_texture(GullyOutputs* outputs, const char* path,
                                  const GullyTexture* texture) {
    void* bytes;
    size_t size;
    GullyStatus status = gully_texture_encode(texture, &bytes, &size);
    if (status != GULLY_OK) return gully_fail_in(status, "%s", path);
    status = gully_outputs_file(outputs, path, bytes, size);
    free(bytes);
    return status;
}

GullyStatus gully_texture_write(const char* path, const GullyTexture* texture) {
    return gully_outputs_texture(NULL, path, texture);
}
