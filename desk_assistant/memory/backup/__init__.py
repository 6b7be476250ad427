"""One file that holds a whole profile: written while the program runs, checked before it is believed, poured back."""

from desk_assistant.memory.backup.archive import SUFFIX, Manifest, inspect, write
from desk_assistant.memory.backup.restoring import Restored, newest_good, restore
from desk_assistant.memory.backup.rotation import Rotation

__all__ = ["SUFFIX", "Manifest", "Restored", "Rotation", "inspect", "newest_good", "restore", "write"]
