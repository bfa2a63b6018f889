// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>
#include <vector>

#include "core/scenario/file_limits.h"
#include "core/scenario/keys.h"

namespace twosphere {

std::vector<ObjectInfo> generator_objects() {
  using K = KeyKind;
  constexpr auto max_count = static_cast<double>(max_sites);
  const KeyInfo count{.key = "count",
                      .kind = K::whole,
                      .help = "the number of directions",
                      .required = true,
                      .low = 1,
                      .high = max_count};
  const KeyInfo seed{
      .key = "seed", .kind = K::whole, .help = "the seed of the random numbers (0)", .low = 0};
  const auto number = [](std::string_view key, std::string_view unit, std::string_view help) {
    return KeyInfo{.key = key, .kind = K::number, .help = help, .unit = unit};
  };
  const auto needed = [](KeyInfo key) {
    key.required = true;
    return key;
  };
  const auto positive = [&](std::string_view key, std::string_view unit, std::string_view help) {
    KeyInfo info = number(key, unit, help);
    info.positive = true;
    return info;
  };
  const auto vector = [](std::string_view key, std::string_view unit, std::string_view help) {
    return KeyInfo{.key = key, .kind = K::vector, .help = help, .unit = unit};
  };
  KeyInfo random_count = count;
  random_count.required = false;
  random_count.help = "the number of directions, where the system does not give it";
  KeyInfo cone = number("cone", "deg", "the angle from the axis [°] (90)");
  KeyInfo colatitude = needed(number("colatitude", "deg", "the angle from e3 [°]"));
  KeyInfo amplitude =
      needed(number("amplitude", "rad", "the standard deviation of both angles [rad]"));
  amplitude.low = 0;
  std::vector<ObjectInfo> list{
      {.name = "icosphere",
       .keys = {{.key = "subdivisions",
                 .kind = K::whole,
                 .help = "s: the vertices of an icosahedron subdivided s times, 10·4ˢ + 2",
                 .required = true,
                 .low = 0,
                 .high = max_subdivisions}}},
      {.name = "random", .keys = {random_count, seed}},
      {.name = "aligned", .keys = {vector("direction", "1", "the direction of all (e3)")}},
      {.name = "spiral",
       .keys = {needed(vector("wave_vector", "1/m", "k, the turn per length [1/m]")),
                vector("axis", "1", "the axis about which they turn (e3)"), cone,
                positive("width", "m", "the width of a packet, outside which the cone closes [m]"),
                vector("center", "m", "the middle of the packet [m] (0)")}},
      {.name = "domain_wall",
       .keys = {vector("axis", "1", "the direction in which they change (e1)"),
                needed(number("position", "m", "the middle of the wall along it [m]")),
                needed(positive("width", "m", "the width Δ of the wall [m]")),
                number("azimuth", "deg", "the azimuth within the wall [°] (0)")}},
      {.name = "soliton",
       .keys = {needed(number("position", "1", "the middle, as an index of a body")),
                needed(number("v", "1", "the velocity, in bodies per κ/J")),
                needed(positive("w", "1", "the frequency, in J/κ; greater than v²/4"))}},
      {.name = "skyrmion",
       .keys = {{.key = "center",
                 .kind = K::pair,
                 .help = "the middle [x, y] [m]",
                 .unit = "m",
                 .required = true},
                needed(positive("radius", "m", "the distance at which e3·q is 0 [m]")),
                number("helicity", "deg",
                       "the azimuth of q on the axis e1 through the middle [°] "
                       "(0)"),
                {.key = "charge",
                 .kind = K::whole,
                 .help = "the topological charge (−1)",
                 .low = -100,
                 .high = 100}}},
      {.name = "polygon",
       .keys = {count, colatitude, number("azimuth", "deg", "the azimuth of the first [°] (0)")}},
      {.name = "clusters",
       .keys = {count,
                {.key = "clusters",
                 .kind = K::whole,
                 .help = "the number of clusters, at random places",
                 .required = true,
                 .low = 1,
                 .high = max_count},
                needed(positive("width", "deg", "the standard deviation of both angles [°]")),
                seed}},
      {.name = "noise", .keys = {amplitude, seed}}};
  for (ObjectInfo& object : list)
    object.keys.insert(object.keys.begin(), {.key = "type",
                                             .kind = K::choice,
                                             .help = "what is generated",
                                             .required = true,
                                             .choices = {object.name}});
  return list;
}

const std::vector<std::string_view>& generator_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list;
    for (const ObjectInfo& object : generator_objects()) list.push_back(object.name);
    return list;
  }();
  return names;
}

}  // namespace twosphere
