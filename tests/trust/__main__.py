"""python tests/trust [--long] [--seed N] [--wale FILE] [ROW...]: the table of trust. Every row
prints its figure; the exit code is 1 where a row falls short. Without ROW all rows run. A run is repeated by its seed."""

import argparse
import os
import pathlib
import sys
import time
import traceback

import wale

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import commands  # noqa: E402
import calls  # noqa: E402
import coverage  # noqa: E402
import differential  # noqa: E402
import faults  # noqa: E402
import flows  # noqa: E402
import hardened  # noqa: E402
import images  # noqa: E402
import lives  # noqa: E402
import overflow  # noqa: E402
import pairs  # noqa: E402
import planted  # noqa: E402
import round_trips  # noqa: E402
import same_bits  # noqa: E402
import signals  # noqa: E402
import soak  # noqa: E402
import surroundings  # noqa: E402
import systems  # noqa: E402
from plan import Fell, Plan  # noqa: E402

ROWS = {
    row.__name__: row
    for module in (hardened, planted, pairs, images, systems, flows, differential, same_bits, round_trips, lives, commands, calls, faults, surroundings, signals, overflow, coverage, soak)
    for row in module.ROWS
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--long", action="store_true", help="the counts of a release instead of a sample")
    parser.add_argument("--seed", type=int, default=1)
    package = pathlib.Path(wale.__file__).parent
    parser.add_argument("--wale", default=str(package / "bin" / "wale"), help="the command; else that of the package")
    words = parser.parse_args()
    unknown = [name for name in words.rows if name not in ROWS]
    if unknown:
        parser.error(f"row {unknown[0]}: expected one of {', '.join(ROWS)}")
    short = []
    for name in words.rows or ROWS:
        plan = Plan(words.long, words.seed, os.path.abspath(words.wale))
        begin = time.monotonic()
        try:
            figure, verdict = ROWS[name](plan), "good"
        except Fell as reason:
            figure, verdict = str(reason), "SHORT"
        except Exception:  # noqa: BLE001 - the other rows run all the same
            figure, verdict = traceback.format_exc(), "SHORT"
        if verdict == "SHORT":
            short.append(name)
        print(f"{name:20} {verdict:6} {time.monotonic() - begin:6.1f} s  {figure}", flush=True)
    if short:
        print(f"short: {', '.join(short)} (seed {words.seed})")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
