# SPDX-License-Identifier: MIT
"""Rasters: reading whatever GDAL reads, writing for other programs."""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import dataclass, field, replace
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _abi
from ._library import BadInput, fill_definition, grid, lib, pointer, to_bytes, to_text, view

Cell = Union[float, Sequence[float]]


def cell_pair(cell: Cell) -> Tuple[float, float]:
    """Metres per cell, to the right and down."""
    pair = np.array(cell, dtype=np.float64).ravel()
    if len(pair) not in (1, 2):
        raise BadInput(f"cell: {cell!r}: metres per cell, one number or (x, y)")
    return float(pair[0]), float(pair[-1])


@dataclass
class Georeference:
    """Where a raster lies on the earth."""

    transform: Tuple[float, ...]  #: GDAL's affine transform, in the units of the projection
    projection: Optional[str] = None  #: WKT
    geographic: bool = False  #: degrees
    known: bool = True  #: whether the transform comes from a file

    @classmethod
    def _of(cls, struct: Any) -> Georeference:
        text = ctypes.string_at(struct.projection).decode() if struct.projection else None
        return cls(tuple(struct.transform), text, struct.geographic, struct.known)

    def _fill(self, struct: Any) -> Any:
        """Into the struct; what comes back must live as long as that."""
        struct.transform[:] = self.transform
        struct.known, struct.geographic = self.known, self.geographic
        text = ctypes.create_string_buffer(self.projection.encode()) if self.projection else None
        struct.projection = ctypes.cast(text, ctypes.c_void_p) if text else None
        return text


@dataclass
class Raster:
    """Values on a grid, and what is known of them."""

    values: np.ndarray  #: rows from the first row of the file, float32; NaN = nodata
    cell: Tuple[float, float] = (1.0, 1.0)  #: metres per cell, to the right and down
    georeference: Optional[Georeference] = None
    name: str = ""  #: what the values are: "terrain", "flow", ...
    unit: str = ""
    driver: str = ""  #: what GDAL calls the format that it was read from
    type: str = ""  #: of the file's numbers
    band: int = 0
    bands: int = 0
    notes: List[str] = field(default_factory=list)  #: what reading did or took for granted

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.values if dtype is None else self.values.astype(dtype)


def _raster_of(struct: Any) -> Raster:
    """A raster that the library has read; its values stay where they are."""
    weakref.finalize(struct, lib.gully_raster_free, _same_memory(struct))
    values = view(struct.values, (struct.height, struct.width), ctypes.c_float, struct)
    return Raster(
        values=values,
        cell=(struct.cell_x, struct.cell_y),
        georeference=Georeference._of(struct.georeference),
        name=to_text(struct.name),
        unit=to_text(struct.unit),
        driver=to_text(struct.driver),
        type=to_text(struct.type),
        band=struct.band,
        bands=struct.bands,
        notes=[line for line in to_text(struct.notes).split("\n") if line],
    )


def _same_memory(struct: Any) -> Any:
    copy = type(struct)()
    ctypes.pointer(copy)[0] = struct
    return ctypes.pointer(copy)


def raster_struct(raster: Raster) -> Tuple[Any, Any]:
    """A raster for the library, and what must live as long as that is used."""
    values = grid(raster.values)
    height, width = values.shape
    struct = _abi.GullyRaster(width=width, height=height)
    struct.cell_x, struct.cell_y = raster.cell
    if raster.georeference is None:
        struct.georeference = lib.gully_georeference_plain(height, *raster.cell)
        keeps: Any = values
    else:
        keeps = (values, raster.georeference._fill(struct.georeference))
    struct.values = pointer(values)
    lib.gully_raster_describe(ctypes.byref(struct), to_bytes(raster.name), to_bytes(raster.unit))
    return struct, keeps


def as_raster(thing: Any, cell: Optional[Cell] = None) -> Raster:
    """A raster: of an array of heights, of a world's terrain, or as it is."""
    if hasattr(thing, "raster"):
        thing = thing.raster()
    if isinstance(thing, Raster):
        return thing if cell is None else replace(thing, cell=cell_pair(cell))
    return Raster(grid(thing), cell_pair(1.0 if cell is None else cell), name="terrain", unit="m")


# ---- reading ------------------------------------------------------------------------------------


def _read_def(told: Dict[str, Any]) -> Any:
    """What a reader is told, checked by the library's own rows."""
    count = ctypes.c_int()
    rows = lib.gully_read_rows(ctypes.byref(count))
    rows = {to_text(rows[i].name): rows[i] for i in range(count.value)}
    definition = _abi.GullyReadDef()
    for name in ("scale", "offset"):
        if told.get(name) is not None:
            setattr(definition, name, ctypes.pointer(ctypes.c_double(told[name])))
        told.pop(name, None)
    for name, value in told.items():
        if name not in rows:
            raise BadInput(f"read: {name}: unknown; there are {', '.join(rows)}, scale, offset")
        row = rows[name]
        arguments = to_text(row.arguments)
        if row.choice:
            if value not in arguments.split("|"):
                raise BadInput(f"read: {name}: {value!r}; allowed: {arguments}")
            setattr(definition, name, to_bytes(value))
            continue
        numbers = [value] if np.isscalar(value) else list(value)
        if not row.fewest <= len(numbers) <= row.most or not all(
            row.low <= number <= row.high for number in numbers
        ):
            raise BadInput(
                f"read: {name}: {value!r}; wanted: {arguments}, {row.low:g} to {row.high:g}"
            )
        member = getattr(definition, name)
        member.count = len(numbers)
        member.numbers[: len(numbers)] = numbers
    return definition


def read(path: Any, **told: Any) -> Raster:
    """Reads a raster in any format that GDAL reads, or a folder of tiles.

    What the file does not say can be told, as to the program: range=(low, high), cell=(x, y),
    extent=(w, h), nodata_in=value, band=n, unit="m" ("ft", "ftUS", "cm"), scale=, offset=. Nodata
    becomes NaN. The notes of the result say what was done to the numbers or taken for granted.
    """
    definition = _read_def(dict(told))
    struct = _abi.GullyRaster()
    lib.gully_raster_read_as(to_bytes(path), ctypes.byref(definition), ctypes.byref(struct))
    return _raster_of(struct)


def read_mosaic(paths: Sequence[Any], **told: Any) -> Raster:
    """Reads georeferenced rasters of one projection as one; of cells that several have the last
    counts."""
    definition = _read_def(dict(told))
    names = [to_bytes(path) for path in paths]
    struct = _abi.GullyRaster()
    lib.gully_mosaic_read(
        (ctypes.c_char_p * len(names))(*names), len(names), ctypes.byref(definition),
        ctypes.byref(struct),
    )  # fmt: skip
    return _raster_of(struct)


def resample(raster: Any, width: int, height: int) -> Raster:
    """The same ground with other cells: cubic, without aliasing."""
    source, keeps = raster_struct(as_raster(raster))
    struct = _abi.GullyRaster()
    lib.gully_raster_resample(ctypes.byref(source), width, height, ctypes.byref(struct))
    del keeps
    return _raster_of(struct)


# ---- writing ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Written:
    """What was written."""

    path: str  #: of the file, or of the index of the tiles
    format: str
    width: int
    height: int
    low: float  #: metres of 0 in a file of 16-bit numbers; else the lowest height
    high: float  #: metres of 65535; else the highest height
    columns: int  #: of tiles
    rows: int
    nodata: int  #: cells without a height
    filled: int  #: cells that were given one


def write(
    path: Any,
    raster: Any,
    cell: Optional[Cell] = None,
    *,
    size: Optional[Tuple[int, int]] = None,
    out_range: Optional[Tuple[float, float]] = None,
    tiles: Optional[int] = None,
    overlap: bool = True,
    **options: Any,
) -> Written:
    """Writes heights for another program, in the format of the name's extension.

    `raster` is an array, a Raster or a World. format= and preset= take the names of
    `formats()` and `presets()`. size=(width, height) resamples, out_range=(low, high) are the
    metres of 0 and 65535, fill= is the height of cells without one, nodata= their number;
    flip=True writes from south to north. tiles=N writes tiles of N cells into the folder `path`.
    """
    whole = as_raster(raster, cell)
    definition = lib.gully_export_default()
    if size is not None:
        definition.width, definition.height = size
    if out_range is not None:
        definition.low, definition.high = out_range
    fill_definition(definition, options, "write")
    struct, keeps = raster_struct(whole)
    exported = _abi.GullyExported()
    name = to_bytes(whole.name or "terrain")
    arguments = [to_bytes(path), name, ctypes.byref(struct), ctypes.byref(definition)]
    if tiles is None:
        lib.gully_export(*arguments, ctypes.byref(exported))
    else:
        tiling = _abi.GullyTilesDef(side=tiles, overlap=overlap)
        lib.gully_export_tiles(*arguments, ctypes.byref(tiling), ctypes.byref(exported))
    del keeps
    return Written(
        path=to_text(exported.path),
        format=to_text(exported.format.contents.name),
        **{name: getattr(exported, name) for name in Written.__dataclass_fields__
           if name not in ("path", "format")},
    )  # fmt: skip


def _summaries(count: Any, info: Any) -> Dict[str, str]:
    rows = [info(index).contents for index in range(count())]
    return {to_text(row.name): to_text(row.summary) for row in rows}


def formats() -> Dict[str, str]:
    """Formats that can be written, with what they are."""
    return _summaries(lib.gully_format_count, lib.gully_format_info)


def presets() -> Dict[str, str]:
    """Programs whose wishes are known, with what they get."""
    return _summaries(lib.gully_preset_count, lib.gully_preset_info)
