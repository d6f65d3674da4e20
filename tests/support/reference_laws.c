// SPDX-License-Identifier: MIT
#include "reference_laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference_diffusion.h"
#include "reference_newton.h"
#include "reference_stream.h"
#include "terrains.h"

// ---- pipe, thermal ------------------------------------------------------------------------------

static void* pipe_create(const ReferenceDef* def, const void* params, const char* cycle) {
    (void)params; // the definition has them
    (void)cycle;
    return reference_create(def);
}

static void pipe_step(void* ref, int steps) {
    reference_step(ref, steps);
}

static void pipe_destroy(void* ref) {
    reference_destroy(ref);
}

static Reference* pipe_grid(void* ref) {
    return ref;
}

/// The scale of a velocity is W/(width * depth): what errors in the discharge W and in the depth
/// make of it where the water is thin.
static void compare_pipe_velocity(Reference* ref, const GullyWorld* world, GullyField field,
                                  const double* wanted, const double* discharge, double width,
                                  ReferenceGap* gap) {
    float* got = terrain_read(world, field);
    double flow = reference_largest(ref, discharge) / width;
    double depth = fmax(reference_largest(ref, ref->d1), reference_largest(ref, ref->d2));
    REFERENCE_CELLS(ref) {
        double dbar = (ref->d1[c] + ref->d2[c]) / 2;
        double scale = (flow + fabs(wanted[c]) * depth) / fmax(dbar, 1e-4);
        reference_note(ref, gap, gully_field_name(field), c, fabs((double)got[c] - wanted[c]),
                       scale, (double)got[c], wanted[c]);
    }
    free(got);
}

static void pipe_compare_flow(void* pipe, const GullyWorld* world, ReferenceGap* gap) {
    Reference* ref = pipe;
    double share = 1 / (double)ref->steps;
    double* mean = reference_field(ref);
    REFERENCE_CELLS(ref) {
        mean[c] = share * ref->flow_sum[c];
    }
    reference_compare_field(ref, world, GULLY_FLOW, mean, reference_largest(ref, mean), gap);
    free(mean);
    compare_pipe_velocity(ref, world, GULLY_VELOCITY_X, ref->u, ref->wx, ref->def.ly, gap);
    compare_pipe_velocity(ref, world, GULLY_VELOCITY_Y, ref->v, ref->wy, ref->def.lx, gap);
}

// ---- diffusion ----------------------------------------------------------------------------------

static void* diffusion_create(const ReferenceDef* def, const void* params, const char* cycle) {
    return reference_diffusion_create(def, params, cycle);
}

static void diffusion_step(void* ref, int steps) {
    reference_diffusion_step(ref, steps);
}

static void diffusion_destroy(void* ref) {
    reference_diffusion_destroy(ref);
}

static Reference* diffusion_grid(void* ref) {
    return ((ReferenceDiffusion*)ref)->grid;
}

// ---- newton -------------------------------------------------------------------------------------

static void* newton_create(const ReferenceDef* def, const void* params, const char* cycle) {
    (void)cycle;
    return reference_newton_create(def, params);
}

static void newton_step(void* ref, int steps) {
    reference_newton_step(ref, steps);
}

static void newton_destroy(void* ref) {
    reference_newton_destroy(ref);
}

static Reference* newton_grid(void* ref) {
    return ((ReferenceNewton*)ref)->grid;
}

/// A velocity is a mean over the water there is: the less of it, the more a rounding in it counts.
static void compare_newton_velocity(Reference* grid, const GullyWorld* world, GullyField field,
                                    const double* wanted, double fastest, ReferenceGap* gap) {
    float* got = terrain_read(world, field);
    REFERENCE_CELLS(grid) {
        double scale = fastest * fmax(1, 1e-3 / fmax(grid->d[c], 1e-30));
        reference_note(grid, gap, gully_field_name(field), c, fabs((double)got[c] - wanted[c]),
                       scale, (double)got[c], wanted[c]);
    }
    free(got);
}

static void newton_compare_flow(void* newton, const GullyWorld* world, ReferenceGap* gap) {
    const ReferenceNewton* ref = newton;
    double fastest =
        hypot(reference_largest(ref->grid, ref->vx), reference_largest(ref->grid, ref->vy));
    compare_newton_velocity(ref->grid, world, GULLY_VELOCITY_X, ref->vx, fastest, gap);
    compare_newton_velocity(ref->grid, world, GULLY_VELOCITY_Y, ref->vy, fastest, gap);
}

// ---- stream -------------------------------------------------------------------------------------

static void* stream_create(const ReferenceDef* def, const void* params, const char* cycle) {
    (void)cycle;
    return reference_stream_create(def, params);
}

static void stream_step(void* ref, int steps) {
    reference_stream_step(ref, steps);
}

static void stream_destroy(void* ref) {
    reference_stream_destroy(ref);
}

static Reference* stream_grid(void* ref) {
    return ((ReferenceStream*)ref)->grid;
}

/// Every area to its own size: most are small, and what they erode is not. An area is a sum along
/// ways as long as the grid, and rounds once for each cell of them.
static void stream_compare_flow(void* stream, const GullyWorld* world, ReferenceGap* gap) {
    const ReferenceStream* ref = stream;
    float* got = terrain_read(world, GULLY_FLOW);
    double roundings = sqrt(fmax(ref->grid->def.width, ref->grid->def.height));
    REFERENCE_CELLS(ref->grid) {
        double wanted = ref->discharge[c] / (double)ref->grid->steps;
        reference_note(ref->grid, gap, gully_field_name(GULLY_FLOW), c,
                       fabs((double)got[c] - wanted), roundings * wanted, (double)got[c], wanted);
    }
    free(got);
}

// ---- the table ----------------------------------------------------------------------------------

static const ReferenceLaw laws[] = {
    {"pipe", pipe_create, pipe_step, pipe_destroy, pipe_grid, pipe_compare_flow},
    {"thermal", pipe_create, pipe_step, pipe_destroy, pipe_grid, pipe_compare_flow},
    {"wind", pipe_create, pipe_step, pipe_destroy, pipe_grid, NULL},
    {"diffusion", diffusion_create, diffusion_step, diffusion_destroy, diffusion_grid, NULL},
    {"newton", newton_create, newton_step, newton_destroy, newton_grid, newton_compare_flow},
    {"stream", stream_create, stream_step, stream_destroy, stream_grid, stream_compare_flow},
};

const ReferenceLaw* reference_law(const char* name) {
    for (size_t n = 0; n < sizeof laws / sizeof *laws; n++) {
        if (strcmp(laws[n].name, name) == 0) return &laws[n];
    }
    return NULL;
}
