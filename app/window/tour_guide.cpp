// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/tour_guide.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <variant>

#include "app/base/messages.h"
#include "app/base/qt_text.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"
#include "app/session/replay.h"
#include "core/scenario/run_clock.h"
#include "ui/shell/preset_list.h"
#include "ui/shell/search_index.h"
#include "ui/shell/tour_names.h"

namespace twosphere {

namespace {

using For = TourWait::For;

/// Tells the user how to carry out an action.
std::string prompt(const ui::ActionInfo& action) {
  return action.key.empty() ? fmt::format("Choose {} > {}", action.menu, action.label)
                            : fmt::format("Press {}: {}", action.key, action.label);
}

}  // namespace

TourGuide::TourGuide(LiveRun& run, Viewport& viewport, DocumentController& document,
                     InstructionQueue& instructions, Messages& messages)
    : run_(run),
      viewport_(viewport),
      document_(document),
      instructions_(instructions),
      messages_(messages) {}

void TourGuide::begin(const std::string& name_or_path) {
  auto tour = load_tour(name_or_path, ui::tour_names());
  if (!tour)
    return messages_.show_error(QStringLiteral("The tour was not opened"),
                                to_qstring(tour.error().text()));
  begin(std::move(*tour));
}

void TourGuide::begin(Tour tour) {
  leave();
  const QString preset = to_qstring(tour.preset);
  document_.open_preset(preset, [this, tour = std::move(tour)] {
    tour_ = tour;
    opened_ = document_.session().document().opened;
    visits_.clear();
    enter(0);
  });
}

void TourGuide::do_exercise(const QString& preset, const QString& instruction) {
  const auto refused = [this](const Error& error) {
    messages_.show_error(QStringLiteral("The exercise cannot be done"), to_qstring(error.text()));
  };
  const auto parsed = parse_instruction(instruction.toStdString(), ui::tour_names());
  if (!parsed) return refused(parsed.error());
  const auto start = [this, parsed = *parsed, refused] {
    instructions_.start({parsed}, "", [refused](const Result<void>& done) {
      if (!done) refused(done.error());
    });
  };
  const ui::PresetEntry* const open = ui::preset_of(document_.session().document().opened.get());
  if (open && to_qstring(open->key) == preset) return start();
  document_.open_preset(preset, start);
}

void TourGuide::leave() {
  if (!active()) return;
  instructions_.clear();
  run_.send(PauseAt{});
  tour_.reset();
  card_.reset();
  viewport_.show_tour(nullptr);
}

void TourGuide::call(const ui::TourCall& call) {
  using What = ui::TourCall::What;
  if (call.what == What::begin) return begin(call.name);
  if (!active()) return;
  switch (call.what) {
    case What::begin:
      break;
    case What::leave:
      return leave();
    case What::back:
      return go_back();
    case What::answer:
      return answer(call.option);
    case What::next:
      if (phase_ != Phase::told) return;
      return at_ + 1 < tour_->steps.size() ? enter(at_ + 1) : leave();
  }
}

void TourGuide::enter(std::size_t index) {
  at_ = index;
  visits_.resize(index);
  visits_.push_back({.edits = document_.session().edits_done()});
  open_section_of_ring();
  if (step().ask) {
    phase_ = Phase::asks;
    return show();
  }
  do_instructions();
}

/// A ring in the left column opens the section of its field.
void TourGuide::open_section_of_ring() {
  if (step().ring.empty()) return;
  for (const ui::SearchEntry& entry : ui::search_index(*document_.session().document().settings))
    if (entry.kind == ui::SearchEntry::Kind::field && entry.target == step().ring)
      viewport_.interface().point_at(entry.place, entry.target);
}

void TourGuide::answer(std::size_t option) {
  if (phase_ != Phase::asks || option >= step().ask->options.size()) return;
  visits_.back().chosen = option;
  do_instructions();
}

void TourGuide::do_instructions() {
  phase_ = Phase::does;
  show();
  // Told beforehand, the run pauses there to the step, however seldom a frame is drawn.
  if (step().wait.what == For::time) run_.send(PauseAt{step().wait.time});
  const auto finish = [this](const Result<void>& done) {
    if (done) return;
    // Those before the one that failed, too.
    document_.session().undo_to(visits_.back().edits);
    messages_.show_error(QStringLiteral("A step of the tour cannot be done"),
                         to_qstring(fmt::format("{}, step {} (line {}): {}", tour_->name, at_ + 1,
                                                step().line, done.error().text())));
  };
  instructions_.start(step().instructions, fmt::format("step {} of the tour", at_ + 1), finish);
}

void TourGuide::go_back() {
  if (at_ == 0) return;
  instructions_.clear();
  run_.send(PauseAt{});
  viewport_.replay().show_head();  // where edits are undone
  document_.session().undo_to(visits_[at_].edits);
  visits_.pop_back();
  --at_;
  // The run goes on from its head; what the step says is true of the time that it waited for.
  const auto& end = visits_.back().end;
  if (end && !run_.is_opening() && end->first == run_.snapshot().generation) {
    run_.send(Pause{});
    viewport_.replay().show(end->second);
  }
  phase_ = Phase::told;
  show();
}

void TourGuide::update() {
  if (!active()) return;
  if (document_.session().document().opened != opened_) return leave();
  // Also where an exercise has taken the place of the instructions.
  if (phase_ == Phase::does && !instructions_.busy()) {
    phase_ = Phase::waits;
    by_hand_ = false;
    show();
  }
  if (phase_ == Phase::waits && has_happened()) happen();
}

void TourGuide::happen() {
  if (step().wait.what == For::time) {
    const Snapshot& now = run_.snapshot();
    visits_.back().end = {now.generation, now.steps};
    run_.send(PauseAt{});
  }
  phase_ = Phase::told;
  show();
}

/// Whether what the step waits for has happened, as far as note() does not tell.
bool TourGuide::has_happened() const {
  const Snapshot& now = run_.snapshot();
  if (now.commands < run_.sent() || run_.is_opening()) return false;
  const bool ended = now.state == RunState::failed || now.state == RunState::stopped ||
                     now.state == RunState::finished;
  switch (step().wait.what) {
    case For::enter:
      return true;
    case For::time: {
      const double left = (now.reversed ? -1 : 1) * (step().wait.time - now.t);
      return ended || (now.state != RunState::running &&
                       steps_for(left / grid_step(now.present->lanes)) <= 0);
    }
    case For::way_back:
      return ended || !now.start_distances.empty();
    case For::cloud:
      return ended || (now.cloud && std::isfinite(now.cloud->growth.error));
    case For::drag:
      return by_hand_;
    case For::key:
    case For::check:
      return false;
  }
  return true;
}

void TourGuide::note(ui::Action action) {
  if (active() && phase_ == Phase::waits && step().wait.what == For::key &&
      step().wait.action == ui::info(action).id)
    happen();
}

void TourGuide::note(const Command& command) {
  // Sent inside a frame, which shows the present card still.
  by_hand_ = by_hand_ || std::holds_alternative<DragEdit>(command) ||
             std::holds_alternative<MousePull>(command);
}

void TourGuide::note(const ui::StepCheck& check) {
  if (active() && phase_ == Phase::waits && step().wait.what == For::check && check.done())
    happen();
}

std::string TourGuide::awaited() const {
  if (phase_ == Phase::told || phase_ == Phase::asks) return {};
  switch (step().wait.what) {
    case For::enter:
      return "One moment…";
    case For::time:
      return fmt::format("The run continues to {} s", step().wait.time);
    case For::key: {
      const ui::ActionInfo* const action = ui::find_action(step().wait.action);
      return action ? prompt(*action) : std::string();
    }
    case For::drag:
      return "Hold Ctrl and drag a body in the scene";
    case For::check:
      return prompt(ui::info(ui::Action::check_step));
    case For::cloud:
      return "The cloud is growing";
    case For::way_back:
      return "The run is on its way back";
  }
  return {};
}

void TourGuide::show() {
  ui::TourCard card{.title = tour_->title,
                    .number = static_cast<int>(at_) + 1,
                    .steps = static_cast<int>(tour_->steps.size()),
                    .say = step().say,
                    .awaited = awaited(),
                    .ring = step().ring};
  if (step().ask) {
    const TourQuestion& ask = *step().ask;
    if (phase_ == Phase::asks) {
      card.question = ask.question;
      card.options = ask.options;
    } else if (phase_ == Phase::told) {
      const bool right = visits_.back().chosen == ask.answer;
      card.say =
          fmt::format("{}: {}", right ? "Right" : "No. " + ask.options[ask.answer], ask.because);
    }
  }
  card_ = std::make_shared<const ui::TourCard>(std::move(card));
  viewport_.show_tour(card_);
}

}  // namespace twosphere

#include "moc_tour_guide.cpp"
