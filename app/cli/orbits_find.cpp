// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/orbits_find.h"

#include <fmt/format.h>

#include <utility>

#include "app/base/signals.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/catalog.h"
#include "core/scenario/writer.h"
#include "core/studies/orbit_search.h"

namespace twosphere {

namespace {

/// The error with the option that it is about.
Error of_find_option(Error error) {
  for (const char* start : {"mode", "start", "return"})
    if (error.location == start) error.location = "from";
  if (error.location == "orbit") error.location = "orbits find";
  return of_options({"from", "at", "relative", "relabel", "period", "energy", "momentum"})(
      std::move(error));
}

/// The start, the period and the steps of a file with an orbit.
void begin_from(const std::string& path, const Scenario& scenario, OrbitRequest& request) {
  std::vector<std::string> warnings;
  const Scenario file = must(open_scenario(path, "", warnings), [](const Error& error) {
    return error.kind == ErrorKind::input_output
               ? misuse("--from", "must be mode:K, start, return, rest or a file: " + error.text())
               : Failure(error);
  });
  print_messages(warnings);
  if (!same_kind(scenario, file) || scenario.size() != file.size())
    throw misuse("--from", json::quote(path) + " has another system");
  request.start = {0, file.q, file.omega};
  request.from = OrbitRequest::From::start;
  take_closed_orbit(file, request);
  if (!request.period) request.period = file.duration;
}

/// Everything that does not need the system.
void parse_find(const RestOptions& rest, const OrbitFindOptions& options, OrbitRequest& request) {
  if (!options.from)
    throw misuse("--from", "is missing; it is mode:K, start, return, rest or a file");
  if (rest.step) throw misuse("--step", "is not used here; --per-period sets the steps");
  if (rest.integrators.size() > 1)
    throw misuse("--integrator", "must be one here: orbits are those of its steps");
  if (options.at) request.at = must(parse_equilibrium_choice(*options.at), of_find_option);
  if (options.period) request.period = read_period(*options.period);
  if (options.energy) {
    const auto energy = must(read_energy(*options.energy), of_find_option);
    request.energy = energy.value;
    request.above_rest = energy.above_rest;
  }
  if (options.momentum && !options.relative)
    throw misuse("--momentum", "needs --relative: only relative orbits hold J");
  read_number(options.momentum, "--momentum", "J s", request.momentum);
  if (options.per_period) {
    constexpr int min_steps = 8;
    const auto steps = count(*options.per_period, "--per-period", 20, min_steps);
    if (steps > max_orbit_steps / 2)
      throw misuse("--per-period",
                   fmt::format("must be at most {}, not {}", max_orbit_steps / 2, steps));
    request.steps = static_cast<int>(steps);
  }
}

}  // namespace

double read_period(const std::string& text) {
  constexpr const char* option = "--period";
  const double period = number(text, option, "s");
  if (!(period > 0)) throw misuse(option, "must be above 0 s, not " + text);
  return period;
}

std::vector<SubcommandOption> orbit_find_options(OrbitFindOptions& options) {
  return {
      {"--from",
       "WHAT",
       "where to begin: mode:K, a small motion in mode K about the stable equilibrium or, with "
       "--relative, about the relative equilibrium that the start is; start, the start itself, "
       "near the period that --period gives or the file of an orbit has; return, the nearest "
       "return of the run over the duration of the scenario; rest, where forces depend on the "
       "time: at rest in the nearest stable equilibrium without them; or a scenario file, whose "
       "duration is the period",
       &options.from,
       {"mode:0", "start", "return", "rest"}},
      {"--at", "WHICH",
       "the equilibrium of mode:K or rest, as for twosphere modes; the default is the nearest "
       "stable one",
       &options.at},
      {"--relative",
       "AXIS",
       "let it close after a rotation about this axis, e1, e2, e3, J or X,Y,Z, of a symmetry",
       &options.relative,
       {"e1", "e2", "e3", "J"}},
      {"--relabel", "LIST",
       "let equal bodies change places: 1,2,0 means that after a third of the period body 0 is "
       "where body 1 began, body 1 where body 2 did, and body 2 where body 0 did; any, with --from "
       "return, looks for the places with which the return is nearest",
       &options.relabel},
      {"--period", "T",
       "the period near which to look [s]; of forces of the time a multiple of theirs, which is "
       "the default",
       &options.period},
      {"--energy", "E",
       "its total energy [J], or rest+E: E above that of the nearest stable equilibrium; the "
       "default is that of the start",
       &options.energy},
      {"--per-period", "N",
       "take N steps in a period; the default is 40 for the fastest motion, at least 120, and more "
       "until the period keeps 11 digits",
       &options.per_period},
      {"--save", "FILE", "write a scenario that runs through one period of it", &options.save}};
}

int orbits_find(const RestOptions& rest, const OrbitFindOptions& options) {
  OrbitRequest request;
  parse_find(rest, options, request);
  auto resting = plan_rest(rest, "orbits find", orbit_system);
  request.start = {0, resting.q, resting.omega};
  request.duration = resting.scenario.duration;
  request.threads = resting.threads;
  if (!must(read_from(*options.from, request), of_find_option))
    begin_from(*options.from, resting.scenario, request);
  if (options.relabel) must(read_relabel(*options.relabel, request), of_find_option);
  if (request.at && request.from != OrbitRequest::From::mode &&
      request.from != OrbitRequest::From::rest)
    throw misuse("--at", "is the equilibrium of --from mode:K, or rest");
  if (options.relative)
    request.closure.axis =
        must(read_axis(*options.relative, *resting.system, request.start), of_find_option);
  if (*options.from == "start" && !request.period) take_closed_orbit(resting.scenario, request);
  const Interruptible interruptible(signal_caught());
  std::optional<AtomicFile> file;
  if (!options.save.empty()) {
    check_output(rest, options.save, "--save");
    file = must(AtomicFile::open(options.save));
  }
  const IntegratorInfo& method = rest.integrators.empty()
                                     ? orbit_method(*resting.system)
                                     : *find_integrator(resting.scenario.lanes.front().type);

  auto searched = search_orbit(*resting.system, *resting.rest, method, request,
                               [] { return caught_signal() == 0; });
  if (caught_signal() != 0) return signal_status();
  const std::optional<FoundOrbit> orbit = must(std::move(searched), of_find_option);
  if (!orbit) return signal_status();
  if (file) {
    file->write(write_scenario(orbit->scenario(resting.scenario)));
    must(file->commit());
  }
  if (rest.json) {
    print_messages(orbit->notes);
    return print(json::write(orbit->document()));
  }
  return print(orbit->text());
}

}  // namespace twosphere
