# SPDX-License-Identifier: MIT
"""Builds the package `gully`: Python files, what abi.py makes of the headers, and the libraries.

`pip install ./python` calls the functions that PEP 517 and PEP 660 name; `python3 backend.py
FOLDER` puts the package into a folder, which is enough for PYTHONPATH. The libraries are built in build/
(CMake, preset release), unless GULLY_BUILD names a folder that has them. With GULLY_LIBRARIES=system the
package has none of its own and loads those that the system has installed, as Debian's packages do.
"""

import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import abi  # noqa: E402

LIBRARIES = ("gully", "gully_tools")


def version():
    return abi.header_version(ROOT / "include")


# ---- the libraries ------------------------------------------------------------------------------


def run(command):
    print("+", " ".join(command), file=sys.stderr)
    if subprocess.run(command, cwd=ROOT, stdout=sys.stderr).returncode != 0:
        raise SystemExit(f"gully: {command[0]} failed; `make` says what is missing to build")


def build_folder():
    """The folder with the libraries, which are up to date."""
    given = os.environ.get("GULLY_BUILD")
    if given:
        return Path(given)
    if not (ROOT / "CMakeLists.txt").exists():
        raise SystemExit(
            "gully: the package is built in the source of Gully, which is not around it"
        )
    if shutil.which("cmake") is None:
        raise SystemExit("gully: CMake is needed to build the libraries (Debian: cmake)")
    run(["cmake", "--preset", "release", "--log-level=WARNING", "-DGULLY_TESTS=OFF"])
    run(["cmake", "--build", "build", "--parallel", str(os.cpu_count() or 1),
         "--target", *(f"{name}_shared" for name in LIBRARIES)])  # fmt: skip
    return ROOT / "build"


def stage(folder):
    """Puts the package into a folder, as it will be installed."""
    package = Path(folder) / "gully"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(
        HERE / "gully", package, ignore=shutil.ignore_patterns("__pycache__", "_abi.py")
    )
    abi.make(ROOT / "include", package / "_abi.py", os.environ.get("CC", "cc"))
    if os.environ.get("GULLY_LIBRARIES") == "system":
        info = Path(folder) / f"gully-{version()}.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(metadata(), encoding="utf-8")
    else:
        copy_libraries(package / "lib")


def copy_libraries(folder):
    build = build_folder()
    folder.mkdir()
    soname = re.match(r"\d+\.\d+", version()).group()
    for name in LIBRARIES:
        file = f"lib{name}.so.{soname}"
        if not (build / file).exists():
            raise SystemExit(f"gully: {build / file} is missing: build with -DGULLY_SHARED=ON")
        shutil.copy(build / file, folder / file)


# ---- wheels -------------------------------------------------------------------------------------


def metadata():
    """What pip wants to know. The table of pyproject.toml says the same: the test compares them."""
    return (
        "Metadata-Version: 2.1\n"
        "Name: gully\n"
        f"Version: {version()}\n"
        "Summary: Terrain erosion by running water\n"
        "License: MIT\n"
        "Requires-Python: >=3.9\n"
        "Requires-Dist: numpy\n"
        "Description-Content-Type: text/markdown\n"
        f"\n{(HERE / 'README.md').read_text(encoding='utf-8')}"
    )


def tag():
    """Any Python 3, this system and processor."""
    place = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"py3-none-{place}"


def wheel_of(folder, files, wheel_directory):
    """Packs files (paths in `folder`) into a wheel; returns its name."""
    info = f"gully-{version()}.dist-info"
    contents = {name: (Path(folder) / name).read_bytes() for name in files}
    contents[f"{info}/METADATA"] = metadata().encode()
    contents[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: gully\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    ).encode()
    record = ""
    for name, data in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"gully-{version()}-{tag()}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            wheel.writestr(path, data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        stage(folder)
        files = [str(path.relative_to(folder)) for path in sorted(Path(folder).rglob("*"))
                 if path.is_file()]  # fmt: skip
        return wheel_of(folder, files, wheel_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package as `make python` leaves it, build/python; made again by that."""
    target = ROOT / "build" / "python"
    stage(target)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "gully.pth").write_text(f"{target}\n")
        return wheel_of(folder, ["gully.pth"], wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("gully: the source of the package is the repository")


if __name__ == "__main__":
    if platform.system() != "Linux":
        raise SystemExit("gully: the package is for Linux")
    if len(sys.argv) != 2:
        raise SystemExit("usage: backend.py FOLDER")
    stage(sys.argv[1])
