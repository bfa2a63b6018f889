// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "core/record/history.h"
#include "core/record/spectrum.h"
#include "ui/plot/lane_style.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

struct Curve;
struct PlotSpec;

/// The run that samples are of, and the lane that distances are taken from.
struct SpectrumSource {
  std::uint64_t generation = 0;
  int reference = 0;
  bool operator==(const SpectrumSource&) const = default;
};

struct MadeSpectrum {
  Spectrum spectrum;    ///< empty if there is none
  std::string problem;  ///< why, as a sentence
  double low = 0;       ///< the density above which most of them are; 0 if all are 0
  double high = 0;      ///< the largest beyond frequency 0
  double took = 0;      ///< [s]
};

/// The power spectrum of a lane's samples in a stretch of time, kept until others are made.
struct LaneSpectrum : MadeSpectrum {
  int lane = -1;
  LaneStyle style;  ///< of the integrator at the end of the stretch

  // Of what it was made, or is being made.
  const History* history = nullptr;
  SpectrumSource source;
  IndexRange values;
  double last_time = 0;
  double begun_at = 0;             // [s]
  std::future<MadeSpectrum> work;  // on another thread, if it is under way
};

/// Brings the spectra of the lanes of these curves up to date, on threads of their own; `now` is
/// the interface's clock [s]. It waits a moment for those that it begins, so that most are there at
/// once. Those that took long are made anew only after a while. False as long as one is due or
/// under way.
bool update_spectra(std::vector<LaneSpectrum>& spectra, const PlotSpec& spec,
                    const std::vector<Curve>& curves, Interval time, const SpectrumSource& source,
                    double now);
/// The spectra of these curves, however long they take.
std::vector<LaneSpectrum> spectra_of(const PlotSpec& spec, const std::vector<Curve>& curves,
                                     Interval time);

/// From the lowest to the highest frequency beyond 0 of all of them, as log10; of their densities
/// the range that shows most of them, likewise. The usual ones where there is nothing to show.
Interval frequency_range(const std::vector<LaneSpectrum>& spectra);
Interval density_range(const std::vector<LaneSpectrum>& spectra);

/// Points (log10 of the frequency, density) in a stretch of the axis and one beyond on either side:
/// all, or the least and the greatest of those in one of `columns` equal parts.
std::vector<std::pair<double, double>> spectrum_points(const Spectrum& spectrum, Interval range,
                                                       int columns);

}  // namespace twosphere::ui
