// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/decompositions.h"
#include "core/base/workspace_pool.h"
#include "core/custom/custom_system.h"
#include "core/custom/lagrangian.h"
#include "core/mechanics/direction_text.h"
#include "core/mechanics/heat_bath.h"
#include "core/mechanics/random_state.h"
#include "core/program/lowering.h"

namespace twosphere::custom {

namespace {

/// m_ij(q) by a program whose outputs are the entries j ≤ i, in the order of a matrix's memory.
class Field final : public InertiaField {
 public:
  Field(Program program, int n) : program_(std::move(program)), n_(n) {
    program_.prepare({true, true, true, true});
    // The first calls take memory; steps need none then.
    const Columns q = Columns::Constant(3, n, 1 / std::sqrt(3.0));
    Eigen::MatrixXd m(n, n);
    Columns r = Columns::Zero(3, n);
    evaluate(q, m);
    derivative_along(q, q, m);
    slopes(q, m, r);
    slopes_along(q, m, q, r);
  }

  void evaluate(const Columns& q, Eigen::MatrixXd& m) const override {
    program_.evaluate({.q = &q}, m.data());
    mirror(m);
  }
  void slopes(const Columns& q, const Eigen::MatrixXd& a, Columns& r) const override {
    with_seeds(a, [&](const double* seed) { program_.pull_back({.q = &q}, seed, r); });
  }
  void derivative_along(const Columns& q, const Columns& d, Eigen::MatrixXd& dm) const override {
    program_.evaluate_along({.q = &q}, d, dm.data());
    mirror(dm);
  }
  void slopes_along(const Columns& q, const Eigen::MatrixXd& a, const Columns& d,
                    Columns& r) const override {
    with_seeds(a, [&](const double* seed) { program_.pull_back_along({.q = &q}, d, seed, r); });
  }

  const Program& program() const { return program_; }

 private:
  static void mirror(Eigen::MatrixXd& m) {
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) m(j, i) = m(i, j);
  }
  /// Σ_ij A_ij m_ij over both halves: A_ii, and 2 A_ij for j < i.
  template <class Use>
  void with_seeds(const Eigen::MatrixXd& a, const Use& use) const {
    // One matrix for each thread that evaluates at the same time.
    const auto seed = pool_.take([this] { return Eigen::MatrixXd(n_, n_); });
    *seed = 2 * a;
    seed->diagonal() = a.diagonal();
    use(seed->data());
  }

  Program program_;
  int n_;
  mutable Pool<Eigen::MatrixXd> pool_;
};

void positive(const Eigen::VectorXd& values, const Entry& entry, const std::string& what) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!(values[i] > 0) || !std::isfinite(values[i]))
      entry.source->fail(entry.column, fmt::format("{} of body {} is {}, must be positive", what, i,
                                                   in_words(values[i])));
}

/// `where`: " for some q" of a matrix that depends on it.
void symmetric(const Eigen::MatrixXd& m, double tolerance, const Entry& entry,
               std::string_view where) {
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(m(i, j) - m(j, i)) > tolerance * (std::abs(m(i, j)) + std::abs(m(j, i))))
        entry.source->fail(
            1, fmt::format("the inertia is not symmetric: M[{},{}] = {}, M[{},{}] = {}{}", i, j,
                           m(i, j), j, i, m(j, i), where));
}

/// Throws unless κ and c allow motion: finite, c not negative, and of first order κ not 0 without
/// c.
void check_strengths(const Strengths& of, const Model& model) {
  const auto fail = [](const Entry& entry, std::string message) {
    entry.source->fail(entry.column, std::move(message));
  };
  for (Eigen::Index i = 0; i < of.strength.size(); ++i) {
    const double strength = of.strength[i], damping = of.damping.size() > 0 ? of.damping[i] : 0;
    if (!std::isfinite(strength))
      fail(*model.strength,
           fmt::format("the strength of body {} is {}, must be finite", i, in_words(strength)));
    if (!(damping >= 0) || !std::isfinite(damping))
      fail(*model.damping, fmt::format("the damping of body {} is {}, must be finite and not "
                                       "negative",
                                       i, in_words(damping)));
    if (model.definition.first_order && strength == 0 && damping == 0)
      fail(*model.strength,
           fmt::format("the strength of body {} is 0, which is allowed only with damping", i));
  }
}

/// Throws if M is not positive definite.
void positive_definite(const Eigen::MatrixXd& m, const Entry& entry, const std::string& where) {
  // Cholesky in a copy; why it failed is found afterwards.
  if (Eigen::MatrixXd factor = m; is_positive_definite(factor)) return;
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j)
      if (!std::isfinite(m(i, j)))
        entry.source->fail(entry.column,
                           fmt::format("M[{},{}] is {}{}", i, j, in_words(m(i, j)), where));
  entry.source->fail(entry.column,
                     fmt::format("the inertia is not positive definite{}: its smallest eigenvalue "
                                 "is {:.4g}",
                                 where, symmetric_eigenvalues(m)[0]));
}

/// The entries of a matrix that depends on q; `both` halves or j ≤ i.
Program matrix_program(ModelConstants& constants, bool both) {
  const Model& model = constants.model();
  const Entry& entry = model.inertia.arguments[0];
  const int n = constants.bodies();
  const int i = entry.over ? entry.over->variables[0] : -1;
  std::shared_ptr<const Range> over = entry.over;
  if (model.inertia.kind == InertiaText::Kind::matrix && !both) {
    // Half of the entries of a symmetric matrix are evaluated: j ≤ i is added to the conditions of
    // the text.
    auto half = std::make_shared<Range>(*entry.over);
    const auto variable = [&](int which) {
      auto node = std::make_shared<Node>();
      node->op = Op::index;
      node->which = which;
      node->source = entry.source;
      complete(*node);
      return node;
    };
    half->conditions.push_back(
        {variable(half->variables[1]), variable(half->variables[0]), Relation::at_most});
    over = half;
  }
  // Of a diagonal i and j are one index.
  const int j = over && over->variables.size() > 1 ? over->variables[1] : i;
  if (!over) {
    // One value for all bodies: an output each.
    std::vector<OutputTerm> terms;
    for (int k = 0; k < n; ++k)
      terms.push_back({entry.values[0], nullptr, [=](Constants&, Indices&) { return k + n * k; }});
    return build(constants, terms, n * n, 1);
  }
  const OutputTerm terms{entry.values[0], over, [=](Constants&, Indices& indices) {
                           return indices[at(i)] + n * indices[at(j)];
                         }};
  return build(constants, std::span(&terms, 1), n * n, 1);
}

}  // namespace

Eigen::VectorXd per_body(ModelConstants& constants, const Entry& entry) {
  Indices indices(at(constants.model().variables), 0);
  const int n = constants.bodies();
  Eigen::VectorXd out(n);
  for (int i = 0; i < n; ++i) {
    if (entry.over) indices[at(entry.over->variables[0])] = i;
    out[i] = constants.number(*entry.values[0], indices);
  }
  return out;
}

Strengths make_strengths(ModelConstants& constants) {
  const Model& model = constants.model();
  Strengths out;
  if (!model.strength) return out;
  out.strength = per_body(constants, *model.strength);
  if (model.damping) out.damping = per_body(constants, *model.damping);
  check_strengths(out, model);
  if ((out.damping.array() == 0).all()) out.damping.resize(0);
  if (!model.definition.first_order && out.strength.isZero(0)) out.strength.resize(0);
  return out;
}

std::optional<HeatBath> make_heat_bath(ModelConstants& constants, const Eigen::VectorXd& damping) {
  const Model& model = constants.model();
  const Ref& text = model.temperature;
  if (!text) return {};
  Indices indices(at(model.variables), 0);
  const double temperature = constants.number(*text, indices);
  const auto fail = [&](std::string message) {
    text->source->fail(text->column, std::move(message));
  };
  if (!std::isfinite(temperature))
    fail(fmt::format("is {}, must be finite", in_words(temperature)));
  if (temperature < 0) fail(fmt::format("must be 0 or greater, not {}", temperature));
  if (temperature > 0 && damping.size() == 0) fail(std::string(undamped_heat_bath));
  if (temperature == 0) return {};
  return HeatBath{temperature, static_cast<std::uint64_t>(model.definition.seed)};
}

Vec3 make_frame_rotation(ModelConstants& constants) {
  const Ref& text = constants.model().frame_rotation;
  if (!text) return Vec3::Zero();
  Indices indices(at(constants.model().variables), 0);
  const Vec3 turn = constants.value(*text, indices);
  if (!turn.allFinite())
    text->source->fail(text->column,
                       fmt::format("the rotation is [{}, {}, {}] rad/s, must be finite",
                                   in_words(turn.x()), in_words(turn.y()), in_words(turn.z())));
  return turn;
}

ProgramInertia make_inertia(ModelConstants& constants) {
  const Model& model = constants.model();
  if (model.definition.first_order) return {NoInertia{constants.bodies()}, nullptr, nullptr};
  const InertiaText& text = model.inertia;
  if (text.kind == InertiaText::Kind::lagrangian) return inertia_of_lagrangian(constants);
  const Entry& first = text.arguments[0];
  const int n = constants.bodies();
  const bool matrix = text.kind == InertiaText::Kind::matrix;
  if ((matrix || first.values[0]->reads_q) && n > Limits::matrix_bodies)
    first.source->fail(
        1, fmt::format("a matrix for {} bodies, at most {} are allowed", n, Limits::matrix_bodies));
  // A diagonal that depends on q is treated as a matrix, too: integrators know no other kind.
  if (first.values[0]->reads_q) {
    auto field = std::make_unique<Field>(matrix_program(constants, false), n);
    const InertiaField* shown = field.get();
    const Program* program = &field->program();
    return {VariableInertia{shown, n}, std::move(field), program};
  }
  if (text.kind == InertiaText::Kind::diagonal) {
    Eigen::VectorXd m = per_body(constants, first);
    positive(m, first, "the inertia");
    return {DiagonalInertia(std::move(m)), nullptr, nullptr};
  }
  if (matrix) {
    Eigen::MatrixXd m(n, n);
    Indices indices(at(model.variables), 0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        indices[at(first.over->variables[0])] = i;
        indices[at(first.over->variables[1])] = j;
        m(i, j) = constants.number(*first.values[0], indices);
      }
    // A matrix may be written with other roundings in its halves; the lower one counts.
    symmetric(m, 1e-12, first, "");
    positive_definite(m, first, "");
    return {DenseInertia(m.selfadjointView<Eigen::Lower>()), nullptr, nullptr};
  }
  // Chains and rods: masses, lengths, for rods the rotary inertia, and the mass of a free base.
  const Eigen::VectorXd mass = per_body(constants, first),
                        length = per_body(constants, text.arguments[1]);
  positive(mass, first, "the mass");
  positive(length, text.arguments[1], "the length");
  const bool chain = text.kind == InertiaText::Kind::chain;
  double base = 0;
  if (text.arguments.size() > (chain ? 2U : 3U)) {
    const Entry& free = text.arguments.back();
    const Eigen::VectorXd each = per_body(constants, free);
    if (!(each.array() == each[0]).all())
      free.source->fail(free.column, "the mass of the base must not depend on the index");
    if (!(each[0] > 0) || !std::isfinite(each[0]))
      free.source->fail(free.column, fmt::format("the mass of the base is {}, must be positive",
                                                 in_words(each[0])));
    base = each[0];
  }
  if (chain) return {ChainInertia(mass, length, base), nullptr, nullptr};
  RodInertia rod(mass, length, per_body(constants, text.arguments[2]), base);
  // No matrix of a rod of many bodies is made; M is positive definite if the rotary inertia is
  // positive.
  if (n <= Limits::matrix_bodies)
    positive_definite(dense(rod, Columns(3, 0)), first, "");
  else
    positive(rod.rotary_inertia, text.arguments[2], "the rotary inertia");
  return {std::move(rod), nullptr, nullptr};
}

namespace {

constexpr double entry_rounding = 1e-12;

/// Whether an entry is x but for rounding.
bool same_entry(const Eigen::MatrixXd& m, Eigen::Index i, Eigen::Index j, double x) {
  return std::abs(m(i, j) - x) <= entry_rounding * std::sqrt(m(i, i) * m(j, j));
}

bool is_diagonal(const Eigen::MatrixXd& m) {
  for (Eigen::Index j = 0; j < m.cols(); ++j)
    for (Eigen::Index i = 0; i < j; ++i)
      if (!same_entry(m, i, j, 0)) return false;
  return true;
}

/// The masses and lengths of a chain with this matrix; none if there is none.
struct ChainForm {
  Eigen::VectorXd mass, length;
};
std::optional<ChainForm> chain_form(const Eigen::MatrixXd& m) {
  const Eigen::Index n = m.rows();
  // M_ij = c_j l_i l_j for i ≤ j with c_j the mass from j on, l up to a common factor.
  const Eigen::VectorXd l = m.col(n - 1) / m(0, n - 1);
  if (!(l.array() > 0).all()) return {};
  // The mass that link j carries is c_j = M_jj / l_j²; the difference of neighbours is one mass.
  const Eigen::VectorXd carried = m.diagonal().cwiseQuotient(l.cwiseAbs2());
  Eigen::VectorXd mass = carried;
  mass.head(n - 1) -= carried.tail(n - 1);
  if (!(mass.array() > entry_rounding * carried[0]).all()) return {};
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < j; ++i)
      if (!same_entry(m, i, j, carried[j] * l[i] * l[j])) return {};
  return ChainForm{mass, l};
}

}  // namespace

std::string simpler_form(const Eigen::MatrixXd& m) {
  const Eigen::Index n = m.rows();
  const auto list = [n](const Eigen::VectorXd& x) {
    std::string text;
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(n, 8); ++i)
      text += fmt::format("{}{:.6g}", i > 0 ? ", " : "", x[i]);
    return fmt::format("[{}{}]", text, n > 8 ? ", …" : "");
  };
  if (is_diagonal(m)) return fmt::format("is diagonal: diag(m) with m = {}", list(m.diagonal()));
  const auto chain = chain_form(m);
  if (!chain) return {};
  return fmt::format(
      "is that of a chain: chain(m, l) with m = {} and l = {}, or with all l times a factor and m "
      "divided by its square",
      list(chain->mass), list(chain->length));
}

Inertia structured(const Eigen::MatrixXd& m, const Entry& entry) {
  positive_definite(m, entry, "");
  if (is_diagonal(m)) return DiagonalInertia(m.diagonal());
  if (auto chain = chain_form(m)) return ChainInertia(chain->mass, chain->length);
  return DenseInertia(m);
}

void check_inertia(const Model& model, const System& system, const Columns& q,
                   const std::string& where) {
  if (!std::holds_alternative<VariableInertia>(system.inertia())) return;
  const Entry& entry = model.inertia.arguments[0];
  const Eigen::MatrixXd m = dense(system.inertia(), q);
  if (model.inertia.kind == InertiaText::Kind::diagonal)
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      if (!(m(i, i) > 0) || !std::isfinite(m(i, i)))
        entry.source->fail(entry.column,
                           fmt::format("the inertia of body {} is {} {}, must be positive for all "
                                       "q",
                                       i, in_words(m(i, i)), where));
  positive_definite(m, entry, " " + where);
}

std::string state_in_words(const Columns& q) {
  const std::string list = direction_list(q);
  return "at " + (list.empty() ? "a random state" : list);
}

std::string in_words(double x) {
  return std::isnan(x) ? "not a number" : std::isinf(x) ? "infinite" : fmt::format("{:.4g}", x);
}

void check_symmetry(const Model& model, const Values& values) {
  if (model.definition.first_order) return;
  const Entry& entry = model.inertia.arguments[0];
  if (model.inertia.kind != InertiaText::Kind::matrix || !entry.values[0]->reads_q) return;
  const int n = model.definition.bodies;
  ModelConstants constants(model, values);
  const Program program = matrix_program(constants, true);
  Eigen::MatrixXd m(n, n);
  // One state with nothing in common with a text shows whether it is symmetric for all.
  const Columns q = random_directions(n, 0);
  program.evaluate({.q = &q}, m.data());
  symmetric(m, 1e-10, entry, " for some q");
}

}  // namespace twosphere::custom
