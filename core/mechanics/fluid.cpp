// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/fluid.h"

#include <numbers>

namespace twosphere {

namespace {

constexpr double stream_share = 1 / (4 * std::numbers::pi);

}  // namespace

void Fluid::stream_function(const Columns& q, const Columns& x, double core,
                            Eigen::VectorXd& psi) const {
  psi = rotation * x.row(2).transpose();
  const double mean = std::numbers::ln2 - 1, least = 0.5 * core * core;
  for (Eigen::Index j = 0; j < q.cols(); ++j)
    psi.array() -= stream_share * circulations[j] *
                   ((1 - (x.transpose() * q.col(j)).array()).max(least).log() - mean);
}

double Fluid::stream_scale() const { return stream_share * circulations.norm(); }

}  // namespace twosphere
