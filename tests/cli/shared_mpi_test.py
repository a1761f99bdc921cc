#!/usr/bin/env python3
"""`mpirun wale align|search|map|tree solve`: the files of one process for any number of ranks. Environment: WALE, the
program; MPIRUN."""

import os
import pathlib
import random
import signal
import struct
import subprocess
import time
import unittest

from harness import CliTest, dna, mpirun, mpirun_environment, mpirun_words


def fasta(count, length, seed, letters="ACGT"):
    draw = random.Random(seed)
    return "".join(
        f">r{seed}_{k}\n{''.join(draw.choices(letters, k=draw.randrange(1, length)))}\n" for k in range(count))


def npy(values, columns=0):
    """An array of float64, of one axis or of rows of `columns`."""
    shape = f"({len(values) // columns}, {columns})" if columns else f"({len(values)},)"
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack(f"<{len(values)}d", *values)


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
        self.same_output("map", a, b, "--format", "tsv", ranks=(4,))
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
            words += [f"--{name}", self.file(f"{name}{size}.npy", npy(values, columns))]
        return words

    def test_one_chain(self):
        for size in (1, 100, 5000, 100_003):
            files = self.chain_files(size)
            for more in ((), ("--periodic",), ("--pivoting", "none"), ("--transposed",)):
                one = self.solve(1, *files, *more)
                for ranks in (2, 3, 4):
                    with self.subTest(size=size, more=more, ranks=ranks):
                        self.assertEqual(self.solve(ranks, *files, *more), one)

    def test_many_chains(self):
        for count, size in ((1, 30), (3, 5000), (50, 33), (5, 4097)):
            files = self.chain_files(count * size, size)
            for more in ((), ("--interleaved",)):
                one = self.solve(1, *files, *more)
                for ranks in (2, 4):
                    with self.subTest(count=count, size=size, more=more, ranks=ranks):
                        self.assertEqual(self.solve(ranks, *files, *more), one)

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
            words += [f"--{name}", self.file(f"{name}.npy", npy(values, 4))]
        done = mpirun(3, "tree", "solve", *words, "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("system 9"), 2, done.stderr)  # the line and the object of the first rank

    def test_what_is_not_shared(self):
        for words in (("lu", "det", "a.mtx"), ("tree", "grow"), ("study", "lu")):
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
                                           (search, search, 1, "another database")):
            words = []
            for folder, command in ((folders[0], first), (folders[place], second)):
                words += [":"] * bool(words) + ["-np", "1", "-wdir", str(folder), os.environ["WALE"], *command]
            done = subprocess.run([os.environ["MPIRUN"], "--oversubscribe", *words], capture_output=True, text=True,
                                  timeout=60, env=mpirun_environment())
            self.assertIn(done.returncode, (2, 69), done.stderr)
            self.assertIn(what, done.stderr)

    def test_a_rank_without_its_file(self):
        done = mpirun(3, "search", "nowhere.fa", "nowhere.fa")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nowhere.fa", done.stderr)

    def test_a_killed_rank_ends_all(self):
        a, b = self.file("a.fa", fasta(400, 9000, 1)), self.file("b.fa", fasta(400, 9000, 2))
        out = self.folder / "out.tsv"
        words = [*mpirun_words(3), "align", a, b, "--all", "--measure", "score", "-o", str(out)]
        with subprocess.Popen(words, env=mpirun_environment(), stderr=subprocess.PIPE, text=True) as run:
            try:
                deadline = time.monotonic() + 60
                while len(ranks := ranks_of(run.pid)) < 3 and time.monotonic() < deadline:
                    time.sleep(0.05)
                self.assertEqual(len(ranks), 3)
                time.sleep(1)  # all compute by then
                os.kill(ranks[1], signal.SIGKILL)
                killed = time.monotonic()
                _, said = run.communicate(timeout=30)
            finally:
                run.kill()
        self.assertLess(time.monotonic() - killed, 20)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("rank 1", said)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.fa", "b.fa"], "no partial file")


if __name__ == "__main__":
    unittest.main()
