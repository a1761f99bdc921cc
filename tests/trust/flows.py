"""Flows whose solutions are known, on three grids each: how fast the error falls from grid to grid."""

import numpy as np
import wale
import wale.euler
from plan import must, rows_here

GAMMA = 1.4
BOX = [("left", "right"), ("bottom", "top")]


def state_of(rho, u, v, p):
    return np.stack([rho, rho * u, rho * v, 0 * rho, p / (GAMMA - 1) + rho * (u * u + v * v) / 2], 1)


def vortex(centre, time):
    """Shu 1997: an isentropic vortex of strength 5 on a flow of (1, 1), in a periodic box of 10 by 10."""
    x, y = (c - time - 10 * np.round((c - time) / 10) for c in centre.T[:2])
    swirl = 5 / (2 * np.pi) * np.exp((1 - x * x - y * y) / 2)
    rho = (1 - (GAMMA - 1) / (2 * GAMMA) * swirl**2) ** (1 / (GAMMA - 1))
    return state_of(rho, 1 - swirl * y, 1 + swirl * x, rho**GAMMA)


def wave(centre, time):
    """A wave of density that a flow of (1, 0.5) at one pressure carries along: its speeds and pressure stay."""
    x, y = centre.T[:2]
    rho = 1 + 0.2 * np.sin(2 * np.pi * (x + y - 1.5 * time) / 10)
    return state_of(rho, np.ones_like(rho), np.full_like(rho, 0.5), np.ones_like(rho))


def error(plan, exact, size, shape, row, scheme, **words):
    """The mean error of density at time 0.5, or None where the row refuses."""
    mesh = wale.euler.generate_mesh("box", size=size, shape=shape, distortion=0.2)
    flow = wale.euler.Case(mesh, stream={"density": 1.0, "pressure": 1.0}, scheme=scheme | {"step": "global"},
                           boundary={"periodic": BOX}, run={"end_time": 0.5})  # fmt: skip
    flow.state = exact(np.asarray(mesh.centre).reshape(-1, 3), 0.0)
    try:
        ended = flow.run(100000, variant=row, threads=plan.draw.choice([1, 2, 3]))
    except wale.UnsupportedVariant:
        return None
    must(ended.end == "time" and flow.time == 0.5, f"{row}: ends by {ended.end} at {flow.time}")
    found, volume = np.asarray(flow.state), np.asarray(mesh.volume)
    return float((abs(found - exact(np.asarray(mesh.centre).reshape(-1, 3), 0.5))[:, 0] * volume).sum() / volume.sum())


def flows_exact(plan):
    """The vortex and the wave, triangles and quadrilaterals, fluxes and limiters, on grids of n, 4 n and 16 n cells."""
    rows, least, where, count = ["automatic", *rows_here("advance")], np.inf, "", 0
    smallest = plan.count(256, 1024)
    for number in range(plan.count(16, 60)):
        exact, order = (vortex, wave)[number % 2], plan.draw.choice([1, 2, 2])
        shape, row = plan.draw.choice(["triangle", "quadrilateral"]), plan.draw.choice(rows)
        scheme = {"order": order, "flux": plan.draw.choice(["hllc", "roe", "rusanov"]), "time": plan.draw.choice(["jameson", "ssp_rk3"])}
        if order == 2:
            scheme["limiter"] = plan.draw.choice(["none", "venkatakrishnan"])
        what = f"{exact.__name__} {shape} {row} {scheme}:"
        errors = [error(plan, exact, smallest * 4**k, shape, row, scheme) for k in range(3)]
        if None in errors:
            continue
        reached = np.log2(np.array(errors[:-1]) / errors[1:])
        must(reached[-1] > (1.75, 0.7)[order == 1] and errors[2] < errors[1] < errors[0], what, f"errors {errors}, orders {reached}")
        count += 1
        if order == 2 and reached[-1] < least:
            least, where = reached[-1], what
    must(count > 0, "no row computes any of the flows")
    return f"{count} flows on three grids, second order is {least:.2f} at least ({where})"


ROWS = (flows_exact,)
