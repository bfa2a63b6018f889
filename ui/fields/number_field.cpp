// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fields/number_field.h"

#include <fmt/core.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>

#include "core/base/json.h"
#include "core/language/evaluate.h"
#include "ui/plot/axis.h"
#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

constexpr double travel = 400;      // [px] over the whole range, linear
constexpr double log_travel = 120;  // [px] per decade
constexpr double fine = 0.1;        // factor while Shift is held
constexpr double patience = 1;      // [s] for which an unconfirmed value is shown
constexpr double note_time = 6;     // [s] for which a note is shown

/// Rounds to a multiple of a power of ten.
double to_grain(double value, double grain) {
  const double power = std::floor(std::log10(grain) + 1e-9);
  // Scaling by an integer keeps decimals such as 0.1 exact.
  if (power < 0) {
    const double scale = std::pow(10, -power);
    return std::round(value * scale) / scale;
  }
  const double scale = std::pow(10, power);
  return std::round(value / scale) * scale;
}

/// Formats a number with as many digits as fit in the width.
std::string fitting(double value, bool whole, float width) {
  if (whole) return fmt::format("{:.0f}", value);
  std::string text = short_number(value);
  for (int digits = 5; digits > 1 && ImGui::CalcTextSize(text.c_str()).x > width; --digits)
    text = with_minus(fmt::format("{:.{}g}", value, digits));
  return text;
}

}  // namespace

double dragged(const NumberField& field, double start, double pixels) {
  const ParameterInfo& info = *field.info;
  const double low = std::max(field.min, std::min(info.low, start));
  const double high = std::min(field.max, std::max(info.high, start));
  double value;
  if (info.logarithmic && start > 0 && low > 0) {
    value = std::clamp(start * std::pow(10, pixels / log_travel), low, high);
    if (field.multiple == 0)
      value = to_grain(value, std::pow(10, std::floor(std::log10(value)) - 2));
  } else {
    const double per_pixel = (info.high - info.low) / travel;
    value = start + pixels * per_pixel;
    if (field.multiple == 0) value = to_grain(value, per_pixel / 5);
  }
  if (field.multiple > 0) {
    const double least = info.domain == Domain::non_negative ? 0 : 1;
    value = std::max(least, std::round(value / field.multiple)) * field.multiple;
  }
  return std::clamp(value, low, high);
}

Typed typed(const NumberField& field, std::string_view text) {
  const ParameterInfo& info = *field.info;
  const bool plain = info.unit == "1" || info.unit.empty();
  const std::string unit = plain ? "" : fmt::format(" {}", info.unit);
  const std::string range_text =
      fmt::format("Usual range: {} to {}{}.", short_number(std::max(info.low, field.min)),
                  short_number(std::min(info.high, field.max)), unit);
  const auto refuse = [&](const std::string& why) { return Typed{{}, why + "\n" + range_text}; };
  if (text.find_first_not_of(' ') == std::string_view::npos)
    return refuse(fmt::format("{} needs a number.", field.symbol));
  const auto read = evaluate(text, info.unit);
  if (!read)
    return refuse(
        fmt::format("\"{}\", {}: {}.", text, read.error().location, read.error().message));
  const double value = *read;
  const auto must = [&](const std::string& what) {
    return refuse(fmt::format("{} must be {}, not {}{}.", field.symbol, what,
                              with_minus(json::shortest(value)), unit));
  };
  if (info.domain == Domain::positive && value <= 0) return must("greater than 0");
  if (info.domain == Domain::non_negative && value < 0) return must("0 or more");
  if (value < field.min || value > field.max)
    return must(fmt::format("from {} to {}", with_minus(json::shortest(field.min)),
                            with_minus(json::shortest(field.max))));
  if (field.multiple > 0 && std::remainder(value, field.multiple) != 0)
    return must(field.multiple == 1
                    ? "a whole number"
                    : fmt::format("a multiple of {}", json::shortest(field.multiple)));
  return {value, {}};
}

void NumberFields::begin(double now, std::uint64_t errors, bool running) {
  now_ = now;
  errors_ = errors;
  running_ = running;
  previous_order_.swap(order_);
  order_.clear();
  std::erase_if(pending_, [&](const auto& entry) {
    return entry.second.errors != errors || now - entry.second.sent > patience;
  });
  // A field that is no longer drawn is no longer edited.
  const auto gone = [&](const std::string& path) {
    return std::find(previous_order_.begin(), previous_order_.end(), path) == previous_order_.end();
  };
  if (!typing_.empty() && gone(typing_)) typing_.clear();
  if (!dragging_.empty() && gone(dragging_)) dragging_.clear();
  if (note_ && (now > note_->until || gone(note_->path))) note_.reset();
  if (note_) note_->placed = false;
}

void NumberFields::open(const std::string& path) {
  typing_ = path;
  focus_ = true;
  text_[0] = 0;
}

void NumberFields::show_note(const std::string& path, std::string text, bool error) {
  note_ = Note{path, std::move(text), error, now_ + note_time, 0, 0, false};
}

void NumberFields::reject(const std::string& path, std::string why) {
  pending_.erase(path);
  show_note(path, std::move(why), true);
}

void NumberFields::expect(const std::string& path, double value) {
  pending_[path] = {value, now_, errors_};
}

std::optional<double> NumberFields::draw(const NumberField& field, const Colors& colors,
                                         float scale) {
  order_.push_back(field.path);
  double shown = field.value;
  if (const auto it = pending_.find(field.path); it != pending_.end()) {
    if (it->second.value == field.value && dragging_ != field.path)
      pending_.erase(it);
    else
      shown = it->second.value;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(field.path.c_str());
  ImGui::PushFont(font(Face::mono));
  const bool was_dragged = dragging_ == field.path;
  std::optional<double> next =
      typing_ == field.path ? type(field, shown, colors, scale) : drag(field, shown, colors, scale);
  ImGui::PopFont();
  ImGui::PopID();
  if (const auto entered = take_entered(field)) next = entered;
  if (note_ && note_->path == field.path) {
    note_->x = at.x;
    note_->y = at.y + ImGui::GetFrameHeight();
    note_->placed = true;
  }
  const bool same_drag = dragging_ == field.path, due = was_dragged && unsent_;
  if (due && !same_drag && !next) next = shown;
  if (!next || (*next == shown && !due)) return std::nullopt;
  expect(field.path, *next);
  unsent_ = same_drag && running_ && sent_at_ && now_ - *sent_at_ < drag_interval;
  if (unsent_) return std::nullopt;
  // A drag may have returned to the value sent last.
  if (was_dragged && sent_at_ && *next == sent_) return std::nullopt;
  sent_at_ = now_;
  sent_ = *next;
  return next;
}

std::optional<double> NumberFields::take_entered(const NumberField& field) {
  if (!entered_ || entered_->first != field.path) return {};
  const Typed result = typed(field, entered_->second);
  entered_.reset();
  if (typing_ == field.path) typing_.clear();
  if (result.value)
    note_.reset();
  else
    show_note(field.path, result.error, true);
  return result.value;
}

std::optional<double> NumberFields::type(const NumberField& field, double shown,
                                         const Colors& colors, float scale) {
  ImGui::SetNextItemWidth(field.width);
  if (focus_) {
    if (!ImGui::IsRectVisible({field.width, ImGui::GetFrameHeight()})) ImGui::SetScrollHereY();
    ImGui::SetKeyboardFocusHere();
    if (text_[0] == 0) std::strncpy(text_, json::shortest(shown).c_str(), sizeof text_ - 1);
  }
  const bool entered =
      ImGui::InputText("##text", text_, sizeof text_,
                       ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue |
                           ImGuiInputTextFlags_NoHorizontalScroll);
  const bool wrong = note_ && note_->error && note_->path == field.path;
  ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                      im_color(wrong ? colors.error : colors.accent),
                                      ImGui::GetStyle().FrameRounding, 0, 1.5f * scale);
  const bool tab = ImGui::IsItemActive() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Tab));
  const bool cancelled =
      ImGui::IsItemActive() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  const bool left = ImGui::IsItemDeactivated();
  if (focus_) {
    // The field becomes active in the next frame.
    focus_ = !ImGui::IsItemActive();
    return std::nullopt;
  }
  if (!entered && !tab && !left && !cancelled) return std::nullopt;

  const bool escaped =
      cancelled || (left && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)));
  const Typed result = typed(field, text_);
  // No message if the field was not changed.
  const bool refused = !escaped && !result.value && text_[0] != 0;
  if (refused) show_note(field.path, result.error, true);
  if (refused && entered) {
    // Stays open for correction.
    focus_ = true;
    return std::nullopt;
  }
  if (!refused && note_ && note_->path == field.path) note_.reset();
  typing_.clear();
  if (escaped) return std::nullopt;
  return result.value;
}

std::optional<double> NumberFields::drag(const NumberField& field, double shown,
                                         const Colors& colors, float scale) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 size{field.width, ImGui::GetFrameHeight()};
  ImGui::InvisibleButton("##drag", size);
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const ImGuiIO& io = ImGui::GetIO();
  std::optional<double> next;
  bool to_type = false;
  if (ImGui::IsItemActivated()) {
    note_.reset();
    dragging_ = field.path;
    drag_start_ = shown;
    moved_ = unsent_ = false;
    sent_at_.reset();
  }
  if (dragging_ == field.path) {
    const bool pointed = ImGui::IsMousePosValid();
    const float dx = pointed ? io.MousePos.x - io.MouseClickedPos[0].x : 0;
    if (!moved_ && std::abs(dx) >= io.MouseDragThreshold / 2) moved_ = true;
    // The mouse may move and be released in the same frame.
    if (moved_ && pointed && (active || ImGui::IsItemDeactivated())) {
      const double pixels = dx / scale * (io.KeyShift ? fine : 1);
      next = dragged(field, drag_start_, pixels);
      // The value could go further, but only by typing.
      const bool ends = dragged(field, drag_start_, pixels + std::copysign(9, pixels)) == *next &&
                        (*next == field.info->low || *next == field.info->high);
      const bool beyond = field.info->domain == Domain::any ||
                          (*next == field.info->high ? *next < field.max : *next > 0);
      if (ends && beyond)
        show_note(field.path,
                  fmt::format("Dragging stops at {}; any valid number can be typed.",
                              short_number(*next)),
                  false);
      else if (note_ && note_->path == field.path)
        note_.reset();
    }
    if (!active) {
      // A click without a move starts typing.
      to_type = !moved_ && ImGui::IsItemDeactivated() && hovered;
      dragging_.clear();
    }
  }
  if (hovered || active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);

  const double value = next.value_or(shown);
  auto& list = *ImGui::GetWindowDrawList();
  const ImVec2 to{from.x + size.x, from.y + size.y};
  const float rounding = ImGui::GetStyle().FrameRounding;
  list.AddRectFilled(from, to, im_color(hovered || active ? colors.hovered : colors.field),
                     rounding);
  if (colors.borders) list.AddRect(from, to, im_color(colors.border), rounding);
  const double seen = std::abs(value) <= field.rounding ? 0 : value;
  const std::string text = fitting(seen, field.multiple > 0, size.x - 4 * scale);
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
  const float padding = std::max(2 * scale, std::min(8 * scale, size.x - 2 * scale - extent.x));
  const ImVec4 clip{from.x, from.y, to.x, to.y};
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(),
               {std::round(to.x - padding - extent.x), from.y + (size.y - extent.y) / 2},
               im_color(field.upcoming ? colors.warning : colors.text), text.c_str(), nullptr, 0,
               &clip);

  if (to_type) open(field.path);
  return next;
}

}  // namespace twosphere::ui
