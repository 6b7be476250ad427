"""Take the token formats of a gitleaks release into `desk_assistant/privacy/rules/gitleaks.toml`.

Run by a maintainer, never by the program: `python packaging/update_rules.py SOURCE VERSION`, where SOURCE is a
gitleaks executable (the rules are embedded in it), a wheel that carries one, or a `gitleaks.toml`.
"""

from __future__ import annotations

import re
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Final

TARGET: Final = Path(__file__).parent.parent / "desk_assistant" / "privacy" / "rules" / "gitleaks.toml"
DROPPED: Final = {
    "generic-api-key": "our cue words do this with less noise",
    "private-key": "ours reads the body of a block of any length in one pass",
    "curl-auth-header": "unbounded; the header is found by our cue words",
    "curl-auth-user": "unbounded",
    "kubernetes-secret-yaml": "a file format, and slow",
    "nuget-config-password": "a file format",
    "jwt-base64": "a token in a token; the outer format is enough",
    "sidekiq-secret": "a bare pair of hexadecimal words",
}
HEAD: Final = b"# This file has been auto-generated. Do not edit manually."
NOT_TEXT: Final = re.compile(rb"[^\t\n\x20-\x7e\x80-\xff]")


def read(source: Path) -> str:
    """Return the text of the rules that `source` holds.

    Raises:
        SystemExit: No rules are in it.
    """
    data = source.read_bytes()
    if zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as wheel:
            binary = max(wheel.infolist(), key=lambda item: item.file_size)
            data = wheel.read(binary)
    start = data.find(HEAD)
    if start < 0 or b"[[rules]]" not in data[start:]:
        raise SystemExit(f"no gitleaks rules in {source}")
    end = NOT_TEXT.search(data, start)
    return data[start : end.start() if end else len(data)].decode("utf-8")


def select(rules: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rules that look at text, with the parts the program uses."""
    kept = []
    for rule in rules["rules"]:
        if rule["id"] in DROPPED or not rule.get("regex") or not rule.get("keywords"):
            continue
        allowed = [pattern for each in rule.get("allowlists", []) for pattern in each.get("regexes", [])]
        stop = [word for each in rule.get("allowlists", []) for word in each.get("stopwords", [])]
        entry: dict[str, Any] = {"id": rule["id"], "regex": rule["regex"], "keywords": rule["keywords"]}
        entry |= {key: rule[key] for key in ("entropy", "secretGroup") if key in rule}
        entry |= {key: value for key, value in (("allow", allowed), ("stopwords", stop)) if value}
        kept.append(entry)
    return kept


def literal(value: object) -> str:
    """Return `value` as TOML; patterns as literal strings, so that they stay readable."""
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    return f"'''{value}'''" if isinstance(value, str) else repr(value)


def main(source: str, version: str) -> None:
    """Write the file."""
    config = tomllib.loads(read(Path(source)))
    rules = select(config)
    lines = [
        "# Token formats of gitleaks (github.com/gitleaks/gitleaks), MIT licence: LICENSE.gitleaks.",
        "# Written by packaging/update_rules.py; change that, not this.",
        f"# Left out: {', '.join(sorted(DROPPED))}, and rules about file names.",
        "",
        f'version = "{version}"',
        "# A match of one of these is an example or a variable, whatever rule found it.",
        "allow = [",
        *(f"    {literal(pattern)}," for pattern in config["allowlist"]["regexes"]),
        "]",
    ]
    for rule in rules:
        lines += ["", "[[rules]]", *(f"{key} = {literal(value)}" for key, value in rule.items())]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    tomllib.loads(TARGET.read_text(encoding="utf-8"))
    print(f"{len(rules)} rules of {version} written to {TARGET}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2])
