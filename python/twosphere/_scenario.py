# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence, Union

from . import _core

#: A preset's name, the path of a file, a dictionary, or a scenario.
Source = Union[str, "os.PathLike[str]", Mapping[str, Any], _core.Scenario]


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
        elif isinstance(source, str) and not (source.endswith(".json") or os.sep in source.replace("custom/", "", 1)):
            super().__init__("preset", source)
        else:
            super().__init__("file", os.fspath(source))
        self._made = True

    @classmethod
    def preset(cls, name: str) -> Scenario:
        """The preset of this name; see twosphere.presets."""
        return cls(_core.Scenario("preset", name))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scenario:
        """The scenario or saved state in a file."""
        return cls(_core.Scenario("file", os.fspath(path)))

    @classmethod
    def from_json(cls, text: str) -> Scenario:
        """The scenario in a text, as a file would have it."""
        return cls(_core.Scenario("text", text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes its file, completely or not at all. Reading it gives the same scenario, bit for bit."""
        super().save(os.fspath(path))

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

        Args:
            settings: Values by paths.
            integrator: The key of an integrator, or several, which run side by side.
            step: Step of every lane [s].
            duration: Simulated time [s].
            steps: The number of steps, instead of a duration.
            every: A row is recorded every so many steps.
        """
        made = self.copy()
        if integrator is not None:
            made._set_integrators([integrator] if isinstance(integrator, str) else list(integrator))
        values: dict[str, Any] = {}
        if step is not None:
            count = len(made.integrators)
            values.update({"integrator.step" if count == 1 else f"lanes[{i}].step": step for i in range(count)})
        values.update(settings or {})
        if duration is not None:
            values["duration"] = duration
        if every is not None:
            values["every"] = every
        if values:
            made.set(values)
        if steps is not None:
            made._plan_steps(steps)
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
