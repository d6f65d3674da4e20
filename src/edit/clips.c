// SPDX-License-Identifier: MIT
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editor.h"
#include "stamps.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied as they are");

enum { CLIP_VERSION = 1, MOST_SIDE = 1 << 20 };

/// A clip begins with this. Planes of doubles follow, row by row: the terrain, each layer above the
/// bedrock, the hardness. NaN = outside the domain.
typedef struct ClipHead {
    char magic[8];
    int32_t version;
    int32_t width, height; // cells
    int32_t material_count;
    int32_t has_hardness; // 0 or 1: else it is 1 everywhere
    int32_t cropped;      // 0 or 1: it has an outline of its own
    char materials[GULLY_MAX_MATERIALS][GULLY_MATERIAL_NAME];
} ClipHead;

static const char clip_magic[8] = "GULLYCLP";

struct GullyClip {
    ClipHead head;
    double cells[]; // of all planes
};

static_assert(offsetof(GullyClip, cells) == sizeof(ClipHead), "the bytes of a clip are its struct");

static int layer_planes(const ClipHead* head) {
    return head->material_count > 1 ? head->material_count - 1 : 0;
}

static size_t plane_cells(const ClipHead* head) {
    return (size_t)head->width * (size_t)head->height;
}

static size_t clip_size(const ClipHead* head) {
    size_t planes = (size_t)(2 + layer_planes(head));
    return sizeof *head + planes * plane_cells(head) * sizeof(double);
}

static GullyClip* create_clip(const ClipHead* head) {
    GullyClip* clip = malloc(clip_size(head));
    if (clip)
        clip->head = *head;
    else
        gully_fail(GULLY_NO_MEMORY, "no memory for a copy of %d x %d cells", head->width,
                   head->height);
    return clip;
}

void gully_clip_destroy(GullyClip* clip) {
    free(clip);
}

int gully_clip_width(const GullyClip* clip) {
    return clip->head.width;
}

int gully_clip_height(const GullyClip* clip) {
    return clip->head.height;
}

const void* gully_clip_bytes(const GullyClip* clip, size_t* size) {
    *size = clip_size(&clip->head);
    return clip;
}

// ---- from bytes ---------------------------------------------------------------------------------

static bool is_good_head(const ClipHead* head) {
    bool good = memcmp(head->magic, clip_magic, sizeof clip_magic) == 0 &&
                head->version == CLIP_VERSION && head->width >= 1 && head->width <= MOST_SIDE &&
                head->height >= 1 && head->height <= MOST_SIDE && head->material_count >= 0 &&
                head->material_count <= GULLY_MAX_MATERIALS &&
                (head->has_hardness == 0 || head->has_hardness == 1) &&
                (head->cropped == 0 || head->cropped == 1);
    for (int m = 0; good && m < GULLY_MAX_MATERIALS; m++)
        good = memchr(head->materials[m], 0, GULLY_MATERIAL_NAME);
    return good;
}

/// Whether numbers are within a range, or NaN.
static bool are_within(const double* numbers, size_t count, double least, double most) {
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] < least || numbers[i] > most) return false;
    }
    return true;
}

static bool has_good_cells(const GullyClip* clip) {
    const ClipHead* head = &clip->head;
    const size_t plane = plane_cells(head), layers = (size_t)layer_planes(head);
    const double most = (double)GROUND_MAX;
    return are_within(clip->cells, plane, -most, most) &&
           are_within(clip->cells + plane, layers * plane, 0, most) &&
           are_within(clip->cells + (1 + layers) * plane, plane, 0, 1);
}

GullyStatus gully_clip_parse(const void* bytes, size_t size, GullyClip** out) {
    *out = NULL;
    ClipHead head;
    if (size >= sizeof head) memcpy(&head, bytes, sizeof head);
    if (size < sizeof head || !is_good_head(&head) || clip_size(&head) != size)
        return gully_fail(GULLY_BAD_INPUT, "the bytes are no copy of ground");
    GullyClip* clip = create_clip(&head);
    if (!clip) return GULLY_NO_MEMORY;
    memcpy(clip, bytes, size);
    if (!has_good_cells(clip)) {
        gully_clip_destroy(clip);
        return gully_fail(GULLY_BAD_INPUT, "a copy of ground with values that no ground has");
    }
    *out = clip;
    return GULLY_OK;
}

// ---- copying ------------------------------------------------------------------------------------

static GullyStatus copy_plane(const GullyWorld* world, int field, GullyRect rect, double* out) {
    GullyStatus status = GULLY_OK;
    for (int y = 0; y < rect.height && !status; y++)
        status = cells_read(world, field, (Run){rect.x, rect.y + y, rect.width},
                            out + (size_t)y * (size_t)rect.width);
    return status;
}

GullyStatus gully_editor_copy(const GullyEditor* editor, GullyRect rect, GullyClip** out) {
    const GullyWorld* world = editor->world;
    *out = NULL;
    bool inside = rect.x >= 0 && rect.y >= 0 && rect.width >= 1 && rect.height >= 1 &&
                  rect.width <= world->width - rect.x && rect.height <= world->height - rect.y;
    if (!inside)
        return gully_fail(GULLY_BAD_INPUT,
                          "a copy of %d x %d cells from (%d, %d); the world has %d x %d",
                          rect.width, rect.height, rect.x, rect.y, world->width, world->height);
    ClipHead head = {.version = CLIP_VERSION, .width = rect.width, .height = rect.height};
    memcpy(head.magic, clip_magic, sizeof head.magic);
    head.material_count = world->material_count;
    head.has_hardness = world->common[HARDNESS] >= 0;
    for (int m = 0; m < world->material_count; m++)
        snprintf(head.materials[m], sizeof head.materials[m], "%s", world->materials[m].name);
    GullyClip* clip = create_clip(&head);
    if (!clip) return GULLY_NO_MEMORY;
    double* plane = clip->cells;
    GullyStatus status = copy_plane(world, GROUND, rect, plane);
    for (int layer = 1; layer < world->material_count && !status; layer++)
        status = copy_plane(world, layer_field(layer), rect, plane += plane_cells(&head));
    if (!status) status = copy_plane(world, HARDNESS, rect, plane + plane_cells(&head));
    if (status)
        gully_clip_destroy(clip);
    else
        *out = clip;
    return status;
}

/// Whether a place lies within a polygon: how often a ray to the right crosses its outline.
static bool is_within(const GullyPoint* corners, int count, double x, double y) {
    bool within = false;
    for (int i = 0, before = count - 1; i < count; before = i++) {
        const GullyPoint a = corners[i], b = corners[before];
        if ((a.y > y) != (b.y > y) && x < a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)))
            within = !within;
    }
    return within;
}

GullyStatus gully_clip_crop(GullyClip* clip, const GullyPoint* corners, int count) {
    const ClipHead* head = &clip->head;
    const size_t plane = plane_cells(head), planes = (size_t)(2 + layer_planes(head));
    bool any = false;
    for (int y = 0; y < head->height; y++)
        for (int x = 0; x < head->width && !any; x++)
            any = is_within(corners, count, x, y);
    if (!any) return gully_fail(GULLY_BAD_INPUT, "there is no cell within the outline");
    clip->head.cropped = 1;
    for (int y = 0; y < head->height; y++) {
        for (int x = 0; x < head->width; x++) {
            const size_t cell = (size_t)y * (size_t)head->width + (size_t)x;
            if (is_within(corners, count, x, y)) continue;
            for (size_t p = 0; p < planes; p++)
                clip->cells[p * plane + cell] = NAN;
        }
    }
    return GULLY_OK;
}

// ---- pasting ------------------------------------------------------------------------------------

static GullyStatus check_paste(const GullyWorld* world, const ClipHead* head,
                               const GullyStamp* stamp) {
    GullyStatus status = stamp_check(stamp);
    if (status) return status;
    bool same = head->material_count == world->material_count;
    for (int m = 0; same && m < world->material_count; m++)
        same = strcmp(head->materials[m], world->materials[m].name) == 0;
    if (same) return GULLY_OK;
    return gully_fail(GULLY_BAD_INPUT, "the copy is of ground with other materials");
}

/// A rectangle's cells of a field, mixed with a plane of the clip.
static GullyStatus paste_plane(GullyWorld* world, const Placing* placing, const Picture* picture,
                               GullyRect rect, int field, double shift, double* values) {
    const GullyStamp* stamp = placing->stamp;
    GullyStatus status = GULLY_OK;
    for (int y = rect.y; y < rect.y + rect.height && !status; y++) {
        Run run = {rect.x, y, rect.width};
        status = cells_read(world, field, run, values);
        if (status) return status;
        if (field == GROUND)
            stamp_blend(world, placing, picture, run, stamp->blend, stamp->scale,
                        stamp->offset + shift, values);
        else
            stamp_blend(world, placing, picture, run, GULLY_BLEND_MIX, 1, 0, values);
        status = cells_write(world, field, run, values);
    }
    return status;
}

/// The ground, its layers and its hardness.
static GullyStatus paste_planes(GullyWorld* world, const Placing* placing, const GullyClip* clip,
                                GullyRect rect, double* values) {
    const ClipHead* head = &clip->head;
    Picture picture = {.doubles = clip->cells,
                       .width = head->width,
                       .height = head->height,
                       .outlined = head->cropped};
    double shift = 0;
    GullyStatus status =
        placing->stamp->fit ? stamp_fit(world, placing, &picture, &shift) : GULLY_OK;
    if (!status) status = paste_plane(world, placing, &picture, rect, GROUND, shift, values);
    for (int layer = 1; layer < world->material_count && !status; layer++) {
        picture.doubles += plane_cells(head);
        status = paste_plane(world, placing, &picture, rect, layer_field(layer), 0, values);
    }
    picture.doubles += plane_cells(head);
    if (!status && world->common[HARDNESS] >= 0)
        status = paste_plane(world, placing, &picture, rect, HARDNESS, 0, values);
    return status;
}

GullyStatus gully_editor_paste(GullyEditor* editor, const GullyClip* clip,
                               const GullyStamp* stamp) {
    GullyWorld* world = editor->world;
    const ClipHead* head = &clip->head;
    GullyStatus status = check_paste(world, head, stamp);
    if (!status && head->has_hardness) status = world_add_common(world, FIELD_BIT(HARDNESS));
    if (status) return status;
    const Placing placing = stamp_place(world, stamp, head->width, head->height);
    const GullyRect rect = stamp_rect(world, &placing);
    double* values = malloc(((size_t)rect.width + 1) * sizeof *values);
    status = values ? editor_prepare(editor) : gully_fail(GULLY_NO_MEMORY, "no memory to paste");
    if (status) {
        free(values);
        return status;
    }
    editor_commit(editor);
    editor_touch(editor, rect);
    status = paste_planes(world, &placing, clip, rect, values);
    free(values);
    return status;
}
