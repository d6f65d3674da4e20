// SPDX-License-Identifier: MIT
#include "busy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void set_number(GullySettings* settings, const char* key, double value) {
    if (gully_settings_set_number(settings, key, value)) fail_msg("%s", gully_message());
}

void spare_routing(const GullyLawInfo* law, GullySettings* settings) {
    if (gully_params_find(law->params, "route")) set_number(settings, "params.route", 20);
}

void switch_add_ons_on(const GullyLawInfo* law, GullySettings* settings) {
    for (int n = 0; n < gully_law_count(); n++) {
        const GullyLawInfo* other = gully_law_info(n);
        if (!other->add_on || strcmp(other->name, law->name) == 0) continue;
        assert_int_equal(gully_settings_switch(settings, other->name, true), GULLY_OK);
        // Once in a step, also where a step takes centuries.
        if (law->dt > 1 && strcmp(other->name, "wind") == 0)
            set_number(settings, "wind.rate", 1 / law->dt);
    }
}

GullySettings* busy_settings(const GullyLawInfo* law, const GullySource* source) {
    GullySettings* settings = NULL;
    assert_int_equal(gully_settings_create(law->name, &settings), GULLY_OK);
    spare_routing(law, settings);
    set_number(settings, "rain.rate", 1e-3);
    set_number(settings, "rain.drops.drops_per_second", law->dt > 1 ? 40 / law->dt : 40);
    set_number(settings, "rain.drops.radius", 9);
    set_number(settings, "rain.drops.depth", 0.02);
    set_number(settings, "rain.season.rate", 2e-3);
    set_number(settings, "rain.season.t_peak", 3);
    set_number(settings, "rain.season.sigma", 2);
    assert_int_equal(gully_settings_set_text(settings, "boundary.west", "open"), GULLY_OK);
    assert_int_equal(gully_settings_add_source(settings, source), GULLY_OK);
    switch_add_ons_on(law, settings);
    return settings;
}
