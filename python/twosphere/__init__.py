# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanics on products of two-spheres: scenarios, runs, sweeps and order studies.

    import twosphere
    twosphere.run("double_spherical_pendulum").plot()

Quantities are in SI units. Arrays of vectors are (n, 3), a row for each body: directions q, |q| = 1, and angular velocities omega
[rad/s]. See docs/python.md.
"""

from ._catalog import Integrator, Parameter, Preset, Quantity, System, integrators, presets, quantities, systems
from ._core import isa_level, revision, set_threads, threads
from ._core import version as __version__
from ._errors import Error, RunWarning
from ._image import Image
from ._orbits import Orbit, family, orbit
from ._own import add_integrator, add_system
from ._records import Records
from ._scenario import Scenario
from ._simulation import Simulation, run
from ._studies import collect_sweep, equilibria, modes, open_sweep, relative_equilibria, run_sweep, study, study_cloud, study_section, sweep

__all__ = [
    "Error",
    "Image",
    "Integrator",
    "Orbit",
    "Parameter",
    "Preset",
    "Quantity",
    "Records",
    "RunWarning",
    "Scenario",
    "Simulation",
    "System",
    "__version__",
    "add_integrator",
    "add_system",
    "collect_sweep",
    "equilibria",
    "family",
    "integrators",
    "isa_level",
    "modes",
    "open_sweep",
    "orbit",
    "presets",
    "quantities",
    "relative_equilibria",
    "revision",
    "run",
    "run_sweep",
    "set_threads",
    "study",
    "study_cloud",
    "study_section",
    "sweep",
    "systems",
    "threads",
]
