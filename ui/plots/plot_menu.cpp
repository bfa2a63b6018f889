// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_menu.h"

#include <fmt/core.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "ui/plots/plot.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

namespace {

constexpr const char* list_popup = "signals";

/// Lower case with subscripts as digits, so that "ω1" finds "ω₁·e₁".
std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // U+2080 … U+2089 are E2 82 80 … E2 82 89.
    if (text.substr(i).starts_with("\xe2\x82") && i + 2 < text.size()) {
      result += static_cast<char>('0' + (static_cast<unsigned char>(text[i + 2]) - 0x80));
      i += 2;
    } else {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
  }
  return result;
}

/// "omega1_x" for ω₁·e₁: like the key, but numbered from 1 as in labels.
std::string spelled(const Signal& signal) {
  const std::string key = signal.key();
  const auto digit = key.find_first_of("0123456789");
  if (signal.body() < 0 || digit == std::string::npos) return key;
  return fmt::format("{}{}{}", key.substr(0, digit), signal.body() + 1,
                     key.substr(std::min(key.find('_'), key.size())));
}

/// Whether each word of the filter occurs in the name of the signal.
bool matches(const Signal& signal, const std::string& filter) {
  const std::string name = plain(signal.label() + " " + signal.symbol() + " " + spelled(signal));
  std::string rest = plain(filter) + " ";
  for (std::size_t end; (end = rest.find(' ')) != std::string::npos; rest.erase(0, end + 1))
    if (name.find(rest.substr(0, end)) == std::string::npos) return false;
  return true;
}

/// A title, or a signal.
struct Row {
  std::string heading;
  std::optional<Signal> signal;
};

/// The group of a signal in the list: its body, numbered from 0, or a kind of quantity, below 0.
int group(const Signal& signal) {
  return signal.step_quantity() ? -1 : signal.body() < 0 ? -2 : signal.body();
}

/// The options of a list.
struct Offer {
  std::string name;             ///< of the widgets
  std::vector<Signal> present;  ///< highlighted
  std::string_view unit{};      ///< only signals with this unit; empty: all
  bool stays = false;           ///< stays open after a click
};

/// The quantities, the step quantities, then the signals of each body, restricted by the filter.
std::vector<Row> rows(const Panel& panel, const std::string& filter, const Offer& offer) {
  std::vector<Signal> all =
      signals(*panel.snapshot.system_info, panel.snapshot.present->size(), panel.compared());
  std::erase_if(all, [&](const Signal& s) {
    return !matches(s, filter) || (!offer.unit.empty() && s.unit() != offer.unit);
  });
  std::stable_sort(all.begin(), all.end(),
                   [](const Signal& a, const Signal& b) { return group(a) < group(b); });
  const int last = panel.snapshot.present->size() - 1;
  std::vector<Row> result;
  std::optional<int> present;
  for (const Signal& signal : all) {
    if (const int body = group(signal); body != present) {
      present = body;
      const bool tip = body == last && last > 0;
      result.push_back({body == -2   ? "Quantities"
                        : body == -1 ? "Steps"
                                     : fmt::format("Body {}{}", body + 1, tip ? " (last)" : ""),
                        std::nullopt});
    }
    result.push_back({"", signal});
  }
  return result;
}

/// Draws a filter and below it the rows in a scrolling child window; returns the signal that was
/// clicked.
std::optional<Signal> choose(const Panel& panel, std::string& filter, const Offer& offer,
                             ImVec2 size, bool focus) {
  if (focus || ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(size.x);
  const bool entered = ImGui::InputTextWithHint("##filter", "Find: energy, omega1, polar …",
                                                &filter, ImGuiInputTextFlags_EnterReturnsTrue);
  panel.mark_text(offer.name + "/filter");
  panel.say(Role::text, "Find a quantity", filter);
  const std::vector<Row> all = rows(panel, filter, offer);
  std::optional<Signal> chosen;
  ImGui::BeginChild("rows", size);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(all.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const Row& row = all[static_cast<std::size_t>(i)];
      if (!row.signal) {
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(im_color(panel.colors.dim)), "%s",
                           row.heading.c_str());
        continue;
      }
      const std::string key = row.signal->key();
      const float top = ImGui::GetCursorScreenPos().y;
      const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
      const bool present =
          std::find(offer.present.begin(), offer.present.end(), *row.signal) != offer.present.end();
      if (ImGui::Selectable(fmt::format("   {}##{}", row.signal->label(), key).c_str(), present,
                            offer.stays ? ImGuiSelectableFlags_DontClosePopups : 0))
        chosen = row.signal;
      panel.mark(fmt::format("{}/{}", offer.name, key));
      const std::string unit = fmt::format("[{}]", row.signal->unit());
      if (panel.spoken)
        panel.say(Role::item, fmt::format("{} {}", row.signal->label(), unit), {}, present);
      ImGui::GetWindowDrawList()->AddText(
          {std::round(right - ImGui::CalcTextSize(unit.c_str()).x - panel.px(6)), top},
          im_color(panel.colors.dim), unit.c_str());
    }
  if (all.empty()) ImGui::TextDisabled("No match");
  ImGui::EndChild();
  // Enter chooses the first match.
  if (entered && !filter.empty() && !all.empty()) chosen = all[1].signal;
  return chosen;
}

bool escaped() { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)); }

void apply(const Signal& y, PlotsView& view, std::vector<PlotSpec>& plots,
           const SignalChoice& choice) {
  PlotSpec spec = choice.frequency ? spectrum_of(y) : plot_of(y);
  spec.x = choice.over;
  if (choice.plot && *choice.plot < plots.size()) {
    // The scale is kept if the signal stays the same.
    if (plots[*choice.plot].y == y && !choice.frequency && !plots[*choice.plot].spectrum) {
      spec.scale = plots[*choice.plot].scale;
      spec.magnitude = plots[*choice.plot].magnitude;
    }
    plots[*choice.plot] = spec;
  } else {
    plots.push_back(spec);
    view.scroll_to_end = true;
  }
}

/// The signals that fit the axis of a plot: a click adds or removes one.
void also_list(const Panel& panel, PlotSpec& spec, SignalChoice& choice, ImVec2 size) {
  const std::string_view unit = spec.y.unit();
  ImGui::TextDisabled(
      "%s", unit == "1" ? "Dimensionless quantities only: an axis has one unit"
                        : fmt::format("Quantities in {} only: an axis has one unit", unit).c_str());
  const Offer offer{.name = "also", .present = spec.signals(), .unit = unit, .stays = true};
  if (const auto signal = choose(panel, choice.filter, offer, size, false)) spec.toggle(*signal);
}

}  // namespace

void open_signal_list(SignalChoice& choice, const std::vector<PlotSpec>& plots,
                      std::optional<std::size_t> plot) {
  choice = {};
  choice.plot = plot;
  if (!plot) return ImGui::OpenPopup(list_popup);
  choice.over = plots[*plot].x;
  choice.frequency = plots[*plot].spectrum;
  ImGui::OpenPopup(list_popup);
}

void signal_list(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots,
                 SignalChoice& choice, ImVec2 corner) {
  ImGui::SetNextWindowPos(corner, ImGuiCond_Appearing);
  if (!ImGui::BeginPopup(list_popup)) return;
  if (ImGui::IsWindowAppearing()) panel.request_frames();
  const ImVec2 size{panel.px(300), panel.px(340)};
  const bool changes = choice.plot && *choice.plot < plots.size();
  if (choice.also) {
    if (changes) also_list(panel, plots[*choice.plot], choice, size);
    if (!changes || escaped()) ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  std::vector<Signal> present;
  if (changes) present = plots[*choice.plot].signals();

  const std::string over = choice.over        ? choice.over->label()
                           : choice.frequency ? "frequency (power spectrum)"
                                              : "time";
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Over");
  ImGui::SameLine(0, panel.px(8));
  ImGui::SetNextItemWidth(size.x - (ImGui::GetCursorPosX() - ImGui::GetStyle().WindowPadding.x));
  bool listed = false;
  if (ImGui::BeginCombo("##over", over.c_str(), ImGuiComboFlags_HeightLargest)) {
    listed = true;
    const auto axis = [&](const char* label, const char* name, bool frequency) {
      const bool chosen = !choice.over && choice.frequency == frequency;
      if (ImGui::Selectable(label, chosen)) {
        choice.over.reset();
        choice.frequency = frequency;
      }
      panel.mark(name);
      panel.say(Role::item, label, {}, chosen);
    };
    axis("time", "over/time", false);
    axis("frequency (power spectrum)", "over/frequency", true);
    Offer axes{.name = "over", .present = {}};
    if (choice.over) axes.present = {*choice.over};
    if (const auto signal = choose(panel, choice.filter_over, axes, size, false)) {
      choice.over = signal;
      choice.frequency = false;
      choice.focus = true;
      ImGui::CloseCurrentPopup();
    }
    if (escaped()) ImGui::CloseCurrentPopup();
    ImGui::EndCombo();
  }
  panel.mark("over");
  panel.say(Role::list, "Over", over, listed);
  if (!listed)
    tooltip(panel,
            "The horizontal axis: time, frequency for a power spectrum, or a signal for a phase "
            "portrait.");

  const bool focus = !listed && std::exchange(choice.focus, false);
  const Offer offer{.name = "signals", .present = present};
  if (const auto signal = choose(panel, choice.filter, offer, size, focus)) {
    apply(*signal, view, plots, choice);
    ImGui::CloseCurrentPopup();
  }
  if (ImGui::SmallButton("An expression…")) {
    panel.sink.act(Action::system_as_text);
    ImGui::CloseCurrentPopup();
  }
  panel.mark("signals/expression");
  panel.say(Role::button, "A plot of an expression");
  tooltip(panel,
          "Opens the system as text. A line under Plots there, such as height: -e3.q[0], is a "
          "quantity of your own with a plot.");
  if (!listed && escaped()) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void plot_menu(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots,
               SignalChoice& choice) {
  bool list = false, also = false, spectrum = false;
  if (ImGui::BeginPopup("plot menu")) {
    if (ImGui::IsWindowAppearing()) panel.request_frames();
    const auto plot = std::find_if(view.plots.begin(), view.plots.end(),
                                   [&](const PlotView& p) { return p.id == view.menu; });
    const auto index = static_cast<std::size_t>(plot - view.plots.begin());
    if (index >= plots.size() || escaped()) {
      ImGui::CloseCurrentPopup();
      ImGui::EndPopup();
      return;
    }
    PlotSpec& spec = plots[index];
    const auto item = [&](const char* label, const char* name, bool ticked = false,
                          bool enabled = true, Action action = Action::about) {
      const std::string key(action == Action::about ? "" : info(action).key);
      const bool chosen = ImGui::MenuItem(label, key.c_str(), ticked, enabled);
      panel.mark(fmt::format("menu/{}", name));
      panel.say(Role::item, label, {}, ticked);
      return chosen;
    };
    const bool free = !spec.spectrum;  // both axes of a spectrum are logarithmic
    if (item("Linear", "linear", spec.scale == Scale::linear, free)) spec.scale = Scale::linear;
    if (item("Logarithmic", "logarithmic", spec.scale == Scale::logarithmic, free))
      spec.scale = Scale::logarithmic;
    if (item("Symmetric logarithmic", "symlog", spec.scale == Scale::symlog, free))
      spec.scale = Scale::symlog;
    if (item("Magnitude", "magnitude", spec.shows_magnitude(), spec.scale != Scale::logarithmic))
      spec.magnitude = !spec.magnitude;
    if (free) spectrum = item("Power spectrum", "spectrum");
    ImGui::Separator();
    if (view.menu_time) {
      if (item("Marker A here", "marker_a", false, true, Action::marker_a))
        view.markers[0] = view.menu_time;
      if (item("Marker B here", "marker_b", false, true, Action::marker_b))
        view.markers[1] = view.menu_time;
    }
    if (item("Clear the markers", "clear_markers", false, view.markers[0] || view.markers[1],
             Action::clear_markers))
      view.markers = {};
    if (item("Fit", "fit", false, true, Action::plots_fit)) view.everything = true;
    if (item("Follow", "follow", false, true, Action::plots_follow)) view.follow();
    ImGui::Separator();
    for (const Action action : {Action::copy_data, Action::export_visible, Action::export_figure}) {
      const ActionInfo& what = info(action);
      if (item(std::string(what.label).c_str(), std::string(what.id).c_str(), false, true, action))
        panel.sink.act(action);
    }
    ImGui::Separator();
    if (!free) {
      const ActionInfo& what = info(Action::export_spectra);
      if (item(std::string(what.label).c_str(), std::string(what.id).c_str()))
        panel.sink.act(Action::export_spectra);
    }
    if (view.plots.size() > 1)
      if (item("Show this plot alone", "alone", view.alone == view.menu))
        view.alone = view.alone.empty() ? view.menu : std::string();
    if (spec.over_time()) also = item("Add quantity to this plot…", "also");
    list = item("Change quantities…", "signals");
    if (item("Move up", "up", false, index > 0)) std::swap(plots[index], plots[index - 1]);
    if (item("Move down", "down", false, index + 1 < plots.size()))
      std::swap(plots[index], plots[index + 1]);
    const bool remove = item("Remove", "remove");
    if (spectrum) {
      std::vector<PlotSpec> spectra;
      for (const Signal& signal : spec.signals()) spectra.push_back(spectrum_of(signal));
      plots.insert(plots.begin() + static_cast<std::ptrdiff_t>(index) + 1, spectra.begin(),
                   spectra.end());
    } else if (remove) {
      plots.erase(plots.begin() + static_cast<std::ptrdiff_t>(index));
    }
    ImGui::EndPopup();
    if (list || also) open_signal_list(choice, plots, index);
    choice.also = choice.also || also;
  }
}

}  // namespace twosphere::ui
