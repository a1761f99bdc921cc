#!/usr/bin/env python3
"""`wale tree cable` and `wale tree grow`: tables, spikes, words, bad inputs. Environment: WALE, the program."""

import json
import math
import unittest

from harness import CliTest

BALL = "1 1 0 0 0 10 -1\n"
FORK = "# a fork\n1 1 0 0 0 10 -1\n2 3 10 0 0 1 1\n3 3 110 0 0 1 2\n4 3 160 50 0 0.5 3\n5 3 160 -50 0 0.5 3\n"


def rows_of(text):
    lines = text.decode().split("\n")
    assert lines[-1] == ""
    return lines[0].split(","), [[float(x) for x in line.split(",")] for line in lines[1:-1]]


class Cable(CliTest):
    def setUp(self):
        super().setUp()
        self.ball = self.file("ball.swc", BALL)
        self.fork = self.file("fork.swc", FORK)

    def good(self, *words):
        done = self.wale(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr.decode(), r"^wale: tree (cable|grow), .*\n$")
        return done

    def test_a_ball_relaxes(self):
        run = self.good("tree", "cable", self.ball, "--initial", "-50", "--membrane", "passive,g=0.001,e=-70",
                        "--tstop", "5", "--dt", "0.01", "--method", "crank-nicolson")
        names, rows = rows_of(run.stdout)
        self.assertEqual(names, ["time [ms]", "soma [mV]"])
        self.assertEqual(len(rows), 500)
        for t, v in rows:
            self.assertAlmostEqual(v, -70 + 20 * math.exp(-t), delta=1e-3)

    def test_rows_of_every_backend_agree(self):
        words = ["--membrane", "hh", "--clamp", "1,5,0.5:2@3", "--cells", "3", "--tstop", "8", "--sample-every", "20",
                 "--probe", "soma", "--probe", "4"]
        expected = rows_of(self.good("tree", "cable", self.fork, *words, "--backend", "reference").stdout)
        self.assertEqual(expected[0][:4], ["time [ms]", "soma of cell 0 [mV]", "4 of cell 0 [mV]", "soma of cell 1 [mV]"])
        self.assertEqual(len(expected[1]), 16)
        for row in ("cpu/lanes", "cpu/compartments"):
            found = rows_of(self.good("tree", "cable", self.fork, *words, "--variant", row).stdout)
            for a, b in zip(expected[1], found[1]):
                for x, y in zip(a, b):
                    self.assertAlmostEqual(x, y, delta=1e-8)

    def test_json_tells_spikes_and_sections(self):
        run = self.good("tree", "cable", self.fork, "--membrane", "hh", "--clamp", "1,2,3", "--tstop", "10", "--json",
                        "--sections", "-o", str(self.folder / "v.csv"))
        said = json.loads(run.stdout)
        self.assertEqual(len(said["probes"][0]["spikes_ms"]), 1)
        self.assertEqual(said["points"], 5)
        self.assertEqual(said["steps"], 400)
        self.assertEqual([s["parent"] for s in said["sections"]], [-1, 0, 1, 1])
        self.assertEqual(said["compartments"], len(said["compartment_list"]))
        area = sum(c["area_um2"] for c in said["compartment_list"])
        cones = 400 * math.pi + 200 * math.pi + 2 * 1.5 * math.pi * math.hypot(50, 50, 0.5)
        self.assertAlmostEqual(area / cones, 1, delta=1e-9)  # the forks taper from 1 to 0.5
        with open(str(self.folder / "v.csv"), "rb") as file:
            self.assertEqual(len(rows_of(file.read())[1]), 400)

    def test_regions_have_their_own_membranes(self):
        words = ["--tstop", "200", "--dt", "1", "--sample-every", "200"]
        all_of_it = rows_of(self.good("tree", "cable", self.fork, "--membrane", "passive,e=-60", *words).stdout)[1][0][1]
        soma_only = rows_of(self.good("tree", "cable", self.fork, "--membrane", "passive,e=-60", "--membrane",
                                    "soma=passive,e=-80", *words).stdout)[1][0][1]
        self.assertAlmostEqual(all_of_it, -60, delta=1e-6)
        self.assertTrue(-80 < soma_only < -60)

    def test_bad_words(self):
        for words, what in [
            (["--membrane", "squid"], "'squid', expected passive or hh"),
            (["--membrane", "tail=hh"], "has 'tail', expected soma, axon"),
            (["--membrane", "hh,x=1"], "has 'x=1', expected cm="),
            (["--membrane", "hh,g=a"], "g: is 'a', expected a number of at least 0"),
            (["--clamp", "1,2"], "expected DELAY,DURATION,CURRENT"),
            (["--clamp", "1,-2,3"], "--clamp '1,-2,3' duration: is '-2', expected a number of at least 0"),
            (["--clamp", "1,2,3@77"], "place: is '77', expected soma or the number of a point"),
            (["--sections"], "--sections requires --json"),
            (["--probe", "nose"], "--probe: is 'nose', expected a whole number"),
        ]:
            self.refused(2, "tree", "cable", self.fork, *words, says=what)

    def test_bad_forms(self):
        for name, text, code, what in [
            ("empty.swc", "", 65, "has no points"),
            ("cycle.swc", "1 1 0 0 0 1 -1\n2 3 0 0 0 1 3\n3 3 0 0 0 1 2\n", 65, "cycle.swc:2: point 2 is among its own"),
            ("twice.swc", BALL + BALL, 65, "twice.swc:2: point 1 stands here again"),
            ("thin.swc", "1 1 0 0 0 0 -1\n", 65, "thin.swc:1: radius 0"),
        ]:
            self.refused(code, "tree", "cable", self.file(name, text), says=what)

    def test_forms_of_other_programs(self):
        plain = self.good("tree", "cable", self.fork, "--tstop", "1").stdout
        commented = "".join(line + "  # point\n" for line in FORK.splitlines()[1:])
        self.assertEqual(self.good("tree", "cable", self.file("c.swc", commented), "--tstop", "1").stdout, plain)
        floats = "".join("\t".join([*(w + ".0" for w in line.split()[:2]), *line.split()[2:], "9"]) + "\r\n"
                         for line in FORK.splitlines()[1:])
        self.assertEqual(self.good("tree", "cable", self.file("f.swc", floats), "--tstop", "1").stdout, plain)
        thin = self.file("thin.swc", FORK.replace("110 0 0 1 2", "110 0 0 0 2"))
        done = self.wale("tree", "cable", thin, "--tstop", "1", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stderr.decode().splitlines()
        self.assertRegex(lines[0], r"^wale: warning: .*thin\.swc:4: radius 0, 1 such point; each takes its parent's")
        self.assertEqual(len(lines), 2)
        self.assertEqual(json.loads(done.stdout)["thickened_points"], 1)

    def test_what_memory_cannot_hold(self):
        many_steps = ["--tstop", "1e12"]
        for words, what in [
            (many_steps, "samples of 1 probes"),
            ([*many_steps, "--sample-every", "4"], "samples of 1 probes"),
            (["--cells", "100000000", "--max-length", "0.01"], "100000000 cells of"),
        ]:
            (line,) = self.refused(71, "tree", "cable", self.fork, *words, says=what)
            self.assertRegex(line, r": needs \d{14,} bytes, \d+ are available$")

    def test_numbers_without_sense(self):
        for option, values in {
            "--dt": ["-1", "0", "nan", "inf", "1e-300"],
            "--tstop": ["-1", "nan", "inf", "1e300"],
            "--cells": ["0", "-1", "1e30"],
            "--max-length": ["-1", "nan", "1e-30"],
            "--ra": ["0", "-1", "nan", "inf"],
            "--celsius": ["nan", "1e9", "-300"],
            "--q10": ["0", "inf"],
            "--initial": ["nan", "inf"],
            "--threshold": ["nan"],
            "--sample-every": ["0", "-3"],
            "--clamp": ["nan,1,1", "1,1,inf"],
            "--membrane": ["passive,g=nan", "passive,cm=0", "hh,gna=-1"],
        }.items():
            for value in values:
                with self.subTest(option=option, value=value):
                    self.refused(2, "tree", "cable", self.fork, option, value)

    def test_methods(self):
        words = ["--initial", "-50", "--membrane", "passive,g=0.001,e=-70", "--tstop", "5", "--dt", "0.01"]
        ends = [rows_of(self.good("tree", "cable", self.ball, *words, "--method", m).stdout)[1][-1][1]
                for m in ("backward-euler", "crank-nicolson", "sdirk2")]
        exact = -70 + 20 * math.exp(-5)
        self.assertGreater(abs(ends[0] - exact), 1e-3)
        self.assertLess(abs(ends[1] - exact), 1e-5)
        self.assertLess(abs(ends[2] - exact), 1e-5)
        help_text = " ".join(self.wale("tree", "cable", "--help").stdout.decode().split())  # lines are wrapped
        self.assertIn("rings as NEURON's does", help_text)
        self.refused(2, "tree", "cable", self.ball, "--method", "euler", says="--method")

    def test_grow(self):
        first, again = (self.good("tree", "grow", "--seed", "3", "--levels", "2").stdout for _ in range(2))
        self.assertEqual(first, again)
        self.assertTrue(first.startswith(b"# "))
        path = str(self.folder / "grown.swc")
        self.good("tree", "grow", "--seed", "3", "--levels", "2", "-o", path)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), first)
        run = self.good("tree", "cable", path, "--tstop", "1")
        self.assertEqual(len(rows_of(run.stdout)[1]), 40)


if __name__ == "__main__":
    unittest.main()
