// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/mechanics/integrator.h"
#include "core/scenario/section_surface.h"

namespace twosphere {

/// A point in which an orbit crosses a section.
struct SectionPoint {
  State state;              ///< with its time
  std::int64_t step = 0;    ///< the crossing lies in the step from t_k, k on the clock of the lane
  std::int64_t number = 0;  ///< of the crossing, from 0
  int direction = 0;        ///< 1 if g rises, −1 if it falls; of a stroboscopic section 0
};

/// The points in which the orbit of a method crosses a section.
///
/// Notation: y_k the state at t_k, h the step with its sign, Φ_h the map of the method; g_k =
/// g(y_k) the function of the section.
///
///   y(θ) = Φ_{θh}(y_k) at t_k + θh,  g(y(θ)) = 0,  0 ≤ θ ≤ 1     Hénon 1982; root: find_root()
///
/// A partial step lies on the sphere as all steps do, and its error is that of the method. The run
/// continues from y_k itself: points change no bit of it. The orbit rises through
/// the section if g_k ≤ 0 < g_{k+1} and falls if g_k ≥ 0 > g_{k+1}, so that an orbit that begins on
/// the section crosses it there. θ is found to rounding. Where g jumps through zero there is no
/// point. Stroboscopic times within 1e-9 h of t_k are t_k.
///
/// Where g has the same sign at both ends of a step, but approaches zero at the first and leaves it
/// at the second,
///
///   g ġ < 0 at t_k,  g ġ > 0 at t_{k+1},  min |g| < |h| max |ġ|
///
/// the extremum of g between them, ġ(θ) = 0, is looked for, and the two crossings beside it are
/// found if it is beyond zero. ġ is a difference along q̇ = ω × q and the mean ω̇ of the step. A step
/// of an adaptive method is searched in parts of about four inner steps, 64 at most. Pairs of
/// crossings between which g turns more often are missed.
///
/// Cost per step: five times g and a copy of the state and of the method's variables; per point
/// about 8 steps, each of which prepares the method; of a method that takes eight inner steps or
/// more, another step. Tests: on the sphere, g zero to rounding, order, the same bytes without
/// them, tori of the spherical pendulum, exact restart, adaptive methods, pairs within a step.
class SectionCrossings {
 public:
  /// `number`: of the next crossing.
  explicit SectionCrossings(std::shared_ptr<const SectionSurface> surface, std::int64_t number = 0)
      : surface_(std::move(surface)), number_(number) {}

  /// The same section with other parameters, or after an edit of the state; null: it has no points.
  void change(std::shared_ptr<const SectionSurface> surface);

  /// Before a step: notes y_k, and completes ω.
  void begin(const System& system, Integrator& method, State& state);
  /// After the step h to `state`, with its time: finds the points in it. `step`: k; `inner`: the
  /// inner steps that it took. False if this thread was interrupted; then the step has not been
  /// taken.
  bool end(const System& system, Integrator& method, double h, State& state, std::int64_t step,
           std::int64_t inner = 0);

  /// The points since the last call.
  std::vector<SectionPoint> take() { return std::exchange(points_, {}); }
  const std::shared_ptr<const SectionSurface>& surface() const { return surface_; }
  std::int64_t number() const { return number_; }  ///< of the next crossing
  std::int64_t jumps() const { return jumps_; }    ///< of g through zero
  std::int64_t failed() const { return failed_; }  ///< points whose partial step failed

  /// Appends what continues them to the variables of a lane.
  void save(IntegratorState& memory) const;
  /// The number of the next crossing in the variables of a lane, or 0.
  static std::int64_t load(const IntegratorState& memory);

 private:
  /// The step in which points are looked for.
  struct Step {
    const System& system;
    Integrator& method;
    double h;
    const State& end;
  };
  /// A part of the step after which g is known.
  struct Part {
    double theta, g;
  };
  bool take(const Step& step, double theta);
  void search(const Step& step, double next, std::int64_t parts);
  void find(const Step& step, Part a, Part b);
  void find_pair(const Step& step, Part a, Part b, const State& from, const State& to);
  double slope(const State& state, double h);
  void strobe(const Step& step);
  void add(const State& state, int direction);

  std::shared_ptr<const SectionSurface> surface_;
  std::int64_t number_ = 0, jumps_ = 0, failed_ = 0, step_ = 0;
  StepBeginning begin_;
  IntegratorState after_;  // the variables of the method after the whole step
  bool moved_ = false;     // whether the method was moved since
  State point_, beside_;
  Columns rate_;        // mean ω̇ of a part of the step
  double value_ = 0;    // g_k
  bool known_ = false;  // whether value_ is that of the present state
  std::vector<SectionPoint> points_;
};

}  // namespace twosphere
