// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/scenario/parameter_io.h"
#include "core/systems/control_torque.h"
#include "core/systems/site_lattice.h"
#include "ui/fields/field_row.h"
#include "ui/panels/panels.h"

namespace twosphere::ui {

namespace {

/// The numbers of a parameter in a scenario; empty if the scenario does not have it.
std::span<const double> numbers(const Scenario* s, const ParameterInfo& p) {
  if (!s) return {};
  const auto it = s->parameters.find(p.key);
  return it == s->parameters.end() ? std::span<const double>() : std::span(it->second);
}

constexpr std::size_t shown_at_first = 6;  // parameters

/// The names of one number: its path in the scenario below "system.", and its widget.
struct FieldPlace {
  std::string path, name;
};

class ParametersForm {
 public:
  ParametersForm(const Panel& panel, PanelState& state, Settings& settings)
      : panel_(panel),
        state_(state),
        settings_(settings),
        n_(panel.snapshot.present->size()),
        set_(to_path(panel)) {}

  /// `table`: the name of the table of bodies.
  void draw(std::span<const ParameterInfo> parameters, const char* table) {
    per_body(parameters, table);
    for (const ParameterInfo& p : parameters) {
      switch (p.shape) {
        case Shape::scalar:
          scalar(p);
          break;
        case Shape::vector:
          vector(p);
          break;
        case Shape::list:
          list(p);
          break;
        case Shape::choice:
          choice_row(panel_, alone(p), to_choice(panel_));
          break;
        case Shape::count:
          if (const auto now = values(p); !now.empty())
            text_row(panel_, state_.fields, p, fmt::format("{:.0f}", now[0]),
                     fmt::format("parameter/{}", p.key));
          break;
        case Shape::points:
          points(p);
          break;
        case Shape::lattice:
          lattice(p);
          break;
        case Shape::springs:
          springs(p);
          break;
        case Shape::sites:
          sites(p);
          break;
        case Shape::pairs:
          if (const auto now = values(p); !now.empty())
            text_row(panel_, state_.fields, p, counted(static_cast<int>(now.size() / 2), "pair"),
                     fmt::format("parameter/{}", p.key));
          break;
        case Shape::per_pair:
          per_pair(p);
          break;
        case Shape::form:
          form(p);
          break;
        case Shape::per_body:
        case Shape::waypoints:  // in a form
          break;
      }
    }
  }

 private:
  std::span<const double> values(const ParameterInfo& p) const {
    return numbers(state_.upcoming.get(), p);
  }

  /// The number at `index` of a parameter.
  Entry entry(const ParameterInfo& p, std::size_t index, const FieldPlace& place,
              std::string symbol) const {
    const auto value = [&](const Scenario* s, double otherwise) {
      const std::span<const double> all = numbers(s, p);
      return index < all.size() ? all[index] : otherwise;
    };
    const double now = value(state_.upcoming.get(), p.default_value);
    // Without a loaded value there is nothing to compare with.
    const double otherwise = p.optional ? now : p.default_value;
    return {.path = "system." + place.path,
            .name = "parameter/" + place.name,
            .symbol = std::move(symbol),
            .info = &p,
            .value = now,
            .running = value(panel_.shown.present.get(), otherwise),
            .original = value(state_.original.get(), otherwise),
            .multiple = p.whole ? 1.0 : 0.0};
  }
  Entry alone(const ParameterInfo& p) const {
    const std::string key(p.key);
    return entry(p, 0, {key, key}, std::string(p.symbol));
  }
  Entry of_list(const ParameterInfo& p, int index, std::string symbol) const {
    const std::string name = fmt::format("{}[{}]", p.key, index);
    return entry(p, static_cast<std::size_t>(index), {name, name}, std::move(symbol));
  }
  Entry of_body(const ParameterInfo& p, int body) const {
    return of_list(p, body, with_index(p.symbol, body + 1));
  }

  void per_body(std::span<const ParameterInfo> parameters, const char* table) {
    if (n_ <= max_body_rows) {
      for (const ParameterInfo& p : parameters)
        for (int i = 0; p.shape == Shape::per_body && i < n_; ++i)
          entry_row(panel_, state_.fields, {of_body(p, i)}, with_index(p.symbol, i + 1), set_);
      return;
    }
    std::vector<EntryColumn> columns;
    for (const ParameterInfo& p : parameters) {
      if (p.shape != Shape::per_body) continue;
      const std::string symbol = std::string(p.symbol) + "ᵢ";
      if (alike(p) && !state_.opened.contains(p.key))
        one_for_all(p);
      else
        columns.push_back({field_name(p, symbol), &p, symbol});
    }
    for (const EntryColumn& c : columns)
      if (alike(*c.info)) close_row(*c.info);
    const auto row = [&](int i) {
      std::vector<Entry> entries;
      entries.reserve(columns.size());
      for (const EntryColumn& c : columns) entries.push_back(of_body(*c.info, i));
      return entries;
    };
    if (!columns.empty()) entry_table(panel_, state_.fields, table, columns, n_, row, set_);
  }

  /// Whether every body has the same numbers, of which each has `each`.
  static bool alike(std::span<const double> all, std::size_t each = 1) {
    for (std::size_t i = each; i < all.size(); ++i)
      if (all[i] != all[i - each]) return false;
    return true;
  }
  bool alike(const ParameterInfo& p) const { return alike(values(p)); }

  /// A small arrow that expands or collapses the fields of the bodies.
  bool arrow(const ParameterInfo& p, bool open) {
    const ImVec2 size{panel_.px(14), ImGui::GetFrameHeight()}, from = ImGui::GetCursorScreenPos();
    ImGui::PushID(p.key.data(), p.key.data() + p.key.size());
    const bool pressed = ImGui::InvisibleButton("each", size);
    ImGui::PopID();
    const ImU32 color = im_color(ImGui::IsItemHovered() ? panel_.colors.text : panel_.colors.dim);
    const ImVec2 c{from.x + panel_.px(5), std::round(from.y + size.y / 2)};
    const float r = panel_.px(4);
    auto& list = *ImGui::GetWindowDrawList();
    if (open)
      list.AddTriangleFilled({c.x - r, c.y - r / 2}, {c.x + r, c.y - r / 2}, {c.x, c.y + r * 0.7f},
                             color);
    else
      list.AddTriangleFilled({c.x - r / 2, c.y - r}, {c.x + r * 0.7f, c.y}, {c.x - r / 2, c.y + r},
                             color);
    panel_.mark(fmt::format("parameter/{}/each", p.key));
    if (panel_.spoken)
      panel_.say(Role::heading, fmt::format("{} of each body", field_name(p, p.symbol)), {}, open);
    tooltip(panel_, open ? "Use one value for all bodies." : "Use one value per body.");
    return pressed;
  }

  /// One field for all bodies.
  void one_for_all(const ParameterInfo& p) {
    if (arrow(p, false)) state_.opened.emplace(p.key);
    ImGui::SameLine(0, 0);
    const std::string key(p.key);
    Entry e = entry(p, 0, {key, key}, std::string(p.symbol));
    // If the loaded values differ between bodies, there is no single value to restore.
    if (!alike(numbers(state_.original.get(), p))) e.original = e.value;
    entry_row(panel_, state_.fields, {e}, e.symbol, [this](const Entry& of, double value) {
      json::Node list = json::Node::array();
      list.items.assign(static_cast<std::size_t>(n_), json::Node(value));
      panel_.set(of.path, std::move(list));
    });
  }

  /// One vector for all bodies.
  void one_point_for_all(const ParameterInfo& p) {
    if (arrow(p, false)) state_.opened.emplace(p.key);
    ImGui::SameLine(0, 0);
    const std::string key(p.key);
    const bool restorable = alike(numbers(state_.original.get(), p), 3);
    std::vector<Entry> entries;
    for (int k = 0; k < 3; ++k) {
      Entry e = entry(
          p, static_cast<std::size_t>(k),
          {fmt::format("{}[0][{}]", key, k), k == 0 ? key : fmt::format("{}/e{}", key, k + 1)},
          component(p.symbol, k));
      if (!restorable) e.original = e.value;
      e.swept = false;
      entries.push_back(std::move(e));
    }
    // Several of them are restored in one frame.
    std::vector<double> next(values(p).begin(), values(p).end());
    entry_row(panel_, state_.fields, entries, std::string(p.symbol),
              [&](const Entry& of, double value) {
                for (std::size_t k = 0; k < entries.size(); ++k)
                  for (std::size_t i = k; entries[k].name == of.name && i < next.size(); i += 3)
                    next[i] = value;
                if (auto node = parameter_node(p, next))
                  panel_.set("system." + key, std::move(*node));
              });
  }

  void close_row(const ParameterInfo& p) {
    if (arrow(p, true)) state_.opened.erase(std::string(p.key));
    ImGui::SameLine(0, 0);
    row_label(panel_, fmt::format("{} of each body", field_name(p, p.symbol)), "",
              ImGui::GetContentRegionAvail().x);
  }

  void scalar(const ParameterInfo& p) {
    const Entry e = alone(p);
    if (!p.optional) {
      entry_row(panel_, state_.fields, {e}, e.symbol, set_);
      return;
    }
    // The loaded value, or the end of the range, as the start of a drag.
    const auto loaded = numbers(state_.original.get(), p);
    optional_row(panel_, state_.fields, e, !values(p).empty(), loaded.empty() ? p.high : loaded[0]);
  }

  void vector(const ParameterInfo& p) {
    std::vector<Entry> entries;
    entries.reserve(3);
    for (int k = 0; k < 3; ++k) entries.push_back(of_list(p, k, component(p.symbol, k)));
    entry_row(panel_, state_.fields, entries, std::string(p.symbol), set_);
  }

  void list(const ParameterInfo& p) {
    scrolling_rows(panel_, std::string(p.key).c_str(), static_cast<int>(values(p).size()),
                   [&](int k) {
                     const std::string symbol = fmt::format("{}[{}]", p.symbol, k);
                     entry_row(panel_, state_.fields, {of_list(p, k, symbol)}, symbol, set_);
                   });
  }

  /// The choice of the form, and the fields of the current one.
  void form(const ParameterInfo& p) {
    const std::span<const double> now = values(p);
    if (now.empty()) return;
    choice_row(panel_, alone(p), [&](const Entry& e, double index) {
      const auto loaded = numbers(state_.original.get(), p);
      const bool back = !loaded.empty() && loaded[0] == index;
      const std::vector<double> next = back ? std::vector<double>(loaded.begin(), loaded.end())
                                            : default_form(p, static_cast<std::size_t>(index));
      if (auto node = parameter_node(p, next)) panel_.set(e.path, std::move(*node));
    });
    const ParameterForm& present = p.forms[static_cast<std::size_t>(now[0])];
    const auto fields = fields_of(present, {now.begin(), now.end()});
    for (const auto& [field, first, count] : fields) {
      if (field.shape == Shape::waypoints) {
        waypoints(p, field, first, count);
        continue;
      }
      std::vector<Entry> entries;
      const bool list = field.shape == Shape::vector;
      for (int k = 0; k < static_cast<int>(count); ++k) {
        std::string name(p.key);
        if (now[0] != 0) name += fmt::format(".{}", field.key);
        if (list) name += fmt::format("[{}]", k);
        Entry e = entry(p, first + static_cast<std::size_t>(k), {name, name},
                        list ? component(field.symbol, k) : std::string(field.symbol));
        e.info = &field;
        // Numbers of another form cannot be compared.
        for (const auto& [scenario, value] : {std::pair(panel_.shown.present.get(), &e.running),
                                              std::pair(state_.original.get(), &e.original)})
          if (const auto other = numbers(scenario, p); other.empty() || other[0] != now[0])
            *value = e.value;
        entries.push_back(std::move(e));
      }
      const bool by_hand = p.key == control_torque_key && now[0] == 0;
      if (by_hand)
        joystick_button(
            panel_, state_,
            fmt::format("{} [{}]", field_name(field, std::string(field.symbol)), field.unit));
      // A vector that is all of its form has the name of the parameter.
      entry_row(panel_, state_.fields, entries, std::string(field.symbol), set_,
                by_hand || !list || present.fields.size() > 1);
    }
    if (p.key == control_torque_key) control_torque_rows(panel_, state_, settings_);
  }

  /// A row for each place of a path: its time and the place.
  void waypoints(const ParameterInfo& p, const ParameterInfo& field, std::size_t first,
                 std::size_t count) {
    static const ParameterInfo time{.key = "t",
                                    .symbol = "t",
                                    .label = "time of a place",
                                    .unit = "s",
                                    .help = "When the target passes this place.",
                                    .low = 0,
                                    .high = 60};
    for (std::size_t i = 0; i < count / 4; ++i) {
      const int number = static_cast<int>(i) + 1;
      const std::string row = fmt::format("{}.{}[{}]", p.key, field.key, i);
      std::vector<Entry> entries;
      for (int k = 0; k < 4; ++k) {
        const std::string path = fmt::format("{}[{}]", row, k);
        Entry e = entry(
            p, first + 4 * i + static_cast<std::size_t>(k), {path, k == 0 ? row : path},
            k == 0 ? with_index("t", number) : component(with_index(field.symbol, number), k - 1));
        e.info = k == 0 ? &time : &field;
        // Numbers of another form or of fewer places cannot be compared.
        for (const auto& [scenario, value] : {std::pair(panel_.shown.present.get(), &e.running),
                                              std::pair(state_.original.get(), &e.original)})
          if (const auto other = numbers(scenario, p);
              other.size() != values(p).size() || other[0] != values(p)[0])
            *value = e.value;
        entries.push_back(std::move(e));
      }
      entry_row(panel_, state_.fields, entries, with_index(field.symbol, number), set_);
    }
    place_buttons(p, first, count);
  }

  /// Buttons that add a place after the last of a path, where that is, and remove the last.
  void place_buttons(const ParameterInfo& p, std::size_t first, std::size_t count) {
    const std::span<const double> now = values(p);
    const auto end = now.begin() + static_cast<std::ptrdiff_t>(first + count);
    std::vector<double> next(now.begin(), end);
    const std::string name = alone(p).name;
    bool pressed = push_button(panel_, "Add a place", name + "/add_place");
    tooltip(panel_, "Add a place to the path, after the last.");
    if (pressed) {
      // As long after the last as that is after the one before.
      constexpr double default_delay = 5;
      next.insert(next.end(), end - 4, end);
      next[first + count] += count > 4 ? *(end - 4) - *(end - 8) : default_delay;
    }
    if (count > 4) {
      ImGui::SameLine();
      if (push_button(panel_, "Remove the last", name + "/remove_place")) {
        next.resize(first + count - 4);
        pressed = true;
      }
      tooltip(panel_, "Remove the last place of the path.");
    }
    next.insert(next.end(), end, now.end());
    if (!pressed) return;
    if (auto node = parameter_node(p, next)) panel_.set(alone(p).path, std::move(*node));
  }

  void points(const ParameterInfo& p) {
    if (values(p).empty()) return;
    const auto row = [&](int i) {
      std::vector<Entry> entries;
      for (int k = 0; k < 3; ++k) {
        // A row has the name of its first field.
        const std::string name = fmt::format("{}[{}]", p.key, i);
        const std::string field = fmt::format("{}[{}]", name, k);
        entries.push_back(entry(p, 3 * static_cast<std::size_t>(i) + static_cast<std::size_t>(k),
                                {field, k == 0 ? name : field},
                                component(with_index(p.symbol, i + 1), k)));
      }
      return entries;
    };
    if (n_ <= max_body_rows) {
      for (int i = 0; i < n_; ++i)
        entry_row(panel_, state_.fields, row(i), with_index(p.symbol, i + 1), set_);
      return;
    }
    if (alike(values(p), 3)) {
      if (!state_.opened.contains(p.key)) return one_point_for_all(p);
      close_row(p);
    }
    std::vector<EntryColumn> columns;
    for (const char* axis : {"₁", "₂", "₃"})
      columns.push_back({fmt::format("{}·e{}", p.symbol, axis), &p});
    entry_table(panel_, state_.fields, std::string(p.key).c_str(), columns, n_, row, set_);
  }

  void lattice(const ParameterInfo& p) {
    const std::span<const double> now = values(p);
    if (now.size() < 3) return;
    const std::string key(p.key);
    const Entry spacing = entry(p, 2, {key + ".spacing", key}, std::string(p.symbol));
    text_row(panel_, state_.fields, p, fmt::format("{:.0f} × {:.0f}", now[0], now[1]), spacing.name,
             &spacing);
  }

  void sites(const ParameterInfo& p) {
    const std::span<const double> now = values(p);
    if (now.empty()) return;
    const SiteLattice lattice({now.begin(), now.end()});
    std::string text;
    for (int k = 0; k < lattice.kind().dimension; ++k)
      text += fmt::format("{}{}", k == 0 ? "" : " × ", lattice.size()[static_cast<std::size_t>(k)]);
    const std::string key(p.key);
    const Entry spacing = entry(p, 4, {key + ".spacing", key}, std::string(p.symbol));
    text_row(panel_, state_.fields, p, text, spacing.name, &spacing);
  }

  /// One field, or one for each pair that has its own number.
  void per_pair(const ParameterInfo& p) {
    if (values(p).size() == 1)
      entry_row(panel_, state_.fields, {alone(p)}, std::string(p.symbol), set_);
    else
      list(p);
  }

  void springs(const ParameterInfo& p) {
    const std::span<const double> now = values(p);
    const auto count = static_cast<int>(now.size() / 3);
    scrolling_rows(panel_, std::string(p.key).c_str(), count, [&](int s) {
      const auto first = 3 * static_cast<std::size_t>(s);
      const int i = static_cast<int>(now[first]) + 1, j = static_cast<int>(now[first + 1]) + 1;
      // κ₁₂, but κ₁₀,₁₁.
      std::string symbol = with_index(p.symbol, i);
      if (i > 9 || j > 9) symbol += ",";
      symbol = with_index(symbol, j);
      const std::string name = fmt::format("{}[{}]", p.key, s);
      entry_row(panel_, state_.fields, {entry(p, first + 2, {name + ".stiffness", name}, symbol)},
                symbol, set_);
    });
  }

  const Panel& panel_;
  PanelState& state_;
  Settings& settings_;
  const int n_;
  const Setter set_;
};

}  // namespace

void parameters_panel(const Panel& panel, PanelState& state, Settings& settings) {
  if (!section(panel, state.closed, "Parameters")) return;
  if (!panel.snapshot.system_info) return;
  const std::span<const ParameterInfo> all = panel.snapshot.system_info->parameters;
  const std::size_t first = std::min(all.size(), shown_at_first);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {panel.px(8), panel.px(3)});
  ParametersForm form(panel, state, settings);
  form.draw(all.first(first), "parameters");
  if (first < all.size() && section(panel, state.closed, "More"))
    form.draw(all.subspan(first), "more_parameters");
  ImGui::PopStyleVar();
}

}  // namespace twosphere::ui
