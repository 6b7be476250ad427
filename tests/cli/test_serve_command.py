from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tests.cli.desk_shell import SURROUNDINGS, Desk


def test_programs_are_let_in_listed_and_shut_out(desk: Desk) -> None:
    token = desk("serve", "allow", "editor").stdout.strip()
    desk("serve", "allow", "viewer", "--read-only", "--json")
    listed = [json.loads(line) for line in desk("serve", "clients", "--json").stdout.splitlines()]
    revoked = desk("serve", "revoke", "editor")

    assert len(token) > 40
    assert listed == [{"name": "editor", "writes": True}, {"name": "viewer", "writes": False}]
    assert revoked.returncode == 0
    assert token not in revoked.stdout + revoked.stderr
    assert desk("serve", "revoke", "editor").returncode == 3
    assert desk("serve", "allow", "bad name!").returncode == 2


@pytest.mark.timeout(120)
def test_it_listens_on_this_machine_until_it_is_told_to_end(desk: Desk, tmp_path: Path) -> None:
    token = desk("serve", "allow", "editor").stdout.strip()
    environment = {**os.environ, **SURROUNDINGS, "DESK_ASSISTANT_MODELS": str(tmp_path / "none")}
    process = subprocess.Popen(
        desk.command("serve", "http", "--port", "0", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        assert process.stdout is not None
        where = json.loads(process.stdout.readline())
        request = urllib.request.Request(
            f"http://{where['host']}:{where['port']}/v1/list",
            data=b"{}",
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            known = json.load(answer)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()

    assert where["host"] == "127.0.0.1"
    assert known == {"facts": [], "total": 0}
    assert process.returncode == 0
    assert "Traceback" not in errors
