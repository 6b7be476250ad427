"""What a number of vectors is."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
"""Vectors as rows, (count, dimensions), or one of them, (dimensions,)."""
