#include "device_cases.h"

#include "kernel_text.h"

extern const DeviceSource test_law_sources[];

void device_cases_begin(void) {
    device_more_sources(test_law_sources);
}

#define SIZE .width = 83, .height = 61

const DeviceCase device_cases[] = {
    {"flux", "pipe", {"rain.rate", "1e-3"}, SIZE, .lake = true},
    {"semi_lagrangian",
     "pipe",
     {"rain.rate", "1e-3", "params.transport", "semi_lagrangian", "boundary.east", "open"},
     SIZE,
     .lake = true,
     .holes = true,
     .velocity = true},
    {"everything on",
     "pipe",
     {"rain.rate", "5e-4", "params.softening", "2", "params.exchange_water", "on",
      "rain.drops.drops_per_second", "20", "boundary.west", "open", "boundary.south", "open"},
     SIZE,
     .thermal = true,
     .velocity = true,
     .holes = true,
     .lake = true,
     .hardness = true,
     .sources = true},
    {"Mei's paper",
     "pipe",
     {"rain.rate", "1e-3", "params.film", "off", "params.friction", "0", "params.depth_limit", "0"},
     SIZE,
     .no_masks = true},
    {"two materials", "pipe", {"rain.rate", "2e-3"}, SIZE, .materials = 2, .thermal = true},
    {"eight materials",
     "pipe",
     {"rain.rate", "2e-3", "params.transport", "semi_lagrangian", "boundary.east", "open"},
     SIZE,
     .materials = 8,
     .thermal = true,
     .holes = true,
     .lake = true},
    {"half", "pipe", {"rain.rate", "1e-3"}, SIZE, .half = true, .lake = true, .velocity = true},
    {"half, materials, thermal",
     "pipe",
     {"rain.drops.drops_per_second", "30", "boundary.south", "open"},
     SIZE,
     .half = true,
     .materials = 3,
     .thermal = true,
     .sources = true},
    {"season", "pipe", {"rain.season.rate", "2e-3", "rain.season.t_peak", "0.3"}, SIZE},
    {"thermal", "thermal", {"params.talus", "15"}, SIZE, .holes = true},
    {"thermal, 4 neighbours, hardness",
     "thermal",
     {"params.talus", "15", "params.neighbours", "4", "params.hardness_talus", "0.3"},
     SIZE,
     .hardness = true},
    {"diffusion",
     "diffusion",
     {"rain.rate", "1e-2", "boundary.east", "open", "boundary.north", "open"},
     SIZE,
     .holes = true,
     .velocity = true,
     .lake = true},
    {"diffusion, half", "diffusion", {"rain.rate", "1e-2"}, SIZE, .half = true, .sources = true},
    {"newton",
     "newton",
     {"rain.rate", "1e-3", "boundary.west", "open"},
     SIZE,
     .holes = true,
     .thermal = true},
    {"newton, all moves, half", "newton", {"params.move", "all"}, SIZE, .half = true},
};

const int device_case_count = sizeof device_cases / sizeof *device_cases;
