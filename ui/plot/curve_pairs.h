// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "ui/plot/curve.h"
#include "ui/plot/draw_list.h"

namespace twosphere::ui {

/// Points of a curve of a phase portrait: pairs of values at the same sample.
class Pairs {
 public:
  Pairs(const PlotSpec& spec, const Curve& curve);

  /// The points in a time range.
  IndexRange visible(Interval time) const;
  std::size_t size() const { return size_; }
  double x(std::size_t index) const { return x_.value(index * x_step_); }
  double y(std::size_t index) const { return y_.value(index * y_step_); }
  double time(std::size_t index) const { return y_.time(index * y_step_); }
  Range x_range(IndexRange points) const;
  Range y_range(IndexRange points) const;
  /// The point nearest to a time, see Trace::nearest().
  std::optional<std::size_t> nearest(double t) const;
  /// The sample of a point.
  std::size_t sample(std::size_t index) const;
  /// A point in the coordinates of the axes; NaN if one of the values is not finite.
  Point at(std::size_t index, const PlotSpec& spec, const Transform& transform) const;

 private:
  Trace x_, y_;
  std::size_t x_step_ = 1, y_step_ = 1, size_ = 0;
  IndexRange samples_;
};

}  // namespace twosphere::ui
