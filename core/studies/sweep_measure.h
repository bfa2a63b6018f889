// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/record/signal.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// A number that a task of a sweep measures, or a run.
struct SweepMeasure {
  enum class Kind {
    over_run,   ///< of a quantity, a plot or the closest pair: "energy_error.max"
    t_stop,     ///< time at which the run ended [s], see Simulation::stop_time()
    lyapunov,   ///< exponent "lyapunov[k]" [1/s]; "lyapunov" is the largest, k = 0
    megno,      ///< [1]
    fli,        ///< [1]
    frequency,  ///< line "frequency[k]" of the signal, "frequency" the largest, k = 0 [Hz]
    diffusion,  ///< frequency_diffusion() of the signal [1]
    cost,       ///< steps taken; inner steps of an adaptive method [1]
    basin,      ///< number of the stable equilibrium at which the run comes to rest, BasinWatch [1]
    orbit_period,      ///< T of the periodic orbit that is found from the start, OrbitPlan [s]
    orbit_multiplier,  ///< |μ| "orbit.multiplier[k]" of it in falling order; k = 0 without it [1]
  };
  /// max and min over every step, mean and last over the rows; of an error, such as energy_error,
  /// of its magnitude in all but last.
  enum class Over { last, max, mean, min };

  Kind kind = Kind::over_run;
  int index = 0;                   ///< of the exponent, line or multiplier
  Signal signal = Quantity::time;  ///< taken over the run
  Over over = Over::last;

  std::string key() const;    ///< as it is given: "energy_error.max"
  std::string label() const;  ///< "MEGNO", "Energy error, largest"
  /// Its meaning, in a sentence; of an expression its text.
  std::string_view meaning() const;
  std::string_view unit() const;
  /// Tangent vectors that it needs.
  int vectors() const;
  /// Whether it depends on which rows there are, or looks at so many steps that rows cost no more.
  bool needs_rows() const { return over_run() && over != Over::last; }
  /// Whether it is taken over the run, as `over` says.
  bool over_run() const { return kind == Kind::over_run; }
  /// Whether it depends on which rows there are.
  bool is_mean() const { return over_run() && over == Over::mean; }
  /// Whether it is taken over every step.
  bool is_extreme() const { return over_run() && (over == Over::max || over == Over::min); }
  bool needs_signal() const { return kind == Kind::frequency || kind == Kind::diffusion; }
  bool of_basin() const { return kind == Kind::basin; }
  /// Whether it is of the periodic orbit, for which no run is needed.
  bool of_orbit() const { return kind == Kind::orbit_period || kind == Kind::orbit_multiplier; }
  /// Whether tasks of sweeps alone have it, because it needs more than a run: MeasuredLane does
  /// not.
  bool of_sweep() const { return of_basin() || of_orbit(); }
  /// What is wrong with it where of_sweep().
  std::string not_of_run() const { return key() + " is a measure of sweeps alone"; }

  bool operator==(const SweepMeasure& other) const { return key() == other.key(); }
};

/// All over the run of a scenario that there are of signals, for each the extremes and others.
std::vector<SweepMeasure> measures_over_run(const Scenario& scenario);
/// Reads a measure of the runs of a scenario. The location of errors is empty.
Result<SweepMeasure> parse_measure(std::string_view text, const Scenario& scenario);
/// Reads one or more, separated by commas; the name of a plot may contain commas, too.
Result<std::vector<SweepMeasure>> parse_measures(std::string_view text, const Scenario& scenario);

}  // namespace twosphere
