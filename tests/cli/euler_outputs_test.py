#!/usr/bin/env python3
"""`wale euler`: what cannot be written is reported before anything is computed. Environment: WALE, the program."""

import json
import unittest

from harness import CliTest

# So many iterations that a run which begins them is ended by the time that wale() allows.
CASE = """
[mesh]
%s
[scheme]
name = "rodinia"
[run]
iterations = 1000000000
[output]
%s
"""


class EulerOutputs(CliTest):
    def refused_at_once(self, code, mesh, output, says):
        done = self.wale("euler", self.file("case.toml", CASE % (mesh, output)))
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(says, done.stderr.decode())

    def test_places_that_do_not_exist(self):
        shell = 'generate = "shell"\nsize = 1500'
        for word in ("history", "flow", "surface", "surface_table", "forces", "checkpoint", "rodinia", "picture"):
            self.refused_at_once(73, shell, f'{word} = "no/such/folder/file"', "No such file")
        self.refused_at_once(73, shell, 'flow = "."', "directory")
        for word in "flow", "surface":
            self.refused_at_once(2, shell, f'{word} = "f.vtk"', "f.vtk', expected a name that ends in .vtu")
        self.refused_at_once(2, shell, 'picture = "mach.jpg"', "mach.jpg', expected a name that ends in .png")

    def test_inputs_are_not_written_over(self):
        mesh = self.folder / "shell.wmesh"
        self.assertEqual(self.wale("mesh", "generate", "shell", "--size", "1500", "-o", str(mesh)).returncode, 0)
        before = mesh.read_bytes()
        for word in ("flow", "checkpoint", "history"):
            self.refused_at_once(73, 'file = "shell.wmesh"', f'{word} = "shell.wmesh"', "is an input")
        self.assertEqual(mesh.read_bytes(), before)

    def test_pictures_need_coordinates(self):
        mesh = self.folder / "shell.fvcorr"
        self.assertEqual(self.wale("mesh", "generate", "shell", "--size", "1500", "-o", str(mesh)).returncode, 0)
        for word in ("flow", "surface", "picture"):
            self.refused_at_once(65, 'file = "shell.fvcorr"', f'{word} = "out"', "recover = true")

    def test_checkpoints_on_the_way_to_nowhere_cost_nothing(self):
        case = self.file("case.toml", CASE % ('generate = "shell"\nsize = 1500', "checkpoint_every = 1"))
        done = self.wale("euler", case, "-n", "300", "--json", "--samples")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([s["iteration"] for s in json.loads(done.stdout)["samples"]], [0, 100, 200, 300])


if __name__ == "__main__":
    unittest.main()
