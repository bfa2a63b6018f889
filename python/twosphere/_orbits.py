# SPDX-License-Identifier: GPL-3.0-or-later
"""Periodic orbits and their families."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Literal, NamedTuple, Sequence

import numpy as np

from . import _core
from ._errors import need
from ._scenario import Scenario, Source
from ._studies import _columns, _processors, _write_table

if TYPE_CHECKING:
    import xarray


class Orbit(NamedTuple):
    """A periodic orbit."""

    #: Runs through one period of it.
    scenario: Scenario
    #: What ``twosphere orbits find --json`` prints: ``period`` [s], ``energy`` [J], ``multipliers`` and more.
    data: dict[str, Any]
    #: What has to be said of it.
    notes: list[str]


def orbit(
    source: Source,
    start: str = "mode:0",
    *,
    at: Literal["nearest", "start"] | int | None = None,
    relative: str | Sequence[float] | None = None,
    relabel: Sequence[int] | Literal["any"] | None = None,
    integrator: str | None = None,
    period: float | None = None,
    energy: float | str | None = None,
    momentum: float | None = None,
    steps: int | None = None,
    threads: int | None = None,
) -> Orbit:
    """Finds a periodic orbit: ``twosphere orbits find``.

    Args:
        source: What Scenario() accepts.
        start: "mode:K", a small motion about the stable equilibrium or, with ``relative``, about the relative equilibrium that the
            start is; "start", the start itself, with a period or that of its orbit; "return", the nearest return of the run over
            the duration of the scenario; or "rest", where forces depend on the time: at rest in the nearest stable equilibrium
            without them.
        at: The equilibrium of the mode, or of rest, as in modes(); by default the nearest stable one.
        relative: "e1", "e2", "e3", "J" or an axis, about which it may be turned when it closes.
        relabel: For each body, where which body began it is after a part of the period: a third for [1, 2, 0]; "any"
            looks for the places with which a return is nearest.
        integrator: The method that takes the steps; by default "rotation8" for uncoupled bodies, "spherical_midpoint8" for systems
            of first order, else "variational8".
        period: Near which it is looked for [s]; of forces of the time a multiple of theirs, which is the default.
        energy: The total energy [J], or "rest+E", E above that of the nearest stable equilibrium; by default that of the start.
        momentum: About the axis of a relative orbit [J s]; by default that of the start.
        steps: In a period; by default as many as the period needs to keep 11 digits.
        threads: Number of threads of the search for equilibria; by default one for each processor.
    """
    axis = "" if relative is None else relative if isinstance(relative, str) else ",".join(repr(float(x)) for x in relative)
    made = _core.orbit(
        Scenario(source),
        start,
        "" if at is None else str(at),
        axis,
        "" if relabel is None else relabel if isinstance(relabel, str) else ",".join(str(int(place)) for place in relabel),
        integrator or "",
        period,
        "" if energy is None else energy if isinstance(energy, str) else repr(float(energy)),
        momentum,
        steps,
        _processors() if threads is None else threads,
    )
    return Orbit(Scenario.from_json(made["scenario"]), made["found"], made["notes"])


def family(
    source: Orbit | Source,
    over: str,
    to: float | str,
    *,
    bifurcate: Literal[1, -1] | str | None = None,
    count: int = 200,
    threads: int | None = None,
    csv_file: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> xarray.Dataset:
    """Follows the family of a periodic orbit: ``twosphere orbits continue``.

    Args:
        source: An orbit(), or what Scenario() accepts of a file that has one.
        over: What changes along it: of relative orbits energy or momentum is held where the other changes; or a number of the system,
            such as "system.lengths[1]", over which both are held. With damping or forces of the time it must be such a number.
        to: The value at which it ends [J, s, J s or the unit of the setting]; an energy may be "rest+E".
        bifurcate: Follows the family that branches off at the first bifurcation before ``to`` instead: +1, of about the same period,
            or -1, of twice the period; where a symmetry lets families begin in several directions "+1:K" in that with number K, from 0.
        count: The most orbits, of a family that branches off the most of its own.
        threads: Number of threads of the search for equilibria; by default one for each processor.
        csv_file: Where the table is written, and its description beside it.
        progress: Called with the number of orbits after each.

    Returns:
        A dataset over ``member`` with the columns of ``orbits.csv``, and ``q`` and ``omega`` over ``body`` and ``axis``. ``attrs``
        has the list of ``bifurcations``, whether the value was ``reached``, and why not: ``end``; whether the family is ``closed``, its
        last orbit the first one again; with ``bifurcate`` also the ``origin``, the bifurcation where it branches off.
    """
    xr = need("xarray", "family()")
    scenario = source.scenario if isinstance(source, Orbit) else Scenario(source)
    value = to if isinstance(to, str) else repr(float(to))
    branch = "" if bifurcate is None else bifurcate if isinstance(bifurcate, str) else f"{bifurcate:+d}"
    made = _core.family(scenario, over, value, branch, count, _processors() if threads is None else threads, progress)
    _write_table(csv_file, "csv_file", made)
    variables = _columns(made["table"], "member")
    variables["member"] = ("member", variables["member"][1].astype(np.int64))
    states = [one["state"] for one in made["found"]["members"]]
    for key, unit in (("q", "1"), ("omega", "rad/s")):
        variables[key] = (("member", "body", "axis"), np.array([state[key] for state in states]), {"units": unit})
    attrs = {"bifurcations": made["found"]["bifurcations"]} | {key: made[key] for key in ("reached", "closed", "end")}
    if "origin" in made["found"]:
        attrs["origin"] = made["found"]["origin"]
    dataset: xarray.Dataset = xr.Dataset(variables, attrs=attrs)
    return dataset
