// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/session.h"

#include <fmt/format.h>

#include <utility>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/scenario/branches.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/state_edit.h"
#include "core/scenario/timetable.h"
#include "core/scenario/writer.h"
#include "ui/plots/ready_plots.h"

namespace twosphere {

namespace {

constexpr const char* rewind_label = "rewinding with changed settings";
std::shared_ptr<const Scenario> shared(Scenario scenario) {
  return std::make_shared<const Scenario>(std::move(scenario));
}

std::shared_ptr<const Scenario> without_events(Scenario scenario) {
  scenario.events.clear();
  return shared(main_record(std::move(scenario)));
}

Document fresh_document(Scenario scenario, std::string path) {
  Document document;
  document.start = shared(std::move(scenario));
  document.opened = document.settings = without_events(*document.start);
  document.path = std::move(path);
  document.with_view = document.start->view.kind != json::Kind::null;
  return document;
}

/// No file has what it contains.
void make_unsaved(Document& document) {
  document.edited = true;
  document.saved = std::make_shared<const Scenario>();
}

/// "moving body 2", "turning body 2 and 3 more".
std::string describe_gesture(const Change& change, std::size_t body) {
  std::size_t directions = 0;
  for (const Setting& setting : change.settings) directions += setting.path.key(1) == "q";
  if (directions == 0) return fmt::format("angular velocity of body {}", body + 1);
  if (directions == 1) return fmt::format("moving body {}", body + 1);
  return fmt::format("turning body {} and {} more", body + 1, directions - 1);
}

std::string describe_gesture(const DragEdit& drag, const System& system) {
  if (!drag.q) return fmt::format("angular velocity of body {}", drag.body + 1);
  int hanging = 0;
  for (int body = 0; drag.below && body < system.size(); ++body)
    hanging += body != drag.body && system.lever(body, drag.body) != 0;
  if (hanging == 0) return fmt::format("moving body {}", drag.body + 1);
  return fmt::format("turning body {} and {} more", drag.body + 1, hanging);
}

/// What a menu calls an edit; empty without one.
std::string label_of(const EditHistory::Edit* edit) {
  if (!edit) return {};
  return edit->group ? *edit->group : edit->label;
}

/// Names an edit that returns to its beginning: "control torque, and back".
std::string describe_excursion(const SettingPath& path) {
  const std::string_view key = path.key(1);
  if (path.key() == "system")
    for (const SystemInfo& system : systems())
      for (const ParameterInfo& p : system.parameters)
        if (p.key == key) return fmt::format("{}, and back", p.label);
  return fmt::format("{}, and back", path.text());
}

}  // namespace

Session::Session(LiveRun& run, ui::Interface& interface, std::string path)
    : run_(run), interface_(interface) {
  now_.document = fresh_document(*run_.snapshot().loaded, std::move(path));
  now_.layout = layout_for(now_.document);
  follow_run();
  connect(&run_, &LiveRun::forked, this, &Session::follow_fork);
  connect(&run_, &LiveRun::rewinding, this, &Session::follow_rewind);
  connect(&run_, &LiveRun::opened, this, &Session::follow_opening);
}

void Session::open(Scenario scenario, std::string path, bool written) {
  Document document = fresh_document(std::move(scenario), std::move(path));
  if (written) make_unsaved(document);
  start(std::move(document));
}

void Session::follow(Scenario scenario, std::string live_file) {
  Document document = fresh_document(std::move(scenario), {});
  document.live_file = std::move(live_file);
  start(std::move(document));
}

void Session::detach() {
  run_.detach();
  now_.document.live_file.clear();
  Q_EMIT redraw_requested();
  Q_EMIT changed();
}

void Session::reopen(const SavedSession& saved) {
  Document document = fresh_document(saved.record, saved.path);
  document.opened = shared(saved.opened);
  document.with_view = false;
  if (saved.edited) make_unsaved(document);
  start(std::move(document));
  reopened_ = Reopened{saved.edits, saved.reference_run};
  now_.layout.reference_lane = interface_.settings().reference_lane = saved.reference_lane;
  now_.layout.frame = interface_.settings().frame = saved.frame;
  now_.layout.layer = interface_.settings().layer = saved.layer;
  Q_EMIT redraw_requested();
}

void Session::start(Document document) {
  close_edit();
  opens_ = true;
  reopened_.reset();
  load(document);
  modified_ = document.edited;
  std::string label = "opening " + document.opened->title;
  ui::Settings layout = layout_for(document);
  record(std::move(label), {std::move(document), std::move(layout)});
}

// Each preset or system has its own plots, and each document its own frame and layer.
ui::Settings Session::layout_for(const Document& document) {
  ui::Settings& layout = interface_.settings();
  ui::restore_plots(layout, *document.opened);
  layout.frame.reset();
  layout.layer.reset();
  return layout;
}

void Session::undo() { go_through_history(true); }
void Session::redo() { go_through_history(false); }

void Session::go_through_history(bool back) {
  close_edit();
  going_to_ = history_.next_position(back);
  // The rest of a group waits for the run that its first edit leads to.
  if (!go_on_in_history() || !run_.is_opening()) going_to_.reset();
}

void Session::undo_to(std::size_t position) {
  close_edit();
  if (history_.position() <= position) return;
  going_to_ = position;
  (void)go_on_in_history();
}

/// Takes edits back, or makes them again, up to going_to_. An edit that leads to another run is the
/// last until that run has begun. Returns whether there was one.
bool Session::go_on_in_history() {
  bool moved = false;
  while (going_to_ && history_.position() != *going_to_ && !(moved && run_.is_opening())) {
    const bool back = history_.position() > *going_to_;
    const EditHistory::Edit* edit = back ? history_.next_undo() : history_.next_redo();
    if (!edit || !carry_out(*edit, back)) break;
    back ? history_.undo() : history_.redo();
    moved = true;
  }
  if (going_to_ && history_.position() == *going_to_) going_to_.reset();
  if (!moved) return false;
  Q_EMIT edited();
  Q_EMIT changed();
  return true;
}

void Session::begin_group(std::string label) {
  close_edit();
  group_ = std::make_shared<const std::string>(std::move(label));
}

void Session::end_group() {
  close_edit();
  group_.reset();
}

std::size_t Session::edits_done() {
  close_edit();
  return history_.position();
}

/// Undoes or redoes an edit. False if that has to wait for another branch to begin, or if there are
/// too many.
bool Session::carry_out(const EditHistory::Edit& edit, bool undo) {
  const bool opens = edit.before.document.opened != edit.after.document.opened;
  if (opens || edit.settings || edit.branches || edit.recorded) run_.show_head();
  if (edit.recorded && !edit.branches) {
    const RecordedEdit recorded = *edit.recorded;
    // Opening another scenario has discarded it, or it is of another start.
    if (!run_.runs().is_of_this_start(recorded.run)) return true;
    const int after = run_.present_branch();
    const auto before = run_.fork_before(recorded.step);
    if (!before) return false;
    history_.set_branches(*before, after);
    repeat(recorded.earlier);
    return true;
  }
  if (edit.branches) {
    if (run_.is_switching()) return false;
    // Has no effect if the branch was deleted since.
    const int to = undo ? edit.branches->first : edit.branches->second;
    return to == run_.present_branch() || !run_.runs().can_switch_to(to) ||
           run_.switch_archiving(to);
  }
  if (edit.run) {
    (void)run_.set_look(edit.run->run, undo ? edit.run->before : edit.run->after);
    compared_.reset();
    Q_EMIT redraw_requested();
    return true;
  }
  std::vector<Setting> settings;
  if (edit.settings) settings = undo ? edit.settings->undo : edit.settings->redo;
  apply(undo ? edit.after : edit.before, undo ? edit.before : edit.after, settings);
  return true;
}

/// Repeats the edits recorded by these events.
void Session::repeat(const std::vector<Event>& events) {
  for (const Event& event : events) {
    Change change;
    for (const Setting& setting : event.set)
      if (setting.path != "every") change.settings.push_back(setting);
    if (!change.settings.empty()) run_.send(std::move(change));
    if (event.pull) run_.send(PullBody{*event.pull});
    if (event.reverse) run_.send(Reverse{});
  }
}

void Session::reset_parameters() { change_settings(*now_.document.opened); }

Result<void> Session::change(const std::function<Result<Scenario>(const Scenario&)>& edit) {
  close_edit();
  const auto next = edit(shown_settings());
  if (!next) return next.error();
  change_settings(*next);
  return {};
}

void Session::change_system(const Scenario& to) {
  Scenario next = shown_settings();
  next.definition = to.definition;
  next.parameters = to.parameters;
  change_settings(next);
}

bool Session::add_lane(const LaneSpec& lane) {
  Scenario next = shown_settings();
  next.lanes.push_back(lane);
  return change_settings(next);
}

const Scenario& Session::shown_settings() const {
  return run_.in_past() ? *run_.shown().present : *now_.document.settings;
}

/// Whether anything was sent.
bool Session::change_settings(const Scenario& to) {
  close_edit();
  const Change change{differences(shown_settings(), to)};
  if (change.settings.empty() || run_.send(change) == 0) return false;
  note(change);
  close_edit();
  return true;
}

/// The former run is now a branch, to which undo() returns.
void Session::follow_fork(int from, int to) {
  close_edit();
  forked_ = true;
  fork_time_ = Timetable(*run_.snapshot().record).time(run_.requested_step());
  now_.document.settings = run_.shown().present;
  record_of_runs(
      switch_of_runs(fmt::format("continuing from step {}", run_.requested_step()), from, to));
}

/// Undo returns to the run that is left, with all runs of its start.
void Session::follow_rewind(int from, int to) {
  close_edit();
  record_of_runs(switch_of_runs(rewind_label, from, to));
}

/// The runs of a document that is opened can be brought back by Undo as where they were saved.
void Session::follow_opening(const std::map<int, int>& ids, const std::vector<int>& rewound) {
  if (!std::exchange(opens_, false)) return;
  if (const auto how = std::exchange(reopened_, {})) {
    history_.restore_edits(how->edits, ids, now_);
    restore_reference_run(how->reference_run);
  } else {
    for (std::size_t k = 0; k < rewound.size(); ++k)
      history_.add(switch_of_runs(rewind_label, rewound[k],
                                  k + 1 < rewound.size() ? rewound[k + 1] : run_.present_branch()));
  }
  Q_EMIT changed();
}

bool Session::switch_to(int branch) {
  close_edit();
  const int from = run_.present_branch();
  if (!run_.switch_to(branch)) return false;
  record_of_runs(switch_of_runs("continuing another run", from, branch));
  return true;
}

Result<void> Session::edit_run(int run, const std::optional<BranchLook>& look) {
  close_edit();
  RunEdit edit{run, {}, look};
  if (const BranchLook* now = run_.look(run)) edit.before = *now;
  if (edit.before == edit.after) return {};
  if (auto done = run_.set_look(run, look); !done) return done;
  std::string label = describe_change(edit);
  record_of_runs(
      {.label = std::move(label), .before = now_, .after = now_, .run = std::move(edit)});
  return {};
}

EditHistory::Edit Session::switch_of_runs(std::string label, int from, int to) const {
  return {
      .label = std::move(label), .before = now_, .after = now_, .branches = std::pair(from, to)};
}

void Session::add(EditHistory::Edit edit) {
  going_to_.reset();
  edit.group = group_;
  history_.add(std::move(edit));
}

void Session::record_of_runs(EditHistory::Edit edit) {
  add(std::move(edit));
  now_.document.edited = true;
  compared_.reset();
  Q_EMIT redraw_requested();
  Q_EMIT edited();
  Q_EMIT changed();
}

bool Session::has_unsaved_text() const {
  const auto& now = now_.document.settings->definition;
  if (!modified_ || !now) return false;
  const Document& document = now_.document;
  const auto& saved = (document.saved ? document.saved : document.opened)->definition;
  return !saved || saved->definition() != now->definition();
}

SavedSession Session::for_recovery() const {
  const ui::Settings& view = interface_.settings();
  const BranchLook* reference = run_.look(view.reference_run);
  SavedSession saved;
  saved.path = now_.document.path;
  saved.edited = modified_;
  saved.reference_lane = view.reference_lane;
  if (reference) saved.reference_run = reference->name;
  saved.frame = view.frame;
  saved.layer = view.layer;
  saved.edits = history_.saved_edits();
  return saved;
}

void Session::restore_reference_run(const std::string& name) {
  for (const Branch& branch : run_.branches())
    if (branch.look.name == name)
      now_.layout.reference_run = interface_.settings().reference_run = branch.id;
  Q_EMIT redraw_requested();
}

void Session::restore_layout(const ui::Settings& layout) {
  now_.layout = interface_.settings() = layout;
  Q_EMIT redraw_requested();
}

std::string Session::undo_label() const { return label_of(history_.next_undo()); }

std::string Session::redo_label() const { return label_of(history_.next_redo()); }

void Session::saved(std::string path, Scenario scenario, bool with_runs, bool with_view) {
  now_.document.path = std::move(path);
  now_.document.with_view = with_view;
  now_.document.saved = shared(std::move(scenario));
  // The file contains neither pending settings nor edits made while it was written.
  const Snapshot& now = run_.snapshot();
  saved_branches_.reset();
  if (with_runs) saved_branches_ = run_.runs().changes();
  now_.document.edited = modified_ = !with_runs || !now.pending.empty() ||
                                     now.commands < run_.sent() || !sent_.empty() ||
                                     !same(*now.record, *now_.document.saved);
  compared_.reset();
  follow_run();
  Q_EMIT changed();
}

void Session::update() {
  forked_ = false;
  if (!interface_.mouse_captured()) close_edit();
  // An edit that fails now would fail each time.
  if (going_to_ && !run_.is_opening() && !go_on_in_history()) going_to_.reset();
  follow_run();
}

void Session::note(const Command& command) {
  const bool forked = std::exchange(forked_, false);
  std::string label;
  if (const auto* change = std::get_if<Change>(&command)) {
    continues_ = continues_ || (forked && change->continues);
    for (const Setting& setting : change->settings)
      if (!is_of_state(setting.path)) {
        if (!excursion_ && !run_.snapshot().edits_start)
          excursion_ = {describe_excursion(setting.path), recorded_here(), forked};
        sent_.push_back(setting);
      } else if (label.empty()) {
        label = describe_gesture(*change, setting.path.index(2).value_or(0));
      }
  } else if (const auto* drag = std::get_if<DragEdit>(&command)) {
    note_drag(*drag, forked);
  } else if (const auto* pull = std::get_if<MousePull>(&command)) {
    label = fmt::format("pulling body {}", pull->body + 1);
  } else if (const auto* lane = std::get_if<AddLane>(&command)) {
    note_lane(*lane, forked);
  }
  if (!label.empty() && !gesture_) gesture_ = {std::move(label), recorded_here(), forked};
}

/// Bodies of the start are an edit of settings, which is complete when the gesture ends.
void Session::note_drag(const DragEdit& drag, bool forked) {
  if (run_.snapshot().edits_start && !forked && !run_.is_switching())
    open_drag_ = drag;
  else if (!gesture_)
    gesture_ = {describe_gesture(drag, *run_.shown().system), recorded_here(), forked};
}

RecordedEdit Session::recorded_here() const {
  const Snapshot& head = run_.snapshot();
  RecordedEdit here{run_.present_branch(), head.steps};
  for (const Event& event : head.record->events)
    if (event.step == head.steps) here.earlier.push_back(event);
  return here;
}

void Session::record_gesture(Gesture gesture) {
  if (gesture.forked) {
    history_.rename_newest(std::move(gesture.label));
    Q_EMIT changed();
  } else {
    record_of_runs({.label = std::move(gesture.label),
                    .before = now_,
                    .after = now_,
                    .recorded = std::move(gesture.edit)});
  }
}

/// Undo removes the lane from the list of lanes, which takes effect on Rewind; a lane added in the
/// past disappears with the run that began there.
void Session::note_lane(const AddLane& added, bool forked) {
  if (forked) return;
  close_edit();
  json::Node lanes = lanes_document(*now_.document.settings);
  json::Node& lane = lanes.items.emplace_back(added.lane);
  std::erase_if(lane.members, [](const auto& member) { return member.first == "from"; });
  note(Change{{{"lanes", std::move(lanes)}}});
  close_edit();
}

void Session::close_edit() {
  // An edit that is recorded as events of the run.
  if (gesture_) record_gesture(*std::exchange(gesture_, {}));
  Setup after = now_;
  after.layout = interface_.settings();
  std::string label;
  if (open_drag_ || !sent_.empty()) {
    const Scenario& before = *now_.document.settings;
    Result<Scenario> settings = before;
    if (open_drag_) {
      const State start =
          twosphere::edited({0, before.q, before.omega}, *open_drag_, *run_.snapshot().system);
      settings->q = start.q;
      settings->omega = start.w;
      // They were those of the former start.
      settings->orbit.reset();
      settings->generator = {};
      open_drag_.reset();
    }
    if (!sent_.empty()) settings = with_settings(*settings, std::exchange(sent_, {}));
    // Invalid settings are also rejected by the run.
    if (settings) label = describe_change(before, *settings);
    if (!label.empty()) {
      after.document.settings = shared(std::move(*settings));
      after.document.edited = modified_ = true;
    } else if (settings && excursion_ &&
               (run_.plays() || run_.snapshot().steps != excursion_->edit.step)) {
      record_gesture(*excursion_);
    }
  }
  excursion_.reset();
  if (std::exchange(continues_, false) && !label.empty()) {
    now_ = std::move(after);
    history_.rename_newest(fmt::format("“Continue from {:.10g} s”", fork_time_));
    Q_EMIT edited();
    Q_EMIT changed();
    return;
  }
  if (label.empty()) label = describe_change(now_.layout, after.layout);
  if (!label.empty()) record(std::move(label), std::move(after));
}

void Session::record(std::string label, Setup after) {
  const Document &was = now_.document, &is = after.document;
  std::shared_ptr<const SettingsEdit> settings;
  if (was.opened == is.opened && was.settings != is.settings)
    settings = std::make_shared<const SettingsEdit>(SettingsEdit{
        differences(*is.settings, *was.settings), differences(*was.settings, *is.settings)});
  add({std::move(label), std::exchange(now_, after), std::move(after), std::move(settings)});
  Q_EMIT edited();
  Q_EMIT changed();
}

// `settings` contains only the changes of this edit: the run may have continued since.
void Session::apply(const Setup& from, const Setup& to, const std::vector<Setting>& settings) {
  Document& now = now_.document;
  if (from.document.opened != to.document.opened) {
    now = to.document;
    opens_ = false;
    reopened_.reset();
    load(now);
    modified_ = now.edited;
  } else if (!settings.empty()) {
    if (auto next = with_settings(*now.settings, settings)) now.settings = shared(std::move(*next));
    now.edited = modified_ = true;
    run_.send(Change{settings});
  }
  if (from.layout != to.layout) {
    now_.layout = interface_.settings() = to.layout;
    Q_EMIT redraw_requested();
  }
}

// Loads the document at its start with the requested settings.
void Session::load(const Document& document) {
  saved_branches_ = run_.runs().changes();
  Q_EMIT command_sent(run_.send(Load{*document.start, document.opened, document.live_file}));
  if (auto settings = differences(*document.start, *document.settings); !settings.empty())
    run_.send(Change{std::move(settings)});
  compared_.reset();
}

void Session::follow_run() {
  const Snapshot& now = run_.snapshot();
  if (open_drag_ || !sent_.empty() || now.commands < run_.sent())
    return;  // the edit is not complete
  Document& document = now_.document;
  if (document.settings != now.after_rewind) document.settings = now.after_rewind;
  const bool at_start = now.steps == 0 && !now.record->continuation;
  if (compared_ == now.record && at_start == compared_at_start_) return;
  compared_ = now.record;
  compared_at_start_ = at_start;
  Scenario start = *now.record;
  start.every = now.after_rewind->every;  // explicit in the record
  // Settings changed at a start that is kept are events, which are repeated.
  if (at_start && differences(start, *now.after_rewind).empty()) {
    start.branches = document.start->branches;
    document.start = shared(std::move(start));
  } else {
    document.start = without_events(std::move(start));
  }
  const bool before = modified_;
  if (!document.saved)
    document.saved = now.record;
  else if (document.edited)
    modified_ = !now.pending.empty() || saved_branches_ != run_.runs().changes() ||
                !same(*now.record, *document.saved);
  if (modified_ != before) Q_EMIT changed();
}

}  // namespace twosphere

#include "moc_session.cpp"
