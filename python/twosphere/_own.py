# SPDX-License-Identifier: GPL-3.0-or-later
"""Potentials and integrators written in Python."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Iterable, Mapping, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import Error

Array = npt.NDArray[np.float64]
Number = Union[float, Sequence[float], Array]

#: Keys of a lane in a scenario or a saved state.
_lane_keys = ("type", "step", "name", "initial", "time_origin", "step_index", "energy_reference", "work", "integrator_state")


def _checked(parameters: Mapping[str, Number] | None, taken: Iterable[str]) -> dict[str, Number]:
    """The parameters, if they can be keyword arguments and keys of a scenario beside those that are taken."""
    for name in parameters or {}:
        if not (isinstance(name, str) and name.isascii() and name.isidentifier()):
            raise Error("usage", "parameters", f"a name has letters, digits and _, and begins with no digit, not {name!r}")
        if name in taken:
            raise Error("usage", "parameters", f"{name!r} is a key of every scenario; choose another name")
    return dict(parameters or {})


def _check_call(what: str, function: Any, arguments: Sequence[str], parameters: Mapping[str, Number]) -> None:
    """Fails unless a function can be called with these arguments and the parameters by name."""
    if not callable(function):
        raise Error("usage", what, f"must be a function, not {function!r}")
    try:
        signature = inspect.signature(function)
    except ValueError:  # one of a C library that does not say
        return
    try:
        signature.bind(*arguments, **parameters)
    except TypeError as error:
        call = f"{what}({', '.join([*arguments, *(f'{name}=...' for name in parameters)])})"
        raise Error("usage", what, f"cannot be called as {call}: {error}") from None


def add_system(
    name: str,
    potential: Callable[..., float],
    gradient: Callable[..., npt.ArrayLike],
    *,
    inertia: Union[Number, Sequence[Sequence[float]], Callable[..., npt.ArrayLike]] = 1.0,
    parameters: Mapping[str, Number] | None = None,
    hessian_times: Callable[..., npt.ArrayLike] | None = None,
    force: Callable[..., npt.ArrayLike] | None = None,
    title: str = "",
    description: str = "",
    equations: str = "",
    reference: str = "",
) -> None:
    """Makes a system of bodies on spheres whose potential is a Python function. Scenarios of this process then have it as
    ``{"system": {"type": name, ...}}``, with every integrator that suits its inertia.

    Each evaluation calls Python, which takes microseconds where a built-in system takes nanoseconds: an expression of the type
    ``custom`` is compiled, and should be preferred where it can be written.

    Functions get q, (n, 3), read-only, and the parameters as keyword arguments. They must depend on their arguments alone. What
    they raise ends the run, and is raised by it.

    Args:
        name: The key, made of letters, digits and _; of several of one name the last counts, runs that have begun keep theirs.
        potential: V(q) [J].
        gradient: ∂V/∂q_i in R³ [J], (n, 3). At every start it is compared with differences of the potential.
        inertia: M [kg m²]: a number for all bodies, (n,), a symmetric positive definite (n, n), or a function of n and the
            parameters that returns one of these.
        parameters: Their defaults: numbers, or lists of numbers. In a scenario they are "system.NAME".
        hessian_times: Σ_j ∂²V/∂q_i∂q_j v_j [J], (n, 3), a function of q and v, for Lyapunov exponents; by default central
            differences of the gradient, to about ten digits.
        force: External force f_i on q_i [N m], (n, 3), a function of t and q.
        title, description, equations, reference: Its documentation.

    Raises:
        Error: The name is that of a built-in system, or a function cannot be called with the parameters.
    """
    checked = _checked(parameters, ["type"])
    _check_call("potential", potential, ["q"], checked)
    _check_call("gradient", gradient, ["q"], checked)
    if callable(inertia):
        _check_call("inertia", inertia, ["n"], checked)
    if hessian_times is not None:
        _check_call("hessian_times", hessian_times, ["q", "v"], checked)
    if force is not None:
        _check_call("force", force, ["t", "q"], checked)
    _core.add_system(
        name,
        potential,
        gradient,
        inertia,
        hessian_times,
        force,
        checked,
        title,
        description,
        equations,
        reference,
    )


def add_integrator(
    name: str,
    step: Callable[..., Any],
    *,
    order: int = 1,
    explicit: bool = True,
    symplectic: bool = False,
    reversible: bool = False,
    keeps_sphere: bool = False,
    parameters: Mapping[str, Number] | None = None,
    title: str = "",
    description: str = "",
    formula: str = "",
    reference: str = "",
) -> None:
    """Makes an integrator of a Python function. Scenarios of this process then have it as ``{"integrator": {"type": name, ...}}``.

    Args:
        name: The key, made of letters, digits and _; of several of one name the last counts, runs that have begun keep theirs.
        step: ``step(system, t, h, q, omega, **parameters)`` returns ``(q, omega)`` at t + h, or ``(q, omega, work)`` with the work
            of external forces [J]. q and omega are (n, 3), read-only. ``system`` can be used during the call: system.gradient(q),
            system.acceleration(t, q, omega) and others. A step may only depend on its arguments.
        order, explicit, symplectic, reversible: Its properties, for documentation.
        keeps_sphere: Whether ``|q| = 1`` is kept to rounding; a step that leaves the sphere by more than 1e-9 is then an error.
        parameters: Their defaults: numbers, or lists of numbers. In a scenario they are "integrator.NAME".
        title, description, formula, reference: Its documentation.

    Raises:
        Error: The name is that of a built-in integrator, or the step cannot be called with the parameters.
    """
    checked = _checked(parameters, _lane_keys)
    _check_call("step", step, ["system", "t", "h", "q", "omega"], checked)
    _core.add_integrator(
        name,
        step,
        order,
        explicit,
        symplectic,
        reversible,
        keeps_sphere,
        title,
        description,
        formula,
        reference,
        checked,
    )
