// SPDX-License-Identifier: MIT
/// Editing a world while it is simulated: brushes, stamps, copies, and the way back.
///
///     GullyEditor* editor;
///     gully_editor_create(sim, settings, 0, &editor);
///     gully_editor_mark(editor, "raise");                       // undo will go back to here
///     gully_editor_begin_stroke(editor, "raise", &brush);
///     gully_editor_stroke_to(editor, points, count);            // as the hand moves on
///     gully_editor_end_stroke(editor);
///     gully_sim_step(sim, 100);
///     gully_editor_undo(editor);                                // also takes the 100 steps back
///
/// Positions are metres from the centre of the first cell, x to the right, y down (SCENE.md). What
/// an edit does follows from the state, the edit and nothing else: the same edits at the same steps
/// give the same bits, on any threads and tiles. Cells outside the domain are left alone, and what
/// an edit does not change keeps every bit. What edits add or take is counted in the budget. A
/// function that fails has changed nothing. Not while the simulation is stepping.
#ifndef GULLY_EDIT_H
#define GULLY_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gully/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GullyEditor GullyEditor;

/// An editor of a simulation, which must outlive it and have these settings; one at a time.
/// `most_bytes` is the memory that undo and redo may take: beyond it the oldest entries are
/// forgotten, but never the newest of either; 0 = a quarter of the machine's.
GULLY_API GullyStatus gully_editor_create(GullySim* sim, const GullySettings* settings,
                                          size_t most_bytes, GullyEditor** out);
/// Releases what is held. NULL is allowed.
GULLY_API void gully_editor_destroy(GullyEditor* editor);

/// Applies other settings, as gully_sim_apply, and keeps a copy: undo goes back to the ones before.
/// While there is an editor, settings go through it. Those that it gives are the user's, without
/// what is held; they stay until the next apply, undo or redo.
GULLY_API GullyStatus gully_editor_apply(GullyEditor* editor, const GullySettings* settings);
GULLY_API const GullySettings* gully_editor_settings(const GullyEditor* editor);

// ---- brushes ------------------------------------------------------------------------------------

// clang-format off
/// What every brush takes.
#define GULLY_BRUSH_PARAMS(X) \
    X(number,  radius,   100, 0,  1e7, "m", "radius; smaller than a cell: the whole of the cell that the centre is in") \
    X(number,  strength, 1,   0,  1e4, "",  "what one dab does at its centre, in the unit of the brush (GullyBrushInfo)") \
    X(number,  falloff,  0.5, 0,  1,   "",  "share of the radius over which it fades out; 0 = a hard edge") \
    X(integer, layer,    -1,  -1, 7,   "",  "the material that gives or takes what the surface moves by, counted from the bottom; 0 or below = the bedrock, with all layers riding on it") \
    X(number,  scale,    0,   0,  1e7, "m", "size of the bumps of noise, at least a cell; 0 = half the radius") \
    X(integer, seed,     1,   0,  2147483647, "", "another seed, other bumps") \
    X(number,  slope_low,     0,    0,    90,  "deg",  "limit: acts on no cell that is less steep") \
    X(number,  slope_high,    90,   0,    90,  "deg",  "limit: acts on no cell that is steeper") \
    X(number,  height_low,    -1e7, -1e7, 1e7, "m",    "limit: acts on no cell that is lower") \
    X(number,  height_high,   1e7,  -1e7, 1e7, "m",    "limit: acts on no cell that is higher") \
    X(number,  flow_low,      0,    0,    1e9, "m2/s", "limit: acts where at least so much water has run, in the mean over the steps") \
    X(number,  flow_high,     1e9,  0,    1e9, "m2/s", "limit: acts where no more water has run") \
    X(number,  wear_low,      0,    0,    1e7, "m",    "limit: acts where water has taken at least so much") \
    X(number,  wear_high,     1e7,  0,    1e7, "m",    "limit: acts where water has taken no more") \
    X(number,  hardness_low,  0,    0,    1,   "",     "limit: acts on no cell of lower hardness; 1 = as soft as its material is") \
    X(number,  hardness_high, 1,    0,    1,   "",     "limit: acts on no cell of higher hardness") \
    X(integer, material,      -1,   -1,   7,   "",     "limit: acts where this material lies on top by a centimetre or more, counted from the bottom; below 0 = any")
// clang-format on

typedef struct GullyBrush {
    GULLY_BRUSH_PARAMS(GULLY_PARAM_MEMBER)
} GullyBrush;

GULLY_API const GullyParamTable* gully_brush_table(void);

/// A row of the table of brushes. With w the weight of a cell, b its height, s the strength:
///
///   raise, lower    b + w s, b - w s
///   smooth          b + w s (m - b), m: the mean within an eighth of the radius, of at least
///                   3 x 3 cells, before the dab
///   flatten         b + w s (h - b), h: the height under the stroke's first point
///   noise           b + w s n, n: a fractal of mean 0 and deviation 1, always the same at a place
///   water, dry      d + w s, d - w s, d: the depth, not below 0; what it carries stays suspended,
///                   and settles where the model lets it settle on dry ground
///   harden, soften  k + w s (0 - k), k + w s (1 - k), k: the hardness
///   erode           b + w (e - b), e: the ground after s metres of water have run off over the
///                   disc and 8 cells around it, in 40 steps of the pipe law with open sides, and
///                   what they still carried has settled. It has the parameters of the model if
///                   that is `pipe`, else the defaults
///   thermal         b + w s (t - b), t: the ground after 16 steps of thermal weathering with the
///                   settings' talus angle, as fast as is stable
///   rain            a source of that rate on the whole disc, without falloff, while it is held
///
/// Limits are those of the cells as they are before each dab; brushes that are held have none.
///
/// The first five move the surface by what the material `layer` gains or loses, as far as there is
/// any of it; erode and thermal change layers as their laws do. Water that is there takes no part
/// in those two.
///
/// A dab takes time as its cells are many. With a radius of 50 cells: erode 7 ms, noise 2 ms,
/// thermal 1.5 ms, the others 0.2 ms; of 1000 cells: erode 2 s, noise 1.6 s, thermal 0.4 s, the
/// others 0.1 s.
typedef struct GullyBrushInfo {
    const char* name;    ///< "raise"
    const char* summary; ///< one line
    const char* unit;    ///< of its strength; "share" = 0..1 of the way
    double strength;     ///< a good one to begin with
    double most;         ///< the largest strength
    bool held;           ///< acts while it is held and the simulation steps (gully_editor_hold)
    bool layers;         ///< takes `layer`
} GullyBrushInfo;

GULLY_API int gully_brush_count(void);
GULLY_API const GullyBrushInfo* gully_brush_info(int index);

/// The brush of that name, or NULL.
GULLY_API const GullyBrushInfo* gully_brush_find(const char* name);

typedef struct GullyPoint {
    double x, y; ///< [m]
} GullyPoint;

/// The weight of a brush at a distance from its centre: 1 within (1 - falloff) of the radius, from
/// there a smooth step to 0 at the radius.
GULLY_API double gully_brush_weight(const GullyBrush* brush, double distance);

/// A stroke is a line of dabs: one at its first point, and one each time that the way along the
/// points has grown by a quarter of the radius (at least half a cell). Over how many calls the
/// points are spread does not matter, to the bit; more points on the same way move dabs by rounding
/// only. A stroke that is not ended ends with the next. A call of more than 100,000 dabs is
/// refused.
GULLY_API GullyStatus gully_editor_begin_stroke(GullyEditor* editor, const char* kind,
                                                const GullyBrush* brush);
GULLY_API GullyStatus gully_editor_stroke_to(GullyEditor* editor, const GullyPoint* points,
                                             int count);
/// How hard the stroke is pressed from here on, 0 to 1: it multiplies the strength. A stroke begins
/// with 1. GULLY_BAD_INPUT for another number, or without a stroke.
GULLY_API GullyStatus gully_editor_press(GullyEditor* editor, double pressure);
/// Nothing happens if there is no stroke.
GULLY_API void gully_editor_end_stroke(GullyEditor* editor);

/// Holds a brush that acts as the simulation steps at a place, until it is moved by another call or
/// released: local rain, as long as the finger is down. Beginning and moving are edits, releasing
/// is not.
GULLY_API GullyStatus gully_editor_hold(GullyEditor* editor, const char* kind,
                                        const GullyBrush* brush, GullyPoint at);
GULLY_API GullyStatus gully_editor_release(GullyEditor* editor);

// ---- stamps -------------------------------------------------------------------------------------

// clang-format off
/// How a stamp is placed. With b the value that is there, v = scale * value + offset that of the stamp and
/// w = amount * (weight of the edge), the new one is b + w (f - b), f as in gully/generate.h. The
/// weight of the edge is a smooth step along each side, both multiplied.
#define GULLY_STAMP_PARAMS(X) \
    X(number,  x,       0,   -1e9, 1e9, "m",   "centre") \
    X(number,  y,       0,   -1e9, 1e9, "m",   "centre") \
    X(number,  width,   0,   0,    1e9, "m",   "of the stamp on the ground; 0 = a cell for each of its own") \
    X(number,  height,  0,   0,    1e9, "m",   "of the stamp on the ground, from its north to its south; 0 = a cell for each of its own") \
    X(number,  angle,   0,   -1e6, 1e6, "deg", "turned clockwise") \
    X(number,  scale,   1,   -1e6, 1e6, "",    "multiplies its values") \
    X(number,  offset,  0,   -1e7, 1e7, "",    "is added to its values") \
    X(choice,  blend,   0,   0,    5,   "add|subtract|multiply|min|max|mix", "how it goes onto what is there") \
    X(number,  amount,  1,   0,    1,   "",    "how much of it counts") \
    X(number,  falloff, 0,   0,    1,   "",    "share of the way from the middle to the edge over which it fades out") \
    X(choice,  field,   0,   0,    3,   "terrain|water|hardness|layer", "what it changes") \
    X(integer, layer,   1,   1,    7,   "",    "which layer, if it is one") \
    X(flag,    fit,     0,   0,    1,   "",    "its values move up or down so that its edge lies, in the mean, as high as the ground there (terrain)")
// clang-format on

typedef struct GullyStamp {
    GULLY_STAMP_PARAMS(GULLY_PARAM_MEMBER)
} GullyStamp;

GULLY_API const GullyParamTable* gully_stamp_table(void);

/// Puts a picture onto a field: `width` * `height` values row by row, sampled bilinearly; NaN
/// leaves what is there. Results are kept within what the field allows. Changing a layer moves the
/// surface with it. Not turned, of its own size and with the centre where cells meet cells, it is
/// cell by cell exact.
GULLY_API GullyStatus gully_editor_stamp(GullyEditor* editor, const GullyStamp* stamp,
                                         const float* values, int width, int height);

// ---- copies -------------------------------------------------------------------------------------

/// A rectangle of ground: its terrain, its layers and its hardness, with all their bits. It knows
/// the names of its materials, but not the size of its cells. It belongs to no editor.
typedef struct GullyClip GullyClip;

/// GULLY_BAD_INPUT for a rectangle that is empty or not inside the world.
GULLY_API GullyStatus gully_editor_copy(const GullyEditor* editor, GullyRect rect, GullyClip** out);

/// Leaves of a copy what lies within a polygon, whose corners are cells of it, from the first one's
/// centre: the rest is as outside the domain. Where the outline crosses itself, inside and outside
/// change places. GULLY_BAD_INPUT if nothing would be left, and then nothing is cut off.
GULLY_API GullyStatus gully_clip_crop(GullyClip* clip, const GullyPoint* corners, int count);

/// Puts a copy somewhere, turned and scaled; `field` and `layer` do not matter. Layers and hardness
/// are mixed with the weight of the edge and the amount, whatever `blend` is, `scale` and `offset`
/// are of the terrain. Fails if the world has other materials.
GULLY_API GullyStatus gully_editor_paste(GullyEditor* editor, const GullyClip* clip,
                                         const GullyStamp* stamp);

/// A copy as bytes, and back: these may be anything and are checked. The bytes belong to the clip.
GULLY_API const void* gully_clip_bytes(const GullyClip* clip, size_t* size);
GULLY_API GullyStatus gully_clip_parse(const void* bytes, size_t size, GullyClip** out);
GULLY_API void gully_clip_destroy(GullyClip* clip);
GULLY_API int gully_clip_width(const GullyClip* clip);  ///< cells
GULLY_API int gully_clip_height(const GullyClip* clip); ///< cells

// ---- undo ---------------------------------------------------------------------------------------

/// The next edit begins a new entry of the history, of this name (its first 63 bytes): undo goes
/// back to the state before it, with the steps, the settings, the materials and every field. Edits
/// until the next mark belong to the same entry; steps and writes to the world in between do as
/// well. What could be redone is forgotten when an entry begins, not by other edits: settings that
/// change as time passes leave it. Taking a state costs a copy of it where it changed: while
/// nothing steps, of what was edited. A name of NULL takes a mark back that no edit has followed.
GULLY_API void gully_editor_mark(GullyEditor* editor, const char* name);

/// Goes back to before the newest entry; what there is now can be had again with redo, also after
/// more steps. GULLY_BAD_INPUT if there is nothing to undo or redo. Ends a stroke and releases what
/// is held.
GULLY_API GullyStatus gully_editor_undo(GullyEditor* editor);
GULLY_API GullyStatus gully_editor_redo(GullyEditor* editor);

/// Names of what would be undone and redone; NULL = nothing.
GULLY_API const char* gully_editor_undo_name(const GullyEditor* editor);
GULLY_API const char* gully_editor_redo_name(const GullyEditor* editor);

/// How many entries lead to the present, the forgotten ones included. Undo counts down, redo up.
GULLY_API int64_t gully_editor_depth(const GullyEditor* editor);

/// A state of the simulation that is kept as undo keeps those that it goes back to: what did not change
/// between two is shared. It counts in gully_editor_bytes and must be released before the editor is
/// destroyed.
typedef struct GullyMoment GullyMoment;

/// Keeps the present. Its cells are copied when they are about to change (gully_editor_keep).
GULLY_API GullyStatus gully_editor_moment(GullyEditor* editor, GullyMoment** out);
/// The same moment once more, to be released on its own.
GULLY_API GullyStatus gully_moment_share(const GullyMoment* moment, GullyMoment** out);
/// NULL is allowed.
GULLY_API void gully_moment_release(GullyMoment* moment);

/// The step that a moment is of.
GULLY_API int64_t gully_moment_step(const GullyMoment* moment);

/// Values of a field as they were, as gully_world_read; not GULLY_LAYER_0.
GULLY_API GullyStatus gully_moment_read(const GullyMoment* moment, GullyField field, GullyRect rect,
                                        float* out);

/// The name of an entry of the history, numbered from 1 up to the depth and, for those that were
/// undone, beyond it; NULL = it is forgotten, or there is none.
GULLY_API const char* gully_editor_entry_name(const GullyEditor* editor, int64_t number);

/// The state on the other side of an entry, as a moment: what was before it or, if it was undone,
/// after it.
GULLY_API GullyStatus gully_editor_entry_moment(GullyEditor* editor, int64_t number,
                                                GullyMoment** out);

/// Goes to a moment, as an entry of the history: undo comes back. Ends a stroke and releases what is
/// held.
GULLY_API GullyStatus gully_editor_go(GullyEditor* editor, const GullyMoment* moment,
                                      const char* name);

/// An edit keeps only the places that it changes, of 64 x 64 cells each; the others are kept when
/// something else is about to change the world, such as a step, which in a large world takes a
/// while. Who must not wait that long calls this before, again and again: it keeps at most so many
/// places and says whether all are.
GULLY_API bool gully_editor_keep(GullyEditor* editor, int places);

/// Memory that the history takes [bytes], and that it may take.
GULLY_API size_t gully_editor_bytes(const GullyEditor* editor);
GULLY_API size_t gully_editor_most_bytes(const GullyEditor* editor);

#ifdef __cplusplus
}
#endif

#endif
