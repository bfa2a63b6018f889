// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

/// The order in which the points of a grid are computed, coarse to fine: after any number of them
/// the points so far cover the grid evenly.
///
/// Write the index on an axis of length N with b = ⌈log₂ N⌉ binary digits. The digits of all axes,
/// the highest of each axis first, then the second of each, and so on, are the digits of the key of
/// a point from the lowest up; points come in the order of their keys. So the first 2^k points of a
/// grid whose lengths are powers of two are a grid themselves, and each next one halves the block
/// of an earlier one.
namespace twosphere {

/// The numbers of all points of a grid of this shape, the last axis fastest, in this order.
std::vector<std::size_t> coarse_to_fine(const std::vector<std::size_t>& shape);

/// The lengths, on each axis from the point on, of the block for which the point stands until finer
/// points follow. It may extend beyond the grid. Blocks painted in the order above leave no gap.
std::vector<std::size_t> block_of(const std::vector<std::size_t>& shape,
                                  const std::vector<std::size_t>& point);

}  // namespace twosphere
