// SPDX-License-Identifier: MIT
/// Thermal weathering: passes over rows. Equations (T1) to (T3) are explained in thermal.c.
#ifndef THERMAL_ROWS_H
#define THERMAL_ROWS_H

#include "layers.rows.h"
#include "neighbours.rows.h"
#include "row.h"
#include "thermal.cell.h"

enum {
    SHARE = LAW_FIELDS, // what slides per excess
    CHANGE,             // of the ground [m]
    TANGENT,            // in layers: above which a cell slides
    FALLS_AS,           // in layers: the material that what slides is
};

/// The constants: those of a cell, and the talus angles of the materials.
CELL_STRUCT(ThermalRowConsts) {
    ThermalConsts thermal;
    int materials;
    float tangents[MAX_MATERIALS];
};

INLINE ThermalConsts thermal_consts(const PassRow* row) {
    return *CONSTS(ThermalConsts, row);
}

INLINE int thermal_materials(const PassRow* row) {
    return KNOWN(MATERIALS, CONSTS(ThermalRowConsts, row)->materials);
}

INLINE Talus thermal_talus(const PassRow* row) {
    return (Talus)KNOWN(TALUS, CONSTS(ThermalConsts, row)->talus);
}

INLINE int thermal_neighbours(const PassRow* row) {
    return KNOWN(DIAGONALS, CONSTS(ThermalConsts, row)->diagonals) ? NEIGHBOURS : 4;
}

/// How far the neighbours are [m].
INLINE void find_ways(ThermalConsts c, float out[NEIGHBOURS]) {
    out[W] = out[E] = c.distance_x;
    out[N] = out[S] = c.distance_y;
    out[NW] = out[SE] = out[NE] = out[SW] = c.distance_diagonal;
}

// ---- what slides --------------------------------------------------------------------------------

/// (L3) The topmost material of some of a row's columns: its tangent, how much of it there is [m],
/// and what it is once it fell.
INLINE void find_topmost(const PassRow* row, Chunk chunk, float* limit) {
    const SHARED ThermalRowConsts* c = CONSTS(ThermalRowConsts, row);
    const int materials = thermal_materials(row);
    const ThermalConsts thermal = thermal_consts(row);
    const float* k = row->in[HARDNESS][HERE];
    float *tangent = row->out[TANGENT], *falls_as = row->out[FALLS_AS];
    CELLS_OF(chunk, i) {
        tangent[i] = c->tangents[0];
        falls_as[i] = (float)(materials - 1);
        limit[i] = INFINITY;
    }
    FIELD_LOOP for (int m = 1; m < materials; m++) {
        const float* thickness = row->in[LAYER_1 + m - 1][HERE];
        const float tangent_m = c->tangents[m], m_float = (float)m;
        CELLS_OF(chunk, i) {
            bool lies_here = thickness[i] > 0.0f;
            tangent[i] = lies_here ? tangent_m : tangent[i];
            falls_as[i] = lies_here ? m_float : falls_as[i];
            limit[i] = lies_here ? thickness[i] : limit[i];
        }
    }
    CELLS_OF(chunk, i) tangent[i] = thermal_tangent(tangent[i], k[i], thermal);
}

/// (T1), (T2) in some of a row's columns. Returns whether something slides. `walls` and
/// `talus` are known when this is compiled.
ALWAYS_INLINE bool loosen(const PassRow* row, Chunk chunk, const float* limit, bool walls,
                          Talus talus) {
    const ThermalConsts c = thermal_consts(row);
    const Around ground = rows_of(row, GROUND), ground_low = rows_of(row, GROUND_LOW);
    const bool layered = talus == BY_MATERIAL;
    const float* tangents = layered ? row->out[TANGENT] : row->in[HARDNESS][HERE];
    float *share = row->out[SHARE], *slides = row->scratch[0];
    float ways[NEIGHBOURS];
    find_ways(c, ways);
    const int neighbours = thermal_neighbours(row);
    uint32_t found = 0;

    CELLS_OF(chunk, i) {
        float b[NEIGHBOURS], low[NEIGHBOURS], excess[NEIGHBOURS];
        around(ground, i, b);
        around(ground_low, i, low);
        float tangent = thermal_tangent_by(talus, tangents[i], c);
        EACH_NEIGHBOUR(n) {
            float rise = thermal_rise(ground.here[i], ground_low.here[i], b[n], low[n], walls);
            float x = thermal_excess(rise, ways[n] * tangent);
            excess[n] = n < neighbours ? x : 0.0f;
        }
        float wanted = thermal_slide(largest_of(excess), c);
        float slide = layered ? least(wanted, limit[i]) : wanted;
        slides[i] = slide;
        share[i] = thermal_share(slide, sum_of(excess));
        found |= nonzero_bits(slide);
    }
    return found != 0;
}

/// Whether some columns surely stay as they are, which is quick to see. `talus` is known when this
/// is compiled.
ALWAYS_INLINE bool chunk_rests(const PassRow* row, Chunk chunk, Talus talus) {
    const ThermalConsts c = thermal_consts(row);
    const Around ground = rows_of(row, GROUND);
    const float* tangents = talus == BY_MATERIAL ? row->out[TANGENT] : row->in[HARDNESS][HERE];
    int may_slide = 0;
    CELLS_OF(chunk, i) {
        float b[NEIGHBOURS];
        around(ground, i, b);
        float tangent = thermal_tangent_by(talus, tangents[i], c);
        float lowest_x = least(b[W], b[E]), lowest_y = least(b[N], b[S]);
        float lowest = least(least(b[NW], b[SE]), least(b[NE], b[SW]));
        may_slide |= thermal_may_slide(ground.here[i], tangent, lowest_x, lowest_y, lowest, c);
    }
    return !may_slide;
}

/// (T1), (T2) in a row, chunk by chunk. `walls` and `talus` are known when this is compiled.
ALWAYS_INLINE void loosen_chunks(const PassRow* row, bool walls, Talus talus) {
    float *share = row->out[SHARE], *slides = row->scratch[0], *limit = row->scratch[1];
    EACH_CHUNK(chunk, row, {
        if (talus == BY_MATERIAL) find_topmost(row, chunk, limit);
        if (chunk_rests(row, chunk, talus)) {
            CELLS_OF(chunk, i) share[i] = 0.0f;
        } else if (loosen(row, chunk, limit, walls, talus)) {
            count_chunk(row, chunk, SOLID_SLID, slides);
            mark_moving(row, chunk, slides);
        }
    });
}

ALWAYS_INLINE void loosen_all(const PassRow* row, bool walls) {
    switch (thermal_talus(row)) {
    case UNIFORM:
        loosen_chunks(row, walls, UNIFORM);
        break;
    case BY_HARDNESS:
        loosen_chunks(row, walls, BY_HARDNESS);
        break;
    case BY_MATERIAL:
        loosen_chunks(row, walls, BY_MATERIAL);
        break;
    }
}

/// (T1), (T2). The outside is higher than any cell: nothing slides there. Only nodata cells must be
/// asked for.
ROW_FUNCTION void loosen_row(const PassRow* row) {
    if (row->has_boundary)
        loosen_all(row, true);
    else
        loosen_all(row, false);
}

// ---- where it goes ------------------------------------------------------------------------------

/// What moves between a cell and its neighbours [m].
typedef struct Slides {
    float in[NEIGHBOURS], out[NEIGHBOURS];
} Slides;

/// Rows that it follows from.
typedef struct SlideRows {
    Around ground, low, share, hardness, tangent;
    float ways[NEIGHBOURS];
    int neighbours;
} SlideRows;

INLINE SlideRows slide_rows(const PassRow* row) {
    SlideRows rows = {
        .ground = rows_of(row, GROUND),
        .low = rows_of(row, GROUND_LOW),
        .share = rows_of(row, SHARE),
        .hardness = rows_of(row, HARDNESS),
        .tangent = rows_of(row, TANGENT),
        .neighbours = thermal_neighbours(row),
    };
    find_ways(thermal_consts(row), rows.ways);
    return rows;
}

/// (T3) What slides into cell i and out of it.
ALWAYS_INLINE Slides slides_at(const SlideRows* rows, ThermalConsts c, int i, bool walls,
                               Talus talus) {
    float b[NEIGHBOURS], low[NEIGHBOURS], share[NEIGHBOURS], other[NEIGHBOURS];
    const Around tangents = talus == BY_MATERIAL ? rows->tangent : rows->hardness;
    around(rows->ground, i, b);
    around(rows->low, i, low);
    around(rows->share, i, share);
    around(tangents, i, other);
    float tangent = thermal_tangent_by(talus, tangents.here[i], c);
    Slides slides;
    EACH_NEIGHBOUR(n) {
        float rise = thermal_rise(rows->ground.here[i], rows->low.here[i], b[n], low[n], walls);
        float next = thermal_tangent_by(talus, other[n], c);
        float out = thermal_excess(rise, rows->ways[n] * tangent);
        float in = thermal_excess(-rise, rows->ways[n] * next);
        slides.in[n] = n < rows->neighbours ? share[n] * in : 0.0f;
        slides.out[n] = n < rows->neighbours ? rows->share.here[i] * out : 0.0f;
    }
    return slides;
}

/// (T3) in some of a row's columns: what comes from each neighbour less what goes there.
ALWAYS_INLINE void slide(const PassRow* row, Chunk chunk, bool walls, Talus talus) {
    const ThermalConsts c = thermal_consts(row);
    const SlideRows rows = slide_rows(row);
    float* change = row->out[CHANGE];
    CELLS_OF(chunk, i) {
        Slides slides = slides_at(&rows, c, i, walls, talus);
        float net[NEIGHBOURS];
        EACH_NEIGHBOUR(n) net[n] = slides.in[n] - slides.out[n];
        change[i] = sum_of(net);
    }
}

/// (L3) The same for one of the layers: what falls stays what it is, bedrock becomes the last
/// material.
INLINE void slide_layer(const PassRow* row, Chunk chunk, int material) {
    const ThermalConsts c = thermal_consts(row);
    const SlideRows rows = slide_rows(row);
    const Around materials = rows_of(row, FALLS_AS);
    const LayerRow layer = layer_row(row, material);
    const float this_one = (float)material;
    CELLS_OF(chunk, i) {
        Slides slides = slides_at(&rows, c, i, true, BY_MATERIAL);
        float falls_as[NEIGHBOURS], falls[NEIGHBOURS];
        around(materials, i, falls_as);
        EACH_NEIGHBOUR(n) falls[n] = falls_as[n] == this_one ? slides.in[n] : 0.0f;
        // Where bedrock slides, the layer that it becomes has no thickness and gives nothing.
        bool gives = materials.here[i] == this_one && layer.thickness[i] > 0.0f;
        float out = gives ? sum_of(slides.out) : 0.0f;
        bool gone = layer.thickness[i] - out <= 1e-6f * layer.thickness[i]; // to rounding
        Pair left = pair_add_some(layer.thickness[i], layer.low[i], -out);
        Pair sum = pair_add_some(gone ? 0.0f : left.value, gone ? 0.0f : left.low, sum_of(falls));
        layer.thickness[i] = sum.value;
        layer.low[i] = sum.low;
    }
}

/// The bits of the numbers of a column in three rows, without their signs.
ALWAYS_INLINE uint32_t nonzero_bits_at(Around rows, int i) {
    return nonzero_bits(rows.north[i]) | nonzero_bits(rows.here[i]) | nonzero_bits(rows.south[i]);
}

/// Whether nothing slides in some of a row's columns or around them.
ALWAYS_INLINE bool nothing_slides(Around shares, Chunk chunk) {
    const int from = chunk.at, to = chunk.at + chunk.count;
    uint32_t found = nonzero_bits_at(shares, from - 1) | nonzero_bits_at(shares, to);
    CELLS_OF(chunk, i) found |= nonzero_bits_at(shares, i);
    return found == 0;
}

/// (T3) in a row, only where something slides. `walls` and `talus` are known when this is compiled.
ALWAYS_INLINE void slide_chunks(const PassRow* row, bool walls, Talus talus) {
    const int materials = thermal_materials(row);
    const Around shares = rows_of(row, SHARE);
    float* change = row->out[CHANGE];
    EACH_CHUNK(chunk, row, {
        if (nothing_slides(shares, chunk)) {
            CELLS_OF(chunk, i) change[i] = 0.0f;
        } else {
            slide(row, chunk, walls, talus);
            FIELD_LOOP for (int m = 1; talus == BY_MATERIAL && m < materials; m++)
                slide_layer(row, chunk, m);
        }
    });
}

ALWAYS_INLINE void slide_all(const PassRow* row, bool walls) {
    switch (thermal_talus(row)) {
    case UNIFORM:
        slide_chunks(row, walls, UNIFORM);
        break;
    case BY_HARDNESS:
        slide_chunks(row, walls, BY_HARDNESS);
        break;
    case BY_MATERIAL:
        slide_chunks(row, walls, BY_MATERIAL);
        break;
    }
}

ROW_FUNCTION void slide_row(const PassRow* row) {
    if (row->has_boundary)
        slide_all(row, true);
    else
        slide_all(row, false);
}

ROW_FUNCTION void settle_row(const PassRow* row) {
    float *b = row->out[GROUND], *low = row->out[GROUND_LOW];
    const float* change = row->in[CHANGE][HERE];
    EACH_CHUNK(chunk, row, {
        if (!is_all_zero(change, chunk.at, chunk.at + chunk.count)) {
            CELLS_OF(chunk, i) {
                Pair ground = pair_add_some(b[i], low[i], change[i]);
                b[i] = ground.value;
                low[i] = ground.low;
            }
        }
    });
}

#endif
