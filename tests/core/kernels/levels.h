// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/simd_level.h"
#include "core/mechanics/sphere.h"
#include "tests/cases.h"
#include "tests/outcome.h"

namespace twosphere::test {

/// A test on every instruction set level of this processor.
struct OnEveryLevel : testing::TestWithParam<std::string_view> {
  void SetUp() override {
    ASSERT_TRUE(succeeds(force_isa_level(GetParam())));
    ASSERT_EQ(isa_level(), GetParam());
  }
  void TearDown() override { ASSERT_TRUE(force_isa_level("")); }
};

inline std::string level_name(const testing::TestParamInfo<std::string_view>& p) {
  return std::string(p.param);
}

/// The largest difference of two gradients, relative to the largest of them.
inline double difference(const Columns& a, const Columns& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(a.cwiseAbs().maxCoeff(), 1e-300);
}

/// Tangent vectors at q.
inline Columns tangents(const Columns& q, unsigned seed) {
  Columns v = generic_start(static_cast<int>(q.cols()), 1, 1, seed).w;
  for (Eigen::Index i = 0; i < q.cols(); ++i) v.col(i) = tangent(q.col(i), v.col(i));
  return v;
}

}  // namespace twosphere::test
