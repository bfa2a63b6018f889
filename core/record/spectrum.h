// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace twosphere {

/// One-sided power spectral density of equally spaced values x_j at t_j = t_0 + jΔt, j = 0 … N − 1:
/// a single periodogram with the mean x̄ removed and the Hann window,
///
///   w_j = ½ (1 − cos(2πj/N)),  X_k = Σ_j w_j (x_j − x̄) e^(−2πi jk/N),
///   S_k = 2Δt |X_k|² / Σ_j w_j²  at  f_k = k/(NΔt),  k = 0 … ⌊N/2⌋,
///
/// without the factor 2 at k = 0 and k = N/2. By Parseval's theorem Σ_k S_k/(NΔt) = Σ_j w_j² (x_j −
/// x̄)² / Σ_j w_j², the windowed variance. S has the unit of x² per Hz.
struct Spectrum {
  double interval = 0;          ///< Δt [s]
  std::size_t samples = 0;      ///< N
  bool shortened = false;       ///< only the last N samples were used
  std::vector<double> density;  ///< S_0 … S_⌊N/2⌋

  /// f_k [Hz].
  double frequency(std::size_t k) const {
    return static_cast<double>(k) / (static_cast<double>(samples) * interval);
  }
  /// Index k > 0 of the largest density.
  std::size_t peak() const;
};

inline constexpr std::size_t min_spectrum_samples = 16;
/// Limit that keeps the window responsive; of more samples the newest are used.
inline constexpr std::size_t max_spectrum_samples = std::size_t{1} << 17;
/// Above this, N is reduced, by at most 5.2 %, to a number without prime factors other than 2, 3
/// and 5, for which FFTW is several times faster; the newest samples are used.
inline constexpr std::size_t plain_spectrum_samples = 4096;

/// Fails with kind usage if there are too few samples, if they are not equally spaced, or if one is
/// not finite. The last sample is left out if its interval is shorter, as at the end of a run. O(N
/// log N).
Result<Spectrum> power_spectrum(std::span<const double> times, std::span<const double> values);

/// The unit of a density: "J²/Hz" for "J", "(rad/s)²/Hz", "1/Hz" for "1".
std::string density_unit(std::string_view unit);

}  // namespace twosphere
