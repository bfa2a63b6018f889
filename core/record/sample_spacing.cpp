// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sample_spacing.h"

#include <fmt/format.h>

namespace twosphere {

std::string SampleSpacing::warning() const {
  if (!may_be_aliased()) return {};
  return fmt::format(
      "bodies turn at up to {:.4g} rad/s, more than half a turn in the {:.6g} s between samples: "
      "frequencies beyond {:.6g} Hz appear as lower ones",
      turn, std::abs(interval), nyquist());
}

}  // namespace twosphere
