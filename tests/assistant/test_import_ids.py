from __future__ import annotations

import json
from pathlib import Path

from desk_assistant.assistant.importer import Importer
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.store import Store


def test_a_secret_in_an_id_is_not_kept_and_importing_again_adds_nothing(locations: Locations, tmp_path: Path) -> None:
    rows = [
        {"session": f"call with {who}@example.org", "id": f"{who}@example.org/1", "role": "user", "content": "The tide"}
        for who in ("jo", "kim")
    ]
    rows.append({"session": "plain-7", "id": "m:1", "role": "user", "content": "The kiln"})
    source = tmp_path / "talk.jsonl"
    source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    store = Store(locations.database, locations.backups)
    first = Importer(store, PrivacyGate()).run(source)
    second = Importer(store, PrivacyGate()).run(source)
    ids = sorted(session.id for session in store.transcripts.sessions())
    store.close()
    assert (first.messages, second.messages, second.skipped) == (3, 0, 3)
    assert len(ids) == 3
    assert "plain-7" in ids
    assert not any(b"@example.org" in path.read_bytes() for path in locations.home.rglob("*") if path.is_file())
