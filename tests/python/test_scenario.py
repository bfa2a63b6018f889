# SPDX-License-Identifier: GPL-3.0-or-later
import copy
import pickle

import numpy as np
import pytest

import twosphere as ts


def test_every_preset_reads_back_bit_for_bit(tmp_path):
    for name in ts.presets:
        scenario = ts.Scenario(name)
        assert ts.Scenario(scenario.to_dict()) == scenario
        assert ts.Scenario.from_json(scenario.to_json()) == scenario
    scenario.save(tmp_path / "s.json")
    assert ts.Scenario.load(tmp_path / "s.json").to_json() == scenario.to_json()


def test_settings_are_read_and_written_by_path():
    scenario = ts.Scenario("three_body")
    scenario["system.masses[1]"] = 2
    assert scenario["system.masses"] == [1, 2, 1]
    scenario["integrator.type"] = "rotation6"
    assert scenario.integrators == ["rotation6"]
    scenario["initial.omega[0]"] = np.array([0, 0, np.float64(0.5)])
    assert scenario.omega[0].tolist() == [0, 0, 0.5]
    scenario.set({"duration": 4, "integrator.step": "1/2^6"})
    assert (scenario.duration, scenario.step) == (4, 1 / 64)
    assert scenario.planned_steps == 256


def test_another_step_leaves_events_at_their_times():
    scenario = ts.Scenario("three_body")
    scenario["events"] = [{"step": 40, "set": {"system.gamma": 2}}]
    scenario["integrator.step"] = scenario.step / 4
    assert scenario["events[0].step"] == 160
    with pytest.raises(ts.Error, match="integrator.step: step 160 of an event would become step"):
        scenario["integrator.step"] = scenario.step * 3


def test_a_setting_that_is_refused_changes_nothing():
    scenario = ts.Scenario("three_body")
    before = scenario.to_json()
    with pytest.raises(ts.Error) as caught:
        scenario.set({"duration": 4, "system.masses[1]": -2})
    assert scenario.to_json() == before
    assert caught.value.kind == "usage"
    assert caught.value.location == "system.masses[1]"
    assert str(caught.value) == "system.masses[1]: must be greater than 0, not -2"


@pytest.mark.parametrize(
    "source, text",
    [
        ("three_bdy", 'unknown preset "three_bdy"; did you mean three_body? known: double_spherical_pendulum'),
        ({"twosphere": 1}, 'missing key "system"'),
        ("missing.json", "missing.json"),
        (3, "source: must be the name of a preset, a path, a dictionary or a Scenario, not 3"),
        (None, "source: must be the name of a preset, a path, a dictionary or a Scenario, not None"),
    ],
)
def test_errors_have_the_texts_of_the_program(source, text):
    with pytest.raises(ts.Error, match=".*") as caught:
        ts.Scenario(source)
    assert text in str(caught.value)


def test_a_wrong_path_is_named():
    scenario = ts.Scenario("three_body")
    with pytest.raises(ts.Error, match="system.massses"):
        scenario["system.massses"]
    with pytest.raises(ts.Error, match=r"system\.\.masses"):
        scenario["system..masses"] = 1
    with pytest.raises(ts.Error, match="not a set"):
        scenario["system.masses"] = {1, 2}


def test_copies_are_independent():
    scenario = ts.Scenario("three_body")
    others = [scenario.copy(), copy.deepcopy(scenario), pickle.loads(pickle.dumps(scenario)), ts.Scenario(scenario)]
    assert all(other == scenario for other in others)
    scenario["duration"] = 1
    assert all(other.duration == 10 and other != scenario for other in others)


def test_changed_is_the_options_of_run():
    changed = ts.Scenario("double_spherical_pendulum").changed(
        {"system.gravity": 1.62}, integrator=["variational", "rk4"], step=0.02, steps=50, every=5
    )
    assert changed.integrators == ["variational", "rk4"]
    assert changed["lanes[1].step"] == 0.02
    assert changed["system.gravity"] == 1.62
    assert (changed.planned_steps, changed["every"]) == (50, 5)
    with pytest.raises(ts.Error, match="steps: must be"):
        changed.changed(steps=0)


def test_a_start_that_had_to_be_moved_is_a_warning():
    document = ts.Scenario("double_spherical_pendulum").to_dict()
    document["initial"]["q"][1] = [0, 0, 1.001]
    with pytest.warns(ts.RunWarning, match="initial"):
        assert ts.Scenario(document).q[1].tolist() == [0, 0, 1]


def test_a_scenario_that_could_not_be_made_can_be_shown():
    scenario = ts.Scenario.__new__(ts.Scenario)
    assert repr(scenario) == "<Scenario>"


def test_arrays_of_the_start_are_read_only():
    scenario = ts.Scenario("three_body")
    assert scenario.q.shape == scenario.omega.shape == (scenario.bodies, 3) == (3, 3)
    with pytest.raises(ValueError):
        scenario.q[0, 0] = 0
