// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/section_crossings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/interrupt.h"
#include "core/base/root.h"
#include "core/scenario/scenario.h"

namespace twosphere {

void SectionCrossings::change(std::shared_ptr<const SectionSurface> surface) {
  surface_ = std::move(surface);
  known_ = false;
}

void SectionCrossings::begin(const System& system, Integrator& method, State& state) {
  if (!surface_) return;
  // g_k is that of the end of the last step, unless something has changed since.
  if (!known_) {
    method.complete(system, state);
    if (!surface_->stroboscopic()) value_ = surface_->value(state);
  }
  begin_.state = state;
  method.save_state(begin_.memory);
}

bool SectionCrossings::end(const System& system, Integrator& method, double h, State& state,
                           std::int64_t step, std::int64_t inner) {
  if (!surface_) return true;
  method.complete(system, state);
  step_ = step;
  moved_ = false;
  const std::size_t before = points_.size();
  const std::int64_t number = number_;
  const Step taken{system, method, h, state};
  if (surface_->stroboscopic()) {
    strobe(taken);
  } else {
    constexpr std::int64_t together = 4, max_parts = 64;
    const double next = surface_->value(state);
    search(taken, next, std::clamp<std::int64_t>(inner / together, 1, max_parts));
    value_ = next;
  }
  known_ = true;
  if (!moved_) return true;
  // Partial steps have moved the method: it goes back to the end of the step.
  if (!interrupted()) {
    method.prepare(system, state);
    (void)method.load_state(after_);
  }
  if (!interrupted()) return true;
  // Interrupted: the step counts as not taken, with its points.
  points_.resize(before);
  number_ = number;
  known_ = false;
  state = begin_.state;
  method.prepare(system, state);
  (void)method.load_state(begin_.memory);
  return false;
}

void SectionCrossings::add(const State& state, int direction) {
  points_.push_back({state, step_, number_++, direction});
}

/// Takes a part of the step, to point_. False if it fails.
bool SectionCrossings::take(const Step& step, double theta) {
  if (!std::exchange(moved_, true)) step.method.save_state(after_);
  return begin_.take(step.system, step.method, step.h, theta, step.end.t, point_).ok();
}

/// Finds the points in a step at whose end g is `next`, in so many equal parts of it.
void SectionCrossings::search(const Step& step, double next, std::int64_t parts) {
  const double h = step.h / static_cast<double>(parts);
  const StepBeginning* begin = &begin_;  // of the present part
  std::array<StepBeginning, 2> reached;
  Part a{0, value_};
  for (std::int64_t k = 1; k <= parts; ++k) {
    Part b{1, next};
    const State* end = &step.end;
    if (k < parts) {
      // From part to part, which is close enough to tell the sign of g.
      StepBeginning& to = reached[static_cast<std::size_t>(k % 2)];
      if (!std::exchange(moved_, true)) step.method.save_state(after_);
      b.theta = static_cast<double>(k) / static_cast<double>(parts);
      const double time = std::lerp(begin_.state.t, step.end.t, b.theta);
      if (!begin->take(step.system, step.method, h, 1, time, to.state).ok()) {
        if (!interrupted()) ++failed_;
        return;
      }
      step.method.save_state(to.memory);
      end = &to.state;
      b.g = surface_->value(to.state);
    }
    // A change of sign is one crossing; without one there may be a pair.
    if ((a.g <= 0 && b.g > 0) || (a.g >= 0 && b.g < 0))
      find(step, a, b);
    else if (a.g != 0 && b.g != 0)
      find_pair(step, a, b, begin->state, *end);
    if (interrupted()) return;
    a = b;
    begin = &reached[static_cast<std::size_t>(k % 2)];
  }
}

/// Finds the zero of g between two parts of the step at which g has opposite signs.
void SectionCrossings::find(const Step& step, Part a, Part b) {
  const int direction = b.g > 0 ? 1 : -1;
  using Direction = PoincareSection::Direction;
  const Direction wanted = surface_->section().direction;
  // Only crossings in the direction that is wanted.
  if (wanted != Direction::both && (wanted == Direction::rising) != (direction > 0)) return;
  if (a.g == 0 && a.theta == 0) return add(begin_.state, direction);
  State best;
  double min_value = std::numeric_limits<double>::infinity();
  // The best point so far is the one that is kept: the root itself need not be tried last.
  const auto value = [&](double theta) -> std::optional<double> {
    if (!take(step, theta)) return {};
    const double g = surface_->value(point_);
    if (std::abs(g) < min_value) {
      min_value = std::abs(g);
      best = point_;
    }
    return g;
  };
  constexpr double rounding = std::numeric_limits<double>::epsilon() / 4;
  if (!find_root(a.theta, a.g, b.theta, b.g, value, rounding)) {
    if (!interrupted()) ++failed_;
    return;
  }
  // Of a continuous g a part is left that is small beyond all proportion.
  if (!(min_value <= 1e-3 * std::abs(b.g - a.g)))
    ++jumps_;
  else
    add(best, direction);
}

/// Finds the two zeros of g between parts of the step at which g has the same sign, if it turns
/// beyond zero there. `from`, `to`: the states there.
void SectionCrossings::find_pair(const Step& step, Part a, Part b, const State& from,
                                 const State& to) {
  const double h = (b.theta - a.theta) * step.h;
  rate_ = (to.w - from.w) / h;
  // ġ in the direction of the run, away from zero.
  const double away = (a.g > 0) == (h > 0) ? 1 : -1;
  const double first = away * slope(from, h);
  if (!(first < 0)) return;
  const double last = away * slope(to, h);
  if (!(last > 0) ||
      !(std::min(std::abs(a.g), std::abs(b.g)) < std::abs(h) * std::max(-first, last)))
    return;
  std::optional<Part> beyond;
  const auto turn = [&](double theta) -> std::optional<double> {
    if (!take(step, theta)) return {};
    const double g = surface_->value(point_);
    if (a.g * g < 0) {
      beyond = {theta, g};
      return {};
    }
    return away * slope(point_, h);
  };
  constexpr double close = 1e-9;
  // The search ends as soon as g is beyond zero.
  (void)find_root(a.theta, first, b.theta, last, turn, close);
  if (!beyond) return;
  find(step, a, *beyond);
  find(step, *beyond, b);
}

/// ġ at a state of a part h of the step in which ω̇ is rate_.
double SectionCrossings::slope(const State& state, double h) {
  const double apart = 1e-4 * h;
  const auto moved = [&](double by) {
    beside_ = state;
    beside_.t += by;
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      beside_.q.col(i) += by * Vec3(state.w.col(i)).cross(Vec3(state.q.col(i)));
    beside_.w += by * rate_;
    return surface_->value(beside_);
  };
  // A central difference along the motion.
  return (moved(apart) - moved(-apart)) / (2 * apart);
}

/// Finds the times of a stroboscopic section in t_k ≤ t < t_{k+1}.
void SectionCrossings::strobe(const Step& step) {
  const double period = surface_->period(), phase = surface_->section().phase, h = step.h;
  const double side = h > 0 ? 1 : -1, slack = 1e-9 * std::abs(h), end = step.end.t;
  const auto index = [&](double t) { return std::ceil((side * (t - phase) - slack) / period); };
  // The periods k with t_k ≤ φ + k T < t_{k+1}, in the direction of the run.
  const double first = index(begin_.state.t), count = index(end) - first;
  for (double k = 0; k < count; ++k) {
    if (interrupted()) {
      moved_ = true;
      return;
    }
    const double t = phase + side * ((first + k) * period);
    const double theta = (t - begin_.state.t) / (end - begin_.state.t);
    if (theta * std::abs(h) <= slack) {
      add(begin_.state, 0);
      continue;
    }
    if (!take(step, theta)) {
      if (interrupted()) return;
      ++failed_;
      continue;
    }
    point_.t = t;
    add(point_, 0);
  }
}

void SectionCrossings::save(IntegratorState& memory) const {
  memory.emplace_back(section_entry, std::vector<double>{static_cast<double>(number_)});
}

std::int64_t SectionCrossings::load(const IntegratorState& memory) {
  for (const auto& [name, values] : memory)
    if (name == section_entry && values.size() == 1) return static_cast<std::int64_t>(values[0]);
  return 0;
}

}  // namespace twosphere
