# SPDX-License-Identifier: GPL-3.0-or-later
import subprocess

import twosphere as ts


def test_the_lists_are_those_of_the_program(program, tmp_path):
    for option, catalog in (("--systems", ts.systems), ("--integrators", ts.integrators)):
        out = program("list", option, folder=tmp_path).stdout.decode()
        listed = {line.split()[0]: line.split(maxsplit=1)[1] for line in out.splitlines() if line.strip()}
        assert {key: entry.title for key, entry in catalog.items()} == listed


def test_entries_are_documented():
    for catalog in (ts.systems, ts.integrators):
        for key, entry in catalog.items():
            assert getattr(catalog, key) is entry and key in dir(catalog)
            for text in (entry.title, entry.description, entry.reference):
                assert text and text in entry.__doc__
    assert "gravity [m/s²]: " in ts.systems.chain_pendulum.__doc__
    assert ts.integrators.variational.symplectic and ts.integrators.rk4.order == 4
    assert ts.integrators["rk45"].parameters[0].key == "step"
    masses = next(p for p in ts.systems.n_body.parameters if p.key == "masses")
    assert (masses.unit, masses.shape, masses.required) == ("kg", "per_body", True)
    assert "three_body" in ts.presets and ts.presets.three_body.help.startswith("# ")
    assert ts.quantities.energy_error.unit == "J" and ts.quantities.energy_error.error


def test_importing_needs_neither_pandas_nor_matplotlib_nor_xarray():
    code = "import sys, twosphere; assert not {'pandas', 'matplotlib', 'xarray'} & set(sys.modules)"
    subprocess.run(["/usr/bin/env", __import__("sys").executable, "-c", code], check=True)
