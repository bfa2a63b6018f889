// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/output/lattice_layer.h"
#include "core/studies/view_frame.h"
#include "ui/panels/panels.h"

namespace twosphere::ui {

namespace {

constexpr float label_width = 92;
constexpr int max_listed = 200;  // bodies to follow

/// A name and a drop-down list.
template <class Items>
void combo(const Panel& panel, const char* label, const char* name, const std::string& preview,
           const std::string& help, const Items& items) {
  row_label(panel, label, "", panel.px(label_width));
  ImGui::SameLine();
  const float width = ImGui::GetContentRegionAvail().x;
  const bool open = begin_list(fmt::format("##{}", name).c_str(), preview, width);
  if (open) {
    items();
    ImGui::EndCombo();
  }
  panel.mark(name);
  panel.say(Role::list, label, preview, open);
  if (!open) tooltip(panel, help);
}

/// "Nothing is shown: a system of first order has no kinetic energy."; empty without a reason.
std::string shows_nothing(std::string_view why) {
  return why.empty() ? std::string() : fmt::format("Nothing is shown: {}.", why);
}

/// `why_not`: why it shows nothing; empty if it does.
void flag(const Panel& panel, Action action, const char* label, bool& value,
          std::string_view why_not = {}) {
  check_box(panel, label, fmt::format("view/{}", info(action).id), value);
  explain(panel, action, shows_nothing(why_not));
}

/// A frame that is offered for a run, with its rate where that is known [rad/s].
struct OfferedFrame {
  std::string text, name;
  FrameChoice choice;
  std::optional<double> rate{};
};

/// Those that turn with the motion, about the axis of the frame chosen so far: with its orbit, with
/// a start that turns like a rigid body, with the strongest lines of its signal.
std::vector<OfferedFrame> offered_frames(const Scenario& record, const FrameChoice& now) {
  constexpr int lines = 3, few_bodies = 1000;  // these are looked at in each frame
  using Axis = FrameChoice::Axis;
  const Axis about = now.about == Axis::orbit ? Axis::vector : now.about;
  std::vector<OfferedFrame> offered;
  if (const auto& orbit = record.orbit; orbit && !orbit->axis.isZero(0)) {
    const double rate = orbit->rotation / orbit->period;
    offered.push_back({fmt::format("orbit, {:.4g} rad/s", rate),
                       "orbit",
                       {.about = Axis::orbit, .by = FrameChoice::Rate::orbit},
                       rate});
  }
  if (const auto rate =
          record.size() <= few_bodies ? rigid_rate(record.q, record.omega, now.axis) : std::nullopt)
    offered.push_back({fmt::format("relative equilibrium, {:.4g} rad/s", *rate),
                       "rigid",
                       {.axis = now.axis, .rate = *rate},
                       rate});
  for (int line = 0; line < lines; ++line)
    offered.push_back(
        {fmt::format("line {} of the signal", line),
         fmt::format("line{}", line),
         {.about = about, .axis = now.axis, .by = FrameChoice::Rate::line, .line = line}});
  return offered;
}

std::string axis_name(const FrameChoice& choice) {
  if (choice.about == FrameChoice::Axis::momentum) return "J";
  for (int k = 0; k < 3; ++k)
    if (choice.axis == Vec3::Unit(k))
      return std::string(color_axis_names.at(static_cast<std::size_t>(k)));
  return "own";
}

/// The axis and the rate of a frame. A rate that is dragged close to one of those offered takes it.
void frame_fields(const Panel& panel, const std::vector<OfferedFrame>& offered,
                  FrameChoice& choice) {
  combo(panel, "Axis", "view/frame_axis", axis_name(choice),
        "Axis about which the view turns. J: the angular momentum of the start.", [&] {
          for (std::size_t k = 0; k < color_axis_names.size(); ++k) {
            const std::string name(color_axis_names.at(k));
            if (!list_item(panel, name, "view/frame_axis/" + name, axis_name(choice) == name))
              continue;
            choice.about = FrameChoice::Axis::vector;
            choice.axis = Vec3::Unit(static_cast<Eigen::Index>(k));
          }
          if (list_item(panel, "J", "view/frame_axis/J", axis_name(choice) == "J"))
            choice.about = FrameChoice::Axis::momentum;
        });
  if (choice.by != FrameChoice::Rate::number) return;
  constexpr double near = 0.01;
  row_label(panel, "Rate", "rad/s", panel.px(label_width));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  auto rate = static_cast<float>(choice.rate);
  if (ImGui::DragFloat("##frame_rate", &rate, 0.01f * std::max(std::abs(rate), 0.1f), 0, 0, "%.4g"))
    choice.rate = static_cast<double>(rate);
  if (ImGui::IsItemDeactivatedAfterEdit() && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
    for (const OfferedFrame& one : offered)
      if (one.rate && std::abs(choice.rate - *one.rate) < near * std::abs(*one.rate))
        choice.rate = *one.rate;
  panel.mark_text("view/frame_rate");
  if (panel.spoken) panel.say(Role::slider, "Rate [rad/s]", short_number(choice.rate));
  tooltip(panel,
          "Rate at which the view turns. Let go close to that of the orbit, or of a relative "
          "equilibrium, it takes that one.");
}

/// What turns with the view.
void frame_rows(const Panel& panel, std::optional<FrameChoice>& frame) {
  const Scenario* const record = panel.snapshot.record.get();
  if (!record) return;
  const std::vector<OfferedFrame> offered = offered_frames(*record, frame.value_or(FrameChoice()));
  // The axis of an orbit may be given beside it.
  const auto with_orbit = [](const FrameChoice& of) { return of.by == FrameChoice::Rate::orbit; };
  const auto is_chosen = [&](const OfferedFrame& one) {
    return frame == one.choice || (frame && with_orbit(*frame) && with_orbit(one.choice));
  };
  const auto chosen = std::find_if(offered.begin(), offered.end(), is_chosen);
  combo(
      panel, "Frame", "view/frame",
      !frame                    ? std::string("at rest")
      : chosen != offered.end() ? chosen->text
                                : std::string("own rate"),
      "The scene with its trails is drawn in this frame, which may turn with the motion: an orbit "
      "that closes after a rotation closes there without one.",
      [&] {
        if (list_item(panel, "at rest", "view/frame/rest", !frame)) frame.reset();
        for (const OfferedFrame& one : offered)
          if (list_item(panel, one.text, "view/frame/" + one.name, is_chosen(one)))
            frame = one.choice;
        if (list_item(panel, "own rate", "view/frame/own", frame && chosen == offered.end()))
          frame = FrameChoice{.axis = frame.value_or(FrameChoice()).axis, .rate = 1};
      });
  if (frame && frame->about != FrameChoice::Axis::orbit) frame_fields(panel, offered, *frame);
}

/// What is shown of a lattice with so many layers along each axis.
void layer_rows(const Panel& panel, const std::array<int, 3>& layers,
                std::optional<LatticeLayer>& layer) {
  const auto axis = [](const std::optional<LatticeLayer>& of) {
    return of ? std::string(color_axis_names.at(static_cast<std::size_t>(of->axis)))
              : std::string("whole lattice");
  };
  combo(panel, "Layer", "view/layer_axis", axis(layer),
        "A single layer of the lattice is shown: that with this normal. Where its arrows would be "
        "too close, it has a cell of colour for each spin.",
        [&] {
          if (list_item(panel, axis({}), "view/layer_axis/whole", !layer)) layer.reset();
          for (int k = 0; k < 3; ++k) {
            const LatticeLayer middle{k, (layers.at(static_cast<std::size_t>(k)) - 1) / 2};
            if (list_item(panel, axis(middle), "view/layer_axis/" + axis(middle),
                          layer && layer->axis == k) &&
                !(layer && layer->axis == k))
              layer = middle;
          }
        });
  if (!layer) return;
  const int count = layers.at(static_cast<std::size_t>(layer->axis));
  row_label(panel, "Its number", "", panel.px(label_width));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  int number = std::min(layer->number, count - 1) + 1;
  if (ImGui::SliderInt("##layer", &number, 1, count, "%d", ImGuiSliderFlags_AlwaysClamp))
    layer->number = number - 1;
  panel.mark_text("view/layer");
  if (panel.spoken) panel.say(Role::slider, "Number of the layer", std::to_string(number));
  tooltip(panel, fmt::format("Number of the layer along {}, from 1 to {}.", axis(layer), count));
}

}  // namespace

void view_panel(const Panel& panel, PanelState& state, Settings& settings) {
  if (!section(panel, state.closed, "View")) return;
  const System* const system = panel.snapshot.system.get();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(4)});
  combo(
      panel, "Colours", "view/colors",
      std::string(settings.shade ? info(*settings.shade).label : "Automatic"),
      "Quantity shown by the colours in the scene. Automatic: springs by tension, a rod by bending "
      "energy, many molecules by speed, spins by direction, everything else by body.",
      [&] {
        if (list_item(panel, "Automatic", "view/colors/usual", !settings.shade))
          settings.shade.reset();
        for (std::size_t i = 0; i < shade_count; ++i)
          if (const auto shade = static_cast<Shade>(i);
              info(shade).of_bodies && system && (shade != Shade::own || system->own_color()) &&
              why_zero(shade, *system).empty() &&
              list_item(panel, std::string(info(shade).label),
                        fmt::format("view/colors/{}", info(shade).key), settings.shade == shade))
            settings.shade = shade;
      });
  if (settings.shade ? *settings.shade == Shade::direction : system && system->shows_directions()) {
    const auto name = [](std::size_t axis) { return std::string(color_axis_names.at(axis)); };
    combo(
        panel, "Colour axis", "view/color_axis",
        name(static_cast<std::size_t>(settings.color_axis)),
        "Axis about which directions are coloured: the hue is the azimuth about it, light towards "
        "it and dark away from it; of lines, light towards both ends.",
        [&] {
          for (std::size_t axis = 0; axis < color_axis_names.size(); ++axis)
            if (list_item(panel, name(axis), "view/color_axis/" + name(axis),
                          settings.color_axis == static_cast<int>(axis)))
              settings.color_axis = static_cast<int>(axis);
        });
  }
  combo(panel, "Colour map", "view/color_map", std::string(key(settings.color_map)),
        "Colour map for values. Viridis and cividis are suitable for colour-blind readers.", [&] {
          for (const ColorMap map : color_maps)
            if (list_item(panel, std::string(key(map)), fmt::format("view/color_map/{}", key(map)),
                          settings.color_map == map))
              settings.color_map = map;
        });

  const float half = ImGui::GetContentRegionAvail().x / 2;
  const float column = panel.px(label_width + 8) + half - panel.px(label_width) / 2;
  const auto beside = [&] { ImGui::SameLine(half + panel.px(8)); };
  flag(panel, Action::toggle_trail, "Trails", settings.trail);
  beside();
  flag(panel, Action::toggle_ground, "Ground grid", settings.ground);
  flag(panel, Action::toggle_graticule, "Graticule", settings.graticule);
  beside();
  flag(panel, Action::toggle_inset, "Inset sphere", settings.inset);
  flag(panel, Action::toggle_labels, "Body numbers", settings.labels);
  beside();
  flag(panel, Action::toggle_field, "Energy field", settings.field,
       system ? why_no_kinetic_energy(*system) : "");
  if (system && system->fluid())
    flag(panel, Action::toggle_streamlines, "Streamlines", settings.streamlines);

  row_label(panel, "Arrows", "", panel.px(label_width));
  for (std::size_t i = 0; i < body_vector_count; ++i) {
    // Two per row: four do not fit beside their name.
    if (i % 2 == 0) {
      if (i > 0) ImGui::Dummy({panel.px(label_width), 0});
      ImGui::SameLine();
    } else {
      ImGui::SameLine(column);
    }
    const BodyVectorInfo& vector = body_vectors()[i];
    const Action action = arrow_action(static_cast<BodyVector>(i));
    check_box(panel, fmt::format("{}##{}", vector.symbol, info(action).id),
              fmt::format("view/{}", info(action).id), settings.arrows[i],
              fmt::format("Arrows: {}", vector.label));
    const std::string nothing =
        system ? shows_nothing(why_zero(static_cast<BodyVector>(i), *system)) : std::string();
    explain(panel, action,
            nothing.empty() ? fmt::format("{} [{}]", vector.help, vector.unit) : nothing);
  }

  const int n = system ? system->size() : 0;
  combo(panel, "Follow", "view/follow",
        state.follow < 0 ? std::string("no body") : fmt::format("body {}", state.follow + 1),
        "The camera follows this body.", [&] {
          if (list_item(panel, "no body", "view/follow/none", state.follow < 0)) state.follow = -1;
          for (int i = 0; i < std::min(n, max_listed); ++i)
            if (list_item(panel, fmt::format("body {}", i + 1),
                          fmt::format("view/follow/{}", i + 1), state.follow == i))
              state.follow = i;
        });
  frame_rows(panel, settings.frame);
  if (const auto layers = system ? system->lattice_layers() : std::array<int, 3>{}; layers[0] > 0)
    layer_rows(panel, layers, settings.layer);
  row_label(panel, "Trail", "s", panel.px(label_width));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  auto span = static_cast<float>(settings.trail_span);
  if (ImGui::DragFloat("##trail_span", &span, 0.01f * std::max(span, 0.1f), 0.05f, 600, "%.3g",
                       ImGuiSliderFlags_AlwaysClamp))
    settings.trail_span = static_cast<double>(span);
  panel.mark_text("view/trail_span");
  if (panel.spoken) panel.say(Role::slider, "Trail [s]", short_number(settings.trail_span));
  tooltip(panel, "Time over which trails fade.\nRange 0.05 s to 600 s. Default 4 s.");
  ImGui::PopStyleVar();
}

}  // namespace twosphere::ui
