// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/orbits_relative.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "app/base/signals.h"
#include "app/cli/task_progress.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/scenario/writer.h"
#include "core/studies/equilibria_table.h"
#include "core/studies/orbit_problem.h"
#include "core/studies/relative_equilibria.h"

namespace twosphere {

namespace {

constexpr int max_momenta = 10;  // 2^10

/// A, or A:B:N.
std::vector<double> parse_momenta(const std::string& text) {
  constexpr const char* option = "--momentum";
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 1 && parts.size() != 3)
    throw misuse(option, "must be A or A:B:N, such as 10:300:30, not " + json::quote(text));
  const auto first = number(parts[0], option, "J s");
  if (parts.size() == 1) return {first};
  const auto last = number(parts[1], option, "J s");
  const auto values = count(parts[2], option, max_momenta, 2);
  if (first == last)
    throw misuse(option, "must be two different momenta in A:B:N, not " + json::quote(text));
  std::vector<double> momenta;
  for (std::int64_t k = 0; k < values; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(values - 1);
    momenta.push_back(first + part * (last - first));
  }
  return momenta;
}

/// What is held: a rate, or momenta.
struct HeldValues {
  std::optional<double> rate;
  std::vector<double> momenta;
};

HeldValues parse_held(const RelativeOptions& options) {
  HeldValues held;
  if (options.rate && options.momentum)
    throw misuse("--rate", "cannot be combined with --momentum");
  read_number(options.rate, "--rate", "rad/s", held.rate);
  if (options.momentum) held.momenta = parse_momenta(*options.momentum);
  return held;
}

void write_relative(const RelativeEquilibria& found, const EquilibriumSearch& search,
                    RestPlan& plan, std::vector<SavedStart>& saved) {
  std::vector<const RelativeEquilibrium*> all;
  for (const RelativeCurve& curve : found.curves)
    for (const RelativeEquilibrium& one : curve.list) all.push_back(&one);
  for (const SavedStart& one : saved)
    if (one.number >= all.size())
      throw misuse("--save-start",
                   fmt::format("must name one from 0 to {}, not {}", all.size() - 1, one.number));
  if (plan.csv) {
    plan.csv->write(relative_table(found));
    must(plan.csv->commit(relative_companion(plan.scenario, search, found)));
  }
  for (SavedStart& one : saved) {
    one.file.write(write_scenario(scenario_turning(plan.scenario, *all[one.number])));
    must(one.file.commit());
  }
}

}  // namespace

std::vector<SubcommandOption> relative_options(RelativeOptions& options) {
  return {
      {"--about",
       "AXIS",
       "the axis about which all bodies turn: e1, e2 or e3, the default, or, where all rotations "
       "leave the system unchanged, J, along the momentum of the start",
       &options.about,
       {"e1", "e2", "e3", "J"}},
      {"--rate", "RATE", "those that turn at this rate [rad/s]", &options.rate},
      {"--save-start", "K=FILE",
       "write a scenario that begins in relative equilibrium K, counted from 0; may be repeated",
       &options.save_start}};
}

int orbits_relative(const RestOptions& rest, const EquilibriumSearch& search,
                    const RelativeOptions& options) {
  auto held = parse_held(options);
  auto plan = plan_rest(rest, "orbits relative");
  auto starts = open_starts(rest, options.save_start, "--save-start");
  const State start{0, plan.q, plan.omega};
  const std::string name = options.about.value_or("e3");
  const auto about = must(read_turning_axis(name, *plan.rest, start), misuse_of("--about"));
  const TurningSystem turning{plan.system, plan.rest, about.axis};
  must(check_turning(turning));
  if (!held.rate && held.momenta.empty()) {
    held.momenta = {(about.to * orbit_momentum(*plan.system, start))[about.axis]};
    if (held.momenta[0] == 0)
      throw misuse(
          "orbits relative",
          fmt::format("the start has no momentum about {}; give --momentum or --rate", name));
  }

  TerminalLine progress(true);
  const SearchProgress shown = search_progress(progress);
  const Columns q = about.to * plan.q;
  auto searched =
      held.rate
          ? relative_equilibria_of_rate(turning, q, *held.rate, search, plan.threads, shown)
          : relative_equilibria_of_momenta(turning, q, held.momenta, search, plan.threads, shown);
  progress.clear();
  auto found = must(std::move(searched));
  if (!found.complete || caught_signal() != 0) return signal_status();
  if (found.curves.empty())
    throw Failure(
        {ErrorKind::check, "orbits relative",
         fmt::format("no relative equilibrium was found from {} starts; try another momentum or "
                     "rate, more --tries or another --seed",
                     found.starts)});
  about.turn_back(found);
  write_relative(found, search, plan, starts);
  if (rest.json) return print(json::write(to_json(found)));
  return rest.csv == "-" ? 0 : print(relative_text(found));
}

}  // namespace twosphere
