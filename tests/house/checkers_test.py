"""The checkers can fail: each is shown offences that it must report."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_evidence  # noqa: E402
import check_includes  # noqa: E402


class Includes(unittest.TestCase):
    def offences(self, path, *lines):
        return list(check_includes.offences(path, "\n".join(lines)))

    def test_upward_include_is_reported_with_its_line(self):
        found = self.offences("src/base/checked.hpp", "#pragma once", '#include "cpu/team.hpp"')
        self.assertEqual([number for number, _ in found], [2])

    def test_another_solver_is_reported(self):
        self.assertTrue(self.offences("src/solvers/lu/api.cpp", '#include "solvers/tree/jobs.hpp"'))

    def test_cuda_header_in_host_file_is_reported(self):
        self.assertTrue(self.offences("src/core/buffer.cpp", "#include <cuda_runtime.h>"))

    def test_front_end_sees_public_headers_only(self):
        self.assertTrue(self.offences("cli/main.cpp", '#include "base/checked.hpp"'))
        self.assertFalse(self.offences("cli/main.cpp", "#include <wale/wale.hpp>"))

    def test_downward_include_is_fine(self):
        self.assertFalse(self.offences("src/solvers/lu/api.cpp", '#include "cpu/team.hpp"',
                                       '#include "solvers/lu/jobs.hpp"', "#include <vector>"))


class Evidence(unittest.TestCase):
    def test_untuned_is_honest(self):
        self.assertIsNone(check_evidence.problem("untuned"))

    def test_missing_file_and_line_are_reported(self):
        self.assertIsNotNone(check_evidence.problem("bench/results/nowhere/x.csv:2"))
        self.assertIsNotNone(check_evidence.problem("README.md:1000000"))


if __name__ == "__main__":
    unittest.main()
