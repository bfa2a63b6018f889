// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/subcommand.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/base/signals.h"
#include "core/base/edit_distance.h"
#include "core/base/excerpt.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/scenario/poincare_section.h"
#include "core/scenario/section_surface.h"

namespace twosphere {

namespace {

constexpr std::string_view usage_begin = "Usage: ", usage_next = "   or: ",
                           examples_begin = "\nExamples:\n";

/// The command whose help errors refer to.
std::string& help_command() {
  static std::string command = "twosphere";
  return command;
}

bool is_given(const SubcommandOption& option) {
  return std::visit(
      [](const auto* target) {
        if constexpr (requires { target->has_value(); })
          return target->has_value();
        else if constexpr (requires { target->empty(); })
          return !target->empty();
        else
          return *target;
      },
      option.target);
}

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return out;
}

}  // namespace

std::string help_usage(const Subcommand& command) {
  if (command.forms.empty()) return command.usage;
  std::string out;
  for (const Subcommand& form : command.forms)
    for (const std::string& line : split(form.usage, '\n')) {
      if (line.starts_with(usage_begin) || line.starts_with(usage_next))
        out += std::string(out.empty() ? usage_begin : usage_next) +
               line.substr(usage_begin.size()) + '\n';
      else if (line.starts_with(' '))
        out += line + '\n';
    }
  return out + command.usage;
}

std::string help_notes(const Subcommand& command) {
  std::string remarks, commands;
  const auto add = [&](const std::string& notes) {
    const std::size_t at = std::min(notes.find(examples_begin), notes.size());
    remarks += notes.substr(0, at);
    if (at < notes.size()) commands += notes.substr(at + examples_begin.size());
  };
  add(command.notes);
  for (const Subcommand& form : command.forms) add(form.notes);
  return remarks + (commands.empty() ? "" : std::string(examples_begin) + commands);
}

std::vector<OptionGroup> option_groups(const Subcommand& command, const Subcommand* form) {
  std::vector<OptionGroup> groups{{"Options", {}}};
  for (const SubcommandOption& option : command.options) {
    if (!option.name.starts_with("-")) continue;
    const std::vector<std::string>& forms = option.forms;
    if (form && !forms.empty() && std::find(forms.begin(), forms.end(), form->name) == forms.end())
      continue;
    const std::string heading =
        form || forms.empty() ? groups[0].heading : "Options of " + listed(forms);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const OptionGroup& g) { return g.heading == heading; });
    if (group == groups.end()) group = groups.insert(group, {heading, {}});
    group->options.push_back(option);
  }
  return groups;
}

void append(std::vector<SubcommandOption>& list, std::vector<SubcommandOption> options,
            const std::vector<std::string>& forms) {
  for (SubcommandOption& option : options) {
    option.forms = forms;
    list.push_back(std::move(option));
  }
}

SubcommandOption form_argument(std::string& chosen, const std::vector<Subcommand>& forms) {
  return {"COMMAND", "", "", &chosen, texts_of(forms, &Subcommand::name)};
}

std::vector<std::string> integrator_choices() {
  return texts_of(integrators(), &IntegratorInfo::key);
}

std::vector<SubcommandOption> start_options(PlanOptions& plan, const std::string& verb) {
  return {
      {"SCENARIO", "", "", &plan.scenario},
      {"--preset", "NAME", verb + " this preset (see twosphere list)", &plan.preset, preset_keys()},
      {"--branch", "NAME", verb + " this branch of the scenario (see twosphere list --branches)",
       &plan.branch},
      {"--integrator",
       "ID",
       "use this integrator (see twosphere list --integrators), or several, separated by commas or "
       "with the option repeated, from the same start; parameters that it does not have are "
       "dropped",
       &plan.integrators,
       integrator_choices(),
       {},
       {},
       true},
      {"--step", "H", "step size [s]; events keep their times, which it must divide", &plan.step}};
}

SubcommandOption set_option(PlanOptions& plan) {
  return {"--set", "PATH=VALUE",
          "change a value of the scenario, for example system.masses[0]=2; may be repeated, and is "
          "applied after --integrator and --step. VALUE is read as JSON, else as a "
          "string; a number may be an expression such as 9.81/2 or 20 cm. Settings that hold text, "
          "such as title, take VALUE as it is",
          &plan.set};
}

std::vector<SubcommandOption> section_options(PlanOptions& plan, std::string& points) {
  return {
      {"--section", "EXPR",
       "record points where this expression of the state, such as q[0].e2, passes zero while "
       "rising; for the others set section.direction to falling or both; the default is the "
       "section of the scenario, else one that its orbits are likely to cross",
       &plan.section},
      {"--stroboscopic", "T",
       "record the state once every period T [s], which may be an expression of the parameters",
       &plan.stroboscopic},
      {"--points", "FILE",
       "write the points in which the run crosses the section (.csv): time, step, number, "
       "direction, and the coordinates that the scenario names in section.coordinates, or q and "
       "omega of all bodies",
       &points}};
}

PoincareSection section_or_default(const Scenario& scenario, bool quiet) {
  if (scenario.section) return *scenario.section;
  PoincareSection section = default_section(scenario);
  if (!quiet)
    print_messages(
        {fmt::format("section: {} = 0, {}, because none is given; --section or the key "
                     "section of the scenario sets another",
                     section.expression, section.direction_name())});
  return section;
}

SubcommandOption signal_option(PlanOptions& plan) {
  return {"--signal", "EXPR",
          "the signal whose frequencies are measured: an expression of the state; given twice, the "
          "real and the imaginary part; the default is that of the scenario, or q[0].e1 and "
          "q[0].e2",
          &plan.signal};
}

SubcommandOption wall_time_option(std::optional<std::string>& seconds) {
  return {"--wall-time", "SECONDS",
          "end after this time as on SIGTERM, but with exit status 0 and the line stopped: wall "
          "time",
          &seconds};
}

void begin_wall_time(const std::optional<std::string>& seconds) {
  if (!seconds) return;
  const auto given = number(*seconds, "--wall-time", "s");
  if (!(given > 0)) throw misuse("--wall-time", "must be above 0 s, not " + *seconds);
  set_wall_time(given);
}

PlannedRun planned_run(const PlanOptions& plan, bool with_notes) {
  std::vector<std::string> warnings, notes;
  auto planned = plan_run(plan, warnings, notes);
  if (with_notes) warnings.insert(warnings.end(), notes.begin(), notes.end());
  print_messages(warnings);
  return must(std::move(planned));
}

void check_start(const PlanOptions& plan, const std::string& command) {
  if (plan.scenario.empty() != plan.preset.empty()) return;
  throw misuse(command, plan.preset.empty() ? "needs a scenario file, - or --preset NAME"
                                            : "a scenario and a preset cannot be given together");
}

const Subcommand& chosen_form(const Subcommand& command, const std::string& name) {
  const auto form =
      std::ranges::find_if(command.forms, [&](const Subcommand& f) { return f.name == name; });
  const std::vector<std::string> names = texts_of(command.forms, &Subcommand::name);
  if (name.empty())
    throw misuse(command.name, fmt::format("one of these is missing: {}", fmt::join(names, ", ")));
  if (form == command.forms.end())
    throw misuse(command.name, fmt::format("{} is none of {}{}", json::quote(name),
                                           fmt::join(names, ", "), did_you_mean(name, names)));
  for (const SubcommandOption& option : command.options) {
    const std::vector<std::string>& forms = option.forms;
    if (forms.empty() || !is_given(option) ||
        std::find(forms.begin(), forms.end(), name) != forms.end())
      continue;
    throw misuse(option.name,
                 fmt::format("belongs to {0} {1}, not to {0} {2}", command.name,
                             fmt::join(forms, fmt::format(" and {} ", command.name)), name));
  }
  return *form;
}

Failure misuse(std::string location, std::string message) {
  return Failure({ErrorKind::usage, std::move(location),
                  fmt::format("{} (see {} --help)", message, help_command())});
}

void refer_to_help_of(const std::string& command) {
  help_command() = command.empty() ? "twosphere" : "twosphere " + command;
}

int print(const std::string& text) {
  std::fputs(printable_lines(text).c_str(), stdout);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return 0;
  throw Failure({ErrorKind::input_output, "standard output", "cannot be written"});
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& names) {
  const std::string near = nearest(given, names);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

}  // namespace twosphere
