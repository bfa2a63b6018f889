// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/added_lane.h"

#include <fmt/format.h>

#include "core/base/exceptions.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/keys.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/sections.h"

namespace twosphere {

using document::Names;
using document::Value;

std::string unused_name(const std::string& type, const Names& taken) {
  std::string name = type;
  for (int k = 2; document::contains(taken, name); ++k) name = fmt::format("{}.{}", type, k);
  return name;
}

Result<void> check_added_lane(const AddedLane& added, const std::vector<LaneSpec>& lanes,
                              int bodies) {
  if (lanes.size() >= max_lanes_of(bodies))
    return Error{ErrorKind::usage, "",
                 fmt::format("there are {} lanes, and no more are possible", lanes.size())};
  if (added.from >= lanes.size())
    return Error{
        ErrorKind::usage, "from",
        fmt::format("must be a whole number from 0 to {}, not {}", lanes.size() - 1, added.from)};
  // The lane must meet the others at every step of the run.
  const double grid = grid_step(lanes);
  const auto parts = substeps(grid, added.lane.step);
  if (!parts || *parts < 1 || *parts > max_substeps || added.lane.step > grid)
    return Error{ErrorKind::usage, "step",
                 fmt::format("must be {} s, the step of the run, or that divided by a whole number "
                             "up to {}, not {} s",
                             json::shortest(grid), max_substeps, json::shortest(added.lane.step))};
  return {};
}

AddedLane read_added_lane(const Value& section, const System* system, int bodies,
                          const std::vector<LaneSpec>& lanes, const Names& taken) {
  AddedLane added{document::read_lane(section, true, system, key_names("added_lane"))};
  if (const auto from = section.find("from"))
    added.from =
        static_cast<std::size_t>(from->whole(0, static_cast<std::int64_t>(lanes.size()) - 1));
  std::string& name = added.lane.name;
  if (name.empty())
    name = unused_name(added.lane.type, taken);
  else if (document::contains(taken, name))
    section.member("name").fail(fmt::format(
        "the name {} is already used by another lane; names must be unique", json::quote(name)));
  if (const auto fits = check_added_lane(added, lanes, bodies); !fits)
    document::fail_at(section, fits.error());
  return added;
}

Result<AddedLane> added_lane(const json::Node& node, const System& system,
                             const std::vector<LaneSpec>& lanes, const Names& taken) {
  const document::Origin unnamed;
  try {
    return read_added_lane(Value(unnamed, node, "add_lane"), &system, system.size(), lanes, taken);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

void shift_lanes(Event& event, std::size_t index) {
  for (Setting& setting : event.set) {
    SettingPath& path = setting.path;
    // "integrator" is lanes[0] of a run with several; lanes behind the new one move on by one.
    if (path.key() == "integrator")
      path = path.with_first(1, "lanes[0]");
    else if (const auto lane = path.lane(); lane && *lane >= index)
      path = path.with_first(2, fmt::format("lanes[{}]", *lane + 1));
  }
  if (event.add_lane && event.add_lane->from >= index) ++event.add_lane->from;
}

}  // namespace twosphere
