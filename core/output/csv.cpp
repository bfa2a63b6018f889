// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/build.h"
#include "core/base/table_writer.h"
#include "core/output/body_reading.h"
#include "core/output/named_values.h"
#include "core/run/step_cost.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using json::shortest;

std::vector<CsvColumn> sample_columns(const SystemInfo& system, const std::vector<LaneSpec>& lanes,
                                      const CsvExtras& extras) {
  const auto list = csv_quantities(system);
  std::vector<CsvColumn> columns{csv_column(Quantity::time)};
  for (const LaneSpec& lane : lanes) {
    const std::string prefix = lane_prefix(lanes, lane);
    const auto add = [&](const Signal& signal) { columns.push_back(csv_column(signal, prefix)); };
    for (const Quantity q : list)
      if (q != Quantity::time) add(q);
    if (extras.plots)
      for (const Signal& signal : requested_signals(system, extras.bodies, extras.expressions))
        add(signal);
    if (extras.shadow) add(Signal::modified_energy_error());
  }
  for (const LaneSpec& lane : lanes) {
    if (extras.vectors == 0) break;
    const std::string prefix = lane_prefix(lanes, lane);
    for (int k = 0; k < extras.vectors; ++k)
      columns.push_back({prefix + (k > 0 ? fmt::format("lyapunov[{}]", k) : "lyapunov"), "1/s",
                         "Mean rate at which nearby orbits part, so far; the largest first."});
    for (const StepQuantity q : {StepQuantity::megno, StepQuantity::fli})
      columns.push_back(csv_column(q, prefix));
  }
  return columns;
}

std::vector<CsvColumn> trajectory_columns(const SystemInfo& info, const System& system,
                                          bool momenta) {
  std::vector<CsvColumn> columns{csv_column(Quantity::time)};
  std::vector<Signal::Kind> kinds{Signal::Kind::direction, Signal::Kind::angular_velocity};
  if (momenta && !info.first_order) kinds.push_back(Signal::Kind::momentum);
  if (momenta) kinds.push_back(Signal::Kind::angular_momentum);
  for (const Signal::Kind kind : kinds)
    for (int i = 0; i < system.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) columns.push_back(csv_column(Signal(kind, i, axis)));
  if (system.follows_attitude())
    for (int i = 0; i < system.size(); ++i)
      for (const char direction : {'a', 'b'})
        for (const char axis : {'x', 'y', 'z'})
          columns.push_back({fmt::format("{}{}_{}", direction, i, axis), "1",
                             fmt::format("A component of the {} axis of space, seen from body {}.",
                                         direction == 'a' ? "first" : "second", i)});
  if (!system.free_base()) return columns;
  for (const char* name : {"base_x", "base_y", "base_z"})
    columns.push_back({name, "m", "A coordinate of the base."});
  for (const char* name : {"base_vx", "base_vy", "base_vz"})
    columns.push_back({name, "m/s", "A component of its velocity."});
  return columns;
}

std::vector<CsvColumn> section_columns(const SectionSurface& surface, bool several_starts = false) {
  std::vector<CsvColumn> columns;
  if (several_starts) columns.push_back({"start", "1", "Number of the start, from 0."});
  columns.insert(columns.end(), {csv_column(Quantity::time),
                                 {"step", "1", "Step of the lane from which the point is reached."},
                                 {"crossing", "1", "Number of the crossing."}});
  if (!surface.stroboscopic())
    columns.push_back({"direction", "1", "1: the expression rises; −1: it falls."});
  for (const SectionSurface::Column& column : surface.columns())
    columns.push_back({column.name, column.unit, "A coordinate of the section."});
  return columns;
}

std::string section_row(const SectionSurface& surface, double t, std::int64_t step,
                        std::int64_t number, int direction, std::span<const double> values,
                        std::optional<std::size_t> start = {}) {
  TableWriter table;
  if (start) table.add(*start);
  table.add(t);
  table.add(step);
  table.add(number);
  if (!surface.stroboscopic()) table.add(direction);
  for (const double value : values) table.add(value);
  table.end_row();
  return table.take();
}

std::vector<CsvColumn> field_columns() {
  const auto center = [](const char* name) {
    return CsvColumn{name, "1", "A coordinate of the centre of the face."};
  };
  return {csv_column(Quantity::time),
          {"face", "1", "Number of the face, from 0."},
          center("center_x"),
          center("center_y"),
          center("center_z"),
          {"kinetic_energy", "J", "Mean over the bodies in the face and its neighbours."},
          {"bodies", "1", "Number of bodies in the face."},
          {"widened", "1", "1: the neighbourhood was widened; 0: it was not."}};
}

std::vector<CsvColumn> pair_distribution_columns() {
  return {{"angle", "rad", "Angle between two bodies, in the middle of the bin."},
          {"pair_distribution", "1",
           "Pairs in the bin, relative to those of bodies that are placed uniformly and "
           "independently; mean over the rows."},
          {"pairs", "1", "Pairs in the bin, in all rows."}};
}

std::string header(const std::vector<CsvColumn>& columns) {
  TableWriter table;
  for (const CsvColumn& column : columns) table.add(csv_heading(column));
  table.end_row();
  return table.take();
}

std::string companion(const Scenario& record, const std::string& branch,
                      const std::vector<CsvColumn>& columns, std::optional<Range> time,
                      std::optional<std::size_t> lane) {
  using json::Node;
  Node root = provenance();
  if (!branch.empty()) root.set("branch", branch);
  Scenario repeatable = record;
  repeatable.every = base_stride(record);
  Node scenario = to_json(repeatable);
  const Node *one = scenario.find("integrator"), *events = scenario.find("events");
  root.set("lanes", one ? Node::array({*one}) : *scenario.find("lanes"));
  const std::vector<LaneSpec> recorded = recorded_lanes(record);
  if (lane && recorded.size() > 1) root.set("lane", recorded[*lane].name);
  root.set("events", events ? *events : Node::array());
  root.set("columns", described_columns(columns));
  if (time)
    root.set("time_range",
             Node::object(
                 {{"from", time->low}, {"to", time->high}, {"unit", info(Quantity::time).unit}}));
  root.set("scenario", std::move(scenario));
  return json::write(root);
}

}  // namespace

std::string lane_prefix(const std::vector<LaneSpec>& lanes, const LaneSpec& lane) {
  return lanes.size() > 1 ? lane.name + '/' : "";
}

CsvColumn csv_column(const Signal& signal, const std::string& prefix) {
  return {prefix + signal.column(), std::string(signal.unit()), std::string(signal.help())};
}

std::string csv_heading(const CsvColumn& column) {
  return fmt::format("{} [{}]", column.name, column.unit);
}

std::string csv_heading_row(const std::vector<CsvColumn>& columns) {
  TableWriter table;
  for (const CsvColumn& column : columns)
    table.add(column.unit.empty() ? column.name : csv_heading(column));
  table.end_row();
  return table.take();
}

json::Node described_columns(const std::vector<CsvColumn>& columns) {
  return json::Node::array(columns, [](const CsvColumn& column) {
    return json::Node::object(
        {{"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}});
  });
}

std::string table_companion(const Scenario& record, const std::vector<CsvColumn>& columns,
                            Range time) {
  return companion(record, {}, columns, time, {});
}

std::string csv_header(const SystemInfo& system, const std::vector<LaneSpec>& lanes,
                       const CsvExtras& extras) {
  return header(sample_columns(system, lanes, extras));
}

std::vector<double> exponent_values(Simulation& run, int lane, int vectors) {
  std::vector<double> values(static_cast<std::size_t>(vectors) + 2, std::nan(""));
  if (lane >= run.lane_count() || !run.lane(lane).exponents) return values;
  const State& state = run.state(lane);
  const Exponents& exponents = *run.lane(lane).exponents;
  const std::vector<double> spectrum = exponents.values(*run.system(), state);
  std::copy(spectrum.begin(), spectrum.end(), values.begin());
  values[spectrum.size()] = exponents.megno();
  values[spectrum.size() + 1] = exponents.fli();
  return values;
}

std::string csv_row(const SystemInfo& system, const std::vector<Sample>& lane_samples,
                    const std::vector<std::vector<double>>& named,
                    std::span<const double> exponents) {
  const auto list = csv_quantities(system);
  TableWriter table;
  table.add(lane_samples.front()[Quantity::time]);
  for (std::size_t lane = 0; lane < lane_samples.size(); ++lane) {
    const Sample& sample = lane_samples[lane];
    for (const Quantity q : list)
      if (q != Quantity::time) table.add(sample[q]);
    if (named.empty()) continue;
    for (const double value : named[lane]) table.add(value);
  }
  for (const double value : exponents) table.add(value);
  table.end_row();
  return table.take();
}

std::string csv_companion(const Scenario& record, std::optional<Range> time,
                          const std::string& branch, const CsvExtras& extras) {
  return companion(record, branch, sample_columns(info_of(record), recorded_lanes(record), extras),
                   time, {});
}

std::string trajectory_header(const SystemInfo& info, const System& system, bool momenta) {
  return header(trajectory_columns(info, system, momenta));
}

std::string trajectory_row(const System& system, const State& state, bool momenta) {
  TableWriter table;
  table.add(state.t);
  const auto add = [&table](const Columns& columns) {
    for (Eigen::Index i = 0; i < columns.size(); ++i) table.add(columns.data()[i]);
  };
  add(state.q);
  add(state.w);
  if (momenta) {
    Columns of_bodies;
    if (!first_order(system)) {
      twosphere::momenta(system, state, of_bodies);
      add(of_bodies);
    }
    angular_momenta(system, state, of_bodies);
    add(of_bodies);
  }
  if (state.has_attitude()) add(state.x);
  if (const auto base = base_of(state, system)) {
    add(Columns(base->position));
    add(Columns(base->velocity));
  }
  table.end_row();
  return table.take();
}

std::string trajectory_companion(const Scenario& record, std::size_t lane,
                                 const std::string& branch, bool momenta) {
  // A record that has run has a system.
  const auto system = std::move(*create_system(record));
  return companion(record, branch, trajectory_columns(info_of(record), *system, momenta), {}, lane);
}

std::string section_header(const SectionSurface& surface, bool several_starts) {
  return header(section_columns(surface, several_starts));
}

std::string section_row(const SectionSurface& surface, const SectionPoint& point,
                        std::optional<std::size_t> start) {
  std::vector<double> values;
  surface.coordinates(point.state, values);
  return section_row(surface, point.state.t, point.step, point.number, point.direction, values,
                     start);
}

std::string section_row(const SectionSurface& surface, const SectionPoints& points,
                        std::size_t index) {
  return section_row(surface, points.t(index), points.step(index), points.number(index),
                     points.direction(index), points.values(index));
}

std::string section_companion(const Scenario& record, const SectionSurface& surface,
                              std::size_t lane, const std::string& branch) {
  return companion(record, branch, section_columns(surface), {}, lane);
}

std::string field_table(double t, const SurfaceField& field) {
  TableWriter rows;
  for (std::size_t f = 0; f < field.faces().size(); ++f) {
    rows.add(t);
    rows.add(f);
    for (const double x : field.centers().col(static_cast<Eigen::Index>(f))) rows.add(x);
    rows.row(field.values()[f], field.counts()[f], field.widened()[f]);
  }
  return header(field_columns()) + rows.text();
}

std::string field_companion(const Scenario& record, std::size_t lane, const std::string& branch) {
  return companion(record, branch, field_columns(), {}, lane);
}

std::string pair_distribution_table(const PairDistribution& pairs) {
  TableWriter rows;
  for (int b = 0; b < pairs.bins(); ++b) rows.row(pairs.angle(b), pairs.value(b), pairs.pairs(b));
  return header(pair_distribution_columns()) + rows.text();
}

std::string pair_distribution_companion(const Scenario& record, std::size_t lane,
                                        const std::string& branch) {
  return companion(record, branch, pair_distribution_columns(), {}, lane);
}

std::string xyz_frame(const System& system, const State& state) {
  const bool kinetic = !first_order(system);
  std::string out = fmt::format(
      "{}\nProperties=species:S:1:pos:R:3:velo:R:3:q:R:3:omega:R:3{} "
      "pbc=\"F F F\" Program=\"{}\" Time={}\n",
      state.size(), kinetic ? ":kinetic_energy:R:1" : "", program_version(), shortest(state.t));
  const auto append = [&out](const Vec3& v) {
    for (const double x : v) (out += ' ') += shortest(x);
  };
  for (const BodyRecord& body : body_records(system, state)) {
    out += 'X';
    append(body.position);
    append(body.velocity);
    append(body.q);
    append(body.omega);
    if (kinetic) (out += ' ') += shortest(body.kinetic);
    out += '\n';
  }
  return out;
}

}  // namespace twosphere
