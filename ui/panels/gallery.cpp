// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/gallery.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ui/shell/panel.h"
#include "ui/shell/preset_list.h"
#include "ui/shell/settings.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float margin = 28, gap = 16, narrowest_card = 188, padding = 12;
constexpr float title_row = 20, small_row = 16;
constexpr int lines = 3;                   // of a description whose title and caption take one each
constexpr float spare = 11;                // under it: titles and captions may take two
constexpr int most_lines = 6;              // of a title, a caption or a description
constexpr float picture_shape = 1.6f;      // width over height
constexpr float footer = 46, header = 78;  // heights
constexpr int most_columns = 6;
constexpr float files_heading = 30, file_height = 52;

struct Grid {
  int columns = 1;
  float card_width = 0, picture_height = 0, card_height = 0;  // [px]
};

/// "Example 1 · 2 bodies · Chain pendulum"
std::string caption(const PresetEntry& entry) {
  std::string text;
  if (entry.example) text = fmt::format("Example {} · ", *entry.example);
  text += fmt::format("{} {}", entry.bodies, entry.bodies == 1 ? "body" : "bodies");
  if (entry.system) text += fmt::format(" · {}", entry.system->title);
  return text;
}

Grid grid(const Panel& panel, float width) {
  Grid g;
  const float apart = panel.px(gap);
  const auto fit = static_cast<int>((width + apart) / (panel.px(narrowest_card) + apart));
  g.columns = std::clamp(fit, 1, most_columns);
  const auto n = static_cast<float>(g.columns);
  g.card_width = std::floor((width - (n - 1) * apart) / n);
  g.picture_height = std::floor(g.card_width / picture_shape);
  g.card_height =
      g.picture_height + panel.px(padding * 1.5f + title_row + small_row * (1 + lines) + spare);
  return g;
}

std::uintptr_t texture_of(const Panel& panel, std::string_view preset) {
  for (const PresetPicture& picture : panel.frame.pictures)
    if (picture.preset == preset) return picture.texture;
  return 0;
}

/// Draws the card of a preset at `from`; returns whether it was clicked.
bool card(const Panel& panel, const PresetEntry& entry, const Grid& g, ImVec2 from, bool chosen) {
  const Colors& c = panel.colors;
  const ImVec2 to{from.x + g.card_width, from.y + g.card_height};
  const std::string name = fmt::format("gallery/{}", entry.key);
  ImGui::SetCursorScreenPos(from);
  const bool clicked = ImGui::InvisibleButton(name.c_str(), {g.card_width, g.card_height});
  const bool hovered = ImGui::IsItemHovered();
  panel.mark(name);
  tooltip(panel, entry.description);

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = panel.px(6), inset = panel.px(padding);
  list.AddRectFilled(from, to, im_color(hovered ? c.hovered : c.field), round);
  const ImVec2 below{to.x, from.y + g.picture_height};
  if (const std::uintptr_t texture = texture_of(panel, entry.key))
    list.AddImageRounded(reinterpret_cast<ImTextureID>(texture), from, below, {0, 0}, {1, 1},
                         IM_COL32_WHITE, round, ImDrawFlags_RoundCornersTop);
  else
    list.AddRectFilled(from, below, im_color(c.scene), round, ImDrawFlags_RoundCornersTop);
  if (chosen || hovered || c.borders)
    list.AddRect(from, to, im_color(chosen ? c.accent : c.border), round, 0,
                 panel.px(chosen ? 2.5f : 1));

  const float width = g.card_width - 2 * inset;
  ImVec2 at{from.x + inset, below.y + panel.px(padding / 2 + 2)};
  const auto write = [&](std::string_view text, int most, float row, Color color) {
    for (const std::string& line : wrapped(text, width, most)) {
      list.AddText(at, im_color(color), line.c_str());
      at.y += panel.px(row);
    }
  };
  write(entry.title, most_lines, title_row, c.text);
  ImGui::PushFont(font(Face::small_text));
  write(caption(entry), most_lines, small_row, chosen ? c.accent : c.dim);
  at.y += panel.px(3);
  const float left = to.y - panel.px(padding / 2) - at.y;
  write(summary(entry.description), static_cast<int>(left / panel.px(small_row)), small_row, c.dim);
  ImGui::PopFont();
  return clicked;
}

/// Draws the card of a file at `from`; returns whether it was clicked.
bool file_card(const Panel& panel, const RecentFile& file, int index, float width, ImVec2 from,
               bool chosen) {
  const Colors& c = panel.colors;
  const float height = panel.px(file_height), round = panel.px(6), inset = panel.px(padding);
  const ImVec2 to{from.x + width, from.y + height};
  const bool usable = file.problem.empty();
  const std::string name = fmt::format("gallery/recent[{}]", index);
  ImGui::SetCursorScreenPos(from);
  const bool clicked = ImGui::InvisibleButton(name.c_str(), {width, height});
  const bool hovered = ImGui::IsItemHovered();
  panel.mark(name);
  tooltip(panel, usable ? file.path : file.path + '\n' + file.problem + '.');

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, im_color(hovered && usable ? c.hovered : c.field), round);
  if (chosen || hovered || c.borders)
    list.AddRect(from, to, im_color(chosen ? c.accent : c.border), round, 0,
                 panel.px(chosen ? 2.5f : 1));
  ImVec2 at{from.x + inset, from.y + panel.px(padding / 2 + 2)};
  list.AddText(at, im_color(usable ? c.text : c.dim), elided(file.name, width - 2 * inset).c_str());
  at.y += panel.px(title_row);
  ImGui::PushFont(font(Face::small_text));
  list.AddText(at, im_color(usable ? c.dim : c.warning),
               elided(usable ? file.folder : file.problem, width - 2 * inset).c_str());
  ImGui::PopFont();
  return clicked && usable;
}

/// The arrangement of the cards in rows: presets, and below them files, which begin a new row.
struct Rows {
  int presets, files, columns;

  int count() const { return presets + files; }
  int rows(int cards) const { return (cards + columns - 1) / columns; }
  int row(int card) const {
    return card < presets ? card / columns : rows(presets) + (card - presets) / columns;
  }
  int column(int card) const { return (card < presets ? card : card - presets) % columns; }
  /// The card at a row and column, or the last one before it.
  int card(int row, int column) const {
    const int above = rows(presets);
    return row < above ? std::min(row * columns + column, presets - 1)
                       : std::min(presets + (row - above) * columns + column, count() - 1);
  }
};

/// The card that the pressed keys select, starting from the chosen one.
int moved(int chosen, const Rows& cards) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  int next = chosen;
  if (pressed(ImGuiKey_RightArrow)) ++next;
  if (pressed(ImGuiKey_LeftArrow)) --next;
  const int row = cards.row(next), last = cards.row(cards.count() - 1);
  if (pressed(ImGuiKey_DownArrow) && row < last) next = cards.card(row + 1, cards.column(next));
  if (pressed(ImGuiKey_UpArrow) && row > 0) next = cards.card(row - 1, cards.column(next));
  if (pressed(ImGuiKey_Home)) next = 0;
  if (pressed(ImGuiKey_End)) next = cards.count() - 1;
  return std::clamp(next, 0, cards.count() - 1);
}

void heading(const Panel& panel, float width) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(font(Face::title));
  list.AddText(from, im_color(panel.colors.text), "twosphere");
  ImGui::PopFont();
  list.AddText({from.x, from.y + panel.px(25)}, im_color(panel.colors.dim),
               elided("Mechanics on products of two-spheres. Choose a system, then press Space to "
                      "run it.",
                      width)
                   .c_str());
}

/// Draws the footer; returns whether to close the page.
bool foot(const Panel& panel, Settings& settings, float width) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::Checkbox("Show at start", &settings.gallery_at_start);
  panel.mark("gallery/at_start");
  tooltip(panel,
          "Open this page when the program starts without a scenario.\nFile > Presets… opens it at "
          "any time.");
  const float open = panel.px(92), close = panel.px(72);
  ImGui::SetCursorScreenPos({from.x + width - open - close - panel.px(8), from.y});
  bool done = false;
  if (ImGui::Button("Open file…", {open, 0})) {
    panel.sink.act(Action::open_scenario);
    done = true;
  }
  panel.mark("gallery/open_file");
  explain(panel, Action::open_scenario);
  ImGui::SameLine(0, panel.px(8));
  done |= ImGui::Button("Close", {close, 0});
  panel.mark("gallery/close");
  explain_escape(panel, "Return to the scene.");
  return done;
}

}  // namespace

void Gallery::show(const Scenario* opened) {
  const PresetEntry* const present = preset_of(opened);
  chosen = present ? static_cast<int>(present - preset_entries().data()) : 0;
  open = reveal = true;
}

void gallery_page(const Panel& panel, Gallery& gallery, Settings& settings) {
  const std::vector<PresetEntry>& entries = preset_entries();
  const Frame& f = panel.frame;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({f.width, f.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(margin), panel.px(20)});
  ImGui::Begin("gallery", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (ImGui::IsWindowAppearing()) panel.request_frames();
  panel.mark("gallery", {0, 0, f.width, f.height});
  const float width = f.width - 2 * panel.px(margin);
  heading(panel, width);

  const float bar = ImGui::GetStyle().ScrollbarSize;
  ImGui::SetCursorPos({panel.px(margin), panel.px(header)});
  const float height = std::max(f.height - panel.px(header + footer), panel.px(60));
  // The frame of the chosen card is drawn on its edge.
  const float edge = panel.px(3);
  ImGui::SetCursorPosX(panel.px(margin) - edge);
  ImGui::BeginChild("cards", {width + 2 * edge + bar, height}, false, ImGuiWindowFlags_NoNav);
  const Grid g = grid(panel, width);
  const Rows cards{static_cast<int>(entries.size()), static_cast<int>(f.recent.size()), g.columns};
  const int chosen = moved(gallery.chosen, cards);
  if (chosen != gallery.chosen) gallery.reveal = true;
  gallery.chosen = chosen;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float across = g.card_width + panel.px(gap), down = g.card_height + panel.px(gap);
  const float file_down = panel.px(file_height + gap / 2);
  const float files_top =
      static_cast<float>(cards.rows(cards.presets)) * down + panel.px(files_heading - gap / 2);
  const auto top_of = [&](int card) {
    return card < cards.presets
               ? static_cast<float>(cards.row(card)) * down
               : files_top +
                     static_cast<float>(cards.row(card) - cards.rows(cards.presets)) * file_down;
  };
  int opened = -1;
  for (int i = 0; i < cards.count(); ++i) {
    const ImVec2 at{from.x + edge + static_cast<float>(cards.column(i)) * across,
                    from.y + edge + top_of(i)};
    const auto k = static_cast<std::size_t>(i);
    if (i < cards.presets ? card(panel, entries[k], g, at, i == chosen)
                          : file_card(panel, f.recent[k - entries.size()], i - cards.presets,
                                      g.card_width, at, i == chosen))
      opened = i;
  }
  if (cards.files > 0)
    ImGui::GetWindowDrawList()->AddText(
        {from.x + edge, from.y + edge + files_top - panel.px(files_heading - 6)},
        im_color(panel.colors.dim), "Recent files");
  const float file_card_height = panel.px(file_height);
  const float whole = cards.files > 0 ? top_of(cards.count() - 1) + file_card_height
                                      : top_of(cards.presets - 1) + g.card_height;
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({width, 2 * edge + whole});
  if (gallery.reveal && !ImGui::IsWindowAppearing()) {
    const float top = top_of(chosen);
    const float bottom =
        top + (chosen < cards.presets ? g.card_height : file_card_height) + 2 * edge;
    const float scroll = ImGui::GetScrollY();
    if (top < scroll) ImGui::SetScrollY(top);
    if (bottom > scroll + height) ImGui::SetScrollY(bottom - height);
    gallery.reveal = false;
    panel.request_frames();
  }
  ImGui::EndChild();

  ImGui::SetCursorPos({panel.px(margin), f.height - panel.px(footer) + panel.px(10)});
  if (foot(panel, settings, width)) gallery.open = false;
  const auto pressed = [](ImGuiKey key) {
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
  };
  if (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter) || pressed(ImGuiKey_Space))
    opened = chosen;
  if (opened >= cards.presets) {
    const RecentFile& file = f.recent[static_cast<std::size_t>(opened - cards.presets)];
    if (file.problem.empty()) {
      panel.sink.open_file(file.path);
      gallery.open = false;
    }
  } else if (opened >= 0) {
    panel.sink.load_preset(entries[static_cast<std::size_t>(opened)].key);
    gallery.open = false;
  }
  if (pressed(ImGuiKey_Escape)) gallery.open = false;
  ImGui::End();
}

}  // namespace twosphere::ui
