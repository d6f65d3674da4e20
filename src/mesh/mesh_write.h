// SPDX-License-Identifier: MIT
/// What the writers of mesh formats share.
#ifndef GULLY_MESH_WRITE_H
#define GULLY_MESH_WRITE_H

#include <stdio.h>

#include "gully/mesh.h"

/// A mesh on its way into a file. Writers need not look for errors of the stream.
typedef struct MeshFile {
    FILE* stream;
    const GullyMesh* mesh;
    const GullyTexture* colors;  ///< at the vertices; NULL = none
    const GullyTexture* texture; ///< NULL = none
} MeshFile;

/// Writes numbers of 32 bits, little endian.
void put_words(FILE* stream, const void* words, size_t count);

/// Writes x, y, z of vectors as they are, or with y up.
void put_vectors(FILE* stream, const float* vectors, size_t count, bool y_up);

/// A vector with y up: x to the east, y up, z to the south.
void turn_up(const float* vector, float out[3]);

/// The colour of the pixel at a vertex, RGBA.
void vertex_color(const MeshFile* file, uint32_t vertex, unsigned char rgba[4]);

/// glTF 2.0 in one file, binary or text (mesh_glb.c).
GullyStatus glb_write(const MeshFile* file);
GullyStatus gltf_write(const MeshFile* file);

#endif
