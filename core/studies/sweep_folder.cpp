// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "core/base/foreign_folder.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/version.h"
#include "core/studies/equilibria_table.h"

namespace twosphere {

Result<SweepFolder> open_sweep(const std::string& path) {
  const ForeignFolder folder(path);
  const auto text = folder.read(sweep_file, json::max_bytes);
  if (!text)
    return Error{text.error().kind, text.error().location,
                 text.error().message + "; twosphere sweep new makes a folder with it"};
  auto sweep = read_sweep(*text, folder.inside(sweep_file));
  if (!sweep) return sweep.error();
  return SweepFolder{path, sha256(*text), std::move(*sweep)};
}

Result<void> check_version(const SweepFolder& folder) {
  if (folder.sweep.version == version) return {};
  return Error{
      ErrorKind::usage, folder.inside(sweep_file),
      fmt::format("was made by version {} of the program, which is {}; make the sweep again",
                  folder.sweep.version, version)};
}

Result<SweepFolder> make_sweep(const std::string& path, const Sweep& sweep) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return Error{ErrorKind::input_output, path, error.message()};
  const ForeignFolder folder(path);
  const std::string file = folder.inside(sweep_file), text = write_sweep(sweep);
  if (std::filesystem::exists(file, error)) {
    const auto present = folder.read(sweep_file, json::max_bytes);
    if (!present || *present != text)
      return Error{ErrorKind::usage, file, "is there already; choose another folder"};
  } else {
    if (!sweep.equilibria.empty())
      if (auto done = folder.write(equilibria_file, equilibria_table({.list = sweep.equilibria}));
          !done)
        return done.error();
    if (auto done = folder.write(sweep_file, text); !done) return done.error();
  }
  return SweepFolder{path, sha256(text), sweep};
}

}  // namespace twosphere
