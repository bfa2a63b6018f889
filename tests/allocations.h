// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

/// Counts what a program takes from the heap: on all of its threads, and on the present one. One
/// file of the program includes this.
// NOLINTBEGIN(misc-definitions-in-headers,bugprone-reserved-identifier)
namespace {
std::atomic<long> allocations{0};
thread_local long allocations_here = 0;
void count_allocation() {
  ++allocations;
  ++allocations_here;
}
}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// As <sanitizer/allocator_interface.h> has it, which g++ does not bring.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*,
                                                                           std::size_t),
                                                         void (*on_free)(const volatile void*));
namespace {
void count(const volatile void*, std::size_t) { count_allocation(); }
void ignore(const volatile void*) {}
const bool hooked = __sanitizer_install_malloc_and_free_hooks(count, ignore) > 0;
}  // namespace
#else
// In front of the C library's own, which operator new and Eigen call.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t size) noexcept {
  count_allocation();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  count_allocation();
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  count_allocation();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  count_allocation();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}
namespace {
const bool hooked = true;
}
#endif
// NOLINTEND(misc-definitions-in-headers,bugprone-reserved-identifier)
