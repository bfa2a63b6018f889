// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/definition.h"

namespace twosphere {

const SystemInfo& custom_system() {
  static const SystemInfo info{
      .key = "custom",
      .title = "A system of your own",
      .description =
          "Unit vectors with an inertia, a potential, forces and parameters that are defined by "
          "expressions in the scenario.",
      .equations = "L = ½ Σᵢⱼ Mᵢⱼ(q) q̇ᵢ·q̇ⱼ − V(q),  with forces fᵢ(t, q, ω)",
      .reference = "docs/custom.md",
      .parameters = {},
      .momentum_columns = {true, true, true},
      .create = [](int, const Values&) -> Result<std::unique_ptr<const System>> {
        return Error{ErrorKind::usage, "type",
                     "a system of this type needs a definition; see docs/custom.md"};
      }};
  return info;
}

}  // namespace twosphere
