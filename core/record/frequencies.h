// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace twosphere {

/// A line of a signal: a e^(2πi ν (t − t_0)).
struct Line {
  double frequency = 0;               ///< ν [Hz], with its sign
  std::complex<double> amplitude{0};  ///< a
};

inline constexpr std::size_t min_line_samples = 32;
inline constexpr int max_lines = 32;

/// Numerical analysis of the fundamental frequencies (Laskar, Icarus 88, 1990; Physica D 67, 1993):
/// up to `count` lines of a complex signal z_j at t_0 + jΔt, j = 0 … N − 1, largest first.
///
///   φ(ν) = (1/N) Σ_j χ_p(s_j) z_j e^(−2πi ν jΔt),  s_j = (2j + 1 − N)/N,
///   χ_p(s) = (2^p (p!)²/(2p)!) (1 + cos πs)^p                      Hann window to the power p,
///   mean 1
///
/// The line is where |φ| of what is left of the signal is largest: by FFT to 1/(NΔt), and from
/// there as the zero of d|φ|²/dν. Amplitudes make what is left orthogonal to all lines so far in
/// the product ⟨f, g⟩ = (1/N) Σ χ_p f ḡ, as Gram-Schmidt does. Of a quasi-periodic signal over a
/// time T the error of ν is of order T^−(2p+2). Ends early where the next line is within 1/(NΔt) of
/// an earlier one, or is rounding of the first. O(N log N) for each line. Fails with kind usage if
/// there are too few samples, or if one is not finite. Of a real signal the line at νΔt > 0 comes
/// before its mirror.
Result<std::vector<Line>> find_lines(std::span<const std::complex<double>> signal, double interval,
                                     int count, int window = 1);

/// Up to `count` lines of a real signal, A cos(2πν(t − t_0) + φ), as ν ≥ 0 and A e^(iφ): each is
/// two lines of find_lines(), a at ν and ā at −ν, with A = 2|a|. The mean is one line of |ν| less
/// than 1/(2NΔt), which is not doubled: see is_mean().
Result<std::vector<Line>> find_real_lines(std::span<const std::complex<double>> signal,
                                          double interval, int count, int window = 1);

/// Whether a line of `samples` samples is their mean, as far as can be told: it turns by less than
/// half a cycle.
bool is_mean(const Line& line, std::size_t samples, double interval);

/// lg |1 − ν₂/ν₁| of the largest lines of the first and of the second half of a signal (Laskar
/// 1993), the mean aside, and of a real signal without their signs; at least lg 2⁻⁵³. NaN if there
/// are none.
double frequency_diffusion(std::span<const std::complex<double>> signal, double interval,
                           int window = 1);

}  // namespace twosphere
