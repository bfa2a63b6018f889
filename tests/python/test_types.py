# SPDX-License-Identifier: GPL-3.0-or-later
"""The annotations: mypy on the package and on what a user writes, and the stubs against the module."""

import os
import pathlib
import subprocess
import sys

import pytest

import twosphere

PACKAGE = pathlib.Path(twosphere.__file__).parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("mypy")
    # Other packages are not its matter, and xarray takes long.
    (made / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n[mypy-xarray.*]\nfollow_imports = skip\n")
    return made


def mypy(folder, module, *words):
    pytest.importorskip("mypy")
    place = str(PACKAGE.parent)
    environment = {**os.environ, "PYTHONPATH": place, "MYPYPATH": place, "MYPY_CACHE_DIR": str(folder / "cache")}
    return subprocess.run(
        [sys.executable, "-m", module, *words], cwd=folder, env=environment, capture_output=True, text=True
    )


def test_the_package_is_typed(folder):
    assert (PACKAGE / "py.typed").exists()
    done = mypy(folder, "mypy", "--strict", "--no-warn-unused-ignores", "-p", "twosphere")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_types_are_what_a_user_sees(folder):
    (folder / "good.py").write_text(
        "import twosphere as ts\n"
        "scenario = ts.Scenario('three_body')\n"
        "scenario['system.masses[1]'] = 2\n"
        "run: ts.Simulation = ts.Simulation(scenario)\n"
        "n: int = run.step(3)\n"
        "x: float = run.q[0, 0] + run.energy\n"
        "title: str = ts.systems['n_body'].title\n"
        "records: ts.Records = run.run(1.0, states=True)\n"
    )
    done = mypy(folder, "mypy", "--strict", "good.py")
    assert done.returncode == 0, done.stdout
    (folder / "bad.py").write_text(
        "import twosphere as ts\n"
        "run = ts.Simulation(3)\n"
        "run.step('x')\n"
        "run.stp()\n"
        "n: int = run.time\n"
    )
    done = mypy(folder, "mypy", "--strict", "bad.py")
    assert [line.split(":")[1] for line in done.stdout.splitlines()[:-1]] == ["2", "3", "4", "5"], done.stdout


def test_the_stubs_are_those_of_the_module(folder):
    # Names of the stubs alone, and what every class of pybind11 has.
    (folder / "allowed").write_text(
        r"twosphere\._core\.(Kind|Array|Scenario|Recording|System|Simulation)" + "\n"
        r"twosphere\._core\.(Recording|System)\.__init__" + "\n"
    )
    done = mypy(folder, "mypy.stubtest", "twosphere._core", "--ignore-missing-stub", "--allowlist", "allowed", "--mypy-config-file", "mypy.ini")
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_name_is_documented():
    for name in twosphere.__all__:
        value = getattr(twosphere, name)
        if callable(value):
            assert value.__doc__, name
            for member in (m for m in vars(value) if not m.startswith("_")) if isinstance(value, type) else ():
                described = getattr(value, member)
                if callable(described) or isinstance(described, property):
                    assert described.__doc__, f"{name}.{member}"
