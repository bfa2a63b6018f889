// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// Limits of scenario files, which the readers and the table of keys share; those of any JSON are
/// in core/base/json.h.
namespace twosphere {

inline constexpr long max_operations = 100'000'000;  ///< of all texts of a file, to read it
inline constexpr std::size_t max_branches = 8;
inline constexpr std::size_t max_events = 500'000;      ///< of a run, with those that it shares
inline constexpr std::size_t max_conditions = 1000;     ///< stop conditions
inline constexpr std::size_t max_parameters = 1000;     ///< of a definition
inline constexpr std::size_t max_plots = 1000;          ///< of a scenario, besides its system's
inline constexpr std::size_t longest_branch_name = 64;  ///< [bytes of UTF-8]
inline constexpr std::size_t longest_name = 1000;       ///< [bytes], of a lane or a plot
inline constexpr int max_subdivisions = 7;              ///< 163 842 directions
inline constexpr int max_sites = 1 << 20;               ///< of a lattice
inline constexpr std::size_t max_directions = std::size_t{1}
                                              << 23;  ///< of all generators of a start together
inline constexpr std::int64_t max_substeps =
    100'000;  ///< of a lane in a step of the run, which is taken as a whole

}  // namespace twosphere
