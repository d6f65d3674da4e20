# SPDX-License-Identifier: MIT
"""Gully carves terrain with water.

    import gully
    heights = gully.generate("mountains", width=512, height=512, relief=600)
    world = gully.World(heights, cell=(10, 10))
    sim = gully.Sim(world, gully.Settings("pipe", **{"rain.rate": 1e-3}, thermal={}))
    sim.step(500)
    world["terrain"]                    # a NumPy array
    gully.run("scene.json", "out")      # what `gully run` does, with the same hashes

docs/python.md has more. Errors are exceptions (gully.Error) with the library's messages.
"""

from ._library import BadInput, Cancelled, DeviceError, Error, FileError, NoMemory  # the first
from . import maps
from ._abi import VERSION as __version__
from ._editor import Brush, Clip, Editor, brushes
from ._generate import generate, generators
from ._mesh import Mesh
from ._pictures import preview, preview_png, render, render_parameters
from ._rasters import Georeference, Raster, Written, formats, presets, read, read_mosaic, resample
from ._rasters import write
from ._scene import Phase, Run, Scene, run
from ._session import Session
from ._settings import Settings
from ._sim import Sim, devices
from ._tables import Law, Parameter, models
from ._world import Material, World

__all__ = [
    "BadInput", "Brush", "Cancelled", "Clip", "DeviceError", "Editor", "Error", "FileError",
    "Georeference", "Law", "Material", "Mesh", "NoMemory", "Parameter", "Phase", "Raster", "Run",
    "Scene", "Session", "Settings", "Sim", "World", "Written", "__version__", "brushes", "devices", "formats",
    "generate", "generators", "maps", "models", "presets", "preview", "preview_png", "read",
    "read_mosaic", "render", "render_parameters", "resample", "run", "write",
]  # fmt: skip
