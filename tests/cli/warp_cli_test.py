#!/usr/bin/env python3
"""`wale warp`: costs, windows, paths, many series, files of every form, bad inputs. Environment: WALE, the program."""

import gzip
import json
import struct
import unittest

from arrays import npy, npy_rows
from harness import CliTest

A = [0.0, 1.5, 3.0, 3.25, 2.0, -1.0]
B = [0.5, 0.5, 2.0, 3.5, 1.0]


def cost_of(a, b, between, window=None):
    """The least sum of costs of points along a path; points are tuples."""
    infinity = float("inf")
    table = {(-1, -1): 0.0}
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if window is not None and (i - j > window + max(0, len(a) - len(b)) or j - i > window + max(0, len(b) - len(a))):
                continue
            before = min(table.get(at, infinity) for at in ((i - 1, j - 1), (i - 1, j), (i, j - 1)))
            table[i, j] = before + sum(between(p, q) for p, q in zip(x, y))
    return table[len(a) - 1, len(b) - 1]


def absolute(p, q):
    return abs(p - q)


def squared(p, q):
    return (p - q) ** 2


def points(series):
    return [(v,) for v in series]


class Warp(CliTest):
    def setUp(self):
        super().setUp()
        self.a = self.file("a.csv", "value\n" + "".join(f"{v}\n" for v in A))
        self.b = self.file("b.txt", "# five\n" + "".join(f"{v} \r\n" for v in B) + "\n")

    def said(self, *words):
        done = self.wale("warp", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"cells in", done.stderr)
        return done.stdout.decode()

    def test_cost(self):
        x, y = points(A), points(B)
        self.assertEqual(float(self.said(self.a, self.b)), cost_of(x, y, absolute))
        self.assertEqual(float(self.said(self.a, self.b, "--cost", "squared")), cost_of(x, y, squared))
        for window in (0, 1, 2):
            said = self.said(self.a, self.b, "--window", str(window), "--variant", "reference/plain")
            self.assertEqual(float(said), cost_of(x, y, absolute, window))
        soft = float(self.said(self.a, self.b, "--gamma", "0.1"))
        self.assertLess(soft, cost_of(x, y, absolute))
        self.assertEqual(float(self.said(self.a, self.b, "--type", "float32")), cost_of(x, y, absolute))

    def test_files_of_spreadsheets_and_of_gzip(self):
        text = "".join(f"{value}\n" for value in A).encode()
        for name, content in (("mark.csv", b"\xef\xbb\xbf" + text), ("a.csv.gz", gzip.compress(text))):
            self.assertEqual(self.said(self.file(name, content), self.b), self.said(self.a, self.b))

    def test_a_first_line_that_begins_as_a_number_is_none_of_names(self):
        signed = self.file("signed.csv", "+1\n2\n")
        self.assertEqual(float(self.said(signed, self.file("plain.csv", "1\n2\n"))), 0)
        done = self.wale("warp", self.file("fortran.csv", "1d3\n2\n"), signed)
        self.assertEqual((done.returncode, b"fortran.csv:1: '1d3'" in done.stderr), (65, True), done.stderr)

    def test_points_of_several_numbers(self):
        x, y = [(0, 1), (2, 2), (3, 0.5)], [(0, 0), (3, 1)]
        text = self.file("x.csv", "east;north\n" + "".join(f"{p};{q}\n" for p, q in x))
        wanted = cost_of(x, y, absolute)
        for name, array in (("y.npy", npy_rows(y)), ("f.npy", npy("<f8", (2, 2), [0, 3, 0, 1], fortran=True))):
            self.assertEqual(float(self.said(text, self.file(name, array))), wanted)
        self.refused(65, "warp", text, self.a, says="points of 1 numbers, expected 2")

    def test_path(self):
        out = str(self.folder / "path.csv")
        self.said(self.a, self.b, "--path", "-o", out)
        with open(out) as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "first,second")
        steps = [tuple(map(int, line.split(","))) for line in lines[1:]]
        self.assertEqual((steps[0], steps[-1]), ((0, 0), (len(A) - 1, len(B) - 1)))
        self.assertTrue(all(q[0] - p[0] in (0, 1) and q[1] - p[1] in (0, 1) and p != q for p, q in zip(steps, steps[1:])))
        self.assertEqual(sum(abs(A[i] - B[j]) for i, j in steps), cost_of(points(A), points(B), absolute))
        found = json.loads(self.said(self.a, self.b, "--path", "--json"))
        self.assertEqual([tuple(step) for step in found["path"]], steps)
        self.assertEqual(found["costs"], [[cost_of(points(A), points(B), absolute)]])
        self.assertEqual((found["series"], found["dimensions"]), ([1, 1], 1))

    def test_each_with_each(self):
        series = [A, B, [1.0], A[:3]]
        text = self.file("all.csv", "".join(",".join(map(str, s)) + "\n" for s in series))
        wanted = [[cost_of(points(x), points(y), squared) for y in series] for x in series]
        said = self.said("--all", text, "--cost", "squared")
        self.assertEqual([[float(v) for v in line.split(",")] for line in said.splitlines()], wanted)
        some = self.file("some.npy", npy_rows([A[:3], A[3:]]))
        found = json.loads(self.said("--all", text, some, "--json", "--variant", "cpu/diagonals"))
        self.assertEqual(found["series"], [4, 2])
        self.assertEqual(found["costs"], [[cost_of(points(x), points(y), absolute) for y in (A[:3], A[3:])] for x in series])
        out = str(self.folder / "costs.npy")
        self.said("--all", text, "--cost", "squared", "-o", out)
        with open(out, "rb") as file:
            data = file.read()
        self.assertIn(b"'shape': (4, 4)", data)
        self.assertEqual(list(struct.unpack("<16d", data[-128:])), [v for row in wanted for v in row])

    def test_cuda(self):
        done = self.wale("warp", self.a, self.b, "--backend", "cuda")
        if done.returncode == 69:  # no device here
            self.assertIn(b"CUDA is not available", done.stderr)
            return
        self.assertEqual(float(done.stdout), cost_of(points(A), points(B), absolute), done.stderr)
        self.assertEqual(self.said(self.a, self.b, "--path", "--backend", "cuda"), self.said(self.a, self.b, "--path"))

    def test_bad_input(self):
        for words, code, part in (
            ([self.a], 2, "expected two, or --all"),
            (["-", "-"], 2, "both files"),
            ([self.a, self.b, "--path", "--all"], 2, "--path and --all"),
            ([self.a, self.b, "--path", "--gamma", "1"], 2, "no path"),
            ([self.a, self.b, "--path", "-o", str(self.folder / "p.npy")], 2, "not as npy"),
            ([self.a, self.b, "--window", "-2"], 2, "--window"),
            ([self.a, "nowhere.csv"], 66, "nowhere.csv"),
            ([self.a, self.file("x.csv", "1,1\n2,nan\n")], 65, "x.csv:2: 'nan', expected a finite number"),
            ([self.a, self.file("y.csv", "1,2\n3,,4\n")], 65, "y.csv:2: an empty field, expected a number"),
            ([self.a, self.file("z.csv", "1,2\n3\n")], 65, "lines have different numbers"),
            ([self.a, self.file("w.csv", "# nothing\n")], 65, "w.csv:1: has no line of numbers"),
            ([self.a, self.file("v.csv", "1e39\n"), "--type", "f32"], 65, "beyond float32"),
            ([self.a, self.file("n.npy", npy_rows([[float("inf")]]))], 65, "n.npy"),
        ):  # fmt: skip
            done = self.wale("warp", *words)
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(part.encode(), done.stderr.lower() if part.islower() else done.stderr)
            self.assertEqual(done.stdout, b"")


if __name__ == "__main__":
    unittest.main()
