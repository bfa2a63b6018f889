// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/custom_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/custom/custom_gyroscopic.h"
#include "core/custom/repeated_forces.h"
#include "core/custom/rotation_symmetry.h"
#include "core/custom/sum_terms.h"
#include "core/custom/system_figure.h"
#include "core/mechanics/heat_bath.h"
#include "core/mechanics/symmetry.h"
#include "core/program/back_end.h"
#include "core/program/lowering.h"

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
/// once; the gradient of the rest W and what is derived from it are exact to rounding. More than
/// twenty members: the programs, and what System asks of the texts without running them.
class CustomSystem final : public System {
 public:
  CustomSystem(std::shared_ptr<const Model> texts, const Values& values, ModelConstants& constants)
      : model_(std::move(texts)), values_(values), n_(constants.bodies()), figure_(constants) {
    make_potential(constants);
    inertia_ = make_inertia(constants);
    strengths_ = make_strengths(constants);
    bath_ = make_heat_bath(constants, strengths_.damping);
    frame_rotation_ = make_frame_rotation(constants);
    gyroscopic_ = make_gyroscopic(constants);
    make_forces(constants);
    // Plots and colours have no machine code: they are evaluated once a row or a frame, not in
    // every step.
    const Model& model = constants.model();
    for (std::size_t k = 0; k < model.plots.size(); ++k)
      plots_.emplace(model.definition.plots[k].first,
                     one_number(constants, model.plots[k].values[0]));
    if (!model.color.empty()) make_color(constants);
    rest_.prepare({.evaluate = true, .pull_back = true, .pull_back_along = true});
    force_.prepare({.evaluate = true, .evaluate_along = true});
    velocity_force_.prepare({.evaluate = true});
  }

  int size() const override { return n_; }
  const Inertia& inertia() const override { return inertia_.inertia; }

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

  bool has_external_force() const override { return has_force_; }
  void force(double t, const Columns& q, Columns& f) const override {
    if (has_force_)
      force_.evaluate({.t = t, .q = &q}, f.data());
    else
      f.setZero();
  }
  void force_slope(double t, const Columns& q, const Columns& v, Columns& d) const override {
    if (has_force_)
      force_.evaluate_along({.t = t, .q = &q}, v, d.data());
    else
      d.setZero();
  }
  bool has_velocity_force() const override { return has_velocity_force_; }
  void velocity_force(double t, const Columns& q, const Columns& w, Columns& f) const override {
    if (has_velocity_force_)
      velocity_force_.evaluate({.t = t, .q = &q, .w = &w}, f.data());
    else
      f.setZero();
  }
  bool time_dependent() const override { return time_dependent_; }
  double force_period() const override {
    std::call_once(period_once_, [this] {
      if (time_dependent_) period_ = period_of_forces(*model_, values_);
    });
    return period_;
  }
  bool repeats_after(double time) const override {
    return forces_repeat_after(*model_, values_, time);
  }
  std::string_view back_end() const override {
    bool code = code_wanted_ && code_is_possible();
    if (code)  // of all, so that those in the background begin
      for (const Program* program :
           {&rest_, &force_, &velocity_force_, inertia_.program, gyroscopic_.program})
        if (program && !program->compile()) code = false;
    return code ? "llvm" : "tape";
  }
  const Eigen::VectorXd& damping() const override {
    return strengths_.damping.size() > 0 ? strengths_.damping : damping_;
  }
  const Eigen::VectorXd& strength() const override { return strengths_.strength; }
  const HeatBath* heat_bath() const override { return bath_ ? &*bath_ : nullptr; }
  Vec3 frame_rotation() const override { return frame_rotation_; }
  const GyroscopicField* gyroscopic() const override { return gyroscopic_.field.get(); }
  std::array<bool, 3> conserved_momentum() const override {
    std::call_once(once_, [this] {
      conserved_ = symmetry_axes_of_texts(*model_, values_, symmetric_axes(*this));
    });
    return conserved_;
  }
  std::array<bool, 3> turning_axes() const override {
    std::call_once(turning_once_, [this] {
      turning_ = turning_axes_of_texts(*model_, values_, axes_by_turning(*this));
    });
    return turning_;
  }

  void geometry(const Columns& q, Geometry& out) const override { figure_.geometry(q, out); }
  double lever(int body, int link) const override { return figure_.lever(body, link); }
  Extent extent() const override { return figure_.extent(gravity_); }
  Box accessible_box(double energy) const override {
    return figure_.reached().value_or(System::accessible_box(energy));
  }
  double operations() const override {
    // A gradient takes about three times as many as its function.
    const double terms =
        gyroscopic_.program ? static_cast<double>(gyroscopic_.program->operations()) : 0;
    return 3.0 * (static_cast<double>(rest_.operations()) + terms) +
           static_cast<double>(force_.operations() + velocity_force_.operations());
  }

  double own_quantity(std::string_view name, double t, const Columns& q,
                      const Columns& w) const override {
    const auto plot = plots_.find(name);
    double out = std::nan("");
    if (plot != plots_.end()) plot->second.evaluate({.t = t, .q = &q, .w = &w}, &out);
    return out;
  }
  std::optional<OwnQuantity> own_color() const override {
    if (color_name_.empty()) return {};
    return OwnQuantity{color_name_, color_unit_};
  }
  void own_color_values(double t, const Columns& q, const Columns& w,
                        std::vector<double>& out) const override {
    out.resize(color_name_.empty() ? 0 : static_cast<std::size_t>(n_));
    if (!out.empty()) color_.evaluate({.t = t, .q = &q, .w = &w}, out.data());
  }

 private:
  void make_color(ModelConstants& constants) {
    const Model& model = constants.model();
    const Entry& entry = model.color[0];
    const auto body = std::make_shared<int>(0);  // in the order of the range, which is that of all
    const OutputTerm term{entry.values[0], entry.over,
                          [body, n = n_](Constants&, Indices&) { return (*body)++ % n; }};
    color_ = build(constants, std::span(&term, 1), n_, 1);
    color_name_ = model.definition.color[0].first;
    color_unit_ = unit_name(*entry.values[0]);
  }

  static Program one_number(Constants& constants, const Ref& node) {
    const OutputTerm term{node, nullptr, [](Constants&, Indices&) { return 0; }};
    return build(constants, std::span(&term, 1), 1, 1);
  }

  void make_potential(ModelConstants& constants) {
    // The linear part is evaluated at q = 0: its value there is V₀, and its gradient is the same
    // everywhere.
    const LinearSplit parts = split_linear(constants.model().potential);
    linear_.setZero(3, n_);
    if (parts.linear) {
      const Program linear = one_number(constants, parts.linear);
      const Columns zero = Columns::Zero(3, n_);
      constexpr double one = 1;
      linear.evaluate({.q = &zero}, &constant_);
      linear.pull_back({.q = &zero}, &one, linear_);
    }
    rest_ = parts.rest ? one_number(constants, parts.rest) : Program({}, {}, {0.0}, false);
    // A linear potential that falls along e3 alone is taken to be a weight, for the picture.
    gravity_ = !constants.model().definition.first_order && linear_.topRows<2>().isZero(0) &&
               linear_.row(2).minCoeff() < 0 && linear_.row(2).maxCoeff() <= 0 &&
               may_be_weight(constants.model(), *parts.linear);
  }

  /// Whether this part of the potential has an acceleration in it, by itself or times a length, or
  /// does not say so because its units are not known.
  static bool may_be_weight(const Model& model, const Node& node) {
    constexpr Dimension joule{1, 2, -2}, acceleration{0, 1, -2}, times_length{0, 2, -2};
    if (!node.unit || without_turns(*node.unit) != joule) return true;
    std::vector<bool> seen(model.named.size());
    const auto has = [&](const auto& again, const Node& part) -> bool {
      if (part.unit &&
          (without_turns(*part.unit) == acceleration || without_turns(*part.unit) == times_length))
        return true;
      if (part.op == Op::use && !seen[at(part.which)]) {
        seen[at(part.which)] = true;
        if (again(again, *model.named[at(part.which)].body)) return true;
      }
      return std::any_of(part.parts.begin(), part.parts.end(),
                         [&](const Ref& next) { return again(again, *next); });
    };
    return has(has, node);
  }

  /// f_i by two programs, of which one reads velocities; what damps is taken out of them.
  void make_forces(ModelConstants& constants) {
    Eigen::VectorXd damping = Eigen::VectorXd::Zero(n_);
    std::vector<OutputTerm> still, moving;
    // To the integrators damping is no force: they treat it apart, so that any strength is stable.
    for (const Entry& entry : constants.model().forces) {
      std::vector<Term> of_position, of_velocity;
      for (const Term& term : terms(entry.values[0])) {
        if (!term.node->reads_w)
          of_position.push_back(term);
        else if (!damp(constants, entry, term, damping))
          of_velocity.push_back(term);
      }
      add_force(entry, of_position, still);
      add_force(entry, of_velocity, moving);
    }
    force_ = build(constants, still, n_, 3);
    velocity_force_ = build(constants, moving, n_, 3);
    has_force_ = !still.empty();
    has_velocity_force_ = !moving.empty();
    if ((damping.array() != 0).any()) damping_ = damping;
  }

  void add_force(const Entry& entry, const std::vector<Term>& terms, std::vector<OutputTerm>& to) {
    Ref value = sum_of(terms);
    if (!value) return;
    time_dependent_ = time_dependent_ || value->reads_t;
    if (entry.torque) value = force_of(entry, value);
    to.push_back({value, entry.over,
                  [n = n_, index = entry.index, source = entry.source, column = entry.column](
                      Constants& c, Indices& i) {
                    const long body = c.index(*index, i);
                    if (body < 0 || body >= n)
                      source->fail(
                          column,
                          fmt::format("there is no body {}; the bodies are 0 to {}", body, n - 1));
                    return static_cast<int>(body);
                  }});
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

  /// Adds a term −c w[i] of a torque on body i, or −c v[i] of a force, to the damping; false if it
  /// is not of this form with a constant c.
  bool damp(Constants& constants, const Entry& entry, const Term& term,
            Eigen::VectorXd& out) const {
    const auto damping = damping_term(term.node);
    if (!damping || damping->velocity->op != (entry.torque ? Op::w : Op::v)) return false;
    // First all bodies are looked at, because a term that is damping for some of them and not for
    // others stays a force.
    Indices indices(at(constants.bindings().variables), 0);
    Eigen::VectorXd found = Eigen::VectorXd::Zero(n_);
    bool own = true;
    const auto add = [&] {
      const int body =
          constants.index(*damping->velocity, *damping->velocity->parts[0], indices, n_);
      own = own && constants.index(*entry.index, indices) == body;
      const double c = constants.number(*damping->coefficient, indices);
      found[body] += term.minus ? c : -c;
    };
    if (entry.over)
      constants.enumerate(*entry.over, indices, add);
    else
      add();
    if (!own) return false;
    for (int body = 0; body < n_; ++body)
      if (const double c = found[body]; !(c >= 0) || !std::isfinite(c))
        entry.source->fail(
            velocity_in(*term.node).column,
            fmt::format("the damping of body {} is {}, must not be negative: it is written "
                        "{}[i] = -c*{}[i]",
                        body, c, entry.name, entry.torque ? "w" : "v"));
    out += found;
    return true;
  }

  std::shared_ptr<const Model> model_;
  Values values_;
  int n_;
  double constant_ = 0;  // V₀
  Columns linear_;       // g
  Program rest_, force_, velocity_force_;
  std::map<std::string, Program, std::less<>> plots_;
  Program color_;
  std::string color_name_, color_unit_;
  Figure figure_;
  ProgramInertia inertia_{DiagonalInertia(Eigen::VectorXd()), nullptr, nullptr};
  Strengths strengths_;
  std::optional<HeatBath> bath_;
  Vec3 frame_rotation_ = Vec3::Zero();
  ProgramTerms gyroscopic_;
  Eigen::VectorXd damping_;  // by terms of forces
  bool code_wanted_ = code_is_wanted();
  bool has_force_ = false, has_velocity_force_ = false, time_dependent_ = false, gravity_ = false;
  // Found when they are first asked for.
  mutable std::once_flag once_, turning_once_, period_once_;
  mutable double period_ = 0;
  mutable std::array<bool, 3> conserved_{}, turning_{};
};

}  // namespace

std::unique_ptr<const System> make_system(const std::shared_ptr<const Model>& model,
                                          const Values& values) {
  ModelConstants constants(*model, values);
  return std::make_unique<CustomSystem>(model, values, constants);
}

}  // namespace twosphere::custom
