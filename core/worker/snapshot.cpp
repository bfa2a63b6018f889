// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/snapshot.h"

#include <fmt/format.h>

namespace twosphere {

std::string lane_title(const std::string& name, const IntegratorInfo* method) {
  if (!method || !name.starts_with(method->key)) return name;
  const std::string number = name.substr(method->key.size());
  if (number.empty()) return std::string(method->title);
  // A further lane of the method: a point and a number behind its key.
  const bool further = number.size() > 1 && number[0] == '.' &&
                       number.find_first_not_of("0123456789", 1) == std::string::npos;
  return further ? fmt::format("{} ({})", method->title, number.substr(1)) : name;
}

std::string describe(const FollowedFile& file) {
  using Activity = FollowedFile::Activity;
  std::string text = fmt::format("Following {}: ", file.path.substr(file.path.rfind('/') + 1));
  switch (file.activity) {
    case Activity::computing:
      text += "running";
      break;
    case Activity::silent:
      text += fmt::format("no news for {:.0f} s", file.silence);
      break;
    case Activity::ended:
      text += "ended";
      break;
    case Activity::abandoned:
      text += "its process has ended before the run";
      break;
    case Activity::replaced:
      text += "the file is now that of another run; open it again to follow that one";
      break;
  }
  if (!file.problem.empty()) text += "; " + file.problem;
  return text;
}

void Snapshot::take(Simulation& simulation, bool described) {
  steps = simulation.steps();
  planned_steps = simulation.planned_steps();
  stride = simulation.stride();
  t = simulation.time();
  elapsed = simulation.elapsed();
  reversed = simulation.reversed();
  edits_start = simulation.edits_start();
  shows_edit = false;
  start_distances = simulation.start_distances();
  pulls = simulation.pulls();
  end_time = simulation.end_time();
  lanes.resize(static_cast<std::size_t>(simulation.lane_count()));
  for (int i = 0; i < simulation.lane_count(); ++i) {
    LaneView& view = lanes[static_cast<std::size_t>(i)];
    const Lane& lane = simulation.lane(i);
    view.sample = simulation.sample(i);
    view.row = simulation.row(i);
    view.state = lane.state;
    view.last = lane.last;
    view.chaos.reset();
    // The measurements of tangent vectors, as long as they are not lost.
    if (const auto& vectors = lane.exponents; vectors && !vectors->lost())
      view.chaos = {vectors->spectrum(*simulation.system(), simulation.state(i)), vectors->megno(),
                    vectors->fli(), vectors->elapsed()};
    if (described) continue;
    view.name = lane.name;
    view.info = lane.info;
  }
}

void Snapshot::show(const OpenDragEdit& open_edit) {
  shows_edit = true;
  if (cloud) cloud->positions.resize(3, 0);  // around another state
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    LaneView& view = lanes[i];
    view.state = open_edit.state(static_cast<int>(i));
    view.sample = open_edit.sample(static_cast<int>(i));
    if (open_edit.of_start()) view.row = view.sample;
    view.chaos.reset();  // of another state
  }
}

Snapshot snapshot(Simulation& simulation) {
  Snapshot made;
  made.t = simulation.time();
  made.elapsed = simulation.elapsed();
  made.end_time = simulation.end_time();
  made.system = simulation.system();
  made.present = std::make_shared<const Scenario>(simulation.present());
  for (int i = 0; i < simulation.lane_count(); ++i) {
    Snapshot::LaneView& view = made.lanes.emplace_back();
    view.name = simulation.lane(i).name;
    view.info = simulation.lane(i).info;
    view.state = simulation.state(i);
    view.sample = simulation.sample(i);
  }
  return made;
}

}  // namespace twosphere
