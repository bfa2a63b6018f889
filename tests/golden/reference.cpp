// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the golden solutions: golden_reference [--check] SCENARIO.json ...
//
// Writes the state at the end of each scenario to SCENARIO.expected.json, or with --check compares
// that file with it, digit by digit. It shares nothing with the program but the reader of JSON:
// the equations are Lagrange's of the first kind in (q, v = q̇),
//   Σ_j M_ij (q̈_j + 2 Ω × v_j + Ω × (Ω × q_j)) = f_i − ∂V/∂q_i + κ_i q_i × (v_i + Ω × q_i) + ν_i
//   q_i, q_i·q̈_i = −|v_i|²,
// or those of first order, κ_i q̇_i = ∂V/∂q_i × q_i − c_i q_i × q̇_i, with M and V as the papers
// print them, or as the text of a system says, and dense matrices, in 113-bit arithmetic (34
// digits), integrated by extrapolation of the explicit midpoint rule (Gragg, Bulirsch and Stoer).
// Each is integrated twice, with different orders, steps and tolerances: the digits that are
// written are those in which both agree. The energy of a system without forces must come back as
// well.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/json.h"

namespace {

namespace json = twosphere::json;
namespace mp = boost::multiprecision;
using Real = mp::number<mp::cpp_bin_float_quad::backend_type, mp::et_off>;
using Vec3 = Eigen::Matrix<Real, 3, 1>;
using Columns = Eigen::Matrix<Real, 3, Eigen::Dynamic>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// V(q) [J], of systems of first order H; adds ∂V/∂q_i to column i of `gradient`.
using Potential = std::function<Real(const Columns& q, Columns& gradient)>;

struct Problem {
  Matrix inertia;  ///< M [kg m²]; none: the equations are of first order
  Potential potential;
  Vector strength;                     ///< κ [J s]; none: 0
  Vector damping;                      ///< c [N m s], of first order
  Vec3 frame_rotation = Vec3::Zero();  ///< Ω [rad/s]
  Vec3 base_torque = Vec3::Zero();     ///< τ [N m], on the first body
  std::vector<Vec3> force;             ///< on each q_i [N m], constant; or none
  bool has_force() const { return !force.empty(); }
};

const json::Node& member(const json::Node& object, std::string_view key) {
  const json::Node* found = object.find(key);
  if (!found) throw std::runtime_error(fmt::format("{} is missing", key));
  return *found;
}

Real number(const json::Node& node) {
  if (node.kind != json::Kind::number)
    throw std::runtime_error(fmt::format("line {}: a number is wanted", node.line));
  return node.number;
}

/// One number for each of n bodies; a single one is that of every body.
std::vector<Real> list(const json::Node& node, std::size_t n) {
  if (node.kind == json::Kind::number) return std::vector<Real>(n, number(node));
  std::vector<Real> values;
  for (const json::Node& item : node.items) values.push_back(number(item));
  if (values.size() != n)
    throw std::runtime_error(fmt::format("line {}: {} numbers are wanted", node.line, n));
  return values;
}

/// The same of a key that may be left out; then `otherwise` for each.
std::vector<Real> list(const json::Node& object, std::string_view key, std::size_t n,
                       const Real& otherwise) {
  const json::Node* given = object.find(key);
  return given ? list(*given, n) : std::vector<Real>(n, otherwise);
}

Vector as_vector(const std::vector<Real>& x) {
  return Eigen::Map<const Vector>(x.data(), Eigen::Index(x.size()));
}

Vec3 vector(const json::Node& node) {
  const std::vector<Real> x = list(node, 3);
  return {x[0], x[1], x[2]};
}

Columns columns(const json::Node& node) {
  Columns all(3, static_cast<Eigen::Index>(node.items.size()));
  for (std::size_t i = 0; i < node.items.size(); ++i)
    all.col(static_cast<Eigen::Index>(i)) = vector(node.items[i]);
  return all;
}

/// A chain of point masses: M_ij = (Σ_{k≥max(i,j)} m_k) l_i l_j,
/// V = −Σ_i (Σ_{k≥i} m_k) g l_i e3·q_i;
/// torque τ on the first link, force d at the tip: f_1 = τ × q_1 + l_1 d, f_i = l_i d.
Problem chain_pendulum(const json::Node& system, std::size_t n) {
  const std::vector<Real> m = list(member(system, "masses"), n),
                          l = list(member(system, "lengths"), n);
  const Real g = number(member(system, "gravity"));
  const auto carried = [m, n](std::size_t i) {
    Real sum = 0;
    for (std::size_t k = i; k < n; ++k) sum += m[k];
    return sum;
  };
  Problem p;
  p.inertia.resize(Eigen::Index(n), Eigen::Index(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      p.inertia(Eigen::Index(i), Eigen::Index(j)) = carried(std::max(i, j)) * l[i] * l[j];
  std::vector<Real> weight;
  for (std::size_t i = 0; i < n; ++i) weight.push_back(carried(i) * g * l[i]);
  p.potential = [weight](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      sum -= weight[i] * q(2, Eigen::Index(i));
      gradient(2, Eigen::Index(i)) -= weight[i];
    }
    return sum;
  };
  p.base_torque = vector(member(system, "control_torque"));
  const Vec3 tip = vector(member(system, "tip_force"));
  if (p.base_torque != Vec3::Zero() || tip != Vec3::Zero())
    for (std::size_t i = 0; i < n; ++i) p.force.emplace_back(l[i] * tip);
  return p;
}

/// M = diag(m), V = −(γ/2) Σ_{i≠j} c/√(1 − c²), c = q_i·q_j.
Problem n_body(const json::Node& system, std::size_t n) {
  Problem p;
  const std::vector<Real> m = list(member(system, "masses"), n);
  p.inertia = Eigen::Map<const Vector>(m.data(), Eigen::Index(n)).asDiagonal();
  p.potential = [strength = number(member(system, "gamma"))](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        // 1 − c² = |q_i × q_j|², with q_i × (q_j ∓ q_i) not to lose the digits of close bodies.
        const Real c = q.col(i).dot(q.col(j));
        const Vec3 a = q.col(i), b = q.col(j), x = a.cross(c > 0 ? Vec3(b - a) : Vec3(b + a));
        const Real s = sqrt(x.squaredNorm()), slope = strength / (s * s * s);
        sum -= strength * c / s;
        gradient.col(i) -= slope * q.col(j);
        gradient.col(j) -= slope * q.col(i);
      }
    return sum;
  };
  return p;
}

/// M = diag(m l²), V = −Σ m g l e3·q + Σ κ/2 (‖r + l_j q_j/2 − l_i q_i/2‖ − ‖r‖)², r from pivot i
/// to pivot j.
Problem pendulum_network(const json::Node& system, std::size_t n) {
  const std::vector<Real> m = list(member(system, "masses"), n),
                          l = list(member(system, "lengths"), n);
  const Real g = number(member(system, "gravity"));
  const Columns pivots = columns(member(system, "pivots"));
  struct Spring {
    Eigen::Index i, j;
    Real stiffness;
    Vec3 r;
  };
  std::vector<Spring> springs;
  for (const json::Node& spring : member(system, "springs").items) {
    const json::Node& between = member(spring, "between");
    const auto i = static_cast<Eigen::Index>(between.items.at(0).number),
               j = static_cast<Eigen::Index>(between.items.at(1).number);
    springs.push_back({i, j, number(member(spring, "stiffness")), pivots.col(j) - pivots.col(i)});
  }
  Problem p;
  p.inertia = Matrix::Zero(Eigen::Index(n), Eigen::Index(n));
  for (std::size_t i = 0; i < n; ++i)
    p.inertia(Eigen::Index(i), Eigen::Index(i)) = m[i] * l[i] * l[i];
  p.strength = as_vector(list(system, "strength", n, 0));
  if (const json::Node* given = system.find("frame_rotation")) p.frame_rotation = vector(*given);
  p.potential = [=](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum -= m[i] * g * l[i] * q(2, Eigen::Index(i));
      gradient(2, Eigen::Index(i)) -= m[i] * g * l[i];
    }
    for (const Spring& s : springs) {
      const Real half_i = l[std::size_t(s.i)] / 2, half_j = l[std::size_t(s.j)] / 2;
      const Vec3 d = s.r + half_j * q.col(s.j) - half_i * q.col(s.i);
      const Real length = sqrt(d.squaredNorm()), longer = length - sqrt(s.r.squaredNorm());
      sum += s.stiffness / 2 * longer * longer;
      const Vec3 pull = s.stiffness * longer / length * d;
      gradient.col(s.j) += half_j * pull;
      gradient.col(s.i) -= half_i * pull;
    }
    return sum;
  };
  return p;
}

/// A ring of n elements of mass m/n and length a = l/n in axes of its centre of mass, joined by
/// linear bending, κ_1 from the last to the first, and closed by a spring:
/// V = Σ κ_i (1 − q_{i−1}·q_i) + ½ k |Σ a q_i|², T = ½ Σ_i ∫ |ẋ|² dm, x_i(s) = Σ_{j<i} a q_j + s
/// q_i less the mean of all, so that M_ij is ∫ (A_i − Ā_i)(A_j − Ā_j) dm with x = Σ A_i q_i.
Problem closed_rod(const json::Node& system, std::size_t n) {
  const Real m = number(member(system, "mass")), a = number(member(system, "length")) / Real(n),
             spring = number(member(system, "closing_stiffness"));
  const std::vector<Real> stiffness = list(member(system, "stiffness"), n);
  const auto size = Eigen::Index(n);
  // On element k, from 0, A_i is a for i < k, s for i = k, 0 behind: ∫ s ds/a = a/2, ∫ s² ds/a =
  // a²/3.
  Problem p;
  p.inertia = Matrix::Zero(size, size);
  Vector mean = Vector::Zero(size);
  for (Eigen::Index k = 0; k < size; ++k) {
    Vector on = Vector::Zero(size);
    on.head(k).setConstant(a);
    on[k] = a / 2;
    mean += on / Real(n);
    p.inertia += m / Real(n) * on * on.transpose();
    p.inertia(k, k) += m / Real(n) * a * a / 12;
  }
  p.inertia -= m * mean * mean.transpose();
  p.potential = [=](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (Eigen::Index i = 0; i < size; ++i) {
      const Eigen::Index before = (i + size - 1) % size;
      const Real k = stiffness[std::size_t(i)];
      sum += k * (1 - q.col(before).dot(q.col(i)));
      gradient.col(i) -= k * q.col(before);
      gradient.col(before) -= k * q.col(i);
    }
    const Vec3 gap = a * q.rowwise().sum();
    gradient.colwise() += spring * a * gap;
    return Real(sum + spring / 2 * gap.squaredNorm());
  };
  return p;
}

/// n elements behind a clamped one, each of mass m/(n+1) and length l/(n+1):
/// V = −Σ_i m_i g (Σ_{1≤j<i} l_j q_j + l_i q_i/2)·e3 + Σ κ_i/2 (1 − q_{i−1}·q_i)²,
/// M_ii = m_i l_i² (1/3 + n − i), and for i ≠ j "published" M_ij = ½ m_i l_i² (n − max(i,j) + 1),
/// "consistent" M_ij = m_i l_i² (½ + n − max(i,j)).
Problem elastic_rod(const json::Node& system, std::size_t n) {
  if (number(member(system, "elements")) != Real(n))
    throw std::runtime_error("elements: not as many as initial.q has");
  if (const json::Node* ends = system.find("ends")) {
    if (ends->text != "closed" || member(system, "bending").text != "linear")
      throw std::runtime_error("ends: only those of a clamped rod and a ring are known here");
    return closed_rod(system, n);
  }
  const Real m = number(member(system, "mass")) / Real(n + 1),
             l = number(member(system, "length")) / Real(n + 1),
             g = number(member(system, "gravity"));
  const std::vector<Real> stiffness = list(member(system, "stiffness"), n);
  const Vec3 given = vector(member(system, "clamp_direction")),
             clamp = given / sqrt(given.squaredNorm());
  const std::string& kind = member(system, "inertia").text;
  if (kind != "published" && kind != "consistent")
    throw std::runtime_error("inertia: published or consistent is wanted");
  Problem p;
  p.inertia.resize(Eigen::Index(n), Eigen::Index(n));
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t j = 1; j <= n; ++j) {
      const Real behind(n - std::max(i, j));
      p.inertia(Eigen::Index(i) - 1, Eigen::Index(j) - 1) =
          m * l * l *
          (i == j                ? Real(1) / 3 + behind
           : kind == "published" ? (behind + 1) / 2
                                 : Real(0.5) + behind);
    }
  p.potential = [=](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      // l_i q_i counts half for element i and whole for those behind it.
      const Real weight = m * g * l * (Real(0.5) + Real(q.cols() - 1 - i));
      sum -= weight * q(2, i);
      gradient(2, i) -= weight;
      const Vec3 before = i == 0 ? clamp : Vec3(q.col(i - 1));
      const Real bend = 1 - before.dot(q.col(i)), pull = stiffness[std::size_t(i)] * bend;
      sum += pull * bend / 2;
      gradient.col(i) -= pull * before;
      if (i > 0) gradient.col(i - 1) -= pull * q.col(i);
    }
    return sum;
  };
  return p;
}

/// A chain on a free base in a circular orbit: masses m_k at x_k = x_0 + Σ_{j≤k} l_j q_j from their
/// centre, in axes that turn with n_0 e3, in the tide ½ n_0² Σ m_k (|x_k|² − 3 (e1·x_k)²).
Problem free_chain(const json::Node& system, std::size_t n) {
  const std::vector<Real> masses = list(member(system, "masses"), n),
                          l = list(member(system, "lengths"), n);
  const Real base = number(member(system, "base_mass")),
             rate = number(member(system, "orbital_rate"));
  const auto size = Eigen::Index(n);
  // x_k = Σ_j A_kj q_j, the base first.
  Vector m(size + 1);
  m << base, as_vector(masses);
  Matrix place = Matrix::Zero(size + 1, size);
  for (Eigen::Index k = 1; k <= size; ++k)
    for (Eigen::Index j = 0; j < k; ++j) place(k, j) = l[std::size_t(j)];
  const Vector centre = place.transpose() * m / m.sum();
  place.rowwise() -= centre.transpose();
  Problem p;
  p.inertia = place.transpose() * m.asDiagonal() * place;
  p.frame_rotation = Vec3(0, 0, rate);
  p.potential = [=](const Columns& q, Columns& gradient) {
    const Columns x = q * place.transpose();
    Columns pull = rate * rate * x * m.asDiagonal();
    pull.row(0) *= -2;
    gradient += pull * place;
    return Real(x.cwiseProduct(pull).sum() / 2);
  };
  return p;
}

/// H = −Σ_bonds [J q_i·q_j + b (q_i·q_j)² + D·(q_i × q_j)] − Σ_i [K (n·q_i)² + B·q_i], D for all.
Problem spins(const json::Node& system, std::size_t n) {
  struct Bond {
    Eigen::Index i, j;
  };
  std::vector<Bond> bonds;
  for (const json::Node& bond : member(system, "bonds").items)
    bonds.push_back({static_cast<Eigen::Index>(bond.items.at(0).number),
                     static_cast<Eigen::Index>(bond.items.at(1).number)});
  const std::vector<Real> exchange = list(member(system, "exchange"), bonds.size()),
                          biquadratic = list(member(system, "biquadratic"), bonds.size()),
                          anisotropy = list(member(system, "anisotropy"), n);
  const Vec3 d = vector(member(system, "dm")), b = vector(member(system, "field")),
             given = vector(member(system, "axis")), axis = given / sqrt(given.squaredNorm());
  Problem p;
  p.strength = as_vector(list(member(system, "strength"), n));
  p.damping = as_vector(list(system, "damping", n, 0));
  p.potential = [=](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (std::size_t k = 0; k < bonds.size(); ++k) {
      const auto [i, j] = bonds[k];
      const Vec3 from = q.col(i), to = q.col(j);
      const Real c = from.dot(to), slope = exchange[k] + 2 * biquadratic[k] * c;
      sum -= exchange[k] * c + biquadratic[k] * c * c + d.dot(from.cross(to));
      gradient.col(i) -= slope * to + to.cross(d);
      gradient.col(j) -= slope * from + d.cross(from);
    }
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Real along = axis.dot(q.col(i)), k = anisotropy[std::size_t(i)];
      sum -= k * along * along + b.dot(q.col(i));
      gradient.col(i) -= 2 * k * along * axis + b;
    }
    return sum;
  };
  return p;
}

/// H = −(1/4π) Σ_{i<j} Γ_i Γ_j ln(1 − q_i·q_j) + Ω Σ Γ_i e3·q_i, κ = Γ.
Problem vortices(const json::Node& system, std::size_t n) {
  Problem p;
  p.strength = as_vector(list(member(system, "circulations"), n));
  p.damping = Vector::Zero(Eigen::Index(n));
  p.potential = [strength = p.strength, rotation = number(member(system, "rotation"))](
                    const Columns& q, Columns& gradient) {
    const Real four_pi = 16 * atan(Real(1));
    Real sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      sum += rotation * strength[i] * q(2, i);
      gradient(2, i) += rotation * strength[i];
      for (Eigen::Index j = 0; j < i; ++j) {
        const Real both = strength[i] * strength[j] / four_pi, away = 1 - q.col(i).dot(q.col(j));
        sum -= both * log(away);
        gradient.col(i) += both / away * q.col(j);
        gradient.col(j) += both / away * q.col(i);
      }
    }
    return sum;
  };
  return p;
}

/// H = ½ Σ (L_i q_i − r_i)·I_i⁻¹ (L_i q_i − r_i), κ = −L.
Problem rigid_body(const json::Node& system, std::size_t n) {
  const Columns moments = columns(member(system, "moments")),
                rotor = columns(member(system, "rotor"));
  Problem p;
  p.strength = -as_vector(list(member(system, "angular_momentum"), n));
  p.damping = Vector::Zero(Eigen::Index(n));
  p.potential = [=, strength = p.strength](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 spin = -strength[i] * q.col(i) - rotor.col(i),
                 rate = spin.cwiseQuotient(moments.col(i));
      sum += spin.dot(rate) / 2;
      gradient.col(i) -= strength[i] * rate;
    }
    return sum;
  };
  return p;
}

/// M = diag(m l²/12), V = ½ Σ_{i≠j} (μ ν_i ν_j/(4π r³)) [q_i·q_j − 3 (q_i·r)(q_j·r)/r²],
/// μ = 4π·1e-7.
Problem dipole_array(const json::Node& system, std::size_t n) {
  const std::vector<Real> m = list(member(system, "masses"), n),
                          l = list(member(system, "lengths"), n),
                          moment = list(member(system, "moments"), n);
  const Columns positions = columns(member(system, "positions"));
  Problem p;
  p.inertia = Matrix::Zero(Eigen::Index(n), Eigen::Index(n));
  for (std::size_t i = 0; i < n; ++i)
    p.inertia(Eigen::Index(i), Eigen::Index(i)) = m[i] * l[i] * l[i] / 12;
  p.potential = [=](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const Vec3 r = positions.col(i) - positions.col(j);
        const Real square = r.squaredNorm();
        const Real strength = moment[std::size_t(i)] * moment[std::size_t(j)] /
                              (Real(10'000'000) * square * sqrt(square));
        const Real along_i = q.col(i).dot(r), along_j = q.col(j).dot(r);
        sum += strength * (q.col(i).dot(q.col(j)) - 3 * along_i * along_j / square);
        gradient.col(i) += strength * (q.col(j) - 3 * along_j / square * r);
        gradient.col(j) += strength * (q.col(i) - 3 * along_i / square * r);
      }
    return sum;
  };
  return p;
}

/// M = diag(m), V = ½ Σ_{i≠j} 4ε [(σ/r)¹² − (σ/r)⁶], r = |q_i − q_j|.
Problem lennard_jones(const json::Node& system, std::size_t n) {
  Problem p;
  const std::vector<Real> m = list(member(system, "masses"), n);
  p.inertia = Eigen::Map<const Vector>(m.data(), Eigen::Index(n)).asDiagonal();
  const Real depth = number(member(system, "epsilon")), sigma = number(member(system, "sigma"));
  p.potential = [=](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const Vec3 d = q.col(i) - q.col(j);
        const Real square = d.squaredNorm(), ratio = sigma * sigma / square,
                   sixth = ratio * ratio * ratio;
        sum += 4 * depth * (sixth * sixth - sixth);
        const Vec3 slope = 24 * depth * (sixth - 2 * sixth * sixth) / square * d;
        gradient.col(i) += slope;
        gradient.col(j) -= slope;
      }
    return sum;
  };
  return p;
}

Vector constant(std::size_t n, const Real& x) { return Vector::Constant(Eigen::Index(n), x); }

/// The value of a parameter of a text-defined system.
const json::Node& parameter(const json::Node& system, std::string_view key) {
  return member(member(system, "parameters"), key);
}

/// Kepler's problem on S²: M = m, V = −γ cot θ, θ the angle from e3.
Problem kepler(const json::Node& system, std::size_t n) {
  Problem p;
  p.inertia = constant(n, number(parameter(system, "m"))).asDiagonal();
  p.potential = [strength = number(parameter(system, "gamma"))](const Columns& q,
                                                                Columns& gradient) {
    // cot θ = z/ρ with ρ² = x² + y².
    const Real x = q(0, 0), y = q(1, 0), z = q(2, 0), rho = sqrt(x * x + y * y);
    const Real slope = strength * z / (rho * rho * rho);
    gradient.col(0) += Vec3(slope * x, slope * y, -strength / rho);
    return Real(-strength * z / rho);
  };
  return p;
}

/// Thomson's problem: M = diag(m), V = Σ_{i<j} k/|q_i − q_j|.
Problem charges(const json::Node& system, std::size_t n) {
  Problem p;
  p.inertia = constant(n, number(parameter(system, "m"))).asDiagonal();
  p.potential = [k = number(parameter(system, "k"))](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const Vec3 d = q.col(i) - q.col(j);
        const Real r = sqrt(d.squaredNorm());
        sum += k / r;
        gradient.col(i) -= k / (r * r * r) * d;
        gradient.col(j) += k / (r * r * r) * d;
      }
    return sum;
  };
  return p;
}

/// A chain with bending stiffness: M_ij = m l² (n − max(i, j)) with i, j from 0,
/// V = −Σ_i m g l (n − i) e3·q_i + k/2 Σ_{i>0} θ_i², θ_i the angle between q_{i−1} and q_i.
Problem bending_chain(const json::Node& system, std::size_t n) {
  const Real m = number(parameter(system, "m")), l = number(parameter(system, "l")),
             g = number(parameter(system, "g")), k = number(parameter(system, "k"));
  Problem p;
  p.inertia.resize(Eigen::Index(n), Eigen::Index(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      p.inertia(Eigen::Index(i), Eigen::Index(j)) = m * l * l * Real(n - std::max(i, j));
  p.potential = [=](const Columns& q, Columns& gradient) {
    Real sum = 0;
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Real weight = m * g * l * Real(q.cols() - i);
      sum -= weight * q(2, i);
      gradient(2, i) -= weight;
      if (i == 0) continue;
      // θ = atan2(s, c) with c = a·b, s² = |a|²|b|² − c²; dθ/dc = −1/s on the sphere.
      const Vec3 a = q.col(i - 1), b = q.col(i);
      const Real c = a.dot(b), s = sqrt(Vec3(a.cross(b)).squaredNorm()), angle = atan2(s, c);
      sum += k / 2 * angle * angle;
      gradient.col(i - 1) -= k * angle / s * b;
      gradient.col(i) -= k * angle / s * a;
    }
    return sum;
  };
  return p;
}

/// a text-defined system: what its potential says, put down here by hand.
Problem of_texts(const json::Node& system, std::size_t n) {
  struct Known {
    std::string_view inertia, potential;
    Problem (*make)(const json::Node&, std::size_t);
  };
  static const std::vector<Known> known{
      {"diag(m)", "-gamma*e3.q[0]/norm(e3×q[0])", kepler},
      {"diag(m)", "sum(i < j: k/norm(q[i] - q[j]))", charges},
      {"chain(m, l)", "-m*g*sum(i: e3.x[i]) + k/2*sum(0 < i: angle(q[i-1], q[i])^2)",
       bending_chain}};
  for (const auto& [inertia, potential, make] : known)
    if (member(system, "inertia").text == inertia && member(system, "potential").text == potential)
      return make(system, n);
  throw std::runtime_error("system.potential: not one of the texts that are known here");
}

Problem problem(const json::Node& system, std::size_t n) {
  struct Listed {
    Problem (*make)(const json::Node&, std::size_t);
    std::vector<std::string_view> keys;
  };
  static const std::map<std::string, Listed> listed{
      {"chain_pendulum",
       {chain_pendulum, {"masses", "lengths", "gravity", "control_torque", "tip_force"}}},
      {"n_body", {n_body, {"masses", "gamma"}}},
      {"pendulum_network",
       {pendulum_network,
        {"masses", "lengths", "gravity", "pivots", "springs", "strength", "frame_rotation"}}},
      {"elastic_rod",
       {elastic_rod,
        {"elements", "mass", "length", "gravity", "stiffness", "clamp_direction", "inertia", "ends",
         "bending", "closing_stiffness"}}},
      {"free_chain", {free_chain, {"base_mass", "masses", "lengths", "orbital_rate"}}},
      {"spins",
       {spins,
        {"strength", "bonds", "exchange", "biquadratic", "dm", "anisotropy", "axis", "field",
         "damping"}}},
      {"vortices", {vortices, {"circulations", "rotation"}}},
      {"rigid_body", {rigid_body, {"moments", "angular_momentum", "rotor"}}},
      {"dipole_array", {dipole_array, {"masses", "lengths", "moments", "positions"}}},
      {"lennard_jones", {lennard_jones, {"masses", "epsilon", "sigma"}}},
      {"custom", {of_texts, {"bodies", "parameters", "define", "inertia", "potential"}}}};
  const auto found = listed.find(member(system, "type").text);
  if (found == listed.end())
    throw std::runtime_error("system.type: one of the papers' examples, or custom, is wanted");
  for (const auto& [key, value] : system.members)
    if (key != "type" && std::ranges::find(found->second.keys, key) == found->second.keys.end())
      throw std::runtime_error(fmt::format("system.{} is not known here", key));
  return found->second.make(system, n);
}

/// q and v = q̇ side by side, 3 × 2n; of first order q alone.
using Phase = Columns;

class Motion {
 public:
  explicit Motion(Problem problem)
      : problem_(std::move(problem)),
        n_(problem_.inertia.rows()),
        inverse_(problem_.inertia.llt().solve(Matrix::Identity(n_, n_))) {}

  bool first_order() const { return n_ == 0; }

  Phase rate(const Phase& y) const {
    if (first_order()) {
      Phase turns = first_order_turns(y);
      for (Eigen::Index i = 0; i < y.cols(); ++i)
        turns.col(i) = Vec3(turns.col(i)).cross(Vec3(y.col(i)));
      return turns;
    }
    const Columns q = y.leftCols(n_), v = y.rightCols(n_);
    Columns right = Columns::Zero(3, n_), frame(3, n_);
    (void)problem_.potential(q, right);
    right = -right;
    const Vec3& turn = problem_.frame_rotation;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const Vec3 at = q.col(i), rate = v.col(i), carried = turn.cross(at);
      frame.col(i) = 2 * turn.cross(rate) + turn.cross(carried);
      if (problem_.strength.size() > 0)
        right.col(i) += problem_.strength[i] * at.cross(Vec3(rate + carried));
    }
    right -= frame * problem_.inertia;
    for (std::size_t i = 0; i < problem_.force.size(); ++i)
      right.col(Eigen::Index(i)) += problem_.force[i];
    if (problem_.has_force()) right.col(0) += problem_.base_torque.cross(q.col(0));
    // q_i·(M⁻¹(D + ν∘q))_i = −|v_i|²: a symmetric positive definite system for ν.
    Columns acceleration = right * inverse_;
    const Matrix constraint = inverse_.cwiseProduct(Matrix(q.transpose() * q));
    Vector wanted(n_);
    for (Eigen::Index i = 0; i < n_; ++i)
      wanted[i] = -v.col(i).squaredNorm() - q.col(i).dot(acceleration.col(i));
    const Vector multipliers = constraint.llt().solve(wanted);
    acceleration += q * multipliers.asDiagonal() * inverse_;
    Phase result(3, 2 * n_);
    result << v, acceleration;
    return result;
  }

  /// ω
  Columns angular_velocities(const Phase& y) const {
    Columns w = first_order() ? first_order_turns(y) : Columns(3, n_);
    for (Eigen::Index i = 0; i < w.cols(); ++i) {
      const Vec3 q = y.col(i), turn = w.col(i);
      w.col(i) = first_order() ? Vec3(turn - q.dot(turn) * q) : q.cross(Vec3(y.col(n_ + i)));
    }
    return w;
  }

  Real energy(const Phase& y) const {
    Columns unused = Columns::Zero(3, y.cols());
    if (first_order()) return problem_.potential(y, unused);
    const Columns q = y.leftCols(n_), v = y.rightCols(n_);
    Columns carried(3, n_);
    for (Eigen::Index i = 0; i < n_; ++i)
      carried.col(i) = problem_.frame_rotation.cross(Vec3(q.col(i)));
    Real sum = problem_.potential(q, unused);
    sum += (v * problem_.inertia).cwiseProduct(v).sum() / 2;
    sum -= (carried * problem_.inertia).cwiseProduct(carried).sum() / 2;
    if (problem_.strength.size() > 0)
      sum -= problem_.frame_rotation.dot(Vec3(q * problem_.strength));
    return sum;
  }

  bool conservative() const {
    return !problem_.has_force() && (problem_.damping.size() == 0 || problem_.damping.isZero(0));
  }

 private:
  /// (κ g + c g × q)/(κ² + c²), g = ∂H/∂q
  Columns first_order_turns(const Columns& q) const {
    Columns turns = Columns::Zero(3, q.cols());
    (void)problem_.potential(q, turns);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 g = turns.col(i), at = q.col(i);
      const Real kappa = problem_.strength[i], c = problem_.damping[i];
      turns.col(i) = (kappa * g + c * g.cross(at)) / (kappa * kappa + c * c);
    }
    return turns;
  }

  Problem problem_;
  Eigen::Index n_;
  Matrix inverse_;
};

Real largest(const Phase& y) {
  Real most = 0;
  for (Eigen::Index k = 0; k < y.size(); ++k) most = std::max<Real>(most, abs(y.data()[k]));
  return most;
}

/// Gragg's midpoint rule with `stages` even sub-steps and his smoothing step: its error is a series
/// in (step/stages)².
Phase midpoint(const Motion& motion, const Phase& start, const Phase& slope, const Real& step,
               int stages) {
  const Real h = step / stages;
  Phase before = start, now = start + h * slope;
  for (int k = 1; k < stages; ++k) {
    Phase next = before + (2 * h) * motion.rate(now);
    before = std::move(now);
    now = std::move(next);
  }
  return (before + now + h * motion.rate(now)) / 2;
}

/// From `y` over `duration` with `columns` extrapolations (order 2·columns), the error of a step at
/// most `tolerance` of the largest component.
Phase integrate(const Motion& motion, Phase y, const Real& duration, int columns,
                const Real& tolerance) {
  Real t = 0, step = duration / 16;
  while (t < duration) {
    const bool last = t + step >= duration;
    if (last) step = duration - t;
    const Phase slope = motion.rate(y);
    std::vector<Phase> row;  // the last row of the extrapolation table
    Real error = 0;
    for (int k = 0; k < columns; ++k) {
      std::vector<Phase> next{midpoint(motion, y, slope, step, 2 * (k + 1))};
      for (int j = 1; j <= k; ++j) {
        const Real ratio = Real(k + 1) / Real(k + 1 - j);
        next.push_back(next.back() + (next.back() - row[std::size_t(j) - 1]) / (ratio * ratio - 1));
      }
      if (k > 0) error = largest(next.back() - next[std::size_t(k) - 1]);
      row = std::move(next);
    }
    const Real wanted = tolerance * largest(y);
    if (error <= wanted) {
      t = last ? duration : t + step;
      y = row.back();
    }
    const Real factor =
        error > 0 ? Real(0.9) * pow(wanted / error, Real(1) / (2 * columns - 1)) : Real(4);
    step *= std::clamp<Real>(factor, Real(0.2), Real(4));
  }
  return y;
}

std::string digits(const Real& x) { return fmt::format("{:.17g}", static_cast<double>(x)); }

std::string rows(const Columns& all) {
  std::string text;
  for (Eigen::Index i = 0; i < all.cols(); ++i)
    text += fmt::format("{}[{}, {}, {}]", i ? ", " : "", digits(all(0, i)), digits(all(1, i)),
                        digits(all(2, i)));
  return "[" + text + "]";
}

std::string text_of(const std::string& path) {
  auto text = twosphere::read_file(path, 1 << 20);
  if (!text) throw std::runtime_error(text.error().text());
  return std::move(*text);
}

/// The text of the .expected.json of a scenario.
std::string solution(const std::string& path) {
  const auto scenario = json::parse(text_of(path), path);
  if (!scenario) throw std::runtime_error(scenario.error().text());
  const json::Node& initial = member(*scenario, "initial");
  // The doubles of the file are on the sphere and tangent to rounding only.
  Columns q = columns(member(initial, "q"));
  const auto n = q.cols();
  const Motion motion(problem(member(*scenario, "system"), std::size_t(n)));
  for (Eigen::Index i = 0; i < n; ++i) q.col(i) /= sqrt(q.col(i).squaredNorm());
  Phase start = q;
  if (!motion.first_order()) {
    const Columns w = columns(member(initial, "omega"));
    start.conservativeResize(3, 2 * n);
    for (Eigen::Index i = 0; i < n; ++i) start.col(n + i) = Vec3(w.col(i)).cross(Vec3(q.col(i)));
  }
  const Real duration = number(member(*scenario, "duration"));

  const Phase end = integrate(motion, start, duration, 12, Real("1e-27")),
              other = integrate(motion, start, duration, 9, Real("1e-25"));
  const Real difference = largest(end - other) / largest(end), energy = motion.energy(start),
             change = abs(motion.energy(end) - energy) / abs(energy);
  fmt::print("{}: two integrations differ by {:.1e}, the energy by {:.1e} of it\n", path,
             static_cast<double>(difference), static_cast<double>(change));
  if (difference > Real("1e-16")) throw std::runtime_error(path + ": not known to 16 digits");
  if (motion.conservative() && change > Real("1e-20"))
    throw std::runtime_error(path + ": the energy is not conserved");

  return fmt::format(
      "{{\"time\": {}, \"energy_start\": {}, \"energy_end\": {},\n \"q\": {},\n \"omega\": {}}}\n",
      digits(duration), digits(energy), digits(motion.energy(end)), rows(end.leftCols(n)),
      rows(motion.angular_velocities(end)));
}

}  // namespace

int main(int count, char** words) {
  bool check = false, same = true;
  try {
    for (int k = 1; k < count; ++k) {
      const std::string path = words[k];
      if (path == "--check") {
        check = true;
        continue;
      }
      if (!path.ends_with(".json")) throw std::runtime_error(path + ": not a scenario");
      const std::string stored = path.substr(0, path.size() - 5) + ".expected.json";
      const std::string made = solution(path);
      if (!check) {
        if (auto done = twosphere::write_file(stored, made); !done)
          throw std::runtime_error(done.error().text());
      } else if (made != text_of(stored)) {
        fmt::print("{} is not what is made now:\n{}", stored, made);
        same = false;
      }
    }
    if (count < 2) throw std::runtime_error("usage: golden_reference [--check] SCENARIO.json ...");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return same ? 0 : 1;
}
