// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions made by chance, from the grammar and from bytes: each is refused or translated, in
// bounded time, and what is translated can be evaluated. 100 000 of them with TWOSPHERE_LONG set.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <random>

#include "core/mechanics/first_order.h"
#include "core/mechanics/heat_bath.h"
#include "tests/core/custom/definitions.h"
#include "tests/outcome.h"

namespace twosphere::test::custom_mutations_test {
namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : bits_(seed) {}

  /// A text of the grammar, mostly of the right types.
  std::string number(int depth) {
    if (depth == 0) {
      if (below(60) == 0) return pick({"t", "2 m", "1e300", "m[k]"});
      if (below(3) > 0) return pick({"1", "0.5", "k", "m[0]", "n", "q[0].e1"});
      return below(3) == 0 ? index() : "m[" + index() + "]";
    }
    const auto next = [&] { return number(depth - 1); };
    switch (below(14)) {
      case 0:
        return next() + " + " + next();
      case 1:
        return next() + "*" + next();
      case 2:
        return next() + "/(" + next() + ")";
      case 3:
        return "-" + next();
      case 4:
        return "(" + next() + ")^" + pick({"2", "-1", "0.5", "(1/3)", "k"});
      case 5:
        return vector(depth - 1) + "." + vector(depth - 1);
      case 6:
        return "norm(" + vector(depth - 1) + ")";
      case 7:
        return pick({"sin", "sqrt", "log", "exp", "acos", "abs", "sign"}) + "(" + next() + ")";
      case 8:
        return summed(pick({"sum", "prod"}), [&] { return next(); });
      case 9:
        return "if(" + next() + " < " + next() + ", " + next() + ", " + next() + ")";
      case 10:
        return "angle(" + vector(depth - 1) + ", " + vector(depth - 1) + ")";
      case 11:
        return pick({"min", "max", "atan2"}) + "(" + next() + ", " + next() + ")";
      case 12:
        return "a";
      default:
        return next() + " − " + next();
    }
  }
  std::string vector(int depth) {
    if (depth == 0) {
      if (below(60) == 0) return pick({"w[0]", "q[i]", "x[1]"});
      return below(2) == 0 ? pick({"q[0]", "e3", "p"}) : pick({"q[", "x["}) + index() + "]";
    }
    switch (below(5)) {
      case 0:
        return "(" + vector(depth - 1) + " + " + vector(depth - 1) + ")";
      case 1:
        return number(depth - 1) + "*" + vector(depth - 1);
      case 2:
        return vector(depth - 1) + "×" + vector(depth - 1);
      case 3:
        return summed("sum", [&] { return vector(depth - 1); });
      default:
        return "[" + number(depth - 1) + ", 0, 1]";
    }
  }
  /// A sum over new indices.
  std::string summed(const std::string& name, const std::function<std::string()>& body) {
    const std::size_t outer = scope_.size();
    const std::string i = "i" + std::to_string(outer), j = "j" + std::to_string(outer);
    std::string header;
    if (below(2) == 0) {
      header = outer > 0 && below(2) == 0 ? i + pick({" <= ", " < ", " > ", " != "}) + index()
                                          : i + pick({"", "", " > 0", " < n - 1"});
      scope_.push_back(i);
    } else {
      header = i + pick({" < ", ", ", " != ", " <= "}) + j + (below(9) == 0 ? " in bonds" : "");
      scope_.insert(scope_.end(), {i, j});
    }
    std::string out = name + "(" + header + ": " + body() + ")";
    scope_.resize(outer);
    return out;
  }
  std::string index() {
    if (scope_.empty()) return pick({"0", "n-1"});
    return scope_[static_cast<std::size_t>(below(static_cast<int>(scope_.size())))] +
           (below(20) == 0 ? "-1" : "");
  }

  /// Some of its bytes changed, moved or doubled.
  std::string damaged(std::string text) {
    for (int k = below(4); k > 0 && !text.empty(); --k) {
      const auto at = static_cast<std::size_t>(below(static_cast<int>(text.size())));
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, static_cast<std::size_t>(1 + below(3)));
          break;
        case 2:
          text.insert(at,
                      pick({"(", ")", "[", "]", ".", "×", ":", ",", "sum(", "1e9", "^", "\xff"}));
          break;
        default:
          text += text.substr(at);
      }
    }
    return text;
  }

  Definition definition() {
    Definition d;
    d.bodies = 1 + below(below(4) == 0 ? 40 : 4);
    d.parameters = {list("m", std::vector<double>(static_cast<std::size_t>(d.bodies), 1.5)),
                    test::number("k", 0.75), list("p", {1, 0, 2})};
    if (d.bodies > 1) d.parameters.push_back(pairs("bonds", {0, 1}));
    // Definitions that are not there yet are named, too, now and then.
    d.define = {"x[i] = " + text(true, {"i"}), "a = " + text(false, {})};
    d.inertia = inertia();
    d.potential = "sum(i: " + text(false, {"i"}) + ")";
    if (below(4) == 0) d.force = {"f[i] = " + pick({"", "sin(t)*", "-"}) + text(true, {"i"})};
    if (below(4) == 0)
      d.torque = {pick({"torque[0] = -k*w[0]", "torque[i] = -m[i]*w[i] - w[i]/2",
                        "torque[i] = e3 - (k + 1)*w[i]"})};
    if (below(4) == 0) d.figure = {"ball(" + text(true, {"i"}) + ")", figure()};
    if (below(4) == 0) d.plots = {{"p", text(false, {})}, {"v", "v[0].e1 + " + text(false, {})}};
    if (below(8) == 0) {
      const std::string factor = text(true, {"i"});
      d.gyroscopic = pick({"k*e3.cross(q[0], v[0])", "v[0].v[0]", "sum(i: (", "sum(i: ("});
      if (d.gyroscopic.starts_with("sum")) d.gyroscopic += factor + ").v[i])";
    }
    if (below(8) == 0) d.strength = pick({"m", "k", "i: 1 - 2*i", "i: m[i]*k", "0", "p"});
    if (below(8) == 0) d.frame_rotation = pick({"[0, 0, k]", "p", "k*e3", "0*p", "q[0]", "k"});
    if (below(12) == 0) {
      d.lagrangian = pick({"sum(i: v[i].v[i]) + ", "sum(i: m[i]/2*norm(rate(x[i]))^2) - "}) +
                     d.potential + pick({"", " + q[0].v[0]", " + k*(e3.v[0] + 1)^2"});
      d.inertia = d.potential = d.gyroscopic = d.strength = d.frame_rotation = "";
    }
    return d;
  }

  /// One of first order.
  Definition first_order_definition() {
    Definition d = definition();
    d.first_order = true;
    d.inertia.clear();
    d.hamiltonian = std::move(d.potential);
    d.potential.clear();
    d.gyroscopic.clear();
    d.frame_rotation.clear();
    if (!d.lagrangian.empty()) d.hamiltonian = "q[0].e1";
    d.lagrangian.clear();
    d.strength = pick({"m", "k", "i: m[i]", "-2", "i: 1 - 2*i", "i: i", ""});
    if (below(4) == 0) d.strength = "i: " + text(false, {"i"});
    if (below(2) == 0) d.damping = pick({"k", "m", "i: 0.1*i", "0", "-1"});
    if (below(8) == 0) d.damping = text(false, {});
    if (below(4) == 0) {
      d.temperature = pick({"k", "0", "2*k", "0.1 - k", "m"});
      if (below(8) == 0) d.temperature = text(false, {});
      d.seed = below(3);
    }
    return d;
  }

  Columns start(int n) { return directions(n, static_cast<unsigned>(below(1000))); }

 private:
  std::string inertia() {
    switch (below(16)) {
      case 0:
        return "matrix(i, j: if(i == j, 9, sin(" + text(false, {}) + ")))";
      case 1:
        return "diag(i: 2 + cos(" + text(false, {"i"}) + "))";
      case 2:
        return "diag(" + text(false, {}) + ")";
      case 3:
        return "rod(i: m[i], 1 + i, " + text(false, {"i"}) + ")";
      default:
        return pick({"diag(2)", "diag(m)", "chain(m, k)", "chain(m, k, 2)", "rod(m, 0.5, k)",
                     "rod(m, 0.5, k, k)", "diag(i: m[i]*(1 + i))",
                     "matrix(i, j: if(i == j, 3, 1/(1 + i + j)))"});
    }
  }
  std::string figure() {
    const std::string a = text(true, {"i"}), b = text(true, {"i"});
    return pick({"rod(", "arrow(", "spring("}) + a + ", " + b + ")";
  }

  int below(int n) { return static_cast<int>(bits_() % static_cast<unsigned>(n)); }
  std::string pick(std::initializer_list<const char*> list) {
    return list.begin()[below(static_cast<int>(list.size()))];
  }
  std::string text(bool of_vector, std::vector<std::string> scope) {
    scope_ = std::move(scope);
    const int depth = below(4);
    const std::string made = of_vector ? vector(depth) : number(depth);
    return below(9) == 0 ? damaged(made) : made;
  }

  std::mt19937 bits_;
  std::vector<std::string> scope_;  // the indices that are bound
};

TEST(CustomMutations, OfFirstOrderAreRefusedOrTranslated) {
  const unsigned runs = std::getenv("TWOSPHERE_LONG") ? 100'000 : 2'000;
  ASSERT_TRUE(custom::force_back_end("tape"));
  int right = 0;
  for (unsigned seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE(seed);
    Mutator mutator(seed);
    const Definition definition = mutator.first_order_definition();
    const CompileResult translation = translate(definition);
    if (!translation.definition) {
      ASSERT_FALSE(translation.error.message.empty());
      ASSERT_FALSE(translation.error.location.empty()) << translation.error.message;
      continue;
    }
    ++right;
    const auto system =
        value_of(translation.definition->info().create(definition.bodies, values_of(definition)));
    const Columns q = mutator.start(definition.bodies);
    Columns w(3, q.cols());
    first_order_velocity(*system, 0.5, q, w);
    if (const HeatBath* bath = system->heat_bath()) {
      EXPECT_GT(bath->temperature, 0);
    }
  }
  ASSERT_TRUE(custom::force_back_end(""));
  EXPECT_GT(right, 100);
}

TEST(CustomMutations, AreRefusedOrTranslated) {
  const unsigned runs = std::getenv("TWOSPHERE_LONG") ? 100'000 : 4'000;
  // Machine code for one in sixteen, beside the tape; the rest is not compiled.
  ASSERT_TRUE(custom::force_back_end("tape"));
  int right = 0, by_code = 0;
  double slowest = 0;
  unsigned slowest_seed = 0;
  for (unsigned seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE(seed);
    Mutator mutator(seed);
    const Definition definition = mutator.definition();
    const double before = processor_time();
    const CompileResult translation = translate(definition);
    const double took = processor_time() - before;
    if (took > slowest) {
      slowest = took;
      slowest_seed = seed;
    }
    if (!translation.definition) {
      const TextError& e = translation.error;
      ASSERT_FALSE(e.message.empty());
      ASSERT_FALSE(e.location.empty()) << e.message;
      const auto characters = std::count_if(e.text.begin(), e.text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
      });
      ASSERT_GE(e.column, 0);
      ASSERT_LE(e.column, characters + 1) << e.text << ": " << e.message;
      continue;
    }
    ++right;
    if (right % 16 == 0) {
      const auto again = [&] {
        return std::move(
            *translation.definition->info().create(definition.bodies, values_of(definition)));
      };
      const auto tape = by_back_end("tape", again), code = by_back_end("llvm", again);
      ASSERT_TRUE(custom::force_back_end("tape"));
      const Columns at = directions(definition.bodies, seed);
      const bool compiled = code->back_end() == "llvm";
      by_code += compiled ? 1 : 0;
      if (compiled) expect_equal(*tape, *code, at, tangents(at, 2));
    }
    const auto made =
        value_of(translation.definition->info().create(definition.bodies, values_of(definition)));
    const System& system = *made;
    const Columns q = mutator.start(definition.bodies), v = tangents(q, 1);
    Columns g(3, q.cols()), h(3, q.cols());
    (void)system.potential(q);
    system.gradient(q, g);
    system.hessian_times(q, v, h);
    system.force(0.5, q, g);
    system.force_slope(0.5, q, v, h);
    if (const GyroscopicField* field = system.gyroscopic()) {
      field->evaluate(q, g);
      field->derivative_along(q, v, h);
      field->slopes(q, v, g);
      field->slopes_along(q, v, v, h);
    }
    Geometry geometry;
    system.geometry(q, geometry);
    EXPECT_EQ(geometry.bodies.size(), static_cast<std::size_t>(definition.bodies));
    EXPECT_TRUE(system.frame_rotation().allFinite());
    EXPECT_TRUE(system.strength().size() == 0 || system.strength().size() == definition.bodies);
    (void)system.extent();
    (void)system.lever(0, 0);
  }
  EXPECT_GT(right, static_cast<int>(runs / 20)) << "too few are right";
  EXPECT_LT(slowest, longest_translation) << "seed " << slowest_seed;
  ASSERT_TRUE(custom::force_back_end(""));
  if (custom::code_is_possible()) {
    EXPECT_GT(by_code, right / 20);
  }
  RecordProperty("right", right);
  RecordProperty("slowest", std::to_string(slowest));
  RecordProperty("slowest_seed", static_cast<int>(slowest_seed));
}

TEST(CustomMutations, AnyBytesAreRefused) {
  std::mt19937 bits(7);
  const unsigned runs = std::getenv("TWOSPHERE_LONG") ? 100'000 : 4'000;
  for (unsigned k = 0; k < runs; ++k) {
    std::string text;
    for (auto size = bits() % 60; size > 0; --size) text += static_cast<char>(bits() % 256);
    Definition d;
    d.bodies = 2;
    d.inertia = k % 2 == 0 ? "diag(1)" : text;
    d.potential = k % 2 == 0 ? text + "(" : "0";
    ASSERT_FALSE(translate(d).definition) << k;
  }
}

}  // namespace
}  // namespace twosphere::test::custom_mutations_test
