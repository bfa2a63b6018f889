// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/gallery_cards.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/tours/tour.h"
#include "ui/shell/preset_list.h"
#include "ui/shell/search_index.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float card_width = 220, card_padding = 12, low_card = 52;
constexpr float title_row = 20, small_row = 16;
constexpr int text_lines = 3;          // of a description whose title and caption take one each
constexpr float spare = 15;            // under it: titles and captions may take two
constexpr int max_lines = 6;           // of a title, a caption or a description
constexpr float picture_shape = 1.6f;  // width over height

/// "Example 1 · 2 bodies · Chain pendulum"
std::string caption(const PresetEntry& entry) {
  std::string text;
  if (entry.example) text = fmt::format("Example {} · ", *entry.example);
  if (entry.bodies > 0)
    text += fmt::format("{} {} · ", entry.bodies, entry.bodies == 1 ? "body" : "bodies");
  return text + std::string(entry.system->title);
}

/// Draws the button that removes a preset in the corner of its card; returns whether it was
/// clicked.
bool remove_button(const Panel& panel, const GalleryCard& card, ImVec2 corner) {
  const float side = panel.px(22), inset = panel.px(6), arm = panel.px(4);
  const ImVec2 from{corner.x - side - inset, corner.y + inset};
  ImGui::SetCursorScreenPos(from);
  const std::string name = card.name + "/remove";
  const bool clicked = ImGui::InvisibleButton(name.c_str(), {side, side});
  const bool hovered = ImGui::IsItemHovered();
  panel.mark(name);
  if (panel.spoken) panel.say(Role::button, fmt::format("Remove preset {}", card.title));
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
void say_card(const Panel& panel, const GalleryCard& card, bool chosen) {
  panel.say(Role::item, card.title, card.caption, chosen);
  if (SpokenWidget* const said = panel.said()) {
    said->focused = chosen && !panel.focus.on();
    said->enabled = card.problem.empty();
  }
}

/// The picture of a card, the moving one where it plays; without one, its title or, where a system
/// is made, a plus sign.
void draw_picture(const Panel& panel, const GalleryCard& card, ImVec2 from, ImVec2 to,
                  float moment) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = panel.px(6);
  const auto draw = [&](std::uintptr_t texture, float top, float bottom) {
    list.AddImageRounded(reinterpret_cast<ImTextureID>(texture), from, to, {0, top}, {1, bottom},
                         IM_COL32_WHITE, round, ImDrawFlags_RoundCornersTop);
  };
  const PresetPicture& moving = panel.frame.moving_picture;
  if (moving.texture != 0 && moving.preset == card.picture) {
    const float frame = std::floor(moment * moving_picture_frames);
    draw(moving.texture, frame / moving_picture_frames, (frame + 1) / moving_picture_frames);
    return;
  }
  for (const PresetPicture& picture : panel.frame.pictures)
    if (picture.preset == card.picture) return draw(picture.texture, 0, 1);
  list.AddRectFilled(from, to, im_color(panel.colors.scene), round, ImDrawFlags_RoundCornersTop);
  const ImVec2 middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
  if (card.kind == GalleryCard::Kind::create) {
    const float arm = panel.px(18), thickness = panel.px(3);
    const ImU32 ink = im_color(panel.colors.accent);
    list.AddLine({middle.x - arm, middle.y}, {middle.x + arm, middle.y}, ink, thickness);
    list.AddLine({middle.x, middle.y - arm}, {middle.x, middle.y + arm}, ink, thickness);
    return;
  }
  if (panel.frame.pictures.empty()) return;  // they are being read
  const auto lines = wrapped(card.title, to.x - from.x - 2 * panel.px(card_padding), max_lines);
  float y = middle.y - panel.px(title_row) * static_cast<float>(lines.size()) / 2;
  for (const std::string& line : lines) {
    const float x = middle.x - ImGui::CalcTextSize(line.c_str()).x / 2;
    list.AddText({x, y}, im_color(panel.colors.dim), line.c_str());
    y += panel.px(title_row);
  }
}

void draw_texts(const Panel& panel, const GalleryCard& card, ImVec2 from, ImVec2 to, bool chosen) {
  const Colors& c = panel.colors;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool usable = card.problem.empty(), low = card.low();
  const float inset = panel.px(card_padding), width = to.x - from.x - 2 * inset;
  ImVec2 at{from.x + inset, from.y + panel.px(card_padding / 2 + 2)};
  const auto write = [&](std::string_view text, int line_count, float row, Color color) {
    for (const std::string& line : wrapped(text, width, line_count)) {
      list.AddText(at, im_color(color), line.c_str());
      at.y += panel.px(row);
    }
  };
  write(card.title, low ? 1 : max_lines, title_row, usable || !low ? c.text : c.dim);
  ImGui::PushFont(font(Face::small_text));
  const Color plain = chosen && !low ? c.accent : c.dim;
  write(usable ? card.caption : card.problem, low ? 1 : max_lines, small_row,
        usable ? plain : c.warning);
  if (!low) {
    at.y += panel.px(3);
    const float left = to.y - panel.px(card_padding / 2) - at.y;
    write(summary(card.description), static_cast<int>(left / panel.px(small_row)), small_row,
          c.dim);
  }
  ImGui::PopFont();
}

}  // namespace

GalleryCard preset_card(std::size_t index) {
  const PresetEntry& entry = preset_entries()[index];
  return {.index = index,
          .name = fmt::format("gallery/{}", entry.key),
          .picture = std::string(entry.key),
          .title = entry.title,
          .caption = caption(entry),
          .description = entry.description,
          .words = fmt::format("{} {}", entry.key, entry.words)};
}

GalleryCard tour_card(std::size_t index) {
  const TourEntry& entry = tour_entries()[index];
  return {.kind = GalleryCard::Kind::tour,
          .index = index,
          .name = fmt::format("gallery/tour/{}", entry.name),
          .title = entry.title,
          .caption = fmt::format("Tour of {} minutes", entry.minutes),
          .description = entry.beginning,
          .words = fmt::format("tour {} {} {}", entry.name, entry.preset,
                               words_by_id("tour/" + entry.name))};
}

GalleryCard create_card() {
  const ActionInfo& action = info(Action::new_system);
  return {.kind = GalleryCard::Kind::create,
          .name = "gallery/new_system",
          .title = std::string(action.label),
          .caption = "A system of your own",
          .description = std::string(action.help)};
}

GalleryCard own_card(const UserPreset& preset, std::size_t index) {
  const std::string bodies = preset.bodies > 0 ? fmt::format(" · {} {}", preset.bodies,
                                                             preset.bodies == 1 ? "body" : "bodies")
                                               : "";
  return {.kind = GalleryCard::Kind::own,
          .index = index,
          .name = fmt::format("gallery/own[{}]", index),
          .picture = preset.path,
          .title = preset.title,
          .caption = "Your preset" + bodies,
          .description = preset.problem.empty() ? preset.description : preset.path,
          .problem = preset.problem};
}

GalleryCard file_card(const RecentFile& file, std::size_t index) {
  return {.kind = GalleryCard::Kind::file,
          .index = index,
          .name = fmt::format("gallery/recent[{}]", index),
          .title = file.name,
          .caption = file.folder,
          .description = file.problem.empty() ? file.path : file.path + '\n' + file.problem + '.',
          .problem = file.problem};
}

ImVec2 card_size(const Panel& panel, float width) {
  const float across = std::min(panel.px(card_width), width);
  return {across,
          std::floor(across / picture_shape) +
              panel.px(card_padding * 1.5f + title_row + small_row * (1 + text_lines) + spare)};
}

float low_card_height(const Panel& panel) { return panel.px(low_card); }

CardUse draw_card(const Panel& panel, const GalleryCard& card, ImVec2 origin, bool chosen,
                  bool described, float moment) {
  const Colors& c = panel.colors;
  const bool usable = card.problem.empty();
  const ImVec2 from{origin.x + card.at.x, origin.y + card.at.y};
  const ImVec2 to{from.x + card.size.x, from.y + card.size.y};
  ImGui::SetCursorScreenPos(from);
  CardUse use;
  use.opened = ImGui::InvisibleButton(card.name.c_str(), card.size) && usable;
  if (card.kind == GalleryCard::Kind::own) ImGui::SetItemAllowOverlap();
  use.hovered = ImGui::IsItemHovered();
  panel.mark_area(card.name);
  say_card(panel, card, chosen);
  if (described) {
    tooltip_at_once(panel, card.description);
    panel.mark("gallery/description");
  } else {
    tooltip(panel, card.description);
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float round = panel.px(6);
  list.AddRectFilled(from, to, im_color(use.hovered && usable ? c.hovered : c.field), round);
  ImVec2 below = from;
  if (!card.low()) {
    below.y += std::floor(card.size.x / picture_shape);
    draw_picture(panel, card, from, {to.x, below.y}, moment);
  }
  if (chosen || use.hovered || c.borders)
    list.AddRect(from, to, im_color(chosen ? c.accent : c.border), round, 0,
                 panel.px(chosen ? 2.5f : 1));
  draw_texts(panel, card, below, to, chosen);
  const bool inside = ImGui::IsMouseHoveringRect(from, to);
  if (card.kind == GalleryCard::Kind::own && (inside || chosen)) {
    use.removed = remove_button(panel, card, {to.x, from.y});
    use.opened = use.opened && !use.removed;
  }
  return use;
}

}  // namespace twosphere::ui
