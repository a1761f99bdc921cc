#!/usr/bin/env python3
"""A variant that is named runs, and nothing else, or the line says why it does not. Environment: WALE, the program."""

import json
import unittest

from arrays import matrix, mtx, npy, npy_rows
from harness import CliTest, dna


class Named(CliTest):
    def names(self, solver):
        rows = json.loads(self.wale("list", solver, "--json").stdout)["variants"]
        return sorted({(r["name"], r["backend"]) for r in rows if r["available"]})

    def run_all(self, solver, calls, variants_of):
        """Each name with each call; which names ran, by call: a device decides which of its rows take so small a job."""
        ran = {call: set() for call in calls}
        for name, backend in self.names(solver):
            for call, words in calls.items():
                with self.subTest(call=call, name=name):
                    done = self.wale(*words, "--variant", name, "--json")
                    if done.returncode == 0:
                        self.assertEqual(set(variants_of(json.loads(done.stdout))), {name})
                        if backend != "cuda":
                            ran[call].add(name)
                    else:
                        said = json.loads(done.stderr)
                        self.assertEqual(said["code"], 2, said)
                        self.assertIn(name, said["what"])
        return ran

    def rows(self, solver, operation):
        rows = json.loads(self.wale("list", solver, "--json").stdout)["variants"]
        return {r["name"] for r in rows
                if r["available"] and r["operation"] == operation and r["backend"] != "cuda"}

    def test_align(self):
        one = [self.file("a.fa", ">a\n" + dna(300, 1)), self.file("b.fa", ">b\n" + dna(280, 2))]
        many = [self.file(f"{k}.fa", "".join(f">{i}\n{dna(20 + i, 7 * i + k)}\n" for i in range(30))) for k in (3, 4)]
        calls = {
            "lcs": ["align", *one], "edit": ["align", "-m", "edit", *one],
            "lcs pairs": ["align", "--pairs", *many], "edit pairs": ["align", "--pairs", "-m", "edit", *many],
            "string": ["align", "--string", *one], "strings": ["align", "--string", "--pairs", *many],
            "both strands": ["align", "--string", "-r", *one],
        }
        ran = self.run_all("wavefront", calls, lambda said: said["run"]["variant"].split("+"))
        self.assertEqual(ran["string"], self.rows("wavefront", "lcs_string"))
        self.assertEqual(ran["strings"], self.rows("wavefront", "lcs_string"))
        self.assertEqual(ran["both strands"], self.rows("wavefront", "lcs_string"))
        self.assertEqual(ran["lcs"], self.rows("wavefront", "lcs_length") | self.rows("wavefront", "lcs_batch"))
        self.assertEqual(ran["edit"], self.rows("wavefront", "edit_distance") | self.rows("wavefront", "edit_batch"))
        self.assertIn("cpu/lanes", ran["lcs pairs"] & ran["edit pairs"])
        self.refused(2, "align", "--string", *one, "--variant", "cpu/skewed_strips",
                     says="lcs_string: no variant 'cpu/skewed_strips' on cpu; there are: cpu/hirschberg")

    def test_both_strands_by_strings_alone(self):
        files = self.file("a.fa", ">a\nAAAACC\n"), self.file("b.fa", ">b\nGGTTTT\n")
        said = self.wale("align", "-s", "-r", *files, "--variant", "cpu/hirschberg")
        self.assertEqual(said.stdout, self.wale("align", "-s", "-r", *files).stdout)
        self.assertIn(b"strand=-", said.stdout)

    def test_lu(self):
        a = self.file("a.mtx", mtx(matrix(30, 30, 1)))
        calls = {verb: ["lu", verb, a] for verb in ("factor", "det", "solve", "inverse")}
        calls["factor without pivots"] = [*calls["factor"], "--pivoting", "none"]
        calls["refined"] = ["lu", "solve", a, "--refined"]

        def variants_of(said):
            """The second step, of a solution or an inverse, has the row of the same name where there is one."""
            second = said.get("second_variant")
            named = said["variant"] in self.rows("lu", said["operation"])
            self.assertEqual(second is not None, said["operation"] in ("solve", "inverse") and "factored_in" not in said)
            return [said["variant"]] + ([second] if second and named else [])

        ran = self.run_all("lu", calls, variants_of)
        for verb in "factor", "det", "solve", "inverse":
            pivoted = self.rows("lu", "factor") - {"cpu/blocked", "cpu/row_column", "cpu/row_column_copy"}
            self.assertEqual(ran[verb], pivoted)
        self.assertEqual(ran["factor"] | ran["factor without pivots"], self.rows("lu", "factor"))
        self.assertEqual(ran["refined"], self.rows("lu", "refined"))

    def test_tree(self):
        files = []
        for name, value in ("lower", 1.0), ("diagonal", 4.0), ("upper", 1.0), ("rhs", 6.0):
            files += [f"--{name}", self.file(f"{name}.npy", npy_rows([[value] * 40] * 6))]
        case = self.file("case.txt", "3\n0 0.0 0.0 1.0 4.0 -1\n1 1.0 1.0 1.0 4.0 0\n2 1.0 1.0 1.0 4.0 0\n")
        neuron = str(self.folder / "n.swc")
        self.assertEqual(self.wale("tree", "grow", "--levels", "1", "-o", neuron).returncode, 0)
        calls = {
            "tridiagonal": ["tree", "solve", *files], "no pivots": ["tree", "solve", *files, "--pivoting", "none"],
            "hines": ["tree", "solve", case],
            "cable": ["tree", "cable", neuron, "--tstop", "1", "-o", str(self.folder / "out.csv")],
        }
        ran = self.run_all("tree", calls, lambda said: [said["variant"]])
        self.assertEqual(ran["tridiagonal"] | ran["no pivots"], self.rows("tree", "tridiagonal"))
        self.assertEqual(ran["cable"], self.rows("tree", "cable"))
        self.assertLessEqual(ran["hines"], self.rows("tree", "hines"))
        self.assertIn("cpu/sweep", ran["hines"])

    def test_reconstruct(self):
        values = [(5 * x * x + 3 * y) % 23 for y in range(20) for x in range(24)]
        grey = self.file("g.npy", npy("|u1", (20, 24), values))
        flags = self.file("f.npy", npy("|b1", (20, 24), [v > 9 for v in values]))
        seeds = self.file("s.npy", npy("<i4", (20, 24), [k + 1 if k % 97 == 0 else 0 for k in range(480)]))
        out = ["-o", str(self.folder / "out.npy")]
        calls = {
            "reconstruct": ["reconstruct", "reconstruct", grey, grey, *out],
            "fill-holes": ["reconstruct", "fill-holes", grey, *out],
            "fill-holes of flags": ["reconstruct", "fill-holes", flags, *out],
            "h-domes": ["reconstruct", "h-domes", grey, "--h", "4", *out],
            "hysteresis": ["reconstruct", "hysteresis", grey, "--low", "5", "--high", "15", *out],
            "depressions": ["reconstruct", "depressions", grey, *out],
            "watershed": ["reconstruct", "watershed", grey, seeds, *out],
        }
        ran = self.run_all("reconstruction", calls, lambda said: [said["variant"]])
        self.assertEqual(ran["fill-holes"] | ran["fill-holes of flags"], self.rows("reconstruction", "reconstruct"))
        self.assertEqual(ran["watershed"], self.rows("reconstruction", "watershed"))

    def test_euler(self):
        case = self.file("case.toml", '[mesh]\ngenerate = "shell"\nsize = 300\n[scheme]\nname = "rodinia"\n[run]\niterations = 2\n')
        ran = self.run_all("euler", {"euler": ["euler", case]}, lambda said: [said["variant"]])
        self.assertLessEqual({"cpu/vectors", "cpu/one_pass", "reference/plain"}, ran["euler"])


if __name__ == "__main__":
    unittest.main()
