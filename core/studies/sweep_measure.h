// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/diagnostics.h"
#include "core/scenario/plotted_expression.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// A number that a task of a sweep measures, or a run.
struct SweepMeasure {
  enum class Kind {
    quantity,       ///< over the run: "energy_error.max"
    own,            ///< likewise, of a plot that a custom system names: "plots.height.max"
    plotted,        ///< likewise, of a plot of the scenario
    closest_angle,  ///< likewise, of Signal::closest_angle(), in systems with encounters
    t_stop,         ///< time at which the run ended [s], see Simulation::stop_time()
    lyapunov,       ///< exponent "lyapunov[k]" [1/s]; "lyapunov" is the largest, k = 0
    megno,          ///< [1]
    fli,            ///< [1]
    frequency,      ///< line "frequency[k]" of the signal, "frequency" the largest, k = 0 [Hz]
    diffusion,      ///< frequency_diffusion() of the signal [1]
    cost,           ///< steps taken; inner steps of an adaptive method [1]
  };
  /// max and min over every step, mean and last over the rows; of an error, such as energy_error,
  /// of its magnitude in all but last.
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
  /// Whether it depends on which rows there are, or looks at so many steps that rows cost no more.
  bool needs_rows() const { return over_run() && over != Over::last; }
  /// Whether it is taken over the run, as `over` says.
  bool over_run() const {
    return kind == Kind::quantity || kind == Kind::own || kind == Kind::plotted ||
           kind == Kind::closest_angle;
  }
  /// Whether it is taken over every step.
  bool is_extreme() const { return over_run() && (over == Over::max || over == Over::min); }
  bool needs_signal() const { return kind == Kind::frequency || kind == Kind::diffusion; }

  bool operator==(const SweepMeasure& other) const { return key() == other.key(); }
};

/// Reads a measure of the runs of a scenario, whose kind of system it needs as long as it is used.
/// The location of errors is empty.
Result<SweepMeasure> parse_measure(std::string_view text, const Scenario& scenario);
/// Reads one or more, separated by commas; the name of a plot may contain commas, too.
Result<std::vector<SweepMeasure>> parse_measures(std::string_view text, const Scenario& scenario);

}  // namespace twosphere
