// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

/// Files that are found by the place of the program, so that its prefix may be moved.
namespace twosphere {

/// The folder of the program that runs; empty if that cannot be found out.
std::filesystem::path program_folder();

/// The folder of the fonts DejaVu Sans and Sans Mono: in `share` of the program's prefix, as a
/// portable folder has them, or else that of Debian's package. It need not exist.
std::filesystem::path font_folder();

}  // namespace twosphere
