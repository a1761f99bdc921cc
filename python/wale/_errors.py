"""The exceptions of Wale, under the names by which tracebacks and pickles know them."""

from __future__ import annotations

from ._wale import (
    BackendUnavailable,
    BadArgument,
    BadInput,
    CannotOpen,
    CannotWrite,
    DeviceError,
    Error,
    OutOfMemory,
    UnsupportedVariant,
)

__all__ = [
    "BackendUnavailable", "BadArgument", "BadInput", "CannotOpen", "CannotWrite", "DeviceError", "Error", "OutOfMemory",
    "UnsupportedVariant",
]  # fmt: skip

for _type in (globals()[name] for name in __all__):
    _type.__module__ = "wale"

# What is an error of the system, too, has the name by which it can be caught: wale.CannotOpen.FileNotFoundError.
for _type in (CannotOpen, CannotWrite):
    for _both in _type.__subclasses__():
        _name = _both.__bases__[0].__name__
        _both.__module__, _both.__name__, _both.__qualname__ = "wale", _name, f"{_type.__name__}.{_name}"
        setattr(_type, _name, _both)
