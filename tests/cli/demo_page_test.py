#!/usr/bin/env python3
"""The page that the demo leaves is well formed and needs no other files; a command that fails ends the demo.
Environment: WALE."""

import pathlib
import re
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser

from harness import WALE
from images import png

PAGE = pathlib.Path(__file__).resolve().parents[2] / "demo/page.sh"
ALONE = {"meta", "img"}


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in ALONE:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class DemoPage(unittest.TestCase):
    def run_script(self, folder, script):
        head = f'set -eu; wale="{WALE}" images=. work=work bold= plain=; mkdir -p work; . "{PAGE}"\n'
        return subprocess.run(
            ["sh", "-c", head + script], cwd=folder, capture_output=True, text=True, timeout=60
        )

    def test_page(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.png").write_bytes(png([[0, 255], [255, 0]]))
            (pathlib.Path(folder) / "a.csv").write_text(
                "time,volt\n" + "".join(f"{k},{k * k}\n" for k in range(4000))
            )
            done = self.run_script(
                folder,
                """
                say "1. Less < more & so on"
                tell "x < y"
                show lu generate 5 -o a.mtx
                echo "3 < 4" | keep
                picture a.png "squares"
                curve a.csv 1 2 "a parabola"
                finish 7""",
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (pathlib.Path(folder) / "demo.html").read_text()
        tags = Tags(text)
        self.assertEqual(tags.open, [])
        for part in (
            "Less &lt; more &amp; so on",
            "x &lt; y",
            "3 &lt; 4",
            "wale lu generate 5",
            "7 s in all",
            "What to try next",
        ):
            self.assertIn(part, text)
        sources = [attrs["src"] for tag, attrs in tags.seen if "src" in attrs]
        self.assertEqual([s[:22] for s in sources], ["data:image/png;base64,"])
        self.assertFalse([attrs for tag, attrs in tags.seen if tag in ("link", "script") or "href" in attrs])
        points = re.search(r'points="([^"]*)"', text)[1].split()
        self.assertTrue(1000 < len(points) < 2000, len(points))
        self.assertTrue(
            all(60 <= float(p.split(",")[0]) <= 700 and 15 <= float(p.split(",")[1]) <= 205 for p in points)
        )
        numbers = re.findall(r'text-anchor="(?:middle|end)">([-+.e0-9]+)<', text)
        self.assertEqual([float(n) for n in numbers], [*range(0, 4000, 500), *range(0, 16_000_000, 2_000_000)])
        self.assertEqual(text.count("<path d="), len(numbers))

    def test_a_command_that_fails_ends_the_demo(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script(folder, 'show lu det missing.mtx\necho "went on"')
        self.assertEqual(done.returncode, 66)
        self.assertNotIn("went on", done.stdout)


if __name__ == "__main__":
    unittest.main()
