// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fftw3.h>

#include <cstddef>
#include <functional>
#include <initializer_list>

namespace twosphere {

/// A plan of FFTW's that depends on nothing but the transform and the instruction set level. May be
/// made and destroyed on any thread, and carried out on several at a time.
class FftwPlan {
 public:
  /// `make(flags)` asks FFTW for the plan, of arrays aligned as those of Aligned; the plan may
  /// destroy what it transforms. Throws std::bad_alloc if there is none.
  explicit FftwPlan(const std::function<fftw_plan(unsigned flags)>& make);
  FftwPlan(const FftwPlan&) = delete;
  FftwPlan& operator=(const FftwPlan&) = delete;
  ~FftwPlan();

  fftw_plan get() const { return plan_; }

 private:
  fftw_plan plan_;
};

/// Whether n > 0 has no prime factors but these. FFTW transforms lengths with small ones quickly.
bool is_product_of(std::initializer_list<std::ptrdiff_t> primes, std::ptrdiff_t n);

}  // namespace twosphere
