// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/schema.h"

#include "app/cli/subcommand.h"
#include "core/base/json.h"

namespace twosphere {

Subcommand schema_subcommand() {
  return {.name = "schema",
          .summary = "print the JSON Schema of scenario files",
          .usage =
              "Usage: twosphere schema\n"
              "Prints the JSON Schema (2020-12) of scenario files, with which editors complete\n"
              "and explain their keys, and mark errors. It is also installed, as\n"
              "share/twosphere/scenario.schema.json.\n",
          .options = {},
          .run = [] { return print(json::write(scenario_schema())); }};
}

}  // namespace twosphere
