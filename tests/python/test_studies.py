# SPDX-License-Identifier: GPL-3.0-or-later
import contextlib
import csv
import io
import os
import signal
import threading
import zlib

import numpy as np
import pytest

import twosphere as ts

PENDULUM = "double_spherical_pendulum"
AXES = {"system.gravity": "1:20:4", "initial.omega[1][1]": [-1.0, 0.0, 1.0]}
MEASURES = ["energy_error.max", "megno", "total_energy.last"]


def test_a_sweep_gives_the_files_of_the_program(program, tmp_path):
    scenario = ts.Scenario(PENDULUM).changed(duration=1)
    dataset = ts.sweep(scenario, AXES, MEASURES, folder=tmp_path / "module", jobs=2)
    words = "sweep new program --preset double_spherical_pendulum --duration 1 --axis system.gravity=1:20:4"
    more = ["--axis", "initial.omega[1][1]=-1,0,1", *(w for m in MEASURES for w in ("--measure", m))]
    for done in (
        program(*words.split(), *more, folder=tmp_path),
        program("sweep", "run", "program", "--jobs", 2, folder=tmp_path),
        program("sweep", "collect", "program", "program.csv", folder=tmp_path),
    ):
        assert done.returncode == 0, done.err
    assert (tmp_path / "module/sweep.json").read_bytes() == (tmp_path / "program/sweep.json").read_bytes()
    ts.collect_sweep(tmp_path / "module", tmp_path / "module.csv")
    assert (tmp_path / "module.csv").read_bytes() == (tmp_path / "program.csv").read_bytes()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        ts.collect_sweep(tmp_path / "module", "-")
    assert printed.getvalue().encode() == (tmp_path / "module.csv").read_bytes()
    with pytest.raises(ts.Error, match="file: .* must end in .csv, .nc or .zarr") as caught:
        ts.collect_sweep(tmp_path / "module", tmp_path / "module.txt")
    assert caught.value.location == "file"

    assert dataset.megno.dims == ("system_gravity", "initial_omega_1_1") and dataset.megno.shape == (4, 3)
    assert dataset.energy_error_max.attrs["units"] == "J" and dataset.system_gravity.attrs["units"] == "m/s²"
    assert (dataset.status == "done").all()
    rows = list(csv.DictReader(open(tmp_path / "module.csv", newline="")))
    assert [float(row["megno [1]"]) for row in rows] == dataset.megno.values.ravel().tolist()

    pytest.importorskip("netCDF4")
    import xarray

    ts.collect_sweep(tmp_path / "module", tmp_path / "module.nc")
    with xarray.open_dataset(tmp_path / "module.nc") as read:
        for name in ("energy_error_max", "megno", "total_energy_last", "system_gravity", "initial_omega_1_1"):
            assert np.array_equal(read[name], dataset[name]) and read[name].dims == dataset[name].dims
            assert read[name].attrs["units"] == dataset[name].attrs["units"]


def test_a_sweep_has_the_options_of_the_program(program, tmp_path):
    done = program(
        *"sweep new program --preset double_spherical_pendulum --duration 4 --every 5 --same-energy --signal q[1].e1".split(),
        *"--signal q[1].e2 --axis initial.omega[1][1]=-1,1 --measure frequency --measure diffusion".split(),
        folder=tmp_path,
    )
    assert done.returncode == 0, done.err
    options = {"same_energy": True, "signal": ("q[1].e1", "q[1].e2"), "every": 5}
    scenario, axes = ts.Scenario(PENDULUM).changed(duration=4), {"initial.omega[1][1]": [-1.0, 1.0]}
    dataset = ts.sweep(scenario, axes, ["frequency", "diffusion"], folder=tmp_path / "module", jobs=2, **options)
    assert (tmp_path / "module/sweep.json").read_bytes() == (tmp_path / "program/sweep.json").read_bytes()
    assert (dataset.status == "done").all()
    with pytest.raises(ts.Error, match="signal: must be an expression, or the real and the imaginary part, not"):
        ts.sweep(scenario, axes, ["frequency"], signal=("a", "b", "c"))


def test_basins_and_orbits_of_a_sweep(program, tmp_path):
    magnets = ts.Scenario("custom/magnetic_pendulum").changed({"system.c": 0.5}, duration=40, step=0.01)
    axes = {"initial.angles[0][0]": "0.3:0.5:9", "initial.angles[0][1]": "0:3:9"}
    basins = ts.sweep(magnets, axes, ["basin"], folder=tmp_path / "basins", jobs=2)
    assert set(np.unique(basins.basin)) <= {-1, 0, 1, 2, 3}
    assert (tmp_path / "basins/equilibria.csv").read_text().startswith("equilibrium [1],potential_energy [J],")
    assert basins.attrs["uncertain_fraction"].startswith("uncertain fraction")
    with pytest.raises(ts.Error, match="needs damping"):
        ts.sweep(magnets.changed({"system.c": 0.0}), axes, ["basin"])

    plan = "--preset custom/pendulum --set initial.angles=[[1,0]] --set initial.rates=[[0,0]] --axis system.g=9,9.81"
    done = program(*f"sweep new program {plan} --measure orbit.period --from start --period 2.1".split(), folder=tmp_path)
    assert done.returncode == 0, done.err
    pendulum = ts.Scenario("custom/pendulum").changed({"initial.angles": [[1, 0]], "initial.rates": [[0, 0]]})
    orbit = {"from": "start", "period": 2.1}
    found = ts.sweep(pendulum, {"system.g": [9.0, 9.81]}, ["orbit.period"], folder=tmp_path / "module", orbit=orbit)
    assert (tmp_path / "module/sweep.json").read_bytes() == (tmp_path / "program/sweep.json").read_bytes()
    ratio = float(found.orbit_period[0] / found.orbit_period[1])
    assert ratio == pytest.approx((9.81 / 9) ** 0.5, rel=1e-9)
    with pytest.raises(ts.Error, match="mode:K, start, return or rest"):
        ts.sweep(pendulum, {"system.g": [9.0, 9.81]}, ["orbit.period"], orbit={"from": "there"})


def test_a_cell_of_a_sweep_is_its_own_run():
    dataset = ts.sweep(PENDULUM, {"system.gravity": np.linspace(2, 4, 3), "duration": [1.0]}, ["total_energy.last"], jobs=2)
    run = ts.Simulation(ts.Scenario(PENDULUM).changed({"system.gravity": 3}, duration=1))
    run.run()
    assert dataset.total_energy_last.sel(system_gravity=3, duration=1) == run.energy


def test_plots_of_a_custom_system_are_measures():
    measures = [f"plots.height of the last mass.{over}" for over in ("min", "max", "last")]
    dataset = ts.sweep(ts.Scenario("custom/double_pendulum").changed(duration=1), {"system.g": [1.0, 20.0]}, measures, jobs=2)
    low, high, last = (dataset[f"plots_height_of_the_last_mass_{over}"] for over in ("min", "max", "last"))
    assert high.attrs == {"units": "m", "long_name": measures[1]}
    assert (low <= last).all() and (last <= high).all() and (low < high).all()
    run = ts.Simulation(ts.Scenario("custom/double_pendulum").changed({"system.g": 20}, duration=1))
    run.run()
    assert np.isclose(last.sel(system_g=20), -9.81 * run.q[:, 2].sum(), rtol=1e-14, atol=0)


def test_plots_of_the_scenario_are_measures():
    plots = {"depth": {"expression": "-lengths[0]*e3.q[0]", "unit": "cm"}, "depth of 1": "-lengths[0]*e3.q[0]"}
    scenario = ts.Scenario({**ts.Scenario(PENDULUM).to_dict(), "plots": plots}).changed(duration=1)
    dataset = ts.sweep(scenario, {"system.gravity": [1.0, 20.0]}, ["plots.depth.last", "plots.depth of 1.last"], jobs=2)
    run = ts.Simulation(scenario.changed({"system.gravity": 20}))
    run.run()
    for name, unit, factor in (("plots_depth_last", "cm", 100), ("plots_depth_of_1_last", "m", 1)):
        assert dataset[name].attrs["units"] == unit
        depth = -factor * scenario.to_dict()["system"]["lengths"][0] * run.q[0, 2]
        assert np.isclose(dataset[name].sel(system_gravity=20), depth, rtol=1e-14, atol=0)


def test_a_part_runs_tasks_again_that_crashed(tmp_path):
    ts.sweep(ts.Scenario(PENDULUM).changed(duration=1), {"system.gravity": [1.0, 2.0]}, ["t_stop"], folder=tmp_path, jobs=1)
    rows = tmp_path / "rows/1-of-1.csv"
    crashed = "1,crashed,"
    kept = [line for line in rows.read_text().splitlines() if not line.startswith("1,")]
    rows.write_text("\n".join([*kept, f"{crashed},{zlib.crc32(crashed.encode()):08x}", ""]))
    assert ts.run_sweep(tmp_path) and ts.open_sweep(tmp_path).status.values.tolist() == ["done", "crashed"]
    assert ts.run_sweep(tmp_path, retry=True) and (ts.open_sweep(tmp_path).status == "done").all()


def test_words_members_and_failures():
    dataset = ts.sweep(
        ts.Scenario(PENDULUM).changed(duration=1),
        {"integrator.type": ["variational", "rk4"], "integrator.step": [0.01, 0.5]},
        ["energy_error.max"],
        members=2,
        spread=1e-6,
        jobs=2,
    )
    assert dataset.energy_error_max.dims == ("integrator_type", "integrator_step", "member")
    assert dataset.integrator_type.values.tolist() == ["variational", "rk4"]
    refused = dataset.status.sel(integrator_type="variational", integrator_step=0.5)
    assert (refused == "refused").all()
    pair = dataset.energy_error_max.sel(integrator_type="rk4", integrator_step=0.01).values
    assert pair[0] != pair[1] and np.isclose(pair[0], pair[1], rtol=0.1)


@pytest.mark.parametrize(
    "options, text",
    [
        ({"measures": []}, "measure: is missing; give one or more"),
        ({"measures": ["megna"]}, "did you mean megno?"),
        ({"measures": ["megno", "megno"]}, "measure: megno is given twice"),
        ({"axes": {}}, "axis: is missing"),
        ({"axes": {"system.gravitas": [1, 2]}}, "system.gravitas"),
        ({"axes": {"system.gravity": []}}, "there is no value"),
        ({"axes": {"system.gravity": [1, "x"]}}, "all numbers or all words"),
        ({"members": 0}, "members: must be a whole number from 1 to 1000000, not 0"),
        ({"members": 2.5}, "members: must be a whole number from 1 to 1000000, not 2.5"),
        ({"seed": -1}, "seed: must be a whole number from 0 to 2^53 - 1, not -1"),
        ({"seed": 10**20}, "seed: must be a whole number from 0 to 2^53 - 1, not 1000"),
        ({"spread": "x"}, "spread: must be a finite number, not 'x'"),
        ({"jobs": 0}, "jobs: must be a whole number from 1 to 1024, not 0"),
        ({"members": 3}, "spread: is missing"),
        ({"members": 3, "spread": 0.5}, "spread: must be above 0 and at most 0.1"),
    ],
)
def test_errors_of_sweeps_name_the_option(options, text):
    with pytest.raises(ts.Error) as caught:
        ts.sweep(PENDULUM, **{"axes": {"system.gravity": [1.0, 2.0]}, "measures": ["megno"], **options})
    assert text in str(caught.value)


def test_ctrl_c_stops_a_sweep_which_goes_on_later(tmp_path):
    scenario = ts.Scenario(PENDULUM).changed(duration=200)
    axes = {"system.gravity": np.linspace(1, 20, 40)}
    seen = []

    def stop(done, of, failed):
        seen.append((done, of, failed))
        if done >= 1 and len(seen) > 1:
            os.kill(os.getpid(), signal.SIGINT)

    folder = tmp_path / "sweep"
    with pytest.raises(KeyboardInterrupt):
        ts.sweep(scenario, axes, ["megno"], folder=folder, jobs=2, progress=stop)
    assert seen[-1][0] >= 1 and seen[-1][1:] == (40, 0)
    assert 0 < (ts.open_sweep(folder).status == "done").sum() < 40
    done = ts.sweep(scenario, axes, ["megno"], folder=folder, jobs=2)
    whole = ts.sweep(scenario, axes, ["megno"], jobs=2)
    assert (done.status == "done").all() and done.megno.equals(whole.megno)
    assert done.attrs == whole.attrs
    with pytest.raises(ts.Error, match="is there already; choose another folder"):
        ts.sweep(scenario, axes, ["fli"], folder=folder)


def test_parts_of_a_sweep(tmp_path):
    from twosphere import _core

    scenario = ts.Scenario(PENDULUM).changed(duration=1)
    _core.new_sweep(str(tmp_path / "s"), scenario, {"system.gravity": "1:9:5"}, ["cost"], 1, 0.0, 1, False)
    assert ts.run_sweep(tmp_path / "s", part=(2, 2))
    assert ts.open_sweep(tmp_path / "s").status.values.tolist() == ["missing", "done", "missing", "done", "missing"]
    assert ts.run_sweep(tmp_path / "s", part=(1, 2))
    assert (ts.open_sweep(tmp_path / "s").cost == 100).all()


def test_an_order_study_is_that_of_the_program(program, tmp_path):
    steps = [0.04, 0.02, 0.01]
    dataset = ts.study(
        PENDULUM, integrators=["variational", "rk4", "rk45"], steps=steps, tolerances=[1e-4, 1e-6], duration=0.4,
        csv_file=tmp_path / "module.csv",
    )
    words = "study order --preset double_spherical_pendulum --integrators variational,rk4,rk45 --steps 0.04,0.02,0.01"
    more = "--tolerances 1e-4,1e-6 --duration 0.4 --csv program.csv"
    done = program(*words.split(), *more.split(), folder=tmp_path)
    assert done.returncode == 0, done.err

    def rows(name):
        table = list(csv.DictReader(open(tmp_path / name, newline="")))
        for row in table:
            row.pop("processor_time [s]")
        return table

    assert rows("module.csv") == rows("program.csv")
    assert dataset.error.values.tolist() == [float(row["error [1]"]) for row in rows("module.csv")]
    assert dataset.order.sel(name="rk4") == pytest.approx(4, abs=0.3)
    assert f"order {float(dataset.order.sel(name='variational')):.2f}" in done.stdout.decode()
    assert f"order {float(dataset.order.sel(name='variational')):.2f}" in dataset.attrs["text"]
    with pytest.raises(ts.Error, match="steps"):
        ts.study(PENDULUM, integrators=["rk4"], steps=[0.03], duration=0.4)
    with pytest.raises(ts.Error, match="integrator.type"):
        ts.study(PENDULUM, integrators=["rk5"])


SECTION = "--section q[0].e2 --axis initial.omega[1][1]=-1:1:3 --same-energy --duration 20 --points program.csv"


def test_a_section_is_that_of_the_program(program, tmp_path):
    axes = {"initial.omega[1][1]": "-1:1:3"}
    points = ts.study_section(
        PENDULUM, axes, section="q[0].e2", same_energy=True, duration=20, points_file=tmp_path / "module.csv", threads=2
    )
    done = program("study", "section", "--preset", PENDULUM, *SECTION.split(), folder=tmp_path)
    assert done.returncode == 0, done.err
    for end in (".csv", ".csv.json"):
        assert (tmp_path / f"module{end}").read_bytes() == (tmp_path / f"program{end}").read_bytes()
    assert points.initial_omega_1_1.values.tolist() == [-1, 0, 1] and (points.status == "done").all()
    assert points.sizes["point"] > 10 and set(points.start.values) == {0, 1, 2}
    assert points.time.attrs["units"] == "s"

    # Without axes it is the orbit of the scenario; a period in place of an expression.
    one = ts.study_section(PENDULUM, stroboscopic=0.5, duration=5)
    assert one.sizes["orbit"] == 1 and np.allclose(np.diff(one.time), 0.5)
    scenario = ts.Scenario(PENDULUM).changed({"section": {"expression": "q[0].e2", "coordinates": {"x": "q[1].e1"}}})
    both = ts.study_section(scenario, section="q[0].e1", duration=20, members=3, spread=1e-3)
    assert "x" in both and both.member.values.tolist() == [0, 1, 2]
    both.to_netcdf(tmp_path / "both.nc")
    for options, text in (
        ({}, "section: is missing"),
        ({"section": "q[0].e2", "stroboscopic": 1}, "stroboscopic: cannot be combined with section"),
        ({"section": "q[7].e2"}, "section"),
        ({"section": "q[0].e2", "members": 2.5}, "members: must be a whole number from 1 to 1000000, not 2.5"),
    ):
        with pytest.raises(ts.Error) as caught:
            ts.study_section(PENDULUM, **options)
        assert text in str(caught.value)


def test_a_cloud_is_that_of_the_program(program, tmp_path):
    cloud = ts.study_cloud(PENDULUM, members=16, spread=1e-8, duration=10, every=20, csv_file=tmp_path / "module.csv")
    words = "--members 16 --spread 1e-8 --duration 10 --every 20 --csv program.csv"
    done = program("study", "cloud", "--preset", PENDULUM, *words.split(), folder=tmp_path)
    assert done.returncode == 0, done.err
    for end in (".csv", ".csv.json"):
        assert (tmp_path / f"module{end}").read_bytes() == (tmp_path / f"program{end}").read_bytes()
    said = dict(line.split(": ") for line in done.stdout.decode().splitlines())
    assert float(said["rate"]) == cloud.rate and float(said["last median distance"]) == cloud.distance_median[-1]
    assert cloud.distance_median.dims == ("time",) and cloud.sizes["time"] == 51
    for options, text in (
        ({"members": 5000}, "members: must be a whole number from 1 to 4096, not 5000"),
        ({"spread": 0}, "spread: must be above 0"),
        ({"csv_file": 3, "duration": 0.1}, "csv_file: must be the path of a file, not 3"),
    ):
        with pytest.raises(ts.Error) as caught:
            ts.study_cloud(PENDULUM, **options)
        assert text in str(caught.value)


def test_ctrl_c_ends_sections_and_clouds():
    for go in (
        lambda: ts.study_section(PENDULUM, section="q[0].e2", duration=1e5),
        lambda: ts.study_cloud(PENDULUM, duration=1e5),
    ):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            go()


def test_ctrl_c_ends_the_search_for_equilibria_of_a_sweep(tmp_path):
    rod = ts.Scenario("elastic_rod").changed(
        {
            "system.elements": 100,
            "system.stiffness": 1000.0,
            "system.damping": 1.0,
            "initial.q": [[1, 0, 0]] * 100,
            "initial.omega": [[0, 0, 0]] * 100,
        }
    )
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        ts.sweep(rod, {"duration": [1.0, 2.0]}, ["basin"], folder=tmp_path / "sweep")
    assert not (tmp_path / "sweep/sweep.json").exists()


def test_ctrl_c_ends_a_study():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        ts.study(PENDULUM, integrators=["rk4"], steps=[1e-5], duration=100)


def test_equilibria_and_modes_are_those_of_the_program(program, tmp_path):
    rests = ts.equilibria(PENDULUM, csv_file=tmp_path / "rest.csv", threads=1)
    assert rests["index"].values.tolist() == [0, 2, 2, 4] and rests.kind.values[0] == "minimum"
    assert rests.q.dims == ("equilibrium", "body", "axis") and rests.potential_energy.attrs["units"] == "J"
    done = program(*"orbits equilibria --preset double_spherical_pendulum --csv program.csv".split(), folder=tmp_path)
    assert done.returncode == 0, done.err
    assert (tmp_path / "rest.csv").read_bytes() == (tmp_path / "program.csv").read_bytes()

    modes = ts.modes(PENDULUM, at=0, csv_file=tmp_path / "modes.csv")
    np.testing.assert_allclose(modes.square, [2 - 2**0.5, 2 - 2**0.5, 2 + 2**0.5, 2 + 2**0.5], rtol=1e-12)
    assert modes.delta_q.shape == (4, 2, 3) and "quality" not in modes and modes.attrs["kind"] == "minimum"
    done = program(*"modes --preset double_spherical_pendulum --at 0 --csv program.csv".split(), folder=tmp_path)
    assert done.returncode == 0, done.err
    assert (tmp_path / "modes.csv").read_bytes() == (tmp_path / "program.csv").read_bytes()

    damped = ts.modes(ts.Scenario(PENDULUM).changed({"system.damping": 20}), at=0)
    assert (damped.growth < 0).all() and (damped.quality > 1).all() and damped.imaginary_delta_q.shape == (4, 2, 3)

    spins = ts.Scenario(
        {
            "twosphere": 1,
            "system": {"type": "spins", "strength": 2, "lattice": {"type": "chain", "size": [1]}, "field": [0, 0, 3]},
            "initial": {"q": [[0, 0, 1]]},
            "integrator": {"type": "spherical_midpoint", "step": 0.01},
            "duration": 1,
        }
    )
    precession = ts.modes(spins, at="start")
    assert precession.energy_sign.values.tolist() == [1] and "quality" not in precession
    assert precession.frequency.values[0] == pytest.approx(1.5 / (2 * np.pi), rel=1e-12)

    tether = ts.modes("tether_satellite")
    librations = 2 * np.pi * tether.frequency.values[:2] / 0.0011
    np.testing.assert_allclose(librations, [3**0.5, 2], rtol=1e-9)
    assert (tether.energy_sign == 1).all() and tether.attrs["kind"] == "minimum"


def test_relative_equilibria_are_those_of_the_program(program, tmp_path):
    turning = ts.relative_equilibria(PENDULUM, rate=1.0, csv_file=tmp_path / "module.csv")
    words = "orbits relative --preset double_spherical_pendulum --rate 1 --csv program.csv"
    done = program(*words.split(), folder=tmp_path)
    assert done.returncode == 0, done.err
    for end in (".csv", ".csv.json"):
        assert (tmp_path / f"module{end}").read_bytes() == (tmp_path / f"program{end}").read_bytes()
    lowest = turning.sel(relative_equilibrium=abs(turning.momentum - 307.840325803185).argmin())
    assert float(lowest.energy) == pytest.approx(-20.4759033013357, abs=1e-9)
    assert str(lowest.stability.values) == "stable" and int(lowest["index"]) == 0
    np.testing.assert_allclose(lowest.eigenvalues.imag, [1.430438952834, 1.779262665619, 2.925884844102], rtol=1e-10)

    curves = ts.relative_equilibria(PENDULUM, momentum=np.linspace(200, 300, 5), tries=50)
    assert set(curves.momentum.values[~curves.turn.values].round(6)) <= {200, 225, 250, 275, 300}
    for options, text in (
        ({"axis": "e1", "rate": 1}, "does not conserve the momentum about e1"),
        ({"axis": "z", "rate": 1}, "axis: must be e1, e2, e3 or J"),
        ({"rate": 1, "momentum": 2}, "rate: cannot be combined with momentum"),
    ):
        with pytest.raises(ts.Error, match=text):
            ts.relative_equilibria(PENDULUM, **options)


def test_equal_bodies_count_once():
    every = ts.relative_equilibria("three_body", rate=2.0, tries=20, threads=1)
    merged = ts.relative_equilibria("three_body", rate=2.0, tries=20, threads=1, merge_equal=True)
    assert merged.sizes["relative_equilibrium"] < every.sizes["relative_equilibrium"]
    assert set(np.round(merged.energy.values, 8)) <= set(np.round(every.energy.values, 8))
    assert list(ts.equilibria(PENDULUM, merge_equal=True).number.values) == [0, 1, 2, 3]


def test_modes_where_there_is_no_equilibrium():
    with pytest.raises(ts.Error, match="the start is no equilibrium") as raised:
        ts.modes(PENDULUM, at="start")
    assert raised.value.kind == "check"
    with pytest.raises(ts.Error, match="at: must be start, nearest"):
        ts.modes(PENDULUM, at="here")
    with pytest.raises(ts.Error, match="tries"):
        ts.equilibria(PENDULUM, tries=-1)
    with pytest.raises(ts.Error, match="642 bodies"):
        ts.equilibria("lennard_jones")


def test_orbits_and_their_families(tmp_path):
    slow = ts.orbit(PENDULUM, "mode:0", energy="rest+100", threads=1)
    assert abs(slow.data["energy_above_rest"] - 100) < 1e-9 and slow.data["kind"] == "linearly stable"
    assert len(slow.data["multipliers"]) == 4 and slow.notes == []
    slow.scenario.save(tmp_path / "slow.json")
    family = ts.family(ts.Scenario(tmp_path / "slow.json"), "energy", "rest+110", csv_file=tmp_path / "orbits.csv")
    assert family.attrs["reached"] and not family.attrs["closed"] and family.attrs["bifurcations"] == []
    assert (np.diff(family.energy) > 0).all() and family.q.dims == ("member", "body", "axis")
    assert abs(family.period.values[0] - slow.data["period"]) < 1e-9 and (tmp_path / "orbits.csv.json").exists()
    heavier = ts.family(slow, over="system.masses[1]", to=1.05)
    assert heavier.attrs["reached"] and heavier["system.masses[1]"].values[-1] == 1.05
    assert np.abs(heavier.energy - slow.data["energy"]).max() < 1e-9 * abs(slow.data["energy"])


def test_a_family_that_branches_off():
    slow = ts.orbit(PENDULUM, "mode:0", energy="rest+180", threads=1)
    branch = ts.family(slow, over="energy", to="rest+184", bifurcate=+1, count=4)
    origin = branch.attrs["origin"]
    assert origin["kind"] == "branching" and abs(origin["energy_above_rest"] - 182.526070329) < 1e-6
    assert 2 <= branch.sizes["member"] <= 4 and np.abs(branch.rotation.values).min() > 1e-6
    assert branch.attrs == ts.family(slow, over="energy", to="rest+184", bifurcate="+1", count=4).attrs
    with pytest.raises(ts.Error, match="bifurcate: must be"):
        ts.family(slow, over="energy", to="rest+184", bifurcate=2)
    with pytest.raises(ts.Error, match="no doubling before it ends"):
        ts.family(slow, over="energy", to="rest+184", bifurcate=-1)


def test_orbits_of_first_order():
    leap = ts.orbit("vortex_leapfrog", "return", relative="e3")
    assert abs(leap.data["period"] - 0.12722481086) < 1e-9 and leap.data["kind"] == "linearly stable"
    assert leap.data["method"] == "spherical_midpoint8" and len(leap.data["multipliers"]) == 2


def test_what_has_no_orbit():
    with pytest.raises(ts.Error, match="from 0 to 3"):
        ts.orbit(PENDULUM, "mode:9")
    with pytest.raises(ts.Error, match="start: must be mode:K, start, return or rest"):
        ts.orbit(PENDULUM, "here")
    with pytest.raises(ts.Error, match="momentum: needs relative"):
        ts.orbit(PENDULUM, momentum=1.0)
    with pytest.raises(ts.Error, match="is missing"):
        ts.family(PENDULUM, "energy", 0)
    with pytest.raises(ts.Error, match="over: system.masses is a list of 2"):
        ts.family(PENDULUM, "system.masses", 2)
    with pytest.raises(ts.Error, match="to: counts from rest over energy only"):
        ts.family(PENDULUM, "period", "rest+5")
