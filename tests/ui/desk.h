// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>
#include <imgui/imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "tests/outcome.h"
#include "tests/sample_row.h"
#include "tests/ui/raster.h"
#include "ui/interface.h"
#include "ui/shell/style.h"

namespace twosphere::ui_test {

/// Records the commands of the interface.
struct Recorder final : ui::CommandSink {
  std::vector<Command> commands;
  std::vector<std::string> presets, files, removed, swept;
  std::vector<ui::Action> actions;
  std::vector<ui::PlotSpec> exported;
  std::vector<std::optional<std::int64_t>> shown;  ///< instants by their steps; none: the head
  std::vector<int> switched;                       ///< branches
  std::vector<ui::TourCall> guided;

  void command(Command c) override { commands.push_back(std::move(c)); }
  void show(std::int64_t step) override { shown.emplace_back(step); }
  void show_head() override { shown.emplace_back(); }
  void switch_to(int branch) override { switched.push_back(branch); }
  void load_preset(std::string_view key) override { presets.emplace_back(key); }
  void remove_preset(std::string_view path) override { removed.emplace_back(path); }
  void open_file(std::string_view path) override { files.emplace_back(path); }
  void sweep(std::string_view path) override { swept.emplace_back(path); }
  void export_plot(const ui::PlotSpec& plot) override { exported.push_back(plot); }
  void guide(const ui::TourCall& call) override { guided.push_back(call); }
  void act(ui::Action action) override { actions.push_back(action); }

  template <class T>
  std::vector<T> all() const {
    std::vector<T> found;
    for (const Command& c : commands)
      if (const T* t = std::get_if<T>(&c)) found.push_back(*t);
    return found;
  }
};

/// Three plots of one quantity each, whatever the system has at first.
inline std::vector<ui::PlotSpec> three_plots() {
  return {ui::plot_of(Quantity::total_energy), ui::plot_of(Quantity::energy_error),
          ui::plot_of(Quantity::unit_length_error)};
}

inline bool overlap(const ui::Rect& a, const ui::Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/// Prepares the current context of Dear ImGui for frames of this size [px] without a window.
inline void prepare_context(ImVec2 size, float scale) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = size;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
  ui::load_fonts(*io.Fonts, scale);
  unsigned char* pixels = nullptr;
  int w = 0, h = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
}

/// The interface of a run without a window: frames are drawn to memory and mouse input is
/// simulated. Changes sent by the interface are applied to the snapshot, as by a worker.
class Desk {
 public:
  explicit Desk(std::string_view preset = "double_spherical_pendulum", float width = 1280,
                float height = 754, float ratio = 1, float scale = 1)
      : width_(width * ratio), height_(height * ratio), ratio_(ratio) {
    ImGui::CreateContext();
    prepare_context({width_, height_}, ratio * scale);
    interface.settings().scale = scale;
    interface.settings().plots = three_plots();
    load(preset);
  }
  ~Desk() { ImGui::DestroyContext(); }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  void load(std::string_view preset) {
    load(test::value_of(read_scenario(find_preset(preset)->text, preset)));
  }
  void load(const Scenario& of) {
    scenario = of;
    simulation = std::make_unique<Simulation>(test::value_of(Simulation::create(scenario)));
    histories.assign(scenario.lanes.size(), History{});
    ++snapshot.generation;
    cloud.reset();
    snapshot.cloud_plan.reset();
    snapshot.loaded = std::make_shared<const Scenario>(scenario);
    sample();
  }

  /// Takes steps and samples each of them.
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_FALSE(simulation->step().has_value());
      if (cloud) cloud->advance(*simulation, simulation->steps() - 1);
      for (int lane = 0; lane < simulation->lane_count(); ++lane) record(lane);
    }
    refresh();
  }

  // What a test does before it looks at the result, which takes so many frames.
  void run_and_draw(int steps, int drawn = 2) {
    run(steps);
    frames(drawn);
  }
  void load_and_draw(std::string_view preset) {
    load(preset);
    frames(2);
  }
  bool handle(ui::Action action, int drawn) {
    const bool done = interface.handle(action);
    frames(drawn);
    return done;
  }
  void select(ui::BodyId body, int drawn) {
    interface.select(body);
    frames(drawn);
  }
  void reveal(const std::string& id, int drawn) {
    interface.reveal(id);
    frames(drawn);
  }
  /// Lists the widgets for a screen reader from now on.
  void speak(int drawn) {
    interface.set_spoken(true);
    frames(drawn);
  }

  /// Draws one frame; ImGui's draw data are then those of the frame.
  void frame() {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 1.0f / 60;
    for (History& history : histories)
      history.compare_with(
          &histories[static_cast<std::size_t>(interface.settings().reference_lane)]);
    ImGui::NewFrame();
    ui::Frame f{snapshot,  pictured ? *pictured : past_step ? past : snapshot,
                histories, width_,
                height_,   ratio_,
                {},        {},
                true,      {},
                step_check};
    f.tour = tour;
    const ui::Rect scene = interface.scene();
    const float x = scene.x + 56, y = scene.y + scene.height - 56;
    f.axis_tips = ui::AxisTips{{{x + 34, y + 4}, {x - 20, y + 18}, {x, y + 36}}};
    f.gravity_tip = {x + 12, y + 36};
    f.recent = recent;
    f.own_presets = own_presets;
    f.legend = legend;
    f.time_picture = time_picture;
    f.branches = branches;
    f.cloud_share = cloud_share;
    f.plays = asked_to_play.value_or(snapshot.state == RunState::running && !past_step);
    f.in_past = past_step.has_value();
    f.past_step = past_step.value_or(0);
    f.keys_held = keys_held;
    f.outer_keys = outer_keys;
    interface.draw(f, recorder);
    ImGui::Render();
    carry_out();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }

  bool has(const std::string& name) const { return interface.widgets().contains(name); }
  /// What a screen reader is told of a widget; empty where there is none.
  ui::SpokenWidget spoken(std::string_view id) const {
    for (const ui::SpokenWidget& widget : interface.spoken())
      if (widget.id == id) return widget;
    return {};
  }
  /// The tooltip of a widget, while there is a screen reader.
  std::string described(std::string_view id) const {
    for (const ui::SpokenWidget& widget : interface.spoken())
      if (widget.id == id) return widget.description;
    return "none";
  }
  ui::Rect rect(const std::string& name) const {
    const auto it = interface.widgets().find(name);
    EXPECT_NE(it, interface.widgets().end()) << name;
    return it == interface.widgets().end() ? ui::Rect{} : it->second;
  }

  // Input. Each piece of it is drawn, and then so many frames more.
  void point(float x, float y, int more = 0) {
    ImGui::GetIO().MousePos = {x, y};
    frames(1 + more);
  }
  /// Opens what a field of the left column is in, if that is closed.
  void open_section_of(const std::string& name) {
    for (const auto& [beginning, section] : {std::pair{"stop/", "section/Stop when"},
                                             {"view/", "section/View"},
                                             {"parameter/", "section/More"}})
      if (name.starts_with(beginning) && !has(name) && has(section)) click(section);
  }
  void point(const std::string& name, int more = 0) {
    open_section_of(name);
    const ui::Rect r = rect(name);
    point(r.x + r.width / 2, r.y + r.height / 2, more);
  }
  void press(int button = 0) {
    ImGui::GetIO().MouseDown[button] = true;
    frame();
  }
  void release(int button = 0, int more = 0) {
    ImGui::GetIO().MouseDown[button] = false;
    frames(1 + more);
  }
  void click_at(const ImVec2& at) {
    point(at.x, at.y);
    press();
    release(0, 2);
  }
  void click(const std::string& name, int more = 0) {
    point(name);
    press();
    release(0, 2 + more);
  }
  /// Opens a list and clicks an entry of it.
  void choose(const std::string& list, const std::string& entry) {
    click(list);
    click(list + "/" + entry);
  }
  /// Clicks a field, types into it and presses Enter.
  void enter(const std::string& field, const char* text) {
    click(field);
    type(text);
    key(ImGuiKey_Enter, 2);
  }
  void drag(const std::string& name, float dx, float dy, int button = 0, int pieces = 8) {
    point(name);
    const ImVec2 from = ImGui::GetIO().MousePos;
    press(button);
    for (int i = 1; i <= pieces; ++i) {
      const float part = static_cast<float>(i) / static_cast<float>(pieces);
      point(from.x + dx * part, from.y + dy * part);
    }
    release(button);
    frame();
  }
  void wheel(float by) {
    ImGui::GetIO().MouseWheel = by;
    frame();
    ImGui::GetIO().MouseWheel = 0;
    frame();
  }
  void key(ImGuiKey key, int more = 0) {
    ImGui::GetIO().KeysDown[key] = true;
    frame();
    ImGui::GetIO().KeysDown[key] = false;
    frames(1 + more);
  }
  void type(const char* text, int more = 0) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frames(1 + more);
  }

  Picture picture() const {
    return rasterise(*ImGui::GetDrawData(), ui::colors(interface_palette()).scene.rgb);
  }

  std::vector<ui::RecentFile> recent;
  std::vector<ui::UserPreset> own_presets;
  ui::Legend legend;
  bool keys_held = false;
  std::vector<ui::KeyHint> outer_keys;
  mutable ui::Interface interface;
  Recorder recorder;
  Snapshot snapshot;
  std::vector<History> histories;
  Scenario scenario;
  std::unique_ptr<Simulation> simulation;
  std::unique_ptr<LiveCloud> cloud;  ///< as the interface has asked for it
  double cloud_share = 0;
  bool obedient = true;               ///< whether changes are applied
  std::optional<bool> asked_to_play;  ///< a command to start or pause that is not applied yet
  const ui::StepCheck* step_check = nullptr;
  const ui::TourCard* tour = nullptr;
  ui::TimePicture time_picture;
  std::vector<ui::BranchView> branches;
  std::optional<std::int64_t> past_step;  ///< of the instant shown; none: the head
  Snapshot past;                          ///< the run at that instant
  const Snapshot* pictured = nullptr;     ///< what is drawn of a run that plays, if it is behind

 private:
  ui::Palette interface_palette() const { return interface.settings().palette; }

  void sample() {
    for (int lane = 0; lane < simulation->lane_count(); ++lane) record(lane);
    refresh();
  }

  void record(int lane) {
    StepCost cost;
    if (simulation->steps() > 0)
      cost = step_cost(*simulation->lane(lane).info, simulation->lane(lane).last);
    if (cloud && cloud->lane() == lane) {
      const Cloud::Distances d = cloud->measure(*simulation, true);
      cost[StepQuantity::cloud_distance] = d.median;
      cost[StepQuantity::cloud_low] = d.low;
      cost[StepQuantity::cloud_high] = d.high;
      cost[StepQuantity::cloud_members] = d.members;
    }
    histories[static_cast<std::size_t>(lane)].append(
        test::row_of(simulation->steps(), simulation->sample(lane), simulation->state(lane),
                     simulation->system(), cost,
                     std::make_shared<const Scenario>(simulation->present())),
        0);
  }

  /// What belongs to the instant.
  static void describe(Simulation& run, Snapshot& s) {
    s.steps = run.steps();
    s.t = run.time();
    s.elapsed = run.elapsed();
    s.edits_start = run.edits_start();
    s.lanes.clear();
    for (int l = 0; l < run.lane_count(); ++l) {
      const Lane& lane = run.lane(l);
      Snapshot::LaneView& view = s.lanes.emplace_back();
      view.name = lane.name;
      view.info = lane.info;
      view.state = run.state(l);
      view.sample = run.sample(l);
      view.last = lane.last;
    }
    s.system = run.system();
    s.system_info = &run.system_info();
    s.present = std::make_shared<const Scenario>(run.present());
  }

  void refresh() {
    Snapshot& s = snapshot;
    describe(*simulation, s);
    s.planned_steps = simulation->planned_steps();
    s.stride = simulation->stride();
    s.end_time = simulation->end_time();
    s.after_rewind = std::make_shared<const Scenario>(simulation->after_rewind());
    s.pending = simulation->pending();
    s.edits_start = simulation->edits_start();
    s.record = std::make_shared<const Scenario>(simulation->record());
    s.markers = simulation->markers();
    s.cloud.reset();
    if (cloud) cloud->show(*simulation, s.cloud.emplace());
  }

  void carry_out() {
    if (!obedient) return;
    for (; shows_ < recorder.shown.size(); ++shows_) show(recorder.shown[shows_]);
    for (; done_ < recorder.commands.size(); ++done_) {
      const Command& c = recorder.commands[done_];
      if (const auto* change = std::get_if<Change>(&c)) {
        const Result<void> result = simulation->set(change->settings, change->gesture);
        EXPECT_TRUE(result.has_value()) << result.error().text();
        if (histories.size() == simulation->present().lanes.size()) {
          refresh();
        } else {  // another list of lanes, at the start
          histories.assign(simulation->present().lanes.size(), History{});
          ++snapshot.generation;
          sample();
        }
      } else if (const auto* added = std::get_if<AddLane>(&c)) {
        const Result<void> result = simulation->add_lane(added->lane);
        EXPECT_TRUE(result.has_value()) << result.error().text();
        histories.push_back(History::beginning_after(histories.front()));
        refresh();
      } else if (const auto* follow = std::get_if<FollowCloud>(&c)) {
        cloud.reset();
        snapshot.cloud_plan.reset();
        if (follow->spec) {
          snapshot.cloud_plan = CloudPlan{*follow->spec, follow->lane, follow->from};
          cloud = std::make_unique<LiveCloud>(*snapshot.cloud_plan, *simulation);
        }
        ++snapshot.commands;
        refresh();
      } else if (std::holds_alternative<Play>(c)) {
        snapshot.state = RunState::running;
      } else if (std::holds_alternative<Pause>(c)) {
        snapshot.state = RunState::paused;
      } else if (const auto* pace = std::get_if<Pace>(&c)) {
        snapshot.pacing = pace->pacing;
        snapshot.requested_factor = pace->factor;
      }
    }
  }

  /// Shows an instant as the run had it, which is repeated up to there.
  void show(std::optional<std::int64_t> step) {
    past_step = step && *step < simulation->steps() ? step : std::nullopt;
    if (!past_step) return;
    Simulation again = std::move(*Simulation::create(simulation->record()));
    while (again.steps() < *past_step) ASSERT_FALSE(again.step().has_value());
    past = snapshot;
    past.state = RunState::paused;
    past.cloud.reset();
    describe(again, past);
  }

  float width_, height_, ratio_;
  std::size_t done_ = 0, shows_ = 0;
};

/// One that has been drawn, so that its widgets have their places.
struct DrawnDesk final : Desk {
  using Desk::Desk;
  const bool drawn = (frames(2), true);
};

/// One that has taken so many steps and then been drawn.
struct RunDesk final : Desk {
  explicit RunDesk(int steps) { run_and_draw(steps); }
};

/// One that a screen reader listens to.
struct SpokenDesk final : Desk {
  using Desk::Desk;
  const bool heard = (interface.set_spoken(true), true);
};

}  // namespace twosphere::ui_test
