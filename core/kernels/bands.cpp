// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/bands.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/bands.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Must be included after <hwy/highway.h>; compiled once per level.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace twosphere::bands_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Computes for n points the angle θ from e3 [rad] and the azimuth as a fraction of a turn. Extends
/// `squares` by their |q|²; the smallest is 0 if a point is not finite. `theta` and `turn` are
/// padded to whole vectors.
void angles(const double* q, std::size_t n, double* theta, double* turn, Squares& squares) {
  const hn::CappedTag<double, 8> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  const V zero = hn::Zero(d), half = hn::Set(d, 0.5), one = hn::Set(d, 1),
          quarter_turn = hn::Set(d, 1.5707963267948966), per_turn = hn::Set(d, 0.15915494309189535);
  V smallest = hn::Set(d, squares.smallest), largest = hn::Set(d, squares.largest);
  HWY_ALIGN double last[3 * lanes] = {};
  for (std::size_t i = 0; i < n; i += lanes) {
    // Components of a vector of points; the last one is padded with a point.
    V x, y, z;
    if (i + lanes <= n) {
      hn::LoadInterleaved3(d, q + 3 * i, x, y, z);
    } else {
      for (std::size_t k = 0; k < 3 * lanes; ++k)
        last[k] = q[3 * i + (k < 3 * (n - i) ? k : k % 3)];
      hn::LoadInterleaved3(d, last, x, y, z);
    }
    // |q|²; 0 in place of one that is not finite.
    const V across2 = hn::MulAdd(x, x, hn::Mul(y, y)), square = hn::MulAdd(z, z, across2);
    const V known = hn::IfThenElseZero(hn::Eq(hn::Sub(square, square), zero), square);
    smallest = hn::IfThenElse(hn::Lt(known, smallest), known, smallest);
    largest = hn::IfThenElse(hn::Gt(known, largest), known, largest);
    // θ = π/2 − atan(z/√(x² + y²))
    hn::Store(hn::Sub(quarter_turn, hn::Atan(d, hn::Div(z, hn::Sqrt(across2)))), d, theta + i);
    // Azimuth as a fraction of a turn, in [0, 1).
    const V part = hn::Mul(per_turn, hn::Atan(d, hn::Div(y, x)));
    const V origin =
        hn::IfThenElse(hn::Lt(x, zero), half, hn::IfThenElse(hn::Lt(part, zero), one, zero));
    hn::Store(hn::IfThenZeroElse(hn::Eq(across2, zero), hn::Add(origin, part)), d, turn + i);
  }
  HWY_ALIGN double parts[2][lanes];
  hn::Store(smallest, d, parts[0]);
  hn::Store(largest, d, parts[1]);
  for (std::size_t k = 0; k < lanes; ++k) {
    squares.smallest = parts[0][k] < squares.smallest ? parts[0][k] : squares.smallest;
    squares.largest = parts[1][k] > squares.largest ? parts[1][k] : squares.largest;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::bands_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/thread_pool.h"

namespace twosphere {

namespace bands_kernel {
namespace {

HWY_EXPORT(angles);

/// At the level in use.
void best_angles(const double* q, std::size_t n, double* theta, double* turn, Squares& squares) {
  HWY_DYNAMIC_DISPATCH(angles)(q, n, theta, turn, squares);
}

}  // namespace
}  // namespace bands_kernel

namespace {

constexpr double pi = std::numbers::pi, margin = 1e-9;  // for rounding
constexpr std::size_t chunk = 2048;                     // points

}  // namespace

bool Bands::sort(const Columns& q, double distance) {
  const auto n = static_cast<std::size_t>(q.cols());
  const std::size_t chunks = (n + chunk - 1) / chunk;
  const auto for_chunks = [&](const auto& body) {
    parallel_for(chunks, [&](std::size_t c) { body(c, c * chunk, std::min(n, (c + 1) * chunk)); });
  };
  theta_.resize(n);
  turn_.resize(n);
  squares_of_.resize(chunks);
  for_chunks([&](std::size_t c, std::size_t begin, std::size_t end) {
    squares_of_[c] = {};
    bands_kernel::best_angles(q.data() + 3 * begin, end - begin, theta_.data() + begin,
                              turn_.data() + begin, squares_of_[c]);
  });
  squares_ = {};
  for (std::size_t c = 0; c < chunks; ++c) {
    squares_.smallest = std::min(squares_.smallest, squares_of_[c].smallest);
    squares_.largest = std::max(squares_.largest, squares_of_[c].largest);
  }
  if (!(squares_.smallest > 0.25 && squares_.largest <= 4)) return false;
  // |a/|a| − b/|b|| ≤ |a − b|/min(|a|, |b|). The same bound for all configurations on the sphere to
  // rounding, so that the bands do not change between calls.
  cut(n, distance / (2 * std::sqrt(std::min(1 - 1e-6, squares_.smallest))) * (1 + margin));

  // Each point's band and bin, and how many points of a chunk are in each band.
  const std::size_t bands = bands_.size();
  const double per_height = static_cast<double>(bands) / pi;
  for_chunks([&](std::size_t c, std::size_t begin, std::size_t end) {
    std::uint32_t* counts = next_.data() + c * bands;
    std::fill_n(counts, bands, 0U);
    for (std::size_t i = begin; i < end; ++i) {
      const auto k =
          std::min(static_cast<std::size_t>(std::max(0.0, theta_[i] * per_height)), bands - 1);
      const std::size_t bins = bands_[k].bins;
      const auto bin = static_cast<std::size_t>(turn_[i] * static_cast<double>(bins));
      band_[i] = static_cast<std::uint16_t>(k);
      bin_[i] = static_cast<std::uint32_t>(std::min(bin, bins - 1));
      ++counts[k];
    }
  });
  // First slot of each band, and of each chunk within it.
  slots_ = 0;
  for (std::size_t k = 0; k < bands; ++k) {
    bands_[k].first_slot = slots_;
    for (std::size_t c = 0; c < chunks; ++c) {
      const std::uint32_t points = next_[c * bands + k];
      next_[c * bands + k] = static_cast<std::uint32_t>(slots_);
      slots_ += points;
    }
    bands_[k].last_slot = slots_;
    slots_ = (slots_ + group - 1) / group * group;
  }
  for_chunks([&](std::size_t c, std::size_t begin, std::size_t end) {
    std::uint32_t* next = next_.data() + c * bands;
    for (std::size_t i = begin; i < end; ++i)
      members_[next[band_[i]]++] = static_cast<std::int32_t>(i);
  });

  // In each band: count the points of each bin, compute its first slot, and place the points.
  const auto fill = [&](std::size_t k) {
    const Band& band = bands_[k];
    std::uint32_t* ends = end_.data() + band.first_bin;
    std::fill_n(ends, band.bins, 0U);
    for (std::size_t m = band.first_slot; m < band.last_slot; ++m)
      ++ends[bin_[static_cast<std::size_t>(members_[m])]];
    auto slot = static_cast<std::uint32_t>(band.first_slot);
    for (std::size_t b = 0; b < band.bins; ++b) {
      const std::uint32_t points = ends[b];
      ends[b] = slot;
      slot += points;
    }
    for (std::size_t m = band.first_slot; m < band.last_slot; ++m) {
      const auto i = static_cast<std::size_t>(members_[m]);
      const std::size_t at = ends[bin_[i]]++;
      placed_[at] = {members_[m], bin_[i]};
    }
    const std::size_t next_band = (band.last_slot + group - 1) / group * group;
    std::fill(placed_.data() + band.last_slot, placed_.data() + next_band, Placed{-1, 0});
    std::fill(band_of_.data() + band.first_slot / group, band_of_.data() + next_band / group,
              static_cast<std::uint16_t>(k));
  };
  if (chunks > 1) {
    parallel_for(bands, fill);
  } else {
    for (std::size_t k = 0; k < bands; ++k) fill(k);
  }
  return true;
}

void Bands::cut(std::size_t n, double half_chord) {
  if (n == cut_for_ && half_chord == half_chord_) return;
  cut_for_ = 0;  // invalid until all is done
  // Bands of two mean spacings √(4π/n).
  const auto count =
      static_cast<std::size_t>(std::max(1.0, std::sqrt(pi * static_cast<double>(n)) / 4));
  const double height = pi / static_cast<double>(count);
  const double angle = half_chord < 1 ? 2 * std::asin(half_chord) * (1 + margin) : pi;
  sides_ =
      static_cast<std::size_t>(std::min(static_cast<double>(count) - 1, std::ceil(angle / height)));
  bands_.resize(count);
  turns_.resize(count * (2 * sides_ + 1));
  const auto sine = [&](std::size_t edge) {
    return edge == 0 || edge == count ? 0 : std::sin(height * static_cast<double>(edge));
  };
  const auto min_sine = [&](std::size_t k) { return std::min(sine(k), sine(k + 1)); };
  const auto height_of = [&](std::size_t edge) {
    return std::cos(height * static_cast<double>(edge));
  };
  std::size_t bins = 0;
  for (std::size_t k = 0; k < count; ++k) {
    Band& band = bands_[k];
    // Bins in proportion to the area of the band.
    band.first_bin = bins;
    const double share = (height_of(k) - height_of(k + 1)) / 2;  // of the sphere's area
    band.bins = static_cast<std::size_t>(1 + 2 * static_cast<double>(n) * share);
    bins += band.bins;
    for (std::size_t other = k < sides_ ? 0 : k - sides_; other <= std::min(count - 1, k + sides_);
         ++other) {
      // Largest difference of azimuth within the distance, by
      // sin²(α/2) = sin²((θ − θ')/2) + sin θ sin θ' sin²((φ − φ')/2)
      const std::size_t between = std::max(k, other) - std::min(k, other);
      const double gap = between < 2 ? 0 : height * static_cast<double>(between - 1) * (1 - margin);
      const double left = half_chord * half_chord - std::pow(std::sin(gap / 2), 2);
      const double sines = min_sine(k) * min_sine(other);
      double& turn = turns_[k * (2 * sides_ + 1) + other + sides_ - k];
      if (left < 0)
        turn = -1;
      else if (left < sines)
        turn = std::asin(std::sqrt(left / sines)) / pi * (1 + margin) + 1e-12;
      else
        turn = 1;
    }
  }

  // Memory for the largest possible number of slots of n points.
  const std::size_t room = n + group * count;
  next_.resize((n + chunk - 1) / chunk * count);
  band_.resize(n);
  bin_.resize(n);
  end_.resize(bins);
  members_.resize(room);
  placed_.resize(room);
  band_of_.resize(room / group + 1);
  cut_for_ = n;
  half_chord_ = half_chord;
}

}  // namespace twosphere
#endif  // HWY_ONCE
