// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <array>
#include <string>
#include <string_view>

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
        "it and dark away from it.",
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
