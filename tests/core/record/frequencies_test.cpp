// SPDX-License-Identifier: GPL-3.0-or-later
// Frequencies of quasi-periodic signals.
#include "core/record/frequencies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/base/philox.h"
#include "core/base/root.h"
#include "tests/outcome.h"

namespace twosphere::frequencies_test {
namespace {

using Complex = std::complex<double>;
using Signal = std::vector<Complex>;
using test::value_of;

Signal signal_of(const std::vector<Line>& lines, double interval, std::size_t samples) {
  Signal signal(samples);
  for (std::size_t j = 0; j < samples; ++j)
    for (const Line& line : lines)
      signal[j] += line.amplitude * std::polar(1.0, 2 * std::numbers::pi * line.frequency *
                                                        interval * static_cast<double>(j));
  return signal;
}

const double golden = (std::sqrt(5.0) - 1) / 2;
/// Five incommensurate lines of both signs.
const std::vector<Line> lines{{0.31, {1, 0.3}},
                              {-0.31 * golden, {0.2, -0.4}},
                              {0.31 + 0.2 * golden, {-0.25, 0.1}},
                              {-0.43, {0.05, 0.1}},
                              {0.06, {0.03, 0}}};

TEST(FindRoot, FindsZerosToRounding) {
  for (const double zero : {0.3, 1e-9, 0.999999}) {
    int calls = 0;
    const auto f = [&](double x) -> std::optional<double> {
      ++calls;
      return std::expm1(x - zero) + std::pow(x - zero, 3);
    };
    EXPECT_NEAR(value_of(find_root(0, *f(0), 1, *f(1), f, 1e-18)), zero, 1e-16);
    EXPECT_LT(calls, 15);
  }
  // A jump, and a flat zero, by bisection.
  const auto sign = [](double x) { return std::optional(x < 0.7 ? -1.0 : 1.0); };
  EXPECT_NEAR(*find_root(0, -1, 1, 1, sign, 1e-17), 0.7, 1e-15);
  const auto flat = [](double x) { return std::optional(std::pow(x - 0.6, 9)); };
  EXPECT_NEAR(*find_root(0, *flat(0), 1, *flat(1), flat, 1e-17), 0.6, 1e-6);
  const auto fails = [](double) { return std::optional<double>(); };
  EXPECT_FALSE(find_root(0, -1, 1, 1, fails, 1e-17));
}

TEST(Frequencies, OneLineIsExact) {
  for (const double frequency : {0.31, -0.123456789, 0.0, 4.99}) {
    for (const std::size_t samples : {64, 1000, 997}) {
      const auto found =
          value_of(find_lines(signal_of({{frequency, {0.6, -0.8}}}, 0.1, samples), 0.1, 3));
      ASSERT_EQ(found.size(), 1u) << "the rest is rounding";
      EXPECT_NEAR(found[0].frequency, frequency, 1e-12 / static_cast<double>(samples));
      EXPECT_LT(std::abs(found[0].amplitude - Complex(0.6, -0.8)), 1e-11);
    }
  }
}

TEST(Frequencies, ErrorsFallWithTheTimeAsTheWindowSays) {
  // The largest error of the largest line over some times around T; one by itself may be small.
  const auto error = [](double time, int window) {
    double worst = 0;
    for (int k = 0; k < 24; ++k) {
      const auto samples = static_cast<std::size_t>(4 * time * (1 + k / 40.0));
      const auto found = value_of(find_lines(signal_of(lines, 0.25, samples), 0.25, 1, window));
      worst = std::max(worst, std::abs(found[0].frequency - lines[0].frequency));
    }
    return worst;
  };
  for (const int window : {0, 1, 2, 3}) {
    const double slope = std::log2(error(100, window) / error(400, window)) / 2;
    EXPECT_NEAR(slope, 2 * window + 2, 0.3) << window;
  }
}

TEST(Frequencies, FindsAllLinesWithTheirAmplitudes) {
  const double interval = 0.2;
  const Signal signal = signal_of(lines, interval, 8192);
  const auto found = value_of(find_lines(signal, interval, 5, 2));
  ASSERT_EQ(found.size(), lines.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    EXPECT_NEAR(found[k].frequency, lines[k].frequency, 1e-10) << k;
    EXPECT_LT(std::abs(found[k].amplitude - lines[k].amplitude), 1e-8) << k;
  }
  // What the lines say is the signal.
  const Signal again = signal_of(found, interval, signal.size());
  for (std::size_t j = 0; j < signal.size(); j += 97)
    EXPECT_LT(std::abs(again[j] - signal[j]), 1e-6);
}

TEST(Frequencies, LinesThatAreNotResolvedEndTheList) {
  const double interval = 0.2, time = 1000 * interval;
  const auto found = value_of(find_lines(
      signal_of({{0.31, {1, 0}}, {0.31 + 0.3 / time, {0.5, 0}}}, interval, 1000), interval, 8));
  EXPECT_EQ(found.size(), 1u);
}

TEST(Frequencies, DiffusionTellsDriftFromRotation) {
  const Signal regular = signal_of(lines, 0.25, 4000);
  EXPECT_LT(frequency_diffusion(regular, 0.25, 2), -9);
  EXPECT_GE(frequency_diffusion(signal_of({{0.31, {1, 0}}}, 0.25, 4000), 0.25), -16);
  // The frequency changes by 1 % from the middle of one half to that of the other.
  Signal drifting(4000);
  for (std::size_t j = 0; j < drifting.size(); ++j) {
    const double t = 0.25 * static_cast<double>(j), middle = 250, rate = 0.31 * 0.01 / 500;
    drifting[j] = std::polar(
        1.0, 2 * std::numbers::pi * (0.31 * (t - middle) + rate / 2 * (t - middle) * (t - middle)));
  }
  EXPECT_NEAR(frequency_diffusion(drifting, 0.25), -2, 0.01);
  // Noise has no frequency that stays.
  Signal noise(4000);
  for (std::size_t j = 0; j < noise.size(); ++j) {
    const auto z = normal_numbers({static_cast<std::uint32_t>(j), 0, 0, 0}, 7);
    noise[j] = {z[0], z[1]};
  }
  EXPECT_GT(frequency_diffusion(noise, 0.25), -2);
}

/// Cosines A cos(2πνt + φ), given as ν and A e^(iφ).
Signal cosines(const std::vector<Line>& some, double interval, std::size_t samples) {
  Signal signal = signal_of(some, interval, samples);
  for (Complex& z : signal) z = z.real();
  return signal;
}

TEST(Frequencies, OfARealSignalAreCosines) {
  const std::vector<Line> some{
      {0.31, {1, 0.3}}, {0, {0.8, 0}}, {0.31 * golden, {0.2, -0.4}}, {0.12, {0.05, 0.1}}};
  for (const double interval : {0.2, -0.2}) {
    const Signal signal = cosines(some, interval, 8192);
    const auto found = value_of(find_real_lines(signal, interval, 4, 2));
    ASSERT_EQ(found.size(), 4u);
    for (const Line& line : some) {
      const auto same = std::find_if(found.begin(), found.end(), [&](const Line& other) {
        return std::abs(other.frequency - line.frequency) < 1e-9;
      });
      ASSERT_NE(same, found.end()) << line.frequency;
      EXPECT_LT(std::abs(same->amplitude - line.amplitude), 1e-7) << line.frequency;
      EXPECT_EQ(is_mean(*same, signal.size(), interval), line.frequency == 0);
    }
    // Each is two lines, of which that with νΔt > 0 comes first.
    const auto both = value_of(find_lines(signal, interval, 7, 2));
    std::size_t k = 0;
    for (const Line& line : found) {
      ASSERT_LT(k, both.size());
      const bool mean = is_mean(line, signal.size(), interval);
      EXPECT_EQ(std::abs(both[k].frequency), line.frequency);
      EXPECT_EQ(std::abs(both[k].amplitude) * (mean ? 1 : 2), std::abs(line.amplitude));
      if (!mean) {
        EXPECT_GT(both[k].frequency * interval, 0);
        EXPECT_NEAR(both[k + 1].frequency, -both[k].frequency, 1e-9);
      }
      k += mean ? 1 : 2;
    }
    EXPECT_EQ(find_real_lines(signal, interval, 2, 2)->size(), 2u);
  }
}

TEST(Frequencies, DiffusionOfARealSignalKnowsNeitherSignsNorTheMean) {
  // Lengths for which rounding makes either mirror the larger one.
  for (const std::size_t samples : {4000, 4001, 3997, 2048, 5001}) {
    EXPECT_LT(frequency_diffusion(cosines({{0.31, {0.6, 0.8}}}, 0.25, samples), 0.25, 2), -9);
    const std::vector<Line> mostly_mean{{0, {5, 0}}, {0.31, {0.6, 0.8}}};
    EXPECT_LT(frequency_diffusion(cosines(mostly_mean, 0.25, samples), 0.25, 2), -7);
    EXPECT_LT(frequency_diffusion(signal_of(mostly_mean, 0.25, samples), 0.25, 2), -7);
  }
  EXPECT_TRUE(std::isnan(frequency_diffusion(Signal(4000, 3), 0.25))) << "a mean alone";
  // A rotation that turns round.
  Signal turns = signal_of({{0.31, {1, 0}}}, 0.25, 4000);
  for (std::size_t j = 2000; j < turns.size(); ++j) turns[j] = std::conj(turns[j]);
  EXPECT_NEAR(frequency_diffusion(turns, 0.25), std::log10(2), 1e-6);
}

TEST(Frequencies, RefusesWhatHasNone) {
  EXPECT_FALSE(find_lines(Signal(31, 1), 1, 1));
  Signal bad(100, 1);
  bad[50] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(find_lines(bad, 1, 1));
  EXPECT_TRUE(std::isnan(frequency_diffusion(bad, 1)));
  EXPECT_TRUE(value_of(find_lines(Signal(100, 0), 1, 3)).empty());
}

}  // namespace
}  // namespace twosphere::frequencies_test
