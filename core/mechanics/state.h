// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// Time, directions and angular velocities of n bodies: a point of T(S²)ⁿ. Where they hang on a
/// free base that flies (System::free_base()), also the motion of their centre of mass, or where
/// System::follows_attitude(), their attitude in space.
struct State {
  double t = 0;  ///< [s]
  Columns q;     ///< q_i ∈ S² [1], 3×n
  Columns w;     ///< ω_i ⟂ q_i [rad/s], 3×n
  Columns x{};   ///< X of a free base [m], 3×1, or the attitude [1], 3×2n; else 3×0
  Columns v{};   ///< ẋ [m/s] or [1/s], of the size of x

  int size() const { return static_cast<int>(q.cols()); }
  bool flies() const { return x.cols() == 1; }
  bool has_attitude() const { return x.cols() > 1; }
  /// All members, to be written or read (core/base/fields.h).
  template <class Fields>
  void transfer(Fields& fields) {
    fields(t, q, w, x, v);
  }
};

/// q of a state, and after it x, where it has one: what System::geometry() draws.
inline void copy_positions(const State& state, Columns& q) {
  if (state.x.cols() == 0) {
    q = state.q;
    return;
  }
  q.resize(3, state.q.cols() + state.x.cols());
  q << state.q, state.x;
}
/// The same as a new list.
inline Columns positions(const State& state) {
  Columns q;
  copy_positions(state, q);
  return q;
}

/// The internal variables of a method besides (t, q, ω), as named lists of numbers. They are
/// written to state files so that a run continues bit for bit.
using IntegratorState = std::vector<std::pair<std::string, std::vector<double>>>;

}  // namespace twosphere
