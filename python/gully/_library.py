# SPDX-License-Identifier: MIT
"""The shared libraries: finding them, calling them, and what they say when something is wrong.

`lib.gully_...` are the functions of the public headers (_abi.py is made of those). One that returns
a status raises the exception of its cause, with the library's message. ctypes lets other threads of
Python run during a call.
"""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Sequence, Type

import numpy as np

try:
    from . import _abi
except ImportError as error:
    raise ImportError(
        "gully/_abi.py is missing: this is the source of the package, not the package. "
        "`make python` leaves it in build/python, `pip install ./python` installs it."
    ) from error


# ---- errors -------------------------------------------------------------------------------------


class Error(Exception):
    """Something went wrong in the library; the text says what, where, and what is allowed."""


class BadInput(Error, ValueError):
    """The request is wrong: a scene, a parameter, a file that is no raster."""


class NoMemory(Error, MemoryError):
    """Not enough memory."""


class FileError(Error, OSError):
    """A file or a folder: disk full, not writable, unreadable."""

    __str__ = Exception.__str__


class DeviceError(Error):
    """A device that computes is missing or gave up."""


class Cancelled(Error):
    """Stopped because the caller asked for it."""


ERRORS: Dict[int, Type[Error]] = {
    _abi.GULLY_BAD_INPUT: BadInput,
    _abi.GULLY_FAILED: Error,
    _abi.GULLY_NO_MEMORY: NoMemory,
    _abi.GULLY_IO: FileError,
    _abi.GULLY_DEVICE: DeviceError,
    _abi.GULLY_CANCELLED: Cancelled,
}


def message() -> str:
    """The message of the last function that failed on this thread."""
    return lib.gully_message().decode("utf-8", "replace")


def _check_status(status: int, function: Any, arguments: Any) -> int:
    if status != _abi.GULLY_OK:
        raise ERRORS.get(status, Error)(message())
    return status


# ---- libraries ----------------------------------------------------------------------------------

SONAME = ".".join(_abi.VERSION.split(".")[:2])


def _load(name: str) -> ctypes.CDLL:
    """Loads a library: from the folder GULLY_LIBRARY, the package's, or where the system looks."""
    file = f"lib{name}.so.{SONAME}"
    folders = [os.environ.get("GULLY_LIBRARY", ""), str(Path(__file__).parent / "lib")]
    for folder in filter(None, folders):
        path = os.path.join(folder, file)
        if os.path.exists(path):
            return ctypes.CDLL(path)
    return ctypes.CDLL(file)


class Library:
    """The functions of both libraries. The one with rasters, scenes and pictures, which needs GDAL,
    is loaded when one of its functions is first used."""

    def __init__(self) -> None:
        try:
            self._engine = _load("gully")
        except OSError as error:
            raise ImportError(f"the library of Gully cannot be loaded: {error}") from error
        self._tools: Optional[ctypes.CDLL] = None
        version = self.gully_version().decode()
        if version != _abi.VERSION:
            raise ImportError(f"gully {_abi.VERSION} cannot use the library {version}")

    def _find(self, name: str) -> Any:
        if hasattr(self._engine, name):
            return getattr(self._engine, name)
        if self._tools is None:
            try:
                self._tools = _load("gully_tools")
            except OSError as error:
                raise Error(
                    f"{name} needs the library gully_tools, which cannot be loaded: {error}"
                ) from error
        return getattr(self._tools, name)

    def __getattr__(self, name: str) -> Any:
        try:
            result, arguments, is_status = _abi.FUNCTIONS[name]
        except KeyError:
            raise AttributeError(name) from None
        function = self._find(name)
        function.restype = result
        function.argtypes = arguments
        if is_status:
            function.errcheck = _check_status
        setattr(self, name, function)
        return function


lib: Any = Library()
_free = ctypes.CDLL(None).free
_free.argtypes = [ctypes.c_void_p]
_free.restype = None


# ---- values -------------------------------------------------------------------------------------


def to_bytes(path: Any) -> bytes:
    """A path or a text as the library takes it."""
    return os.fsencode(path) if isinstance(path, os.PathLike) else str(path).encode()


def to_text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "replace")


def take_text(address: Any) -> Optional[str]:
    """A text that the library has allocated, which is freed; None if there is none."""
    address = getattr(address, "value", address)
    if not address:
        return None
    text = ctypes.string_at(address).decode("utf-8", "replace")
    _free(address)
    return text


def free(address: Any) -> None:
    _free(address)


def texts(values: Sequence[str]) -> Any:
    """An array of texts."""
    return (ctypes.c_char_p * len(values))(*[to_bytes(value) for value in values])


def grid(values: Any) -> np.ndarray:
    """Two-dimensional values as floats, row by row, without a copy if they are that already. What
    is masked becomes NaN."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float32), np.nan)
    array = np.ascontiguousarray(values, dtype=np.float32)
    if array.ndim != 2 or array.size == 0:
        raise BadInput(f"an array of shape {array.shape}: rows and columns of heights are wanted")
    return array


def pointer(array: Optional[np.ndarray], kind: Any = ctypes.c_float) -> Any:
    """The address of an array's first value; NULL for None."""
    wanted = ctypes.POINTER(kind)
    return wanted() if array is None else array.ctypes.data_as(wanted)


def view(address: Any, shape: Sequence[int], kind: Any, owner: Any) -> np.ndarray:
    """An array on memory of the library, without a copy; `owner` lives as long as the array."""
    count = int(np.prod(shape))
    if count == 0:
        return np.empty(shape, dtype=np.dtype(kind))
    place = ctypes.cast(address, ctypes.c_void_p).value
    memory = (kind * count).from_address(place)
    memory.owner = owner
    return np.frombuffer(memory, dtype=np.dtype(kind)).reshape(shape)


def as_dict(struct: Any) -> Any:
    """A struct as a dictionary, with what is inside it."""
    if isinstance(struct, ctypes.Structure):
        return {name: as_dict(getattr(struct, name)) for name, *_ in struct._fields_}
    if isinstance(struct, ctypes.Array):
        return [as_dict(value) for value in struct]
    return to_text(struct) if isinstance(struct, bytes) else struct


def fill_definition(definition: Any, values: Dict[str, Any], what: str) -> None:
    """Sets members of a definition by their names; those of an enum by the names of its values."""
    members = {name: kind for name, kind in definition._fields_ if name != "made"}
    for name, value in values.items():
        if name not in members:
            raise BadInput(f"{what}: {name}: unknown; there are {', '.join(members)}")
        if isinstance(value, str) and members[name] is ctypes.c_int:  # of an enum
            value = getattr(_abi, f"GULLY_{value.upper()}", value)
        try:
            setattr(definition, name, to_bytes(value) if isinstance(value, str) else value)
        except TypeError as error:
            raise BadInput(f"{what}: {name}: {error}") from None


# ---- objects ------------------------------------------------------------------------------------


class Resource:
    """What the library holds for an object. It is destroyed when the object is gone and nothing
    that stands on it is left."""

    def __init__(self, handle: Any, destroy: Callable[[Any], None], below: Sequence[Resource]):
        self.handle, self.destroy, self.below = handle, destroy, below
        self.users = 1
        for resource in below:
            resource.users += 1

    def release(self) -> None:
        self.users -= 1
        if self.users == 0:
            self.destroy(self.handle)
            for resource in self.below:
                resource.release()


class Owned:
    """An object of the library. It is destroyed once: by close(), at the end of a `with`, or when
    nobody uses it any more; always before what it stands on."""

    _resource: Resource

    def _own(self, handle: Any, destroy: Callable[[Any], None], *below: Owned) -> None:
        self._handle_or_none = handle
        self._resource = Resource(handle, destroy, [owned._resource for owned in below])
        self._finalizer = weakref.finalize(self, self._resource.release)
        self._user: Callable[[], Optional[Owned]] = lambda: None

    def _is_used_by(self, user: Owned, what: str) -> None:
        """Only one may stand on it at a time."""
        present = self._user()
        if present is not None and present is not user and present._handle_or_none is not None:
            raise BadInput(f"there is {what} already: close() it first")
        self._user = weakref.ref(user)

    @property
    def _handle(self) -> Any:
        if self._handle_or_none is None:
            raise BadInput(f"this {type(self).__name__} is closed")
        return self._handle_or_none

    def close(self) -> None:
        """Frees what the library holds, also of what stands on this. May be called again."""
        user = self._user()
        if user is not None:
            user.close()
        self._handle_or_none = None
        self._finalizer()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


Lock = threading.RLock
