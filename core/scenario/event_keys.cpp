// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>

#include "core/color/palette.h"
#include "core/scenario/document.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/keys.h"

namespace twosphere {

std::vector<ObjectInfo> event_objects() {
  using K = KeyKind;
  return {
      {.name = "event",
       .keys = {{.key = "step",
                 .kind = K::whole,
                 .help = "the step before which it happens, counted from the start of the scenario",
                 .required = true,
                 .low = 0},
                {.key = "set", .kind = K::special, .help = "settings: values by their paths"},
                {.key = "since",
                 .kind = K::whole,
                 .help = "the step at which the drag began that changes the settings",
                 .low = 0},
                {.key = "resume",
                 .kind = K::only_true,
                 .help = "the run continues past a stop condition",
                 .excludes = {"reverse", "pull", "add_lane", "set", "since"}},
                {.key = "reverse",
                 .kind = K::only_true,
                 .help = "the direction of time is reversed",
                 .excludes = {"pull", "add_lane", "set", "since"}},
                {.key = "pull",
                 .kind = K::special,
                 .help = "a constant force on a body over some steps, or several that follow one "
                         "another",
                 .excludes = {"add_lane", "set", "since"}},
                {.key = "add_lane",
                 .kind = K::special,
                 .help = "a lane that begins here, with the state of another one",
                 .excludes = {"set", "since"}}},
       .one_of = {{"set", "resume", "reverse", "pull", "add_lane"}}},
      {.name = "pull",
       .keys = {{.key = "body",
                 .kind = K::whole,
                 .help = "the body, counted from 0",
                 .required = true,
                 .low = 0},
                {.key = "force",
                 .kind = K::vector,
                 .help = "the force [N]",
                 .unit = "N",
                 .required = true},
                {.key = "steps",
                 .kind = K::whole,
                 .help = "the number of steps of the run over which it acts",
                 .required = true,
                 .low = 0}}},
      {.name = "branch",
       .keys = {{.key = "name",
                 .kind = K::name,
                 .help = "the name, which no other branch has",
                 .required = true,
                 .high = static_cast<double>(longest_branch_name)},
                {.key = "from_step",
                 .kind = K::whole,
                 .help = "the first step at which it differs from the scenario",
                 .required = true,
                 .low = 0},
                {.key = "events",
                 .kind = K::objects,
                 .help = "its events from there on, in place of those of the scenario",
                 .required = true,
                 .object = "event"},
                {.key = "steps",
                 .kind = K::whole,
                 .help = "the number of steps that the run had",
                 .low = 0,
                 .high = static_cast<double>(document::max_steps_taken)},
                {.key = "color",
                 .kind = K::whole,
                 .help = "its colour in the window",
                 .low = 0,
                 .high = branch_color_count - 1},
                {.key = "hidden", .kind = K::only_true, .help = "hides it in the window"}}},
  };
}

}  // namespace twosphere
