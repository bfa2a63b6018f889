// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/color/palette.h"
#include "ui/plots/lane_text.h"
#include "ui/plots/plot.h"
#include "ui/shell/panel.h"
#include "ui/shell/screen_painter.h"

namespace twosphere::ui {

namespace {

constexpr float row_height = 18, figure_indent = 36;
constexpr float legend_gap = 4;  // below the legend of the column

/// "Runge-Kutta (RK4)", with the name of the lane if it is different.
std::string lane_title(const Panel& panel, int lane) {
  const auto& lanes = panel.snapshot.lanes;
  const Snapshot::LaneView& view = lanes[static_cast<std::size_t>(lane)];
  const std::string title(view.info ? view.info->title : std::string_view(view.name));
  return lanes.size() > 1 ? fmt::format("{} ({})", title, view.name) : title;
}

/// The runs whose distances a plot shows, if it compares runs of one lane: a line each below it.
std::vector<const BranchView*> compared_runs(const Panel& panel, const PlotSpec& spec) {
  std::vector<const BranchView*> runs;
  if (spec.y.kind() != Signal::Kind::distance || !spec.over_time() ||
      panel.snapshot.lanes.size() != 1 || panel.frame.histories.empty())
    return runs;
  for (const BranchView& run : panel.frame.branches)
    if (!run.reference && (run.present || (!run.look.hidden && !run.histories->empty())))
      runs.push_back(&run);
  return runs;
}

bool marked(const PlotsView& view) { return view.markers[0] || view.markers[1]; }

/// The parts of a text separated by wide gaps.
std::vector<std::string> parts(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("  "), text.size());
    if (end > 0) all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
  }
  return all;
}

/// Wraps these parts to a width, with as few lines as possible, in the current font.
void wrap(std::string_view text, float width, std::vector<std::string>& lines) {
  std::string line;
  const auto fits = [width](const std::string& some) {
    return ImGui::CalcTextSize(some.c_str()).x <= width;
  };
  const auto add = [&](const std::string& piece, std::string_view between) {
    const std::string longer = line.empty() ? piece : line + std::string(between) + piece;
    if (!line.empty() && !fits(longer)) {
      lines.push_back(line);
      line = piece;
    } else {
      line = longer;
    }
  };
  for (std::string part : parts(text)) {
    // A part wider than a line continues in the next one.
    while (!fits(part) && part.find(' ') != part.npos) {
      std::size_t end = part.rfind(' ');
      for (std::size_t before; !fits(part.substr(0, end)) && end > 0; end = before)
        if (before = part.rfind(' ', end - 1); before == part.npos) break;
      add(part.substr(0, end), figure_gap);
      part.erase(0, end + 1);
    }
    add(part, figure_gap);
  }
  if (!line.empty()) lines.push_back(line);
}

bool click_hides(PlotsView& view, int lane, bool pressed) {
  if (pressed && !view.hidden_lanes.erase(lane)) view.hidden_lanes.insert(lane);
  return view.hidden_lanes.contains(lane);
}

/// The height of a name in the legend.
constexpr float name_line = 15;
std::vector<std::string> name_lines(const std::string& name, float width) {
  std::vector<std::string> lines;
  const ImFont* f = ImGui::GetFont();
  const char *at = name.data(), *end = at + name.size();
  while (at < end) {
    const char* stop = f->CalcWordWrapPositionA(ImGui::GetFontSize() / f->FontSize, at, end, width);
    if (stop == at) stop = end;
    lines.emplace_back(at, stop);
    at = stop;
    while (at < end && *at == ' ') ++at;
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

/// Whether a plot says something of a lane: not of that from which its distances are measured.
bool describes(const Panel& panel, const PlotSpec& spec, int lane) {
  const auto index = static_cast<std::size_t>(lane);
  const auto& histories = panel.frame.histories;
  return spec.y.kind() != Signal::Kind::distance || index >= histories.size() ||
         !histories[index].is_reference();
}

/// The figures of a lane, or with several lanes its values at A and B if there are any.
std::vector<std::string> lines_of(const Panel& panel, PlotsView& view, const PlotView& plot,
                                  int lane, float room) {
  std::vector<std::string> lines;
  const LaneText lane_text = describe_lane(panel, view.figures, plot, lane, view.markers);
  const bool several = panel.snapshot.lanes.size() > 1;
  ImGui::PushFont(font(Face::small_mono));
  if (!several || !marked(view) || lane_text.markers.empty()) {
    wrap(lane_text.figures, room, lines);
    if (!lane_text.since.empty()) wrap(lane_text.since, room, lines);
  }
  if (marked(view)) wrap(lane_text.markers, room, lines);
  ImGui::PopFont();
  return lines;
}

/// The tooltip of the figures of a lane; with those of the others if they are not below the plot.
std::string figures_tooltip(const Panel& panel, PlotsView& view, const PlotView& plot, int lane,
                            bool others) {
  const auto& lanes = panel.snapshot.lanes;
  const auto lane_text = [&](int of) {
    return describe_lane(panel, view.figures, plot, of, view.markers);
  };
  std::string text =
      compared_runs(panel, plot.spec).empty()
          ? fmt::format("{}\n{}", lane_title(panel, lane), lane_text(lane).explanation)
          : fmt::format(
                "Largest angle between the directions of a body in each run and in {}: at "
                "the instant shown, and over the whole run.",
                panel.reference_name());
  for (std::size_t l = 0; others && l < lanes.size() && l < panel.frame.histories.size(); ++l)
    if (l != static_cast<std::size_t>(lane))
      text += fmt::format("\n{}: {}", lanes[l].title(), lane_text(static_cast<int>(l)).figures);
  return text;
}

/// Draws the lines of a lane, and takes a click on them.
void draw_lane_figures(const Panel& panel, PlotsView& view, const PlotView& plot,
                       const LaneFigures& figures, bool others, ImVec2 from, float width) {
  const auto& lanes = panel.snapshot.lanes;
  const int lane = figures.lane;
  const auto index = static_cast<std::size_t>(lane);
  if (index >= lanes.size() || index >= panel.frame.histories.size()) return;
  const float row = figure_line_height(panel);
  const float height = row * static_cast<float>(figures.rows());
  ImGui::SetCursorScreenPos(from);
  ImGui::PushID(lane);
  const bool pressed = ImGui::InvisibleButton(plot.id.c_str(), {width, height});
  ImGui::PopID();
  const bool hidden = click_hides(view, lane, pressed);
  if (!ImGui::IsItemVisible()) return;
  panel.mark(fmt::format("legend/{}[{}]", plot.id, lane));
  if (panel.spoken)
    panel.say(Role::check_box, fmt::format("{} in {}", lane_title(panel, lane), title(plot.spec)),
              fmt::format("{}", fmt::join(figures.lines, " ")), !hidden);
  if (ImGui::IsItemHovered())
    tooltip(panel, fmt::format("{}\nClick to {} the curve.",
                               figures_tooltip(panel, view, plot, lane, others),
                               hidden ? "show" : "hide"));
  auto& list = *ImGui::GetWindowDrawList();
  const LaneStyle style = panel.lane(lane, lanes[index].info ? lanes[index].info->key : "");
  const std::vector<const BranchView*> runs = compared_runs(panel, plot.spec);
  if (!hidden && runs.empty())
    swatch(list, {from.x, from.y + row / 2}, panel.px(28), style, panel.scale);
  for (std::size_t i = 0; i < runs.size() && !hidden; ++i) {
    LaneStyle of_run = style;
    if (!runs[i]->present) of_run.color = branch_color(runs[i]->look.color, panel.palette);
    swatch(list, {from.x, from.y + row * (static_cast<float>(i) + 0.5f)}, panel.px(28), of_run,
           panel.scale);
  }
  ImGui::PushFont(font(Face::small_mono));
  for (std::size_t i = 0; i < figures.lines.size(); ++i)
    list.AddText(
        {from.x + panel.px(figure_indent),
         std::round(from.y + row * (static_cast<float>(i) + 0.5f) - ImGui::GetFontSize() / 2)},
        im_color(hidden ? panel.colors.dim : panel.colors.text), figures.lines[i].c_str());
  ImGui::PopFont();
}

/// The lane whose figures are written below a plot if there is no room for all: the one whose row
/// of the legend is under the mouse, or the reference lane, or for distances from it the first
/// other lane; a visible one if possible.
int figures_lane(const Panel& panel, const PlotsView& view, const PlotSpec& spec) {
  const int lanes = static_cast<int>(panel.snapshot.lanes.size());
  if (view.pointed_lane >= 0 && view.pointed_lane < lanes &&
      describes(panel, spec, view.pointed_lane))
    return view.pointed_lane;
  int first = -1;
  for (int k = 0; k < lanes; ++k) {
    const int lane = (panel.reference + k) % lanes;
    if (!describes(panel, spec, lane)) continue;
    if (!view.hidden_lanes.contains(lane)) return lane;
    if (first < 0) first = lane;
  }
  return std::max(first, 0);
}

}  // namespace

std::vector<LaneFigures> figure_lines(const Panel& panel, PlotsView& view, const PlotView& plot,
                                      float width, bool every_lane) {
  const float room = width - panel.px(figure_indent);
  LaneFigures one{figures_lane(panel, view, plot.spec), {}};
  for (const BranchView* run : compared_runs(panel, plot.spec)) {
    ImGui::PushFont(font(Face::small_mono));
    one.lines.push_back(elided(describe_run(panel, plot.spec, *run), room));
    ImGui::PopFont();
  }
  if (!one.lines.empty()) return {one};
  std::vector<LaneFigures> figures;
  for (int lane = 0; lane < static_cast<int>(panel.frame.histories.size()); ++lane)
    if (every_lane ? describes(panel, plot.spec, lane) : lane == one.lane)
      figures.push_back({lane, lines_of(panel, view, plot, lane, room)});
  return figures;
}

float figure_line_height(const Panel& panel) { return panel.px(row_height); }

void draw_figures(const Panel& panel, PlotsView& view, const PlotView& plot,
                  const std::vector<LaneFigures>& figures, ImVec2 from, float width) {
  for (const LaneFigures& of_lane : figures) {
    draw_lane_figures(panel, view, plot, of_lane, figures.size() == 1, from, width);
    from.y += figure_line_height(panel) * static_cast<float>(of_lane.rows());
  }
}

namespace {

/// The other runs whose curves are shown.
std::vector<const BranchView*> other_runs(const Panel& panel) {
  std::vector<const BranchView*> runs;
  for (const BranchView& branch : panel.frame.branches)
    if (!branch.present && !branch.look.hidden) runs.push_back(&branch);
  return runs;
}

/// A row with the names of other runs in the colours of their curves, as many as fit.
void name_runs(const Panel& panel, ImVec2 from, float width) {
  const std::vector<const BranchView*> runs = other_runs(panel);
  if (runs.empty()) return;
  const float row = panel.px(row_height), sample = panel.px(20), gap = panel.px(6);
  auto& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(font(Face::small_text));
  const float height = ImGui::GetFontSize(), end = from.x + width;
  std::string all;
  float x = from.x;
  bool fits = true;
  for (const BranchView* run : runs) {
    const std::string& name = run->look.name;
    all += (all.empty() ? "" : ", ") + name;
    const float room = end - x - sample - gap;
    if (!fits || room < panel.px(24)) {
      fits = false;
      continue;
    }
    const LaneStyle style{pale(branch_color(run->look.color, panel.palette), panel.colors.scene)};
    swatch(list, {x, from.y + row / 2}, sample, style, panel.scale);
    const std::string text = elided(name, room);
    list.AddText({std::round(x + sample + gap), std::round(from.y + (row - height) / 2)},
                 im_color(panel.colors.dim), text.c_str());
    x += sample + 2 * gap + ImGui::CalcTextSize(text.c_str()).x;
  }
  ImGui::PopFont();
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({width, row});
  panel.mark_area("legend/runs");
  panel.say(Role::label, "Other runs", all);
  tooltip(panel, "Other runs: " + all);
}

}  // namespace

float legend_height(const Panel& panel, float width) {
  const auto& lanes = panel.snapshot.lanes;
  const float runs = other_runs(panel).empty() ? 0 : panel.px(row_height);
  if (lanes.size() < 2) return runs;
  float height = panel.px(legend_gap) + runs;
  ImGui::PushFont(font(Face::small_text));
  for (const Snapshot::LaneView& lane : lanes) {
    const auto lines = name_lines(lane.title(), width - panel.px(figure_indent));
    height += panel.px(row_height + name_line * static_cast<float>(lines.size() - 1));
  }
  ImGui::PopFont();
  return height;
}

void legend(const Panel& panel, PlotsView& view, const PlotView* pointed, ImVec2 from,
            float width) {
  const auto& lanes = panel.snapshot.lanes;
  view.pointed_lane = -1;
  if (lanes.size() < 2) return name_runs(panel, from, width);
  auto& list = *ImGui::GetWindowDrawList();
  const float indent = panel.px(figure_indent);
  float y = from.y;
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const int lane = static_cast<int>(l);
    ImGui::PushFont(font(Face::small_text));
    const auto names = name_lines(lanes[l].title(), width - indent);
    const float row = panel.px(row_height);
    const float height = row + panel.px(name_line) * static_cast<float>(names.size() - 1);
    ImGui::SetCursorScreenPos({from.x, y});
    ImGui::PushID(lane);
    const bool pressed = ImGui::InvisibleButton("legend", {width, height});
    ImGui::PopID();
    const bool hidden = click_hides(view, lane, pressed);
    if (ImGui::IsItemHovered()) {
      view.pointed_lane = lane;
      list.AddRectFilled({from.x - panel.px(2), y}, {from.x + width, y + height},
                         im_color(panel.colors.hovered), panel.px(3));
    }
    panel.mark(fmt::format("legend[{}]", lane));
    if (panel.spoken) panel.say(Role::check_box, lane_title(panel, lane), {}, !hidden);
    tooltip(panel, fmt::format("{}\nClick to {} its curves.{}", lane_title(panel, lane),
                               hidden ? "show" : "hide",
                               view.all_below ? "" : " Point at a plot to see its values."));
    if (!hidden)
      swatch(list, {from.x, y + row / 2}, panel.px(28),
             panel.lane(lane, lanes[l].info ? lanes[l].info->key : ""), panel.scale);
    std::string figures;
    if (pointed && !view.all_below && l < panel.frame.histories.size()) {
      const LaneText lane_text = describe_lane(panel, view.figures, *pointed, lane, view.markers);
      figures = marked(view) && !lane_text.markers.empty() ? lane_text.markers : lane_text.figures;
    }
    const Color color = hidden ? panel.colors.dim : panel.colors.text;
    const float middle = y + row / 2;
    ImFont* const mono = font(Face::small_mono);
    const float size = mono->FontSize * ImGui::GetIO().FontGlobalScale;
    ImGui::PushFont(mono);
    std::vector<std::string> fits;  // as many as fit; the tooltip contains all
    wrap(figures, width - indent, fits);
    if (fits.size() > 1) figures = fits.front();
    ImGui::PopFont();
    const float wide = mono->CalcTextSizeA(size, FLT_MAX, 0, figures.c_str()).x;
    float widest = 0;
    for (const std::string& name : names)
      widest = std::max(widest, ImGui::CalcTextSize(name.c_str()).x);
    if (!figures.empty())
      list.AddText(mono, size, {std::round(from.x + width - wide), std::round(middle - size / 2)},
                   im_color(color), figures.c_str());
    // If there is no room for both, the figures replace the name: the swatch identifies the lane.
    if (figures.empty() || indent + widest + panel.px(10) + wide <= width)
      for (std::size_t i = 0; i < names.size(); ++i)
        list.AddText(
            {from.x + indent, std::round(middle + panel.px(name_line) * static_cast<float>(i) -
                                         ImGui::GetFontSize() / 2)},
            im_color(color), names[i].c_str());
    ImGui::PopFont();
    y += height;
  }
  name_runs(panel, {from.x, y}, width);
}

}  // namespace twosphere::ui
