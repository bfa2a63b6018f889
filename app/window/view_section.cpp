// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/view_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/scene/view_text.h"
#include "app/session/run_opening.h"
#include "app/window/scene_settings.h"
#include "core/base/exceptions.h"
#include "core/base/text.h"
#include "core/color/palette.h"
#include "core/output/lattice_layer.h"
#include "core/scenario/document.h"
#include "core/scenario/keys.h"
#include "core/studies/view_frame.h"
#include "ui/shell/pace.h"

namespace twosphere {

namespace {

using document::Value;
using json::Kind;
using json::Node;

/// "interface/trail" in the table of settings is "trail" here.
std::string_view name_of(std::string_view key) { return key.substr(key.find('/') + 1); }

class ViewWriter {
 public:
  explicit ViewWriter(Node& to) : to_(to) {}

  void plain(const char* key, bool value) { set(key, Node::truth(value)); }
  void number(const char* key, auto, auto, double value) { set(key, Node(value)); }
  void choice(const char* key, const auto& value, const auto&, const auto& name) {
    set(key, Node(name(value)));
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
    if (const auto given = from_.find(name_of(key))) value = given->truth();
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
    if constexpr (std::is_same_v<T, std::optional<Shade>>)
      if (is_automatic_shade(given->node().text)) return value.reset();
    value = all[given->choice(texts_of(all, name), "value")];
  }
  void arrows(const char* key, std::array<bool, body_vector_count>& shown) {
    const auto given = from_.find(name_of(key));
    if (!given) return;
    const document::Names names = texts_of(body_vectors(), &BodyVectorInfo::key);
    shown = {};
    for (const Value& one : given->items()) shown[one.choice(names, "arrow")] = true;
  }

 private:
  const Value& from_;
};

constexpr const char *every_step = "every_step", *fastest = "fastest";

void write_choices(const ui::Choices& choices, Node& view) {
  if (choices.selected)
    view.set("selected", Node::object({{"lane", Node::whole(choices.selected->lane)},
                                       {"body", Node::whole(choices.selected->body)}}));
  if (choices.followed >= 0) view.set("followed", Node::whole(choices.followed));
  if (!choices.hidden_lanes.empty())
    view.set("hidden_lanes", Node::array(choices.hidden_lanes, Node::whole));
  const auto& [a, b] = choices.markers;
  if (a) view.set("marker_a", *a);
  if (b) view.set("marker_b", *b);
  if (choices.times)
    view.set("times", Node::numbers(std::array{choices.times->low, choices.times->high}));
  if (choices.torque_by_hand) view.set("torque_by_hand", Node::truth(true));
  if (choices.plot_window) view.set("plot_window", Node::truth(true));
}

/// Whether the run has such lanes and bodies is seen when they are drawn.
ui::Choices read_choices(const Value& view) {
  constexpr int max_number = 1 << 30;
  ui::Choices read;
  if (const auto selected = view.find("selected")) {
    selected->object(key_names("selected_body"));
    read.selected = ui::BodyId{static_cast<int>(selected->member("lane").whole(0, max_number)),
                               static_cast<int>(selected->member("body").whole(0, max_number))};
  }
  if (const auto followed = view.find("followed"))
    read.followed = static_cast<int>(followed->whole(0, max_number));
  if (const auto hidden = view.find("hidden_lanes"))
    for (const Value& lane : hidden->items())
      read.hidden_lanes.insert(static_cast<int>(lane.whole(0, max_number)));
  if (const auto a = view.find("marker_a")) read.markers[0] = a->number();
  if (const auto b = view.find("marker_b")) read.markers[1] = b->number();
  if (const auto times = view.find("times")) {
    if (times->expect(Kind::array).size() != 2) times->fail("must be a list of two times");
    read.times = ui::Interval{times->item(0).number(), times->item(1).number()};
    if (!(read.times->low < read.times->high))
      times->fail("must be two times, the earlier one first");
  }
  if (const auto by_hand = view.find("torque_by_hand")) read.torque_by_hand = by_hand->truth();
  if (const auto apart = view.find("plot_window")) read.plot_window = apart->truth();
  return read;
}

Node pace_node(const Pace& pace) {
  switch (pace.pacing) {
    case Pacing::every_step:
      return Node(every_step);
    case Pacing::fastest:
      return Node(fastest);
    case Pacing::real_time:
      break;
  }
  return Node(pace.factor);
}

Pace read_pace(const Value& pace) {
  if (pace.node().kind != Kind::number)
    return {pace.choice({every_step, fastest}, "pace") == 0 ? Pacing::every_step : Pacing::fastest,
            1};
  const std::span<const double> factors = ui::speed_factors();
  const double factor = pace.number();
  if (std::find(factors.begin(), factors.end(), factor) == factors.end())
    pace.fail(fmt::format(
        "must be a factor of real time, 1, 2 or 5 times a power of ten from {} to {}, not {}",
        factors.front(), factors.back(), json::shortest(factor)));
  return {Pacing::real_time, factor};
}

ViewSection section_of(const Value& view, const ui::Settings& settings) {
  ViewSection read{.settings = settings};
  view.object(key_names("view"));
  if (const auto run = view.find("run"))
    if (const std::string why = why_no_branch_name(run->text()); !why.empty()) run->fail(why);
  if (const auto reference = view.find("reference")) {
    read.reference = reference->text();
    if (const std::string why = why_no_branch_name(read.reference); !why.empty())
      reference->fail(why);
  }
  if (const auto color = view.find("color")) (void)color->whole(0, branch_color_count - 1);
  if (const auto steps = view.find("steps"))
    read.steps = steps->whole(0, document::max_steps_taken);
  if (const auto shown = view.find("shown")) read.shown = shown->whole(0, read.steps);
  if (const auto loop = view.find("loop")) read.loop = loop->truth();
  if (const auto presentation = view.find("presentation"))
    read.presentation = presentation->truth();
  read.choices = read_choices(view);
  if (const auto pace = view.find("pace")) read.pace = read_pace(*pace);
  if (const auto camera = view.find("camera")) {
    Node text = Node::object();
    text.set("camera", camera->node());
    auto placed = read_view(json::write(text));
    if (!placed) camera->fail(placed.error().message);
    read.camera = *placed;
  }
  if (const auto frame = view.find("frame")) read.settings.frame = read_frame(*frame);
  if (const auto layer = view.find("layer")) read.settings.layer = read_layer(*layer);
  if (const auto plots = view.find("plots")) {
    read.settings.plots.clear();
    for (const Value& line : plots->items()) {
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
    view.set("run", look->name);
    view.set("color", Node::whole(look->color));
  }
  if (const BranchLook* look = run.look(interface.settings().reference_run))
    view.set("reference", look->name);
  view.set("steps", Node::whole(run.snapshot().steps));
  if (run.in_past()) view.set("shown", Node::whole(run.requested_step()));
  if (interface.loops()) view.set("loop", Node::truth(true));
  if (interface.presents()) view.set("presentation", Node::truth(true));
  write_choices(interface.choices(), view);
  view.set("pace", pace_node({run.snapshot().pacing, run.snapshot().requested_factor}));
  if (camera) view.set("camera", *json::parse(view_text(camera->where()), "view")->find("camera"));
  ui::Settings settings = interface.settings();
  if (settings.frame) view.set("frame", to_json(*settings.frame));
  if (settings.layer) view.set("layer", to_json(*settings.layer));
  view.set("plots", Node::array(settings.plots, ui::to_text));
  ViewWriter writer(view);
  exchange_scene(writer, settings);
  return view;
}

Result<ViewSection> read_view_section(const Node& node, std::string_view source,
                                      const ui::Settings& settings) {
  if (const auto kept = check_saved_runs(node, std::string(source)); !kept) return kept.error();
  const document::Origin from{source};
  try {
    return section_of(Value(from, node, "view"), settings);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

}  // namespace twosphere
