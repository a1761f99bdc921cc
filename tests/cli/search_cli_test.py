#!/usr/bin/env python3
"""`wale search`: hits in every format, several queries, blocks, bad inputs. Environment: WALE, the program."""

import gzip
import json
import random
import unittest

from harness import CliTest

LETTERS = "ARNDCQEGHILKMFPSTWYV"


class Search(CliTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(1)
        self.records = ["".join(draw.choices(LETTERS, k=draw.randrange(20, 300))) for _ in range(120)]
        self.query = self.records[70][5:60]
        self.records[30] = "WWW" + self.query[:20] + self.query[22:] + "WWW"  # two letters less
        text = "".join(f">r{k} words\n{letters}\n" for k, letters in enumerate(self.records))
        self.database = self.file("db.fa.gz", gzip.compress(text.encode()))
        self.queries = self.file("q.fa", f">q1\n{self.query}\n>q2\n{self.records[3]}\n")

    def lines(self, *words):
        done = self.wale("search", self.queries, self.database, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode().splitlines()

    def test_table(self):
        rows = [line.split("\t") for line in self.lines()]
        self.assertEqual(rows[0][:5], ["query", "target", "score", "bits", "evalue"])
        first = [row for row in rows if row[0] == "q1"]
        self.assertEqual([row[1] for row in first[:2]], ["r70", "r30"])
        self.assertEqual(first[0][5:9] + first[0][11:], ["0", "55", "5", "60", "1.000000", "55="])
        self.assertEqual(first[1][12], "20=2I33=")
        self.assertLess(float(first[0][4]), 1e-15)
        self.assertTrue(all(float(row[4]) <= 10 for row in rows[1:]))
        self.assertEqual([row[1] for row in rows if row[0] == "q2"][0], "r3")
        scores = [int(row[2]) for row in first]
        self.assertEqual(scores, sorted(scores, reverse=True))
        for words in (["--threads", "1"], ["--variant", "reference/plain"], ["--variant", "cpu/tiles"]):
            self.assertEqual(self.lines(*words), self.lines())

    def test_limits(self):
        self.assertEqual(len(self.lines("--top", "1")), 3)
        self.assertEqual(len(self.lines("--evalue", "1e-9", "--top", "100")), 4)
        plain = [line.split("\t") for line in self.lines("--match", "2", "--mismatch", "-3", "--top", "100")]
        self.assertEqual({row[4] for row in plain[1:]}, {"*"})
        self.assertGreater(len(plain), 100)

    def test_formats(self):
        paf = self.lines("--format", "paf", "--top", "1")[0].split("\t")
        self.assertEqual(paf[:9], ["q1", "55", "0", "55", "+", "r70", str(len(self.records[70])), "5", "60"])
        self.assertIn("cg:Z:55=", paf)
        text = "\n".join(self.lines("--format", "text", "--top", "1"))
        self.assertIn("E-value", text)
        self.assertIn("|" * 55, text)
        found = json.loads("\n".join(self.lines("--json", "--top", "2")))
        self.assertEqual([hit["target"] for hit in found["hits"]][:2], ["r70", "r30"])
        self.assertEqual(found["run"]["pairs"], 4)
        free = json.loads("\n".join(self.lines("--json", "--open", "3", "--top", "1")))
        self.assertIsNone(free["hits"][0]["evalue"])

    def pssm(self, query, gapped="Standard Gapped      0.0410     0.2670\n"):
        """As psiblast -out_ascii_pssm writes it: 7 where a letter is the query's, else -3."""
        letters = "   ".join("ARNDCQEGHILKMFPSTWYV")
        rows = [f"{k:5} {q}  " + "".join(f"{7 if q == x else -3:4}" for x in "ARNDCQEGHILKMFPSTWYV") + "   5" * 20 + "  0.59 0.10"
                for k, q in enumerate(query, 1)]  # fmt: skip
        title = "Last position-specific scoring matrix computed, weighted observed percentages rounded down\n"
        below = "\n                      K         Lambda\nStandard Ungapped    0.1370     0.3192\n" + gapped
        return self.file("family.pssm", "\n" + title + f"            {letters}   {letters}\n" + "\n".join(rows) + "\n" + below)

    def test_profile(self):
        pssm = self.pssm(self.query)
        done = self.wale("search", "--profile", pssm, self.database, "--top", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
        self.assertEqual(rows[1][:3] + rows[1][5:], ["family.pssm", "r70", str(7 * 55), "0", "55", "5", "60", "55", str(len(self.records[70])), "1.000000", "55="])
        self.assertEqual(rows[2][1:3] + rows[2][12:], ["r30", str(7 * 53 - 13), "20=2I33="])
        self.assertLess(float(rows[1][4]), 1e-15)
        bare = self.pssm(self.query, gapped="")
        unscaled = json.loads(self.wale("search", "--profile", bare, self.database, "--json").stdout)
        self.assertIsNone(unscaled["hits"][0]["evalue"])
        said = json.loads(self.wale("search", "--profile", bare, self.database, "--json", "--matrix", "blosum62").stdout)
        self.assertEqual(f'{said["hits"][0]["evalue"]:.2e}', f"{float(rows[1][4]):.2e}")
        text = self.wale("search", "--profile", pssm, self.database, "--format", "text", "--top", "1").stdout.decode()
        self.assertIn("|" * 55, text)
        self.refused(2, "search", "--profile", pssm, self.database, "--match", "2", says="--profile")
        self.refused(65, "search", "--profile", self.queries, self.database, says="q.fa:1: '>q1', expected a letter")
        bad = self.file("bad.pssm", "A C\n1 2\n1 x\n")
        self.refused(65, "search", "--profile", bad, self.database, says="bad.pssm:3: 'x', expected a whole number")

    def test_bad_input(self):
        for words, code, part in (
            (["-", "-"], 2, "both files"),
            ([self.queries, "nowhere.fa"], 66, "nowhere.fa"),
            ([self.queries, self.file("bad.fa", "no record\n")], 65, "expected '>'"),
            ([self.queries, self.database, "--top", "0"], 2, "--top"),
            ([self.queries, self.database, "--matrix", "blosum61"], 66, "blosum61"),
        ):
            done = self.wale("search", *words)
            self.assertNotEqual(done.returncode, 0)
            if code is not None:
                self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(part.encode(), done.stderr.lower())
            self.assertEqual(done.stdout, b"")


if __name__ == "__main__":
    unittest.main()
