// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The external force f of a step in which bodies turn one after another: that at the middle of the
/// step and at the q of its beginning, which stays while they turn and whose work is f·Δq.
class MiddleForce {
 public:
  void prepare(const System& system) {
    const int n = system.has_external_force() ? system.size() : 0;
    force_.setZero(3, n);
    start_.setZero(3, n);
  }
  /// Whether the system has one.
  bool acts() const { return force_.cols() > 0; }
  /// Finds it for a step h from t, at directions q + e. Only where it acts.
  void begin(const System& system, double t, double h, const Columns& q, const Columns& e) {
    system.force(t + h / 2, q, force_);
    start_ = q + e;
  }
  /// f_i [N m]; no columns where none acts.
  const Columns& force() const { return force_; }
  /// Its work on the way from there to q + e [J]; 0 where none acts.
  double work(const Columns& q, const Columns& e) const {
    return acts() ? force_.cwiseProduct(q + e - start_).sum() : 0;
  }

 private:
  Columns force_, start_;
};

}  // namespace twosphere
