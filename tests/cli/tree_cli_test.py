#!/usr/bin/env python3
"""`wale tree solve|info`: cases, arrays, verdicts, bad inputs, outputs. Environment: WALE, the program."""

import json
import random
import unittest
from fractions import Fraction

from arrays import npy_rows, read, transposed
from harness import CliTest


def made_case(nodes, seed):
    """Parents, and rows of upper, lower, right side, diagonal; dominant, every number of four digits."""
    source = random.Random(seed)
    number = lambda: source.randint(-9999, 9999) / 1000  # noqa: E731
    parent = [-1] + [source.randint(max(0, i - 5), i - 1) for i in range(1, nodes)]
    rows = [[number(), number(), number(), 0.0] for _ in range(nodes)]
    for i, p in enumerate(parent):
        rows[i][3] += 1 + abs(rows[i][1])
        if p >= 0:
            rows[p][3] += abs(rows[i][0])
    return parent, rows


def text_of(parent, rows):
    lines = [f"{i} {u!r} {l!r} {b!r} {d!r} {p}" for i, (p, (u, l, b, d)) in enumerate(zip(parent, rows))]
    return f"{len(parent)}\n" + "\n".join(lines) + "\n"


def exact(parent, rows):
    """The unknowns and the eliminated diagonal in fractions, then rounded once."""
    u, lower, b, d = ([Fraction(row[k]) for row in rows] for k in range(4))
    for i in range(len(parent) - 1, 0, -1):
        f = u[i] / d[i]
        d[parent[i]] -= f * lower[i]
        b[parent[i]] -= f * b[i]
    for i, p in enumerate(parent):
        b[i] = (b[i] - (lower[i] * b[p] if p >= 0 else 0)) / d[i]
    return [float(v) for v in b], [float(v) for v in d]


def same_but_for_the_last_digit(found, expected):
    return abs(float(found) - expected) <= 1.5e-8 * abs(expected) + 1e-300


class TreeTest(CliTest):
    def verb(self, *words, code=0, **more):
        done = self.wale("tree", *words, text=True, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def bad(self, code, words, *arguments, **more):
        done = self.verb(*arguments, code=code, **more)
        self.assertEqual(done.stdout, "")
        self.assertIn(words, done.stderr)
        self.assertEqual(done.stderr.count("wale: error:"), 1, done.stderr)


class Cases(TreeTest):
    def test_every_printed_digit(self):
        for nodes in (1, 2, 76, 699):
            parent, rows = made_case(nodes, nodes)
            path = self.file(f"case{nodes}.txt", text_of(parent, rows))
            out = self.folder / f"solved{nodes}.txt"
            done = self.verb("solve", path, "-o", out)
            self.assertIn("good; backward error", done.stderr)
            x, d = exact(parent, rows)
            lines = out.read_text().splitlines()
            self.assertEqual(len(lines), nodes)
            for i, line in enumerate(lines):
                number, u, lower, found, eliminated = line.split()
                self.assertEqual(int(number), i)
                self.assertEqual((u, lower), (f"{rows[i][0]:.8e}", f"{rows[i][1]:.8e}"))
                self.assertTrue(same_but_for_the_last_digit(found, x[i]), (i, found, x[i]))
                self.assertTrue(same_but_for_the_last_digit(eliminated, d[i]), (i, eliminated, d[i]))

    def test_standard_input_and_output(self):
        text = text_of(*made_case(9, 1))
        done = self.verb("solve", "-", stdin=text)
        self.assertEqual(len(done.stdout.splitlines()), 9)

    def test_json(self):
        path = self.file("case.txt", text_of(*made_case(30, 2)))
        said = json.loads(self.verb("solve", path, "--json", "--variant", "reference/plain", "-b", "reference").stdout)
        self.assertEqual((said["operation"], said["kind"], said["size"]), ("solve", "trees", 30))
        self.assertEqual(said["variant"], "reference/plain")
        self.assertLess(said["backward_error"], 1e-14)

    def test_numbers_beyond_float32_are_refused(self):
        path = self.file("big.txt", "2\n0 0 0 1 6e48 -1\n1 1 1 1 2 0\n")
        self.bad(65, "big.txt:2", "solve", path, "--type", "f32")

    def test_a_zero_pivot_is_a_verdict(self):
        path = self.file("zero.txt", "2\n0 0 0 1 1 -1\n1 1 1 1 0 0\n")
        out = self.folder / "never.txt"
        done = self.verb("solve", path, "-o", out, code=1)
        self.assertIn("the pivot of node 1 is 0 or not finite", done.stderr)
        self.assertFalse(out.exists())

    def test_lost_digits_are_a_verdict(self):
        path = self.file("small.txt", "3\n0 0 0 0.3 0.1 -1\n1 1 1 0.7 0.7 0\n2 1 1 0.9 1e-6 1\n")
        out = self.folder / "never.txt"
        done = self.verb("solve", path, "-o", out, code=1)
        self.assertIn("expected at most 1.11e-13: the elimination of a tree does not exchange rows", done.stderr)
        self.assertFalse(out.exists())

    def test_what_is_no_tree_names_its_line(self):
        for name, text, words in (
            ("cycle.txt", "3\n0 0 0 1 9 -1\n1 1 1 1 9 2\n2 1 1 1 9 1\n", "cycle.txt:"),
            ("roots.txt", "2\n0 0 0 1 9 -1\n1 0 0 1 9 -1\n", "roots.txt:3"),
            ("twice.txt", "2\n0 0 0 1 9 -1\n0 1 1 1 9 0\n", "twice.txt:3"),
            ("parent.txt", "2\n0 0 0 1 9 -1\n1 1 1 1 9 7\n", "parent.txt:3"),
            ("short.txt", "3\n0 0 0 1 9 -1\n1 1 1 1 9 0\n", "short.txt"),
            ("word.txt", "1\n0 0 0 one 9 -1\n", "word.txt:2"),
        ):
            self.bad(65, words, "solve", self.file(name, text))

    def test_forests_are_declared(self):
        path = self.file("forest.txt", "2\n0 0 0 4 2 -1\n1 0 0 9 3 -1\n")
        lines = self.verb("solve", path, "--forest").stdout.splitlines()
        self.assertEqual([float(line.split()[3]) for line in lines], [2, 3])


class Arrays(TreeTest):
    def setUp(self):
        super().setUp()
        source = random.Random(3)
        make = lambda low: [[low + source.random() for _ in range(12)] for _ in range(5)]  # noqa: E731
        self.lower, self.upper, self.rhs, self.diagonal = make(-1), make(-1), make(0), make(4)

    def words(self, change=lambda a: a, kind="<f8"):
        words = []
        for name in ("lower", "diagonal", "upper", "rhs"):
            path = self.folder / f"{name}.npy"
            path.write_bytes(npy_rows(change(getattr(self, name)), kind))
            words += [f"--{name}", path]
        return words

    def solved(self, *more, change=lambda a: a):
        out = self.folder / "x.npy"
        self.verb("solve", *self.words(change), "-o", out, *more)
        return read(out)

    def test_rows_are_systems(self):
        x = self.solved()
        for s in range(5):
            for i in range(12):
                sum_ = self.diagonal[s][i] * x[s][i]
                sum_ += self.lower[s][i] * x[s][i - 1] if i > 0 else 0
                sum_ += self.upper[s][i] * x[s][i + 1] if i < 11 else 0
                self.assertAlmostEqual(sum_, self.rhs[s][i], 12)

    def test_the_solution_is_printed_where_nothing_names_an_output(self):
        lines = self.verb("solve", *self.words()).stdout.splitlines()
        self.assertEqual(lines[:2], ["%%MatrixMarket matrix array real general", "5 12"])
        self.assertEqual([float(v) for v in lines[2:7]], [row[0] for row in self.solved()])

    def test_files_may_differ_in_format_and_order(self):
        """NPY lies row by row, MatrixMarket column by column."""
        usual = self.solved()
        columns = "".join(f"{v!r}\n" for column in transposed(self.rhs) for v in column)
        market = self.file("rhs.mtx", "%%MatrixMarket matrix array real general\n5 12\n" + columns)
        comma = self.file("upper.csv", "".join(",".join(map(repr, row)) + "\n" for row in self.upper))
        words = self.words()
        words[words.index("--rhs") + 1], words[words.index("--upper") + 1] = market, comma
        out = self.folder / "x.npy"
        self.verb("solve", *words, "-o", out)
        self.assertEqual(read(out), usual)
        row, column = self.file("d.csv", "4,5,6\n"), self.file("b.csv", "4\n5\n6\n")
        words = ["--lower", self.file("l.csv", "0\n0\n0\n"), "--diagonal", row, "--upper", column, "--rhs", row]
        self.assertEqual(self.verb("solve", *words[:4], "--upper", words[1], *words[6:]).stdout.split()[-3:], ["1", "1", "1"])
        self.bad(65, "l.csv: is 3 x 1, expected 1 x 3", "solve", *words, "--interleaved")

    def test_columns_may_be(self):
        along, across = self.solved(), self.solved("--interleaved", change=transposed)
        for a, b in zip(along, transposed(across)):
            for v, w in zip(a, b):
                self.assertAlmostEqual(v, w, 13)

    def test_options_change_the_answer(self):
        usual = self.solved("--pivoting", "none")
        for option in ("--periodic", "--transposed"):
            self.assertNotEqual(self.solved("--pivoting", "none", option), usual)

    def test_complex_numbers(self):
        """[[2i, 1], [1, 2]] x = (3i, 1 + 2i): x = (1, i). The widest type of the files counts."""
        names = "--lower", "--diagonal", "--upper", "--rhs"
        columns = ("real", "0", "1"), ("complex", "0 2", "2 0"), ("real", "1", "0"), ("complex", "0 3", "1 2")
        words = []
        for name, (field, *rows) in zip(names, columns):
            text = f"%%MatrixMarket matrix array {field} general\n2 1\n" + "".join(row + "\n" for row in rows)
            words += [name, self.file(name[2:] + ".mtx", text)]
        for more, kind in (([], "complex128"), (["--type", "complex64"], "complex64")):
            done = self.verb("solve", *words, "-o", "-", *more)
            self.assertIn(kind, done.stderr)
            banner, _, *rows = done.stdout.strip().split("\n")
            self.assertEqual(banner, "%%MatrixMarket matrix array complex general")
            self.assertEqual([[float(word) for word in row.split()] for row in rows], [[1, 0], [0, 1]])
        self.bad(65, "complex", "solve", *words, "--type", "float64")
        self.bad(2, "--type: is complex64, expected float32 or float64", "solve", *words, "--type", "complex64",
                 "--tree", self.file("case.txt", text_of(*made_case(2, 1))))  # fmt: skip

    def test_parents_of_a_case(self):
        parent, rows = made_case(12, 5)
        case = self.file("case.txt", text_of(parent, rows))
        self.upper, self.lower, self.rhs, self.diagonal = ([[row[k] for row in rows]] * 3 for k in range(4))
        x = self.solved("--tree", case)
        expected, _ = exact(parent, rows)
        for row in x:
            for v, w in zip(row, expected):
                self.assertAlmostEqual(v, w, 12)

    def test_shapes_must_fit(self):
        words = self.words()
        (self.folder / "rhs.npy").write_bytes(npy_rows(self.rhs[:2]))
        self.bad(65, "rhs.npy: is 2 x 12, expected 5 x 12", "solve", *words)
        self.bad(2, "expected a case, or all of", "solve", *words[:-2])
        self.bad(2, "--interleaved: a case is one system", "solve", "x.txt", "--interleaved", "--variant", "cpu/sweep")
        self.bad(2, "trees have no ends", "solve", *self.words(), "--tree", "x.txt", "--periodic")

    def test_not_finite_in_a_file(self):
        self.rhs[3][2] = float("nan")
        self.bad(65, "rhs.npy: element 3, 2 is nan, expected a finite number", "solve", *self.words())

    def test_not_dominant_without_pivots_is_a_verdict(self):
        self.diagonal = [[1e-30] * 12 for _ in range(5)]
        done = self.verb("solve", *self.words(), "--pivoting", "none", "-b", "reference", code=1)
        self.assertIn("wale: error:", done.stderr)
        self.verb("solve", *self.words(), "-b", "reference")

    def test_lost_digits_are_a_verdict(self):
        # A first pivot of 1e-6 costs 6 of 16 digits without exchanges: fewer than half.
        for row in self.diagonal:
            row[0] = 1e-6
        done = self.verb("solve", *self.words(), "--pivoting", "none", code=1)
        self.assertIn("expected at most 1.11e-13: expected --pivoting partial", done.stderr)
        self.verb("solve", *self.words())

    def test_rings_with_a_singular_chain_in_them(self):
        count = 6
        for name, value in (("lower", 1.0), ("upper", 1.0), ("diagonal", 0.0), ("rhs", 2.0)):
            setattr(self, name, [[value] * count] * 5)
        for x in self.solved("--periodic"):
            for value in x:
                self.assertAlmostEqual(value, 1, 14)


class Info(TreeTest):
    def test_form(self):
        path = self.file("case.txt", "4\n0 0 0 1 9 -1\n1 1 1 1 9 0\n2 1 1 1 9 1\n3 1 1 1 9 0\n")
        said = json.loads(self.verb("info", path, "--json").stdout)
        self.assertEqual(
            {k: said[k] for k in ("nodes", "trees", "branches", "tips", "depth", "longest_run", "depth_first")},
            {"nodes": 4, "trees": 1, "branches": 1, "tips": 2, "depth": 2, "longest_run": 2, "depth_first": True},
        )
        self.assertIn("branch points: 1\n", self.verb("info", path).stdout)

    def test_swc(self):
        grown = self.folder / "neuron.swc"
        self.verb("grow", "-o", grown)
        self.assertGreater(json.loads(self.verb("info", grown, "--json").stdout)["branches"], 5)

    def test_help_has_examples(self):
        for verb in ("solve", "info"):
            self.assertIn("Example", self.verb(verb, "--help").stdout)


if __name__ == "__main__":
    unittest.main()
