# SPDX-License-Identifier: MIT
"""In Blender: the add-on erodes a grid and an image to the bits of the library, and refuses others."""

import sys

import bpy
import numpy as np

sys.path.insert(0, sys.argv[sys.argv.index("--") + 1])
import gully  # noqa: E402
import gully_erosion  # noqa: E402

WIDTH, HEIGHT, CELL = 48, 32, 10.0
TOLD = {"steps": 40, "rain": 2e-3, "capacity": 0.5, "talus": 30.0, "open_sides": True}


class Values:
    def __init__(self, **values):
        # As Blender keeps them: single precision.
        self.__dict__ = {
            name: float(np.float32(value)) if isinstance(value, float) else value
            for name, value in values.items()
        }


def make_grid(heights):
    """A grid object in metres, its vertices in Blender's order."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=WIDTH - 1, y_subdivisions=HEIGHT - 1, size=1)
    thing = bpy.context.object
    thing.scale = ((WIDTH - 1) * CELL, (HEIGHT - 1) * CELL, 1)
    for vertex in thing.data.vertices:
        column = round((vertex.co.x + 0.5) * (WIDTH - 1))
        row = HEIGHT - 1 - round((vertex.co.y + 0.5) * (HEIGHT - 1))
        vertex.co.z = heights[row, column]
    return thing


def refused(action, text):
    try:
        result = action()
    except RuntimeError as error:  # what operators report as an error
        assert text in str(error), error
        return
    raise AssertionError(f"{result} instead of '{text}'")


gully_erosion.register()
heights = gully.generate("mountains", width=WIDTH, height=HEIGHT, relief=90)
wanted = gully_erosion.erode(heights, CELL, Values(**TOLD))
assert np.abs(wanted["terrain"] - heights).max() > 0.1, "nothing happened"

thing = make_grid(heights)
grid = gully_erosion.Grid(thing.data, thing.scale)
assert grid.shape == (HEIGHT, WIDTH) and np.allclose(grid.cell, CELL, rtol=1e-6), grid.cell
np.testing.assert_array_equal(grid.heights(), heights)
assert bpy.ops.object.gully_erode(**TOLD) == {"FINISHED"}
after = gully_erosion.Grid(thing.data, thing.scale).heights()
np.testing.assert_allclose(after, wanted["terrain"], atol=2e-3)  # the cells are 10 m to a rounding
flow = np.empty(WIDTH * HEIGHT, np.float32)
thing.data.attributes["flow"].data.foreach_get("value", flow)
assert flow.max() > 0 and set(gully_erosion.MASKS) <= set(thing.data.attributes.keys())

image = bpy.data.images.new("heights", WIDTH, HEIGHT, float_buffer=True)
pixels = np.ones((HEIGHT, WIDTH, 4), np.float32)
pixels[:, :, :3] = heights[::-1, :, None]
image.pixels.foreach_set(pixels.ravel())
assert bpy.ops.image.gully_erode(image="heights", cell=CELL, **TOLD) == {"FINISHED"}
found = np.empty(HEIGHT * WIDTH * 4, np.float32)
image.pixels.foreach_get(found)
np.testing.assert_array_equal(found.reshape(HEIGHT, WIDTH, 4)[::-1, :, 0], wanted["terrain"])

bpy.ops.mesh.primitive_cube_add()
refused(lambda: bpy.ops.object.gully_erode(**TOLD), "no grid")
refused(lambda: bpy.ops.image.gully_erode(image="nothing"), "no image")
gully_erosion.unregister()
print("the add-on works")
