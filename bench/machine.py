#!/usr/bin/env python3
"""Names this machine for bench/results/<machine>/: its GPU ("h200") where there is one, else its CPU. Writes measurements
with their provenance, as bench/csv.cpp does."""

import csv
import datetime
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


def _slug(text):
    text = re.sub(r"\((?:r|tm)\)|nvidia|cpu|processor|@.*", " ", text, flags=re.IGNORECASE)
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def gpu():
    """The first GPU's name, or None."""
    if shutil.which("nvidia-smi") is None:
        return None
    asked = subprocess.run(
        ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        timeout=30,
    )
    lines = asked.stdout.split("\n") if asked.returncode == 0 else [""]
    return _slug(lines[0]) or None


def cpu():
    """The CPU's model; with family and model number where the name alone does not identify it ("amd_epyc_25_17")."""
    text = Path("/proc/cpuinfo").read_text()

    def field(key):
        found = re.search(rf"^{key}\s*:\s*(.+)", text, re.M)
        return found[1] if found else ""

    model = _slug(field("model name")) or _slug(field("vendor_id")) or "unknown"
    if re.search(r"\d", model):
        return model
    return _slug(f"{model} {field('cpu family')} {field('model')}")


def name(prefer_gpu=True):
    return (gpu() if prefer_gpu else None) or cpu()


def commit():
    """WALE_COMMIT, else what is checked out, with + where files differ from it; else "unknown"."""
    if os.environ.get("WALE_COMMIT"):
        return os.environ["WALE_COMMIT"]
    root = Path(__file__).resolve().parent.parent
    head = subprocess.run(
        ["git", "rev-parse", "--short=10", "HEAD"], cwd=root, capture_output=True, text=True
    )
    if head.returncode != 0:
        return "unknown"
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=no"], cwd=root, capture_output=True, text=True
    )
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")


def append(name, rows, out=None, on=None):
    """Appends rows to `out` or bench/results/<on, else this CPU>/<name>.csv, after commit, date, machine and command."""
    on = on or cpu()
    path = out or Path(__file__).resolve().parent / "results" / on / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    named = [Path(said).name if said.startswith("/") else said for said in sys.argv[1:]]
    command = " ".join([Path(sys.argv[0]).name, *named])
    run = {"commit": commit(), "date": datetime.date.today().isoformat(), "machine": on, "command": command}
    fresh = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, [*run, *rows[0]], lineterminator="\n")
        if fresh:
            writer.writeheader()
        writer.writerows({**run, **row} for row in rows)
    return path


if __name__ == "__main__":
    print(commit() if "--commit" in sys.argv[1:] else name("--cpu" not in sys.argv[1:]))
