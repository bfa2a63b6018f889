// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace twosphere::custom {

Constants::Constants(const Bindings& bindings, const Values& values) : bindings_(bindings) {
  for (const auto& [key, value] : bindings.parameters) {
    const auto at = values.find(key);
    parameters_.push_back(at == values.end() ? value : &at->second);
  }
}

Constants::Constants(const Bindings& bindings, const Values& values, const State& state)
    : Constants(bindings, values) {
  state_ = &state;
}

namespace {

thread_local long operations_here = 0;

}  // namespace

void Constants::count(long operations) { operations_here += operations; }

long Constants::counted() { return operations_here; }

void Constants::spend(const Source& source, int column, long operations) {
  spent_ += operations;
  count(operations);
  allow(source, column, 0);
}

void Constants::allow(const Source& source, int column, double operations) const {
  if (static_cast<double>(spent_) + operations > static_cast<double>(Limits::operations))
    source.fail(column, fmt::format("needs more than {} operations, the most that are allowed",
                                    Limits::operations));
}

long Constants::index(const Node& node, Indices& at) {
  const double x = number(node, at);
  // Whole numbers by construction; those that are too large are out of range in any case.
  return static_cast<long>(std::clamp(x, -1e9, 1e9));
}

int Constants::index(const Node& of, const Node& node, Indices& at, int size) {
  const long i = index(node, at);
  if (i >= 0 && i < size) return static_cast<int>(i);
  // An index out of range: what is read is named.
  std::string name = "this";
  switch (of.op) {
    case Op::q:
      name = "q";
      break;
    case Op::w:
      name = "w";
      break;
    case Op::v:
      name = "v";
      break;
    case Op::element:
      name = bindings_.parameters[static_cast<std::size_t>(of.which)].key;
      break;
    case Op::use:
      name = bindings_.named[static_cast<std::size_t>(of.which)].name;
      break;
    default:
      break;
  }
  of.source->fail(of.column, fmt::format("{}[{}] is read here; the indices of {} go from 0 to {}",
                                         name, i, name, size - 1));
}

void Constants::enumerate(const Range& range, Indices& at, const std::function<void()>& visit) {
  if (range.list >= 0) {
    const std::vector<double>& rows = *parameters_[static_cast<std::size_t>(range.list)];
    const auto variable = [&](std::size_t k) -> int& {
      return at[static_cast<std::size_t>(range.variables[k])];
    };
    // The entries of a list, or the rows of a list of pairs with their numbers.
    if (range.variables.size() == 1) {
      for (std::size_t k = 0; k < rows.size(); ++k) {
        variable(0) = static_cast<int>(k);
        visit();
      }
      return;
    }
    for (std::size_t r = 0; r + 1 < rows.size(); r += 2) {
      variable(0) = static_cast<int>(rows[r]);
      variable(1) = static_cast<int>(rows[r + 1]);
      if (range.variables.size() > 2) variable(2) = static_cast<int>(r / 2);
      visit();
    }
    return;
  }
  // Conditions are tested as soon as all of their variables are set.
  std::vector<std::vector<const Range::Condition*>> after(range.variables.size() + 1);
  for (const Range::Condition& c : range.conditions) {
    std::size_t last = 0;
    for (std::size_t k = 0; k < range.variables.size(); ++k)
      for (const Ref& side : {c.left, c.right})
        if (std::binary_search(side->indices.begin(), side->indices.end(), range.variables[k]))
          last = k + 1;
    after[last].push_back(&c);
  }
  const auto holds = [&](std::size_t k) {
    return std::all_of(after[k].begin(), after[k].end(), [&](const Range::Condition* c) {
      return language::holds(c->relation, number(*c->left, at), number(*c->right, at));
    });
  };
  if (!holds(0)) return;
  // The passes of the loops within which nothing is tested are counted before they are begun.
  std::size_t untested = range.variables.size();
  while (untested > 0 && after[untested].empty()) --untested;
  double passes = 0;
  for (std::size_t k = untested; k < range.variables.size(); ++k) passes = bodies() * (1 + passes);
  // One loop within another, over all bodies.
  const std::function<void(std::size_t)> next = [&](std::size_t k) {
    if (k == untested) allow(*range.source, range.column, passes);
    if (k == range.variables.size()) return visit();
    for (int i = 0; i < bodies(); ++i) {
      spend(*range.source, range.column, 1);
      at[static_cast<std::size_t>(range.variables[k])] = i;
      if (holds(k + 1)) next(k + 1);
    }
  };
  next(0);
}

bool Constants::holds(const Node& choose, Indices& at) {
  return language::holds(choose.relation, number(*choose.parts[0], at),
                         number(*choose.parts[1], at));
}

int Constants::enter(const Node& use, Indices& at) {
  const int variable = bindings_.named[static_cast<std::size_t>(use.which)].variable;
  if (variable < 0) return -1;
  return at[static_cast<std::size_t>(variable)] = index(use, *use.parts[0], at, bodies());
}

Vec3 Constants::value(const Node& node, Indices& at) {
  if (node.op != Op::use) return uncached(node, at);
  const Named& named = bindings_.named[static_cast<std::size_t>(node.which)];
  int i = -1;
  if (named.variable >= 0) {
    // In a figure x[-1] is the origin, at which chains begin.
    if (node.origin && index(*node.parts[0], at) == -1) return Vec3::Zero();
    i = index(node, *node.parts[0], at, bodies());
  }
  // Each definition is evaluated once for each body.
  const std::pair<int, int> key(node.which, i);
  if (const auto known = named_.find(key); known != named_.end()) return known->second;
  if (named.variable >= 0) at[static_cast<std::size_t>(named.variable)] = i;
  const Vec3 out = value(*named.body, at);
  named_.emplace(key, out);
  return out;
}

Vec3 Constants::uncached(const Node& node, Indices& at) {
  spend(*node.source, node.column, 1);
  const auto scalar = [](double x) { return Vec3(x, 0, 0); };
  const auto part = [&](std::size_t k) { return value(*node.parts[k], at); };
  const auto n = [&](std::size_t k) { return number(*node.parts[k], at); };
  switch (node.op) {
    case Op::number:
      return scalar(node.value);
    case Op::vector:
      return {n(0), n(1), n(2)};
    case Op::basis:
      return Vec3::Unit(node.which);
    case Op::parameter: {
      const std::vector<double>& p = *parameters_[static_cast<std::size_t>(node.which)];
      return node.is_vector ? Vec3(p[0], p[1], p[2]) : scalar(p[0]);
    }
    case Op::element: {
      const std::vector<double>& p = *parameters_[static_cast<std::size_t>(node.which)];
      const int i = index(node, *node.parts[0], at, static_cast<int>(p.size()));
      return scalar(p[static_cast<std::size_t>(i)]);
    }
    case Op::index:
      return scalar(at[static_cast<std::size_t>(node.which)]);
    case Op::sum: {
      Vec3 sum = Vec3::Zero();
      for (std::size_t k = 0; k < node.parts.size(); ++k)
        sum += node.inverse[k] ? Vec3(-part(k)) : part(k);
      return sum;
    }
    case Op::product: {
      // The vector, if there is one, last.
      double factor = 1;
      Vec3 direction = Vec3::UnitX();
      for (std::size_t k = 0; k < node.parts.size(); ++k)
        if (node.parts[k]->is_vector)
          direction = part(k);
        else
          factor = node.inverse[k] ? factor / n(k) : factor * n(k);
      return factor * direction;
    }
    case Op::power:
      return scalar(std::pow(n(0), n(1)));
    case Op::dot:
      return scalar(part(0).dot(part(1)));
    case Op::cross:
      return part(0).cross(part(1));
    case Op::norm:
      return scalar(part(0).norm());
    case Op::angle:
      return scalar(angle(part(0), part(1)));
    case Op::function:
      return scalar(apply(node.function, n(0)));
    case Op::atan2:
      return scalar(std::atan2(n(0), n(1)));
    case Op::minimum:
      return scalar(std::min(n(0), n(1)));
    case Op::maximum:
      return scalar(std::max(n(0), n(1)));
    case Op::choose:
      return part(holds(node, at) ? 2 : 3);
    case Op::total: {
      Vec3 sum = Vec3::Zero();
      enumerate(*node.over, at, [&] { sum += part(0); });
      return sum;
    }
    case Op::total_product: {
      double product = 1;
      enumerate(*node.over, at, [&] { product *= n(0); });
      return scalar(product);
    }
    case Op::time:
      return scalar(state_ ? state_->t : 0);
    case Op::q:
    case Op::w:
    case Op::v: {
      if (!state_) return Vec3::Zero();
      const int i = index(node, *node.parts[0], at, bodies());
      // q̇ = ω × q.
      const Vec3 q = state_->q.col(i), w = state_->w.col(i);
      return node.op == Op::q ? q : node.op == Op::w ? w : Vec3(w.cross(q));
    }
    default:
      return Vec3::Zero();
  }
}

}  // namespace twosphere::custom
