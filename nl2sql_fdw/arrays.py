"""Import numpy with one thread: import it from here, wherever a backend may do so.

Its BLAS otherwise starts a thread per core when it is loaded. The signals of a backend must
reach its own thread, and what is multiplied here takes longer to hand out than to do.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

__all__ = ["np"]
