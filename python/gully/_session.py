# SPDX-License-Identifier: MIT
"""Sessions: a scene and everything that was done to it since, as records that can be replayed."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Dict, Mapping

from . import _abi
from ._library import Lock, Owned, fill_definition, lib, take_text, to_bytes
from ._rasters import as_raster, raster_struct
from ._scene import Scene


class Session(Owned):
    """What the studio runs: Session(scene), commands and steps (docs/sessions.md).

    Options are the members of GullySessionDef: threads=, undo_bytes=, velocity=, folder= (where it
    is kept as it goes).
    """

    def __init__(self, scene: Any, **options: Any) -> None:
        scene = scene if isinstance(scene, Scene) else Scene(scene)
        handle = ctypes.POINTER(_abi.GullySession)()
        definition = _definition(options)
        given = scene._handle
        scene._handle_or_none = None  # it belongs to the session, also if that fails
        scene._finalizer.detach()
        lib.gully_session_create(given, ctypes.byref(definition), ctypes.byref(handle))
        self._begin(handle)

    def _begin(self, handle: Any) -> None:
        self._own(handle, lib.gully_session_destroy)
        self._lock = Lock()

    @classmethod
    def _from(cls, function: Any, folder: Any, options: Dict[str, Any]) -> Session:
        session = cls.__new__(cls)
        handle = ctypes.POINTER(_abi.GullySession)()
        definition = _definition(options)
        function(to_bytes(folder), ctypes.byref(definition), ctypes.byref(handle))
        session._begin(handle)
        return session

    @classmethod
    def open(cls, folder: Any, **options: Any) -> Session:
        """Goes on with a session that a folder holds."""
        return cls._from(lib.gully_session_open, folder, options)

    @classmethod
    def replay(cls, folder: Any, **options: Any) -> Session:
        """The same from the very beginning: scene, records, steps."""
        return cls._from(lib.gully_session_replay, folder, options)

    def step(self, steps: int = 1) -> None:
        """Runs steps, through the phases of the scene."""
        with self._lock:
            lib.gully_session_step(self._handle, steps)

    def do(self, command: Mapping[str, Any]) -> Dict[str, Any]:
        """Does what a command says, {"do": "undo"}, and gives the reply."""
        text = json.dumps(command).encode()
        reply = ctypes.c_void_p()
        with self._lock:
            lib.gully_session_do(self._handle, text, len(text), ctypes.byref(reply))
        return json.loads(take_text(reply) or "{}")

    def describe(self) -> Dict[str, Any]:
        """All that a user interface is built from."""
        with self._lock:
            return json.loads(take_text(lib.gully_session_describe(self._handle)) or "{}")

    def status(self, budget: bool = False) -> Dict[str, Any]:
        """Steps, time, phase, undo and redo; and the budget, if asked for."""
        with self._lock:
            return json.loads(take_text(lib.gully_session_status(self._handle, budget)) or "{}")

    def add_raster(self, raster: Any) -> str:
        """Adds a raster that stamps may use; the name to use in commands."""
        struct, keeps = raster_struct(as_raster(raster))
        name = ctypes.create_string_buffer(64)
        with self._lock:
            lib.gully_session_add_raster(self._handle, ctypes.byref(struct), name)
        del keeps
        return name.value.decode()

    def save(self, folder: Any) -> None:
        """Writes all of it into a folder, with a checkpoint of the present."""
        with self._lock:
            lib.gully_session_save(self._handle, to_bytes(folder))


def _definition(options: Dict[str, Any]) -> Any:
    definition = lib.gully_session_def()
    fill_definition(definition, options, "Session")
    return definition
