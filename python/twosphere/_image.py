# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import file_name


class Image:
    """A picture. ``numpy.asarray(image)`` is (height, width, 4) of 8-bit red, green, blue and alpha (sRGB); a notebook shows it."""

    def __init__(self, pixels: npt.NDArray[np.uint8]) -> None:
        self.pixels = pixels

    def __array__(self, dtype: Any = None) -> npt.NDArray[Any]:
        return self.pixels if dtype is None else self.pixels.astype(dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """(height, width, 4)."""
        return self.pixels.shape

    def png(self) -> bytes:
        """The picture as a PNG file."""
        return _core.png(self.pixels)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as a PNG file, completely or not at all."""
        _core.write_file(file_name(path, "path"), self.png())

    def _repr_png_(self) -> bytes:
        return self.png()
