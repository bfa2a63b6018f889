// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/exceptions.h"
#include "core/base/packing.h"
#include "core/color/palette.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using json::Kind;
using json::Node;

// States that are saved of a run besides its newest one: their number and size.
constexpr std::size_t max_states = 7, max_state_bytes = std::size_t{256} << 10;
constexpr int no_color = -1;  // of a branch, until it gets one

std::shared_ptr<const Scenario> shared_record(Scenario scenario) {
  return std::make_shared<const Scenario>(std::move(scenario));
}

/// The scenario of the first run of a family, with the part of its view that names it.
Scenario with_name(const SavedFamily& family) {
  const Branch& own = family.front();
  Scenario scenario = with_branches(*own.record, family);
  scenario.view = Node::object({{"run", own.look.name},
                                {"color", Node::whole(own.look.color)},
                                {"steps", Node::whole(own.head_step())}});
  return scenario;
}

void write_saved_family(Node& view, const SavedFamily& family, bool numbered) {
  Node runs = Node::array();
  for (const Branch& run : family) {
    Node& node = runs.items.emplace_back(Node::object());
    node.set("name", run.look.name);
    if (numbered) node.set("id", Node::whole(run.id));
    if (run.checkpoints) {
      const RunStates states = run.checkpoints->spread(max_states, max_state_bytes);
      node.set("states", Node(base64(write_states(states))));
    }
    if (!run.pending.empty()) node.set("pending", settings_object(run.pending));
  }
  view.set(saved_runs_key, std::move(runs));
}

/// A run as the view has it.
struct RunOfView {
  std::string name;      // of the run or branch
  int id = -1;           // the number of the run where it was saved; -1: none
  std::string states{};  // bytes of write_states(); empty: none
  std::vector<Setting> pending{};
};
struct RunsOfView {
  std::vector<RunOfView> runs;
  std::vector<Scenario> rewound;
};

Result<RunsOfView> read_saved_runs(const Node& view, const std::string& source) {
  const document::Origin from{source};
  const document::Value root(from, view, "view");
  RunsOfView of_view;
  try {
    const auto runs = root.find(saved_runs_key), rewound = root.find(rewound_key);
    for (std::size_t i = 0; runs && i < runs->expect(Kind::array).size(); ++i) {
      const document::Value node = runs->item(i);
      RunOfView& run = of_view.runs.emplace_back(RunOfView{node.member("name").text()});
      if (const auto id = node.find("id")) run.id = static_cast<int>(id->whole(0, max_run_id));
      // A text that is not base64 holds no states.
      if (const auto states = node.find("states"))
        run.states = from_base64(states->text()).value_or("");
      if (const auto pending = node.find("pending")) run.pending = settings_in(*pending);
    }
    if (rewound && rewound->expect(Kind::array).size() > max_branches)
      rewound->fail("must be a list of at most 8 scenarios");
    for (std::size_t i = 0; rewound && i < rewound->size(); ++i) {
      auto scenario = from_json(rewound->item(i).node(), source + ": view." + rewound_key);
      if (!scenario) return scenario.error();
      of_view.rewound.push_back(std::move(*scenario));
    }
  } catch (const Failure& failure) {
    return failure.error();
  }
  return of_view;
}

/// The whole number of that key in a view, if it has one in this range: those of runs within
/// sessions have not been checked.
std::optional<std::int64_t> whole_of(const json::Node& view, std::string_view key,
                                     std::int64_t max_value) {
  const json::Node* node = view.find(key);
  const bool suits = node && node->kind == json::Kind::number && node->number >= 0 &&
                     node->number <= static_cast<double>(max_value);
  if (!suits) return {};
  return static_cast<std::int64_t>(node->number);
}

/// Gives a run the states that were saved of it.
void take_states(Branch& run, const std::string& bytes) {
  // As the worker records it: with all settings.
  const auto made = Simulation::create(*run.record);
  if (!made) return;
  const auto repeatable = shared_record(made->record());
  auto states = read_states(bytes, *repeatable);
  // They may be of another version.
  if (!states || states->back()->step() == 0) return;
  run.saved = std::make_shared<const SavedStates>(SavedStates{repeatable, std::move(*states)});
  run.record = repeatable;
  auto checkpoints = std::make_shared<Checkpoints>();
  for (const auto& state : run.saved->states) checkpoints->add(state, {});
  run.checkpoints = std::move(checkpoints);
  run.histories.resize(run.saved->head().lanes.size());
  run.steps = run.saved->head().step();
}

/// The run of a scenario, which is the present one, and those of its branches.
RunFamily family_of(const Scenario& scenario, const RunsOfView& of_view, RunTree& tree,
                    std::map<int, int>& ids) {
  RunFamily family{.branches = {}, .present_id = tree.new_id()};
  std::vector<Branch>& runs = family.branches;
  Branch& own = runs.emplace_back(Branch{.id = family.present_id});
  const json::Node* name = scenario.view.find("run");
  if (name && why_no_branch_name(name->text).empty()) own.look.name = name->text;
  own.look.color =
      static_cast<int>(whole_of(scenario.view, "color", branch_color_count - 1).value_or(no_color));
  own.steps = whole_of(scenario.view, "steps", document::max_steps_taken).value_or(0);
  own.record = shared_record(main_record(scenario));
  for (const BranchSpec& spec : scenario.branches)
    if (auto record = branch_record(scenario, spec.name); record && runs.size() < max_branches)
      runs.push_back({.id = tree.new_id(),
                      .look = {spec.name, spec.color.value_or(no_color), spec.hidden},
                      .parent = family.present_id,
                      .fork_step = spec.from_step,
                      .record = shared_record(std::move(*record)),
                      .steps = spec.steps});
  if (BranchLook& look = runs.front().look; look.name.empty())
    look.name = RunTree::unused_look(runs).name;
  for (Branch& run : runs) {
    if (run.look.color == no_color) run.look.color = RunTree::unused_look(runs).color;
    const auto its = std::find_if(of_view.runs.begin(), of_view.runs.end(),
                                  [&](const RunOfView& one) { return one.name == run.look.name; });
    if (its == of_view.runs.end()) continue;
    if (its->id >= 0) ids[its->id] = run.id;
    run.pending = its->pending;
    if (!its->states.empty()) take_states(run, its->states);
  }
  return family;
}

RunsOfView runs_of_view(const Scenario& scenario) {
  auto of_view = read_saved_runs(scenario.view, "");
  return of_view ? std::move(*of_view) : RunsOfView{};
}

}  // namespace

Result<void> check_shown_lanes(const Scenario& scenario) {
  std::size_t lanes = recorded_lanes(scenario).size();
  for (const BranchSpec& branch : scenario.branches)
    if (const auto record = branch_record(scenario, branch.name))
      lanes = std::max(lanes, recorded_lanes(*record).size());
  if (lanes <= max_shown_lanes) return {};
  return Error{ErrorKind::usage, "lanes",
               fmt::format("the window shows at most {}, not {}; twosphere run accepts them all",
                           max_shown_lanes, lanes)};
}

SavedRuns saved_runs(const RunTree& tree, std::shared_ptr<const Checkpoints> present) {
  SavedRuns all;
  for (const RunFamily& family : tree.families()) {
    SavedFamily& saved = all.emplace_back();
    for (const bool first : {true, false})
      for (const Branch& run : family.branches)
        if ((run.id == family.present_id) == first)
          saved.push_back({.id = run.id,
                           .look = run.look,
                           .parent = family.present_id,
                           .fork_step = tree.shared_steps(family.present_id, run),
                           .record = run.record,
                           .checkpoints = run.checkpoints,
                           .steps = run.steps,
                           .pending = run.pending});
  }
  all.back().front().checkpoints = std::move(present);
  return all;
}

SavedRuns with_present(SavedRuns runs, const Worker::Captured& captured) {
  Branch& own = runs.back().front();
  own.record = shared_record(captured.record);
  auto checkpoints = own.checkpoints->up_to(captured.steps, {});
  checkpoints->add(captured.state, {});
  own.checkpoints = std::move(checkpoints);
  own.pending = captured.pending;
  return runs;
}

Scenario with_branches(Scenario record, const SavedFamily& family) {
  std::vector<BranchSpec> branches;
  for (std::size_t k = 1; k < family.size(); ++k) {
    const Branch& run = family[k];
    BranchSpec& branch =
        branches.emplace_back(branch_of(record, *run.record, run.look.name, run.fork_step));
    branch.steps = run.head_step();
    branch.color = run.look.color;
    branch.hidden = run.look.hidden;
  }
  record.branches = std::move(branches);
  return record;
}

Scenario with_runs(const Worker::Captured& captured, SavedRuns runs) {
  runs = with_present(std::move(runs), captured);
  Scenario scenario = with_name(runs.back());
  write_saved_runs(scenario.view, runs, true);
  return scenario;
}

void write_saved_runs(Node& view, const SavedRuns& runs, bool numbered) {
  write_saved_family(view, runs.back(), numbered);
  if (runs.size() == 1) return;
  Node rewound = Node::array();
  for (std::size_t k = 0; k + 1 < runs.size(); ++k) {
    Scenario scenario = with_name(runs[k]);
    write_saved_family(scenario.view, runs[k], numbered);
    rewound.items.push_back(to_json(scenario));
  }
  view.set(rewound_key, std::move(rewound));
}

Result<void> check_saved_runs(const Node& view, const std::string& source) {
  const auto of_view = read_saved_runs(view, source);
  return of_view ? Result<void>() : of_view.error();
}

OpenedRuns runs_of(const Scenario& scenario, RunTree& tree) {
  OpenedRuns opened;
  const RunsOfView of_view = runs_of_view(scenario);
  RunFamily own = family_of(scenario, of_view, tree, opened.ids);
  for (const Scenario& other : of_view.rewound)
    if (check_shown_lanes(other))
      opened.families.push_back(family_of(other, runs_of_view(other), tree, opened.ids));
  opened.families.push_back(std::move(own));
  return opened;
}

OpenedRuns new_run(RunTree& tree) {
  const int id = tree.new_id();
  return {{{.branches = {{.id = id, .look = {"run 1"}}}, .present_id = id}}};
}

Node settings_object(const std::vector<Setting>& settings) {
  Node object = Node::object();
  for (const auto& [path, value] : settings) object.set(path.text(), value);
  return object;
}

std::vector<Setting> settings_in(const document::Value& object) {
  std::vector<Setting> settings;
  for (const auto& [name, value] : object.expect(Kind::object).node().members)
    if (settings.push_back({name, value}); !settings.back().path.valid())
      object.fail(settings.back().path.problem());
  return settings;
}

}  // namespace twosphere
