// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include <fmt/format.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/scenario/branches.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "python/bindings.h"

namespace twosphere::python {

namespace {

Scenario make(const std::string& kind, const py::object& what) {
  std::vector<std::string> warnings;
  Scenario made = take_called([&]() -> Result<Scenario> {
    if (kind == "preset") return load_preset(what.cast<std::string>(), &warnings);
    if (kind == "file") return load_scenario(what.cast<std::string>(), &warnings);
    if (kind == "text") return read_scenario(what.cast<std::string>(), "", &warnings);
    return from_json(to_node(what), "", &warnings);
  });
  warn(warnings);
  return made;
}

void apply_settings(Scenario& scenario, const std::vector<Setting>& settings) {
  std::vector<std::string> warnings;
  scenario =
      take_called([&] { return with_settings_at_same_times(scenario, settings, &warnings); });
  warn(warnings);
}

void set(Scenario& scenario, const py::dict& settings) {
  apply_settings(scenario, to_settings(settings));
}

py::object get(const Scenario& scenario, const std::string& text) {
  const SettingPath path = text;
  if (!path.valid()) raise({ErrorKind::usage, "", path.problem()});
  const json::Node document = to_json(scenario);
  if (const json::Node* found = find_setting(document, path)) return from_node(*found);
  raise({ErrorKind::usage, text, "there is no such setting"});
}

/// `--integrator` of the command line.
void set_integrators(Scenario& scenario, const std::vector<std::string>& keys) {
  if (keys.empty()) raise({ErrorKind::usage, "integrators", "is empty; give one or more"});
  apply_settings(scenario, integrator_settings(scenario, keys));
}

/// Duration, number of steps and stride of a run, as on the command line. `changes`: settings of a
/// saved state, which become an event before its first step.
void plan(Scenario& scenario, const py::dict& changes, py::handle duration_given,
          py::handle steps_given, py::handle every_given) {
  const auto duration = to_optional_number(duration_given, "duration");
  const auto steps = to_optional_whole(steps_given, "steps", 1),
             every = to_optional_whole(every_given, "every", 1);
  const std::vector<Setting> first = to_settings(changes);
  Scenario last = take_called([&] { return with_settings_at_same_times(scenario, first); });
  if (duration && !steps) take_called([&] { return with_setting(last, "duration", *duration); });
  if (every)
    take_called([&] { return with_setting(scenario, "every", json::Node::whole(*every)); });
  Scenario planned =
      with_extent(scenario, std::move(last), !first.empty(), {steps, duration, every});
  if (!first.empty()) {
    planned.events.insert(planned.events.begin(), Event{.set = first});
    planned = take_called([&] { return with_settings(planned, {}); });
  }
  scenario = std::move(planned);
}

std::vector<std::string> branch_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const BranchSpec& branch : scenario.branches) names.push_back(branch.name);
  return names;
}

}  // namespace

void bind_scenario(py::module_& module) {
  py::class_<Scenario>(module, "Scenario", "The contents of a scenario file.")
      .def(py::init(&make), py::arg("kind"), py::arg("what"),
           "kind: 'preset', 'file', 'text' or 'dict'.")
      .def(py::init<const Scenario&>(), py::arg("other"))
      .def("set", &set, py::arg("settings"),
           "Applies settings {path: value} in order and checks them as a whole; all or none.")
      .def("__getitem__", &get, py::arg("path"), "The value at a path, such as 'system.gravity'.")
      .def(
          "__setitem__",
          [](Scenario& s, const std::string& path, const py::object& value) {
            py::dict one;
            one[py::str(path)] = value;
            set(s, one);
          },
          py::arg("path"), py::arg("value"), "Sets the value at a path and checks the whole.")
      .def("to_json", &write_scenario, "The text of its file.")
      .def(
          "to_dict", [](const Scenario& s) { return from_node(to_json(s)); },
          "Its file as a dictionary, with all parameters.")
      .def(
          "save",
          [](const Scenario& s, const std::string& path) {
            take(write_file(path, write_scenario(s)));
          },
          py::arg("path"), "Writes its file, completely or not at all.")
      .def("_set_integrators", &set_integrators, py::arg("keys"))
      .def("_plan", &plan, py::arg("changes"), py::arg("duration"), py::arg("steps"),
           py::arg("every"))
      .def(
          "_branch",
          [](const Scenario& s, const std::string& name) { return take(branch_record(s, name)); },
          py::arg("name"))
      .def(
          "__eq__", [](const Scenario& a, const Scenario& b) { return same(a, b); },
          py::arg("other"), py::is_operator(), "Whether both would be written alike.")
      .def_property_readonly("title", [](const Scenario& s) { return s.title; })
      .def_property_readonly("description", [](const Scenario& s) { return s.description; })
      .def_property_readonly(
          "system", [](const Scenario& s) { return s.system; },
          "Key of the system in the catalogue.")
      .def_property_readonly("bodies", &Scenario::size, "Number n of bodies.")
      .def_property_readonly(
          "q", [](const Scenario& s) { return frozen(s.q); },
          "Directions at the start [1], (n, 3), read-only.")
      .def_property_readonly(
          "omega", [](const Scenario& s) { return frozen(s.omega); },
          "Angular velocities at the start [rad/s], (n, 3), read-only.")
      .def_property_readonly(
          "duration", [](const Scenario& s) { return s.duration; }, "Simulated time of a run [s].")
      .def_property_readonly(
          "step", [](const Scenario& s) { return grid_step(s.lanes); },
          "Step of a run [s], the largest of its lanes.")
      .def_property_readonly(
          "planned_steps", [](const Scenario& s) { return planned_steps(s); },
          "Number of steps of a whole run.")
      .def_property_readonly(
          "integrators", [](const Scenario& s) { return texts_of(s.lanes, &LaneSpec::type); },
          "Keys of the integrators of its lanes.")
      .def_property_readonly("branches", &branch_names, "Names of its branches.")
      .def_property_readonly(
          "continues", [](const Scenario& s) { return s.continuation.has_value(); },
          "Whether it is the saved state of a run.")
      .attr("__hash__") = py::none();
}

}  // namespace twosphere::python
