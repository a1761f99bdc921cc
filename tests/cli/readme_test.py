#!/usr/bin/env python3
"""Every command and every C++ snippet of README.md and the pages under docs runs as it stands, in a folder with the
files that its page names. Environment: WALE; CXX, a compiler, empty where binaries are instrumented."""

import gzip
import io
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import unittest
import zipfile

from harness import WALE, CliTest, dna
from arrays import npy_rows
from images import png
from mesh_cli_test import GMSH

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(WALE).resolve().parent
ENVIRONMENT = {**os.environ, "PATH": f"{BINARIES}:{os.environ['PATH']}"}
# What mpirun and the library of MPI need beyond a plain user's machine: few cores, root, memory that they never free.
RANKS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "ASAN_OPTIONS": "detect_leaks=0",
}
MPI = shutil.which("mpirun") and (BINARIES / "libwale_mpi.so").exists()
PROTEINS = "".join(f">protein{k}\n{'MKTAYIAKQRQISFVKSHFSRQ'[k:]}\n" for k in range(9))
FILES = "csv|fa|mtx|npy|npz|png|su2|swc|tif|toml|txt"  # ends of names of files in commands
CASE = '[mesh]\nfile = "wing.su2"\n[stream]\nmach = 0.8\n[run]\niterations = 10\n'


def blocks(page, language):
    """The blocks of a page in one language, but for those marked no-run."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)


def commands(page):
    """Lines of the blocks of shell commands, without their comments, and commands with a file within the text."""
    lines = [re.sub(r"\s+#.*", "", line) for block in blocks(page, "sh") for line in block.splitlines()]
    within = re.findall(r"`(wale [a-z]+ [^`]*\w\.(?:%s)[^`]*)`" % FILES, (ROOT / page).read_text())
    return lines + [line.replace("\n", " ") for line in within]


def all_pages():
    """Every page for users; those of performance are records of benchmarks, whose programs the build makes on demand."""
    pages = ["README.md", "examples/README.md", *(str(p.relative_to(ROOT)) for p in sorted((ROOT / "docs").rglob("*.md")))]
    return [page for page in pages if not page.startswith("docs/performance/")]


def program(snippets):
    """One program of (page, snippet): what they include, a function each, and a main that calls one."""
    included = {line for _, text in snippets for line in text.splitlines() if line.startswith("#include")}
    parts = ["#include <cstdlib>", "#include <wale/wale.hpp>", *sorted(included)]
    for k, (page, text) in enumerate(snippets):
        body = [line for line in text.splitlines() if not line.startswith("#include")]
        parts += [f"void snippet_{k}() {{", f'#line 1 "{page}"', *body, "}"]
    calls = "".join(f"case {k}: return snippet_{k}(), 0; " for k in range(len(snippets)))
    return "\n".join(
        [*parts, f"int main(int, char** words) {{ switch (std::atoi(words[1])) {{ {calls}}} return 1; }}", ""]
    )


class Pages(CliTest):
    def grey(self, rows, columns, samples=1):
        source = random.Random(3)
        return [[source.randrange(256) for _ in range(columns * samples)] for _ in range(rows)]

    def made(self, *words):
        done = self.wale(*words, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def run_commands(self, page, at_least):
        lines = commands(page)
        self.assertGreaterEqual(len(lines), at_least)
        for line in lines:
            if line.startswith("mpirun") and not MPI:
                print(f"left out, as MPI is not here: {line}")
                continue
            self.assertRegex(line, r"^(wale|mpirun) ", page)
            environment = {**ENVIRONMENT, **(RANKS if line.startswith("mpirun") else {})}
            done = subprocess.run(
                ["sh", "-ec", line], cwd=self.folder, env=environment, capture_output=True, timeout=300
            )
            self.assertEqual(done.returncode, 0, f"{page}: {line}\n{done.stderr.decode()}")
            for output in re.findall(r"-o (\S+)", line):
                self.assertTrue((self.folder / output.rstrip(";")).exists(), line)

    def test_readme(self):
        self.file("strain1.fa", ">first\n" + dna(3000, 1))
        self.file("strain2.fa", ">second\n" + dna(3100, 2))
        self.file("alleles.fa", "".join(f">allele{k}\n{dna(200, k)}\n" for k in range(3)))
        reads = "".join(f"@read{k}\n{dna(200, k)}\n+\n{'I' * 200}\n" for k in range(5))
        self.file("amplicons.fq.gz", gzip.compress(reads.encode()))
        genome = dna(5000, 6)
        self.file("genome.fa", f">genome\n{genome}\n")
        self.file("reads.fq", "".join(f"@{at}\n{genome[at:at + 150]}\n+\n{'I' * 150}\n" for at in range(0, 4000, 90)))
        self.file("cells.png", png(self.grey(40, 60)))
        self.file("terrain.npy", npy_rows(self.grey(50, 50), "<f4"))
        self.made("reconstruct", "h-maxima-transform", "terrain.npy", "--h", "0.1", "-o", "terrain.tif")
        for name, value in ("l", 1.0), ("d", 4.0), ("u", 1.0), ("b", 2.0):
            self.file(f"{name}.npy", npy_rows([[value] * 100] * 3))
        self.file("case.toml", CASE)
        self.file("query.fa", ">query\nMKTAYIGKQRQISF\n")
        self.file("proteins.fa.gz", gzip.compress(PROTEINS.encode()))
        for name, step in ("walk", 0.1), ("run", 0.2):
            self.file(f"{name}.csv", "".join(f"{math.sin(step * k)},{k % 7}\n" for k in range(150)))
        self.run_commands("README.md", 12)

    def test_cable(self):
        self.run_commands("docs/guide/cable.md", 2)

    def test_euler(self):
        self.file("case.toml", blocks("docs/guide/euler.md", "toml")[0])
        self.run_commands("docs/guide/euler.md", 2)

    def test_images(self):
        self.file("cells.png", png(self.grey(40, 60)))
        self.file("photo.png", png(self.grey(40, 60, 3), colour=2))
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as members:
            members.writestr("elevation.npy", npy_rows(self.grey(30, 40), "<f4"))
        self.file("dem.npz", packed.getvalue())
        self.run_commands("docs/guide/images.md", 3)

    def test_matrices(self):
        self.made("lu", "generate", "60", "-o", "a.mtx")
        self.made("lu", "generate", "60", "-o", "a.npy")
        self.file("b.npy", npy_rows([[float(k)] for k in range(60)]))
        self.run_commands("docs/guide/matrices.md", 5)

    def test_meshes(self):
        self.made("mesh", "generate", "shell", "--size", "1000", "-o", "small.wmesh")
        self.made("mesh", "convert", "small.wmesh", "fvcorr.domn.097K", "--to", "fvcorr")
        self.file("wing.msh", GMSH)
        self.run_commands("docs/guide/meshes.md", 6)

    def test_search(self):
        self.file("query.fa", ">query\nMKTAYIGKQRQISF\n")
        self.file("proteins.fa", PROTEINS)
        self.file("proteins.fa.gz", gzip.compress(PROTEINS.encode()))
        scores = "MKTAYIGKQRQISF"
        rows = [f"{x} " + " ".join("6" if x == y else "-2" for y in "ACDEFGHIKLMNPQRSTVWY") for x in scores]
        self.file("family.pssm", " ".join("ACDEFGHIKLMNPQRSTVWY*") + "\n" + "".join(f"{row} -4\n" for row in rows))
        for name in "reads.fa", "genes.fa":
            self.file(name, f">{name}\n{dna(300, 1)}\n")
        self.run_commands("docs/guide/search.md", 3)

    def test_ranks(self):
        self.made("mesh", "generate", "shell", "--size", "500", "-o", "wing.su2")
        self.file("case.toml", CASE)
        self.file("queries.fa", ">query\nMKTAYIGKQRQISF\n")
        self.file("proteins.fa.gz", gzip.compress(PROTEINS.encode()))
        self.file("slide.npy", npy_rows(self.grey(30, 40), "<f4"))
        self.made("reconstruct", "fill-holes", "slide.npy", "-o", "slide.tif")
        self.run_commands("docs/guide/ranks.md", 3)

    def test_python(self):
        for name, step in ("a", 0.1), ("series", 0.2):
            self.file(f"{name}.csv", "".join(f"{math.sin(step * k)},{k % 7}\n" for k in range(90)))
        self.file("b.npy", npy_rows([[math.cos(0.1 * k), k % 5] for k in range(80)]))
        self.run_commands("docs/guide/python.md", 2)

    def test_terrain(self):
        self.file("dem.npy", npy_rows(self.grey(30, 40), "<f4"))
        self.made("reconstruct", "fill-holes", "dem.npy", "-o", "dem.tif")
        self.run_commands("docs/tutorials/terrain.md", 1)

    def test_no_page_is_left_out(self):
        """Each page with commands has a test above; mesh-files.md converts a file that only libcgns makes."""
        run = set(re.findall(r'run_commands\("([^"]+)"', pathlib.Path(__file__).read_text()))
        self.assertEqual({page for page in all_pages() if commands(page)} - run, {"docs/guide/mesh-files.md"})

    @unittest.skipUnless(os.environ.get("CXX"), "the library is instrumented: a plain program cannot load it")
    def test_snippets(self):
        self.made("tree", "grow", "-o", "neuron.swc")
        self.made("mesh", "generate", "shell", "--size", "500", "-o", "wing.su2")
        self.file("proteins.fa.gz", gzip.compress(PROTEINS.encode()))
        snippets = [(page, text) for page in all_pages() for text in blocks(page, "cpp")]
        self.assertGreaterEqual(len(snippets), 5)
        source = self.file("snippets.cpp", program(snippets))
        library = ["-L", str(BINARIES), "-lwale", f"-Wl,-rpath,{BINARIES}"]
        commands = [
            [os.environ["CXX"], "-std=c++20", "-I", str(ROOT / "include"), source, "-o", "snippets", *library]
        ]
        commands += [
            ["./snippets", str(k)]
            for k, (_, text) in enumerate(snippets)
            if MPI or "ranks::world" not in text
        ]
        for command in commands:
            done = subprocess.run(
                command, cwd=self.folder, env={**ENVIRONMENT, **RANKS}, capture_output=True, timeout=300
            )
            self.assertEqual(done.returncode, 0, f"{command}: {done.stderr.decode()}")


if __name__ == "__main__":
    unittest.main()
