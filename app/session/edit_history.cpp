// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/edit_history.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/custom/definition_keys.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/parameter_io.h"

namespace twosphere {

namespace {

using Phrases = std::vector<std::string>;

std::string joined(const Phrases& phrases) {
  if (phrases.empty()) return {};
  if (phrases.size() == 1) return phrases.front();
  return fmt::format("{} and {} more", phrases.front(), phrases.size() - 1);
}

std::string change(std::string_view what, double from, double to, std::string_view unit) {
  return fmt::format("{} {:.6g} → {:.6g}{}{}", what, from, to, unit == "1" ? "" : " ",
                     unit == "1" ? "" : unit);
}

void compare(const std::vector<ParameterInfo>& infos, const Values& from, const Values& to,
             Phrases& phrases) {
  for (const ParameterInfo& p : infos) {
    const auto was = from.find(p.key), is = to.find(p.key);
    if (was == from.end() || is == to.end()) continue;
    if (p.shape == Shape::form) {
      const ParameterForm &before = form_of(p, was->second), &now = form_of(p, is->second);
      if (&before != &now)
        phrases.push_back(fmt::format("{} {} → {}", p.label, before.label, now.label));
      else
        for (const auto earlier = fields_of(before, was->second),
                        fields = fields_of(now, is->second);
             const FormField& field : fields) {
          const std::string key(field.info.key);
          const auto k = static_cast<std::size_t>(&field - fields.data());
          compare({field.info}, {{key, earlier[k].of(was->second)}}, {{key, field.of(is->second)}},
                  phrases);
        }
      continue;
    }
    if (p.shape == Shape::waypoints && is->second.size() != was->second.size()) {
      phrases.push_back(fmt::format("number of {} {} → {}", p.label, was->second.size() / 4,
                                    is->second.size() / 4));
      continue;
    }
    for (std::size_t i = 0; i < is->second.size() && i < was->second.size(); ++i) {
      if (was->second[i] == is->second[i]) continue;
      std::string what(p.label);
      if (p.shape == Shape::vector)
        what += std::array{" along e₁", " along e₂", " along e₃"}.at(i);
      else if (p.shape == Shape::list)
        what += fmt::format("[{}]", i);
      else if (p.shape == Shape::waypoints)
        what += fmt::format("[{}][{}]", i / 4, i % 4);
      else if (p.shape == Shape::per_pair && is->second.size() > 1)
        what += fmt::format("[{}]", i);
      else if (p.shape == Shape::per_body)
        what += fmt::format(" of body {}", i + 1);
      else if (p.shape == Shape::points)
        what +=
            fmt::format(" of body {} along {}", i / 3 + 1, std::array{"e₁", "e₂", "e₃"}.at(i % 3));
      phrases.push_back(change(what, was->second[i], is->second[i], p.unit));
    }
  }
}

std::string_view title(const LaneSpec& lane) {
  const IntegratorInfo* info = find_integrator(lane.type);
  return info ? info->title : std::string_view(lane.type);
}

/// "potential", "parameters".
Phrases changed_texts(const Definition& from, const Definition& to) {
  const json::Node before = definition_document(from), after = definition_document(to);
  Phrases phrases;
  for (const std::string_view key : definition_keys) {
    const json::Node *was = before.find(key), *is = after.find(key);
    if (!was != !is || (was && !json::same(*was, *is))) phrases.emplace_back(key);
  }
  return phrases;
}

}  // namespace

void EditHistory::add(Edit edit) {
  edits_.resize(done_);
  edits_.push_back(std::move(edit));
  if (edits_.size() > depth) {
    edits_.pop_front();
    ++forgotten_;
  }
  done_ = edits_.size();
}

std::size_t EditHistory::next_position(bool back) const {
  const auto together = [this](std::size_t k) {
    return edits_[k].group && edits_[k].group == edits_[k - 1].group;
  };
  std::size_t at = done_;
  if (back && at > 0)
    for (--at; at > 0 && together(at);) --at;
  if (!back && at < edits_.size())
    for (++at; at < edits_.size() && together(at);) ++at;
  return forgotten_ + at;
}

const EditHistory::Edit* EditHistory::next_undo() const {
  return done_ > 0 ? &edits_[done_ - 1] : nullptr;
}

void EditHistory::rename_newest(std::string label) {
  if (done_ > 0 && done_ == edits_.size()) edits_.back().label = std::move(label);
}

void EditHistory::set_branches(int before, int after) {
  edits_[done_ - 1].branches = {before, after};
}

const EditHistory::Edit* EditHistory::next_redo() const {
  return done_ < edits_.size() ? &edits_[done_] : nullptr;
}

SavedEdits EditHistory::saved_edits() const {
  const auto opens = [](const Edit& edit) {
    return edit.before.document.opened != edit.after.document.opened;
  };
  std::size_t first = done_, last = done_;
  while (first > 0 && !opens(edits_[first - 1])) --first;
  while (last < edits_.size() && !opens(edits_[last])) ++last;
  SavedEdits result;
  for (std::size_t i = first; i < last; ++i) {
    if (!edits_[i].settings && !edits_[i].branches) continue;
    const Edit& edit = edits_[i];
    result.list.push_back({edit.label, edit.settings, edit.branches, edit.group});
    result.done += i < done_;
  }
  return result;
}

void EditHistory::restore_edits(const SavedEdits& edits, const std::map<int, int>& runs,
                                const Setup& present) {
  std::size_t undone = 0;
  for (std::size_t i = 0; i < edits.list.size(); ++i) {
    Edit edit{edits.list[i].label, present, present, edits.list[i].settings};
    edit.group = edits.list[i].group;
    if (const auto& branches = edits.list[i].branches) {
      const auto before = runs.find(branches->first), after = runs.find(branches->second);
      if (before == runs.end() || after == runs.end()) {
        if (i >= edits.done) break;
        continue;
      }
      edit.branches = {before->second, after->second};
    }
    add(std::move(edit));
    undone += i >= edits.done;
  }
  done_ -= undone;
}

std::string describe_change(const Scenario& from, const Scenario& to) {
  Phrases phrases;
  if (from.definition && to.definition && !same_kind(from, to) && from.size() == to.size())
    return joined(changed_texts(from.definition->definition(), to.definition->definition()));
  if (!same_kind(from, to) || from.size() != to.size()) return "system";
  compare(info_of(to).parameters, from.parameters, to.parameters, phrases);
  const bool other_list = from.lanes.size() != to.lanes.size();
  if (other_list)
    phrases.emplace_back(to.lanes.size() > from.lanes.size() ? "“Add lane”" : "“Remove lane”");
  const auto names = default_names(to.lanes), before = default_names(from.lanes);
  for (std::size_t i = 0; i < to.lanes.size() && !other_list; ++i) {
    const LaneSpec &was = from.lanes[i], &is = to.lanes[i];
    if (was.type != is.type) phrases.push_back(fmt::format("{} → {}", title(was), title(is)));
    if (was.name != is.name && (was.name != before[i] || is.name != names[i]))
      phrases.push_back(fmt::format("lane {} → {}", was.name, is.name));
    if (was.step != is.step) phrases.push_back(change("step", was.step, is.step, "s"));
    if (was.type == is.type)
      compare(find_integrator(is.type)->parameters, was.values, is.values, phrases);
  }
  if (from.duration != to.duration)
    phrases.push_back(change("duration", from.duration, to.duration, "s"));
  if (from.stop != to.stop) phrases.emplace_back("stop conditions");
  for (int i = 0; i < to.size(); ++i)
    if (from.q.col(i) != to.q.col(i) || from.omega.col(i) != to.omega.col(i))
      phrases.push_back(fmt::format("start of body {}", i + 1));
  if (phrases.empty() && !differences(from, to).empty()) phrases.emplace_back("settings");
  return joined(phrases);
}

std::string describe_change(const RunEdit& edit) {
  if (!edit.after) return fmt::format("deleting {}", edit.before ? edit.before->name : "a run");
  if (!edit.before) return fmt::format("restoring {}", edit.after->name);
  if (edit.before->name != edit.after->name)
    return fmt::format("{} → {}", edit.before->name, edit.after->name);
  if (edit.before->hidden != edit.after->hidden)
    return fmt::format("{} {}", edit.after->hidden ? "hiding" : "showing", edit.after->name);
  return fmt::format("colour of {}", edit.after->name);
}

std::string describe_change(const ui::Settings& from, const ui::Settings& to) {
  Phrases phrases;
  const auto note = [&](bool changed, const char* what) {
    if (changed) phrases.emplace_back(what);
  };
  note(from.palette != to.palette, "theme");
  note(from.lane_colors != to.lane_colors, "paper colours");
  note(from.columns != to.columns, "side panels");
  note(from.left_width != to.left_width || from.right_width != to.right_width, "side panel width");
  note(from.scale != to.scale, "interface size");
  note(from.trail != to.trail || from.trail_span != to.trail_span, "trails");
  note(from.ground != to.ground, "ground grid");
  note(from.frame != to.frame, "frame of the view");
  note(from.split != to.split, "split view");
  note(from.plots != to.plots, "plots");
  note(from.reference_lane != to.reference_lane, "reference lane");
  note(from.reference_run != to.reference_run, "run that distances are measured to");
  note(from.gallery_at_start != to.gallery_at_start, "presets at start");
  if (phrases.empty() && from != to) phrases.emplace_back("layout");
  return joined(phrases);
}

}  // namespace twosphere
