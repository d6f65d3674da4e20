# SPDX-License-Identifier: MIT
"""Makes gully/_abi.py of the public headers: structs, constants and functions for ctypes.

The headers are the one truth: what is declared there can be called from Python, without a second
list of it. The C preprocessor expands the parameter tables; what is left is parsed here. The parser
knows the C of our headers and refuses the rest by name.
"""

import os
import re
import subprocess
import tempfile

SIMPLE = {
    "bool": "c_bool",
    "char": "c_char",
    "unsigned char": "c_ubyte",
    "int": "c_int",
    "unsigned": "c_uint",
    "unsigned int": "c_uint",
    "float": "c_float",
    "double": "c_double",
    "size_t": "c_size_t",
    "int32_t": "c_int32",
    "uint32_t": "c_uint32",
    "int64_t": "c_int64",
    "uint64_t": "c_uint64",
    "uint16_t": "c_uint16",
    "uint8_t": "c_uint8",
}

# Headers of the C library are left out: their types are in the table above.
STANDARD = ("stdbool.h", "stddef.h", "stdint.h")

TOKEN = re.compile(r"\s*(0x[0-9a-fA-F]+|\d+|[A-Za-z_]\w*|<<|[{}()\[\];,*=+|-]|\S)")


def preprocess(include, compiler="cc"):
    """The text of all public headers, with every macro expanded and without attributes."""
    headers = sorted(name for name in os.listdir(f"{include}/gully") if name.endswith(".h"))
    with tempfile.TemporaryDirectory() as folder:
        for name in STANDARD:
            open(f"{folder}/{name}", "w").close()
        source = "".join(f'#include "gully/{name}"\n' for name in headers)
        command = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", f"-I{folder}", f"-I{include}",
                   "-x", "c", "-"]  # fmt: skip
        done = subprocess.run(command, input=source, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


class Parser:
    """Reads declarations; what it found is in `structs`, `constants` and `functions`."""

    def __init__(self, text):
        self.tokens = [match.group(1) for match in TOKEN.finditer(text)]
        self.at = 0
        self.types = dict(SIMPLE)  # name in C: expression of ctypes
        self.structs = {}  # name: members, or None if it is opaque
        self.constants = {}
        self.functions = {}  # name: (result, arguments, whether the result is a status)
        while self.at < len(self.tokens):
            self.declaration()

    # ---- tokens

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.peek()
        if wanted is not None and token != wanted:
            near = " ".join(self.tokens[max(0, self.at - 12) : self.at + 4])
            raise SyntaxError(f"abi.py: '{token}' where '{wanted}' should be, in: {near}")
        self.at += 1
        return token

    def takes(self, wanted):
        if self.peek() != wanted:
            return False
        self.at += 1
        return True

    # ---- constants

    def number(self, *ends):
        """A constant expression, up to one of the tokens."""
        words = []
        while self.peek() not in ends:
            token = self.take()
            if token in self.constants:
                token = str(self.constants[token])
            elif not re.fullmatch(r"0x[0-9a-fA-F]+|\d+|<<|[()+*|-]", token):
                raise SyntaxError(f"abi.py: '{token}' in a constant")
            words.append(token)
        return int(eval(" ".join(words), {"__builtins__": {}}))

    def enumerators(self):
        value = 0
        self.take("{")
        while not self.takes("}"):
            name = self.take()
            if self.takes("="):
                value = self.number(",", "}")
            self.constants[name] = value
            value += 1
            self.takes(",")

    # ---- types

    def base_type(self):
        """A type without its stars, as an expression of ctypes; None for void. Says in `is_const`
        whether what has that type may not be changed."""
        self.is_const = self.takes("const")
        if self.takes("enum"):
            name = self.take() if self.peek() != "{" else None
            if self.peek() == "{":
                self.enumerators()
            if name:
                self.types[name] = "c_int"
            return "c_int"
        if self.takes("struct"):
            return self.struct()
        words = [self.take()]
        while words[-1] in ("unsigned", "long") and self.peek() in ("char", "int", "long"):
            words.append(self.take())
        self.is_const = self.takes("const") or self.is_const
        name = " ".join(words)
        if name == "void":
            return None
        if name not in self.types:
            raise SyntaxError(f"abi.py: the type '{name}' is not known")
        return self.types[name]

    def struct(self):
        name = self.take() if self.peek() != "{" else f"_Struct{len(self.structs)}"
        self.types.setdefault(name, name)
        self.structs.setdefault(name, None)
        if self.takes("{"):
            members = []
            while not self.takes("}"):
                base = self.base_type()
                while not self.takes(";"):
                    member, kind = self.declarator(base, member=True)
                    members.append((member, kind))
                    self.takes(",")
            self.structs.pop(name)  # after the ones inside it
            self.structs[name] = members
        return name

    def pointer(self, base, depth, member):
        """What `depth` stars make of a type. Text that has to be freed stays an address."""
        if depth == 0:
            return base
        if base is None:
            inner = "c_void_p"
        elif base == "c_char":
            inner = "c_char_p" if self.is_const or (depth == 1 and not member) else "c_void_p"
        else:
            inner = f"POINTER({base})"
        for _ in range(depth - 1):
            inner = f"POINTER({inner})"
        return inner

    def declarator(self, base, member=False):
        """A name with its stars, dimensions or arguments: (name, type)."""
        depth = 0
        while self.peek() in ("*", "const"):
            depth += self.take() == "*"
        kind = self.pointer(base, depth, member)
        if self.peek() == "(" and self.peek(1) == "*":  # a pointer to a function
            self.take(), self.take()
            name = self.take()
            self.take(")")
            arguments = self.arguments()
            return name, f"CFUNCTYPE({', '.join([kind or 'None', *arguments])})"
        name = self.take() if re.match(r"[A-Za-z_]", self.peek()) else ""
        sizes = []
        while self.takes("["):
            sizes.append(self.number("]"))
            self.take("]")
        for size in reversed(sizes):
            kind = f"{kind} * {size}" if member else self.pointer(kind, 1, member)
        return name, kind

    def arguments(self):
        kinds = []
        self.take("(")
        while not self.takes(")"):
            if self.peek() == ".":  # any number of further ones
                self.at += 3
                continue
            base = self.base_type()
            _, kind = self.declarator(base)
            if kind is not None:
                kinds.append(kind)
            self.takes(",")
        return kinds

    # ---- declarations

    def declaration(self):
        is_typedef = self.takes("typedef")
        start = self.at
        base = self.base_type()
        is_status = self.tokens[start : self.at] == ["GullyStatus"] and self.peek() != "*"
        if self.takes(";"):
            return
        name, kind = self.declarator(base, member=True)
        if is_typedef:
            self.types[name] = base if base in self.structs else kind
        else:
            self.functions[name] = (kind, self.arguments(), is_status)
        self.take(";")


def render(parser, version):
    """The text of the module."""
    lines = ['"""Made of the public headers by abi.py; not to be edited."""', "",
             "from ctypes import *", "", f'VERSION = "{version}"', ""]  # fmt: skip
    lines += [f"{name} = {value}" for name, value in parser.constants.items()]
    lines.append("")
    for name in parser.structs:
        lines += [f"class {name}(Structure):", "    pass", ""]
    for name, members in parser.structs.items():
        if members is not None:
            rows = "".join(f'    ("{member}", {kind}),\n' for member, kind in members)
            lines.append(f"{name}._fields_ = [\n{rows}]")
    lines += [
        "",
        "# name: (result, arguments, whether the result is a GullyStatus)",
        "FUNCTIONS = {",
    ]
    for name, (kind, arguments, is_status) in parser.functions.items():
        listed = "".join(f"{argument}, " for argument in arguments)
        lines.append(f'    "{name}": ({kind}, ({listed.rstrip()}), {is_status}),')
    lines += ["}", ""]
    return "\n".join(lines)


def header_version(include):
    with open(f"{include}/gully/status.h", encoding="utf-8") as file:
        return re.search(r'define GULLY_VERSION "([^"]+)"', file.read()).group(1)


def make(include, path, compiler="cc"):
    """Writes the module for the headers in `include`."""
    text = render(Parser(preprocess(include, compiler)), header_version(include))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
