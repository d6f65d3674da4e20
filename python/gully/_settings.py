# SPDX-License-Identifier: MIT
"""Settings: which law, its parameters, rain, sources, sides, time step."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Iterator, List, Mapping, Sequence, Tuple

from . import _abi
from ._library import BadInput, Owned, lib, texts, to_bytes, to_text
from ._rasters import Cell, cell_pair
from ._tables import Value, add_ons, documented, filled, laws_text, rows_of, table_text, unknown
from ._tables import value_of


def _sections_text() -> str:
    """What every model has."""
    settings = Settings("pipe")
    parts = []
    for section, (_, table) in settings._sections().items():
        if section != "params" and section not in add_ons():
            prefix = f"{section}." if section else ""
            parts.append(table_text(table, prefix))
    return (
        "every model:\n"
        + "\n".join(parts)
        + "\n\nsources:\n"
        + table_text(lib.gully_source_table())
    )


@documented(lambda: laws_text())
class Settings(Owned):
    """Everything that may change between two phases of a run.

        Settings("pipe", **{"params.capacity": 0.8, "rain.rate": 1e-3})
        Settings("pipe", params={"capacity": 0.8}, rain={"rate": 1e-3}, thermal={}, dt="auto")

    Keys are those of a scene file; sections may be dictionaries. Setting a key of an add-on
    ("thermal.talus") switches it on, as it does in a scene; `settings["thermal"] = False` switches
    it off. `settings[key]` reads a value.
    """

    def __init__(self, model: str = "pipe", **values: Any) -> None:
        handle = ctypes.POINTER(_abi.GullySettings)()
        lib.gully_settings_create(to_bytes(model), ctypes.byref(handle))
        self._own(handle, lib.gully_settings_destroy)
        self.update(values)

    @classmethod
    def _copy_of(cls, other: Any) -> Settings:
        """A copy of settings of the library."""
        settings = cls.__new__(cls)
        handle = ctypes.POINTER(_abi.GullySettings)()
        lib.gully_settings_copy(other, ctypes.byref(handle))
        settings._own(handle, lib.gully_settings_destroy)
        return settings

    def copy(self) -> Settings:
        return Settings._copy_of(self._handle)

    @property
    def model(self) -> str:
        return to_text(lib.gully_settings_model(self._handle))

    # ---- values

    def _sections(self) -> Dict[str, Tuple[Any, Any]]:
        """The struct and the table of each section."""
        result = {}
        index = 0
        while (name := lib.gully_settings_section_name(self._handle, index)) is not None:
            table = ctypes.POINTER(_abi.GullyParamTable)()
            struct = lib.gully_settings_section(self._handle, name, ctypes.byref(table))
            result[to_text(name)] = (struct, table)
            index += 1
        return result

    def update(self, values: Mapping[str, Any]) -> None:
        """Sets several values."""
        for key, value in values.items():
            self[key] = value

    def __setitem__(self, key: str, value: Any) -> None:
        if key == "sources":
            self.sources = value
        elif key == "cycle":
            self.cycle(value)
        elif isinstance(value, Mapping):
            if key in add_ons():
                lib.gully_settings_switch(self._handle, to_bytes(key), True)
            self.update({f"{key}.{name}": inner for name, inner in value.items()})
        elif key in add_ons():
            if not isinstance(value, bool):
                raise BadInput(f"{key}: {value!r}; allowed: True, False or its parameters")
            lib.gully_settings_switch(self._handle, to_bytes(key), value)
        else:
            self._set(key, value)

    def _set(self, key: str, value: Value) -> None:
        if key == "dt" and value == "auto":
            value = 0.0
        if isinstance(value, str):
            lib.gully_settings_set_text(self._handle, to_bytes(key), to_bytes(value))
        else:
            lib.gully_settings_set_number(self._handle, to_bytes(key), float(value))
        section = key.rpartition(".")[0]
        if section in add_ons():
            lib.gully_settings_switch(self._handle, to_bytes(section), True)

    def __getitem__(self, key: str) -> Any:
        if key == "sources":
            return self.sources
        if key in add_ons():
            return lib.gully_settings_is_on(self._handle, to_bytes(key))
        section, _, name = key.rpartition(".")
        struct, table = self._sections().get(section, (None, None))
        rows = rows_of(table) if table else {}
        if name not in rows:
            raise unknown("settings", key, self)
        row = rows[name]
        return value_of(row, lib.gully_param_get(ctypes.byref(row), struct))

    def __iter__(self) -> Iterator[str]:
        """The keys of all values."""
        for section, (_, table) in self._sections().items():
            for name in rows_of(table):
                yield f"{section}.{name}" if section else name

    def items(self) -> List[Tuple[str, Value]]:
        return [(key, self[key]) for key in self]

    def __repr__(self) -> str:
        if self._handle_or_none is None:
            return "<gully.Settings, closed>"
        fresh = Settings(self.model)
        changed = {key: value for key, value in self.items() if value != fresh[key]}
        changed.update({name: True for name in add_ons() if self[name]})
        return f"Settings({self.model!r}, **{changed!r})"

    # ---- sources and cycles

    @property
    def sources(self) -> List[Dict[str, Value]]:
        """Sources of water: dictionaries with x, y, radius, rate, ..."""
        rows = rows_of(lib.gully_source_table())
        count = lib.gully_settings_source_count(self._handle)
        structs = [lib.gully_settings_source(self._handle, index) for index in range(count)]
        return [
            {
                name: value_of(row, lib.gully_param_get(ctypes.byref(row), struct))
                for name, row in rows.items()
            }
            for struct in structs
        ]

    @sources.setter
    def sources(self, sources: Sequence[Mapping[str, Value]]) -> None:
        table = lib.gully_source_table()
        structs = [
            filled(_abi.GullySource, table, dict(source), f"sources[{index}]")
            for index, source in enumerate(sources)
        ]
        lib.gully_settings_clear_sources(self._handle)
        for struct in structs:
            lib.gully_settings_add_source(self._handle, ctypes.byref(struct))

    def cycle(self, entries: Sequence[str]) -> None:
        """What a step of a law with operators is made of: ["rain", "erode", "transport*5", ...]."""
        lib.gully_settings_set_cycle(self._handle, texts(entries), len(entries))

    def max_dt(self, cell: Cell) -> float:
        """The largest stable time step on such cells [s]; 0 if the law has no limit."""
        return lib.gully_settings_max_dt(self._handle, *cell_pair(cell))


Settings.__doc__ = f"{Settings.__doc__}\n{_sections_text()}\n"
