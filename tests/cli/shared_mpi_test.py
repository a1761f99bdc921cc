#!/usr/bin/env python3
"""`mpirun wale align|search|map|reconstruct|lu|tree solve`: the files of one process for any number of ranks. Environment: WALE, the
program; MPIRUN. tests/ranks asks the same solvers without mpirun, for every number of ranks; a start of mpirun takes most of a
second, so that here each case has one number."""

import itertools
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from arrays import npy, npy_head, npy_rows
from harness import CliTest, dna, mpirun, mpirun_environment, mpirun_words


def fasta(count, length, seed, letters="ACGT"):
    draw = random.Random(seed)
    return "".join(
        f">r{seed}_{k}\n{''.join(draw.choices(letters, k=draw.randrange(1, length)))}\n" for k in range(count))


def ranks_of(launcher):
    """The processes below a process, by rank."""
    found = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = dict(w.split(b"=", 1) for w in (entry / "environ").read_bytes().split(b"\0") if b"=" in w)
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == launcher and b"OMPI_COMM_WORLD_RANK" in words:
            found[int(words[b"OMPI_COMM_WORLD_RANK"])] = int(entry.name)
    return found


@unittest.skipUnless(os.environ.get("MPIRUN"), "built without MPI")
class SharedMpi(CliTest):
    def same_output(self, *words, ranks=(2, 3, 4)):
        one = self.wale(*words)
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertTrue(one.stdout)
        for count in ranks:
            with self.subTest(words=words, ranks=count):
                done = mpirun(count, *words)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, one.stdout.decode())
                self.assertEqual(done.stderr.count("wale: "), 1, done.stderr)

    def test_align(self):
        a, b = self.file("a.fa", fasta(23, 60, 1)), self.file("b.fa", fasta(23, 80, 2))
        self.same_output("align", a, b, "--pairs")
        self.same_output("align", a, b, "--all", "--measure", "edit", "--bound", "30", ranks=(4,))
        self.same_output("align", a, b, "--pairs", "--string", "--reverse-complement", ranks=(3,))
        for form in ("tsv", "paf", "text"):
            self.same_output("align", a, b, "--pairs", "--measure", "score", "--format", form, ranks=(2,))

    def test_more_ranks_than_work(self):
        a, b = self.file("a.fa", ">x\nACGT\n"), self.file("b.fa", ">y\nAGT\n")
        self.same_output("align", a, b, ranks=(4,))
        self.same_output("map", b, a, "--format", "tsv", ranks=(4,))
        self.same_output("search", a, b, "--match", "2", "--mismatch", "-3", ranks=(4,))

    def test_map(self):
        genome = dna(5000, 3)
        reads = "".join(f">q{k}\n{genome[k * 37:k * 37 + 60]}\n" for k in range(50))
        g, r = self.file("g.fa", f">g\n{genome}\n"), self.file("r.fa", reads)
        for form in ("paf", "sam", "tsv"):
            self.same_output("map", r, g, "--format", form, ranks=(2, 3))

    def test_search(self):
        protein = "ARNDCQEGHILKMFPSTWYV"
        q = self.file("q.fa", fasta(5, 200, 4, protein))
        # Equal records: of equal scores the earlier record comes first, whichever rank has it.
        d = self.file("d.fa", fasta(300, 200, 5, protein) + fasta(5, 200, 4, protein) * 3)
        self.same_output("search", q, d, "--top", "4")
        self.same_output("search", q, d, "--evalue", "1e-3", "--format", "paf", ranks=(3,))

    def solve(self, count, *words):
        out = self.folder / f"x{count}.npy"
        done = mpirun(count, "tree", "solve", *words, "-o", str(out)) if count > 1 else self.wale(
            "tree", "solve", *words, "-o", str(out))
        self.assertEqual(done.returncode, 0, done.stderr)
        return out.read_bytes()

    def chain_files(self, size, columns=0):
        draw = random.Random(size)
        words = []
        for name in ("lower", "diagonal", "upper", "rhs"):
            values = [draw.uniform(-1, 1) + (3 if name == "diagonal" else 0) for _ in range(size)]
            words += [f"--{name}", self.file(f"{name}{size}.npy", npy("<f8", (size // columns, columns) if columns else (size,), values))]
        return words

    def test_one_chain(self):
        counts = itertools.cycle((2, 4, 3))  # a size has not the same number with each option
        for size in (1, 100, 5000, 100_003):
            files = self.chain_files(size)
            for more in ((), ("--periodic",), ("--pivoting", "none"), ("--transposed",)):
                ranks = next(counts)
                with self.subTest(size=size, more=more, ranks=ranks):
                    self.assertEqual(self.solve(ranks, *files, *more), self.solve(1, *files, *more))

    def test_many_chains(self):
        for count, size in ((1, 30), (3, 5000), (50, 33), (5, 4097)):
            files = self.chain_files(count * size, size)
            for more, ranks in (((), 4), (("--interleaved",), 2)):
                with self.subTest(count=count, size=size, more=more, ranks=ranks):
                    self.assertEqual(self.solve(ranks, *files, *more), self.solve(1, *files, *more))

    def test_many_trees(self):
        case = "7\n" + "".join(f"{i} -1 -1 1 5 {(i - 1) // 2 if i else -1}\n" for i in range(7))
        files = [*self.chain_files(7 * 90, 7), "--tree", self.file("tree.txt", case)]
        one = self.solve(1, *files)
        for ranks in (2, 4):
            self.assertEqual(self.solve(ranks, *files), one)

    def test_singular_system(self):
        words = []
        for name, value in (("lower", 0), ("diagonal", 1), ("upper", 0), ("rhs", 1)):
            values = [float(value)] * 40
            if name == "diagonal":
                values[37] = 0.0
            words += [f"--{name}", self.file(f"{name}.npy", npy("<f8", (10, 4), values))]
        done = mpirun(3, "tree", "solve", *words, "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("system 9"), 2, done.stderr)  # the line and the object of the first rank

    def picture(self, name, shape, kind="u1", gives=0.03):
        """An NPY of values 0 to 6; with a second name of few seeds below them."""
        draw = random.Random(name)
        pixels = [draw.randrange(7) for _ in range(math.prod(shape))]
        seeds = [p if draw.random() < gives else 0 for p in pixels]
        kind = ("|" if kind == "u1" else "<") + kind
        return self.file(name, npy(kind, shape, pixels)), self.file("seed_" + name, npy(kind, shape, seeds))

    def reconstructed(self, count, *words, end="npy"):
        out = self.folder / f"answer{count}.{end}"
        words = ("reconstruct", *words, "-o", str(out))
        done = mpirun(count, *words) if count > 1 else self.wale(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = done.stderr if count > 1 else done.stderr.decode()
        self.assertEqual(said.count("wale: "), 1, said)
        return out.read_bytes()

    def test_reconstruct(self):
        counts = itertools.cycle((2, 4, 3))
        pictures = (("a.npy", (60, 41), "u1"), ("b.npy", (9, 8, 30), "u2"), ("c.npy", (33, 20), "f4"),
                    ("d.npy", (2, 90), "i4"), ("e.npy", (50, 7), "f8"))
        for place, (name, shape, kind) in enumerate(pictures):
            image, seeds = self.picture(name, shape, kind)
            few = "4" if len(shape) == 2 else "6"
            all_words = (("reconstruct", seeds, image), ("reconstruct", image, seeds, "--erosion"),
                         ("fill-holes", image, "--connectivity", few), ("clear-border", image, "--verify"),
                         ("h-domes", image, "--h", "2"), ("h-basins", image, "--h", "3"),
                         ("h-maxima-transform", image, "--h", "2"), ("h-minima-transform", image, "--h", "2"),
                         ("depressions", image, "--no-data", "3"))
            # Every operation on the first picture, every third on each of the others.
            for words in all_words[place % 3::3] if place else all_words:
                if words[-1] == "--verify" and kind in ("f4", "f8"):
                    words = words[:-1]
                ranks = next(counts)
                with self.subTest(words=words, ranks=ranks):
                    self.assertEqual(self.reconstructed(ranks, *words), self.reconstructed(1, *words))

    def test_reconstruct_tiff(self):
        # Strips, then pages: ranks other than the first decode their own only.
        for name, shape, more in (("flat.npy", (700, 401), ()), ("stack.npy", (5, 40, 30), ()),
                                  ("batch.npy", (5, 40, 30), ("--batch",))):
            image, _ = self.picture(name, shape, "u2")
            tiff = str(self.folder / (name + ".tif"))
            self.assertEqual(self.wale("reconstruct", "h-maxima-transform", image, "--h", "1", "-o", tiff).returncode, 0)
            ranks = 3 if more else 2
            with self.subTest(name=name, ranks=ranks):
                self.assertEqual(self.reconstructed(ranks, "fill-holes", tiff, *more, end="tif"),
                                 self.reconstructed(1, "fill-holes", tiff, *more, end="tif"))

    def test_reconstruct_refusals(self):
        image, seeds = self.picture("a.npy", (20, 20))
        other, _ = self.picture("o.npy", (20, 19))
        out = str(self.folder / "x.npy")
        for words, code, said in ((("regional-maxima", image), 2, "mpirun started 2"),
                                  (("fill-holes", "-"), 2, "reaches one rank only"),
                                  (("h-domes", image, "--h", "0.5"), 2, "h: is 0.5"),
                                  (("fill-holes", image, "--backend", "reference"), 2, "expected cpu for several ranks"),
                                  (("reconstruct", image, seeds), 65, "above the mask"),
                                  (("reconstruct", seeds, other), 65, "another shape or type"),
                                  (("fill-holes", str(self.folder / "none.npy")), 66, "none.npy")):
            with self.subTest(words=words):
                done = mpirun(2, "reconstruct", *words, "-o", out)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertFalse(os.path.exists(out))

    def test_what_is_not_shared(self):
        for words in (("lu", "inverse", "a.mtx"), ("lu", "generate", "9"), ("tree", "grow"), ("study", "lu")):
            done = mpirun(2, *words)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("mpirun started 2", done.stderr)

    def test_ranks_with_other_commands_or_inputs(self):
        folders = [self.folder / name for name in ("one", "other")]
        for k, folder in enumerate(folders):
            folder.mkdir()
            (folder / "a.fa").write_text(fasta(3, 60, k))
        one, all_pairs = ("align", "a.fa", "a.fa", "--pairs"), ("align", "a.fa", "a.fa", "--all")
        search = ("search", "a.fa", "a.fa", "--match", "2", "--mismatch", "-3")
        for first, second, place, what in ((one, all_pairs, 0, "command: rank 1"), (one, one, 1, "input: rank 1"),
                                           (search, search, 1, "input: rank 1")):
            words = []
            for folder, command in ((folders[0], first), (folders[place], second)):
                words += [":"] * bool(words) + ["-np", "1", "-wdir", str(folder), os.environ["WALE"], *command]
            done = subprocess.run([os.environ["MPIRUN"], "--oversubscribe", *words], capture_output=True, text=True,
                                  timeout=60, env=mpirun_environment())
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(what, done.stderr)

    def test_ranks_with_other_arrays(self):
        words, folders = ["tree", "solve"], [self.folder / name for name in ("one", "other")]
        for k, folder in enumerate(folders):
            folder.mkdir()
            for name in ("lower", "diagonal", "upper", "rhs"):
                (folder / f"{name}.npy").write_bytes(npy_rows([[3.0 + k] * 10] * 4))
        for name in ("lower", "diagonal", "upper", "rhs"):
            words += [f"--{name}", f"{name}.npy"]
        both = []
        for folder in folders:
            both += [":"] * bool(both) + ["-np", "1", "-wdir", str(folder), os.environ["WALE"], *words]
        done = subprocess.run([os.environ["MPIRUN"], "--oversubscribe", *both], capture_output=True, text=True,
                              timeout=60, env=mpirun_environment())
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("input: rank 1", done.stderr)

    def test_a_rank_without_its_file(self):
        done = mpirun(3, "search", "nowhere.fa", "nowhere.fa")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nowhere.fa", done.stderr)

    def lu(self, count, operation, *words, code=0, json_too=False):
        """Exit code, output file and pivots, and what was said."""
        out, pivots = self.folder / f"lu{count}.npy", self.folder / f"pivots{count}.npy"
        places = ["-o", str(out), "--pivots", str(pivots)] if operation == "factor" else ["-o", str(out)]
        words = ("lu", operation, *words, *(() if operation == "det" else places))
        done = mpirun(count, *words) if count > 1 else self.wale(*words)
        said = done.stderr if count > 1 else done.stderr.decode()
        self.assertEqual(done.returncode, code, said)
        files = [p.read_bytes() for p in (out, pivots) if p.exists()]
        for p in (out, pivots):
            p.unlink(missing_ok=True)
        return files, said, done.stdout if count > 1 else done.stdout.decode()

    def matrix_file(self, rows, columns, kind="f8", seed=0):
        """An NPY of numbers in [-1, 1)."""
        draw = random.Random(seed)
        parts = 2 if kind[0] == "c" else 1
        values = [draw.uniform(-1, 1) for _ in range(rows * columns * parts)]
        return self.file(f"m{rows}_{columns}_{kind}.npy", npy(f"<{kind}", (rows, columns), values))

    def test_lu_factor(self):
        # The factors of the row of one process that takes products in the same order, bit for bit.
        for rows, columns, kind, ranks in ((1, 1, "f8", 2), (90, 90, "f8", 2), (90, 90, "f8", 7), (90, 90, "f4", 3), (70, 130, "f8", 3),
                                           (130, 70, "f8", 4)):
            with self.subTest(rows=rows, columns=columns, kind=kind, ranks=ranks):
                a = self.matrix_file(rows, columns, kind)
                one, _, _ = self.lu(1, "factor", a, "--variant", "cpu/recursive")
                files, said, _ = self.lu(ranks, "factor", a)
                self.assertEqual(files, one)
                self.assertIn("HPL ratio" if rows == columns else "residual ratio", said)
                self.assertEqual(said.count("wale: "), 1, said)
                self.assertIn(f"ranks={ranks} ", said)

    def test_lu_solve(self):
        for kind in ("f8", "f4", "c8", "c16"):
            a, b = self.matrix_file(75, 75, kind), self.matrix_file(75, 6, kind, 1)
            for more in ((), ("--rhs", b), ("--rhs", b, "--transposed")):
                two, said, _ = self.lu(2, "solve", a, *more)  # exit code 0: HPL's ratio is below 16
                self.assertIn("HPL ratio", said)
                ranks = 3 if more else 4
                with self.subTest(kind=kind, more=more, ranks=ranks):
                    self.assertEqual(self.lu(ranks, "solve", a, *more)[0], two)

    def test_lu_det(self):
        a = self.matrix_file(60, 60)
        one = self.lu(1, "det", a, "--variant", "cpu/recursive")[2]
        self.assertEqual(self.lu(3, "det", a)[2], one)

    def test_lu_json(self):
        a = self.matrix_file(40, 40)
        done = mpirun(3, "lu", "factor", a, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = json.loads(done.stdout)
        self.assertEqual((said["variant"], said["verdict"]), ("cpu/block_cyclic", "good"))
        self.assertLess(said["hpl_ratio"], 16)

    def test_lu_scalapack(self):
        a, b = self.matrix_file(90, 90), self.matrix_file(90, 3, seed=1)
        done = mpirun(2, "lu", "solve", a, "--rhs", b, "--variant", "cpu/scalapack")
        if not (pathlib.Path(os.environ["WALE"]).parent / "libwale_scalapack.so").exists():
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("has no ScaLAPACK", done.stderr)
            return
        for kind in ("f8", "f4", "c8", "c16"):
            a, b = self.matrix_file(90, 90, kind), self.matrix_file(90, 3, kind, 1)
            for ranks, more in ((2, ()), (3, ("--rhs", b)), (4, ("--rhs", b, "--transposed"))):
                with self.subTest(kind=kind, ranks=ranks):  # exit code 0: HPL's ratio is below 16
                    _, said, _ = self.lu(ranks, "solve", a, "--variant", "cpu/scalapack", *more)
                    self.assertIn("by cpu/scalapack", said)
        self.lu(2, "factor", self.matrix_file(50, 120), "--variant", "cpu/scalapack")
        self.lu(2, "factor", self.matrix_file(120, 50), "--variant", "cpu/scalapack")

    def test_lu_verdicts_and_refusals(self):
        singular = self.file("s.npy", npy_rows([[1.0, 2.0], [2.0, 4.0]]))
        _, said, _ = self.lu(3, "solve", singular, code=1)
        self.assertIn("singular: U(1, 1)", said)
        a = self.matrix_file(9, 9)
        for words, code, what in ((("solve", a, "--refined"), 2, "mpirun started 2"),
                                  (("factor", a, "--backend", "reference"), 2, "expected cpu for several ranks"),
                                  (("factor", a, "--variant", "cpu/small"), 2, "there are: cpu/block_cyclic"),
                                  (("solve", a, "--rhs", self.matrix_file(8, 1)), 65, "has 8 rows"),
                                  (("solve", self.matrix_file(9, 8)), 65, "as many rows as columns"),
                                  (("factor", str(self.folder / "none.npy")), 66, "none.npy")):
            with self.subTest(words=words):
                files, said, _ = self.lu(2, *words, code=code)
                self.assertIn(what, said)
                self.assertFalse(files)

    def ends_when_a_rank_is_killed(self, *words, after):
        before = sorted(p.name for p in self.folder.iterdir())
        out = self.folder / ("out.tsv" if words[0] == "align" else "out.npy")
        words = [*mpirun_words(3), *words, "-o", str(out)]
        # On a busy machine rank 0 may need more than the second that mpirun gives from SIGTERM to SIGKILL.
        env = {**mpirun_environment(), "OMPI_MCA_odls_base_sigkill_timeout": "5"}
        with subprocess.Popen(words, env=env, stderr=subprocess.PIPE, text=True) as run:
            try:
                deadline = time.monotonic() + 60
                while len(ranks := ranks_of(run.pid)) < 3 and time.monotonic() < deadline:
                    time.sleep(0.05)
                self.assertEqual(len(ranks), 3)
                time.sleep(after)  # all compute by then
                self.assertIsNone(run.poll(), "ended before a rank was killed")
                os.kill(ranks[1], signal.SIGKILL)
                killed = time.monotonic()
                _, said = run.communicate(timeout=30)
            finally:
                run.kill()
        self.assertLess(time.monotonic() - killed, 20)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("rank 1", said)
        self.assertIn("Killed", said)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), before, "no partial file")

    def test_a_killed_rank_ends_align(self):
        a, b = self.file("a.fa", fasta(400, 9000, 1)), self.file("b.fa", fasta(400, 9000, 2))
        self.ends_when_a_rank_is_killed("align", a, b, "--all", "--measure", "score", after=1)

    def test_a_killed_rank_ends_reconstruct(self):
        # A path up and down through the parts of all ranks: rounds without end.
        rows, columns = 240, 12000
        passes = bytes(1 if c % 2 == 0 else 0 for c in range(columns))
        top, bottom = bytes(1 if c % 4 != 3 else 0 for c in range(columns)), bytes(c % 4 != 1 for c in range(columns))
        head = npy_head("|u1", (rows, columns))
        mask = self.file("mask.npy", head + top + passes * (rows - 2) + bottom)
        seed = self.file("seed.npy", head + bytes((rows - 1) * columns) + b"\1" + bytes(columns - 1))
        self.ends_when_a_rank_is_killed("reconstruct", "reconstruct", seed, mask, "-c", "4", after=0.7)

    def test_a_killed_rank_ends_lu(self):
        a = str(self.folder / "a.npy")
        self.assertEqual(self.wale("lu", "generate", "4000", "-o", a).returncode, 0)
        self.ends_when_a_rank_is_killed("lu", "factor", a, after=0.7)


if __name__ == "__main__":
    unittest.main()
