// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/spectrum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/fftw_plan.h"
#include "core/kernels/aligned.h"
#include "core/mechanics/diagnostics.h"

namespace twosphere {

namespace {

Error cannot(std::string sentence) {
  return {ErrorKind::usage, "power spectrum", std::move(sentence)};
}

/// The largest number ≤ n without prime factors other than 2, 3 and 5.
std::size_t smooth(std::size_t n) {
  while (!is_product_of({2, 3, 5}, static_cast<std::ptrdiff_t>(n))) --n;
  return n;
}

/// |X_k|² of N real numbers, k = 0 … N/2.
std::vector<double> squared_transform(const std::vector<double>& x) {
  const std::size_t bins = x.size() / 2 + 1;
  Aligned<double> in(x.size()), out(2 * bins);
  auto* const transform = reinterpret_cast<fftw_complex*>(out.data());
  const FftwPlan plan(
      [&](unsigned flags) {
        return fftw_plan_dft_r2c_1d(static_cast<int>(x.size()), in.data(), transform, flags);
      },
      FftwPlan::Choice::quick);
  std::copy(x.begin(), x.end(), in.data());
  fftw_execute(plan.get());
  std::vector<double> squares(bins);
  for (std::size_t k = 0; k < bins; ++k) {
    const double re = transform[k][0], im = transform[k][1];
    squares[k] = re * re + im * im;
  }
  return squares;
}

}  // namespace

std::size_t Spectrum::peak() const {
  if (density.size() < 2) return 0;
  return static_cast<std::size_t>(std::max_element(density.begin() + 1, density.end()) -
                                  density.begin());
}

Result<Spectrum> power_spectrum(std::span<const double> times, std::span<const double> values) {
  Spectrum spectrum;
  // Use only the newest samples.
  if (times.size() > max_spectrum_samples) {
    times = times.last(max_spectrum_samples);
    values = values.last(max_spectrum_samples);
    spectrum.shortened = true;
  }
  if (times.size() < min_spectrum_samples)
    return cannot(fmt::format("A spectrum needs at least {} samples", min_spectrum_samples));
  const double interval = times[1] - times[0];
  // Tolerance for the rounding of times.
  const double slack =
      1e-6 * interval + 8 * std::numeric_limits<double>::epsilon() *
                            std::max(std::abs(times.front()), std::abs(times.back()));
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double here = times[i] - times[i - 1];
    if (std::abs(here - interval) <= slack) continue;
    // The last sample of a run may come early; leave it out.
    if (i + 1 == times.size() && here < interval && i >= min_spectrum_samples) {
      times = times.first(i);
      values = values.first(i);
      break;
    }
    return cannot(
        fmt::format("The samples are not evenly spaced: {:.6g} s apart at first, {:.6g} s "
                    "at t = {:.6g} s",
                    interval, here, times[i]));
  }
  if (!(interval > 0)) return cannot("The samples are not separated in time");
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    return cannot("Some samples in this range have no value");

  // A length that is fast to transform.
  if (times.size() > plain_spectrum_samples) {
    const std::size_t fewer = smooth(times.size());
    spectrum.shortened |= fewer < times.size();
    times = times.last(fewer);
    values = values.last(fewer);
  }
  const std::size_t n = times.size();
  spectrum.samples = n;
  spectrum.interval = (times.back() - times.front()) / static_cast<double>(n - 1);
  // Mean x̄.
  CompensatedSum sum;
  for (const double v : values) sum.add(v);
  const double mean = sum.value() / static_cast<double>(n);
  // w_j (x_j − x̄) and Σ w_j².
  std::vector<double> windowed(n);
  double weight = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double w =
        0.5 *
        (1 - std::cos(2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(n)));
    windowed[j] = w * (values[j] - mean);
    weight += w * w;
  }
  // S_k = 2Δt |X_k|² / Σ w_j², without the 2 at k = 0 and k = N/2.
  spectrum.density = squared_transform(windowed);
  for (std::size_t k = 0; k < spectrum.density.size(); ++k) {
    const bool alone = k == 0 || 2 * k == n;
    spectrum.density[k] *= (alone ? 1 : 2) * spectrum.interval / weight;
  }
  return spectrum;
}

std::string density_unit(std::string_view unit) {
  if (unit == "1") return "1/Hz";
  const bool simple = unit.find_first_of(" /") == unit.npos;
  return simple ? fmt::format("{}²/Hz", unit) : fmt::format("({})²/Hz", unit);
}

}  // namespace twosphere
