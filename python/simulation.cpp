// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/simulation.h"

#include <fmt/format.h>
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <complex>

#include "core/scenario/writer.h"
#include "python/run.h"
#include "python/system_view.h"

namespace twosphere::python {

namespace {

/// `duration`, `steps` and `until` of Simulation.run(), each of which may be None.
Goal goal_of(Run& run, py::handle duration, py::handle steps, py::handle until) {
  if (!steps.is_none()) {
    const std::int64_t more = to_whole(steps, "steps", 0);
    return {.kind = Goal::Kind::steps,
            .steps = run.use([](Simulation& s) { return s.steps(); }) + more};
  }
  if (duration.is_none() && until.is_none()) return {};
  struct Now {
    double elapsed, h, t;
    bool reversed;
  };
  const Now now = run.use([](Simulation& s) {
    return Now{s.elapsed(), s.grid_step(), s.time(), s.reversed()};
  });
  const double most = now.h * static_cast<double>(max_whole);
  const auto refuse = [](const char* what, double low, double high, double given) {
    raise({ErrorKind::usage, what,
           fmt::format("must be from {:g} s to {:g} s, not {:g} s", low, high, given)});
  };
  if (until.is_none()) {
    const double given = to_number(duration, "duration");
    if (given < 0 || given > most) refuse("duration", 0, most, given);
    return {.kind = Goal::Kind::elapsed, .elapsed = now.elapsed + given};
  }
  const double given = to_number(until, "until"),
               way = now.reversed ? now.t - given : given - now.t;
  // The last step may have gone past it.
  if (way < -now.h * (1 + 1e-9) || way > most)
    refuse("until", now.reversed ? now.t - most : now.t, now.reversed ? now.t : now.t + most,
           given);
  return {.kind = Goal::Kind::elapsed, .elapsed = now.elapsed + std::max(way, 0.0)};
}

/// The number of a lane of the run.
int lane_of(Run& run, py::handle lane) {
  const int count = run.use([](Simulation& s) { return s.lane_count(); });
  return to_int(lane, "lane", 0, count - 1);
}

py::dict sample(Run& run, const Whole& number) {
  const int lane = lane_of(run, number);
  const Sample values = run.use([&](Simulation& s) { return s.sample(lane); });
  py::dict out;
  for (std::size_t i = 0; i < quantity_count; ++i) {
    const std::string_view key = quantities()[i].key;
    out[py::str(key.data(), key.size())] = values.values[i];
  }
  return out;
}

py::object exponents(Run& run, const Whole& number) {
  const int lane = lane_of(run, number);
  return run.use([&](Simulation& s) -> py::object {
    const State& state = s.state(lane);
    const auto& followed = s.lane(lane).exponents;
    if (!followed) return py::none();
    std::vector<double> values, errors;
    for (const auto& [value, error] : followed->spectrum(*s.system(), state)) {
      values.push_back(value);
      errors.push_back(error);
    }
    using namespace py::literals;
    const auto count = static_cast<py::ssize_t>(values.size());
    return py::dict("lyapunov"_a = adopt(std::move(values), {count}),
                    "error"_a = adopt(std::move(errors), {count}), "megno"_a = followed->megno(),
                    "fli"_a = followed->fli());
  });
}

py::dict frequencies(Run& run, const Whole& count_given, const Whole& lane_given) {
  using namespace py::literals;
  const int count = to_int(count_given, "count", 1, max_lines), lane = lane_of(run, lane_given);
  return run.use([&](Simulation&) {
    const SignalSamples* signal = run.signal(lane);
    if (!signal) raise({ErrorKind::usage, "frequencies", "needs follow_signal() before the steps"});
    std::vector<double> found;
    std::vector<std::complex<double>> amplitudes;
    for (const Line& line : signal->lines(count)) {
      found.push_back(line.frequency);
      amplitudes.push_back(line.amplitude);
    }
    const auto size = static_cast<py::ssize_t>(found.size());
    return py::dict("frequency"_a = adopt(std::move(found), {size}),
                    "amplitude"_a = py::array_t<std::complex<double>>(size, amplitudes.data()),
                    "diffusion"_a = signal->diffusion(), "samples"_a = signal->samples().size(),
                    "interval"_a = signal->interval(), "nyquist"_a = signal->spacing().nyquist(),
                    "aliased"_a = signal->spacing().may_be_aliased());
  });
}

void set(Run& run, const py::dict& settings) {
  const std::vector<Setting> list = to_settings(settings);
  take(run.set(list));
}

py::object get(Run& run, const std::string& text) {
  const SettingPath path = text;
  if (!path.valid()) raise({ErrorKind::usage, "", path.problem()});
  const json::Node document = run.use([](Simulation& s) { return to_json(s.present()); });
  if (const json::Node* found = find_setting(document, path)) return from_node(*found);
  raise({ErrorKind::usage, text, "there is no such setting"});
}

void pull(Run& run, const Whole& body, const py::object& force, const Whole& steps) {
  const int bodies = run.use([](Simulation& s) { return s.system()->size(); });
  const Numbers parts = to_numbers(force, "force");
  if (parts.size() != 3)
    raise({ErrorKind::usage, "force",
           fmt::format("must be three numbers, not {}", py::repr(force).cast<std::string>())});
  const Pull wanted{to_int(body, "body", 0, bodies - 1),
                    {parts.data()[0], parts.data()[1], parts.data()[2]},
                    to_whole(steps, "steps", 1)};
  take(run.change([&](Simulation& s) { return s.pull(wanted); }));
}

std::vector<std::string> lanes(Simulation& run) {
  std::vector<std::string> names;
  for (int i = 0; i < run.lane_count(); ++i) names.push_back(run.lane(i).name);
  return names;
}

std::vector<std::string> warnings(Simulation& run) {
  std::vector<std::string> texts;
  texts.reserve(run.warnings().size());
  for (const Warning& warning : run.warnings()) texts.push_back(describe(warning));
  return texts;
}

/// A function of the simulation as one of the run.
template <class Body>
auto look(Body body) {
  return [body](Run& run) { return run.use(body); };
}

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<Run>(module, "Simulation", "A run of a scenario.")
      .def(py::init<const Scenario&>(), py::arg("scenario"))
      .def(
          "step",
          [](Run& run, const Whole& count) { return run.step(to_whole(count, "count", 1)); },
          py::arg("count") = 1, "Takes steps, fewer if a stop condition is met. Returns how many.")
      .def(
          "_go",
          [](Run& run, py::handle duration, py::handle steps, py::handle until, bool states,
             bool plots) { run.go(goal_of(run, duration, steps, until), states, plots); },
          py::arg("duration"), py::arg("steps"), py::arg("until"), py::arg("states"),
          py::arg("plots"))
      .def(
          "set", &set, py::arg("settings"),
          "Changes settings {path: value}, all or none. Before the first step they edit the start; "
          "later they are an event of the record, as in the window.")
      .def("__getitem__", &get, py::arg("path"), "The present value at a path.")
      .def(
          "__setitem__",
          [](Run& run, const std::string& path, const py::object& value) {
            py::dict one;
            one[py::str(path)] = value;
            set(run, one);
          },
          py::arg("path"), py::arg("value"), "Changes one setting; see set().")
      .def(
          "reverse", [](Run& run) { run.change([](Simulation& s) { s.reverse(); }); },
          "From now on time runs in the other direction.")
      .def("pull", &pull, py::arg("body"), py::arg("force"), py::arg("steps") = 1,
           "Pulls a body, numbered from 0, by a constant force [N], (3,), over a number of steps.")
      .def(
          "add_lane",
          [](Run& run, const py::dict& lane) {
            const json::Node node = to_node(lane);
            take(run.change([&](Simulation& s) { return s.add_lane(node); }));
          },
          py::arg("lane"),
          "Begins another integrator at the present state of a lane: its settings and 'from', the "
          "number of that lane.")
      .def(
          "follow_exponents",
          [](Run& run, const Whole& given) {
            const int most =
                run.use([](Simulation& s) { return Exponents::max_count(*s.system()); });
            const int count = to_int(given, "count", 1, most);
            take(run.follow_exponents(count));
          },
          py::arg("count") = 1,
          "From now on so many tangent vectors follow every lane; see exponents().")
      .def("exponents", &exponents, py::arg("lane") = 0,
           "{'lyapunov': λ_k [1/s], 'error': [1/s], 'megno': [1], 'fli': [1]} of a lane, or None.")
      .def(
          "_follow_signal",
          [](Run& run, const std::string& real, const std::string& imaginary) {
            run.follow_signal(real, imaginary);
          },
          py::arg("real"), py::arg("imaginary"))
      .def("frequencies", &frequencies, py::arg("count") = 1, py::arg("lane") = 0,
           "The strongest lines of the signal that follow_signal() samples: {'frequency': [Hz], "
           "'amplitude': complex, 'diffusion': [1], 'samples': their number, 'interval': [s], "
           "'nyquist': 1/(2 interval) [Hz], 'aliased': whether a body turned by more than half a "
           "turn between samples, so that higher frequencies appear as lower ones} of a lane. "
           "There are fewer lines if the rest is rounding, and none below 32 samples.")
      .def("sample", &sample, py::arg("lane") = 0,
           "Every quantity at the present state of a lane: {key: value}, in SI units.")
      .def(
          "_q", [](Run& run, py::handle lane) { return run.q(lane_of(run, lane)); },
          py::arg("lane"))
      .def(
          "_omega", [](Run& run, py::handle lane) { return run.omega(lane_of(run, lane)); },
          py::arg("lane"))
      .def_property_readonly(
          "q", [](Run& run) { return run.q(0); },
          "Directions of the first lane [1], (n, 3), read-only; those of now, "
          "which later steps do not change.")
      .def_property_readonly(
          "omega", [](Run& run) { return run.omega(0); },
          "Angular velocities of the first lane [rad/s], (n, 3), likewise.")
      .def_property_readonly(
          "base", [](Run& run) { return run.base(0); },
          "(position [m], velocity [m/s]) of the base of the first lane, if it flies, each (3,), "
          "likewise; else None.")
      .def(
          "base_of", [](Run& run, py::handle lane) { return run.base(lane_of(run, lane)); },
          py::arg("lane"), "The same of a lane, by its number.")
      .def_property_readonly("time", look([](Simulation& s) { return s.time(); }), "t [s]")
      .def_property_readonly("elapsed", look([](Simulation& s) { return s.elapsed(); }),
                             "Start time plus the time run since, in either direction [s].")
      .def_property_readonly("end_time", look([](Simulation& s) { return s.end_time(); }),
                             "Planned end, on the scale of elapsed [s].")
      .def_property_readonly("steps", look([](Simulation& s) { return s.steps(); }),
                             "Steps taken since the start.")
      .def_property_readonly("planned_steps", look([](Simulation& s) { return s.planned_steps(); }),
                             "Steps from the start to the planned end.")
      .def_property_readonly("stride", look([](Simulation& s) { return s.stride(); }),
                             "A row is recorded every so many steps.")
      .def_property_readonly("finished", look([](Simulation& s) { return s.finished(); }),
                             "Whether the planned end is reached.")
      .def_property_readonly("stopped", look([](Simulation& s) { return s.stopped(); }),
                             "The stop condition that is met, in words, or None.")
      .def_property_readonly("reversed", look([](Simulation& s) { return s.reversed(); }),
                             "Whether time decreases.")
      .def_property_readonly("lanes", look(lanes),
                             "Names of the lanes, the integrators of the run.")
      .def_property_readonly("warnings", look(warnings),
                             "Why results are no longer meaningful, in words; empty if they are.")
      .def_property_readonly(
          "back_end", look([](Simulation& s) { return std::string(s.system()->back_end()); }),
          "'llvm' or 'tape', which evaluates a text-defined system; '' for others.")
      .def_property_readonly(
          "system", look([](Simulation& s) { return std::make_shared<SystemView>(s.system()); }),
          "The system with its present parameters.")
      .def_property_readonly("_recording", &Run::recording)
      .def("_record", look([](Simulation& s) { return s.record(); }))
      .def("_present", look([](Simulation& s) { return s.present(); }))
      .def("_rewound", look([](Simulation& s) { return s.rewound(); }))
      .def("_continuation", look([](Simulation& s) { return s.continuation(); }));
}

}  // namespace twosphere::python
