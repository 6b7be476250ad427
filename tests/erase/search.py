"""Looking for a word in everything a profile has on disk."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import lancedb

from desk_assistant.index.analysis import query_terms
from desk_assistant.index.table import EpisodeTable
from desk_assistant.paths import Locations


def in_files(folder: Path, word: str) -> list[str]:
    """Names of files whose bytes hold the word in UTF-8 or UTF-16, in lower case or as it is."""
    forms = {word, word.lower(), word.upper()}
    needles = [form.encode(code) for form in forms for code in ("utf-8", "utf-16-le", "utf-16-be")]
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [str(path.relative_to(folder)) for path in files if any(n in path.read_bytes() for n in needles)]


def in_database(path: Path, word: str) -> list[str]:
    """Columns of any table that hold the word, whatever its case."""
    found = []
    with closing(sqlite3.connect(path)) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for column in [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]:
                query = f'SELECT count(*) FROM "{table}" WHERE instr(lower(CAST("{column}" AS TEXT)), lower(?)) > 0'
                if database.execute(query, (word,)).fetchone()[0]:
                    found.append(f"{table}.{column}")
    return found


def in_index(locations: Locations, word: str) -> list[str]:
    """Where the index holds the word: rows of any version of its table, or the dictionary of its full-text index."""
    stored = lancedb.connect(str(locations.index.parent)).open_table(locations.index.stem)
    width = stored.schema.field("vector").type.list_size
    found = []
    for version in [entry["version"] for entry in stored.list_versions()]:
        stored.checkout(version)
        columns = stored.search().select(["id", "text", "terms"]).to_arrow().to_pylist()
        found += [f"{row['id']} in version {version}" for row in columns if word in f"{row}".lower()]
    table = EpisodeTable(locations.index, width)
    table.open()
    letters = "".join(character if character.isalpha() else " " for character in word)
    if table.full_text(query_terms(letters), 10):
        found.append("full-text index")
    return found


def everywhere(locations: Locations, word: str) -> list[str]:
    """All traces of a word in a profile that no program has open."""
    return [
        *in_files(locations.root, word),
        *in_database(locations.database, word),
        *in_index(locations, word),
    ]
