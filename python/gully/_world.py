# SPDX-License-Identifier: MIT
"""The world: a grid of cells with ground, water and sediment."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._library import BadInput, Error, Lock, Owned, grid, lib, message, pointer, to_bytes, to_text
from ._rasters import Cell, Georeference, Raster, cell_pair
from ._tables import documented, set_rows, table_text, unknown

FIELDS: Dict[str, int] = {
    to_text(lib.gully_field_name(index)): index for index in range(_abi.GULLY_FIELD_COUNT)
}

Window = Tuple[slice, slice]


@documented(lambda: table_text(lib.gully_material_table()))
class Material(Dict[str, Any]):
    """What the ground is made of: Material("rock", erodibility=0.2, talus=50, color="#807870")."""

    def __init__(self, name: str, **values: Any) -> None:
        super().__init__(values)
        self.name = name

    def _struct(self, index: int) -> Any:
        values = dict(self)
        color = values.pop("color", None)
        struct = lib.gully_material(to_bytes(self.name), index)
        set_rows(lib.gully_material_table(), struct, values, f"material {self.name}")
        if color is not None:
            struct.color = int(color.lstrip("#"), 16) if isinstance(color, str) else color
        return struct


class World(Owned):
    """A grid of cells, stored by the library: World(heights, cell=(10, 10)).

    `heights` are metres, rows from the north, as an array or a Raster (whose cell size and
    georeference are kept); NaN is outside. `cell` is metres to the right and down. Fields are read
    and written by name, as float32 arrays of (height, width):

        world["terrain"]                   # a copy of the whole field
        world["water", 10:20, 30:40]       # of rows 10 to 19, columns 30 to 39
        world["water"] = 0.5               # or an array

    Names are "terrain", "water", "sediment", "hardness"; of a simulation "flow", "wear", "deposit",
    "velocity_x", "velocity_y"; and "layer-NAME" of a material.
    """

    def __init__(
        self,
        heights: Any,
        cell: Optional[Cell] = None,
        *,
        half: bool = False,
        tile_size: int = 0,
        materials: Sequence[Material] = (),
    ) -> None:
        raster = heights if isinstance(heights, Raster) else None
        if cell is None:
            cell = raster.cell if raster else 1.0
        values = grid(raster.values if raster else heights)
        definition = lib.gully_world_def(values.shape[1], values.shape[0])
        definition.cell_x, definition.cell_y = cell_pair(cell)
        definition.half, definition.tile_size = half, tile_size
        definition.heights = pointer(values)
        handle = ctypes.POINTER(_abi.GullyWorld)()
        lib.gully_world_create(ctypes.byref(definition), ctypes.byref(handle))
        self._begin(handle, raster.georeference if raster else None)
        if materials:
            self.materials = materials  # type: ignore[assignment]

    def _begin(self, handle: Any, georeference: Optional[Georeference]) -> None:
        self._own(handle, lib.gully_world_destroy)
        self._lock = Lock()
        self.georeference = georeference  #: given to rasters of this world

    @classmethod
    def _of(cls, handle: Any, georeference: Optional[Georeference]) -> World:
        """A world that the library has made."""
        world = cls.__new__(cls)
        world._begin(handle, georeference)
        return world

    # ---- what it is

    @property
    def shape(self) -> Tuple[int, int]:
        """(height, width) in cells."""
        return lib.gully_world_height(self._handle), lib.gully_world_width(self._handle)

    @property
    def cell(self) -> Tuple[float, float]:
        """Metres per cell, to the right and down."""
        return lib.gully_world_cell_x(self._handle), lib.gully_world_cell_y(self._handle)

    @property
    def cells(self) -> int:
        """How many cells are not outside."""
        with self._lock:
            count = lib.gully_world_cells(self._handle)
        if count < 0:
            raise Error(message())
        return count

    def __repr__(self) -> str:
        if self._handle_or_none is None:
            return "<gully.World, closed>"
        (height, width), (x, y) = self.shape, self.cell
        return f"<gully.World of {width} x {height} cells of {x:g} x {y:g} m>"

    # ---- materials

    @property
    def materials(self) -> List[Material]:
        """What the ground is made of, bottom to top; the last is what sediment becomes."""
        result = []
        for index in range(lib.gully_world_material_count(self._handle)):
            struct = lib.gully_world_material(self._handle, index).contents
            values = {name: getattr(struct, name) for name, _ in struct._fields_}
            values["color"] = f"#{struct.color:06x}"
            result.append(Material(to_text(values.pop("name")), **values))
        return result

    @materials.setter
    def materials(self, materials: Sequence[Material]) -> None:
        structs = [material._struct(index) for index, material in enumerate(materials)]
        array = (_abi.GullyMaterial * len(structs))(*structs)
        with self._lock:
            lib.gully_world_set_materials(self._handle, array, len(structs))

    def _layers(self) -> Dict[str, int]:
        count = lib.gully_world_material_count(self._handle)
        names = (lib.gully_world_material(self._handle, index).contents for index in range(count))
        return {
            f"layer-{to_text(struct.name)}": _abi.GULLY_LAYER_0 + index
            for index, struct in enumerate(names)
        }

    def _field(self, name: str) -> int:
        fields = {**FIELDS, **self._layers()}
        if name not in fields:
            raise unknown("field", str(name), fields)
        return fields[name]

    # ---- cells

    def _rect(self, window: Optional[Window]) -> Any:
        height, width = self.shape
        if window is None:
            return _abi.GullyRect(0, 0, width, height)
        rows, columns = window
        if rows.step not in (None, 1) or columns.step not in (None, 1):
            raise BadInput("a window has every row and column: slices without a step")
        top, bottom, _ = rows.indices(height)
        left, right, _ = columns.indices(width)
        return _abi.GullyRect(left, top, max(0, right - left), max(0, bottom - top))

    def read(
        self, field: str, window: Optional[Window] = None, out: Optional[np.ndarray] = None
    ) -> np.ndarray:
        """Copies a field, or a window (slice of rows, slice of columns) of it; into `out`, if that
        is given: float32, row by row, of the window's shape."""
        rect = self._rect(window)
        shape = (rect.height, rect.width)
        if out is None:
            out = np.empty(shape, dtype=np.float32)
        elif out.dtype != np.float32 or out.shape != shape or not out.flags.c_contiguous:
            raise BadInput(f"out: wanted is a C-contiguous float32 array of shape {shape}")
        with self._lock:
            lib.gully_world_read(self._handle, self._field(field), rect, pointer(out))
        return out

    def write(self, field: str, values: Any, window: Optional[Window] = None) -> None:
        """Copies values into a field, or into a window of it; one number goes everywhere. What
        that adds or takes is counted in the budget as edits."""
        if window is None and np.ndim(values) == 0:
            with self._lock:
                lib.gully_world_fill(self._handle, self._field(field), values)
            return
        rect = self._rect(window)
        shape = (rect.height, rect.width)
        if np.ndim(values) == 0:
            values = np.full(shape, values, dtype=np.float32)
        array = grid(values)
        if array.shape != shape:
            raise BadInput(f"{field}: values of shape {array.shape}; wanted: {shape}")
        with self._lock:
            lib.gully_world_write(self._handle, self._field(field), rect, pointer(array))

    def __getitem__(self, key: Union[str, Tuple[str, slice, slice]]) -> np.ndarray:
        field, window = _key(key)
        return self.read(field, window)

    def __setitem__(self, key: Union[str, Tuple[str, slice, slice]], values: Any) -> None:
        field, window = _key(key)
        self.write(field, values, window)

    # ---- all of it

    def hash(self, field: str) -> str:
        """A hash of a field's bits, as a run's report has it: the same on every machine."""
        with self._lock:
            value = lib.gully_world_hash(self._handle, self._field(field))
        if value == 0:
            raise Error(message())
        return f"{value:016x}"

    def volume(self, field: str) -> float:
        """The volume under a field [m3]."""
        with self._lock:
            return lib.gully_world_volume(self._handle, self._field(field))

    def raster(self, field: str = "terrain") -> Raster:
        """A field with its cell size, georeference and unit."""
        unit = to_text(lib.gully_field_unit(self._field(field)))
        return Raster(self.read(field), self.cell, self.georeference, field, unit)


def _key(key: Any) -> Tuple[str, Optional[Window]]:
    if isinstance(key, tuple):
        if len(key) != 3 or not all(isinstance(part, slice) for part in key[1:]):
            raise BadInput("world[FIELD] or world[FIELD, rows, columns], both slices")
        return key[0], (key[1], key[2])
    return key, None
