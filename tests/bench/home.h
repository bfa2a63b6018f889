// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include "tests/temporary_folder.h"

namespace twosphere::test {

/// During its lifetime the XDG folders and that of Mesa's shaders are empty temporary ones, so that
/// started programs find no settings, caches or sessions. The destructor removes them.
class Home {
 public:
  Home() {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (const char* before = std::getenv(names[i])) before_[i] = before;
      ::setenv(names[i], folder_.in(names[i]).c_str(), 1);
    }
  }
  ~Home() {
    for (std::size_t i = 0; i < names.size(); ++i)
      before_[i] ? ::setenv(names[i], before_[i]->c_str(), 1) : ::unsetenv(names[i]);
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;

  /// The path of a file in the temporary folder.
  std::string in(const char* name) const { return folder_.in(name); }

 private:
  static constexpr std::array names{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
                                    "XDG_CACHE_HOME", "MESA_SHADER_CACHE_DIR"};
  const TemporaryFolder folder_;
  std::array<std::optional<std::string>, names.size()> before_;
};

}  // namespace twosphere::test
