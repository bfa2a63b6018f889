// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/poincare_section.h"

#include <fmt/format.h>

#include "core/scenario/scenario.h"

namespace twosphere {

PoincareSection usual_section(const Scenario& scenario) {
  if (scenario.section && scenario.section->coordinates.size() > 1) return *scenario.section;
  const int body = scenario.size() > 1 ? 1 : 0;
  PoincareSection section = scenario.section.value_or(PoincareSection{.expression = "q[0].e2"});
  if (!scenario.section) {
    const Vec3 q = scenario.q.col(0), v = Vec3(scenario.omega.col(0)).cross(q);
    // A motion within the plane of e1 and e3 does not leave it.
    if (q.y() == 0 && v.y() == 0) section.expression = q.z() == 0 ? "w[0].e2" : "q[0].e1";
  }
  // ω along e2 turns e3 towards e1.
  section.coordinates = {{"angle", fmt::format("atan2(q[{0}].e1, q[{0}].e3)", body)},
                         {"rate", fmt::format("w[{}].e2", body)}};
  return section;
}

}  // namespace twosphere
