"""The macOS application and its disk image. UNVERIFIED: written and checked without a Mac, nobody has run it yet."""

from __future__ import annotations

import plistlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from installer.manifest import MANIFEST, tidy
from installer.plan import NAME, Plan
from installer.tools import run, say

FILES: Final = Path(__file__).with_name("macos_files")
TITLE: Final = "Desk Assistant"
IDENTIFIER: Final = "org.desk-assistant.desk-assistant"
OLDEST: Final = "12.0"
ICON_SIZES: Final = (16, 32, 128, 256, 512)


def build(plan: Plan, lists: Mapping[bool, str], *, full: bool) -> Path:
    """Build one disk image that holds the application.

    The application opens the terminal with the program in it. Its files are signed for this machine only (an ad-hoc
    signature): to be opened without a warning elsewhere it must be signed and notarised with a developer's certificate.

    Args:
        plan: The build.
        lists: The list of files, with models (True) and without.
        full: Put the starter models inside.

    Returns:
        The finished file.
    """
    root = plan.work / f"app-{'full' if full else 'small'}"
    shutil.rmtree(root, ignore_errors=True)
    application = stage(plan, root / f"{TITLE}.app", lists[full], full=full)
    (root / "Applications").symlink_to("/Applications")
    _icon(plan, application / "Contents" / "Resources" / f"{NAME}.icns")
    run(["codesign", "--force", "--deep", "--sign", "-", application])
    target = plan.file(".dmg", full=full)
    target.unlink(missing_ok=True)
    say(f"Packing {target.name}")
    run(["hdiutil", "create", "-volname", TITLE, "-srcfolder", root, "-format", "UDZO", target])
    shutil.rmtree(root)
    return target


def stage(plan: Plan, application: Path, listed: str, *, full: bool) -> Path:
    """Lay the application out; this part needs no Mac.

    Args:
        plan: The build.
        application: The folder to make, called `….app`.
        listed: The list of files.
        full: Put the starter models inside.
    """
    contents = application / "Contents"
    home = contents / "Resources" / NAME
    shutil.copytree(plan.program, home, symlinks=True)
    if full:
        shutil.copytree(plan.models, home / "models")
    (home / MANIFEST).write_text(listed, encoding="utf-8")
    start = contents / "MacOS" / NAME
    start.parent.mkdir(parents=True)
    shutil.copyfile(FILES / "start.sh", start)
    start.chmod(0o755)
    (contents / "Info.plist").write_bytes(plistlib.dumps(information(plan.version)))
    tidy(application, plan.epoch)
    return application


def information(version: str) -> dict[str, Any]:
    """Return what the system reads about the application."""
    return {
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleName": TITLE,
        "CFBundleDisplayName": TITLE,
        "CFBundleExecutable": NAME,
        "CFBundleIconFile": f"{NAME}.icns",
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "CFBundleLocalizations": ["en", "zh-Hans"],
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": OLDEST,
        "NSHighResolutionCapable": True,
        # To open the terminal, the application asks it to.
        "NSAppleEventsUsageDescription": "Desk Assistant opens in the terminal.",
    }


def _icon(plan: Plan, target: Path) -> None:
    folder = plan.work / f"{NAME}.iconset"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    drawing = plan.share / "icons" / "hicolor" / "256x256" / "apps" / f"{NAME}.png"
    for size in ICON_SIZES:
        run(["sips", "-z", str(size), str(size), drawing, "--out", folder / f"icon_{size}x{size}.png"])
    run(["iconutil", "-c", "icns", folder, "-o", target])
