// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fftw_planner.h"

namespace twosphere {

std::mutex& fftw_planner() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace twosphere
