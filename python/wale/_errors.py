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
