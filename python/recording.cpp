// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/recording.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/record/pair_distribution.h"
#include "core/run/row_block.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere::python {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

void append(std::vector<double>& to, const Columns& columns) {
  to.insert(to.end(), columns.data(), columns.data() + columns.size());
}

/// Rows before a lane has begun are not finite, and left out.
py::dict pair_distribution(py::handle q, const Whole& bins) {
  const Numbers array = to_numbers(q, "q");
  if (array.ndim() != 3 || array.shape(1) < 2 || array.shape(2) != 3)
    raise({ErrorKind::usage, "q", "must be an array of (rows, n, 3) numbers, n at least 2"});
  const py::ssize_t rows = array.shape(0), n = array.shape(1);
  PairDistribution pairs(static_cast<int>(n), to_int(bins, "bins", 1, PairDistribution::max_bins));
  {
    const py::gil_scoped_release others;
    for (py::ssize_t row = 0; row < rows; ++row) {
      const Columns now = Eigen::Map<const Columns>(array.data() + row * 3 * n, 3, n);
      if (now.allFinite()) pairs.add(now);
    }
  }
  std::vector<double> angle, value, counts;
  for (int b = 0; b < pairs.bins(); ++b) {
    angle.push_back(pairs.angle(b));
    value.push_back(pairs.value(b));
    counts.push_back(static_cast<double>(pairs.pairs(b)));
  }
  const py::ssize_t size = pairs.bins();
  using namespace py::literals;
  return py::dict("angle"_a = adopt(std::move(angle), {size}),
                  "pair_distribution"_a = adopt(std::move(value), {size}),
                  "pairs"_a = adopt(std::move(counts), {size}));
}

Scenario with_view(Scenario record, const json::Node& view) {
  record.view = view;
  return record;
}

}  // namespace

Recording::Recording(Simulation& run, const json::Node& view, bool states, bool plots)
    : bodies(run.system()->size()),
      flies(run.system()->free_base() != nullptr),
      record_(std::make_shared<Scenario>(with_view(run.record(), view))),
      lanes_(recorded_lanes(*record_)),
      quantities_(csv_quantities(info_of(*record_))),
      samples_(lanes_.size()),
      named_(record_->plots) {
  if (const auto& exponents = run.lane(0).exponents) extras_.vectors = exponents->count();
  if (plots) {
    extras_.plots = true;
    extras_.expressions = record_->plots;
    extras_.bodies = bodies;
  }
  if (!states) return;
  for (const LaneSpec& lane : lanes_) tracks.push_back({lane.name, {}, {}, {}, {}});
}

namespace {

Scenario read_record(const py::handle& text) {
  return take_called([&] { return read_scenario(text.cast<std::string>(), ""); });
}

py::array_t<double> array_of(const std::vector<double>& numbers) {
  return py::array_t<double>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

std::vector<double> numbers_of(const py::handle& array) {
  const auto numbers = array.cast<Numbers>();
  return {numbers.data(), numbers.data() + numbers.size()};
}

}  // namespace

Recording::Recording(const py::tuple& state)
    : values(numbers_of(state[5])),
      bodies(state[3].cast<int>()),
      flies(state[10].cast<bool>()),
      record_(std::make_shared<Scenario>(read_record(state[0]))),
      lanes_(recorded_lanes(*record_)),
      quantities_(csv_quantities(info_of(*record_))),
      extras_{.plots = state[1].cast<bool>(),
              .expressions = record_->plots,
              .bodies = bodies,
              .vectors = state[2].cast<int>()},
      named_(record_->plots),
      rows_(state[4].cast<std::size_t>()),
      columns_(rows_ > 0 ? values.size() / rows_ : 0),
      first_(state[8].cast<std::int64_t>()),
      last_(state[9].cast<std::int64_t>()),
      companion_(state[7].cast<std::string>()) {
  for (const py::handle track : state[6].cast<py::list>()) {
    const auto parts = track.cast<py::tuple>();
    tracks.push_back({parts[0].cast<std::string>(), numbers_of(parts[1]), numbers_of(parts[2]),
                      numbers_of(parts[3]), numbers_of(parts[4])});
  }
}

py::tuple Recording::to_state() const {
  py::list kept;
  for (const Track& track : tracks)
    kept.append(py::make_tuple(track.name, array_of(track.q), array_of(track.omega),
                               array_of(track.base), array_of(track.base_velocity)));
  return py::make_tuple(write_scenario(*record_), extras_.plots, extras_.vectors, bodies, rows_,
                        array_of(values), kept, py::bytes(companion_), first_, last_, flies);
}

std::vector<std::string> Recording::lanes() const { return names_of(lanes_); }

void Recording::add(Simulation& run) {
  const RowBlock& rows = run.rows();
  if (rows.empty()) return add_present(run);
  // Rows of the only lane.
  const State* const state = &state_;
  const bool needs_states = extras_.plots || !tracks.empty();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    samples_[0] = rows.samples()[k];
    if (needs_states) rows.state(k, state_);
    add(run, run.steps() - static_cast<std::int64_t>(rows.size() - 1 - k), {&state, 1});
  }
}

void Recording::add_present(Simulation& run) {
  std::vector<const State*> states(static_cast<std::size_t>(run.lane_count()));
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const int lane = static_cast<int>(i);
    samples_[i] = i < states.size() ? run.sample(lane) : missing_sample(run.time());
    if (i >= states.size()) continue;
    if (!finite(samples_[i])) return;
    states[i] = &run.state(lane);
  }
  add(run, run.steps(), states);
}

/// Adds the row of a step from samples_ and the states of the lanes that have begun.
void Recording::add(Simulation& run, std::int64_t step, std::span<const State* const> states) {
  const std::size_t before = values.size();
  values.push_back(samples_[0][Quantity::time]);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    for (const Quantity q : quantities_)
      if (q != Quantity::time) values.push_back(samples_[i][q]);
    if (!extras_.plots) continue;
    const State* state = i < states.size() ? states[i] : nullptr;
    for (const double value : named_.at(run.present(), run.system(), state))
      values.push_back(value);
  }
  for (std::size_t i = 0; i < lanes_.size() && extras_.vectors > 0; ++i)
    for (const double value : exponent_values(run, static_cast<int>(i), extras_.vectors))
      values.push_back(value);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (i < states.size()) {
      append(tracks[i].q, states[i]->q);
      append(tracks[i].omega, states[i]->w);
    } else {
      append(tracks[i].q, Columns::Constant(3, bodies, missing));
      append(tracks[i].omega, Columns::Constant(3, bodies, missing));
    }
    if (!flies) continue;
    std::optional<BaseStart> base;
    if (i < states.size()) base = base_of(*states[i], *run.system());
    const Vec3 none = Vec3::Constant(missing);
    append(tracks[i].base, Columns(base ? base->position : none));
    append(tracks[i].base_velocity, Columns(base ? base->velocity : none));
  }
  columns_ = values.size() - before;
  if (rows_++ == 0) first_ = step;
  last_ = step;
}

void Recording::close(Simulation& run) {
  companion_ = csv_companion(run.record(), {}, {}, extras_);
  record_ = std::make_shared<Scenario>(with_view(run.record(), record_->view));
}

std::string Recording::header() const { return csv_header(info_of(*record_), lanes_, extras_); }

std::string Recording::csv() const {
  const SystemInfo& info = info_of(*record_);
  std::string out = header();
  for (std::size_t row = 0; row < rows_; ++row) {
    const double* next = values.data() + row * columns_;
    const double t = *next++;
    std::vector<Sample> samples;
    std::vector<std::vector<double>> named;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      Sample& sample = samples.emplace_back();
      for (const Quantity q : quantities_) sample[q] = q == Quantity::time ? t : *next++;
      if (!extras_.plots) continue;
      const std::size_t count = requested_signals(info, bodies, extras_.expressions).size();
      named.emplace_back(next, next + count);
      next += count;
    }
    const std::span<const double> exponents(next, values.data() + (row + 1) * columns_);
    out += csv_row(info, samples, named, exponents);
  }
  return out;
}

void bind_recording(py::module_& module) {
  // Arrays of rows are views of the recording, which lives as long as they do and does not change
  // any more.
  const auto view = [](const py::object& self, const std::vector<double>& numbers,
                       std::vector<py::ssize_t> shape) {
    py::array_t<double> array(std::move(shape), numbers.data(), self);
    freeze(array);
    return array;
  };
  py::class_<Recording, std::shared_ptr<Recording>>(module, "Recording", "The rows of a run.")
      .def_property_readonly("rows", &Recording::rows, "Number of rows.")
      .def_property_readonly("header", &Recording::header, "First line of the table.")
      .def_property_readonly(
          "values",
          [view](const py::object& self) {
            const auto& r = self.cast<const Recording&>();
            const auto rows = static_cast<py::ssize_t>(r.rows());
            const auto all = static_cast<py::ssize_t>(r.values.size());
            return view(self, r.values, {rows, rows > 0 ? all / rows : 0});
          },
          "(rows, columns), read-only, not copied.")
      .def_property_readonly("lanes", &Recording::lanes, "Names of the lanes.")
      .def_property_readonly(
          "has_states", [](const Recording& r) { return !r.tracks.empty(); },
          "Whether states() are kept.")
      .def(
          "states",
          [view](const py::object& self, std::size_t lane) {
            const auto& r = self.cast<const Recording&>();
            const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(r.rows()), r.bodies, 3};
            const Recording::Track& track = r.tracks.at(lane);
            return py::make_tuple(view(self, track.q, shape), view(self, track.omega, shape));
          },
          py::arg("lane"),
          "(q, omega) of every row, (rows, n, 3) [1] and [rad/s], read-only, not copied.")
      .def(
          "base",
          [view](const py::object& self, std::size_t lane) -> py::object {
            const auto& r = self.cast<const Recording&>();
            if (!r.flies) return py::none();
            const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(r.rows()), 3};
            const Recording::Track& track = r.tracks.at(lane);
            return py::make_tuple(view(self, track.base, shape),
                                  view(self, track.base_velocity, shape));
          },
          py::arg("lane"),
          "(position, velocity) of the base in every row, (rows, 3) [m] and [m/s], read-only, not "
          "copied; None if it does not fly.")
      .def(
          "csv", [](const Recording& r) { return py::bytes(r.csv()); },
          "The table, as `twosphere run --csv` writes it.")
      .def(
          "companion", [](const Recording& r) { return py::bytes(r.companion()); },
          "Its description, as the file FILE.csv.json.")
      .def(py::pickle([](const Recording& r) { return r.to_state(); },
                      [](const py::tuple& state) { return std::make_shared<Recording>(state); }));
  module.def(
      "pair_distribution", &pair_distribution, py::arg("q"), py::arg("bins"),
      "The pair distribution function of directions, (rows, n, 3): a dictionary with the middle of "
      "each bin, angle [rad], pair_distribution [1], and pairs.");
}

}  // namespace twosphere::python
