#!/usr/bin/env python3
"""Inputs that the system cannot read, in every format: folders, and memory that is no file. Reads that fail later are
asked by `failing_verbs` of tests/trust. Environment: WALE, the program."""

import unittest

from harness import CliTest
from arrays import dat, mtx, npy, npy_rows
from images import png
from mesh_cli_test import GMSH

ROWS = [[4.0, 1.0], [1.0, 3.0]]
CASE = '[mesh]\ngenerate = "shell"\nsize = 100\n[run]\niterations = 1\n'


class ReadFaults(CliTest):
    def inputs(self):
        """Files of every format, and the words that read them."""
        for name, content in [("a.mtx", mtx(ROWS)), ("a.dat", dat(ROWS)), ("a.npy", npy_rows(ROWS))]:
            yield self.file(name, content), ["lu", "det"]
        image = [[(7 * x + y) % 200 for x in range(64)] for y in range(64)]
        flat = self.file("p.png", png(image))
        yield flat, ["reconstruct", "fill-holes", "-o", str(self.folder / "out.png")]
        yield self.file("p.npy", npy("|u1", (8, 8), range(64))), ["reconstruct", "fill-holes", "-o",
                                                                 str(self.folder / "out.npy")]
        self.made("reconstruct", "fill-holes", flat, "-o", str(self.folder / "p.tif"))
        yield str(self.folder / "p.tif"), ["reconstruct", "fill-holes", "-o", str(self.folder / "out.tif")]
        yield self.file("case.txt", "2\n0 0.0 0.0 1.0 4.0 -1\n1 1.0 1.0 1.0 4.0 0\n"), ["tree", "info"]
        self.made("tree", "grow", "-o", str(self.folder / "n.swc"))
        yield str(self.folder / "n.swc"), ["tree", "info"]
        for name in "m.wmesh", "m.fvcorr", "m.sac", "m.su2":
            self.made("mesh", "generate", "shell", "--size", "200", "-o", str(self.folder / name))
            yield str(self.folder / name), ["mesh", "check"]
        yield self.file("m.msh", GMSH), ["mesh", "check"]
        yield self.file("case.toml", CASE), ["euler"]
        yield self.file("s.fa", ">a\n" + "ACGT" * 40 + "\n"), ["align", self.file("t.fa", ">b\nA\n")]
        yield self.file("s.fq", "@a\n" + "ACGT" * 40 + "\n+\n" + "IIII" * 40 + "\n"), ["align", str(self.folder / "t.fa")]
        self.file("start.toml", CASE + '[output]\ncheckpoint = "c.flow"\n')
        self.made("euler", str(self.folder / "start.toml"))
        yield str(self.folder / "c.flow"), ["euler", str(self.folder / "case.toml"), "--restart"]

    def made(self, *words):
        done = self.wale(*words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_folders_and_memory(self):
        for path, words in self.inputs():
            with self.subTest(path=path):
                self.refused(66, *words, str(self.folder), says="Is a directory")
                self.refused(66, *words, "/proc/self/mem", says="/proc/self/mem: Input/output error")


if __name__ == "__main__":
    unittest.main()
