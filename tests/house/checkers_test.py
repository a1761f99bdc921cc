"""The checkers can fail: each is shown offences that it must report."""
import re
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_evidence  # noqa: E402
import check_includes  # noqa: E402
import check_rows  # noqa: E402
import home  # noqa: E402
import performance_tables  # noqa: E402
import tuning_rows  # noqa: E402
import version  # noqa: E402

sys.path.insert(0, str(ROOT / "bench"))
import tune  # noqa: E402


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

    def cycles(self, files):
        texts = {f"src/solvers/{path}": "".join(f'#include "solvers/{i}"\n' for i in includes)
                 for path, includes in files.items()}
        return [(path, number) for path, number, _ in check_includes.cycles(texts)]

    def test_operations_that_include_each_other_are_reported_with_each_include(self):
        found = self.cycles({"tree/chains/a.hpp": ["tree/jobs.hpp", "tree/factor/b.hpp"],
                             "tree/factor/cuda/b.cu": ["tree/chains/a.hpp"], "tree/jobs.hpp": []})
        self.assertEqual(found, [("src/solvers/tree/chains/a.hpp", 2), ("src/solvers/tree/factor/cuda/b.cu", 1)])

    def test_a_cycle_through_three_operations_is_reported(self):
        found = self.cycles({"lu/a/x.hpp": ["lu/b/x.hpp"], "lu/b/x.hpp": ["lu/c/x.hpp"], "lu/c/x.hpp": ["lu/a/x.hpp"]})
        self.assertEqual(len(found), 3)

    def test_a_header_that_all_operations_share_may_include_none_that_includes_it(self):
        self.assertEqual(len(self.cycles({"lu/jobs.hpp": ["lu/solve/x.hpp"], "lu/solve/x.hpp": ["lu/jobs.hpp"]})), 2)

    def test_one_direction_is_fine_and_api_may_include_all(self):
        self.assertFalse(self.cycles({"lu/solve/a.cpp": ["lu/factor/b.hpp", "lu/jobs.hpp"],
                                      "lu/api.cpp": ["lu/factor/b.hpp"], "lu/factor/b.hpp": ["lu/jobs.hpp"]}))



class Rows(unittest.TestCase):
    BAND = ('extern constinit const catalogue::row<cut_job> cut_cpu_band{\n'
            '    "cpu/band", "one band", run, refusal, suits};\n')
    GOOD = {"lu/cut/cpu/band.cpp": BAND, "lu/cut/cuda/rows.cu": BAND.replace("cpu", "cuda").replace("band", "rows"),
            "lu/cut/reference.cpp": 'const cut_row cut_reference_plain{"reference/plain", "the truth"};',
            "lu/rows.txt": "# all\ninclude a.hpp\n\ncutting cut cut:\n    cpu/band reference/plain\n    cuda/rows\n"}
    README = {"lu": "| `cpu/band` | ... | `cuda/rows` |"}

    def reported(self, changes, readme=None):
        files = {path: text for path, text in (self.GOOD | changes).items() if text is not None}
        return [path for path, _ in check_rows.offences(files, self.README if readme is None else readme)]

    def test_rows_in_their_places_are_fine(self):
        self.assertEqual(self.reported({}), [])
        self.assertEqual(self.reported({"lu/cut/cpu/band.cpp": None, "lu/cut/cpu/band/band.cpp": self.BAND}), [])
        self.assertEqual(self.reported({"lu/cut/cpu/band.cpp": None, "lu/cut/cpu/band/cut.cpp": self.BAND}), [])

    def test_a_row_in_a_file_of_another_name_is_reported(self):
        found = self.reported({"lu/cut/cpu/band.cpp": None, "lu/cut/cpu/strip.cpp": self.BAND})
        self.assertEqual(found, ["lu/cut/cpu/strip.cpp"])

    def test_an_object_of_another_name_is_reported(self):
        wrong = {path: text.replace("cut_cpu_band", "cut_band") for path, text in self.GOOD.items()}
        self.assertIn("lu/cut/cpu/band.cpp", self.reported(wrong))

    def test_a_row_in_no_list_or_in_the_list_of_another_table_is_reported(self):
        self.assertEqual(self.reported({"lu/rows.txt": "cut: reference/plain cuda/rows"}), ["lu/cut/cpu/band.cpp"])
        self.assertTrue(self.reported({"lu/rows.txt": "cut: reference/plain cuda/rows\ninternal sew: cpu/band"}))
        self.assertEqual(self.reported({"lu/rows.txt": "cut: cpu/band cuda/rows reference/plain"}), [])

    def test_a_listed_row_without_a_definition_is_reported(self):
        self.assertEqual(self.reported({"lu/cut/cpu/band.cpp": None}), ["lu/rows.txt"])

    def test_a_row_that_is_no_object_is_reported(self):
        self.assertTrue(self.reported({"lu/cut/api.cpp": '{{"cpu/strip", "strips"}}'}))

    def test_a_row_that_another_file_declares_is_reported(self):
        self.assertTrue(self.reported({"lu/cut/api.cpp": "extern const catalogue::row<cut_job> cut_cpu_band;"}))

    def test_a_source_without_a_row_beside_the_variants_is_reported(self):
        self.assertEqual(self.reported({"lu/cut/cpu/helper.cpp": "int f();"}), ["lu/cut/cpu/helper.cpp"])
        self.assertEqual(self.reported({"lu/cut/cpu/band/helper.cpp": "int f();"}), [])

    def test_a_variant_that_the_readme_does_not_name_is_reported(self):
        self.assertEqual(self.reported({}, {"lu": "`cuda/rows`"}), ["lu/cut/cpu/band.cpp"])


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
            for command, good in ("wale_bench lu", True), ("absent", False), ("", False):
                path.write_text(f"commit,date,machine,command,size\nabc,2026-01-01,h200,{command},1\n")
                self.assertEqual(check_evidence.unwritten(path) is None, good, command)

    def test_the_plan_names_tables_that_exist(self):
        tables = tuning_rows.all_tables()
        for name, array, *_, variant, _, _ in map(str.split, filter(None, tune.PLAN.splitlines())):
            self.assertTrue(tune.rows_of(tables, name, array, variant), name)

    def test_a_new_line_takes_the_place_of_its_case(self):
        old = [{"operation": "a", "case": "x", "s": 1}, {"operation": "b", "case": "x", "s": 2}]
        new = [{"operation": "a", "case": "y", "s": 3}, {"operation": "a", "case": "x", "s": 4}]
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


class Home(unittest.TestCase):
    def test_both_packages_get_their_addresses(self):
        for name in home.PACKAGES:
            said = home.with_home((ROOT / name).read_text(), "https://example.org/us/wale")
            urls = tomllib.loads(said)["project"]["urls"]
            self.assertEqual(urls["Issues"], "https://example.org/us/wale/issues")

    def test_what_is_no_address_is_refused(self):
        for url in ("", "wale", "https://example.org/a b", 'https://example.org/"'):
            with self.assertRaises(SystemExit):
                home.with_home("", url)
        with self.assertRaises(SystemExit):
            home.with_home("[project.urls]\n", "https://example.org")


class Version(unittest.TestCase):
    GOOD = {"CMakeLists.txt": "project(wale VERSION 1.2.3 LANGUAGES CXX", "pyproject.toml": 'dynamic = ["version"]',
            "CITATION.cff": "version: 1.2.3", "docs/install.md": "find_package(wale 1.2 REQUIRED)"}

    def test_one_version(self):
        self.assertEqual(list(version.problems(self.GOOD, "v1.2.3")), [])

    def test_what_differs_is_reported(self):
        for name, text in (("CITATION.cff", "version: 1.2.4"), ("CITATION.cff", ""),
                           ("docs/install.md", "find_package(wale 1.3)"), ("pyproject.toml", 'version = "1.2.3"')):
            found = list(version.problems({**self.GOOD, name: text}))
            self.assertEqual([line.split(":")[0] for line in found], [name])
        self.assertEqual(len(list(version.problems(self.GOOD, "v1.2"))), 1)


class Enumerations(unittest.TestCase):
    NOT_LAST = {"euler_start": "vortex"}  # the value behind it is no word of a user
    HEADERS = "\n".join(re.sub("//.*", "", p.read_text()) for p in sorted((ROOT / "include" / "wale").glob("*.hpp")))

    def test_every_value_has_a_word(self):
        enums = {name: values.replace(",", " ").split()
                 for name, values in re.findall(r"enum class (\w+)[^{;]*\{([^}]*)\}", re.sub(r"\s*=\s*\w+(?=[,\s}])", "", self.HEADERS))}
        last = re.findall(r"(\w+)::(\w+)", re.search(r"last_values\{([^}]*)\}", self.HEADERS)[1])
        self.assertGreater(len(last), 20)
        for name, value in last:
            self.assertEqual(value, self.NOT_LAST.get(name, enums[name][-1]), name)


if __name__ == "__main__":
    unittest.main()
