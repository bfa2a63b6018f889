// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/integrator.h"
#include "core/mechanics/sphere.h"

/// Checks of what a step has found, before it is accepted.
namespace twosphere {

/// Where a column of these is not finite the step is not_finite, because of the first such body.
template <class... More>
void check_step_finite(StepReport& report, const Columns& first, const More&... more) {
  for (Eigen::Index i = first.cols(); i-- > 0;)
    if (!(first.col(i).allFinite() && ... && more.col(i).allFinite())) {
      report.status = StepStatus::not_finite;
      report.body = static_cast<int>(i);
    }
}

}  // namespace twosphere
