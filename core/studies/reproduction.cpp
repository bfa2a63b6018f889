// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>
#include <stop_token>

#include "core/base/exceptions.h"
#include "core/run/simulation.h"
#include "core/scenario/run_clock.h"
#include "core/studies/parallel_tasks.h"

namespace twosphere {

namespace {

/// One simulation and its results.
struct Task {
  enum class Kind { rows, longer, member };
  std::size_t run;
  Kind kind;
  int member = 0;

  std::vector<Sample> rows{};
  std::vector<Range> spread{};  // for `duration`: the range of each mean over all final rows
  std::vector<double> means{};  // member
  std::optional<Error> error{};
};

/// Runs the scenario and passes every row to `take`, until the end or a stop request.
std::optional<Error> simulate(Scenario scenario, const std::stop_token& stop,
                              const std::function<void(const Sample&)>& take) {
  const std::string title = scenario.title;
  auto simulation = Simulation::create(std::move(scenario));
  if (!simulation) return simulation.error();
  take(simulation->sample(0));
  while (!simulation->finished() && !stop.stop_requested()) {
    if (const auto failure = simulation->step())
      return Error{ErrorKind::numerical, title, failure->message};
    take(simulation->sample(0));
  }
  return std::nullopt;
}

/// Accumulates the means of a run row by row.
class Means {
 public:
  explicit Means(const PublishedRun& run) : run_(run), sums_(run.means.size()) {}

  void add(const Sample& row) {
    for (std::size_t i = 0; i < sums_.size(); ++i)
      sums_[i].add(std::abs(row[run_.means[i].quantity]));
    ++rows_;
  }
  std::int64_t rows() const { return rows_; }
  std::vector<double> values() const {
    std::vector<double> out;
    for (const CompensatedSum& sum : sums_) out.push_back(sum.value() / static_cast<double>(rows_));
    return out;
  }

 private:
  const PublishedRun& run_;
  std::vector<CompensatedSum> sums_;
  std::int64_t rows_ = 0;
};

void widen(std::vector<Range>& ranges, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (ranges.size() <= i) ranges.push_back({values[i], values[i]});
    ranges[i] = {std::min(ranges[i].low, values[i]), std::max(ranges[i].high, values[i])};
  }
}

void work(Task& task, const PublishedRun& run, const Scenario& scenario,
          const std::stop_token& stop) {
  Means means(run);
  switch (task.kind) {
    case Task::Kind::rows:
      task.error =
          simulate(scenario, stop, [&task](const Sample& row) { task.rows.push_back(row); });
      return;
    case Task::Kind::longer: {
      Scenario longer = scenario;
      longer.duration = run.variation.high;
      const auto first = count_steps(run.variation.low, scenario.lanes[0].step).steps + 1;
      task.error = simulate(std::move(longer), stop, [&](const Sample& row) {
        means.add(row);
        if (means.rows() >= first) widen(task.spread, means.values());
      });
      return;
    }
    case Task::Kind::member:
      task.error = simulate(
          moved_start(scenario, run.variation.low, static_cast<std::uint64_t>(task.member)), stop,
          [&means](const Sample& row) { means.add(row); });
      task.means = means.values();
      return;
  }
}

/// The range of the means over every k-th row and the last one, for k up to `max_stride`, as
/// sampled by `run --every k`.
std::vector<Range> spread_over_rows(const ReproducedRun& run, std::size_t max_stride) {
  std::vector<Range> spread;
  for (std::size_t every = 1; every <= max_stride; ++every) {
    Means means(*run.published);
    for (std::size_t i = 0; i < run.rows.size(); ++i)
      if (i % every == 0 || i + 1 == run.rows.size()) means.add(run.rows[i]);
    widen(spread, means.values());
  }
  return spread;
}

void judge(ReproducedMean& mean, const std::optional<Range>& spread) {
  const PublishedMean& published = *mean.published;
  mean.allowed = spread;
  if (published.rule == AcceptanceRule::open) return;
  const double printed = *published.value();
  double judged = mean.ours;
  switch (published.rule) {
    case AcceptanceRule::digits:
      mean.allowed = Range{printed - published.half_unit(), printed + published.half_unit()};
      break;
    case AcceptanceRule::at_most:
      mean.allowed = Range{0, printed};
      break;
    case AcceptanceRule::spread:
      judged = printed;
      break;
    case AcceptanceRule::open:
      break;
  }
  if (!(judged >= mean.allowed->low && judged <= mean.allowed->high))
    mean.verdict = Verdict::missed;
  else if (published.rule == AcceptanceRule::at_most)
    mean.verdict = Verdict::below;
  else
    mean.verdict = published.inputs == Inputs::fitted ? Verdict::consistent : Verdict::reproduced;
}

}  // namespace

std::string_view word(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::consistent:
      return "consistent";
    case Verdict::below:
      return "below";
    case Verdict::missed:
      return "not reproduced";
    case Verdict::not_compared:
      break;
  }
  return "not compared";
}

std::string_view meaning_of_verdicts() {
  return "Reproduced: from the inputs printed in the paper. Consistent: with inputs chosen to fit, "
         "where the paper prints none or different ones. Below: a rounding error, smaller than the "
         "printed one.";
}

std::string in_words(const Tally& tally) {
  if (tally.compared() == 0)
    return tally.not_compared == 0 ? "not compared: the paper shows only a figure"
                                   : "not compared: the paper does not print the inputs";
  std::string out =
      fmt::format("{} of {} published numbers reproduced", tally.reproduced, tally.compared());
  if (tally.consistent > 0)
    out += fmt::format(", {} consistent with inputs chosen to fit", tally.consistent);
  if (tally.below > 0) out += fmt::format(", {} below (rounding)", tally.below);
  if (tally.missed > 0) out += fmt::format(", {} not reproduced", tally.missed);
  if (tally.not_compared > 0) out += fmt::format("; {} not compared", tally.not_compared);
  return out;
}

Tally tally(const std::vector<ReproducedRun>& runs) {
  Tally count;
  for (const ReproducedRun& run : runs)
    for (const ReproducedMean& mean : run.means) switch (mean.verdict) {
        case Verdict::reproduced:
          ++count.reproduced;
          break;
        case Verdict::consistent:
          ++count.consistent;
          break;
        case Verdict::below:
          ++count.below;
          break;
        case Verdict::missed:
          ++count.missed;
          break;
        case Verdict::not_compared:
          count.not_compared += mean.published->value().has_value();
          break;
      }
  return count;
}

std::string_view ReproducedRun::unit(const ReproducedMean& mean) const {
  const Quantity quantity = mean.published->quantity;
  return quantity == Quantity::energy_error ? label(published->unit) : info(quantity).unit;
}

const ReproducedMean& ReproducedRun::mean(Quantity quantity) const {
  const auto found = std::find_if(means.begin(), means.end(), [quantity](const auto& candidate) {
    return candidate.published->quantity == quantity;
  });
  assert(found != means.end());
  return *found;
}

Scenario moved_start(const Scenario& scenario, double size, std::uint64_t seed) {
  Scenario moved = scenario;
  std::mt19937_64 random(seed);
  const auto move = [&random, size](double& x) {
    constexpr double unit = 1.0 / 9007199254740992;  // 2^-53
    x += size * (2 * static_cast<double>(random() >> 11) * unit - 1);
  };
  for (int i = 0; i < moved.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      move(moved.q(k, i));
      move(moved.omega(k, i));
    }
    const Vec3 q = moved.q.col(i).normalized(), omega = moved.omega.col(i);
    moved.q.col(i) = q;
    moved.omega.col(i) = tangent(q, omega);
  }
  return moved;
}

Range central_band(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t out = values.size() / 40;
  return {values[out], values[values.size() - 1 - out]};
}

Result<std::vector<ReproducedRun>> reproduce(
    const std::vector<const PublishedRun*>& runs, int threads,
    const std::function<bool(std::size_t done, std::size_t all)>& proceed) {
  std::vector<ReproducedRun> out;
  std::vector<Task> tasks;
  for (const PublishedRun* published : runs) {
    auto scenario = published->scenario();
    if (!scenario) return scenario.error();
    const std::size_t run = out.size();
    const double unit = joules(published->unit, *scenario);
    out.push_back({published, std::move(*scenario), unit, {}, {}});
    tasks.push_back({run, Task::Kind::rows});
    if (published->variation.of == SensitivitySweep::Of::duration)
      tasks.push_back({run, Task::Kind::longer});
    if (published->variation.of == SensitivitySweep::Of::start)
      for (int k = 1; k <= published->variation.members; ++k)
        tasks.push_back({run, Task::Kind::member, k});
  }
  const auto work_on = [&](std::size_t k, const std::stop_token& stop) {
    const ReproducedRun& run = out[tasks[k].run];
    try {
      work(tasks[k], *run.published, run.scenario, stop);
    } catch (const std::exception& e) {
      tasks[k].error = from_exception(e);
    }
  };
  if (!parallel_tasks(tasks.size(), threads, work_on, proceed)) return std::vector<ReproducedRun>{};

  std::vector<std::vector<Range>> spreads(out.size());
  std::vector<std::vector<std::vector<double>>> members(out.size());
  for (Task& task : tasks) {
    if (task.error) return *task.error;
    if (task.kind == Task::Kind::rows) out[task.run].rows = std::move(task.rows);
    if (task.kind == Task::Kind::longer) spreads[task.run] = std::move(task.spread);
    if (task.kind == Task::Kind::member) members[task.run].push_back(std::move(task.means));
  }
  for (std::size_t r = 0; r < out.size(); ++r) {
    ReproducedRun& run = out[r];
    const PublishedRun& published = *run.published;
    if (published.variation.of == SensitivitySweep::Of::rows)
      spreads[r] = spread_over_rows(run, static_cast<std::size_t>(published.variation.high));
    Means means(published);
    for (const Sample& row : run.rows) means.add(row);
    const std::vector<double> ours = means.values();
    for (std::size_t i = 0; i < published.means.size(); ++i) {
      const double unit = published.means[i].quantity == Quantity::energy_error ? run.joules : 1;
      std::optional<Range> spread;
      if (!members[r].empty()) {
        std::vector<double> values;
        for (const auto& member : members[r]) values.push_back(member[i] / unit);
        spread = central_band(std::move(values));
      } else if (!spreads[r].empty()) {
        spread = Range{spreads[r][i].low / unit, spreads[r][i].high / unit};
      }
      ReproducedMean mean{&published.means[i], ours[i] / unit, {}, Verdict::not_compared};
      judge(mean, spread);
      run.means.push_back(mean);
    }
  }
  return out;
}

}  // namespace twosphere
