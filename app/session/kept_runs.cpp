// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/kept_runs.h"

#include <QByteArray>
#include <algorithm>
#include <utility>

#include "core/scenario/branches.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using json::Kind;
using json::Node;

/// Runs of other starts that are kept, each with its branches.
constexpr std::size_t most_rewound = most_branches;

const Node* of_kind(const Node& object, const char* key, Kind kind) {
  const Node* node = object.find(key);
  return node && node->kind == kind ? node : nullptr;
}

}  // namespace

const KeptRun* KeptRuns::find(std::string_view name) const {
  const auto found = std::find_if(runs.begin(), runs.end(),
                                  [name](const KeptRun& run) { return run.name == name; });
  return found == runs.end() ? nullptr : &*found;
}

void keep_runs(Node& view, const KeptRuns& kept) {
  Node runs = Node::array();
  for (const KeptRun& run : kept.runs) {
    Node& node = runs.items.emplace_back(Node::object());
    node.set("name", Node(run.name));
    if (run.id >= 0) node.set("id", Node::whole(run.id));
    if (!run.states.empty())
      node.set("states", Node(QByteArray::fromStdString(run.states).toBase64().toStdString()));
    if (!run.pending.empty()) node.set("pending", settings_object(run.pending));
  }
  view.set(kept_runs_key, std::move(runs));
  if (kept.rewound.empty()) return;
  Node rewound = Node::array();
  for (const Scenario& scenario : kept.rewound) rewound.items.push_back(to_json(scenario));
  view.set(rewound_key, std::move(rewound));
}

Result<KeptRuns> read_kept_runs(const Node& view, const std::string& source) {
  KeptRuns kept;
  const auto wrong = [&source](const char* key, const char* why) {
    return Error{ErrorKind::usage, source + ": view." + key, why};
  };
  if (const Node* runs = view.find(kept_runs_key)) {
    if (runs->kind != Kind::array) return wrong(kept_runs_key, "must be a list of runs");
    for (const Node& node : runs->items) {
      const Node *name = of_kind(node, "name", Kind::string), *id = node.find("id");
      constexpr double most = 0x1p30;
      if (!name || (id && !(id->kind == Kind::number && id->number >= 0 && id->number < most)))
        return wrong(kept_runs_key, "must be a list of runs, each with its name and whole numbers");
      KeptRun run{name->text, id ? static_cast<int>(id->number) : -1};
      if (const Node* states = node.find("states"); states && states->kind == Kind::string)
        run.states = QByteArray::fromBase64(QByteArray::fromStdString(states->text)).toStdString();
      else if (states)
        return wrong(kept_runs_key, "has states that are not text");
      if (const Node* pending = node.find("pending")) {
        auto settings = read_settings_object(*pending, source);
        if (!settings) return settings.error();
        run.pending = std::move(*settings);
      }
      kept.runs.push_back(std::move(run));
    }
  }
  if (const Node* rewound = view.find(rewound_key)) {
    if (rewound->kind != Kind::array || rewound->items.size() > most_rewound)
      return wrong(rewound_key, "must be a list of at most 8 scenarios");
    for (const Node& node : rewound->items) {
      auto scenario = read_scenario(node, source + ": view." + rewound_key);
      if (!scenario) return scenario.error();
      kept.rewound.push_back(std::move(*scenario));
    }
  }
  return kept;
}

Node settings_object(const std::vector<Setting>& settings) {
  Node object = Node::object();
  for (const auto& [path, value] : settings) object.set(path.text(), value);
  return object;
}

Result<std::vector<Setting>> read_settings_object(const Node& object, std::string_view source) {
  std::vector<Setting> settings;
  for (const auto& [name, value] : object.members)
    if (settings.push_back({name, value}); !settings.back().path.valid())
      return Error{ErrorKind::usage, std::string(source), settings.back().path.problem()};
  return settings;
}

}  // namespace twosphere
