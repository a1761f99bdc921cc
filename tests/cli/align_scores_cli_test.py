"""wale align --measure score: places, paths and formats, and what it refuses."""

import json
import re
import shutil
import subprocess
import unittest

from harness import CliTest, dna, plain_edit
from images import read_png

SCORE = ["-m", "score"]


class AlignScores(CliTest):
    def said(self, *words):
        done = self.wale("align", *SCORE, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def test_unit_costs_are_the_edit_distance(self):
        a, b = dna(300, 1), dna(310, 2)
        (row,) = self.table(*SCORE, self.file("a.fa", ">a\n" + a), self.file("b.fa", ">b\n" + b))
        self.assertEqual(-int(row["score"]), plain_edit(a, b))
        edits = sum(int(n) for n, kind in re.findall(r"(\d+)([=XID])", row["cigar"]) if kind != "=")
        self.assertEqual(edits, plain_edit(a, b))

    def test_infix_on_both_strands(self):
        target = dna(5000, 3)
        read = target[1200:1350]
        reverse = read[::-1].translate(str.maketrans("ACGT", "TGCA"))
        reads = self.file("r.fq", f"@one\n{read}\n+\n{'I' * 150}\n@two\n{reverse}\n+\n{'I' * 150}\n")
        genome = self.file("g.fa", ">g\n" + target)
        rows = self.table(*SCORE, "-r", "--mode", "infix", reads, genome)
        for row, strand in zip(rows, "+-"):
            self.assertEqual([row[k] for k in ("strand", "score", "query_begin", "query_end", "target_begin", "target_end", "cigar")],
                             [strand, "0", "0", "150", "1200", "1350", "150="])  # fmt: skip
        paf = self.said("-r", "--mode", "infix", "--format", "paf", reads, genome).splitlines()
        self.assertEqual(paf[1].split("\t"), ["two", "150", "0", "150", "-", "g", "5000", "1200", "1350", "150", "150", "255", "AS:i:0", "cg:Z:150="])
        pairs = json.loads(self.said("--json", "-r", "--mode", "infix", reads, genome))["pairs"]
        self.assertEqual([(p["strand"], p["target_begin"]) for p in pairs], [("+", 1200), ("-", 1200)])

    def test_text_and_matrix_file(self):
        text = self.said("--strings", "HEAGAWGHEE", "PAWHEAE", "--mode", "local", "--matrix", "BLOSUM62", "--open", "11", "--format", "text")
        self.assertIn("query x target: score 17, identity 80 %", text)
        self.assertRegex(text, r"query +5 AWGHE 9\n +\|\| \|\|\ntarget +2 AW-HE 5")
        matrix = self.file("m.txt", "  A C\nA 3 -1\nC -2 4\n")
        self.assertIn("\t-1\t", self.said("--strings", "A", "C", "--open", "9", "--matrix", matrix))

    def test_profile(self):
        motif = self.file("motif.txt", "A C G T\n3 -1 -1 -1\n-1 -1 2 2\n-1 4 -1 -1\n")
        targets = self.file("t.fa", ">one\nTTATCTT\n>two\nCC\n")
        done = self.wale("align", "--profile", motif, targets, "--mode", "local", "--open", "5")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
        self.assertEqual(rows[1], ["motif.txt", "one", "+", "9", "0", "3", "2", "5", "0.666667", "1=1X1="])
        self.assertEqual(rows[2][1:8], ["two", "+", "4", "2", "3", "0", "1"])
        same = self.wale("align", "-m", "score", "--profile", motif, targets, "--mode", "local", "--open", "5", "--variant", "reference/plain")
        self.assertEqual(same.stdout, done.stdout)
        for words in (["--matrix", "nuc44"], ["--match", "2"], ["-m", "edit"], ["-r"], ["--string"]):
            self.refused(2, "align", "--profile", motif, targets, *words, says="--profile")
        self.assertIn(self.wale("align", "--profile", motif, targets, "--backend", "cuda").returncode, (2, 69))  # no row there
        self.refused(65, "align", "--profile", targets, targets, says="t.fa:1: '>one', expected a letter")

    def test_heuristics_say_so(self):
        a, b = dna(200, 1), dna(210, 2)
        exact = json.loads(self.said("--json", "--strings", a, b))["pairs"][0]
        wide = json.loads(self.said("--json", "--strings", a, b, "--band", "300"))["pairs"][0]
        self.assertEqual((wide["score"], wide["cigar"], exact["heuristic"], wide["heuristic"]),
                         (exact["score"], exact["cigar"], False, True))  # fmt: skip
        self.assertTrue(self.said("--strings", a, b, "--band", "9").rstrip().endswith("\theuristic"))
        self.assertIn("\txh:i:1", self.said("--strings", a, b, "--x-drop", "20", "--format", "paf"))
        self.assertIn(", heuristic", self.said("--strings", a, b, "--band", "0", "--format", "text"))
        self.refused(2, "align", *SCORE, "--mode", "local", "--x-drop", "1", "--strings", "A", "A", says="--x-drop")
        self.refused(2, "align", "-m", "edit", "--band", "1", "--strings", "A", "A", says="--measure score")
        self.refused(2, "align", *SCORE, "--band", "1", "--variant", "cpu/tiles", "--strings", "A", "A", says="no band")

    def test_sam(self):
        target = dna(900, 3)
        read = target[300:400]
        reverse = read[::-1].translate(str.maketrans("ACGT", "TGCA"))
        reads = self.file("r.fa", f">one\n{read}\n>two\nTT{reverse}\n>three\n{dna(50, 9)}\n")
        genome = self.file("g.fa", ">g\n" + target)
        lines = self.said("-r", "--mode", "local", "--match", "2", "--mismatch", "-9", "--open", "9", "--extend", "9",
                          "--format", "sam", reads, genome).splitlines()  # fmt: skip
        self.assertEqual(lines[1], "@SQ\tSN:g\tLN:900")
        one, two = (line.split("\t") for line in lines[3:5])
        self.assertEqual(one[:6] + one[9:10], ["one", "0", "g", "301", "255", "100=", read])
        self.assertEqual(two[:5] + two[11:], ["two", "16", "g", "301", "255", "AS:i:200", "NM:i:0"])
        self.assertIn(two[5], ("100=2S", "102="))
        with_qualities = self.file("r.fq", f"@two\nTT{reverse}\n+\n{'I' * 51}{'!' * 51}\n")
        row = self.said("-r", "--mode", "local", "--match", "2", "--mismatch", "-9", "--format", "sam", with_qualities,
                        genome).splitlines()[3].split("\t")  # fmt: skip
        self.assertEqual((row[1], row[10]), ("16", "!" * 51 + "I" * 51))
        if shutil.which("samtools"):
            for line in subprocess.run(["samtools", "view", "-c", "-"], input="\n".join(lines).encode() + b"\n",
                                       capture_output=True, check=True).stdout.split():  # fmt: skip
                self.assertEqual(line, b"3")
        self.refused(65, "align", *SCORE, "--format", "sam", reads, self.file("x.fa", ">a,b\nAC"), says="SAM")

    def test_dot_plot(self):
        a = dna(60, 4)
        plot = self.folder / "dots.png"
        self.said("--strings", a, a[:30] + a[33:], "--dot-plot", str(plot))
        _, rows = read_png(plot.read_bytes())
        side = 400 // 60
        self.assertEqual((len(rows[0]), len(rows)), (57 * side, 60 * side))
        self.assertEqual([rows[k * side][k * side] for k in range(24)], [0] * 24)
        self.assertEqual([rows[(k + 3) * side][k * side] for k in range(36, 57)], [0] * 21)
        self.refused(2, "align", *SCORE, "--strings", "A", "A", "--dot-plot", "dots.jpg", says="is 'dots.jpg', expected a name that ends in .png")
        two = self.file("two.fa", ">a\nAC\n>b\nAC")
        self.refused(2, "align", *SCORE, "--all", two, two, "--dot-plot", str(plot), says="--dot-plot")

    def test_every_variant(self):
        scores = {v: self.said("--strings", dna(90, 5), dna(80, 6), "--variant", v)
                  for v in ("cpu/tiles", "reference/plain", "automatic")}  # fmt: skip
        self.assertEqual(len(set(scores.values())), 1)

    def test_refusals(self):
        a = self.file("a.fa", ">a\nACGT")
        bad = self.file("bad.txt", "  A C\nA 3\n")
        self.refused(2, "align", "--measure", "lcs", "--mode", "local", a, a, says="--measure score")
        self.assertIn("\tcg:Z:", self.wale("align", "--format", "paf", a, a).stdout.decode())
        self.refused(2, "align", *SCORE, "--open", "-1", a, a, says="--open")
        self.refused(2, "align", *SCORE, "--string", a, a, says="--measure lcs")
        self.refused(65, "align", *SCORE, "--matrix", bad, a, a, says="bad.txt:")
        self.refused(2, "align", *SCORE, "--matrix", "nuc44", "--match", "2", a, a, says="--match excludes --matrix")
        self.refused(2, "search", "--matrix", "nuc44", "--match", "2", a, a, says="--matrix excludes --match")
        self.refused(2, "align", "--strings", "A", "\u65e5", says="expected printable ASCII")
        self.refused(66, "align", *SCORE, "--matrix", "no_such_matrix", a, a, says="no_such_matrix")


if __name__ == "__main__":
    unittest.main()
