// SPDX-License-Identifier: MIT
#include "checkpoint_chunks.h"

#include <errno.h>
#include <string.h>

#include "files.h"

Chunk chunk_make(ChunkKind kind, int64_t number, const void* payload, size_t stored, size_t content,
                 uint64_t head) {
    Chunk chunk = {.kind = kind, .number = (uint64_t)number, .stored = stored, .content = content};
    chunk.hash = chunk_hash(&chunk, payload, head);
    return chunk;
}

uint64_t chunk_put(ChunkWriter* writer, Chunk chunk, const void* payload) {
    unsigned char header[CHUNK_HEADER];
    if (!writer->error && writer->stop && writer->stop()) writer->error = WAS_STOPPED;
    if (writer->error) return 0;
    chunk_write(&chunk, header);
    writer->error = gully_descriptor_write(writer->descriptor, header, sizeof header);
    if (!writer->error)
        writer->error = gully_descriptor_write(writer->descriptor, payload, (size_t)chunk.stored);
    return chunk.hash;
}

void chunk_add_hash(ChunkWriter* writer, uint64_t hash) {
    writer->all = chunk_bytes_hash(&hash, sizeof hash, writer->all);
}

static Chunk head_chunk(const GullyCheckpoint* checkpoint,
                        const unsigned char header[FILE_HEADER]) {
    size_t size;
    const void* head = gully_state_head(checkpoint->state, &size);
    return chunk_make(CHUNK_HEAD, 0, head, size, size, chunk_bytes_hash(header, FILE_HEADER, 0));
}

void chunk_head_hash(ChunkWriter* writer, const GullyCheckpoint* checkpoint) {
    unsigned char header[FILE_HEADER];
    file_header_write(header);
    writer->head_hash = head_chunk(checkpoint, header).hash;
}

void chunks_begin(ChunkWriter* writer, const GullyCheckpoint* checkpoint) {
    unsigned char header[FILE_HEADER];
    size_t size, note_size = strlen(checkpoint->note);
    const void* head = gully_state_head(checkpoint->state, &size);
    file_header_write(header);
    Chunk first = head_chunk(checkpoint, header);
    writer->head_hash = first.hash;
    Chunk second = chunk_make(CHUNK_NOTE, 0, checkpoint->note, note_size, note_size, first.hash);
    writer->error = gully_descriptor_write(writer->descriptor, header, sizeof header);
    const uint64_t hashes[2] = {chunk_put(writer, first, head),
                                chunk_put(writer, second, checkpoint->note)};
    writer->all = chunk_bytes_hash(hashes, sizeof hashes, 0);
}

void chunks_end(ChunkWriter* writer, const GullyCheckpoint* checkpoint) {
    const int64_t pieces = gully_state_info(checkpoint->state)->pieces;
    chunk_put(
        writer,
        chunk_make(CHUNK_END, pieces, &writer->all, END_PAYLOAD, END_PAYLOAD, writer->head_hash),
        &writer->all);
}

GullyStatus chunks_fail(const char* path, int error) {
    if (error == WAS_STOPPED) return gully_fail(GULLY_CANCELLED, "%s: interrupted", path);
    return gully_fail(error == ENOMEM ? GULLY_NO_MEMORY : GULLY_IO, "%s: cannot be written: %s",
                      path, strerror(error));
}
