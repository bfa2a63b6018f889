// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/turn_between.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/base/decompositions.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

Mat3 alignment(const Columns& a, const Columns& b, const std::array<bool, 3>& axes) {
  const auto count = std::count(axes.begin(), axes.end(), true);
  if (count == 0) return Mat3::Identity();
  if (count == 1) {
    const Vec3 e = Vec3::Unit(std::find(axes.begin(), axes.end(), true) - axes.begin());
    double sine = 0, cosine = 0;
    for (Eigen::Index i = 0; i < a.cols(); ++i) {
      sine += e.dot(a.col(i).cross(b.col(i)));
      cosine += a.col(i).dot(b.col(i)) - e.dot(a.col(i)) * e.dot(b.col(i));
    }
    return Eigen::AngleAxisd(std::atan2(sine, cosine), e).toRotationMatrix();
  }
  // The quaternion is the eigenvector of the largest eigenvalue of Horn's matrix.
  const Mat3 s = a * b.transpose();
  const Vec3 cross(s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0));
  Eigen::MatrixXd horn(4, 4);
  horn(0, 0) = s.trace();
  horn.block<3, 1>(1, 0) = cross;
  horn.block<1, 3>(0, 1) = cross.transpose();
  horn.block<3, 3>(1, 1) = s + s.transpose() - s.trace() * Mat3::Identity();
  const Eigen::Vector4d best = symmetric_eigensystem(horn).vectors.col(3);
  return Eigen::Quaterniond(best[0], best[1], best[2], best[3]).toRotationMatrix();
}

double turn_between(const Columns& a, const Columns& b, const std::array<bool, 3>& axes) {
  const Mat3 r = alignment(a, b, axes);
  double largest = 0;
  for (Eigen::Index i = 0; i < a.cols(); ++i)
    largest = std::max(largest, angle(r * a.col(i), b.col(i)));
  return largest;
}

}  // namespace twosphere
