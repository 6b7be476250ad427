"""The order of a build: stage the program folder, then wrap it in every kind of file this system can make."""

from __future__ import annotations

import datetime
import json
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from installer import bundled, libraries, llama, manifest, notices, runtime, weights
from installer.plan import NAME, Plan
from installer.tools import BuildError, Stopwatch, run, say

HERE: Final = Path(__file__).parent
STARTERS: Final = "desk_assistant.models"
"""Module that installs the starter models."""

KINDS: Final[Mapping[str, tuple[str, ...]]] = {"linux": ("deb", "run"), "darwin": ("app",), "win32": ("setup",)}
"""What can be made on which system."""

STAGED: Final = "staged.json"
"""Written when the program folder is complete: which system libraries it carries."""


def everything(plan: Plan, only: Sequence[str] | None, *, models: bool) -> None:
    """Build all that was asked for, and say what it weighs.

    Args:
        plan: The build.
        only: Kinds of files; everything this system can make by default.
        models: Build the full files, with the starter models inside, too.

    Raises:
        BuildError: A step failed.
    """
    watch = Stopwatch()
    stage(plan)
    say(f"The program folder is ready ({watch.lap()})")
    if models:
        fetch_models(plan)
    carried = {name: Path(path) for name, path in json.loads((plan.work / STAGED).read_text("utf-8")).items()}
    components = describe(plan, carried, models=models)
    manifest.tidy(plan.program, plan.epoch)
    lists = {False: manifest.write(plan.program)}
    if models:
        lists[True] = manifest.write(plan.program, also=plan.models)
    made = sorted(plan.out.glob(f"desk_assistant-{plan.version}*"))
    for kind in only if only is not None else KINDS.get(sys.platform, ()):
        made += _wrapped(plan, kind, lists, components, models=models)
        say(f"{kind}: {watch.lap()}")
    sums = "".join(f"{manifest.sha256(path)}  {path.name}\n" for path in sorted(made))
    (plan.out / "SHA256SUMS").write_text(sums, encoding="utf-8")
    table = weights.table(weights.measure(plan), made)
    (plan.out / "WEIGHTS.txt").write_text(table + "\n", encoding="utf-8")
    print(f"\n{table}\n\nEverything is in {plan.out}", flush=True)


def stage(plan: Plan) -> None:
    """Make the program folder: interpreter, libraries, program, launcher, texts."""
    (plan.work / STAGED).unlink(missing_ok=True)
    shutil.rmtree(plan.program, ignore_errors=True)
    portable = llama.wheel(plan)
    program = own_wheel(plan)
    carried = runtime.copy(plan)
    libraries.install(plan, portable, program)
    say(f"{libraries.prune(plan) / 1e6:.0f} MB that are never used were taken out")
    libraries.compile_all(plan)
    if sys.platform == "linux":
        carried |= libraries.carry_openmp(plan)
        floor = libraries.check(plan)
        manifest.mark(plan, floor.glibc, floor.glibcxx)
    else:
        manifest.mark(plan, (), ())
    _launchers(plan)
    _share(plan)
    (plan.work / STAGED).write_text(json.dumps({k: str(v) for k, v in carried.items()}), encoding="utf-8")


def own_wheel(plan: Plan) -> Path:
    """Build the source archive and, from that, the wheel; return the wheel. Both are finished files too."""
    say("Building the source archive and the wheel")
    run(
        ["python", "-m", "build", "--outdir", plan.out, plan.root],
        env={"SOURCE_DATE_EPOCH": str(plan.epoch)},
    )
    return next(plan.out.glob(f"desk_assistant-{plan.version}-*.whl"))


def fetch_models(plan: Plan) -> None:
    """Install the starter models into the build's own folder, by the packed program itself."""
    say("Fetching the starter models")
    plan.models.mkdir(exist_ok=True)
    # An empty data folder: what the builder has installed for themselves is not looked at.
    surroundings = {"DESK_ASSISTANT_MODELS": str(plan.models), "DESK_ASSISTANT_DATA": str(plan.work / "no-data")}
    run([plan.python, "-B", "-P", "-m", STARTERS, "setup"], env=surroundings)
    for leftover in plan.models.glob(".*"):
        shutil.rmtree(leftover)
    bundled.add_papers(plan)


def describe(plan: Plan, carried: Mapping[str, Path], *, models: bool) -> list[bundled.Component]:
    """Write licences and the bill of materials into the program folder and beside the finished files."""
    components = bundled.components(plan, carried)
    if models:
        components += bundled.models(plan)
    documents = plan.share / "doc"
    documents.mkdir(exist_ok=True)
    for name, text in {
        "THIRD-PARTY.txt": notices.third_party(components),
        "sbom.cdx.json": notices.materials(plan, components),
        "LICENSE.txt": (plan.root / "LICENSE").read_text(encoding="utf-8"),
    }.items():
        (documents / name).write_text(text, encoding="utf-8")
    for name in ("THIRD-PARTY.txt", "sbom.cdx.json"):
        shutil.copy(documents / name, plan.out)
    return components


def _launchers(plan: Plan) -> None:
    folder = plan.program / "bin"
    folder.mkdir(exist_ok=True)
    if sys.platform == "win32":
        shutil.copy(HERE / "windows" / "desk-assistant.cmd", folder)
        return
    for source, name in (("launcher.sh", NAME), ("uninstall.sh", "uninstall")):
        text = (HERE / "linux" / source).read_text(encoding="utf-8").replace("@PYTHON@", plan.python.name)
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)


def _share(plan: Plan) -> None:
    share = plan.share
    day = datetime.datetime.fromtimestamp(plan.epoch, datetime.UTC).date().isoformat()
    for name, place in {
        "desk-assistant.desktop": "applications",
        "desk-assistant.metainfo.xml": "metainfo",
        "desk-assistant.svg": "icons/hicolor/scalable/apps",
        **{f"desk-assistant-{size}.png": f"icons/hicolor/{size}x{size}/apps" for size in (48, 128, 256)},
    }.items():
        folder = share / place
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / (f"{NAME}.png" if name.endswith(".png") else name)
        shutil.copyfile(HERE / "share" / name, target)
        if name.endswith(".xml"):
            text = target.read_text(encoding="utf-8")
            target.write_text(text.replace("@VERSION@", plan.version).replace("@DATE@", day), encoding="utf-8")
    shutil.copytree(HERE / "linux" / "setup", share / "setup", ignore=shutil.ignore_patterns("__pycache__"))
    say("Writing man pages and completions")
    run(
        [plan.python, "-B", "-m", "installer.documents", share, str(plan.epoch)],
        env={"PYTHONPATH": str(HERE.parent)},
    )


def _wrapped(
    plan: Plan, kind: str, lists: Mapping[bool, str], components: Sequence[bundled.Component], *, models: bool
) -> list[Path]:
    """Make one kind of files from the program folder."""
    if kind == "deb":
        from installer import deb

        with (plan.program / manifest.MARK).open("rb") as stream:
            floor = tomllib.load(stream)
        text = notices.debian_copyright(plan, components)
        return [deb.build(plan, lists, floor, text, full=full) for full in ((False, True) if models else (False,))]
    if kind == "run":
        from installer import selfextract

        return selfextract.build(plan, lists, full=models)
    if kind == "app":
        from installer import macos

        return [macos.build(plan, lists, full=full) for full in ((False, True) if models else (False,))]
    if kind == "setup":
        from installer import windows

        return [windows.build(plan, lists, full=full) for full in ((False, True) if models else (False,))]
    if kind == "stage":
        return []
    raise BuildError(f"There is no kind of file called {kind}.")
