# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import Error
from ._image import Image
from ._records import Records
from ._scenario import Scenario, Signal, Source, signal_parts


class Simulation(_core.Simulation):
    """A run of a scenario.

    The same scenario gives the same bits as ``twosphere run`` and the window. Functions that compute release the GIL, so that
    simulations in several threads run at the same time; each is used by one thread at a time. Ctrl-C ends a long call after the
    present step, with KeyboardInterrupt; the simulation can continue from there.

    Args:
        source: A scenario, or what Scenario() accepts; a saved state continues, bit for bit.
    """

    _made = False  # see Scenario
    _records: Records | None = None  # of the last run()

    def __init__(self, source: Source) -> None:
        super().__init__(source if isinstance(source, _core.Scenario) else Scenario(source))
        self._made = True

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Simulation:
        """Continues from a state that save() wrote, bit for bit."""
        return cls(Scenario.load(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the present state, from which load(), ``twosphere run`` and the window continue, bit for bit."""
        self.state().save(path)

    def state(self) -> Scenario:
        """A scenario that continues from the present state, bit for bit."""
        return Scenario(self._continuation())

    @property
    def record(self) -> Scenario:
        """The start and every change since; it repeats this run."""
        return Scenario(self._record())

    @property
    def scenario(self) -> Scenario:
        """The present settings, at the start."""
        return Scenario(self._present())

    def rewound(self) -> Simulation:
        """A new run from the start with the settings wanted now."""
        return Simulation(self._rewound())

    @property
    def energy(self) -> float:
        """Total energy of the first lane [J]."""
        return float(self.sample()["total_energy"])

    def lane(self, lane: int | str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(q, omega) of a lane, by its name or number, (n, 3) [1] and [rad/s], read-only."""
        if isinstance(lane, str):
            if lane not in self.lanes:
                raise Error("usage", "lane", f"must be one of {', '.join(self.lanes)}, not {lane!r}")
            lane = self.lanes.index(lane)
        return self._q(lane), self._omega(lane)

    def follow_signal(self, signal: Signal | None = None) -> None:
        """From now on a signal of every lane is sampled, for frequencies().

        Args:
            signal: An expression of the state, such as "q[0].e1", or its real and its imaginary part; by default that of the
                scenario, or ("q[0].e1", "q[0].e2").
        """
        self._follow_signal(*(("", "") if signal is None else signal_parts(signal)))

    def run(
        self,
        duration: float | None = None,
        *,
        steps: int | None = None,
        until: float | None = None,
        states: bool = False,
        plots: bool = False,
    ) -> Records:
        """Runs to the planned end, or as far as is said here, or to a stop condition, and returns the rows.

        Args:
            duration: Simulated time from now [s].
            steps: Number of steps from now.
            until: Time on the clock of the run, ``time`` [s]; before now while it runs backwards. If the last step has gone past
                it, nothing is left to do, and there is one row.
            states: Records q and omega of every row as well, and the base of a chain if it flies.
            plots: Records the quantities that scenario and custom system name in their plots as well, and those of molecules and
                of the inertia, as ``--plots`` of ``twosphere run``.

        Raises:
            Error: A step cannot be taken. The rows so far are ``records``.
        """
        if sum(x is not None for x in (duration, steps, until)) > 1:
            raise Error("usage", "run", "duration, steps and until cannot be combined")
        self._go(duration, steps, until, states, plots)
        return self.records

    @property
    def records(self) -> Records:
        """The rows of the last run(), also if that was ended by an error or Ctrl-C."""
        if self._recording is None:
            raise Error("usage", "records", "there are none before run()")
        recording = self._recording
        if self._records is None or self._records._recording is not recording:
            self._records = Records(recording)
        return self._records

    def render(
        self,
        width: int = 960,
        height: int = 600,
        *,
        light: bool = False,
        transparent: bool = False,
        ground: bool = True,
        follow: int | None = None,
        azimuth: float = 0.0,
        elevation: float = 0.0,
        color: str = "automatic",
        color_map: str = "viridis",
        color_axis: str = "e3",
    ) -> Image:
        """A picture of the present state, as ``twosphere render`` draws it without a window, without trail and legend, and in
        the frame that the view of the scenario has. If the run has no such frame, the view does not turn, and there is a RunWarning.

        Args:
            width, height: Size in pixels.
            light: A light background.
            transparent: No background.
            ground: Whether the ground is drawn.
            follow: The camera looks at this body, numbered from 0.
            azimuth, elevation: The camera is turned by these angles [rad] from the default direction, to the right and up.
            color: The quantity that the colours of bodies show, as of ``--color``.
            color_map: The map of its colours, as of ``--color-map``.
            color_axis: The axis about which directions are coloured, ``"e1"``, ``"e2"`` or ``"e3"``.
        """
        pixels = _core.render(
            self, width, height, light, transparent, ground, follow, azimuth, elevation, color, color_map, color_axis
        )
        return Image(pixels)

    def __reduce__(self) -> Any:
        return Simulation, (self.state(),)

    def __copy__(self) -> Simulation:
        return Simulation(self.state())

    def __deepcopy__(self, memo: Any) -> Simulation:
        return Simulation(self.state())

    def __repr__(self) -> str:
        if not self._made:
            return "<Simulation>"
        return f"<Simulation: {', '.join(self.lanes)}, t = {self.time:g} s, step {self.steps} of {self.planned_steps}>"


def run(
    source: Source,
    settings: Mapping[str, Any] | None = None,
    *,
    integrator: str | Sequence[str] | None = None,
    step: float | None = None,
    duration: float | None = None,
    steps: int | None = None,
    every: int | None = None,
    exponents: int = 0,
    states: bool = False,
    plots: bool = False,
) -> Records:
    """Runs a scenario and returns its rows, those that ``twosphere run --csv`` writes.

    ``twosphere.run("double_spherical_pendulum").plot()`` is a first run.

    Args:
        source: What Scenario() accepts.
        settings: Values by paths, as of ``--set``.
        integrator: The key of an integrator, or several, which run side by side.
        step: Step of every lane [s].
        duration: Simulated time [s].
        steps: The number of steps, instead of a duration.
        every: A row every so many steps; by default at most 10001 rows.
        exponents: So many tangent vectors follow the run, for Lyapunov exponents, MEGNO and FLI.
        states: Records q and omega of every row as well, and the base of a chain if it flies.
        plots: Records the quantities that scenario and custom system name in their plots as well, and those of molecules and of
            the inertia, as ``--plots`` of ``twosphere run``.

    Points of a section are those of study_section(). Other options of ``twosphere run`` write files: trajectories and fields
    are left to it.
    """
    scenario = Scenario(source).changed(
        settings, integrator=integrator, step=step, duration=duration, steps=steps, every=every
    )
    simulation = Simulation(scenario)
    if exponents:
        simulation.follow_exponents(exponents)
    return simulation.run(steps=steps, states=states, plots=plots)
