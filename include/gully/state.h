// SPDX-License-Identifier: MIT
/// Serialised simulation state, for checkpoint and resume.
///
/// A state is a head, which says of what moment it is, and the cells of the fields in pieces. Both
/// are the same for any tiles and threads, and little-endian. Files of them are made by
/// checkpoint.h.
///
///     GullyState* state;                          // keeping
///     gully_state_of(sim, &state);
///     for (int64_t i = 0; i < gully_state_info(state)->pieces; i++)
///         gully_state_read(state, sim, i, buffer);
///
///     gully_state_parse(head, size, &state);      // going on, in a simulation with the
///     gully_state_begin(state, sim);              // settings of that moment
///     for (int64_t i = 0; i < gully_state_info(state)->pieces; i++)
///         gully_state_write(state, sim, i, buffer);
///     gully_state_end(state, sim);
#ifndef GULLY_STATE_H
#define GULLY_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "gully/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GULLY_STATE_PIECE (1 << 20) ///< bytes of a piece, at most

typedef struct GullyState GullyState;

typedef struct GullyStateInfo {
    char model[32];
    int width, height;     ///< cells
    double cell_x, cell_y; ///< [m]
    bool half;             ///< a world of half precision
    uint64_t seed;
    int64_t steps;  ///< done
    double time;    ///< simulated [s]
    double dt;      ///< [s]
    int64_t pieces; ///< of the cells
    size_t bytes;   ///< of all pieces
} GullyStateInfo;

/// A piece of the state: some cells of one field.
typedef struct GullyStatePiece {
    size_t offset, size; ///< in bytes, if all pieces stand one after another
    int number;          ///< bytes of a number: 4 a float, 2 a half
} GullyStatePiece;

/// The state of a simulation as it is now, on every rank the same; its cells are read as long as it makes no further step.
GULLY_API GullyStatus gully_state_of(const GullySim* sim, GullyState** out);

/// A state from the bytes of its head, which may be anything: they are checked.
GULLY_API GullyStatus gully_state_parse(const void* head, size_t size, GullyState** out);
GULLY_API void gully_state_destroy(GullyState* state);

GULLY_API const GullyStateInfo* gully_state_info(const GullyState* state);

/// The head; its bytes belong to the state.
GULLY_API const void* gully_state_head(const GullyState* state, size_t* size);

GULLY_API GullyStatePiece gully_state_piece(const GullyState* state, int64_t index);

/// Copies a piece out of a simulation. Several threads may read at the same time. Cells that another
/// rank keeps are left as they are in `out`, and gully_state_write leaves them out.
/// GULLY_BAD_INPUT for a piece that the state does not have, and for a simulation that does not have
/// the state's size and fields.
GULLY_API GullyStatus gully_state_read(const GullyState* state, const GullySim* sim, int64_t index,
                                       void* out) GULLY_MUST_CHECK;

/// Begins to make a simulation that of the state; all its pieces and the end must follow. The world
/// must have the size, the cells, the precision and as many materials, the simulation the seed and
/// the settings of that moment: what differs is refused with a message that says so, and nothing
/// has changed.
GULLY_API GullyStatus gully_state_begin(const GullyState* state, GullySim* sim);

/// Copies a piece into a simulation. Several threads may write different pieces at the same time.
/// Fails as gully_state_read does.
GULLY_API GullyStatus gully_state_write(const GullyState* state, GullySim* sim, int64_t index,
                                        const void* in) GULLY_MUST_CHECK;

/// Ends it: the simulation goes on from the state's moment.
GULLY_API GullyStatus gully_state_end(const GullyState* state, GullySim* sim) GULLY_MUST_CHECK;

/// Makes a simulation that of another one on cells half as large: `to` is of a world with twice the
/// cells along each side, as many materials and the same precision, and has the model of this moment.
/// Steps, time and budget go on. The volumes of ground, layers, water, sediment, wear and deposit stay
/// as they are, in each cell of the old world; what a model keeps for itself (flows between cells)
/// begins anew, but for solid on its way. Fails, before anything has changed, if the two do not fit, or
/// if levels step the old one.
GULLY_API GullyStatus gully_sim_refine(const GullySim* from, GullySim* to) GULLY_MUST_CHECK;

#ifdef __cplusplus
}
#endif

#endif
