"""Cables: the voltage of neurons whose forms come from SWC files."""

from __future__ import annotations

import warnings
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _inputs, _morphio, _wale
from ._call import Call, Run, filled, remember
from ._libraries import axes_of
from ._typing import Unpack

REGIONS = ("soma", "axon", "dendrite", "apical")

Membrane = Union[str, Dict[str, Any]]
Place = Union[str, int]


class CableRun(NamedTuple):
    """What the probes saw.

    Attributes
    ----------
    times : array, [samples]
        In milliseconds, after each sampled step.
    voltages : array, [samples, probes]
        In millivolts.
    spikes : list of arrays
        Of each probe: when the voltage crossed the threshold upwards, in milliseconds.
    names : list of str
        Of the probes.
    """

    times: np.ndarray
    voltages: np.ndarray
    spikes: List[np.ndarray]
    names: List[str]

    def plot(self, ax: Any = None) -> Any:
        """Draws voltages over time with matplotlib; returns the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.

        Examples
        --------
        >>> import wale
        >>> cell = wale.Cable(wale.grow_neuron("cell.swc"))  # doctest: +SKIP
        >>> cell.run(10).plot()  # doctest: +SKIP
        """
        ax = axes_of(ax)
        for k, name in enumerate(self.names):
            ax.plot(self.times, self.voltages[:, k], label=name)
        ax.set_xlabel("time [ms]")
        ax.set_ylabel("voltage [mV]")
        if len(self.names) > 1:
            ax.legend()
        return ax


def grow_neuron(path: Any, *, seed: int = 1, stems: int = 5, levels: int = 4) -> str:
    """Writes a made-up neuron as an SWC file, to try things with; returns its path.

    Parameters
    ----------
    path : str or path
        The file that is written, whole or not at all.
    seed : int
        Of the random numbers.
    stems : int
        Dendrites that leave the soma.
    levels : int
        Branchings of each.

    Returns
    -------
    str

    Raises
    ------
    BadArgument, CannotWrite
        Where a number is out of range, or the file cannot be written.

    Examples
    --------
    >>> import os, tempfile, wale
    >>> path = os.path.join(tempfile.mkdtemp(), "cell.swc")
    >>> wale.Cable(wale.grow_neuron(path, levels=2)).points
    295
    """
    name = _inputs.file_name("path", path)
    if _inputs.whole("seed", seed, 64) < 0:
        raise _wale.BadArgument(f"seed: is {seed}, expected 0 or more")
    _wale.grow_neuron(name, _inputs.whole("seed", seed, 64), _inputs.whole("stems", stems), _inputs.whole("levels", levels))
    return name


def _membrane(given: Membrane) -> _wale.Membrane:
    if not isinstance(given, (str, dict)):
        raise TypeError(f"membrane: is {_inputs.shown(given)}, expected 'passive', 'hh' or a dictionary")
    words: Dict[str, Any] = {"kind": given} if isinstance(given, str) else dict(given)
    kind = words.pop("kind", "passive")
    if kind not in ("passive", "hh"):
        raise _wale.BadArgument(f"membrane: is {kind!r}, expected 'passive' or 'hh'")
    return filled(_wale.Membrane.hh() if kind == "hh" else _wale.Membrane.passive(), words, "membrane")


def _regions(given: Any) -> List[Any]:
    """The membranes of the regions of a cell."""
    if isinstance(given, dict) and given and set(given) <= set(REGIONS):
        return [_membrane(given.get(region, "passive")) for region in REGIONS]
    for word, value in given.items() if isinstance(given, dict) else ():
        if word not in REGIONS and isinstance(value, (str, dict)) and word != "kind" and not hasattr(_wale.Membrane, word):
            raise _wale.BadArgument(f"membrane.{word}: no region, expected one of {', '.join(REGIONS)}")
    return [_membrane(given)] * len(REGIONS)


def _membranes(given: Any) -> List[Any]:
    """One set of regions, or a set for each cell."""
    return [_regions(one) for one in given] if isinstance(given, (list, tuple)) else [_regions(given)]


class Cable:
    """Neurons of one form: compartments from an SWC file, membranes, clamps and probes.

    Parameters
    ----------
    path : str or path, or morphio.Morphology
        The SWC file. A form that MorphIO has read (SWC, ASC, H5) is numbered from 1: the soma's points, then its
        sections in order of `form.iter()`. A point of radius 0 takes the radius of its parent, at the root and at the soma the smallest
        of the file, with a warning.
    membrane : "passive", "hh", a dict, or a list
        Of all regions; or a dict from "soma", "axon", "dendrite", "apical" to membranes (others are passive); a
        list has one such membrane for each cell. A membrane is a name or a dict: kind, cm [uF/cm2], g [S/cm2],
        e [mV], gna, gk [S/cm2].
    cells : int
        How many cells.
    dt : float
        Step [ms].
    ra : float
        Axial resistivity [ohm cm].
    max_length : float
        The longest compartment [um]; 0: `d_lambda` of the length constant at `frequency` [Hz].
    v_init : float
        Voltage at the beginning [mV], gates at rest for it.
    celsius, q10 : float
        Temperature; gates are q10 times as fast for each 10 degrees above 6.3.
    method : "backward_euler", "crank_nicolson" or "sdirk2"
        Of the step in time. backward_euler has order 1. crank_nicolson has order 2; the voltage rings where there
        is no membrane. sdirk2 has order 2 and is L-stable: it does not ring there; two solves a step.
    threshold : float
        What a spike crosses upwards [mV].

    Examples
    --------
    >>> import os, tempfile, wale
    >>> path = wale.grow_neuron(os.path.join(tempfile.mkdtemp(), "cell.swc"), levels=2)
    >>> cell = wale.Cable(path, membrane="hh")
    >>> cell.clamp(1.5, delay=1, duration=20)
    >>> cell.probe("soma")
    >>> seen = cell.run(10)
    >>> seen.voltages.shape, len(seen.spikes[0])
    ((400, 1), 1)
    >>> cell.time
    10.0
    """

    def __init__(
        self,
        path: Any,
        *,
        membrane: Any = "passive",
        cells: int = 1,
        dt: float = 0.025,
        ra: float = 35.4,
        max_length: float = 0.0,
        d_lambda: float = 0.1,
        frequency: float = 100.0,
        v_init: float = -65.0,
        celsius: float = 6.3,
        q10: float = 3.0,
        e_na: float = 50.0,
        e_k: float = -77.0,
        method: str = "backward_euler",
        threshold: float = 0.0,
        sample_every: int = 1,
    ) -> None:
        rules = {"ra": ra, "max_length": max_length, "d_lambda": d_lambda, "frequency": frequency}
        made = _morphio.is_morphology(path)
        name, text = ("morphology", _morphio.swc_of(path)) if made else (_inputs.file_name("path", path), None)
        self._form = _wale.read_cable_form(name, text, filled(_wale.CableGeometry(), rules))
        if self._form.thickened > 0:
            warnings.warn(
                f"{self._form.first_thickened}: radius 0, {self._form.thickened} such points; each takes its parent's "
                "radius, at the root and at the soma the file's smallest",
                UserWarning,
                stacklevel=2,
            )
        words = {
            "cells": _inputs.whole("cells", cells), "sample_every": _inputs.whole("sample_every", sample_every),
            "dt": dt, "v_init": v_init, "celsius": celsius, "q10": q10, "e_na": e_na, "e_k": e_k, "method": method,
            "threshold": threshold,
        }  # fmt: skip
        self._options = filled(_wale.CableOptions(), words)
        self._options.membranes = _membranes(membrane)
        self._names: List[str] = []
        self._state: Optional[_wale.CableCells] = _wale.CableCells(self._form, self._options)  # refuses early
        self._begun = False

    def __repr__(self) -> str:
        cells = "1 cell" if self._options.cells == 1 else f"{self._options.cells} cells"
        return f"<wale.Cable: {cells} of {self.compartments} compartments, at {self.time:g} ms>"

    def __reduce__(self) -> Any:
        raise TypeError("a Cable has no copy and no pickle: make another one of its file, with its clamps and probes")

    @property
    def compartments(self) -> int:
        """Compartments of a cell."""
        return self._form.size

    @property
    def points(self) -> int:
        """Points of the file."""
        return self._form.points

    @property
    def time(self) -> float:
        """In milliseconds."""
        return 0.0 if self._state is None else self._state.time

    def compartment(self, at: Place) -> int:
        """The compartment that "soma" or the number of a point of the file names.

        Parameters
        ----------
        at : "soma" or int
            The soma, or the number of a point in the file.
        """
        if at == "soma":
            return 0
        if isinstance(at, str):
            raise TypeError(f"at: is {at!r}, expected 'soma' or the number of a point of the file")
        return self._form.compartment_of(_inputs.whole("at", at))

    @property
    def table(self) -> Dict[str, np.ndarray]:
        """parent, area [um2], axial conductance to the parent [uS], section, place and region of each compartment.

        Compartments without area are where sections meet.
        """
        f = self._form
        return {
            "parent": np.array(f.parents(), np.int32),
            "area": np.array(f.areas()),
            "axial": np.array(f.axials()),
            "section": np.array(f.sections(), np.int32),
            "at": np.array(f.places()),
            "region": np.array(f.regions()),
        }

    def clamp(
        self,
        current: Union[float, Sequence[float]],
        *,
        delay: float = 0.0,
        duration: float = float("inf"),
        at: Place = "soma",
        cell: Optional[int] = None,
    ) -> None:
        """A current [nA] into a place of one cell, or of all; a sequence has one current for each cell.

        Parameters
        ----------
        current : float or sequence of float
            [nA]; a sequence has one for each cell.
        delay, duration : float
            When it begins and how long it lasts [ms].
        at : "soma" or int
            As for `compartment`.
        cell : int, optional
            The one cell; by default all.
        """
        self._change()
        where = self.compartment(at)
        currents = _inputs.real_array("current", current)
        if not np.isfinite(currents).all():
            raise _wale.BadArgument(f"current: is {_inputs.shown(current)}, expected finite numbers")
        if currents.ndim == 0:
            per_cell = [(-1 if cell is None else self._number(cell), float(currents))]
        else:
            if cell is not None or currents.shape != (self._options.cells,):
                raise _wale.BadArgument(f"current: has shape {currents.shape}, expected one for each cell")
            per_cell = [(k, float(c)) for k, c in enumerate(currents)]
        begin, length = _inputs.real("delay", delay), _inputs.real("duration", duration)
        if begin != begin or not length >= 0:
            raise _wale.BadArgument(f"delay, duration: are {begin} and {length}, expected a time and 0 ms or more")
        for number, amplitude in per_cell:
            words = {"compartment": where, "delay": begin, "duration": length, "cell": number, "amplitude": amplitude}
            self._options.add_clamp(filled(_wale.Clamp(), words))

    def _number(self, cell: int) -> int:
        number = _inputs.whole("cell", cell)
        if not 0 <= number < self._options.cells:
            raise _wale.BadArgument(f"cell: is {number}, expected 0 to {self._options.cells - 1}")
        return number

    def probe(self, at: Place = "soma", *, cell: int = 0) -> None:
        """Watches the voltage of a place of a cell.

        Parameters
        ----------
        at : "soma" or int
            As for `compartment`.
        cell : int
            Whose voltage.
        """
        self._change()
        self._options.add_probe(self._number(cell), self.compartment(at))
        self._names.append(str(at) if self._options.cells == 1 else f"{at} of cell {cell}")

    def _change(self) -> None:
        if self._begun:
            raise _wale.BadArgument("clamps and probes are said before the first run, or after reset()")
        self._state = None

    def _cells(self) -> _wale.CableCells:
        if self._state is None:
            self._state = _wale.CableCells(self._form, self._options)
        return self._state

    def run(self, duration: float, **run: Unpack[Run]) -> CableRun:
        """Advances all cells by `duration` milliseconds.

        The keywords `where`, `backend`, `variant`, `threads` are those of all functions.

        Parameters
        ----------
        duration : float
            [ms], rounded to whole steps.
        where, backend, variant, threads
            As for `lcs_length`; variants are those of `wale.variants("tree")`.
        """
        call = Call(run, None)
        state, length = self._cells(), _inputs.real("duration", duration)
        if length < 0:
            raise _wale.BadArgument(f"duration: is {length:g}, expected 0 or more")
        self._begun = True
        outcome = state.run(call.at, state.steps_until(state.time + length), call.variant)
        remember(outcome.run)
        if outcome.diverged >= 0:
            raise FloatingPointError(f"the voltage of cell {outcome.diverged} is not finite")
        voltages = np.empty((outcome.samples, len(self._names)))
        outcome.put_voltages(voltages)
        spikes = [np.array(times) for times in outcome.spikes]
        return CableRun(np.array(outcome.times), voltages, spikes, list(self._names))

    def voltages(self) -> np.ndarray:
        """Of all compartments now, [cells, compartments] in millivolts."""
        out = np.empty((self._options.cells, self.compartments))
        self._cells().put_state(out)
        return out

    def gates(self) -> np.ndarray:
        """m, h and n of all compartments now, [3, cells, compartments]; 0 where there are no channels."""
        out = np.empty((3, self._options.cells, self.compartments))
        self._cells().put_gates(out)
        return out

    def reset(self) -> None:
        """Back to time 0; clamps and probes stay and may be added to."""
        if self._state is not None:
            self._state.reset()
        self._begun = False
