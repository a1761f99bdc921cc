"""What there is: variants, facts about the build and the machine, and the places where calls run."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Sequence, Union

from . import _inputs, _wale
from ._wale import Execution


class Variant(NamedTuple):
    """A schedule on a backend that exists: a row in the table of its operation."""

    solver: str
    operation: str
    name: str
    backend: str
    summary: str


def variants(solver: Optional[str] = None) -> List[Variant]:
    """All variants, or those of one solver, in the order in which "automatic" prefers them.

    Parameters
    ----------
    solver : str, optional
        One of wavefront, reconstruction, lu, tree, euler; by default all.

    Returns
    -------
    list of Variant

    Raises
    ------
    BadArgument, TypeError
        Where there is no such solver.

    Examples
    --------
    >>> import wale
    >>> [v.name for v in wale.variants("wavefront") if v.operation == "fill" and v.backend == "reference"]
    ['reference/plain']
    """
    if not isinstance(solver, (str, type(None))):
        raise TypeError(f"solver: is {solver!r}, expected the name of a solver, or None")
    rows = [Variant(*(getattr(row, name) for name in Variant._fields)) for row in _wale.variants("")]
    known = dict.fromkeys(row.solver for row in rows)
    if solver and solver not in known:
        raise _wale.BadArgument(f"solver: is {solver!r}, expected one of {', '.join(known)}")
    return [row for row in rows if not solver or row.solver == solver]


def config() -> Dict[str, str]:
    """Facts about this build and machine: version, compiler, instruction set, devices.

    Returns
    -------
    dict of str

    Examples
    --------
    >>> import wale
    >>> wale.config()["version"] == wale.__version__
    True
    """
    return dict(_wale.configuration())


def show_config() -> None:
    """Prints `config()`, one fact a line.

    Returns
    -------
    None

    Examples
    --------
    >>> import wale
    >>> wale.show_config()  # doctest: +ELLIPSIS
    version...
    """
    for name, value in config().items():
        print(f"{name:20} {value}")


def why_unavailable(backend: str) -> str:
    """Why "reference", "cpu" or "cuda" cannot be used on this machine, in one line; empty if it can.

    Parameters
    ----------
    backend : {"reference", "cpu", "cuda"}

    Returns
    -------
    str

    Raises
    ------
    BadArgument, TypeError
        Where there is no such backend.

    Examples
    --------
    >>> import wale
    >>> wale.why_unavailable("cpu")
    ''
    """
    if not isinstance(backend, str):
        raise TypeError(f"backend: is {backend!r}, expected 'reference', 'cpu' or 'cuda'")
    return _wale.why_unavailable(backend)


def reference() -> Execution:
    """The plain loops that define the result, for the argument `where`; one thread.

    Returns
    -------
    Execution

    Examples
    --------
    >>> import wale
    >>> wale.edit_distance("abc", "abd", where=wale.reference())
    1
    """
    return _wale.reference()


def cpu(threads: int = 0) -> Execution:
    """CPU threads, for the argument `where`; 0 takes all that this process may use.

    Parameters
    ----------
    threads : int
        0: WALE_NUM_THREADS or OMP_NUM_THREADS of the environment, else all processors of the process.

    Returns
    -------
    Execution

    Raises
    ------
    BadArgument, TypeError
        Where `threads` is no whole number from 0 to 4096.

    Examples
    --------
    >>> import wale
    >>> wale.lcs_length("abc", "abd", where=wale.cpu(threads=1))
    2
    """
    return _wale.cpu(_inputs.whole("threads", threads))


def cuda(device: Union[int, Sequence[int]] = 0, stream: int = 0, *, time_on_device: bool = False) -> Execution:
    """A CUDA device, for the argument `where`, and the address of a stream (0: the default stream).

    Parameters
    ----------
    device : int or sequence of int
        Its number, from 0. A list: batches of sequences, searches, matrices, tridiagonal and Hines systems in NumPy arrays
        are split over these devices by work, one image, one pair of `lcs_length` or `edit_distance`, and one matrix is divided
        among them, and flows by parts of the mesh (`wale.euler.Case.run`); other functions raise UnsupportedVariant.
    stream : int
        The address of a stream of this process; 0: the default stream. Not with a list.
    time_on_device : bool
        `Report.compute_seconds` by events of the device around the work alone, which cost a call some microseconds;
        otherwise by the host's clock around launch, work and wait.

    Returns
    -------
    Execution

    Raises
    ------
    BadArgument, TypeError
        Where a number is negative, or a list comes with a stream; whether the device is there shows the call that uses it.

    Examples
    --------
    >>> import wale
    >>> wale.cuda(1)
    wale.cuda(device=1)
    >>> wale.cuda([0, 1])
    wale.cuda([0, 1])
    """
    if isinstance(device, (list, tuple, range)) or getattr(device, "ndim", 0) == 1:
        devices = [_inputs.whole("device", number) for number in device]  # type: ignore[union-attr]
        if not devices or min(devices) < 0 or stream:
            found = f"is {devices}" + (" beside a stream" if stream else "")
            raise _wale.BadArgument(f"device: {found}, expected a number, or numbers from 0 and no stream")
        return _wale.cuda_devices(devices, bool(time_on_device))
    return _wale.cuda(_inputs.whole("device", device), stream, bool(time_on_device))
