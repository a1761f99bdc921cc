"""A membrane between gas of high and low pressure bursts (Sod 1978): where is the shock at time 0.2?

usage: sod_tube.py
"""

import numpy as np

import wale.euler

tube = wale.euler.generate_mesh("tube", size=400, shape="quadrilateral")
walls = {name: {"kind": "symmetry"} for name in tube.patches}
flow = wale.euler.Case(tube, boundary=walls, scheme={"step": "global", "cfl": 0.8},
                       run={"start": "sod", "end_time": 0.2, "check_every": 1000})  # fmt: skip
print(flow.run(10000))
x = tube.centre[:, 0]
order = np.argsort(x)
density = flow.state[order, 0]
shock = x[order][np.nonzero(density > 0.195)[0].max()]  # between 0.125 before the shock and 0.266 behind
print(f"shock at {shock:.4f}, exact 0.8504")
assert abs(shock - 0.8504) < 0.01
