// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fields/field_row.h"

#include <fmt/core.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "core/base/json.h"
#include "ui/plot/axis.h"
#include "ui/shell/equation_view.h"
#include "ui/shell/formula.h"

namespace twosphere::ui {

namespace {

constexpr float note_width = 270;

constexpr float gap = 4, min_number_width = 56;
constexpr int max_rows_in_view = 12;

/// A button at the end of a row that restores the loaded value, or the space for it.
bool reset_button(const Panel& panel, bool changed, const Entry& first, const std::string& what) {
  ImGui::SameLine(0, 0);
  const ImVec2 size{panel.px(field_reset_width), ImGui::GetFrameHeight()};
  if (!changed) {
    ImGui::Dummy(size);
    return false;
  }
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::PushID(first.path.c_str());
  const bool pressed = ImGui::InvisibleButton("##reset", size);
  ImGui::PopID();
  const Color color = ImGui::IsItemHovered() ? panel.colors.text : panel.colors.dim;
  ImGui::GetWindowDrawList()->AddText(
      {from.x + panel.px(5), from.y + ImGui::GetStyle().FramePadding.y}, im_color(color), "↺");
  panel.mark("reset/" + first.name.substr(first.name.find('/') + 1));
  if (panel.spoken)
    panel.say(Role::button, fmt::format("Restore {}", field_name(*first.info, first.symbol)));
  tooltip(panel, "Back to " + what);
  return pressed;
}

/// Restores the loaded values where they differ.
void reset(const Panel& panel, NumberFields& fields, const std::vector<Entry>& entries,
           const Setter& set) {
  std::string what;
  bool changed = false;
  for (const Entry& e : entries) {
    what += (what.empty() ? "" : ", ") + short_number(e.original);
    changed = changed || e.value != e.original;
  }
  if (!reset_button(panel, changed, entries.front(), what)) return;
  for (const Entry& e : entries) {
    if (e.value == e.original) continue;
    fields.expect(e.path, e.original);
    set(e, e.original);
  }
}

/// A small icon of the rewind button: the value takes effect on rewind.
void rewind_mark(const Panel& panel, ImVec2 center, const std::string& name) {
  auto& list = *ImGui::GetWindowDrawList();
  const float r = panel.px(4);
  const ImU32 color = im_color(panel.colors.dim);
  list.AddRectFilled({center.x - r, center.y - r}, {center.x - 0.6f * r, center.y + r}, color);
  list.AddTriangleFilled({center.x - 0.5f * r, center.y}, {center.x + r, center.y - r},
                         {center.x + r, center.y + r}, color);
  panel.mark(name, {center.x - r, center.y - r, 2 * r, 2 * r});
}

/// Whether a name ends in a symbol with a letter as its index: "Proportional gain k_p".
bool has_letter_index(std::string_view name) {
  const std::size_t at = name.rfind('_');
  if (at == name.npos || at == 0 || at + 1 == name.size()) return false;
  const auto plain = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  return (at == 1 || name[at - 2] == ' ') && (at + 2 == name.size() || !plain(name[at + 2]));
}

/// Writes a name on the line of text at `at`; returns its width.
float write_name(const Panel& panel, ImVec2 at, const std::string& name) {
  if (!has_letter_index(name)) {
    ImGui::GetWindowDrawList()->AddText(at, im_color(panel.colors.text), name.c_str());
    return ImGui::CalcTextSize(name.c_str()).x;
  }
  ScreenPen pen(im_color(panel.colors.text), panel.scale);
  const std::vector<Formula> formula = parse_formula(name);
  const float size = ImGui::GetFontSize();
  const float baseline = at.y + ImGui::GetFont()->Ascent * size / ImGui::GetFont()->FontSize;
  const FormulaSize set = set_formula(formula, pen, 0, 0, size, FLT_MAX, false);
  set_formula(formula, pen, at.x, baseline - set.up, size, FLT_MAX);
  return set.width;
}

/// The name and the unit at the start of a row, `width` wide, in a smaller font if they do not fit.
void name_row(const Panel& panel, const ParameterInfo& p, const std::string& text,
              const std::string& name, float width, float height) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float room = width - panel.px(p.live ? 4 : 18);
  std::string unit = p.unit == "1" ? "" : fmt::format("[{}]", p.unit);
  const auto wide = [&] {
    const float of_unit = unit.empty() ? 0 : panel.px(5) + ImGui::CalcTextSize(unit.c_str()).x;
    return ImGui::CalcTextSize(text.c_str()).x + of_unit;
  };
  ImGui::Dummy({width, height});
  const bool small = wide() > room;
  if (small) ImGui::PushFont(font(Face::small_text));
  const float y = std::round(from.y + (height - ImGui::GetFontSize()) / 2);
  // If the unit does not fit, it is only in the tooltip.
  if (wide() > room) unit.clear();
  const float named = write_name(panel, {from.x, y}, elided(text, room));
  if (!unit.empty())
    ImGui::GetWindowDrawList()->AddText({std::round(from.x + named + panel.px(5)), y},
                                        im_color(panel.colors.dim), unit.c_str());
  if (small) ImGui::PopFont();
  tooltip(panel, fmt::format("{}{}\n{}{}", text, p.unit == "1" ? "" : fmt::format(" [{}]", p.unit),
                             p.help, p.live ? "" : "\n" + rewind_note()));
  if (!p.live)
    rewind_mark(panel, {from.x + width - panel.px(9), from.y + height / 2}, "mark/" + name);
}

/// The menu of a field, the last item, on a right click.
void field_menu(const Panel& panel, const Entry& e) {
  ImGui::PushID(e.path.c_str());
  if (ImGui::BeginPopupContextItem("menu")) {
    if (ImGui::IsWindowAppearing()) panel.request_frames();
    if (ImGui::MenuItem("Sweep this…")) panel.sink.sweep(e.path);
    panel.mark("sweep_this");
    panel.say(Role::item, "Sweep this…");
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopID();
}

/// The displayed name of a choice.
std::string choice_text(const ParameterInfo& p, double index) {
  const auto which = static_cast<std::size_t>(index);
  if (p.shape == Shape::form) return std::string(p.forms[which].label);
  std::string text(p.choices[which]);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// Whether a name does not fit before its field and is placed above it.
bool name_above(const Panel& panel, const ParameterInfo& p, const std::string& name, float all) {
  const ImFont* f = font(Face::small_text);
  const auto wide = [f](const std::string& text) {
    return f->CalcTextSizeA(f->FontSize * ImGui::GetIO().FontGlobalScale, FLT_MAX, 0, text.c_str())
        .x;
  };
  const float of_unit = p.unit == "1" ? 0 : panel.px(5) + wide(fmt::format("[{}]", p.unit));
  return wide(name) + of_unit > field_label_width(panel, all) - panel.px(p.live ? 4 : 18);
}

}  // namespace

float field_label_width(const Panel& panel, float all) {
  // A number field must have room for a number with sign and exponent.
  return std::max(all - panel.px(field_reset_width + 100), all * 0.4f);
}

std::string field_name(const ParameterInfo& p, std::string_view symbol) {
  if (!symbol.empty() && p.label == p.symbol) return std::string(symbol);  // it has no other name
  std::string name(p.label);
  if (!name.empty() && name.front() >= 'a' && name.front() <= 'z')
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return symbol.empty() ? name : fmt::format("{} {}", name, symbol);
}

std::string rewind_note() {
  return fmt::format("Takes effect on Rewind ({}).", info(Action::rewind).key);
}

Setter to_path(const Panel& panel) {
  return [&panel](const Entry& e, double value) { panel.set(e.path, value); };
}

Setter to_choice(const Panel& panel) {
  return [&panel](const Entry& e, double index) {
    panel.set(e.path, json::Node(e.info->choices[static_cast<std::size_t>(index)]));
  };
}

void say_number(const Panel& panel, const NumberField& field, std::string name) {
  SpokenWidget* const widget = panel.said();
  if (!widget) return;
  if (field.info->unit != "1") name += fmt::format(" [{}]", field.info->unit);
  panel.say(Role::number, name,
            json::shortest(std::abs(field.value) <= field.rounding ? 0 : field.value));
  widget->path = field.path;
  widget->number = field.value;
  widget->min = std::max(field.min, field.info->low);
  widget->max = std::min(field.max, field.info->high);
}

void entry_field(const Panel& panel, NumberFields& fields, const Entry& e, float width,
                 const Setter& set) {
  const NumberField field{.path = e.path,
                          .value = e.value,
                          .info = e.info,
                          .width = width,
                          .symbol = e.symbol.empty() ? std::string(e.info->label) : e.symbol,
                          .min = e.min,
                          .max = e.max,
                          .multiple = e.multiple,
                          .rounding = e.rounding,
                          .upcoming = e.value != e.running};
  const auto next = fields.draw(field, panel.colors, panel.scale);
  panel.mark_text(e.name, e.path);
  say_number(panel, field, field_name(*e.info, e.symbol));
  if (e.swept) field_menu(panel, e);
  std::string text = explain(*e.info, e.symbol, std::isfinite(e.min), e.multiple > 0);
  if (field.upcoming)
    text = fmt::format("{} {} on Rewind; the run uses {}.\n\n{}", field.symbol,
                       short_number(e.value), short_number(e.running), text);
  tooltip(panel, text);
  if (next) set(e, *next);
}

void entry_row(const Panel& panel, NumberFields& fields, const std::vector<Entry>& entries,
               const std::string& symbol, const Setter& set, bool named) {
  const ParameterInfo& p = *entries.front().info;
  const float all = ImGui::GetContentRegionAvail().x;
  const auto count = static_cast<float>(entries.size());
  const bool above =
      !named || entries.size() > 1 || name_above(panel, p, field_name(p, symbol), all);
  const float label = above ? 0 : field_label_width(panel, all);
  if (named)
    name_row(panel, p, field_name(p, symbol), entries.front().name, above ? all : label,
             above ? ImGui::GetFontSize() : ImGui::GetFrameHeight());
  const float width =
      (all - label - panel.px(field_reset_width) - (count - 1) * panel.px(gap)) / count;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 || !above) ImGui::SameLine(0, i == 0 ? 0 : panel.px(gap));
    entry_field(panel, fields, entries[i], width, set);
  }
  reset(panel, fields, entries, set);
}

void choice_row(const Panel& panel, const Entry& e, const Setter& set) {
  const ParameterInfo& p = *e.info;
  const float all = ImGui::GetContentRegionAvail().x;
  const bool above = name_above(panel, p, field_name(p, e.symbol), all);
  const float label = above ? 0 : field_label_width(panel, all);
  const float width = all - label - panel.px(field_reset_width);
  name_row(panel, p, field_name(p, e.symbol), e.name, above ? all : label,
           above ? ImGui::GetFontSize() : ImGui::GetFrameHeight());
  if (!above) ImGui::SameLine(0, 0);
  const bool upcoming = e.value != e.running;
  if (upcoming) ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.warning));
  const bool open = begin_list(("##" + e.path).c_str(), choice_text(p, e.value), width);
  if (upcoming) ImGui::PopStyleColor();
  if (open) {
    const bool forms = p.shape == Shape::form;
    for (std::size_t i = 0; i < (forms ? p.forms.size() : p.choices.size()); ++i) {
      const auto index = static_cast<double>(i);
      const std::string name = fmt::format("{}/{}", e.name, forms ? p.forms[i].key : p.choices[i]);
      if (list_item(panel, choice_text(p, index), name, index == e.value) && index != e.value)
        set(e, index);
      if (forms) tooltip(panel, std::string(p.forms[i].help));
    }
    ImGui::EndCombo();
  }
  panel.mark(e.name);
  if (panel.spoken) panel.say(Role::list, field_name(p, e.symbol), choice_text(p, e.value), open);
  std::string text = fmt::format("{}\n{}", field_name(p, e.symbol), p.help);
  if (p.shape == Shape::form)
    text += fmt::format("\n{}", p.forms[static_cast<std::size_t>(e.value)].help);
  if (!p.live) text += "\n" + rewind_note();
  if (upcoming)
    text = fmt::format("{} on Rewind; the run uses {}.\n\n{}", choice_text(p, e.value),
                       choice_text(p, e.running), text);
  if (!open) tooltip(panel, text);
  if (reset_button(panel, e.value != e.original, e, choice_text(p, e.original))) set(e, e.original);
}

void text_row(const Panel& panel, NumberFields& fields, const ParameterInfo& p,
              const std::string& text, const std::string& name, const Entry* entry) {
  const float all = ImGui::GetContentRegionAvail().x;
  const float beside = field_label_width(panel, all);
  const float wide = ImGui::CalcTextSize(text.c_str()).x + panel.px(8);
  // The name is above where the number beside a long text would be cut.
  const bool above =
      entry && all - beside - panel.px(field_reset_width) - wide < panel.px(min_number_width);
  const float label = above ? 0 : beside, rest = all - label - panel.px(field_reset_width);
  const float used = entry ? wide : rest;
  name_row(panel, p, field_name(p, p.symbol), name, above ? all : label,
           above ? ImGui::GetFontSize() : ImGui::GetFrameHeight());
  if (!above) ImGui::SameLine(0, 0);
  row_label(panel, text, "", used);
  if (!entry) {
    panel.mark(name);
    if (panel.spoken) panel.say(Role::label, field_name(p, p.symbol), text);
    return;
  }
  ImGui::SameLine(0, 0);
  const Setter set = to_path(panel);
  entry_field(panel, fields, *entry, rest - used, set);
  reset(panel, fields, {*entry}, set);
}

void optional_row(const Panel& panel, NumberFields& fields, const Entry& e, bool given,
                  double first) {
  const ParameterInfo& p = *e.info;
  const float all = ImGui::GetContentRegionAvail().x, label = field_label_width(panel, all);
  const float rest = all - label - panel.px(field_reset_width);
  name_row(panel, p, field_name(p, e.symbol), e.name, label, ImGui::GetFrameHeight());
  ImGui::SameLine(0, 0);
  const std::string word(p.word.empty() ? "none" : p.word);
  const std::string button = fmt::format("{}##{}", word, e.path);
  if (!given) {
    if (ImGui::Button(button.c_str(), {rest, 0})) panel.set(e.path, first);
    panel.mark(e.name);
    if (panel.spoken) panel.say(Role::button, field_name(p, e.symbol), word);
    tooltip(panel, fmt::format("{}\n{}\nClick to use a number.", field_name(p, e.symbol), p.help));
    return;
  }
  const float wide = ImGui::CalcTextSize(word.c_str()).x + panel.px(12);
  const Setter set = to_path(panel);
  entry_field(panel, fields, e, rest - wide - panel.px(gap), set);
  ImGui::SameLine(0, panel.px(gap));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, ImGui::GetStyle().FramePadding.y});
  if (ImGui::Button(button.c_str(), {wide, 0}))
    panel.set(e.path, p.word.empty() ? json::Node() : json::Node(word));
  ImGui::PopStyleVar();
  panel.mark(e.name + "/" + word);
  if (panel.spoken) panel.say(Role::button, fmt::format("{} {}", field_name(p, ""), word));
  tooltip(panel, fmt::format("{} {} instead of a number.\n{}", field_name(p, ""), word, p.help));
  reset(panel, fields, {e}, set);
}

void scrolling_rows(const Panel& panel, const char* name, int rows,
                    const std::function<void(int)>& row) {
  const bool scrolls = rows > max_rows_in_view;
  const float pitch = ImGui::GetFrameHeightWithSpacing();
  if (scrolls)
    ImGui::BeginChild(name, {0, static_cast<float>(max_rows_in_view) * pitch}, false,
                      ImGuiWindowFlags_NoNav);
  ImGuiListClipper clipper;
  clipper.Begin(panel.spoken ? 0 : rows, pitch);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) row(i);
  for (int i = 0; panel.spoken && i < rows; ++i) row(i);
  if (scrolls) ImGui::EndChild();
}

void entry_table(const Panel& panel, NumberFields& fields, const char* name,
                 std::span<const EntryColumn> columns, int rows,
                 const std::function<std::vector<Entry>(int)>& row, const Setter& set) {
  const float scroll_bar = rows > max_rows_in_view ? ImGui::GetStyle().ScrollbarSize : 0,
              all = ImGui::GetContentRegionAvail().x - scroll_bar;
  const auto count = static_cast<float>(columns.size());
  const float width =
      (all - panel.px(field_number_width + field_reset_width) - (count - 1) * panel.px(gap)) /
      count;
  // Components of one parameter share its name above them; other columns have their own name and
  // unit.
  const ParameterInfo& first = *columns.front().info;
  const bool one = std::all_of(columns.begin(), columns.end(),
                               [&first](const EntryColumn& c) { return c.info == &first; });
  const bool named_above = one && columns.size() > 1;
  const bool units =
      !named_above && std::any_of(columns.begin(), columns.end(),
                                  [](const EntryColumn& c) { return c.info->unit != "1"; });
  if (named_above)
    name_row(panel, first, field_name(first, first.symbol), name, all, ImGui::GetFrameHeight());
  ImGui::PushFont(font(Face::small_text));
  // A heading takes up to two lines, of whole words.
  std::vector<std::vector<std::string>> headings;
  std::size_t lines = 1;
  for (const EntryColumn& c : columns) {
    std::vector<std::string>& heading = headings.emplace_back(wrapped(c.name, width, 2));
    const std::string read = heading.size() < 2 ? heading[0] : heading[0] + ' ' + heading[1];
    if (read != c.name && !c.symbol.empty()) heading = {c.symbol};
    lines = std::max(lines, heading.size());
  }
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetFontSize() + panel.px(2);
  const float below = from.y + line * static_cast<float>(lines);
  const float height = line * static_cast<float>(lines + (units ? 1 : 0));
  auto& list = *ImGui::GetWindowDrawList();
  ImGui::Dummy({panel.px(field_number_width), height});
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ImGui::SameLine(0, i == 0 ? 0 : panel.px(gap));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({width, height});
    // Headings above the right-aligned numbers.
    const auto write = [&](const std::string& text, float y, Color color) {
      const float wide = ImGui::CalcTextSize(text.c_str()).x;
      list.AddText({std::round(at.x + std::max(0.0f, width - wide - panel.px(4))), y},
                   im_color(color), text.c_str());
    };
    const ParameterInfo& p = *columns[i].info;
    float y = below - line * static_cast<float>(headings[i].size());
    for (const std::string& text : headings[i])
      write(text, std::exchange(y, y + line), panel.colors.text);
    if (units && p.unit != "1")
      write(elided(fmt::format("[{}]", p.unit), width), below, panel.colors.dim);
    panel.mark(fmt::format("column/{}[{}]", name, i));
    tooltip(panel, fmt::format("{}\n{}{}", field_name(p, p.symbol), p.help,
                               p.live ? "" : "\n" + rewind_note()));
  }
  ImGui::PopFont();
  if (!first.live && !named_above)
    rewind_mark(panel, {from.x + panel.px(6), from.y + height / 2}, std::string("mark/") + name);

  scrolling_rows(panel, name, rows, [&](int i) {
    ImGui::PushStyleColor(ImGuiCol_Text, im_color(panel.colors.dim));
    row_label(panel, std::to_string(i + 1), "", panel.px(field_number_width));
    ImGui::PopStyleColor();
    const std::vector<Entry> entries = row(i);
    for (std::size_t c = 0; c < entries.size(); ++c) {
      ImGui::SameLine(0, c == 0 ? 0 : panel.px(gap));
      entry_field(panel, fields, entries[c], width, set);
    }
    reset(panel, fields, entries, set);
  });
}

void field_note(const Panel& panel, const NumberFields& fields) {
  const NumberFields::Note* note = fields.note();
  if (!note) return;
  const Colors& c = panel.colors;
  const float wrap = panel.px(note_width);
  const ImVec2 size = ImGui::CalcTextSize(note->text.c_str(), nullptr, false, wrap);
  const ImVec2 pad{panel.px(9), panel.px(6)}, view = ImGui::GetIO().DisplaySize;
  const ImVec2 all{size.x + 2 * pad.x, size.y + 2 * pad.y};
  // Below the field, or above it in the last rows.
  const float x = std::max(0.0f, std::min(note->x, view.x - all.x));
  const float below = note->y + panel.px(3);
  const float y =
      below + all.y < view.y ? below : note->y - ImGui::GetFrameHeight() - panel.px(3) - all.y;
  auto& list = *ImGui::GetForegroundDrawList();
  list.AddRectFilled({x, y}, {x + all.x, y + all.y}, im_color(c.panel), panel.px(4));
  list.AddRect({x, y}, {x + all.x, y + all.y}, im_color(note->error ? c.error : c.line),
               panel.px(4), 0, panel.px(1));
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {x + pad.x, y + pad.y},
               im_color(note->error ? c.error : c.text), note->text.c_str(), nullptr, wrap);
  panel.mark(note->error ? "refused_value" : "field_note", {x, y, all.x, all.y});
  panel.say(Role::alert, note->text);
}

std::string explain(const ParameterInfo& p, const std::string& symbol, bool limited, bool whole) {
  std::string text = field_name(p, symbol);
  if (p.unit != "1") text += fmt::format(" [{}]", p.unit);
  if (whole) {
    text += fmt::format("\n{}\nRange {:.0f} to {:.0f}; whole numbers from {}", p.help, p.low,
                        p.high, p.domain == Domain::non_negative ? 0 : 1);
  } else {
    text += fmt::format("\n{}\nRange {} to {}", p.help, short_number(p.low), short_number(p.high));
  }
  if (p.domain == Domain::positive && !whole) text += "; any positive number can be typed";
  if (p.domain == Domain::non_negative && !whole) text += "; any number of at least 0 can be typed";
  if (p.domain == Domain::any && !limited) text += "; any number can be typed";
  if (!p.required && p.optional && p.unless.empty())
    text += fmt::format(". Default {}.", p.word.empty() ? "none" : p.word);
  else
    text += p.required ? "." : fmt::format(". Default {}.", short_number(p.default_value));
  if (!p.live) text += "\nDuring a run, a change takes effect on Rewind.";
  text += "\nDrag to change (with Shift: finer); click to type a number or an expression.";
  return text;
}

}  // namespace twosphere::ui
