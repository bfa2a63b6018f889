// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

/// Parallel loops.
///
/// Callers divide the work into parts that do not depend on the number of threads, and no part
/// reads what another writes. Results are then identical bit for bit for any number of threads.
namespace twosphere {

/// The number of available processors, at least 1.
int processors();
/// The number of threads a loop may use, including the calling thread. Initially the number of
/// available processors.
int threads();
/// Sets the number of threads, at least 1. Must not be called while a loop runs. If not all threads
/// can be started, the pool uses those that were; threads() returns their number. The same holds
/// for the threads started by the first loop.
void set_threads(int count);

/// Calls body(context, part) for every part in [0, parts), in any order.
void run_parallel(std::size_t parts, void (*body)(void* context, std::size_t part), void* context);

/// Calls body(part) once for every part in [0, parts), on any of the threads, and returns when all
/// calls have returned. Runs on the calling thread alone while another loop uses the pool.
/// Allocates memory only in the first call. `body` must not throw.
template <class Body>
void parallel_for(std::size_t parts, Body&& body) {
  using Function = std::remove_reference_t<Body>;
  run_parallel(
      parts, [](void* context, std::size_t part) { (*static_cast<Function*>(context))(part); },
      const_cast<std::remove_const_t<Function>*>(std::addressof(body)));
}

/// Calls body(begin, end) for the parts of [0, n) that are `size` long, the last one shorter, as
/// parallel_for(); at once for a single part.
template <class Body>
void parallel_ranges(std::ptrdiff_t n, std::ptrdiff_t size, const Body& body) {
  if (n <= size) return body(std::ptrdiff_t{0}, n);
  parallel_for(static_cast<std::size_t>((n + size - 1) / size), [&](std::size_t part) {
    const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(part) * size;
    body(begin, std::min(n, begin + size));
  });
}

}  // namespace twosphere
