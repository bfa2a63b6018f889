// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "core/run/guard.h"
#include "core/scenario/branches.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/run_clock.h"
#include "core/studies/view_frame.h"
#include "python/watch.h"

namespace twosphere::python {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto look_interval = std::chrono::milliseconds(50);
/// Steps taken in one call of the core.
constexpr std::int64_t together = 64;
/// Steps times bodies that take so long that Ctrl-C has to interrupt them.
constexpr std::int64_t noticeable = 4096;

/// Run::view().
json::Node seen_of(const json::Node& view) {
  json::Node seen;
  for (const char* const key : {"frame", "layer"})
    if (const json::Node* part = view.find(key)) {
      if (seen.kind != json::Kind::object) seen = json::Node::object();
      seen.set(key, *part);
    }
  return seen;
}

[[noreturn]] void raise_failure(const StepFailure& failure) {
  raise({ErrorKind::numerical, "", failure.message});
}

}  // namespace

std::int64_t Goal::end(const Simulation& run) const {
  switch (kind) {
    case Kind::steps:
      return steps;
    case Kind::elapsed: {
      const double left = elapsed - run.elapsed(), h = run.grid_step();
      return left > 1e-9 * h ? run.steps() + count_steps(left, h).steps : run.steps();
    }
    case Kind::planned:
      break;
  }
  return run.planned_steps();
}

Run::Claim::Claim(std::atomic<bool>& busy) : busy_(busy) {
  if (busy.exchange(true))
    raise({ErrorKind::usage, "", "another thread uses this simulation; give each its own"});
}

std::optional<TurningFrame> frame_of(const json::Node& view, const Simulation& run) {
  const auto choice = take(frame_of_view(view));
  if (!choice) return {};
  const auto found = computed_to_end([&](const Watch&) {
    const py::gil_scoped_release others;
    return turning_frame(*choice, run.record(), *run.system());
  });
  if (found) return *found;
  warn({"view.frame: " + found.error().message + "; the view does not turn"});
  return {};
}

std::optional<LatticeLayer> layer_of(const json::Node& view, const Simulation& run) {
  const auto layer = take(layer_of_view(view));
  if (layer)
    if (const std::string missing = missing_layer(*layer, *run.system()); !missing.empty())
      warn({missing});
  return layer;
}

Run::Run(const Scenario& scenario)
    : simulation_(take_called([&] { return Simulation::create(main_record(scenario)); })),
      view_(seen_of(scenario.view)) {}

std::int64_t Run::step(std::int64_t count) {
  std::int64_t taken = 0;
  const auto failed = change([&](Simulation& run) -> std::optional<StepFailure> {
    const std::int64_t before = run.steps(), last = before + count;
    const bool brief = count <= noticeable / run.system()->size();
    std::optional<Watch> watch;
    if (!brief) watch.emplace();
    const py::gil_scoped_release release;
    std::optional<StepFailure> failure;
    do {
      failure = run.advance_to(brief ? last : std::min(last, run.steps() + together));
      if (watch && watch->interrupted() && !Calls::any()) {
        const py::gil_scoped_acquire acquire;
        watch->check();
        failure.reset();
      }
    } while (!failure && !Calls::any() && run.steps() < last && !run.stopped());
    taken = run.steps() - before;
    return failure;
  });
  if (failed) raise_failure(*failed);
  return taken;
}

void Run::go(const Goal& goal, bool states, bool plots) {
  const auto failed = change([&](Simulation& run) {
    recording_ = std::make_shared<Recording>(run, view_, states, plots);
    Recording& rows = *recording_;
    Watch watch;
    const py::gil_scoped_release release;
    std::optional<StepFailure> failure;
    const auto finish = [&] {
      if (!rows.has(run.steps())) {
        rows.add_present(run);
        run.check_at_end();
      }
      rows.close(run);
    };
    auto looked = Clock::now();
    rows.add_present(run);
    try {
      while (!failure && run.steps() < goal.end(run) && !run.stopped()) {
        failure =
            run.advance_rows(std::min(goal.end(run), (run.steps() / together + 1) * together));
        if (!failure && run.at_sample()) rows.add(run);
        if (Calls::any()) break;
        if (const auto now = Clock::now(); watch.interrupted() || now - looked > look_interval) {
          looked = now;
          const py::gil_scoped_acquire acquire;
          watch.check();
          if (failure && failure->interrupted()) failure.reset();
        }
      }
    } catch (...) {
      finish();
      throw;
    }
    finish();
    return failure;
  });
  tell_warnings();
  if (failed) raise_failure(*failed);
}

Result<void> Run::set(const std::vector<Setting>& settings) {
  return change([&](Simulation& run) -> Result<void> {
    const bool restarts = run.edits_start();
    if (auto done = run.set(settings); !done || !restarts) return done;
    if (signal_) {
      signal_.reset();
      signals_.clear();
      sample(run, signal_of(run, real_, imaginary_));
    }
    return exponents_ > 0 ? run.follow_exponents(exponents_) : Result<void>();
  });
}

Result<void> Run::follow_exponents(int count) {
  return change([&](Simulation& run) {
    auto done = run.follow_exponents(count);
    if (done) exponents_ = count;
    return done;
  });
}

void Run::follow_signal(const std::string& real, const std::string& imaginary) {
  use([&](Simulation& run) {
    SignalSamples signal = signal_of(run, real, imaginary);
    real_ = real;
    imaginary_ = imaginary;
    sample(run, std::move(signal));
  });
}

SignalSamples Run::signal_of(const Simulation& run, const std::string& real,
                             const std::string& imaginary) {
  ComplexSignal signal = run.record().signal.value_or(ComplexSignal{});
  if (!real.empty()) {
    signal.real = real;
    signal.imaginary = imaginary;
  }
  return take(SignalSamples::create(signal, run.present()));
}

void Run::sample(Simulation& run, SignalSamples signal) {
  signal_ = std::move(signal);
  signals_.clear();
  run.unobserve(observer_);
  observer_ = run.observe([this](Simulation& at) {
    signals_.resize(static_cast<std::size_t>(at.lane_count()), *signal_);
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < at.lane_count(); ++i)
      next = std::min(next, signals_[static_cast<std::size_t>(i)].see(at, i));
    return next;
  });
}

const SignalSamples* Run::signal(int lane) const {
  const auto index = static_cast<std::size_t>(lane);
  return index < signals_.size() ? &signals_[index] : nullptr;
}

void Run::tell_warnings() {
  warn(use([&](Simulation& run) {
    std::vector<std::string> texts;
    for (const auto& all = run.warnings(); told_ < all.size(); ++told_)
      texts.push_back(fmt::format("{}: {}", run.lane(all[told_].lane).name, describe(all[told_])));
    return texts;
  }));
}

py::array_t<double> Run::shown(std::vector<Held>& all, int lane,
                               const Columns& (*part)(Simulation&, int)) {
  return use([&](Simulation& run) {
    all.resize(static_cast<std::size_t>(run.lane_count()));
    Held& held = all[static_cast<std::size_t>(lane)];
    if (held.version != version_) held = {version_, frozen(part(run, lane))};
    return held.array;
  });
}

py::array_t<double> Run::q(int lane) {
  return shown(q_, lane,
               [](Simulation& run, int i) -> const Columns& { return run.lane(i).state.q; });
}

py::array_t<double> Run::omega(int lane) {
  return shown(omega_, lane,
               [](Simulation& run, int i) -> const Columns& { return run.state(i).w; });
}

py::object Run::base(int lane) {
  const auto base = use([&](Simulation& run) { return base_of(run.state(lane), *run.system()); });
  if (!base) return py::none();
  const auto array = [](const Vec3& v) { return frozen(Columns(v)).attr("reshape")(3); };
  return py::make_tuple(array(base->position), array(base->velocity));
}

}  // namespace twosphere::python
