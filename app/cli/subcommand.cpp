// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/subcommand.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/base/edit_distance.h"
#include "core/catalog.h"

namespace twosphere {

std::vector<std::string> preset_choices() {
  std::vector<std::string> keys;
  for (const auto& list : {presets(), custom_presets()})
    for (const Preset& preset : list) keys.emplace_back(preset.key);
  return keys;
}

std::vector<std::string> integrator_choices() {
  std::vector<std::string> keys;
  for (const IntegratorInfo& info : integrators()) keys.emplace_back(info.key);
  return keys;
}

std::vector<SubcommandOption> start_options(PlanOptions& plan, const std::string& verb) {
  return {{"SCENARIO", "", "", &plan.scenario},
          {"--preset", "NAME", verb + " this preset (see twosphere list)", &plan.preset,
           preset_choices()},
          {"--branch", "NAME",
           verb + " this branch of the scenario (see twosphere list --branches)", &plan.branch},
          {"--integrator", "ID",
           "use this integrator (see twosphere list --integrators); parameters that it does not "
           "have are dropped; repeat the option to run several integrators from the same start",
           &plan.integrators, integrator_choices()},
          {"--step", "H", "step size [s]", &plan.step}};
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
       "the section is where this expression of the state, such as q[0].e2, passes zero; it rises "
       "unless --set section.direction=falling or both is given",
       &plan.section},
      {"--stroboscopic", "T",
       "the section is every period T [s], which may be an expression of the parameters",
       &plan.stroboscopic},
      {"--points", "FILE",
       "write the points in which the run crosses the section (.csv): time, step, number, "
       "direction, and the coordinates that the scenario names in section.coordinates, or q and "
       "omega of all bodies",
       &points}};
}

SubcommandOption signal_option(PlanOptions& plan) {
  return {"--signal", "EXPR",
          "the signal whose frequencies are measured: an expression of the state; given twice, the "
          "real and the imaginary part; the default is that of the scenario, or q[0].e1 and "
          "q[0].e2",
          &plan.signal};
}

Result<void> check_start(const PlanOptions& plan, const std::string& command) {
  if (plan.scenario.empty() != plan.preset.empty()) return {};
  return misuse(command, plan.preset.empty() ? "needs a scenario file, - or --preset NAME"
                                             : "a scenario and a preset cannot be given together");
}

Result<void> check_uses(std::string_view command, std::string_view kind,
                        std::initializer_list<OptionUse> uses) {
  for (const OptionUse& use : uses)
    if (use.given && std::find(use.kinds.begin(), use.kinds.end(), kind) == use.kinds.end())
      return misuse(use.option,
                    fmt::format("belongs to {0} {1}, not to {0} {2}", command,
                                fmt::join(use.kinds, fmt::format(" and {} ", command)), kind));
  return {};
}

Error misuse(std::string location, std::string message) {
  return {ErrorKind::usage, std::move(location), std::move(message) + " (see twosphere --help)"};
}

int print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return 0;
  return report_error({ErrorKind::input_output, "standard output", "cannot be written"});
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& names) {
  const std::string near = nearest(given, names);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

}  // namespace twosphere
