"""Models on this machine: what is known (catalogue), what is there (store), how it gets here (install), what fits.

Nothing in this package loads a model, and nothing connects to a network unless `install` is called.
"""

from desk_assistant.models.catalogue import Catalogue, CatalogueEntry, HubSource, RegistrySource, Sampling
from desk_assistant.models.gguf import GGUFHeader, read_header
from desk_assistant.models.importing import ImportMode, import_model
from desk_assistant.models.install import Installer
from desk_assistant.models.progress import Progress, ProgressCallback
from desk_assistant.models.registry import InstalledModel, ModelStore

__all__ = [
    "Catalogue",
    "CatalogueEntry",
    "GGUFHeader",
    "HubSource",
    "ImportMode",
    "InstalledModel",
    "Installer",
    "ModelStore",
    "Progress",
    "ProgressCallback",
    "RegistrySource",
    "Sampling",
    "import_model",
    "read_header",
]
