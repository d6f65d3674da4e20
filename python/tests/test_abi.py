# SPDX-License-Identifier: MIT
"""What abi.py makes of the headers is what the compiler makes of them."""

import ctypes
import os
import re
import subprocess
import sys

import pytest

from gully import _abi
from gully._library import lib


def structs():
    return [
        value for name, value in vars(_abi).items()
        if name.startswith("Gully") and issubclass(value, ctypes.Structure) and hasattr(value, "_fields_")
    ]  # fmt: skip


def test_structs_lie_in_memory_as_in_c(tmp_path, source_root):
    headers = sorted(os.listdir(f"{source_root}/include/gully"))
    lines = [f'#include "gully/{name}"' for name in headers]
    lines += ["#include <stdio.h>", "int main(void) {"]
    wanted = []
    for struct in structs():
        name = struct.__name__
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        wanted.append((name, ctypes.sizeof(struct)))
        for member, _ in struct._fields_:
            lines.append(f'printf("%zu\\n", offsetof({name}, {member}));')
            wanted.append((f"{name}.{member}", getattr(struct, member).offset))
    (tmp_path / "sizes.c").write_text("\n".join([*lines, "}"]))
    program = tmp_path / "sizes"
    subprocess.run(
        ["cc", f"-I{source_root}/include", tmp_path / "sizes.c", "-o", program], check=True
    )
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    found = [(name, int(size)) for (name, _), size in zip(wanted, printed.split())]
    assert len(printed.split()) == len(wanted) > 100
    assert found == wanted


def test_every_declared_function_can_be_called(source_root):
    declared = set()
    for name in os.listdir(f"{source_root}/include/gully"):
        with open(f"{source_root}/include/gully/{name}") as file:
            declared |= set(re.findall(r"^GULLY_API [^;(]*?\b(gully_\w+)\(", file.read(), re.M))
    assert len(declared) > 200
    assert declared == set(_abi.FUNCTIONS)
    for name in declared:
        assert getattr(lib, name)


def test_what_is_not_understood_is_refused(source_root):
    sys.path.insert(0, f"{source_root}/python")
    import abi

    with pytest.raises(SyntaxError, match="wchar_t"):
        abi.Parser("wchar_t gully_wide(void);")
    with pytest.raises(SyntaxError, match="SIZE"):
        abi.Parser("typedef struct A { int a[SIZE]; } A;")


def test_the_wheel_says_what_the_project_says(source_root):
    tomllib = pytest.importorskip("tomllib")
    import backend

    with open(f"{source_root}/python/pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    metadata = backend.metadata().split("\n\n")[0].split("\n")
    for line in (
        f"Name: {project['name']}",
        f"Summary: {project['description']}",
        f"License: {project['license']['text']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {name}" for name in project["dependencies"]),
        f"Version: {_abi.VERSION}",
    ):
        assert line in metadata


def test_shapes_of_c():
    import abi

    parser = abi.Parser(
        "enum { A, B = 1 << 3, C }; typedef struct S S; typedef enum GullyStatus { K } GullyStatus;"
        "typedef struct T { const char *a, *b; double c[C][2]; struct { int x, y; } d; S* e;"
        " bool (*f)(void* g, double); unsigned char* h; char i[A + 4]; } T;"
        "GullyStatus one(const S* s, S** out, const char* const* names, char* text); char* two(void);"
        "const T* three(T t, unsigned n, ...);"
    )
    assert parser.constants == {"A": 0, "B": 8, "C": 9, "K": 0}
    assert parser.structs["S"] is None
    members = dict(parser.structs["T"])
    assert members["b"] == "c_char_p" and members["c"] == "c_double * 2 * 9"
    assert members["e"] == "POINTER(S)" and members["f"] == "CFUNCTYPE(c_bool, c_void_p, c_double)"
    assert members["h"] == "POINTER(c_ubyte)" and members["i"] == "c_char * 4"
    assert parser.structs[members["d"]] == [("x", "c_int"), ("y", "c_int")]
    assert parser.functions["one"] == (
        "c_int", ["POINTER(S)", "POINTER(POINTER(S))", "POINTER(c_char_p)", "c_char_p"], True
    )  # fmt: skip
    assert parser.functions["two"] == ("c_void_p", [], False)
    assert parser.functions["three"] == ("POINTER(T)", ["T", "c_uint"], False)
