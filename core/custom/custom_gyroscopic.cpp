// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/custom_gyroscopic.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/base/workspace_pool.h"
#include "core/program/lowering.h"

namespace twosphere::custom {

namespace {

/// Finds the degree of texts in v.
class VelocityDegree {
 public:
  explicit VelocityDegree(const Model& model) : model_(model) {}

  /// 0 or 1, of the number 0 `any`. Throws where it is neither.
  int of(const Node& node) {
    if (node.op == Op::number && node.value == 0) return any;
    if (!node.reads_w) return 0;
    switch (node.op) {
      case Op::v:
        return 1;
      case Op::w:
        fail(node,
             "is an angular velocity; write velocities v, which are v[i] = cross(w[i], q[i])");
      case Op::use:
        return of_definition(node);
      case Op::sum:
      case Op::vector:
        return of_sum(node, 0);
      case Op::choose:
        for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
          if (node.parts[k]->reads_w) fail(*node.parts[k], "is a velocity in a condition");
        return of_sum(node, 2);
      case Op::total:
        return of(*node.parts[0]);
      case Op::product:
      case Op::dot:
      case Op::cross:
        return of_product(node);
      default:
        fail(node, "is not linear in the velocity in it");
    }
  }

 private:
  static constexpr int any = -1;

  /// At a part of a definition the place is where the text uses it.
  [[noreturn]] void fail(const Node& node, const std::string& what) const {
    const Node& at = used_ ? *used_ : node;
    at.source->fail(at.column,
                    fmt::format("{}{}; \"gyroscopic\" is linear in velocities v: each of its terms "
                                "has one of them as a factor",
                                what, used_ ? ", in this definition" : ""));
  }

  int of_definition(const Node& node) {
    const auto known = known_.find(node.which);
    if (known != known_.end()) return known->second;
    const Node* const outer = used_;
    if (!used_) used_ = &node;
    const int degree = of(*model_.named[at(node.which)].body);
    used_ = outer;
    return known_[node.which] = degree;
  }

  /// All parts from the first on have the same degree.
  int of_sum(const Node& node, std::size_t first) {
    int degree = any;
    std::size_t from = first;  // the part that has it
    for (std::size_t k = first; k < node.parts.size(); ++k) {
      const int part = of(*node.parts[k]);
      if (part == any || part == degree) continue;
      if (degree != any) fail(*node.parts[part == 0 ? k : from], "has no velocity");
      degree = part;
      from = k;
    }
    return degree;
  }

  int of_product(const Node& node) {
    int degree = 0;
    bool zero = false;
    for (std::size_t k = 0; k < node.parts.size(); ++k) {
      const Node& part = *node.parts[k];
      const int factor = of(part);
      zero = zero || factor == any;
      if (factor != 1) continue;
      if (node.op == Op::product && node.inverse[k]) fail(part, "is a velocity that divides");
      if (degree == 1) fail(part, "is a second velocity in a product");
      degree = 1;
    }
    return zero ? any : degree;
  }

  const Model& model_;
  std::map<int, int> known_;    // degrees of definitions
  const Node* used_ = nullptr;  // the definition that is looked into
};

/// A by a program of Σ A_i·v_i that takes v as further variables: the columns n … 2n − 1 of its q.
class Terms final : public GyroscopicField {
 public:
  Terms(Program program, int n) : program_(std::move(program)), n_(n) {
    program_.prepare({.pull_back = true, .pull_back_along = true});
    // The first calls take memory; steps need none then.
    const Columns q = Columns::Constant(3, n, 1 / std::sqrt(3.0));
    Columns a(3, n);
    evaluate(q, a);
    derivative_along(q, q, a);
  }

  void evaluate(const Columns& q, Columns& a) const override {
    at_point(q, nullptr, nullptr, [&](Workspace& work) {
      program_.pull_back({.q = &work.point}, &one, work.out);
      a = work.out.rightCols(n_);
    });
  }
  void slopes(const Columns& q, const Columns& u, Columns& r) const override {
    at_point(q, &u, nullptr, [&](Workspace& work) {
      program_.pull_back({.q = &work.point}, &one, work.out);
      r += work.out.leftCols(n_);
    });
  }
  void derivative_along(const Columns& q, const Columns& d, Columns& da) const override {
    at_point(q, nullptr, &d, [&](Workspace& work) {
      program_.pull_back_along({.q = &work.point}, work.along, &one, work.out);
      da = work.out.rightCols(n_);
    });
  }
  void slopes_along(const Columns& q, const Columns& u, const Columns& d,
                    Columns& r) const override {
    at_point(q, &u, &d, [&](Workspace& work) {
      program_.pull_back_along({.q = &work.point}, work.along, &one, work.out);
      r += work.out.leftCols(n_);
    });
  }

  const Program& program() const { return program_; }

 private:
  static constexpr double one = 1;

  struct Workspace {
    Columns point, along, out;
  };
  /// Calls `use` at (q, u), with the direction (d, 0); what is null is 0.
  template <class Use>
  void at_point(const Columns& q, const Columns* u, const Columns* d, const Use& use) const {
    // One workspace for each thread that evaluates at the same time.
    const auto work = pool_.take([this] {
      const Columns zero = Columns::Zero(3, 2 * n_);
      return Workspace{zero, zero, zero};
    });
    work->point.leftCols(n_) = q;
    if (u)
      work->point.rightCols(n_) = *u;
    else
      work->point.rightCols(n_).setZero();
    if (d) work->along.leftCols(n_) = *d;
    work->out.setZero();
    use(*work);
  }

  Program program_;
  int n_;
  mutable Pool<Workspace> pool_;
};

}  // namespace

void check_linear(const Model& model, const Node& number) {
  if (VelocityDegree(model).of(number) == 0)
    number.source->fail(1,
                        "has no velocity; \"gyroscopic\" is linear in velocities v, and what has "
                        "none belongs to \"potential\"");
}

ProgramTerms make_gyroscopic(ModelConstants& constants) {
  const Ref& text = constants.model().gyroscopic;
  if (!text || !text->reads_w) return {};
  const OutputTerm term{text, nullptr, [](Constants&, Indices&) { return 0; }};
  auto field = std::make_unique<Terms>(
      build(constants, std::span(&term, 1), 1, 1, Velocities::beside), constants.bodies());
  const Program* program = &field->program();
  return {std::move(field), program};
}

}  // namespace twosphere::custom
