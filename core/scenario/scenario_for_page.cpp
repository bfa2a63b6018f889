// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_for_page.h"

#include <filesystem>
#include <optional>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/scenario/page_scenario.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

std::string scenario_of_page(const std::string& path, std::string_view preset,
                             const Scenario& record) {
  std::optional<std::string> text;
  if (const Preset* const found = find_preset(preset); path.empty() && found) text = found->text;
  if (!path.empty() && path != "-") {
    auto file = read_file(path, json::max_bytes);
    if (file && is_web_page(*file)) file = page_scenario(*file, path);
    if (file) text = std::move(*file);
  }
  if (!text) return write_scenario(record);
  const auto known = read_scenario(*text, path);
  if (!known) return write_scenario(record);
  Scenario same_record = record;
  same_record.every = known->every;
  same_record.branches = known->branches;
  return same(*known, same_record) ? *text : write_scenario(record);
}

std::string scenario_name_of_page(const std::string& path, const Scenario& record) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return (path.empty() || path == "-" ? record.system : stem) + ".json";
}

}  // namespace twosphere
