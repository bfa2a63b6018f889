// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/equilibria_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "core/base/build.h"
#include "core/base/table_writer.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/mechanics/coarse_step.h"
#include "core/mechanics/direction_text.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/turn_between.h"
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

std::vector<CsvColumn> equilibrium_columns(Eigen::Index bodies) {
  std::vector<CsvColumn> columns{
      {"equilibrium", "1", "Number, from 0, in the order of the potential energy."},
      {"potential_energy", "J",
       "V, or V_eff in axes that rotate, with constant forces f as the potential -f.q."},
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

/// A relative equilibrium with its place in the list.
struct NumberedRelative {
  std::size_t number, curve;
  bool turn;
  const RelativeEquilibrium& at;
};

std::vector<NumberedRelative> numbered(const RelativeEquilibria& found) {
  std::vector<NumberedRelative> list;
  for (std::size_t c = 0; c < found.curves.size(); ++c) {
    const RelativeCurve& curve = found.curves[c];
    for (std::size_t k = 0; k < curve.list.size(); ++k)
      list.push_back({list.size(), c,
                      std::find(curve.turns.begin(), curve.turns.end(), k) != curve.turns.end(),
                      curve.list[k]});
  }
  return list;
}

std::size_t max_eigenvalues(const std::vector<NumberedRelative>& list) {
  std::size_t most = 0;
  for (const NumberedRelative& one : list) most = std::max(most, one.at.eigenvalues.size());
  return most;
}

std::vector<CsvColumn> relative_columns(const std::vector<NumberedRelative>& list) {
  std::vector<CsvColumn> columns{
      {"relative_equilibrium", "1", "Number, from 0, along the curves."},
      {"curve", "1", "Number of its curve, from 0."},
      {"turn", "1", "1 where the momentum turns back along the curve."},
      {"rate", "rad/s", "Omega, with which all bodies turn about the axis."},
      {"momentum", "J s", "Component of the momentum map J along the axis."},
      {"inertia", "kg m^2", "I, which Omega multiplies in the momentum."},
      {"energy", "J", "Total energy."},
      {"index", "1",
       "Number of negative eigenvalues of the second derivative of the energy at this momentum, "
       "without the rotation."},
      {"nullity", "1", "How many of them vanish."},
      {"stability", "", "stable, linearly stable, unstable or degenerate."},
      {"growth", "1/s", "Of the small motion that grows fastest."}};
  for (std::size_t k = 0; k < max_eigenvalues(list); ++k) {
    columns.push_back({fmt::format("eigenvalue{}_re", k), "1/s", "Growth of a small motion."});
    columns.push_back({fmt::format("eigenvalue{}_im", k), "rad/s",
                       "Its angular frequency in the frame that turns."});
  }
  add_vectors(columns, "q", list.empty() ? 0 : list.front().at.q.cols(), "Direction");
  return columns;
}

/// A lane of which the frequency in its steps is known.
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
    if (!method || method->adaptive) continue;
    // Splittings do not treat the bodies of an elliptic mode alike: what they make of its frequency
    // depends on more than that.
    if (table.modes.elliptic && method->explicit_method && method->applies) continue;
    // Nor do steps that turn into the axes. What needs the equations of motion alone takes those of
    // first order, too.
    if (table.modes.axes_rotate && !method->takes.first_order) continue;
    lanes.push_back({lane.name, method, lane.step});
  }
  return lanes;
}

std::vector<CsvColumn> mode_columns(const ModeTable& table) {
  const bool damped = table.modes.damped;
  std::vector<CsvColumn> columns{
      {"mode", "1", "Number, from 0, in the order of the square."},
      {"square", "rad^2/s^2",
       "nu^2, of which a negative one grows; of an elliptic mode its real part."},
      {"frequency", "Hz", "Of the oscillation; 0 if there is none."},
      {"growth", "1/s",
       "Rate at which the mode grows; of an elliptic mode negative if it decays."}};
  if (damped) columns.push_back({"quality", "1", "Q of a damped oscillation."});
  if (table.modes.has_energy_signs())
    columns.push_back({"energy_sign", "1", "-1: the oscillation lowers the energy; 0: none."});
  for (const SteppedLane& lane : stepped_lanes(table))
    columns.push_back({lane.name + "/frequency", "Hz", "That of this lane with its step."});
  const Eigen::Index bodies = table.equilibrium.q.cols();
  add_vectors(columns, "delta_q", bodies, "Displacement");
  if (table.modes.elliptic)
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
  for (const Equilibrium& e : found.list) {
    rows.push_back({fmt::format("{}", e.number), shown(e.potential_energy),
                    fmt::format("{}", e.index), fmt::format("{}", e.nullity),
                    std::string(name(e.kind())), direction_list(e.q)});
  }
  return out + aligned(rows, 2);
}

std::string equilibria_table(const Equilibria& found) {
  if (found.list.empty()) return csv_heading_row(equilibrium_columns(0));
  TableWriter table;
  for (const Equilibrium& e : found.list) {
    table.add(e.number);
    table.add(e.potential_energy);
    for (const int count : {e.index, e.nullity, e.rotations}) table.add(count);
    table.add(name(e.kind()));
    add_values(table, e.q);
    table.end_row();
  }
  return csv_heading_row(equilibrium_columns(found.list.front().q.cols())) + table.take();
}

std::string equilibria_companion(const Scenario& scenario, const EquilibriumSearch& search) {
  Node root = provenance();
  root.set("tries", Node::whole(search.tries));
  root.set("seed", Node::whole(static_cast<std::int64_t>(search.seed)));
  if (search.merge_equal) root.set("merge_equal", Node::truth(true));
  root.set("columns", described_columns(equilibrium_columns(scenario.q.cols())));
  root.set("scenario", to_json(scenario));
  return json::write(root);
}

json::Node to_json(const Equilibria& found) {
  return Node::object({{"equilibria", Node::array(found.list, [](const Equilibrium& e) {
                          Node node = equilibrium_node(e);
                          node.set("number", Node::whole(static_cast<std::int64_t>(e.number)));
                          return node;
                        })}});
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
  if (modes.has_energy_signs()) rows[0].emplace_back("energy sign");
  for (const SteppedLane& lane : lanes) rows[0].push_back(lane.name + " [Hz]");
  for (std::size_t k = 0; k < std::min(count, modes.list.size()); ++k) {
    const Mode& mode = modes.list[k];
    auto& row = rows.emplace_back(std::vector<std::string>{
        fmt::format("{}", k), shown(mode.square), shown(mode.frequency), shown(mode.growth)});
    if (modes.damped) row.push_back(shown(mode.quality));
    if (modes.has_energy_signs()) row.push_back(fmt::format("{:+}", mode.energy_sign));
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
    if (modes.has_energy_signs()) table.add(mode.energy_sign);
    for (const SteppedLane& lane : lanes)
      table.add(mode.frequency > 0 ? lane.frequency(mode.frequency) : std::nan(""));
    add_values(table, mode.shape);
    add_values(table, mode.imaginary);
    table.end_row();
  }
  return csv_heading_row(mode_columns(*this)) + table.take();
}

std::string ModeTable::companion() const {
  Node root = provenance();
  root.set("equilibrium", equilibrium_node(equilibrium));
  root.set("columns", described_columns(mode_columns(*this)));
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
    if (!modes.elliptic) continue;
    if (modes.damped) node.set("quality", mode.quality);
    if (modes.has_energy_signs()) node.set("energy_sign", Node::whole(mode.energy_sign));
    node.set("imaginary_q", columns_document(mode.imaginary));
  }
  return Node::object({{"q", columns_document(equilibrium.q)}, {"modes", std::move(list)}});
}

std::string relative_text(const RelativeEquilibria& found) {
  const std::vector<NumberedRelative> list = numbered(found);
  const bool followed = found.curves.size() < list.size();
  std::string out = fmt::format(
      "relative equilibria: {}{}, where {} of {} starts ended\n", list.size(),
      followed ? " on " + counted(static_cast<std::int64_t>(found.curves.size()), "curve") : "",
      found.converged, found.starts);
  if (list.empty()) return out;
  std::vector<std::vector<std::string>> rows{{"number", "curve", "rate [rad/s]", "momentum [J s]",
                                              "energy [J]", "index", "growth [1/s]",
                                              "frequencies [Hz]", "stability", "q"}};
  if (direction_list(list.front().at.q).empty()) rows[0].back().clear();
  for (const auto& [number, curve, turn, at] : list) {
    std::string frequencies;
    for (const std::complex<double>& s : at.eigenvalues)
      if (s.imag() > 0)
        frequencies +=
            (frequencies.empty() ? "" : " ") + shown(s.imag() / (2 * std::numbers::pi), 7);
    rows.push_back(
        {fmt::format("{}", number), fmt::format("{}", curve), shown(at.rate), shown(at.momentum),
         shown(at.energy), fmt::format("{}", at.index), shown(at.growth()), std::move(frequencies),
         std::string(name(at.stability)) + (turn ? ", turn" : ""), direction_list(at.q)});
  }
  return out + aligned(rows, 3);
}

std::string relative_table(const RelativeEquilibria& found) {
  const std::vector<NumberedRelative> list = numbered(found);
  const std::size_t most = max_eigenvalues(list);
  TableWriter table;
  for (const auto& [number, curve, turn, at] : list) {
    table.add(number);
    table.add(curve);
    table.add(turn ? 1 : 0);
    for (const double value : {at.rate, at.momentum, at.inertia, at.energy}) table.add(value);
    table.add(at.index);
    table.add(at.nullity);
    table.add(name(at.stability));
    table.add(at.growth());
    for (std::size_t k = 0; k < most; ++k) {
      const bool present = k < at.eigenvalues.size();
      table.add(present ? at.eigenvalues[k].real() : std::nan(""));
      table.add(present ? at.eigenvalues[k].imag() : std::nan(""));
    }
    add_values(table, at.q);
    table.end_row();
  }
  return csv_heading_row(relative_columns(list)) + table.take();
}

std::string relative_companion(const Scenario& scenario, const EquilibriumSearch& search,
                               const RelativeEquilibria& found) {
  Node root = provenance();
  root.set("axis", direction_name(found.curves.front().list.front().axis));
  root.set("tries", Node::whole(search.tries));
  root.set("seed", Node::whole(static_cast<std::int64_t>(search.seed)));
  if (search.merge_equal) root.set("merge_equal", Node::truth(true));
  root.set("columns", described_columns(relative_columns(numbered(found))));
  root.set("scenario", to_json(scenario));
  return json::write(root);
}

json::Node to_json(const RelativeEquilibria& found) {
  return Node::object(
      {{"relative_equilibria", Node::array(numbered(found), [](const NumberedRelative& one) {
          const RelativeEquilibrium& at = one.at;
          return Node::object(
              {{"q", columns_document(at.q)},
               {"rate", at.rate},
               {"momentum", at.momentum},
               {"energy", at.energy},
               {"index", Node::whole(at.index)},
               {"nullity", Node::whole(at.nullity)},
               {"stable", Node::truth(at.stability == Stability::stable)},
               {"stability", name(at.stability)},
               {"growth", at.growth()},
               {"eigenvalues",
                Node::array(at.eigenvalues,
                            [](const std::complex<double>& s) {
                              return Node::array(std::vector<double>{s.real(), s.imag()});
                            })},
               {"curve", Node::whole(static_cast<std::int64_t>(one.curve))},
               {"turn", Node::truth(one.turn)}});
        })}});
}

namespace {

/// The scenario with another start, without what has happened since the former one.
Scenario begun_at(const Scenario& scenario, const State& start) {
  Scenario out = scenario;
  out.continuation.reset();
  out.events.clear();
  out.branches.clear();
  out.orbit.reset();
  out.generator = {};
  out.q = start.q;
  out.omega = start.w;
  return out;
}

/// The scenario of a start in mode `number`, which of systems of first order has the velocities
/// that follow from its directions.
Scenario begun_in_mode(const Scenario& scenario, const State& start, std::size_t number) {
  Scenario out = begun_at(scenario, start);
  if (info_of(out).first_order)
    if (const auto system = create_system(out)) first_order_velocity(**system, 0, out.q, out.omega);
  out.title = fmt::format("{}: mode {}", scenario.title, number);
  return out;
}

}  // namespace

Scenario scenario_at_rest(const Scenario& scenario, const Equilibrium& equilibrium) {
  const Columns& q = equilibrium.q;
  Scenario out = begun_at(scenario, {0, q, Columns::Zero(3, q.cols())});
  out.title = fmt::format("{}: {}", scenario.title, name(equilibrium.kind()));
  out.description =
      fmt::format("Begins at rest in an equilibrium: a {} with a potential energy of {:.6g} J.",
                  name(equilibrium.kind()), equilibrium.potential_energy);
  return out;
}

Scenario scenario_turning(const Scenario& scenario, const RelativeEquilibrium& relative) {
  Scenario out = begun_at(scenario, start_turning(relative));
  out.title = fmt::format("{}: relative equilibrium", scenario.title);
  out.description = fmt::format(
      "Begins in a relative equilibrium, {}: all bodies turn about {} at {:.6g} rad/s, with a "
      "momentum of {:.6g} J s and an energy of {:.6g} J.",
      name(relative.stability), direction_name(relative.axis), relative.rate, relative.momentum,
      relative.energy);
  return out;
}

Scenario scenario_turning_in_mode(const Scenario& scenario, const RelativeEquilibrium& relative,
                                  const Modes& modes, std::size_t number, double amplitude) {
  const Mode& mode = modes.list[number];
  Scenario out = begun_in_mode(
      scenario, start_turning_in_mode(relative.q, relative.rate * relative.axis, mode, amplitude),
      number);
  out.description = fmt::format(
      "Begins in small motion {} about a relative equilibrium, {}, that turns about {} at {:.6g} "
      "rad/s, at an amplitude of {:.4g} degrees: in the frame that turns the frequency is {:.6g} "
      "Hz, the growth {:.6g} 1/s. Only for small amplitudes is the motion that of the mode.",
      number, name(relative.stability), direction_name(relative.axis), relative.rate,
      amplitude * degrees, mode.frequency, mode.growth);
  return out;
}

Scenario scenario_in_mode(const Scenario& scenario, const Equilibrium& equilibrium,
                          const Modes& modes, std::size_t number, double amplitude) {
  const Mode& mode = modes.list[number];
  Scenario out = begun_in_mode(scenario, start_in_mode(equilibrium.q, mode, amplitude), number);
  out.description = fmt::format(
      "Begins in mode {} about an equilibrium, a {} with a potential energy of {:.6g} J, at an "
      "amplitude of {:.4g} degrees: frequency {:.6g} Hz, growth {:.6g} 1/s. Only for small "
      "amplitudes is the motion that of the mode.",
      number, name(equilibrium.kind()), equilibrium.potential_energy, amplitude * degrees,
      mode.frequency, mode.growth);
  return out;
}

}  // namespace twosphere
