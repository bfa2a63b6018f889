// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/body_card.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <string>

#include "core/base/text.h"
#include "core/output/body_reading.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/writer.h"
#include "ui/fields/field_row.h"
#include "ui/plot/axis.h"
#include "ui/scene/scene_legend.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float card_width = 316, name_width = 26, number_width = 78, row = 18;
constexpr float rate_name_width = 40;  // of dφ/dt

constexpr int value_digits = 4;  // of values: at most seven characters, with an exponent if shorter

/// A line of the card: a symbol, its numbers in columns, its unit.
class Rows {
 public:
  explicit Rows(const Panel& panel) : panel_(panel), left_(ImGui::GetCursorPosX()) {}

  void vector(const char* symbol, const Vec3& v, const char* unit, const std::string& help) {
    begin(symbol);
    for (int k = 0; k < 3; ++k) put(k, significant(v[k], value_digits));
    end(3, unit, help);
  }

  void scalar(const char* symbol, double value, const char* unit, const std::string& help) {
    begin(symbol);
    put(0, significant(value, value_digits));
    end(1, unit, help);
  }

 private:
  void begin(const char* symbol) {
    y_ = ImGui::GetCursorPosY();
    symbol_ = symbol;
    numbers_.clear();
    ImGui::SetCursorPos({left_, y_});
    ImGui::TextUnformatted(symbol);
    ImGui::PushFont(font(Face::small_mono));
  }

  void put(int column, const std::string& text) {
    if (panel_.spoken) numbers_ += text + ' ';
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
    if (panel_.spoken)
      panel_.tell(symbol_, item_rect(), fmt::format("{}: {}", symbol_, help), numbers_ + unit);
    tooltip(panel_, help);
    ImGui::SetCursorPos({left_, y_ + panel_.px(row)});
  }

  const Panel& panel_;
  float left_, y_ = 0;
  const char* symbol_ = "";
  std::string numbers_;  // for a screen reader
};

/// The record of a quantity of a motion that can be edited.
ParameterInfo typed_info(std::string_view symbol, std::string_view label, std::string_view unit,
                         std::string_view help, double low, double high) {
  ParameterInfo info;
  info.symbol = symbol;
  info.label = label;
  info.unit = unit;
  info.help = help;
  info.low = low;
  info.high = high;
  info.required = true;
  return info;
}

const ParameterInfo& direction_info() {
  static const ParameterInfo info = typed_info(
      "q", "direction", "1",
      "Unit vector in the axes e₁, e₂, e₃. The other two components follow, so that |q| = 1, and ω "
      "turns with it.",
      -1, 1);
  return info;
}

const ParameterInfo& velocity_info() {
  static const ParameterInfo info = typed_info(
      "ω", "angular velocity", "rad/s",
      "In the axes e₁, e₂, e₃. The other two components follow, so that q·ω = 0.", -10, 10);
  return info;
}

/// The place and the velocity of a base that flies.
const std::array<ParameterInfo, 2>& base_infos() {
  static const std::array<ParameterInfo, 2> infos{
      typed_info("x₀", "place of the base", "m",
                 "Where the base is, in the axes e₁, e₂, e₃. The links keep their directions.", -5,
                 5),
      typed_info("v₀", "velocity of the base", "m/s",
                 "In the axes e₁, e₂, e₃. The links keep their angular velocities.", -10, 10)};
  return infos;
}

/// θ, φ, dθ/dt, dφ/dt.
const std::array<ParameterInfo, 4>& angle_infos() {
  constexpr double pi = std::numbers::pi;
  static const std::array<ParameterInfo, 4> infos{
      typed_info("θ", "polar angle", "rad",
                 "Angle to e₃, along which gravity points. φ and both rates stay.", 0, pi),
      typed_info(
          "φ", "azimuth", "rad",
          "Angle about e₃, from e₁ towards e₂. θ and both rates stay. At a pole, θ = 0 or π, "
          "φ is the azimuth of dq/dt.",
          -pi, pi),
      typed_info("dθ/dt", "polar rate", "rad/s", "Rate of θ.", -10, 10),
      typed_info("dφ/dt", "azimuth rate", "rad/s",
                 "Rate of φ. At a pole, θ = 0 or π, it has no meaning.", -10, 10)};
  return infos;
}

json::Node list(const Vec3& v) { return json::Node::numbers({v.data(), 3}); }

/// Fields for q and ω of a body, and for the base of its chain, if that flies.
class MotionFields {
 public:
  MotionFields(const Panel& panel, BodyCard& card, NumberFields& fields, const BodyMotion& now,
               const std::optional<BaseStart>& base)
      : panel_(panel),
        fields_(fields),
        now_(now),
        base_(base),
        body_(card.selected->body),
        at_start_(panel.edits_start()) {
    // A drag is computed from its beginning, so that dragging back restores the motion.
    if (panel.frame.plays || !fields.dragging() || !card.from) card.from = now;
    from_ = *card.from;
    // As the start has it, without the rounding of a reading.
    if (base_ && at_start_) base_ = panel.snapshot.present->base.value_or(BaseStart{});
  }

  void draw(bool angles) {
    if (angles)
      draw_angles();
    else
      draw_components();
    if (base_) draw_base();
    if (panel_.snapshot.lanes.size() < 2) return;
    ImGui::PushFont(font(Face::small_text));
    ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel_.colors.dim));
    ImGui::TextUnformatted("What is typed here acts on every lane.");
    ImGui::PopStyleColor();
    ImGui::PopFont();
    panel_.mark("body/every_lane");
    panel_.say(Role::label, "What is typed here acts on every lane.");
  }

 private:
  void draw_components() {
    const double fastest = now_.w.cwiseAbs().maxCoeff();
    for (const bool velocity : {false, true}) {
      const ParameterInfo& info = velocity ? velocity_info() : direction_info();
      const Vec3& value = velocity ? now_.w : now_.q;
      begin_row();
      label(info.symbol, name_width);
      for (int k = 0; k < 3; ++k) {
        Entry e{.path = path(velocity, k),
                .name = path(velocity, k),
                .symbol = component(with_index(info.symbol, body_ + 1), k),
                .info = &info,
                .value = value[k],
                .rounding = rounding * (velocity ? std::max(1.0, fastest) : 1)};
        if (!velocity) e.min = -1, e.max = 1;
        field(e, number_width, [this, velocity, k](const Entry& entry, double typed) {
          set_component(entry, velocity, k, typed);
        });
      }
      end_row(velocity ? info.unit : "");
    }
  }

  void draw_angles() {
    const SphericalMotion s = spherical(now_);
    const std::array<double, 4> values{s.polar, s.azimuth, s.polar_rate, s.azimuth_rate};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ParameterInfo& info = angle_infos()[i];
      if (i % 2 == 0) begin_row();
      label(info.symbol, rate_name_width);
      Entry e{.path = angle_paths[i],
              .name = angle_paths[i],
              .symbol = std::string(info.symbol),
              .info = &info,
              .value = values[i],
              .rounding = rounding};
      if (i == 0) e.min = info.low, e.max = info.high;
      field(e, number_width,
            [this, i](const Entry& entry, double typed) { set_angle(entry, i, typed); });
      if (i % 2 == 1) end_row(info.unit);
    }
  }

  void draw_base() {
    for (const bool velocity : {false, true}) {
      const ParameterInfo& info = base_infos()[velocity ? 1 : 0];
      const Vec3& value = velocity ? base_->velocity : base_->position;
      begin_row();
      label(info.symbol, name_width);
      for (int k = 0; k < 3; ++k) {
        const std::string path = base_path(velocity, k);
        Entry e{.path = path,
                .name = path,
                .symbol = component(std::string(info.symbol), k),
                .info = &info,
                .value = value[k],
                .rounding = rounding * std::max(1.0, value.cwiseAbs().maxCoeff())};
        field(e, number_width, [this, velocity, k](const Entry& /*e*/, double typed) {
          set_base_number(velocity, k, typed);
        });
      }
      end_row(info.unit);
    }
  }

  // A row of labels and fields, from the left.
  void begin_row() { x_ = left_; }
  void label(std::string_view text, float width) {
    ImGui::SetCursorPosX(x_);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::SameLine();
    x_ += panel_.px(width);
  }
  void field(Entry& e, float width, const Setter& set) {
    e.running = e.original = e.value;
    ImGui::SetCursorPosX(x_);
    entry_field(panel_, fields_, e, panel_.px(width - 4), set);
    ImGui::SameLine();
    x_ += panel_.px(width);
  }
  void end_row(std::string_view unit) {
    ImGui::SetCursorPosX(x_ + panel_.px(2));
    ImGui::AlignTextToFramePadding();
    ImGui::PushFont(font(Face::small_text));
    ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel_.colors.dim));
    ImGui::TextUnformatted(unit.data(), unit.data() + unit.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
  }

  static std::string path(bool velocity, int k) {
    return fmt::format("body/{}[{}]", velocity ? "omega" : "q", k);
  }

  static std::string base_path(bool velocity, int k) {
    return fmt::format("body/base.{}[{}]", velocity ? "velocity" : "position", k);
  }

  void set_base_number(bool velocity, int k, double typed) {
    BaseStart next = *base_;
    Vec3& numbers = velocity ? next.velocity : next.position;
    numbers[k] = typed;
    if (!panel_.frame.plays) fields_.expect(base_path(velocity, k), typed);
    Change change;
    // A start at rest at the origin has no part that could be set.
    if (at_start_)
      change.settings.push_back({"initial.base", base_document(next)});
    else
      change.settings.push_back(
          {velocity ? "state.base.velocity" : "state.base.position", list(numbers)});
    panel_.sink.command(std::move(change));
  }

  void set_component(const Entry& e, bool velocity, int k, double typed) {
    if (!velocity) {
      // ω of every lane is rotated along.
      send(with_direction(from_, k, typed), true, false);
    } else if (first_order()) {
      fields_.reject(e.path, follows);
    } else if (const auto turned = with_velocity(from_, k, typed)) {
      send(*turned, false, true);
    } else {
      fields_.reject(e.path,
                     fmt::format("{} points along {}: {} has no component there, because q·ω = 0.",
                                 with_index("q", body_ + 1), with_index("e", k + 1),
                                 with_index("ω", body_ + 1)));
    }
  }

  void set_angle(const Entry& e, std::size_t which, double typed) {
    if (which == 3 && at_pole(from_.q)) {
      fields_.reject(e.path, "dφ/dt has no meaning at a pole; set θ first.");
      return;
    }
    if (which >= 2 && first_order()) {
      fields_.reject(e.path, follows);
      return;
    }
    SphericalMotion next = spherical(from_);
    *std::array{&next.polar, &next.azimuth, &next.polar_rate, &next.azimuth_rate}[which] = typed;
    const bool of_q = which < 2;
    send(cartesian(next), of_q, true);
  }

  bool first_order() const { return panel_.snapshot.system_info->first_order; }

  /// Sends the changes of the user. At the start both q and ω are sent, but never the ω of a system
  /// of first order.
  void send(const BodyMotion& next, bool direction, bool velocity) {
    const char* section = at_start_ ? "initial" : "state";
    Change change;
    if (direction || at_start_)
      change.settings.push_back({fmt::format("{}.q[{}]", section, body_), list(next.q)});
    if ((velocity || at_start_) && !first_order())
      change.settings.push_back({fmt::format("{}.omega[{}]", section, body_), list(next.w)});
    if (!panel_.frame.plays) {
      for (int k = 0; k < 3; ++k) {
        fields_.expect(path(false, k), next.q[k]);
        if (!first_order()) fields_.expect(path(true, k), next.w[k]);
      }
    }
    panel_.sink.command(std::move(change));
  }

  static constexpr double rounding = 1e-15;
  static constexpr const char* follows = "In a system of first order ω follows from q.";
  static constexpr std::array<const char*, 4> angle_paths{"body/theta", "body/phi",
                                                          "body/theta_rate", "body/phi_rate"};

  const Panel& panel_;
  NumberFields& fields_;
  const BodyMotion now_;
  std::optional<BaseStart> base_;
  const int body_;
  const bool at_start_;
  BodyMotion from_;
  const float left_ = ImGui::GetCursorPosX();
  float x_ = 0;
};

}  // namespace

void body_card(const Panel& panel, BodyCard& card, NumberFields& fields, bool& angles,
               const Rect& scene) {
  if (!card.selected) return;
  const BodyId id = *card.selected;
  const Snapshot& s = panel.shown;
  if (static_cast<std::size_t>(id.lane) >= s.lanes.size()) return;  // the lane begins later
  const Snapshot::LaneView& lane = s.lanes[static_cast<std::size_t>(id.lane)];
  const BodyReading reading =
      read_body(*s.system, lane.state, lane.sample[Quantity::potential_energy], id.body);

  const float width = std::min(panel.px(card_width), scene.width - panel.px(16));
  // In the upper right corner, below the scales of colours or, in a low scene, over them.
  const float lowest = scene.y + scene.height - panel.px(8);
  const float top = std::max(std::min(top_below_scales(panel, scene), lowest - card.height),
                             scene.y + panel.px(8));
  // The card moves so that it does not cover its body.
  const float leftmost = scene.x + panel.px(8);
  const float rightmost = std::max(scene.x + scene.width - width - panel.px(10), leftmost);
  if (panel.presentation) {
    card.left = true;
  } else if (!panel.frame.selected.empty()) {
    const auto covers = [&](float x) {
      return std::any_of(panel.frame.selected.begin(), panel.frame.selected.end(),
                         [&](const BodySpot& spot) {
                           const float reach = spot.radius + panel.px(6);
                           return spot.x + reach > x && spot.x - reach < x + width &&
                                  spot.y - reach < top + card.height;
                         });
    };
    if (covers(card.left ? leftmost : rightmost) && !covers(card.left ? rightmost : leftmost))
      card.left = !card.left;
  }
  const float x = card.left ? leftmost : rightmost;
  ImGui::SetNextWindowPos({x, top});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(lowest - top, panel.px(40))});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(12), panel.px(9)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, panel.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(6), panel.px(2)});
  ImGui::Begin("body", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(4);
  if (ImGui::IsWindowAppearing()) panel.request_frames();

  const ImVec2 corner = ImGui::GetCursorPos();
  std::string title = fmt::format("Body {} of {}", id.body + 1, s.system->size());
  if (s.lanes.size() > 1) title += "  " + lane.title();
  const float buttons = panel.px(40 + 6 + 54 + 6 + 24);
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
  panel.tell("body/title", item_rect(), title, {}, Role::heading);
  ImGui::SetCursorPos({corner.x + width - panel.px(24) - buttons, corner.y});
  if (angles) ImGui::PushStyleColor(ImGuiCol_Button, im_color(panel.colors.hovered));
  const bool switched = ImGui::Button("θ φ", {panel.px(40), 0});
  if (angles) ImGui::PopStyleColor();
  if (switched) angles = !angles;
  panel.mark("body/angles");
  panel.say(Role::check_box, "Spherical angles", {}, angles);
  explain(panel, Action::toggle_angles);
  ImGui::SameLine(0, panel.px(6));
  if (push_button(panel, "Copy", "body/copy", {panel.px(54), 0}, "Copy these numbers"))
    ImGui::SetClipboardText(to_table(reading, id.body, lane.state.t).c_str());
  tooltip(panel, "Copy these numbers at full precision, as a table for a spreadsheet.");
  ImGui::SameLine(0, panel.px(6));
  bool close = push_button(panel, "×", "body/close", {panel.px(24), 0}, "Close this card");
  explain_escape(panel, "Close this card.");
  ImGui::Dummy({0, panel.px(2)});

  MotionFields(panel, card, fields, {reading.q, reading.omega}, base_of(lane.state, *s.system))
      .draw(angles);
  ImGui::Dummy({0, panel.px(2)});

  // Systems of first order have no momenta, and H alone.
  const bool has_inertia = !s.system_info->first_order;
  Rows rows(panel);
  if (has_inertia)
    rows.vector("p", reading.momentum, "J s", "Momentum p = Σ M dq/dt over all bodies.");
  rows.vector("x", reading.position, "m", "Position in space.");
  rows.vector("v", reading.velocity, "m/s", "Velocity in space.");
  rows.scalar("|v|", reading.speed(), "m/s", "Speed in space.");
  if (has_inertia) {
    const double share = reading.total > 0 ? 100 * reading.kinetic / reading.total : 0;
    rows.scalar("T", reading.kinetic,
                fmt::format("J   {} % of {} J", with_minus(fmt::format("{:.1f}", share)),
                            significant(reading.total, value_digits))
                    .c_str(),
                "Kinetic energy ½ dq/dt·p. The sum over all bodies is T; for coupled bodies, the "
                "share of one body can be negative.");
    rows.scalar("V", reading.potential, "J   of the whole system",
                "Potential energy of the whole system; it cannot be divided among the bodies.");
  }
  rows.scalar("E", reading.energy(), "J   of the whole system",
              has_inertia ? "Total energy T + V." : "Total energy H.");
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  panel.mark("body", {from.x, from.y, size.x, size.y});
  card.height = size.y + ImGui::GetScrollMaxY();
  ImGui::End();

  close = close || take_escape(panel);
  if (close) card.selected.reset();
}

}  // namespace twosphere::ui
