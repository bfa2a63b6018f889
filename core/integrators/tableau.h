// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace twosphere {

/// The coefficients of an explicit method with s stages: k_i = F(t + c_i h, y + h Σ_{j<i} a_ij
/// k_j), y ← y + h Σ b_i k_i.
struct Tableau {
  std::vector<double> c;
  std::vector<std::vector<double>> a;  ///< row i holds a_i1 … a_i,i−1
  std::vector<double> b;
};

}  // namespace twosphere
