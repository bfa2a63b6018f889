// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/custom/model.h"
#include "core/language/syntax.h"

namespace twosphere::custom {

/// Gives the names of a text their meanings and its parts their types and units. Throws
/// TextException at what is wrong; errors of units go to the warnings of the model. More than forty
/// functions: one for each form of the language, all of which need the names in scope.
class Checker {
 public:
  /// `implicit`: the names i and j that are not bound mean all bodies, as in figures. `origin`:
  /// x[-1] of a definition is the origin.
  Checker(Model& model, const Source& source, bool implicit = false, bool origin = false);

  Ref number(const Syntax& s);
  Ref vector(const Syntax& s);
  Ref any(const Syntax& s);
  Ref index(const Syntax& s);

  /// Binds the indices of a header for what is checked until close() is called. `whole`: it stands
  /// before all that has an index, so that none of its indices can be meant to be that of the body.
  std::shared_ptr<const Range> open(const Header& header, bool whole = false);
  /// Binds one index that runs over all bodies.
  std::shared_ptr<const Range> open(const std::string& name, int column);
  void close();
  /// The indices that were used without being bound; null if none was. Throws TextException
  /// if a sum over several indices has bound one of them instead, or as well: sum(j <= i: …) binds
  /// both.
  std::shared_ptr<const Range> implied() const;
  /// The advice of messages for an index that is bound by nothing: "write diag(" and ": …)" around
  /// its name. As long as nothing is said, a sum.
  void bind_by(std::string before, std::string after) {
    binding_ = {std::move(before), std::move(after)};
  }
  /// Throws TextException at an index that is bound by nothing.
  [[noreturn]] void unbound(const std::string& name, int column) const;

  /// Warns unless the unit of the value is one of those. `what` is "J".
  void expect_unit(const Node& node, const std::vector<Dimension>& allowed,
                   const std::string& what);

 private:
  using Scope = std::map<std::string, int>;

  [[noreturn]] void fail(const Syntax& s, std::string message, std::string unknown = {}) const;
  std::string text(const Syntax& s) const;
  static const char* kind(const Node& node) { return node.is_vector ? "a vector" : "a number"; }
  std::shared_ptr<Node> make(Op op, const Syntax& s, std::vector<Ref> parts) const;
  /// A node with the number and the unit of a parameter of the definition.
  std::shared_ptr<Node> make(Op op, const Syntax& s, const Definition::Parameter& parameter,
                             std::vector<Ref> parts) const;
  static Ref finished(std::shared_ptr<Node> node, const Node* body = nullptr);
  void warn(int column, std::string message);

  int bind(const std::string& name, int column);
  const int* bound(const std::string& name) const;

  /// The parameter of that name; null: there is none. Fails if it is a list of pairs.
  const Definition::Parameter* parameter(const Syntax& s) const;
  Ref name(const Syntax& s);
  Ref element(const Syntax& s);
  Ref state(Op op, const Syntax& s);
  Ref use(const Named& named, const Syntax& s);
  Ref call(const Syntax& s);
  Ref rate(const Syntax& s);
  Ref total(const Syntax& s);
  Ref choice(const Syntax& s);
  Ref extremum(Op op, const Syntax& s);
  Ref of_vectors(Op op, const Syntax& s, const Syntax& a, const Syntax& b);
  Ref list(const Syntax& s);
  Ref negative(const Syntax& s);
  Ref sum(const Syntax& s);
  Ref product(const Syntax& s);
  Ref power(const Syntax& s);
  void arguments(const Syntax& s, std::size_t count, const std::string& example) const;
  void join_units(Node& node, const std::vector<Ref>& parts, const std::string& what,
                  const std::vector<Syntax::Operator>& at);
  std::string remedy(const Node& term, const Dimension& wanted) const;
  void plain(const Node& node, const std::string& what);
  std::optional<Dimension> unit_of_time(const Dimension& unit) const;
  std::optional<Dimension> raised(const std::optional<Dimension>& unit, double exponent,
                                  const Syntax& s);
  std::nullopt_t no_unit(const std::string& what, const Dimension& of, int column);
  [[noreturn]] void unknown(const Syntax& s) const;
  [[noreturn]] void no_name(const Syntax& s) const;
  bool takes_index(const std::string& name) const;

  Model& model_;
  const Source& source_;
  bool implicit_, origin_;
  std::vector<Scope> scopes_;
  std::vector<std::pair<std::string, int>> implied_;
  struct BoundIndex {
    std::string name;
    int column;
  };
  std::vector<BoundIndex> bound_by_sums_;  // an i or a j of a sum over several indices
  std::array<std::string, 2> binding_{"write sum(", ": …)"};
};

/// Whether this name has a meaning already, so that no parameter can have it.
bool is_reserved(const std::string& name);

}  // namespace twosphere::custom
