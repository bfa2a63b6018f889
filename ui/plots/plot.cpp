// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/catalog.h"
#include "core/color/color.h"
#include "core/mechanics/modified_energy.h"
#include "core/scenario/state_expression.h"
#include "ui/plot/marker_group.h"
#include "ui/plot/portrait.h"
#include "ui/plot/spectrum_samples.h"
#include "ui/plots/plot_context.h"
#include "ui/plots/plot_input.h"
#include "ui/plots/plot_readout.h"
#include "ui/shell/panel.h"
#include "ui/shell/screen_painter.h"

namespace twosphere::ui {

namespace {

constexpr std::array<float, 2> dots{2, 4};

PlotLook look_of(const Panel& panel) {
  const Colors& c = panel.colors;
  PlotLook look;
  look.unit = panel.scale;
  look.ground = {c.scene};
  look.text = {c.text};
  look.dim = {c.dim};
  look.grid = {{c.line}};
  look.zeros = {{c.dim, 0.7f}, 1, dots, panel.scale};
  look.tick = {{c.dim, 0.6f}};
  look.short_tick = look.below = panel.px(4);
  look.beside = panel.px(6);
  look.title = panel.px(19);
  look.overhang = panel.px(2);
  look.line = panel.px(2);
  look.lone = panel.px(1.5f);
  look.dot = panel.px(1);
  look.name_padding_x = panel.px(3.5f);
  look.name_padding_y = panel.px(0.5f);
  look.name_rounding = panel.px(3);
  look.name_line = panel.px(1.25f);
  look.zero_line = 0.68;
  return look;
}

std::string bracketed(std::string_view unit) { return fmt::format("[{}]", unit); }

int max_labels(const Panel& panel, double width) {
  return std::max(2, static_cast<int>(width / panel.px(58)));
}

void draw_run_markers(const PlotContext& to, const Area& area, bool hovered) {
  const Panel& panel = to.panel;
  const double mouse = ImGui::GetIO().MousePos.x;
  const auto position = [&](const RunMarker& marker) { return std::round(area.x(marker.t)); };
  double last = -std::numeric_limits<double>::infinity();
  MarkerNotes notes;
  const std::vector<RunMarker>& markers = panel.snapshot.markers;
  const double gap = marker_gap(area.x_range);
  for (const MarkerGroup& mark : marker_groups(markers, gap)) {
    const RunMarker &marker = markers[mark.first], &till = markers[mark.last];
    // On the way back in time a drag ends on the left.
    const auto [x, end] = std::minmax({position(marker), position(till)});
    if (end < area.box.from.x || x > area.box.to.x) continue;
    // A change by dragging is a line at its start and a band over its duration.
    if (end > x)
      to.list.box({{std::max(x, area.box.from.x), area.box.from.y},
                   {std::min(end, area.box.to.x), area.box.to.y}},
                  {panel.colors.warning, 0.12f});
    if (x != last && x >= area.box.from.x)
      to.upright(area, x,
                 {marker.warning ? Ink{panel.colors.error} : Ink{panel.colors.warning, 0.55f}});
    last = x;
    // Not all over the band, where the curve is read.
    const auto near = [&](double edge) { return std::abs(mouse - edge) <= panel.px(4); };
    if (hovered && (near(x) || near(end))) notes.add(markers, mark);
  }
  if (const std::string label = notes.text(); !label.empty())
    ImGui::SetTooltip("%s", label.c_str());
}

void draw_marker_flag(const PlotContext& to, Point at, const std::string& name) {
  const Colors& c = to.panel.colors;
  const double width = to.panel.px(13), height = to.panel.px(14);
  to.list.frame({at, {at.x + width, at.y + height}}, {c.accent}, {{}, 0}, to.panel.px(2));
  to.write({at.x + (width - to.width(Face::small_text, name)) / 2,
            at.y + (height - to.letters.height(Face::small_text)) / 2},
           Face::small_text, c.on_accent, name);
}

/// Lines at A and B over time; points with their letters in a phase portrait.
void draw_markers(const PlotContext& to, const PlotModel& model, const Area& area,
                  const Markers& markers) {
  const Panel& panel = to.panel;
  for (std::size_t m = 0; m < markers.size(); ++m) {
    if (!markers[m]) continue;
    if (model.over_time) {
      const double x = std::round(area.x(*markers[m]));
      to.upright(area, x, {{panel.colors.accent}, panel.px(1.25f)});
      // At the lower end of the line, B to its right; the readout of the cursor is at the top.
      draw_marker_flag(to, {m == 0 ? x - panel.px(13) : x, area.box.to.y - panel.px(14)},
                       marker_names[m]);
    }
    for (const PlotDot& dot : model.dots) {
      if (dot.marker != m) continue;
      const Point point = area.at(dot.at);
      to.list.ring(point, panel.px(4), {{panel.colors.accent}, panel.px(1.5f)});
      if (!model.over_time)
        draw_marker_flag(to, {point.x + panel.px(5), point.y - panel.px(17)}, marker_names[m]);
    }
  }
}

/// The instant shown: a line over time, points in a phase portrait.
void draw_shown(const PlotContext& to, const PlotSpec& spec, const Area& area,
                const std::vector<Curve>& curves, double t) {
  const Color color = to.panel.colors.accent;
  if (spec.x) {
    for (const Curve& curve : curves)
      if (const auto reading = read_at(spec, curve, t))
        to.list.ring(area.at({reading->x, area.scale.forward(reading->y)}), to.panel.px(4.5f),
                     {{color}, to.panel.px(2)});
    return;
  }
  const double x = std::round(area.x(t)), r = to.panel.px(4);
  to.upright(area, x, {{color}, to.panel.px(1.5f)});
  to.list.box({{x - r / 2, area.box.from.y}, {x + r / 2, area.box.from.y + r}}, {color});
}

/// A small button of text in a title, right-aligned at `right`; moves `right` to its left edge.
bool title_button(const PlotContext& to, const PlotView& plot, const std::string& label,
                  const std::string& name, double& right, float y, std::string_view what,
                  const std::string& help) {
  const Panel& panel = to.panel;
  const float width = static_cast<float>(to.width(Face::small_text, label)) + panel.px(10),
              height = panel.px(17);
  right -= width;
  const auto left = static_cast<float>(right);
  ImGui::SetCursorScreenPos({left, y});
  const bool pressed = ImGui::InvisibleButton(name.c_str(), {width, height});
  const bool lit = ImGui::IsItemHovered();
  if (lit)
    to.list.frame({{left, y}, {left + width, y + height}}, {panel.colors.hovered}, {{}, 0},
                  panel.px(3));
  to.write({left + panel.px(5), y + (height - to.letters.height(Face::small_text)) / 2},
           Face::small_text, lit ? panel.colors.text : panel.colors.dim, label);
  panel.mark(name);
  if (panel.spoken) panel.say(Role::button, fmt::format("{}: {}", what, title(plot.spec)), label);
  tooltip(panel, help);
  return pressed;
}

const char* scale_name(Scale scale) {
  switch (scale) {
    case Scale::linear:
      return "linear";
    case Scale::logarithmic:
      return "log";
    case Scale::symlog:
      break;
  }
  return "symlog";
}

/// For components of the angular momentum, whether they are conserved; else empty.
std::string conservation(const Panel& panel, const PlotSpec& spec) {
  const std::vector<Signal> all = spec.signals();
  if (!spec.over_time()) return {};
  std::string broken;
  for (const Signal& signal : all) {
    const auto axis = signal.momentum_axis();
    if (!axis) return {};
    if (!panel.snapshot.system->conserved_momentum()[static_cast<std::size_t>(*axis)])
      broken += (broken.empty() ? "" : ", ") + signal.symbol();
  }
  if (broken.empty()) return "conserved";
  return all.size() == 1 ? "not conserved here" : broken + " not conserved here";
}

/// For a plot of distances: what is compared with what, as a line.
std::string comparison(const Panel& panel, const PlotSpec& spec) {
  if (spec.y.kind() != Signal::Kind::distance) return {};
  const BranchView* run = panel.reference_run();
  const auto lane = static_cast<std::size_t>(panel.reference);
  if (panel.snapshot.lanes.size() == 1 || lane >= panel.snapshot.lanes.size())
    return run ? fmt::format("Distances of the other runs from {}.\n", run->look.name) : "";
  const std::string name = panel.snapshot.lanes[lane].title();
  if (!run) return fmt::format("Distances of the other lanes from {}.\n", name);
  return fmt::format(
      "In {}: distances of the other lanes from {}. In another run: distance of each lane from the "
      "same lane of {}.\n",
      run->look.name, name, run->look.name);
}

void draw_title(const PlotContext& to, const PlotView& plot, const std::string& full,
                const Area& area, const std::string& axis_note, const Rect& place,
                PlotResponse& response) {
  const Panel& panel = to.panel;
  const Colors& c = panel.colors;
  // The large letters of a presentation have the whole width.
  const double left = panel.presentation ? place.x : area.box.from.x;
  double right = area.box.to.x + panel.px(4);
  if (!panel.presentation) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
        place.contains(mouse.x, mouse.y))
      response.remove |= title_button(to, plot, "×", "remove/" + plot.id, right, place.y, "Remove",
                                      "Remove this plot.");
    else
      right -= to.width(Face::small_text, "×") + panel.px(10);
    response.menu |= title_button(
        to, plot, scale_name(plot.spec.scale), "scale/" + plot.id, right, place.y, "Options",
        "Axis scales and other options of this plot.\nA right click in the plot opens "
        "the same menu.");
  }
  const std::string unit = bracketed(ui::unit(plot.spec));
  if (!axis_note.empty()) {
    const double width = to.width(Face::small_mono, axis_note);
    const double min_width = to.width(Face::text, symbols(plot.spec) + " " + unit) + panel.px(12);
    if (right - width - left >= min_width) {
      right -= width + panel.px(4);
      to.write({right, place.y + panel.px(2)}, Face::small_mono, c.dim, axis_note);
    } else {  // does not fit beside the title: inside the plot
      to.write({area.box.from.x + panel.px(4), area.box.from.y + panel.px(2)}, Face::small_mono,
               c.dim, axis_note);
    }
  }
  const double y = place.y + panel.px(1);
  const double room = right - left - to.width(Face::text, " " + unit) - panel.px(6);
  // A symbol is better than a truncated name.
  const bool short_name = to.width(Face::text, full) > room && !plot.spec.spectrum;
  const std::string name =
      elided(short_name ? symbols(plot.spec) : full, static_cast<float>(room)) + " ";
  to.write({left, y}, Face::text, c.text, name);
  const double after = left + to.width(Face::text, name);
  to.write({after, y}, Face::text, c.dim, unit);
  ImGui::SetCursorScreenPos({static_cast<float>(left), place.y});
  ImGui::InvisibleButton("title",
                         {std::max(static_cast<float>(right - left), 1.0f), panel.px(plot_title)});
  response.alone = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  panel.mark_area("plot_title/" + plot.id);
  panel.say(Role::label, full);
  // Components of one vector have one meaning.
  std::string meanings;
  for (const Signal& signal : plot.spec.signals())
    if (meanings.find(signal.help()) == meanings.npos)
      meanings += fmt::format("{}: {}\n", signal.symbol(), signal.help());
  tooltip(panel, fmt::format("{}\n{}{}Double-click to show this plot alone or all plots again.",
                             full, meanings, comparison(panel, plot.spec)));
  const std::string conserved = exists(panel, plot.spec) ? conservation(panel, plot.spec) : "";
  const double from = after + to.width(Face::text, unit) + panel.px(8);
  if (conserved.empty() || from + to.width(Face::small_text, conserved) > right) return;
  to.write({from, y + panel.px(2)}, Face::small_text, c.dim, conserved);
}

int reference_id(const Panel& panel) {
  const BranchView* run = panel.reference_run();
  return run ? run->id : -1;
}

/// The first signal of the plot that the run does not have.
std::optional<Signal> first_missing(const Panel& panel, const PlotSpec& spec) {
  const std::vector<Signal> all = spec.all_signals();
  const auto missing = std::find_if_not(all.begin(), all.end(), [&panel](const Signal& signal) {
    return signal.exists(*panel.snapshot.system_info, panel.snapshot.present->size(),
                         panel.compared());
  });
  return missing == all.end() ? std::nullopt : std::optional(*missing);
}

/// Why a system has no value of an expression.
std::string problem_of(const PlottedExpression& plotted, const Scenario& present) {
  const auto made = StateExpression::create(plotted.expression, present, plotted.unit);
  if (made) return fmt::format("{} has no value in this run", plotted.name);
  return fmt::format("{} cannot be computed in this system: {}", plotted.name,
                     made.error().message);
}

/// The text in the middle of a plot that has no curve.
struct Absence {
  std::string why;          ///< empty: it has one
  std::string_view method;  ///< a lane of this method would have one; empty: none would
};

/// Why no lane has an exponent of Lyapunov.
Absence no_exponent(const Panel& panel, const std::string& label) {
  const System& system = *panel.snapshot.system;
  for (const Snapshot::LaneView& lane : panel.snapshot.lanes)
    if (has_tangent_map(*lane.info, system))
      return {"Tangent vectors follow the run from its next step on", {}};
  if (const IntegratorInfo* method = method_with_tangent_map(system))
    return {
        fmt::format("{} needs a fixed step and a tangent map, which {} has", label, method->title),
        method->key};
  return {fmt::format("{} needs a tangent map, which no method has here: {}", label,
                      system.heat_bath()
                          ? "the system is in a heat bath"
                          : "a force depends on velocities, or coupled bodies are damped"),
          {}};
}

/// Why no lane has a modified energy; nothing if one has.
Absence no_modified_energy(const Panel& panel) {
  std::string why;
  for (const Snapshot::LaneView& lane : panel.snapshot.lanes) {
    const std::string because = ModifiedEnergy::missing(*panel.snapshot.system, *lane.info);
    if (because.empty()) return {};
    if (why.empty())
      why = fmt::format("{} has no modified energy here: {}", lane.info->title, because);
  }
  return {why, {}};
}

/// Which signal the run or its methods do not have.
Absence absence_of(const Panel& panel, const PlotView& plot, const std::vector<Curve>& curves) {
  if (const auto missing = first_missing(panel, plot.spec)) {
    if (missing->kind() == Signal::Kind::distance)
      return {"A distance needs two lanes or two runs", {}};
    if (missing->momentum_axis()) return {"Not recorded: it is not conserved in this system", {}};
    return {fmt::format("This system has no {}", missing->label()), {}};
  }
  if (plot.spec.spectrum) {
    const auto& spectra = plot.spectra;
    if (spectra.empty() || std::any_of(spectra.begin(), spectra.end(),
                                       [](const LaneSpectrum& s) { return s.problem.empty(); }))
      return {};
    return {spectra.front().problem, {}};
  }
  const auto cost = plot.spec.y.step_quantity();
  const bool modified = plot.spec.y.kind() == Signal::Kind::modified_energy_error;
  if (plot.spec.x || !(cost || modified || plot.spec.y.expression())) return {};
  const bool of_cloud = cost && *cost >= StepQuantity::cloud_distance;
  const auto none = [&](const Curve& curve) {
    const Trace trace(*curve.history, plot.spec.y);
    if (trace.size() < 2) return of_cloud && !panel.snapshot.cloud_plan;
    return std::isnan(trace.range(0, trace.size()).low);
  };
  if (curves.empty() || !std::all_of(curves.begin(), curves.end(), none)) return {};
  if (modified) return no_modified_energy(panel);
  if (const auto plotted = plot.spec.y.expression())
    return {problem_of(*plotted, *panel.snapshot.present), {}};
  if (of_cloud)
    return {panel.snapshot.cloud_plan ? std::string("The cloud has no distance yet")
                                      : fmt::format("Switch on a cloud of nearby starts ({})",
                                                    info(Action::switch_cloud).key),
            {}};
  if (needs_tangent_vectors(*cost)) return no_exponent(panel, plot.spec.y.label());
  return {
      fmt::format("{} {}", curves.size() > 1 ? "None of these methods has" : "This method has no",
                  plot.spec.y.label()),
      {}};
}

/// Its text in the middle of the plot, with the button below.
struct AbsencePlace {
  ImVec2 text, button, extents;
  float room = 0;
  std::string label;
};

AbsencePlace place_of(const Panel& panel, const Absence& absence, const Area& area) {
  AbsencePlace place;
  place.room = static_cast<float>(area.box.width()) - panel.px(16);
  const ImVec2 size = ImGui::CalcTextSize(absence.why.c_str(), nullptr, false, place.room);
  const ImVec2 middle = pixel(area.box.center());
  float height = size.y;
  if (!absence.method.empty()) {
    place.label = fmt::format("Add a lane: {}", find_integrator(absence.method)->title);
    const ImVec2 words = ImGui::CalcTextSize(place.label.c_str());
    place.extents = {words.x + panel.px(12), words.y + panel.px(6)};
    height += place.extents.y + panel.px(6);
    place.button = {std::round(middle.x - place.extents.x / 2),
                    std::round(middle.y + height / 2 - place.extents.y)};
  }
  place.text = {std::round(middle.x - size.x / 2), std::round(middle.y - height / 2)};
  return place;
}

/// The button takes the mouse before the area of the plot does. Returns whether the mouse is on it.
bool take_absence(const Panel& panel, const PlotView& plot, const Absence& absence,
                  const AbsencePlace& place, PlotResponse& response) {
  if (absence.method.empty()) return false;
  ImGui::SetCursorScreenPos(place.button);
  if (ImGui::InvisibleButton("add lane", place.extents)) response.add_lane = absence.method;
  panel.mark("absence/" + plot.id);
  panel.say(Role::button, place.label);
  return ImGui::IsItemHovered();
}

void draw_absence(const Panel& panel, const Absence& absence, const AbsencePlace& place, bool lit) {
  if (absence.why.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), place.text, im_color(panel.colors.dim),
               absence.why.c_str(), nullptr, place.room);
  if (absence.method.empty()) return;
  const ImVec2 from = place.button;
  list.AddRectFilled(from, {from.x + place.extents.x, from.y + place.extents.y},
                     im_color(lit ? panel.colors.hovered : panel.colors.field), panel.px(3));
  list.AddText({from.x + panel.px(6), from.y + panel.px(3)}, im_color(panel.colors.text),
               place.label.c_str());
}

/// Curves of other runs, pale.
void draw_others(const PlotContext& to, const PlotView& plot, const Area& area,
                 const std::vector<Curve>& curves, const std::vector<Reduced>& parts, Interval time,
                 int columns) {
  const Panel& panel = to.panel;
  PlotModel model =
      plot_model(plot, curves, parts, time, columns, Medium::screen, 0, {}, panel.reference_name());
  for (PlotCurve& curve : model.curves) {
    curve.style.color = pale(curve.style.color, panel.colors.scene);
    draw_curve(to.list, to.look, area, curve);
  }
}

/// Updates the power spectrum of a plot and its lines. Returns false as long as they are outdated
/// or in progress.
bool update_spectrum(const Panel& panel, PlotView& plot, const std::vector<Curve>& curves,
                     Interval time) {
  const SpectrumSource source{panel.snapshot.generation, panel.reference, reference_id(panel)};
  const double now = ImGui::GetTime();
  bool complete = true;
  plot.own.reset();
  if (needs_own_samples(plot.spec.y, curves, time)) {
    if (!plot.sampler) plot.sampler = std::make_unique<SpectrumSampler>();
    complete = plot.sampler->update({panel.snapshot.record, panel.snapshot.steps, plot.spec.y, time,
                                     panel.snapshot.generation});
    plot.own = plot.sampler->taken();
  } else {
    plot.sampler.reset();
  }
  complete &= update_spectra(plot.spectra, plot.spec, curves, time, source, now, plot.own);
  complete &= update_lines(plot.strongest, plot.spec, curves, *panel.snapshot.record, time, source,
                           now, plot.own);
  return complete;
}

}  // namespace

bool exists(const Panel& panel, const PlotSpec& spec) { return !first_missing(panel, spec); }

float plot_margins(const PlotSpec& spec) { return plot_title + (spec.over_time() ? 0 : plot_time); }

PlotResponse draw_plot(const Panel& panel, PlotView& plot, const std::vector<Curve>& segments,
                       const std::vector<Curve>& others, TimeAxis& time, Markers& markers,
                       const Rect& place) {
  const PlotSpec& spec = plot.spec;
  std::vector<Curve> curves, pale_curves;
  if (exists(panel, spec)) {
    curves = curves_of(spec, segments, panel.bodies, panel.reference);
    // The distances of two runs belong to both.
    const bool of_both = spec.y.kind() == Signal::Kind::distance;
    if (of_both || spec.over_time())
      for (const Curve& curve : curves_of(spec, others, {}, panel.reference))
        (of_both ? curves : pale_curves).push_back(curve);
    share_origin(curves, pale_curves);
  }

  const Box box{
      {std::round(place.x + panel.px(plot_left)), std::round(place.y + panel.px(plot_title))},
      {std::round(place.x + place.width - panel.px(plot_right)),
       std::round(place.y + place.height - (spec.over_time() ? 0 : panel.px(plot_time)))}};
  const double bottom = box.to.y - (spec.scale == Scale::logarithmic ? panel.px(19) : 0);
  const double ratio = std::max(1.0f, ImGui::GetIO().DisplayFramebufferScale.x);
  const int columns = std::max(2, static_cast<int>(box.width() * ratio));
  // Labels of decades may be closer than the longer labels of a linear axis.
  const float apart = panel.px(spec.scale == Scale::linear ? 26 : 20);
  const int max_y_labels = std::max(2, static_cast<int>((bottom - box.from.y) / apart));
  const int max_across = max_labels(panel, box.width());
  if (spec.spectrum && !update_spectrum(panel, plot, curves, time.range)) panel.request_frames();
  std::vector<Curve> fitted = curves;
  fitted.insert(fitted.end(), pale_curves.begin(), pale_curves.end());
  std::vector<Reduced> parts =
      fit_plot(plot, fitted, time.range, columns, max_across, max_y_labels);
  std::vector<Reduced> pale_parts;
  for (std::size_t i = curves.size(); i < parts.size(); ++i)
    pale_parts.push_back(std::move(parts[i]));
  parts.resize(std::min(parts.size(), curves.size()));

  PlotResponse response;
  if (!ImGui::IsRectVisible({place.x, place.y}, {place.x + place.width, place.y + place.height})) {
    if (panel.spoken) {
      panel.spoken->add("plot/" + plot.id, place);
      say_plot(panel, spec, curves);
    }
    return response;
  }
  const PlotLook look = look_of(panel);
  DrawList& list = plot.drawn;
  list.clear();
  const PlotContext to{list, panel, look};
  double widest = 0;  // width of the names of several signals
  if (!spec.also.empty())
    for (const Curve& curve : curves)
      widest = std::max(widest, to.width(Face::small_text, curve.symbol()));
  const int names = static_cast<int>(box.width() / (widest + panel.px(34)));
  const PlotModel model =
      plot_model(plot, curves, parts, time.range,
                 spec.spectrum ? std::max(2, static_cast<int>(box.width())) : columns,
                 Medium::screen, names, markers, panel.reference_name());
  const Area area(box, bottom, model.x, model.y, look);

  ImGui::PushID(plot.id.c_str());
  bool hovered = false;
  DrawList over;  // everything above the curves
  const Absence absence = absence_of(panel, plot, curves);
  const AbsencePlace absent = place_of(panel, absence, area);
  response.absent = !absence.why.empty();
  const bool lit = take_absence(panel, plot, absence, absent, response);
  plot_input({over, panel, look}, plot, area, curves, time, markers, response, hovered);

  list.box(box, look.ground);
  const Ticks across = axis_ticks(model.x.transform, area.x_range, max_across, model.x.unit);
  const Ticks up = axis_ticks(area.scale, area.y_range, max_y_labels, model.y.unit);
  draw_grid(list, look, area, across, up);
  draw_values(list, look, to.letters, area, up);
  if (!spec.over_time())
    draw_labels(list, look, to.letters, area, across,
                spec.spectrum ? frequency_label(plot.spectra)
                              : fmt::format("{} {}", model.x.label, bracketed(model.x.unit)));
  draw_title(to, plot, model.y.label, area, up.note, place, response);

  list.clip(box);
  if (spec.x) {
    plot.pixel_masks.resize(curves.size());
    for (std::size_t i = 0; i < curves.size(); ++i) {
      const bool first = i == 0 || curves[i - 1].lane != curves[i].lane;
      const bool last = i + 1 == curves.size() || curves[i + 1].lane != curves[i].lane;
      if (!draw_portrait(list, look, area, plot, curves[i], time.range, plot.pixel_masks[i], ratio,
                         panel.snapshot.generation, first, last))
        panel.request_frames();
    }
  } else if (!spec.spectrum) {
    draw_run_markers(to, area, hovered);
  }
  if (!pale_curves.empty())
    draw_others(to, plot, area, pale_curves, pale_parts, time.range, columns);
  for (const PlotCurve& curve : model.curves) draw_curve(list, look, area, curve);
  for (const PlotCloud& cloud : model.clouds) draw_cloud(list, look, area, cloud);
  draw_names(list, look, to.letters, area, model.names);
  if (!spec.spectrum) draw_markers(to, model, area, markers);
  if (!spec.spectrum && time.shown) draw_shown(to, spec, area, curves, *time.shown);
  if (spec.spectrum && hovered) draw_frequency(to, area, plot);
  if (!spec.spectrum && time.cursor) draw_cursor(to, spec, area, curves, *time.cursor);
  list.unclip();
  paint(*ImGui::GetWindowDrawList(), list);
  paint(*ImGui::GetWindowDrawList(), over);
  draw_absence(panel, absence, absent, lit);
  ImGui::PopID();
  return response;
}

bool draw_time_axis(const Panel& panel, TimeAxis& time, const Rect& place) {
  const PlotLook look = look_of(panel);
  DrawList list;
  const PlotContext to{list, panel, look};
  const Box box{{std::round(place.x + panel.px(plot_left)), place.y},
                {std::round(place.x + place.width - panel.px(plot_right)), place.y}};
  const Area area(box, place.y, {"time", "s", {}, time.range}, {}, look);
  const Ticks ticks = axis_ticks({}, time.range, max_labels(panel, box.width()), "s");
  draw_labels(list, look, to.letters, area, ticks, "time [s]");
  paint(*ImGui::GetWindowDrawList(), list);
  return time_axis_input(panel, area, time);
}

}  // namespace twosphere::ui
