// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace twosphere {

/// The signal of a scenario whose frequencies are measured: z = re + i im, two expressions of the
/// state (StateExpression).
struct ComplexSignal {
  std::string real = "q[0].e1";
  std::string imaginary = "q[0].e2";  ///< empty: 0
  int window = 1;                     ///< power p of the Hann window

  static constexpr int max_window = 5;
  bool operator==(const ComplexSignal&) const = default;
};

}  // namespace twosphere
