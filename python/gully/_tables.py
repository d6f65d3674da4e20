# SPDX-License-Identifier: MIT
"""Parameter tables of the library: what can be set, its default, range, unit and meaning."""

from __future__ import annotations

import ctypes
import difflib
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Tuple, Union

from ._library import BadInput, lib, to_bytes, to_text

Value = Union[bool, int, float, str]


@dataclass(frozen=True)
class Parameter:
    """One parameter."""

    name: str
    kind: str  #: "number", "integer", "flag" or "choice"
    default: Value
    low: float  #: the lowest value that is allowed
    high: float  #: the highest value that is allowed
    unit: str
    choices: Tuple[str, ...]  #: names, of a choice
    help: str
    allowed: str  #: for a person: "a number from 0 to 1000 [1/s]"


KINDS = ("number", "integer", "flag", "choice", "map")


def value_of(row: Any, number: float) -> Value:
    """A number of the library as the row means it: a flag is a bool, a choice its name."""
    kind = KINDS[row.kind]
    if kind == "flag":
        return bool(number)
    if kind == "integer":
        return int(number)
    return to_text(row.unit).split("|")[int(number)] if kind == "choice" else number


def _parameter(row: Any) -> Parameter:
    buffer = ctypes.create_string_buffer(512)
    lib.gully_param_allowed(ctypes.byref(row), buffer, len(buffer))
    is_choice = KINDS[row.kind] == "choice"
    return Parameter(
        name=to_text(row.name),
        kind=KINDS[row.kind],
        default=value_of(row, row.fallback),
        low=row.low,
        high=row.high,
        unit="" if is_choice else to_text(row.unit),
        choices=tuple(to_text(row.unit).split("|")) if is_choice else (),
        help=to_text(row.help),
        allowed=to_text(buffer.value),
    )


def rows_of(table: Any) -> Dict[str, Any]:
    """The rows of a table (a pointer to it) by name."""
    rows = (table.contents.rows[index] for index in range(table.contents.count))
    return {to_text(row.name): row for row in rows}


def parameters_of(table: Any) -> List[Parameter]:
    return [_parameter(row) for row in rows_of(table).values()]


def unknown(what: str, name: str, names: Iterable[str]) -> BadInput:
    """The error about a name that is none."""
    names = list(names)
    near = difflib.get_close_matches(name, names, 1)
    guess = f"did you mean {near[0]}? " if near else ""
    return BadInput(f"{what}: {name}: unknown; {guess}There are {', '.join(names)}")


def set_rows(table: Any, struct: Any, values: Dict[str, Value], what: str) -> None:
    """Sets members of a struct that has a table, checked."""
    rows = rows_of(table)
    for name, value in values.items():
        if name not in rows:
            raise unknown(what, name, rows)
        row, place = ctypes.byref(rows[name]), ctypes.byref(struct)
        if isinstance(value, str):
            lib.gully_param_set_text(row, place, to_bytes(value))
        else:
            lib.gully_param_set_number(row, place, float(value))


def filled(kind: Any, table: Any, values: Dict[str, Value], what: str) -> Any:
    """A struct with its defaults and these values."""
    struct = kind()
    lib.gully_params_default(table, ctypes.byref(struct))
    set_rows(table, struct, values, what)
    return struct


def _text(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def table_text(table: Any, prefix: str = "") -> str:
    """A table for a docstring."""
    lines = []
    for row in parameters_of(table):
        lines.append(f"    {prefix}{row.name} = {_text(row.default)}")
        lines.append(f"        {row.help}; {row.allowed}")
    return "\n".join(lines)


def documented(*parts: Callable[[], str]) -> Callable[[Any], Any]:
    """Adds what the library says of parameters to a docstring."""

    def add(thing: Any) -> Any:
        text = "\n\n".join(part() for part in parts)
        thing.__doc__ = f"{thing.__doc__}\n\n{text}\n"
        return thing

    return add


# ---- laws ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Law:
    """What a person should know of a law."""

    name: str
    summary: str
    source: str  #: where it comes from
    add_on: bool  #: runs after the model in each step
    layers: bool  #: knows materials
    operators: Tuple[str, ...]  #: what a step is made of, if that can be chosen
    parameters: Tuple[Parameter, ...]


def _laws() -> List[Any]:
    return [lib.gully_law_info(index).contents for index in range(lib.gully_law_count())]


def models() -> Dict[str, Law]:
    """The laws and every parameter of them, as `gully models` lists them."""
    return {
        to_text(info.name): Law(
            name=to_text(info.name),
            summary=to_text(info.summary),
            source=to_text(info.source),
            add_on=info.add_on,
            layers=info.layers,
            operators=tuple(to_text(info.operators).split("|")) if info.operators else (),
            parameters=tuple(parameters_of(info.params)),
        )
        for info in _laws()
    }


def add_ons() -> List[str]:
    return [to_text(info.name) for info in _laws() if info.add_on]


def laws_text() -> str:
    """All laws with their parameters, for a docstring."""
    parts = []
    for info in _laws():
        name = to_text(info.name)
        prefix = f"{name}." if info.add_on else "params."
        parts.append(f"{name}: {to_text(info.summary)}\n{table_text(info.params, prefix)}")
    return "\n\n".join(parts)
