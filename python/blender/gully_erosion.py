# SPDX-License-Identifier: MIT
"""Erodes a grid mesh, or an image of heights, in Blender, in place, with the package `gully`.

Install the package into Blender's Python (`pip install ./python`, docs/python.md), then this file as
an add-on (Edit, Preferences, Add-ons, Install). The panel is in the sidebar of the 3D view, tab
Gully; images are eroded from the menu Image of the image editor.
"""

bl_info = {
    "name": "Gully: erosion by running water",
    "author": "Gully",
    "version": (0, 1, 0),
    "blender": (3, 0, 0),
    "location": "3D View > Sidebar > Gully; Image Editor > Image",
    "description": "Erodes a grid mesh or an image of heights",
    "category": "Object",
}

import bpy
import numpy as np

MASKS = ("water", "flow", "wear", "deposit")


# ---- erosion ------------------------------------------------------------------------------------


def erode(heights, cell, values):
    """Rain, then drying, on heights [m] with the north first; returns the world."""
    import gully  # not before it is used: without it Blender still starts

    world = gully.World(heights, cell)
    sides = "open" if values.open_sides else "closed"
    settings = gully.Settings(
        "pipe",
        params={"capacity": values.capacity, "friction": 1},
        rain={"rate": values.rain},
        boundary={side: sides for side in ("west", "east", "north", "south")},
    )
    if values.talus > 0:
        settings["thermal.talus"] = values.talus
    sim = gully.Sim(world, settings)
    sim.step(values.steps)
    settings["rain.rate"] = 0
    settings["params.evaporation"] = 0.03
    sim.apply(settings)
    sim.step(values.steps // 4)
    return world


class ErodeValues:
    """What both operators can be told."""

    steps: bpy.props.IntProperty(
        name="Steps", default=400, min=1, soft_max=5000, description="of rain; a quarter more dry"
    )
    rain: bpy.props.FloatProperty(
        name="Rain", default=1e-3, min=0, max=1, precision=5, description="metres per second"
    )
    capacity: bpy.props.FloatProperty(
        name="Capacity", default=1, min=0, soft_max=10, description="how much water can carry"
    )
    talus: bpy.props.FloatProperty(
        name="Talus", default=32, min=0, max=89, description="degrees that stay; 0 = nothing slides"
    )
    open_sides: bpy.props.BoolProperty(
        name="Open sides", default=True, description="water leaves at the sides"
    )


def run(operator, work):
    """Does the work; what goes wrong is told to the user."""
    try:
        operator.report({"INFO"}, work())
    except ImportError as error:
        operator.report({"ERROR"}, f"{error}: pip install the package gully into Blender's Python")
        return {"CANCELLED"}
    except ValueError as error:  # also gully.BadInput
        operator.report({"ERROR"}, str(error))
        return {"CANCELLED"}
    return {"FINISHED"}


# ---- meshes -------------------------------------------------------------------------------------


def places_of(values):
    """The index of each value among the different ones, which must be evenly apart; and how far."""
    low, high = values.min(), values.max()
    near = (high - low) * 1e-5
    different = np.sort(values)
    different = different[np.concatenate(([True], np.diff(different) > near))]
    if len(different) < 2:
        raise ValueError("the mesh is no grid: all its vertices are in one line")
    step = (high - low) / (len(different) - 1)
    index = np.rint((values - low) / step).astype(int)
    if np.abs(values - low - index * step).max() > 0.01 * step:
        raise ValueError("the mesh is no grid: its vertices are not evenly apart")
    return index, len(different), step


class Grid:
    """The vertices of a mesh as rows and columns, seen from above."""

    def __init__(self, mesh, scale):
        self.mesh, self.scale = mesh, scale
        self.places = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", self.places)
        self.places = self.places.reshape(-1, 3)
        if len(self.places) < 4:
            raise ValueError("the mesh is no grid: it has fewer than four vertices")
        column, width, step_x = places_of(self.places[:, 0].astype(float))
        row, height, step_y = places_of(self.places[:, 1].astype(float))
        self.cell = (step_x * abs(scale[0]), step_y * abs(scale[1]))
        self.shape = (height, width)
        self.index = (height - 1 - row) * width + column  # the north first
        if len(np.unique(self.index)) != len(self.index) or len(self.index) != width * height:
            raise ValueError(
                f"the mesh is no grid: {len(self.index)} vertices in {width} columns and {height} rows"
            )

    def heights(self):
        """In metres, as the object is scaled."""
        result = np.empty(self.shape, dtype=np.float32)
        result.ravel()[self.index] = self.places[:, 2] * np.float32(self.scale[2])
        return result

    def set_heights(self, heights):
        self.places[:, 2] = heights.ravel()[self.index] / np.float32(self.scale[2])
        self.mesh.vertices.foreach_set("co", self.places.ravel())
        self.mesh.update()

    def set_mask(self, name, values):
        """As an attribute of the vertices, for materials and geometry nodes."""
        old = self.mesh.attributes.get(name)
        if old is not None:
            self.mesh.attributes.remove(old)
        attribute = self.mesh.attributes.new(name, "FLOAT", "POINT")
        attribute.data.foreach_set("value", np.ascontiguousarray(values.ravel()[self.index]))


class GULLY_OT_erode_mesh(bpy.types.Operator, ErodeValues):
    """Erodes the active object, a grid, by running water"""

    bl_idname = "object.gully_erode"
    bl_label = "Erode grid"
    bl_options = {"REGISTER", "UNDO"}

    masks: bpy.props.BoolProperty(
        name="Masks", default=True, description="water, flow, wear and deposit as attributes"
    )

    @classmethod
    def poll(cls, context):
        thing = context.active_object
        return thing is not None and thing.type == "MESH" and thing.mode == "OBJECT"

    def execute(self, context):
        return run(self, lambda: self.erode(context.active_object))

    def erode(self, thing):
        grid = Grid(thing.data, thing.scale)
        world = erode(grid.heights(), grid.cell, self)
        grid.set_heights(world["terrain"])
        for name in MASKS if self.masks else ():
            grid.set_mask(name, world[name])
        return f"{thing.name}: {grid.shape[1]} x {grid.shape[0]} cells eroded"


# ---- images -------------------------------------------------------------------------------------


class GULLY_OT_erode_image(bpy.types.Operator, ErodeValues):
    """Erodes the image of the editor, whose red channel has heights"""

    bl_idname = "image.gully_erode"
    bl_label = "Erode heights"
    bl_options = {"REGISTER", "UNDO"}

    image: bpy.props.StringProperty(name="Image", description="its name; empty = the editor's")
    cell: bpy.props.FloatProperty(name="Cell", default=10, min=1e-6, description="metres a pixel")
    scale: bpy.props.FloatProperty(
        name="Scale", default=1, min=1e-9, description="metres of the value 1"
    )

    def execute(self, context):
        named = bpy.data.images.get(self.image) if self.image else None
        image = named or getattr(context.space_data, "image", None)
        if image is None:
            self.report({"ERROR"}, f"there is no image {self.image}")
            return {"CANCELLED"}
        return run(self, lambda: self.erode(image))

    def erode(self, image):
        if image.channels < 1 or not image.has_data:
            raise ValueError(f"{image.name}: has no pixels")
        width, height = image.size
        pixels = np.empty(width * height * image.channels, dtype=np.float32)
        image.pixels.foreach_get(pixels)
        pixels = pixels.reshape(height, width, image.channels)
        heights = pixels[::-1, :, 0] * np.float32(self.scale)  # Blender has the south first
        eroded = erode(heights, self.cell, self)["terrain"] / np.float32(self.scale)
        colors = min(3, image.channels)
        pixels[:, :, :colors] = eroded[::-1, :, None]
        image.pixels.foreach_set(pixels.ravel())
        image.update()
        return f"{image.name}: {width} x {height} pixels eroded"


# ---- where it is found --------------------------------------------------------------------------


class GULLY_PT_panel(bpy.types.Panel):
    """Erosion by running water"""

    bl_label = "Erosion"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Gully"

    def draw(self, context):
        self.layout.operator(GULLY_OT_erode_mesh.bl_idname)


def draw_image_menu(self, context):
    self.layout.operator(GULLY_OT_erode_image.bl_idname)


CLASSES = (GULLY_OT_erode_mesh, GULLY_OT_erode_image, GULLY_PT_panel)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.IMAGE_MT_image.append(draw_image_menu)


def unregister():
    bpy.types.IMAGE_MT_image.remove(draw_image_menu)
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
