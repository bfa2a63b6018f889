# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps over settings, and order studies."""

from __future__ import annotations

import csv
import os
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import need
from ._scenario import Scenario, Source

if TYPE_CHECKING:
    import xarray

#: Values of an axis, or the command line's text: "1:20:200", "1e-3:1:10:log".
Values = Union[Sequence[float], Sequence[str], npt.NDArray[np.float64], str]

_tolerances = tuple(10.0**-digits for digits in range(3, 13))
_statuses = ("done", "stopped", "refused", "not_finite", "missing")


def sweep(
    source: Source,
    axes: Mapping[str, Values],
    measures: Sequence[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    members: int = 1,
    spread: float = 0.0,
    seed: int = 1,
    progress: Callable[[int, int, int], None] | None = None,
) -> xarray.Dataset:
    """Runs a scenario at every point of a grid of settings and measures each run.

    Args:
        source: What Scenario() accepts, with one integrator.
        axes: Values by the path of a setting, the last axis runs fastest.
        measures: Columns of the rows with .last, .max, .mean or .min, such as "energy_error.max", or "t_stop", "lyapunov",
            "lyapunov[k]", "megno", "fli", "cost".
        folder: Where the plan and the rows are, as of ``twosphere sweep``: a sweep that was interrupted goes on there, and the
            program can run parts of it. By default a temporary folder.
        jobs: Number of tasks at the same time; by default one for each processor.
        members: Number of nearby starts of every point.
        spread: Standard deviation of these starts [rad and rad/s].
        seed: Of their random numbers.
        progress: Called with the numbers of tasks done, of all, and of those that failed, about 20 times a second.

    Returns:
        A dataset whose dimensions are the axes, with units; a task that failed has NaN, and its ``status`` says why.
    """
    need("xarray", "sweep()")
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="twosphere-sweep-") as temporary:
            return sweep(
                source, axes, measures, folder=temporary, jobs=jobs, members=members, spread=spread, seed=seed, progress=progress
            )
    place = os.fspath(folder)
    _core.new_sweep(place, Scenario(source), dict(axes), list(measures), members, spread, seed)
    run_sweep(place, jobs=jobs, progress=progress)
    return open_sweep(place)


def run_sweep(
    folder: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    part: tuple[int, int] = (1, 1),
    save_every: float = 60.0,
    progress: Callable[[int, int, int], None] | None = None,
) -> bool:
    """Runs the tasks of a sweep's folder that have no row yet: ``twosphere sweep run``.

    Args:
        folder: Made by sweep() or ``twosphere sweep new``.
        jobs: Number of tasks at the same time; by default one for each processor.
        part: (K, N): every N-th task from the K-th on.
        save_every: Long tasks save their state after so many seconds [s].
        progress: See sweep().

    Returns:
        Whether all tasks of the part are done.
    """
    return _core.run_sweep(os.fspath(folder), jobs or os.cpu_count() or 1, part[0], part[1], save_every, progress)


def open_sweep(folder: str | os.PathLike[str]) -> xarray.Dataset:
    """The rows of a sweep's folder so far as a dataset; see sweep()."""
    xr = need("xarray", "open_sweep()")
    results = _core.sweep_results(os.fspath(folder))
    names = [axis["name"] for axis in results["axes"]]
    if results["members"] > 1:
        names.append("member")
    shape = results["shape"]
    data: dict[str, Any] = {}
    for measure in results["measures"]:
        attributes = {"units": measure["unit"], "long_name": measure["key"]}
        data[measure["name"]] = (names, measure["values"].reshape(shape), attributes)
    data["status"] = (names, np.array(results["status"]).reshape(shape), {"values": " ".join(_statuses)})
    coordinates: dict[str, Any] = {}
    for axis in results["axes"]:
        units = {"units": axis["unit"]} if axis["unit"] else {}
        coordinates[axis["name"]] = (axis["name"], np.array(axis["values"]), {**units, "long_name": axis["path"]})
    if results["members"] > 1:
        coordinates["member"] = ("member", np.arange(results["members"]))
    made: xarray.Dataset = xr.Dataset(data, coordinates, {"sweep": results["scenario"], "sweep_name": results["name"]})
    return made


def collect_sweep(folder: str | os.PathLike[str], file: str | os.PathLike[str]) -> None:
    """Writes the rows of a sweep's folder as .csv, .nc or .zarr: to the byte what ``twosphere sweep collect`` writes."""
    _core.collect_sweep(os.fspath(folder), os.fspath(file))


def study(
    source: Source,
    *,
    integrators: Sequence[str] = (),
    steps: Sequence[float] = (),
    tolerances: Sequence[float] = _tolerances,
    reference: str = "",
    reference_step: float = 0.0,
    duration: float | None = None,
    threads: int | None = None,
    csv_file: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xarray.Dataset:
    """Measures the orders and the costs of integrators: ``twosphere study order``.

    Args:
        source: What Scenario() accepts.
        integrators: Their keys; by default every one that supports the system.
        steps: The steps [s], each a whole part of the duration; by default from four times to an eighth of the scenario's step.
        tolerances: The relative tolerances of integrators with error control.
        reference: The integrator from whose end errors are measured; by default the fixed-step one of the highest order.
        reference_step: Its step [s]; by default a quarter of the smallest step.
        duration: Simulated time [s]; by default that of the scenario.
        threads: Number of runs at the same time; by default one for each processor.
        csv_file: Where the table is written, as by ``--csv``.
        progress: Called with the numbers of runs done and of all, about 20 times a second.

    Returns:
        A dataset over ``run`` with the columns of the table, and ``order`` with ``order_error``, its standard error, over
        ``name``, the integrators with steps; ``attrs["text"]`` is the table as text.
    """
    xr = need("xarray", "study()")
    scenario = Scenario(source).changed(duration=duration)
    made = _core.study(
        scenario,
        list(integrators),
        [float(h) for h in steps],
        [float(x) for x in tolerances],
        reference,
        float(reference_step),
        threads or os.cpu_count() or 1,
        progress,
    )
    if csv_file is not None:
        with open(csv_file, "wb") as file:
            file.write(made["table"])
    header, *rows = csv.reader(made["table"].decode().splitlines())
    dataset: xarray.Dataset = xr.Dataset(
        attrs={
            "text": made["text"],
            "reference": made["reference"],
            "reference_step": made["reference_step"],
            "least_error": made["least_error"],
        }
    )
    for title, cells in zip(header, zip(*rows)):
        name, _, unit = title.partition(" [")
        if not unit:
            dataset[name] = ("run", np.array(cells))
        else:
            dataset[name] = ("run", np.array([float(c) if c else np.nan for c in cells]), {"units": unit[:-1]})
    dataset = dataset.assign_coords(name=("name", list(made["orders"])))
    for k, name in enumerate(("order", "order_error")):
        dataset[name] = ("name", np.array([pair[k] for pair in made["orders"].values()], dtype=float), {"units": "1"})
    return dataset
