// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace twosphere {

/// Calls work(k, stop) once for every k < count, on up to `threads` threads, in any order. `work`
/// must not throw. Meanwhile proceed(done, count) is called about 20 times a second on the calling
/// thread; if it returns false, a stop is requested and no further task begins. Returns whether all
/// tasks were done. If no thread can be started, the calling thread does the work.
bool parallel_tasks(std::size_t count, int threads,
                    const std::function<void(std::size_t, const std::stop_token&)>& work,
                    const std::function<bool(std::size_t done, std::size_t all)>& proceed);

}  // namespace twosphere
