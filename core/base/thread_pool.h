// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

/// Loops shared by several threads.
///
/// What is shared is cut into parts that do not depend on the number of threads, and no part reads
/// what another writes; then results are the same bits for any number of threads.
namespace twosphere {

/// How many threads a loop may use, the caller's included. At first as many as there are
/// processors for this program.
int threads();
/// At least 1. Not while a loop runs. Where there is no memory or no thread for so many, it goes on
/// with those it got: threads() says how many. So does the first loop.
void set_threads(int count);

/// Calls body(context, part) for every part in [0, parts), in any order.
void run_parallel(std::size_t parts, void (*body)(void* context, std::size_t part), void* context);

/// Calls body(part) once for every part in [0, parts), on any of the threads, and returns when all
/// are done. On the caller's alone while another loop uses the others. Allocates nothing but at the
/// first call. `body` must not throw.
template <class Body>
void parallel_for(std::size_t parts, Body&& body) {
  using Function = std::remove_reference_t<Body>;
  run_parallel(
      parts, [](void* context, std::size_t part) { (*static_cast<Function*>(context))(part); },
      const_cast<std::remove_const_t<Function>*>(std::addressof(body)));
}

}  // namespace twosphere
