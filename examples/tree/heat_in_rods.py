"""Heat in a thousand insulated rods: each step in time is a thousand tridiagonal systems, factored once.

usage: heat_in_rods.py
"""

import numpy as np

import wale

rods, points, r = 1000, 64, 0.3
side = np.full((rods, points), -r)
middle = np.full((rods, points), 1 + 2 * r)
middle[:, [0, -1]] = 1 + r
heat = np.zeros((rods, points))
heat[np.arange(rods), np.arange(rods) % points] = 1
step = wale.TridiagonalFactors(side, middle, side)
for _ in range(100):
    heat = step.solve(heat)
print(f"after 100 steps: at most {heat.max():.4f}, heat lost {abs(heat.sum(1) - 1).max():.1e}")
assert np.allclose(heat.sum(1), 1)
