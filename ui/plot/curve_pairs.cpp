// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/curve_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace twosphere::ui {

Pairs::Pairs(const PlotSpec& spec, const Curve& curve)
    : x_(*curve.history, *spec.x), y_(*curve.history, spec.y), samples_(curve.samples) {
  // Quantities have a value at every sample, signals of the state at every stride-th, with one
  // stride.
  const std::size_t stride = std::max(x_.stride(), y_.stride());
  x_step_ = stride / x_.stride();
  y_step_ = stride / y_.stride();
  size_ = std::min((x_.size() + x_step_ - 1) / x_step_, (y_.size() + y_step_ - 1) / y_step_);
}

std::size_t Pairs::sample(std::size_t index) const { return y_.sample(index * y_step_); }

IndexRange Pairs::visible(Interval time) const {
  const IndexRange own = y_.of(samples_);
  const IndexRange seen = ui::visible(y_, {own.first, std::min(own.last + 1, y_.size())}, time);
  const auto up = [this](std::size_t i) { return std::min((i + y_step_ - 1) / y_step_, size_); };
  return {up(seen.first), up(seen.last)};
}

Range Pairs::x_range(IndexRange points) const {
  return x_.range(points.first * x_step_, std::min((points.last - 1) * x_step_ + 1, x_.size()));
}

Range Pairs::y_range(IndexRange points) const {
  return y_.range(points.first * y_step_, std::min((points.last - 1) * y_step_ + 1, y_.size()));
}

std::optional<std::size_t> Pairs::nearest(double t) const {
  const auto near = y_.nearest(t, y_.of(samples_));
  if (!near || size_ == 0) return {};
  std::size_t best = std::min(*near / y_step_, size_ - 1);
  if (best + 1 < size_ && std::abs(time(best + 1) - t) < std::abs(time(best) - t)) ++best;
  return best;
}

Point Pairs::at(std::size_t index, const PlotSpec& spec, const Transform& transform) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const double across = x(index), up = y(index);
  if (!std::isfinite(across) || !std::isfinite(up)) return {nan, nan};
  return {across, transform.forward(spec.shown(up))};
}

}  // namespace twosphere::ui
