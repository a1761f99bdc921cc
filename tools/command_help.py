#!/usr/bin/env python3
"""Man pages, completion for bash, zsh and fish, and a page of the site, from what `wale VERB --help` prints.

usage: command_help.py WALE FOLDER       writes man/wale*.1, wale.bash, _wale, wale.fish
       command_help.py WALE --markdown   prints the page
"""

import dataclasses
import pathlib
import re
import subprocess
import sys

SECTIONS = ("Positionals", "Options", "Subcommands")
TEXT_COLUMN = 30  # where the help's explanations begin


@dataclasses.dataclass
class Entry:
    """A line of a section: an option, a positional or a subcommand."""

    name: str
    text: str = ""

    @property
    def flags(self):
        return [word for word in self.name.split(" ")[0].split(",") if word.startswith("-")]

    @property
    def value(self):
        """What follows an option's flags; empty for a switch."""
        return self.name.partition(" ")[2] if self.flags else self.name

    @property
    def choices(self):
        found = re.search(r"\{([^{}]*)\}", self.value)
        return found[1].split(",") if found else []


@dataclasses.dataclass
class Verb:
    """What one help says."""

    path: tuple
    about: str
    usage: str
    sections: dict
    notes: list = dataclasses.field(default_factory=list)
    verbs: list = dataclasses.field(default_factory=list)

    def everything(self):
        """This verb and all below it."""
        yield self
        for verb in self.verbs:
            yield from verb.everything()

    @property
    def options(self):
        return self.sections.get("Options", [])


def entry(line):
    if len(line) > TEXT_COLUMN and line[TEXT_COLUMN - 2 : TEXT_COLUMN] == "  ":
        return Entry(line[2:TEXT_COLUMN].strip(), line[TEXT_COLUMN:].strip())
    return Entry(line.strip())


def parsed(path, text):
    """The verb that a help describes, without those below it."""
    about, usage, *lines = text.splitlines()
    if not usage.startswith("Usage: "):
        raise SystemExit(f"help of {' '.join(path)}: second line is {usage!r}, expected the usage")
    verb = Verb(path, about, usage[len("Usage: ") :], {})
    section = None
    for line in lines:
        if line.rstrip(":") in SECTIONS and not verb.notes:
            section = verb.sections.setdefault(line.rstrip(":"), [])
        elif section is not None and line.startswith(" " * TEXT_COLUMN):
            section[-1].text = f"{section[-1].text} {line.strip()}".strip()
        elif section is not None and line.startswith("  "):
            section.append(entry(line))
        else:
            section = None
            verb.notes += [line] if line or verb.notes else []
    return verb


def read(wale, path=()):
    """The verb at a path, and all below it."""
    done = subprocess.run([wale, *path, "--help"], capture_output=True, text=True, check=True)
    verb = parsed(path, done.stdout)
    verb.verbs = [read(wale, (*path, e.name)) for e in verb.sections.get("Subcommands", [])]
    return verb


def title(verb):
    return " ".join(("wale", *verb.path))


def roff(text):
    """Text of a man page: no character of it is a request."""
    text = (
        text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("'", "\\(aq")
        .replace("`", "\\(ga")
        .replace("^", "\\(ha")
    )
    return "\\&" + text if text.startswith(".") else text


def man_entries(entries):
    for e in entries:
        yield from (".TP", f"\\fB{roff(e.name)}\\fR", roff(e.text) or "\\&")


def man_verb(verb, heading):
    """A verb as a section of a page."""
    yield from (
        f".{heading} {roff(title(verb)).upper() if heading == 'SH' else roff(title(verb))}",
        roff(verb.about) + ".",
        ".PP",
    )
    yield from (".EX", roff(verb.usage), ".EE")
    for name in ("Positionals", "Options"):
        yield from man_entries(verb.sections.get(name, []))
    yield from man_notes(verb)


def man_notes(verb):
    if verb.notes:
        yield from (".PP", ".EX", *map(roff, verb.notes), ".EE")


def man_page(verb, version):
    """The page of the program, or of one of its verbs with those below it."""
    name = "-".join(("wale", *verb.path))
    about = verb.about.removeprefix("wale - ")
    yield f'.TH {roff(name).upper()} 1 "" "wale {version}" "User Commands"'
    yield from (".SH NAME", f"{roff(name)} \\- {roff(about)}", ".SH SYNOPSIS", roff(verb.usage))
    for section, heading in (("Positionals", "ARGUMENTS"), ("Subcommands", "VERBS"), ("Options", "OPTIONS")):
        if verb.sections.get(section):
            yield from (f".SH {heading}", *man_entries(verb.sections[section]))
    if verb.notes:
        yield from (".SH NOTES", ".EX", *map(roff, verb.notes), ".EE")
    if verb.path:
        for below in list(verb.everything())[1:]:
            yield from man_verb(below, "SH")
    others = "" if verb.path else ", ".join(f"\\fBwale\\-{v.path[0]}\\fR(1)" for v in verb.verbs)
    yield from (".SH SEE ALSO", others or "\\fBwale\\fR(1)")


def words(verb):
    """What may follow a verb: the verbs below it, and its flags."""
    return [v.path[-1] for v in verb.verbs] + [flag for e in verb.options for flag in e.flags]


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def scan(root):
    """Shell code that finds the verb on the line: its words, joined by spaces, in `at`."""
    paths = " | ".join(quoted(" ".join(v.path)) for v in root.everything() if v.path)
    return f"""    local at='' word next
    for word in "${{before[@]}}"; do
        next="${{at:+$at }}$word"
        case "$next" in {paths}) at="$next" ;; esac
    done
"""


def choices(root):
    """Cases `verb flag` -> the values that may follow."""
    for verb in root.everything():
        for e in verb.options:
            if e.value:
                cases = " | ".join(quoted(f"{' '.join(verb.path)} {flag}") for flag in e.flags)
                yield f"        {cases}) values={quoted(' '.join(e.choices))}; valued=1 ;;"


def bash(root):
    lines = "\n".join(
        f"        {quoted(' '.join(v.path))}) offers={quoted(' '.join(words(v)))} ;;"
        for v in root.everything()
    )
    return f"""# bash completion for wale; made from its help.
_wale() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before=("${{COMP_WORDS[@]:1:COMP_CWORD-1}}")
    local last="${{COMP_WORDS[COMP_CWORD-1]}}" offers='' values='' valued=''
{scan(root)}    case "$at $last" in
{chr(10).join(choices(root))}
    esac
    case "$at" in
{lines}
    esac
    if [ -n "$valued" ]; then offers=$values; fi
    # shellcheck disable=SC2207  # no word of the list has a blank
    COMPREPLY=($(compgen -W "$offers" -- "$current"))
    if [ -z "$values" ]; then
        local IFS=$'\\n'
        COMPREPLY+=($(compgen -f -- "$current"))
        compopt -o filenames 2>/dev/null
    fi
}}
complete -F _wale wale
"""


def zsh(root):
    cases = []
    for verb in root.everything():
        verbs = [f"{v.path[-1]}:{v.about}" for v in verb.verbs]
        flags = [f"{flag}:{e.text}" for e in verb.options for flag in e.flags]
        escaped = " ".join(
            quoted(w.split(":", 1)[0] + ":" + w.split(":", 1)[1].replace(":", "\\:")) for w in verbs + flags
        )
        cases.append(f"        {quoted(' '.join(verb.path))}) offers=({escaped}) ;;")
    return f"""#compdef wale
# zsh completion for wale; made from its help.
_wale() {{
    local -a before offers
    before=("${{(@)words[2,CURRENT-1]}}")
    local last="${{words[CURRENT-1]}}" values='' valued=''
{scan(root)}    case "$at $last" in
{chr(10).join(choices(root))}
    esac
    if [[ -n "$values" ]]; then
        compadd -- ${{(s: :)values}}
        return
    fi
    if [[ -z "$valued" ]]; then
        case "$at" in
{chr(10).join(cases)}
        esac
        _describe 'wale' offers
    fi
    _files
}}
_wale "$@"
"""


def fish(root):
    lines = ["# fish completion for wale; made from its help."]
    for verb in root.everything():
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in verb.path)
        below = " ".join(v.path[-1] for v in verb.verbs)
        here = "; and ".join(
            filter(None, (seen, f"not __fish_seen_subcommand_from {below}" if below else ""))
        )
        for v in verb.verbs:
            lines.append(f"complete -c wale -f -n {quoted(here)} -a {v.path[-1]} -d {quoted(v.about)}")
        for e in verb.options:
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in e.flags
            )
            takes = f" -x -a {quoted(' '.join(e.choices))}" if e.choices else " -r" if e.value else ""
            lines.append(f"complete -c wale -n {quoted(here)} {flags}{takes} -d {quoted(e.text)}")
    return "\n".join(lines) + "\n"


def markdown(root):
    """A page with a section a verb."""
    yield from ("# Command line", "", "What `--help` of each verb prints.", "")
    for verb in root.everything():
        yield from (
            "#" * min(len(verb.path) + 2, 4) + f" {title(verb)}",
            "",
            verb.about.removeprefix("wale - ") + ".",
            "",
            "```text",
            verb.usage,
            "```",
            "",
        )
        for name in ("Positionals", "Options"):
            entries = verb.sections.get(name, [])
            if entries:
                yield from (f"| {name.lower()} | |", "|---|---|")

                def cell(text):  # options are code, or Sphinx would make a dash of the two
                    return re.sub(r"(?<!\S)(--[a-z][a-z-]*)", r"`\1`", text.replace("|", "\\|").replace("<", "&lt;"))

                yield from (f"| `{e.name.replace('|', chr(92) + '|')}` | {cell(e.text)} |" for e in entries)
                yield ""
        if verb.notes:
            yield from ("```text", *verb.notes, "```", "")


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    root = read(sys.argv[1])
    if sys.argv[2] == "--markdown":
        print("\n".join(markdown(root)))
        return
    folder = pathlib.Path(sys.argv[2])
    (folder / "man").mkdir(parents=True, exist_ok=True)
    version = subprocess.run(
        [sys.argv[1], "--version"], capture_output=True, text=True, check=True
    ).stdout.split()[-1]
    for verb in [root, *root.verbs]:
        page = folder / "man" / ("-".join(("wale", *verb.path)) + ".1")
        page.write_text("\n".join(man_page(verb, version)) + "\n")
    for name, make in (("wale.bash", bash), ("_wale", zsh), ("wale.fish", fish)):
        (folder / name).write_text(make(root))


if __name__ == "__main__":
    main()
