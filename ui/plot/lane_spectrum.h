// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/record/spectrum.h"
#include "ui/plot/lane_work.h"

namespace twosphere::ui {

struct SpectrumResult {
  Spectrum spectrum;    ///< empty if there is none
  std::string problem;  ///< the reason, as a sentence
  double low = 0;       ///< a density below most of the others; 0 if all are 0
  double high = 0;      ///< the largest density at a frequency > 0
  double took = 0;      ///< [s]
};

/// The power spectrum of samples of a lane in a time range, cached.
using LaneSpectrum = LaneWork<SpectrumResult>;

/// Updates the spectra of the lanes of these curves, of the rows or of `own` samples: see
/// update_work().
bool update_spectra(std::vector<LaneSpectrum>& spectra, const PlotSpec& spec,
                    const std::vector<Curve>& curves, Interval time, const SpectrumSource& source,
                    double now, const SharedSamples& own = {});
/// Computes the spectra of these curves and waits for them.
std::vector<LaneSpectrum> spectra_of(const PlotSpec& spec, const std::vector<Curve>& curves,
                                     Interval time, const SharedSamples& own = {});

/// The log10 range from the lowest to the highest frequency > 0 of all spectra, and that of most of
/// their densities. Default ranges if there are no data.
Interval frequency_range(const std::vector<LaneSpectrum>& spectra);
Interval density_range(const std::vector<LaneSpectrum>& spectra);

/// "frequency [Hz], Hann window, up to 50 Hz": the label of the axis, with the largest frequency
/// that the samples of all these spectra can tell from a lower one.
std::string frequency_label(const std::vector<LaneSpectrum>& spectra);

/// Points (log10 of the frequency, density) in a range of the axis and one beyond on either side:
/// all of them, or the smallest and the largest in each of `columns` equal parts.
std::vector<std::pair<double, double>> spectrum_points(const Spectrum& spectrum, Interval range,
                                                       int columns);

}  // namespace twosphere::ui
