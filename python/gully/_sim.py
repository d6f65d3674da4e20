# SPDX-License-Identifier: MIT
"""The simulation: laws that act on a world, step by step."""

from __future__ import annotations

import ctypes
import time
from typing import Any, Callable, Dict, List, Optional

from . import _abi
from ._library import Owned, as_dict, fill_definition, lib, to_bytes
from ._settings import Settings
from ._world import World

BLINK = 0.1  # [s] Steps are done in pieces of about this length, so that Ctrl-C is heard.


def devices() -> List[Dict[str, Any]]:
    """Graphics cards and other devices that OpenCL reaches: name, memory, whether it fits, and if not
    why. Raises DeviceError without OpenCL."""
    count = ctypes.c_int()
    lib.gully_device_count(ctypes.byref(count))
    infos = [_abi.GullyDeviceInfo() for _ in range(count.value)]
    for index, info in enumerate(infos):
        lib.gully_device_info(index, ctypes.byref(info))
    return [as_dict(info) for info in infos]


class Sim(Owned):
    """A simulation on a world, which has one at a time: Sim(world, settings).

    Options are the members of GullySimDef: seed=, threads= (0 = one per processor; the result does
    not depend on it), masks= ("flow", "wear" and "deposit" are kept), velocity=, backend= ("cpu",
    "gpu", "auto"; the same bits) and device= (a part of its name, see `devices`). The settings are
    copied; `apply` changes them between steps. Other threads of Python go on while it steps; those
    that want its world wait.
    """

    def __init__(self, world: World, settings: Settings, **options: Any) -> None:
        definition = lib.gully_sim_def()
        fill_definition(definition, options, "Sim")
        handle = ctypes.POINTER(_abi.GullySim)()
        with world._lock:
            if world._user() is not None:
                world._is_used_by(self, "a simulation on this world")
            lib.gully_sim_create(
                world._handle, settings._handle, ctypes.byref(definition), ctypes.byref(handle)
            )
            self._own(handle, lib.gully_sim_destroy, world)
            world._is_used_by(self, "a simulation on this world")
        self.world = world
        self._lock = world._lock
        self._settings = settings.copy()

    def step(self, steps: int = 1, progress: Optional[Callable[[int], None]] = None) -> None:
        """Runs steps; `progress` is told now and then how many are done. Ctrl-C stops between
        two of them."""
        block = lib.gully_sim_block(self._handle)
        done, piece = 0, block
        while done < steps:
            piece = min(piece, steps - done)
            start = time.perf_counter()
            with self._lock:
                lib.gully_sim_step(self._handle, piece)
            done += piece
            if progress is not None:
                progress(done)
            fit = piece * BLINK / max(time.perf_counter() - start, 1e-6)
            piece = max(block, int(min(fit, 4 * piece)) // block * block)

    def apply(self, settings: Settings) -> None:
        """Changes the settings between two steps; the model stays. If that fails, nothing has
        changed. While there is an editor, settings go through it."""
        with self._lock:
            lib.gully_sim_apply(self._handle, settings._handle)
        self._settings = settings.copy()

    def check(self, settings: Settings) -> None:
        """Raises what `apply` would raise, and changes nothing."""
        with self._lock:
            lib.gully_sim_check(self._handle, settings._handle)

    @property
    def settings(self) -> Settings:
        """A copy of the settings that it has."""
        return self._settings.copy()

    @property
    def steps(self) -> int:
        """Done so far."""
        return lib.gully_sim_steps(self._handle)

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return lib.gully_sim_time(self._handle)

    @property
    def dt(self) -> float:
        """Time step [s]."""
        return lib.gully_sim_dt(self._handle)

    @property
    def threads(self) -> int:
        return lib.gully_sim_threads(self._handle)

    def budget(self) -> Dict[str, Dict[str, float]]:
        """Where all water and all solid is and went [m3]: {"water": {...}, "solid": {...}}."""
        budget = _abi.GullyBudget()
        with self._lock:
            lib.gully_sim_budget(self._handle, ctypes.byref(budget))
        return as_dict(budget)

    # ---- checkpoints

    def save(self, path: Any, note: str = "") -> None:
        """Writes a checkpoint, whole or not at all."""
        checkpoint = ctypes.POINTER(_abi.GullyCheckpoint)()
        with self._lock:
            lib.gully_checkpoint_borrow(self._handle, to_bytes(note), ctypes.byref(checkpoint))
            try:
                never = lib.gully_checkpoint_write.argtypes[3]()  # NULL: it is not stopped
                lib.gully_checkpoint_write(checkpoint, to_bytes(path), self.threads, never)
            finally:
                lib.gully_checkpoint_close(checkpoint)

    def restore(self, path: Any) -> None:
        """Goes on from a checkpoint. World, seed and settings must be those of that moment."""
        checkpoint = ctypes.POINTER(_abi.GullyCheckpoint)()
        lib.gully_checkpoint_open(to_bytes(path), self.threads, ctypes.byref(checkpoint))
        try:
            with self._lock:
                lib.gully_checkpoint_restore(checkpoint, self._handle, self.threads)
        finally:
            lib.gully_checkpoint_close(checkpoint)

    def __repr__(self) -> str:
        if self._handle_or_none is None:
            return "<gully.Sim, closed>"
        return f"<gully.Sim of {self._settings.model} after {self.steps} steps, {self.time:g} s>"
