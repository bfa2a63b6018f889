// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_for_page.h"

#include <filesystem>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/scenario/page_scenario.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

std::string scenario_of_page(const std::string& path, const Scenario& record) {
  if (!path.empty() && path != "-") {
    auto text = read_file(path, json::max_bytes);
    if (text && is_web_page(*text)) text = page_scenario(*text, path);
    if (text)
      if (const auto file = read_scenario(*text, path)) {
        Scenario same_record = record;
        same_record.every = file->every;
        same_record.branches = file->branches;
        if (same(*file, same_record)) return *text;
      }
  }
  return write_scenario(record);
}

std::string scenario_name_of_page(const std::string& path, const Scenario& record) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return (path.empty() || path == "-" ? record.system : stem) + ".json";
}

}  // namespace twosphere
