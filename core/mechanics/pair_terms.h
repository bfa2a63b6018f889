// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// Which terms the potential energy V of a system of first order has, see PairTerms.
struct TermKinds {
  bool known = false;          ///< whether V is the sum of System::pair_terms()
  bool square = false;         ///< (q_i·q_j)²
  bool cross = false;          ///< D·(q_i × q_j)
  bool logarithmic = false;    ///< ln(1 − q_i·q_j)
  bool anisotropy = false;     ///< (n·q_i)²
  bool turning_force = false;  ///< System::force() depends on q
};

/// V of a system of first order [J] as a sum of terms of two bodies and of one, for methods that
/// take them one by one:
///
///   V = Σ_pairs [a c + b c² + D·(q_i × q_j)] − λ Σ_{i<j} κ_i κ_j ln(1 − q_i·q_j)
///       − Σ_i [B_i·q_i + K_i (n·q_i)²],   c = q_i·q_j
struct PairTerms {
  /// Two bodies with the numbers of their terms [J].
  struct Pair {
    int first, second;
    double linear, square;      ///< a and b
    Vec3 cross = Vec3::Zero();  ///< D
  };
  std::vector<Pair> pairs;
  double logarithmic = 0;      ///< λ, of all pairs of bodies [1/(J s²)]
  Columns field;               ///< B_i [J]; without columns: 0
  Eigen::VectorXd anisotropy;  ///< K_i [J]; empty: 0
  Vec3 axis = Vec3::UnitZ();   ///< n, |n| = 1
};

}  // namespace twosphere
