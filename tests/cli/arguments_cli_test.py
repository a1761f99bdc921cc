#!/usr/bin/env python3
"""Numbers that options take, and what becomes of outputs, in every verb. Environment: WALE, the program."""

import json
import os
import re
import unittest

from arrays import mtx
from harness import CliTest
from images import png

# Verbs with numeric options, and the words that they need besides; files are not opened before all words are known.
VERBS = [
    ["align", "a", "b"],
    ["reconstruct", "h-domes", "a", "--h", "1"],
    ["reconstruct", "opening", "a", "--size", "3"],
    ["reconstruct", "hysteresis", "a", "--low", "1", "--high", "2"],
    ["reconstruct", "depressions", "a"],
    ["lu", "factor", "a"],
    ["lu", "solve", "a"],
    ["lu", "det", "a"],
    ["lu", "inverse", "a"],
    ["lu", "generate"],
    ["tree", "solve", "a"],
    ["tree", "cable", "a"],
    ["tree", "grow"],
    ["euler", "a"],
    ["mesh", "check", "a"],
    ["mesh", "convert", "a", "b.su2"],
    ["mesh", "generate", "box", "-o", "b.su2"],
    ["mesh", "renumber", "a", "-o", "b.su2"],
    ["mesh", "partition", "a", "-n", "2", "-o", "b.npy"],
    ["study", "wavefront"],
]
WHOLE = ["bound", "size", "channel", "rows", "seed", "sizes", "repeats", "threads", "cells", "sample-every", "stems",
         "levels", "iterations", "parts"]
REAL = ["h", "low", "high", "no-data", "perturbation", "celsius", "q10", "initial", "ra", "max-length", "d-lambda",
        "frequency", "threshold", "tstop", "dt", "thickness", "outer", "angle", "height", "distortion"]
NO_NUMBERS = ["x", "1x", "0x10", "1e", "--", "1,5"]
# The least number of an option that is not 0, and the most of some.
NEGATIVE = ["low", "high", "no-data", "celsius", "initial", "threshold"]
ABOVE_ZERO = ["h", "q10", "ra", "d-lambda", "frequency", "dt", "thickness"]
# What newer versions of CLI11 ask for before they read the number.
NEEDED = {("lu", "seed"): ["2"], ("study", "seed"): ["--atlas"], ("study", "cells"): ["--atlas"]}
MOST = {"threads": 4096, "channel": 65535, "stems": 1000, "levels": 20, "parts": 1000000, "angle": 40, "distortion": 0.5}


class Numbers(CliTest):
    def options(self):
        """Every numeric option of every verb, by what the help says, with the words before it."""
        for words in VERBS:
            count = 2 if words[0] in ("reconstruct", "lu", "tree", "mesh") else 1
            text = self.wale(*words[:count], "--help").stdout.decode()
            for name in re.findall(r"--([a-z][-a-z0-9]*)", text.split("Example")[0]) + ["rows"]:
                if name in WHOLE + REAL and (name != "rows" or words[1] == "generate" and words[0] == "lu"):
                    keep = [w for k, w in enumerate(words) if w != f"--{name}" and words[k - 1] != f"--{name}"]
                    if name == "parts":
                        keep = ["mesh", "partition", "a", "-o", "b.npy"]
                    yield name, keep

    def one(self, name, words, value):
        option = [value] if name == "rows" else [f"--{name}={value}"]
        what = f"{name if name == 'rows' else '--' + name}: is '{value}', expected a"
        with self.subTest(name=name, words=words, value=value):
            if name == "rows" and value.startswith("-"):
                option = ["--", value]
            self.refused(2, *words, *NEEDED.get((words[0], name), []), *option, says=what)

    def test_every_numeric_option(self):
        seen = set()
        for name, words in self.options():
            seen.add(name)
            bad = [b for b in NO_NUMBERS if not (name == "sizes" and b == "1,5")]
            bad += ["1.5", "99999999999999999999", "-1", "nan"] if name in WHOLE else ["1e999", "1e-400"]
            if name in REAL and name != "no-data":
                bad += ["inf", "nan"]
            if name in REAL and name not in NEGATIVE:
                bad.append("-1")
            if name in ABOVE_ZERO:
                bad.append("0")
            if name in MOST:
                bad.append(str(MOST[name] + 1))
            for value in bad:
                if name == "rows" and value == "--":
                    continue
                self.one(name, words, value)
        self.assertEqual(seen, set(WHOLE + REAL))

    def test_good_ones(self):
        for seed in "0", "007", "+5", "18446744073709551615":
            self.assertEqual(self.wale("lu", "generate", "2", "--kind", "product", "--seed", seed).returncode, 0)
        found = [self.wale("lu", "generate", "2", "--kind", "product", "--seed", s).stdout for s in ("010", "10", "8")]
        self.assertTrue(found[0] == found[1] != found[2])


class TwoOutputs(CliTest):
    """An output's second name for the same place: exit 2 before anything is written, both arguments in the line."""

    def both(self, first, second, *words, path):
        os.makedirs(self.folder / "d", exist_ok=True)
        if not (self.folder / "link").exists():
            os.symlink(self.folder, self.folder / "link")
        before = sorted(os.listdir(self.folder))
        for other in path, f"./{path}", f"d/../{path}", f"link/{path}", str(self.folder / path):
            with self.subTest(words=words, other=other):
                said = self.refused(2, *words, f"{first}={path}", f"{second}={other}", cwd=self.folder,
                                    says=f"{first} and {second}: both are '{other}', expected two files")
                self.assertEqual(len(said), 1)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def refused_in_json(self, says, *words):
        done = self.wale(*words)
        self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
        self.assertIn(says, json.loads(done.stderr)["what"])

    def test_lu(self):
        a = self.file("a.mtx", mtx([[4.0, 1.0], [1.0, 3.0]]))
        self.both("--output", "--pivots", "lu", "factor", a, path="y.npy")
        self.both("--output", "--permutation", "lu", "factor", a, path="y.npy")
        self.both("--pivots", "--permutation", "lu", "factor", a, path="y.npy")

    def test_reconstruct(self):
        self.both("--output", "--compare", "reconstruct", "fill-holes", self.file("a.png", png([[1, 2]])), path="y.png")

    def test_beside_a_table(self):
        texts = ["align", "--strings", "ACGTAC", "ACTTAC"]
        self.both("--output", "--dot-plot", *texts, path="y")
        self.both("--output", "--csv", "study", "lu", "--sizes", "8", path="y.csv")
        self.both("--csv", "--map", "study", "lu", "--atlas", "--cells", "1", path="y.png")
        self.refused(2, *texts, "--dot-plot", "-", says="--output and --dot-plot: both are '-'")
        self.refused(2, "study", "lu", "--csv", "-", says="--output and --csv: both are '-'")
        self.refused(2, "study", "lu", "--input", "a.png", says="--input: is an image, expected the solver reconstruction")

    def test_mesh(self):
        mesh = str(self.folder / "a.su2")
        self.assertEqual(self.wale("mesh", "generate", "box", "--size", "100", "-o", mesh).returncode, 0)
        self.both("--output", "--permutation", "mesh", "renumber", mesh, "--to", "su2", path="y.npy")
        self.both("--output", "--picture", "mesh", "partition", mesh, "-n", "2", path="y.vtu")
        for words in ["convert", mesh, "-"], ["generate", "box", "-o", "-"]:
            self.refused_in_json("--json and --output: both are '-'", "mesh", *words, "--to", "su2", "--json")

    def test_case(self):
        names = ["history", "flow", "surface", "surface_table", "forces", "checkpoint", "picture"]
        head = '[mesh]\ngenerate = "shell"\nsize = 100\n[run]\niterations = 1\n[output]\n'
        for k, first in enumerate(names):
            for second in names[k + 1:] + ["rodinia"]:
                one, other = ("y.density", "y") if second == "rodinia" else ("y", "./y")
                case = self.file("case.toml", head + f'{first} = "{one}"\n{second} = "{other}"\n')
                self.refused(2, "euler", case, says=f"output.{first} and output.{second}: both are")
        case = self.file("case.toml", head + 'flow = "y.vtu"\n')
        self.refused_in_json("output.flow and --output: both", "euler", case, "--json", "-o", str(self.folder / "y.vtu"))
        case = self.file("case.toml", head + 'history = "-"\n')
        self.refused_in_json("output.history and --output: both are '-'", "euler", case, "--json")
        self.assertEqual(os.listdir(self.folder), ["case.toml"])

    def test_an_output_that_is_an_input(self):
        case = self.file("momentum.toml", '[mesh]\ngenerate = "shell"\n[output]\nrodinia = "case"\n')
        os.rename(case, self.folder / "case.momentum")
        self.refused(73, "euler", str(self.folder / "case.momentum"), says="is an input")
        case = self.file("case.toml", '[mesh]\ngenerate = "shell"\nsize = 100\n[run]\niterations = 1\n[output]\n'
                         'checkpoint = "flow"\n')
        self.assertEqual(self.wale("euler", case).returncode, 0)
        self.assertEqual(self.wale("euler", case, "--restart", str(self.folder / "flow")).returncode, 0)
        self.file("case.toml", (self.folder / "case.toml").read_text().replace("checkpoint", "surface_table"))
        self.refused(73, "euler", case, "--restart", str(self.folder / "flow"), says="is an input")
        image = self.file("a.png", png([[1, 2]]))
        for option in "-o", "--csv":
            self.refused(73, "study", "reconstruction", "--input", image, option, image, says="is an input")
        text = self.file("text.png", ">a\nACGT\n")
        self.refused(73, "align", text, text, "--dot-plot", text, says="is an input")


class OneOutput(CliTest):
    """What holds for the output of every verb: no input is replaced, and a run that fails changes nothing."""

    def setUp(self):
        super().setUp()
        fasta, image, matrix = self.file("a.fa", ">a\nACGT\n"), self.file("a.png", png([[1, 2]])), self.file(
            "a.mtx", mtx([[4.0, 1.0], [1.0, 3.0]]))
        mesh, cell = str(self.folder / "a.su2"), str(self.folder / "a.swc")
        self.wale("mesh", "generate", "box", "--size", "100", "-o", mesh)
        self.wale("tree", "grow", "--levels", "1", "-o", cell)
        self.verbs = [["align", fasta, fasta], ["map", fasta, fasta], ["reconstruct", "fill-holes", image],
                      ["reconstruct", "watershed", image, image], ["lu", "inverse", matrix], ["mesh", "renumber", mesh],
                      ["tree", "cable", cell, "--membrane", "hh", "--tstop", "1"]]
        self.before = {p.name: p.read_bytes() for p in self.folder.iterdir()}

    def test_of_every_verb(self):
        for words in self.verbs:
            source = next(w for w in words if "/" in w)
            end = source[source.rindex("."):]
            with self.subTest(words=words):
                self.refused(73, *words, "-o", str(self.folder / "no" / f"out{end}"), says="No such file")
                self.refused(73, *words, "-o", f"/proc/wale_out{end}")  # read-only, for root too
                self.refused(73, *words, "-o", source, says="is an input")
                full = self.folder / f"full{end}"
                full.symlink_to("/dev/full")
                self.refused(74, *words, "-o", str(full), says="No space left")
                full.unlink()
                old = self.folder / f"old{end}"
                old.write_text("old")
                self.refused(66, *[w.replace("/a.", "/none.") for w in words], "-o", str(old), says="No such file")
                self.assertEqual(old.read_text(), "old")
                old.unlink()
                self.assertEqual({p.name: p.read_bytes() for p in self.folder.iterdir()}, self.before)


class Words(CliTest):
    def test_an_option_without_its_value(self):
        """CLI11 takes the next word, which here is a file or another option."""
        for words in ["lu", "det", "--type=", "a.mtx"], ["lu", "generate", "2", "--output=", "--type", "f32"]:
            self.refused(2, *words, says="=".join(w for w in words if w.endswith("="))[:-1] + ": is empty, expected a value")
        done = self.wale("lu", "det", "--json=true", "none.mtx")
        self.assertEqual((done.returncode, json.loads(done.stderr)["code"]), (66, 66))


class Lines(CliTest):
    def test_a_message_is_a_line(self):
        matrix = self.file("a.csv", "1,2\n3,4\n")
        self.refused(2, "lu", "det", matrix, "--variant", "x\ny", says="'x\\x0ay'")
        self.refused(2, "align", matrix, matrix, "--backend", "\n", says="\\x0a")
        self.refused(66, "mesh", "check", "a\nb", says="a\\x0ab")


class Devices(CliTest):
    def test_verbs_that_split_nothing(self):
        fasta = self.file("a.fa", ">a\nACGT\n")
        for words in (["map", fasta, fasta], ["tree", "cable", "a.swc"],
                      ["tree", "solve", "case.txt"], ["align", fasta, fasta, "--string"],
                      ["align", fasta, fasta, "--measure", "score"]):
            lines = self.refused(2, *words, "--devices", "0,1", says="which is not split over devices")
            self.assertIn("align of lengths", lines[1])

    def test_other_backends(self):
        a = self.file("a.fa", ">a\nACGT\n")
        self.refused(2, "align", "--devices", "0,1", a, a, "--backend", "cpu", says="--devices: are of CUDA")
        for backend in ("cpu", "reference"):
            self.refused(2, "align", a, a, "--devices", "0,1", "--backend", backend, says="--devices: are of CUDA")
        for word in ("x", "-1", ""):
            self.refused(2, "align", a, a, "--devices", word, says="--devices")

    def test_machines_with_and_without_devices(self):
        a = self.file("a.fa", "".join(f">r{k}\n{'ACGT' * (k + 1)}\n" for k in range(40)))
        b = self.file("b.fa", "".join(f">s{k}\n{'AGGT' * (k + 2)}\n" for k in range(40)))
        image = self.file("image.png", png([[(37 * r * c + 11 * r) % 251 for c in range(90)] for r in range(70)]))
        case = self.file("case.toml", '[mesh]\ngenerate = "shell"\nsize = 500\n[scheme]\nname = "rodinia"\n'
                         '[run]\niterations = 20\ncheck_every = 7\n[output]\nhistory = "history.csv"\n')
        if "cuda" in json.loads(self.wale("info", "--json").stdout):  # why there is none; else "cuda device"
            self.refused(69, "align", a, b, "--pairs", "--devices", "0,1", says="CUDA is not available")
            filled = ["reconstruct", "fill-holes", image, "--devices", "0,1", "-o", "x.png"]
            self.refused(69, *filled, says="CUDA is not available")
            self.refused(69, "search", a, b, "--devices", "0,1", says="CUDA is not available")
            matrix = self.file("a.mtx", mtx([[1.0]]))
            self.refused(69, "lu", "factor", matrix, "--devices", "0,1", says="CUDA is not available")
            self.refused(69, "euler", case, "--devices", "0,1", says="CUDA is not available")
            return
        for operation in ("fill-holes", "regional-maxima"):
            for name, *where in (("cpu", "--backend", "cpu"), ("split", "--devices", "0,0")):
                done = self.wale("reconstruct", operation, image, *where, "-o", str(self.folder / f"{name}.npy"))
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.folder / "cpu.npy").read_bytes(), (self.folder / "split.npy").read_bytes())
        history = []
        for words in (["--variant", "cuda/tiled"], ["--devices", "0,0"]):
            ended = self.wale("euler", case, *words)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            history.append((self.folder / "history.csv").read_bytes())
        self.assertEqual(history[0], history[1])
        for measure in ("lcs", "edit"):
            plain = self.wale("align", a, b, "--pairs", "--backend", "cpu", "--measure", measure)
            split = self.wale("align", a, b, "--pairs", "--devices", "0,0", "--measure", measure)
            self.assertEqual((split.returncode, split.stdout), (0, plain.stdout), split.stderr)
        one = self.wale("align", a, b, "--devices", "0", "--pairs")
        self.assertEqual((one.returncode, one.stdout), (0, self.wale("align", a, b, "--pairs").stdout), one.stderr)
        self.refused(2, "align", a, b, "--pairs", "--devices", "0,99", says="where.devices[1]: is 99")


if __name__ == "__main__":
    unittest.main()
