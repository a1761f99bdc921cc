"""What the tests of the command line share: the case that runs the program, and the plain definitions of answers.
Environment: WALE, the program."""

import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

WALE = os.environ["WALE"]


def plain_lcs(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal = 0
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], diagonal + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]


def plain_edit(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(diagonal + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def dna(length, seed):
    return "".join(random.Random(seed).choices("ACGT", k=length))


def mpirun_words(ranks):
    return [os.environ["MPIRUN"], "--oversubscribe", "-np", str(ranks), WALE]


def mpirun_environment():
    """Under mpirun, more ranks than processors, as root too (containers). What MPI leaks is not asked."""
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "ASAN_OPTIONS": "detect_leaks=0"}
    return {**os.environ, **root}


def mpirun(ranks, *words, **more):
    return subprocess.run([*mpirun_words(ranks), *words], capture_output=True, text=True, timeout=300,
                          env=mpirun_environment(), **more)


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wale_cli_"))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def wale(self, *words, stdin=None, **more):
        return subprocess.run([WALE, *words], input=stdin, capture_output=True, timeout=120, **more)

    def table(self, *words, **more):
        done = self.wale("align", *words, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.decode().splitlines()
        names = lines[0].split("\t")
        return [dict(zip(names, line.split("\t"))) for line in lines[1:]]

    def refused(self, code, *words, says="", **more):
        done = self.wale(*words, **more)
        message = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, code, message)
        lines = message.splitlines()
        self.assertTrue(lines and lines[0].startswith("wale: error: "), message)
        self.assertTrue(all(line.startswith("wale: hint: ") for line in lines[1:]) and len(lines) <= 2, message)
        self.assertIn(says, lines[0])
        return lines
