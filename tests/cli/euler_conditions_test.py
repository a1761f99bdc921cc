#!/usr/bin/env python3
"""`wale euler`: probes, series, sweeps, other meshes' checkpoints, SU2's columns, curves. Environment: WALE."""

import csv
import io
import json
import math
import unittest
from xml.etree import ElementTree

from harness import CliTest

CHANNEL = """
[mesh]
generate = "bump"
size = %d
[stream]
mach = 0.5
[scheme]
order = 1
[run]
iterations = %d
check_every = 10
[output]
%s
"""


class EulerConditions(CliTest):
    def run_case(self, text, *more, code=0):
        done = self.wale("euler", self.file("case.toml", text), *more)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def table(self, name):
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text())))

    def test_probes(self):
        self.run_case(CHANNEL % (300, 30, 'probes = "p.csv"\nprobe_every = 15\n'
                                 'probe_points = [[0.1, 0.9, 0], [1.5, 0.5, 0]]\nflow = "-"'))
        rows = self.table("p.csv")
        self.assertEqual([int(r["iteration"]) for r in rows], [15, 15, 30, 30])
        self.assertEqual([float(r["x"]) for r in rows], [0.1, 1.5] * 2)
        self.assertEqual(rows[0]["cell"], rows[2]["cell"])
        self.assertNotEqual(rows[0]["cell"], rows[1]["cell"])
        mach = math.hypot(float(rows[0]["velocity_x"]), float(rows[0]["velocity_y"])) / math.sqrt(
            1.4 * float(rows[0]["pressure"]) / float(rows[0]["density"]))
        self.assertAlmostEqual(mach, float(rows[0]["mach"]), places=12)
        refused = self.run_case(CHANNEL % (300, 30, 'probes = "q.csv"\nprobe_points = [[0, -5, 0]]'), code=65)
        self.assertIn(b"probe 0: is at (0,-5,0), expected a point in the mesh", refused.stderr)
        self.assertFalse((self.folder / "q.csv").exists())

    def test_series(self):
        self.run_case(CHANNEL % (200, 25, 'series = "f & g.pvd"\nseries_every = 10'))
        sets = ElementTree.parse(self.folder / "f & g.pvd").getroot().findall("Collection/DataSet")
        self.assertEqual([float(s.get("timestep")) for s in sets], [10, 20, 25])
        for s in sets:
            self.assertIn(b"VTKFile", (self.folder / s.get("file")).read_bytes()[:100])

    def test_history_as_su2(self):
        self.run_case(CHANNEL % (200, 20, 'history = "a.csv"'))
        self.run_case(CHANNEL % (200, 20, 'history = "b.csv"\nhistory_columns = "su2"'))
        ours, theirs = self.table("a.csv"), self.table("b.csv")
        self.assertEqual(list(theirs[0]), ["Time_Iter", "Outer_Iter", "Inner_Iter", "rms[Rho]", "rms[RhoU]",
                                           "rms[RhoV]", "rms[RhoE]", "CD", "CL", "CSF", "CMx", "CMy", "CMz"])
        for a, b in zip(ours, theirs):
            self.assertEqual(a["iteration"], b["Inner_Iter"])
            self.assertEqual(a["lift"], b["CL"])
            self.assertAlmostEqual(math.log10(float(a["residual_density"])), float(b["rms[Rho]"]), places=12)

    def test_a_checkpoint_of_another_mesh(self):
        coarse = str(self.folder / "coarse.su2")
        self.assertEqual(self.wale("mesh", "generate", "bump", "--size", "150", "--shape", "quadrilateral",
                                   "-o", coarse).returncode, 0)
        self.run_case(CHANNEL.replace('generate = "bump"\nsize = %d', 'file = "coarse.su2"')
                      % (40, 'checkpoint = "c.flow"'))
        fine = CHANNEL % (600, 0, "")
        done = self.run_case(fine, "--restart", str(self.folder / "c.flow"), "--restart-mesh", coarse, "--json")
        report = json.loads(done.stdout)
        self.assertEqual(report["iteration"], 0)
        self.assertIn("each cell has the state of the nearest centroid", report["warnings"][0])
        self.assertNotEqual(report["last"]["residual"][0], 0)
        other = self.run_case(fine, "--restart", str(self.folder / "c.flow"), code=2)
        self.assertIn(b"--restart-mesh MESH", other.stderr)
        self.assertIn(b"c.flow: has 147 cells, expected the 588", other.stderr)
        alone = self.run_case(fine, "--restart-mesh", coarse, code=65)
        self.assertIn(b"expected restart beside it", alone.stderr)

    def test_a_sweep(self):
        case = CHANNEL.replace("check_every = 10", "stop_decades = 5").replace("order = 1", "order = 2")
        text = case % (300, 60, 'polar = "polar.csv"\npolar_picture = "polar.png"\nhistory = "h.csv"')
        report = json.loads(self.run_case(text + "[sweep]\nmach = [0.3, 0.35, 0.4]\n", "--json").stdout)
        rows = self.table("polar.csv")
        self.assertEqual([float(r["mach"]) for r in rows], [0.3, 0.35, 0.4])
        self.assertEqual({r["end"] for r in rows}, {"residual"})
        self.assertEqual([p["drag"] for p in report["polar"]], [float(r["drag"]) for r in rows])
        history = {int(r["iteration"]): float(r["residual_density"]) for r in self.table("h.csv")}
        later = int(rows[0]["iterations"]) + 1  # the second flow begins from the first one
        self.assertLess(history[later], 0.5 * history[0])
        self.assertEqual((self.folder / "polar.png").read_bytes()[1:4], b"PNG")
        alone = json.loads(self.run_case(text.replace("mach = 0.5", "mach = 0.4").replace("polar", "#")
                                         .replace('# = "#.csv"\n#_picture = "#.png"\n', ""), "--json").stdout)
        self.assertAlmostEqual(alone["last"]["drag"], float(rows[2]["drag"]), delta=1e-5)
        bad = self.run_case((text % ()).replace("iterations = 60", "iterations = 1") + "[sweep]\nmach = [0.3, 0.4]\n",
                            code=1)
        self.assertIn(b"not converged", bad.stderr)
        self.assertEqual({r["end"] for r in self.table("polar.csv")}, {"not_converged"})
        for words, says in (("", "polar and polar_picture are of a table [sweep]"),
                            ("[sweep]\nmach = []\n", "expected a list of numbers"),
                            ("[sweep]\nmach = [1]\nalpha = [1]\n", "expected either alpha or mach")):
            self.assertIn(says, self.run_case(text + words, code=65).stderr.decode())

    def test_surface_pictures(self):
        (self.folder / "cp.csv").write_text("x,cp\n0.1,-0.2\n0.5, 0.3 # tunnel\n")
        text = CHANNEL % (200, 5, 'surface_picture = "cp.png"\nsurface_reference = "cp.csv"')
        self.run_case(text)
        self.assertEqual((self.folder / "cp.png").read_bytes()[1:4], b"PNG")
        (self.folder / "cp.csv").write_text("x,cp\n0.1\n")
        self.assertIn(b"cp.csv:2: ", self.run_case(text, code=65).stderr)
        (self.folder / "cp.csv").write_text("x,cp\n")
        self.assertIn(b"no pairs of numbers", self.run_case(text, code=65).stderr)
        lost = CHANNEL % (200, 5, 'surface_reference = "cp.csv"')
        self.assertIn(b"expected that too", self.run_case(lost, code=65).stderr)


if __name__ == "__main__":
    unittest.main()
