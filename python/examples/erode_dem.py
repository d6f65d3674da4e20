# SPDX-License-Identifier: MIT
"""Erodes a DEM and shows it before and after: a script, and a notebook in editors that know `# %%`.

    python3 erode_dem.py dem.tif -o eroded
    python3 erode_dem.py                      # a generated mountain range
"""

# %% What to erode
import argparse
import os
import sys

import numpy as np

import gully

words = argparse.ArgumentParser(description="Erodes a DEM and shows it before and after.")
words.add_argument("dem", nargs="?", help="any raster that GDAL reads; without it one is generated")
words.add_argument("-o", "--output", default="eroded", help="folder for the results")
words.add_argument("--steps", type=int, default=600, help="steps of rain (default: 600)")
words.add_argument("--size", type=int, default=512, help="cells of a generated terrain's side")
options = words.parse_args()

if options.dem:
    raster = gully.read(options.dem)
    for note in raster.notes:
        print(f"{options.dem}: {note}")
else:
    heights = gully.generate("mountains", width=options.size, height=options.size, seed=7)
    raster = gully.Raster(heights, cell=(10.0, 10.0), name="terrain", unit="m")
world = gully.World(raster)
before = world["terrain"]
print(world)

# %% Rain, then drying
settings = gully.Settings(
    "pipe",
    params={"friction": 1, "capacity": 1},
    thermal={"talus": 32},
    rain={"rate": 1e-3},
    boundary={"west": "open", "east": "open", "north": "open", "south": "open"},
)
sim = gully.Sim(world, settings)
sim.step(options.steps, lambda done: print(f"\r{done} of {options.steps} steps", end=""))
print()

settings["rain.rate"] = 0
settings["params.evaporation"] = 0.03
sim.apply(settings)
sim.step(options.steps // 4)
after = world["terrain"]

# %% What came of it
solid = sim.budget()["solid"]
print(f"eroded {solid['eroded']:.3g} m3, deposited {solid['deposited']:.3g} m3")
print(f"mean slope {gully.maps.slope_statistics(world)['degrees']['mean']:.1f} degrees")
os.makedirs(options.output, exist_ok=True)
gully.write(os.path.join(options.output, "terrain.tif"), world)  # with the DEM's georeference

# %% Before, after, and the difference
try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib (Debian: python3-matplotlib): no picture", file=sys.stderr)
    sys.exit(0)


def shade(terrain):
    """Light from the north-west."""
    east, north = gully.maps.gradient(terrain, world.cell)
    light = np.array([-1.0, 1.0, 1.5]) / np.sqrt(4.25)
    return (light[2] - east * light[0] - north * light[1]) / np.sqrt(1 + east**2 + north**2)


figure, (left, middle, right) = plt.subplots(1, 3, figsize=(15, 5), constrained_layout=True)
left.imshow(shade(before), cmap="gray", vmin=0, vmax=1)
left.set_title("before")
middle.imshow(shade(after), cmap="gray", vmin=0, vmax=1)
middle.set_title(f"after {sim.steps} steps")
change = after - before
most = np.nanpercentile(np.abs(change), 99) or 1.0
image = right.imshow(change, cmap="RdBu", vmin=-most, vmax=most)
right.set_title("eroded and deposited [m]")
figure.colorbar(image, ax=right)
for axes in (left, middle, right):
    axes.set_axis_off()
path = os.path.join(options.output, "before_after.png")
figure.savefig(path, dpi=100)
print(f"in {options.output}: terrain.tif, before_after.png")
