"""The tables of a case, from dictionaries to the library's options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Dict, List, Optional, Tuple

from . import _inputs, _wale
from ._call import filled
from ._mesh import Words, reals


def table_of(name: str, words: Optional[Words]) -> Dict[str, Any]:
    """A copy of a table of a case."""
    if not isinstance(words, (Mapping, type(None))):
        raise TypeError(f"{name}: is {_inputs.shown(words)}, expected a dictionary")
    return dict(words or {})


def pairs_of(given: Any) -> List[Tuple[str, str]]:
    """The pairs of patches that are joined."""
    pairs = [tuple(pair) for pair in given] if isinstance(given, (list, tuple)) and not any(map(_is_text, given)) else [()]
    if any(len(pair) != 2 or not all(map(_is_text, pair)) for pair in pairs):
        raise TypeError(f"boundary.periodic: is {_inputs.shown(given)}, expected pairs of names")
    return [(first, second) for first, second in pairs]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def stream_of(words: Words) -> _wale.FlowStream:
    """By default density is gamma: with pressure 1, the speed of sound is then 1."""
    return filled(_wale.FlowStream(), {"density": words.get("gamma", 1.4), **words}, "stream")


def scheme_of(words: Words) -> _wale.FlowScheme:
    words = dict(words)
    preset = words.pop("name", None)
    if preset is not None and (not isinstance(preset, str) or preset != "rodinia"):
        raise _wale.BadArgument(f"scheme.name: is {_inputs.shown(preset)}, expected 'rodinia', or flux, order and others without it")
    return filled(_wale.FlowScheme.rodinia() if preset else _wale.FlowScheme(), words, "scheme")


#: The kinds of patch that each option of a patch is for.
_PATCH_KINDS = {
    "velocity": ("inflow",), "density": ("inflow",), "pressure": ("inflow", "pressure_outlet"),
    "total_pressure": ("pressure_inlet",), "mass_flux": ("mass_inlet",),
    "total_temperature": ("pressure_inlet", "mass_inlet"), "direction": ("pressure_inlet", "mass_inlet"),
}  # fmt: skip


def patch_of(name: str, words: Words, stream: _wale.FlowStream) -> _wale.FlowPatch:
    """The options of a patch; an inflow's velocity, density and pressure become its state."""
    words = table_of(f"boundary.{name}", words)
    kind = words.get("kind")
    if kind is None:
        raise _wale.BadArgument(f"boundary.{name}: has no kind, expected 'wall' or another")
    for key in words:
        kinds = _PATCH_KINDS.get(key, (kind,))
        if kind not in kinds:
            raise _wale.BadArgument(f"boundary.{name}.{key}: is of {kind}, expected of {' or '.join(kinds)} only")
    inner = {key: words.pop(key) for key in ("velocity", "density", "pressure") if kind == "inflow" and key in words}
    if inner and "velocity" not in inner:
        raise _wale.BadArgument(f"boundary.{name}: has {', '.join(inner)}, expected velocity beside it")
    if inner:
        values = {"density": stream.density, "pressure": stream.pressure, **inner}
        density, pressure = (_inputs.real(key, values[key]) for key in ("density", "pressure"))
        velocity = reals("velocity", inner["velocity"])
        if velocity.shape != (3,) or not density > 0 or not pressure > 0:
            raise _wale.BadArgument(f"boundary.{name}: expected velocity [x, y, z], density and pressure above 0")
        energy = pressure / (stream.gamma - 1) + 0.5 * density * float(velocity @ velocity)
        words["state"] = [density, *(density * velocity).tolist(), energy]
    return filled(_wale.FlowPatch(), {"name": name, **words}, f"boundary.{name}")
