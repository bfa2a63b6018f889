// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/view_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/scene/view_text.h"
#include "app/session/kept_runs.h"
#include "app/window/scene_settings.h"
#include "core/base/document.h"
#include "core/base/exceptions.h"
#include "core/color/palette.h"

namespace twosphere {

namespace {

using document::Value;
using json::Kind;
using json::Node;

/// "interface/trail" in the table of settings is "trail" here.
std::string_view name_of(std::string_view key) { return key.substr(key.find('/') + 1); }

/// Collects the keys of a table.
struct Keys {
  document::Names names;

  void add(const char* key) { names.emplace_back(name_of(key)); }
  void plain(const char* key, bool) { add(key); }
  void number(const char* key, auto, auto, auto) { add(key); }
  void choice(const char* key, const auto&, const auto&, const auto&) { add(key); }
  void arrows(const char* key, const auto&) { add(key); }
};

class ViewWriter {
 public:
  explicit ViewWriter(Node& to) : to_(to) {}

  void plain(const char* key, bool value) { set(key, Node::truth(value)); }
  void number(const char* key, auto, auto, double value) { set(key, Node(value)); }
  void choice(const char* key, const auto& value, const auto&, const auto& name) {
    set(key, Node(std::string(name(value))));
  }
  void arrows(const char* key, const std::array<bool, body_vector_count>& shown) {
    Node list = Node::array();
    for (std::size_t i = 0; i < body_vector_count; ++i)
      if (shown[i]) list.items.emplace_back(std::string(body_vectors()[i].key));
    set(key, std::move(list));
  }

 private:
  void set(const char* key, Node value) { to_.set(std::string(name_of(key)), std::move(value)); }

  Node& to_;
};

class ViewReader {
 public:
  explicit ViewReader(const Value& from) : from_(from) {}

  void plain(const char* key, bool& value) {
    if (const auto given = from_.find(name_of(key)))
      value = given->expect(Kind::boolean).node().boolean;
  }
  template <class T>
  void number(const char* key, T low, T high, T& value) {
    const auto given = from_.find(name_of(key));
    if (!given) return;
    const double read = given->number();
    if (!(read >= static_cast<double>(low) && read <= static_cast<double>(high)))
      given->fail(
          fmt::format("must be a number from {} to {}, not {}", low, high, json::shortest(read)));
    value = static_cast<T>(read);
  }
  template <class T>
  void choice(const char* key, T& value, const std::vector<T>& all, const auto& name) {
    const auto given = from_.find(name_of(key));
    if (!given) return;
    document::Names names;
    for (const T& one : all) names.emplace_back(name(one));
    value = all[given->choice(names, "value")];
  }
  void arrows(const char* key, std::array<bool, body_vector_count>& shown) {
    const auto given = from_.find(name_of(key));
    if (!given) return;
    document::Names names;
    for (const auto& vector : body_vectors()) names.emplace_back(vector.key);
    shown = {};
    for (std::size_t i = 0; i < given->expect(Kind::array).size(); ++i)
      shown[given->item(i).choice(names, "arrow")] = true;
  }

 private:
  const Value& from_;
};

ViewSection section_of(const Value& view, const ui::Settings& settings) {
  ViewSection read{.settings = settings};
  Keys keys{{"run", "color", "steps", "shown", "loop", "camera", "plots", "reference",
             kept_runs_key, rewound_key}};
  exchange_scene(keys, read.settings);
  view.object(keys.names);
  if (const auto run = view.find("run"))
    if (const std::string why = why_no_branch_name(run->text()); !why.empty()) run->fail(why);
  if (const auto reference = view.find("reference")) {
    read.reference = reference->text();
    if (const std::string why = why_no_branch_name(read.reference); !why.empty())
      reference->fail(why);
  }
  if (const auto color = view.find("color")) (void)color->whole(0, branch_color_count - 1);
  if (const auto steps = view.find("steps")) read.steps = steps->whole(0);
  if (const auto shown = view.find("shown")) read.shown = shown->whole(0, read.steps);
  if (const auto loop = view.find("loop")) read.loop = loop->expect(Kind::boolean).node().boolean;
  if (const auto camera = view.find("camera")) {
    Node text = Node::object();
    text.set("camera", camera->node());
    auto placed = read_view(json::write(text));
    if (!placed) camera->fail(placed.error().message);
    read.camera = *placed;
  }
  if (const auto plots = view.find("plots")) {
    read.settings.plots.clear();
    for (std::size_t i = 0; i < plots->expect(Kind::array).size(); ++i) {
      const Value line = plots->item(i);
      const auto plot = ui::parse_plot(line.text());
      if (!plot) line.fail(fmt::format("{} is not a plot", json::quote(line.text())));
      read.settings.plots.push_back(*plot);
    }
  }
  ViewReader reader(view);
  exchange_scene(reader, read.settings);
  return read;
}

}  // namespace

Node view_section(const LiveRun& run, const ui::Interface& interface,
                  const std::optional<render::Camera>& camera) {
  Node view = Node::object();
  if (const BranchLook* look = run.look(run.present_branch())) {
    view.set("run", Node(look->name));
    view.set("color", Node::whole(look->color));
  }
  if (const BranchLook* look = run.look(interface.settings().reference_run))
    view.set("reference", Node(look->name));
  view.set("steps", Node::whole(run.snapshot().steps));
  if (run.in_past()) view.set("shown", Node::whole(run.requested_step()));
  if (interface.loops()) view.set("loop", Node::truth(true));
  if (camera) view.set("camera", *json::parse(view_text(camera->where()), "view")->find("camera"));
  ui::Settings settings = interface.settings();
  Node plots = Node::array();
  for (const ui::PlotSpec& plot : settings.plots) plots.items.emplace_back(ui::to_text(plot));
  view.set("plots", std::move(plots));
  ViewWriter writer(view);
  exchange_scene(writer, settings);
  return view;
}

Result<ViewSection> read_view_section(const Node& node, std::string_view source,
                                      const ui::Settings& settings) {
  if (const auto kept = read_kept_runs(node, std::string(source)); !kept) return kept.error();
  const document::Source from{source};
  try {
    return section_of(Value(from, node, "view"), settings);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

}  // namespace twosphere
