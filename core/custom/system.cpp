// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "core/custom/back_end.h"
#include "core/custom/builder.h"
#include "core/custom/figure.h"
#include "core/custom/split.h"

namespace twosphere::custom {

namespace {

/// The first part that reads w or v.
const Node& velocity_in(const Node& node) {
  for (const Ref& part : node.parts)
    if (part->reads_w) return velocity_in(*part);
  return node;
}

/// A system on (S²)ⁿ as it was written.
///
/// V = V₀ + Σ_i g_i·q_i + W(q): what is linear in q is taken apart, and its gradient g_i is found
/// once; the gradient of the rest W and what is derived from it are exact to rounding.
class Written final : public System {
 public:
  explicit Written(Constants& constants) : n_(constants.bodies()), figure_(constants) {
    make_potential(constants);
    made_ = make_inertia(constants);
    make_forces(constants);
    const Model& model = constants.model();
    for (std::size_t k = 0; k < model.plots.size(); ++k)
      plots_.emplace(model.definition.plots[k].first,
                     one_number(constants, model.plots[k].values[0]));
    rest_.prepare({.evaluate = true, .pull_back = true, .pull_back_along = true});
    force_.prepare({.evaluate = true, .evaluate_along = true});
    find_symmetries();
  }

  int size() const override { return n_; }
  const Inertia& inertia() const override { return made_.inertia; }

  double potential(const Columns& q) const override {
    double rest = 0;
    rest_.evaluate({.q = &q}, &rest);
    return constant_ + linear_.cwiseProduct(q).sum() + rest;
  }
  void gradient(const Columns& q, Columns& g) const override {
    g = linear_;
    constexpr double one = 1;
    rest_.pull_back({.q = &q}, &one, g);
  }
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    h.setZero();
    constexpr double one = 1;
    rest_.pull_back_along({.q = &q}, v, &one, h);
  }

  bool has_external_force() const override { return forced_; }
  void force(double t, const Columns& q, Columns& f) const override {
    if (forced_)
      force_.evaluate({.t = t, .q = &q}, f.data());
    else
      f.setZero();
  }
  void force_slope(double t, const Columns& q, const Columns& v, Columns& d) const override {
    if (forced_)
      force_.evaluate_along({.t = t, .q = &q}, v, d.data());
    else
      d.setZero();
  }
  bool time_dependent() const override { return timed_; }
  std::string_view back_end() const override {
    const bool code = code_wanted_ && code_is_possible() && rest_.compile() && force_.compile() &&
                      (!made_.program || made_.program->compile());
    return code ? "llvm" : "tape";
  }
  const Eigen::VectorXd& damping() const override { return damping_; }
  std::array<bool, 3> conserved_momentum() const override { return conserved_; }

  void geometry(const Columns& q, Geometry& out) const override { figure_.geometry(q, out); }
  double lever(int body, int link) const override { return figure_.lever(body, link); }
  Extent extent() const override { return figure_.extent(gravity_); }

  double own_quantity(std::string_view name, double t, const Columns& q,
                      const Columns& w) const override {
    const auto plot = plots_.find(name);
    double out = std::nan("");
    if (plot != plots_.end()) plot->second.evaluate({.t = t, .q = &q, .w = &w}, &out);
    return out;
  }

 private:
  static Program one_number(Constants& constants, const Ref& node) {
    const Wanted wanted{node, nullptr, [](Constants&, Indices&) { return 0; }};
    return build(constants, std::span(&wanted, 1), 1, 1);
  }

  void make_potential(Constants& constants) {
    const Split parts = split(constants.model().potential);
    linear_.setZero(3, n_);
    if (parts.linear) {
      const Program linear = one_number(constants, parts.linear);
      const Columns zero = Columns::Zero(3, n_);
      constexpr double one = 1;
      linear.evaluate({.q = &zero}, &constant_);
      linear.pull_back({.q = &zero}, &one, linear_);
    }
    rest_ = parts.rest ? one_number(constants, parts.rest) : Program({}, {}, {0.0}, false);
    gravity_ = linear_.topRows<2>().isZero(0) && linear_.row(2).minCoeff() < 0 &&
               linear_.row(2).maxCoeff() <= 0;
  }

  /// f_i by program; what damps is taken out of it.
  void make_forces(Constants& constants) {
    Eigen::VectorXd damping = Eigen::VectorXd::Zero(n_);
    std::vector<Wanted> wanted;
    for (const Entry& entry : constants.model().forces) {
      std::vector<Term> kept;
      for (const Term& term : terms(entry.values[0]))
        if (term.node->reads_w)
          damp(constants, entry, term, damping);
        else
          kept.push_back(term);
      Ref value = sum_of(kept);
      if (!value) continue;
      timed_ = timed_ || value->reads_t;
      if (entry.torque) value = force_of(entry, value);
      wanted.push_back({value, entry.over,
                        [n = n_, index = entry.index, source = entry.source, column = entry.column](
                            Constants& c, Indices& i) {
                          const long body = c.index(*index, i);
                          if (body < 0 || body >= n)
                            source->wrong(column, fmt::format("there is no body {}; the bodies are "
                                                              "0 to {}",
                                                              body, n - 1));
                          return static_cast<int>(body);
                        }});
    }
    forced_ = !wanted.empty();
    force_ = build(constants, wanted, n_, 3);
    if ((damping.array() != 0).any()) damping_ = damping;
  }

  /// A force f with the torque q × f: f = τ × q, because q × (τ × q) = τ − q (q·τ).
  static Ref force_of(const Entry& entry, const Ref& torque) {
    auto q = std::make_shared<Node>();
    q->op = Op::q;
    q->is_vector = true;
    q->column = entry.column;
    q->source = entry.source;
    q->parts = {entry.index};
    complete(*q);
    auto force = std::make_shared<Node>(*q);
    force->op = Op::cross;
    force->parts = {torque, q};
    complete(*force);
    return force;
  }

  void damp(Constants& constants, const Entry& entry, const Term& term,
            Eigen::VectorXd& out) const {
    const Source& source = *entry.source;
    const auto damping = damping_term(term.node);
    const Node& read = velocity_in(*term.node);
    const Op wanted = entry.torque ? Op::w : Op::v;
    if (!damping || damping->velocity->op != wanted || damping->coefficient->reads_q)
      source.wrong(
          read.column,
          fmt::format("only linear damping may depend on velocities: {}[i] = -c*{}[i] with "
                      "a constant c ≥ 0",
                      entry.name, entry.torque ? "w" : "v"));
    Indices indices(at(constants.model().variables), 0);
    const auto add = [&] {
      const int body =
          constants.index(*damping->velocity, *damping->velocity->parts[0], indices, n_);
      if (constants.index(*entry.index, indices) != body)
        source.wrong(read.column, "damping depends on the velocity of the body on which it acts");
      const double c = constants.number(*damping->coefficient, indices) * (term.minus ? 1 : -1);
      if (!(c >= 0) || !std::isfinite(c))
        source.wrong(
            read.column,
            fmt::format("the damping of body {} is {}, must not be negative: it is written "
                        "{}[i] = -c*{}[i]",
                        body, c, entry.name, entry.torque ? "w" : "v"));
      out[body] += c;
    };
    if (entry.over)
      constants.enumerate(*entry.over, indices, add);
    else
      add();
  }

  /// J_k is conserved if V and M do not change in a rotation about e_k and forces have no torque
  /// about it: Σ_i (e_k × q_i)·∂V/∂q_i = 0, Σ_i (e_k × q_i)·f_i = 0, and the derivative of m along
  /// e_k × q is 0, at a few states and times.
  void find_symmetries() {
    conserved_ = {false, false, false};
    if (damping_.size() > 0) return;
    conserved_ = {true, true, true};
    constexpr unsigned states = 3;
    constexpr double small = 1e-10;
    Columns g(3, n_), f(3, n_), turned(3, n_);
    for (unsigned s = 0; s < states; ++s) {
      const Columns q = sample_state(n_, s);
      gradient(q, g);
      force(0.1 + 0.7 * s, q, f);
      const auto torques = [&q](const Columns& of) {
        double all = 0;
        for (Eigen::Index i = 0; i < q.cols(); ++i) all += q.col(i).cross(of.col(i)).norm();
        return all;
      };
      const double of_potential = torques(g), of_forces = torques(f);
      for (int k = 0; k < 3; ++k) {
        for (Eigen::Index i = 0; i < q.cols(); ++i) turned.col(i) = Vec3::Unit(k).cross(q.col(i));
        bool same = std::abs(turned.cwiseProduct(g).sum()) <= small * of_potential &&
                    std::abs(turned.cwiseProduct(f).sum()) <= small * of_forces;
        if (made_.field) {
          Eigen::MatrixXd m(n_, n_), dm(n_, n_);
          made_.field->evaluate(q, m);
          made_.field->derivative_along(q, turned, dm);
          same = same && dm.norm() <= small * m.norm();
        }
        conserved_[at(k)] = conserved_[at(k)] && same;
      }
    }
  }

  int n_;
  double constant_ = 0;  // V₀
  Columns linear_;       // g
  Program rest_, force_;
  std::map<std::string, Program, std::less<>> plots_;
  Figure figure_;
  MadeInertia made_{DiagonalInertia(Eigen::VectorXd()), nullptr, nullptr};
  Eigen::VectorXd damping_;
  bool code_wanted_ = code_is_wanted();
  bool forced_ = false, timed_ = false, gravity_ = false;
  std::array<bool, 3> conserved_{};
};

}  // namespace

std::unique_ptr<const System> make_system(const Model& model, const Values& values) {
  Constants constants(model, values);
  return std::make_unique<Written>(constants);
}

}  // namespace twosphere::custom
