// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/gallery.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "ui/shell/panel.h"
#include "ui/shell/preset_list.h"
#include "ui/shell/settings.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float page_margin = 28, card_gap = 16, narrowest_card = 188, card_padding = 12;
constexpr float title_row = 20, small_row = 16;
constexpr int text_lines = 3;              // of a description whose title and caption take one each
constexpr float spare = 15;                // under it: titles and captions may take two
constexpr int max_lines = 6;               // of a title, a caption or a description
constexpr float picture_shape = 1.6f;      // width over height
constexpr float footer = 46, header = 78;  // heights
constexpr int max_columns = 6;
constexpr float group_heading = 30, file_height = 52;

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
  const float apart = panel.px(card_gap);
  const auto fit = static_cast<int>((width + apart) / (panel.px(narrowest_card) + apart));
  g.columns = std::clamp(fit, 1, max_columns);
  const auto n = static_cast<float>(g.columns);
  g.card_width = std::floor((width - (n - 1) * apart) / n);
  g.picture_height = std::floor(g.card_width / picture_shape);
  g.card_height = g.picture_height +
                  panel.px(card_padding * 1.5f + title_row + small_row * (1 + text_lines) + spare);
  return g;
}

std::uintptr_t texture_of(const Panel& panel, std::string_view preset) {
  for (const PresetPicture& picture : panel.frame.pictures)
    if (picture.preset == preset) return picture.texture;
  return 0;
}

/// The text on the card of a preset.
struct Card {
  std::string name;     ///< for tests
  std::string picture;  ///< PresetPicture::preset
  std::string title, caption, description, problem;
  bool removable = false;
};

Card card_of(const PresetEntry& entry) {
  return {fmt::format("gallery/{}", entry.key),
          std::string(entry.key),
          entry.title,
          caption(entry),
          entry.description,
          {}};
}
Card card_of(const UserPreset& preset, int index) {
  std::string caption = "Your preset";
  if (preset.bodies > 0)
    caption += fmt::format(" · {} {}", preset.bodies, preset.bodies == 1 ? "body" : "bodies");
  return {fmt::format("gallery/own[{}]", index),
          preset.path,
          preset.title,
          preset.problem.empty() ? caption : preset.problem,
          preset.problem.empty() ? preset.description : preset.path,
          preset.problem,
          true};
}

/// The part of a card that was clicked.
enum class Clicked { nothing, card, remove };

/// Draws the button that removes a preset in the corner of its card; returns whether it was
/// clicked.
bool remove_button(const Panel& panel, const Card& entry, ImVec2 corner) {
  const float side = panel.px(22), inset = panel.px(6), arm = panel.px(4);
  const ImVec2 from{corner.x - side - inset, corner.y + inset};
  ImGui::SetCursorScreenPos(from);
  const std::string name = entry.name + "/remove";
  const bool clicked = ImGui::InvisibleButton(name.c_str(), {side, side});
  const bool hovered = ImGui::IsItemHovered();
  panel.mark(name);
  if (panel.spoken) panel.say(Role::button, fmt::format("Remove preset {}", entry.title));
  tooltip(panel, "Moves this preset to the trash (Delete).");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 middle{from.x + side / 2, from.y + side / 2};
  list.AddCircleFilled(middle, side / 2, im_color(panel.colors.panel, hovered ? 1.0f : 0.8f));
  const ImU32 ink = im_color(hovered ? panel.colors.error : panel.colors.text);
  list.AddLine({middle.x - arm, middle.y - arm}, {middle.x + arm, middle.y + arm}, ink,
               panel.px(1.5f));
  list.AddLine({middle.x - arm, middle.y + arm}, {middle.x + arm, middle.y - arm}, ink,
               panel.px(1.5f));
  return clicked;
}

/// Says what the card registered last is: the keys act on the chosen one.
void say_card(const Panel& panel, std::string_view title, std::string_view caption, bool chosen,
              bool usable) {
  panel.say(Role::item, title, caption, chosen);
  if (SpokenWidget* const said = panel.said()) {
    said->focused = chosen && !panel.focus.on();
    said->enabled = usable;
  }
}

/// Draws the card of a preset at `from`, with its whole description beside it if `described`.
Clicked card(const Panel& panel, const Card& entry, const Grid& g, ImVec2 from, bool chosen,
             bool described) {
  const Colors& c = panel.colors;
  const ImVec2 to{from.x + g.card_width, from.y + g.card_height};
  const std::string& name = entry.name;
  ImGui::SetCursorScreenPos(from);
  const bool clicked = ImGui::InvisibleButton(name.c_str(), {g.card_width, g.card_height});
  if (entry.removable) ImGui::SetItemAllowOverlap();
  const bool hovered = ImGui::IsItemHovered();
  panel.mark_area(name);
  say_card(panel, entry.title, entry.caption, chosen, entry.problem.empty());
  if (described) {
    tooltip_at_once(panel, entry.description);
    panel.mark("gallery/description");
  } else {
    tooltip(panel, entry.description);
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = panel.px(6), inset = panel.px(card_padding);
  list.AddRectFilled(from, to, im_color(hovered ? c.hovered : c.field), round);
  const ImVec2 below{to.x, from.y + g.picture_height};
  if (const std::uintptr_t texture = texture_of(panel, entry.picture))
    list.AddImageRounded(reinterpret_cast<ImTextureID>(texture), from, below, {0, 0}, {1, 1},
                         IM_COL32_WHITE, round, ImDrawFlags_RoundCornersTop);
  else
    list.AddRectFilled(from, below, im_color(c.scene), round, ImDrawFlags_RoundCornersTop);
  if (chosen || hovered || c.borders)
    list.AddRect(from, to, im_color(chosen ? c.accent : c.border), round, 0,
                 panel.px(chosen ? 2.5f : 1));

  const float width = g.card_width - 2 * inset;
  ImVec2 at{from.x + inset, below.y + panel.px(card_padding / 2 + 2)};
  const auto write = [&](std::string_view text, int most, float row, Color color) {
    for (const std::string& line : wrapped(text, width, most)) {
      list.AddText(at, im_color(color), line.c_str());
      at.y += panel.px(row);
    }
  };
  write(entry.title, max_lines, title_row, c.text);
  ImGui::PushFont(font(Face::small_text));
  const bool usable = entry.problem.empty();
  write(entry.caption, max_lines, small_row, !usable ? c.warning : chosen ? c.accent : c.dim);
  at.y += panel.px(3);
  const float left = to.y - panel.px(card_padding / 2) - at.y;
  write(summary(entry.description), static_cast<int>(left / panel.px(small_row)), small_row, c.dim);
  ImGui::PopFont();
  const bool inside = ImGui::IsMouseHoveringRect(from, to);
  if (entry.removable && (inside || chosen) && remove_button(panel, entry, {to.x, from.y}))
    return Clicked::remove;
  return clicked && usable ? Clicked::card : Clicked::nothing;
}

/// Draws the card of a file at `from`; returns whether it was clicked.
bool file_card(const Panel& panel, const RecentFile& file, int index, float width, ImVec2 from,
               bool chosen) {
  const Colors& c = panel.colors;
  const float height = panel.px(file_height), round = panel.px(6), inset = panel.px(card_padding);
  const ImVec2 to{from.x + width, from.y + height};
  const bool usable = file.problem.empty();
  const std::string name = fmt::format("gallery/recent[{}]", index);
  ImGui::SetCursorScreenPos(from);
  const bool clicked = ImGui::InvisibleButton(name.c_str(), {width, height});
  const bool hovered = ImGui::IsItemHovered();
  panel.mark_area(name);
  say_card(panel, file.name, "Recent file", chosen, usable);
  tooltip(panel, usable ? file.path : file.path + '\n' + file.problem + '.');

  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, im_color(hovered && usable ? c.hovered : c.field), round);
  if (chosen || hovered || c.borders)
    list.AddRect(from, to, im_color(chosen ? c.accent : c.border), round, 0,
                 panel.px(chosen ? 2.5f : 1));
  ImVec2 at{from.x + inset, from.y + panel.px(card_padding / 2 + 2)};
  list.AddText(at, im_color(usable ? c.text : c.dim), elided(file.name, width - 2 * inset).c_str());
  at.y += panel.px(title_row);
  ImGui::PushFont(font(Face::small_text));
  list.AddText(at, im_color(usable ? c.dim : c.warning),
               elided(usable ? file.folder : file.problem, width - 2 * inset).c_str());
  ImGui::PopFont();
  return clicked && usable;
}

/// The arrangement of the cards in rows: presets, then those of the user, then files. Each of these
/// groups begins a new row.
struct Rows {
  enum Group { presets, own, files, groups };

  std::array<int, groups> sizes{};
  int columns = 1;

  int count() const { return std::accumulate(sizes.begin(), sizes.end(), 0); }
  int rows(int group) const { return (sizes[at(group)] + columns - 1) / columns; }
  int first(int group) const { return std::accumulate(sizes.begin(), sizes.begin() + group, 0); }
  int first_row(int group) const {
    int sum = 0;
    for (int g = 0; g < group; ++g) sum += rows(g);
    return sum;
  }
  int group(int card) const {
    int g = 0;
    while (g + 1 < groups && card >= first(g + 1)) ++g;
    return g;
  }
  int row(int card) const {
    const int g = group(card);
    return first_row(g) + (card - first(g)) / columns;
  }
  int column(int card) const { return (card - first(group(card))) % columns; }
  /// The card at a row and column, or the last one before it.
  int card(int row, int column) const {
    int g = 0;
    while (g + 1 < groups && row >= first_row(g + 1)) ++g;
    while (sizes[at(g)] == 0) --g;
    const int inside = (row - first_row(g)) * columns + column;
    return first(g) + std::min(inside, sizes[at(g)] - 1);
  }

 private:
  static std::size_t at(int group) { return static_cast<std::size_t>(group); }
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
  check_box(panel, "Show at start", "gallery/at_start", settings.gallery_at_start);
  tooltip(panel,
          "Open this page when the program starts without a scenario.\nFile > Presets… opens it at "
          "any time.");
  const float create = panel.px(112), open = panel.px(92), close = panel.px(72);
  ImGui::SetCursorScreenPos({from.x + width - create - open - close - 2 * panel.px(8), from.y});
  bool done =
      action_button(panel, "New system…", "gallery/new_system", Action::new_system, {create, 0});
  ImGui::SameLine(0, panel.px(8));
  done |= action_button(panel, "Open file…", "gallery/open_file", Action::open_scenario, {open, 0});
  ImGui::SameLine(0, panel.px(8));
  done |= push_button(panel, "Close", "gallery/close", {close, 0});
  explain_escape(panel, "Return to the scene.");
  return done;
}

}  // namespace

void Gallery::show(const Scenario* opened) {
  const PresetEntry* const present = preset_of(opened);
  chosen = present ? static_cast<int>(present - preset_entries().data()) : 0;
  open = reveal = true;
  by_keys = false;
}

void gallery_page(const Panel& panel, Gallery& gallery, Settings& settings) {
  const std::vector<PresetEntry>& entries = preset_entries();
  const Frame& f = panel.frame;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({f.width, f.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(page_margin), panel.px(20)});
  ImGui::Begin("gallery", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (ImGui::IsWindowAppearing()) panel.request_frames();
  panel.mark("gallery", {0, 0, f.width, f.height});
  const float width = f.width - 2 * panel.px(page_margin);
  heading(panel, width);

  const float bar = ImGui::GetStyle().ScrollbarSize;
  ImGui::SetCursorPos({panel.px(page_margin), panel.px(header)});
  const float height = std::max(f.height - panel.px(header + footer), panel.px(60));
  // The frame of the chosen card is drawn on its edge.
  const float edge = panel.px(3);
  ImGui::SetCursorPosX(panel.px(page_margin) - edge);
  ImGui::BeginChild("cards", {width + 2 * edge + bar, height}, false, ImGuiWindowFlags_NoNav);
  const Grid g = grid(panel, width);
  const Rows cards{{static_cast<int>(entries.size()), static_cast<int>(f.own_presets.size()),
                    static_cast<int>(f.recent.size())},
                   g.columns};
  const int chosen = moved(gallery.chosen, cards);
  const ImVec2 moved_by = ImGui::GetIO().MouseDelta;
  if (moved_by.x != 0 || moved_by.y != 0) gallery.by_keys = false;
  if (chosen != gallery.chosen) {
    gallery.reveal = gallery.by_keys = true;
    panel.focus.remove();
  }
  gallery.chosen = chosen;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float across = g.card_width + panel.px(card_gap), down = g.card_height + panel.px(card_gap);
  const float file_down = panel.px(file_height + card_gap / 2);
  // The tops of the groups, and of the headings of the last two.
  std::array<float, Rows::groups + 1> top{};
  for (int group = 0; group < Rows::groups; ++group) {
    const auto k = static_cast<std::size_t>(group);
    if (group > 0 && cards.sizes[k] > 0) top[k] += panel.px(group_heading - card_gap / 2);
    top[k + 1] =
        top[k] + static_cast<float>(cards.rows(group)) * (group == Rows::files ? file_down : down);
  }
  const auto top_of = [&](int card) {
    const int group = cards.group(card);
    const auto row = static_cast<float>(cards.row(card) - cards.first_row(group));
    return top[static_cast<std::size_t>(group)] + row * (group == Rows::files ? file_down : down);
  };
  int opened = -1, removed = -1;
  for (int i = 0; i < cards.count(); ++i) {
    const ImVec2 at{from.x + edge + static_cast<float>(cards.column(i)) * across,
                    from.y + edge + top_of(i)};
    const int group = cards.group(i), inside = i - cards.first(group);
    const auto k = static_cast<std::size_t>(inside);
    if (group == Rows::files) {
      if (file_card(panel, f.recent[k], inside, g.card_width, at, i == chosen)) opened = i;
      continue;
    }
    const Card shown =
        group == Rows::presets ? card_of(entries[k]) : card_of(f.own_presets[k], inside);
    const Clicked clicked = card(panel, shown, g, at, i == chosen, i == chosen && gallery.by_keys);
    if (clicked == Clicked::card) opened = i;
    if (clicked == Clicked::remove) removed = inside;
  }
  for (const auto& [group, heading] :
       {std::pair{Rows::own, "Your presets"}, {Rows::files, "Recent files"}})
    if (cards.sizes[group] > 0)
      ImGui::GetWindowDrawList()->AddText(
          {from.x + edge, from.y + edge + top[group] - panel.px(group_heading - 6)},
          im_color(panel.colors.dim), heading);
  const float file_card_height = panel.px(file_height);
  const auto height_of = [&](int card) {
    return cards.group(card) == Rows::files ? file_card_height : g.card_height;
  };
  const int last = cards.count() - 1;
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({width, 2 * edge + top_of(last) + height_of(last)});
  if (gallery.reveal && !ImGui::IsWindowAppearing()) {
    const float above = top_of(chosen);
    const float bottom = above + height_of(chosen) + 2 * edge;
    const float scroll = ImGui::GetScrollY();
    if (above < scroll) ImGui::SetScrollY(above);
    if (bottom > scroll + height) ImGui::SetScrollY(bottom - height);
    gallery.reveal = false;
    panel.request_frames();
  }
  ImGui::EndChild();

  ImGui::SetCursorPos({panel.px(page_margin), f.height - panel.px(footer) + panel.px(10)});
  if (foot(panel, settings, width)) gallery.open = false;
  const auto pressed = [](ImGuiKey key) {
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
  };
  if (!panel.focus.on() &&
      (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter) || pressed(ImGuiKey_Space)))
    opened = chosen;
  if (pressed(ImGuiKey_Delete) && cards.group(chosen) == Rows::own)
    removed = chosen - cards.first(Rows::own);
  if (removed >= 0) panel.sink.remove_preset(f.own_presets[static_cast<std::size_t>(removed)].path);
  if (opened >= 0) {
    const int group = cards.group(opened);
    const auto k = static_cast<std::size_t>(opened - cards.first(group));
    const bool usable =
        group == Rows::presets ||
        (group == Rows::own ? f.own_presets[k].problem : f.recent[k].problem).empty();
    if (usable) {
      if (group == Rows::presets) panel.sink.load_preset(entries[k].key);
      if (group == Rows::own) panel.sink.load_preset(f.own_presets[k].path);
      if (group == Rows::files) panel.sink.open_file(f.recent[k].path);
      gallery.open = false;
    }
  }
  if (pressed(ImGuiKey_Escape)) gallery.open = false;
  ImGui::End();
}

}  // namespace twosphere::ui
