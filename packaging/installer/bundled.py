"""Everything that is packed and was made by somebody else: what it is, under which licence, with which texts."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final
from urllib.parse import quote

from installer.plan import NAME, Plan
from installer.tools import BuildError

TEXTS: Final = ("licen[cs]e*", "notice*", "copying*", "copyright*", "authors*", "third*party*")
"""Names of files that carry a licence or what it asks to be passed on, in small letters."""

NOTICES: Final = Path(__file__).with_name("notices")
"""Licence texts that a wheel should carry and does not, by the name of its package or its model."""


@dataclass(frozen=True)
class Component:
    """One thing that is packed.

    Attributes:
        name: What it is called.
        version: Its version.
        licence: An SPDX expression, or whatever its makers say.
        purl: Package URL.
        kind: `"library"`, `"application"` or `"machine-learning-model"`, as CycloneDX names them.
        texts: Licence texts and notices, by title.
        needs: Names of the components it depends on.
        sha256: Of its file, where it is one.
    """

    name: str
    version: str
    licence: str
    purl: str
    kind: str = "library"
    texts: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    sha256: str = ""


def components(plan: Plan, libraries: Mapping[str, Path]) -> list[Component]:
    """Return everything in the program folder but the program itself.

    Args:
        plan: The build.
        libraries: System library → the file it was copied from.

    Raises:
        BuildError: The licence of something is not to be found: then it must not be packed.
    """
    found = [_python(), *_system(libraries)]
    here = {_normal(_name(each)) for each in distributions(path=[str(plan.site_packages)])}
    others = (each for each in distributions(path=[str(plan.site_packages)]) if _normal(_name(each)) != NAME)
    found += [_package(each, here) for each in others]
    return sorted(found, key=lambda each: each.name.lower())


def add_papers(plan: Plan) -> None:
    """Lay beside each starter model the licence text that its download should carry and does not."""
    for note in plan.models.glob("*/manifest.toml"):
        text = NOTICES / f"{note.parent.name}.txt"
        if text.is_file():
            (note.parent / "documents").mkdir(exist_ok=True)
            shutil.copyfile(text, note.parent / "documents" / "LICENSE")


def models(plan: Plan) -> list[Component]:
    """Return the starter models of the full files, from the notes of their install and the catalogue.

    Raises:
        BuildError: No licence text goes with one: then it must not be packed.
    """
    with (plan.root / "models" / "catalogue.toml").open("rb") as stream:
        known = {entry["id"]: entry for entry in tomllib.load(stream)["model"]}
    found = []
    for note in sorted(plan.models.glob("*/manifest.toml")):
        manifest = tomllib.loads(note.read_text(encoding="utf-8"))
        entry = known[manifest["id"]]
        documents = sorted(path for path in note.parent.glob("documents/*") if path.is_file())
        texts = {path.name: path.read_text(encoding="utf-8", errors="replace") for path in documents}
        if entry.get("terms"):
            texts["NOTICE"] = entry["terms"]
        if not texts:
            raise BuildError(f"No licence text goes with {manifest['name']}. Look for it, and add it to {NOTICES}.")
        wheel = entry["wheel"][0]
        found.append(
            Component(
                manifest["name"],
                wheel["version"],
                entry["licence"],
                f"pkg:pypi/{wheel['package']}@{wheel['version']}",
                "machine-learning-model",
                texts,
                sha256=manifest["source_sha256"],
            )
        )
    return found


def _python() -> Component:
    version = ".".join(map(str, sys.version_info[:3]))
    places = (
        Path(sysconfig.get_path("stdlib")) / "LICENSE.txt",
        Path(f"/usr/share/doc/python{sys.version_info[0]}.{sys.version_info[1]}/copyright"),
        Path(sys.base_prefix) / "LICENSE.txt",
    )
    text = next((path.read_text(encoding="utf-8") for path in places if path.is_file()), "")
    if not text:
        raise BuildError(f"The licence of Python is in none of {', '.join(map(str, places))}.")
    return Component(
        "Python", version, "PSF-2.0", f"pkg:generic/python@{version}", "application", {"LICENSE.txt": text}
    )


def _system(libraries: Mapping[str, Path]) -> Iterator[Component]:
    """Yield the system's packages that libraries were copied from; Debian keeps a copyright file of each."""
    packages: dict[str, list[str]] = {}
    for name, path in libraries.items():
        packages.setdefault(_owner(path), []).append(name)
    for package, names in sorted(packages.items()):
        plain = package.partition(":")[0]
        text = Path(f"/usr/share/doc/{plain}/copyright").read_text(encoding="utf-8")
        version = _asked("dpkg-query", "-W", "-f=${Version}", package)
        yield Component(
            plain,
            version,
            f"see the copyright file of {plain} ({', '.join(sorted(names))})",
            f"pkg:deb/debian/{plain}@{quote(version, safe='')}",
            texts={"copyright": text},
        )


def _owner(path: Path) -> str:
    if shutil.which("dpkg") is None:
        raise BuildError(f"Which package {path} belongs to, and its licence, can only be told on Debian and its kin.")
    for candidate in dict.fromkeys((path, path.resolve(), Path("/usr") / path.relative_to("/"))):
        try:
            return _asked("dpkg", "-S", str(candidate)).rpartition(": ")[0]
        except BuildError:
            continue
    raise BuildError(f"{path} belongs to no package, so its licence is not known.")


def _asked(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(done.stderr.strip())
    return done.stdout.strip()


def _package(distribution: Distribution, here: set[str]) -> Component:
    name, version = _name(distribution), distribution.version
    texts = dict(_texts(distribution))
    for extra in sorted(NOTICES.glob(f"{_normal(name)}*.txt")):
        texts[extra.name] = extra.read_text(encoding="utf-8")
    licence = _licence(distribution)
    if not licence:
        raise BuildError(f"{name} {version} names no licence. Look for it, and add a text to {NOTICES}.")
    needs = {_normal(_requirement(line)) for line in distribution.requires or () if "extra ==" not in line}
    return Component(
        name, version, licence, f"pkg:pypi/{_normal(name)}@{version}", texts=texts, needs=tuple(sorted(needs & here))
    )


def _texts(distribution: Distribution) -> Iterator[tuple[str, str]]:
    for file in distribution.files or ():
        if any(Path(file.name.lower()).match(pattern) for pattern in TEXTS) and file.suffix not in (
            ".py",
            ".pyc",
            ".h",
        ):
            path = Path(str(distribution.locate_file(file)))
            if path.is_file():
                yield file.as_posix(), path.read_text(encoding="utf-8", errors="replace")


def _licence(distribution: Distribution) -> str:
    """Return the licence a package declares: as an expression, in its classifiers, or in words."""
    metadata = distribution.metadata
    if "License-Expression" in metadata:
        return str(metadata["License-Expression"])
    classes = [line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier") or () if "License ::" in line]
    if classes:
        return " / ".join(classes)
    first = str(metadata["License"]).strip().partition("\n")[0] if "License" in metadata else ""
    if first:
        return first
    return "see its licence text" if dict(_texts(distribution)) else ""


def _requirement(line: str) -> str:
    name = line
    for mark in " ;<>=!~[(":
        name = name.partition(mark)[0]
    return name


def _name(distribution: Distribution) -> str:
    return str(distribution.metadata["Name"])


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
