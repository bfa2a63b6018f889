// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/gallery.h"

#include <fmt/core.h>
#include <imgui/imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tours/tour.h"
#include "ui/panels/gallery_cards.h"
#include "ui/shell/panel.h"
#include "ui/shell/preset_list.h"
#include "ui/shell/settings.h"
#include "ui/shell/word_search.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float page_margin = 28, card_gap = 12, preset_row_gap = 8, row_heading = 28;
constexpr float footer = 46, header = 78;  // heights
constexpr float widest_filter = 300;
constexpr double moving_picture_time = 3;  // [s]

/// The cards that match the filter, where they lie on the page.
struct Page {
  std::vector<GalleryCard> cards;
  std::vector<std::pair<std::string, float>> headings;  ///< of the rows, and their tops [px]
  float height = 0;
  std::size_t best = 0;  ///< the first card whose title answers the filter, else the first card

  /// The index of the card of this name, else of the best one.
  std::size_t index_of(std::string_view name) const {
    for (std::size_t i = 0; i < cards.size(); ++i)
      if (cards[i].name == name) return i;
    return best;
  }
};

bool matches(const GalleryCard& card, const std::string& filter) {
  if (filter.empty()) return true;
  const std::string text =
      fmt::format("{} {} {} {}", card.title, card.caption, card.description, card.words);
  return word_score(filter, text, Spelling::with_typos).has_value();
}

/// Adds a row of cards, which takes several lines if they do not fit in one. Cards without pictures
/// begin a line.
void add_row(Page& page, const Panel& panel, const std::string& filter, float width,
             std::string title, std::vector<GalleryCard> row) {
  std::erase_if(row, [&](const GalleryCard& card) { return !matches(card, filter); });
  if (row.empty()) return;
  const ImVec2 size = card_size(panel, width);
  const float gap = panel.px(card_gap);
  const int columns = std::max(static_cast<int>((width + gap) / (size.x + gap)), 1);
  if (!page.cards.empty()) page.height += panel.px(preset_row_gap);
  page.headings.emplace_back(std::move(title), page.height);
  page.height += panel.px(row_heading);
  int line = page.cards.empty() ? -1 : page.cards.back().line, column = columns;
  float line_height = 0;
  bool lows = false;
  for (GalleryCard& card : row) {
    const bool low = card.low();
    if (column == columns || low != lows) {
      page.height += line_height;
      column = 0;
      ++line;
    }
    lows = low;
    card.size = {size.x, low ? low_card_height(panel) : size.y};
    card.at = {static_cast<float>(column) * (size.x + gap), page.height};
    card.line = line;
    card.column = column++;
    line_height = card.size.y + gap;
  }
  page.height += line_height;
  page.cards.insert(page.cards.end(), row.begin(), row.end());
}

Page arranged(const Panel& panel, const std::string& filter, float width) {
  Page page;
  const std::vector<PresetRow>& rows = preset_rows();
  for (const PresetRow& row : rows) {
    std::vector<GalleryCard> cards;
    for (const std::size_t index : row.tours) cards.push_back(tour_card(index));
    for (const std::size_t index : row.presets) cards.push_back(preset_card(index));
    if (&row == &rows.back()) cards.push_back(create_card());
    add_row(page, panel, filter, width, row.title, std::move(cards));
  }
  std::vector<GalleryCard> own;
  for (std::size_t i = 0; i < panel.frame.own_presets.size(); ++i)
    own.push_back(own_card(panel.frame.own_presets[i], i));
  for (std::size_t i = 0; i < panel.frame.recent.size(); ++i)
    own.push_back(file_card(panel.frame.recent[i], i));
  add_row(page, panel, filter, width, "Yours", std::move(own));
  if (filter.empty()) return page;
  const auto named =
      std::find_if(page.cards.begin(), page.cards.end(), [&](const GalleryCard& card) {
        return word_score(filter, card.title, Spelling::with_typos).has_value();
      });
  if (named != page.cards.end()) page.best = static_cast<std::size_t>(named - page.cards.begin());
  return page;
}

bool key_hit(ImGuiKey key, bool repeats = false) {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), repeats);
}

/// The card that the pressed keys select, starting from the chosen one.
std::size_t moved(std::size_t chosen, const std::vector<GalleryCard>& cards) {
  const std::size_t last = cards.size() - 1;
  std::size_t next = chosen;
  // The card on a line above or below, in the same column or the last one before it.
  const auto on_line = [&](int line) {
    for (std::size_t i = 0; i <= last; ++i)
      if (cards[i].line == line && cards[i].column <= cards[chosen].column) next = i;
  };
  if (key_hit(ImGuiKey_RightArrow, true)) next = std::min(chosen + 1, last);
  if (key_hit(ImGuiKey_LeftArrow, true) && chosen > 0) next = chosen - 1;
  if (key_hit(ImGuiKey_DownArrow, true)) on_line(cards[chosen].line + 1);
  if (key_hit(ImGuiKey_UpArrow, true)) on_line(cards[chosen].line - 1);
  if (key_hit(ImGuiKey_Home)) next = 0;
  if (key_hit(ImGuiKey_End)) next = last;
  return next;
}

/// Adds to the filter what is typed, anywhere on the page; Space, only within it.
void type_filter(const Panel& panel, Gallery& gallery) {
  std::string& filter = gallery.filter;
  const std::string before = filter;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl && key_hit(ImGuiKey_A)) gallery.selected = true;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) gallery.selected = false;
  const auto replace = [&] {
    if (std::exchange(gallery.selected, false)) filter.clear();
  };
  for (const ImWchar character : io.InputQueueCharacters) {
    if (character == ' ' && (filter.empty() || panel.focus.on())) continue;
    replace();
    char text[5] = {};
    filter += ImTextCharToUtf8(text, character);
  }
  if (key_hit(ImGuiKey_Backspace, true)) {
    replace();
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    while (!filter.empty() && continues(filter.back())) filter.pop_back();
    if (!filter.empty()) filter.pop_back();
  }
  if (filter == before) return;
  if (!filter.empty()) gallery.chosen.clear();
  gallery.reveal = true;
  panel.focus.remove();
}

void filter_box(const Panel& panel, const Gallery& gallery, ImVec2 from, float width) {
  const Colors& c = panel.colors;
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  const float height = ImGui::GetFrameHeight();
  const ImVec2 to{from.x + width, from.y + height};
  ImGui::SetCursorScreenPos(from);
  ImGui::InvisibleButton("gallery/filter", {width, height});
  panel.mark_area("gallery/filter");
  panel.say(Role::text, "Find a preset", gallery.filter);
  tooltip(panel, "Type a name, a word of a description or a topic. Esc clears it.");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = ImGui::GetStyle().FrameRounding;
  list.AddRectFilled(from, to, im_color(c.field), round);
  list.AddRect(from, to, im_color(gallery.filter.empty() ? c.border : c.accent), round);
  const ImVec2 at{from.x + padding.x, from.y + padding.y};
  const float room = width - 2 * padding.x;
  const std::string shown = elided(gallery.filter, room);
  const float end = at.x + ImGui::CalcTextSize(shown.c_str()).x;
  if (gallery.selected)
    list.AddRectFilled(at, {end, at.y + ImGui::GetFontSize()},
                       ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
  if (shown.empty())
    list.AddText(at, im_color(c.dim), elided("Type to find a preset", room).c_str());
  else
    list.AddText(at, im_color(c.text), shown.c_str());
  const float caret = end + (shown.empty() ? 0 : 1);
  list.AddLine({caret, at.y}, {caret, at.y + ImGui::GetFontSize()}, im_color(c.accent));
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
  const float open = panel.px(92), close = panel.px(72);
  ImGui::SetCursorScreenPos({from.x + width - open - close - panel.px(8), from.y});
  bool done =
      action_button(panel, "Open file…", "gallery/open_file", Action::open_scenario, {open, 0});
  ImGui::SameLine(0, panel.px(8));
  done |= push_button(panel, "Close", "gallery/close", {close, 0});
  explain_escape(panel, "Return to the scene.");
  return done;
}

/// Scrolls to a card, and with the first line to its heading.
void scroll_to(const Panel& panel, const GalleryCard& card, float edge, float height) {
  const float above = card.line == 0 ? 0 : card.at.y;
  const float bottom = card.at.y + card.size.y + 2 * edge, scroll = ImGui::GetScrollY();
  if (above < scroll) ImGui::SetScrollY(above);
  if (bottom > scroll + height) ImGui::SetScrollY(bottom - height);
  panel.request_frames();
}

/// Draws the cards and lets the keys move the choice; returns what is done with which of them.
std::pair<CardUse, std::size_t> draw_cards(const Panel& panel, Gallery& gallery, const Page& page,
                                           bool moving_pictures, float edge) {
  const std::size_t before = page.index_of(gallery.chosen), chosen = moved(before, page.cards);
  const ImVec2 moved_by = ImGui::GetIO().MouseDelta;
  if (moved_by.x != 0 || moved_by.y != 0) gallery.by_keys = false;
  if (chosen != before) {
    gallery.reveal = gallery.by_keys = true;
    panel.focus.remove();
  }
  gallery.chosen = page.cards[chosen].name;
  const ImVec2 from = ImGui::GetCursorScreenPos(), origin{from.x + edge, from.y + edge};
  for (const auto& [title, top] : page.headings)
    ImGui::GetWindowDrawList()->AddText({origin.x, origin.y + top + panel.px(2)},
                                        im_color(panel.colors.dim), title.c_str());
  const double turn = (ImGui::GetTime() - gallery.since) / moving_picture_time;
  const auto moment = static_cast<float>(turn - std::floor(turn));
  std::pair done{CardUse{}, chosen};
  std::string moving;
  for (std::size_t i = 0; i < page.cards.size(); ++i) {
    const GalleryCard& card = page.cards[i];
    const bool described = i == chosen && gallery.by_keys;
    const CardUse use = draw_card(panel, card, origin, i == chosen, described, moment);
    if (use.opened || use.removed) done = {use, i};
    if (card.kind == GalleryCard::Kind::preset && (use.hovered || described)) moving = card.picture;
  }
  if (!moving_pictures) moving.clear();
  if (moving != gallery.moving) gallery.since = ImGui::GetTime();
  gallery.moving = std::move(moving);
  return done;
}

/// Does what the card is for.
void open_card(const Panel& panel, const GalleryCard& card) {
  switch (card.kind) {
    case GalleryCard::Kind::preset:
      return panel.sink.load_preset(preset_entries()[card.index].key);
    case GalleryCard::Kind::tour:
      return panel.sink.guide(
          {.what = TourCall::What::begin, .name = tour_entries()[card.index].name});
    case GalleryCard::Kind::create:
      return panel.sink.act(Action::new_system);
    case GalleryCard::Kind::own:
      return panel.sink.load_preset(panel.frame.own_presets[card.index].path);
    case GalleryCard::Kind::file:
      return panel.sink.open_file(panel.frame.recent[card.index].path);
  }
}

}  // namespace

void Gallery::show(const Scenario* opened) {
  const PresetEntry* const present = preset_of(opened);
  chosen = present ? fmt::format("gallery/{}", present->key) : std::string();
  filter.clear();
  open = reveal = true;
  by_keys = false;
}

void gallery_page(const Panel& panel, Gallery& gallery, Settings& settings) {
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
  type_filter(panel, gallery);
  const float width = f.width - 2 * panel.px(page_margin);
  const float filter_width = std::min(panel.px(widest_filter), width / 2);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  heading(panel, width - filter_width - panel.px(card_gap));
  filter_box(panel, gallery, {corner.x + width - filter_width, corner.y}, filter_width);

  const float bar = ImGui::GetStyle().ScrollbarSize;
  const float height = std::max(f.height - panel.px(header + footer), panel.px(60));
  // The frame of the chosen card is drawn on its edge.
  const float edge = panel.px(3);
  ImGui::SetCursorPos({panel.px(page_margin) - edge, panel.px(header)});
  ImGui::BeginChild("cards", {width + 2 * edge + bar, height}, false, ImGuiWindowFlags_NoNav);
  const Page page = arranged(panel, gallery.filter, width);
  const GalleryCard* opened = nullptr;
  if (page.cards.empty()) {
    gallery.moving.clear();
    note(panel, "gallery/none",
         fmt::format("No preset matches \"{}\". {} searches commands; {} writes one.",
                     gallery.filter, info(Action::command_search).key,
                     info(Action::new_system).label));
  } else {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const auto [use, index] = draw_cards(panel, gallery, page, settings.moving_pictures, edge);
    const GalleryCard& card = page.cards[index];
    ImGui::SetCursorScreenPos(from);
    ImGui::Dummy({width, 2 * edge + page.height});
    if (gallery.reveal && !ImGui::IsWindowAppearing()) {
      scroll_to(panel, card, edge, height);
      gallery.reveal = false;
    }
    const bool pressed = key_hit(ImGuiKey_Enter) || key_hit(ImGuiKey_KeyPadEnter) ||
                         (key_hit(ImGuiKey_Space) && gallery.filter.empty());
    if (use.opened || (pressed && !panel.focus.on() && card.problem.empty())) opened = &card;
    if (card.kind == GalleryCard::Kind::own && (use.removed || key_hit(ImGuiKey_Delete)))
      panel.sink.remove_preset(f.own_presets[card.index].path);
  }
  ImGui::EndChild();

  ImGui::SetCursorPos({panel.px(page_margin), f.height - panel.px(footer) + panel.px(10)});
  if (foot(panel, settings, width)) gallery.open = false;
  if (opened) {
    open_card(panel, *opened);
    gallery.open = false;
  }
  if (key_hit(ImGuiKey_Escape)) {
    gallery.open = gallery.open && !gallery.filter.empty();
    gallery.filter.clear();
    gallery.reveal = true;
  }
  ImGui::End();
}

}  // namespace twosphere::ui
