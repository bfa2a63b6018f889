// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/live_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/base/exceptions.h"
#include "core/catalog.h"
#include "core/custom/definition_keys.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/reader.h"
#include "core/scenario/schedule.h"
#include "core/scenario/state_edit.h"
#include "core/scenario/writer.h"

namespace twosphere {

using json::Node;

namespace {

/// Adds the settings that change the texts of one definition into those of another, and the values
/// of all parameters if any is declared differently. `from` and `to`: "system" of both.
void add_texts(std::vector<Setting>& settings, const Node& from, const Node& to) {
  for (const auto& [key, value] : to.members) {
    const Node* before = from.find(key);
    if (!before || !same(*before, value)) settings.push_back({"system." + key, value});
  }
  for (const auto& [key, value] : from.members)
    if (!to.find(key)) settings.push_back({"system." + key, without_text(key)});
}

/// Gives the start of a document in the form that a setting needs: by q and ω or dq/dt, by angles
/// and their rates, by q alone, beside which the next q is set, or by its generator.
void give_start(Node& root, const SettingPath& path, const Scenario& scenario) {
  if (path.key() != "initial") return;
  Node* const initial = root.find("initial");
  if (!initial || initial->kind != json::Kind::object) return;
  const std::string_view key = path.key(1);
  if (key == "q_next") {
    std::erase_if(initial->members, [](const auto& member) { return member.first == "omega"; });
    return;
  }
  if (initial->find("q_next")) return;
  if (is_of_generator(path)) {
    const bool of_vortices = key == "velocity";
    const auto& [directions, velocities] = scenario.generator;
    const bool known = of_vortices ? velocities.kind != json::Kind::null
                                   : directions.kind != json::Kind::null || path.size() == 2;
    if (!known || scenario.continuation || initial->find(key)) return;
    give_generator(*initial, scenario);
    if (!of_vortices)  // also of a first generator
      std::erase_if(initial->members, [](const auto& member) { return member.first == "q"; });
    return;
  }
  const bool to_angles = key == "angles" || key == "rates", to_velocity = key == "velocity";
  const bool by_angles = initial->find("angles"), by_velocity = initial->find("velocity");
  const bool fits = to_angles     ? by_angles
                    : to_velocity ? by_velocity
                    : key == "q"  ? !by_angles
                                  : key != "omega" || (!by_angles && !by_velocity);
  if (fits) return;
  const document::Origin source{"", nullptr};
  const document::Value document(source, root, "");
  const InitialConditions start =
      read_start(document.member("initial"), false, document.find("system"));
  std::optional<Node> base;
  if (const Node* given = initial->find("base")) base = *given;
  *initial = to_angles     ? angles_document(start.q, start.omega)
             : to_velocity ? velocity_document(start.q, start.omega)
                           : start_document(start.q, start.omega);
  if (base) initial->set("base", std::move(*base));
}

/// Whether the system of `next` can replace that of a run while it runs.
bool can_replace(const Scenario& present, const Scenario& next) {
  if (next.system != present.system) return false;
  if (same_kind(present, next)) return true;
  const Definition &now = present.definition->definition(), &then = next.definition->definition();
  return now.bodies == then.bodies && now.seed == then.seed && same_meanings(now, then) &&
         now.plots == then.plots;
}

}  // namespace

Result<Scenario> with_settings(const Scenario& scenario, const std::vector<Setting>& settings,
                               std::vector<std::string>* warnings, bool exact_start) {
  // What a start is generated from and what is given of it are set one after the other.
  auto last = settings.end();
  for (auto s = settings.begin(); s != settings.end(); ++s) {
    if (s->path.key() != "initial") continue;
    if (last != settings.end() && is_of_generator(last->path) != is_of_generator(s->path)) {
      const auto former = with_settings(scenario, {settings.begin(), s}, warnings, exact_start);
      if (!former) return former;
      return with_settings(*former, {s, settings.end()}, warnings, exact_start);
    }
    last = s;
  }
  const auto of_one_body = [&](const Setting& setting) {
    return is_of_one_body(setting.path, scenario.size());
  };
  if (!settings.empty() && std::all_of(settings.begin(), settings.end(), of_one_body)) {
    // Without a document of all bodies: there may be very many.
    Scenario edited = scenario;
    const document::Origin source{"", warnings};
    try {
      edit_start(settings, exact_start || scenario.continuation.has_value(),
                 info_of(scenario).first_order, source, edited.q, edited.omega);
    } catch (const Failure& failure) {
      return failure.error();
    }
    if (edited.q != scenario.q) edited.generator = {};
    if (edited.omega != scenario.omega) edited.generator.velocities = {};
    if (edited.q != scenario.q || edited.omega != scenario.omega)
      edited.orbit.reset();  // it was that of the former start
    return read_edited(edit_document(edited, settings, EditScope::sections), edited,
                       EditScope::sections, exact_start, warnings);
  }
  const EditScope scope = edit_scope(settings, scenario);
  Node root = edit_document(scenario, settings, scope);
  // Of another system the start may be another one, too.
  const bool of_system = std::any_of(settings.begin(), settings.end(), [](const Setting& setting) {
    return setting.path == "system" || setting.path == "system.type";
  });
  try {
    if (info_of(scenario).first_order && !of_system)
      refuse_velocities(settings, document::Origin{"", nullptr});
    for (const Setting& setting : settings) {
      give_start(root, setting.path, scenario);
      if (auto done = assign_setting(root, setting.path, setting.value); !done) return done.error();
    }
  } catch (const Failure& failure) {
    return failure.error();
  }
  return read_edited(root, scenario, scope, exact_start, warnings);
}

Result<Scenario> with_settings_at_same_times(const Scenario& scenario,
                                             const std::vector<Setting>& settings,
                                             std::vector<std::string>* warnings) {
  const auto of_lanes = std::find_if(settings.rbegin(), settings.rend(), [](const Setting& s) {
    return s.path.key() == "integrator" || s.path.key() == "lanes";
  });
  const bool pulled = scenario.continuation && !scenario.continuation->pulls.empty();
  if (of_lanes == settings.rend() ||
      (scenario.events.empty() && scenario.branches.empty() && !pulled))
    return with_settings(scenario, settings, warnings);
  Scenario bare = scenario, moved = scenario;
  bare.events.clear();
  bare.branches.clear();
  std::vector<Setting> others = settings;
  std::erase_if(others, [](const Setting& s) {
    return s.path.key() == "events" || s.path.key() == "branches";
  });
  const auto next = with_settings(bare, others);
  const auto kept = next ? keep_times(moved, next->lanes) : Result<void>();
  // Errors of the reader come first.
  auto made = with_settings(kept ? moved : scenario, settings, warnings);
  if (made && !kept) return Error{kept.error().kind, of_lanes->path.text(), kept.error().message};
  return made;
}

Result<Scenario> with_setting(const Scenario& scenario, const SettingPath& path,
                              const json::Node& value) {
  return with_settings(scenario, {{path, value}});
}

std::vector<Setting> differences(const Scenario& from, const Scenario& to) {
  std::vector<Setting> settings;
  const auto add_list = [&](const std::string& path, const Node& before, const Node& after) {
    std::vector<Setting> entries;
    for (std::size_t i = 0; i < after.items.size(); ++i)
      if (!same(before.items[i], after.items[i]))
        entries.push_back({fmt::format("{}[{}]", path, i), after.items[i]});
    if (entries.size() == after.items.size() && entries.size() > 1) entries = {{path, after}};
    settings.insert(settings.end(), entries.begin(), entries.end());
  };
  // Without a document of all bodies: there may be very many.
  const auto add_columns = [&](const std::string& path, const Columns& before,
                               const Columns& after) {
    std::vector<Eigen::Index> changed;
    for (Eigen::Index i = 0; i < after.cols(); ++i)
      if (before.col(i) != after.col(i)) changed.push_back(i);
    if (after.cols() > 1 && static_cast<Eigen::Index>(changed.size()) == after.cols())
      return settings.push_back({path, columns_document(after)});
    for (const Eigen::Index i : changed)
      settings.push_back({fmt::format("{}[{}]", path, i), Node::numbers({after.col(i).data(), 3})});
  };
  const auto add_values = [&](const std::string& section, const std::vector<ParameterInfo>& infos,
                              const Values& before, const Values& after) {
    for (const ParameterInfo& p : infos) {
      const auto &was = before.find(p.key)->second, &is = after.find(p.key)->second;
      if (was == is) continue;
      const std::string path = fmt::format("{}.{}", section, p.key);
      const Node before_node = parameter_node(p, was).value_or(Node());
      const Node after_node = parameter_node(p, is).value_or(Node());
      if (p.shape == Shape::springs && same_ends(was, is)) {
        for (std::size_t s = 0; s < is.size() / 3; ++s)
          if (was[3 * s + 2] != is[3 * s + 2])
            settings.push_back({fmt::format("{}[{}].stiffness", path, s), is[3 * s + 2]});
      } else if (p.shape == Shape::form && was[0] == is[0] &&
                 after_node.kind == json::Kind::object) {
        for (const auto& [key, value] : after_node.members) {
          const Node& earlier = *before_node.find(key);
          if (value.kind == json::Kind::array && earlier.items.size() == value.items.size())
            add_list(fmt::format("{}.{}", path, key), earlier, value);
          else if (!same(earlier, value))
            settings.push_back({fmt::format("{}.{}", path, key), value});
        }
      } else if (after_node.kind == json::Kind::array &&
                 before_node.items.size() == after_node.items.size()) {
        add_list(path, before_node, after_node);
      } else {
        settings.push_back({path, after_node});
      }
    }
  };
  const bool other_texts =
      from.definition && to.definition &&
      !same_meanings(from.definition->definition(), to.definition->definition());
  if (from.system != to.system || from.size() != to.size() || other_texts) {
    settings.push_back({"system", system_document(to)});
    Node start = start_document(to.q, to.omega);
    if (to.base) start.set("base", base_document(*to.base));
    settings.push_back({"initial", std::move(start)});
  } else {
    if (!same_kind(from, to))
      add_texts(settings, system_document(from), system_document(to));
    else
      add_values("system", info_of(to).parameters, from.parameters, to.parameters);
    add_columns("initial.q", from.q, to.q);
    if (!info_of(to).first_order) add_columns("initial.omega", from.omega, to.omega);
    if (from.base != to.base)
      settings.push_back({"initial.base", base_document(to.base.value_or(BaseStart{}))});
  }
  const bool other_list = from.lanes.size() != to.lanes.size();
  if (other_list) settings.push_back(lanes_setting(to));
  const auto names_before = default_names(from.lanes), names = default_names(to.lanes);
  for (std::size_t i = 0; i < to.lanes.size() && !other_list; ++i) {
    const LaneSpec &was = from.lanes[i], &is = to.lanes[i];
    const std::string section = to.lanes.size() == 1 ? "integrator" : fmt::format("lanes[{}]", i);
    const bool named_before = was.name != names_before[i], named = is.name != names[i];
    if (named != named_before || (named && is.name != was.name))
      settings.push_back({section + ".name", is.name});
    const std::vector<ParameterInfo>& infos = find_integrator(is.type)->parameters;
    if (was.type != is.type) settings.push_back({section + ".type", is.type});
    if (was.step != is.step) settings.push_back({section + ".step", is.step});
    // The values that are left after a change of the type alone.
    Values kept = was.values;
    if (was.type != is.type) kept.merge(default_values(infos));
    add_values(section, infos, kept, is.values);
  }
  if (from.duration != to.duration) settings.push_back({"duration", to.duration});
  if (from.every != to.every) settings.push_back({"every", Node::whole(base_stride(to))});
  if (from.stop != to.stop) settings.push_back({"stop", to_json(to.stop)});
  return settings;
}

Scenario live_settings(const Scenario& present, Scenario next, bool lanes_wait) {
  const bool other_size = next.size() != present.size();
  if (!can_replace(present, next)) {
    next.system = present.system;
    next.definition = present.definition;
    next.parameters = present.parameters;
  }
  for (const ParameterInfo& p : info_of(next).parameters) {
    const auto before = present.parameters.find(p.key);
    if (before == present.parameters.end()) continue;  // a new one of a definition
    std::vector<double>& wanted = next.parameters.find(p.key)->second;
    const std::vector<double>& now = before->second;
    const bool of_bodies = p.shape == Shape::per_body || p.shape == Shape::points;
    if (!p.live || (other_size && of_bodies) ||
        (p.shape == Shape::springs && !same_ends(wanted, now)))
      wanted = now;
  }
  next.q = present.q;
  next.omega = present.omega;
  next.base = present.base;
  next.every = present.every;
  next.continuation = present.continuation;
  if (lanes_wait || next.lanes.size() != present.lanes.size()) next.lanes = present.lanes;
  return next;
}

bool acts_at_once(const Scenario& present, const std::vector<Setting>& settings) {
  if (std::any_of(settings.begin(), settings.end(),
                  [](const Setting& setting) { return is_of_state(setting.path); }))
    return true;
  Scenario from = present;
  from.continuation.reset();
  const auto next = with_settings(from, settings);
  if (!next) return false;
  const bool lists = std::any_of(settings.begin(), settings.end(), [](const Setting& setting) {
    return setting.path == "lanes" || setting.path == "integrator";
  });
  return !differences(from, live_settings(from, *next, lists && next->lanes != from.lanes)).empty();
}

}  // namespace twosphere
