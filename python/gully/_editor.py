# SPDX-License-Identifier: MIT
"""Editing a world while it is simulated: brushes, stamps, copies, and the way back."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

from . import _abi
from ._library import Owned, grid, lib, pointer, to_bytes, to_text
from ._settings import Settings
from ._sim import Sim
from ._tables import documented, filled, table_text
from ._world import Window


@dataclass(frozen=True)
class Brush:
    """What a brush does."""

    name: str
    summary: str
    unit: str  #: of its strength; "share" = 0..1 of the way
    strength: float  #: a good one to begin with
    most: float  #: the largest strength
    held: bool  #: acts while it is held and the simulation steps
    layers: bool  #: takes `layer`


def brushes() -> Dict[str, Brush]:
    """The brushes that an editor has."""
    result = {}
    for index in range(lib.gully_brush_count()):
        info = lib.gully_brush_info(index).contents
        values = {name: getattr(info, name) for name, _ in info._fields_}
        texts = {name: to_text(values[name]) for name in ("name", "summary", "unit")}
        result[texts["name"]] = Brush(**{**values, **texts})
    return result


def _brushes_text() -> str:
    lines = [f"    {brush.name}: {brush.summary} [{brush.unit}]" for brush in brushes().values()]
    return "brushes, with the unit of their strength:\n" + "\n".join(lines)


class Clip(Owned):
    """A rectangle of ground: its terrain, layers and hardness, with all their bits."""

    def __init__(self, data: bytes) -> None:
        """From the bytes of one."""
        handle = ctypes.POINTER(_abi.GullyClip)()
        lib.gully_clip_parse(data, len(data), ctypes.byref(handle))
        self._own(handle, lib.gully_clip_destroy)

    def __bytes__(self) -> bytes:
        size = ctypes.c_size_t()
        return ctypes.string_at(lib.gully_clip_bytes(self._handle, ctypes.byref(size)), size.value)

    @property
    def shape(self) -> Tuple[int, int]:
        return lib.gully_clip_height(self._handle), lib.gully_clip_width(self._handle)


class Editor(Owned):
    """Edits the world of a simulation: Editor(sim).

    Positions are metres from the centre of the first cell, x to the right, y down. Each method that
    edits is one entry of the history, unless it is called with mark=None: then it belongs to the
    entry before. `undo` goes back to the state before an entry, also across steps. `undo_bytes` is
    the memory that the history may take (0 = a quarter of the machine's).
    """

    def __init__(self, sim: Sim, undo_bytes: int = 0) -> None:
        handle = ctypes.POINTER(_abi.GullyEditor)()
        with sim._lock:
            if sim._user() is not None:
                sim._is_used_by(self, "an editor of this simulation")
            lib.gully_editor_create(
                sim._handle, sim._settings._handle, undo_bytes, ctypes.byref(handle)
            )
            self._own(handle, lib.gully_editor_destroy, sim)
            sim._is_used_by(self, "an editor of this simulation")
        self.sim = sim
        self._lock = sim._lock

    def _mark(self, name: Optional[str]) -> None:
        if name is not None:
            lib.gully_editor_mark(self._handle, to_bytes(name))

    def apply(self, settings: Settings, mark: Optional[str] = "settings") -> None:
        """Applies other settings; undo goes back to the ones before."""
        with self._lock:
            self._mark(mark)
            lib.gully_editor_apply(self._handle, settings._handle)
            self.sim._settings = settings.copy()

    # ---- brushes

    @documented(_brushes_text, lambda: table_text(lib.gully_brush_table()))
    def stroke(self, brush: str, points: Any, *, mark: Optional[str] = "", **values: Any) -> None:
        """Draws a stroke along points, (x, y) in metres: a line of dabs a quarter of the radius
        apart. `mark` is its name in the history (the brush's, if it is "")."""
        array = np.ascontiguousarray(np.atleast_2d(points), dtype=np.float64)
        struct = filled(_abi.GullyBrush, lib.gully_brush_table(), values, brush)
        with self._lock:
            self._mark(mark if mark != "" else brush)
            lib.gully_editor_begin_stroke(self._handle, to_bytes(brush), ctypes.byref(struct))
            try:
                place = array.ctypes.data_as(ctypes.POINTER(_abi.GullyPoint))
                lib.gully_editor_stroke_to(self._handle, place, len(array))
            finally:
                lib.gully_editor_end_stroke(self._handle)

    def hold(
        self, brush: str, x: float, y: float, *, mark: Optional[str] = "", **values: Any
    ) -> None:
        """Holds a brush that acts as the simulation steps ("rain") at a place, until it is moved by
        another call or released."""
        struct = filled(_abi.GullyBrush, lib.gully_brush_table(), values, brush)
        with self._lock:
            self._mark(mark if mark != "" else brush)
            lib.gully_editor_hold(
                self._handle, to_bytes(brush), ctypes.byref(struct), _abi.GullyPoint(x, y)
            )

    def release(self) -> None:
        """Lets go of what is held."""
        with self._lock:
            lib.gully_editor_release(self._handle)

    # ---- stamps and copies

    @documented(lambda: table_text(lib.gully_stamp_table()))
    def stamp(self, values: Any, *, mark: Optional[str] = "stamp", **where: Any) -> None:
        """Puts a picture, an array, onto a field; NaN leaves what is there."""
        array = grid(values)
        struct = filled(_abi.GullyStamp, lib.gully_stamp_table(), where, "stamp")
        with self._lock:
            self._mark(mark)
            lib.gully_editor_stamp(
                self._handle, ctypes.byref(struct), pointer(array), array.shape[1], array.shape[0]
            )

    def copy(self, rows: slice, columns: slice) -> Clip:
        """Copies a rectangle of ground."""
        clip = Clip.__new__(Clip)
        handle = ctypes.POINTER(_abi.GullyClip)()
        window: Window = (rows, columns)
        with self._lock:
            lib.gully_editor_copy(self._handle, self.sim.world._rect(window), ctypes.byref(handle))
        clip._own(handle, lib.gully_clip_destroy)
        return clip

    def paste(self, clip: Clip, *, mark: Optional[str] = "paste", **where: Any) -> None:
        """Puts a copy somewhere; `where` is as in `stamp`."""
        struct = filled(_abi.GullyStamp, lib.gully_stamp_table(), where, "paste")
        with self._lock:
            self._mark(mark)
            lib.gully_editor_paste(self._handle, clip._handle, ctypes.byref(struct))

    # ---- history

    def _went(self) -> None:
        self.sim._settings = Settings._copy_of(lib.gully_editor_settings(self._handle))

    def undo(self) -> None:
        """Goes back to before the newest entry, with its steps, settings and every field."""
        with self._lock:
            lib.gully_editor_undo(self._handle)
            self._went()

    def redo(self) -> None:
        """Takes the last undo back."""
        with self._lock:
            lib.gully_editor_redo(self._handle)
            self._went()

    @property
    def undo_name(self) -> Optional[str]:
        """What would be undone; None = nothing."""
        name = lib.gully_editor_undo_name(self._handle)
        return None if name is None else to_text(name)

    @property
    def redo_name(self) -> Optional[str]:
        """What would be redone; None = nothing."""
        name = lib.gully_editor_redo_name(self._handle)
        return None if name is None else to_text(name)


__all__: Sequence[str] = ("Brush", "Clip", "Editor", "brushes")
