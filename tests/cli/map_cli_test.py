#!/usr/bin/env python3
"""`wale map`: places of reads in every format, bad inputs, and what samtools says. Environment: WALE, the program."""

import gzip
import json
import shutil
import subprocess
import unittest

from harness import CliTest, dna

OTHER = str.maketrans("ACGT", "TGCA")


def fastq(reads):
    return "".join(f"@{name}\n{letters}\n+\n{qualities(letters)}\n" for name, letters in reads)


def qualities(letters):
    return "".join(chr(33 + k % 94) for k in range(len(letters)))


class Map(CliTest):
    def setUp(self):
        super().setUp()
        first, second = dna(3000, 1), dna(2000, 2)
        second += first[500:700]  # a repeat
        self.letters = {"chr1": first, "chr2": second}
        self.genome = self.file("genome.fa", f">chr1 some words\n{first}\n>chr2\n{second}\n")
        self.expected = {
            "forward": ("chr1", 100, 250, "+", 0, 1),
            "reverse": ("chr2", 300, 450, "-", 0, 1),
            "errors": ("chr1", 1000, 1150, "+", 2, 1),
            "twice": ("chr1", 520, 670, "+", 0, 2),
            "nowhere": ("NA", "NA", "NA", "NA", "NA", 0),
        }
        with_errors = first[1000:1050] + first[1051:1100] + OTHER_LETTER[first[1100]] + first[1101:1150]
        reads = [("forward", first[100:250]), ("reverse", second[300:450].translate(OTHER)[::-1]),
                 ("errors", with_errors), ("twice", first[520:670]), ("nowhere", dna(150, 9))]  # fmt: skip
        self.reads = self.file("reads.fq.gz", gzip.compress(fastq(reads).encode()))

    def rows(self, *words):
        done = self.wale("map", self.reads, self.genome, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split("\t") for line in done.stdout.decode().splitlines()]

    def test_places(self):
        rows = self.rows("--format", "tsv")
        self.assertEqual(rows[0][:3], ["read", "length", "target"])
        self.assertEqual(len(rows), 6)
        for row in rows[1:]:
            self.assertEqual(tuple(row[2:8]), tuple(map(str, self.expected[row[0]])))
        self.assertEqual(rows[1][8], "150=")
        self.assertEqual(len(self.rows("--format", "tsv", "--all")), 7)
        forward = {row[0]: row[2] for row in self.rows("--format", "tsv", "--forward")}
        self.assertEqual((forward["forward"], forward["reverse"]), ("chr1", "NA"))
        strict = {row[0]: row[2] for row in self.rows("--format", "tsv", "-k", "1")}
        self.assertEqual((strict["forward"], strict["errors"]), ("chr1", "NA"))
        self.assertEqual(self.rows("--format", "tsv", "--variant", "reference/plain"), rows)
        self.assertEqual(self.rows("--format", "tsv", "--threads", "1"), rows)

    def test_paf(self):
        rows = {row[0]: row for row in self.rows()}
        self.assertEqual(set(rows), set(self.expected) - {"nowhere"})
        self.assertEqual(rows["forward"][1:], ["150", "0", "150", "+", "chr1", "3000", "100", "250", "150", "150", "60",
                                               "tp:A:P", "NM:i:0", "cg:Z:150="])  # fmt: skip
        self.assertEqual(rows["errors"][9:12], ["148", "150", "60"])
        self.assertEqual(rows["twice"][11], "0")

    def test_sam(self):
        rows = self.rows("-f", "sam", "--all")
        self.assertEqual([row[1] for row in rows if row[0] == "@SQ"], ["SN:chr1", "SN:chr2"])
        body = [row for row in rows if not row[0].startswith("@")]
        self.assertEqual([row[1] for row in body], ["0", "16", "0", "0", "256", "4"])
        reverse = body[1]
        self.assertEqual((reverse[2], reverse[3], reverse[9]), ("chr2", "301", self.letters["chr2"][300:450]))
        own = qualities(reverse[9])
        self.assertEqual([row[10] for row in body], [own, own[::-1], qualities(body[2][9]), own, "*", own])
        fasta = self.file("reads.fa", ">r\n" + self.letters["chr1"][100:250] + "\n")
        done = self.wale("map", fasta, self.genome, "-f", "sam")
        self.assertEqual(done.stdout.decode().splitlines()[-1].split("\t")[10], "*")

    @unittest.skipUnless(shutil.which("samtools"), "samtools is not installed")
    def test_samtools_accepts_it(self):
        out, sorted_ = str(self.folder / "out.sam"), str(self.folder / "sorted.bam")
        self.assertEqual(self.wale("map", self.reads, self.genome, "-f", "sam", "--all", "-o", out).returncode, 0)
        for words in (["sort", "-o", sorted_, out], ["quickcheck", sorted_], ["index", sorted_]):
            done = subprocess.run(["samtools", *words], capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, b""), words)
        done = subprocess.run(["samtools", "view", "-c", "-F", "4", sorted_], capture_output=True, timeout=60)
        self.assertEqual(done.stdout.strip(), b"5")

    def test_a_read_of_errors_alone_has_places_with_letters_and_paths(self):
        """Its first location is the part without letters, which has no place in SAM."""
        reads, genome = self.file("two.fa", ">a\nT\n>b\nTTT\n"), self.file("six.fa", ">c\nAACC\n")
        for words, paths in (("--forward",), ["0 1 1X", "0 1 1X2I"]), (("--forward", "--all"), ["0 1 1X", "1 2 1X", "2 3 1X", "3 4 1X", "0 1 1X2I", "1 4 3X"]):
            done = self.wale("map", reads, genome, "-k", "5", "-f", "tsv", *words)
            rows = [line.split("\t") for line in done.stdout.decode().splitlines()[1:]]
            self.assertEqual([f"{row[3]} {row[4]} {row[8]}" for row in rows], paths)
            done = self.wale("map", reads, genome, "-k", "5", "-f", "sam", *words)
            cigars = [line.split("\t")[5] for line in done.stdout.decode().splitlines() if not line.startswith("@")]
            self.assertEqual(cigars, [path.split()[2] for path in paths])

    def test_json(self):
        done = self.wale("map", self.reads, self.genome, "--json")
        said = json.loads(done.stdout)
        self.assertEqual([len(r["places"]) for r in said["reads"]], [1, 1, 1, 2, 0])
        self.assertEqual(said["reads"][1]["places"][0],
                         {"target": "chr2", "begin": 300, "end": 450, "strand": "-", "cigar": "150="})  # fmt: skip
        self.assertEqual((said["run"]["reads"], said["run"]["mapped"], said["run"]["repeated"]), (5, 4, 1))

    def test_refusals(self):
        good = self.genome
        self.refused(65, "map", self.file("bad.fq", "@a\nACGT\n+\nII\n"), good, says="bad.fq:")
        self.refused(65, "map", self.file("text", "hello"), good, says="text:1")
        self.refused(66, "map", str(self.folder / "missing.fa"), good, says="missing.fa")
        self.refused(2, "map", "-", "-", says="standard input")
        self.refused(2, "map", self.reads)
        self.refused(2, "map", self.reads, good, "--errors", "2", says="--errors")
        self.refused(2, "map", self.reads, good, "--bound", "-1", says="--bound")
        self.refused(2, "map", self.reads, good, "--format", "bam", says="bam")
        self.refused(2, "map", self.reads, good, "--variant", "nonsense", says="nonsense")
        twins = self.file("twins.fa", ">a\nACGT\n>a\nACGT\n")
        out = self.folder / "out.sam"
        self.refused(65, "map", self.reads, twins, "-f", "sam", "-o", str(out), says="'a' is there twice")
        odd = self.file("odd.fa", ">a\nAC*GT\n")
        self.refused(65, "map", odd, good, "-f", "sam", "-o", str(out), says="letters only")
        self.assertFalse(out.exists())

    def test_short_and_long_reads(self):
        long = self.letters["chr1"][5:2900]
        reads = self.file("mixed.fa", f">one\nA\n>none\n>long\n{long}\n>lower\n{long[:70].lower()}\n")
        done = self.wale("map", reads, self.genome, "-f", "tsv")
        rows = {line.split("\t")[0]: line.split("\t") for line in done.stdout.decode().splitlines()}
        self.assertEqual(rows["long"][2:8], ["chr1", "5", "2900", "+", "0", "1"])
        self.assertEqual(rows["lower"][3:5], ["5", "75"])
        self.assertEqual(rows["one"][6], "0")
        self.assertEqual(rows["none"][2], "NA")


OTHER_LETTER = {"A": "C", "C": "G", "G": "T", "T": "A"}

if __name__ == "__main__":
    unittest.main()
