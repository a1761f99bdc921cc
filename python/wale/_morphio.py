"""Forms that MorphIO has read - its SWC, ASC and H5 files - as the lines of an SWC file."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np


def is_morphology(value: Any) -> bool:
    """Whether `value` has what is taken of a `morphio.Morphology`; MorphIO itself is not loaded."""
    return hasattr(value, "root_sections") and hasattr(value, "soma")


def swc_of(form: Any) -> str:
    """The soma's points, then each section after its parent; a section's first point, its parent's last, is left out.

    A soma of one or three points, or of cylinders, stays as it is; a contour becomes the ball around its mean, as for
    an SWC file. Sections begin at the soma's nearest point.
    """
    points, radii = np.asarray(form.soma.points, float), np.asarray(form.soma.diameters, float) / 2
    kind = str(getattr(form, "soma_type", "")).rpartition(".")[2]
    if kind == "SOMA_SIMPLE_CONTOUR":
        centre = points.mean(axis=0)
        radii = np.linalg.norm(points - centre, axis=1).mean(keepdims=True)
        points = centre[None]
    lines: List[str] = []

    def add(kind: int, point: Any, radius: float, parent: int) -> int:
        x, y, z = (float(v) for v in point)
        lines.append(f"{len(lines) + 1} {kind} {x!r} {y!r} {z!r} {float(radius)!r} {parent}")
        return len(lines)

    for k, (point, radius) in enumerate(zip(points, radii)):
        add(1, point, radius, -1 if k == 0 else 1 if len(points) == 3 else k)
    ends: List[Tuple[Any, Optional[int]]] = [(section, None) for section in reversed(form.root_sections)]
    while ends:
        section, parent = ends.pop()
        own = list(zip(np.asarray(section.points, float), np.asarray(section.diameters, float) / 2))
        if parent is None:
            at = 1 + int(np.linalg.norm(points - own[0][0], axis=1).argmin()) if len(points) else -1
        else:
            at, own = parent, own[1:]
        for point, radius in own:
            at = add(int(section.type), point, radius, at)
        ends += [(child, at) for child in reversed(section.children)]
    return "\n".join(lines)
