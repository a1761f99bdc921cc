#!/usr/bin/env python3
"""The command line where an allocation fails: exit 71, one line, no partial file.
Environment: WALE, the program; FAILING_MALLOC, the library of failing_malloc.cpp; PYTHONPATH with tests/cli."""

import os
import unittest

from harness import CliTest

LIBRARY = os.environ["FAILING_MALLOC"]


class MallocFaults(CliTest):
    def under(self, words, fail="0", least=0, count_file=None):
        """Runs the program with a failing malloc; FAIL is k or "k+", and calls below LEAST bytes do not count."""
        variables = {"LD_PRELOAD": LIBRARY, "WALE_FAIL_MALLOC": str(fail), "WALE_FAIL_MALLOC_FROM": str(least)}
        if count_file:
            variables["WALE_COUNT_MALLOC"] = str(count_file)
        return self.wale(*words, env={**os.environ, **variables})

    def calls_of(self, words, least=0):
        counted = self.folder / "count"
        done = self.under(words, least=least, count_file=counted)
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(counted.read_text())

    def sweep(self, words, output, least=0, most=40):
        """Fails at most MOST calls, evenly spread over the run, each alone and then with all later ones."""
        calls = self.calls_of(words, least)
        self.assertGreater(calls, 0)
        whole = output.read_bytes()
        output.unlink()
        before = {p.name for p in self.folder.iterdir()}
        refusals = 0
        for call in sorted({1 + k * (calls - 1) // most for k in range(most + 1)}):
            for fail in (f"{call}", f"{call}+"):
                done = self.under(words, fail, least)
                message = done.stderr.decode(errors="replace")
                if done.returncode == 0:  # an allocation that the program does without
                    self.assertTrue(output.exists())
                else:
                    refusals += 1
                    self.assertEqual(done.returncode, 71, (fail, message))
                    self.assertRegex(message, r"\Awale: error: [^\n]*\n\Z", fail)
                if output.exists():  # or the report failed after the output was complete
                    self.assertEqual(output.read_bytes(), whole, fail)
                    output.unlink()
                self.assertEqual({p.name for p in self.folder.iterdir()}, before, fail)
        self.assertGreater(refusals, 0)

    def test_a_cable(self):
        form, table = self.folder / "neuron.swc", self.folder / "v.csv"
        self.assertEqual(self.wale("tree", "grow", "-o", str(form)).returncode, 0)
        self.sweep(["tree", "cable", str(form), "--tstop", "2", "-t", "1", "-o", str(table)], table)

    def test_a_partition(self):
        mesh, out = self.folder / "box.wmesh", self.folder / "parts.npy"
        self.assertEqual(self.wale("mesh", "generate", "box", "--size", "2000", "-o", str(mesh)).returncode, 0)
        words = ["mesh", "partition", str(mesh), "--parts", "6", "--method", "metis", "-o", str(out)]
        if b"built without METIS" in self.wale(*words).stderr:
            self.skipTest("this Wale was built without METIS")
        self.sweep(words, out)
        # METIS runs in a child, which goes on counting where the program was: about 2000 calls more.
        calls, own = self.calls_of(words), out.read_bytes()
        by_metis = 0
        for call in range(calls - 200, calls + 2400, 20):
            done = self.under(words, call)
            message = done.stderr.decode(errors="replace")
            self.assertEqual(message.count("\n"), 1, (call, message))
            if done.returncode == 0:
                self.assertEqual(out.read_bytes(), own)
            else:
                self.assertEqual(done.returncode, 71, (call, message))
                by_metis += message.startswith("wale: error: METIS: needs ")
        self.assertGreater(by_metis, 0)


if __name__ == "__main__":
    unittest.main()
