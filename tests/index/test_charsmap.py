from __future__ import annotations

from tokenizers import normalizers

from desk_assistant.index.charsmap import build_charsmap


def test_every_replacement_is_made_and_nothing_else_changes() -> None:
    replacements = {
        chr(code): f"<{code}>" for code in (*range(0x80, 0x400, 3), *range(0x4E00, 0x4F00), 0x1F600, 0x20BB7)
    }
    replacements["\u00ad"] = ""
    normaliser = normalizers.Precompiled(build_charsmap(replacements))
    for character in (*map(chr, range(0x20, 0x500)), "一", "亿", "😀", "😁", "𠮷", "\u00ad"):
        assert normaliser.normalize_str(character) == replacements.get(character, character)


def test_nul_is_left_out() -> None:
    normaliser = normalizers.Precompiled(build_charsmap({"\0": "x", "A": "b\0c", "B": "b"}))
    assert normaliser.normalize_str("AB") == "Ab"
