// SPDX-License-Identifier: GPL-3.0-or-later
// Power spectra of numbers whose spectrum is known.
#include "core/record/spectrum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "tests/outcome.h"

namespace twosphere::spectrum_test {
namespace {

using test::value_of;

struct Samples {
  std::vector<double> times, values;
};

template <class Value>
Samples samples(std::size_t n, double interval, Value value) {
  Samples s;
  for (std::size_t j = 0; j < n; ++j) {
    s.times.push_back(3 + static_cast<double>(j) * interval);
    s.values.push_back(value(s.times.back()));
  }
  return s;
}

double windowed_variance(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  double mean = 0, sum = 0, weight = 0;
  for (const double v : x) mean += v / n;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double w = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(j) / n);
    sum += w * w * (x[j] - mean) * (x[j] - mean);
    weight += w * w;
  }
  return sum / weight;
}

double power(const Spectrum& s, std::size_t from = 0, std::size_t to = -1) {
  double sum = 0;
  for (std::size_t k = from; k < std::min(to, s.density.size()); ++k)
    sum += s.density[k] * s.frequency(1);
  return sum;
}

TEST(PowerSpectrum, OfASineHasItsPowerAtItsFrequency) {
  constexpr double amplitude = 0.3, frequency = 12.5, offset = 40;
  for (const std::size_t n : {1000, 1001, 4096}) {
    const Samples s = samples(n, 0.004, [](double t) {
      return offset + amplitude * std::sin(2 * std::numbers::pi * frequency * t + 0.7);
    });
    const auto spectrum = value_of(power_spectrum(s.times, s.values));
    EXPECT_EQ(spectrum.samples, n);
    EXPECT_EQ(spectrum.density.size(), n / 2 + 1);
    EXPECT_NEAR(spectrum.interval, 0.004, 1e-12);
    EXPECT_FALSE(spectrum.shortened);
    const std::size_t peak = spectrum.peak();
    EXPECT_NEAR(spectrum.frequency(peak), frequency, 0.5 / (0.004 * static_cast<double>(n)));
    // All of A²/2 lies under the peak, whose foot Hann's window makes four lines wide.
    EXPECT_NEAR(power(spectrum, peak - 4, peak + 5), amplitude * amplitude / 2,
                2e-3 * amplitude * amplitude);
    EXPECT_LT(power(spectrum, 0, 5), 1e-6) << "the mean is gone";
  }
}

TEST(PowerSpectrum, ObeysParseval) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {16, 17, 500, 1021, 1024}) {
    const Samples s = samples(n, 1e-3, [&](double) { return 7 + normal(random); });
    const auto spectrum = value_of(power_spectrum(s.times, s.values));
    EXPECT_NEAR(power(spectrum), windowed_variance(s.values), 1e-13 * power(spectrum)) << n;
  }
}

TEST(PowerSpectrum, OfAConstantIsZero) {
  const Samples s = samples(64, 0.1, [](double) { return 2.0; });
  const auto spectrum = value_of(power_spectrum(s.times, s.values));
  for (const double density : spectrum.density) EXPECT_EQ(density, 0);
}

TEST(PowerSpectrum, NeedsEvenSamples) {
  Samples s = samples(100, 0.1, [](double t) { return t; });
  // The step was halved.
  for (std::size_t i = 61; i < 100; ++i) s.times[i] = s.times[60] + 0.05 * double(i - 60);
  auto spectrum = power_spectrum(s.times, s.values);
  ASSERT_FALSE(spectrum);
  EXPECT_EQ(spectrum.error().message,
            "The samples are not evenly spaced: 0.1 s apart at first, 0.05 s at t = 9.05 s");
  // Of its last sample a run may have less than a stride.
  EXPECT_TRUE(power_spectrum(std::span(s.times).first(62), std::span(s.values).first(62)));
  spectrum = power_spectrum(std::span(s.times).first(62), std::span(s.values).first(62));
  EXPECT_EQ(spectrum->samples, 61U);

  EXPECT_EQ(
      power_spectrum(std::span(s.times).first(15), std::span(s.values).first(15)).error().message,
      "A spectrum needs at least 16 samples");
  s.values[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      power_spectrum(std::span(s.times).first(60), std::span(s.values).first(60)).error().message,
      "Some samples in this range have no value");
}

TEST(PowerSpectrum, TakesTheNewestOfVeryMany) {
  const Samples s = samples(max_spectrum_samples + 1000, 1e-3, [](double t) {
    return t < 3.9 ? 1e6 * t : std::sin(2 * std::numbers::pi * 50 * t);
  });
  const auto spectrum = value_of(power_spectrum(s.times, s.values));
  EXPECT_TRUE(spectrum.shortened);
  EXPECT_EQ(spectrum.samples, max_spectrum_samples);
  EXPECT_NEAR(spectrum.frequency(spectrum.peak()), 50, 0.01);
  EXPECT_NEAR(power(spectrum), 0.5, 1e-4);
}

TEST(PowerSpectrum, TakesALengthThatIsQuicklyTransformed) {
  const Samples s = samples(100'003, 1e-3, [](double t) { return std::sin(7 * t); });
  const auto spectrum = value_of(power_spectrum(s.times, s.values));
  EXPECT_TRUE(spectrum.shortened);
  EXPECT_EQ(spectrum.samples, 100'000U);
  const Samples few = samples(4093, 1e-3, [](double t) { return std::sin(7 * t); });
  EXPECT_EQ(power_spectrum(few.times, few.values)->samples, 4093U);
  // No number is far from one.
  std::size_t last = plain_spectrum_samples;
  for (std::size_t n = plain_spectrum_samples; n <= max_spectrum_samples; ++n) {
    std::size_t rest = n;
    for (const std::size_t factor : {2, 3, 5})
      while (rest % factor == 0) rest /= factor;
    if (rest != 1) continue;
    EXPECT_LE(static_cast<double>(n - last), 0.052 * static_cast<double>(n));
    last = n;
  }
}

TEST(PowerSpectrum, HasAUnit) {
  EXPECT_EQ(density_unit("J"), "J²/Hz");
  EXPECT_EQ(density_unit("rad/s"), "(rad/s)²/Hz");
  EXPECT_EQ(density_unit("J s"), "(J s)²/Hz");
  EXPECT_EQ(density_unit("1"), "1/Hz");
}

}  // namespace
}  // namespace twosphere::spectrum_test
