"""Every verb where the process has less than usual: what it can do without leaves the whole answer, else it ends by its code, with one
line and no partial file."""

import concurrent.futures
import os
import pathlib
import subprocess
import tempfile

from faults import ERROR, VERBS, make_files, run, timeless
from plan import must, processors


def shell(line):
    return ["sh", "-c", f'{line}; exec "$@"', "sh"]


# The answer is that of the plain run.
INDIFFERENT = {
    "one processor": (["taskset", "-c", str(min(os.sched_getaffinity(0)))], {}), "lowest priority": (["nice", "-n", "19"], {}),
    "no variables": (["env", "-i"], {}), "locale C": ([], {"LC_ALL": "C"}), "another locale": ([], {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"}),
    "time zone": ([], {"TZ": "Pacific/Kiritimati"}), "no time zone": ([], {"TZ": "nowhere"}), "no input": (shell("exec <&-"), {}),
    "mask of modes": (shell("umask 077"), {}), "narrow terminal": ([], {"COLUMNS": "1", "TERM": "dumb"}),
    "ignored signals": (shell("trap '' INT TERM HUP PIPE XFSZ"), {}), "small stack": (shell("ulimit -s 512"), {}),
    "no home": ([], {"HOME": "/nowhere", "TMPDIR": "/nowhere"}),
}  # fmt: skip
# The answer, or one of these codes.
SCARCE = {
    **{f"{files} descriptors": (shell(f"ulimit -n {files}"), {66, 71, 73, 74}) for files in (3, 4, 5, 6, 8)},
    **{f"{mega} MB of addresses": (shell(f"ulimit -v {mega << 10}"), {71}) for mega in (20, 30, 45, 60, 80)},
    **{f"{blocks} blocks a file": (shell(f"ulimit -f {blocks}"), {74}) for blocks in (0, 1, 8)},
    "no output": (shell("exec >&-"), {74}), "full output": (shell("exec >/dev/full"), {74}),
    "no output nor errors": (shell("exec >&- 2>&-"), {74}),
}  # fmt: skip

READ_ONLY = ["unshare", "-rm", *shell('mount --bind . . && mount -o remount,ro,bind . && cd "$PWD"')]
if not subprocess.run([*READ_ONLY, "true"], capture_output=True).returncode:  # not in every container
    SCARCE["read-only folder"] = (READ_ONLY, {73})


def fault_of(plan, folder, words, right, name):
    """What is wrong with the run, or an empty text."""
    under, told = INDIFFERENT.get(name) or SCARCE[name]
    codes, variables = (set(), told) if name in INDIFFERENT else (told, {})
    done, answers = run(plan, "", folder, words, under, **variables)
    said = done.stderr.decode(errors="replace")
    for file, answer in answers.items():
        if file not in right or timeless(file, answer) != timeless(file, right[file]):
            return f"exit {done.returncode}, leaves {file} of {len(answer)} bytes: {said[:200]}"
    if done.returncode == 0:
        return "" if answers.keys() == right.keys() else f"exit 0 without {right.keys() - answers.keys()}"
    if "error while loading shared libraries" in said and done.returncode == 127:
        return ""  # the loader's own end
    if done.returncode not in codes:
        return f"exit {done.returncode}, expected {sorted(codes | {0})}: {said[:300]}"
    return "" if ERROR.fullmatch(said) or "errors" in name else f"exit {done.returncode} says {said[:300]!r}"


def surroundings(plan):
    """Every verb in every surrounding; short: each verb in two of them."""
    plan.command()
    names = [*INDIFFERENT, *SCARCE]
    with tempfile.TemporaryDirectory(prefix="wale_trust_") as name, concurrent.futures.ThreadPoolExecutor(processors()) as pool:
        folder = pathlib.Path(name) / "inputs"
        folder.mkdir()
        make_files(folder, plan)
        answers = list(pool.map(lambda words: run(plan, "", folder, words)[1], VERBS))
        asked = [(words, right, n) for words, right in zip(VERBS, answers) for n in (names if plan.long else plan.draw.sample(names, 2))]
        said = list(pool.map(lambda one: fault_of(plan, folder, *one), asked))
    faults = [f"{one[2]}: wale {' '.join(one[0])}: {fault}" for one, fault in zip(asked, said) if fault]
    must(not faults, f"{len(faults)} of {len(asked)} runs (seed {plan.seed}):\n  " + "\n  ".join(faults[:40]))
    return f"{len(asked)} runs of {len(VERBS)} verbs in {len(names)} surroundings end as they must"


ROWS = (surroundings,)
