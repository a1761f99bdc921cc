"""A chain of springs between two walls, pulled down at every node: factored once, solved for several loads.

usage: hanging_chain.py
"""

import numpy as np

import wale

n = 200
stiffness = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
loads = np.array([1.0, 2.0, 3.0])
factors = wale.lu_factor(stiffness, condition=True)
depth = wale.lu_solve(factors, -np.ones((n, 1)) * loads)

i = np.arange(n)[:, None]
exact = -(i + 1) * (n - i) / 2 * loads
print(f"deepest node {depth.min():.3f}, reciprocal condition {factors.outcome.reciprocal_condition:.1e}")
assert np.allclose(depth, exact)
