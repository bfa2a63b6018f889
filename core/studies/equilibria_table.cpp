// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/equilibria_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "core/base/build.h"
#include "core/base/table_writer.h"
#include "core/catalog.h"
#include "core/mechanics/coarse_step.h"
#include "core/mechanics/direction_text.h"
#include "core/output/csv.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using json::Node;

constexpr double degrees = 180 / std::numbers::pi;
constexpr int lane_digits = 8;  // of oscillation_turn()

/// NAME0_x [1] … of so many bodies.
void add_vectors(std::vector<CsvColumn>& columns, const std::string& name, Eigen::Index bodies,
                 const std::string& meaning) {
  for (Eigen::Index i = 0; i < bodies; ++i)
    for (const char axis : {'x', 'y', 'z'})
      columns.push_back({fmt::format("{}{}_{}", name, i, axis), "1",
                         fmt::format("{} of body {}, component {}.", meaning, i, axis)});
}

void add_values(TableWriter& table, const Columns& values) {
  for (Eigen::Index k = 0; k < values.size(); ++k) table.add(values.data()[k]);
}

std::string heading_row(const std::vector<CsvColumn>& columns) {
  TableWriter table;
  for (const CsvColumn& column : columns)
    table.add(column.unit.empty() ? column.name : csv_heading(column));
  table.end_row();
  return table.take();
}

Node columns_node(const std::vector<CsvColumn>& columns) {
  return Node::array(columns, [](const CsvColumn& column) {
    return Node::object(
        {{"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}});
  });
}

std::vector<CsvColumn> equilibrium_columns(Eigen::Index bodies) {
  std::vector<CsvColumn> columns{
      {"equilibrium", "1", "Number, from 0, in the order of the potential energy."},
      {"potential_energy", "J", "V, with constant forces f as the potential -f.q."},
      {"index", "1", "Morse index: the number of negative eigenvalues of the Hessian."},
      {"nullity", "1", "How many eigenvalues of the Hessian vanish."},
      {"rotations", "1", "How many of them do because rotations leave V unchanged."},
      {"kind", "", "minimum, saddle, maximum or degenerate."}};
  add_vectors(columns, "q", bodies, "Direction");
  return columns;
}

Node equilibrium_node(const Equilibrium& e) {
  return Node::object({{"q", columns_document(e.q)},
                       {"potential_energy", e.potential_energy},
                       {"index", Node::whole(e.index)},
                       {"nullity", Node::whole(e.nullity)},
                       {"kind", name(e.kind())}});
}

/// A lane that oscillates with a frequency of its own.
struct SteppedLane {
  std::string name;
  const IntegratorInfo* method;
  double step;

  /// The frequency of a mode in its steps [Hz].
  double frequency(double exact) const {
    const double per_step = 2 * std::numbers::pi * step;
    return oscillation_turn(*method, per_step * exact) / per_step;
  }
};

std::vector<SteppedLane> stepped_lanes(const ModeTable& table) {
  std::vector<SteppedLane> lanes;
  if (table.modes.damped) return lanes;
  for (const LaneSpec& lane : table.scenario.lanes) {
    const IntegratorInfo* method = find_integrator(lane.type);
    if (method && !method->adaptive) lanes.push_back({lane.name, method, lane.step});
  }
  return lanes;
}

std::vector<CsvColumn> mode_columns(const ModeTable& table) {
  const bool damped = table.modes.damped;
  std::vector<CsvColumn> columns{
      {"mode", "1", "Number, from 0, in the order of the square."},
      {"square", "rad^2/s^2", "nu^2, of which a negative one grows; with damping its real part."},
      {"frequency", "Hz", "Of the oscillation; 0 if there is none."},
      {"growth", "1/s", "Rate at which the mode grows; with damping negative if it decays."}};
  if (damped) columns.push_back({"quality", "1", "Q of a damped oscillation."});
  for (const SteppedLane& lane : stepped_lanes(table))
    columns.push_back({lane.name + "/frequency", "Hz", "That of this lane with its step."});
  const Eigen::Index bodies = table.equilibrium.q.cols();
  add_vectors(columns, "delta_q", bodies, "Displacement");
  if (damped)
    add_vectors(columns, "imaginary_delta_q", bodies, "Imaginary part of the displacement");
  return columns;
}

/// Numbers of a table for people, empty if there is none.
std::string shown(double value, int digits = 10) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value + 0.0, digits) : "";
}

/// Cells in columns that are as wide as they need, aligned at the right, the last `texts` columns
/// at the left.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t texts = 0) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k)
      line += (k == 0 ? "" : "  ") + (k + texts < widths.size()
                                          ? fmt::format("{:>{}}", row[k], widths[k])
                                          : fmt::format("{:<{}}", row[k], widths[k]));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

}  // namespace

std::string equilibria_text(const Equilibria& found) {
  std::string out = fmt::format("equilibria: {}, where {} of {} starts ended\n", found.list.size(),
                                found.converged, found.starts);
  if (found.list.empty()) return out;
  std::vector<std::vector<std::string>> rows{
      {"number", "potential energy [J]", "index", "nullity", "kind", "q"}};
  if (direction_list(found.list.front().q).empty()) rows[0].back().clear();
  for (std::size_t k = 0; k < found.list.size(); ++k) {
    const Equilibrium& e = found.list[k];
    rows.push_back({fmt::format("{}", k), shown(e.potential_energy), fmt::format("{}", e.index),
                    fmt::format("{}", e.nullity), std::string(name(e.kind())),
                    direction_list(e.q)});
  }
  return out + aligned(rows, 2);
}

std::string equilibria_table(const Equilibria& found) {
  if (found.list.empty()) return heading_row(equilibrium_columns(0));
  TableWriter table;
  for (std::size_t k = 0; k < found.list.size(); ++k) {
    const Equilibrium& e = found.list[k];
    table.add(k);
    table.add(e.potential_energy);
    for (const int count : {e.index, e.nullity, e.rotations}) table.add(count);
    table.add(name(e.kind()));
    add_values(table, e.q);
    table.end_row();
  }
  return heading_row(equilibrium_columns(found.list.front().q.cols())) + table.take();
}

std::string equilibria_companion(const Scenario& scenario, const EquilibriumSearch& search) {
  Node root = provenance();
  root.set("tries", Node::whole(search.tries));
  root.set("seed", Node::whole(static_cast<std::int64_t>(search.seed)));
  root.set("columns", columns_node(equilibrium_columns(scenario.q.cols())));
  root.set("scenario", to_json(scenario));
  return json::write(root);
}

json::Node to_json(const Equilibria& found) {
  return Node::object({{"equilibria", Node::array(found.list, equilibrium_node)}});
}

std::string ModeTable::text(const Columns& start, const System& rest) const {
  std::string out = fmt::format("equilibrium: {}, potential energy {} J, index {}, nullity {}\n",
                                name(equilibrium.kind()), shown(equilibrium.potential_energy),
                                equilibrium.index, equilibrium.nullity);
  const double turn = turn_between(start, equilibrium.q, rest.conserved_momentum());
  out += fmt::format("largest angle from the start: {:.4g} degrees\n", turn * degrees);
  if (const std::string list = direction_list(equilibrium.q); !list.empty()) out += list + '\n';
  if (equilibrium.rotations > 0)
    out += fmt::format("modes: {}, without {} of rotation\n", modes.list.size(),
                       equilibrium.rotations);
  const auto lanes = stepped_lanes(*this);
  std::vector<std::vector<std::string>> rows{
      {"mode", "square [rad^2/s^2]", "frequency [Hz]", "growth [1/s]"}};
  if (modes.damped) rows[0].emplace_back("quality [1]");
  for (const SteppedLane& lane : lanes) rows[0].push_back(lane.name + " [Hz]");
  for (std::size_t k = 0; k < std::min(count, modes.list.size()); ++k) {
    const Mode& mode = modes.list[k];
    auto& row = rows.emplace_back(std::vector<std::string>{
        fmt::format("{}", k), shown(mode.square), shown(mode.frequency), shown(mode.growth)});
    if (modes.damped) row.push_back(shown(mode.quality));
    for (const SteppedLane& lane : lanes)
      row.push_back(mode.frequency > 0 ? shown(lane.frequency(mode.frequency), lane_digits) : "");
  }
  return out + aligned(rows);
}

std::string ModeTable::csv() const {
  const auto lanes = stepped_lanes(*this);
  TableWriter table;
  for (std::size_t k = 0; k < std::min(count, modes.list.size()); ++k) {
    const Mode& mode = modes.list[k];
    table.add(k);
    for (const double value : {mode.square, mode.frequency, mode.growth}) table.add(value);
    if (modes.damped) table.add(mode.quality);
    for (const SteppedLane& lane : lanes)
      table.add(mode.frequency > 0 ? lane.frequency(mode.frequency) : std::nan(""));
    add_values(table, mode.shape);
    add_values(table, mode.imaginary);
    table.end_row();
  }
  return heading_row(mode_columns(*this)) + table.take();
}

std::string ModeTable::companion() const {
  Node root = provenance();
  root.set("equilibrium", equilibrium_node(equilibrium));
  root.set("columns", columns_node(mode_columns(*this)));
  root.set("scenario", to_json(scenario));
  return json::write(root);
}

json::Node ModeTable::document() const {
  Node list = Node::array();
  for (std::size_t k = 0; k < std::min(count, modes.list.size()); ++k) {
    const Mode& mode = modes.list[k];
    Node& node = list.items.emplace_back(Node::object({{"square", mode.square},
                                                       {"frequency", mode.frequency},
                                                       {"growth", mode.growth},
                                                       {"q", columns_document(mode.shape)}}));
    if (!modes.damped) continue;
    node.set("quality", mode.quality);
    node.set("imaginary_q", columns_document(mode.imaginary));
  }
  return Node::object({{"q", columns_document(equilibrium.q)}, {"modes", std::move(list)}});
}

Scenario scenario_at_rest(const Scenario& scenario, const Equilibrium& equilibrium) {
  Scenario out = scenario;
  out.continuation.reset();
  out.events.clear();
  out.branches.clear();
  out.q = equilibrium.q;
  out.omega = Columns::Zero(3, equilibrium.q.cols());
  out.title = fmt::format("{}: {}", scenario.title, name(equilibrium.kind()));
  out.description =
      fmt::format("Begins at rest in an equilibrium: a {} with a potential energy of {:.6g} J.",
                  name(equilibrium.kind()), equilibrium.potential_energy);
  return out;
}

Scenario scenario_in_mode(const Scenario& scenario, const Equilibrium& equilibrium,
                          const Modes& modes, std::size_t number, double amplitude) {
  const Mode& mode = modes.list[number];
  Scenario out = scenario_at_rest(scenario, equilibrium);
  const State start = start_in_mode(equilibrium.q, mode, amplitude);
  out.q = start.q;
  out.omega = start.w;
  out.title = fmt::format("{}: mode {}", scenario.title, number);
  out.description = fmt::format(
      "Begins in mode {} about an equilibrium, a {} with a potential energy of {:.6g} J, at an "
      "amplitude of {:.4g} degrees: frequency {:.6g} Hz, growth {:.6g} 1/s. Only for small "
      "amplitudes is the motion that of the mode.",
      number, name(equilibrium.kind()), equilibrium.potential_energy, amplitude * degrees,
      mode.frequency, mode.growth);
  return out;
}

}  // namespace twosphere
