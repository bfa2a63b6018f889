// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/temporary_folder.h"

namespace twosphere::test {

/// Makes the locale de_DE.UTF-8, in which 0.5 is written "0,5", in a separate folder, and lets
/// this process and those it starts find it there. Whether it could: the command localedef needs
/// the descriptions in Debian's package locales.
class GermanLocale {
 public:
  static constexpr const char* name = "de_DE.UTF-8";

  GermanLocale() {
    const std::string make =
        "localedef -i de_DE -f UTF-8 --no-archive " + folder_.in(name) + " 2>/dev/null";
    made_ = std::system(make.c_str()) == 0;
    ::setenv("LOCPATH", folder_.path().c_str(), 1);
  }
  ~GermanLocale() { ::unsetenv("LOCPATH"); }
  GermanLocale(const GermanLocale&) = delete;
  GermanLocale& operator=(const GermanLocale&) = delete;

  bool made() const { return made_; }

 private:
  const TemporaryFolder folder_;
  bool made_ = false;
};

}  // namespace twosphere::test
