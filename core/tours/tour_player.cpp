// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tours/tour_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/language/functions.h"
#include "core/run/cloud.h"
#include "core/scenario/document.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/writer.h"
#include "core/studies/cloud_study.h"

namespace twosphere {

namespace {

using Word = TourInstruction::Word;

// What is done for "drag": a sideways pull of body 0 that adds energy to any preset.
constexpr double pull_time = 0.1;  // [s]

/// What the claims of a tour measure of a lane.
std::vector<SweepMeasure> measures_of(const Tour& tour) {
  std::vector<SweepMeasure> all;
  for (const TourStep& step : tour.steps)
    if (step.ask)
      for (const TourClaim& claim : step.ask->holds)
        for (const ClaimSide* side : {&claim.left, &claim.right})
          if (side->kind == ClaimSide::Kind::measure &&
              std::find(all.begin(), all.end(), side->measure) == all.end())
            all.push_back(side->measure);
  return all;
}

Error refusal(const StepFailure& failure) { return {ErrorKind::numerical, "", failure.message}; }

}  // namespace

Result<Scenario> with_instruction(const Scenario& scenario, const TourInstruction& instruction) {
  if (instruction.word == Word::set) {
    Setting setting = instruction.setting;
    if (setting.path.key() == "integrator" && setting.path.size() > 1 && scenario.lanes.size() > 1)
      setting.path = setting.path.with_first(1, "lanes[0]");
    return with_settings(scenario, {std::move(setting)});
  }
  if (instruction.word != Word::lane) return scenario;
  json::Node lanes = lanes_document(scenario);
  lanes.items.push_back(instruction.lane);
  return with_settings(scenario, {{"lanes", std::move(lanes)}});
}

Result<TourPlayer> TourPlayer::create(Tour tour) {
  auto preset = load_preset(tour.preset);
  if (!preset) return preset.error();
  auto run = Simulation::create(*preset);
  if (!run) return run.error();
  TourPlayer player(std::move(tour), std::move(*preset), std::move(*run));
  if (const auto watched = player.watch(); !watched) return watched.error();
  return player;
}

/// From here on the lanes of the run are measured.
Result<void> TourPlayer::watch() {
  measured_.clear();
  const std::vector<SweepMeasure> measures = measures_of(tour_);
  int vectors = 0;
  for (const SweepMeasure& m : measures) vectors = std::max(vectors, m.vectors());
  if (vectors > 0) run_.follow_where_possible(vectors);
  for (int lane = 0; lane < run_.lane_count(); ++lane) {
    auto made = MeasuredLane::create(measures, run_.present(), lane);
    if (!made) return made.error();
    measured_.push_back(std::make_unique<MeasuredLane>(std::move(*made)));
    run_.observe([m = measured_.back().get()](Simulation& run) { return m->see(run); });
  }
  return {};
}

Result<void> TourPlayer::begin(Scenario scenario) {
  auto run = Simulation::create(std::move(scenario));
  if (!run) return run.error();
  run_ = std::move(*run);
  return watch();
}

Result<std::vector<std::string>> TourPlayer::next() {
  const TourStep& step = tour_.steps[at_++];
  const auto located = [&](Error error) {
    error.location = fmt::format("step {}", at_);
    return error;
  };
  for (const TourInstruction& instruction : step.instructions)
    if (const auto done = carry_out(instruction); !done) return located(done.error());
  if (const auto done = wait_for(step.wait); !done) return located(done.error());
  std::vector<std::string> refuted;
  if (!step.ask) return refuted;
  for (const TourClaim& claim : step.ask->holds) {
    const auto left = value_of(claim.left), right = value_of(claim.right);
    if (!left) return located(left.error());
    if (!right) return located(right.error());
    if (!language::holds(claim.relation, *left, *right))
      refuted.push_back(fmt::format("{} is false: {}, {}", claim.text, *left, *right));
  }
  return refuted;
}

Result<void> TourPlayer::carry_out(const TourInstruction& instruction) {
  switch (instruction.word) {
    case Word::action:
      return act(instruction.action);
    case Word::to:
      return continue_to(instruction.number);
    case Word::set:
    case Word::lane: {
      const auto next = with_instruction(run_.after_rewind(), instruction);
      if (!next) return next.error();
      // The run of other settings at the start is another one, which is measured anew.
      if (run_.edits_start()) return begin(*next);
      return run_.set(differences(run_.after_rewind(), *next));
    }
    case Word::plots:
    case Word::play:
    case Word::pause:
    case Word::pace:
      return {};
  }
  return {};
}

Result<void> TourPlayer::act(std::string_view action) {
  if (action == "rewind") return begin(run_.rewound());
  if (action == "reset_parameters") return run_.set(differences(run_.after_rewind(), preset_));
  if (action == "run_backwards") run_.reverse(true);
  return {};
}

Result<void> TourPlayer::wait_for(const TourWait& wait) {
  using For = TourWait::For;
  switch (wait.what) {
    case For::time:
      return continue_to(wait.time);
    case For::key:
      return act(wait.action);
    case For::drag:
      return pull();
    case For::way_back:
      return come_back();
    case For::enter:
    case For::check:
    case For::cloud:
      return {};
  }
  return {};
}

Result<void> TourPlayer::take_steps(std::int64_t count) {
  const std::int64_t last = run_.steps() + count;
  while (run_.steps() < last)
    if (const auto failed = run_.advance_to(last)) return refusal(*failed);
  return {};
}

/// On to an instant that the run has not passed yet.
Result<void> TourPlayer::continue_to(double time) {
  const std::int64_t count = run_.clock().steps_to(time);
  return count > 0 ? take_steps(count) : Result<void>();
}

Result<void> TourPlayer::come_back() {
  if (!run_.reversed())
    return Error{ErrorKind::usage, "", "the run comes back to its start only after run_backwards"};
  while (run_.start_distances().empty())
    if (const auto failed = run_.advance_to(run_.steps() + 1)) return refusal(*failed);
  return {};
}

Result<void> TourPlayer::pull() {
  const auto steps = std::max<std::int64_t>(1, steps_for(pull_time / run_.grid_step()));
  if (const auto pulled = run_.pull({.body = 0, .force = Vec3(0, 2, 0), .steps = steps}); !pulled)
    return pulled;
  return take_steps(2 * steps);
}

Result<int> TourPlayer::lane_named(const std::string& name) const {
  if (name.empty()) return 0;
  const document::Names known = names_of(run_.present().lanes);
  if (const auto lane = language::position(known, name); lane >= 0) return static_cast<int>(lane);
  return Error{
      ErrorKind::usage, "",
      fmt::format("the run has no lane {}; it has {}", json::quote(name), document::join(known))};
}

Result<double> TourPlayer::value_of(const ClaimSide& side) {
  if (side.kind == ClaimSide::Kind::number) return side.number;
  const auto lane = lane_named(side.lane);
  if (!lane) return lane.error();
  const auto index = static_cast<std::size_t>(*lane);
  if (side.kind == ClaimSide::Kind::start_distance) {
    const std::vector<StartDistance>& all = run_.start_distances();
    return index < all.size() ? all[index].q : std::nan("");
  }
  if (side.kind == ClaimSide::Kind::cloud_rate) {
    auto again = Simulation::create(run_.rewound());
    if (!again) return again.error();
    return run_cloud_study(*again, CloudSpec{}, [] { return true; }).growth.rate;
  }
  MeasuredLane& measured = *measured_[index];
  measured.add_row(run_);
  const std::vector<SweepMeasure>& measures = measured.measures();
  const auto at = std::find(measures.begin(), measures.end(), side.measure) - measures.begin();
  return measured.values(run_)[static_cast<std::size_t>(at)].value;
}

}  // namespace twosphere
