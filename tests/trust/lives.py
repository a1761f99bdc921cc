"""Objects that outlive a call, in any order of what a program does with them: they are made, used by any thread and row, copied,
pickled, saved, given up; the arrays that they were made of change. Each answer is that of the plain call."""

import copy
import gc
import os
import pickle
import tempfile
import threading

import numpy as np
import wale
import wale.euler
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, rule, run_state_machine_as_test

COPIES = (copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing)))
FILES = tempfile.TemporaryDirectory(prefix="wale_trust_")
SEEDS, SIZES = st.integers(0, 2**32 - 1), st.sampled_from((1, 2, 3, 8, 17, 40))


def in_thread(call):
    """What the call gives in a thread of its own."""
    found = []
    other = threading.Thread(target=lambda: found.append(call()))
    other.start()
    other.join()
    return found[0]


def same(found, wanted):
    np.testing.assert_array_equal(found, wanted)


class Lives(RuleBasedStateMachine):
    """A bundle holds objects beside what they were made of."""

    plans, chains, factors, meshes, flows, cables = map(Bundle, ("plans", "chains", "factors", "meshes", "flows", "cables"))
    where = st.sampled_from((None, wale.reference(), wale.cpu(), wale.cpu(3), pickle.loads(pickle.dumps(wale.cpu(2)))))
    apart = st.booleans()

    @initialize()
    def begin(self):
        self.grid = wale.euler.generate_mesh("shell", size=60)
        self.cell = wale.grow_neuron(os.path.join(FILES.name, "cell.swc"), levels=1)

    @rule(target=plans, n=SIZES, s=SEEDS)
    def make_plan(self, n, s):
        parent = np.array([-1, *(np.random.default_rng(s).random(n - 1) * np.arange(1, n)).astype(int)])
        plan, kept = wale.HinesPlan(parent), parent.copy()
        parent[:] = 0
        return plan, kept

    @rule(target=chains, n=SIZES, s=SEEDS, pivoting=st.sampled_from(("none", "partial")))
    def make_chains(self, n, s, pivoting):
        d, off = 4 + np.random.default_rng(s).random((3, n)), np.random.default_rng(s + 1).random((3, n))
        kept = off.copy(), d.copy(), pivoting
        made = wale.TridiagonalFactors(off, d, off, pivoting=pivoting)
        d[:], off[:] = np.nan, np.nan
        return made, kept

    @rule(target=factors, n=SIZES, s=SEEDS)
    def make_factors(self, n, s):
        a = np.random.default_rng(s).random((n, n)) + n * np.eye(n)
        made, kept = wale.lu_factor(a), a.copy()
        a[:] = np.nan
        return made, kept

    @rule(target=meshes, kind=st.sampled_from(("box", "shell", "tube")))
    def make_mesh(self, kind):
        mesh = wale.euler.generate_mesh(kind, size=60)
        return mesh, np.array(mesh.volume)

    @rule(target=flows)
    def make_flow(self):
        return [wale.euler.Case(self.grid, run={"check_every": 1}), 0]

    @rule(target=cables, membrane=st.sampled_from(("passive", "hh")))
    def make_cable(self, membrane):
        return [wale.Cable(self.cell, membrane=membrane, cells=2), membrane, 0]

    def answer(self, apart, call):
        return in_thread(call) if apart else call()

    @rule(one=plans, s=SEEDS, vectors=st.integers(1, 3), where=where, apart=apart)
    def use_plan(self, one, s, vectors, where, apart):
        plan, parent = one
        rows = [np.random.default_rng(s + k).random((vectors, parent.size)) + 4 * (k == 0) for k in range(4)]
        same(self.answer(apart, lambda: wale.hines_solve(plan, *rows, where=where)), wale.hines_solve(parent, *rows, where=where))

    @rule(one=chains, s=SEEDS, where=where, apart=apart)
    def use_chains(self, one, s, where, apart):
        made, (off, d, pivoting) = one
        b = np.random.default_rng(s).random(d.shape)
        wanted = wale.solve_tridiagonal(off, d, off, b, pivoting=pivoting, backend="reference")
        np.testing.assert_allclose(self.answer(apart, lambda: made.solve(b)), wanted, rtol=1e-12, atol=1e-14)
        same(made.solve(b), made.solve(b))

    @rule(one=factors, s=SEEDS, where=where, apart=apart, trans=st.integers(0, 1))
    def use_factors(self, one, s, where, apart, trans):
        made, a = one
        b = np.random.default_rng(s).random(a.shape[0])
        x = self.answer(apart, lambda: wale.lu_solve(made, b, trans, where=where))
        np.testing.assert_allclose((a.T if trans else a) @ x, b, rtol=1e-10, atol=1e-12)

    @rule(one=meshes, parts=st.integers(1, 5), apart=apart)
    def use_mesh(self, one, parts, apart):
        mesh, volume = one
        assert len(np.unique(self.answer(apart, lambda: mesh.partition(parts)))) <= parts
        same(mesh.volume, volume)

    @rule(one=flows, k=st.integers(0, 4), where=where, apart=apart)
    def use_flow(self, one, k, where, apart):
        self.answer(apart, lambda: one[0].run(k, where=where))
        one[1] += k
        assert one[0].iteration == one[1]
        other = wale.euler.Case(self.grid, run={"check_every": 1})
        other.run(one[1])
        np.testing.assert_allclose(one[0].state, other.state, rtol=1e-9, atol=1e-12)

    @rule(one=flows, target=flows)
    def save_flow(self, one):
        path = os.path.join(FILES.name, "x.checkpoint")
        one[0].save(path)
        again = wale.euler.Case(self.grid, run={"check_every": 1})
        again.restore(path)
        same(again.state, one[0].state)
        return [again, one[1]]

    @rule(one=cables, steps=st.integers(0, 9), where=where, apart=apart)
    def use_cable(self, one, steps, where, apart):
        self.answer(apart, lambda: one[0].run(0.025 * steps, where=where))
        one[2] += steps
        other = wale.Cable(self.cell, membrane=one[1], cells=2)
        other.run(0.025 * one[2])
        np.testing.assert_allclose(one[0].voltages(), other.voltages(), rtol=1e-9)

    @rule(one=cables)
    def reset_cable(self, one):
        one[0].reset()
        one[2] = 0

    @rule(target=plans, one=plans, how=st.sampled_from(COPIES))
    def copy_plan(self, one, how):
        return how(one[0]), one[1]

    @rule(target=chains, one=chains, how=st.sampled_from(COPIES))
    def copy_chains(self, one, how):
        return how(one[0]), one[1]

    @rule(target=factors, one=factors, how=st.sampled_from(COPIES))
    def copy_factors(self, one, how):
        return how(one[0]), one[1]

    @rule(target=meshes, one=meshes, how=st.sampled_from(COPIES))
    def copy_mesh(self, one, how):
        return how(one[0]), one[1]

    @rule(one=st.one_of(flows, cables), how=st.sampled_from(COPIES))
    def copy_what_has_none(self, one, how):
        try:
            how(one[0])
        except TypeError as refusal:
            assert "has no copy and no pickle" in str(refusal)
        else:
            raise AssertionError("a copy")

    @rule(one=st.one_of(*map(consumes, (plans, chains, factors, meshes))))
    def give_up(self, one):
        del one
        gc.collect()


def lives(plan):
    """Random programs; short: 8 of 30 steps, long: 1000 of 100."""
    programs, steps = plan.count((8, 30), (1000, 100))
    how = settings(max_examples=programs, stateful_step_count=steps, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(seed(plan.seed)(Lives), settings=how)
    return f"{programs} programs of up to {steps} steps"


ROWS = (lives,)
