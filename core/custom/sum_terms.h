// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <vector>

#include "core/program/tree.h"

/// Taking sums apart.
namespace twosphere::custom {

/// An expression as a sum of one that is linear in q, constants included, and the rest; either may
/// be null. The gradient of the former is constant.
struct LinearSplit {
  Ref linear, rest;
};
LinearSplit split_linear(const Ref& node);

/// A term of a sum, with its sign.
struct Term {
  Ref node;
  bool minus = false;
};
/// The terms of nested sums and negatives.
std::vector<Term> terms(const Ref& node);

/// Σ ± terms; null if there are none.
Ref sum_of(const std::vector<Term>& terms);

/// A damping term c w[i] or c v[i].
struct DampingTerm {
  Ref velocity;  ///< w[i] or v[i]
  Ref coefficient;
};
/// None if the term is not of this form.
std::optional<DampingTerm> damping_term(const Ref& node);

}  // namespace twosphere::custom
