// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/orbits_continue.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/base/signals.h"
#include "app/cli/terminal_line.h"
#include "core/base/atomic_folder.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/scenario/writer.h"
#include "core/studies/orbit_family_record.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/sweep_collect.h"

namespace twosphere {

namespace {

constexpr std::string_view table_file = "orbits.csv", described_file = "orbits.csv.json",
                           netcdf_file = "orbits.nc", record_file = "family.json";

/// Whether a file in a folder is one that this command writes: these, and 0001.json ….
bool is_family_file(std::string_view file) {
  for (const std::string_view one : {table_file, described_file, netcdf_file, record_file})
    if (file == one) return true;
  constexpr std::string_view ending = ".json";
  if (!file.ends_with(ending) || file.size() < 4 + ending.size()) return false;
  file.remove_suffix(ending.size());
  return std::all_of(file.begin(), file.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Everything that does not need the scenario.
FamilyRequest parse_family(const OrbitContinueOptions& options) {
  FamilyRequest request;
  if (!options.over)
    throw misuse("--over",
                 "is missing; it is energy, period, momentum or a setting such as system.gravity");
  if (!options.to) throw misuse("--to", "is missing; it is where the family ends");
  if (options.bifurcate) must(read_branch(*options.bifurcate, request), misuse_of("--bifurcate"));
  read_count(options.count, "--count", 14, request.count, 2);
  return request;
}

Error of_continue_option(Error error) {
  if (error.location.empty()) error.location = "orbits continue";
  return of_options({"over", "to", "bifurcate", "count"})(std::move(error));
}

/// What a folder has of the family; none if it has nothing.
Result<std::optional<KnownFamily>> known_family(const std::string& folder,
                                                const FamilyRequest& request,
                                                const Scenario& scenario) {
  const std::string path = fmt::format("{}/{}", folder, record_file);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::optional<KnownFamily>();
  const auto text = read_file(path, json::max_bytes);
  if (!text) return text.error();
  auto known = read_family_record(*text, path, request, scenario);
  if (!known) return known.error();
  return std::optional(std::move(*known));
}

/// Writes all files of a family.
void write_family(AtomicFolder& folder, const FoundFamily& found, const FamilyRequest& request,
                  const Scenario& scenario) {
  must(folder.write(std::string(table_file), found.csv()));
  must(folder.write(std::string(described_file), found.companion(scenario)));
  must(folder.write(std::string(record_file), write_family_record(found, request, scenario)));
  if (has_netcdf()) must(folder.write(std::string(netcdf_file), must(found.netcdf(scenario))));
  for (std::size_t k = 0; k < found.members.size(); ++k)
    must(folder.write(fmt::format("{:04}.json", k + 1),
                      write_scenario(found.members[k].scenario(scenario))));
  must(folder.commit());
}

}  // namespace

std::vector<SubcommandOption> orbit_continue_options(OrbitContinueOptions& options) {
  return {{"DIR", "", "", &options.folder},
          {"--over",
           "WHAT",
           "energy, period, of relative orbits momentum, or a number of the system, such as "
           "system.lengths[1]; of energy and momentum the other is held, over a number of the "
           "system both are; with damping or forces of the time only a number of the system",
           &options.over,
           {"energy", "period", "momentum", "system.gravity"}},
          {"--to", "X",
           "the value at which the family ends [J, s, J s or the unit of the setting]; an energy "
           "may be rest+X, counted from the nearest stable equilibrium",
           &options.to},
          {"--bifurcate",
           "SIGN",
           "follow the family that branches off at the first bifurcation before X instead: +1, of "
           "about the same period, or -1, of twice the period; where a symmetry lets families "
           "begin in several directions +1:K in that with number K, from 0",
           &options.bifurcate,
           {"+1", "-1"}},
          {"--count", "M", "find at most M orbits; the default is 200", &options.count}};
}

int orbits_continue(RestOptions rest, OrbitContinueOptions options) {
  // With --preset the only argument is the folder.
  if (!rest.preset.empty() && options.folder.empty()) std::swap(options.folder, rest.scenario);
  auto request = parse_family(options);
  if (rest.step || !rest.integrators.empty())
    throw misuse(rest.step ? "--step" : "--integrator",
                 "is not used here; the steps are those of the orbit");
  if (options.folder.empty())
    throw misuse("orbits continue", "needs a folder DIR after the scenario");
  auto resting = plan_rest(rest, "orbits continue", orbit_system);
  request.threads = resting.threads;
  must(read_over(*options.over, resting.scenario, request), of_continue_option);
  must(read_to(*options.to, resting.scenario, request), of_continue_option);
  const auto known =
      must(known_family(options.folder, request, resting.scenario), of_continue_option);
  const Interruptible interruptible(signal_caught());
  auto folder = must(AtomicFolder::open(options.folder, is_family_file));

  TerminalLine progress(true);
  auto followed = continued_family(
      *resting.system, *resting.rest, resting.scenario, request,
      [&](std::size_t members) {
        progress.show(counted(static_cast<std::int64_t>(members), "orbit"));
        return caught_signal() == 0;
      },
      known ? &*known : nullptr);
  progress.clear();
  if (!followed && caught_signal() != 0) return signal_status();
  const FoundFamily found = must(std::move(followed), of_continue_option);
  write_family(folder, found, request, resting.scenario);
  if (!has_netcdf())
    print_messages({fmt::format("{} is not written: there is no netCDF", netcdf_file)});
  if (caught_signal() != 0) return signal_status();
  print(rest.json ? json::write(found.document()) : found.text());
  if (found.reached) return 0;
  throw Failure({ErrorKind::check, "orbits continue",
                 "the family ended before the value asked for, because " + found.end});
}

}  // namespace twosphere
