// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/number_field.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/json.h"
#include "ui/axis.h"
#include "ui/style.h"

namespace twosphere::ui {

namespace {

constexpr double travel = 400;      // [px] over the whole range, linear
constexpr double log_travel = 120;  // [px] per decade
constexpr double fine = 0.1;        // factor while Shift is held
constexpr double patience = 1;      // [s] that an unconfirmed value is shown

/// To a multiple of a power of ten.
double to_grain(double value, double grain) {
  const double power = std::floor(std::log10(grain) + 1e-9);
  // Multiplying by a whole number keeps decimals such as 0.1 exact.
  if (power < 0) {
    const double scale = std::pow(10, -power);
    return std::round(value * scale) / scale;
  }
  const double scale = std::pow(10, power);
  return std::round(value / scale) * scale;
}

}  // namespace

double dragged(const ParameterInfo& info, double start, double pixels) {
  const double low = std::min(info.low, start), high = std::max(info.high, start);
  if (info.logarithmic && start > 0 && low > 0) {
    const double value = std::clamp(start * std::pow(10, pixels / log_travel), low, high);
    const double rounded = to_grain(value, std::pow(10, std::floor(std::log10(value)) - 2));
    return std::clamp(rounded, low, high);
  }
  const double per_pixel = (info.high - info.low) / travel;
  const double value = start + pixels * per_pixel;
  return std::clamp(to_grain(value, per_pixel / 5), low, high);
}

std::optional<double> typed(const ParameterInfo& info, const char* text) {
  std::string plain(text);
  std::erase(plain, ' ');
  std::replace(plain.begin(), plain.end(), ',', '.');
  for (std::size_t at; (at = plain.find("−")) != std::string::npos;)
    plain.replace(at, std::strlen("−"), 1, '-');
  if (plain.starts_with('+')) plain.erase(0, 1);
  double value = 0;
  const auto [end, status] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (status != std::errc{} || end != plain.data() + plain.size() || !std::isfinite(value))
    return std::nullopt;
  if (info.domain == Domain::positive && value <= 0) return info.low > 0 ? info.low : info.high;
  if (info.domain == Domain::non_negative && value < 0) return 0.0;
  return value;
}

void NumberFields::begin(double now, std::uint64_t errors) {
  now_ = now;
  errors_ = errors;
  previous_order_.swap(order_);
  order_.clear();
  std::erase_if(pending_, [&](const auto& entry) {
    return entry.second.errors != errors || now - entry.second.sent > patience;
  });
  // A field that is gone is no longer edited.
  const auto gone = [&](const std::string& path) {
    return std::find(previous_order_.begin(), previous_order_.end(), path) == previous_order_.end();
  };
  if (!typing_.empty() && gone(typing_)) typing_.clear();
  if (!dragging_.empty() && gone(dragging_)) dragging_.clear();
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
  ImGui::PushID(field.path.c_str());
  ImGui::PushFont(font(Face::mono));
  const std::optional<double> next =
      typing_ == field.path ? type(field, shown) : drag(field, shown, colors, scale);
  ImGui::PopFont();
  ImGui::PopID();
  if (!next || *next == shown) return std::nullopt;
  expect(field.path, *next);
  return next;
}

std::optional<double> NumberFields::type(const NumberField& field, double shown) {
  ImGui::SetNextItemWidth(field.width);
  if (focus_) {
    ImGui::SetKeyboardFocusHere();
    if (text_[0] == 0) std::strncpy(text_, json::shortest(shown).c_str(), sizeof text_ - 1);
  }
  const bool entered =
      ImGui::InputText("##text", text_, sizeof text_,
                       ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue |
                           ImGuiInputTextFlags_NoHorizontalScroll);
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

  const std::optional<double> value = typed(*field.info, text_);
  const std::string path = typing_;
  typing_.clear();
  const bool escaped =
      cancelled || (left && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)));
  if (tab) {
    // On to the next field, or back with Shift.
    const auto here = std::find(previous_order_.begin(), previous_order_.end(), path);
    if (here != previous_order_.end()) {
      const auto count = previous_order_.size();
      const auto index = static_cast<std::size_t>(here - previous_order_.begin());
      typing_ = previous_order_[(index + (ImGui::GetIO().KeyShift ? count - 1 : 1)) % count];
      focus_ = true;
      text_[0] = 0;
    }
  }
  if (escaped) return std::nullopt;
  return value ? value : std::optional<double>(shown);
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
    dragging_ = field.path;
    drag_start_ = shown;
    moved_ = false;
  }
  if (dragging_ == field.path) {
    const float dx = io.MousePos.x - io.MouseClickedPos[0].x;
    if (!moved_ && std::abs(dx) >= io.MouseDragThreshold / 2) moved_ = true;
    if (moved_ && active)
      next = dragged(*field.info, drag_start_, dx / scale * (io.KeyShift ? fine : 1));
    if (!active) {
      // A press without a move asks for the keyboard.
      to_type = !moved_ && ImGui::IsItemDeactivated() && hovered;
      dragging_.clear();
    }
  }
  if (hovered || active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);

  const double value = next.value_or(shown);
  auto& list = *ImGui::GetWindowDrawList();
  const ImVec2 to{from.x + size.x, from.y + size.y};
  const float rounding = ImGui::GetStyle().FrameRounding;
  list.AddRectFilled(from, to, ink(hovered || active ? colors.hovered : colors.field), rounding);
  if (colors.borders) list.AddRect(from, to, ink(colors.border), rounding);
  const std::string text = short_number(value);
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
  const float padding = std::max(2 * scale, std::min(8 * scale, size.x - 2 * scale - extent.x));
  const ImVec4 clip{from.x, from.y, to.x, to.y};
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(),
               {std::round(to.x - padding - extent.x), from.y + (size.y - extent.y) / 2},
               ink(colors.text), text.c_str(), nullptr, 0, &clip);

  if (to_type) {
    typing_ = field.path;
    focus_ = true;
    text_[0] = 0;
  }
  return next;
}

}  // namespace twosphere::ui
