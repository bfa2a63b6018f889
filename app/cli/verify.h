// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twosphere {

/// What `twosphere verify` was asked to prove, as written on the command line.
struct VerifyOptions {
  std::string scenario;  ///< a file, "-" for standard input; empty: the preset
  std::string preset;
  bool all = false;  ///< every preset with every integrator that applies to it
  std::vector<std::string> integrators;
  std::optional<std::string> steps;
};

/// Proves that 2N steps equal N steps, a state file and N more in another process: the state files
/// at the end and the rows of the second half, byte for byte. A line for each scenario and
/// integrator, and one that counts them, go to standard output. Returns the exit status: 1 if any
/// differ.
int verify(const VerifyOptions& options);

/// The first place where two JSON documents differ, with both values: "initial.q[0][2]: 0.5 and
/// 0.25". None if the texts are equal.
std::optional<std::string> first_difference(std::string_view whole, std::string_view parts);

/// The same of two tables, of which `whole` has so many rows more behind its header: "total_energy
/// [J] at time [s] = 0.25: 1 and 2".
std::optional<std::string> first_different_row(std::string_view whole, std::string_view parts,
                                               std::int64_t more);

}  // namespace twosphere
