// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fftw3.h>

#include <cstddef>
#include <functional>
#include <initializer_list>

namespace twosphere {

/// A plan of FFTW's. May be made and destroyed on any thread, and carried out on several at a time.
class FftwPlan {
 public:
  enum class Choice {
    repeatable,  ///< by nothing but the transform and the instruction set level
    quick        ///< by what plans before have taught, too: the numbers may differ by rounding
  };

  /// `make(flags)` asks FFTW for the plan, of arrays aligned as those of Aligned; the plan may
  /// destroy what it transforms. Throws std::bad_alloc if there is none.
  explicit FftwPlan(const std::function<fftw_plan(unsigned flags)>& make,
                    Choice choice = Choice::repeatable);
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
