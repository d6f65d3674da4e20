# SPDX-License-Identifier: MIT
"""Maps of a terrain: slope, aspect, curvature, wetness, normals; and what it is like as a whole.

`heights` is an array with its `cell` size (metres, one number or (x, y)), a Raster or a World. NaN
is nodata, and stays nodata.
"""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import _abi
from ._library import as_dict, fill_definition, grid, lib, pointer, to_text
from ._rasters import Cell, as_raster

MAPS: Dict[str, int] = {
    to_text(lib.gully_map_name(index)): index for index in range(_abi.GULLY_MAP_COUNT)
}


def heights_of(thing: Any, cell: Optional[Cell]) -> Tuple[Any, np.ndarray]:
    """A height field for the library, and the array that it looks at."""
    raster = as_raster(thing, cell)
    values = grid(raster.values)
    struct = _abi.GullyHeights(pointer(values), values.shape[1], values.shape[0], *raster.cell)
    return struct, values


def _make(name: str, heights: Any, cell: Optional[Cell]) -> np.ndarray:
    struct, values = heights_of(heights, cell)
    out = np.empty_like(values)
    lib.gully_map_make(MAPS[name], ctypes.byref(struct), pointer(out))
    return out


def slope(heights: Any, cell: Optional[Cell] = None) -> np.ndarray:
    """Slope [deg]."""
    return _make("slope", heights, cell)


def aspect(heights: Any, cell: Optional[Cell] = None) -> np.ndarray:
    """Where the slope faces, down, clockwise from north [deg]; -1 = level."""
    return _make("aspect", heights, cell)


def profile_curvature(heights: Any, cell: Optional[Cell] = None) -> np.ndarray:
    """Curvature along the slope [1/m], positive where the ground bulges."""
    return _make("curvature-profile", heights, cell)


def plan_curvature(heights: Any, cell: Optional[Cell] = None) -> np.ndarray:
    """Curvature across the slope [1/m], positive on a ridge."""
    return _make("curvature-plan", heights, cell)


def mean_curvature(heights: Any, cell: Optional[Cell] = None) -> np.ndarray:
    """Half the sum of both [1/m]."""
    return _make("curvature-mean", heights, cell)


def wetness(heights: Any, cell: Optional[Cell] = None, flow: Any = None) -> np.ndarray:
    """Topographic wetness index ln(a / tan b); `flow` of a run takes the place of the area a."""
    struct, values = heights_of(heights, cell)
    out = np.empty_like(values)
    flow = None if flow is None else grid(flow)
    lib.gully_wetness(ctypes.byref(struct), pointer(flow), pointer(out))
    return out


def gradient(heights: Any, cell: Optional[Cell] = None) -> Tuple[np.ndarray, np.ndarray]:
    """The slope [m/m] towards the east and towards the north."""
    struct, values = heights_of(heights, cell)
    east, north = np.empty_like(values), np.empty_like(values)
    lib.gully_map_gradient(ctypes.byref(struct), pointer(east), pointer(north))
    return east, north


def normals(heights: Any, cell: Optional[Cell] = None, green_down: bool = False) -> np.ndarray:
    """A normal map, (h, w, 4) bytes: red to the east, green to the north (to the south with
    `green_down`, as DirectX has it), blue up; alpha 0 where there is no data."""
    struct, values = heights_of(heights, cell)
    rgba = np.empty((*values.shape, 4), dtype=np.uint8)
    lib.gully_normal_map(ctypes.byref(struct), green_down, pointer(rgba, ctypes.c_ubyte))
    return rgba


def drainage(heights: Any, cell: Optional[Cell] = None, **options: Any) -> Dict[str, Any]:
    """How a terrain drains: concavity of channels, Hack's exponent, hollows, Horton's ratios and so on
    (docs/realism.md); NaN where it has no such number. Options: channel=, river= [cells]."""
    struct, values = heights_of(heights, cell)
    definition = lib.gully_drainage_default()
    fill_definition(definition, options, "drainage")
    result = _abi.GullyDrainage()
    lib.gully_drainage_measure(ctypes.byref(struct), ctypes.byref(definition), ctypes.byref(result))
    return as_dict(result)


def slope_statistics(heights: Any, cell: Optional[Cell] = None) -> Dict[str, Any]:
    """How steep a terrain is and how eroded it looks: mean, deviation and maximum of its slope, the
    erosion score, and shares of the cells by classes of slope."""
    struct, values = heights_of(heights, cell)
    result = _abi.GullySlopeStatistics()
    lib.gully_slope_statistics(
        pointer(values), struct.width, struct.height, struct.cell_x, struct.cell_y,
        ctypes.byref(result),
    )  # fmt: skip
    return as_dict(result)
