"""Choose the next token from the model's logits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_FAINT = -20.0
"""In nats below the most probable token: what is fainter is drawn once in 10^8 tokens."""


@dataclass(frozen=True)
class Sampling:
    """How to choose: at temperature 0 always the most probable token."""

    temperature: float = 1.0
    top_p: float = 0.95
    seed: int = 0

    def generator(self, index: int) -> np.random.Generator:
        """Return the source of chance for one choice of a request."""
        return np.random.default_rng((self.seed, index))


def choose(
    logits: npt.NDArray[np.float32], sampling: Sampling, chance: np.random.Generator
) -> tuple[int, float]:
    """Return a token and the natural logarithm of its probability at temperature 1."""
    likeliest = int(logits.argmax())
    above = logits - logits[likeliest]
    total = float(np.log(np.exp(above).sum(dtype=np.float64)))
    token = likeliest if sampling.temperature == 0 else _draw(above, sampling, chance)
    return token, float(above[token]) - total


def _draw(above: npt.NDArray[np.float32], sampling: Sampling, chance: np.random.Generator) -> int:
    """Draw among the fewest tokens that together have `top_p` of the probability."""
    kept = np.flatnonzero(above > _FAINT * max(sampling.temperature, 1e-3))
    weights = np.exp(above[kept].astype(np.float64) / sampling.temperature)
    order = np.argsort(-weights, kind="stable")
    reached = np.cumsum(weights[order])
    enough = int(np.searchsorted(reached, sampling.top_p * reached[-1])) + 1
    enough = min(enough, len(reached))
    at = int(np.searchsorted(reached[:enough], chance.random() * reached[enough - 1], "right"))
    return int(kept[order[min(at, enough - 1)]])
