// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace twosphere {

/// Members of an ensemble of uncoupled bodies that take their steps together: whole vectors of
/// every level, two of the widest, so that the operations of one are done while those of the other
/// wait for one another.
///
/// Their arrays are structures of arrays, aligned to a cache line: member m has component c of body
/// i at (3 i + c) · ensemble_members + m.
inline constexpr std::size_t ensemble_members = 16;

/// Whether so few members of at most `width` take less time together than one after the other.
constexpr bool worth_together(std::size_t members, std::size_t width) {
  return members > 1 && 2 * members >= width;
}

/// Calls use(member, its slot) for every slot of a group; where there are fewer members, the last
/// one is repeated.
template <class Member, class Use>
void for_each_slot(std::span<const Member> members, std::size_t slots, Use use) {
  for (std::size_t m = 0; m < slots; ++m) use(members[std::min(m, members.size() - 1)], m);
}

}  // namespace twosphere
