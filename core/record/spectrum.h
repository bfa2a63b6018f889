// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace twosphere {

/// One-sided power spectral density of evenly sampled values x_j at t_j = t_0 + jΔt, j = 0 … N − 1,
/// by one periodogram, without their mean x̄ and under Hann's window:
///
///   w_j = ½ (1 − cos(2πj/N)),  X_k = Σ_j w_j (x_j − x̄) e^(−2πi jk/N),
///   S_k = 2Δt |X_k|² / Σ_j w_j²  at  f_k = k/(NΔt),  k = 0 … ⌊N/2⌋,
///
/// without the 2 where k = 0 or k = N/2. By Parseval Σ_k S_k/(NΔt) = Σ_j w_j² (x_j − x̄)² / Σ_j
/// w_j², the variance under the window. S has the unit of x² per Hz.
struct Spectrum {
  double interval = 0;          ///< Δt [s]
  std::size_t samples = 0;      ///< N
  bool shortened = false;       ///< older samples than the newest N were left out
  std::vector<double> density;  ///< S_0 … S_⌊N/2⌋

  /// f_k [Hz].
  double frequency(std::size_t k) const {
    return static_cast<double>(k) / (static_cast<double>(samples) * interval);
  }
  /// Of the largest density beyond k = 0.
  std::size_t peak() const;
};

inline constexpr std::size_t least_spectrum_samples = 16;
/// More take too long beside a running window; the newest are taken.
inline constexpr std::size_t most_spectrum_samples = std::size_t{1} << 17;
/// Of more than these the newest are taken whose number has no factors but 2, 3 and 5, at most 5.2
/// % fewer: other numbers take FFTW several times as long.
inline constexpr std::size_t plain_spectrum_samples = 4096;

/// Fails with a sentence of kind usage where there are too few samples, where they are not evenly
/// spaced, where one is not a number. A last sample that came earlier than the others, at the end
/// of a run, is left out. O(N log N).
Result<Spectrum> power_spectrum(std::span<const double> times, std::span<const double> values);

/// The unit of a density: "J²/Hz" of "J", "(rad/s)²/Hz", "1/Hz" of "1".
std::string density_unit(std::string_view unit);

}  // namespace twosphere
