# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of a run as arrays and tables."""

from __future__ import annotations

import csv
import html
import os
import sys
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._catalog import quantities
from ._errors import Error, file_name, need

if TYPE_CHECKING:
    import pandas
    import xarray


class Records:
    """The rows of a run: one every ``stride`` steps, and the first and the last.

    ``records["energy_error"]`` is a column. With several lanes the names begin with that of the lane:
    ``records["rk4/energy_error"]``.
    """

    def __init__(self, recording: _core.Recording) -> None:
        self._recording = recording
        self._shown: tuple[int, str] | None = None  # what a notebook shows of so many rows
        titles = next(csv.reader([recording.header.rstrip("\r\n")]))
        pairs = [title[:-1].rsplit(" [", 1) for title in titles]
        #: Units by the names of the columns.
        self.units: dict[str, str] = {name: unit for name, unit in pairs}

    @property
    def columns(self) -> list[str]:
        """The names of the columns; the first is "time"."""
        return list(self.units)

    @property
    def array(self) -> npt.NDArray[Any]:
        """All rows as a structured array, (rows,), whose fields are the columns; read-only, not copied."""
        kind = np.dtype([(name, np.float64) for name in self.units])
        values = self._recording.values
        if len(values) == 0:
            return np.empty(0, kind)
        return values.view(kind)[:, 0]

    def __getitem__(self, column: str) -> npt.NDArray[np.float64]:
        try:
            return self._recording.values[:, self.columns.index(column)]
        except ValueError:
            message = f"there is no such column; known: {', '.join(self.columns)}"
            raise Error("usage", column, message) from None

    def __len__(self) -> int:
        return self._recording.rows

    @property
    def q(self) -> npt.NDArray[np.float64]:
        """Directions of the first lane in every row [1], (rows, n, 3), read-only; see states()."""
        return self.states()[0]

    @property
    def omega(self) -> npt.NDArray[np.float64]:
        """Angular velocities of the first lane in every row [rad/s], (rows, n, 3), read-only; see states()."""
        return self.states()[1]

    def states(self, lane: int | str = 0) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(q, omega) of a lane in every row, (rows, n, 3) [1] and [rad/s], read-only. The run must have been asked for them:
        ``run(..., states=True)``."""
        return self._recording.states(self._lane_with_states(lane))

    @property
    def base(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
        """(position, velocity) of the base of the first lane in every row, (rows, 3) [m] and [m/s], read-only; None if it does not
        fly. See base_of()."""
        return self.base_of(0)

    def base_of(self, lane: int | str = 0) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
        """(position, velocity) of the base of a lane in every row, (rows, 3) [m] and [m/s], read-only: base_x … and base_vx … of
        trajectories. None if it does not fly. The run must have been asked for states: ``run(..., states=True)``."""
        return self._recording.base(self._lane_with_states(lane))

    def _lane_with_states(self, lane: int | str) -> int:
        names = self._recording.lanes
        if not self._recording.has_states:
            raise Error("usage", "states", "were not recorded; give states=True to run()")
        index = names.index(lane) if isinstance(lane, str) and lane in names else lane
        if not isinstance(index, int) or not 0 <= index < len(names):
            raise Error("usage", "lane", f"must be one of {', '.join(names)}, or its number, not {lane!r}")
        return index

    def pair_distribution(self, bins: int = 180, lane: int | str = 0) -> dict[str, npt.NDArray[np.float64]]:
        """The pair distribution function of a lane, as ``twosphere run --pair-distribution`` writes it: the mean over the rows of
        how much more often two bodies are an angle apart than if each were placed uniformly. The run must have been asked for
        states: ``run(..., states=True)``.

        Args:
            bins: Number of equal bins of the angle, from 1 to 65536.
            lane: The name or the number of a lane.

        Returns:
            The arrays ``angle`` [rad], the middles of the bins, ``pair_distribution`` [1], and ``pairs``, the number of pairs in
            each bin in all rows.
        """
        return _core.pair_distribution(self.states(lane)[0], bins)

    def csv(self) -> bytes:
        """The table as CSV: to the byte what ``twosphere run --csv`` writes."""
        return self._recording.csv()

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes the table, and its description to PATH.json, as ``twosphere run --csv`` does; each completely or not at all."""
        name = file_name(path, "path")
        _core.write_file(name, self.csv())
        _core.write_file(name + ".json", self._recording.companion())

    def html(
        self,
        title: str = "",
        text: str | None = None,
        *,
        frames: int = 4000,
        light: bool = False,
        trail: float = 4.0,
        split: bool = False,
    ) -> str:
        """A web page, one file that plays the run in any browser, as ``twosphere run --html`` writes it. The run is repeated up to
        the last row, also where the records were unpickled.

        Args:
            title: Title of the page; by default that of the scenario.
            text: Text below it; by default the description of the scenario.
            frames: Largest number of frames that the page holds, about.
            light: A light page; by default light or dark, as the browser wants.
            trail: Duration of the trail [s], 0 for none.
            split: Each lane has a cell of its own at first.
        """
        return _core.page(self._recording, title, text, frames, light, trail, split)[0].decode()

    def to_html(self, path: str | os.PathLike[str], title: str = "", text: str | None = None, **style: Any) -> None:
        """Writes html() to a file, completely or not at all."""
        _core.write_file(file_name(path, "path"), self.html(title, text, **style).encode())

    def _repr_html_(self) -> str | None:
        """The page in a notebook, where it is not too large; else its picture. None if there are no rows to show. It is made once, and
        again where the run has gone on."""
        if self._shown is None or self._shown[0] != len(self):
            try:
                made = _core.page(self._recording, "", "", 4000, False, 4.0, False)  # without text: it fits
            except Error:
                return None
            self._shown = len(self), self._notebook_text(*made)
        return self._shown[1]

    @staticmethod
    def _notebook_text(page: bytes, picture: bytes) -> str:
        if len(page) <= _largest_shown:
            source = html.escape(page.decode(), quote=True)
            return (
                f'<iframe sandbox="allow-scripts allow-downloads" width="720" height="440" style="border: 0" srcdoc="{source}">'
                "</iframe>"
            )
        still = f'<img width="720" alt="The last picture of the run" src="data:image/png;base64,{b64encode(picture).decode()}">'
        size = f"{1e-6 * len(page):.1f} MB"
        note = f"<p>The page of this run takes {size}, too much for a notebook; to_html(path) writes it to a file.</p>"
        return (still if picture else "") + note

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the time [s] as index, and the units in ``attrs["units"]``."""
        frame = need("pandas", "to_pandas()").DataFrame(self.array).set_index("time")
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """A dataset over the time [s] with units, and with q and omega, (time, body, axis), if they were recorded; then also with
        base_position and base_velocity, (time, axis), of a base that flies. Of several lanes each variable has the dimension
        ``lane`` in front: ``dataset.energy_error.sel(lane="rk4")``."""
        attributes = {"description": self._recording.companion().decode()}
        dataset: xarray.Dataset = need("xarray", "to_xarray()").Dataset(attrs=attributes)
        lanes = self._recording.lanes
        several = len(lanes) > 1

        def add(name: str, dimensions: tuple[str, ...], values: list[npt.NDArray[np.float64]], attrs: dict[str, str]) -> None:
            whole = np.stack(values) if several else values[0]
            dataset[name] = (("lane", *dimensions) if several else dimensions, whole, attrs)

        dataset["time"] = ("time", self["time"], {"units": self.units["time"]})
        if several:
            dataset["lane"] = ("lane", np.array(lanes))
        prefixes = [f"{lane}/" for lane in lanes] if several else [""]
        for column in self.columns[1:]:
            if not column.startswith(prefixes[0]):
                continue
            name = column[len(prefixes[0]) :]
            quantity = quantities.get(name)
            label = {"long_name": quantity.label} if quantity else {}
            add(name, ("time",), [self[prefix + name] for prefix in prefixes], {"units": self.units[column], **label})
        if self._recording.has_states:
            states = [self.states(index) for index in range(len(lanes))]
            for k, (name, unit) in enumerate((("q", "1"), ("omega", "rad/s"))):
                add(name, ("time", "body", "axis"), [pair[k] for pair in states], {"units": unit})
            bases = [base for index in range(len(lanes)) if (base := self.base_of(index))]
            for k, (name, unit) in enumerate((("base_position", "m"), ("base_velocity", "m/s")) if bases else ()):
                add(name, ("time", "axis"), [pair[k] for pair in bases], {"units": unit})
        return dataset

    def plot(self, *columns: str, axes: Any = None, show: bool | None = None) -> Any:
        """Draws columns over time with Matplotlib; by default the energies, and the magnitude of the energy error on a logarithmic
        axis.

        Args:
            columns: Names of columns. Errors are drawn as magnitudes, on a logarithmic axis.
            axes: Matplotlib axes, one for each unit and scale; new ones by default.
            show: Whether the figure is shown in a window that waits until it is closed. By default it is where nothing else would
                show it: in a program or with ``python3 -c``, if Matplotlib has windows there, and if no axes are given.

        Returns:
            The Matplotlib figure.
        """
        pyplot = need("matplotlib.pyplot", "plot()")
        names = list(columns) or [name for name in self.columns if name.rsplit("/", 1)[-1] in _plotted]
        groups: dict[tuple[str, bool], list[str]] = {}
        for name in names:
            self[name]  # an unknown one is an error
            quantity = quantities.get(name.rsplit("/", 1)[-1])
            groups.setdefault((self.units[name], bool(quantity and quantity.error)), []).append(name)
        made = axes is None
        if made:
            _, axes = pyplot.subplots(len(groups), sharex=True, squeeze=False, layout="constrained")
        flat = list(np.ravel(axes))
        if len(flat) != len(groups):
            raise Error("usage", "axes", f"must be {len(groups)} for these columns, not {len(flat)}")
        for ax, ((unit, error), members) in zip(flat, groups.items()):
            for name in members:
                values = np.abs(self[name]) if error else self[name]
                if error:
                    values = np.where(values > 0, values, np.nan)
                ax.plot(self["time"], values, label=f"|{name}|" if error else name)
            if error:
                ax.set_yscale("log")
            ax.set_ylabel(f"[{unit}]")
            ax.legend()
        flat[-1].set_xlabel("time [s]")
        figure = flat[0].figure
        if show is None:
            prompt = hasattr(sys, "ps1") or bool(sys.flags.interactive)
            show = made and not prompt and figure.canvas.required_interactive_framework is not None
        if show:
            pyplot.show()
        return figure

    def __reduce__(self) -> Any:
        return Records, (self._recording,)

    def __repr__(self) -> str:
        if len(self) == 0:
            return "<Records: no rows>"
        times = self["time"]
        return f"<Records: {len(self)} rows, {times[0]:g} s to {times[-1]:g} s: {', '.join(self.columns)}>"


_plotted = ("kinetic_energy", "potential_energy", "total_energy", "energy_error")
_largest_shown = 4_000_000  # bytes of a page in a notebook
