"""Every complaint about arguments, in the interface language; argparse's own English shows nowhere."""

from __future__ import annotations

import argparse
import re

import pytest

from desk_assistant import i18n
from desk_assistant.cli.arguments import Parser

ENGLISH = re.compile(r"\b(argument|expected|invalid|choose|required|unrecognized|allowed|ignored|following)\b")


def parser() -> Parser:
    i18n.set_language("zh")
    made = Parser(prog="desk")
    made.add_argument("--limit", type=int)
    made.add_argument("--share", type=float)
    made.add_argument("--mode", choices=("copy", "link"))
    made.add_argument("--yes", action="store_true")
    made.add_argument("--pair", nargs=2)
    made.add_argument("--some", nargs="+")
    group = made.add_mutually_exclusive_group(required=True)
    group.add_argument("--since")
    group.add_argument("--person")
    inner: argparse._SubParsersAction[Parser] = made.add_subparsers(
        dest="命令", metavar="命令", required=True, parser_class=Parser
    )
    inner.add_parser("list")
    return made


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--since", "x"], "缺少：命令"),
        (["list"], "需给出一个：--since --person"),
        (["--since", "x", "--person", "y", "list"], "不能与 --since 同时使用"),
        (["--since", "x", "list", "--what"], "没有这样的参数：--what"),
        (["--since", "x", "--limit", "many", "list"], "'many' 不是整数"),
        (["--since", "x", "--share", "much", "list"], "'much' 不是数字"),
        (["--since", "x", "--mode", "burn", "list"], "不在可选项之中"),
        (["--since", "x", "fly"], "不在可选项之中"),
        (["--since", "x", "list", "--limit"], "没有这样的参数"),
        (["--limit"], "--limit：后面需要一个值"),
        (["--some"], "后面至少需要一个值"),
        (["--pair", "one"], "个数：2"),
        (["--yes=now"], "不带值"),
    ],
)
def test_a_complaint_is_worded(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(arguments)
    complaint = capsys.readouterr().err.rpartition("desk: ")[2] or capsys.readouterr().err
    assert words in complaint
    assert not ENGLISH.search(complaint)
