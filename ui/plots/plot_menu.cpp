// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_menu.h"

#include <fmt/core.h>
#include <imgui/imgui.h>
#include <imgui/imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/excerpt.h"
#include "core/scenario/names.h"
#include "core/scenario/state_expression.h"
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
  std::string key = signal.key();
  const auto digit = key.find_first_of("0123456789");
  if (signal.body() < 0 || digit == std::string::npos) return key;
  return fmt::format("{}{}{}", key.substr(0, digit), signal.body() + 1,
                     key.substr(std::min(key.find('_'), key.size())));
}

/// The name of a signal in the list.
std::string listed(const Panel& panel, const Signal& signal) {
  return signal.kind() == Signal::Kind::distance && panel.reference_is_run()
             ? "distance from the reference run"
             : signal.label();
}

/// Whether each word of the filter occurs in the name of the signal.
bool matches(const Panel& panel, const Signal& signal, const std::string& filter) {
  const std::string name =
      plain(listed(panel, signal) + " " + signal.symbol() + " " + spelled(signal));
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
struct SignalOffer {
  std::string name;             ///< of the widgets
  std::vector<Signal> present;  ///< highlighted
  std::vector<Signal> expressions{};
  std::string_view unit{};  ///< only signals with this unit; empty: all
  bool stays = false;       ///< stays open after a click
};

/// The quantities, the step quantities, then the signals of each body, restricted by the filter.
std::vector<Row> rows(const Panel& panel, const std::string& filter, const SignalOffer& offer) {
  std::vector<Signal> all =
      signals(*panel.snapshot.system_info, panel.snapshot.present->size(), panel.compared());
  all.insert(all.begin(), offer.expressions.begin(), offer.expressions.end());
  std::erase_if(all, [&](const Signal& s) {
    return !matches(panel, s, filter) || (!offer.unit.empty() && s.unit() != offer.unit);
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
std::optional<Signal> choose(const Panel& panel, std::string& filter, const SignalOffer& offer,
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
      if (ImGui::Selectable(fmt::format("   {}##{}", listed(panel, *row.signal), key).c_str(),
                            present, offer.stays ? ImGuiSelectableFlags_DontClosePopups : 0))
        chosen = row.signal;
      panel.mark(fmt::format("{}/{}", offer.name, key));
      const std::string unit = fmt::format("[{}]", row.signal->unit());
      if (panel.spoken)
        panel.say(Role::item, fmt::format("{} {}", listed(panel, *row.signal), unit), {}, present);
      tooltip(panel, std::string(row.signal->help()));
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

/// The expressions of the scenario and of the plots.
std::vector<Signal> known_expressions(const Panel& panel, const std::vector<PlotSpec>& plots) {
  std::vector<PlottedExpression> all = panel.snapshot.present->plots;
  for (const PlottedExpression& plotted : expressions_of(plots))
    if (std::find(all.begin(), all.end(), plotted) == all.end()) all.push_back(plotted);
  return {all.begin(), all.end()};
}

/// Finds what is wrong with an expression that is typed, and its unit; once for each text.
void check_typed(const Panel& panel, TypedExpression& typed) {
  const auto& present = panel.snapshot.present;
  if (typed.checked == typed.text && typed.checked_unit == typed.unit && typed.of == present)
    return;
  typed.checked = typed.text;
  typed.checked_unit = typed.unit;
  typed.of = present;
  typed.problem.clear();
  typed.known_unit.clear();
  if (typed.text.empty()) return;
  if (const auto made = StateExpression::create(typed.text, *present); !made) {
    typed.problem = made.error().message + excerpt(typed.text, column_of(made.error().location));
  } else if (made->knows_unit()) {
    typed.known_unit = made->unit();
  }
  if (!typed.problem.empty() || typed.unit.empty()) return;
  if (const auto made = StateExpression::create(typed.text, *present, typed.unit); !made)
    typed.problem = made.error().message;
}

/// Draws the fields for an expression of the state; returns its signal once it is entered. What is
/// wrong with it stands below, with a caret at the character.
std::optional<Signal> type_expression(const Panel& panel, TypedExpression& typed,
                                      const std::vector<Signal>& known, float width) {
  ImGui::TextDisabled("Or an expression of the state");
  bool entered = false;
  const auto field = [&](const char* id, const char* hint, std::string& text, float wide,
                         const char* name, const char* spoken, const char* help) {
    ImGui::SetNextItemWidth(wide);
    entered |= ImGui::InputTextWithHint(id, hint, &text, ImGuiInputTextFlags_EnterReturnsTrue);
    panel.mark_text(name);
    panel.say(Role::text, spoken, text);
    tooltip(panel, help);
  };
  field("##expression", "e3.q[0], norm(w[0]), q[0].q[1] …", typed.text, width, "expression/text",
        "Expression",
        "q[0] and w[0] are direction and angular velocity of body 1, v[0] = w[0] × q[0], t is the "
        "time; the parameters of the system have their names: sum(i: masses[i]*q[i].e3).");
  check_typed(panel, typed);
  const float apart = panel.px(4), button = panel.px(48), unit = panel.px(72);
  field("##name", typed.text.empty() ? "Name" : typed.text.c_str(), typed.name,
        width - unit - button - 2 * apart, "expression/name", "Name of the expression",
        "The title of its plot and of its column in tables; without one it is the expression.");
  ImGui::SameLine(0, apart);
  field("##unit", typed.known_unit.empty() ? "Unit" : typed.known_unit.c_str(), typed.unit, unit,
        "expression/unit", "Unit of the expression",
        "m, cm, N m, deg … Without one it is that of the expression, as far as it is known.");
  check_typed(panel, typed);
  PlottedExpression plotted{typed.name.empty() ? name_of_expression(typed.text) : typed.name,
                            typed.text,
                            !typed.unit.empty()        ? typed.unit
                            : typed.known_unit.empty() ? "1"
                                                       : typed.known_unit};
  std::string problem = typed.problem;
  if (const std::string why = why_no_name(plotted.name); problem.empty() && !why.empty())
    problem = "The name " + why;
  const auto& own = panel.snapshot.system_info->own_quantities;
  const bool taken = std::any_of(own.begin(), own.end(),
                                 [&](const OwnQuantity& q) { return q.name == plotted.name; }) ||
                     std::any_of(known.begin(), known.end(), [&](const Signal& signal) {
                       return signal.label() == plotted.name && signal != Signal(plotted);
                     });
  if (problem.empty() && taken)
    problem = fmt::format("There is another expression with the name {}", plotted.name);
  ImGui::SameLine(0, apart);
  const bool ready = !typed.text.empty() && problem.empty();
  ImGui::BeginDisabled(!ready);
  entered |= ImGui::Button("Plot", {button, 0});
  ImGui::EndDisabled();
  panel.mark("expression/plot");
  panel.say(Role::button, "Plot the expression");
  if (!problem.empty()) {
    const auto line = problem.find('\n');
    ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.error));
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::TextUnformatted(problem.substr(0, line).c_str());
    ImGui::PopTextWrapPos();
    if (line != problem.npos) {
      ImGui::PushFont(font(Face::small_mono));
      ImGui::TextUnformatted(problem.substr(line + 1).c_str());
      ImGui::PopFont();
    }
    ImGui::PopStyleColor();
    if (panel.spoken) panel.tell("expression/problem", {}, "Problem", problem.substr(0, line));
  }
  return entered && ready ? std::optional(Signal(plotted)) : std::nullopt;
}

/// The signals that fit the axis of a plot: a click adds or removes one.
void also_list(const Panel& panel, PlotSpec& spec, const std::vector<Signal>& expressions,
               SignalChoice& choice, ImVec2 size) {
  const std::string_view unit = spec.y.unit();
  ImGui::TextDisabled(
      "%s", unit == "1" ? "Dimensionless quantities only: an axis has one unit"
                        : fmt::format("Quantities in {} only: an axis has one unit", unit).c_str());
  const SignalOffer offer{.name = "also",
                          .present = spec.signals(),
                          .expressions = expressions,
                          .unit = unit,
                          .stays = true};
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
  // With the fields below it, and what is wrong there, the list fits under the button.
  const float height = panel.frame.height - corner.y - panel.px(250);
  const ImVec2 size{panel.px(300), std::clamp(height, panel.px(120), panel.px(340))};
  const bool changes = choice.plot && *choice.plot < plots.size();
  const std::vector<Signal> expressions = known_expressions(panel, plots);
  if (choice.also) {
    if (changes) also_list(panel, plots[*choice.plot], expressions, choice, size);
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
    SignalOffer axes{.name = "over", .present = {}, .expressions = expressions};
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
  const SignalOffer offer{.name = "signals", .present = present, .expressions = expressions};
  if (const auto signal = choose(panel, choice.filter, offer, size, focus)) {
    apply(*signal, view, plots, choice);
    ImGui::CloseCurrentPopup();
  }
  if (const auto signal = type_expression(panel, choice.typed, expressions, size.x)) {
    apply(*signal, view, plots, choice);
    choice.typed = {};
    ImGui::CloseCurrentPopup();
  }
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
    // The plot of the unit length is not in the list until something about it is changed.
    std::vector<PlotSpec> all = plots;
    const bool added = index == plots.size() && index < view.plots.size();
    if (added) all.push_back(plot->spec);
    if (index >= all.size() || escaped()) {
      ImGui::CloseCurrentPopup();
      ImGui::EndPopup();
      return;
    }
    const std::vector<PlotSpec> before = all;
    PlotSpec& spec = all[index];
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
    if (item("Export the data of this plot…", "export_plot", false, exists(panel, spec)))
      panel.sink.export_plot(spec);
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
    if (item("Move up", "up", false, index > 0)) std::swap(all[index], all[index - 1]);
    if (item("Move down", "down", false, index + 1 < all.size()))
      std::swap(all[index], all[index + 1]);
    const bool remove = item("Remove", "remove");
    if (spectrum) {
      std::vector<PlotSpec> spectra;
      for (const Signal& signal : spec.signals()) spectra.push_back(spectrum_of(signal));
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(index) + 1, spectra.begin(),
                 spectra.end());
    } else if (remove && added) {
      view.unit_length = PlotsView::UnitLength::closed;
    } else if (remove) {
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
    }
    if (list || also || all != before) plots = all;
    ImGui::EndPopup();
    if (list || also) open_signal_list(choice, plots, index);
    choice.also = choice.also || also;
  }
}

}  // namespace twosphere::ui
