// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/custom/model.h"
#include "core/mechanics/system.h"
#include "core/program/program.h"

namespace twosphere::custom {

/// The appearance of a custom system: its figure, or n balls on the unit sphere if it has none.
///
/// A ball that depends on no q is a fixed one. A body is drawn where its ball is; without balls at
/// the ends of n rods or the tips of n arrows, otherwise at q_i.
class Figure {
 public:
  explicit Figure(ModelConstants& constants);

  void geometry(const Columns& q, Geometry& out) const;
  /// ∂x_i/∂q_j = a I of the position of body i; that of q_i itself if it is not of this form.
  double lever(int body, int link) const;
  /// A ball that contains all points. Exact for those that are linear in q; for others, and where
  /// that would take long, 1.25 times the ball that contains those of a sample of configurations,
  /// about their middle. Measured once; where this thread is interrupted, of a part of the sample,
  /// and the next call measures it again.
  Extent extent(bool gravity) const;
  /// The reach of all points, if that is known: they are linear in q.
  std::optional<Box> reached() const;

 private:
  struct Item {
    enum class Kind { ball, rod, arrow, spring } kind;
    int first_point, first_number, numbers;
    bool fixed;          // depends on no q
    bool hangs;          // moves about a fixed beginning
    int stride;          // from its first point to its second, and so on
    bool guide = false;  // a line between fixed points, not part of a body
  };
  /// x_i at q = 0, and ∂x_i/∂q_j.
  struct Shape {
    std::vector<Vec3> center;
    std::vector<double> reach;  // Σ_j |∂x_i/∂q_j|
    Eigen::MatrixXd levers;     // of bodies; empty if they are not multiples of I
  };
  const Shape& shape() const;
  Shape find_shape() const;
  Extent find_extent() const;
  double evaluation() const;  // what the points of a configuration cost [operations]
  void points_at(const Columns& q, std::vector<Vec3>& points) const;

  int n_;
  bool given_ = false, sphere_ = false, linear_ = true;
  std::vector<Item> items_;
  std::vector<int> body_points_;  // by body; empty: q_i
  std::vector<Vec3> pivots_;      // where rods hang, each once
  Program points_, numbers_;
  int point_count_ = 0, number_count_ = 0;
  mutable std::once_flag shaped_;
  mutable Shape shape_;
  mutable std::mutex measuring_;
  mutable std::optional<Extent> extent_;
};

}  // namespace twosphere::custom
