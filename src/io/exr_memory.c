// SPDX-License-Identifier: MIT
// The callbacks through which OpenEXR reads and writes memory.

#ifdef GULLY_OPENEXR

#include "exr_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ExrMemory* memory_of(exr_const_context_t context) {
    void* data = NULL;
    exr_get_user_data(context, &data);
    return data;
}

static void complain(exr_const_context_t context, exr_result_t code, const char* text) {
    (void)code;
    ExrMemory* memory = context != NULL ? memory_of(context) : NULL;
    if (memory != NULL && memory->first[0] == '\0')
        snprintf(memory->first, sizeof memory->first, "%s", text);
}

static int64_t memory_size(exr_const_context_t context, void* data) {
    (void)context;
    return (int64_t)((ExrMemory*)data)->size;
}

static int64_t memory_read(exr_const_context_t context, void* data, void* buffer, uint64_t size,
                           uint64_t offset, exr_stream_error_func_ptr_t error) {
    (void)context;
    (void)error;
    const ExrMemory* memory = data;
    if (offset >= memory->size) return 0;
    if (size > memory->size - offset) size = memory->size - offset;
    memcpy(buffer, memory->bytes + offset, size);
    return (int64_t)size;
}

static int64_t memory_write(exr_const_context_t context, void* data, const void* buffer,
                            uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t error) {
    (void)context;
    (void)error;
    ExrMemory* memory = data;
    uint64_t end = offset + size;
    if (end > memory->capacity) {
        uint64_t capacity = end + end / 2;
        unsigned char* grown = realloc(memory->grown, capacity);
        if (grown == NULL) return -1;
        memset(grown + memory->capacity, 0, capacity - memory->capacity);
        memory->grown = grown;
        memory->capacity = capacity;
    }
    memcpy(memory->grown + offset, buffer, size);
    if (end > memory->size) memory->size = end;
    return (int64_t)size;
}

static void* allocate_zeroed(size_t size) {
    return calloc(1, size);
}

exr_context_initializer_t exr_memory_initializer(ExrMemory* memory) {
    exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
    start.error_handler_fn = complain;
    start.alloc_fn = allocate_zeroed;
    start.free_fn = free;
    start.user_data = memory;
    start.read_fn = memory_read;
    start.size_fn = memory_size;
    start.write_fn = memory_write;
    start.flags = EXR_CONTEXT_FLAG_STRICT_HEADER | EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    return start;
}

#endif
