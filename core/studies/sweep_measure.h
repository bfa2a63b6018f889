// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/export/named_values.h"
#include "core/mechanics/diagnostics.h"
#include "core/record/signal_samples.h"
#include "core/run/simulation.h"
#include "core/scenario/plotted_expression.h"

namespace twosphere {

/// A number that a task of a sweep measures.
struct SweepMeasure {
  enum class Kind {
    quantity,   ///< of the rows of the run: "energy_error.max"
    own,        ///< likewise, of a plot that a custom system names: "plots.height.max"
    plotted,    ///< likewise, of a plot of the scenario
    t_stop,     ///< time at which the run ended [s], see Simulation::stop_time()
    lyapunov,   ///< exponent "lyapunov[k]" [1/s]; "lyapunov" is the largest, k = 0
    megno,      ///< [1]
    fli,        ///< [1]
    frequency,  ///< line "frequency[k]" of the signal, "frequency" the largest, k = 0 [Hz]
    diffusion,  ///< frequency_diffusion() of the signal [1]
    cost,       ///< steps taken; inner steps of an adaptive method [1]
  };
  /// Over the rows; of an error, such as energy_error, its magnitude in max, mean and min.
  enum class Over { last, max, mean, min };

  Kind kind = Kind::quantity;
  Quantity quantity = Quantity::time;
  Over over = Over::last;
  int index = 0;               ///< of the exponent or line
  OwnQuantity own_quantity{};  ///< of the record of the system, with which it lives
  PlottedExpression plotted{};

  std::string key() const;  ///< as it is given: "energy_error.max"
  std::string_view unit() const;
  /// Tangent vectors that it needs.
  int vectors() const;
  /// Whether it depends on which rows there are.
  bool needs_rows() const { return (over_rows() && over != Over::last) || needs_signal(); }
  /// Whether it is taken over the rows, as `over` says.
  bool over_rows() const {
    return kind == Kind::quantity || kind == Kind::own || kind == Kind::plotted;
  }
  bool needs_signal() const { return kind == Kind::frequency || kind == Kind::diffusion; }

  bool operator==(const SweepMeasure& other) const { return key() == other.key(); }
};

/// Reads a measure of the runs of a scenario, whose kind of system it needs as long as it is used.
/// The location of errors is empty.
Result<SweepMeasure> parse_measure(std::string_view text, const Scenario& scenario);

/// What the rows of a run have given so far for one measure.
struct MeasureSums {
  double last = 0, max = 0, min = 0;
  CompensatedSum sum;
  double count = 0;

  void add(double value);
  double over(SweepMeasure::Over over) const;
};

/// The values of the plots of the scenario among these measures, in their order.
ExpressionValues plotted_values(const std::vector<SweepMeasure>& measures);
/// Adds the present row of a run, lane 0, to the sums of every measure.
void add_row(const std::vector<SweepMeasure>& measures, Simulation& run, const Sample& sample,
             ExpressionValues& plotted, std::vector<MeasureSums>& sums);
/// What the signal of a run gives.
struct SignalMeasures {
  std::vector<Line> lines;
  double diffusion = 0;
};
/// As much of it as these measures need; `samples` may be null if they need none.
SignalMeasures signal_measures(const std::vector<SweepMeasure>& measures,
                               const SignalSamples* samples);
/// The value of a measure at the present state. `steps_before`: steps taken before the run was
/// continued.
double measured_value(const SweepMeasure& measure, Simulation& run, const MeasureSums& sums,
                      const SignalMeasures& signal, double steps_before);
/// Steps taken by lane 0; inner steps of an adaptive method.
double steps_of(const Simulation& run);

}  // namespace twosphere
