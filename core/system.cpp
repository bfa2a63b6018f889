// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/system.h"

namespace twosphere {

void generalised_gradient(const System& system, double t, const Columns& q, Columns& g,
                          Columns& f) {
  system.gradient(q, g);
  if (!system.driven()) return;
  system.force(t, q, f);
  g -= f;
}

}  // namespace twosphere
