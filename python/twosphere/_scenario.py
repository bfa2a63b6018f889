# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence, Union

from . import _core
from ._catalog import presets
from ._errors import Error, file_name

#: A preset's name, the path of a file, a dictionary, or a scenario.
Source = Union[str, "os.PathLike[str]", Mapping[str, Any], _core.Scenario]


#: An expression of the state, or the real and the imaginary part of one.
Signal = Union[str, Sequence[str]]


def signal_parts(signal: Signal) -> tuple[str, str]:
    """The real and the imaginary part of a signal; "": 0."""
    parts = [signal] if isinstance(signal, str) else list(signal) if isinstance(signal, (list, tuple)) else []
    if len(parts) not in (1, 2) or not all(isinstance(part, str) and part for part in parts):
        message = f"must be an expression, or the real and the imaginary part, not {signal!r}"
        raise Error("usage", "signal", message)
    return parts[0], parts[1] if len(parts) == 2 else ""


class Scenario(_core.Scenario):
    """System, start, integrators, duration: the contents of a scenario file.

    Settings have the paths of the command line's ``--set``::

        scenario = Scenario("three_body")
        scenario["system.masses[1]"] = 2
        scenario["integrator.type"] = "rotation6"

    Each assignment is checked as a whole, by the reader of files, and changes nothing if it fails.

    Args:
        source: The name of a preset; the path of a file, if it ends in .json, has a slash in it or is a path object; a
            dictionary as a file would have; or a scenario, which is copied.
    """

    _made = False  # what is not made must not be looked at: a traceback may ask for __repr__

    def __init__(self, source: Source) -> None:
        if isinstance(source, _core.Scenario):
            super().__init__(source)
        elif isinstance(source, Mapping):
            super().__init__("dict", dict(source))
        elif isinstance(source, str) and (source in presets or not (source.endswith(".json") or os.sep in source)):
            super().__init__("preset", source)
        elif isinstance(source, (str, bytes, os.PathLike)):
            super().__init__("file", os.fsdecode(source))
        else:
            message = f"must be the name of a preset, a path, a dictionary or a Scenario, not {source!r}"
            raise Error("usage", "source", message)
        self._made = True

    @classmethod
    def preset(cls, name: str) -> Scenario:
        """The preset of this name; see twosphere.presets."""
        return cls(_core.Scenario("preset", name))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scenario:
        """The scenario or saved state in a file."""
        return cls(_core.Scenario("file", file_name(path, "path")))

    @classmethod
    def from_json(cls, text: str) -> Scenario:
        """The scenario in a text, as a file would have it."""
        return cls(_core.Scenario("text", text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes its file, completely or not at all. Reading it gives the same scenario, bit for bit."""
        super().save(file_name(path, "path"))

    def copy(self) -> Scenario:
        """A copy, which can be changed by itself."""
        return Scenario(self)

    def branch(self, name: str) -> Scenario:
        """The record of a branch, as ``--branch`` on the command line selects it."""
        return Scenario(self._branch(name))

    def changed(
        self,
        settings: Mapping[str, Any] | None = None,
        *,
        integrator: str | Sequence[str] | None = None,
        step: float | None = None,
        duration: float | None = None,
        steps: int | None = None,
        every: int | None = None,
    ) -> Scenario:
        """A copy with other settings: the options of ``twosphere run``.

        Settings of a saved state become an event before its first step: its clock continues, and a change of the energy is work.

        Args:
            settings: Values by paths.
            integrator: The key of an integrator, or several, which run side by side.
            step: Step of every lane [s].
            duration: Simulated time [s].
            steps: The number of steps, instead of a duration.
            every: A row is recorded every so many steps.
        """
        if steps is not None and duration is not None:
            raise Error("usage", "steps", "a number of steps and a duration cannot be given together")
        made = self.copy()
        keys = [] if integrator is None else [integrator] if isinstance(integrator, str) else list(integrator)
        count = len(keys) or len(made.integrators)
        lanes = ["integrator"] if count == 1 else [f"lanes[{i}]" for i in range(count)]
        values: dict[str, Any] = {}
        if keys and not made.continues:
            made._set_integrators(keys)
        elif keys:
            values.update({f"{lane}.type": key for lane, key in zip(lanes, keys)})
        if step is not None:
            values.update({f"{lane}.step": step for lane in lanes})
        values.update(settings or {})
        changes: dict[str, Any] = {}
        if made.continues:
            changes = {path: value for path, value in values.items() if path.startswith(("system", "integrator", "lanes"))}
        edits = {path: value for path, value in values.items() if path not in changes}
        if edits:
            made.set(edits)
        made._plan(changes, duration, steps, every)
        return made

    def __copy__(self) -> Scenario:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Scenario:
        return self.copy()

    def __reduce__(self) -> Any:
        return Scenario.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        if not self._made:
            return "<Scenario>"
        return (
            f"<Scenario {self.title!r}: {self.system}, {self.bodies} bodies, "
            f"{', '.join(self.integrators)}, {self.duration:g} s>"
        )
