"""Debian packages: the program folder under /opt, the launcher in /usr/bin, the rest where Debian looks for it."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from installer.libraries import weight
from installer.manifest import EXPECTED, MANIFEST, tidy
from installer.plan import NAME, Plan
from installer.tools import run, say

SCRIPTS: Final = Path(__file__).with_name("linux")
PLACES: Final = {
    "applications": "usr/share/applications",
    "icons": "usr/share/icons",
    "metainfo": "usr/share/metainfo",
    "man": "usr/share/man",
    "bash-completion": "usr/share/bash-completion",
    "zsh/site-functions": "usr/share/zsh/vendor-completions",
    "fish": "usr/share/fish",
}
"""Folder in `share` of the program folder → where it goes."""

DESCRIPTION: Final = """\
 An assistant for the terminal that runs on your own machine and remembers what
 you tell it, in English and Chinese. It shows where each memory comes from,
 lets you correct it, and erases what it should forget.
 .
 It carries its own Python and libraries, and never opens a network connection
 except to fetch a model that you ask for."""


def build(plan: Plan, lists: Mapping[bool, str], floor: Mapping[str, str], copyright_text: str, *, full: bool) -> Path:
    """Build one package.

    Args:
        plan: The build.
        lists: The list of files, with models (True) and without.
        floor: Oldest versions of the system's libraries.
        copyright_text: Debian's copyright file.
        full: Put the starter models inside.

    Returns:
        The finished file.
    """
    package = f"{NAME}-full" if full else NAME
    root = plan.work / f"deb-{package}"
    shutil.rmtree(root, ignore_errors=True)
    home = root / "opt" / NAME
    # Hard links: a second copy of a gigabyte would only be read once.
    shutil.copytree(plan.program, home, symlinks=True, copy_function=os.link)
    if full:
        shutil.copytree(plan.models, home / "models", copy_function=os.link)
    (home / MANIFEST).unlink(missing_ok=True)
    (home / MANIFEST).write_text(lists[full], encoding="utf-8")
    for name, place in PLACES.items():
        shutil.copytree(plan.share / name, root / place, dirs_exist_ok=True)
    launcher = root / "usr" / "bin" / NAME
    launcher.parent.mkdir(parents=True)
    launcher.symlink_to(f"/opt/{NAME}/bin/{NAME}")
    _documents(plan, root / "usr" / "share" / "doc" / package, copyright_text)
    _control(plan, root, package, floor)
    tidy(root, plan.epoch)
    for script in ("preinst", "prerm", "postrm"):
        (root / "DEBIAN" / script).chmod(0o755)
    target = plan.out / f"{package}_{plan.version}_{_architecture()}.deb"
    say(f"Packing {target.name}")
    run(
        ["dpkg-deb", "-Zzstd", "-z9", "--root-owner-group", "--build", root, target],
        env={"SOURCE_DATE_EPOCH": str(plan.epoch)},
    )
    shutil.rmtree(root)
    return target


def _documents(plan: Plan, folder: Path, copyright_text: str) -> None:
    folder.mkdir(parents=True)
    (folder / "copyright").write_text(copyright_text, encoding="utf-8")
    changes = (plan.root / "CHANGELOG.md").read_bytes()
    (folder / "changelog.gz").write_bytes(gzip.compress(changes, mtime=0))
    shutil.copy(plan.share / "doc" / "sbom.cdx.json", folder)


def _control(plan: Plan, root: Path, package: str, floor: Mapping[str, str]) -> None:
    folder = root / "DEBIAN"
    folder.mkdir()
    other = NAME if package != NAME else f"{NAME}-full"
    relations = f"Conflicts: {other}\nReplaces: {other}\n" + (f"Provides: {NAME}\n" if package != NAME else "")
    # GLIBCXX_3.4.N has been in libstdc++6 since GCC N - 18, and later versions keep it.
    gcc = max(5, int(floor["libstdcxx"].rpartition(".")[2]) - 18)
    title = "private offline assistant with a memory" + (" (with models)" if package != NAME else "")
    (folder / "control").write_text(
        f"Package: {package}\n"
        f"Version: {plan.version}\n"
        f"Architecture: {_architecture()}\n"
        "Maintainer: The Desk Assistant authors <desk-assistant@localhost>\n"
        f"Installed-Size: {weight(root) // 1024}\n"
        f"Depends: libc6 (>= {floor['glibc']}), libstdc++6 (>= {gcc}), libgcc-s1\n"
        f"Recommends: fonts-noto-cjk | fonts-wqy-microhei, ca-certificates\n"
        f"{relations}"
        "Section: utils\n"
        "Priority: optional\n"
        f"Description: {title}\n{DESCRIPTION}\n",
        encoding="utf-8",
    )
    for script in ("preinst", "prerm", "postrm"):
        text = (SCRIPTS / f"{script}.sh").read_text(encoding="utf-8")
        text = text.replace("@VERSION@", plan.version).replace("@PROCESSOR@", " ".join(EXPECTED.get(plan.machine, ())))
        (folder / script).write_text(text, encoding="utf-8")


def _architecture() -> str:
    return run(["dpkg", "--print-architecture"]).strip()
