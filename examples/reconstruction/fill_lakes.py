"""Where water would stand on a terrain, and how much.

usage: fill_lakes.py [terrain.npy]
"""

import sys

import numpy as np

import wale

if len(sys.argv) > 1:
    ground = np.load(sys.argv[1])
else:  # a bowl of 9 m with a notch at 4 m in its rim
    y, x = np.indices((41, 41)) - 20
    ground = np.minimum((y**2 + x**2) // 40, 9).astype(np.int16)
    ground[20, 20:] = np.minimum(ground[20, 20:], 4)
    ground[20, -1] = 0
lakes = wale.fill_depressions(ground) - ground
print(f"{(lakes > 0).sum()} cells below water, {lakes.sum()} cubic cells, at most {lakes.max()} deep")
if len(sys.argv) == 1:
    assert lakes.max() == 4
