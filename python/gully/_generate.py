# SPDX-License-Identifier: MIT
"""Procedural terrains."""

from __future__ import annotations

from typing import Any, Dict

import ctypes

import numpy as np

from . import _abi
from ._library import lib, pointer, to_bytes, to_text
from ._tables import documented, filled, table_text


def generators() -> Dict[str, str]:
    """The kinds of terrain, with what they are."""
    rows = [lib.gully_generator_info(i).contents for i in range(lib.gully_generator_count())]
    return {to_text(row.name): to_text(row.summary) for row in rows}


def _kinds_text() -> str:
    lines = [f"    {name}: {summary}" for name, summary in generators().items()]
    return "kinds:\n" + "\n".join(lines)


@documented(_kinds_text, lambda: table_text(lib.gully_generate_table()))
def generate(kind: str, **values: Any) -> np.ndarray:
    """Makes a terrain: generate("mountains", width=512, height=512, seed=7), heights in metres."""
    params = filled(_abi.GullyGenerateParams, lib.gully_generate_table(), values, kind)
    heights = np.empty((params.height, params.width), dtype=np.float32)
    lib.gully_generate(to_bytes(kind), ctypes.byref(params), pointer(heights))
    return heights
