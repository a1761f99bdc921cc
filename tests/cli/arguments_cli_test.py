#!/usr/bin/env python3
"""Numbers that options take, in every verb. Environment: WALE, the program."""

import re
import unittest

from cli_test import CliTest

# Verbs with numeric options, and the words that they need besides; files are not opened before all words are known.
VERBS = [
    ["align", "a", "b"],
    ["reconstruct", "h-domes", "a", "--h", "1"],
    ["reconstruct", "tophat", "a", "--size", "3"],
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
            self.refused(2, *words, *option, says=what)

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


if __name__ == "__main__":
    unittest.main()
