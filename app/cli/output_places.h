// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace twosphere {

/// The places where a command writes, of which no two may be the same.
class OutputPlaces {
 public:
  /// An output, "-" being standard output. Fails with kind usage if one before it is the same file,
  /// also under another path. The location of the error is `option`.
  void take(const std::string& path, const char* option);

 private:
  std::map<std::string, const char*> taken_;  // by the options
};

}  // namespace twosphere
