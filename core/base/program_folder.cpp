// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/program_folder.h"

#include <system_error>

namespace twosphere {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none).parent_path();
}

fs::path font_folder() {
  const fs::path fonts = "share/fonts/truetype/dejavu";
  std::error_code none;
  const fs::path own = program_folder().parent_path() / fonts;
  return fs::is_directory(own, none) ? own : "/usr" / fonts;
}

}  // namespace twosphere
