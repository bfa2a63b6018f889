// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/diagnostics.h"
#include "core/record/pair_distribution.h"
#include "core/record/section_points.h"
#include "core/record/series.h"
#include "core/record/signal.h"
#include "core/record/surface_field.h"
#include "core/run/simulation.h"
#include "core/scenario/plotted_expression.h"
#include "core/scenario/scenario.h"

namespace twosphere {

// Tables follow RFC 4180, as TableWriter writes them.

/// A column of a table: "NAME [UNIT]" in its header, with its meaning in its companion.
struct CsvColumn {
  std::string name, unit, meaning;
};
/// "NAME/" before the columns of a lane if there are several.
std::string lane_prefix(const std::vector<LaneSpec>& lanes, const LaneSpec& lane);
CsvColumn csv_column(const Signal& signal, const std::string& prefix = {});
std::string csv_heading(const CsvColumn& column);
/// The row of these headings; of columns of words, which have no unit, their names alone.
std::string csv_heading_row(const std::vector<CsvColumn>& columns);
/// What companions say of columns: [{"name", "unit", "meaning"}, …].
json::Node described_columns(const std::vector<CsvColumn>& columns);
/// The companion of a table with these columns, of the rows in a time range [s].
std::string table_companion(const Scenario& record, const std::vector<CsvColumn>& columns,
                            Range time);

/// Columns on request.
struct CsvExtras {
  /// After those of each lane, requested_signals() with these expressions: "temperature [J]" …, and
  /// the quantities that a definition names and the expressions, as "plots.height [m]".
  bool plots = false;
  std::vector<PlottedExpression> expressions{};
  int bodies = 0;  ///< with `plots`: n
  /// After these of each lane, its "modified_energy_error [J]".
  bool shadow = false;
  /// If so many tangent vectors follow the lanes, lyapunov, lyapunov[1], …, megno and fli of each
  /// lane, after all others.
  int vectors = 0;
};
/// Header of the sample CSV: "time [s],kinetic_energy [J],…", with "NAME/" before each column of
/// each lane if there are several lanes: recorded_lanes().
std::string csv_header(const SystemInfo& system, const std::vector<LaneSpec>& lanes,
                       const CsvExtras& extras = {});
/// One row from one sample per lane, from NamedValues of each and its ModifiedEnergyError if there
/// are such columns, and from exponent_values() of all lanes. The fields of a lane that has not
/// begun, and values that are not finite, are empty.
std::string csv_row(const SystemInfo& system, const std::vector<Sample>& lane_samples,
                    const std::vector<std::vector<double>>& named = {},
                    std::span<const double> exponents = {});
/// The exponents, MEGNO and FLI of a lane at its present state; NaN if no vectors follow it.
std::vector<double> exponent_values(Simulation& run, int lane, int vectors);
/// The companion "NAME.csv.json": version, ISA, scenario with its `every`, lanes, events, units and
/// meanings of the columns; the time range [s] if the table contains only the rows in it; and, in
/// all companions, the name of the branch if the record is one.
std::string csv_companion(const Scenario& record, std::optional<Range> time = {},
                          const std::string& branch = {}, const CsvExtras& extras = {});

/// Trajectory: time, q0_x …, omega0_x [rad/s] …; with momenta also mu0_x [J s] … and pi0_x [J s]
/// …, the μ and π of [P2], in systems of first order π alone, as there is no μ; of an attitude a0_x
/// [1] … and b0_x [1] … of each body (core/mechanics/attitude.h); and of a base that flies base_x
/// [m] … and base_vx [m/s] ….
std::string trajectory_header(const SystemInfo& info, const System& system, bool momenta = false);
std::string trajectory_row(const System& system, const State& state, bool momenta = false);
/// The companion of a trajectory; with several lanes it names the lane.
std::string trajectory_companion(const Scenario& record, std::size_t lane = 0,
                                 const std::string& branch = {}, bool momenta = false);
/// Points of a section: time, step on the clock of the lane (the point lies in the step from
/// there), number of the crossing, direction of an expression (1 if it rises, −1 if it falls), and
/// the coordinates of the section. Where orbits from several starts share a table, the first column
/// is the number of the start.
std::string section_header(const SectionSurface& surface, bool several_starts = false);
std::string section_row(const SectionSurface& surface, const SectionPoint& point,
                        std::optional<std::size_t> start = {});
/// The same of one of the points that were kept.
std::string section_row(const SectionSurface& surface, const SectionPoints& points,
                        std::size_t index);
/// Its companion; with several lanes it names the lane.
std::string section_companion(const Scenario& record, const SectionSurface& surface,
                              std::size_t lane = 0, const std::string& branch = {});
/// The kinetic energy field at time t, [P1] Fig. 3.7, one row per face: time, face, its centre
/// center_x [1] …, kinetic_energy [J], the number of bodies in the face, and whether its
/// neighbourhood was widened (1) or not (0).
std::string field_table(double t, const SurfaceField& field);
std::string field_companion(const Scenario& record, std::size_t lane,
                            const std::string& branch = {});
/// The pair distribution function, one row per bin: the middle of the bin, angle [rad],
/// pair_distribution [1], and the number of pairs in it in all rows.
std::string pair_distribution_table(const PairDistribution& pairs);
std::string pair_distribution_companion(const Scenario& record, std::size_t lane,
                                        const std::string& branch = {});
/// One frame of extended XYZ, one line per body with the values of BodyRecord: position [m],
/// velocity [m/s], q, ω [rad/s] and, except of first order, its share ½ q̇_i·Σ_j M_ij q̇_j of the
/// kinetic energy [J]. The comment line contains Time=.
std::string xyz_frame(const System& system, const State& state);

}  // namespace twosphere
