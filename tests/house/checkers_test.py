"""The checkers can fail: each is shown offences that it must report."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_evidence  # noqa: E402
import check_includes  # noqa: E402
import performance_tables  # noqa: E402
import tuning_rows  # noqa: E402


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


class Measurements(unittest.TestCase):
    TUNED = {"array": "lu::policies", "element_bytes": "8", "values": "{64, 8}"}
    OTHER = {"type": "float64", "variant": "cuda/blocked", "policy": "block=64"}

    def row(self, size=8, values="{64, 8}"):
        return tuning_rows.Row(0, 90, size, values, "", (0, 0))

    def test_type_policy_and_table_of_a_cited_line_are_compared(self):
        def why(line, row, name="lu::policies"):
            return check_evidence.mismatch(line, name, row, "src/solvers/lu/factor/cuda/tuning.hpp")

        for line in self.TUNED, self.OTHER:
            self.assertIsNone(why(line, self.row()))
            self.assertIn("bytes", why(line, self.row(size=4)))
            self.assertIn("the row is", why(line, self.row(values="{32, 4}")))
        self.assertIn("expected lu::others", why(self.TUNED, self.row(), "lu::others"))
        self.assertIn("backend", why({**self.OTHER, "variant": "cpu/blocked"}, self.row()))

    def test_a_file_without_a_program_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.csv"
            for command, good in ("wale_bench lu", True), ("nobody", False), ("", False):
                path.write_text(f"commit,date,machine,command,size\nabc,2026-01-01,h200,{command},1\n")
                self.assertEqual(check_evidence.unwritten(path) is None, good, command)

    def test_a_new_line_takes_the_place_of_its_case(self):
        old = [{"operation": "a", "s": 1}, {"operation": "b", "s": 2}]
        new = [{"operation": "c", "s": 3}, {"operation": "a", "s": 4}]
        self.assertEqual([line["s"] for line in check_evidence.merged(old, new)], [4, 2, 3])

    def test_rows_are_read_from_a_table(self):
        text = 'namespace wale::lu {\ninline constexpr tuning::row<p> ps[] = {\n    {90, 8, {{1, 2}, 3}, "untuned"},  // {\n};\n}'
        ((name, rows),) = tuning_rows.tables(text)
        self.assertEqual((name, rows[0].values, text[slice(*rows[0].span)]), ("lu::ps", "{{1, 2}, 3}", "untuned"))


class Tables(unittest.TestCase):
    GRID = ["csv: h200/lu.csv", "where: size=256; operation=pivoted_f32,pivoted_f64", "rows: size",
            "| n | {size} |", "| ms | {median_s*1e3:3} | operation=pivoted_f32 |"]

    def problems(self, page, declared):
        found = []
        made = performance_tables.filled_page(page, declared, lambda name, problem: found.append((name, problem)))
        return made, found

    def test_stale_figure_is_reported_once_and_mended(self):
        page = "<!-- table: a -->\n| n | ms |\n| --- | --- |\n| 256 | 9.99 |\n<!-- end -->"
        made, found = self.problems(page, {"a": self.GRID})
        self.assertEqual(found, [("a", None)])
        self.assertNotIn("9.99", made)
        self.assertEqual(self.problems(made, {"a": self.GRID}), (made, []))

    def test_bad_declarations_are_reported_and_leave_the_page(self):
        page = "<!-- table: a -->\n<!-- end -->"
        for change in ({0: "csv: nowhere/lu.csv"}, {1: "where: size=3"}, {3: "| n | {sise} |"},
                       {4: "| ms | {median_s*1e3:3} |"}, {4: "| ms | {median_s^2} |"}):
            grid = [change.get(i, line) for i, line in enumerate(self.GRID)]
            made, found = self.problems(page, {"a": grid})
            self.assertEqual(made, page, change)
            self.assertTrue(found and found[0][1], change)
        self.assertTrue(self.problems(page, {})[1][0][1])

    def test_digits(self):
        written = [performance_tables.digits(value, count)
                   for value, count in ((0.05628, 3), (9.996, 3), (0.9999, 3), (1755.6, 3), (1000000, 1), (0, 2))]
        self.assertEqual(written, ["0.0563", "10.0", "1.00", "1,760", "1,000,000", "0.0"])


if __name__ == "__main__":
    unittest.main()
