// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/finite_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/custom/custom_system.h"

namespace twosphere::custom {

namespace {

/// Looks for a part of a text at a state.
class Search {
 public:
  Search(const Model& model, const Values& values, const State& state)
      : constants_(model, values, state), indices_(at(model.variables), 0) {}

  bool finite(const Node& node) { return constants_.value(node, indices_).allFinite(); }

  /// For the first tuple of indices at which `holds` is true, which stays set.
  template <class Holds>
  bool first(const Range* over, const Holds& holds) {
    if (!over) return holds();
    bool found = false;
    // enumerate() cannot be left early, and continues to change the indices.
    Indices found_at;
    constants_.enumerate(*over, indices_, [&] {
      if (found || !holds()) return;
      found = true;
      found_at = indices_;
    });
    if (found) indices_ = found_at;
    return found;
  }

  /// The innermost part that is not finite of one that is not.
  const Node& innermost(const Node& node) {
    if (node.op == Op::use) return innermost(body(node));
    if (node.op == Op::choose) {
      // The side that was not chosen may be infinite: 1/x behind if(x > 0, …).
      const bool sides = finite(*node.parts[0]) && finite(*node.parts[1]);
      if (sides) return innermost(*node.parts[constants_.holds(node, indices_) ? 2 : 3]);
    }
    const Node* inner = nullptr;
    first(node.over.get(), [&] {
      for (const Ref& part : node.parts)
        if (!inner && !finite(*part)) inner = part.get();
      return inner != nullptr;
    });
    return inner ? innermost(*inner) : node;
  }

  /// The first part, from the inside outwards, that reads q and is so; null if there is none.
  template <class Is>
  const Node* find(const Node& node, const Is& is) {
    if (!node.reads_q) return nullptr;
    if (node.op == Op::use) {
      const Node& named = body(node);
      return seen_.insert(definition_and_index(node)).second ? find(named, is) : nullptr;
    }
    if (node.op == Op::choose)
      return find(*node.parts[constants_.holds(node, indices_) ? 2 : 3], is);
    const Node* inner = nullptr;
    first(node.over.get(), [&] {
      for (const Ref& part : node.parts)
        if (!inner) inner = find(*part, is);
      return inner != nullptr;
    });
    return inner ? inner : is(node) ? &node : nullptr;
  }

  /// A part whose derivative is not finite.
  const Node* kink(const Node& node) {
    return find(node, [this](const Node& part) { return is_kink(part); });
  }
  const Node* vanishing_norm(const Node& node) {
    constexpr double rounding = 1e-12;
    return find(node, [this](const Node& part) {
      if (part.op == Op::angle) return number(part) <= rounding;
      const bool is_norm =
          part.op == Op::norm || (part.op == Op::function && part.function == Function::abs);
      return is_norm && number(part) <= rounding * largest_part(*part.parts[0]);
    });
  }

  [[noreturn]] void blame(const Node& node, const std::string& what) {
    const std::string reads = bodies(node);
    // A division by 0 is said of what is 0, not of the quotient.
    if (node.op == Op::product)
      for (std::size_t k = 0; k < node.parts.size(); ++k)
        if (const Node& part = *node.parts[k]; node.inverse[k] && number(part) == 0)
          part.source->fail(
              part.column,
              fmt::format("is 0 at the start{} and divides; {} must be finite", reads, what));
    node.source->fail(node.column, fmt::format("is {} at the start{}; {} must be finite",
                                               in_words(value(node)), reads, what));
  }
  [[noreturn]] void blame_slope(const Node& node, const std::string& what) {
    node.source->fail(
        node.column,
        fmt::format("has no finite derivative at the start{}; that of {} must be finite",
                    bodies(node), what));
  }

 private:
  double number(const Node& node) { return constants_.number(node, indices_); }
  /// The component that is not finite.
  double value(const Node& node) {
    const Vec3 x = constants_.value(node, indices_);
    for (const double c : x)
      if (!std::isfinite(c)) return c;
    return x[0];
  }

  /// The size of the largest part that a text is made of; 0 if there is none.
  double largest_part(const Node& node) {
    if (node.op == Op::use) return largest_part(body(node));
    double largest = 0;
    if (!node.over)
      for (const Ref& part : node.parts)
        largest = std::max(largest, constants_.value(*part, indices_).norm());
    return largest;
  }

  /// The body of the definition, with its index set.
  const Node& body(const Node& use) {
    constants_.enter(use, indices_);
    return *constants_.bindings().named[at(use.which)].body;
  }

  /// A definition and the value of its index, so that each is looked at once.
  std::pair<int, int> definition_and_index(const Node& use) const {
    const int variable = constants_.bindings().named[at(use.which)].variable;
    return {use.which, variable < 0 ? -1 : indices_[at(variable)]};
  }

  bool is_kink(const Node& node) {
    if (!finite(node)) return true;
    if (node.op == Op::power) {
      const double p = number(*node.parts[1]);
      return number(*node.parts[0]) == 0 && p < 1 && p != 0;
    }
    if (node.op != Op::function) return false;
    const double x = number(*node.parts[0]);
    switch (node.function) {
      case Function::sqrt:
        return x == 0;
      case Function::asin:
      case Function::acos:
        return std::abs(x) >= 1;
      default:
        return false;
    }
  }

  /// " (q[0], q[1])": those that a part reads, if they are few.
  std::string bodies(const Node& node) {
    std::set<int> read;
    seen_.clear();
    collect(node, read);
    constexpr std::size_t max_named = 3;
    if (read.empty() || read.size() > max_named) return "";
    return fmt::format(" ({})", joined(read, ", ", [](int i) { return fmt::format("q[{}]", i); }));
  }
  void collect(const Node& node, std::set<int>& to) {
    if (!node.reads_q || node.over) return;
    if (node.op == Op::use) {
      const Node& named = body(node);
      if (seen_.insert(definition_and_index(node)).second) collect(named, to);
      return;
    }
    if (node.op == Op::q)
      to.insert(constants_.index(node, *node.parts[0], indices_, constants_.bodies()));
    for (const Ref& part : node.parts) collect(*part, to);
  }

  Constants constants_;
  Indices indices_;
  std::set<std::pair<int, int>> seen_;
};

/// The result of `look`; null, too, where that takes more operations than there may be.
template <class Look>
const Node* found_by(const Look& look) {
  try {
    return look();
  } catch (const TextException&) {
    return nullptr;
  }
}

}  // namespace

void check_finite(const Model& model, const Values& values, const State& start, const Range* over,
                  const Ref& node, const std::string& what) {
  Search search(model, values, start);
  const Node* found = found_by([&]() -> const Node* {
    const bool any = search.first(over, [&] { return !search.finite(*node); });
    return any ? &search.innermost(*node) : nullptr;
  });
  if (found) search.blame(*found, what);
}

void check_smooth(const Model& model, const Values& values, const State& start, const Ref& node,
                  const std::string& what) {
  Search search(model, values, start);
  if (const Node* found = found_by([&] { return search.kink(*node); }))
    search.blame_slope(*found, what);
}

std::string vanishing_norm(const Model& model, const Values& values, const State& start,
                           const Ref& node) {
  Search search(model, values, start);
  const Node* found = found_by([&] { return search.vanishing_norm(*node); });
  if (!found) return {};
  // From the name to the bracket that closes its own.
  std::string_view text = found->source->text;
  for (int i = 1; i < found->column; ++i) text.remove_prefix(first_character(text).size());
  std::size_t end = text.find('(');
  for (int open = 0; end < text.size(); ++end) {
    open += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (open == 0) break;
  }
  return std::string(text.substr(0, end + 1));
}

}  // namespace twosphere::custom
