"""What the rows of `./run trust` share: how much each row does, its random numbers, and how it falls short."""

import os
import random
from dataclasses import dataclass, field

import numpy as np


class Fell(Exception):
    """A row that falls short of what it must reach."""


def must(good, *what):
    if not good:
        raise Fell(" ".join(str(w) for w in what))


@dataclass
class Plan:
    """How a run of the table is made; a row draws everything random from `draw` and `rng`, which begin at `seed`."""

    long: bool
    seed: int
    wale: str  # the command, or ""
    draw: random.Random = field(init=False)
    rng: np.random.Generator = field(init=False)

    def __post_init__(self):
        self.draw = random.Random(self.seed)
        self.rng = np.random.default_rng(self.seed)

    def count(self, short, long):
        return long if self.long else short

    def command(self):
        must(self.wale and os.access(self.wale, os.X_OK), "no command wale: name it by --wale")
        return self.wale


def processors():
    """How many of the machine's processors this process may use."""
    return len(os.sched_getaffinity(0))


def rows_here(operation):
    """Names of an operation's variants that this machine can run."""
    import wale

    return [v.name for v in wale.variants() if v.operation == operation and not wale.why_unavailable(v.backend)]


def exception_of(call):
    """The exception of a call, or None; the answer is dropped."""
    try:
        call()
    except Exception as refusal:  # noqa: BLE001 - which exception it is, is the question
        return refusal
    return None
