// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/step_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/mechanics/dynamics.h"
#include "core/mechanics/free_base.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/phase_tangent.h"

namespace twosphere {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double first_spacing = 1e-3;
constexpr int max_spacings = 6;
constexpr std::size_t max_vectors = 8;  // carried by one step

Error stopped() { return {ErrorKind::numerical, "", "the check was stopped"}; }

Error step_error(const StepMap& map, const StepReport& report, std::string_view when) {
  return {ErrorKind::numerical, "",
          fmt::format("a step of {} s {} failed: body {}: {}", json::shortest(map.step), when,
                      report.body + 1, describe(report.status))};
}

/// The state on the sphere, without an attitude, which is no part of the phase space.
State on_sphere(State state) {
  if (state.has_attitude()) state.x = state.v = Columns(3, 0);
  for (Eigen::Index i = 0; i < state.q.cols(); ++i) {
    // |q_i| = 1 and ω_i ⟂ q_i
    state.q.col(i).normalize();
    state.w.col(i) = tangent(state.q.col(i), state.w.col(i));
  }
  return state;
}

/// Projects a state onto the sphere, and vectors with it.
void project(State& state, std::span<TangentVector> vectors) {
  for (Eigen::Index i = 0; i < state.q.cols(); ++i) {
    const double length = state.q.col(i).norm();
    const Vec3 q = state.q.col(i) / length, w = state.w.col(i);
    for (TangentVector& vector : vectors) {
      // δ(q/|q|) and δ(ω − (q·ω) q)
      const Vec3 dq = tangent(q, vector.q.col(i)) / length, dw = vector.w.col(i);
      vector.q.col(i) = dq;
      vector.w.col(i) = tangent(q, dw) - dq.dot(w) * q - q.dot(w) * dq;
    }
  }
  state = on_sphere(std::move(state));
}

/// A point of T*(S²)ⁿ, or a vector there. Of a base that flies, X/L and L P are one column more.
struct Phase {
  Columns q, p;
};

/// Ω(a, b) = Σ (δq_a·δp_b − δq_b·δp_a).
double form(const Phase& a, const Phase& b) {
  return (a.q.array() * b.p.array()).sum() - (b.q.array() * a.p.array()).sum();
}

/// The vector of a change of q in a system of first order, whose form Σ κ_i q_i·(δq_i × δ'q_i) is
/// −Ω with δp_i = ½ κ_i q_i × δq_i.
Phase first_order_phase(const System& system, const Columns& q, const Columns& dq) {
  const Eigen::VectorXd& kappa = system.strength();
  Phase out{dq, Columns(3, q.cols())};
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    out.p.col(i) = kappa[i] / 2 * Vec3(q.col(i)).cross(Vec3(dq.col(i)));
  return out;
}

/// A direction of the basis: of one body, and only of its direction or its momentum.
struct Direction {
  Eigen::Index body;  ///< n: the base that flies
  Vec3 b;             ///< a unit vector ⟂ q_i, of the base any
  double size;        ///< |p|_rms for a change of the momentum, 0 for one of the direction
};

/// The step as a map of T*(S²)ⁿ, of systems of first order as one of (S²)ⁿ.
class Map {
 public:
  Map(const StepMap& map, const State& state)
      : map_(map),
        integrator_(map.info.create(map.values)),
        equations_(map.system, Formulation::momentum),
        has_linear_terms_(has_linear_terms(map.system)),
        state_(on_sphere(state)) {
    // Start (q, μ) and the scale |p|_rms of momenta.
    set_phase(state_, start_);
    Eigen::VectorXd inertia(state_.q.cols());
    diagonal(map_.system.inertia(), state_.q, inertia);
    size_ = std::max(std::sqrt(start_.p.squaredNorm() / static_cast<double>(start_.p.cols())),
                     1e-4 * inertia.mean() / map_.step);
    if (has_momenta()) return;
    // That of first_order_phase().
    size_ = map_.system.strength().cwiseAbs().maxCoeff() / 2;
    if (size_ == 0) size_ = 1;
  }

  /// False for systems of first order.
  bool has_momenta() const { return !first_order(map_.system); }
  /// Whether the form is that of (δq, δp) alone, wherever q is.
  bool has_plain_form() const { return has_momenta() && !has_linear_terms_; }
  /// Of a vector (δq, δp) at q, or of first order δq, the one of which form() is that of the
  /// system.
  void to_form(const Columns& q, Phase& vector) const {
    if (!has_momenta())
      vector = first_order_phase(map_.system, q, vector.q);
    else if (has_linear_terms_)
      add_to_form(map_.system, q, vector.q, vector.p);
  }

  const System& system() const { return map_.system; }
  const Phase& start() const { return start_; }
  /// |p|_rms, or its replacement near rest; ½ max |κ| in systems of first order.
  double size() const { return size_; }

  /// Φ of the point s along a curve that leaves the start in that direction: the great circle, with
  /// the momentum carried along, or the straight line of momenta.
  StepReport at(const Direction& direction, double s, Phase& out) {
    State state = state_;
    Columns p = start_.p.leftCols(state_.q.cols());
    const Vec3 b = direction.b;
    if (direction.body == p.cols()) {
      // Straight lines of X and of P.
      const FreeBase& base = *map_.system.free_base();
      if (direction.size == 0)
        state.x.col(0) += s * base.length * b;
      else
        state.v.col(0) += s * direction.size / (base.length * base.mass) * b;
    } else if (direction.size == 0) {
      const Vec3 q = start_.q.col(direction.body);
      // Great circle cos s q + sin s b; μ_i changes so as to stay tangent.
      const double along = p.col(direction.body).dot(b), turned = std::sin(s / 2);
      state.q.col(direction.body) = std::cos(s) * q + std::sin(s) * b;
      p.col(direction.body) -= along * (2 * turned * turned * b + std::sin(s) * q);
    } else {
      // Straight line μ_i + s |p|_rms b.
      p.col(direction.body) += s * direction.size * b;
    }
    // One step from there, then (q, μ) of its end, projected onto the sphere.
    equations_.to_omega(map_.system, state.t, state.q, p, state.w);
    integrator_->prepare(map_.system, state);
    const StepReport report = integrator_->advance(map_.system, map_.step, state);
    if (!report.ok()) return report;
    integrator_->complete(map_.system, state);
    set_phase(on_sphere(std::move(state)), out);
    return report;
  }

  /// Whether the derivative of the step is known.
  bool exact() const { return derivative() != nullptr; }
  /// Writes the images of tangent vectors under so many steps, and the largest growth on the way.
  StepReport images(std::span<const Phase> vectors, int steps, const std::function<bool()>& stop,
                    std::span<Phase> out, double& growth) {
    State state = state_;
    // (δq, δω) of (δq, δp)
    PhaseTangent at(map_.system);
    at.at(map_.system, state);
    std::vector<TangentVector> carried;
    for (const Phase& vector : vectors) {
      carried.push_back({vector.q, Columns::Zero(3, vector.q.cols())});
      if (has_momenta()) at.to_omega(map_.system, vector.q, vector.p, carried.back().w);
    }
    for (int k = 0; k < steps; ++k) {
      if (stop && stop()) return {.status = StepStatus::interrupted};
      integrator_->prepare(map_.system, state);
      const StepReport report = derivative()->advance(map_.system, map_.step, state, carried);
      if (!report.ok()) return report;
      project(state, carried);
      state.t = state_.t + (k + 1) * map_.step;
      // (δq, δp) at its end.
      at.at(map_.system, state);
      for (std::size_t a = 0; a < carried.size(); ++a) {
        out[a] = {carried[a].q, Columns(3, state.q.cols())};
        if (has_momenta()) at.to_momentum(map_.system, carried[a], out[a].p);
        to_form(state.q, out[a]);
        growth = std::max({growth, out[a].q.norm(), out[a].p.norm() / size_});
      }
    }
    return {};
  }

 private:
  /// (q, μ) of a state.
  void set_phase(const State& state, Phase& out) {
    copy_positions(state, out.q);
    equations_.from_state(map_.system, state, out.p);
    if (!state.flies()) return;
    const FreeBase& base = *map_.system.free_base();
    out.q.rightCols<1>() /= base.length;
    out.p.rightCols<1>() *= base.length * base.mass;
  }
  TangentMap* derivative() const {
    TangentMap* map = integrator_->tangent_map(map_.system);
    return map ? map : integrator_->stage_derivative(map_.system);
  }

  const StepMap& map_;
  std::unique_ptr<Integrator> integrator_;
  EquationsOfMotion equations_;
  bool has_linear_terms_;
  State state_;
  Phase start_;
  double size_;
};

std::vector<Direction> basis(const Map& step, int max_bodies) {
  const Phase& at = step.start();
  std::vector<double> sizes{0};
  if (step.has_momenta()) sizes.push_back(step.size());
  const Eigen::Index n = step.system().size();
  const auto used = std::min<Eigen::Index>(n, max_bodies);
  std::vector<Direction> directions;
  for (Eigen::Index k = 0; k < used; ++k) {
    // Bodies evenly spaced over the indices.
    const Eigen::Index body = k * n / used;
    const Eigen::Matrix<double, 3, 2> frame = tangent_basis(at.q.col(body));
    for (int e = 0; e < 2; ++e)
      for (const double s : sizes) directions.push_back({body, frame.col(e), s});
  }
  if (at.q.cols() > n)
    for (int axis = 0; axis < 3; ++axis)
      for (const double s : sizes) directions.push_back({n, Vec3::Unit(axis), s});
  return directions;
}

/// The vector itself: (b, −(p_i·b) q_i) or (0, |p|_rms b); of the base (b, 0).
Phase to_phase(const Map& step, const Direction& direction) {
  const Phase& at = step.start();
  Phase xi{Columns::Zero(3, at.q.cols()), Columns::Zero(3, at.q.cols())};
  const Vec3 q = at.q.col(direction.body), p = at.p.col(direction.body);
  if (direction.size == 0) {
    xi.q.col(direction.body) = direction.b;
    if (!step.has_momenta()) return first_order_phase(step.system(), at.q, xi.q);
    if (direction.body < step.system().size()) xi.p.col(direction.body) = -p.dot(direction.b) * q;
  } else {
    xi.p.col(direction.body) = direction.size * direction.b;
  }
  return xi;
}

/// The largest change of Ω over all pairs of vectors, relative to the largest Ω. 1 where Ω
/// vanishes, in systems of first order in which all κ = 0: their motion, overdamped, has no form to
/// preserve.
double change_of_form(const std::vector<Phase>& before, const std::vector<Phase>& after) {
  double worst = 0, largest = 0;
  for (std::size_t a = 0; a < before.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double form_before = form(before[a], before[b]);
      const double difference = std::abs(form(after[a], after[b]) - form_before);
      if (!(difference <= worst)) worst = difference;
      largest = std::max(largest, std::abs(form_before));
    }
  return largest == 0 ? 1 : worst / largest;
}

/// The basis ξ_a of the tangent space.
std::vector<Phase> vectors_of(const Map& step, const std::vector<Direction>& directions) {
  std::vector<Phase> vectors;
  vectors.reserve(directions.size());
  for (const Direction& direction : directions) vectors.push_back(to_phase(step, direction));
  return vectors;
}

/// The defect of so many steps by the derivative of the step, several vectors at a time.
Result<SymplecticityDefect::Measured> exact_defect(const StepMap& map, Map& step, int steps,
                                                   int max_bodies,
                                                   const std::function<bool()>& stop) {
  std::vector<Phase> before = vectors_of(step, basis(step, max_bodies));
  std::vector<Phase> after(before.size());
  double growth = 1;
  for (std::size_t a = 0; a < before.size(); a += max_vectors) {
    const std::size_t count = std::min(max_vectors, before.size() - a);
    const StepReport report = step.images(std::span(before).subspan(a, count), steps, stop,
                                          std::span(after).subspan(a, count), growth);
    if (report.status == StepStatus::interrupted) return stopped();
    if (!report.ok()) return step_error(map, report, "from the state");
  }
  if (step.has_momenta())
    for (Phase& vector : before) step.to_form(step.start().q, vector);
  const auto dimension = static_cast<double>((step.has_momenta() ? 4 : 2) * step.start().q.cols());
  return SymplecticityDefect::Measured{
      .defect = change_of_form(before, after),
      .rounding = 15 * epsilon * std::sqrt(dimension) * steps * growth * growth};
}

/// The defect of a step by differences with a spacing ε.
Result<void> defect_by_differences(const StepMap& map, Map& step, const std::function<bool()>& stop,
                                   SymplecticityDefect& best) {
  const std::vector<Direction> directions = basis(step, SymplecticityDefect::max_bodies);
  std::vector<Phase> before = vectors_of(step, directions);
  if (step.has_momenta())
    for (Phase& vector : before) step.to_form(step.start().q, vector);
  const Eigen::Index n = step.start().q.cols();
  // X/L of a base that has flown far is rounded more coarsely than what is of size 1.
  const double farthest =
      n > step.system().size() ? std::max(1.0, step.start().q.rightCols<1>().norm()) : 1;
  std::vector<Phase> after(before.size());
  best.defect = std::numeric_limits<double>::infinity();
  double spacing = first_spacing;
  for (int k = 0; k < max_spacings; ++k, spacing /= 4) {
    Phase end, middle;
    double growth = 1;
    // The end of the step itself.
    if (!step.has_plain_form())
      if (const StepReport report = step.at(directions[0], 0, middle); !report.ok())
        return step_error(map, report, "from the state");
    for (std::size_t a = 0; a < before.size(); ++a) {
      after[a] = {Columns::Zero(3, n), Columns::Zero(3, n)};
      // DΦ ξ_a by the stencil (1, −8, 8, −1)/(12 ε)
      for (const auto& [at, weight] :
           {std::pair{-2.0, 1.0}, {-1.0, -8.0}, {1.0, 8.0}, {2.0, -1.0}}) {
        if (stop && stop()) return stopped();
        if (const StepReport report = step.at(directions[a], at * spacing, end); !report.ok())
          return step_error(map, report, "beside the state");
        after[a].q += weight / (12 * spacing) * end.q;
        after[a].p += weight / (12 * spacing) * end.p;
      }
      if (!step.has_plain_form()) step.to_form(middle.q, after[a]);
      growth = std::max({growth, after[a].q.norm(), after[a].p.norm() / step.size()});
    }
    const double defect = change_of_form(before, after);
    // Refine ε as long as this at least halves the defect.
    const bool falls = defect <= best.defect / 2;
    if (!(defect >= best.defect)) {
      best.defect = defect;
      best.spacing = spacing;
      best.rounding = 10 * epsilon / spacing * growth * farthest;
    }
    if (!falls || best.defect <= best.rounding) break;
  }
  return {};
}

Symplecticity verdict(const StepMap& map, const SymplecticityDefect& found) {
  constexpr double more = 4;
  // Also where it is not a number.
  if (!(found.defect <= more * found.rounding) ||
      (found.many && !(found.many->defect <= more * found.many->rounding)))
    return Symplecticity::not_symplectic;
  return map.info.symplectic && !velocity_dependent(map.system) ? Symplecticity::symplectic
                                                                : Symplecticity::not_resolved;
}

}  // namespace

std::string_view describe(Symplecticity verdict) {
  switch (verdict) {
    case Symplecticity::symplectic:
      return "symplectic";
    case Symplecticity::not_symplectic:
      return "not symplectic";
    case Symplecticity::not_resolved:
      break;
  }
  return "not resolved";
}

Result<SymplecticityDefect> symplecticity_defect(const StepMap& map, const State& state,
                                                 const std::function<bool()>& stop) {
  using Defect = SymplecticityDefect;
  Map step(map, state);
  const auto n = static_cast<int>(state.q.cols());
  const int of_body = step.has_momenta() ? 4 : 2;
  const int of_base = state.flies() ? 6 : 0;
  Defect found{.directions = of_body * std::min(n, Defect::max_bodies) + of_base,
               .dimension = of_body * n + of_base};
  if (step.exact()) {
    bool ended = false;
    const auto asked = [&] { return ended = stop && stop(); };
    const auto one = exact_defect(map, step, 1, Defect::max_bodies, asked);
    if (!one) return one.error();
    found.defect = one->defect;
    found.rounding = one->rounding;
    const auto many =
        exact_defect(map, step, Defect::many_steps, Defect::max_bodies_of_many, asked);
    if (!many && (ended || interrupted())) return many.error();
    if (many) found.many = *many;
  } else if (const auto done = defect_by_differences(map, step, stop, found); !done) {
    return done.error();
  }
  found.verdict = verdict(map, found);
  return found;
}

Result<ReversalError> reversal_error(const StepMap& map, const State& from, int steps,
                                     const std::function<bool()>& stop) {
  const State start = on_sphere(from);
  State state = start;
  const auto integrator = map.info.create(map.values);
  integrator->prepare(map.system, state);
  // Largest |ω|, |X| and |Ẋ| on the way.
  double speed = start.w.colwise().norm().maxCoeff();
  double farthest = start.x.norm(), fastest = start.v.norm();
  // N steps of h, then N steps of −h.
  for (const double h : {map.step, -map.step}) {
    const double begun = state.t;
    for (int k = 0; k < steps; ++k) {
      if (stop && stop()) return stopped();
      state.t = begun + k * h;
      if (const StepReport report = integrator->advance(map.system, h, state); !report.ok())
        return step_error(map, report, h == map.step ? "forth" : "back");
    }
    state.t = begun + steps * h;
    integrator->complete(map.system, state);
    speed = std::max(speed, state.w.colwise().norm().maxCoeff());
    farthest = std::max(farthest, state.x.norm());
    fastest = std::max(fastest, state.v.norm());
  }
  // Distance in q, and in ω relative to the largest |ω|.
  ReversalError result{.distance = (state.q - start.q).colwise().norm().maxCoeff(),
                       .rounding = steps * epsilon,
                       .steps = steps};
  if (speed > 0)
    result.distance =
        std::max(result.distance, (state.w - start.w).colwise().norm().maxCoeff() / speed);
  if (const FreeBase* base = map.system.free_base()) {
    farthest = std::max(farthest, base->length);
    fastest = std::max(fastest, base->length * speed);
    result.distance = std::max(result.distance, (state.x - start.x).norm() / farthest);
    if (fastest > 0)
      result.distance = std::max(result.distance, (state.v - start.v).norm() / fastest);
  }
  return result;
}

}  // namespace twosphere
