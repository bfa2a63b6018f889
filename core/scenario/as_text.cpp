// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/as_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/custom/definition.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

/// Without the sentences on the key that switches the control torque of built-in systems.
std::string without_hold_key(const std::string& description) {
  std::string kept;
  for (std::size_t from = 0; from < description.size();) {
    const std::size_t end = std::min(description.find(". ", from), description.size());
    const std::string_view sentence =
        std::string_view(description).substr(from, std::min(end + 2, description.size()) - from);
    if (sentence.find("ress H ") == sentence.npos) kept += sentence;
    from += sentence.size();
  }
  return kept;
}

}  // namespace

Result<Scenario> as_text(const Scenario& scenario) {
  if (scenario.definition) return scenario;
  const SystemInfo& info = info_of(scenario);
  if (!info.text)
    return Error{ErrorKind::usage, "system.type",
                 fmt::format("{} cannot be opened as text", info.key)};
  const auto system = create_system(scenario);
  if (system && (*system)->free_base())
    return Error{ErrorKind::usage, "system.gravity",
                 "a chain that flies cannot be opened as text; without a gravity it is one in "
                 "the axes of its centre of mass"};
  if (system && (*system)->follows_attitude())
    return Error{ErrorKind::usage, "system.attitude",
                 "tops in space cannot be opened as text; without an attitude they can, and a text "
                 "may follow it, see docs/custom.md"};
  Scenario start = scenario;
  start.events.clear();
  start.branches.clear();
  start.continuation.reset();
  start.description = without_hold_key(start.description);
  json::Node document = to_json(start);
  *document.find("system") = definition_document(info.text(scenario.size(), scenario.parameters));
  return from_json(document, fmt::format("{} as text", info.key));
}

}  // namespace twosphere
