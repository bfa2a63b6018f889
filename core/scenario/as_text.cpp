// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/as_text.h"

#include <fmt/format.h>

#include "core/custom/definition.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

Result<Scenario> as_text(const Scenario& scenario) {
  if (scenario.kind) return scenario;
  const SystemInfo& info = info_of(scenario);
  if (!info.text)
    return Error{ErrorKind::usage, "system.type",
                 fmt::format("{} cannot be opened as text", info.key)};
  Scenario start = scenario;
  start.events.clear();
  start.branches.clear();
  start.continuation.reset();
  json::Node document = to_json(start);
  *document.find("system") = definition_document(info.text(scenario.size(), scenario.parameters));
  return read_scenario(document, fmt::format("{} as text", info.key));
}

}  // namespace twosphere
