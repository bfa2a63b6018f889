// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ui/panels/panels.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float lowest_strip = 90, strip_edge = 8, strip_gap = 6;
constexpr float small_below = 420;  // a narrower strip has smaller letters
constexpr int max_strip_lines = 8;  // of a text

/// The strip of a width, from its upper left corner [px].
struct StripLayout {
  std::vector<std::string> say, question;
  Face face = Face::text;           ///< of both
  float line = 0;                   ///< the height of a line of them
  std::vector<ImVec2> options;      ///< where their buttons begin
  std::vector<std::string> labels;  ///< of the options, cut to the width
  float buttons = 0, height = 0;    ///< the top of the lowest row, and of all
};

StripLayout arrange_strip(const TourCard& tour, float width, float scale) {
  const float edge = strip_edge * scale, gap = strip_gap * scale;
  const float room = std::max(width - 2 * edge, 1.0f);
  const float row = ImGui::GetFrameHeight(), padding = 2 * ImGui::GetStyle().FramePadding.x;
  StripLayout strip;
  if (room < small_below * scale) strip.face = Face::small_text;
  ImGui::PushFont(font(strip.face));
  strip.line = ImGui::GetTextLineHeight();
  strip.say = wrapped(tour.say, room, max_strip_lines);
  if (!tour.question.empty()) strip.question = wrapped(tour.question, room, max_strip_lines);
  ImGui::PopFont();
  const auto lines = static_cast<float>(strip.say.size() + strip.question.size());
  float x = edge, y = edge + lines * strip.line + gap;
  if (!tour.question.empty()) {
    for (const std::string& option : tour.options) {
      strip.labels.push_back(elided(option, room - padding));
      const float wide = ImGui::CalcTextSize(strip.labels.back().c_str()).x + padding;
      if (x > edge && x + wide > edge + room) {
        x = edge;
        y += row + gap;
      }
      strip.options.push_back({x, y});
      x += wide + gap;
    }
    y += row + gap;
  }
  strip.height = std::max(std::ceil(y + row + edge), std::round(lowest_strip * scale));
  strip.buttons = strip.height - edge - row;
  return strip;
}

void write_lines(const std::vector<std::string>& lines, ImVec2 at, Color color) {
  for (const std::string& text : lines) {
    ImGui::GetWindowDrawList()->AddText(at, im_color(color), text.c_str());
    at.y += ImGui::GetTextLineHeight();
  }
}

/// The row of buttons at the lower edge; on its left, what is awaited, or the title of the tour.
void strip_buttons(const Panel& panel, const TourCard& tour, ImVec2 from, float width) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const auto wide = [&](const char* label) {
    return ImGui::CalcTextSize(label).x + 2 * style.FramePadding.x;
  };
  const char* const on = tour.is_last() ? "Done" : "Next";
  const std::string count = fmt::format("{} of {}", tour.number, tour.steps);
  const float gap = panel.px(strip_gap), edge = panel.px(strip_edge);
  const float count_width = ImGui::CalcTextSize(count.c_str()).x;
  const float right = from.x + width - edge;
  float x = right - wide("Back") - wide(on) - wide("Leave") - 2 * gap;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float text_y = from.y + style.FramePadding.y;
  const float left = from.x + edge, count_x = x - count_width - 2 * gap;
  if (count_x > left) {
    list.AddText({count_x, text_y}, im_color(panel.colors.dim), count.c_str());
    const std::string& what = tour.awaited.empty() ? tour.title : tour.awaited;
    list.AddText({left, text_y},
                 im_color(tour.awaited.empty() ? panel.colors.dim : panel.colors.accent),
                 elided(what, count_x - 2 * gap - left).c_str());
  }
  ImGui::SetCursorScreenPos({std::max(x, left), from.y});
  using What = TourCall::What;
  ImGui::BeginDisabled(!tour.can_go_back());
  if (push_button(panel, "Back##tour", "tour/back")) panel.sink.guide({.what = What::back});
  tooltip(panel, "Undo what this step has done, and show the step before.");
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(!tour.can_go_on());
  bool next = push_button(panel, fmt::format("{}##tour", on), "tour/next");
  if (!tour.question.empty())
    tooltip(panel, "Answer the question first.");
  else if (!tour.awaited.empty())
    tooltip(panel, tour.awaited);
  else
    tooltip(panel,
            fmt::format("{}\nKey: Enter", tour.is_last() ? "End the tour. The run stays as it is."
                                                         : "Show the next step."));
  hint_key(panel, "Enter");
  ImGui::EndDisabled();
  next = next || (panel.hover.enter && tour.can_go_on());
  ImGui::SameLine(0, gap);
  bool leave = push_button(panel, "Leave##tour", "tour/leave");
  explain_escape(panel, "End the tour. The run stays as it is.");
  leave = take_escape(panel) || leave;
  if (leave)
    panel.sink.guide({.what = What::leave});
  else if (next)
    panel.sink.guide({.what = What::next});
}

/// The step in words, as a new alert for each: a screen reader says it at once.
void announce_step(const Panel& panel, const TourCard& tour, const Rect& area) {
  if (!panel.spoken) return;
  std::string text = tour.say;
  if (!tour.question.empty()) {
    text += ' ' + tour.question;
    for (const std::string& option : tour.options) text += fmt::format(" {}.", option);
  }
  const std::string id = fmt::format("tour/{}/{}", tour.number, tour.say);
  panel.tell(id.c_str(), area,
             fmt::format("{}, step {} of {}", tour.title, tour.number, tour.steps), text,
             Role::alert);
}

}  // namespace

float tour_strip_height(const TourCard* tour, float width, float scale) {
  return tour ? arrange_strip(*tour, width, scale).height : 0;
}

void tour_strip(const Panel& panel, const Rect& area) {
  if (!panel.frame.tour) return;
  const TourCard& tour = *panel.frame.tour;
  ImGui::SetNextWindowPos({area.x, area.y});
  ImGui::SetNextWindowSize({area.width, area.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, im_color(panel.colors.panel));
  ImGui::Begin("tour", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (ImGui::IsWindowAppearing()) panel.request_frames();
  panel.mark("tour", area);
  announce_step(panel, tour, area);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine({area.x, area.y}, {area.x + area.width, area.y}, im_color(panel.colors.accent),
               panel.px(2));
  const StripLayout strip = arrange_strip(tour, area.width, panel.scale);
  const float edge = panel.px(strip_edge);
  ImGui::PushFont(font(strip.face));
  write_lines(strip.say, {area.x + edge, area.y + edge}, panel.colors.text);
  const float asked = area.y + edge + static_cast<float>(strip.say.size()) * strip.line;
  write_lines(strip.question, {area.x + edge, asked}, panel.colors.accent);
  ImGui::PopFont();
  if (!tour.question.empty()) panel.focus.begin_at("tour/option[0]");
  for (std::size_t i = 0; i < strip.options.size(); ++i) {
    ImGui::SetCursorScreenPos({area.x + strip.options[i].x, area.y + strip.options[i].y});
    if (push_button(panel, fmt::format("{}##{}", strip.labels[i], i),
                    fmt::format("tour/option[{}]", i), {}, tour.options[i]))
      panel.sink.guide({.what = TourCall::What::answer, .option = i});
  }
  strip_buttons(panel, tour, {area.x, area.y + strip.buttons}, area.width);
  ImGui::End();
}

}  // namespace twosphere::ui
