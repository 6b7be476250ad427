"""What a thread waited for a processor: on a busy machine that is most of a delay, and not the program's fault."""

from __future__ import annotations

import threading
from pathlib import Path


def waited() -> float:
    """Return the seconds this thread was ready to run while another program had the processor."""
    try:
        stat = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").read_text(encoding="ascii")
        return int(stat.split()[1]) / 1e9
    except OSError:
        return 0.0
