// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/system_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "core/base/text.h"
#include "core/catalog.h"
#include "core/custom/definition_keys.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/linear_terms.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/document.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/writer.h"

namespace twosphere {

using json::Node;

namespace {

DraftText field_of(std::string_view key) {
  const auto at = std::find(draft_keys.begin(), draft_keys.end(), key);
  return static_cast<DraftText>(at - draft_keys.begin());
}

/// Whether each line is a name and an expression.
bool is_named(DraftText field) { return field == DraftText::plots || field == DraftText::color; }

bool is_single(DraftText field) {
  return field >= DraftText::inertia && field <= DraftText::lagrangian;
}

/// An entry of a field, and where it begins.
struct Entry {
  std::string text, name;  // the name of an expression
  int line = 0, column = 0;
};

std::string trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
  return from == text.npos ? "" : std::string(text.substr(from, to - from + 1));
}

std::vector<Entry> entries_of(DraftText field, const std::string& text) {
  std::vector<Entry> entries;
  if (is_single(field)) {
    if (!trimmed(text).empty() || text.find('\n') != text.npos) entries.push_back({text, "", 0, 0});
    return entries;
  }
  std::size_t begin = 0;
  for (int line = 0; begin <= text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view whole = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    std::string said = trimmed(whole);
    if (said.empty()) continue;
    Entry entry{said, "", line, count_characters(whole.substr(0, whole.find(said[0])))};
    if (is_named(field)) {
      const std::size_t colon = said.find(':');
      if (colon == said.npos) {
        entry.name = said;
        entry.text.clear();
      } else {
        entry.name = trimmed(std::string_view(said).substr(0, colon));
        entry.text = trimmed(std::string_view(said).substr(colon + 1));
        if (!entry.text.empty())
          entry.column +=
              count_characters(std::string_view(said).substr(0, said.find(entry.text, colon + 1)));
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// "1, 0.5" as a list of texts; a JSON list as it is; everything else as one text.
Result<Node> value_node(const std::string& typed) {
  const std::string text = trimmed(typed);
  const bool brackets = text.starts_with('[') && text.ends_with(']');
  if (brackets && text.find('[', 1) != text.npos) return json::parse(text, "");
  const std::string_view inner =
      brackets ? std::string_view(text).substr(1, text.size() - 2) : std::string_view(text);
  Node list = Node::array();
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at <= inner.size(); ++at) {
    if (at < inner.size()) {
      depth += inner[at] == '(' ? 1 : inner[at] == ')' ? -1 : 0;
      if (inner[at] != ',' || depth > 0) continue;
    }
    list.items.emplace_back(trimmed(inner.substr(from, at - from)));
    from = at + 1;
  }
  return list.items.size() == 1 && !brackets ? list.items[0] : list;
}

DraftProblem at_parameter(std::size_t row, ParameterColumn column, std::string message) {
  DraftProblem problem;
  problem.parameter = static_cast<int>(row);
  problem.parameter_column = column;
  problem.message = std::move(message);
  return problem;
}

/// Collects "system" of a scenario; false if a problem was found.
class SystemNode {
 public:
  explicit SystemNode(const SystemDraft& draft) {
    node.set("type", custom_system().key);
    node.set("bodies", Node::whole(draft.bodies));
    if (draft.first_order) node.set("dynamics", "first_order");
    add_parameters(draft);
    for (std::size_t k = 0; k < draft_texts; ++k) {
      const auto field = static_cast<DraftText>(k);
      if (!has_field(draft.first_order, field)) continue;
      entries[k] = entries_of(field, draft.texts[k]);
      add_texts(field, entries[k]);
    }
    if (draft.strict_units) node.set("units", "strict");
  }

  Node node = Node::object();
  std::array<std::vector<Entry>, draft_texts> entries;
  std::optional<DraftProblem> problem;

 private:
  void add_parameters(const SystemDraft& draft) {
    Node all = Node::object();
    for (std::size_t row = 0; row < draft.parameters.size(); ++row) {
      const SystemDraft::Parameter& p = draft.parameters[row];
      const std::string name = trimmed(p.name);
      if (name.empty() && trimmed(p.value).empty() && trimmed(p.unit).empty()) continue;
      if (name.empty()) return fail(at_parameter(row, ParameterColumn::name, "needs a name"));
      if (all.find(name))
        return fail(at_parameter(row, ParameterColumn::name,
                                 fmt::format("there is another parameter \"{}\"", name)));
      Node one = Node::object();
      auto value = value_node(p.value);
      if (!value)
        return fail(
            at_parameter(row, ParameterColumn::value,
                         "must be a number, a list \"1, 0.5\" or pairs \"[[0, 1], [1, 2]]\""));
      one.set("value", std::move(*value));
      if (const std::string unit = trimmed(p.unit); !unit.empty()) one.set("unit", unit);
      if (const std::string range = trimmed(p.range); !range.empty()) {
        const std::size_t to = range.find("to");
        if (to == range.npos)
          return fail(
              at_parameter(row, ParameterColumn::range, "must be two numbers, as \"0 to 10\""));
        const std::string_view both = range;
        one.set("range", Node::array({trimmed(both.substr(0, to)), trimmed(both.substr(to + 2))}));
      }
      if (const std::string help = trimmed(p.help); !help.empty()) one.set("help", help);
      all.set(name, std::move(one));
    }
    if (!all.members.empty()) node.set("parameters", std::move(all));
  }

  void add_texts(DraftText field, const std::vector<Entry>& all) {
    if (all.empty()) return;
    const std::string key(draft_keys[static_cast<std::size_t>(field)]);
    if (is_single(field)) {
      node.set(key, all[0].text);
      return;
    }
    Node list = is_named(field) ? Node::object() : Node::array();
    for (const Entry& entry : all) {
      if (!is_named(field)) {
        list.items.emplace_back(entry.text);
        continue;
      }
      DraftProblem wrong;
      wrong.text = field;
      wrong.line = entry.line;
      if (entry.name.empty() || entry.text.empty()) {
        wrong.message = "must be a name and an expression, as \"height: -e3.q[0]\"";
        return fail(wrong);
      }
      if (list.find(entry.name)) {
        wrong.message = fmt::format("there is another \"{}\"", entry.name);
        return fail(wrong);
      }
      list.set(entry.name, entry.text);
    }
    node.set(key, std::move(list));
  }

  void fail(DraftProblem found) {
    if (!problem) problem = std::move(found);
  }
};

/// Where an error at a path such as "system.define[2]" belongs, and its message without the text
/// that is shown under it.
DraftProblem located(const SystemDraft& draft, const SystemNode& system, const Error& error) {
  DraftProblem problem;
  problem.message = error.message.substr(0, error.message.find('\n'));
  problem.unknown = error.unknown;
  const auto [path, column] = document::split_location(error.location);
  constexpr std::string_view root = "system.";
  if (!path.starts_with(root)) {
    if (!path.empty() && path != "system")
      problem.message = fmt::format("{}: {}", path, problem.message);
    return problem;
  }
  std::string_view inner = path.substr(root.size());

  for (std::size_t k = 0; k < draft_texts; ++k) {
    if (!inner.starts_with(draft_keys[k])) continue;
    const std::string_view rest = inner.substr(draft_keys[k].size());
    const auto field = static_cast<DraftText>(k);
    if (!rest.empty() && rest[0] != '[' && rest[0] != '.') continue;
    problem.text = field;
    const auto& entries = system.entries[k];
    if (entries.empty()) return problem;
    if (is_single(field)) {
      // The line and the place in it.
      int left = column - 1;
      const std::string& text = entries[0].text;
      std::size_t begin = 0;
      for (; left >= 0; ++problem.line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const int length = count_characters(std::string_view(text).substr(begin, end - begin));
        if (left <= length || end == text.size()) {
          problem.column = std::min(left, length);
          break;
        }
        left -= length + 1;
        begin = end + 1;
      }
      return problem;
    }
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const bool here = is_named(field) ? rest == "." + entries[e].name ||
                                              rest == "." + json::plain(entries[e].name)
                                        : rest == fmt::format("[{}]", e);
      if (!here) continue;
      problem.line = entries[e].line;
      if (column > 0) problem.column = entries[e].column + column - 1;
    }
    return problem;
  }

  constexpr std::string_view parameters = "parameters.";
  const bool declared = inner.starts_with(parameters);
  if (declared) inner = inner.substr(parameters.size());
  for (std::size_t row = 0; row < draft.parameters.size(); ++row) {
    const std::string name = trimmed(draft.parameters[row].name);
    if (name.empty() || !inner.starts_with(name)) continue;
    const std::string_view rest = inner.substr(name.size());
    if (!rest.empty() && rest[0] != '[' && rest[0] != '.') continue;
    problem.parameter = static_cast<int>(row);
    if (declared && rest.empty()) problem.parameter_column = ParameterColumn::name;
    if (rest.starts_with(".unit")) problem.parameter_column = ParameterColumn::unit;
    if (rest.starts_with(".range")) problem.parameter_column = ParameterColumn::range;
    return problem;
  }
  if (!inner.empty()) problem.message = fmt::format("{}: {}", inner, problem.message);
  return problem;
}

/// The start for the bodies of a draft: the given ones, and others at rest on a spiral about e3. Of
/// first order it is q alone, from which ω follows.
Setting start_for(const SystemDraft& draft, const Scenario& base) {
  const int n = draft.bodies;
  Columns q(3, n), omega = Columns::Zero(3, n);
  const int given = std::min(n, base.size());
  q.leftCols(given) = base.q.leftCols(given);
  omega.leftCols(given) = base.omega.leftCols(given);
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int i = given; i < n; ++i) {
    const double z = 1 - (2 * i + 1.0) / n, r = std::sqrt(1 - z * z);
    q.col(i) = Vec3(r * std::cos(golden * i), r * std::sin(golden * i), z);
  }
  if (draft.first_order) return {"initial", Node::object({{"q", columns_document(q)}})};
  return {"initial", start_document(q, omega)};
}

/// Whether a method takes what a draft has beside an inertia: strengths and gyroscopic terms.
bool takes_terms(const IntegratorInfo& info, const SystemDraft& draft) {
  const auto has = [&draft](DraftText field) {
    return !draft.first_order && !trimmed(draft.text(field)).empty();
  };
  return (info.takes.strength || !has(DraftText::strength)) &&
         (info.takes.gyroscopic || !has(DraftText::gyroscopic));
}

/// The symplectic method of order 2 for systems of one order of equations or the other, that takes
/// the terms of the draft; else the first one of order 4 or more that takes them.
std::string_view method_for(const SystemDraft& draft) {
  for (const bool symplectic : {true, false})
    for (const IntegratorInfo& info : integrators())
      if ((symplectic
               ? info.symplectic && info.order == 2 && info.takes.first_order == draft.first_order
               : info.order >= 4) &&
          takes_terms(info, draft))
        return info.key;
  return integrators().front().key;
}

/// Whether its only method does not take the terms.
bool takes_no_terms(const Scenario& scenario, const SystemDraft& draft) {
  return scenario.lanes.size() == 1 &&
         !takes_terms(*find_integrator(scenario.lanes[0].type), draft);
}

}  // namespace

bool has_field(bool first_order, DraftText field) {
  switch (field) {
    case DraftText::inertia:
    case DraftText::potential:
    case DraftText::frame_rotation:
    case DraftText::gyroscopic:
    case DraftText::lagrangian:
      return !first_order;
    case DraftText::hamiltonian:
    case DraftText::damping:
    case DraftText::temperature:
    case DraftText::seed:
      return first_order;
    default:
      return true;
  }
}

SystemDraft draft_of(const Definition& definition) {
  using Form = Definition::Parameter::Form;
  SystemDraft draft;
  draft.bodies = definition.bodies;
  draft.first_order = definition.first_order;
  draft.strict_units = definition.strict_units;
  for (const Definition::Parameter& p : definition.parameters) {
    SystemDraft::Parameter& row = draft.parameters.emplace_back();
    row.name = p.key;
    row.unit = p.unit;
    row.help = p.help;
    if (p.range)
      row.range =
          fmt::format("{} to {}", json::shortest((*p.range)[0]), json::shortest((*p.range)[1]));
    for (std::size_t k = 0; k < p.value.size(); ++k) {
      const bool pairs = p.form == Form::pairs, first = pairs && k % 2 == 0;
      if (k > 0) row.value += first ? "], [" : ", ";
      row.value += json::shortest(p.value[k]);
    }
    if (p.form == Form::pairs) row.value = "[[" + row.value + "]]";
    // A list of one is no number.
    if (p.form == Form::list && p.value.size() == 1) row.value = "[" + row.value + "]";
  }
  for (const auto& [key, member] : single_texts) draft.text(field_of(key)) = definition.*member;
  if (definition.seed != 0) draft.text(DraftText::seed) = fmt::format("{}", definition.seed);
  for (const auto& [key, member] : text_lists)
    draft.text(field_of(key)) = fmt::format("{}", fmt::join(definition.*member, "\n"));
  for (const auto& [key, member] : named_expressions)
    for (const auto& [name, text] : definition.*member) {
      std::string& all = draft.text(field_of(key));
      if (!all.empty()) all += '\n';
      all.append(name).append(": ").append(text);
    }
  return draft;
}

std::string write_draft(const TitledDraft& titled) {
  const SystemDraft& draft = titled.draft;
  const auto row = [](const SystemDraft::Parameter& p) {
    return Node::array({p.name, p.value, p.unit, p.range, p.help});
  };
  Node texts = Node::object();
  for (std::size_t k = 0; k < draft_texts; ++k)
    texts.set(std::string(draft_keys[k]), draft.texts[k]);
  return json::write(Node::object({{"title", titled.title},
                                   {"bodies", Node::whole(draft.bodies)},
                                   {"first_order", Node::truth(draft.first_order)},
                                   {"strict_units", Node::truth(draft.strict_units)},
                                   {"parameters", Node::array(draft.parameters, row)},
                                   {"texts", std::move(texts)},
                                   {"start", titled.start}}));
}

Result<TitledDraft> read_draft(std::string_view text, std::string_view source) {
  const Error none{ErrorKind::usage, std::string(source), "is not a text of a system"};
  const auto root = json::parse(text, source);
  if (!root) return root.error();
  const auto member = [&root](const char* key, json::Kind kind) -> const Node* {
    const Node* node = root->kind == json::Kind::object ? root->find(key) : nullptr;
    return node && node->kind == kind ? node : nullptr;
  };
  const Node *title = member("title", json::Kind::string),
             *bodies = member("bodies", json::Kind::number),
             *first_order = member("first_order", json::Kind::boolean),
             *strict = member("strict_units", json::Kind::boolean),
             *parameters = member("parameters", json::Kind::array),
             *texts = member("texts", json::Kind::object);
  constexpr double max_bodies = 100'000;
  if (!title || !bodies || !first_order || !strict || !parameters || !texts ||
      !(bodies->number >= 1) || bodies->number > max_bodies)
    return none;
  const auto all_strings = [](const Node& list) {
    return list.kind == json::Kind::array &&
           std::all_of(list.items.begin(), list.items.end(),
                       [](const Node& item) { return item.kind == json::Kind::string; });
  };
  TitledDraft out{title->text, {}};
  if (const Node* start = member("start", json::Kind::string)) out.start = start->text;
  out.draft.bodies = static_cast<int>(bodies->number);
  out.draft.first_order = first_order->boolean;
  out.draft.strict_units = strict->boolean;
  // Those of an older program may lack some.
  for (std::size_t k = 0; k < draft_texts; ++k)
    if (const Node* one = texts->find(draft_keys[k])) {
      if (one->kind != json::Kind::string) return none;
      out.draft.texts[k] = one->text;
    }
  for (const Node& row : parameters->items) {
    if (!all_strings(row) || row.items.size() != 5) return none;
    out.draft.parameters.push_back({row.items[0].text, row.items[1].text, row.items[2].text,
                                    row.items[3].text, row.items[4].text});
  }
  return out;
}

Definition unchecked_definition(const SystemDraft& draft) {
  Definition definition;
  for (const SystemDraft::Parameter& p : draft.parameters)
    definition.parameters.emplace_back().key = trimmed(p.name);
  definition.first_order = draft.first_order;
  for (const auto& [key, member] : text_lists)
    if (key != "figure")
      for (const Entry& entry : entries_of(field_of(key), draft.text(field_of(key))))
        (definition.*member).push_back(entry.text);
  for (const auto& [key, member] : single_texts)
    if (has_field(draft.first_order, field_of(key))) definition.*member = draft.text(field_of(key));
  return definition;
}

CheckedDraft check_draft(const SystemDraft& draft, const Scenario& base, const State* state) {
  CheckedDraft checked;
  const SystemNode system(draft);
  if (system.problem) {
    checked.problems.push_back(*system.problem);
    return checked;
  }
  std::vector<Setting> settings{{"system", system.node}};
  const bool was_first_order = info_of(base).first_order;
  if (draft.bodies != base.size() || draft.first_order || was_first_order)
    settings.push_back(start_for(draft, base));
  // Methods are for one order or the other, and not all take terms beside an inertia.
  if (draft.first_order != was_first_order || takes_no_terms(base, draft))
    settings.push_back(
        {"integrator", Node::object({{"type", method_for(draft)}, {"step", base.lanes[0].step}})});
  Result<Scenario> made = with_settings(base, settings, nullptr, true);
  if (!made) {
    checked.problems.push_back(located(draft, system, made.error()));
    return checked;
  }
  // Also of what the base has, too.
  std::vector<TextError> warnings = made->definition->warnings();
  for (TextError& warning : outside_ranges(present_definition(*made), {}))
    warnings.push_back(std::move(warning));
  for (const TextError& warning : warnings) {
    const std::string column = warning.column > 0 ? fmt::format(":{}", warning.column) : "";
    DraftProblem problem = located(
        draft, system, {ErrorKind::usage, "system." + warning.location + column, warning.message});
    problem.warning = true;
    checked.problems.push_back(std::move(problem));
  }
  const auto created = create_system(*made);
  if (!created) {
    Error error = created.error();
    error.location.insert(0, "system.");
    checked.problems.push_back(located(draft, system, error));
    return checked;
  }
  const bool fits = state && state->q.cols() == made->q.cols();
  const Columns& q = fits ? state->q : made->q;
  checked.potential = effective_potential(**created, q);
  checked.kinetic =
      total_energy(**created, State{0, q, fits ? state->w : made->omega}) - checked.potential;
  checked.scenario = std::move(*made);
  return checked;
}

}  // namespace twosphere
