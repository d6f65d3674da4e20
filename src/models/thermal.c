/// Thermal weathering: ground steeper than its talus angle slides until it is not.
///
/// After Musgrave, Kolb, Mace (1989) and Jako & Toth (2011). Neighbours n at distance D_n [m], 8 or
/// 4:
///
///   (T1)  ex_n = b - b_n - D_n tan(talus), taking part where > 0
///   (T2)  m = min(1/4, dt Kt) max(ex) / 2 leaves the cell, to each neighbour m ex_n / sum(ex)
///   (T3)  every cell adds what its neighbours send it
///
/// With materials the topmost one slides, at most as much as there is, by its own talus (L3,
/// layers.h). tan(talus) is raised by hardness_talus * (1 - k). No cell slides across a side or to
/// nodata. Stable for any dt: at most a quarter of half the largest excess moves in a step.
/// Conserves solid: what slides between two cells is the same number for both.
#include <math.h>

#include "law.h"
#include "layers.h"
#include "neighbours.h"
#include "thermal.cell.h"

#define ROW(...) GULLY_PARAM_ROW(GullyThermalParams, __VA_ARGS__)
static const GullyParam param_rows[] = {GULLY_THERMAL_PARAMS(ROW)};
#undef ROW
static const GullyParamTable params_table = LAW_TABLE(GullyThermalParams, param_rows);

enum {
    SHARE = LAW_FIELDS, // what slides per excess
    CHANGE,             // of the ground [m]
    TANGENT,            // in layers: above which a cell slides
    FALLS_AS,           // in layers: the material that what slides is
};

static const LawField own_fields[] = {
    {.name = "share", .scratch = true},
    {.name = "change", .scratch = true},
    {.name = "tangent", .scratch = true},
    {.name = "falls_as", .scratch = true},
};

#define BIT FIELD_BIT
#define GROUND_PAIR (BIT(GROUND) | BIT(GROUND_LOW))

/// The constants: those of a cell, and the talus angles of the materials.
typedef struct LayeredConsts {
    ThermalConsts thermal;
    int materials;
    float tangents[GULLY_MAX_MATERIALS];
} LayeredConsts;

static bool is_layered(const PassRow* row) {
    return ((const LayeredConsts*)row->consts)->materials > 0;
}

static inline void distances(ThermalConsts c, float out[NEIGHBOURS]) {
    out[W] = out[E] = c.distance_x;
    out[N] = out[S] = c.distance_y;
    out[NW] = out[SE] = out[NE] = out[SW] = c.distance_diagonal;
}

// ---- what slides --------------------------------------------------------------------------------

/// (L3) The topmost material of some of a row's columns: its tangent, how much of it there is [m],
/// and what it is once it fell.
static void find_topmost(const PassRow* row, Chunk chunk, float* limit) {
    const LayeredConsts* c = row->consts;
    const float* k = row->in[HARDNESS][HERE];
    float *tangent = row->out[TANGENT], *falls_as = row->out[FALLS_AS];
    CELLS_OF(chunk, i) {
        tangent[i] = c->tangents[0];
        falls_as[i] = (float)(c->materials - 1);
        limit[i] = INFINITY;
    }
    for (int m = 1; m < c->materials; m++) {
        const float* thickness = row->in[LAYER_1 + m - 1][HERE];
        const float tangent_m = c->tangents[m], m_float = (float)m;
        CELLS_OF(chunk, i) {
            bool lies_here = thickness[i] > 0.0f;
            tangent[i] = lies_here ? tangent_m : tangent[i];
            falls_as[i] = lies_here ? m_float : falls_as[i];
            limit[i] = lies_here ? thickness[i] : limit[i];
        }
    }
    CELLS_OF(chunk, i) tangent[i] = thermal_tangent(tangent[i], k[i], c->thermal);
}

/// What the tangent of the talus angle depends on.
typedef enum Talus { UNIFORM, BY_HARDNESS, BY_MATERIAL } Talus;

static Talus talus_of(const PassRow* row) {
    const ThermalConsts* c = row->consts;
    return is_layered(row) ? BY_MATERIAL : c->hardness_tangent != 0 ? BY_HARDNESS : UNIFORM;
}

/// The tangent of a cell whose hardness, or tangent by its material, is `x`.
ALWAYS_INLINE float tangent_of_cell(Talus talus, float x, ThermalConsts c) {
    if (talus == UNIFORM) return c.tangent;
    return talus == BY_MATERIAL ? x : thermal_tangent(c.tangent, x, c);
}

/// (T1), (T2) in some of a row's columns. Returns whether something slides. `walls` and
/// `talus` are known when this is compiled.
ALWAYS_INLINE bool loosen(const PassRow* row, Chunk chunk, const float* limit, bool walls,
                          Talus talus) {
    const ThermalConsts c = *(const ThermalConsts*)row->consts;
    const Around ground = rows_of(row, GROUND), ground_low = rows_of(row, GROUND_LOW);
    const bool layered = talus == BY_MATERIAL;
    const float* tangents = layered ? row->out[TANGENT] : row->in[HARDNESS][HERE];
    float *share = row->out[SHARE], *slides = row->scratch[0];
    float distance[NEIGHBOURS];
    distances(c, distance);
    const int neighbours = c.diagonals ? NEIGHBOURS : 4;
    uint32_t any = 0;

    CELLS_OF(chunk, i) {
        float b[NEIGHBOURS], low[NEIGHBOURS], excess[NEIGHBOURS];
        around(ground, i, b);
        around(ground_low, i, low);
        float tangent = tangent_of_cell(talus, tangents[i], c);
        EACH_NEIGHBOUR(n) {
            float rise = thermal_rise(ground.here[i], ground_low.here[i], b[n], low[n], walls);
            float x = thermal_excess(rise, distance[n] * tangent);
            excess[n] = n < neighbours ? x : 0.0f;
        }
        float wanted = thermal_slide(largest_of(excess), c);
        float slide = layered ? least(wanted, limit[i]) : wanted;
        slides[i] = slide;
        share[i] = thermal_share(slide, sum_of(excess));
        any |= exact_size(slide);
    }
    return any != 0;
}

/// Whether some columns surely stay as they are, which is quick to see. `talus` is known when this
/// is compiled.
ALWAYS_INLINE bool chunk_rests(const PassRow* row, Chunk chunk, Talus talus) {
    const ThermalConsts c = *(const ThermalConsts*)row->consts;
    const Around ground = rows_of(row, GROUND);
    const float* tangents = talus == BY_MATERIAL ? row->out[TANGENT] : row->in[HARDNESS][HERE];
    int may_slide = 0;
    CELLS_OF(chunk, i) {
        float b[NEIGHBOURS];
        around(ground, i, b);
        float tangent = tangent_of_cell(talus, tangents[i], c);
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
    switch (talus_of(row)) {
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
static void loosen_row(const PassRow* row) {
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
    float distance[NEIGHBOURS];
    int neighbours;
} SlideRows;

static inline SlideRows slide_rows(const PassRow* row) {
    const ThermalConsts c = *(const ThermalConsts*)row->consts;
    SlideRows rows = {
        .ground = rows_of(row, GROUND),
        .low = rows_of(row, GROUND_LOW),
        .share = rows_of(row, SHARE),
        .hardness = rows_of(row, HARDNESS),
        .tangent = rows_of(row, TANGENT),
        .neighbours = c.diagonals ? NEIGHBOURS : 4,
    };
    distances(c, rows.distance);
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
    float tangent = tangent_of_cell(talus, tangents.here[i], c);
    Slides slides;
    EACH_NEIGHBOUR(n) {
        float rise = thermal_rise(rows->ground.here[i], rows->low.here[i], b[n], low[n], walls);
        float next = tangent_of_cell(talus, other[n], c);
        float out = thermal_excess(rise, rows->distance[n] * tangent);
        float in = thermal_excess(-rise, rows->distance[n] * next);
        slides.in[n] = n < rows->neighbours ? share[n] * in : 0.0f;
        slides.out[n] = n < rows->neighbours ? rows->share.here[i] * out : 0.0f;
    }
    return slides;
}

/// (T3) in some of a row's columns: what comes from each neighbour less what goes there.
ALWAYS_INLINE void slide(const PassRow* row, Chunk chunk, bool walls, Talus talus) {
    const ThermalConsts c = *(const ThermalConsts*)row->consts;
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
static void slide_layer(const PassRow* row, Chunk chunk, int material) {
    const LayeredConsts* c = row->consts;
    const SlideRows rows = slide_rows(row);
    const Around materials = rows_of(row, FALLS_AS);
    const LayerRow layer = layer_row(row, material);
    const float this_one = (float)material;
    CELLS_OF(chunk, i) {
        Slides slides = slides_at(&rows, c->thermal, i, true, BY_MATERIAL);
        float falls_as[NEIGHBOURS], falls[NEIGHBOURS];
        around(materials, i, falls_as);
        EACH_NEIGHBOUR(n) falls[n] = falls_as[n] == this_one ? slides.in[n] : 0.0f;
        // Where bedrock slides, the layer that it becomes has no thickness and gives nothing.
        bool gives = materials.here[i] == this_one && layer.thickness[i] > 0.0f;
        float out = gives ? sum_of(slides.out) : 0.0f;
        bool all = layer.thickness[i] - out <= 1e-6f * layer.thickness[i]; // to rounding
        Pair left = pair_add_some(layer.thickness[i], layer.low[i], -out);
        Pair sum = pair_add_some(all ? 0.0f : left.value, all ? 0.0f : left.low, sum_of(falls));
        layer.thickness[i] = sum.value;
        layer.low[i] = sum.low;
    }
}

/// Whether nothing slides in some of a row's columns or around them.
ALWAYS_INLINE bool nothing_slides(Around shares, Chunk chunk) {
    const int from = chunk.at, to = chunk.at + chunk.count;
    uint32_t any = exact_size(shares.north[from - 1]) | exact_size(shares.north[to]) |
                   exact_size(shares.here[from - 1]) | exact_size(shares.here[to]) |
                   exact_size(shares.south[from - 1]) | exact_size(shares.south[to]);
    CELLS_OF(chunk, i) {
        any |=
            exact_size(shares.north[i]) | exact_size(shares.here[i]) | exact_size(shares.south[i]);
    }
    return any == 0;
}

/// (T3) in a row, only where something slides. `walls` and `talus` are known when this is compiled.
ALWAYS_INLINE void slide_chunks(const PassRow* row, bool walls, Talus talus) {
    const LayeredConsts* c = row->consts;
    const Around shares = rows_of(row, SHARE);
    float* change = row->out[CHANGE];
    EACH_CHUNK(chunk, row, {
        if (nothing_slides(shares, chunk)) {
            CELLS_OF(chunk, i) change[i] = 0.0f;
        } else {
            slide(row, chunk, walls, talus);
            for (int m = 1; talus == BY_MATERIAL && m < c->materials; m++)
                slide_layer(row, chunk, m);
        }
    });
}

ALWAYS_INLINE void slide_all(const PassRow* row, bool walls) {
    switch (talus_of(row)) {
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

static void slide_row(const PassRow* row) {
    if (row->has_boundary)
        slide_all(row, true);
    else
        slide_all(row, false);
}

static void settle_row(const PassRow* row) {
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

// ---- the law ------------------------------------------------------------------------------------

static const Pass passes[] = {
    {.name = "loosen",
     .reads = BIT(HARDNESS) | LAYER_FIELDS,
     .reads_around = GROUND_PAIR,
     .writes = BIT(SHARE) | BIT(TANGENT) | BIT(FALLS_AS),
     .row = loosen_row},
    {.name = "slide",
     .reads = LAYER_FIELDS,
     .reads_around = GROUND_PAIR | BIT(SHARE) | BIT(HARDNESS) | BIT(TANGENT) | BIT(FALLS_AS),
     .writes = BIT(CHANGE) | LAYER_FIELDS,
     .row = slide_row},
    {.name = "settle",
     .reads = GROUND_PAIR | BIT(CHANGE),
     .writes = GROUND_PAIR,
     .row = settle_row},
};

static double tangent_of(double degrees) {
    return tan(degrees * 3.14159265358979323846 / 180);
}

static void prepare(const void* params, const StepInfo* info, void* consts) {
    const GullyThermalParams* p = params;
    LayeredConsts* all = consts;
    all->materials = info->material_count;
    for (int m = 0; m < info->material_count; m++) {
        double talus = info->materials[m].talus;
        all->tangents[m] = (float)tangent_of(talus < 0 ? p->talus : talus);
    }
    all->thermal = (ThermalConsts){
        .tangent = (float)tangent_of(p->talus),
        .hardness_tangent = (float)p->hardness_talus,
        .strength = (float)(fmin(0.25, info->dt * p->rate) / 2),
        .distance_x = (float)info->cell_x,
        .distance_y = (float)info->cell_y,
        .distance_diagonal = (float)hypot(info->cell_x, info->cell_y),
        .diagonals = p->neighbours == 1,
    };
}

DEFINE_LAW(thermal) = {
    .name = "thermal",
    .summary = "ground steeper than its talus angle slides",
    .source = "Musgrave, Kolb, Mace 1989; Jako & Toth 2011",
    .add_on = true,
    .params = &params_table,
    .fields = own_fields,
    .field_count = sizeof own_fields / sizeof *own_fields,
    .passes = passes,
    .pass_count = sizeof passes / sizeof *passes,
    .layers = true,
    .marks_moving = true,
    .consts_size = sizeof(LayeredConsts),
    .prepare = prepare,
};
