// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/lagrangian.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/decompositions.h"
#include "core/base/workspace_pool.h"
#include "core/custom/sum_terms.h"
#include "core/mechanics/random_state.h"
#include "core/program/lowering.h"

namespace twosphere::custom {

namespace {

/// By degrees in v.
using Parts = std::array<Ref, 3>;

Ref with(const Node& node, std::vector<Ref> parts) {
  auto out = std::make_shared<Node>(node);
  out->parts = std::move(parts);
  complete(*out);
  return out;
}

/// 0 where `node` is, a vector if that is one.
Ref zero_at(const Node& node) {
  auto zero = std::make_shared<Node>();
  zero->column = node.column;
  zero->source = node.source;
  complete(*zero);
  if (!node.is_vector) return zero;
  auto vector = std::make_shared<Node>(*zero);
  vector->op = Op::vector;
  vector->is_vector = true;
  vector->parts = {zero, zero, zero};
  complete(*vector);
  return vector;
}

/// A definition without a name, as another one is used.
Ref use_of(Model& model, const Node& use, const Ref& body) {
  auto out = std::make_shared<Node>(use);
  out->which = static_cast<int>(model.named.size());
  out->unit = body->unit;
  out->free = body->free;
  complete(*out, body.get());
  const int variable = model.named[at(use.which)].variable;
  model.named.push_back({"", variable, body});
  return out;
}
/// The same once it is there.
Ref use_again(const Model& model, const Node& use, int which) {
  auto out = std::make_shared<Node>(use);
  out->which = which;
  complete(*out, model.named[at(which)].body.get());
  return out;
}

class Splitter {
 public:
  explicit Splitter(Model& model) : model_(model) {}

  Parts of(const Ref& node) {
    if (!node->reads_w) return {node, nullptr, nullptr};
    switch (node->op) {
      case Op::v:
        return {nullptr, node, nullptr};
      case Op::w:
        fail(*node,
             "is an angular velocity; write velocities v, which are v[i] = cross(w[i], q[i])");
      case Op::use:
        return of_definition(*node);
      case Op::sum:
        return of_sum(*node);
      case Op::vector:
        return of_sides(*node, 0);
      case Op::choose:
        for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
          if (node->parts[k]->reads_w) fail(*node->parts[k], "is a velocity in a condition");
        return of_sides(*node, 2);
      case Op::total: {
        Parts out = of(node->parts[0]);
        for (Ref& part : out)
          if (part) part = with(*node, {part});
        return out;
      }
      case Op::product:
      case Op::dot:
      case Op::cross:
        return of_product(*node);
      case Op::power:
        return of_power(*node);
      default:
        fail(*node, "is no polynomial in the velocities that it reads");
    }
  }

 private:
  /// At a part of a definition the place is where the text uses it.
  [[noreturn]] void fail(const Node& node, const std::string& what) const {
    const Node& at = used_ ? *used_ : node;
    at.source->fail(at.column,
                    fmt::format("{}{}; the Lagrangian is a polynomial in velocities v of degree 2",
                                what, used_ ? ", in this definition" : ""));
  }

  Parts of_definition(const Node& node) {
    const auto known = known_.find(node.which);
    Parts out;
    if (known != known_.end()) {
      for (std::size_t d = 0; d < 3; ++d)
        if (known->second[d] >= 0) out[d] = use_again(model_, node, known->second[d]);
      return out;
    }
    const Node* const outer = used_;
    if (!used_) used_ = &node;
    const Ref body = model_.named[at(node.which)].body;
    const Parts parts = of(body);
    used_ = outer;
    std::array<int, 3> numbers{-1, -1, -1};
    for (std::size_t d = 0; d < 3; ++d)
      if (parts[d]) {
        numbers[d] = static_cast<int>(model_.named.size());
        out[d] = use_of(model_, node, parts[d]);
      }
    known_[node.which] = numbers;
    return out;
  }

  Parts of_sum(const Node& node) {
    std::array<std::vector<Term>, 3> terms;
    for (std::size_t k = 0; k < node.parts.size(); ++k) {
      const Parts part = of(node.parts[k]);
      for (std::size_t d = 0; d < 3; ++d)
        if (part[d]) terms[d].push_back({part[d], static_cast<bool>(node.inverse[k])});
    }
    return {sum_of(terms[0]), sum_of(terms[1]), sum_of(terms[2])};
  }

  /// The parts from `first` on, each degree with 0 where it is missing.
  Parts of_sides(const Node& node, std::size_t first) {
    std::vector<Parts> sides;
    for (std::size_t k = first; k < node.parts.size(); ++k) sides.push_back(of(node.parts[k]));
    Parts out;
    for (std::size_t d = 0; d < 3; ++d) {
      std::vector<Ref> parts(node.parts.begin(), node.parts.begin() + static_cast<long>(first));
      bool any = false;
      for (std::size_t k = 0; k < sides.size(); ++k) {
        any = any || sides[k][d];
        parts.push_back(sides[k][d] ? sides[k][d] : zero_at(*node.parts[first + k]));
      }
      if (any) out[d] = with(node, std::move(parts));
    }
    return out;
  }

  /// The factors without velocity stay one product: of many, two by two would be too deep a tree.
  Parts of_product(const Node& node) {
    if (node.op != Op::product) {
      const Parts a = of(node.parts[0]), b = of(node.parts[1]);
      return times(node, a, b, *node.parts[1]);
    }
    Node rest = node;
    rest.parts.clear();
    rest.inverse.clear();
    rest.is_vector = false;
    std::vector<Ref> moving;
    for (std::size_t k = 0; k < node.parts.size(); ++k) {
      const Ref& factor = node.parts[k];
      if (factor->reads_w) {
        if (node.inverse[k]) fail(*factor, "is a velocity that divides");
        moving.push_back(factor);
      } else {
        rest.parts.push_back(factor);
        rest.inverse.push_back(node.inverse[k]);
        rest.is_vector = rest.is_vector || factor->is_vector;
      }
    }
    Parts out;
    bool first = rest.parts.empty();
    if (!first) out[0] = with(rest, rest.parts);
    for (const Ref& factor : moving) {
      const Parts next = of(factor);
      out = first ? next : times(node, out, next, *factor);
      first = false;
    }
    return out;
  }

  /// a b; `factor`: where a third velocity is.
  Parts times(const Node& node, const Parts& a, const Parts& b, const Node& factor) {
    std::array<std::vector<Term>, 3> terms;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        if (!a[i] || !b[j]) continue;
        if (i + j > 2) fail(factor, "is a third velocity in a product");
        Node product = node;
        product.inverse.clear();
        if (node.op == Op::product) {
          product.inverse = {false, false};
          product.is_vector = a[i]->is_vector || b[j]->is_vector;
        }
        terms[i + j].push_back({with(product, {a[i], b[j]}), false});
      }
    return {sum_of(terms[0]), sum_of(terms[1]), sum_of(terms[2])};
  }

  /// x^2 and norm(a)^2.
  Parts of_power(const Node& node) {
    const Node& exponent = *node.parts[1];
    const bool square = exponent.op == Op::number && exponent.value == 2;
    if (!square) fail(node, "is no square of a velocity, but another power");
    const Node& base = *node.parts[0];
    const bool norm = base.op == Op::norm;
    Node product = node;
    product.op = norm ? Op::dot : Op::product;
    const Parts factor = of(norm ? base.parts[0] : node.parts[0]);
    return times(product, factor, factor, base);
  }

  Model& model_;
  std::map<int, std::array<int, 3>> known_;  // parts of definitions
  const Node* used_ = nullptr;               // the definition that is looked into
};

/// Differentiates what is linear in q.
class Rate {
 public:
  Rate(Model& model, const std::optional<Dimension>& rate) : model_(model), rate_(rate) {}

  Ref of(const Node& node) {
    if (!node.reads_q) return nullptr;
    auto out = std::make_shared<Node>(node);
    out->unit = node.unit && rate_ ? std::optional(product(*node.unit, *rate_)) : std::nullopt;
    out->free = false;
    std::vector<Term> terms;
    switch (node.op) {
      case Op::q:
        out->op = Op::v;
        break;
      case Op::use: {
        const auto known = model_.rates.find(node.which);
        if (known != model_.rates.end()) return use_again(model_, node, known->second);
        const Ref body = model_.named[at(node.which)].body, rate = of(*body);
        model_.rates[node.which] = static_cast<int>(model_.named.size());
        return use_of(model_, node, rate);
      }
      case Op::sum:
        for (std::size_t k = 0; k < node.parts.size(); ++k)
          if (const Ref part = of(*node.parts[k]))
            terms.push_back({part, static_cast<bool>(node.inverse[k])});
        return sum_of(terms);
      default:
        // A linear expression has q in one factor, and in no condition.
        for (Ref& part : out->parts)
          if (part->reads_q)
            part = of(*part);
          else if (node.op == Op::vector || (node.op == Op::choose && is_side(node, part)))
            part = zero_at(*part);
    }
    complete(*out);
    return out;
  }

 private:
  static Dimension product(Dimension a, const Dimension& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
    return a;
  }
  static bool is_side(const Node& node, const Ref& part) {
    return part == node.parts[2] || part == node.parts[3];
  }

  Model& model_;
  std::optional<Dimension> rate_;
};

/// The second derivatives by v of T(q, v), by a program that takes v as further variables.
class KineticField final : public InertiaField {
 public:
  KineticField(Program program, int n) : program_(std::move(program)), n_(n) {
    program_.prepare({.pull_back = true, .pull_back_along = true});
    // The first calls take memory. Later ones of these two need none; slopes() takes some for
    // eigenvalues.
    const Columns q = Columns::Constant(3, n, 1 / std::sqrt(3.0));
    Eigen::MatrixXd m(n, n);
    evaluate(q, m);
    derivative_along(q, q, m);
  }

  void evaluate(const Columns& q, Eigen::MatrixXd& m) const override { columns(q, nullptr, m); }
  void derivative_along(const Columns& q, const Columns& d, Eigen::MatrixXd& dm) const override {
    columns(q, &d, dm);
  }
  void slopes(const Columns& q, const Eigen::MatrixXd& a, Columns& r) const override {
    contract(q, a, nullptr, r);
  }
  void slopes_along(const Columns& q, const Eigen::MatrixXd& a, const Columns& d,
                    Columns& r) const override {
    contract(q, a, &d, r);
  }
  /// The 3×3 block ∂²T/∂v_i∂v_j for all i.
  Columns block(const Columns& q, int j, int axis) const {
    Columns v = Columns::Zero(3, n_), out(3, n_);
    v(axis, j) = 1;
    at_point(q, v, nullptr, [&](const Columns& g) { out = g.rightCols(n_); });
    return out;
  }

  const Program& program() const { return program_; }

 private:
  struct Workspace {
    Columns point, along, out, v;
  };
  /// Calls `use` with the gradient of T at (q, v), or its derivative along (d, 0).
  template <class Use>
  void at_point(const Columns& q, const Columns& v, const Columns* d, const Use& use) const {
    constexpr double one = 1;
    const auto work = take();
    work->point.leftCols(n_) = q;
    work->point.rightCols(n_) = v;
    work->out.setZero();
    if (d) {
      work->along.leftCols(n_) = *d;
      program_.pull_back_along({.q = &work->point}, work->along, &one, work->out);
    } else {
      program_.pull_back({.q = &work->point}, &one, work->out);
    }
    use(work->out);
  }
  /// One workspace for each call at the same time.
  Pool<Workspace>::Lease take() const {
    return pool_.take([this] {
      const Columns zero = Columns::Zero(3, 2 * n_);
      return Workspace{zero, zero, zero, Columns::Zero(3, n_)};
    });
  }

  /// ∂T/∂v at v_j = e1 is M_ij e1. The lower half counts.
  void columns(const Columns& q, const Columns* d, Eigen::MatrixXd& m) const {
    const auto lease = take();
    Columns& v = lease->v;
    v.setZero();
    for (int j = 0; j < n_; ++j) {
      v(0, j) = 1;
      at_point(q, v, d, [&](const Columns& g) {
        for (int i = j; i < n_; ++i) m(i, j) = m(j, i) = g(0, n_ + i);
      });
      v(0, j) = 0;
    }
  }
  /// With A = Σ λ u uᵀ, Σ_jl A_jl m_jl = 2 Σ λ T at v_j = u_j e1.
  void contract(const Columns& q, const Eigen::MatrixXd& a, const Columns* d, Columns& r) const {
    const EigenSystem eigen = symmetric_eigensystem(a);
    // Of two or three bodies that move A has few eigenvalues but for rounding.
    const double rounding =
        std::numeric_limits<double>::epsilon() * eigen.values.cwiseAbs().maxCoeff();
    const auto lease = take();
    Columns& v = lease->v;
    v.setZero();
    for (int k = 0; k < n_; ++k) {
      if (std::abs(eigen.values[k]) <= rounding) continue;
      v.row(0) = eigen.vectors.col(k).transpose();
      at_point(q, v, d, [&](const Columns& g) { r += 2 * eigen.values[k] * g.leftCols(n_); });
    }
  }

  Program program_;
  int n_;
  mutable Pool<Workspace> pool_;
};

/// Throws TextException unless the second derivatives of T are numbers times the unit matrix:
/// looked at in random states.
void check_blocks(const KineticField& field, const Entry& entry, int n) {
  constexpr double small = 1e-10;
  constexpr unsigned states = 3;
  Eigen::MatrixXd m(n, n);
  for (unsigned s = 0; s < states; ++s) {
    const Columns q = random_directions(n, s);
    field.evaluate(q, m);
    if (!m.allFinite()) continue;
    for (int j = 0; j < n; ++j)
      for (int axis = 0; axis < 3; ++axis) {
        const Columns block = field.block(q, j, axis);
        for (int i = 0; i < n; ++i)
          if ((block.col(i) - m(i, j) * Vec3::Unit(axis)).norm() >
              small * std::sqrt(std::abs(m(i, i) * m(j, j))) + small * block.col(i).norm())
            entry.source->fail(
                1, fmt::format("the kinetic energy has velocities of bodies {0} and {1} otherwise "
                               "than as a number times v[{0}].v[{1}]: its second derivative by "
                               "them is no multiple of the unit matrix",
                               std::min(i, j), std::max(i, j)));
      }
  }
}

}  // namespace

VelocityParts split_by_velocity(Model& model, const Ref& number) {
  const Parts parts = Splitter(model).of(number);
  return {parts[0], parts[1], parts[2]};
}

Ref rate_of(Model& model, const Node& value, const std::optional<Dimension>& rate) {
  return Rate(model, rate).of(value);
}

ProgramInertia inertia_of_lagrangian(ModelConstants& constants) {
  const Entry& entry = constants.model().inertia.arguments[0];
  const int n = constants.bodies();
  const OutputTerm term{entry.values[0], nullptr, [](Constants&, Indices&) { return 0; }};
  auto field = std::make_unique<KineticField>(
      build(constants, std::span(&term, 1), 1, 1, Velocities::beside), n);
  // It may depend on the values of the parameters.
  check_blocks(*field, entry, n);
  if (entry.values[0]->reads_q) {
    const InertiaField* shown = field.get();
    const Program* program = &field->program();
    return {VariableInertia{shown, n}, std::move(field), program};
  }
  Eigen::MatrixXd m(n, n);
  field->evaluate(Columns::Zero(3, n), m);
  return {structured(m, entry), nullptr, nullptr};
}

}  // namespace twosphere::custom
