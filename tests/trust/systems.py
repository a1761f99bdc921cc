"""Dense, tridiagonal and tree systems: ratios as LAPACK's testers form them, and SciPy's SuperLU for trees."""

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
import wale
from plan import must, rows_here

LIMIT, ALARM = 30.0, 1.0  # of LAPACK's testers; what good code stays below
EXACT = np.longdouble
TYPES = (np.float32, np.float64, np.complex64, np.complex128)


def wide(array):
    """In long double, or in complex numbers of long double."""
    return array.astype(np.result_type(array.dtype, EXACT))


def uniform(plan, shape, dtype):
    """Parts between -1 and 1."""
    values = plan.rng.uniform(-1, 1, shape)
    return (values + 1j * plan.rng.uniform(-1, 1, shape) if np.issubdtype(dtype, np.complexfloating) else values).astype(dtype)


class Ratios:
    """The largest ratio of a row, and how many passed the alarm."""

    def __init__(self):
        self.count = self.alarms = 0
        self.worst, self.where = 0.0, "nothing"

    def add(self, ratio, what):
        must(np.isfinite(ratio) and ratio < LIMIT, what, f"ratio {ratio}, expected below {LIMIT}")
        self.count, self.alarms = self.count + 1, self.alarms + (ratio > ALARM)
        if ratio > self.worst:
            self.worst, self.where = float(ratio), what

    def figure(self):
        must(self.alarms <= self.count // 1000, f"{self.alarms} of {self.count} ratios above {ALARM}, at most {self.where}")
        return f"{self.count} ratios, at most {self.worst:.2f} ({self.where}), above {ALARM}: {self.alarms}"


def norm(a):
    return np.abs(a).sum(axis=0).max() if a.size else EXACT(0)


def ratio_of(residual, scale, n, dtype):
    """In units of n eps. A complex product rounds by 2 sqrt(2) of a real one's units (Higham 2002, lemma 3.5)."""
    unit = np.finfo(dtype).eps * (8**0.5 if np.issubdtype(dtype, np.complexfloating) else 1)
    return 0.0 if residual == 0 else float(residual / (scale * max(n, 1) * EXACT(unit)))


def dense(plan, m, n, dtype):
    kind = plan.draw.choice(["uniform", "uniform", "large", "small", "graded"])
    a = uniform(plan, (m, n), dtype)
    if kind == "graded":
        a *= np.logspace(0, -3, m, dtype=a.real.dtype)[:, None]
    scale = {"large": 1e30, "small": 1e-30}.get(kind, 1.0)  # a complex pivot is squared in no type
    return np.asarray(a * a.real.dtype.type(scale), order=plan.draw.choice("CF"))


def factored(a, factors):
    """|P A - L U| / (n |A| eps) in long double."""
    lu, piv = factors
    both, k = wide(lu), min(a.shape)
    lower, upper = np.tril(both[:, :k], -1) + np.eye(a.shape[0], k, dtype=EXACT), np.triu(both[:k])
    exchanged = wide(a)
    for row, other in enumerate(piv):
        exchanged[[row, other]] = exchanged[[other, row]]
    return ratio_of(norm(exchanged - lower @ upper), norm(exchanged), max(a.shape), a.dtype)


def ratios_lu(plan):
    """lu_factor, solve, lu_solve of the transpose and inv: every order to 1024 (short: a sample), all types."""
    ratios, rows = Ratios(), ["automatic", *rows_here("factor")]
    orders = range(1, 1025) if plan.long else [1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 47, 64, 65, 96, 127, 129, 150, 200]
    for n in orders:
        for dtype in TYPES:
            shape = plan.draw.choice([(n, n), (n, n), (n, max(n // 2, 1)), (max(n // 3, 1), n)])
            a, row = dense(plan, *shape, dtype), plan.draw.choice(rows)
            what = f"lu {shape} {dtype.__name__} {row}"
            try:
                factors = wale.lu_factor(a, variant=row)
            except wale.UnsupportedVariant:
                factors = wale.lu_factor(a)
            if n <= 256 or n % 16 == 0:  # a product in long double takes a second at 512
                ratios.add(factored(a, factors), what)
            else:
                ratios.add(wale.lu_residual_ratio(a, factors), what)
            a, b = dense(plan, n, n, dtype), uniform(plan, (n, plan.draw.choice([1, 2, 9])), dtype)
            factors, exact = wale.lu_factor(a), wide(a)
            for name, x, matrix in (("solve", wale.solve(a, b), exact), ("transposed", wale.lu_solve(factors, b, 1), exact.T),
                                    ("conjugated", wale.lu_solve(factors, b, 2), exact.conj().T)):  # fmt: skip
                residual, scale = norm(matrix @ wide(x) - b), norm(matrix) * norm(wide(x))
                ratios.add(ratio_of(residual, scale, n, dtype), f"{name} {n} {dtype.__name__}")
            if n <= 256:
                inverse = wide(wale.inv(a))
                residual = norm(inverse @ exact - np.eye(n))
                ratios.add(ratio_of(residual, norm(inverse) * norm(exact), n, dtype), f"inv {n} {dtype.__name__}")
    return ratios.figure()


def chain_product(dl, d, du, x, periodic):
    """The product of tridiagonal matrices and vectors along the last axis."""
    before, after = np.roll(x, 1, -1), np.roll(x, -1, -1)
    if not periodic:
        before[..., :1], after[..., -1:] = 0, 0
    return dl * before + d * x + du * after


def ratios_chains(plan):
    """solve_tridiagonal: every order to 1024, all types, axes, pivotings, rings and transposes."""
    ratios, rows = Ratios(), ["automatic", *rows_here("tridiagonal")]
    orders = range(1, 1025) if plan.long else [1, 2, 3, 4, 7, 8, 9, 16, 31, 33, 64, 65, 100, 255, 256, 257, 1000, 1024]
    for n in orders:
        for trial in range(8):
            dtype, pivoting = TYPES[trial % 4], ("partial", "none")[trial // 4]
            transposed, axis, row = plan.draw.random() < 0.3, plan.draw.choice([-1, 0]), plan.draw.choice(rows)
            periodic, systems = n > 2 and plan.draw.random() < 0.3, plan.draw.choice([1, 2, 7, 8, 17])
            dl, d, du, b = uniform(plan, (4, systems, n), dtype)
            if pivoting == "none" or periodic:
                d += np.where(d.real < 0, -3, 3).astype(dtype)
            given = [np.ascontiguousarray(v.T) if axis == 0 else v for v in (dl, d, du, b)]
            words = {"pivoting": pivoting, "periodic": periodic, "transposed": transposed, "axis": axis}
            what = f"chain n {n} systems {systems} {dtype.__name__} {row} {words}"
            try:
                x = wale.solve_tridiagonal(*given, variant=row, **words)
            except wale.UnsupportedVariant:
                x = wale.solve_tridiagonal(*given, **words)
            dl, d, du, b, x = (wide(v) for v in (dl, d, du, b, x.T if axis == 0 else x))
            if transposed:
                dl, du = np.roll(du, 1, -1), np.roll(dl, -1, -1)
            size = chain_product(abs(dl), abs(d), abs(du), np.ones(d.shape, EXACT), periodic).max(-1) * abs(x).max(-1)
            residual = abs(chain_product(dl, d, du, x, periodic) - b).max(-1)
            ratios.add(max(map(lambda r, s: ratio_of(r, s, n, dtype), residual, size)), what)
    return ratios.figure()


def ratios_trees(plan):
    """hines_solve of random trees beside SuperLU, whose answer is exact to the roundings of a dominant system."""
    ratios, rows = Ratios(), ["automatic", *rows_here("hines")]
    for trial in range(1000):
        n, reach = int(3000 ** plan.draw.random()), plan.draw.choice([1, 2, 10, 10**6])
        parent = np.array([-1] + [plan.draw.randrange(max(0, i - reach), i) for i in range(1, n)])
        dtype = plan.draw.choice([np.float32, np.float64])
        upper, lower, d, b = plan.rng.uniform(-1, 1, (4, n)).astype(dtype)
        sums = abs(upper) + abs(lower)
        np.add.at(sums, parent[1:], (abs(upper) + abs(lower))[1:])
        d += np.where(d < 0, -1, 1) * (sums + 1)
        d, nodes = d.astype(dtype), np.arange(1, n)
        transposed, row = plan.draw.random() < 0.3, plan.draw.choice(rows)
        what = f"tree n {n} reach {reach} {dtype.__name__} {row} transposed {transposed}"
        try:
            x = wale.hines_solve(parent, d, upper, lower, b, transposed=transposed, variant=row)
        except wale.UnsupportedVariant:
            x = wale.hines_solve(parent, d, upper, lower, b, transposed=transposed)
        places = (np.r_[nodes, parent[1:], np.arange(n)], np.r_[parent[1:], nodes, np.arange(n)])
        matrix = scipy.sparse.csc_matrix((np.r_[lower[1:], upper[1:], d].astype(float), places), (n, n))
        wanted = scipy.sparse.linalg.splu(matrix.T.tocsc() if transposed else matrix).solve(b.astype(float))
        ratios.add(ratio_of(abs(x - wanted).max(), abs(wanted).max(), 10, dtype), what)
    return ratios.figure()


ROWS = (ratios_lu, ratios_chains, ratios_trees)
