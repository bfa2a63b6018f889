// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/schema.h"

#include "app/cli/subcommand.h"
#include "core/base/json.h"

namespace twosphere {

Subcommand schema_subcommand() {
  return {.name = "schema",
          .summary = "print the JSON Schema of scenario files",
          .options = {},
          .run = [] { return print(json::write(scenario_schema())); }};
}

}  // namespace twosphere
