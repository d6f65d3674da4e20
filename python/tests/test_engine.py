# SPDX-License-Identifier: MIT
"""World, settings, simulation, editor: the library as Python sees it."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest

import gully


def hill(side=48):
    return gully.generate("mountains", width=side, height=side, seed=3, relief=80)


def wet(**more):
    return gully.Settings("pipe", **{"rain.rate": 1e-3, "thermal.talus": 30, **more})


# ---- the world


def test_what_is_written_is_read():
    heights = np.arange(12, dtype=np.float64).reshape(3, 4)
    heights[1, 2] = np.nan
    world = gully.World(heights, cell=(10, 20))
    assert world.shape == (3, 4) and world.cell == (10, 20) and world.cells == 11
    np.testing.assert_array_equal(world["terrain"], heights.astype(np.float32))
    world["water"] = 0.5
    world["water", 1:, :2] = np.array([[1, 2], [3, 4]])
    water = world["water"]
    assert np.isnan(water[1, 2]) and water[0, 0] == 0.5
    np.testing.assert_array_equal(water[1:, :2], [[1, 2], [3, 4]])
    np.testing.assert_array_equal(world["water", 2:3, 0:2], [[3, 4]])
    out = np.empty((1, 2), np.float32)
    assert world.read("water", (slice(2, 3), slice(0, 2)), out) is out and out[0, 1] == 4
    assert world.volume("water") == pytest.approx(200 * (10 + 0.5 * 7))
    assert world.raster("water").unit == "m"


def test_arrays_of_all_kinds():
    values = np.arange(20, dtype=np.float32).reshape(4, 5)
    plain = gully.World(values).hash("terrain")
    for other in (values.astype(np.int16), values.tolist(), np.asfortranarray(values),
                  np.repeat(values, 2, axis=1)[:, ::2]):  # fmt: skip
        assert gully.World(other).hash("terrain") == plain
    masked = np.ma.masked_equal(values, 7)
    assert np.isnan(gully.World(masked)["terrain"][1, 2])
    for wrong in (np.zeros(3), np.zeros((0, 3)), np.zeros((2, 2, 2))):
        with pytest.raises(gully.BadInput, match="rows and columns"):
            gully.World(wrong)


def test_messages_are_the_librarys():
    world = gully.World(hill())
    with pytest.raises(gully.BadInput, match="watter: unknown; did you mean water"):
        world["watter"]
    with pytest.raises(gully.BadInput, match="water"):
        world["water"] = -1
    with pytest.raises(gully.BadInput, match="flow"):
        world["flow"] = 1
    with pytest.raises(gully.BadInput, match="shape"):
        world["water"] = np.zeros((2, 2))
    with pytest.raises(gully.BadInput, match="step"):
        world["water", ::2, :]
    with pytest.raises(ValueError):
        gully.World(hill(), cell=(0, 1))
    with pytest.raises(gully.BadInput, match="out:"):
        world.read("water", out=np.zeros((48, 48)))


def test_materials():
    soft = gully.Material("soil", talus=20, color="#806040")
    world = gully.World(hill(), materials=[gully.Material("rock", erodibility=0.1), soft])
    world["layer-soil"] = 2
    assert [material.name for material in world.materials] == ["rock", "soil"]
    assert world.materials[1]["talus"] == 20 and world.materials[1]["color"] == "#806040"
    np.testing.assert_allclose(world["layer-rock"], world["terrain"] - 2, rtol=1e-6)
    with pytest.raises(gully.BadInput, match="erodability: unknown; did you mean erodibility"):
        gully.World(hill(), materials=[gully.Material("rock", erodability=1)])


# ---- settings


def test_settings_by_key_and_by_section():
    settings = gully.Settings(
        "pipe", params={"capacity": 0.8, "transport": "semi_lagrangian", "film": False},
        rain={"rate": 1e-3, "drops": {"radius": 5}}, thermal={"talus": 40}, dt="auto",
        sources=[{"x": 3, "rate": 0.5}],
    )  # fmt: skip
    assert settings["params.capacity"] == 0.8 and settings["params.film"] is False
    assert settings["params.transport"] == "semi_lagrangian"
    assert settings["rain.drops.radius"] == 5 and settings["thermal"] is True
    assert settings.sources[0]["rate"] == 0.5 and settings["dt"] == 0
    copy = settings.copy()
    copy["thermal"] = False
    copy["params.capacity"] = 0.1
    assert settings["thermal"] is True and settings["params.capacity"] == 0.8
    again = eval(repr(settings), {"Settings": gully.Settings})
    assert dict(again.items()) == dict(settings.items()) and again["thermal"]
    assert settings.max_dt(10) > settings.max_dt((5, 5)) > 0


def test_wrong_settings():
    with pytest.raises(gully.BadInput, match="magma"):
        gully.Settings("magma")
    with pytest.raises(gully.BadInput, match="capcity"):
        gully.Settings("pipe", **{"params.capcity": 1})
    with pytest.raises(gully.BadInput, match="0 to"):
        gully.Settings("pipe", **{"params.capacity": -1})
    with pytest.raises(gully.BadInput, match="radios"):
        gully.Settings("pipe", sources=[{"radios": 1}])
    with pytest.raises(gully.BadInput, match="params.capcity: unknown; did you mean"):
        gully.Settings("pipe")["params.capcity"]
    gully.Settings("diffusion", cycle=["rain", "erode", "transport*5", "evaporate"])
    with pytest.raises(gully.BadInput, match="cycle"):
        gully.Settings("pipe", cycle=["rain"])


def test_tables_are_in_the_docstrings():
    laws = gully.models()
    assert {"pipe", "diffusion", "newton", "thermal"} <= set(laws)
    for law in laws.values():
        for row in law.parameters:
            assert row.help in gully.Settings.__doc__ and row.low <= row.high
    assert "boundary.west = closed" in gully.Settings.__doc__
    assert "mountains" in gully.generate.__doc__ and "octaves = 9" in gully.generate.__doc__
    assert "harden" in gully.Editor.stroke.__doc__ and "falloff" in gully.Editor.stamp.__doc__
    assert all(thing.__doc__ for name, thing in vars(gully).items()
               if name in gully.__all__ and callable(thing))  # fmt: skip


# ---- the simulation


def test_pieces_and_threads_change_no_bit():
    hashes = set()
    for threads, pieces in ((1, [60]), (2, [60]), (2, [1, 7, 52])):
        world = gully.World(hill(), cell=10)
        sim = gully.Sim(world, wet(), threads=threads, seed=5)
        for steps in pieces:
            sim.step(steps)
        assert sim.steps == 60 and sim.threads == threads
        hashes.add((world.hash("terrain"), world.hash("water"), world.hash("flow")))
    assert len(hashes) == 1


def test_budget_and_time():
    sim = gully.Sim(gully.World(hill(), cell=10), wet())
    seen = []
    sim.step(30, seen.append)
    budget = sim.budget()
    assert seen[-1] == 30 and seen == sorted(seen)
    assert budget["water"]["rain"] == pytest.approx(1e-3 * sim.time * 48 * 48 * 100, rel=1e-6)
    assert abs(budget["solid"]["residual"]) < 1e-6 * budget["solid"]["moved"]
    assert sim.time == pytest.approx(30 * sim.dt) and "30 steps" in repr(sim)


def test_apply_and_check():
    sim = gully.Sim(gully.World(hill(), cell=10), wet())
    with pytest.raises(gully.BadInput, match="dt"):
        sim.check(wet(dt=1e4))
    sim.apply(gully.Settings("newton"))  # another model goes on with the world
    sim.step(2)
    sim.apply(wet(**{"rain.rate": 0}))
    assert sim.settings["rain.rate"] == 0
    with pytest.raises(gully.BadInput, match="thraeds: unknown; there are"):
        gully.Sim(gully.World(hill()), wet(), thraeds=1)


def test_checkpoints(tmp_path):
    worlds = [gully.World(hill(), cell=10) for _ in range(2)]
    first, second = (gully.Sim(world, wet()) for world in worlds)
    first.step(20)
    first.save(tmp_path / "here")
    first.step(20)
    second.restore(tmp_path / "here")
    assert second.steps == 20
    second.step(20)
    assert worlds[0].hash("terrain") == worlds[1].hash("terrain")
    with pytest.raises(gully.Error, match="nowhere"):
        second.restore(tmp_path / "nowhere")
    with pytest.raises(OSError):
        first.save(tmp_path / "no" / "folder")


def test_other_threads_run_while_it_steps():
    world = gully.World(hill(512), cell=10)
    sim = gully.Sim(world, wet(), threads=1)
    worker = threading.Thread(target=lambda: sim.step(40))
    counted = 0
    worker.start()
    while worker.is_alive():
        time.sleep(0.001)
        counted += 1
    assert counted > 20  # one that holds the interpreter lets nobody count
    before = sim.steps
    stepping = threading.Thread(target=lambda: sim.step(20))
    stepping.start()
    while stepping.is_alive():  # readers wait for whole steps
        assert np.isfinite(world["water"]).all()
    assert sim.steps == before + 20


def test_devices_give_the_same_bits():
    with pytest.raises(gully.BadInput, match="backend"):
        gully.Sim(gully.World(hill()), wet(), backend="abacus")
    hashes = set()
    for told in [{"backend": "cpu"}, *({"backend": "gpu", "device": name} for name in fitting())]:
        world = gully.World(hill(), cell=10)
        gully.Sim(world, wet(), **told).step(10)
        hashes.add(world.hash("terrain"))
    assert len(hashes) == 1
    with pytest.raises(gully.DeviceError):
        gully.Sim(gully.World(hill()), wet(), backend="gpu", device="no device has this name")


def fitting():
    """Names of devices that fit, if there are any."""
    try:
        return [device["name"] for device in gully.devices() if device["fits"]]
    except gully.DeviceError as error:
        assert str(error)
        return []


def test_who_outlives_whom():
    world = gully.World(hill())
    sim = gully.Sim(world, wet())
    with pytest.raises(gully.BadInput, match="close"):
        gully.Sim(world, wet())
    editor = gully.Editor(sim)
    with pytest.raises(gully.BadInput, match="close"):
        gully.Editor(sim)
    world.close()  # takes what stands on it along
    for closed in (lambda: world["water"], sim.step, editor.undo):
        with pytest.raises(gully.BadInput, match="closed"):
            closed()
    world.close()
    with gully.World(hill()) as other:
        gully.Sim(other, wet()).close()
        gully.Sim(other, wet()).step(1)  # the one before is closed


def test_garbage_goes_in_order():
    world = gully.World(hill())
    world.sim = gully.Sim(world, wet())  # a cycle, for the collector
    world.editor = gully.Editor(world.sim)
    gone = weakref.ref(world)
    del world
    gc.collect()
    gc.collect()
    assert gone() is None


# ---- editing


def test_strokes_and_undo():
    world = gully.World(hill(), cell=10)
    sim = gully.Sim(world, wet())
    editor = gully.Editor(sim)
    before = world.hash("terrain")
    editor.stroke("raise", [(100, 100), (300, 100)], radius=50, strength=5)
    raised = world.hash("terrain")
    assert raised != before and editor.undo_name == "raise"
    sim.step(10)
    editor.stamp(np.full((4, 4), 3.0), x=200, y=200)
    assert editor.undo_name == "stamp"
    editor.undo()
    editor.undo()
    assert world.hash("terrain") == before and sim.steps == 0 and editor.undo_name is None
    editor.redo()
    assert sim.steps == 10 and editor.redo_name == "stamp"
    with pytest.raises(gully.BadInput, match="radios: unknown; did you mean radius"):
        editor.stroke("raise", [(0, 0)], radios=1)
    with pytest.raises(gully.BadInput, match="rise"):
        editor.stroke("rise", [(0, 0)])
    with pytest.raises(gully.BadInput, match="undo"):
        editor.undo(), editor.undo()


def test_held_rain_and_settings():
    world = gully.World(hill(), cell=10)
    sim = gully.Sim(world, gully.Settings("pipe"))
    editor = gully.Editor(sim)
    editor.hold("rain", 200, 200, radius=50, strength=1e-3)
    sim.step(5)
    editor.release()
    assert world.volume("water") > 0
    editor.apply(wet())
    assert sim.settings["rain.rate"] == 1e-3
    editor.undo()
    assert sim.settings["rain.rate"] == 0


def test_copies():
    world = gully.World(hill(), cell=10)
    editor = gully.Editor(gully.Sim(world, wet()))
    clip = gully.Clip(bytes(editor.copy(slice(0, 9), slice(0, 5))))
    assert clip.shape == (9, 5)
    editor.paste(clip, x=220, y=240, blend="mix")
    np.testing.assert_array_equal(world["terrain", 20:29, 20:25], world["terrain", 0:9, 0:5])
    with pytest.raises(gully.BadInput):
        gully.Clip(b"nothing of the kind")
