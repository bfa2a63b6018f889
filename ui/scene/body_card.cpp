// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/body_card.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/observe/body_reading.h"
#include "ui/plot/axis.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float card_width = 316, name_width = 26, number_width = 78, row = 18;

constexpr int digits = 4;  // of values: at most seven characters, with an exponent if shorter

/// A line of the card: a symbol, its numbers in columns, its unit.
class Rows {
 public:
  explicit Rows(const Panel& panel) : panel_(panel), left_(ImGui::GetCursorPosX()) {}

  void vector(const char* symbol, const Vec3& v, const char* unit, const std::string& help) {
    begin(symbol);
    for (int k = 0; k < 3; ++k) put(k, significant(v[k], digits));
    end(3, unit, help);
  }

  void scalar(const char* symbol, double value, const char* unit, const std::string& help) {
    begin(symbol);
    put(0, significant(value, digits));
    end(1, unit, help);
  }

 private:
  void begin(const char* symbol) {
    y_ = ImGui::GetCursorPosY();
    ImGui::SetCursorPos({left_, y_});
    ImGui::TextUnformatted(symbol);
    ImGui::PushFont(font(Face::small_mono));
  }

  void put(int column, const std::string& text) {
    const float right =
        left_ + panel_.px(name_width + number_width * static_cast<float>(column + 1) - 8);
    ImGui::SetCursorPos({right - ImGui::CalcTextSize(text.c_str()).x, y_ + panel_.px(2)});
    ImGui::TextUnformatted(text.c_str());
  }

  void end(int columns, const char* unit, const std::string& help) {
    ImGui::PopFont();
    const float x = left_ + panel_.px(name_width + number_width * static_cast<float>(columns));
    ImGui::PushFont(font(Face::small_text));
    ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel_.colors.dim));
    ImGui::SetCursorPos({x, y_ + panel_.px(1.5f)});
    ImGui::TextUnformatted(unit);
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::SetCursorPos({left_, y_});
    ImGui::Dummy({panel_.px(card_width - 28), panel_.px(row)});
    tooltip(panel_, help);
    ImGui::SetCursorPos({left_, y_ + panel_.px(row)});
  }

  const Panel& panel_;
  float left_, y_ = 0;
};

}  // namespace

void body_card(const Panel& panel, BodyCard& card, const Rect& scene) {
  if (!card.selected) return;
  const BodyId id = *card.selected;
  const Snapshot& s = panel.shown;
  const Snapshot::LaneView& lane = s.lanes[static_cast<std::size_t>(id.lane)];
  const BodyReading reading =
      read_body(*s.system, lane.state, lane.sample[Quantity::potential_energy], id.body);

  const float width = std::min(panel.px(card_width), scene.width - panel.px(16));
  // In the upper right corner, beside the colour bars.
  float right = scene.x + scene.width;
  for (auto bar = panel.widgets.lower_bound("color_bar/");
       bar != panel.widgets.end() && bar->first.starts_with("color_bar/"); ++bar)
    right = std::min(right, bar->second.x);
  // The card moves so that it does not cover its body.
  const float top = scene.y + panel.px(44), leftmost = scene.x + panel.px(8);
  const float rightmost = std::max(right - width - panel.px(10), leftmost);
  if (const auto& spot = panel.frame.selected) {
    const auto covers = [&](float x) {
      const float reach = spot->radius + panel.px(6);
      return spot->x + reach > x && spot->x - reach < x + width &&
             spot->y - reach < top + card.height;
    };
    if (covers(card.left ? leftmost : rightmost) && !covers(card.left ? rightmost : leftmost))
      card.left = !card.left;
  }
  const float x = card.left ? leftmost : rightmost;
  ImGui::SetNextWindowPos({x, top});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, scene.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(12), panel.px(9)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, panel.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(6), panel.px(2)});
  ImGui::Begin("body", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(4);
  if (ImGui::IsWindowAppearing()) panel.request_frames();

  const ImVec2 corner = ImGui::GetCursorPos();
  std::string title = fmt::format("Body {} of {}", id.body + 1, s.system->size());
  if (s.lanes.size() > 1) title += "  " + lane.name;
  const float buttons = panel.px(54 + 6 + 24);
  const bool colored = id.body < panel.bodies.bodies;
  if (colored) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const auto body = static_cast<std::size_t>(id.body);
    const auto bodies = static_cast<std::size_t>(panel.bodies.bodies);
    ImGui::GetWindowDrawList()->AddCircleFilled(
        {at.x + panel.px(6), at.y + ImGui::GetFrameHeight() / 2}, panel.px(6),
        im_color(body_color(body, bodies, panel.palette)));
    panel.mark("body/color", {at.x, at.y, panel.px(12), ImGui::GetFrameHeight()});
    ImGui::SetCursorPos({corner.x + panel.px(18), corner.y});
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(elided(title, width - panel.px(colored ? 48 : 30) - buttons).c_str());
  ImGui::SetCursorPos({corner.x + width - panel.px(24) - buttons, corner.y});
  if (ImGui::Button("Copy", {panel.px(54), 0}))
    ImGui::SetClipboardText(to_table(reading, id.body, lane.state.t).c_str());
  panel.mark("body/copy");
  tooltip(panel, "Copy these numbers at full precision, as a table for a spreadsheet.");
  ImGui::SameLine(0, panel.px(6));
  bool close = ImGui::Button("×", {panel.px(24), 0});
  panel.mark("body/close");
  tooltip(panel, "Close this card.\nKey: Esc");
  ImGui::Dummy({0, panel.px(2)});

  Rows rows(panel);
  rows.vector("q", reading.q, "", "Direction q of the body, a unit vector.");
  rows.vector("ω", reading.omega, "rad/s", "Angular velocity ω = q × dq/dt.");
  rows.vector("p", reading.momentum, "J s", "Momentum p = Σ M dq/dt over all bodies.");
  rows.vector("x", reading.place, "m", "Position in space.");
  rows.vector("v", reading.velocity, "m/s", "Velocity in space.");
  rows.scalar("|v|", reading.speed(), "m/s", "Speed in space.");
  const double share = reading.total > 0 ? 100 * reading.kinetic / reading.total : 0;
  rows.scalar("T", reading.kinetic,
              fmt::format("J   {} % of {} J", with_minus(fmt::format("{:.1f}", share)),
                          significant(reading.total, digits))
                  .c_str(),
              "Kinetic energy ½ dq/dt·p. The sum over all bodies is T; for coupled bodies, the "
              "share of one body can be negative.");
  rows.scalar("V", reading.potential, "J   of the whole system",
              "Potential energy of the whole system; it cannot be divided among the bodies.");
  rows.scalar("E", reading.energy(), "J   of the whole system", "Total energy T + V.");
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  panel.mark("body", {from.x, from.y, size.x, size.y});
  card.height = size.y;
  ImGui::End();

  close = close || take_escape(panel);
  if (close) card.selected.reset();
}

}  // namespace twosphere::ui
