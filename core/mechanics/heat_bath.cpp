// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/heat_bath.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/philox.h"

namespace twosphere {

namespace {

constexpr std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

/// The key of the numbers of a clock: intervals are counted from 0 again where a clock begins anew.
std::uint64_t key_of(std::uint64_t seed, double origin) {
  const auto bits = std::bit_cast<std::uint64_t>(origin + 0.0);  // −0 is 0
  const PhiloxCounter words = philox({low_word(bits), high_word(bits), 0, 0}, seed);
  return std::uint64_t{words[1]} << 32 | words[0];
}

}  // namespace

void write_noise(const System& system, const HeatBath& bath, const NoiseInterval& of,
                 Columns& noise) {
  const Eigen::VectorXd& damping = system.damping();
  const std::uint64_t key = key_of(bath.seed, of.origin);
  const auto index = static_cast<std::uint64_t>(of.index);
  noise.resize(3, system.size());
  for (Eigen::Index i = 0; i < noise.cols(); ++i) {
    const double size = std::sqrt(2 * damping[i] * bath.temperature / of.step);
    const auto normal =
        normal_numbers({low_word(index), high_word(index), static_cast<std::uint32_t>(i), 0}, key);
    for (Eigen::Index k = 0; k < 3; ++k)
      noise(k, i) = size * std::clamp(normal[static_cast<std::size_t>(k)], -noise_cut, noise_cut);
  }
}

double noise_turn(const System& system, const HeatBath& bath, double h) {
  const Eigen::ArrayXd kappa = system.strength(), c = system.damping();
  // The fastest that the bath turns a body about each of two axes.
  const double mobility = (c / (kappa.square() + c.square())).maxCoeff();
  return std::sqrt(4 * mobility * bath.temperature * std::abs(h));
}

}  // namespace twosphere
