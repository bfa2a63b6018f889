# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogue: systems, integrators, presets and quantities as objects."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import Any, Callable, Generic, Iterator, Mapping, TypeVar

from . import _core


@dataclass(frozen=True)
class Parameter:
    """A parameter of a system or an integrator."""

    key: str
    symbol: str
    label: str
    unit: str
    help: str
    shape: str  #: "scalar", "vector", "list", "per_body", "choice", "count", "points", "lattice", "springs", "sites", "pairs", "per_pair", "waypoints" or "form"
    required: bool
    optional: bool
    choices: list[str]
    default: float | list[float] | None  #: None if it must be given, or need not have a value
    live: bool  #: whether it can change during a run

    def __str__(self) -> str:
        unit = "" if self.unit in ("", "1") else f" [{self.unit}]"
        return f"{self.key}{unit}: {self.help}"


@dataclass(frozen=True)
class Entry:
    """What systems and integrators of the catalogue have in common."""

    key: str
    title: str
    description: str
    equations: str
    reference: str
    parameters: list[Parameter]
    __doc__: str = field(default="", repr=False, compare=False)

    def __str__(self) -> str:
        return self.__doc__


@dataclass(frozen=True)
class System(Entry):
    """A kind of system."""


@dataclass(frozen=True)
class Integrator(Entry):
    """An integrator."""

    order: int = 0
    explicit: bool = False
    adaptive: bool = False  #: takes inner steps of its own
    symplectic: bool = False
    reversible: bool = False
    keeps_sphere: bool = False  #: ``|q| = 1`` to rounding
    needs: str = ""  #: which inertia, in words; "" for any


@dataclass(frozen=True)
class Preset:
    """A scenario that ships with the program."""

    key: str
    text: str  #: of the file
    help: str  #: a page in Markdown; "" if there is none
    __doc__: str = field(default="", repr=False, compare=False)

    def __str__(self) -> str:
        return self.__doc__


@dataclass(frozen=True)
class Quantity:
    """A quantity that is sampled: a column of records."""

    key: str
    label: str
    symbol: str
    unit: str
    help: str
    error: bool  #: an error, of which the magnitude counts
    __doc__: str = field(default="", repr=False, compare=False)


T = TypeVar("T")


class Catalog(Mapping[str, T], Generic[T]):
    """Entries by their keys, which are attributes as well."""

    def __init__(self, entries: Mapping[str, T], doc: str) -> None:
        self._entries = dict(entries)
        self.__doc__ = doc

    def __getitem__(self, key: str) -> T:
        return self._entries[key]

    def __getattr__(self, key: str) -> T:
        if key.startswith("_") or key not in self._entries:
            raise AttributeError(key)
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self._entries if key.isidentifier())]

    def __repr__(self) -> str:
        return f"<{len(self)} entries: {', '.join(self)}>"


def _doc(record: dict[str, Any], parameters: list[Parameter]) -> str:
    parts = [record["title"], record["description"], record["equations"]]
    if parameters:
        parts.append("Parameters:\n" + "\n".join(f"  {p}" for p in parameters))
    if record.get("needs"):
        parts.append(f"Needs {record['needs']}.")
    parts.append(record["reference"])
    return "\n\n".join(textwrap.dedent(part) for part in parts if part)


def _entries(records: list[dict[str, Any]], kind: Callable[..., T], doc: str) -> Catalog[T]:
    made = {}
    for record in records:
        parameters = [Parameter(**p) for p in record["parameters"]]
        made[record["key"]] = kind(**{**record, "parameters": parameters}, __doc__=_doc(record, parameters))
    return Catalog(made, doc)


systems: Catalog[System] = _entries(_core.systems(), System, "The systems of the catalogue.")
integrators: Catalog[Integrator] = _entries(_core.integrators(), Integrator, "The integrators of the catalogue.")
presets: Catalog[Preset] = Catalog(
    {p["key"]: Preset(**p, __doc__=p["help"] or p["key"]) for p in _core.presets()},
    "The scenarios that ship with the program.",
)
quantities: Catalog[Quantity] = Catalog(
    {q["key"]: Quantity(**q, __doc__=f"{q['label']} [{q['unit']}]: {q['help']}") for q in _core.quantities()},
    "The sampled quantities.",
)
