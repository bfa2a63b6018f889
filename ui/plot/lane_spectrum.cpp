// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/lane_spectrum.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>

#include "core/record/sample_spacing.h"
#include "ui/plot/axis.h"

namespace twosphere::ui {

namespace {

// How long a frame waits for a spectrum, so that most are ready immediately.
constexpr std::chrono::milliseconds patience{4};
constexpr Interval no_frequencies{-1, 1}, no_densities{-17, -15};
// Margin beside the first and the last line [decades].
constexpr double margin = 0.03;

SpectrumResult make(const std::vector<double>& times, const std::vector<double>& values) {
  SpectrumResult made;
  if (auto spectrum = power_spectrum(times, values)) {
    made.spectrum = std::move(*spectrum);
    std::vector<double> sizes;
    for (std::size_t k = 1; k < made.spectrum.density.size(); ++k)
      if (made.spectrum.density[k] > 0) sizes.push_back(made.spectrum.density[k]);
    if (!sizes.empty()) {
      const auto twentieth = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 20);
      std::nth_element(sizes.begin(), twentieth, sizes.end());
      made.low = *twentieth;
      made.high = *std::max_element(sizes.begin(), sizes.end());
    }
  } else {
    made.problem = spectrum.error().message;
  }
  return made;
}

std::future<SpectrumResult> begin_spectrum(const Curve&, const Trace& trace, IndexRange values) {
  // One sample more than a spectrum uses, so that it is marked as shortened.
  const std::size_t first = values.last - std::min(values.size(), max_spectrum_samples + 1);
  std::vector<double> times = trace.times().values(first, values.last),
                      numbers = trace.values().values(first, values.last);
  if (values.size() > 1 && times.back() < times.front()) {  // a way back
    std::reverse(times.begin(), times.end());
    std::reverse(numbers.begin(), numbers.end());
  }
  return begin_work(
      [times = std::move(times), numbers = std::move(numbers)] { return make(times, numbers); });
}

/// The spectrum of samples that the lane has of its own.
SpectrumResult make(const SpectrumSamples& own, std::size_t lane) {
  SpectrumResult made;
  std::vector<double> times, values;
  if (lane < own.lanes.size()) {
    const SignalRows& rows = own.lanes[lane].whole;
    for (const std::complex<double>& sample : rows.samples) {
      times.push_back(static_cast<double>(times.size()) * std::abs(rows.interval));
      values.push_back(sample.real());
    }
    if (rows.interval < 0) std::reverse(values.begin(), values.end());  // a way back
    made = make(times, values);
  }
  if (!own.problem.empty())
    made.problem = own.problem;
  else if (!own.complete && made.spectrum.density.empty())
    made.problem = "A copy of the run takes its samples";
  return made;
}

/// Starts the spectrum of a lane, of its rows or of its own samples.
auto spectrum_beginner(const SharedSamples& own) {
  return [&own](const Curve& curve, const Trace& trace, IndexRange values) {
    if (!own) return begin_spectrum(curve, trace, values);
    return begin_work(
        [own, lane = static_cast<std::size_t>(curve.lane)] { return make(*own, lane); });
  };
}

}  // namespace

bool update_spectra(std::vector<LaneSpectrum>& spectra, const PlotSpec& spec,
                    const std::vector<Curve>& curves, Interval time, const SpectrumSource& source,
                    double now, const SharedSamples& own) {
  return update_work(spectra, spec, curves, time, source, now, own, patience,
                     spectrum_beginner(own));
}

std::vector<LaneSpectrum> spectra_of(const PlotSpec& spec, const std::vector<Curve>& curves,
                                     Interval time, const SharedSamples& own) {
  return work_of<LaneSpectrum>(spec, curves, time, own, spectrum_beginner(own));
}

Interval frequency_range(const std::vector<LaneSpectrum>& spectra) {
  Interval range = no_frequencies;
  bool any = false;
  for (const LaneSpectrum& lane : spectra) {
    const Spectrum& s = lane.spectrum;
    if (s.density.size() < 2) continue;
    const double low = std::log10(s.frequency(1)) - margin;
    const double high = std::log10(s.frequency(s.density.size() - 1)) + margin;
    range =
        any ? Interval{std::min(range.low, low), std::max(range.high, high)} : Interval{low, high};
    any = true;
  }
  return range;
}

Interval density_range(const std::vector<LaneSpectrum>& spectra) {
  double low = 0, high = 0;
  for (const LaneSpectrum& lane : spectra) {
    if (!(lane.high > 0)) continue;
    low = high > 0 ? std::min(low, lane.low) : lane.low;
    high = std::max(high, lane.high);
  }
  return high > 0 ? fit_log(low, high) : no_densities;
}

std::string frequency_label(const std::vector<LaneSpectrum>& spectra) {
  double longest = 0;
  for (const LaneSpectrum& lane : spectra) longest = std::max(longest, lane.spectrum.interval);
  const std::string label = "frequency [Hz], Hann window";
  if (longest <= 0) return label;
  return fmt::format("{}, up to {} Hz", label,
                     significant(SampleSpacing{.interval = longest}.nyquist(), 4));
}

std::vector<std::pair<double, double>> spectrum_points(const Spectrum& spectrum, Interval range,
                                                       int columns) {
  std::vector<std::pair<double, double>> points;
  const std::size_t count = spectrum.density.size();
  if (count < 2) return points;
  const double spacing = spectrum.frequency(1);
  // The first line at or above a position of the axis.
  const auto line = [&](double at) {
    const double k = std::ceil(std::pow(10.0, at) / spacing);
    return k >= static_cast<double>(count) ? count : static_cast<std::size_t>(std::max(k, 1.0));
  };
  const auto add = [&](std::size_t k) {
    points.emplace_back(std::log10(spectrum.frequency(k)), spectrum.density[k]);
  };
  std::size_t k = line(range.low);
  if (k > 1) add(k - 1);
  for (int c = 1; c <= columns; ++c) {
    const double at = range.low + range.span() * c / columns;
    const std::size_t end = line(at);
    if (end - k <= 2 || end < k) {
      for (; k < end; ++k) add(k);
      continue;
    }
    const auto from = spectrum.density.begin() + static_cast<std::ptrdiff_t>(k);
    const auto to = spectrum.density.begin() + static_cast<std::ptrdiff_t>(end);
    const auto [low, high] = std::minmax_element(from, to);
    const double middle = at - range.span() / (2.0 * columns);
    // In order of frequency.
    points.emplace_back(middle, low < high ? *low : *high);
    points.emplace_back(middle, low < high ? *high : *low);
    k = end;
  }
  if (k < count) add(k);
  return points;
}

}  // namespace twosphere::ui
