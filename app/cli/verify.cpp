// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <utility>

#include "app/base/process.h"
#include "app/base/signals.h"
#include "app/cli/subcommand.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

/// The options of `twosphere verify`, as written on the command line.
struct VerifyOptions {
  std::string scenario;  ///< a file, "-" for standard input; empty: the preset
  std::string preset;
  std::string branch;  ///< of the scenario; empty: its own record
  bool all = false;    ///< every preset with every applicable integrator
  std::vector<std::string> integrators;
  std::optional<std::string> steps;
};

using json::Kind;
using json::Node;

constexpr std::int64_t verified_steps = 200;
constexpr std::chrono::milliseconds default_time{100};  // for the first half
constexpr std::size_t max_bytes = std::size_t{1} << 32;

std::string_view line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const std::string_view found = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return found;
}

std::string_view field(std::string_view& row) {
  const auto end = std::min(row.find_first_of(",\r"), row.size());
  const std::string_view found = row.substr(0, end);
  row.remove_prefix(std::min(end + 1, row.size()));
  return found;
}

std::string brief(const Node* node) {
  if (!node) return "nothing";
  if (node->kind == Kind::array) return fmt::format("a list of {}", node->items.size());
  if (node->kind == Kind::object) return "an object";
  std::string text = json::write(*node);
  text.pop_back();  // the line break
  return text;
}

/// The first difference of two values; empty if there is none.
std::string difference(const Node* a, const Node* b, const std::string& path) {
  if (a && b && a->kind == b->kind && a->kind == Kind::array &&
      a->items.size() == b->items.size()) {
    for (std::size_t i = 0; i < a->items.size(); ++i)
      if (auto found = difference(&a->items[i], &b->items[i], fmt::format("{}[{}]", path, i));
          !found.empty())
        return found;
    return {};
  }
  if (a && b && a->kind == Kind::object && b->kind == Kind::object) {
    const std::string prefix = path.empty() ? "" : path + '.';
    for (const auto& [key, value] : a->members)
      if (auto found = difference(&value, b->find(key), prefix + key); !found.empty()) return found;
    for (const auto& [key, value] : b->members)
      if (!a->find(key)) return difference(nullptr, &value, prefix + key);
    return {};
  }
  if (a && b && a->kind == b->kind && json::write(*a) == json::write(*b)) return {};
  return fmt::format("{}: {} and {}", path, brief(a), brief(b));
}

/// The result for one scenario and one integrator.
struct Outcome {
  int status = 0;  ///< exit status: 1 if they differ, else that of a failed run
  std::string text;
};

/// A scenario to be verified, written to a file for its processes.
struct VerifiedFile {
  std::string name, path;
};

/// The scenario without its stop conditions.
Scenario without_stops(Scenario scenario) {
  scenario.stop.clear();
  for (Event& event : scenario.events)
    std::erase_if(event.set, [](const Setting& setting) { return setting.path.key() == "stop"; });
  std::erase_if(scenario.events, [](const Event& event) {
    return event.set.empty() && !event.reverse && !event.pull && !event.add_lane;
  });
  return scenario;
}

/// The default of N: the number of steps that take default_time, or until a signal.
std::int64_t steps_for(Simulation& simulation) {
  const auto until = std::chrono::steady_clock::now() + default_time;
  std::int64_t steps = 0;
  while (steps < verified_steps && (steps == 0 || std::chrono::steady_clock::now() < until)) {
    if (simulation.step()) break;
    ++steps;
  }
  return std::max<std::int64_t>(1, steps);
}

constexpr std::int64_t max_rows = 10000;

/// The smallest divisor of n that gives at most 10 001 rows up to step n.
std::int64_t stride_for(std::int64_t n) {
  std::int64_t stride = (n + max_rows - 1) / max_rows;
  while (n % stride != 0) ++stride;
  return stride;
}

/// The stride of which that of every run is a multiple, because events set it.
std::int64_t stride_of_events(const Scenario& record) {
  if (!stride_changes(record.events)) return 1;
  return stride_through(record, std::numeric_limits<std::int64_t>::max());
}

class Verification {
 public:
  explicit Verification(const TemporaryFolder& folder) : folder_(folder) {}

  /// 2N steps in one process; N steps in a second, and N more in a third. `stride`: of the events.
  Result<Outcome> verdict(const VerifiedFile& subject, const std::vector<std::string>& integrator,
                          std::int64_t n, std::int64_t stride) {
    // Rows are counted from the start of each run.
    const bool same_rows = n % stride == 0;
    const std::int64_t every =
        stride * (same_rows ? stride_for(n / stride) : n / stride / max_rows + 1);
    // The run that saves a state may have different sampling steps.
    const auto half = run("half", subject.path, integrator, n, same_rows ? n : every);
    const auto whole = run("whole", subject.path, integrator, 2 * n, every);
    const auto rest = run("rest", folder_.file("half.json"), {}, n, every);
    using Commands = std::vector<std::vector<std::string>>;
    for (const Commands& commands : {Commands{whole, half}, Commands{rest}}) {
      const auto ends = run_processes(commands);
      if (!ends) return ends.error();
      if (caught_signal() != 0) return Outcome{signal_status(), {}};
      for (const ProcessEnd& end : *ends)
        if (end.status != 0) return failed(end);
    }
    std::string texts[4];
    for (std::size_t i = 0; i < 4; ++i) {
      const char* names[] = {"whole.json", "rest.json", "whole.csv", "rest.csv"};
      auto text = read_file(folder_.file(names[i]), max_bytes);
      if (!text) return text.error();
      texts[i] = std::move(*text);
    }
    if (const auto found = first_difference(texts[0], texts[1]))
      return Outcome{1, fmt::format("the states differ after {} steps: {}", 2 * n, *found)};
    const std::string steps = "2 × " + counted(n, "step");
    if (!same_rows)
      return Outcome{0, fmt::format("{}, no rows, because events set every to {}, which does not "
                                    "divide {}",
                                    steps, stride, n)};
    if (const auto found = first_different_row(texts[2], texts[3], n / every))
      return Outcome{1, fmt::format("the rows differ: {}", *found)};
    return Outcome{0, fmt::format("{}, {} rows", steps, n / every + 1)};
  }

 private:
  std::vector<std::string> run(const std::string& name, const std::string& from,
                               const std::vector<std::string>& integrator, std::int64_t steps,
                               std::int64_t every) const {
    std::vector<std::string> command{"run",          "--quiet",
                                     "--steps",      std::to_string(steps),
                                     "--every",      std::to_string(every),
                                     "--csv",        folder_.file(name + ".csv"),
                                     "--save-state", folder_.file(name + ".json")};
    for (const std::string& id : integrator) command.insert(command.end(), {"--integrator", id});
    command.insert(command.end(), {"--", from});
    return command;
  }

  static Outcome failed(const ProcessEnd& end) {
    // The error comes after the warnings.
    constexpr std::string_view name = "twosphere: ";
    std::string_view rest = end.messages, message;
    do {
      message = line(rest);
      if (message.starts_with(name)) message.remove_prefix(name.size());
    } while (message.starts_with("warning: ") && !rest.empty());
    if (end.status > 128)
      return {1, fmt::format("a run was terminated by signal {}{}{}", end.status - 128,
                             message.empty() ? "" : ": ", message)};
    return {end.status, std::string(message)};
  }

  const TemporaryFolder& folder_;
};

/// Writes each scenario to a file in the folder.
std::vector<VerifiedFile> subjects(const VerifyOptions& options, const TemporaryFolder& folder) {
  std::vector<std::pair<std::string, std::string>> sources;  // path, preset
  if (options.all)
    for (const Preset& preset : presets()) sources.emplace_back("", preset.key);
  else
    sources.emplace_back(options.scenario, options.preset);
  std::vector<VerifiedFile> list;
  for (const auto& [path, preset] : sources) {
    std::vector<std::string> warnings;
    PlanOptions source;
    source.scenario = path;
    source.preset = preset;
    source.branch = options.branch;
    auto opened = open_record(source, warnings);
    print_messages(warnings);
    const Scenario scenario = must(std::move(opened));
    VerifiedFile subject{path.empty()  ? preset
                         : path == "-" ? "standard input"
                                       : path,
                         folder.file(fmt::format("{}.scenario.json", list.size()))};
    if (!options.branch.empty()) subject.name += fmt::format(" ({})", options.branch);
    must(write_file(subject.path, write_scenario(without_stops(scenario))));
    list.push_back(std::move(subject));
  }
  return list;
}

/// The scenario unchanged, or with another integrator.
PlannedRun plan(const VerifiedFile& subject, const std::vector<std::string>& integrator) {
  PlanOptions options;
  options.scenario = subject.path;
  options.integrators = integrator;
  std::vector<std::string> warnings, notes;
  return must(plan_run(options, warnings, notes));
}

/// The pairs to be verified; after a signal not all of them.
struct Pairs {
  struct Pair {
    const VerifiedFile* subject;
    std::vector<std::string> integrator;  ///< one name; empty: that of the scenario
  };
  std::vector<Pair> list;
  int skipped = 0;  ///< pairs of --all that do not exist
};

Pairs pairs(const VerifyOptions& options, const std::vector<VerifiedFile>& subjects) {
  Pairs out;
  std::vector<std::string> ids = options.integrators;
  if (ids.empty() && options.all)
    for (const IntegratorInfo& info : integrators()) ids.emplace_back(info.key);
  for (const VerifiedFile& subject : subjects) {
    const auto as_it_is = plan(subject, {});
    if (ids.empty()) out.list.push_back({&subject, {}});
    for (const std::string& id : ids) {
      if (caught_signal() != 0) return out;
      const IntegratorInfo* info = find_integrator(id);
      const bool applies = !info || info->supports(*as_it_is.simulation.system());
      if (options.all && !applies) {
        ++out.skipped;
        continue;
      }
      plan(subject, {id});
      out.list.push_back({&subject, {id}});
    }
  }
  return out;
}

std::string names(const Simulation& simulation) {
  std::string all;
  for (int i = 0; i < simulation.lane_count(); ++i)
    (all += all.empty() ? "" : "+") += simulation.lane(i).name;
  return all;
}

}  // namespace

std::optional<std::string> first_difference(std::string_view whole, std::string_view parts) {
  if (whole == parts) return {};
  const auto a = json::parse(whole, "whole"), b = json::parse(parts, "parts");
  if (!a) return a.error().text();
  if (!b) return b.error().text();
  const std::string found = difference(&*a, &*b, "");
  return found.empty() ? "the values are equal but written differently" : found;
}

std::optional<std::string> first_different_row(std::string_view whole, std::string_view parts,
                                               std::int64_t more) {
  const std::string_view header = line(whole);
  if (header != line(parts)) return "the header";
  for (std::int64_t i = 0; i < more; ++i) (void)line(whole);
  if (whole == parts) return {};
  std::string_view a, b;
  while (a == b) a = line(whole), b = line(parts);
  const std::string_view time = a.substr(0, a.find(','));
  if (a.empty() || b.empty())
    return fmt::format("one of them ends before time [s] = {}", a.empty() ? field(b) : time);
  for (std::string_view columns = header; !columns.empty();) {
    const std::string_view column = field(columns), x = field(a), y = field(b);
    if (x != y) return fmt::format("{} at time [s] = {}: {} and {}", column, time, x, y);
  }
  return fmt::format("time [s] = {}: the values are equal but written differently", time);
}

namespace {

/// Checks that 2N steps equal N steps, a state file and N more in another process: the state files
/// at the end and the rows of the second half, byte for byte. Writes a line for each scenario and
/// integrator and a summary to standard output. Returns the exit status: 1 if any differ.
int verify_pairs(const VerifyOptions& options, std::optional<std::int64_t> given) {
  const auto folder = must(TemporaryFolder::create());
  const auto scenarios = subjects(options, folder);
  const auto all = pairs(options, scenarios);
  if (caught_signal() != 0) return signal_status();

  Verification verification(folder);
  int status = 0;
  std::size_t exact = 0;
  for (const auto& [subject, integrator] : all.list) {
    auto planned = plan(*subject, integrator);
    const std::int64_t stride = stride_of_events(planned.simulation.record());
    const std::int64_t n =
        given ? *given : (steps_for(planned.simulation) + stride - 1) / stride * stride;
    const auto verdict = verification.verdict(*subject, integrator, n, stride);
    if (caught_signal() != 0) return signal_status();
    const Outcome outcome = must(verdict);
    print(fmt::format("{}: {} {}: {}\n", outcome.status == 0 ? "ok" : "FAILED", subject->name,
                      names(planned.simulation), outcome.text));
    if (outcome.status == 0) ++exact;
    if (status == 0) status = outcome.status;  // that of the first failure
  }
  std::string totals =
      fmt::format("{} of {} restarts are exact in every byte", exact, all.list.size());
  if (options.all)
    totals += fmt::format(
        "; {} combinations of preset and integrator do not apply and were skipped", all.skipped);
  print(totals + '\n');
  return status;
}

int verify(const VerifyOptions& options) {
  const int named = !options.scenario.empty() + !options.preset.empty() + options.all;
  if (named == 0) throw misuse("verify", "needs a scenario file, -, --preset NAME or --all");
  if (named > 1) throw misuse("verify", "takes only one of a scenario, a preset and --all");
  if (options.all && !options.branch.empty())
    throw misuse("--branch", "applies to one scenario, not to --all");
  std::optional<std::int64_t> given;
  read_count(options.steps, "--steps", 52, given);
  watch_signals();  // before there is a folder to leave behind
  const Interruptible interruptible(signal_caught());
  try {
    return verify_pairs(options, given);
  } catch (const Failure&) {
    if (caught_signal() == 0) throw;
    return signal_status();  // what was interrupted
  }
}

}  // namespace

Subcommand verify_subcommand() {
  const auto options = std::make_shared<VerifyOptions>();
  return {
      .name = "verify",
      .summary = "check that a saved state continues a run exactly",
      .options = {{"SCENARIO", "", "", &options->scenario},
                  {"--preset", "NAME", "verify this preset (see twosphere list)", &options->preset,
                   preset_keys()},
                  {"--branch", "NAME",
                   "verify this branch of the scenario (see twosphere list --branches)",
                   &options->branch},
                  {"--all", "", "verify every preset with every integrator that applies to it",
                   &options->all},
                  {"--integrator",
                   "ID",
                   "verify with these integrators (see twosphere list --integrators), separated by "
                   "commas; may be repeated. The default is that of the scenario, or with --all "
                   "every integrator",
                   &options->integrators,
                   integrator_choices(),
                   {},
                   {},
                   true},
                  {"--steps", "N",
                   "compare 2N steps with N and N more; by default N is chosen to take little time "
                   "and is at most 200, or the stride that events set",
                   &options->steps}},
      .run = [options] { return verify(*options); }};
}

}  // namespace twosphere
