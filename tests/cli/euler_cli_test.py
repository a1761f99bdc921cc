#!/usr/bin/env python3
"""`wale euler`: cases, outputs, going on from a checkpoint, bad cases. Environment: WALE, the program."""

import json
import struct
import unittest
import zlib

from harness import CliTest

SHELL = """
[mesh]
generate = "shell"
size = 1500
[stream]
mach = 1.2
alpha = 3.0
[scheme]
name = "rodinia"
[run]
iterations = %d
check_every = 10
"""

TUBE = """
[mesh]
generate = "tube"
size = 100
shape = "quadrilateral"
[boundary.left]
kind = "pressure_outlet"
pressure = 1
[boundary.right]
kind = "pressure_outlet"
pressure = 0.1
[boundary.sides]
kind = "symmetry"
[scheme]
flux = "hllc"
order = 1
step = "global"
time = "ssp_rk3"
cfl = 0.5
[run]
start = "sod"
end_time = 0.2
iterations = 100000
"""


def pixels_of(path):
    """Width, height and whether the bytes of a PNG unpack."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    assert len(zlib.decompress(packed)) == height * (3 * width + 1)
    return width, height


class Euler(CliTest):
    def case(self, text, name="case.toml"):
        return self.file(name, text)

    def good(self, *words):
        done = self.wale("euler", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr.decode(), r"^wale: euler, .*\n$")
        return done

    def test_outputs_appear_beside_the_case(self):
        text = SHELL % 20 + """
[output]
history = "history.csv"
flow = "flow.vtu"
surface = "surface.vtu"
surface_table = "surface.csv"
checkpoint = "flow.checkpoint"
rodinia = "out"
picture = "mach.png"
"""
        said = json.loads(self.good(self.case(text), "--json", "--samples").stdout)
        cells = said["cells"]
        self.assertEqual(said["iteration"], 20)
        self.assertEqual(said["end"], "iterations")
        self.assertEqual([s["iteration"] for s in said["samples"]], [0, 10, 20])
        history = (self.folder / "history.csv").read_text().splitlines()
        self.assertEqual(len(history), 4)
        self.assertTrue(history[0].startswith("iteration,time,residual_density,"))
        surface = (self.folder / "surface.csv").read_text().splitlines()
        self.assertTrue(any(line.startswith("wall,") for line in surface))
        self.assertTrue((self.folder / "flow.vtu").read_bytes().startswith(b"<?xml"))
        for name, columns in (("density", 1), ("momentum", 3), ("density_energy", 1)):
            lines = (self.folder / ("out." + name)).read_text().splitlines()
            self.assertEqual(lines[0], f"{cells} {cells}")
            self.assertEqual(len(lines), cells + 1)
            self.assertTrue(all(len(line.split()) == columns for line in lines[1:]))
        self.assertEqual(pixels_of(self.folder / "mach.png"), (960 + 180, 640))  # with the bar of colours

    def density(self, *words):
        self.good(*words)
        return (self.folder / "out.density").read_bytes()

    def test_going_on_gives_the_bits_of_the_unbroken_run(self):
        whole = self.density(self.case(SHELL % 40 + '[output]\nrodinia = "out"\nhistory = "whole.csv"\n'))
        self.good(self.case(SHELL % 23 + '[output]\ncheckpoint = "flow.checkpoint"\n'))
        rest = self.density(self.case(SHELL % 17 + '[output]\nrodinia = "out"\nhistory = "rest.csv"\n'), "--restart",
                            str(self.folder / "flow.checkpoint"))
        self.assertEqual(whole, rest)
        unbroken = (self.folder / "whole.csv").read_text().splitlines()
        # Ending at 23 took a measurement more.
        broken = [line for line in (self.folder / "rest.csv").read_text().splitlines() if not line.startswith("23,")]
        self.assertEqual(unbroken, broken)

    def test_checkpoints_on_the_way_change_no_bit(self):
        whole = self.density(self.case(SHELL % 40 + '[output]\nrodinia = "out"\n'))
        often = self.density(self.case(SHELL % 40 + '[output]\nrodinia = "out"\ncheckpoint = "c"\ncheckpoint_every = 7\n'))
        self.assertEqual(whole, often)

    def test_every_row_gives_the_same_flow(self):
        expected = None
        for words in (["-b", "reference"], ["-b", "cpu"], ["--variant", "cpu/one_pass", "-t", "3"],
                      ["--variant", "cpu/five_passes"]):
            found = [float(x) for x in self.density(self.case(SHELL % 30 + '[output]\nrodinia = "out"\n'), *words).split()]
            expected = expected or found
            for a, b in zip(expected, found):
                self.assertAlmostEqual(a, b, delta=1e-11)

    def test_the_tube_ends_at_its_time(self):
        said = json.loads(self.good(self.case(TUBE + '[output]\nrodinia = "out"\n'), "--json").stdout)
        self.assertEqual(said["end"], "time")
        self.assertEqual(said["time"], 0.2)
        density = [float(line) for line in (self.folder / "out.density").read_text().splitlines()[1:]]
        # Between contact and shock, and what no wave has reached (Sod 1978).
        self.assertAlmostEqual(min(density), 0.125, delta=1e-5)
        self.assertAlmostEqual(max(density), 1, delta=1e-5)
        self.assertTrue(any(abs(d - 0.2656) < 0.01 for d in density))

    def test_a_flow_that_diverges_is_told_and_kept(self):
        text = SHELL.replace('name = "rodinia"', 'name = "rodinia"\ncfl = 30.0') % 2000
        done = self.wale("euler", self.case(text + '[output]\ncheckpoint = "flow.checkpoint"\n'), "-b", "reference")
        self.assertEqual(done.returncode, 1)
        last = done.stderr.decode().splitlines()[-1]
        self.assertRegex(last, r"^wale: error: .*cell \d+ at \(.*\) has a nonphysical state after iteration \d+; the flow is kept")
        self.assertTrue((self.folder / "flow.checkpoint").exists())

    def test_a_flow_that_does_not_settle_is_a_bad_verdict(self):
        text = SHELL % 40 + "stop_decades = 9\n[output]\nhistory = 'h.csv'\ncheckpoint = 'c'\n"
        for more in ("", "checkpoint_every = 7\n"):
            done = self.wale("euler", self.case(text + more), "--json")
            self.assertEqual(done.returncode, 1)
            said = json.loads(done.stdout)
            self.assertEqual(said["end"], "not_converged")
            self.assertEqual(said["iterations"], 40)
            self.assertTrue(0 < said["decades"] < 9)
            self.assertTrue(0 <= said["worst_cell"] < said["cells"])
            self.assertEqual(len(said["worst_place"]), 3)
            self.assertRegex(done.stderr.decode().splitlines()[-1],
                             r"not converged after iteration 40: the residual of density fell by [\d.]+ decades, "
                             r"expected 9; the residual is largest in cell \d+ at \(.*\)")
            self.assertTrue((self.folder / "h.csv").exists())
        limited = ("[mesh]\ngenerate = 'bump'\nsize = 48\n[stream]\nmach = 0.4\n[scheme]\nlimiter = 'barth_jespersen'\n"
                   "[run]\niterations = 3\nstop_decades = 12\n")
        self.assertIn(b"; limiter barth_jespersen may keep a flow from resting, smooth does not; the residual is",
                      self.wale("euler", self.case(limited)).stderr)
        self.assertEqual(self.wale("euler", self.case(text), "-n", "0").returncode, 0)
        # Half a decade is met on the way, between checkpoints.
        met = json.loads(self.good(self.case((text + "checkpoint_every = 7\n").replace("decades = 9", "decades = 0.5")
                                             .replace("= 40", "= 400")), "--json").stdout)
        self.assertEqual(met["end"], "residual")
        self.assertIsNone(met["worst_cell"])

    def test_ends_that_do_not_suit_the_flow_are_noted(self):
        bump = "[mesh]\ngenerate = 'bump'\nsize = 48\n[stream]\nmach = 0.4\n[run]\niterations = 1\n"
        said = json.loads(self.good(self.case(bump), "--json").stdout)
        self.assertEqual(said["warnings"], [])
        (force,) = said["forces"]
        self.assertEqual((force["patch"], force["lift"]), ("wall", said["last"]["lift"]))
        done = self.wale("euler", self.case(bump + "[boundary.outflow]\nkind = 'outflow'\n"), "--json")
        self.assertEqual(done.returncode, 0)
        (warning,) = json.loads(done.stdout)["warnings"]
        self.assertRegex(warning, r"^patch 'outflow': outflow is for gas that leaves faster than sound")
        self.assertIn(b"\nwale: note: " + warning.encode() + b"\n", done.stderr)

    def test_what_is_said_of_json_needs_json(self):
        for words in (["-o", str(self.folder / "out.json")], ["--samples"]):
            done = self.wale("euler", self.case(SHELL % 1), *words)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr.decode(), r"(?m)^wale: error: .*--json")
            self.assertFalse((self.folder / "out.json").exists())

    def bad_case(self, text, pattern, code=65):
        done = self.wale("euler", self.case(text))
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr.decode(), r"^wale: error: " + pattern + r".*\n$")

    def test_bad_cases_are_refused_with_their_line(self):
        self.bad_case("[mesh\n", r".*case.toml:1: ")
        self.bad_case("[stream]\nmach = 1.2\n", r".*case.toml:1: no mesh")
        self.bad_case("[mesh]\ngenerate = 'shell'\nsizes = 3\n", r".*case.toml:3: unknown word 'sizes'")
        self.bad_case("[mesh]\ngenerate = 'ball'\n", r".*case.toml:2: mesh.generate: is 'ball', expected one of shell")
        self.bad_case("[mesh]\ngenerate = 'tube'\n[stream]\nmach = -1\n", r".*case.toml:4: stream.mach: is -1, expected")
        self.bad_case("[mesh]\ngenerate = 'tube'\n[stream]\nmach = nan\n", r".*case.toml:4: stream.mach: is nan, expected")
        self.bad_case("[mesh]\ngenerate = 'wedge'\nangle = 70\n", r".*case.toml:3: mesh.angle: is 70, expected a number from 0 to 40")
        self.bad_case("[mesh]\ngenerate = 'tube'\nfile = 'x'\n", r".*: mesh: expected either file or generate")
        self.bad_case("[mesh]\nfile = 'nothing.su2'\n", r".*nothing.su2", 66)
        self.bad_case("[mesh]\ngenerate = 'tube'\nshape = 'quadrilateral'\n", r".*case.toml: patches: the mesh has 'left', expected its kind")
        tube = "[mesh]\ngenerate = 'tube'\n[boundary.right]\nkind = 'outflow'\n"
        self.bad_case(tube + "[boundary.letf]\nkind = 'wall'\n", r".*case.toml:5: boundary 'letf', expected a patch of the "
                      "mesh: 'left', 'right', 'sides'")
        self.good(self.file("box.toml", "[mesh]\ngenerate = 'shell'\nsize = 100\n[run]\niterations = 1\n"))
        self.assertEqual(self.wale("mesh", "generate", "shell", "--size", "100", "-o", self.folder / "m.su2").returncode, 0)
        self.bad_case("[mesh]\nfile = 'm.su2'\n[boundary.body]\nkind = 'wall'\n",
                      r".*case.toml:3: boundary 'body', expected a patch of the mesh '.*/m.su2': 'wall', 'farfield'")
        self.bad_case("[mesh]\nfile = 'm.su2'\n[boundary]\nperiodic = [['wall', 'farfeild']]\n",
                      r".*case.toml:4: boundary 'farfeild', expected a patch of the mesh")
        self.bad_case((SHELL % 1).replace("[run]", "[run]\nrestart = 'nothing'"), r".*nothing", 66)

    def test_a_checkpoint_must_fit(self):
        self.good(self.case(SHELL % 1 + '[output]\ncheckpoint = "c"\n'))
        whole = (self.folder / "c").read_bytes()
        other = self.case(SHELL.replace("1500", "3000") % 1, "other.toml")
        self.assertEqual(self.wale("euler", other, "--restart", str(self.folder / "c")).returncode, 2)
        for name, bytes_ in (("cut", whole[:-8]), ("long", whole + b"12345678"), ("empty", b""),
                             ("altered", whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:])):
            (self.folder / name).write_bytes(bytes_)
            done = self.wale("euler", self.case(SHELL % 1), "--restart", str(self.folder / name))
            self.assertEqual(done.returncode, 65, (name, done.stderr))


if __name__ == "__main__":
    unittest.main()
