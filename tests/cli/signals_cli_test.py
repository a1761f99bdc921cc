#!/usr/bin/env python3
"""Signals to the command line, and what it shows on a terminal while it works. Environment: WALE, the program."""

import gzip
import os
import pathlib
import pty
import resource
import select
import signal
import subprocess
import time
import unittest

from harness import WALE, CliTest


@unittest.skipIf("WALE_SIGNALS_DEFERRED" in os.environ, "this build delivers signals late")
class Signals(CliTest):
    def start(self, out, **more):
        """A comparison that takes far longer than the test, and has created its temporary file."""
        size = 400_000
        files = self.file("a.fa", ">a\n" + "AC" * size), self.file("b.fa", ">b\n" + "GA" * size)
        process = subprocess.Popen([WALE, "align", *files, "--backend", "reference", "-o", str(out)], **more)
        limit = time.monotonic() + 30
        while not self.writes(process, out) and time.monotonic() < limit:
            time.sleep(0.02)
        self.assertTrue(self.writes(process, out), "no temporary file was made")
        return process

    def writes(self, process, out):
        """Whether it has a file open beside `out`, with a name or without."""
        fds = pathlib.Path(f"/proc/{process.pid}/fd")
        files = [os.readlink(fd) for fd in fds.iterdir() if os.path.islink(fd)]
        beside = str(self.folder.resolve())
        return any(f.startswith((f"{beside}/#", f"{beside}/{out.name}.tmp.")) or f == f"{beside} (deleted)" for f in files)

    def test_killed_and_nothing_stays(self):
        out = self.folder / "out"
        process = self.start(out)
        process.kill()
        process.wait(30)
        left = {p.name for p in self.folder.iterdir()} - {"a.fa", "b.fa"}
        try:
            os.close(os.open(self.folder, os.O_WRONLY | os.O_TMPFILE))
        except OSError:
            self.skipTest("this file system has no files without names")
        self.assertEqual(left, set())

    def test_signals_leave_nothing(self):
        for number, code in (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGQUIT, 131), (signal.SIGHUP, 129), (signal.SIGUSR1, 138), (signal.SIGALRM, 142):
            process = self.start(self.folder / "out")
            process.send_signal(number)
            self.assertEqual(process.wait(30), code)
            self.assertEqual({p.name for p in self.folder.iterdir()}, {"a.fa", "b.fa"})
        process = self.start(self.folder / "out", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        process.send_signal(signal.SIGABRT)
        self.assertEqual(process.wait(30), -signal.SIGABRT)  # a crash stays one
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"a.fa", "b.fa"})

    def test_progress_only_on_a_terminal(self):
        out = self.folder / "out"
        master, slave = pty.openpty()
        process = self.start(out, stderr=slave)
        os.close(slave)
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        process.wait(30)
        shown = b""
        try:
            shown = os.read(master, 65536)
        except OSError:
            pass
        os.close(master)
        self.assertIn(b"0 of 1 pairs, 2 s", shown)

    def test_reading_shows_progress_and_is_interrupted(self):
        """Compressed input that comes slowly: through a pipe, whose end stays open."""
        pipe, other = self.folder / "slow.gz", self.file("b.fa", ">b\nACGT\n")
        os.mkfifo(pipe)
        master, slave = pty.openpty()
        process = subprocess.Popen([WALE, "align", str(pipe), other], stderr=slave, stdout=subprocess.DEVNULL)
        os.close(slave)
        with pipe.open("wb") as end:
            end.write(gzip.compress(b">a\n" + b"ACGT" * 100_000)[:-20])
            end.flush()
            shown = b""
            while b"slow.gz, 2 s" not in shown:
                ready, _, _ = select.select([master], [], [], 30)
                self.assertTrue(ready, f"no progress was shown but {shown!r}")
                shown += os.read(master, 65536)
            self.assertIn(b"wale: reading ", shown)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(30), 128 + signal.SIGINT)
        os.close(master)


if __name__ == "__main__":
    unittest.main()
