# SPDX-License-Identifier: MIT
"""Pictures of a world."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Sequence

import numpy as np

from . import _abi
from ._library import BadInput, free, lib, pointer, to_text
from ._tables import Parameter, parameters_of, set_rows
from ._world import World


def preview(world: World) -> np.ndarray:
    """Shaded relief with water in blue, sediment in green and deposits in red: (h, w, 3) bytes."""
    width, height = ctypes.c_int(), ctypes.c_int()
    with world._lock:
        lib.gully_preview_size(world._handle, ctypes.byref(width), ctypes.byref(height))
        rgb = np.empty((height.value, width.value, 3), dtype=np.uint8)
        lib.gully_preview_draw(world._handle, pointer(rgb, ctypes.c_ubyte))
    return rgb


def preview_png(world: World) -> bytes:
    """The preview as a PNG file."""
    handle = ctypes.POINTER(_abi.GullyPreview)()
    with world._lock:
        lib.gully_preview_create(world._handle, ctypes.byref(handle))
    address, size = ctypes.c_void_p(), ctypes.c_size_t()
    try:
        lib.gully_preview_encode(handle, ctypes.byref(address), ctypes.byref(size))
    finally:
        lib.gully_preview_destroy(handle)
    data = ctypes.string_at(address, size.value)
    free(address)
    return data


def _overlays() -> List[str]:
    names: List[str] = []
    while (name := lib.gully_overlay_name(len(names))) is not None:
        names.append(to_text(name))
    return names


def render_parameters() -> List[Parameter]:
    """What `render` takes: where the camera and the sun stand, and so on."""
    return parameters_of(lib.gully_render_table())


def render(
    world: World,
    width: int = 1280,
    height: int = 720,
    *,
    view: str = "perspective",
    overlays: Sequence[str] = (),
    **values: Any,
) -> np.ndarray:
    """Draws a world, seen from the side ("perspective") or from above ("relief"): (h, w, 3) bytes.

    `overlays` are painted over the ground: "flow", "wear", "deposit", "sediment", "materials",
    "slope". Further values are those of `render_parameters()`: azimuth=, elevation=, ...
    """
    views: Dict[str, int] = {
        "relief": _abi.GULLY_VIEW_RELIEF,
        "perspective": _abi.GULLY_VIEW_PERSPECTIVE,
    }
    if view not in views:
        raise BadInput(f"view: {view!r}; allowed: {', '.join(views)}")
    definition = lib.gully_render_def(width, height)
    definition.view = views[view]
    names = _overlays()
    for name in overlays:
        if name not in names:
            raise BadInput(f"overlays: {name!r}; allowed: {', '.join(names)}")
        definition.overlays |= 1 << names.index(name)
    set_rows(lib.gully_render_table(), definition, values, "render")
    scenery = ctypes.POINTER(_abi.GullyScenery)()
    with world._lock:
        lib.gully_scenery_take(world._handle, ctypes.byref(definition), ctypes.byref(scenery))
    rgb = np.empty((height, width, 3), dtype=np.uint8)
    try:
        lib.gully_render(scenery, ctypes.byref(definition), pointer(rgb, ctypes.c_ubyte))
    finally:
        lib.gully_scenery_destroy(scenery)
    return rgb
