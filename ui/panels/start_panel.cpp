// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/mechanics/body_motion.h"
#include "core/scenario/scenario.h"
#include "core/scenario/writer.h"
#include "ui/fields/field_row.h"
#include "ui/panels/panels.h"

namespace twosphere::ui {

namespace {

constexpr double rounding = 1e-15;  // of a component, relative to its largest possible value

const ParameterInfo& direction_info() {
  static const ParameterInfo info{
      .key = "q",
      .symbol = "q",
      .label = "direction",
      .unit = "1",
      .help =
          "Unit vector in the axes e₁, e₂, e₃. The other two components follow, so that "
          "|q| = 1, and ω turns with it.",
      .required = true,
      .low = -1,
      .high = 1,
      .live = false};
  return info;
}

const ParameterInfo& velocity_info() {
  static const ParameterInfo info{
      .key = "omega",
      .symbol = "ω",
      .label = "angular velocity",
      .unit = "rad/s",
      .help = "In the axes e₁, e₂, e₃. The other two components follow, so that q·ω = 0.",
      .required = true,
      .low = -10,
      .high = 10,
      .live = false};
  return info;
}

const ParameterInfo& base_place_info() {
  static const ParameterInfo info{.key = "position",
                                  .symbol = "x₀",
                                  .label = "place of the base",
                                  .unit = "m",
                                  .help = "Where the base starts, in the axes e₁, e₂, e₃.",
                                  .low = -5,
                                  .high = 5,
                                  .live = false};
  return info;
}

const ParameterInfo& base_velocity_info() {
  static const ParameterInfo info{.key = "velocity",
                                  .symbol = "v₀",
                                  .label = "velocity of the base",
                                  .unit = "m/s",
                                  .help = "With which the base is thrown, in the axes e₁, e₂, e₃.",
                                  .low = -10,
                                  .high = 10,
                                  .live = false};
  return info;
}

json::Node list(const Vec3& v) { return json::Node::numbers({v.data(), 3}); }

class StartForm {
 public:
  StartForm(const Panel& panel, PanelState& state) : panel_(panel), state_(state) {}

  void draw() {
    const int n = panel_.snapshot.present->size();
    const Setter set = [this](const Entry& e, double value) { send(e, value); };
    for (const bool velocity : {false, true}) {
      if (velocity && first_order()) continue;
      const ParameterInfo& p = velocity ? velocity_info() : direction_info();
      if (n <= max_body_rows) {
        for (int i = 0; i < n; ++i)
          entry_row(panel_, state_.fields, entries(velocity, i), with_index(p.symbol, i + 1), set);
        continue;
      }
      std::vector<EntryColumn> columns;
      for (const char* axis : {"₁", "₂", "₃"})
        columns.push_back({fmt::format("{}·e{}", p.symbol, axis), &p});
      entry_table(
          panel_, state_.fields, velocity ? "start/omega" : "start/q", columns, n,
          [&](int i) { return entries(velocity, i); }, set);
    }
    if (!panel_.shown.system->free_base()) return;
    for (const ParameterInfo* p : {&base_place_info(), &base_velocity_info()})
      entry_row(panel_, state_.fields, of_base(*p), std::string(p->symbol),
                [this](const Entry& e, double value) { send_base(e, value); });
  }

 private:
  /// Whether ω follows from q.
  bool first_order() const { return info_of(*state_.upcoming).first_order; }

  std::vector<Entry> entries(bool velocity, int body) const {
    const ParameterInfo& p = velocity ? velocity_info() : direction_info();
    const auto component_of = [&](const Columns& q, const Columns& omega, int k) {
      const Columns& columns = velocity ? omega : q;
      return body < columns.cols() ? columns(k, body) : 0.0;
    };
    const auto value = [&](const Scenario& s, int k) { return component_of(s.q, s.omega, k); };
    // Bodies of the start that are held by hand: the edit is not made yet.
    const Snapshot& now = panel_.shown;
    const State* held = now.shows_edit && now.edits_start ? &now.lanes.front().state : nullptr;
    double fastest = 0;
    for (int k = 0; k < 3; ++k) fastest = std::max(fastest, std::abs(value(*state_.upcoming, k)));
    std::vector<Entry> list;
    for (int k = 0; k < 3; ++k) {
      Entry e{.path = fmt::format("initial.{}[{}][{}]", p.key, body, k),
              .name = fmt::format("start/{}[{}][{}]", p.key, body, k),
              .symbol = component(with_index(p.symbol, body + 1), k),
              .info = &p,
              .value = held ? component_of(held->q, held->w, k) : value(*state_.upcoming, k),
              .running = held ? component_of(held->q, held->w, k) : value(*now.present, k),
              .original = value(*state_.original, k)};
      if (!velocity) e.min = -1, e.max = 1;
      e.rounding = rounding * (velocity ? std::max(1.0, fastest) : 1);
      list.push_back(std::move(e));
    }
    return list;
  }

  static double& number_of_base(BaseStart& base, const ParameterInfo& p, int k) {
    return (&p == &base_velocity_info() ? base.velocity : base.position)[k];
  }

  std::vector<Entry> of_base(const ParameterInfo& p) const {
    const auto value = [&p](const Scenario& s, int k) {
      BaseStart base = s.base.value_or(BaseStart{});
      return number_of_base(base, p, k);
    };
    std::vector<Entry> list;
    for (int k = 0; k < 3; ++k)
      list.push_back({.path = fmt::format("initial.base.{}[{}]", p.key, k),
                      .name = fmt::format("start/base.{}[{}]", p.key, k),
                      .symbol = component(p.symbol, k),
                      .info = &p,
                      .value = value(*state_.upcoming, k),
                      .running = value(*panel_.shown.present, k),
                      .original = value(*state_.original, k),
                      .swept = false});
    return list;
  }

  void send_base(const Entry& e, double value) {
    const SettingPath path = e.path;  // initial.base.position[k]
    BaseStart next = state_.before_drag->base.value_or(BaseStart{});
    number_of_base(next, *e.info, static_cast<int>(path[3].index)) = value;
    state_.fields.expect(e.path, value);
    panel_.sink.command(Change{{{"initial.base", base_document(next)}}});
  }

  /// Sends direction and angular velocity together, in a system of first order the direction alone.
  /// A drag is computed from its beginning, so that
  /// dragging back restores the start.
  void send(const Entry& e, double value) {
    const bool velocity = e.info == &velocity_info();
    const SettingPath path = e.path;  // initial.q[body][k]
    const int body = static_cast<int>(path[2].index), k = static_cast<int>(path[3].index);
    const Scenario& base = *state_.before_drag;
    BodyMotion next{base.q.col(body), base.omega.col(body)};
    if (!velocity) {
      next = with_direction(next, k, value);
    } else if (const auto turned = with_velocity(next, k, value)) {
      next = *turned;
    } else {
      state_.fields.reject(
          e.path, fmt::format("{} points along {}: {} has no component there, because q·ω = 0.",
                              with_index("q", body + 1), with_index("e", k + 1),
                              with_index("ω", body + 1)));
      return;
    }
    Change change{{{fmt::format("initial.q[{}]", body), list(next.q)}}};
    for (int c = 0; c < 3; ++c)
      state_.fields.expect(fmt::format("initial.q[{}][{}]", body, c), next.q[c]);
    if (!first_order()) {
      change.settings.push_back({fmt::format("initial.omega[{}]", body), list(next.w)});
      for (int c = 0; c < 3; ++c)
        state_.fields.expect(fmt::format("initial.omega[{}][{}]", body, c), next.w[c]);
    }
    panel_.sink.command(std::move(change));
  }

  const Panel& panel_;
  PanelState& state_;
};

}  // namespace

void start_panel(const Panel& panel, PanelState& state) {
  if (!section(panel, state.closed, "Start")) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(3)});
  StartForm(panel, state).draw();
  ImGui::PopStyleVar();
}

}  // namespace twosphere::ui
