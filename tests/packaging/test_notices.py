"""Licences and the bill of materials of what is packed."""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from installer import bundled, notices
from installer.bundled import Component
from installer.plan import Plan
from installer.tools import BuildError


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    made = Plan(tmp_path / "work", tmp_path / "out", 1_700_000_000)
    made.site_packages.mkdir(parents=True)
    return made


def _package(plan: Plan, name: str, *lines: str, licence: str = "") -> None:
    folder = plan.site_packages / f"{name}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("\n".join((f"Name: {name}", "Version: 1.0", *lines)), encoding="utf-8")
    (folder / "RECORD").write_text(f"{folder.name}/licenses/LICENSE,,\n" if licence else "", encoding="utf-8")
    if licence:
        (folder / "licenses").mkdir()
        (folder / "licenses" / "LICENSE").write_text(licence, encoding="utf-8")


def test_each_package_is_told_with_its_licence_and_what_it_needs(plan: Plan) -> None:
    _package(plan, "Alpha_one", "License-Expression: MIT", "Requires-Dist: beta>=1; python_version>'3'", licence="Do.")
    _package(plan, "beta", "Classifier: License :: OSI Approved :: BSD License", "Requires-Dist: gone")
    _package(plan, "desk-assistant", "License-Expression: Apache-2.0")

    found = {each.name: each for each in bundled.components(plan, {})}

    assert set(found) == {"Alpha_one", "beta", "Python"}
    assert found["Alpha_one"].licence == "MIT"
    assert found["Alpha_one"].needs == ("beta",)
    assert list(found["Alpha_one"].texts.values()) == ["Do."]
    assert found["beta"].licence == "BSD License"
    assert found["beta"].needs == ()
    assert "PYTHON SOFTWARE FOUNDATION" in next(iter(found["Python"].texts.values())).upper()


def test_what_names_no_licence_is_not_packed(plan: Plan) -> None:
    _package(plan, "stray")

    with pytest.raises(BuildError, match="stray"):
        bundled.components(plan, {})


def test_a_text_that_a_wheel_forgot_is_added(plan: Plan) -> None:
    _package(plan, "llama_cpp_python", "License-Expression: MIT")

    found = {each.name: each for each in bundled.components(plan, {})}

    assert "ggml authors" in "".join(found["llama_cpp_python"].texts.values())


def test_the_bill_names_everything_once_and_what_hangs_on_what(plan: Plan) -> None:
    listed = [
        Component("Alpha", "1", "MIT", "pkg:pypi/alpha@1", needs=("beta",)),
        Component("beta", "2", "BSD", "pkg:pypi/beta@2"),
        Component("Tiny", "3", "own", "pkg:pypi/tiny@3", "machine-learning-model", sha256="ab" * 32),
    ]
    bill = json.loads(notices.materials(plan, listed))

    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert [each["name"] for each in bill["components"]] == ["Alpha", "beta", "Tiny"]
    assert bill["components"][2]["hashes"] == [{"alg": "SHA-256", "content": "ab" * 32}]
    hangs = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    assert hangs["pkg:pypi/alpha@1"] == ["pkg:pypi/beta@2"]
    assert hangs[f"pkg:generic/desk-assistant@{plan.version}"] == ["pkg:pypi/alpha@1", "pkg:pypi/tiny@3"]
    assert notices.materials(plan, listed) == notices.materials(plan, listed)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(notices.materials(plan, listed)) is None


def test_the_bill_of_what_is_installed_here_keeps_to_the_schema(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "site_packages", property(lambda _: Path(sysconfig.get_path("purelib"))))

    bill = notices.materials(plan, bundled.components(plan, {}))

    assert len(json.loads(bill)["components"]) > 50
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill) is None


def test_a_starter_model_goes_with_the_licence_text_that_its_download_lacks(plan: Plan) -> None:
    folder = plan.models / "multilingual-e5-small"
    folder.mkdir(parents=True)
    note = 'id = "multilingual-e5-small"\nname = "E5"\nsource_sha256 = "ab"\n'
    (folder / "manifest.toml").write_text(note, encoding="utf-8")

    with pytest.raises(BuildError, match="E5"):
        bundled.models(plan)
    bundled.add_papers(plan)

    (found,) = bundled.models(plan)
    assert found.licence == "MIT"
    assert "Permission is hereby granted" in found.texts["LICENSE"]
    assert "Permission is hereby granted" in (folder / "documents" / "LICENSE").read_text(encoding="utf-8")


def test_the_text_has_every_licence_in_full() -> None:
    text = notices.third_party([Component("Alpha", "1", "MIT", "p", texts={"LICENSE": "All of it."})])

    assert "All of it." in text
    assert "MIT" in text
