// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/record/history.h"
#include "ui/plot/axis.h"

namespace twosphere::ui {

/// The extremes of a curve in a column of pixels, which are values of samples.
struct Extremes {
  double low = 0, high = 0;
  bool empty = true;
};

/// A signal of a lane over time. Signals of the state may have values only for every stride-th
/// sample.
class Trace {
 public:
  Trace(const History& history, const Signal& signal)
      : view_(history.view(signal)), legs_(history.legs()), first_(history.first(signal)) {}

  /// The first value that is not missing; size() if all are.
  std::size_t first() const { return of({first_, first_}).first; }
  std::size_t size() const { return view_.values->size(); }
  double time(std::size_t index) const { return (*view_.times)[index]; }
  double value(std::size_t index) const { return (*view_.values)[index]; }
  std::size_t stride() const { return view_.stride; }
  /// The share of the values that are computed so far, of those that it will have.
  double computed() const {
    return view_.cut ? static_cast<double>(size()) / static_cast<double>(view_.times->size()) : 1;
  }
  /// The sample of a value.
  std::size_t sample(std::size_t index) const { return index * view_.stride; }
  /// The values of a range of samples.
  IndexRange of(IndexRange samples) const;
  /// The values of `within`, which time passes one way, in a time range without its end.
  IndexRange between(Interval time, IndexRange within) const;
  /// The values of the last leg of the run in a time range without its end.
  IndexRange in_last_leg(Interval time) const { return between(time, of(legs_.back())); }
  /// The value nearest to a time, the newest of several; size() > 0.
  std::size_t nearest(double t) const;
  /// The same among the legs of the run that have some of these values. If the run has several
  /// legs, none for a time that they do not pass.
  std::optional<std::size_t> nearest(double t, IndexRange values) const;
  /// Extremes of the values [first, last), first < last ≤ size().
  Range range(std::size_t first, std::size_t last) const {
    return view_.values->range(first, last);
  }
  const Series& values() const { return *view_.values; }
  const Series& times() const { return *view_.times; }

 private:
  /// The value of a leg nearest to a time.
  std::size_t nearest_in(IndexRange leg, double t) const;

  SignalView view_;
  std::vector<IndexRange> legs_;  // of samples
  std::size_t first_;             // sample that is not missing
};

/// The values of `within`, which time passes one way, in a time range, and one more on either side
/// if it exists.
IndexRange visible(const Trace& trace, IndexRange within, Interval time);

/// Smallest and largest value (with `magnitude`, of |value|) of `within` in each of `count` equal
/// parts of a time range. The largest magnitude is always exact. The smallest is that of some
/// sample, and exact if the value does not change its sign over a sixteenth of the part. Cost:
/// O(count · log n).
std::vector<Extremes> reduce(const Trace& trace, IndexRange within, bool magnitude, Interval time,
                             int count);

}  // namespace twosphere::ui
