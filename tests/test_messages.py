from __future__ import annotations

import re
import string
import tomllib
from pathlib import Path

import pytest

from desk_assistant import i18n

ROOT = Path(i18n.__file__).parent
CODE = ROOT.parent
AREAS = sorted(path.stem for path in (ROOT / "en").glob("*.toml"))
KEY = re.compile(
    r"""(?:\bt\(\s*|t_in\([^"']*?,\s*|Error\(\s*)f?["']([a-z]+\.[a-z0-9_]+)["']""",
)


def entries(lang: str, area: str) -> dict[str, str | dict[str, str]]:
    return tomllib.loads((ROOT / lang / f"{area}.toml").read_text("utf-8"))


def messages(lang: str, area: str) -> dict[str, str]:
    return {k: str(v["other"] if isinstance(v, dict) else v) for k, v in entries(lang, area).items()}


def placeholders(text: str) -> set[str]:
    # English names its months, Chinese numbers them: both are the month.
    return {name.removesuffix("_name") for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_say_the_same_things_with_the_same_values(area: str) -> None:
    english, chinese = messages("en", area), messages("zh", area)
    assert english.keys() == chinese.keys()
    assert [k for k in english if placeholders(english[k]) != placeholders(chinese[k])] == []
    assert [k for k, text in chinese.items() if not text.strip()] == []


@pytest.mark.parametrize("area", AREAS)
def test_a_plural_entry_has_the_forms_of_its_language_and_the_same_values_in_each(area: str) -> None:
    english = {k: v for k, v in entries("en", area).items() if isinstance(v, dict)}
    assert [k for k, v in english.items() if v.keys() != {"one", "other"}] == []
    assert [k for k, v in english.items() if "count" not in placeholders(v["other"])] == []
    assert [k for k, v in english.items() if not placeholders(v["one"]) <= placeholders(v["other"])] == []
    assert [k for k, v in entries("zh", area).items() if isinstance(v, dict)] == []


def test_a_number_chooses_its_form() -> None:
    assert i18n.t_in("en", "cli.message_count", count=1) == "1 message"
    assert i18n.t_in("en", "cli.message_count", count=0) == "0 messages"
    assert i18n.t_in("zh", "cli.message_count", count=1) == i18n.t_in("zh", "cli.message_count", count=2).replace(
        "2", "1"
    )


def test_there_is_no_area_in_one_language_alone() -> None:
    assert sorted(path.stem for path in (ROOT / "zh").glob("*.toml")) == AREAS


def test_every_message_the_code_names_exists() -> None:
    missing = {
        f"{path.relative_to(CODE)}: {key}"
        for path in CODE.rglob("*.py")
        for key in KEY.findall(path.read_text("utf-8"))
        # A key that ends in "_" is completed at run time: f"cli.help_{name}".
        if not key.endswith("_") and key.partition(".")[0] in AREAS and not i18n.has(key)
    }
    assert missing == set()
