// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/output/named_values.h"
#include "core/record/signal_samples.h"
#include "core/run/row_block.h"
#include "core/run/simulation.h"
#include "core/scenario/document.h"
#include "core/studies/sweep_measure.h"

namespace twosphere {

/// The values of some measures for a lane of a run as it continues: extremes over all steps that it
/// takes, so that they do not depend on which rows there are, the lines of a signal at samples of
/// its own, and means and last values over the rows. Quantities of steps without a row are measured
/// in a RowBlock, several steps together, where the system suits it.
class MeasuredLane {
 public:
  /// Fails as SignalSamples::create() where a measure needs a signal.
  static Result<MeasuredLane> create(std::vector<SweepMeasure> measures, const Scenario& scenario,
                                     int lane = 0);

  /// Takes the present step into account, or those of Simulation::rows(), as a
  /// Simulation::Observer; nothing is computed where no measure is an extreme or of the signal.
  std::int64_t see(Simulation& run);
  /// Whether see() takes rows: signals have samples at their own steps.
  bool takes_rows() const { return !signal_; }
  /// Adds the present row, or those of Simulation::rows().
  void add_row(Simulation& run);

  struct Value {
    double value = 0;              ///< NaN if there is none
    std::optional<double> time{};  ///< of an extreme, where the run had it first [s]
  };
  /// One for each measure, at the present state; none of SweepMeasure::of_sweep(). `steps_before`:
  /// steps taken before the run was continued.
  std::vector<Value> values(Simulation& run, double steps_before = 0);
  const std::vector<SweepMeasure>& measures() const { return measures_; }

  const std::optional<SignalSamples>& signal() const { return signal_; }

  /// Data that continue it together with the state of the run after so many steps.
  json::Node saved(std::int64_t steps);
  /// Continues from there; false if it is not of these measures. Throws as document::Value does.
  bool restore(const document::Value& saved);

 private:
  /// The sums of a measure so far.
  struct Sums {
    double value = 0, time = 0;  // the extreme and its time, or the last value
    CompensatedSum sum;
    double count = 0;

    void add(SweepMeasure::Over over, double x, double t);
    double of(SweepMeasure::Over over) const;
  };
  /// The steps whose quantities are measured together, all with the same system and E_0.
  struct Together {
    RowBlock block{};
    std::shared_ptr<const System> system{};
    bool suits = false;
    double energy_reference = 0;  // [J]
  };
  template <class SampleOf>
  void add(Simulation& run, const State& state, double t, ExpressionValues& plotted,
           const SampleOf& sample_of, bool extremes, bool quantities);
  void add_steps(Simulation& run, ExpressionValues& plotted, bool extremes, bool quantities);
  bool put_off(Simulation& run);
  void measure_together();
  double value_of(const SweepMeasure& measure, Simulation& run, const std::vector<Line>& lines,
                  double steps_before) const;

  std::vector<SweepMeasure> measures_;
  int lane_ = 0;
  bool extremes_ = false;    // whether there are any
  bool quantities_ = false;  // whether one of them is of a quantity
  std::vector<Sums> sums_;
  Together together_;
  State row_;                                    // of a row that came with others
  ExpressionValues at_steps_{{}}, at_rows_{{}};  // the plots among the measures
  std::optional<SignalSamples> signal_{};        // if a measure needs it
};

/// Steps taken by a lane; inner steps of an adaptive method.
double steps_of(const Simulation& run, int lane = 0);

}  // namespace twosphere
