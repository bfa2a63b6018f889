// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/definition_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace twosphere {

using Form = Definition::Parameter::Form;
using Parameter = Definition::Parameter;

namespace {

/// One with the same declaration and no value.
Parameter declared(Parameter parameter) {
  if (parameter.form != Form::pairs) parameter.value.assign(parameter.value.size(), 0);
  return parameter;
}

/// Whether the definition says anything at a key that came after parameters of this name.
bool uses_later_key(const Definition& definition, std::string_view key) {
  if (key == "seed") return definition.seed != 0;
  return is_later_definition_key(key) &&
         std::any_of(single_texts.begin(), single_texts.end(), [&](const auto& text) {
           return text.first == key && !(definition.*text.second).empty();
         });
}

}  // namespace

bool is_definition_key(std::string_view key) {
  return std::find(definition_keys.begin(), definition_keys.end(), key) != definition_keys.end();
}

bool is_later_definition_key(std::string_view key) {
  return std::find(later_definition_keys.begin(), later_definition_keys.end(), key) !=
         later_definition_keys.end();
}

bool is_definition_text(std::string_view key) { return is_live_text(key) && key != "parameters"; }

bool is_live_text(std::string_view key) {
  return is_definition_key(key) && key != "type" && key != "bodies" && key != "dynamics" &&
         key != "seed" && !names_expressions(key);
}

bool same_meanings(const Definition& a, const Definition& b) {
  const auto changes = [](const Definition& key, const Definition& parameter) {
    return std::any_of(parameter.parameters.begin(), parameter.parameters.end(),
                       [&](const Parameter& p) { return uses_later_key(key, p.key); });
  };
  return a.first_order == b.first_order && a.lagrangian.empty() == b.lagrangian.empty() &&
         !changes(a, b) && !changes(b, a);
}

bool same_but_values(const Definition& a, const Definition& b) {
  const auto bare = [](Definition definition) {
    for (Parameter& parameter : definition.parameters) parameter = declared(std::move(parameter));
    return definition;
  };
  return bare(a) == bare(b);
}

Definition with_values(Definition definition, const Values& values) {
  for (Parameter& parameter : definition.parameters)
    if (const auto now = values.find(parameter.key); now != values.end())
      parameter.value = now->second;
  return definition;
}

std::vector<TextError> outside_ranges(const Definition& definition, const Values& before) {
  std::vector<TextError> warnings;
  for (const Parameter& p : definition.parameters) {
    if (!p.range || p.form == Form::pairs) continue;
    const auto [low, high] = *p.range;
    const auto known = before.find(p.key);
    for (std::size_t k = 0; k < p.value.size(); ++k) {
      const double x = p.value[k];
      const bool same = known != before.end() && k < known->second.size() && known->second[k] == x;
      if (same || (x >= low && x <= high)) continue;
      const std::string entry = p.form == Form::list ? fmt::format("[{}]", k) : std::string();
      warnings.push_back({fmt::format("parameters.{}.value{}", p.key, entry), 0,
                          fmt::format("is {}, outside the range of its slider, {} to {}{}", x, low,
                                      high, p.unit.empty() || p.unit == "1" ? "" : " " + p.unit),
                          ""});
      break;
    }
  }
  return warnings;
}

std::size_t characters(const Definition& d) {
  std::size_t sum = 0;
  for (const auto& [key, member] : single_texts) sum += (d.*member).size();
  for (const auto& [key, member] : text_lists)
    for (const std::string& text : d.*member) sum += text.size();
  for (const auto& [key, member] : named_expressions)
    for (const auto& [name, text] : d.*member) sum += name.size() + text.size();
  for (const Definition::Parameter& p : d.parameters)
    sum += p.key.size() + p.unit.size() + p.help.size();
  return sum;
}

const std::vector<double>& value_of(const Definition& definition, std::string_view key) {
  return std::find_if(definition.parameters.begin(), definition.parameters.end(),
                      [key](const Parameter& parameter) { return parameter.key == key; })
      ->value;
}

}  // namespace twosphere
