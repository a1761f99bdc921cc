#!/usr/bin/env python3
"""Man pages and completion have every verb and option of the help; what the shells here can check is checked.
Environment: WALE."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from harness import WALE

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import command_help  # noqa: E402

COMPLETED = {
    "al": ["align"],
    "lu so": ["solve"],
    "lu solve a.mtx --pivoting ": ["none", "partial", "tournament"],
    "reconstruct fill-holes --comp": ["--compare"],
    "-": ["-h", "--help", "-V", "--version"],
}


class Help(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = command_help.read(WALE)
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="wale_help_"))
        subprocess.run([sys.executable, command_help.__file__, WALE, cls.folder], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_here(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout + done.stderr

    def test_help_is_understood(self):
        verbs = list(self.root.everything())
        self.assertGreater(len(verbs), 25)
        for verb in verbs:
            self.assertIn(["-h", "--help"], [e.flags for e in verb.options], verb.path)
            for e in verb.options + verb.sections.get("Positionals", []):
                self.assertTrue(e.text, f"{command_help.title(verb)} {e.name}: has no explanation")
        self.assertTrue(any("Exit codes" in line for line in self.root.notes))

    def test_lines_of_the_help_are_short(self):
        for verb in self.root.everything():
            said = subprocess.run([WALE, *verb.path, "--help"], capture_output=True, text=True, check=True).stdout
            self.assertLessEqual(max(map(len, said.splitlines())), 110, verb.path)

    def test_man_pages(self):
        for verb in self.root.verbs:
            page = (self.folder / "man" / f"wale-{verb.path[0]}.1").read_text().replace("\\-", "-")
            for below in verb.everything():
                for e in below.options:
                    self.assertIn(command_help.roff(e.name).replace("\\-", "-"), page, below.path)
        if shutil.which("groff"):
            for page in (self.folder / "man").iterdir():
                self.assertEqual(self.run_here("groff", "-man", "-ww", "-z", str(page)), "")

    def test_bash(self):
        for line, offers in COMPLETED.items():
            words = ["wale", *line.split(" ")]
            script = '. ./wale.bash; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _wale; echo "${COMPREPLY[@]}"'
            self.assertEqual(self.run_here("bash", "-c", script, "-", *words).split(), offers, line)

    def test_other_shells(self):
        for shell, script in ("zsh", "_wale"), ("fish", "wale.fish"):
            if shutil.which(shell):
                self.run_here(shell, "-n", script)
        if shutil.which("fish"):
            for line, offers in COMPLETED.items():
                if not line.startswith("-"):
                    said = self.run_here(
                        "fish", "-c", "source wale.fish; complete -C $argv[1]", f"wale {line}"
                    )
                    self.assertEqual([row.split("\t")[0] for row in said.splitlines()], offers, line)

    def test_a_help_of_another_form_is_refused(self):
        with self.assertRaises(SystemExit):
            command_help.parsed((), "wale\nusage unknown\n")


if __name__ == "__main__":
    unittest.main()
