#!/usr/bin/env python3
"""The command line: verbs, exit codes, messages, bad inputs. Environment: WALE, the program."""

import bz2
import gzip
import csv
import json
import lzma
import os
import pathlib
import resource
import subprocess
import unittest

from harness import WALE, CliTest, dna, plain_edit, plain_lcs


class Verbs(CliTest):
    def test_help_and_version(self):
        for words in ["--help"], ["align", "--help"], ["study", "--help"], ["list", "--help"], ["info", "-h"]:
            done = self.wale(*words)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(done.stderr, b"")
            self.assertIn(b"wale" if len(words) == 1 else b"Example", done.stdout)
        self.assertRegex(self.wale("--version").stdout.decode(), r"^wale \d+\.\d+\.\d+\n$")

    def test_unknown_verbs_name_the_nearest(self):
        self.refused(2, "algin", "a", "b", says="'algin' is no verb, expected align, ")
        self.refused(2, says="no verb, expected align, ")
        self.refused(2, "lu", says="no verb, expected factor, ")
        self.refused(2, "algin", "a", "b", says="; did you mean align?")
        self.refused(2, "tree", "sovle", says="; did you mean solve?")
        self.refused(2, "reconstruct", "h-maxima", "a.png", says="; did you mean h-maxima-transform?")
        self.refused(2, "lu", "solve", "a.npy", "--tpye", "float32", says="'--tpye' is no option, expected --help")
        self.refused(2, "reconstruct", "fill-holes", "a.png", "--conectivity", "4", says="did you mean --connectivity?")
        for word, what in ("banana", "verb"), ("-x", "option"):
            self.assertNotIn("did you mean", " ".join(self.refused(2, word, says=f"'{word}' is no {what}")))

    def test_list(self):
        rows = json.loads(self.wale("list", "wavefront", "--json").stdout)["variants"]
        self.assertIn("reference/plain", [r["name"] for r in rows])
        self.assertEqual({"solver", "operation", "name", "backend", "available", "summary"}, set(rows[0]))
        text = self.wale("list").stdout.decode()
        for row in rows:
            self.assertIn(row["name"], text)
        self.refused(2, "list", "nonsense", says="nonsense")

    def test_info(self):
        facts = json.loads(self.wale("info", "--json").stdout)
        self.assertIn("version", facts)
        self.assertIn("version: " + facts["version"], self.wale("info").stdout.decode())

    def test_instruction_sets(self):
        def facts(**limit):
            done = self.wale("info", "--json", env={**os.environ, **limit})
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)

        sets = facts()["cpu instruction sets"].split(", ")
        for name in sets:
            chosen = facts(WALE_INSTRUCTION_SET=name)
            self.assertEqual({"emu128": "scalar"}.get(chosen["cpu"].lower(), chosen["cpu"].lower()), name)
            self.assertEqual(chosen["cpu instruction sets"].split(", "), sets)
        a = self.file("a.fa", ">a\nACGT\n")
        for value in "avx9", "AVX2", "", "avx2,scalar":
            for words in ["info"], ["align", a, a]:
                lines = self.refused(2, *words, says="WALE_INSTRUCTION_SET: is '" + value + "', expected one of ",
                                     env={**os.environ, "WALE_INSTRUCTION_SET": value})
                self.assertTrue(lines[0].endswith(", ".join(sets)), lines[0])

    def test_study(self):
        done = self.wale("study", "wavefront", "--sizes", "64,200", "--backend", "cpu", "--json", "--repeats", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["failed"], [])
        self.assertEqual({64, 200}, {row["size"] for row in result["rows"]})
        self.assertTrue(all(row["verified"] and row["seconds"] > 0 for row in result["rows"]))
        self.assertTrue(result["claims"])
        text = self.wale("study", "wavefront", "--operation", "lcs_length", "--sizes", "100", "--backend", "cpu")
        self.assertIn("reference/plain", text.stdout.decode())
        self.refused(2, "study", "wavefront", "--operation", "fil", says="operation")
        self.refused(2, "study", "wavefront", "--variant", "nonsense", says="nonsense")
        self.refused(2, "study", "weather")

    def test_atlas(self):
        files = [str(self.folder / name) for name in ("cells.csv", "map.png", "atlas.txt")]
        words = ["study", "lu", "--atlas", "--cells", "3", "--largest", "0.0005", "--backend", "cpu", "--seed", "4"]
        done = self.wale(*words, "--csv", files[0], "--map", files[1], "-o", files[2])
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader(pathlib.Path(files[0]).read_text().splitlines()))
        self.assertEqual({row["cell"] for row in rows}, {"0", "1", "2"})
        text = pathlib.Path(files[2]).read_text()
        self.assertRegex(text, r"^3 cells of lu, seed 4\nregret ")
        self.assertIn("\nMap: white is a regret of 1", text)
        self.assertEqual(pathlib.Path(files[1]).read_bytes()[:4], b"\x89PNG")
        once = self.wale(*words, "--once")
        self.assertIn(b"3 cells of lu, seed 4, each variant once", once.stdout)
        self.assertEqual(json.loads(self.wale(*words, "--once", "--json").stdout)["seed"], 4)
        self.refused(2, "study", "lu", "--cells", "3", says="--atlas")


class Align(CliTest):
    def test_values_are_those_of_the_plain_table(self):
        for case, (m, n) in enumerate([(0, 0), (0, 5), (1, 1), (31, 33), (64, 65), (200, 130)]):
            a, b = dna(m, case), dna(n, case + 100)
            files = self.file("a.fa", ">a\n" + a), self.file("b.fa", ">b\n" + b)
            longer = max(m, n)
            for measure, column, plain in ("lcs", "lcs", plain_lcs), ("edit", "distance", plain_edit):
                (row,) = self.table(*files, "-m", measure)
                value = plain(a, b)
                share = value / longer if longer else measure == "lcs"
                self.assertEqual(int(row[column]), value)
                self.assertEqual((int(row["length_query"]), int(row["length_target"])), (m, n))
                self.assertAlmostEqual(float(row["similarity"]), share if measure == "lcs" else 1 - share, 5)

    def test_which_records_meet(self):
        two = self.file("two.fa", ">p\nACGT\n>q\nAAAA\n")
        three = self.file("three.fa", ">x\nACGT\n>y\nCCCC\n>z\nAAGA\n")
        one = self.file("one.fa", ">o\nACGA\n")

        def names(*words):
            return [(r["query"], r["target"], int(r["lcs"])) for r in self.table(*words)]

        self.assertEqual(names(one, three), [("o", "x", 3), ("o", "y", 1), ("o", "z", 3)])
        self.assertEqual(names(two, one), [("p", "o", 3), ("q", "o", 2)])
        self.assertEqual(names(two, two, "--pairs"), [("p", "p", 4), ("q", "q", 4)])
        self.assertEqual([n[:2] for n in names(two, three, "--all")], [(x, y) for x in "pq" for y in "xyz"])
        self.refused(2, "align", two, three, says="2, ")
        self.refused(2, "align", two, three, "--pairs", says="--pairs")
        self.refused(2, "align", two, two, "--pairs", "--all")

    def test_both_strands(self):
        forward = dna(90, 5)
        reverse = forward[::-1].translate(str.maketrans("ACGT", "TGCA"))
        files = self.file("a.fa", f">a\n{reverse}\n>b\n{forward}\n"), self.file("b.fa", ">b\n" + forward)
        for measure, column, best in ("edit", "distance", "0"), ("lcs", "lcs", "90"):
            rows = self.table(*files, "-r", "-m", measure)
            self.assertEqual([(r["strand"], r[column]) for r in rows], [("-", best), ("+", best)])

    def test_bound(self):
        files = self.file("a.fa", ">a\nAAAAAAAA\n"), self.file("b.fa", ">b\nAAAACCCC\n>c\nAAAAAAAC\n")
        rows = self.table(*files, "-m", "edit", "-k", "3")
        self.assertEqual([(r["distance"], r["similarity"]) for r in rows], [(">3", "NA"), ("1", "0.875000")])
        pairs = json.loads(self.wale("align", *files, "-m", "edit", "-k", "3", "--json").stdout)["pairs"]
        self.assertEqual([(p["distance"], p["within_bound"]) for p in pairs], [(None, False), (1, True)])
        self.assertEqual([r["distance"] for r in self.table(*files, "-k", "3")], [">3", "1"])
        self.refused(2, "align", *files, "-m", "lcs", "-k", "3", says="--bound")
        self.refused(2, "align", *files, "-m", "edit", "-k", "-1")

    def test_string(self):
        a, b = dna(150, 1), dna(170, 2)
        files = self.file("a.fa", ">a\n" + a), self.file("b.fa", ">b\n" + b)
        answer = json.loads(self.wale("align", "--string", "--json", *files).stdout)
        (pair,) = answer["pairs"]
        self.assertEqual(len(pair["in_query"]), plain_lcs(a, b))
        self.assertEqual("".join(a[i] for i in pair["in_query"]), pair["string"])
        self.assertEqual("".join(b[j] for j in pair["in_target"]), pair["string"])
        for positions in pair["in_query"], pair["in_target"]:
            self.assertEqual(positions, sorted(set(positions)))
        lines = self.wale("align", "-s", *files).stdout.decode().split("\n")
        self.assertEqual(lines[0], f">a|b lcs={len(pair['string'])}")
        self.assertEqual("".join(lines[1:]), pair["string"])
        self.refused(2, "align", "-s", "-m", "edit", *files, says="--string")

    def test_totals_say_what_ran(self):
        files = self.file("a.fa", ">a\nACGT\n"), self.file("b.fa", ">b\nACGA\n")
        done = self.wale("align", *files, "--backend", "reference")
        self.assertRegex(done.stderr.decode(), r"^wale: 1 pair, 16 cells in .* \(reference/plain, .*\)\n$")
        run = json.loads(self.wale("align", *files, "--json", "--variant", "reference/plain").stdout)["run"]
        self.assertEqual((run["pairs"], run["cells"], run["variant"]), (1, 16.0, "reference/plain"))
        self.refused(2, "align", *files, "--variant", "nonsense", says="nonsense")
        self.refused(2, "align", *files, "--backend", "gpu")
        self.refused(2, "align", *files, "--threads", "-1")
        self.refused(2, "align", files[0], says="target")
        self.refused(2)

    def test_cuda_is_never_replaced_silently(self):
        rows = json.loads(self.wale("list", "--json").stdout)["variants"]
        if any(r["backend"] == "cuda" and r["available"] for r in rows):
            self.skipTest("this machine has a CUDA device")
        files = self.file("a.fa", ">a\nACGT\n"), self.file("b.fa", ">b\nACGA\n")
        self.assertEqual(len(self.refused(69, "align", *files, "--backend", "cuda", says="CUDA")), 2)
        self.refused(69, "align", *files, "--variant", "cuda/strips", says="CUDA")
        self.refused(69, "study", "wavefront", "--backend", "cuda", says="CUDA")


class Inputs(CliTest):
    def setUp(self):
        super().setUp()
        self.good = self.file("good.fa", ">g\nACGTACGT\n")

    def lcs(self, path, *words):
        (row,) = self.table(path, self.good, *words)
        return row["query"], int(row["length_query"]), int(row["lcs"])

    def test_what_is_accepted(self):
        self.assertEqual(self.lcs(self.file("windows.fa", b"\xef\xbb\xbf>w x\r\nACGT\r\nACGT\r\n")), ("w", 8, 8))
        self.assertEqual(self.lcs(self.file("lower.fa", ">l\nacgtacgt")), ("l", 8, 8))
        self.assertEqual(self.lcs(self.file("lower.fa", ">l\nacgtacgt"), "--keep-case"), ("l", 8, 0))
        self.assertEqual(self.lcs(self.file("empty.fa", ">e\n")), ("e", 0, 0))
        self.assertEqual(self.lcs(self.file("r.fq", "@r\nACGT\n+\nIIII\n")), ("r", 4, 4))
        self.assertEqual(self.lcs(self.file("z.gz", gzip.compress(b">z\nAC") + gzip.compress(b"GT\n"))), ("z", 4, 4))
        self.assertEqual(self.lcs(self.file("long line.fa", ">n\n" + "N" * 30_000_000)), ("n", 30_000_000, 0))
        (row,) = self.table("-", self.good, stdin=gzip.compress(b">s\nACGT\n"))
        self.assertEqual((row["query"], row["lcs"]), ("s", "4"))

    def test_what_cannot_be_opened(self):
        self.refused(66, "align", str(self.folder / "missing.fa"), self.good, says="missing.fa: No such file")
        self.refused(66, "align", str(self.folder), self.good, says="directory")
        if os.geteuid() != 0:
            secret = self.file("secret.fa", ">s\nA\n")
            os.chmod(secret, 0)
            self.refused(66, "align", secret, self.good, says="Permission")

    def test_bad_data(self):
        whole = gzip.compress(b">z\nACGT\n" * 1000)
        for name, content, says in [
            ("empty", b"", "empty:1: no record"),
            ("nul", b">a\nAC\0T\n", "nul:2: byte 0x00"),
            ("high", b">a\nAC\xfeT\n", "high:2: byte 0xfe"),
            ("text", b"ACGT\n", "text:1: 'A', expected '>'"),
            ("quality", b"@r\nACGT\n+\nIII\n", "quality:5: the file ends after a quality of 3 characters, expected 4"),
            ("cut.gz", whole[:-9], "cut.gz: damaged gzip"),
            ("damaged.gz", whole[:20] + b"xx" + whole[22:], "damaged.gz: damaged gzip"),
            ("packed.xz", lzma.compress(whole), "packed.xz: is compressed by xz, which is not read"),
            ("packed.bz2", bz2.compress(whole), "packed.bz2: is compressed by bzip2"),
            ("packed.zst", b"\x28\xb5\x2f\xfd\x04\0", "packed.zst: is compressed by zstd"),
            ("a\x1b[31m", b"", "a\\x1b[31m:1"),
        ]:
            self.refused(65, "align", self.file(name, content), self.good, says=says)
        self.refused(65, "align", "/dev/zero", self.good, says="byte 0x00")
        for words in ["tree", "info"], ["tree", "solve"], ["warp", "/dev/zero"]:
            self.refused(65, *words, "/dev/zero", says="/dev/zero:1: ")
        self.refused(65, "align", "-", self.good, says="standard input:1", stdin=b"")
        self.refused(2, "align", "-", "-", says="standard input")

    def test_threads_of_the_environment(self):
        def threads(**more):
            done = self.wale("info", "--json", env={**os.environ, "WALE_NUM_THREADS": "", "OMP_NUM_THREADS": "", **more})
            return json.loads(done.stdout)["cpu threads"] if done.returncode == 0 else json.loads(done.stderr.splitlines()[-1])
        self.assertEqual(threads(WALE_NUM_THREADS="3"), "3")
        self.assertEqual(threads(OMP_NUM_THREADS="5,2"), "5")
        self.assertEqual(threads(WALE_NUM_THREADS="3", OMP_NUM_THREADS="5"), "3")
        for name in "WALE_NUM_THREADS", "OMP_NUM_THREADS":
            for bad in "0", "many", "-1", "4097", "2.5":
                said = threads(**{name: bad})
                self.assertEqual((said["code"], said["what"]), (2, f"{name}: is '{bad}', expected 1 to 4096"))

    def test_every_json_has_its_version(self):
        pair = self.file("a.fa", ">a\nACGT\n"), self.file("b.fa", ">b\nAGT\n")
        for words in ["list"], ["info"], ["align", *pair], ["align", "-m", "score", *pair], ["map", *pair], \
                ["search", *pair, "--matrix", "nuc44"], ["study", "wavefront", "--sizes", "9", "--backend", "cpu"]:
            said = self.wale(*words, "--json").stdout
            self.assertEqual((next(iter(json.loads(said).items())), said.count(b"schema")), (("schema_version", 1), 1))

    def test_study_as_csv(self):
        words = "study", "wavefront", "--operation", "lcs_length", "--sizes", "9,17", "--backend", "cpu"
        named = json.loads(self.wale(*words, "--json", "--csv", self.folder / "rows.csv").stdout)["rows"]
        rows = list(csv.DictReader((self.folder / "rows.csv").read_text().splitlines()))
        self.assertEqual([(r["variant"], r["size"]) for r in rows], [(r["variant"], str(r["size"])) for r in named])
        self.assertEqual(set(rows[0]), {"operation", *named[0]})
        self.assertEqual({r["operation"] for r in rows}, {"lcs_length"})

    def test_errors_as_json(self):
        done = self.wale("align", self.file("nul", b">a\nAC\0T\n"), self.good, "--json")
        self.assertEqual((done.returncode, done.stdout), (65, b""))
        error = json.loads(done.stderr)
        self.assertEqual({"schema_version", "code", "where", "what", "hint"}, set(error))
        self.assertEqual(error["code"], 65)
        self.assertTrue(error["where"].endswith("nul:2"))


class Outputs(CliTest):
    def setUp(self):
        super().setUp()
        self.a = self.file("a.fa", ">a\nACGT\n")
        self.b = self.file("b.fa", ">b\nACGA\n")

    def test_file_is_what_standard_output_is(self):
        out = self.folder / "out.tsv"
        done = self.wale("align", self.a, self.b, "-o", str(out))
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertEqual(out.read_bytes(), self.wale("align", self.a, self.b).stdout)
        for words in ["list"], ["info"], ["study", "wavefront", "--sizes", "9", "--backend", "cpu"]:
            self.assertEqual(self.wale(*words, "-o", str(out)).returncode, 0)
            self.assertTrue(out.read_bytes())
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"a.fa", "b.fa", "out.tsv"})

    def test_what_cannot_be_created_or_written(self):
        self.refused(73, "align", self.a, self.b, "-o", str(self.folder), says="directory")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([WALE, "list"], stdout=full, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 74)
            self.assertIn(b"standard output: No space left", done.stderr)
            done = subprocess.run([WALE, "--help"], stdout=full, stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(done.returncode, 74)
            self.assertIn(b"standard output: No space left", done.stderr)

    def test_an_empty_word_is_no_value_of_an_option(self):
        for words in (["align", self.a, self.b, "-o", ""], ["tree", "grow", "-o", ""], ["lu", "generate", "3", "-o", ""],
                      ["mesh", "generate", "box", "-o", ""], ["map", self.a, self.b, "--variant", ""]):  # fmt: skip
            self.refused(2, *words, says="is empty, expected a value")
        self.assertEqual(self.wale("align", "--strings", "", "AC").returncode, 0)

    def test_an_input_is_never_replaced(self):
        link = self.folder / "link"
        link.symlink_to(self.b)
        for target in self.a, str(link):
            self.refused(73, "align", self.a, self.b, "-o", target, says="is an input")
        self.assertEqual(pathlib.Path(self.a).read_text(), ">a\nACGT\n")
        self.assertEqual(pathlib.Path(self.b).read_text(), ">b\nACGA\n")

    def test_a_failed_run_leaves_the_old_file(self):
        out = self.folder / "out.tsv"
        out.write_text("old")
        self.refused(65, "align", self.a, self.file("bad", "x"), "-o", str(out))
        self.refused(2, "align", self.a, self.b, "--variant", "nonsense", "-o", str(out))
        self.assertEqual(out.read_text(), "old")
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"a.fa", "b.fa", "bad", "out.tsv"})

    @unittest.skipIf("WALE_NO_FILE_LIMITS" in os.environ, "the limit would be that of the figures of coverage, too")
    def test_a_file_beyond_its_limit(self):
        out = self.folder / "grown.swc"
        self.refused(74, "tree", "grow", "--levels", "9", "-o", str(out), says="File too large",
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
        self.assertEqual(list(self.folder.glob("grown*")), [])

    def test_more_than_memory(self):
        for words in (["lu", "generate", "1000000", "-o", str(self.folder / "a.npy")],
                      ["euler", self.file("c.toml", '[mesh]\ngenerate = "shell"\nsize = 200\n[stream]\nmach = 0.3\n[run]\n'
                                          'iterations = 1000000000000\ncheck_every = 1\n')]):
            (line,) = self.refused(71, *words)
            self.assertRegex(line, r": needs \d{13,} bytes, \d+ are available$")
        self.refused(2, "study", "lu", "--sizes", "3000000000", says="expected 1 to 2147483647")

    def test_a_reader_that_has_gone(self):
        process = subprocess.Popen([WALE, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        self.assertEqual(process.wait(60), 74)
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()


if __name__ == "__main__":
    unittest.main()
