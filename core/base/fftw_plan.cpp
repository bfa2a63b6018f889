// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/fftw_plan.h"

#include <mutex>
#include <new>

#include "core/base/simd_level.h"

namespace twosphere {

namespace {

/// FFTW's planner is not thread-safe: this mutex is held while plans are created and destroyed.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

FftwPlan::FftwPlan(const std::function<fftw_plan(unsigned flags)>& make, Choice choice) {
  const std::lock_guard lock(planner());
  if (choice == Choice::repeatable) fftw_forget_wisdom();
  // Processors at these levels may or may not have AVX, which FFTW would use.
  const bool scalar = isa_level() == "sse4" || isa_level() == "sse2";
  plan_ = make(FFTW_ESTIMATE | FFTW_DESTROY_INPUT | (scalar ? FFTW_NO_SIMD : 0));
  if (!plan_) throw std::bad_alloc();
}

FftwPlan::~FftwPlan() {
  const std::lock_guard lock(planner());
  fftw_destroy_plan(plan_);
}

bool is_product_of(std::initializer_list<std::ptrdiff_t> primes, std::ptrdiff_t n) {
  for (const std::ptrdiff_t prime : primes)
    while (n % prime == 0) n /= prime;
  return n == 1;
}

}  // namespace twosphere
