// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/neighbour_lists.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/neighbour_lists.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twosphere::neighbours_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, Bands::group>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());
constexpr std::size_t vectors = Bands::group / lanes;

/// The largest square of the distance between two arrays of `count` positions, a multiple of the
/// group; not less than it if one is not finite.
double farthest(const double* a, const double* b, std::size_t count) {
  const D d;
  V max_square = hn::Zero(d);
  for (std::size_t i = 0; i < count; i += lanes) {
    V x, y, z, u, v, w, unused;
    hn::LoadInterleaved4(d, a + 4 * i, x, y, z, unused);
    hn::LoadInterleaved4(d, b + 4 * i, u, v, w, unused);
    const V dx = hn::Sub(x, u), dy = hn::Sub(y, v), dz = hn::Sub(z, w);
    const V r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
    // A NaN is larger than all.
    max_square = hn::IfThenElse(hn::Le(r2, max_square), max_square, r2);
    max_square = hn::IfThenElse(hn::Eq(max_square, max_square), max_square, hn::Set(d, 1e300));
  }
  HWY_ALIGN double all[lanes];
  hn::Store(max_square, d, all);
  double largest = 0;
  for (const double one : all) largest = one > largest ? one : largest;
  return largest;
}

/// Appends the slots of [begin, end) with a distance² of at most `square` to one of the four
/// positions from `at` on. Returns how many of `found` are taken; counts pairs at one place.
std::size_t collect(const double* positions, std::size_t at, double square, std::uint32_t begin,
                    std::uint32_t end, std::uint32_t* found, std::size_t count, std::size_t& met) {
  const D d;
  const V limit = hn::Set(d, square), zero = hn::Zero(d);
  V x[vectors], y[vectors], z[vectors], same[vectors];
  for (std::size_t k = 0; k < vectors; ++k) {
    V unused;
    hn::LoadInterleaved4(d, positions + 4 * (at + k * lanes), x[k], y[k], z[k], unused);
    same[k] = zero;
  }
  const V one = hn::Set(d, 1);
  for (std::uint32_t j = begin; j < end; ++j) {
    const double* const p = positions + 4 * static_cast<std::size_t>(j);
    const V px = hn::Set(d, p[0]), py = hn::Set(d, p[1]), pz = hn::Set(d, p[2]);
    bool near = false;
    for (std::size_t k = 0; k < vectors; ++k) {
      const V dx = hn::Sub(x[k], px), dy = hn::Sub(y[k], py), dz = hn::Sub(z[k], pz);
      const V r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
      same[k] = hn::Add(same[k], hn::IfThenElseZero(hn::Eq(r2, zero), one));
      near |= !hn::AllFalse(d, hn::Le(r2, limit));
    }
    found[count] = j;
    count += near ? 1 : 0;
  }
  HWY_ALIGN double all[lanes];
  for (std::size_t k = 0; k < vectors; ++k) {
    hn::Store(same[k], d, all);
    for (const double one_lane : all) met += static_cast<std::size_t>(one_lane);
  }
  return count;
}

/// Writes 4 times the slots in the order of their numbers, all different. Both arrays of `count`
/// elements have room for whole vectors; the numbers are padded.
void order(const std::uint32_t* slots, std::int32_t* numbers, std::size_t count,
           std::uint32_t* out) {
  const hn::CappedTag<std::int32_t, 8> d;
  constexpr std::size_t width = hn::MaxLanes(decltype(d)());
  for (std::size_t k = count; k % width != 0; ++k) numbers[k] = 0x7fffffff;
  HWY_ALIGN std::int32_t rank[width];
  for (std::size_t first = 0; first < count; first += width) {
    // Of each number, how many are less.
    const auto own = hn::Load(d, numbers + first);
    auto less = hn::Zero(d);
    for (std::size_t k = 0; k < count; ++k)
      less = hn::Sub(less, hn::VecFromMask(d, hn::Lt(hn::Set(d, numbers[k]), own)));
    hn::Store(less, d, rank);
    for (std::size_t k = 0; k < width && first + k < count; ++k)
      out[rank[k]] = 4 * slots[first + k];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::neighbours_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <bit>
#include <cmath>

namespace twosphere {

namespace neighbours_kernel {
namespace {

HWY_EXPORT(farthest);
HWY_EXPORT(collect);
HWY_EXPORT(order);

/// Memory for the list of one group.
struct Scratch {
  std::vector<std::array<std::uint32_t, 2>> ranges;  // of slots
  Aligned<std::uint32_t> slots, ordered;
  Aligned<std::int32_t> numbers;
  Aligned<std::uint64_t> members;  // one bit for each number; 0 between lists
};

}  // namespace
}  // namespace neighbours_kernel

namespace {

/// The skin relative to the reach. A larger one makes lists longer, a smaller one makes them more
/// often.
constexpr double skin_share = 0.12;
/// Lists of more entries in all are not kept [4 bytes].
constexpr std::size_t max_entries = std::size_t{1} << 25;
/// Longer lists are ordered by marking their numbers.
constexpr std::size_t max_ranked = 192;

}  // namespace

bool NeighbourLists::update(const Columns& q, double reach) {
  if (q.cols() != points_ || reach != reach_) {
    points_ = q.cols();
    reach_ = reach;
    valid_ = false;
    kept_ = true;
  }
  if (valid_ && kept_ && move(q)) return true;
  valid_ = make(q);
  return valid_;
}

bool NeighbourLists::may_suit(const Columns& q, double reach) const {
  if (!valid_ || q.cols() != points_ || reach != reach_) return false;
  constexpr Eigen::Index max_probes = 32;
  const Eigen::Index stride = std::max<Eigen::Index>(1, points_ / max_probes);
  double sum = 0;
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < points_; i += stride, ++count) {
    const double* const at = origins_.data() + 4 * slot_of_[static_cast<std::size_t>(i)];
    sum += (q.col(i) - Vec3(at[0], at[1], at[2])).squaredNorm();
  }
  return sum < static_cast<double>(count) * std::pow(skin_share * reach_, 2);
}

bool NeighbourLists::move(const Columns& q) {
  std::atomic<bool> near{true};
  for_each_part([&](std::size_t first_group, std::size_t end_group) {
    const std::size_t begin = first_group * group, end = end_group * group;
    for (std::size_t slot = begin; slot < end; ++slot) {
      const std::int32_t i = bands_.point(slot);
      if (i < 0) continue;
      const double* const from = q.data() + 3 * static_cast<std::size_t>(i);
      double* const to = positions_.data() + 4 * slot;
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
    if (!(HWY_DYNAMIC_DISPATCH(neighbours_kernel::farthest)(positions_.data() + 4 * begin,
                                                            origins_.data() + 4 * begin,
                                                            end - begin) < way_squared()))
      near.store(false, std::memory_order_relaxed);
  });
  return near;
}

bool NeighbourLists::make(const Columns& q) {
  skin_ = kept_ ? skin_share * reach_ : 0;
  if (!bands_.sort(q, reach_ + skin_)) return false;
  // A point that moves by half the skin must not leave the allowed distance from the sphere.
  const bool stays = bands_.squares().smallest > 0.36 && bands_.squares().largest < 3.6;

  // Positions by slot; empty slots are far from all points.
  positions_.resize(4 * bands_.max_slots());
  next_.resize(4 * bands_.max_slots());
  origins_.resize(4 * bands_.max_slots());
  slot_of_.resize(static_cast<std::size_t>(points_));
  if (kept_) parts_.resize(bands_.max_slots() / (part_groups * group) + 1);
  for_each_part([&](std::size_t first_group, std::size_t end_group) {
    const std::size_t begin = first_group * group, end = end_group * group;
    Vec3 first = Vec3::Zero();
    for (std::size_t slot = begin; slot < end; ++slot) {
      const std::int32_t i = bands_.point(slot);
      if (i >= 0) slot_of_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(slot);
      if (slot % group == 0) first = q.col(i);
      const Vec3 at = i < 0 ? Vec3(-8 * first) : Vec3(q.col(i));
      for (std::size_t c = 0; c < 3; ++c)
        positions_[4 * slot + c] = origins_[4 * slot + c] = at[static_cast<Eigen::Index>(c)];
    }
  });

  // The lists, until there are too many entries.
  std::atomic<bool> coincide{false};
  std::atomic<std::size_t> entries{0};
  for_each_part([&](std::size_t begin, std::size_t end) {
    if (!kept_) {
      for (std::size_t g = begin; g < end; ++g) (void)find(g, &coincide);
      return;
    }
    Part& part = parts_[begin / part_groups];
    part.entries.clear();
    for (std::size_t g = begin; g < end && entries <= max_entries; ++g) {
      const List list = find(g, &coincide);
      part.entries.insert(part.entries.end(), list.begin, list.end);
      part.begin[g - begin + 1] = static_cast<std::uint32_t>(part.entries.size());
    }
    entries += part.entries.size();
  });
  if (coincide) return false;
  if (entries > max_entries) {
    kept_ = false;
    parts_ = {};
    return make(q);
  }
  if (!stays) skin_ = 0;
  return true;
}

NeighbourLists::List NeighbourLists::find(std::size_t g, std::atomic<bool>* coincide) const {
  thread_local neighbours_kernel::Scratch scratch;
  const std::size_t first = g * group;
  std::size_t filled = 1;
  while (filled < group && !bands_.empty(first + filled)) ++filled;
  // The ranges, and room for all of their points.
  std::size_t room = 0;
  scratch.ranges.clear();
  bands_.for_each_range(first, first + filled, [&](std::size_t begin, std::size_t end) {
    scratch.ranges.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    room += end - begin;
  });
  room = std::bit_ceil(room + 8);
  scratch.slots.resize(room);
  scratch.ordered.resize(room);
  const double distance = (reach_ + skin_) * (1 + 1e-9);
  std::size_t count = 0, met = 0;
  for (const auto& [begin, end] : scratch.ranges)
    count = HWY_DYNAMIC_DISPATCH(neighbours_kernel::collect)(positions_.data(), first,
                                                             distance * distance, begin, end,
                                                             scratch.slots.data(), count, met);
  // Each point meets itself.
  if (coincide && met != filled) *coincide = true;
  const std::uint32_t* const slots = scratch.slots.data();
  std::uint32_t* const ordered = scratch.ordered.data();
  if (count <= max_ranked) {
    scratch.numbers.resize(max_ranked + 8);
    for (std::size_t k = 0; k < count; ++k) scratch.numbers[k] = bands_.point(slots[k]);
    HWY_DYNAMIC_DISPATCH(neighbours_kernel::order)(slots, scratch.numbers.data(), count, ordered);
  } else {
    const std::size_t words = static_cast<std::size_t>(points_) / 64 + 1;
    scratch.members.resize(words);
    for (std::size_t k = 0; k < count; ++k) {
      const auto i = static_cast<std::size_t>(bands_.point(slots[k]));
      scratch.members[i / 64] |= std::uint64_t{1} << i % 64;
    }
    std::uint32_t* to = ordered;
    for (std::size_t word = 0; word < words; ++word) {
      for (std::uint64_t bits = scratch.members[word]; bits != 0; bits &= bits - 1)
        *to++ = 4 * slot_of_[64 * word + static_cast<std::size_t>(std::countr_zero(bits))];
      scratch.members[word] = 0;
    }
  }
  return {ordered, ordered + count};
}

}  // namespace twosphere
#endif  // HWY_ONCE
