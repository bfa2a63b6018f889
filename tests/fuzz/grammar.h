// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

/// Scenarios made by chance from the grammar of files and of texts, most of them right: systems of
/// every kind, lanes, events, branches, sections, signals, stop conditions and plots.
class Grammar {
 public:
  explicit Grammar(std::uint64_t seed) : random_(seed) {}

  std::string scenario() {
    bodies_ = 1 + below(3);
    custom_ = below(2) == 0;
    std::string out = fmt::format(R"({{"twosphere": 1, "title": "{}", "system": {}, "initial": {})",
                                  pick({"t", "", "<b>", "=1", "\\u202e", "ω"}), system(), start());
    const bool lanes = below(3) == 0;
    if (lanes)
      member(out, "lanes", list(1 + below(3), [&] { return method(true); }));
    else
      member(out, "integrator", method(false));
    member(out, "duration", pick({"0.05", "\"50 ms\"", "1", "1e6", "\"1/3\""}));
    if (below(4) == 0) member(out, "every", pick({"1", "2", "3", "1000000"}));
    if (below(2) == 0) member(out, "stop", list(1 + below(2), [&] { return stop(); }));
    if (below(2) == 0) member(out, "section", section());
    if (below(4) == 0)
      member(out, "signal", fmt::format(R"({{"real": "{}", "window": {}}})", number(), below(6)));
    if (below(3) == 0) member(out, "plots", plots());
    if (below(2) == 0) member(out, "events", events(0));
    if (below(4) == 0) member(out, "branches", list(1 + below(2), [&] { return branch(); }));
    return out + "}";
  }

 private:
  std::string system() {
    if (custom_) return definition();
    const std::string each = fmt::format("[{}]", fmt::join(std::vector<int>(size(), 1), ", "));
    return pick(
        {R"({"type": "chain_pendulum", "masses": )" + each + R"(, "lengths": )" + each +
             R"(, "damping": )" + constant() + "}",
         R"({"type": "free_chain", "base_mass": 2, "masses": 1, "lengths": 1, "orbital_rate": )" +
             constant() + "}",
         R"({"type": "n_body", "masses": )" + each + R"(, "gamma": )" + constant() + "}",
         R"({"type": "pendulum_network", "masses": 1, "lengths": 1, "gravity": )" + constant() +
             R"(, "pivots": )" + list(bodies_, [&] { return "[" + constant() + ", 0, 0]"; }) +
             R"(, "springs": [{"between": [0, 1], "stiffness": )" + constant() + "}]}",
         R"({"type": "dipole_array", "masses": 1, "lengths": 1, "moments": 0.1, "lattice": )"
         R"({"columns": 1, "rows": )" +
             std::to_string(bodies_) + R"(, "spacing": )" + constant() + "}}",
         R"({"type": "lennard_jones", "masses": 1, "epsilon": 1, "sigma": )" + constant() + "}",
         R"({"type": "conformal_particles", "masses": 1, "slope": 1, "coupling": 0.5})"});
  }
  std::string definition() {
    std::string out = fmt::format(
        R"({{"type": "custom", "bodies": {}, "parameters": {{"k": {}, "g": {{"value": {}, "unit": "{}"}}}},)"
        R"( "define": ["x[i] = {}*q[i]", "a = {}"], "inertia": "{}", "potential": "{}")",
        bodies_, constant(), constant(), unit(), pick({"k", "2", "(1 + i)"}), number(),
        pick({"diag(2)", "diag(i: 1 + i)", "chain(1, k)",
              "matrix(i, j: if(i == j, 3, 1/(1 + i + j)))", "diag(" + number() + ")"}),
        number());
    if (below(4) == 0) out += fmt::format(R"(, "force": ["f[i] = {}"])", vector(1 + below(2)));
    if (below(4) == 0) out += R"(, "torque": ["torque[i] = -k*w[i]"])";
    if (below(6) == 0)
      out += fmt::format(R"x(, "gyroscopic": "sum(i: {}.v[i])")x", pick({"k*q[i]×e3", vector(1)}));
    if (below(3) == 0)
      out +=
          fmt::format(R"x(, "figure": ["ball({})", "i, j: rod(q[i], {})"])x", vector(1), vector(1));
    if (below(4) == 0) out += fmt::format(R"(, "plots": {{"height": "{}"}})", number());
    return out + "}";
  }
  std::string start() {
    if (below(8) == 0)
      return fmt::format(R"({{"angles": {}, "rates": {}}})",
                         list(bodies_, [&] { return R"(["30 deg", )" + constant() + "]"; }),
                         list(bodies_, [&] { return "[0, " + constant() + "]"; }));
    if (below(8) == 0)
      return fmt::format(R"({{"q": {0}, "q_next": {0}}})", list(bodies_, [&] {
                           return pick({"[0.6, 0, 0.8]", "[0.8, 0, 0.6]"});
                         }));
    const std::vector<std::string> q{"[0.6, 0, 0.8]", "[0, 1, 0]", "[0, -0.6, 0.8]"};
    const std::vector<std::string> omega{"[0, 1, 0]", "[1e-3, 0, 0]", "[0, 0, 0]"};
    return fmt::format(R"({{"q": [{}], "omega": [{}]}})",
                       fmt::join(q.begin(), q.begin() + bodies_, ", "),
                       fmt::join(omega.begin(), omega.begin() + bodies_, ", "));
  }
  std::string method(bool lane) {
    const std::string type = usually(
        {"variational", "rk4", "rk45", "rk78", "gauss16"},
        {"rotation", "rk2_projected", "variational_adaptive", "rotation6_adaptive", "euler"});
    std::string out = fmt::format(R"({{"type": "{}", "step": {})", type, step());
    if (type == "rk45" && below(2) == 0) out += R"(, "relative_tolerance": )" + constant();
    if (lane && below(2) == 0) out += fmt::format(R"(, "name": "{}")", name());
    return out + "}";
  }
  std::string stop() {
    const std::string at = below(3) == 0 ? R"(, "at": "crossing")" : "";
    const std::string bound = pick({"above", "below"});
    switch (below(3)) {
      case 0:
        return fmt::format(R"({{"time": {}}})", pick({"0.02", "\"1 s\"", "1e9"}));
      case 1:
        return fmt::format(
            R"({{"quantity": "{}", "{}": {}{}}})",
            pick({"energy_error", "total_energy", "unit_length_error", "megno", "fli"}), bound,
            constant(), at);
      default:
        return fmt::format(R"({{"expression": "{}", "{}": {}{}}})", number(), bound, constant(),
                           at);
    }
  }
  std::string section() {
    if (below(4) == 0)
      return fmt::format(R"({{"period": {}, "phase": {}}})",
                         usually({"0.01", "\"2 ms\""}, {"\"k\"", "1e-300", "1e300"}), constant());
    std::string out = fmt::format(R"({{"expression": "{}", "direction": "{}")", number(),
                                  pick({"rising", "falling", "both"}));
    if (below(2) == 0) out += fmt::format(R"(, "coordinates": {{"{}": "{}"}})", name(), number());
    return out + "}";
  }
  std::string plots() {
    return below(2) == 0 ? fmt::format(R"({{"{}": "{}"}})", name(), number())
                         : fmt::format(R"({{"{}": {{"expression": "{}", "unit": "{}"}}}})", name(),
                                       number(), unit());
  }
  /// In the order of their steps, from one on.
  std::string events(int from) {
    int step = from;
    return list(1 + below(4), [&] {
      step += below(3);
      switch (below(8)) {
        case 0:
          return fmt::format(R"({{"step": {}, "reverse": true}})", step);
        case 1:
          return fmt::format(
              R"({{"step": {}, "pull": {{"body": {}, "force": [1, 0, {}], "steps": 2}}}})", step,
              below(bodies_), constant());
        case 2:
          return fmt::format(R"({{"step": {}, "add_lane": {}}})", step, method(true));
        case 3:
          return fmt::format(R"({{"step": {}, "resume": true}})", step);
        default:
          return fmt::format(R"({{"step": {}, "set": {{{}}}}})", step, setting());
      }
    });
  }
  std::string setting() {
    switch (below(7)) {
      case 0:
        return R"("integrator.step": )" + step();
      case 1:
        return R"("integrator": )" + method(false);
      case 2:
        return R"("every": 2)";
      case 3:
        return fmt::format(R"("state.q[{}]": [0, 0.6, 0.8])", below(bodies_));
      case 4:
        return R"("lanes[0].step": )" + step();
      default:
        return fmt::format(R"("{}": {})",
                           pick({"system.k", "system.g", "system.gravity", "system.masses[0]",
                                 "system.damping", "system.masses"}),
                           constant());
    }
  }
  std::string branch() {
    const int from = below(4);
    return fmt::format(R"({{"name": "{}", "from_step": {}, "events": {}}})", name(), from,
                       below(2) == 0 ? "[]" : events(from));
  }

  std::string number() { return number(below(4)); }
  std::string number(int depth) {
    if (depth == 0)
      return usually({"1", "0.5", "q[0].e1", "q[0].e3", "q[n-1].e2", custom_ ? "k" : "2"},
                     {"w[0].e2", "norm(w[0])", "t", "g", "2 m", custom_ ? "a" : "masses[0]"});
    const auto next = [&] { return number(depth - 1); };
    switch (below(10)) {
      case 0:
        return next() + " + " + next();
      case 1:
        return next() + "*" + next();
      case 2:
        return next() + "/(1 + (" + next() + ")^2)";
      case 3:
        return "-" + next();
      case 4:
        return "(" + next() + ")^" + pick({"2", "-1", "0.5", "1.5", "k"});
      case 5:
        return vector(depth - 1) + "." + vector(depth - 1);
      case 6:
        return pick({"sin", "sqrt", "log", "exp", "acos", "abs", "sign"}) + "(" + next() + ")";
      case 7:
        return "sum(i" + pick({"", ", j", " < j", " > 0", ", j, l, o, p, r"}) + ": q[i].e1*" +
               next() + ")";
      case 8:
        return "if(" + next() + " < " + next() + ", " + next() + ", " + next() + ")";
      default:
        return "angle(" + vector(depth - 1) + ", " + vector(depth - 1) + ")";
    }
  }
  std::string vector(int depth) {
    if (depth == 0) return usually({"q[0]", "e3", "q[n-1]"}, {"w[0]", custom_ ? "x[0]" : "e1"});
    switch (below(3)) {
      case 0:
        return "(" + vector(depth - 1) + " + " + vector(depth - 1) + ")";
      case 1:
        return number(depth - 1) + "*" + vector(depth - 1);
      default:
        return vector(depth - 1) + "×" + vector(depth - 1);
    }
  }

  std::string constant() {
    return usually({"1", "0.5", "2", "9.81", "1e-3", "\"1/3\""},
                   {"0", "-1", "1e6", "\"30 deg\"", "\"2 Hz\"", "\"1 kg\"", "1e300"});
  }
  std::string step() {
    return usually({"0.01", "0.01", "0.005"}, {"0.02", "\"1/300 s\"", "1e-9", "0.3"});
  }
  std::string unit() {
    return usually({"", "", "kg"}, {"m/s^2", "J", "rad/s", "Hz", "T", "parsec"});
  }
  std::string name() {
    return usually({"a", "b", "δ", "with space"}, {"", "=1", "@", "a/b", "\\u0007"});
  }

  template <class Entry>
  std::string list(int count, const Entry& entry) {
    std::string out = "[";
    for (int k = 0; k < count; ++k) out += (k > 0 ? ", " : "") + std::string(entry());
    return out + "]";
  }
  static void member(std::string& out, const char* key, const std::string& value) {
    out += fmt::format(", \"{}\": {}", key, value);
  }
  std::size_t size() const { return static_cast<std::size_t>(bodies_); }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string pick(const std::vector<std::string>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

  /// One of the second list now and then, which is refused in most places.
  std::string usually(const std::vector<std::string>& good, const std::vector<std::string>& odd) {
    return pick(below(16) == 0 ? odd : good);
  }

  std::mt19937_64 random_;
  int bodies_ = 1;
  bool custom_ = false;
};
