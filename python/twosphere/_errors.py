# SPDX-License-Identifier: GPL-3.0-or-later
"""What the package raises and warns with."""

from __future__ import annotations

import os
from typing import Any, Callable, Literal

Kind = Literal["check", "usage", "numerical", "input_output", "internal"]


class Error(Exception):
    """What went wrong and where, with the text of the program's own message.

    Attributes:
        kind: "usage" (what was given is wrong), "numerical" (a step cannot be taken), "input_output" (a file), "check", or
            "internal".
        location: A file and line, a path such as system.masses[1], or "".
        message: What was given and what is allowed.
    """

    def __init__(self, kind: Kind, location: str, message: str) -> None:
        super().__init__(f"{location}: {message}" if location else message)
        self.kind = kind
        self.location = location
        self.message = message

    def __reduce__(self) -> tuple[Callable[..., Error], tuple[Kind, str, str]]:
        return Error, (self.kind, self.location, self.message)


class RunWarning(UserWarning):
    """The start of a scenario was moved, or the results of a run are no longer meaningful."""


def file_name(path: Any, what: str) -> str:
    """A path as a text; an error that names ``what`` if it is none."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise Error("usage", what, f"must be the path of a file, not {path!r}") from None


def need(module: str, what: str) -> Any:
    """The module of this name, or an error that says what needs it and how it is installed."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = "python3-" + module.split(".")[0].lower()
        message = f"needs {module.split('.')[0]}, which is not installed; on Debian: apt install {package}"
        raise Error("usage", what, message) from error
