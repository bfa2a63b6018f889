// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/ensemble.h"
#include "core/mechanics/sphere.h"

namespace twosphere::n_body_kernel {

/// More bodies nearly fill the vectors of gradient() themselves.
inline constexpr Eigen::Index max_together = 16;

/// gradient() for the members of an ensemble, see ensemble_members, one in each element of a
/// vector, each the same as alone bit for bit. Of q + q_low, unless that is null. At most
/// max_together bodies.
void gradient_together(double gamma, Eigen::Index n, const double* q, const double* q_low,
                       double* g);
/// The potential() of several members, one number for each. Fewer than min_vectors bodies.
void potential_together(double gamma, Eigen::Index n, const double* q, double* v);

}  // namespace twosphere::n_body_kernel
