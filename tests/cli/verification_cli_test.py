#!/usr/bin/env python3
"""`--verify` of every solver: right answers pass, and a wrong answer of the library ends in exit code 1, one
line and no output. Environment: WALE, the program; WRONG_ANSWERS, the library that makes the first answer wrong."""

import json
import os
import unittest

import arrays
from harness import CliTest, dna

CASE = '[mesh]\ngenerate = "shell"\nsize = 400\n[scheme]\ntime = "jameson"\n[run]\niterations = 6\ncheck_every = 2\n'


class Verification(CliTest):
    def setUp(self):
        super().setUp()
        genome = dna(3000, 1)
        self.genome = str(self.file("genome.fa", f">g\n{genome}\n"))
        reads = [genome[at:at + 80] for at in range(100, 2000, 130)]
        reads[3] = reads[3][:40] + "T" + reads[3][41:60] + reads[3][62:]
        self.reads = str(self.file("reads.fa", "".join(f">r{k}\n{r}\n" for k, r in enumerate(reads))))
        self.proteins = str(self.file("p.fa", "".join(f">p{k}\n{dna(90, k).replace('T', 'W')}\n" for k in range(9))))
        self.case = str(self.file("case.toml", CASE))
        self.out = self.folder / "out"

    def run_of(self, *words, wrong=None):
        environment = dict(os.environ)
        if wrong:
            environment |= {"LD_PRELOAD": os.environ["WRONG_ANSWERS"], "WALE_WRONG": wrong,
                            "ASAN_OPTIONS": "verify_asan_link_order=0"}
        return self.wale(*words, env=environment)

    def verbs(self):
        """Words, where the JSON says so, and the wrong answers that must be seen."""
        pairs = ["align", self.reads, self.reads, "--pairs"]
        yield ["align", self.reads, self.genome], "run", ()
        yield ["align", "--strings", dna(700, 2), dna(650, 3)], "run", ("lcs",)
        yield ["align", "--strings", dna(70, 2), dna(65, 3), "--string"], "run", ("lcs", "string", "shorter")
        yield ["align", self.reads, self.genome, "-m", "edit", "-r"], "run", ("edit",)
        yield [*pairs, "-m", "edit", "-k", "5"], "run", ()
        for mode in ("global", "infix", "prefix", "overlap", "local"):
            scored = ["-m", "score", "--mode", mode, "--match", "2", "--mismatch", "-3", "--open", "5", "--extend", "2"]
            yield ["align", self.reads, self.genome, *scored, "-r"], "run", ("path",)
        yield ["align", self.reads, self.reads, "--pairs", "-m", "score", "--match", "2"], "run", ("path", "worse")
        yield ["align", self.reads, self.reads, "--pairs", "-m", "score", "--band", "9"], "run", ("path",)
        yield ["map", self.reads, self.genome], "run", ("infix",)
        yield ["map", self.reads, self.genome, "--forward", "--all"], "run", ("infix",)
        yield ["search", self.proteins, self.proteins], "run", ("hit", "cut")

    def test_right_answers_pass_and_wrong_ones_do_not(self):
        for words, part, wrong in self.verbs():
            with self.subTest(words=words):
                plain, done = self.run_of(*words), self.run_of(*words, "--verify")
                self.assertEqual((done.returncode, done.stdout), (0, plain.stdout), done.stderr)
                done = self.run_of(*words, "--verify", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(json.loads(done.stdout)[part]["verified"])
                self.assertFalse(json.loads(self.run_of(*words, "--json").stdout)[part]["verified"])
            for kind in wrong:
                with self.subTest(words=words, wrong=kind):
                    self.fails(kind, *words, "-o", str(self.out))
                    self.assertEqual(self.run_of(*words, wrong=kind).returncode, 0)  # without --verify

    def fails(self, kind, *words):
        done = self.run_of(*words, "--verify", wrong=kind)
        lines = done.stderr.decode().splitlines()
        self.assertEqual((done.returncode, [line.startswith("wale: error: verification: ") for line in lines][-1:]), (1, [True]),
                         done.stderr)
        self.assertFalse(self.out.exists())
        return lines[-1]

    def test_errors_as_json(self):
        done = self.run_of("map", self.reads, self.genome, "--verify", "--json", wrong="infix")
        said = json.loads(done.stderr.decode().splitlines()[-1])
        self.assertEqual((done.returncode, said["code"]), (1, 1))
        self.assertIn("verification: r0 x g", said["what"])

    def test_flows(self):
        done = self.run_of("euler", self.case, "--verify", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        verdict = report["verdict"]
        self.assertEqual((report["verified"], verdict["flaw"]), (True, ""))
        self.assertAlmostEqual(verdict["mass_change"], verdict["mass_in"] - verdict["mass_out"], delta=1e-9 * verdict["mass_in"])
        self.assertFalse(json.loads(self.run_of("euler", self.case, "--json").stdout)["verified"])
        for kind, says in (("flow", "total mass"), ("gas", "nonphysical state")):
            done = self.run_of("euler", self.case, "--verify", "--json", wrong=kind)
            self.assertEqual(done.returncode, 1)
            self.assertIn(says, json.loads(done.stdout)["verdict"]["flaw"])
            self.assertIn(says, done.stderr.decode())
            self.assertEqual(self.run_of("euler", self.case, wrong=kind).returncode, 0)

    def test_systems_and_images_of_bytes(self):
        """LU and trees verify unless they are asked not to."""
        a, b, image = (str(self.folder / name) for name in ("a.mtx", "b.npy", "image.npy"))
        matrix = arrays.matrix(9, 9, 1)
        self.file("a.mtx", arrays.mtx([[v + 9 * (i == j) for j, v in enumerate(row)] for i, row in enumerate(matrix)]))
        self.file("b.npy", arrays.npy_rows(arrays.matrix(5, 7, 2)))
        self.file("on.npy", arrays.npy_rows([[4.0] * 7] * 5))
        self.file("image.npy", arrays.npy("|u1", (5, 6), [7 * k % 11 for k in range(30)]))
        self.file("t.txt", "2\n0 0 0 1 2 -1\n1 1 1 1 4 0\n")
        on = str(self.folder / "on.npy")
        for words, wrong in ((["lu", "solve", a], "solution"), (["lu", "inverse", a], "inverse"),
                             (["tree", "solve", str(self.folder / "t.txt")], "tree"),
                             (["tree", "solve", "--lower", b, "--diagonal", on, "--upper", b, "--rhs", b], "chain"),
                             (["reconstruct", "fill-holes", image], "image")):  # fmt: skip
            kept = "--verify" if words[0] == "reconstruct" else "--no-verify"
            with self.subTest(words=words):
                out = ["-o", f"{self.out}.npy" if words[1] != "solve" or "--rhs" in words else f"{self.out}.txt"]
                done = self.run_of(*words, *out, "--verify", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIs(json.loads(done.stdout)["verified"], True)
                if kept == "--no-verify":
                    self.assertIs(json.loads(self.run_of(*words, *out, kept, "--json").stdout)["verified"], False)
                os.unlink(out[1])
                done = self.run_of(*words, *out, "--verify", "--json", wrong=wrong)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(json.loads(done.stderr.decode().splitlines()[-1])["code"], 1)
                self.assertFalse(os.path.exists(out[1]))
                unverified = ["--no-verify"] if kept == "--no-verify" else []
                self.assertEqual(self.run_of(*words, *out, *unverified, wrong=wrong).returncode, 0)


if __name__ == "__main__":
    unittest.main()
