// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ui/panels/panels.h"
#include "ui/shell/gestures.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float side = 5, edge = 2, apart = 2, between = 14;
constexpr int max_rings = 60;  // of candidate positions around a control

bool overlap(const Rect& a, const Rect& b, float gap) {
  return a.x < b.x + b.width + gap && b.x < a.x + a.width + gap && a.y < b.y + b.height + gap &&
         b.y < a.y + a.height + gap;
}

/// Labels that do not overlap.
class Labels {
 public:
  explicit Labels(const Panel& panel) : panel_(panel), list_(*ImGui::GetForegroundDrawList()) {}

  /// The free rectangle of this size nearest to a control, or over a point if `at` is one; of width
  /// 0 if there is none.
  Rect room(const Rect& at, float width, float height) {
    const float gap = panel_.px(apart), lap = panel_.px(3);
    const float x = at.x + (at.width - width) / 2, y = at.y + (at.height - height) / 2;
    const float right = at.x + at.width, bottom = at.y + at.height;
    if (const Rect middle = within({x, y, width, height}); at.width == 0 && free(middle))
      return middle;
    // At the lower right corner of the control, beside it, then farther and farther away.
    for (const ImVec2 corner :
         {ImVec2{right - width + lap, bottom - height + lap}, ImVec2{x, bottom + gap},
          ImVec2{x, at.y - height - gap}, ImVec2{right + gap, y}, ImVec2{at.x - width - gap, y}})
      if (const Rect rect = within({corner.x, corner.y, width, height}); free(rect)) return rect;
    for (int ring = 1; ring <= max_rings; ++ring)
      for (int i = -ring; i <= ring; ++i)
        for (int j = -ring; j <= ring; ++j) {
          if (std::max(std::abs(i), std::abs(j)) != ring) continue;
          const Rect rect = within({x + static_cast<float>(i) * height,
                                    y + static_cast<float>(j) * height / 2, width, height});
          if (free(rect)) return rect;
        }
    return {};
  }

  /// Draws a key at its control, with a line to the control if the label is away from it.
  void key(const KeyHint& hint) {
    ImGui::PushFont(font(Face::small_mono));
    const ImVec2 size = ImGui::CalcTextSize(hint.key.c_str());
    const Rect rect =
        room(hint.control, size.x + 2 * panel_.px(side), size.y + 2 * panel_.px(edge));
    if (rect.width > 0) {
      const Rect& to = hint.control;
      if (!overlap(rect, to, panel_.px(apart + 1)))
        list_.AddLine({rect.x + rect.width / 2, rect.y + rect.height / 2},
                      {to.x + to.width / 2, std::max(to.y + to.height / 2, 0.0f)},
                      im_color(panel_.colors.accent), panel_.px(1));
      box(rect, panel_.colors.accent);
      list_.AddText({rect.x + panel_.px(side), rect.y + panel_.px(edge)},
                    im_color(panel_.colors.on_accent), hint.key.c_str());
      add(rect, hint.key);
    }
    ImGui::PopFont();
  }

  /// Draws a list of what the mouse does at a place.
  void gestures_at(GesturePlace where, const Rect& at) {
    ImGui::PushFont(font(Face::small_text));
    float left = 0, right = 0, rows = 0;
    const auto width = [](std::string_view text) {
      return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
    };
    for (const GestureInfo& gesture : gestures()) {
      if (gesture.place != where || gesture.mouse.empty()) continue;
      left = std::max(left, width(gesture.label));
      right = std::max(right, width(gesture.mouse));
      ++rows;
    }
    const float line = ImGui::GetTextLineHeight() + panel_.px(edge), pad = panel_.px(side + edge);
    const Rect rect =
        room(at, left + right + panel_.px(between) + 2 * pad, rows * line + 2 * panel_.px(edge));
    if (rect.width > 0) {
      box(rect, panel_.colors.panel);
      list_.AddRect({rect.x, rect.y}, {rect.x + rect.width, rect.y + rect.height},
                    im_color(panel_.colors.accent), panel_.px(3), 0, panel_.px(1));
      float y = rect.y + panel_.px(edge + 1);
      for (const GestureInfo& gesture : gestures()) {
        if (gesture.place != where || gesture.mouse.empty()) continue;
        const auto write = [&](float x, Color color, std::string_view text) {
          list_.AddText({std::round(x), std::round(y)}, im_color(color), text.data(),
                        text.data() + text.size());
        };
        write(rect.x + pad, panel_.colors.text, gesture.label);
        write(rect.x + rect.width - pad - width(gesture.mouse), panel_.colors.accent,
              gesture.mouse);
        y += line;
      }
      add(rect, std::string(name(where)));
    }
    ImGui::PopFont();
  }

 private:
  Rect within(Rect rect) const {
    const float gap = panel_.px(apart);
    rect.x =
        std::round(std::clamp(rect.x, gap, std::max(panel_.frame.width - rect.width - gap, gap)));
    rect.y =
        std::round(std::clamp(rect.y, gap, std::max(panel_.frame.height - rect.height - gap, gap)));
    return rect;
  }
  bool free(const Rect& rect) const {
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](const Rect& other) { return overlap(rect, other, panel_.px(apart)); });
  }
  void box(const Rect& rect, Color color) {
    const float rim = panel_.px(1), round = panel_.px(3);
    list_.AddRectFilled({rect.x - rim, rect.y - rim},
                        {rect.x + rect.width + rim, rect.y + rect.height + rim},
                        im_color(panel_.colors.panel), round);
    list_.AddRectFilled({rect.x, rect.y}, {rect.x + rect.width, rect.y + rect.height},
                        im_color(color), round);
  }
  void add(const Rect& rect, const std::string& what) {
    panel_.mark(fmt::format("key[{}]/{}", taken_.size(), what), rect);
    taken_.push_back(rect);
  }

  const Panel& panel_;
  ImDrawList& list_;
  std::vector<Rect> taken_;
};

}  // namespace

void key_hints(const Panel& panel, const Rect& scene, const Rect& plots) {
  if (!panel.hover.keys_shown) return;
  Labels labels(panel);
  for (const KeyHint& hint : panel.frame.outer_keys) labels.key(hint);
  for (const KeyHint& hint : panel.hover.keys) labels.key(hint);
  const auto& widgets = panel.widgets;
  if (const auto line = widgets.find("progress"); line != widgets.end())
    labels.gestures_at(GesturePlace::time_line, line->second);
  const auto in = [](const Rect& area, float down) {
    return Rect{area.x + area.width / 2, area.y + down * area.height, 0, 0};
  };
  if (scene.width > 0) labels.gestures_at(GesturePlace::scene, in(scene, 0.78f));
  if (plots.width > 0) labels.gestures_at(GesturePlace::plots, in(plots, 0.5f));
  // The topmost visible parameter.
  const Rect* first = nullptr;
  const auto left = widgets.find("left");
  for (auto it = widgets.lower_bound("parameter/");
       left != widgets.end() && it != widgets.end() && it->first.starts_with("parameter/"); ++it) {
    const Rect& field = it->second;
    const bool seen = field.y > 0 && field.y + field.height < left->second.height;
    if (seen && (!first || field.y < first->y)) first = &field;
  }
  if (first) labels.gestures_at(GesturePlace::number, *first);
}

}  // namespace twosphere::ui
