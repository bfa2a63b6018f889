// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/tangent_hessian.h"

namespace twosphere {

TangentHessian::TangentHessian(const System& system, const Columns& q)
    : system_(system), q_(q), gradient_(3, q.cols()), radial_(q.cols()) {
  system.gradient(q, gradient_);
  radial_ = q.cwiseProduct(gradient_).colwise().sum();
}

void TangentHessian::times(const Columns& v, Columns& image) const {
  system_.hessian_times(q_, v, image);
  for (Eigen::Index i = 0; i < q_.cols(); ++i)
    image.col(i) = tangent(q_.col(i), image.col(i)) - radial_[i] * v.col(i);
}

Columns from_tangent_coordinates(const Columns& q, const Eigen::VectorXd& x) {
  Columns vectors(3, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    vectors.col(i) = tangent_basis(q.col(i)) * x.segment<2>(2 * i);
  return vectors;
}

Eigen::VectorXd to_tangent_coordinates(const Columns& q, const Columns& vectors) {
  Eigen::VectorXd x(2 * q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    x.segment<2>(2 * i) = tangent_basis(q.col(i)).transpose() * vectors.col(i);
  return x;
}

Eigen::MatrixXd tangent_matrix(const TangentHessian& hessian, const Columns& q) {
  const Eigen::Index size = 2 * q.cols();
  Eigen::MatrixXd k(size, size);
  Columns bases(3, size);  // of one body after another
  for (Eigen::Index i = 0; i < q.cols(); ++i) bases.middleCols<2>(2 * i) = tangent_basis(q.col(i));
  Columns v = Columns::Zero(3, q.cols()), image(3, q.cols());
  for (Eigen::Index j = 0; j < size; ++j) {
    v.col(j / 2) = bases.col(j);
    hessian.times(v, image);
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      k.col(j).segment<2>(2 * i) = bases.middleCols<2>(2 * i).transpose() * image.col(i);
    v.col(j / 2).setZero();
  }
  // Symmetric but for rounding.
  return (k + k.transpose()) / 2;
}

}  // namespace twosphere
