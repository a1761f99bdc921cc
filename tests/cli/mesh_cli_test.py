#!/usr/bin/env python3
"""`wale mesh check|convert|generate|renumber|partition`: round trips, verdicts, bad inputs, outputs.
Environment: WALE, the program."""

import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from harness import WALE, CliTest
from arrays import read


GMSH = """$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
2 3 "wall"
$EndPhysicalNames
$Entities
0 0 1 1
8 0 0 0 1 1 1 1 3 0
1 0 0 0 1 1 1 0 0
$EndEntities
$Nodes
1 4 10 40
3 1 0 4
10
20
30
40
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
2 2 1 2
2 8 2 1
1 10 20 30
3 1 4 1
2 10 20 30 40
$EndElements
"""


class MeshTest(CliTest):
    def verb(self, *words, code=0, **more):
        done = self.wale("mesh", *words, text=True, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def bad(self, code, words, *arguments, **more):
        done = self.verb(*arguments, code=code, **more)
        self.assertIn(words, done.stderr)
        self.assertEqual(done.stderr.count("wale: error:"), 1, done.stderr)
        return done

    def made(self, name, *words):
        path = self.folder / name
        if not path.exists():
            self.verb("generate", *words, "-o", path)
        return path

    def facts(self, path):
        return json.loads(self.verb("check", path, "--json").stdout)


class Formats(MeshTest):
    def test_gmsh_is_read_and_not_written(self):
        path = self.file("a.msh", GMSH)
        self.verb("convert", path, self.folder / "a.su2")
        self.assertIn("MARKER_TAG= wall\nMARKER_ELEMS= 1\n5 ", (self.folder / "a.su2").read_text())
        self.assertEqual(self.facts(path)["mesh"], self.facts(self.folder / "a.su2")["mesh"])
        piped = self.verb("check", "-", "--json", stdin=GMSH)
        self.assertEqual(json.loads(piped.stdout)["mesh"], self.facts(path)["mesh"])
        self.bad(2, "names no format", "convert", path, self.folder / "b.msh")
        second = self.file("second.msh", GMSH.replace("2 8 2 1", "2 8 9 1"))
        self.bad(65, "second.msh:27: element of type 9, expected first order: 1 to 7, or 15", "check", second)

    def test_every_kind_is_sound(self):
        for kind in ("shell", "wedge", "bump", "box", "tube", "o_grid", "c_grid"):
            found = self.facts(self.made(f"{kind}.wmesh", kind, "--size", "500"))
            self.assertEqual(found["mesh"]["verdict"], "")
            self.assertEqual(found["mesh"]["parts"], 1)
            self.assertLess(found["mesh"]["closure"], 1e-14)
            self.assertLess(found["mesh"]["gauss"], 1e-12)

    def test_round_sections(self):
        out = self.folder / "foil.su2"
        line = self.verb("generate", "c_grid", "--section", "2412", "--around", "60", "--outward", "20", "--outer",
                         "15", "--shape", "triangle", "-o", out).stderr
        self.assertRegex(line, r"generate, 4000 cells; normals up to [0-9.]+ degrees off, neighbours' volumes up to")
        self.assertEqual(out.read_text().count("MARKER_TAG"), 2)
        text = self.verb("check", out).stdout
        self.assertRegex(text, r"angles of normals and centres: mean [0-9.]+, largest [0-9.]+ degrees, at cell \d+")
        for words in (["--section", "24"], ["--around", "9"], ["--shape", "prism"], ["--outer", "1.5"]):
            self.bad(2, "recipe." + words[0][2:], "generate", "o_grid", *words, "-o", self.folder / "none.su2")
        self.assertFalse((self.folder / "none.su2").exists())

    def test_through_every_format(self):
        shell = self.made("through.wmesh", "shell", "--size", "500", "--shuffled")
        first = self.facts(shell)["mesh"]
        path = shell
        for suffix in (".su2", ".fvcorr", ".sac", ".wmesh"):
            out = self.folder / ("copy" + suffix)
            self.verb("convert", path, out)
            found = self.facts(out)["mesh"]
            for key in ("cells", "inner_faces", "bandwidth", "mean_distance", "verdict"):
                self.assertEqual(found[key], first[key], (suffix, key))
            self.assertAlmostEqual(found["volume"] / first["volume"], 1, delta=1e-6)
            self.assertEqual({p["name"]: p["faces"] for p in found["patches"]},
                             {p["name"]: p["faces"] for p in first["patches"]})
            path = out

    def test_format_by_word(self):
        out = self.folder / "mesh.txt"
        self.bad(2, "names no format", "generate", "box", "-o", out)
        self.verb("generate", "box", "--size", "100", "--to", "su2", "-o", out)
        self.assertTrue(out.read_text().startswith("NDIME"))
        self.bad(73, "is an input", "convert", out, out, "--to", "su2")
        self.assertTrue(out.read_text().startswith("NDIME"), "the input stays")

    def test_pictures(self):
        shell = self.made("picture.fvcorr", "shell", "--size", "2000")
        picture = self.folder / "picture.vtu"
        self.assertIn("--recover", self.bad(2, "no coordinates", "convert", shell, picture).stderr)
        self.assertFalse(picture.exists())
        done = self.verb("convert", shell, picture, "--recover", "--json")
        found = json.loads(done.stdout)
        self.assertEqual(found["recovered"]["pieces"], 1)
        self.assertLess(found["recovered"]["mismatch"], 1e-4)
        text = picture.read_bytes()
        self.assertIn(f'NumberOfPoints="{found["points"]}"'.encode(), text)
        self.assertIn(f'NumberOfCells="{found["mesh"]["cells"]}"'.encode(), text)
        self.assertIn("recovered", done.stderr)


class Tools(MeshTest):
    def test_check_says_what_a_person_asks(self):
        text = self.verb("check", self.made("said.wmesh", "box", "--size", "100")).stdout
        for words in ("cells: 100", "patch left: 10 faces, area 10", "verdict: good", "points: 121"):
            self.assertIn(words, text)

    def test_a_bad_mesh_is_a_bad_verdict(self):
        shell = self.made("spoilt.fvcorr", "shell", "--size", "100")
        lines = shell.read_text().splitlines()
        lines[3] = lines[3].replace("0.", "-.", 1)
        bad = self.file("negative.fvcorr", "\n".join(lines) + "\n")
        done = self.bad(1, "volumes that are not positive, such as cell 2", "check", bad)
        self.assertIn("verdict: 1 volumes", done.stdout)
        found = json.loads(self.verb("check", bad, "--json", code=1).stdout)
        self.assertEqual(found["mesh"]["first_not_positive"], 2)
        self.bad(65, ":4", "convert", bad, self.folder / "never.wmesh")
        self.assertFalse((self.folder / "never.wmesh").exists())

    def test_a_file_cut_off_is_a_bad_verdict(self):
        lines = self.made("whole.fvcorr", "shell", "--size", "500").read_text().splitlines()
        half = int(lines[0]) // 2
        cut = self.file("cut.fvcorr", "\n".join([f"{half:10}"] + lines[1:half + 1]) + "\n")
        self.bad(1, "whose neighbour does not have them", "check", cut)
        self.verb("check", cut, "--open-ends")

    def test_renumber(self):
        shell = self.made("order.wmesh", "shell", "--size", "2000", "--shuffled")
        apart = self.facts(shell)["mesh"]["mean_distance"]
        for order in ("natural", "random", "reverse_cuthill_mckee", "hilbert"):
            out, numbers = self.folder / f"{order}.wmesh", self.folder / f"{order}.npy"
            done = self.verb("renumber", shell, "--order", order, "-o", out, "--permutation", numbers, "--json")
            found = json.loads(done.stdout)
            self.assertEqual(sorted(read(numbers)), list(range(found["mesh"]["cells"])))
            self.assertEqual(self.facts(out)["mesh"]["mean_distance"], found["renumbered"]["mean_distance"])
            if order in ("reverse_cuthill_mckee", "hilbert"):
                self.assertLess(found["renumbered"]["mean_distance"], apart / 4)
        bare = self.made("order.fvcorr", "shell", "--size", "2000")
        self.bad(2, "hilbert needs", "renumber", bare, "-o", self.folder / "never.wmesh")
        self.verb("renumber", bare, "--recover", "-o", self.folder / "hilbert2.wmesh")
        self.bad(2, "expected two files", "renumber", bare, "-o", "x.wmesh", "--permutation", "x.wmesh")

    def test_partition(self):
        shell = self.made("parts.wmesh", "shell", "--size", "2000")
        cells = self.facts(shell)["mesh"]["cells"]
        for method in ("automatic", "bisection"):
            out, picture = self.folder / f"{method}.npy", self.folder / f"{method}.vtu"
            done = self.verb("partition", shell, "-n", "4", "--method", method, "-o", out, "--picture", picture, "--json")
            found = json.loads(done.stdout)
            self.assertEqual(sum(found["part_sizes"]), cells)
            self.assertLessEqual(max(found["part_sizes"]), 1.03 * cells / 4)
            self.assertGreater(found["faces_cut"], 0)
            part = read(out)
            self.assertEqual(len(part), cells)
            self.assertEqual([part.count(p) for p in range(4)], found["part_sizes"])
            self.assertIn(b'Name="part"', picture.read_bytes())
        self.bad(2, "expected a name that ends in .vtu", "partition", shell, "-n", "4", "-o", out, "--picture", "parts.png")
        self.bad(2, "expected a name that ends in .npy", "partition", shell, "-n", "4", "-o", self.folder / "parts.csv")

    def test_two_files_or_none(self):
        shell, full, out = self.made("two.wmesh", "shell", "--size", "100"), self.folder / "full.vtu", self.folder / "two.npy"
        full.symlink_to("/dev/full")
        self.bad(74, "No space left", "partition", shell, "-n", "2", "-o", out, "--picture", full)
        self.assertFalse(out.exists())
        order = self.folder / "full.npy"
        order.symlink_to("/dev/full")
        self.bad(74, "No space left", "renumber", shell, "-o", self.folder / "near.wmesh", "--permutation", order)
        self.assertFalse((self.folder / "near.wmesh").exists())

    def test_what_the_command_line_refuses(self):
        self.bad(2, "--size", "generate", "box", "--size", "many", "-o", "x.wmesh")
        self.bad(2, "--size: is '0', expected a whole number from 1 to 200000000", "generate", "box", "--size", "0", "-o", self.folder / "x.wmesh")
        self.bad(2, "--section: is not of a tube, expected o_grid or c_grid", "generate", "tube", "--section", "2412", "-o",
                 self.folder / "x.wmesh")
        self.bad(2, "a shell is of tetrahedra", "generate", "shell", "--shape", "prism", "-o", self.folder / "x.wmesh")
        self.bad(66, "No such file", "check", self.folder / "nothing.su2")
        self.bad(65, "", "check", self.file("noise", "this is no mesh\n"))
        self.bad(2, "", "generate", "box")
        self.assertFalse((self.folder / "x.wmesh").exists())

    def test_standard_streams(self):
        made = self.wale("mesh", "generate", "box", "--size", "100", "--to", "su2", "-o", "-", text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("cells: 100", self.verb("check", "-", stdin=made.stdout).stdout)

    def test_help_has_an_example(self):
        for verb in ("check", "convert", "generate", "renumber", "partition"):
            self.assertIn(f"wale mesh {verb}", self.verb(verb, "--help").stdout)


def children_of(process):
    """The processes whose parent it is, once they keep off its standard error."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            ready = parent == process.pid and os.readlink(stat.parent / "fd/2") == "/dev/null"
        except OSError:  # that process has gone, or is another user's
            continue
        if ready:
            found.append(int(stat.parent.name))
    return found


class Signals(MeshTest):
    @unittest.skipIf("WALE_NO_MEMORY_LIMITS" in os.environ, "a sanitizer's build runs METIS in the process of the program")
    def test_terminated_within_metis(self):
        mesh, out = self.made("large.wmesh", "box", "--size", "250000"), self.folder / "parts.npy"
        words = [WALE, "mesh", "partition", str(mesh), "-n", "64", "--method", "metis", "-o", str(out)]
        small = self.made("small.wmesh", "box", "--size", "100")
        if "without METIS" in self.wale("mesh", "partition", str(small), "-n", "2", "--method", "metis", "-o",
                                        str(out), text=True).stderr:
            self.skipTest("this Wale was built without METIS")
        out.unlink()
        for number in signal.SIGTERM, signal.SIGINT:
            process = subprocess.Popen(words, stderr=subprocess.PIPE)
            limit, children = time.monotonic() + 60, []
            while not children and process.returncode is None and time.monotonic() < limit:
                process.poll()
                children = children_of(process)
            self.assertEqual(len(children), 1, "METIS runs in a child")
            os.kill(children[0], signal.SIGSTOP)  # so that it does not end before the signal
            process.send_signal(number)
            self.assertEqual(process.wait(30), 128 + number)
            self.assertEqual(process.stderr.read(), b"")
            process.stderr.close()
            self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["large.wmesh", "small.wmesh"])


if __name__ == "__main__":
    unittest.main()
