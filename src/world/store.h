// SPDX-License-Identifier: MIT
/// The store: which tiles of a world are in memory.
///
/// A tile that nobody needs yet costs nothing: its fields have their values. Pinning a tile (lease.h)
/// brings the fields that were asked for into memory. When they would exceed the budget, the tiles
/// that were not used for longest go to the scratch file, unless they are pinned. Memory of a tile
/// comes from the system as zeros, and the system gives it out page by page: fields that are 0
/// throughout, as those of water are on dry land, take none of it.
#ifndef STORE_H
#define STORE_H

#include "tiles.h"

/// Makes the store of a world whose tiles are listed. No memory is taken yet. `budget` in bytes, 0 =
/// three quarters of the machine's; `folder` of the scratch file, NULL = the system's.
GullyStatus store_create(GullyWorld* world, size_t budget, const char* folder);
void store_destroy(GullyWorld* world);

/// Brings fields of a tile into memory and keeps them there until store_unpin.
GullyStatus store_pin(GullyWorld* world, int tile, SlotSet slots, bool writes);
void store_unpin(GullyWorld* world, int tile);

/// Lets the system read a tile ahead that will be pinned soon.
void store_read_ahead(GullyWorld* world, int tile);

/// Says whether a tile has no cell of the domain. Such a tile is in memory only while it is pinned,
/// and needs no file.
GullyStatus store_set_missing(GullyWorld* world, int tile, bool is_missing);

/// Lets all tiles that are not pinned leave memory, as far as they can: nobody will look for a while.
void store_rest(GullyWorld* world);

/// Frees the memory of a tile that is not pinned, whose cells nobody will ask for as they are.
void store_forget(GullyWorld* world, int tile);

/// Bytes that pinning all fields of a tile takes.
size_t store_tile_bytes(const GullyWorld* world, const Tile* tile);

size_t store_budget(const GullyWorld* world);

/// Sets a part of the budget aside for what steppers keep beside the tiles.
GullyStatus store_set_aside(GullyWorld* world, size_t bytes);

/// Gets ready for another layout: if all tiles would not fit into the budget with rows of so many
/// half pitches, they all leave memory. Nothing may be pinned.
GullyStatus store_make_way(GullyWorld* world, int row_size);

/// Takes note of a new layout, in which slots from `first_new` on are new.
void store_count_again(GullyWorld* world, int first_new);

#endif
