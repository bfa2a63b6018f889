// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/section_crossings.h"

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
  if (!known_) {
    method.complete(system, state);
    if (!surface_->stroboscopic()) value_ = surface_->value(state);
  }
  begin_.state = state;
  method.save_state(begin_.memory);
}

bool SectionCrossings::end(const System& system, Integrator& method, double h, State& state,
                           std::int64_t step) {
  if (!surface_) return true;
  method.complete(system, state);
  step_ = step;
  const std::size_t before = points_.size();
  const std::int64_t number = number_;
  bool moved = false;
  if (surface_->stroboscopic()) {
    moved = strobe(system, method, h, state);
  } else {
    const double next = surface_->value(state);
    if ((value_ <= 0 && next > 0) || (value_ >= 0 && next < 0))
      moved = find(system, method, h, next, state);
    value_ = next;
  }
  known_ = true;
  if (!moved) return true;
  if (!interrupted()) {
    method.prepare(system, state);
    (void)method.load_state(after_);
  }
  if (!interrupted()) return true;
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

/// Finds the zero of g in a step at whose end g is `next`. Whether the method was moved.
bool SectionCrossings::find(const System& system, Integrator& method, double h, double next,
                            const State& end) {
  const int direction = next > 0 ? 1 : -1;
  using Direction = PoincareSection::Direction;
  const Direction wanted = surface_->section().direction;
  if (wanted != Direction::both && (wanted == Direction::rising) != (direction > 0)) return false;
  if (value_ == 0) {
    add(begin_.state, direction);
    return false;
  }
  method.save_state(after_);
  State best;
  double least = std::numeric_limits<double>::infinity();
  const auto value = [&](double theta) -> std::optional<double> {
    if (!begin_.take(system, method, h, theta, end.t, point_).ok()) return {};
    const double g = surface_->value(point_);
    if (std::abs(g) < least) {
      least = std::abs(g);
      best = point_;
    }
    return g;
  };
  constexpr double rounding = std::numeric_limits<double>::epsilon() / 4;
  if (!find_root(0, value_, 1, next, value, rounding)) {
    if (!interrupted()) ++failed_;
    return true;
  }
  // Of a continuous g a part is left that is small beyond all proportion.
  if (!(least <= 1e-3 * std::abs(next - value_)))
    ++jumps_;
  else
    add(best, direction);
  return true;
}

/// Finds the times of a stroboscopic section in t_k ≤ t < t_{k+1}. Whether the method was moved, or
/// the search interrupted.
bool SectionCrossings::strobe(const System& system, Integrator& method, double h,
                              const State& end) {
  const double period = surface_->period(), phase = surface_->section().phase;
  const double side = h > 0 ? 1 : -1, slack = 1e-9 * std::abs(h);
  const auto index = [&](double t) { return std::ceil((side * (t - phase) - slack) / period); };
  bool moved = false;
  const double first = index(begin_.state.t), count = index(end.t) - first;
  for (double k = 0; k < count; ++k) {
    if (interrupted()) return true;
    const double t = phase + side * ((first + k) * period);
    const double theta = (t - begin_.state.t) / (end.t - begin_.state.t);
    if (theta * std::abs(h) <= slack) {
      add(begin_.state, 0);
      continue;
    }
    if (!std::exchange(moved, true)) method.save_state(after_);
    if (!begin_.take(system, method, h, theta, end.t, point_).ok()) {
      if (interrupted()) return true;
      ++failed_;
      continue;
    }
    point_.t = t;
    add(point_, 0);
  }
  return moved;
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
