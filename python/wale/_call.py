"""The keywords that say where a call runs, and the arrays that it makes there."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, TypedDict

import numpy as np

from . import _wale
from ._where import move, resolve, to_host

Where = Optional[_wale.Execution]


class Run(TypedDict, total=False):
    """The keywords that every function of lu and tree takes."""

    where: Where
    backend: str
    variant: str
    threads: int


class Call:
    """Where a call runs, and the arrays that it makes there."""

    def __init__(self, run: Run, device: Optional[int]) -> None:
        words: Dict[str, Any] = {"where": None, "backend": "auto", "variant": "automatic", "threads": 0}
        unknown = set(run) - set(words)
        if unknown:
            raise TypeError(f"unexpected keyword {sorted(unknown)[0]!r}, expected {', '.join(words)}")
        words.update(run)
        self.variant: str = words["variant"]
        self.at = resolve(words["where"], words["backend"], self.variant, words["threads"], device)
        self.device = device  # of the caller's arrays; None: NumPy's

    def namesake(self, solver: str, operation: str) -> str:
        """The row of a call's second operation: that of the name that was asked for, else the automatic one."""
        names = [row[2] for row in _wale.variants(solver) if row[1] == operation]
        found = any(name == self.variant or name.endswith("/" + self.variant) for name in names)
        return self.variant if found else "automatic"

    def move(self, *arrays: Any) -> List[Any]:
        return move(self.at, arrays, self.device)

    def empty(self, shape: Tuple[int, ...], dtype: str) -> Any:
        if self.at.backend == "cuda":
            return _wale.empty(self.at.device, list(shape), dtype)
        return np.empty(shape, dtype)

    def back(self, array: Any, shape: Tuple[int, ...]) -> Any:
        """The array as the caller is to see it."""
        if self.at.backend == "cuda" and self.device is None:
            return to_host(array).reshape(shape)
        if self.device is None:
            return array.reshape(shape, order="A" if array.ndim == len(shape) else "C")
        return array if len(shape) <= 1 else _wale.reshaped(array, list(shape))
