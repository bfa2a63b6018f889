// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/signal_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace twosphere {

namespace {

/// Whether a setting changes the motion of a lane.
bool changes_motion(const SettingPath& path, int lane) {
  constexpr std::array<std::string_view, 3> of_the_plan{"duration", "every", "stop"};
  const std::string_view key = path.key();
  if (std::find(of_the_plan.begin(), of_the_plan.end(), key) != of_the_plan.end()) return false;
  if (key == "integrator") return path.key(1) != "name";
  if (path.lane()) return *path.lane() == static_cast<std::size_t>(lane) && path.key(2) != "name";
  return true;
}

/// The step after which an event no longer changes the motion of a lane; none if it never does.
std::optional<std::int64_t> last_change(const Event& event, int lane, const Timetable& times) {
  if (event.pull) return event.step + event.pull->steps;
  const bool changes = event.reverse || std::any_of(event.set.begin(), event.set.end(),
                                                    [lane](const Setting& setting) {
                                                      return changes_motion(setting.path, lane);
                                                    });
  // Another lane may have changed the step of the run.
  const bool other_step =
      event.step > 0 && times.signed_step(event.step) != times.signed_step(event.step - 1);
  return changes || other_step ? std::optional(event.step) : std::nullopt;
}

/// Equally spaced samples of a run.
struct SampleRange {
  IndexRange values;  ///< value k belongs to sample k·stride
  double interval = 0;
  bool after_change = false, shortened = false;
};

/// `first`: the first sample that has a value.
SampleRange sample_range(const History& history, int lane, const Scenario& record,
                         std::size_t first, std::size_t stride, std::size_t count, double low,
                         double high) {
  SampleRange found;
  const auto legs = history.between(low, high);
  if (legs.empty()) return found;
  const std::size_t last = legs.back().last;
  const auto in_values = [&](std::size_t sample) {
    return std::min(count, (sample + stride - 1) / stride);
  };
  const Timetable times(record);
  const std::int64_t last_step = std::llround(history.steps()[last - 1]);
  const std::size_t begin = std::max(first, legs.back().first);
  const std::size_t from = std::max(
      begin, history.steps().lower_bound(
                 static_cast<double>(first_step_of_motion(record, times, lane, last_step))));
  found.values = {in_values(from), in_values(last)};
  found.after_change = in_values(from) > in_values(begin);
  if (found.values.first >= found.values.last) return found;
  if (found.values.size() > max_signal_rows) {
    found.values.first = found.values.last - max_signal_rows;
    found.shortened = true;
  }
  const auto step = [&](std::size_t value) { return history.steps()[value * stride]; };
  if (found.values.size() > 1) {
    const double apart = step(found.values.last - 1) - step(found.values.last - 2);
    // Rows before a change of the stride may be missing.
    std::vector<double> steps(
        history.steps().values(found.values.first * stride, (found.values.last - 1) * stride + 1));
    std::size_t k = found.values.last - 1;
    const auto at = [&](std::size_t value) { return steps[(value - found.values.first) * stride]; };
    while (k > found.values.first && at(k) - at(k - 1) == apart) --k;
    found.values.first = k;
    found.interval = apart * times.signed_step(std::llround(at(k)));
  }
  return found;
}

/// max_i |ω_i| in states among these samples, evenly spread [rad/s].
double fastest_turn(const History& history, IndexRange samples) {
  constexpr std::size_t max_states = 4096, max_bodies = std::size_t{1} << 18;
  if (history.state_count() == 0 || samples.size() == 0) return 0;
  const auto bodies = static_cast<std::size_t>(history.state_at(samples.last - 1).q.cols());
  const std::size_t count = std::clamp<std::size_t>(max_bodies / bodies, 1, max_states);
  const std::size_t apart = std::max(samples.size() / count, history.state_stride().stride());
  double turn = 0;
  for (std::size_t k = samples.first; k < samples.last; k += apart)
    turn = std::max(turn, history.state_at(k).w.colwise().norm().maxCoeff());
  return turn;
}

}  // namespace

std::int64_t first_step_of_motion(const Scenario& record, const Timetable& times, int lane,
                                  std::int64_t last) {
  std::int64_t first = 0;
  for (const Event& event : record.events) {
    if (event.step >= last) break;
    // During a pull the motion before it is of no use either.
    if (const auto change = last_change(event, lane, times))
      first = std::max(first, (*change < last ? *change : event.step) + 1);
  }
  return first;
}

SignalRows signal_rows(const History& history, int lane, const Scenario& record,
                       const Signal& signal, double low, double high) {
  const SignalView view = history.view(signal);
  const SampleRange part = sample_range(history, lane, record, history.first(signal), view.stride,
                                        view.values->size(), low, high);
  SignalRows rows;
  rows.interval = part.interval;
  rows.after_change = part.after_change;
  rows.shortened = part.shortened;
  if (part.values.size() == 0) return rows;
  for (const double value : view.values->values(part.values.first, part.values.last))
    rows.samples.emplace_back(value, 0);
  rows.from = (*view.times)[part.values.first];
  rows.to = (*view.times)[part.values.last - 1];
  rows.turn = fastest_turn(
      history, {part.values.first * view.stride, (part.values.last - 1) * view.stride + 1});
  return rows;
}

Result<SignalLines> signal_lines(const SignalRows& rows, bool real, int count, int window) {
  auto lines = real ? find_real_lines(rows.samples, rows.interval, count, window)
                    : find_lines(rows.samples, rows.interval, count, window);
  if (!lines) return lines.error();
  return SignalLines{std::move(*lines), frequency_diffusion(rows.samples, rows.interval, window)};
}

}  // namespace twosphere
