# SPDX-License-Identifier: MIT
"""Reads what docs/pipelines.md made as the programs do, and compares it with the heights."""

import json
import os
import struct
import subprocess
import sys
import zlib

import numpy as np

gully = sys.argv[1]


def truth(width, height):
    """The eroded heights in a size, as plain floats."""
    name = f"truth-{width}x{height}.r32"
    size = ["--size", f"{width}x{height}"]
    subprocess.run([gully, "convert", "eroded", name, "-q", *size], check=True)
    return np.fromfile(name, "<f4").reshape(height, width)


def check(name, heights, wanted, quantum):
    worst = np.abs(heights - wanted).max()
    print(f"{name}: {wanted.shape[1]} x {wanted.shape[0]}, off by {worst:.3g} m at most")
    if heights.shape != wanted.shape or not worst <= quantum:
        sys.exit(f"{name}: {worst} m off, more than {quantum}")
    if np.ptp(wanted) < 10:
        sys.exit(f"{name}: too flat to see anything")


def read_png16(path):
    """A grey PNG of 16 bits, by the specification."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        chunk = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", chunk)
            assert (depth, color, interlace) == (16, 0, 0), "16-bit grey"
        packed += chunk if kind == b"IDAT" else b""
        at += size + 12
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 2 * width)
    above = np.zeros(2 * width, np.int64)
    rows = []
    for line in lines:
        above = unfilter(int(line[0]), line[1:].astype(np.int64), above)
        rows.append(above.astype(np.uint8).view(">u2").astype(np.float64))
    return np.array(rows)


def unfilter(kind, line, above):
    """A line without its filter; a pixel is two bytes."""
    out = line.copy()
    if kind == 2:
        return (out + above) % 256
    for i in range(len(out) if kind else 0):
        left, up = (out[i - 2] if i >= 2 else 0), above[i]
        corner = above[i - 2] if i >= 2 else 0
        paeth = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
        out[i] = (out[i] + {1: left, 3: (left + up) // 2, 4: paeth}[kind]) % 256
    return out


def unity():
    with open("unity/terrain.raw.json") as file:
        about = json.load(file)
    side, unity = about["width"], about["unity"]
    steps = np.fromfile("unity/terrain.raw", "<u2").reshape(side, side)[::-1]  # the south first
    quantum = unity["terrain_height"] / 65535
    check("Unity", steps * quantum + unity["position_y"], truth(side, side), quantum)
    for name in os.listdir("unity/maps"):
        assert name == "splat.json" or name.startswith("splat-"), name


def unreal():
    with open("unreal/terrain.png.json") as file:
        about = json.load(file)
    steps, unreal = read_png16("unreal/terrain.png"), about["unreal"]
    metres = (steps - 32768) / 128 * unreal["scale_z"] / 100 + unreal["location_z"] / 100
    check("Unreal", metres, truth(*steps.shape[::-1]), unreal["scale_z"] / 12800)
    flow = read_png16("unreal/maps/flow.png")
    assert flow.shape == steps.shape, "masks have the heights' cells"


def blender():
    wanted = truth(96, 64)
    if len(sys.argv) < 3:
        print("Blender, Godot: skipped, there is no blender to read their files with")
        return
    check("Godot", np.load("godot/terrain.exr.npy"), wanted, 1e-3)
    places = np.load("terrain.blend.npy")
    order = np.lexsort((places[:, 0], -places[:, 1]))
    check("Blender", places[order, 2].reshape(wanted.shape), wanted, 1e-3)
    spans = np.ptp(places[:, :2], axis=0)
    assert np.allclose(spans, [95 * 10, 63 * 10], rtol=1e-5), spans


unity()
unreal()
blender()
