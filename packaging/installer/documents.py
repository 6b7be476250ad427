"""Writes man pages and completions: `python -m installer.documents FOLDER DATE`, run by the packed interpreter."""

from __future__ import annotations

import datetime
import gzip
import sys
from pathlib import Path
from typing import Final

from desk_assistant import __version__
from desk_assistant.cli import shell_completions as completions
from desk_assistant.cli.command_tree import commands
from installer import manpage

MAN_FOLDERS: Final = {"en": "man/man1", "zh": "man/zh_CN/man1"}
COMPLETIONS: Final = {
    "bash-completion/completions/desk-assistant": completions.bash,
    "zsh/site-functions/_desk-assistant": completions.zsh,
    "fish/vendor_completions.d/desk-assistant.fish": completions.fish,
}


def write(share: Path, epoch: int) -> None:
    """Write them below a `share` folder, where systems look for them.

    Args:
        share: The folder.
        epoch: Seconds since 1970, the date of the pages.
    """
    day = datetime.datetime.fromtimestamp(epoch, datetime.UTC).date().isoformat()
    for language, folder in MAN_FOLDERS.items():
        page = manpage.page(commands(language), language, __version__, day)
        _write(share / folder / "desk-assistant.1.gz", gzip.compress(page.encode(), mtime=0))
    english = commands("en")
    for name, shell in COMPLETIONS.items():
        _write(share / name, shell(english).encode())


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
