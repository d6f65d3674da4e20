# SPDX-License-Identifier: MIT
"""Rasters, scenes, pictures, meshes, sessions."""

import json
import math
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import gully


def slope_scene(**more):
    return {
        "gully": 1,
        "terrain": {"generate": "mountains", "width": 40, "height": 30, "seed": 2, "relief": 90},
        "cell_size": [10, 12],
        "model": "pipe",
        "thermal": {},
        "rain": {"rate": 1e-3},
        "boundary": {"east": "open"},
        "steps": 40,
        **more,
    }


# ---- the same as the program


SCENES = {
    "plain": slope_scene(),
    "program": slope_scene(
        steps=None, repeat=2, seed=9,
        program=[{"name": "wet", "steps": 21, "set": {"rain.drops.drops_per_second": 2}},
                 {"name": "dry", "steps": 10, "set": {"rain.rate": 0}}],
    ),
    "materials": slope_scene(
        materials=[{"name": "rock", "erodibility": 0.2}, {"name": "soil"}], layers={"soil": 2}
    ),
    "newton": slope_scene(model="newton", rain=None, thermal=None),
    "diffusion": slope_scene(model="diffusion", thermal=None, sources=[{"x": 50, "rate": 0.01}]),
}  # fmt: skip
SAME = ("scene", "version", "steps", "time", "dt", "cells", "size", "cell_size", "interrupted",
        "phases", "budget", "materials", "hashes", "files")  # fmt: skip


def as_printed(value):
    """With the 15 digits that the program prints."""
    if isinstance(value, dict):
        return {key: as_printed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_printed(inner) for inner in value]
    return float(f"{value:.15g}") if isinstance(value, float) else value


@pytest.mark.parametrize("name", SCENES)
def test_the_same_hashes_as_the_program(name, tmp_path, program):
    path = tmp_path / "scene.json"
    path.write_text(json.dumps({k: v for k, v in SCENES[name].items() if v is not None}))
    report = json.loads(program("run", path, "-o", tmp_path / "a", "--json", "--velocity"))
    result = gully.run(path, tmp_path / "b", velocity=True)
    ours = json.loads((tmp_path / "b" / "report.json").read_text())
    for phase in (*ours["phases"], *report["phases"]):
        phase.pop("model", None)
    for key in SAME:
        assert as_printed(ours.get(key)) == as_printed(report.get(key)), key
    assert ours["hashes"] == {name: result.world.hash(name) for name in report["hashes"]}
    assert sorted(os.listdir(tmp_path / "a")) == sorted(os.listdir(tmp_path / "b"))
    for file in report["files"][:-1]:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes(), file


def test_by_hand_as_by_scene(tmp_path, program):
    """World, Settings and Sim, put together by hand, come to the program's bits."""
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(slope_scene()))
    report = json.loads(program("run", path, "-o", tmp_path / "a", "--json"))
    heights = gully.generate("mountains", width=40, height=30, seed=2, relief=90)
    world = gully.World(heights, cell=(10, 12))
    settings = gully.Settings(
        "pipe", **{"rain.rate": 1e-3, "boundary.east": "open", "thermal": True}
    )
    gully.Sim(world, settings, seed=1).step(40)
    assert {name: world.hash(name) for name in report["hashes"]} == report["hashes"]


def test_runs_are_told_steps_sets_and_progress(tmp_path):
    told = []
    result = gully.run(
        slope_scene(), steps=25, sets={"params.capacity": 0.3, "boundary.east": "closed"},
        threads=1, progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert result.sim.steps == 25 and told[-1] == (25, 25) and result.report["threads"] == 1
    assert result.report["scene"]["params"] == {"capacity": 0.3}
    assert result.report["scene"]["boundary"] == {"east": "closed"}
    assert result.sim.settings["params.capacity"] == 0.3


def test_wrong_scenes(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text('{"gully": 1,\n "terain": {}}')
    with pytest.raises(gully.BadInput, match=r"scene.json:2: terain: unknown"):
        gully.run(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(gully.Error, match="none.json"):
        gully.Scene(tmp_path / "none.json")
    with pytest.raises(gully.BadInput, match="capcity"):
        gully.Scene(slope_scene(params={"capcity": 1}))
    with pytest.raises(gully.BadInput, match="dt"):
        gully.run(slope_scene(dt=1e4), tmp_path / "out")
    phases = slope_scene(program=[{"steps": 1}, {"steps": 1, "set": {"dt": 1e4}}])
    del phases["steps"]
    with pytest.raises(gully.BadInput, match="dt"):
        gully.run(phases, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_scenes_are_objects():
    scene = gully.Scene(SCENES["materials"])
    assert scene.steps == 40 and scene.seed == 1 and len(scene.phases) == 1
    assert scene.settings["rain.rate"] == 1e-3 and scene.to_dict()["model"] == "pipe"
    world = scene.world()
    sim = scene.sim(world, threads=1)
    sim.step(3)
    assert world["layer-soil"].max() > 0 and scene.notes == []


def test_a_second_run_in_the_folder_is_refused(tmp_path, program):
    import fcntl

    (tmp_path / "out").mkdir()
    lock = os.open(tmp_path / "out", os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with pytest.raises(gully.Error, match="another run"):
        gully.run(slope_scene(), tmp_path / "out")
    os.close(lock)
    gully.run(slope_scene(), tmp_path / "out", steps=1)


def test_interrupts_are_heard(tmp_path):
    text = (
        "import gully, sys\n"
        "def told(done, total): print(done, flush=True)\n"
        "gully.run({'gully': 1, 'terrain': {'generate': 'mountains', 'width': 256, 'height': 256},\n"
        "  'rain': {'rate': 1e-3}, 'steps': 10**9}, sys.argv[1], progress=told)\n"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", text, str(tmp_path / "out")], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    run.stdout.readline()
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors and os.listdir(tmp_path / "out") == []


# ---- rasters


def test_rasters_round_trip(tmp_path):
    values = np.linspace(-50, 900, 12 * 9, dtype=np.float32).reshape(9, 12)
    values[0, 0] = np.nan
    written = gully.write(tmp_path / "dem.tif", values, cell=(5, 7))
    assert (written.width, written.height, written.format) == (12, 9, "tif")
    raster = gully.read(tmp_path / "dem.tif")
    np.testing.assert_array_equal(raster.values, values)
    assert raster.cell == (5, 7) and raster.unit == "m" and raster.driver == "GTiff"
    kept = raster.values
    del raster
    np.testing.assert_array_equal(kept, values)  # the memory lives as long as the array
    assert gully.read(tmp_path / "dem.tif", cell=3, unit="ft").cell == (3, 3)
    assert np.asarray(gully.read(tmp_path / "dem.tif")).shape == (9, 12)


def test_georeference_goes_through_a_world(tmp_path):
    values = np.arange(30, dtype=np.float32).reshape(5, 6)
    place = gully.Georeference((500000, 10, 0, 4600000, 0, -10), wkt())
    gully.write(tmp_path / "a.tif", gully.Raster(values, (10, 10), place, "terrain", "m"))
    world = gully.World(gully.read(tmp_path / "a.tif"))
    assert world.cell == (10, 10)
    gully.write(tmp_path / "b.tif", world)
    again = gully.read(tmp_path / "b.tif").georeference
    assert again.transform == (500000, 10, 0, 4600000, 0, -10)
    assert "UTM zone 33N" in again.projection and not again.geographic


def wkt():
    return (
        'PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,'
        '298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],'
        'PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],'
        'PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],'
        'PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]'
    )


def test_presets_tiles_and_sizes(tmp_path):
    heights = gully.generate("mountains", width=100, height=100)
    written = gully.write(f"{tmp_path}/u/", heights, 10, preset="unity", size=(129, 129))
    assert (written.width, written.format) == (129, "r16") and os.path.getsize(
        written.path
    ) == 2 * 129**2
    tiles = gully.write(tmp_path / "t", heights, 10, tiles=34, format="r32")
    assert (tiles.columns, tiles.rows) == (3, 3)
    np.testing.assert_array_equal(gully.read(tmp_path / "t").values, heights)
    low = gully.write(tmp_path / "x.png", heights, out_range=(-100, 1000))
    assert (low.low, low.high) == (-100, 1000)
    assert gully.resample(heights, 50, 25).values.shape == (25, 50)
    assert "unreal" in gully.presets() and "exr" in gully.formats()
    with pytest.raises(gully.BadInput, match="unity"):
        gully.write(f"{tmp_path}/u/", heights, preset="unity", size=(100, 100))
    with pytest.raises(gully.BadInput, match="prest: unknown"):
        gully.write(tmp_path / "x.png", heights, prest="unity")


def test_wrong_rasters(tmp_path):
    with pytest.raises(gully.Error, match="nothing.tif"):
        gully.read(tmp_path / "nothing.tif")
    (tmp_path / "text.tif").write_text("no raster")
    with pytest.raises(gully.BadInput, match="text.tif"):
        gully.read(tmp_path / "text.tif")
    with pytest.raises(gully.BadInput, match="unit: 'km'; allowed: m|ft"):
        gully.read(tmp_path / "text.tif", unit="km")
    with pytest.raises(gully.BadInput, match="LOW HIGH"):
        gully.read(tmp_path / "text.tif", range=3)
    with pytest.raises(gully.BadInput, match="cel: unknown"):
        gully.read(tmp_path / "text.tif", cel=3)
    with pytest.raises(OSError):
        gully.write(tmp_path / "no" / "where.tif", np.zeros((2, 2)))


# ---- maps, pictures, meshes


def test_maps():
    y, x = np.mgrid[0:20, 0:30].astype(np.float32)
    plane = 10 * x  # one in one, up to the east, of cells of 10 m
    assert gully.maps.slope(plane, 10) == pytest.approx(45, rel=1e-6)
    assert gully.maps.aspect(plane, 10) == pytest.approx(270)
    east, north = gully.maps.gradient(plane, 10)
    assert east == pytest.approx(1) and north == pytest.approx(0)
    for name in ("profile_curvature", "plan_curvature", "mean_curvature"):
        assert getattr(gully.maps, name)(plane, 10) == pytest.approx(0)
    normals = gully.maps.normals(plane, 10)
    assert normals.shape == (20, 30, 4)
    assert tuple(normals[5, 5]) == (round(127.5 * (1 - math.sqrt(0.5))), 128, 218, 255)
    statistics = gully.maps.slope_statistics(plane, 10)
    assert statistics["degrees"]["mean"] == pytest.approx(45) and sum(statistics["shares"]) == 1
    drained = gully.maps.drainage(gully.generate("mountains", width=96, height=96), 10)
    assert drained["cells"] == 96 * 96 and drained["channels"] > 0 and 0 < drained["hack"] < 1
    assert math.isnan(gully.maps.drainage(plane, 10)["bifurcation"])
    with pytest.raises(gully.BadInput, match="chanel: unknown"):
        gully.maps.drainage(plane, 10, chanel=3)
    world = gully.World(gully.generate("canyon", width=64, height=64), cell=10)
    wet = gully.maps.wetness(world)
    np.testing.assert_array_equal(wet, gully.maps.wetness(world["terrain"], 10))
    assert gully.maps.wetness(world, flow=np.ones((64, 64))).shape == wet.shape
    assert {
        "slope",
        "aspect",
        "curvature-profile",
        "curvature-plan",
        "curvature-mean",
        "wetness",
    } <= set(gully.maps.MAPS)


def test_pictures():
    world = gully.World(gully.generate("mountains", width=64, height=48), cell=10)
    picture = gully.preview(world)
    assert picture.shape == (48, 64, 3) and picture.std() > 5
    assert gully.preview_png(world).startswith(b"\x89PNG")
    view = gully.render(world, 80, 60, azimuth=90, overlays=["slope"])
    assert view.shape == (60, 80, 3) and view.std() > 5
    assert (gully.render(world, 80, 60, view="relief") != view).any()
    for wrong in ({"view": "side"}, {"overlays": ["rain"]}, {"azimut": 3}, {"elevation": 200}):
        with pytest.raises(gully.BadInput, match=next(iter(wrong))):
            gully.render(world, **wrong)


def test_meshes(tmp_path):
    heights = gully.generate("mountains", width=33, height=33)
    mesh = gully.Mesh(heights, 10)
    assert mesh.positions.shape == (33 * 33, 3) and mesh.triangles.shape == (32 * 32 * 2, 3)
    np.testing.assert_allclose(np.sort(mesh.positions[:, 2]), np.sort(heights.ravel()), rtol=1e-6)
    assert len(gully.Mesh(heights, 10, error=20).triangles) < len(mesh.triangles)
    mesh.write(tmp_path / "m.glb", np.zeros((4, 4, 3), np.uint8))
    assert (tmp_path / "m.glb").read_bytes()[:4] == b"glTF"
    positions = mesh.positions
    del mesh
    assert np.isfinite(positions).all()
    with pytest.raises(gully.BadInput, match="xyz"):
        gully.Mesh(heights).write(tmp_path / "m.xyz")


# ---- sessions


def test_sessions(tmp_path):
    session = gully.Session(slope_scene(), threads=1)
    session.do(
        {"do": "stroke", "brush": "raise", "points": [[100, 100]], "radius": 40, "strength": 9}
    )
    session.step(5)
    hashes = session.do({"do": "hash"})
    session.save(tmp_path / "kept")
    again = gully.Session.replay(tmp_path / "kept")
    assert again.do({"do": "hash"}) == hashes and again.status()["step"] == 5
    assert gully.Session.open(tmp_path / "kept").do({"do": "hash"}) == hashes
    assert again.status(budget=True)["budget"] and again.describe()["sections"]
    assert session.add_raster(np.zeros((3, 3)))
    with pytest.raises(gully.BadInput):
        session.do({"do": "nothing of the kind"})
    with pytest.raises(gully.BadInput):
        gully.Session(slope_scene(dt=1e4))
