"""No library that comes with the program is left free to call home: all that is installed is looked through."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from desk_assistant.workers.launch import FIXED, QUIET, environment

SWITCHES = {
    "huggingface-hub": (
        "HF_HUB_OFFLINE",
        "HF_HUB_DISABLE_TELEMETRY",
        "HF_HUB_DISABLE_UPDATE_CHECK",
        "HF_HUB_DISABLE_IMPLICIT_TOKEN",
        "DISABLE_TELEMETRY",
        "DO_NOT_TRACK",
    ),
    "transformers": ("TRANSFORMERS_OFFLINE", "DISABLE_SAFETENSORS_CONVERSION"),
    "hf-xet": ("HF_XET_TELEMETRY_ENABLED",),
    "opentelemetry-api": ("OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER", "OTEL_LOGS_EXPORTER", "OTEL_SDK_DISABLED"),
}
"""What keeps each package from calling home. The last one only draws up what a package not among ours would send."""

LOOKS_LIKE_ONE = re.compile(
    rb"\b[A-Z][A-Z0-9_]*(?:TELEMETRY|_NOT_TRACK|UPDATE_CHECK|_OFFLINE|ANALYTICS|USAGE_STATS|SDK_DISABLED|_EXPORTER"
    rb"|SAFETENSORS_CONVERSION|IMPLICIT_TOKEN)\b"
)
"""The name of such a switch, in the source of a library."""

REPORTERS = re.compile(
    r"opentelemetry-(sdk|exporter|instrumentation|distro)|posthog|sentry|segment|analytics|mixpanel|datadog|ddtrace"
    r"|newrelic|bugsnag|rollbar|amplitude|scarf|wandb|mlflow|comet"
)
"""Packages that exist to report."""


def shipped() -> dict[str, metadata.Distribution]:
    """Everything that is installed because the program with its server asks for it."""
    found: dict[str, metadata.Distribution] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [("desk-assistant", ""), ("desk-assistant", "server")]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # wanted on other systems only
        for line in found[name].requires or ():
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(wanted.name), more) for more in ("", *wanted.extras)]
    return found


def names_of_switches(distribution: metadata.Distribution) -> set[str]:
    """Look through the whole source of a package."""
    found: set[str] = set()
    for file in distribution.files or ():
        path = Path(str(distribution.locate_file(file)))
        if path.suffix == ".py" and path.is_file():
            found.update(name.decode() for name in LOOKS_LIKE_ONE.findall(path.read_bytes()))
    return found


def test_every_switch_in_what_is_installed_is_known_and_set() -> None:
    libraries = shipped()
    known = {switch for name, switches in SWITCHES.items() if name in libraries for switch in switches}
    libraries.pop("desk-assistant")

    assert {"torch", "lancedb", "pyarrow", "sentence-transformers", "textual", "mcp", *SWITCHES} <= set(libraries)
    found = {name: names_of_switches(library) - known for name, library in libraries.items()}
    assert {name: switches for name, switches in found.items() if switches} == {}
    assert known <= set(QUIET)


def test_nothing_comes_along_that_exists_to_report() -> None:
    assert [name for name in shipped() if REPORTERS.search(name)] == []


def test_a_person_who_has_them_on_elsewhere_has_them_off_here(monkeypatch: pytest.MonkeyPatch) -> None:
    for switch in QUIET:
        monkeypatch.setenv(switch, "0")

    assert {switch: environment()[switch] for switch in QUIET} == dict(QUIET)
    assert QUIET.items() <= FIXED.items()


def test_the_hub_takes_them_at_their_word() -> None:
    program = (
        "from huggingface_hub import constants as c, is_offline_mode\n"
        "print(c.HF_HUB_DISABLE_TELEMETRY, c.HF_HUB_DISABLE_UPDATE_CHECK, c.HF_HUB_DISABLE_IMPLICIT_TOKEN,"
        " is_offline_mode())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == ["True"] * 4


def test_the_service_sets_them_before_its_libraries_come_in(tmp_path: Path) -> None:
    program = (
        "import builtins, os, sys\n"
        "load = builtins.__import__\n"
        "def watched(name, *rest):\n"
        "    if name.partition('.')[0] in ('mcp', 'uvicorn', 'opentelemetry') and 'seen' not in globals():\n"
        "        globals()['seen'] = os.environ.get('OTEL_SDK_DISABLED'), os.environ.get('DO_NOT_TRACK')\n"
        "    return load(name, *rest)\n"
        "builtins.__import__ = watched\n"
        "from desk_assistant.__main__ import main\n"
        "code = main()\n"
        "print(seen, file=sys.stderr)\n"
    )
    arguments = ["--data-dir", str(tmp_path / "data"), "serve", "stdio"]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={k: v for k, v in os.environ.items() if k not in QUIET},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )

    assert "('true', '1')" in done.stderr
