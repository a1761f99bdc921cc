#!/usr/bin/env python3
"""`mpirun wale euler`: the same files for any number of ranks. Environment: WALE, the program; MPIRUN."""

import os
import unittest

from harness import CliTest, mpirun

CASE = """
[mesh]
generate = "shell"
size = 1500
[stream]
mach = 1.2
alpha = 3.0
%s
[run]
iterations = 40
check_every = 10
[output]
history = "history.csv"
checkpoint = "flow.checkpoint"
checkpoint_every = 20
"""
STEADY = """
[mesh]
generate = "o_grid"
around = 48
outward = 16
[stream]
mach = 0.5
alpha = 2.0
[run]
iterations = 60
stop_decades = 6
[output]
history = "history.csv"
checkpoint = "flow.checkpoint"
"""
SCHEMES = {
    "published": '[scheme]\nname = "rodinia"',
    "second_order": '[scheme]\nflux = "hllc"\norder = 2\ncfl = 0.5\nstep = "global"\ntime = "ssp_rk3"',
}


@unittest.skipUnless(os.environ.get("MPIRUN"), "built without MPI")
class EulerMpi(CliTest):
    def outputs_of(self, ranks, scheme, folder):
        folder = self.folder / folder
        folder.mkdir()
        (folder / "case.toml").write_text(CASE % SCHEMES[scheme])
        done = mpirun(ranks, "euler", "case.toml", cwd=folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cpu/ranks", done.stderr)
        self.assertIn(f"ranks={ranks}", done.stderr)
        self.assertEqual(done.stderr.count("wale: euler"), 1, "only the first rank writes")
        return [(folder / name).read_bytes() for name in ("history.csv", "flow.checkpoint")]

    def test_any_number_of_ranks(self):
        for scheme in SCHEMES:
            one = self.outputs_of(1, scheme, f"{scheme}1")
            for ranks in (2, 4):
                with self.subTest(scheme=scheme, ranks=ranks):
                    self.assertEqual(self.outputs_of(ranks, scheme, f"{scheme}{ranks}"), one)

    def test_the_default_of_steady_flows(self):
        found = []
        for ranks in (0, 1, 3):  # 0: without mpirun
            folder = self.folder / f"steady{ranks}"
            folder.mkdir()
            (folder / "case.toml").write_text(STEADY)
            done = mpirun(ranks, "euler", "case.toml", cwd=folder) if ranks else self.wale(
                "euler", str(folder / "case.toml"), "--backend", "cpu", text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("ended by residual", done.stderr)
            self.assertIn("cpu/colours", done.stderr)
            found.append([(folder / name).read_bytes() for name in ("history.csv", "flow.checkpoint")])
        self.assertEqual(found[1], found[0])
        self.assertEqual(found[2], found[0])

    def test_what_no_rank_can_read(self):
        done = mpirun(3, "euler", "nowhere.toml", cwd=self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nowhere.toml", done.stderr)

    def test_divergence_is_told_once(self):
        case = CASE % '[scheme]\nflux = "hllc"\norder = 1\ncfl = 80.0'
        (self.folder / "case.toml").write_text(case)
        done = mpirun(2, "euler", "case.toml", cwd=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("nonphysical state"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
