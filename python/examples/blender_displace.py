# SPDX-License-Identifier: MIT
"""Displaces a plane in Blender by an EXR that Gully wrote, to the metre.

    gully convert dem.tif heights.exr --preset blender
    blender -b -P blender_displace.py -- heights.exr terrain.blend

What matters, also if it is done by hand: a vertex for each cell; texture coordinates at the centres
of the cells (Blender's own go to the edges of the picture, half a cell too far); colour space
"Non-Color"; an image texture without clamping, with the extension "Extend"; a Displace modifier
with strength 1 and midlevel 0 in direction Z, by UV.
"""

import json
import os
import sys

import bpy


def load_heights(path):
    """The picture, with numbers as they are."""
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    texture = bpy.data.textures.new("heights", "IMAGE")
    texture.image = image
    texture.extension = "EXTEND"
    texture.use_clamp = False
    return image, texture


def make_grid(width, height, cell_x, cell_y):
    """A plane with a vertex for each cell, in metres, and coordinates of the cells' centres."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=width - 1, y_subdivisions=height - 1, size=1)
    plane = bpy.context.object
    mesh = plane.data
    columns = [round((vertex.co.x + 0.5) * (width - 1)) for vertex in mesh.vertices]
    rows = [round((vertex.co.y + 0.5) * (height - 1)) for vertex in mesh.vertices]  # from the south
    layer = mesh.uv_layers.active or mesh.uv_layers.new()
    for loop in mesh.loops:
        vertex = loop.vertex_index
        place = ((columns[vertex] + 0.5) / width, (rows[vertex] + 0.5) / height)
        layer.data[loop.index].uv = place
    for vertex in mesh.vertices:
        vertex.co.x *= (width - 1) * cell_x
        vertex.co.y *= (height - 1) * cell_y
    return plane


def displace(plane, texture):
    modifier = plane.modifiers.new("heights", "DISPLACE")
    modifier.texture = texture
    modifier.texture_coords = "UV"
    modifier.direction = "Z"
    modifier.strength = 1
    modifier.mid_level = 0
    return modifier


def main(path, output):
    with open(f"{path}.json", encoding="utf-8") as file:  # the sidecar
        cell_x, cell_y = json.load(file)["cell_size"]
    image, texture = load_heights(os.path.abspath(path))
    plane = make_grid(*image.size, cell_x, cell_y)
    displace(plane, texture)
    bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(output))


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :][:2])
