// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "tests/replaced.h"

/// A scenario as text, and texts for parts of it.
namespace twosphere::scenario_test {

/// One line for each thing that can be wrong.
inline const std::string valid = R"({
"twosphere": 1,
"title": "t",
"system": {"type": "chain_pendulum",
"masses": [1, 2],
"lengths": 0.5,
"gravity": 9.81,
"tip_force": [0, 0, 0]},
"initial": {
"q": [[0.6, 0, 0.8], [0, 0, 1]],
"omega": [[0, 1, 0], [2, 0, 0]]},
"integrator": {"type": "variational",
"step": 0.01},
"events": [{"step": 3, "set": {
"system.gravity": 1.62}}],
"duration": 10
})";

inline std::string replaced(const std::string& from, const std::string& to) {
  return test::replaced(valid, from, to);
}

inline std::string repeated(int count, const std::string& text) {
  std::string out;
  for (int k = 0; k < count; ++k) out += text;
  return out;
}

inline const std::string from_q = R"([[0.6, 0, 0.8], [0, 0, 1]])";
inline const std::string from_omega = R"([[0, 1, 0], [2, 0, 0]])";
inline const std::string from_event = R"("system.gravity": 1.62)";
inline const std::string state_keys =
    R"("time_origin": 0, "step_index": 5, "energy_reference": 1, "work": 0, "duration")";

/// The same with another system.
inline std::string system_of(const std::string& keys, const std::string& q = from_q) {
  std::string text = valid;
  const auto begin = text.find("\"type\""), end = text.find("},\n\"initial\"");
  text.replace(begin, end - begin, keys);
  text.replace(text.find(from_q), from_q.size(), q);
  const auto event = text.find("\"events\"");
  return text.erase(event, text.find("\"duration\"") - event);
}
inline const std::string rod = R"("type": "elastic_rod", "mass": 1, "length": 1,
"stiffness": 1, "elements": )";
inline const std::string dipoles =
    R"("type": "dipole_array", "masses": 1, "lengths": 1, "moments": 1)";
inline const std::string network = R"("type": "pendulum_network", "masses": 1, "lengths": 1,
"pivots": [[0, 0, 0], [1, 0, 0]])";
inline const std::string molecules = R"("type": "lennard_jones", "masses": 1, "epsilon": 1)";
inline const std::string bodies = R"("type": "n_body", "masses": [1, 1])";

}  // namespace twosphere::scenario_test
