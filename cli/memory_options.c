// SPDX-License-Identifier: MIT
#include "memory_options.h"

json_t* memory_json(const GullyWorld* world, int64_t steps) {
    GullyMemory memory;
    gully_world_memory(world, &memory);
    const double moved = (double)(memory.bytes_read + memory.bytes_written);
    return json_pack("{s:I, s:I, s:i, s:i, s:I, s:I, s:I, s:I, s:f}", "budget",
                     (json_int_t)memory.budget, "peak", (json_int_t)memory.peak, "tiles",
                     memory.tiles, "tiles_in_memory", memory.tiles_in_memory, "tiles_read",
                     (json_int_t)memory.tiles_read, "tiles_written",
                     (json_int_t)memory.tiles_written, "bytes_read", (json_int_t)memory.bytes_read,
                     "bytes_written", (json_int_t)memory.bytes_written, "bytes_per_step",
                     steps > 0 ? moved / (double)steps : 0.0);
}
