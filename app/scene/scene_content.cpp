// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/scene_content.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <set>
#include <utility>

#include "core/scenario/timetable.h"

namespace twosphere {

namespace {

// Logical pixels; fractions of the width of the scene and of the height of the inset.
constexpr float inset_size = 132, inset_gap = 10, inset_share = 0.3F, inset_room = 3;

void add_configurations(const LiveRun& run, const ui::Interface& interface, SceneContent& to) {
  const auto cursor = interface.cursor();
  if (!cursor) return;
  // Where the lanes agree there is only the outline of the reference.
  const auto found = configurations_at(run, interface, *cursor);
  const std::size_t full = render::full_lane(run.snapshot(), to.style);
  std::optional<Columns> reference;
  for (const auto& [lane, configuration] : found)
    if (lane == full) reference = positions(configuration.state);
  for (const auto& [lane, configuration] : found) {
    render::add_configuration(run.snapshot(), lane, positions(configuration.state), to.style,
                              to.scene, {}, lane == full || !reference ? nullptr : &*reference,
                              configuration.state.t);
    to.configuration_time = configuration.state.t;
  }
}

// Adds the other runs of this start.
void add_ghosts(const LiveRun& run, const std::vector<Ghost>& ghosts, SceneContent& to) {
  for (const Ghost& ghost : ghosts)
    if (ghost.overlaid && !to.style.hidden.contains(static_cast<int>(ghost.lane)))
      render::add_configuration(run.shown(), ghost.lane, ghost.q, to.style, to.scene,
                                branch_color(ghost.color, to.style.palette));
}

// The trail of a run before an instant of it, from the stored states; the number of directions is
// limited. `record`: of that run.
std::deque<Configuration> past_trail(const std::vector<History>& histories, const Scenario& record,
                                     const Snapshot& shown, double span) {
  constexpr std::size_t max_shown = 20'000, fewest = 64, most = 512;
  std::deque<Configuration> trail;
  if (!(span > 0) || histories.empty() || histories.front().state_count() == 0) return trail;
  const History& first = histories.front();
  const auto directions = static_cast<std::size_t>(shown.system->size()) * histories.size();
  const std::size_t count = std::clamp(max_shown / directions, fewest, most);
  const Timetable table(record);
  const double elapsed = table.elapsed(shown.steps), start = shown.elapsed - elapsed;
  const auto from = static_cast<double>(table.step_after(elapsed - span));
  const std::size_t begin = std::min(first.steps().lower_bound(from), first.size() - 1);
  const std::size_t end =
      std::min(first.steps().lower_bound(static_cast<double>(shown.steps)), first.size());
  const std::size_t apart = end > begin ? (end - begin + count - 1) / count : 1;
  for (std::size_t k = begin; k < end; k += apart) {
    const std::size_t stored = k - k % first.state_stride().stride();
    const std::int64_t step = std::llround(first.steps()[stored]);
    Configuration configuration{
        shown.generation, start + table.elapsed(step), {}, table.time(step)};
    for (const History& history : histories)
      configuration.lanes.push_back(k < history.first() ? Columns()
                                                        : positions(history.state_at(k)));
    if (trail.empty() || configuration.t != trail.back().t)
      trail.push_back(std::move(configuration));
  }
  return trail;
}

std::deque<Configuration> past_trail(const LiveRun& run, const Snapshot& shown, double span) {
  return past_trail(run.histories(), *run.snapshot().record, shown, span);
}

// Whether the trail at the head begins before it is recorded.
bool lacks_beginning(const LiveRun& run, double span) {
  const Snapshot& head = run.snapshot();
  const auto since = run.trail_since();
  return since && *since > std::max(start_time(*head.record), head.elapsed - span);
}

// The trail at the head with that beginning.
std::deque<Configuration> completed_trail(const LiveRun& run, double span) {
  std::deque<Configuration> trail = past_trail(run, run.snapshot(), span);
  while (!trail.empty() && trail.back().t >= *run.trail_since()) trail.pop_back();
  trail.insert(trail.end(), run.trail().begin(), run.trail().end());
  return trail;
}

// Whether the trail of the instant shown is not simply the one that is recorded. Of a run that is
// computed elsewhere only the rows are known.
bool makes_trail(const LiveRun& run, const render::SceneStyle& style) {
  return run.in_past() || run.followed() || lacks_beginning(run, style.trail_span);
}

// The sample of a lane after so many steps; a missing one if it is not stored.
Sample sample_after(const History& lane, std::int64_t steps, double t) {
  const std::size_t index = lane.steps().lower_bound(static_cast<double>(steps));
  const bool known =
      index >= lane.first() && index < lane.size() && std::llround(lane.steps()[index]) == steps;
  return known ? lane.sample(index) : missing_sample(t);
}

// Adds the unit sphere in the lower right corner.
void add_inset(const LiveRun& run, const std::deque<Configuration>& trail, const ui::Rect& area,
               float scale, SceneContent& to) {
  const float size = std::min(inset_size * scale, inset_share * area.width);
  if (area.height < inset_room * size) return;
  to.inset = render::build_inset(run.shown(), trail, to.style);
  if (!to.inset.shell.visible) return;
  const float gap = inset_gap * scale;
  to.inset_area = {area.x + area.width - size - gap, area.y + area.height - size - gap, size, size};
}

}  // namespace

render::SceneStyle scene_style(const ui::Interface& interface, bool fine) {
  const ui::Settings& settings = interface.settings();
  return {.trail = settings.trail,
          .trail_span = settings.trail_span,
          .ground = settings.ground,
          .graticule = settings.graticule,
          .palette = settings.palette,
          .lane_colors = settings.lane_colors,
          .reference = settings.reference_lane,
          .hidden = interface.hidden_lanes(),
          .shade = settings.shade,
          .color_map = settings.color_map,
          .color_axis = settings.color_axis,
          .field = settings.field,
          .arrows = settings.arrows,
          .streamlines = settings.streamlines,
          .fine = fine,
          .split = settings.split,
          .layer = settings.layer,
          .alone = interface.cell_alone()};
}

std::vector<render::CellRun> cell_runs(const LiveRun& run, const std::vector<Ghost>& ghosts,
                                       const std::deque<Configuration>& trail,
                                       const render::SceneStyle& style) {
  if (style.split != Split::runs) return {};
  std::vector<render::CellRun> runs;
  const Snapshot& shown = run.shown();
  for (const Branch& branch : run.branches()) {
    render::CellRun made{.number = branch.id,
                         .present = branch.id == run.present_branch(),
                         .name = branch.look.name,
                         .color = branch_color(branch.look.color, style.palette),
                         .snapshot = shown,
                         .trail = {},
                         .reference = branch.id == run.reference_branch()};
    if (made.present) {
      made.trail = trail;
      runs.push_back(std::move(made));
      continue;
    }
    // It may have fewer lanes, and other settings.
    std::vector<Snapshot::LaneView>& lanes = made.snapshot.lanes;
    lanes.resize(std::min(lanes.size(), branch.histories.size()));
    made.snapshot.present = nullptr;
    bool known = false;
    for (const Ghost& ghost : ghosts) {
      if (ghost.run != branch.id || ghost.lane >= lanes.size()) continue;
      Snapshot::LaneView& view = lanes[ghost.lane];
      const Eigen::Index n = view.state.size();
      view.state.q = ghost.q.leftCols(n);
      view.state.x = ghost.q.rightCols(ghost.q.cols() - n);
      view.state.w = ghost.w;
      view.sample = sample_after(branch.histories[ghost.lane], ghost.step, shown.t);
      made.snapshot.steps = ghost.step;
      made.ended = ghost.ended;
      known = true;
    }
    if (!known) continue;
    made.snapshot.cloud.reset();
    const Timetable table(*branch.record);
    made.snapshot.t = table.time(made.snapshot.steps);
    for (Snapshot::LaneView& view : lanes) view.state.t = made.snapshot.t;
    made.snapshot.elapsed = start_time(*branch.record) + table.elapsed(made.snapshot.steps);
    // Of several lanes the step of the run is that of the slowest.
    if (lanes.size() == 1) made.step = std::abs(table.signed_step(made.snapshot.steps));
    if (style.trail)
      made.trail = past_trail(branch.histories, *branch.record, made.snapshot, style.trail_span);
    runs.push_back(std::move(made));
  }
  return runs;
}

SceneContent scene_content(const LiveRun& run, const ui::Interface& interface,
                           const render::SceneStyle& style, const std::vector<Ghost>& ghosts,
                           const ui::Rect& area, float pixel_ratio, render::SceneMemory& memory) {
  SceneContent content;
  content.style = style;
  content.theme = render::theme(style);
  content.steps = run.shown().steps;
  const bool makes = makes_trail(run, style);
  const std::deque<Configuration> made =
      makes ? shown_trail(run, style) : std::deque<Configuration>();
  const std::deque<Configuration>& trail = makes ? made : run.trail();
  const ui::Settings& settings = interface.settings();
  const int width = to_pixel(area.width), height = to_pixel(area.height);
  const render::CellArea whole{to_pixel(area.x), to_pixel(area.y + area.height) - height, width,
                               height};
  content.cells = render::cells(whole, interface.scale() * pixel_ratio, run.shown(), trail, style,
                                memory, cell_runs(run, ghosts, trail, style));
  if (!content.cells.list.empty()) {
    content.scene = std::move(content.cells.reference);
    return content;
  }
  content.scene = render::build_scene(run.shown(), trail, style, memory);
  add_configurations(run, interface, content);
  add_ghosts(run, ghosts, content);
  if (settings.inset) add_inset(run, trail, area, interface.scale() * pixel_ratio, content);
  return content;
}

std::deque<Configuration> shown_trail(const LiveRun& run, const render::SceneStyle& style) {
  if (!makes_trail(run, style)) return run.trail();
  if (!style.trail) return {};
  return run.in_past() || run.followed() ? past_trail(run, run.shown(), style.trail_span)
                                         : completed_trail(run, style.trail_span);
}

render::Scene scene_at(const LiveRun& run, const Snapshot& instant, const render::SceneStyle& style,
                       render::SceneMemory& memory) {
  return render::build_scene(
      instant,
      style.trail ? past_trail(run, instant, style.trail_span) : std::deque<Configuration>(), style,
      memory);
}

std::vector<std::pair<std::size_t, LaneConfiguration>> configurations_at(
    const LiveRun& run, const ui::Interface& interface, double time) {
  std::vector<std::pair<std::size_t, LaneConfiguration>> found;
  const Snapshot& now = run.snapshot();
  const std::set<int>& hidden = interface.hidden_lanes();
  for (std::size_t lane = 0; lane < std::min(now.lanes.size(), run.histories().size()); ++lane) {
    const History& history = run.histories()[lane];
    if (history.state_count() == 0 || hidden.contains(static_cast<int>(lane))) continue;
    const std::size_t index = history.nearest(time);
    if (index < history.first()) continue;
    State state = history.state_at(index);
    if (state.size() != now.system->size() || !state.q.allFinite()) continue;
    found.emplace_back(lane, LaneConfiguration{now.lanes[lane].name, std::move(state)});
  }
  return found;
}

}  // namespace twosphere
