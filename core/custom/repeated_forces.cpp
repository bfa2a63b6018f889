// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/repeated_forces.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "core/base/common_period.h"

namespace twosphere::custom {

namespace {

constexpr double same_growth = 1e-9;

/// What becomes of a value x in the time: ±x + growth. Vectors do not grow.
struct Later {
  bool negative = false;
  double growth = 0;
};

/// Thrown where nothing is known.
struct Unknown {};

class ByTime {
 public:
  ByTime(const Model& model, const Values& values, double time)
      : constants_(model, values), time_(time), indices_(at(model.variables), 0) {}

  /// Throws Unknown where what grows is in anything but sines, cosines and tangents. By how much
  /// what these are of grows.
  std::vector<double> growths() {
    std::vector<double> all;
    growths_ = &all;
    examine_forces();
    return all;
  }

  /// Throws Unknown unless all forces are the same again.
  void examine_forces() {
    for (const Entry& entry : constants_.model().forces)
      for_each(entry.over.get(), [&] { expect_same(*entry.values[0]); });
  }

 private:
  void for_each(const Range* over, const std::function<void()>& visit) {
    if (over)
      constants_.enumerate(*over, indices_, visit);
    else
      visit();
  }

  Later look(const Node& node) {
    if (!node.reads_t) return {};
    switch (node.op) {
      case Op::time:
        return {false, time_};
      case Op::use:
        return use(node);
      case Op::vector:
        return {sign_of_all(node)};
      case Op::sum:
      case Op::total:
        return sum(node);
      case Op::product:
        return product(node);
      case Op::dot:
      case Op::cross: {
        const bool a = sign(*node.parts[0]), b = sign(*node.parts[1]);
        return {a != b};
      }
      case Op::total_product: {
        Later out;
        for_each(node.over.get(), [&] { out.negative = out.negative != sign(*node.parts[0]); });
        return out;
      }
      case Op::power:
        return power(node);
      case Op::norm:
        sign(*node.parts[0]);
        return {};
      case Op::function:
        return function(node);
      case Op::choose:
        return choose(node);
      default:
        for (const Ref& part : node.parts) expect_same(*part);
        return {};
    }
  }

  /// Whether what does not grow changes its sign.
  bool sign(const Node& node) {
    const Later out = look(node);
    if (out.growth != 0) throw Unknown{};
    return out.negative;
  }
  bool sign_of_all(const Node& node) {
    const bool first = sign(*node.parts[0]);
    for (const Ref& part : node.parts)
      if (sign(*part) != first) throw Unknown{};
    return first;
  }
  void expect_same(const Node& node) {
    if (sign(node)) throw Unknown{};
  }

  Later use(const Node& node) {
    const std::pair<int, int> key(node.which, constants_.enter(node, indices_));
    if (const auto found = named_.find(key); found != named_.end()) return found->second;
    return named_[key] = look(*constants_.bindings().named[at(node.which)].body);
  }

  Later sum(const Node& node) {
    Later out;
    double size = 0;
    bool first = true;
    const auto add = [&](const Node& part, double factor) {
      const Later next = look(part);
      if (!first && next.negative != out.negative) throw Unknown{};
      first = false;
      out.negative = next.negative;
      out.growth += factor * next.growth;
      size += std::abs(next.growth);
    };
    if (node.op == Op::total)
      for_each(node.over.get(), [&] { add(*node.parts[0], 1); });
    else
      for (std::size_t m = 0; m < node.parts.size(); ++m)
        add(*node.parts[m], node.inverse[m] ? -1 : 1);
    if (std::abs(out.growth) <= same_growth * size) out.growth = 0;
    return out;
  }

  Later product(const Node& node) {
    Later out;
    std::size_t grows = node.parts.size();
    for (std::size_t m = 0; m < node.parts.size(); ++m) {
      const Later next = look(*node.parts[m]);
      out.negative = out.negative != next.negative;
      if (next.growth == 0) continue;
      if (grows < node.parts.size() || node.inverse[m]) throw Unknown{};
      grows = m;
      out.growth = next.growth;
    }
    // What grows is multiplied by numbers.
    for (std::size_t m = 0; grows < node.parts.size() && m < node.parts.size(); ++m) {
      const Node& part = *node.parts[m];
      if (m == grows) continue;
      if (!part.constant() || part.is_vector) throw Unknown{};
      const double factor = constants_.number(part, indices_);
      out.growth *= node.inverse[m] ? 1 / factor : factor;
    }
    return out;
  }

  Later power(const Node& node) {
    expect_same(*node.parts[1]);
    if (!sign(*node.parts[0])) return {};
    if (!node.parts[1]->constant()) throw Unknown{};
    const double exponent = constants_.number(*node.parts[1], indices_);
    if (exponent != std::round(exponent)) throw Unknown{};
    return {std::fmod(exponent, 2) != 0};
  }

  Later function(const Node& node) {
    const Later x = look(*node.parts[0]);
    const Function f = node.function;
    if (x.growth != 0) {
      const bool of_angle = f == Function::sin || f == Function::cos || f == Function::tan;
      if (!of_angle || x.negative) throw Unknown{};
      if (growths_) {
        growths_->push_back(x.growth);
        return {};
      }
      // By so many half turns.
      const double half_turns = std::round(x.growth / std::numbers::pi);
      if (std::abs(x.growth - half_turns * std::numbers::pi) > same_growth) throw Unknown{};
      return {f != Function::tan && std::fmod(half_turns, 2) != 0};
    }
    if (!x.negative) return {};
    switch (f) {
      case Function::cos:
      case Function::cosh:
      case Function::abs:
        return {};
      case Function::sin:
      case Function::tan:
      case Function::asin:
      case Function::atan:
      case Function::sinh:
      case Function::tanh:
      case Function::sign:
        return x;
      default:
        throw Unknown{};
    }
  }

  Later choose(const Node& node) {
    const Node &a = *node.parts[0], &b = *node.parts[1];
    // Of a choice by indices only one side is ever read.
    if (a.constant() && b.constant())
      return look(*node.parts[constants_.holds(node, indices_) ? 2 : 3]);
    const Later left = look(a), right = look(b), yes = look(*node.parts[2]),
                no = look(*node.parts[3]);
    if (left.negative || right.negative || !equal(left.growth, right.growth) ||
        yes.negative != no.negative || !equal(yes.growth, no.growth))
      throw Unknown{};
    return yes;
  }
  static bool equal(double a, double b) {
    return std::abs(a - b) <= same_growth * std::max(std::abs(a), std::abs(b));
  }

  ModelConstants constants_;
  double time_;
  Indices indices_;
  std::map<std::pair<int, int>, Later> named_;
  std::vector<double>* growths_ = nullptr;  // where they are asked for
};

/// What `ask` returns, or `unknown` where nothing is known.
template <class Ask, class Value>
Value asked_or(const Ask& ask, Value unknown) {
  try {
    return ask();
  } catch (const Unknown&) {
    return unknown;
  } catch (const TextException&) {
    return unknown;
  }
}

}  // namespace

bool forces_repeat_after(const Model& model, const Values& values, double time) {
  return asked_or(
      [&] {
        ByTime(model, values, time).examine_forces();
        return true;
      },
      false);
}

double period_of_forces(const Model& model, const Values& values) {
  constexpr int most_parts = 12;
  // In a unit of time what grows grows by its rate.
  const auto rates =
      asked_or([&] { return ByTime(model, values, 1).growths(); }, std::vector<double>());
  double period = 0;
  for (const double rate : rates) {
    period = common_period(period, 2 * std::numbers::pi / std::abs(rate));
    if (period == 0) return 0;
  }
  for (int parts = most_parts; parts > 1; --parts)
    if (forces_repeat_after(model, values, period / parts)) return period / parts;
  return forces_repeat_after(model, values, period) ? period : 0;
}

}  // namespace twosphere::custom
