// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fftw3.h>

#include <cstddef>
#include <functional>
#include <initializer_list>

namespace twosphere {

/// An FFTW plan. It may be created and destroyed on any thread, and executed on several threads at
/// the same time.
class FftwPlan {
 public:
  enum class Choice {
    repeatable,  ///< depends only on the transform and the instruction set level
    quick        ///< may use FFTW's accumulated wisdom: results may differ by rounding
  };

  /// `make(flags)` creates the plan, for arrays aligned as those of Aligned; the plan may overwrite
  /// its input. Throws std::bad_alloc if FFTW returns none.
  explicit FftwPlan(const std::function<fftw_plan(unsigned flags)>& make,
                    Choice choice = Choice::repeatable);
  FftwPlan(const FftwPlan&) = delete;
  FftwPlan& operator=(const FftwPlan&) = delete;
  ~FftwPlan();

  fftw_plan get() const { return plan_; }

 private:
  fftw_plan plan_;
};

/// Whether n > 0 has no other prime factors than these. FFTW is fast for lengths with small prime
/// factors.
bool is_product_of(std::initializer_list<std::ptrdiff_t> primes, std::ptrdiff_t n);

}  // namespace twosphere
