// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/run/simulation.h"
#include "core/scenario/branches.h"
#include "core/scenario/reader.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/scenario.h"
#include "core/scenario/writer.h"

/// Any bytes as a scenario: reader, writer, a few steps, the state file and on from there. Whatever
/// is accepted must read the same once written, and continue bit for bit from a saved state;
/// whatever is not must say where and why. The entry point is libFuzzer's; `mutate.cpp` drives it
/// elsewhere.
namespace {

using namespace twosphere;

void demand(bool held, std::string_view what, const std::string& text) {
  if (held) return;
  std::fprintf(stderr, "%.*s:\n%s\n", static_cast<int>(what.size()), what.data(), text.c_str());
  std::abort();
}

/// Whether it would take long without being wrong: millions of pairs, or of inner steps.
bool slow(std::string_view text) {
  constexpr int finest = 2;
  const auto root = json::parse(text, "input");
  if (!root) return false;
  const json::Node* initial = root->find("initial");
  const json::Node* generator = initial ? initial->find("generator") : nullptr;
  const json::Node* subdivisions = generator ? generator->find("subdivisions") : nullptr;
  return subdivisions && subdivisions->number > finest;
}

/// Written, it reads the same.
std::string written(const Scenario& scenario, const std::string& text) {
  const std::string first = write_scenario(scenario);
  const auto again = read_scenario(first, "written");
  demand(again.has_value(), again ? "" : again.error().text(), text + "\nwritten:\n" + first);
  demand(write_scenario(*again) == first, "it changes when it is written and read",
         text + "\nwritten:\n" + first + "\nand again:\n" + write_scenario(*again));
  return first;
}

/// Up to so many steps; the state then.
std::string advance(Simulation& simulation, int steps, const std::string& text) {
  for (int i = 0; i < steps; ++i)
    if (const auto failure = simulation.step()) {
      demand(!failure->message.empty(), "a failure without words", text);
      break;
    }
  return written(simulation.continuation(), text);
}

/// With a row at every step, so that every state is looked at.
Scenario looked_at_everywhere(Scenario scenario) {
  scenario.every = 1;
  for (Event& event : scenario.events)
    std::erase_if(event.set, [](const Setting& setting) { return setting.path == "every"; });
  std::erase_if(scenario.events,
                [](const Event& event) { return event.set.empty() && !event.resume; });
  return scenario;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (slow(text)) return 0;
  const auto scenario = read_scenario(text, "input");
  if (!scenario) {
    const std::string said = scenario.error().text();
    demand(said.starts_with("input:") && !scenario.error().message.empty(), said, text);
    // The text of a definition is shown on lines of its own.
    for (const char c : said)
      demand(static_cast<unsigned char>(c) >= ' ' || c == '\n', "a control character in " + said,
             text);
    return 0;
  }
  (void)written(*scenario, text);
  Scenario again = *scenario;
  for (BranchSpec& branch : again.branches) {
    const auto record = branch_record(*scenario, branch.name);
    demand(record.has_value(), record ? "" : record.error().text(), text);
    (void)written(*record, text);
    branch = branch_of(*scenario, *record, branch.name, branch.from_step);
  }
  demand(same(again, *scenario), "the branch of a branch's record is another one", text);
  constexpr int max_bodies = 64;
  constexpr double max_substeps = 1000;
  for (const LaneSpec& lane : scenario->lanes)
    if (grid_step(scenario->lanes) / lane.step > max_substeps) return 0;
  if (scenario->size() > max_bodies) return 0;
  auto simulation = Simulation::create(looked_at_everywhere(*scenario));
  if (!simulation) {
    // Which methods have tangent vectors for a stop condition is known once they are made.
    demand(simulation.error().location == "stop", simulation.error().text(), text);
    return 0;
  }
  const std::string half = advance(*simulation, 3, text);
  // Stops and refusals end either of the two; where they continue, they continue alike.
  auto resumed = Simulation::create(*read_scenario(half, "half"));
  demand(resumed.has_value(), resumed ? "" : resumed.error().text(), half);
  const std::string whole = advance(*simulation, 2, text), rest = advance(*resumed, 2, text);
  demand(whole == rest, "a saved state continues otherwise",
         text + "\nhalf:\n" + half + "\nwhole:\n" + whole + "\nrest:\n" + rest);
  return 0;
}
