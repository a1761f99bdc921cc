#!/usr/bin/env python3
"""`wale lu`: operations, formats, verdicts, bad inputs, outputs. Environment: WALE, the program."""

import gzip
import json
import math
import os
import resource
import unittest
import zipfile

from arrays import BANNER, csv, dat, matrix, mtx, npy_rows, read, read_mtx, transposed, txt
from harness import CliTest

FORMATS = ["mtx", "npy", "dat", "csv", "txt"]


def times(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def largest(a, b):
    return max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p, q))


class LuTest(CliTest):
    def verb(self, *words, code=0, **more):
        done = self.wale("lu", *words, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def good(self, *words, **more):
        done = self.verb(*words, **more)
        self.assertRegex(done.stderr.decode(), r"^wale: lu \w+, \d+ x \d+ (float|complex)\d+: good.*\n$")
        return done

    def report(self, *words, code=0):
        return json.loads(self.verb(*words, "--json", code=code).stdout)

    def write(self, name, rows):
        kind = name.rsplit(".", 1)[1]
        return self.file(name, {"mtx": mtx, "npy": npy_rows, "dat": dat, "csv": csv, "txt": txt}[kind](rows))

    def expect_factors(self, a, factors, pivots, tolerance=1e-12):
        columns = len(a[0])
        low = [[(1 if i == j else f if j < i else 0) for j, f in enumerate(row[:min(len(a), columns)])]
               for i, row in enumerate(factors)]
        high = [[(f if j >= i else 0) for j, f in enumerate(row)] for i, row in enumerate(factors[:columns])]
        moved = [list(row) for row in a]
        for k, p in enumerate(pivots):
            self.assertIn(p, range(k, len(a)))
            moved[k], moved[p] = moved[p], moved[k]
        self.assertLess(largest(times(low, high), moved), tolerance)


class Operations(LuTest):
    def test_help_has_an_example(self):
        text = self.verb("--help").stdout.decode()
        for verb in ["factor", "solve", "det", "inverse", "generate"]:
            self.assertIn("wale lu " + verb, text)
            self.assertIn("wale lu " + verb + " ", self.verb(verb, "--help").stdout.decode())
        self.refused(2, "lu", says="no verb, expected ")
        self.refused(2, "lu", "nonsense")
        self.refused(2, "lu", "factor", says="matrix")

    def test_factor(self):
        a = matrix(23, 23, 1)
        for kind in FORMATS:
            for out in FORMATS:
                path, pivots = self.folder / ("f." + out), self.folder / "p.npy"
                self.good("factor", self.write("a." + kind, a), "-o", str(path), "--pivots", str(pivots))
                self.expect_factors(a, read(path), read(pivots))

    def test_factor_rectangles(self):
        for rows, columns in (9, 4), (4, 9), (1, 6):
            a = matrix(rows, columns, rows)
            path, pivots, order = self.folder / "f.npy", self.folder / "p.npy", self.folder / "o.npy"
            self.good("factor", self.write("a.mtx", a), "-o", str(path), "--pivots", str(pivots),
                      "--permutation", str(order))
            self.expect_factors(a, read(path), read(pivots))
            self.assertEqual(sorted(read(order)), list(range(rows)))

    def test_pivoting(self):
        a = matrix(30, 30, 2)
        for k in range(30):
            a[k][k] += 30
        path, pivots = self.folder / "f.npy", self.folder / "p.npy"
        self.good("factor", self.write("a.mtx", a), "--pivoting", "none", "-o", str(path), "--pivots", str(pivots))
        self.assertEqual(read(pivots), list(range(30)))
        self.expect_factors(a, read(path), read(pivots))
        path.unlink()
        pivots.unlink()
        pivots.symlink_to("/dev/full")  # all files are written before one appears
        self.refused(74, "lu", "factor", self.write("a.mtx", a), "-o", str(path), "--pivots", str(pivots), says="No space left")
        self.assertFalse(path.exists())

    def test_solve(self):
        a, x = matrix(20, 20, 3), matrix(20, 3, 4)
        out = self.folder / "x.npy"
        for kind in FORMATS:
            where = self.write("a." + kind, a)
            self.good("solve", where, "--rhs", self.write("b.mtx", times(a, x)), "-o", str(out))
            self.assertLess(largest(read(out), x), 1e-11)
            self.good("solve", where, "--rhs", self.write("b.npy", times(transposed(a), x)), "--transposed",
                      "-o", str(out))
            self.assertLess(largest(read(out), x), 1e-11)

    def test_solve_for_ones(self):
        where = self.write("a.npy", matrix(20, 20, 3))
        out = self.folder / "x.mtx"
        for words in [], ["--transposed"], ["--backend", "reference"], ["--threads", "2"]:
            report = self.report("solve", where, "-o", str(out), *words)
            self.assertLess(report["largest_error"], 1e-11)
            self.assertLess(report["backward_ratio"], 30)
            self.assertLess(largest(read(out), [[1]] * 20), 1e-11)

    def test_refined(self):
        where = self.write("a.mtx", matrix(40, 40, 3))
        for words in ["--refined"], ["--refined", "f64"]:
            report = self.report("solve", where, "--backend", "reference", *words)
            self.assertEqual(report["factored_in"], "float64")
            self.assertLess(report["backward_error"], 1e-15)
        self.refused(2, "lu", "solve", where, "--refined", "f16", "--backend", "reference",
                     says="no variant on reference")
        self.refused(2, "lu", "solve", where, "--refined", "f64", "--transposed", says="--transposed")
        self.refused(2, "lu", "solve", where, "--refined", "f64", "--type", "f32", says="--refined")
        self.refused(2, "lu", "solve", where, "--refined", "f8", says="--refined")
        done = self.wale("lu", "solve", self.write("zero.mtx", [[1.0, 1.0], [1.0, 1.0]]), "--refined")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rb"float64: singular: U\(1, 1\) is 0 \(counted from 0\); [0-9.]+ .?s, ")

    def test_determinant(self):
        done = self.good("det", self.write("a.mtx", [[1.0, 2.0], [3.0, 4.0]]))
        self.assertEqual(done.stdout, b"-2\n")
        self.assertEqual(self.verb("det", self.write("z.mtx", [[0.0, 0.0], [0.0, 4.0]])).stdout, b"0\n")
        big = [[(2.0**1000 if i == j else 0.0) for j in range(20)] for i in range(20)]
        self.assertRegex(self.good("det", self.write("b.mtx", big)).stdout.decode(), r"^3\.98\d+e\+6020\n$")
        report = self.report("det", self.write("b.npy", big))
        self.assertEqual(report["sign"], 1)
        self.assertAlmostEqual(report["log_magnitude"], 20000 * math.log(2), 6)
        self.assertEqual(self.good("det", self.file("none.dat", "0\n")).stdout, b"1\n")
        third = self.good("det", self.write("t.mtx", [[1 / 3, 0.0], [0.0, 1.0]])).stdout
        self.assertEqual(third, b"0.3333333333333\n")
        power = [[(1e200 if i == j else 0.0) for j in range(3)] for i in range(3)]
        self.assertEqual(self.good("det", self.write("p.mtx", power)).stdout, b"1e+600\n")

    def test_files_of_spreadsheets_and_of_gzip(self):
        for name, content in (("a.csv", b"\xef\xbb\xbf1,2\r\n3,4\r\n"), ("a.csv.gz", gzip.compress(b"1,2\n3,4\n")),
                              ("a.mtx.gz", gzip.compress((BANNER + "2 2\n1\n3\n2\n4\n").encode()))):  # fmt: skip
            self.assertEqual(self.good("det", self.file(name, content)).stdout, b"-2\n")
        self.refused(65, "lu", "det", self.file("cut.csv.gz", gzip.compress(b"1,2\n3,4\n" * 99)[:-9]), says="cut.csv.gz: ")
        self.refused(65, "lu", "det", self.file("twice.gz", gzip.compress(gzip.compress(b"1\n"))), says="a gzip of a gzip")

    def test_complex_numbers(self):
        text = "%%MatrixMarket matrix array complex general\n2 2\n0 1\n0 0\n0 0\n2 0\n"
        where = self.file("c.mtx", text)
        self.assertEqual(self.good("det", where).stdout, b"0+2j\n")
        report = self.report("det", where)
        self.assertEqual((report["sign"], report["sign_imaginary"]), (0, 1))
        rhs = self.file("b.mtx", BANNER + "2 1\n3\n4\n")
        answer = self.good("solve", where, "--rhs", rhs).stdout.decode().split("\n")
        self.assertEqual(answer[0], "%%MatrixMarket matrix array complex general")
        self.assertEqual([float(word) for line in answer[2:4] for word in line.split()], [0, -3, 2, 0])
        inverse = self.good("inverse", where).stdout.decode().split("\n")
        self.assertEqual([float(word) for word in (inverse[2] + " " + inverse[5]).split()], [0, -1, 0.5, 0])
        real = self.file("r.mtx", "%%MatrixMarket matrix array real general\n2 2\n2\n0\n0\n3\n")
        for kind in ("complex64", "complex128"):
            done = self.good("det", real, "--type", kind)
            self.assertEqual((done.stdout, kind in done.stderr.decode()), (b"6+0j\n", True))
        self.refused(65, "lu", "solve", where, "--refined", "f64", says="expected real ones")
        self.refused(2, "lu", "solve", real, "--refined", "--type", "complex64", says="no other --type")
        self.refused(2, "lu", "generate", "3", "--type", "complex64", says="--type")
        self.refused(2, "lu", "factor", where, "-o", str(self.folder / "f.dat"), says="expected real numbers")

    def test_inverse(self):
        a = matrix(15, 15, 6)
        out = self.folder / "i.npy"
        for kind in FORMATS:
            self.good("inverse", self.write("a." + kind, a), "-o", str(out))
            unit = [[float(i == j) for j in range(15)] for i in range(15)]
            self.assertLess(largest(times(a, read(out)), unit), 1e-11)

    def test_generate(self):
        smooth, product = self.folder / "s.dat", self.folder / "p.mtx"
        self.verb("generate", "12", "-o", str(smooth))
        expected = [[10 * math.exp(-0.001 * abs(i - j)) for j in range(12)] for i in range(12)]
        self.assertLess(largest(read(smooth), expected), 1e-14)
        self.verb("generate", "12", "--kind", "product", "--seed", "5", "-o", str(product))
        first = product.read_bytes()
        self.verb("generate", "12", "--kind", "product", "--seed", "5", "-o", str(product))
        self.assertEqual(first, product.read_bytes())
        self.good("factor", str(product), "--pivoting", "none")
        self.assertTrue(self.verb("generate", "3").stdout.decode().startswith(BANNER + "3 3\n"))
        self.assertIn(b"<f4", self.verb("generate", "3", "--type", "f32", "-o", str(self.folder / "t.npy")) and
                      (self.folder / "t.npy").read_bytes())
        self.refused(2, "lu", "generate", "3", "-o", str(self.folder / "x.xyz"), says="names no format")
        self.refused(2, "lu", "generate", "-3", "-o", str(smooth))

    def test_members_of_an_archive(self):
        both = self.folder / "both.npz"
        with zipfile.ZipFile(both, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.npy", npy_rows([[2.0, 0.0], [0.0, 4.0]]))
            archive.writestr("b.npy", npy_rows([[2.0], [2.0]]))
        self.assertEqual(read_mtx(self.verb("solve", f"{both}:a", "--rhs", f"{both}:b").stdout.decode()), [[1.0], [0.5]])
        self.refused(65, "lu", "det", f"{both}:c", says="both.npz:c: no member 'c', expected file.npz:NAME with one of a, b")
        self.refused(65, "lu", "det", str(both), says="an archive of several arrays")

    def test_types(self):
        a = matrix(10, 10, 7)
        narrow = self.file("a.npy", npy_rows(a, "<f4"))
        self.assertEqual(self.report("factor", narrow)["type"], "float32")
        self.assertEqual(self.report("factor", narrow, "--type", "f64")["type"], "float64")
        self.assertEqual(self.report("factor", self.write("a.mtx", a), "--type", "f32")["type"], "float32")
        # The wider of matrix and right-hand side counts.
        wide = self.file("b.npy", npy_rows([[1.0]] * 10))
        self.assertEqual(self.report("solve", narrow, "--rhs", wide)["type"], "float64")
        self.assertEqual(self.report("solve", narrow, "--rhs", wide, "--type", "f32")["type"], "float32")

    def test_standard_streams(self):
        a = [[2.0, 0.0], [0.0, 4.0]]
        done = self.good("inverse", "-", "-o", "-", stdin=mtx(a).encode())
        self.assertEqual(read_mtx(done.stdout.decode()), [[0.5, 0.0], [0.0, 0.25]])
        done = self.verb("inverse", self.write("a.mtx", a), "-o", "-", "--json", code=2)
        self.assertEqual(json.loads(done.stderr)["where"], "--json")
        self.refused(2, "lu", "solve", "-", "--rhs", "-", says="standard input")

    def test_variants(self):
        where = self.write("a.mtx", matrix(10, 10, 1))
        report = self.report("factor", where, "--variant", "reference/plain")
        self.assertEqual(report["variant"], "reference/plain")
        self.refused(2, "lu", "factor", where, "--variant", "weave", says="no variant 'weave'")
        self.refused(2, "lu", "factor", where, "--backend", "reference", "--pivoting", "tournament",
                     says="no variant on reference")

    def test_no_verify(self):
        report = self.report("factor", self.write("a.mtx", matrix(10, 10, 1)), "--no-verify")
        self.assertIsNone(report["residual_ratio"])
        self.assertIsNone(report["reciprocal_condition"])


class Printing(LuTest):
    def test_what_was_computed_is_printed(self):
        where = self.write("a.mtx", [[2.0, 0.0], [0.0, 4.0]])
        for verb, numbers in ("solve", ["1", "1"]), ("inverse", ["0.5", "0", "0", "0.25"]):
            done = self.verb(verb, where)
            self.assertEqual(done.stdout, self.verb(verb, where, "-o", "-").stdout)
            self.assertEqual([float(n) for n in done.stdout.decode().split("\n")[2:] if n], [float(n) for n in numbers])
            self.assertEqual(json.loads(self.verb(verb, where, "--json").stdout)["schema_version"], 1)
        self.assertEqual(self.verb("factor", where).stdout, b"")


class Verdicts(LuTest):
    singular = [[1.0, 2.0, 3.0], [2.0, 0.0, 6.0], [0.0, 0.0, 0.0]]

    def test_singular(self):
        where, out = self.write("a.mtx", self.singular), self.folder / "x.mtx"
        for verb in "factor", "solve", "inverse":
            done = self.verb(verb, where, "-o", str(out), code=1)
            self.assertIn("wale: error: " + where + ": singular: U(2, 2) is 0", done.stderr.decode())
            # Factors are complete all the same, a solution is not.
            self.assertEqual(out.exists(), verb == "factor")
            out.unlink(missing_ok=True)
            self.assertEqual(os.listdir(self.folder), ["a.mtx"])
        report = self.report("factor", where, code=1)
        self.assertEqual((report["first_zero"], report["reciprocal_condition"]), (2, 0))

    def test_diverged(self):
        a = matrix(20, 20, 3)
        a[0][0] = 1e-14
        where = self.write("a.mtx", a)
        done = self.verb("factor", where, "--pivoting", "none", code=1)
        self.assertIn("diverged: growth", done.stderr.decode())
        self.good("factor", where)
        exchange = self.write("e.mtx", [[0.0, 1.0], [1.0, 0.0]])
        self.verb("solve", exchange, "--pivoting", "none", code=1)
        self.good("solve", exchange)

    def test_not_finite(self):
        bad = self.write("a.mtx", [[1e308, 1e308], [1e308, -1e308]])  # U ends in -2e308
        self.assertIn("not finite", self.verb("solve", bad, code=1).stderr.decode())
        self.assertIn("not finite", self.verb("det", bad, code=1).stderr.decode())

    def test_not_finite_in_a_file(self):
        good, bad = self.write("a.mtx", matrix(2, 2, 1)), self.file("b.npy", npy_rows([[1.0, 2.0], [math.inf, 3.0]]))
        says = "b.npy: element 1, 0 is inf, expected a finite number"
        self.refused(65, "lu", "det", bad, says=says)
        self.refused(65, "lu", "solve", good, "--rhs", bad, says=says)
        self.refused(65, "lu", "factor", self.file("i.mtx", BANNER.replace("real", "integer") + "1 1\n1.5\n"),
                     says="i.mtx:3: '1.5', expected a whole number")

    def test_perturbation(self):
        a = [[1.0, 0.5], [1.0, 0.5]]
        report = self.report("factor", self.write("a.mtx", a), "--pivoting", "none", "--perturbation", "1e-8")
        self.assertEqual(report["perturbed"], 1)
        self.refused(2, "lu", "factor", self.write("a.mtx", a), "--perturbation", "1e-8", says="perturbation")

    def test_nearly_singular_is_said(self):
        a = [[1.0, 1.0], [1.0, 1.0 + 2**-52]]
        self.assertIn("singular to working precision", self.good("factor", self.write("a.mtx", a)).stderr.decode())


class Range(LuTest):
    """Elements near both ends of the range: what is said of them is what is said of them nearer to 1."""

    def test_scales(self):
        rows = [[0.75 + v / 4 for v in row] for row in matrix(60, 60, 5)]  # columns of one sign have large sums
        near = self.report("factor", self.write("one.npy", rows))
        for power in 1020, -960:
            scale = 2.0**power
            a = self.write("a.npy", [[v * scale for v in row] for row in rows])
            factors = self.report("factor", a)
            self.assertAlmostEqual(factors["reciprocal_condition"] / near["reciprocal_condition"], 1, 6)
            self.assertAlmostEqual(factors["residual_ratio"] / near["residual_ratio"], 1, 6)
            b = self.write("b.npy", [[sum(row) / 64 * scale] for row in rows])
            for words in [], ["--refined", "f32"], ["--refined", "f64"]:
                x = self.folder / "x.npy"
                self.assertLess(self.report("solve", a, "--rhs", b, *words, "-o", str(x))["backward_ratio"], 1)
                for row in read(x):
                    self.assertAlmostEqual(row[0] * 64, 1, 9)


class AddressSpace(LuTest):
    """A limit of the address space leaves room for the command and for one thread."""

    @unittest.skipIf("WALE_NO_MEMORY_LIMITS" in os.environ, "a sanitizer takes the address space")
    def test_limits(self):
        limit = 200 << 20
        a = self.write("a.npy", matrix(200, 200, 1))
        for words in ["--version"], ["list"], ["info"], ["lu", "factor", a, "--variant", "cpu/recursive", "--threads", "1"]:
            done = self.wale(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.assertEqual(done.returncode, 0, done.stderr)


class BadInputs(LuTest):
    def test_files(self):
        for text, says in [("", "an empty file"), ("hello", "starts with 'h'"), ("2\n1 2\n3\n", ":4: the file ends"),
                           ("2\n1 2\n3 4\n5\n", ":4: '5'"), ("2\n1 nan\n3 4\n", ":2: 'nan'"),
                           ("2\n1 1e999\n3 4\n", ":2: '1e999'"), ("99999999999\n1 1\n", ":1: 99999999999 rows"),
                           ("3 3 1\n1 1 2.5\n", "starts with numbers, expected %%MatrixMarket"),
                           (BANNER + "2 2\n1\n2\n3\n4\n5\n", ":7: '5'"),
                           (BANNER.replace("real", "pattern") + "1 1\n1 1\n", ":1: an array of a pattern"),
                           (BANNER.replace("array", "coordinate") + "2 2 1\n9 1 1\n", ":3: row is 9")]:
            self.refused(65, "lu", "factor", self.file("bad.mtx", text), says=says)
        self.refused(65, "lu", "factor", self.file("bad.npy", npy_rows([[1.0, 2.0]])[:-3]), says="13 bytes of elements")

    def test_shapes(self):
        wide, a = self.write("w.mtx", matrix(2, 3, 1)), self.write("a.mtx", matrix(3, 3, 1))
        for verb in "solve", "det", "inverse":
            self.refused(65, "lu", verb, wide, says="is 2 x 3, expected as many rows as columns")
        self.refused(65, "lu", "solve", a, "--rhs", wide, says="has 2 rows, expected 3")

    def test_outputs(self):
        a = self.write("a.mtx", matrix(3, 3, 1))
        self.refused(2, "lu", "factor", a, "-o", str(self.folder / "x.png"), says="names no format")
        self.refused(2, "lu", "factor", a, "--pivots", str(self.folder / "p.mtx"), says=".npy")
        wide = self.write("w.mtx", matrix(2, 3, 1))
        self.refused(2, "lu", "factor", wide, "-o", str(self.folder / "x.dat"), says="is 2 x 3")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.mtx", "w.mtx"])

    def test_json_errors(self):
        done = self.verb("factor", self.file("bad.mtx", "x"), "--json", code=65)
        said = json.loads(done.stderr)
        self.assertEqual(said["code"], 65)


if __name__ == "__main__":
    unittest.main()
