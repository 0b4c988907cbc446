"""What ranking asks of an embedder: one method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"


class Embedder(Protocol):
    """Turns texts into vectors of length one; `name` tells vectors of different makes apart."""

    name: str

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text; a text that says nothing has a row of zeros."""
