"""The tuning tables of src/solvers, read from their C++ text: what check_evidence.py and bench/tune.py share."""
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ARRAY = re.compile(r"\btuning::row<[\w:]+>\s+(\w+)\[\]\s*=\s*\{")
NAMESPACE = re.compile(r"^namespace (?:wale::)?([\w:]+) \{", re.M)
COMMENT = re.compile(r"//[^\n]*")


@dataclass
class Row:
    number: int
    from_sm: int
    element_bytes: int
    values: str  # the policy's initialiser, one space between tokens
    evidence: str
    span: tuple  # of the evidence, in the file's text


def without_comments(text):
    """The text with comments blanked, so that places in the text stay."""
    return COMMENT.sub(lambda found: " " * len(found[0]), text)


def parts(text, begin):
    """(begin, end) of what commas separate in the braces that open before `begin`, and the closing brace's place."""
    depth, start, found, quoted = 0, begin, [], False
    for at in range(begin, len(text)):
        c = text[at]
        if c == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif c == "{":
            depth += 1
        elif c in ",}" and depth == 0:
            if text[start:at].strip():
                found.append((start, at))
            start = at + 1
            if c == "}":
                return found, at
        elif c == "}":
            depth -= 1
    raise ValueError("a brace is not closed")


def tables(text):
    """Yields (qualified name, rows) of each tuning table in the text of a file."""
    text = without_comments(text)
    for found in ARRAY.finditer(text):
        spaces = [space[1] for space in NAMESPACE.finditer(text, 0, found.start())]
        rows = []
        for number, (begin, end) in enumerate(parts(text, found.end())[0]):
            fields, _ = parts(text, text.index("{", begin, end) + 1)
            sm, size, policy, evidence = fields
            quote = text.index('"', *evidence)
            span = (quote + 1, text.index('"', quote + 1))
            values = re.sub(r"\s+", " ", text[slice(*policy)]).strip()
            rows.append(Row(number, int(text[slice(*sm)]), int(text[slice(*size)]), values, text[slice(*span)], span))
        yield "::".join([*spaces[-1:], found[1]]), rows


def all_tables(root=ROOT):
    """{path: {qualified name: rows}} of every file of src/solvers that has a tuning table."""
    files = [path for path in sorted((root / "src" / "solvers").rglob("*.*")) if path.suffix in (".hpp", ".cpp", ".cuh", ".cu")]
    held = {path: dict(tables(path.read_text())) for path in files if "tuning::row<" in path.read_text()}
    return {path: found for path, found in held.items() if found}
