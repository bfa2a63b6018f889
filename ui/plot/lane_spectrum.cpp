// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/lane_spectrum.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "ui/plot/curve.h"

namespace twosphere::ui {

namespace {

// Largest fraction of the time spent on a spectrum while the run continues.
constexpr double share = 0.1;
// How long a frame waits for a spectrum.
constexpr std::chrono::milliseconds patience{4};
constexpr Interval no_frequencies{-1, 1}, no_densities{-17, -15};
// Margin beside the first and the last line [decades].
constexpr double margin = 0.03;

SpectrumResult make(const std::vector<double>& times, const std::vector<double>& values) {
  const auto begin = std::chrono::steady_clock::now();
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
  made.took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return made;
}

/// Computes on another thread, or if none can be started, when the result is requested.
std::future<SpectrumResult> begin(const Trace& trace, IndexRange values) {
  // One sample more than a spectrum uses, so that it is marked as shortened.
  const std::size_t first = values.last - std::min(values.size(), most_spectrum_samples + 1);
  std::vector<double> times = trace.times().values(first, values.last),
                      numbers = trace.values().values(first, values.last);
  if (values.size() > 1 && times.back() < times.front()) {  // a way back
    std::reverse(times.begin(), times.end());
    std::reverse(numbers.begin(), numbers.end());
  }
  return std::async(
      std::launch::async | std::launch::deferred,
      [times = std::move(times), numbers = std::move(numbers)] { return make(times, numbers); });
}

/// Waits at most `longest` for the spectrum in progress; returns whether none is in progress
/// afterwards.
bool take(LaneSpectrum& lane, std::chrono::milliseconds longest) {
  if (!lane.work.valid()) return true;
  if (lane.work.wait_for(longest) == std::future_status::timeout) return false;
  static_cast<SpectrumResult&>(lane) = lane.work.get();
  return true;
}

}  // namespace

bool update_spectra(std::vector<LaneSpectrum>& spectra, const PlotSpec& spec,
                    const std::vector<Curve>& curves, Interval time, const SpectrumSource& source,
                    double now) {
  std::vector<LaneSpectrum> former = std::move(spectra);
  spectra.clear();
  bool complete = true;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    // The last curve of a lane represents the whole lane.
    if (c + 1 < curves.size() && curves[c + 1].lane == curves[c].lane) continue;
    const Curve& curve = curves[c];
    const Trace trace(*curve.history, spec.y);
    const IndexRange values = trace.in_last_leg(
        {time.low, std::nextafter(time.high, std::numeric_limits<double>::infinity())});
    const double last_time = values.size() > 0 ? trace.time(values.last - 1) : 0;

    LaneSpectrum lane;
    const auto known = std::find_if(former.begin(), former.end(), [&](const LaneSpectrum& other) {
      return other.lane == curve.lane && other.history == curve.history && other.source == source;
    });
    if (known != former.end()) lane = std::move(*known);
    lane.style = curve.style;
    const bool free = take(lane, {}), known_lane = lane.lane == curve.lane;
    bool fresh = known_lane && lane.values.first == values.first &&
                 lane.values.last == values.last && lane.last_time == last_time;
    const bool early = known_lane && now - lane.begun_at < lane.took / share;
    if (!fresh && !early && free) {
      lane.lane = curve.lane;
      lane.history = curve.history;
      lane.source = source;
      lane.values = values;
      lane.last_time = last_time;
      lane.begun_at = now;
      lane.work = begin(trace, values);
      fresh = true;
    }
    complete &= fresh && take(lane, patience);
    spectra.push_back(std::move(lane));
  }
  return complete;
}

std::vector<LaneSpectrum> spectra_of(const PlotSpec& spec, const std::vector<Curve>& curves,
                                     Interval time) {
  std::vector<LaneSpectrum> spectra;
  update_spectra(spectra, spec, curves, time, {}, 0);
  for (LaneSpectrum& lane : spectra) take(lane, std::chrono::hours(1));
  return spectra;
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
    const auto [least, most] = std::minmax_element(from, to);
    const double middle = at - range.span() / (2.0 * columns);
    // In order of frequency.
    points.emplace_back(middle, least < most ? *least : *most);
    points.emplace_back(middle, least < most ? *most : *least);
    k = end;
  }
  if (k < count) add(k);
  return points;
}

}  // namespace twosphere::ui
