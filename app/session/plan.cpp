// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/base/exceptions.h"
#include "core/base/excerpt.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/custom/definition_keys.h"
#include "core/language/evaluate.h"
#include "core/scenario/branches.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "core/worker/live_file.h"

namespace twosphere {

using json::Node;
using json::quote;
using json::shortest;

double number(const std::string& text, const char* option, std::string_view unit) {
  return must(evaluate(text, unit), [&](const Error& error) {
    return Error{ErrorKind::usage, option,
                 fmt::format("must be a number, not {}: {}", quote(text), error.message)};
  });
}

std::int64_t count(const std::string& text, const char* option, int bits, int min_value) {
  const double value = number(text, option, "1");
  const bool rounds = bits == std::numeric_limits<double>::digits;  // 2^53 + 1 to 2^53
  if (value != std::floor(value) || value < min_value ||
      value > std::ldexp(1, bits) - (rounds ? 1 : 0))
    throw Failure({ErrorKind::usage, option,
                   fmt::format("must be a whole number from {} to 2^{}{}, not {}", min_value, bits,
                               rounds ? " - 1" : "", quote(text))});
  return static_cast<std::int64_t>(value);
}

void check_output(const PlanOptions& options, const std::string& output, const char* option) {
  namespace fs = std::filesystem;
  if (options.scenario.empty() || options.scenario == "-" || output.empty() || output == "-")
    return;
  std::error_code different;
  if (!fs::equivalent(options.scenario, output, different) || different) return;
  // A device or pipe may be both read and written.
  if (!fs::is_regular_file(output, different)) return;
  throw Failure({ErrorKind::usage, option,
                 fmt::format("{} is the scenario being read; choose another name", quote(output))});
}

namespace {

/// A setting and the option that it comes from.
struct Request {
  std::string option;
  Setting setting;
};

/// The value in an argument of --set. For settings that hold text (a title, a description, a name,
/// a type, a quantity) it is the argument itself, or the string if it is a JSON string; elsewhere
/// `e` is a number. The texts of a definition may also be a JSON list.
Node given(const SettingPath& path, const std::string& text, const Scenario& scenario) {
  const auto of_set = [](const Error& error) {
    return Error{ErrorKind::usage, "--set", error.message};
  };
  static constexpr std::array<std::string_view, 5> texts{"title", "description", "name", "type",
                                                         "quantity"};
  const std::string_view key = path.size() > 0 ? path.key(path.size() - 1) : std::string_view();
  const bool system = path.key() == "system" && !has_parameter(scenario, path.key(1));
  const bool defines = system && is_definition_text(path.key(1));
  const bool order = system && path.key(1) == "dynamics";
  if (!defines && !order && std::find(texts.begin(), texts.end(), key) == texts.end())
    return must(json::parse_value(text), of_set);
  if (auto value = json::parse(text, "");
      value && (value->kind == json::Kind::string || (defines && value->kind == json::Kind::array)))
    return *value;
  return must(json::parse_value(json::write(Node(text))), of_set);
}

/// The settings of --integrator, --step and --set, in this order.
std::vector<Request> requests(const PlanOptions& options, const Scenario& scenario) {
  std::vector<Request> list;
  const auto& methods = options.integrators;
  std::size_t lanes = scenario.lanes.size();
  if (!methods.empty() && methods.size() != lanes) {
    if (scenario.continuation)
      throw Failure(
          {ErrorKind::usage, "--integrator",
           fmt::format(
               "a saved state continues with its own lanes; give this option {} time{}, not {}",
               lanes, lanes == 1 ? "" : "s", methods.size())});
    lanes = methods.size();
  }
  for (Setting& setting : integrator_settings(scenario, methods))
    list.push_back({"--integrator", std::move(setting)});
  if (options.step) {
    const double h = number(*options.step, "--step", "s");
    for (std::size_t i = 0; i < lanes; ++i)
      list.push_back({"--step", {lane_path(i, lanes, "step"), h}});
  }
  if (options.section && options.stroboscopic)
    throw Failure({ErrorKind::usage, "--stroboscopic", "cannot be combined with --section"});
  if (options.section || options.stroboscopic) {
    // The coordinates of the scenario stay.
    PoincareSection section = scenario.section.value_or(PoincareSection{});
    section.expression = options.section.value_or("");
    section.period = options.stroboscopic.value_or("");
    list.push_back(
        {options.section ? "--section" : "--stroboscopic", {"section", to_json(section)}});
  }
  if (options.signal.size() > 2)
    throw Failure({ErrorKind::usage, "--signal",
                   "is given more than twice; it is the real part, then the imaginary part"});
  if (!options.signal.empty()) {
    ComplexSignal signal = scenario.signal.value_or(ComplexSignal{});
    signal.real = options.signal[0];
    signal.imaginary = options.signal.size() > 1 ? options.signal[1] : "";
    list.push_back({"--signal", {"signal", to_json(signal)}});
  }
  for (const std::string& text : options.set) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Failure({ErrorKind::usage, "--set",
                     fmt::format("{} must have the form PATH=VALUE, for example system.masses[0]=2",
                                 quote(text))});
    SettingPath path = text.substr(0, equals);
    Node value = given(path, text.substr(equals + 1), scenario);
    list.push_back({"--set", {std::move(path), std::move(value)}});
  }
  return list;
}

/// Replaces the location of the error of a setting by its option.
Error attribute_error(const Error& error, const std::vector<Request>& list) {
  const SettingPath location = error.location;
  for (auto request = list.rbegin(); request != list.rend(); ++request) {
    if (error.location != request->setting.path.text() && !location.within(request->setting.path))
      continue;
    if (request->option == "--set") return {error.kind, "--set", error.text()};
    return {error.kind, request->option, error.message};
  }
  return list.empty() ? error : Error{error.kind, list.back().option, error.text()};
}

/// That of the branch or, without one, the scenario's own.
Result<Scenario> record_to_run(Scenario scenario, const std::string& branch) {
  if (branch.empty()) return main_record(std::move(scenario));
  auto record = branch_record(scenario, branch);
  if (!record) return Error{record.error().kind, "--branch", record.error().message};
  return record;
}

}  // namespace

Result<PlannedRun> plan_run(const PlanOptions& options, std::vector<std::string>& warnings,
                            std::vector<std::string>& notes) try {
  Scenario opened = must(open_scenario(options.scenario, options.preset, warnings));
  json::Node view = opened.view;
  Scenario scenario = must(record_to_run(std::move(opened), options.branch));
  const std::vector<Request> list = requests(options, scenario);

  // A saved state is changed by events before its first step instead of edits: the energy change of
  // a new parameter is work, and a new step starts a new clock.
  const bool saved = scenario.continuation.has_value();
  RunExtent extent;
  if (options.steps)
    extent.steps = count(*options.steps, "--steps");
  else if (options.duration)
    extent.duration = number(*options.duration, "--duration", "s");
  bool replaced = false;  // whether the duration was replaced
  // The duration of the scenario need not suit the other options if these have one of their own.
  const auto settled = [&](const Scenario& from, std::vector<Setting> settings,
                           std::vector<std::string>* told) {
    auto done = with_settings_at_same_times(from, settings, told);
    if (done) return std::move(*done);
    if (extent.steps || extent.duration) {
      constexpr double min_duration = std::numeric_limits<double>::denorm_min();
      settings.push_back({"duration", extent.duration.value_or(min_duration)});
      auto again = with_settings_at_same_times(from, settings);
      if (again) {
        replaced = true;
        return std::move(*again);
      }
      if (extent.duration && again.error().location == "duration")
        throw Failure({ErrorKind::usage, "--duration", again.error().message});
    }
    throw Failure(attribute_error(done.error(), list));
  };
  std::vector<Setting> edits, changes;
  for (const Request& request : list) {
    const SettingPath& path = request.setting.path;
    if (!path.valid()) return Error{ErrorKind::usage, request.option, path.problem()};
    const std::string_view key = path.key();
    if (key == "branches")
      return Error{ErrorKind::usage, request.option,
                   path.text() + ": branches cannot be changed; --branch selects one"};
    const bool change = saved && (key == "system" || key == "integrator" || key == "lanes");
    if (saved && !change && key != "title" && key != "description" && key != "duration" &&
        key != "every" && key != "stop" && key != "section" && key != "signal" && key != "plots")
      return Error{ErrorKind::usage, request.option,
                   path.text() +
                       ": a saved state continues unchanged; allowed: system.…, integrator.…, "
                       "lanes[i].…, duration, every, stop, section, signal, plots, title, "
                       "description"};
    (change ? changes : edits).push_back(request.setting);
  }
  if (!edits.empty()) scenario = settled(scenario, edits, &warnings);
  Scenario last = changes.empty() ? scenario : settled(scenario, changes, &warnings);
  const double h = grid_step(last.lanes);

  if (replaced)
    scenario.duration = extent.duration.value_or(
        duration_of(extent.steps.value_or(1), last.lanes, scenario.events));
  if (extent.duration) {
    const auto checked = with_setting(last, "duration", *extent.duration);
    if (!checked) return Error{ErrorKind::usage, "--duration", checked.error().message};
  }
  if (options.every) {
    extent.every = count(*options.every, "--every");
    // The strides that events set must follow from it.
    if (stride_changes(last.events))
      if (const auto made = with_setting(last, "every", json::Node::whole(*extent.every)); !made)
        return Error{ErrorKind::usage, "--every", made.error().text()};
  }
  const std::int64_t every = stride_changes(last.events) ? base_stride(last) : scenario.every;
  Scenario planned = with_extent(scenario, std::move(last), !changes.empty(), extent);
  const StepCount expected = count_steps(planned.duration, h);
  if (expected.rounded_up && !options.steps)
    notes.push_back(fmt::format(
        "duration: {} s is not a whole number of steps of {} s: {} step{}, {} s",
        shortest(planned.duration), shortest(h), expected.steps, expected.steps == 1 ? "" : "s",
        shortest(static_cast<double>(expected.steps) * h)));

  // One event for as many settings as possible: the steps of several lanes must be compatible.
  std::vector<Event> first;
  for (const Setting& change : changes) {
    const auto again = [&](const Setting& earlier) { return earlier.path == change.path; };
    if (first.empty() || std::any_of(first.back().set.begin(), first.back().set.end(), again))
      first.push_back({});
    first.back().set.push_back(change);
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    planned.events.insert(planned.events.begin() + static_cast<std::ptrdiff_t>(i), first[i]);
    const auto live = with_settings(planned, {});
    if (live) continue;
    const auto culprit =
        std::find_if(first[i].set.begin(), first[i].set.end(), [&](const Setting& s) {
          return live.error().location.find(s.path.text()) != std::string::npos;
        });
    const Setting& blamed = culprit == first[i].set.end() ? first[i].set.front() : *culprit;
    return Error{ErrorKind::usage, "--set", blamed.path.text() + ": " + live.error().message};
  }
  return PlannedRun{must(Simulation::create(std::move(planned))),
                    extent.steps.value_or(0),
                    extent.steps.has_value(),
                    scenario.duration,
                    every,
                    std::move(view)};
} catch (const Failure& failure) {
  return failure.error();
}

void print_messages(const std::vector<std::string>& messages) {
  for (const std::string& message : messages)
    std::fprintf(stderr, "twosphere: %s\n", printable_lines(message).c_str());
}

int report_error(const Error& error) {
  print_messages({error.text()});
  return static_cast<int>(error.kind);
}

Result<Scenario> open_scenario(const std::string& path, const std::string& preset,
                               std::vector<std::string>& warnings) {
  if (LiveFileReader::is_live_file(path)) {
    const auto file = LiveFileReader::open(path);
    if (!file) return file.error();
    return file->record();
  }
  if (!path.empty()) return load_scenario(path, &warnings);
  auto scenario = load_preset(preset, &warnings);
  if (!scenario && scenario.error().location.empty())
    return Error{scenario.error().kind, "--preset", scenario.error().message};
  return scenario;
}

std::string document_name(const PlanOptions& options) {
  return options.scenario == "-" ? "standard input" : options.scenario;
}

Result<Scenario> open_record(const PlanOptions& options, std::vector<std::string>& warnings) {
  auto scenario = open_scenario(options.scenario, options.preset, warnings);
  if (!scenario) return scenario.error();
  return record_to_run(std::move(*scenario), options.branch);
}

}  // namespace twosphere
