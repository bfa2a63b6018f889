// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/pair_distribution_files.h"
#include "app/session/plan.h"
#include "app/session/trajectory.h"
#include "core/base/described_file.h"
#include "core/base/file.h"
#include "core/mechanics/turning_frame.h"
#include "core/output/csv.h"
#include "core/output/lattice_layer.h"
#include "core/output/named_values.h"
#include "core/output/page_rows.h"
#include "core/output/point_stream.h"
#include "core/run/modified_energy_error.h"
#include "core/studies/view_frame.h"
#include "core/worker/live_file.h"

namespace twosphere {

/// Where `twosphere run` writes; "-" is standard output. Empty: that file is not requested.
struct OutputPaths {
  std::string csv, trajectory, field, pairs, points, save_state, live, html, gltf;
  std::optional<std::string> html_frames;  ///< the most frames of the page
  std::optional<std::string> pair_bins;    ///< of the pair distribution function
  bool plots = false;    ///< adds the quantities that scenario and definition name to the CSV
  bool shadow = false;   ///< adds the error of the modified energy to the CSV
  bool momenta = false;  ///< adds μ and π to the tables of trajectories

  std::array<std::string*, 9> all() {
    return {&csv, &trajectory, &field, &pairs, &points, &save_state, &live, &html, &gltf};
  }
};

/// The output files of a run, all opened before the first step. More than twenty members: the
/// files, and what their rows are made from.
class RunOutputs {
 public:
  /// Fails if a path has the wrong extension, if two outputs are one file, or if a file cannot be
  /// opened. `plan`: its scenario is not replaced.
  static RunOutputs open(const OutputPaths& paths, const PlanOptions& plan,
                         const std::vector<LaneSpec>& lanes);

  /// How the page and the glTF file are seen: in the frame of this view of the scenario, the page
  /// with its layer alone. Fails if these are none; `document`: its name in the error.
  void view(const json::Node& view, const std::string& document);
  /// Writes what comes before the first row.
  void begin(Simulation& simulation);
  /// Call after every call of Simulation::advance_to() and Simulation::advance_rows().
  void advanced(Simulation& simulation);
  /// Writes a row of every lane of the record, also of those that have not begun.
  void row(Simulation& simulation);
  /// Whether a row takes more than its samples, so that rows() cannot write it.
  bool takes_states() const { return takes_states_; }
  /// Writes Simulation::rows(), of every lane of the record.
  void rows(const Simulation& simulation);
  /// Writes the new points of the section; returns their number.
  std::int64_t section_points(Simulation& simulation, int lane);
  /// Ends the live file.
  void end(Simulation& simulation, const LiveEnd& how);

  /// Whether writing the CSV, a trajectory, points or the live file has failed.
  bool failed() const;
  /// Commits all files; returns the exit status of the first failure, or 0.
  int commit(Simulation& simulation, const std::string& branch, double duration,
             std::int64_t every);
  /// The notes on modified energies, the web page and the glTF file after commit().
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// The frame of the view in this run; none, with a note, if it has no such frame.
  std::optional<TurningFrame> frame_in(const Simulation& simulation);
  Result<void> commit_page(Simulation& simulation, const std::optional<TurningFrame>& frame);
  Result<void> commit_gltf(Simulation& simulation, const std::optional<TurningFrame>& frame);
  double modified_energy_error(Simulation& simulation, int lane);

  int lanes_ = 0;  // of the record
  bool takes_states_ = false;
  CsvExtras extras_;
  std::optional<NamedValues> named_;           // none unless they are columns
  std::vector<ModifiedEnergyError> modified_;  // of each lane; empty unless they are columns
  std::vector<ModifiedEnergyDrift> drifts_;
  std::string live_path_;
  std::unique_ptr<LiveFileWriter> live_;
  std::optional<DescribedFile> csv_;
  std::optional<AtomicFile> state_;
  TrajectoryFiles trajectories_;
  PairDistributionFiles pairs_;
  std::vector<DescribedFile> fields_, points_;     // one per lane, if requested
  std::shared_ptr<const SectionSurface> surface_;  // of the points
  std::optional<AtomicFile> page_, gltf_;
  std::optional<PageRows> page_rows_;
  PointLimits page_limits_;
  std::optional<FrameChoice> frame_;   // of the view
  std::optional<LatticeLayer> layer_;  // of the view
  std::string scenario_, preset_;      // path or key of the scenario
  std::vector<std::string> notes_;
};

}  // namespace twosphere
