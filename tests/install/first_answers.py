"""What a wheel must do where it was just installed: answers of four solvers, from Python alone."""

import numpy
import wale

assert wale.lcs_length("wavefront", "waterfront") == 8
a = numpy.random.default_rng(1).random((500, 500))
assert numpy.allclose(wale.solve(a, a.sum(1)), 1)
assert numpy.allclose(wale.solve_tridiagonal([1.0, 1.0], [4.0, 4.0, 4.0], [1.0, 1.0], [5.0, 6.0, 5.0]), 1)
image = numpy.zeros((9, 9), numpy.uint8)
image[2:7, 2:7] = 5
image[3:6, 3:6] = 0
assert wale.fill_holes(image).sum() == 125
