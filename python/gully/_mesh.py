# SPDX-License-Identifier: MIT
"""Meshes of a terrain."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, Optional

import numpy as np

from . import _abi
from ._library import BadInput, fill_definition, lib, to_bytes, view
from ._rasters import Cell
from .maps import heights_of


class Mesh:
    """Triangles of a terrain: Mesh(heights, cell, error=0.5).

    `heights` is an array, a Raster or a World. error= [m] leaves out vertices as far as the surface
    stays that close, scale= multiplies heights, base= [m] makes a solid. x is to the east, y to the
    north, z up, in metres.
    """

    positions: np.ndarray  #: (n, 3) float32
    normals: np.ndarray  #: (n, 3) float32
    places: np.ndarray  #: (n, 2) float32: u, v in the raster, 0..1 from its first row
    triangles: np.ndarray  #: (m, 3) uint32, counter-clockwise seen from outside

    def __init__(self, heights: Any, cell: Optional[Cell] = None, **options: Any) -> None:
        struct, values = heights_of(heights, cell)
        definition = lib.gully_mesh_default()
        fill_definition(definition, options, "Mesh")
        mesh = _abi.GullyMesh()
        lib.gully_mesh_create(ctypes.byref(struct), ctypes.byref(definition), ctypes.byref(mesh))
        same = _abi.GullyMesh.from_buffer_copy(mesh)
        weakref.finalize(mesh, lib.gully_mesh_free, ctypes.pointer(same))
        self._mesh = mesh
        count = mesh.vertex_count
        self.positions = view(mesh.positions, (count, 3), ctypes.c_float, mesh)
        self.normals = view(mesh.normals, (count, 3), ctypes.c_float, mesh)
        self.places = view(mesh.places, (count, 2), ctypes.c_float, mesh)
        self.triangles = view(mesh.triangles, (mesh.triangle_count, 3), ctypes.c_uint32, mesh)

    def write(self, path: Any, picture: Any = None, as_texture: bool = True) -> None:
        """Writes .obj, .ply, .stl, .glb or .gltf; `picture`, (h, w, channels) bytes over the whole
        raster, as a texture or as colours of the vertices."""
        look = _abi.GullyMeshLook(as_texture=as_texture)
        if picture is not None:
            pixels = np.ascontiguousarray(picture, dtype=np.uint8)
            if pixels.ndim != 3 or not 1 <= pixels.shape[2] <= 4:
                raise BadInput(f"picture: shape {pixels.shape}; wanted: (height, width, 1 to 4)")
            height, width, channels = pixels.shape
            texture = _abi.GullyTexture(width, height, channels)
            texture.pixels = pixels.ctypes.data_as(ctypes.POINTER(ctypes.c_ubyte))
            look.picture = ctypes.pointer(texture)
        lib.gully_mesh_write(to_bytes(path), ctypes.byref(self._mesh), ctypes.byref(look))
