#!/usr/bin/env python3
"""Every command of README.md runs as it stands, in a folder with the files that it names. Environment: WALE."""

import gzip
import pathlib
import random
import re
import subprocess
import unittest

from harness import WALE, CliTest, dna
from lu_cli_test import npy
from images import png

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
CASE = '[mesh]\nfile = "wing.su2"\n[stream]\nmach = 0.8\n[run]\niterations = 10\n'


def commands():
    """Lines of the blocks of shell commands, without their comments."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    return [re.sub(r"\s+#.*", "", line) for block in blocks for line in block.splitlines()]


class Readme(CliTest):
    def setUp(self):
        super().setUp()
        self.file("strain1.fa", ">first\n" + dna(3000, 1))
        self.file("strain2.fa", ">second\n" + dna(3100, 2))
        self.file("alleles.fa", "".join(f">allele{k}\n{dna(200, k)}\n" for k in range(3)))
        reads = "".join(f"@read{k}\n{dna(200, k)}\n+\n{'I' * 200}\n" for k in range(5))
        self.file("amplicons.fq.gz", gzip.compress(reads.encode()))
        source = random.Random(3)
        self.file("cells.png", png([[source.randrange(256) for _ in range(60)] for _ in range(40)]))
        heights = self.file("terrain.npy", npy([[source.random() for _ in range(50)] for _ in range(50)], "f4"))
        self.wale("reconstruct", "h-maxima-transform", heights, "--h", "0.1", "-o", self.folder / "terrain.tif")
        for name, value in ("l", 1.0), ("d", 4.0), ("u", 1.0), ("b", 2.0):
            self.file(f"{name}.npy", npy([[value] * 100] * 3))
        self.file("case.toml", CASE)

    def test_commands(self):
        lines = commands()
        self.assertGreater(len(lines), 10)
        self.assertTrue(all(line.startswith("wale ") for line in lines), lines)
        for line in lines:
            done = subprocess.run(["sh", "-ec", f'wale() {{ "{WALE}" "$@"; }}\n{line}'], cwd=self.folder,
                                  capture_output=True, timeout=300)  # fmt: skip
            self.assertEqual(done.returncode, 0, f"{line}\n{done.stderr.decode()}")
            for output in re.findall(r"-o (\S+)", line):
                self.assertTrue((self.folder / output.rstrip(";")).exists(), line)


if __name__ == "__main__":
    unittest.main()
