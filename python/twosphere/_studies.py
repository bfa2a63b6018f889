# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps over settings, order studies, equilibria, relative equilibria and modes."""

from __future__ import annotations

import csv
import os
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import Error, file_name, need
from ._scenario import Scenario, Signal, Source, signal_parts

if TYPE_CHECKING:
    import xarray

#: Values of an axis, or the command line's text: "1:20:200", "1e-3:1:10:log".
Values = Union[Sequence[float], Sequence[str], npt.NDArray[np.float64], str]

_tolerances = tuple(10.0**-digits for digits in range(3, 13))
_statuses = ("done", "stopped", "refused", "not_finite", "missing", "out_of_memory", "crashed")


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
    same_energy: bool = False,
    signal: Signal | None = None,
    orbit: Mapping[str, Any] | None = None,
    every: int | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> xarray.Dataset:
    """Runs a scenario at every point of a grid of settings and measures each run.

    Args:
        source: What Scenario() accepts, with one integrator.
        axes: Values by the path of a setting, the last axis runs fastest.
        measures: Columns of the rows with .last, .max, .mean or .min, such as "energy_error.max", plots of the scenario or its
            custom system likewise, such as "plots.height.max", or "t_stop", "lyapunov", "lyapunov[k]", "megno", "fli", "cost",
            and, of the ``signal``, "frequency", "frequency[k]" and "diffusion"; of damped systems "basin"; of the ``orbit``
            "orbit.period" and "orbit.multiplier[k]"; a text may have several, separated by commas.
        folder: Where the plan and the rows are, as of ``twosphere sweep``: a sweep that was interrupted continues there, and the
            program can run parts of it. By default a temporary folder.
        jobs: Number of tasks at the same time; by default one for each processor.
        members: Number of nearby starts of every point.
        spread: Standard deviation of these starts [rad and rad/s].
        seed: Of their random numbers.
        same_energy: Gives every start the energy of the scenario, by one factor of all angular velocities.
        signal: The signal whose frequencies are measured, an expression of the state or its real and its imaginary part; by
            default that of the scenario.
        orbit: How the periodic orbit of each task is found, as ``orbit()`` finds one: {"from": "mode:0", "period": 2.5,
            "energy": "rest+20", "relative": "e3", "relabel": [1, 2, 0]}, of which "from" may be "mode:K", "start" or "return",
            the default, and the others may be left out.
        every: A row every so many steps; by default 1000 if no measure depends on it, else that of a run.
        progress: Called with the numbers of tasks done, of all, and of those that failed, about 20 times a second.

    Returns:
        A dataset whose dimensions are the axes, with units; a task that failed has NaN, and its ``status`` says why. Where basins
        are measured, the attributes have their ``uncertain_fraction`` in words, the ``uncertain_fractions`` of pairs 1, 2, 4 and
        8 cells apart, the ``uncertainty_exponent`` and its error.
    """
    need("xarray", "sweep()")
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="twosphere-sweep-") as temporary:
            return sweep(
                source,
                axes,
                measures,
                folder=temporary,
                jobs=jobs,
                members=members,
                spread=spread,
                seed=seed,
                same_energy=same_energy,
                signal=signal,
                orbit=orbit,
                every=every,
                progress=progress,
            )
    place = file_name(folder, "folder")
    scenario = Scenario(source)
    if signal is not None:
        real, imaginary = signal_parts(signal)
        former = scenario.to_dict().get("signal", {})
        kept = {"window": former["window"]} if "window" in former else {}
        scenario["signal"] = {"real": real, **({"imaginary": imaginary} if imaginary else {}), **kept}
    if every is not None:
        scenario = scenario.changed(every=every)
    _core.new_sweep(place, scenario, dict(axes), list(measures), members, spread, seed, same_energy, _orbit_plan(orbit))
    run_sweep(place, jobs=jobs, progress=progress)
    return open_sweep(place)


def _orbit_plan(orbit: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The plan as sweep.json has it: an energy, an axis and a list of bodies are texts there."""
    if orbit is None:
        return None
    plan = {"from": "return", **orbit}
    if isinstance(plan.get("energy"), (int, float)):
        plan["energy"] = repr(float(plan["energy"]))
    for key in ("relative", "relabel"):
        if key in plan and not isinstance(plan[key], str):
            plan[key] = ",".join(str(x) for x in plan[key])
    return plan


def run_sweep(
    folder: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    part: tuple[int, int] = (1, 1),
    save_every: float = 60.0,
    retry: bool = False,
    progress: Callable[[int, int, int], None] | None = None,
) -> bool:
    """Runs the tasks of a sweep's folder that have no row yet: ``twosphere sweep run``.

    Args:
        folder: Made by sweep() or ``twosphere sweep new``.
        jobs: Number of tasks at the same time; by default one for each processor.
        part: (K, N): every N-th task from the K-th on.
        save_every: Long tasks save their state after so many seconds [s].
        retry: Tasks that ran out of memory or crashed run again.
        progress: See sweep().

    Returns:
        Whether all tasks of the part are done.
    """
    place, many = file_name(folder, "folder"), _processors() if jobs is None else jobs
    try:
        index, count = part
    except (TypeError, ValueError):
        raise Error("usage", "part", f"must be (K, N), not {part!r}") from None
    return _core.run_sweep(place, many, index, count, save_every, retry, progress)


def open_sweep(folder: str | os.PathLike[str]) -> xarray.Dataset:
    """The rows of a sweep's folder so far as a dataset; see sweep()."""
    xr = need("xarray", "open_sweep()")
    results = _core.sweep_results(file_name(folder, "folder"))
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
    of_all = {"sweep": results["scenario"], "sweep_name": results["name"], **results["attributes"]}
    made: xarray.Dataset = xr.Dataset(data, coordinates, of_all)
    return made


def collect_sweep(folder: str | os.PathLike[str], file: str | os.PathLike[str]) -> None:
    """Writes the rows of a sweep's folder as .csv, .nc or .zarr: to the byte what ``twosphere sweep collect`` writes. The file "-" is
    sys.stdout, on which the rows are printed as CSV."""
    if file == "-":
        print(_core.collected_sweep(file_name(folder, "folder")).decode(), end="")
    else:
        _core.collect_sweep(file_name(folder, "folder"), file_name(file, "file"))


def _processors() -> int:
    return os.cpu_count() or 1


def _columns(table: bytes, dimension: str) -> dict[str, Any]:
    """The columns of a CSV table as variables with units; those without a unit are words."""
    header, *rows = csv.reader(table.decode().splitlines())
    variables: dict[str, Any] = {}
    for k, title in enumerate(header):
        name, _, unit = title.partition(" [")
        cells = [row[k] for row in rows]
        if not unit:
            variables[name] = (dimension, np.array(cells, dtype=str))
        else:
            values = np.array([float(cell) if cell else np.nan for cell in cells], dtype=float)
            variables[name] = (dimension, values, {"units": unit[:-1]})
    return variables


def _write_table(path: str | os.PathLike[str] | None, what: str, made: Mapping[str, Any]) -> None:
    """Writes a table and its description, PATH.json, as the command line does."""
    if path is None:
        return
    name = file_name(path, what)
    _core.write_file(name, made["table"])
    _core.write_file(name + ".json", made["description"])


def study(
    source: Source,
    *,
    integrators: Sequence[str] = (),
    steps: Sequence[float] = (),
    tolerances: Sequence[float] = _tolerances,
    reference: str = "",
    reference_step: float | None = None,
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
        steps,
        tolerances,
        reference,
        reference_step,
        _processors() if threads is None else threads,
        progress,
    )
    if csv_file is not None:
        _core.write_file(file_name(csv_file, "csv_file"), made["table"])
    dataset: xarray.Dataset = xr.Dataset(
        _columns(made["table"], "run"),
        attrs={name: made[name] for name in ("text", "reference", "reference_step", "least_error")},
    )
    dataset = dataset.assign_coords(name=("name", list(made["orders"])))
    for k, name in enumerate(("order", "order_error")):
        dataset[name] = ("name", np.array([pair[k] for pair in made["orders"].values()], dtype=float), {"units": "1"})
    return dataset


def study_section(
    source: Source,
    axes: Mapping[str, Values] | None = None,
    *,
    section: str | None = None,
    stroboscopic: float | str | None = None,
    members: int = 1,
    spread: float = 0.0,
    seed: int = 1,
    same_energy: bool = False,
    duration: float | None = None,
    threads: int | None = None,
    points_file: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xarray.Dataset:
    """Follows orbits from several starts to where they cross a section: ``twosphere study section``.

    Args:
        source: What Scenario() accepts, with one integrator.
        axes: Values by the path of a setting, whose combinations are the starts, as of sweep(); by default the scenario's start.
        section: The section is where this expression of the state, such as "q[0].e2", passes zero; by default that of the scenario.
        stroboscopic: The section is every such period instead [s], a number or an expression of the parameters.
        members: Number of nearby starts of every combination.
        spread: Standard deviation of these starts [rad and rad/s].
        seed: Of their random numbers.
        same_energy: Gives every start the energy of the scenario, by one factor of all angular velocities.
        duration: Simulated time of every orbit [s]; by default that of the scenario.
        threads: Number of orbits at the same time; by default one for each processor.
        points_file: Where the table of the points is written, and its description beside it, as by ``--points``.
        progress: Called with the numbers of orbits done and of all, about 20 times a second.

    Returns:
        A dataset over ``point`` with the columns of the table: ``start``, the number of the orbit, ``time`` [s], ``step``, the
        number of the ``crossing``, its ``direction``, and the coordinates; and over ``orbit`` the values on the axes,
        ``status``, "done" or how it ended, and ``why`` it failed.
    """
    xr = need("xarray", "study_section()")
    if section is not None and stroboscopic is not None:
        raise Error("usage", "stroboscopic", "cannot be combined with section")
    scenario = Scenario(source).changed(duration=duration)
    if section is not None or stroboscopic is not None:
        former = scenario.to_dict().get("section", {})
        kept = {"coordinates": former["coordinates"]} if "coordinates" in former else {}
        kind = ("direction",) if section is not None else ("phase",)
        kept.update({key: former[key] for key in kind if key in former})
        scenario["section"] = {"expression": section, **kept} if section is not None else {"period": stroboscopic, **kept}
    made = _core.study_section(
        scenario,
        dict(axes or {}),
        members,
        spread,
        seed,
        same_energy,
        _processors() if threads is None else threads,
        progress,
    )
    _write_table(points_file, "points_file", made)
    variables = _columns(made["table"], "point")
    for name in ("start", "step", "crossing", "direction"):
        if name in variables:
            dimension, values, attributes = variables[name]
            variables[name] = (dimension, values.astype(np.int64), attributes)
    for axis in made["axes"]:
        units = {"units": axis["unit"]} if axis["unit"] else {}
        variables[axis["name"]] = ("orbit", np.array(axis["values"]), {**units, "long_name": axis["path"]})
    if made["members"] > 1:
        variables["member"] = ("orbit", np.arange(len(made["status"])) % made["members"])
    variables["status"] = ("orbit", np.array(made["status"], dtype=str))
    variables["why"] = ("orbit", np.array(made["why"], dtype=str))
    dataset: xarray.Dataset = xr.Dataset(variables, attrs={"description": made["description"].decode()})
    return dataset


def study_cloud(
    source: Source,
    *,
    members: int = 256,
    spread: float = 1e-6,
    seed: int = 1,
    duration: float | None = None,
    every: int | None = None,
    csv_file: str | os.PathLike[str] | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> xarray.Dataset:
    """Follows a cloud of nearby orbits and measures how their distances grow: ``twosphere study cloud``.

    Args:
        source: What Scenario() accepts, with one integrator and without events.
        members: Number of orbits around that of the scenario, 1 to 4096.
        spread: Standard deviation of their starts [rad and rad/s], at most 0.1.
        seed: Of their random numbers.
        duration: Simulated time [s]; by default that of the scenario.
        every: A row every so many steps; by default at most 10001 rows.
        csv_file: Where the table is written, and its description beside it, as by ``--csv``.
        progress: Called with the time and its end [s] after each row.

    Returns:
        A dataset over ``time`` [s]: ``distance_median``, and the 5 and 95 % quantiles ``distance_low`` and ``distance_high`` of
        the distances, and ``members``, how many are left. ``attrs`` has the ``rate`` at which the median grows and its
        ``rate_error`` [1/s], the number ``rows_fitted``, and how many members were ``lost``.
    """
    xr = need("xarray", "study_cloud()")
    scenario = Scenario(source).changed(duration=duration, every=every)
    made = _core.study_cloud(scenario, members, spread, seed, progress)
    _write_table(csv_file, "csv_file", made)
    attributes = {name: made[name] for name in ("rate", "rate_error", "rows_fitted", "lost")}
    attributes["description"] = made["description"].decode()
    dataset: xarray.Dataset = xr.Dataset(_columns(made["table"], "time"), attrs=attributes)
    return dataset


def equilibria(
    source: Source,
    *,
    tries: int = 200,
    seed: int = 1,
    merge_equal: bool = False,
    threads: int | None = None,
    csv_file: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xarray.Dataset:
    """Looks for the configurations in which a system stays at rest: ``twosphere orbits equilibria``.

    Args:
        source: What Scenario() accepts; the search begins at its start, too.
        tries: Number of random configurations from which Newton's method begins.
        seed: Of their random numbers.
        merge_equal: Those that differ only in which of several equal bodies is where count once.
        threads: Number of threads; by default one for each processor.
        csv_file: Where the table is written, and its description beside it, as by ``--csv``.
        progress: Called with the numbers of starts done and of all, about 20 times a second.

    Returns:
        A dataset over ``equilibrium``, in the order of the potential energy: ``q`` over ``body`` and ``axis``,
        its ``number`` for modes(), ``potential_energy`` [J], the Morse ``index``, ``nullity`` and ``kind``. ``attrs`` has the
        numbers of ``starts`` and of those that ``converged``.
    """
    xr = need("xarray", "equilibria()")
    made = _core.equilibria(Scenario(source), tries, seed, merge_equal, _processors() if threads is None else threads, progress)
    _write_table(csv_file, "csv_file", made)
    found = made["found"]["equilibria"]
    column = {name: np.array([one[name] for one in found]) for name in ("number", "potential_energy", "index", "nullity", "kind")}
    dataset: xarray.Dataset = xr.Dataset(
        {
            "q": (("equilibrium", "body", "axis"), np.array([one["q"] for one in found]), {"units": "1"}),
            "number": ("equilibrium", column["number"].astype(np.int64), {"units": "1"}),
            "potential_energy": ("equilibrium", column["potential_energy"], {"units": "J"}),
            "index": ("equilibrium", column["index"].astype(np.int64), {"units": "1"}),
            "nullity": ("equilibrium", column["nullity"].astype(np.int64), {"units": "1"}),
            "kind": ("equilibrium", column["kind"]),
        },
        attrs={name: made[name] for name in ("starts", "converged")},
    )
    return dataset


def relative_equilibria(
    source: Source,
    *,
    axis: Literal["e1", "e2", "e3", "J"] = "e3",
    rate: float | None = None,
    momentum: float | Sequence[float] | None = None,
    tries: int = 200,
    seed: int = 1,
    merge_equal: bool = False,
    threads: int | None = None,
    csv_file: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xarray.Dataset:
    """Looks for motions in which all bodies turn about an axis: ``twosphere orbits relative``.

    Args:
        source: What Scenario() accepts; the search begins at its start, too.
        axis: The axis, about which the momentum must be conserved; "J" is along that of the start, where all of it is.
        rate: The rate of those that are looked for [rad/s].
        momentum: Their momentum about the axis [J s], or several, which ascend or descend: then the curves through them are
            followed. Without ``rate`` and ``momentum`` it is that of the start.
        tries: Number of random configurations from which Newton's method begins, for each momentum.
        seed: Of their random numbers.
        merge_equal: Those that differ only in which of several equal bodies is where count once.
        threads: Number of threads; by default one for each processor.
        csv_file: Where the table is written, and its description beside it, as by ``--csv``.
        progress: Called with the numbers of starts done and of all, about 20 times a second.

    Returns:
        A dataset over ``relative_equilibrium``, along the curves: ``q`` over ``body`` and ``axis``, ``rate`` [rad/s], ``momentum``
        [J s], ``energy`` [J], ``index``, ``nullity``, ``stability``, ``growth`` [1/s], the number of its ``curve``, ``turn``, where
        the momentum turns back, and the complex ``eigenvalues`` [1/s] of small motions over ``motion``, NaN where there are fewer.
        ``attrs`` has the numbers of ``starts`` and of those that ``converged``.
    """
    xr = need("xarray", "relative_equilibria()")
    momenta = None if momentum is None else [float(value) for value in np.atleast_1d(np.asarray(momentum, dtype=float))]
    processors = _processors() if threads is None else threads
    made = _core.relative_equilibria(Scenario(source), axis, rate, momenta, tries, seed, merge_equal, processors, progress)
    _write_table(csv_file, "csv_file", made)
    found = made["found"]["relative_equilibria"]
    motions = max(len(one["eigenvalues"]) for one in found)
    eigenvalues = np.full((len(found), motions), complex(np.nan, np.nan))
    for row, one in zip(eigenvalues, found):
        row[: len(one["eigenvalues"])] = [complex(*value) for value in one["eigenvalues"]]
    over = "relative_equilibrium"
    variables: dict[str, Any] = {
        "q": ((over, "body", "axis"), np.array([one["q"] for one in found]), {"units": "1"}),
        "eigenvalues": ((over, "motion"), eigenvalues, {"units": "1/s"}),
        "stability": (over, np.array([one["stability"] for one in found])),
        "turn": (over, np.array([one["turn"] for one in found], dtype=bool)),
    }
    for name, unit in (("rate", "rad/s"), ("momentum", "J s"), ("energy", "J"), ("growth", "1/s")):
        variables[name] = (over, np.array([one[name] for one in found], dtype=float), {"units": unit})
    for name in ("index", "nullity", "curve"):
        variables[name] = (over, np.array([one[name] for one in found], dtype=np.int64), {"units": "1"})
    dataset: xarray.Dataset = xr.Dataset(variables, attrs={name: made[name] for name in ("starts", "converged")})
    return dataset


def modes(
    source: Source,
    *,
    at: Literal["nearest", "start"] | int = "nearest",
    threads: int | None = None,
    csv_file: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> xarray.Dataset:
    """Finds the small motions about an equilibrium: ``twosphere modes``.

    Args:
        source: What Scenario() accepts.
        at: "nearest", the equilibrium to which Newton's method leads from the start; "start", which must be one; or a number of
            equilibria().
        threads: Number of threads of the search by number; by default one for each processor.
        csv_file: Where the table is written, and its description beside it, as by ``--csv``.
        progress: Called with the numbers of starts done and of all, about 20 times a second.

    Returns:
        A dataset over ``mode``: ``square`` [rad²/s²], ``frequency`` [Hz], ``growth`` [1/s], and ``delta_q`` over ``body`` and
        ``axis``, whose largest vector has length 1; with damping also ``quality`` and ``imaginary_delta_q``, with strengths
        or axes that rotate alone ``energy_sign`` and ``imaginary_delta_q``. ``q`` is the equilibrium; ``attrs`` has its ``potential_energy`` [J], ``index``,
        ``nullity`` and ``kind``.
    """
    xr = need("xarray", "modes()")
    made = _core.modes(Scenario(source), str(at), _processors() if threads is None else threads, progress)
    _write_table(csv_file, "csv_file", made)
    found = made["found"]
    q = np.array(found["q"], dtype=float)
    units = {"square": "rad²/s²", "frequency": "Hz", "growth": "1/s", "quality": "1", "energy_sign": "1"}
    variables: dict[str, Any] = {"q": (("body", "axis"), q, {"units": "1"})}
    for name, unit in units.items():
        values = [one[name] for one in found["modes"] if name in one]
        if values or name not in ("quality", "energy_sign"):
            variables[name] = ("mode", np.array(values, dtype=float), {"units": unit})
    for name, key in (("delta_q", "q"), ("imaginary_delta_q", "imaginary_q")):
        shapes = [one[key] for one in found["modes"] if key in one]
        if shapes or key == "q":
            array = np.array(shapes, dtype=float).reshape(-1, *q.shape)
            variables[name] = (("mode", "body", "axis"), array, {"units": "1"})
    dataset: xarray.Dataset = xr.Dataset(
        variables, attrs={name: made[name] for name in ("potential_energy", "index", "nullity", "kind")}
    )
    return dataset
