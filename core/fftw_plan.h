// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mutex>

namespace twosphere {

/// FFTW makes and destroys plans on one thread at a time only: whoever does holds this. Plans
/// themselves may be carried out on any thread.
std::mutex& fftw_planner();

}  // namespace twosphere
