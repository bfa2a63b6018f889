// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/integrator.h"
#include "core/scenario/scenario.h"

/// Order studies: methods started from one state with several accuracies and compared at the end of
/// the run with a reference solution.
namespace twosphere {

/// The parameter that sets the accuracy of a method.
enum class AccuracyControl {
  step,       ///< h; for an adaptive method the first inner step
  tolerance,  ///< the relative tolerance of the error control; the absolute one is 1e-3 of it
};
AccuracyControl accuracy_control(const IntegratorInfo& info);

struct OrderStudy {
  Scenario scenario;               ///< start, parameters and duration T; without events
  std::vector<LaneSpec> methods;   ///< their steps are not used
  std::vector<double> steps;       ///< [s], each T/N with an integer N
  std::vector<double> tolerances;  ///< of methods with error control
  LaneSpec reference;              ///< a method with its step, or first inner step
};

/// The defaults of a study: every integrator of the catalogue that supports the
/// system, in its order,
std::vector<std::string> study_methods(const System& system);
/// of these the fixed-step one of the highest order, the last one of several, as reference; empty
/// if there is none;
std::string default_reference(const std::vector<std::string>& keys);
/// and steps from four times to an eighth of that of the first lane that divide the duration.
std::vector<double> default_steps(const Scenario& scenario);
/// The few of these methods that the window compares at first.
std::vector<std::string> default_methods(const std::vector<std::string>& keys);

/// One run of a study.
struct OrderPoint {
  std::size_t method = 0;        ///< index in OrderStudy::methods
  double control = 0;            ///< step [s] or relative tolerance
  std::int64_t evaluations = 0;  ///< of the forces of all bodies
  double seconds = 0;            ///< processor time of the steps
  /// Largest |q_i − q_i^ref| at the end, and of a base that flies |X − X^ref|/L, base_distance().
  double error = 0;
  double energy_error = 0;  ///< largest |E − E_0 − W| of about a hundred samples [J]
  double length_error = 0;  ///< largest | |q_i| − 1 | of these samples
  /// Largest |H̃ − H̃₀ − W| of them, ModifiedEnergy, of their largest T; NaN if there is no H̃.
  double modified_energy_error = std::numeric_limits<double>::quiet_NaN();
  StepStatus status = StepStatus::ok;
  double t = 0;  ///< time that was reached, T unless a step failed [s]
};

/// The order of a method: the slope of log error against log step.
struct MeasuredOrder {
  double order = 0;
  double deviation = 0;  ///< standard error of the slope; 0 for two points
  int points = 0;

  /// Whether the errors fall with a power of the step.
  bool asymptotic() const { return deviation <= 0.15; }
};
/// Fits the slope to up to four of the smallest steps whose errors lie between `min_error` and 0.1
/// and thus depend on the step and not on the reference. Where the errors of the smallest steps are
/// rounding, because they fall more slowly than the step, those below ten times that level do not
/// count either. None for fewer than two points.
std::optional<MeasuredOrder> measured_order(std::span<const double> steps,
                                            std::span<const double> errors, double min_error);

struct OrderStudyResult {
  std::vector<OrderPoint> points;  ///< by method, then from the coarsest to the finest
  std::size_t runs = 0;            ///< points of the whole study
  Columns reference_end;           ///< q at the end, and after it X/L of a base that flies
  /// Distance at the end between the reference and the same method with twice the step: an upper
  /// bound of its error if its error falls with the step.
  double reference_error = 0;
  /// Errors below this are not resolved: ten times the error of the reference, at least 1e-13.
  double min_error() const;
  bool complete() const { return points.size() == runs; }
};

/// The order that a study has measured for one of its methods; none for methods with error control,
/// and where fewer than two errors count.
std::optional<MeasuredOrder> order_of(const OrderStudy& study, const OrderStudyResult& result,
                                      std::size_t method);

/// The power of the step with which a method of the study keeps its modified energy; none likewise,
/// and where it has none.
std::optional<MeasuredOrder> modified_order_of(const OrderStudy& study,
                                               const OrderStudyResult& result, std::size_t method);

/// The observer of a study while it runs.
struct OrderStudyWatch {
  /// Called about 20 times a second on the calling thread with the number of runs done and of all;
  /// if it returns false, the study stops.
  std::function<bool(std::size_t done, std::size_t all)> proceed{};
  /// Called before that with the points so far whenever there are more of them.
  std::function<void(const OrderStudyResult& so_far)> found{};
};
/// Runs the study on `threads` threads. A step that fails is a result, not an error, except in the
/// reference. Points of `earlier`, a result of the same study that was stopped, are taken as they
/// are. A study that is stopped has the points so far, or no result if the reference was not done.
/// Fails with the kind usage if the scenario has events, if a step does not divide the duration, or
/// if a method does not support the system.
Result<std::optional<OrderStudyResult>> run_order_study(
    const OrderStudy& study, int threads, const OrderStudyWatch& watch,
    const std::optional<OrderStudyResult>& earlier = {});

/// "2.00 ± 0.01", "2.31 ± 0.22, pre-asymptotic", of two points "2.00".
std::string in_words(const MeasuredOrder& order);
/// "1.38e-06" or, if it is not resolved, "< 3e-13".
std::string error_in_words(const OrderStudyResult& result, double error);
/// "NAME with a step of 0.01 s; with twice the step its end differs by 3.3e-14"; an adaptive method
/// has a first inner step.
std::string reference_in_words(const OrderStudy& study, const OrderStudyResult& result,
                               std::string_view name);
/// A method in the table of a study, in words: its title, its order, its nominal order, the
/// smallest error and what that costs in evaluations.
using OrderRow = std::array<std::string, 5>;
std::vector<OrderRow> order_rows(const OrderStudy& study, const OrderStudyResult& result);
/// The table and the orders, also of modified energies, as text in columns.
std::string order_text(const OrderStudy& study, const OrderStudyResult& result);

}  // namespace twosphere
