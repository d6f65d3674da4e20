# SPDX-License-Identifier: MIT
"""In Blender: the displaced plane of a file as positions, and the pixels of pictures, as .npy."""

import sys

import bpy
import numpy

blend, *pictures = sys.argv[sys.argv.index("--") + 1 :]
for path in pictures:
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    pixels = numpy.array(image.pixels[:], dtype=numpy.float32).reshape(height, width, 4)
    numpy.save(f"{path}.npy", pixels[::-1, :, 0])  # Blender has the south first

bpy.ops.wm.open_mainfile(filepath=blend)
plane = next(thing for thing in bpy.data.objects if thing.modifiers)
mesh = plane.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
numpy.save(f"{blend}.npy", numpy.array([vertex.co[:] for vertex in mesh.vertices]))
