// SPDX-License-Identifier: GPL-3.0-or-later
// The energy that errors of a motion are compared with.
#include "core/run/motion_energy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/base/fields.h"

namespace twosphere::test::motion_energy_test {
namespace {

/// T and V of an oscillation of energy 1 J about V = `zero`.
void swing(MotionEnergy& energy, int rows, double zero = 0, double unit = 1) {
  for (int k = 0; k < rows; ++k) {
    const double sine = std::sin(0.1 * k);
    energy.add(unit * sine * sine, unit * (1 - sine * sine) + zero);
  }
}

TEST(MotionEnergy, OfOscillationsIsTheRangeOfThePotential) {
  MotionEnergy energy;
  EXPECT_EQ(energy.value(), 0);
  swing(energy, 200);
  EXPECT_NEAR(energy.value(), 1, 0.01);
  EXPECT_NEAR(energy.median(), 0.5, 0.2);
  EXPECT_EQ(energy.rows(), 200);
}

TEST(MotionEnergy, OfUniformMotionIsTheKineticEnergy) {
  MotionEnergy energy;
  for (int k = 0; k < 100; ++k) energy.add(0.3, -7);
  EXPECT_EQ(energy.median(), 0.3);
  EXPECT_EQ(energy.value(), 0.3);
}

TEST(MotionEnergy, MedianIsWithinAQuarterOctaveOfTheMedian) {
  for (const double least : {1e-200, 1e-6, 1.0}) {
    MotionEnergy energy;
    // Each value from 1 to 1001 times the least once.
    for (int k = 0; k <= 1000; ++k) energy.add(least * (1 + (k * 8 + 300) % 1001), 0);
    EXPECT_NEAR(std::log2(energy.median() / (501 * least)), 0, 0.26);
  }
}

TEST(MotionEnergy, DependsOnTheMotionAlone) {
  MotionEnergy plain, shifted, scaled;
  swing(plain, 300);
  swing(shifted, 300, 1024);
  swing(scaled, 300, 0, 3e-7);
  EXPECT_NEAR(shifted.value(), plain.value(), 1e-12);
  EXPECT_NEAR(scaled.value(), 3e-7 * plain.value(), 1e-18);
}

// What an encounter does to T and V is forgotten when it is over.
TEST(MotionEnergy, APeakCountsWhileItLasts) {
  MotionEnergy energy;
  swing(energy, 200);
  const double before = energy.value();
  for (const double t : {20.0, 1e4, 1e12, 20.0}) {
    energy.add(t, 1 - t);
    EXPECT_GE(energy.value(), t - 1);
  }
  swing(energy, 1);
  EXPECT_NEAR(energy.value(), before, 0.01);
}

TEST(MotionEnergy, RestIsZeroUntilSomethingMoves) {
  MotionEnergy energy;
  for (int k = 0; k < 1000; ++k) energy.add(0, 5);
  EXPECT_EQ(energy.value(), 0);
  energy.add(2, 3);
  EXPECT_EQ(energy.value(), 2);
  swing(energy, 2000, 4);
  EXPECT_NEAR(energy.median(), 0.25, 0.2);
  EXPECT_NEAR(energy.value(), 1, 0.01);
}

/// The median from all values so far, as in the header: of the powers of √2 times the first T.
double plain_median(const std::vector<double>& kinetic) {
  std::vector<int> powers;
  int highest = 0;
  const double unit = *std::find_if(kinetic.begin(), kinetic.end(), [](double t) { return t > 0; });
  for (const double t : kinetic) {
    const int k =
        t > 0 ? static_cast<int>(std::lround(2 * (std::log2(t) - std::log2(unit)))) : -9999;
    highest = std::max(highest, k);
    powers.push_back(k);
  }
  for (int& k : powers) k = std::max(k, highest - 63);
  const auto middle = powers.begin() + (static_cast<std::ptrdiff_t>(powers.size()) - 1) / 2;
  std::nth_element(powers.begin(), middle, powers.end());
  return *middle == highest - 63 ? 0 : unit * std::exp2(*middle / 2.0);
}

// It is not counted anew at every row.
TEST(MotionEnergy, TheMedianFollowsTheRows) {
  for (const double spread : {0.1, 2.0, 30.0}) {
    MotionEnergy energy;
    std::mt19937 generator(5);
    std::uniform_real_distribution<double> size(-spread, spread);
    std::vector<double> kinetic;
    double walk = 0;
    for (int k = 0; k < 2000; ++k) {
      walk = 0.95 * walk + size(generator);
      kinetic.push_back(k % 17 == 3 ? 0 : 3 * std::exp(walk));
      energy.add(kinetic.back(), 0);
      ASSERT_EQ(energy.median(), plain_median(kinetic)) << "row " << k << " of spread " << spread;
    }
  }
}

TEST(MotionEnergy, IsWrittenAndReadWhole) {
  MotionEnergy energy, read;
  swing(energy, 77, std::numbers::pi);
  std::string bytes;
  FieldWriter writer(bytes);
  energy.transfer(writer);
  FieldReader reader(bytes);
  read.transfer(reader);
  EXPECT_TRUE(reader.at_end());
  swing(energy, 50);
  swing(read, 50);
  EXPECT_EQ(read.value(), energy.value());
  EXPECT_EQ(read.median(), energy.median());
}

TEST(MotionEnergy, WhatIsNotOneIsRefused) {
  MotionEnergy energy;
  EXPECT_TRUE(energy.valid());
  swing(energy, 77);
  EXPECT_TRUE(energy.valid());
  std::string bytes;
  FieldWriter writer(bytes);
  energy.transfer(writer);
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(~wrong[at]);
    FieldReader reader(wrong);
    MotionEnergy read;
    read.transfer(reader);
    if (read.valid())
      swing(read, 2);  // without undefined behaviour
    else
      ++refused;
  }
  EXPECT_GT(refused, 400) << "of the 512 bytes of counts, and more";
}

}  // namespace
}  // namespace twosphere::test::motion_energy_test
