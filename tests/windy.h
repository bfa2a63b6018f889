// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "core/mechanics/forwarding_system.h"

namespace twosphere::test {

/// What acts on every body: −(linear + drag |v| + cubic |v|²) v + (1 + wave sin 3t) charge v × e3.
struct Wind {
  double drag = 0, linear = 0, charge = 0, wave = 0, cubic = 0;
};

class Windy final : public ForwardingSystem {
 public:
  Windy(std::shared_ptr<const System> system, const Wind& wind)
      : ForwardingSystem(std::move(system)), wind_(wind) {}

  bool has_velocity_force() const override { return true; }
  void velocity_force(double t, const Columns& q, const Columns& w, Columns& f) const override {
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 v = w.col(i).cross(q.col(i));
      f.col(i) = -(wind_.linear + wind_.drag * v.norm() + wind_.cubic * v.squaredNorm()) * v +
                 (1 + wind_.wave * std::sin(3 * t)) * wind_.charge * v.cross(Vec3::UnitZ());
    }
  }
  bool time_dependent() const override {
    return wind_.wave != 0 || ForwardingSystem::time_dependent();
  }
  bool repeats_after(double time) const override { return System::repeats_after(time); }
  std::array<bool, 3> conserved_momentum() const override { return {false, false, false}; }

 private:
  Wind wind_;
};

}  // namespace twosphere::test
