#!/usr/bin/env python3
"""A system that refuses threads, or memory to one thread of a team: every verb that uses threads ends soon, with its
answer or with exit code 71. Environment: WALE, the program; WALE_FAULTS, the folder of the libraries for LD_PRELOAD."""

import array
import json
import math
import os
import pathlib
import pty
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from harness import dna  # noqa: E402
from euler_cli_test import SHELL  # noqa: E402
from arrays import npy_head, npy_rows  # noqa: E402

WALE = os.environ["WALE"]
LIBRARIES = pathlib.Path(os.environ["WALE_FAULTS"])
LONGEST = 60  # seconds that a run may take; those without a fault take a few
THREADS = 4
# Where not all questions are asked (tests/thinned.hpp), the first thread and the last one.
FAULTS = (1, THREADS) if int(os.environ.get("WALE_ONE_QUESTION_IN", "1")) > 1 else range(1, THREADS + 1)


def image(shape, kind, code):
    """Noise as NPY, of 8 bits or of one."""
    noise = random.Random(1).randbytes(math.prod(shape))
    values = array.array(code, (v >> 7 if kind == "|b1" else v for v in noise))
    return npy_head(kind, shape) + values.tobytes()


class Faults:
    """Every verb under a fault that `library` causes at the k-th time, where the variable `asks` says k."""

    library, asks, message = "", "", ""
    first_fails = False  # whether every case meets the first fault

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="wale_faults_"))
        source = random.Random(5)
        records = "".join(f">{k}\n{dna(300, k)}\n" for k in range(3000))
        order = 400
        matrix = [[source.random() for _ in range(order)] for _ in range(order)]
        chains, unknowns = 600, 1000
        row = [[1.0] * unknowns for _ in range(chains)]
        files = {
            "a.fa": f">a\n{dna(60000, 1)}\n", "b.fa": f">b\n{dna(60000, 2)}\n", "many.fa": records,
            "grey.npy": image((1500, 1500), "|u1", "B"), "deep.npy": image((1500, 1500), "<i4", "i"),
            "bits.npy": image((3000, 3000), "|b1", "B"), "pages.npy": image((8, 200, 200), "|u1", "B"),
            "a.npy": npy_rows(matrix), "b.npy": npy_rows([r[:50] for r in matrix]),
            "off.npy": npy_rows(row), "diagonal.npy": npy_rows([[4.0] * unknowns] * chains),
            "long.npy": npy_rows([[1.0] * 1000000]), "longd.npy": npy_rows([[4.0] * 1000000]),
            "case.toml": SHELL.replace("1500", "20000") % 20 + '[output]\nflow = "flow.vtu"\n',
        }  # fmt: skip
        for name, content in files.items():
            (cls.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        cls.good("mesh", "generate", "shell", "--size", "20000", "-o", "shell.su2")
        cls.good("mesh", "generate", "shell", "--size", "20000", "-o", "shell.fvcorr")
        cls.good("mesh", "generate", "shell", "--size", "100000", "-o", "shell.wmesh")
        cls.good("tree", "grow", "-o", "cell.swc")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def wale(cls, words, fault=None, stderr=subprocess.PIPE):
        variables = dict(os.environ)
        if fault is not None:
            variables |= {"LD_PRELOAD": str(LIBRARIES / cls.library), cls.asks: str(fault)}
            variables["ASAN_OPTIONS"] = "verify_asan_link_order=0"  # the library stands before libasan
        return subprocess.run([WALE, *words], cwd=cls.folder, env=variables, stdout=subprocess.PIPE, stderr=stderr,
                              timeout=LONGEST)  # fmt: skip

    @classmethod
    def good(cls, *words):
        done = cls.wale(words)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def check(self, *words, output=None, named=True):
        """With `output` the answer is that file, which -o names or the words themselves; else what is printed."""
        words = [*words, "-t", str(THREADS)]
        path = self.folder / (output or "none")
        if output and named:
            words += ["-o", output]
        said = self.good(*words)
        answer = path.read_bytes() if output else said
        codes = []
        for fault in FAULTS:
            path.unlink(missing_ok=True)
            done = self.wale(words, fault)
            codes.append(done.returncode)
            message = done.stderr.decode()
            self.assertIn(done.returncode, (0, 71), f"{words} {fault}: {message}")
            if done.returncode == 0:
                self.assertEqual(path.read_bytes() if output else done.stdout, answer, f"{words} {fault}")
            else:
                self.assertRegex(message, rf"^wale: error: {self.message}.*\n\Z")
                self.assertEqual(done.stdout, b"", words)
                self.assertFalse(path.exists(), words)
        path.unlink(missing_ok=True)
        if self.first_fails:
            self.assertEqual(codes[0], 71, f"{words} wants no thread: the case tests nothing")

    def test_align(self):
        for measure in "lcs", "edit":
            self.check("align", "a.fa", "b.fa", "--measure", measure, output="out.tsv")
            self.check("align", "many.fa", "many.fa", "--pairs", "--measure", measure, "--variant", "cpu/lanes")
            self.check("align", "many.fa", "many.fa", "--pairs", "--measure", measure, "--variant", "cpu/pairs")
        self.check("align", "a.fa", "b.fa", "--string")

    def test_reconstruct(self):
        self.check("reconstruct", "h-domes", "grey.npy", "--h", "40", output="out.npy")
        for variant in "hybrid", "fifo", "raster", "downhill":
            row = ["--batch", "--variant", f"cpu/{variant}"]
            self.check("reconstruct", "h-domes", "pages.npy", "--h", "40", *row, output="out.npy")
        self.check("reconstruct", "fill-holes", "deep.npy", "--verify", output="out.npy")
        self.check("reconstruct", "fill-holes", "bits.npy", "--variant", "cpu/bits", output="out.npy")
        self.check("reconstruct", "opening", "grey.npy", "--size", "9", output="out.npy")

    def test_lu(self):
        for variant in "recursive", "blocked", "row_column", "row_column_copy":
            row = ["--variant", f"cpu/{variant}", "--pivoting", "partial" if variant == "recursive" else "none"]
            self.check("lu", "factor", "a.npy", *row, output="out.npy")
        self.check("lu", "solve", "a.npy", "--rhs", "b.npy", output="out.npy")
        self.check("lu", "solve", "a.npy", "--rhs", "b.npy", "--refined", output="out.npy")
        self.check("lu", "inverse", "a.npy", output="out.npy")

    def test_tree(self):
        for variant, off, diagonal in (
            ("lanes", "off.npy", "diagonal.npy"), ("thomas", "off.npy", "diagonal.npy"),
            ("partition", "long.npy", "longd.npy"),
        ):  # fmt: skip
            arrays = ["--lower", off, "--diagonal", diagonal, "--upper", off, "--rhs", diagonal]
            self.check("tree", "solve", *arrays, "--variant", f"cpu/{variant}", output="out.npy")
        for variant in "lanes", "compartments":
            row = ["--cells", "64", "--tstop", "1", "--probe", "soma", "--variant", f"cpu/{variant}"]
            self.check("tree", "cable", "cell.swc", "--membrane", "hh", *row, output="out.csv")

    def test_euler(self):
        for variant in "vectors", "one_pass", "five_passes":
            self.check("euler", "case.toml", "--variant", f"cpu/{variant}", output="flow.vtu", named=False)

    def test_meshes(self):
        for name in "shell.fvcorr", "shell.wmesh":
            self.check("mesh", "convert", name, "out.sac", output="out.sac", named=False)


class RefusedThreads(Faults, unittest.TestCase):
    library, asks = "libfailing_thread.so", "WALE_FAIL_THREAD"
    message = r"threads: is \d+, of which the system starts \d+ "
    first_fails = True

    def test_study(self):
        """A row that cannot run is skipped."""
        for solver, operation, size in ("wavefront", "lcs_length", "20000"), ("lu", "pivoted", "400"):
            words = ["study", solver, "--operation", operation, "--sizes", size, "--backend", "cpu", "--repeats", "1"]
            for fault in 1, 2:  # threads stay for the next row: no row asks for more
                done = self.wale([*words, "-t", str(THREADS), "--json"], fault)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(any("the system starts" in s for s in json.loads(done.stdout)["skipped"]))

    def test_without_a_thread_for_the_progress_line(self):
        """On a terminal the line has a thread of its own; without that thread the work goes on."""
        words = ["align", "a.fa", "b.fa", "-t", "1"]
        answer = self.good(*words)
        ours, theirs = pty.openpty()
        try:
            done = self.wale(words, 1, stderr=theirs)
        finally:
            os.close(ours)
            os.close(theirs)
        self.assertEqual((done.returncode, done.stdout), (0, answer))


class FailedAllocations(Faults, unittest.TestCase):
    """One thread throws std::bad_alloc while the others may wait for it."""

    library, asks = "libfailing_memory.so", "WALE_FAIL_ALLOCATION"
    message = ".*host memory"


if __name__ == "__main__":
    unittest.main()
