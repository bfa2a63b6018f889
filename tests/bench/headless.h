// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "tests/bench/alternation.h"

namespace twosphere::test {

/// Steps per second of a scenario by `twosphere run`; 0 if it fails.
inline double headless(const std::string& file, int core) {
  const std::string command =
      fmt::format("taskset -c {} '{}' run '{}'", core, TWOSPHERE_PROGRAM, file);
  const std::unique_ptr<FILE, decltype(&::pclose)> run(::popen(command.c_str(), "r"), &::pclose);
  double rate = 0;
  std::array<char, 256> line;
  while (run && std::fgets(line.data(), line.size(), run.get()))
    (void)std::sscanf(line.data(), "steps per second: %lf", &rate);
  return rate;
}

}  // namespace twosphere::test
