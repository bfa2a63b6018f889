// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/orbits_continue.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/base/signals.h"
#include "app/cli/terminal_line.h"
#include "core/base/atomic_folder.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/scenario/writer.h"
#include "core/studies/orbit_family_table.h"

namespace twosphere {

namespace {

/// Whether a file in a folder is one that this command writes: orbits.csv, its companion, and
/// 0001.json ….
bool is_family_file(std::string_view file) {
  if (file == "orbits.csv" || file == "orbits.csv.json") return true;
  constexpr std::string_view ending = ".json";
  if (!file.ends_with(ending) || file.size() < 4 + ending.size()) return false;
  file.remove_suffix(ending.size());
  return std::all_of(file.begin(), file.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Result<FamilyRequest> parse_family(const OrbitContinueOptions& options) {
  FamilyRequest request;
  if (!options.over) return misuse("--over", "is missing; it is energy, period or momentum");
  const std::vector<std::string> names{"energy", "period", "momentum"};
  const auto found = std::find(names.begin(), names.end(), *options.over);
  if (found == names.end())
    return misuse("--over", "must be energy, period or momentum, not " +
                                json::quote(*options.over) + did_you_mean(*options.over, names));
  request.over = static_cast<FamilyOver>(found - names.begin());
  if (!options.to) return misuse("--to", "is missing; it is where the family ends");
  if (request.over == FamilyOver::energy) {
    const auto energy = read_energy(*options.to);
    if (!energy) return Error{ErrorKind::usage, "--to", energy.error().message};
    request.to = energy->value;
    request.above_rest = energy->above_rest;
  } else {
    const auto to = number(*options.to, "--to", request.over == FamilyOver::period ? "s" : "J s");
    if (!to) return to.error();
    request.to = *to;
  }
  if (options.bifurcate) {
    if (*options.bifurcate != "+1" && *options.bifurcate != "-1")
      return misuse("--bifurcate", "must be +1 or -1, not " + json::quote(*options.bifurcate));
    request.branch =
        *options.bifurcate == "+1" ? BifurcationKind::branching : BifurcationKind::doubling;
  }
  if (options.count) {
    const auto most = count(*options.count, "--count", 14, 2);
    if (!most) return most.error();
    request.count = static_cast<std::size_t>(*most);
  }
  return request;
}

Error of_continue_option(Error error) {
  if (error.location == "over" || error.location == "to" || error.location == "bifurcate")
    error.location = "--" + error.location;
  if (error.location.empty()) error.location = "orbits continue";
  return error;
}

}  // namespace

std::vector<SubcommandOption> orbit_continue_options(OrbitContinueOptions& options) {
  return {{"DIR", "", "", &options.folder},
          {"--over",
           "WHAT",
           "energy, period or, of relative orbits, momentum; of energy and momentum the other is "
           "held",
           &options.over,
           {"energy", "period", "momentum"}},
          {"--to", "X",
           "the value at which the family ends [J, s or J s]; an energy may be rest+X, counted "
           "from the nearest stable equilibrium",
           &options.to},
          {"--bifurcate",
           "SIGN",
           "follow the family that branches off at the first bifurcation before X instead: +1, of "
           "about the same period, or -1, of twice the period",
           &options.bifurcate,
           {"+1", "-1"}},
          {"--count", "M", "find at most M orbits; the default is 200", &options.count}};
}

int orbits_continue(const RestOptions& rest, const OrbitContinueOptions& options) {
  auto request = parse_family(options);
  if (!request) return report_error(request.error());
  if (rest.step || !rest.integrators.empty())
    return report_error(misuse(rest.step ? "--step" : "--integrator",
                               "is not used here; the steps are those of the orbit"));
  if (options.folder.empty())
    return report_error(misuse("orbits continue", "needs a folder DIR after the scenario"));
  auto resting = plan_rest(rest, "orbits continue");
  if (!resting) return report_error(resting.error());
  request->threads = resting->threads;
  auto folder = AtomicFolder::open(options.folder, is_family_file);
  if (!folder) return report_error(folder.error());

  watch_signals();
  const Interruptible interruptible(signal_caught());
  TerminalLine progress(true);
  const auto found = continued_family(
      *resting->system, *resting->rest, resting->scenario, *request, [&](std::size_t members) {
        progress.show(counted(static_cast<std::int64_t>(members), "orbit"));
        return caught_signal() == 0;
      });
  progress.clear();
  if (!found && caught_signal() != 0) return signal_status();
  if (!found) return report_error(of_continue_option(found.error()));
  Result<void> written = folder->write("orbits.csv", found->csv());
  if (written) written = folder->write("orbits.csv.json", found->companion(resting->scenario));
  for (std::size_t k = 0; written && k < found->members.size(); ++k)
    written = folder->write(fmt::format("{:04}.json", k + 1),
                            write_scenario(found->members[k].scenario(resting->scenario)));
  if (written) written = folder->commit();
  if (!written) return report_error(written.error());
  if (caught_signal() != 0) return signal_status();
  const int status = rest.json ? print(json::write(found->document())) : print(found->text());
  if (status != 0 || found->reached) return status;
  return report_error({ErrorKind::check, "orbits continue",
                       "the family ended before the value asked for, because " + found->end});
}

}  // namespace twosphere
