# SPDX-License-Identifier: MIT
"""Scene files: terrain, law, parameters, phases; and running them, as `gully run` does."""

from __future__ import annotations

import ctypes
import fcntl
import json
import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _abi
from ._library import Error, Owned, free, lib, take_text, texts, to_bytes, to_text
from ._pictures import preview_png
from ._rasters import Georeference, Raster, raster_struct
from ._settings import Settings
from ._sim import Sim
from ._world import World


@dataclass(frozen=True)
class Phase:
    """Steps with their settings."""

    name: str
    steps: int
    settings: Settings


class Scene(Owned):
    """A scene: a file, or a dictionary of what such a file says (docs/scenes.md).

    `sets` changes it before it is checked: {"params.capacity": 0.8}. Paths in a dictionary are
    relative to `folder`.
    """

    def __init__(
        self,
        scene: Union[str, os.PathLike, Mapping[str, Any]],
        sets: Optional[Mapping[str, Any]] = None,
        folder: Union[str, os.PathLike] = ".",
    ) -> None:
        words = [f"{key}={_set_text(value)}" for key, value in (sets or {}).items()]
        handle = ctypes.POINTER(_abi.GullyScene)()
        if isinstance(scene, Mapping):
            text = json.dumps(scene, indent=2).encode()
            lib.gully_scene_parse(
                text, len(text), b"scene", to_bytes(folder), texts(words), len(words),
                ctypes.byref(handle),
            )  # fmt: skip
        else:
            lib.gully_scene_load(to_bytes(scene), texts(words), len(words), ctypes.byref(handle))
        self._own(handle, lib.gully_scene_destroy)

    @property
    def seed(self) -> int:
        return lib.gully_scene_seed(self._handle)

    @property
    def steps(self) -> int:
        """Of all phases. Setting it cuts later phases or lengthens the last."""
        return lib.gully_scene_steps(self._handle)

    @steps.setter
    def steps(self, steps: int) -> None:
        lib.gully_scene_set_steps(self._handle, steps)

    @property
    def phases(self) -> List[Phase]:
        """What is run, in order."""
        result = []
        for index in range(lib.gully_scene_phase_count(self._handle)):
            phase = lib.gully_scene_phase(self._handle, index).contents
            settings = Settings._copy_of(phase.settings)
            result.append(Phase(to_text(phase.name), phase.steps, settings))
        return result

    @property
    def settings(self) -> Settings:
        """Those of the first phase."""
        return self.phases[0].settings

    def to_dict(self) -> Dict[str, Any]:
        """The scene as it will be run."""
        return json.loads(take_text(lib.gully_scene_text(self._handle)) or "null")

    def world(self) -> World:
        """Reads or generates the terrain and makes the world, with its materials and water."""
        handle = ctypes.POINTER(_abi.GullyWorld)()
        struct = _abi.GullyGeoreference()
        lib.gully_scene_world(self._handle, ctypes.byref(handle), ctypes.byref(struct))
        georeference = Georeference._of(struct)
        free(struct.projection)
        return World._of(handle, georeference)

    @property
    def notes(self) -> List[str]:
        """What reading the terrain did or took for granted; known once there is a world."""
        text = to_text(lib.gully_scene_notes(self._handle))
        return [line for line in text.split("\n") if line]

    def sim(self, world: Optional[World] = None, **options: Any) -> Sim:
        """A simulation of the first phase, on the scene's world if none is given."""
        options.setdefault("seed", self.seed)
        return Sim(world if world is not None else self.world(), self.settings, **options)


def _set_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


# ---- running ------------------------------------------------------------------------------------

USUAL = ("terrain", "water", "sediment", "flow", "wear", "deposit")
VELOCITY = ("velocity_x", "velocity_y")


@dataclass(frozen=True)
class Run:
    """What came out of a run."""

    sim: Sim
    report: Dict[str, Any]  #: as report.json has it

    @property
    def world(self) -> World:
        return self.sim.world


def run(
    scene: Union[str, os.PathLike, Mapping[str, Any], Scene],
    out: Optional[Union[str, os.PathLike]] = None,
    *,
    steps: Optional[int] = None,
    sets: Optional[Mapping[str, Any]] = None,
    velocity: bool = False,
    progress: Optional[Callable[[int, int], None]] = None,
    **options: Any,
) -> Run:
    """Runs a scene: a file, a dictionary or a Scene.

    With `out` the folder gets what `gully run` writes: a GeoTIFF of each field, preview.png and
    report.json, which appear together when all are whole. `steps` is the length of the whole,
    `sets` changes the scene, `progress` is told how many steps are done, and of how many. Further
    options are those of Sim: threads=, and so on. Ctrl-C raises KeyboardInterrupt between two
    steps, and nothing is written.
    """
    start = time.perf_counter()
    if not isinstance(scene, Scene):
        scene = Scene(scene, sets)
    if steps is not None:
        scene.steps = steps
    phases = scene.phases
    world = scene.world()
    _start(scene, world, options.get("threads", 0))
    sim = scene.sim(world, velocity=velocity, **options)
    for phase in phases[1:]:
        sim.check(phase.settings)
    with _claimed(out):
        before = _volumes(sim.world)
        opened = time.perf_counter()
        _simulate(sim, phases, progress)
        simulated = time.perf_counter()
        fields = [*USUAL, *(VELOCITY if velocity else ()), *sim.world._layers()]
        report = _report(scene, sim, phases, fields, before)
        report["wall_time"] = simulated - opened
        report["times"] = {"start": opened - start, "simulate": simulated - opened}
        if out is not None:
            _write(sim, fields, report, os.fspath(out))
    return Run(sim, report)


def _start(scene: Scene, world: World, threads: int) -> None:
    """Does what a scene wants done before its run, with a library that knows of such wishes."""
    start = getattr(lib, "gully_scene_start", None)
    if start is not None:
        start(scene._handle, world._handle, threads)


@contextmanager
def _claimed(folder: Any) -> Iterator[None]:
    """Makes the folder, and refuses one that another run writes into."""
    if folder is None:
        yield
        return
    lib.gully_folder_make(to_bytes(folder))
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Error(f"{folder}: another run writes into this folder") from None
        except OSError:
            pass  # where folders cannot be locked everyone may write
        lib.gully_folder_tidy(to_bytes(folder))
        yield
    finally:
        os.close(lock)


def _simulate(
    sim: Sim, phases: List[Phase], progress: Optional[Callable[[int, int], None]]
) -> None:
    total = sum(phase.steps for phase in phases)
    for index, phase in enumerate(phases):
        if index > 0:
            sim.apply(phase.settings)
        before = sim.steps
        told = (lambda done: progress(before + done, total)) if progress else None
        sim.step(phase.steps, told)


def _volumes(world: World) -> Dict[str, float]:
    return {name: world.volume(name) for name in world._layers()}


def _number(value: float) -> Optional[float]:
    return value if math.isfinite(value) else None


def _budget(sim: Sim) -> Dict[str, Dict[str, Optional[float]]]:
    budget = sim.budget()
    for ledger in budget.values():
        moved = ledger["moved"]
        ledger["relative_residual"] = abs(ledger["residual"]) / moved if moved > 0 else 0.0
    return {
        name: {key: _number(value) for key, value in ledger.items()}
        for name, ledger in budget.items()
    }


def _materials(world: World, before: Dict[str, float]) -> List[Dict[str, Any]]:
    after = _volumes(world)
    rows = []
    for index, material in enumerate(world.materials):
        first, last = before[f"layer-{material.name}"], after[f"layer-{material.name}"]
        row: Dict[str, Any] = {"name": material.name}
        if index > 0:  # of the bedrock there is no end
            row.update(initial=first, present=last)
        row.update(change=last - first, mass_change=(last - first) * material["density"])
        rows.append(row)
    return rows


def _report(
    scene: Scene, sim: Sim, phases: List[Phase], fields: List[str], before: Dict[str, float]
) -> Dict[str, Any]:
    world = sim.world
    height, width = world.shape
    report: Dict[str, Any] = {
        "scene": scene.to_dict(),
        "version": to_text(lib.gully_version()),
        "steps": sim.steps,
        "time": sim.time,
        "dt": sim.dt,
        "threads": sim.threads,
        "cells": world.cells,
        "size": [width, height],
        "cell_size": list(world.cell),
        "interrupted": False,
        "phases": [
            {"name": phase.name, "model": phase.settings.model, "steps": phase.steps}
            for phase in phases
        ],
        "budget": _budget(sim),
        "hashes": {name: world.hash(name) for name in fields},
        "files": [f"{name}.tif" for name in fields] + ["preview.png", "report.json"],
    }
    if world.materials:
        report["materials"] = _materials(world, before)
    return report


# ---- files --------------------------------------------------------------------------------------


def _write_field(world: World, outputs: Any, name: str, folder: str) -> None:
    raster: Raster = world.raster(name)
    lost = world.cells - int(np.count_nonzero(np.isfinite(raster.values)))
    if lost > 0:
        raise Error(
            f"the run became unstable: {lost} cells of {name} are no finite number; take a "
            "smaller dt, without allow_unstable. Nothing has been written"
        )
    struct, keeps = raster_struct(raster)
    path = os.path.join(folder, f"{name}.tif")
    lib.gully_outputs_raster(outputs, to_bytes(path), ctypes.byref(struct))
    del keeps


def _write_file(outputs: Any, path: str, data: bytes) -> None:
    lib.gully_outputs_file(outputs, to_bytes(path), data, len(data))


def _write(sim: Sim, fields: List[str], report: Dict[str, Any], folder: str) -> None:
    """All files, which appear together."""
    start = time.perf_counter()
    outputs = ctypes.POINTER(_abi.GullyOutputs)()
    lib.gully_outputs_create(ctypes.byref(outputs))
    try:
        with ThreadPoolExecutor(min(4, sim.threads)) as threads:
            jobs = [
                threads.submit(_write_field, sim.world, outputs, name, folder) for name in fields
            ]
            _write_file(outputs, os.path.join(folder, "preview.png"), preview_png(sim.world))
            for job in jobs:
                job.result()
        report["times"]["write"] = time.perf_counter() - start
        text = json.dumps(report, indent=2) + "\n"
        _write_file(outputs, os.path.join(folder, "report.json"), text.encode())
    except BaseException:
        lib.gully_outputs_abandon(outputs)
        raise
    lib.gully_outputs_commit(outputs)


__all__: Tuple[str, ...] = ("Phase", "Run", "Scene", "run")
