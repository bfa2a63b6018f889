// SPDX-License-Identifier: GPL-3.0-or-later
// Every system against motions that are known in closed form.
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

#include "core/base/decompositions.h"
#include "core/mechanics/diagnostics.h"
#include "tests/cases.h"

namespace twosphere::test::exact_test {
namespace {

using std::numbers::pi;
constexpr double gravity = 9.81;

/// ∫ f from `from` to `to`.
template <class F>
double integrate(const F& f, double from, double to) {
  return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(f, from, to, 5, 1e-13);
}

/// A small oscillation along `shape`, tangent at the equilibrium `rest`, has the frequency Ω. The
/// VI makes of it (2/h) asin(h Ω/2), as every second-order difference x'' = −Ω² x does; order 6 at
/// the same step has Ω itself.
void expect_mode(const System& system, const Columns& rest, const Columns& shape, double omega) {
  constexpr double amplitude = 1e-7;
  const double h = 0.05 / omega, shifted = 2 / h * std::asin(h * omega / 2);
  const Columns displacement = amplitude / shape.cwiseAbs().maxCoeff() * shape;
  for (const auto& [key, frequency] :
       {std::pair{"variational", shifted}, {"variational6", omega}}) {
    State s;
    s.q = rest + displacement;
    s.q.colwise().normalize();
    s.w = Columns::Zero(3, rest.cols());
    auto integrator = prepared(key, system, s);
    double worst = 0;
    for (int k = 1; k <= 1000; ++k) {  // eight periods
      ASSERT_TRUE(integrator->advance(system, h, s).ok());
      for (Eigen::Index i = 0; i < rest.cols(); ++i)
        worst = std::max(worst, (tangent(rest.col(i), s.q.col(i)) -
                                 std::cos(frequency * k * h) * displacement.col(i))
                                    .norm());
    }
    // The shift itself is 1e-4 of the phase, 0.5 % of the amplitude after eight periods.
    EXPECT_LT(worst, 2e-5 * amplitude) << key << ", Ω = " << omega;
  }
}

TEST(Exact, DipolePairOscillatesAtItsTwoFrequencies) {
  // Side by side on a line: V = k [(u₁² + u₂²) + u₁ u₂] about it, k = 10⁻⁷ ν²/r³, so that
  // Ω² = 3k/I in phase and k/I against one another, in both planes; I = m l²/12.
  const double mass = 0.05, length = 0.02, moment = 0.1, apart = 0.03;
  const auto system = system_of("dipole_array", 2,
                                {{"masses", {mass, mass}},
                                 {"lengths", {length, length}},
                                 {"moments", {moment, moment}},
                                 {"positions", {0, 0, 0, 0, apart, 0}}});
  const double k = 1e-7 * moment * moment / (apart * apart * apart);
  const double inertia = mass * length * length / 12;
  Columns rest(3, 2), shape(3, 2);
  rest << 0, 0, 1, 1, 0, 0;
  for (const Vec3& side : {Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(0.6, 0, 0.8)}) {
    shape << side, side;
    expect_mode(*system, rest, shape, std::sqrt(3 * k / inertia));
    shape << side, -side;
    expect_mode(*system, rest, shape, std::sqrt(k / inertia));
  }
}

TEST(Exact, SpringPairOscillatesInItsNormalModes) {
  // Two equal pendula: together at √(g/l); against one another along the spring at
  // √(g/l + κ/(2m)); across it the spring does nothing to first order.
  const double mass = 0.1, length = 0.4, stiffness = 3;
  const auto system = system_of("pendulum_network", 2,
                                {{"masses", {mass, mass}},
                                 {"lengths", {length, length}},
                                 {"pivots", {0, 0, 0, 0.3, 0, 0}},
                                 {"springs", {0, 1, stiffness}}});
  const Columns rest = Vec3::UnitZ().replicate(1, 2);
  const double alone = std::sqrt(gravity / length);
  Columns shape(3, 2);
  shape << Vec3(0.6, 0.8, 0), Vec3(0.6, 0.8, 0);
  expect_mode(*system, rest, shape, alone);
  shape << Vec3(0, 1, 0), Vec3(0, -1, 0);
  expect_mode(*system, rest, shape, alone);
  shape << Vec3(1, 0, 0), Vec3(-1, 0, 0);
  expect_mode(*system, rest, shape, std::sqrt(gravity / length + stiffness / (2 * mass)));
}

TEST(Exact, HangingChainHasTheZerosOfLaguerrePolynomials) {
  // Equal masses and links, Ω² = (g/l) x with L_n(x) = 0; the j-th mass from below is displaced by
  // L_j(x). The zeros are the eigenvalues of the polynomials' recurrence.
  constexpr int n = 9;
  const double length = 0.25;
  const auto system = system_of(
      "chain_pendulum", n,
      {{"masses", std::vector<double>(n, 0.3)}, {"lengths", std::vector<double>(n, length)}});
  Eigen::MatrixXd recurrence = Eigen::MatrixXd::Zero(n, n);
  for (int j = 0; j < n; ++j) {
    recurrence(j, j) = 2 * j + 1;
    if (j > 0) recurrence(j, j - 1) = recurrence(j - 1, j) = j;
  }
  const Eigen::VectorXd zeros = symmetric_eigenvalues(recurrence);
  const Columns rest = Vec3::UnitZ().replicate(1, n);
  for (const double x : zeros) {
    Columns shape(3, n);
    for (int i = 0; i < n; ++i) {
      // Link i ends at mass n − 1 − i from below and begins at the next above.
      const auto j = static_cast<unsigned>(n - 1 - i);
      shape.col(i) = (std::laguerre(j, x) - std::laguerre(j + 1, x)) * Vec3(0.28, -0.96, 0);
    }
    ASSERT_NEAR(std::laguerre(n, x), 0, 1e-13 * shape.cwiseAbs().maxCoeff());  // measured: 4e-15
    expect_mode(*system, rest, shape, std::sqrt(gravity / length * x));
  }
}

TEST(Exact, HangingRodsSwingLikeCompoundPendula) {
  // One rod of length l: Ω² = 3g/(2l), whichever inertia is taken.
  const Columns one = Vec3::UnitZ();
  for (const double kind : {0.0, 1.0}) {
    const auto system = system_of("elastic_rod", 1,
                                  {{"elements", {1}},
                                   {"mass", {0.4}},
                                   {"length", {1.2}},
                                   {"stiffness", {20}},
                                   {"clamp_direction", {0, 0, 1}},
                                   {"inertia", {kind}}});
    const Columns shape = Vec3(0.6, 0.8, 0);
    expect_mode(*system, one, shape, std::sqrt(3 * gravity / (2 * 0.6)));
  }
  // Two in series: Ω² = (3g/l) (1 ± 2/√7). The bending springs are of fourth order in the angle.
  const auto system = system_of("elastic_rod", 2,
                                values_from("elements 2; mass 0.6; length 1.2; stiffness 20 30; "
                                            "clamp_direction 0 0 1; inertia 1"));
  const Columns two = Vec3::UnitZ().replicate(1, 2);
  for (const double sign : {-1.0, 1.0}) {
    const double x = 3 + sign * 6 / std::sqrt(7.0);
    // (3/2 − 4x/3) u₁ = (x/2) u₂.
    Columns shape(3, 2);
    shape << Vec3(x / 2, 0, 0), Vec3(1.5 - 4 * x / 3, 0, 0);
    expect_mode(*system, two, shape, std::sqrt(gravity / 0.4 * x));
  }
}

/// Period of θ'² = 2 [U(θ₀) − U(θ)]/I about 0, from rest at θ₀: U(θ₀) − U(θ) = (sin²(θ₀/2) −
/// sin²(θ/2)) F(θ) with θ of sin(θ/2) = sin(θ₀/2) sin s.
template <class F>
double period(double theta0, double inertia, const F& factor) {
  const double top = std::sin(theta0 / 2);
  return 4 * integrate(
                 [&](double s) {
                   const double sine = top * std::sin(s), theta = 2 * std::asin(sine);
                   return 2 / std::sqrt((1 - sine * sine) * 2 * factor(theta) / inertia);
                 },
                 0, pi / 2);
}

/// After its period a motion is where it began.
void expect_period(const System& system, const State& start, double period) {
  State s = start;
  auto integrator = prepared("variational8", system, s);
  constexpr int steps = 800;
  ASSERT_TRUE(march(system, *integrator, period / steps, steps / 2, s));
  EXPECT_GT(distance(s, start), 0.1);
  ASSERT_TRUE(march(system, *integrator, period / steps, steps / 2, s));
  EXPECT_LT(distance(s, start), 5e-12);  // measured: 3e-13
}

State lifted(double theta, const Vec3& up) {
  State s;
  s.q = std::cos(theta) * up + std::sin(theta) * tangent_basis(up).col(0);
  s.w = Columns::Zero(3, 1);
  return s;
}

TEST(Exact, PlanarPendulumHasTheEllipticPeriod) {
  const double length = 0.7, theta = 2.5;
  const auto system = system_of("chain_pendulum", 1, {{"masses", {2}}, {"lengths", {length}}});
  const double elliptic = 4 * std::sqrt(length / gravity) * std::comp_ellint_1(std::sin(theta / 2));
  // U = −m g l cos θ: U(θ₀) − U(θ) = 2 m g l (sin²(θ₀/2) − sin²(θ/2)).
  EXPECT_NEAR(period(theta, length / gravity, [](double) { return 2.0; }), elliptic,
              1e-14 * elliptic);  // measured: 3e-16
  expect_period(*system, lifted(theta, Vec3::UnitZ()), elliptic);
}

TEST(Exact, WeightlessCantileverBendsWithTheQuarticPeriod) {
  // One element on a spring ½ κ (1 − cos θ)², no gravity: it has no frequency for small angles.
  // With 1 − cos θ = 2 sin²(θ/2), U(θ₀) − U(θ) = 2κ (S₀ − S)(S₀ + S), S = sin²(θ/2); I = m l²/3.
  const double mass = 0.4, length = 1.2, stiffness = 20;
  const auto system = system_of("elastic_rod", 1,
                                {{"elements", {1}},
                                 {"mass", {mass}},
                                 {"length", {length}},
                                 {"gravity", {0}},
                                 {"stiffness", {stiffness}},
                                 {"clamp_direction", {0.6, 0, 0.8}},
                                 {"inertia", {1}}});
  const double element = length / 2, inertia = mass / 2 * element * element / 3;
  std::vector<double> periods;
  for (const double theta0 : {0.4, 0.8, 1.6}) {
    const double top = std::sin(theta0 / 2);
    const double time = period(theta0, inertia, [&](double theta) {
      return 2 * stiffness * (top * top + std::pow(std::sin(theta / 2), 2));
    });
    periods.push_back(time);
    expect_period(*system, lifted(theta0, Vec3(0.6, 0, 0.8)), time);
  }
  EXPECT_NEAR(periods[0] / periods[1], 2, 0.1) << "twice the amplitude, half the period";
}

TEST(Exact, TwoBodiesCircleTheirCentre) {
  // Colatitudes θ₁, θ₂ on opposite sides of e3, attraction γ/sin²(θ₁ + θ₂):
  // Ω² m_i sin θ_i cos θ_i = γ/sin²(θ₁ + θ₂). The VI stays on the circles, turning by α a step,
  // sin(α/2) = h Ω/2; its momentum is along e3.
  const double gamma = 0.8, m1 = 2, m2 = 1, theta1 = 0.2;
  const double theta2 = std::asin(m1 / m2 * std::sin(2 * theta1)) / 2;
  const double rate =
      std::sqrt(gamma / (m1 * std::sin(theta1) * std::cos(theta1))) / std::sin(theta1 + theta2);
  const auto system = system_of("n_body", 2, {{"masses", {m1, m2}}, {"gamma", {gamma}}});
  const double h = 0.01 / rate, alpha = 2 * std::asin(h * rate / 2);
  const auto at = [&](double turned) {
    Columns q(3, 2);
    const double c = std::cos(turned), s = std::sin(turned);
    q << std::sin(theta1) * Vec3(c, s, 0) + std::cos(theta1) * Vec3::UnitZ(),
        -std::sin(theta2) * Vec3(c, s, 0) + std::cos(theta2) * Vec3::UnitZ();
    return q;
  };
  State s;
  s.q = at(0);
  s.w.resize(3, 2);
  for (int i = 0; i < 2; ++i)
    s.w.col(i) = s.q.col(i).cross(std::sin(alpha) / h * Vec3::UnitZ().cross(Vec3(s.q.col(i))));
  const double momentum = std::sin(alpha) / h *
                          (m1 * std::pow(std::sin(theta1), 2) + m2 * std::pow(std::sin(theta2), 2));
  auto integrator = prepared("variational", *system, s);
  double off = 0, drift = 0;
  for (int k = 1; k <= 2000; ++k) {
    ASSERT_TRUE(integrator->advance(*system, h, s).ok());
    off = std::max(off, (s.q - at(k * alpha)).cwiseAbs().maxCoeff());
    integrator->complete(*system, s);
    drift = std::max(drift, (momentum_map(*system, s) - momentum * Vec3::UnitZ()).norm());
  }
  EXPECT_LT(off, 1e-11);               // measured: 8e-13
  EXPECT_LT(drift, 4e-13 * momentum);  // measured: 1e-13
}

TEST(Exact, MoleculePairOscillatesAboutItsChord) {
  // At rest the chord is 2^{1/6} σ; with r = 2 sin(φ/2) and the reduced mass μ,
  // Ω² = 72 ε cos²(φ/2)/(2^{1/3} σ² μ).
  const double epsilon = 0.3, sigma = 0.5, m1 = 1, m2 = 2.5;
  const double chord = std::pow(2, 1.0 / 6) * sigma, phi = 2 * std::asin(chord / 2);
  const double reduced = m1 * m2 / (m1 + m2);
  const auto system = system_of("lennard_jones", 2,
                                {{"masses", {m1, m2}}, {"epsilon", {epsilon}}, {"sigma", {sigma}}});
  Columns rest(3, 2), g(3, 2), shape(3, 2);
  rest << 0, std::sin(phi), 0, 0, 1, std::cos(phi);
  system->gradient(rest, g);
  for (int i = 0; i < 2; ++i) EXPECT_LT(tangent(rest.col(i), g.col(i)).norm(), 1e-14);
  EXPECT_NEAR(system->potential(rest), -epsilon, 1e-15);
  shape << Vec3(-m2, 0, 0), m1 * Vec3(std::cos(phi), 0, -std::sin(phi));
  expect_mode(*system, rest, shape, std::sqrt(72 * epsilon / reduced) * std::cos(phi / 2) / chord);
}

TEST(Exact, ParticlesOfVariableInertiaOscillateAboutTheBottom) {
  // At e3 all cos are 1: equal masses move together at √(g/(1 + α + (n−1) β)), against one another
  // at √(g/(1 + α − β)).
  const double slope = 1.5, coupling = 0.6;
  const auto system =
      system_of("conformal_particles", 3,
                {{"masses", {2, 2, 2}}, {"slope", {slope}}, {"coupling", {coupling}}});
  const Columns rest = Vec3::UnitZ().replicate(1, 3);
  Columns shape(3, 3);
  shape << Vec3(0.6, 0.8, 0), Vec3(0.6, 0.8, 0), Vec3(0.6, 0.8, 0);
  expect_mode(*system, rest, shape, std::sqrt(gravity / (1 + slope + 2 * coupling)));
  shape << Vec3(1, 0, 0), Vec3(-1, 0.5, 0), Vec3(0, -0.5, 0);
  expect_mode(*system, rest, shape, std::sqrt(gravity / (1 + slope - coupling)));
}

TEST(Exact, ConformalGeodesicHasItsPeriodAndItsInvariants) {
  // Without gravity a particle runs along a geodesic of (1 + α z²)|dq|². With J = m(z) sin²θ φ' and
  // E, ż² = 2E (1 − z²)/m − J²/m²; z returns after 4 ∫₀^Z m dz/√(2E m (1 − z²) − J²), where
  // 2E m(Z)(1 − Z²) = J². With m = μ (1 + αz²) the root is Z² of a quadratic.
  const double mu = 1.5, slope = 2;
  const auto system =
      system_of("conformal_particles", 1, {{"masses", {mu}}, {"slope", {slope}}, {"gravity", {0}}});
  State start;
  start.q = Vec3(1, 0, 0);
  start.w = Vec3(0, -1.1, 0.7);  // upwards at 1.1, eastwards at 0.7
  const double energy = total_energy(*system, start), j = momentum_map(*system, start)[2];
  EXPECT_NEAR(energy, mu / 2 * (1.1 * 1.1 + 0.7 * 0.7), 1e-15);
  EXPECT_NEAR(j, mu * 0.7, 1e-15);
  // α x² + (1 − α) x − (1 − b) = 0 for x = Z², b = J²/(2Eμ); the other root is x₂ < 0.
  const double b = j * j / (2 * energy * mu);
  const double root = std::sqrt((1 - slope) * (1 - slope) + 4 * slope * (1 - b));
  const double top = (slope - 1 + root) / (2 * slope), other = (slope - 1 - root) / (2 * slope);
  // 2Eμ α (Z² − z²)(z² − x₂) under the root; z = Z sin s.
  const double time =
      4 * integrate(
              [&](double s) {
                const double z2 = top * std::pow(std::sin(s), 2);
                return mu * (1 + slope * z2) / std::sqrt(2 * energy * mu * slope * (z2 - other));
              },
              0, pi / 2);
  State s = start;
  auto integrator = prepared("variational8", *system, s);
  constexpr int steps = 800;
  double highest = 0;
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(integrator->advance(*system, time / steps, s).ok());
    highest = std::max(highest, s.q(2, 0));
  }
  integrator->complete(*system, s);
  // On the right what is measured.
  EXPECT_NEAR(s.q(2, 0), 0, 5e-13);                                                  // 3e-14
  EXPECT_NEAR(s.q.col(0).cross(Vec3(s.w.col(0).cross(s.q.col(0))))[2], 0.7, 2e-13);  // 9e-15
  EXPECT_NEAR(highest, std::sqrt(top), 1e-14);                                       // 0
  EXPECT_NEAR(total_energy(*system, s), energy, 3e-13);                              // 2e-14
  EXPECT_NEAR(momentum_map(*system, s)[2], j, 1e-13);                                // 1e-14
}

/// A body that nothing acts on, in each of the systems that can be made so.
struct Free {
  const char* name;
  const char* system;
  Values values;
};
void PrintTo(const Free& f, std::ostream* out) { *out << f.name; }
class FreeBody : public testing::TestWithParam<Free> {};
INSTANTIATE_TEST_SUITE_P(
    Systems, FreeBody,
    testing::Values(
        Free{"link", "chain_pendulum", values_from("masses 2; lengths 0.7; gravity 0")},
        Free{"body", "n_body", {{"masses", {2}}}},
        Free{"pendulum", "pendulum_network",
             values_from("masses 2; lengths 0.7; gravity 0; pivots 1 2 3")},
        Free{"rod", "elastic_rod",
             values_from("elements 1; mass 2; length 1; gravity 0; stiffness 0")},
        Free{"magnet", "dipole_array",
             values_from("masses 2; lengths 0.7; moments 3; positions 0 0 0")},
        Free{"molecule", "lennard_jones", values_from("masses 2; epsilon 1; sigma 0.5")},
        Free{"particle", "conformal_particles", values_from("masses 2; slope 0; gravity 0")}),
    [](const auto& p) { return p.param.name; });

TEST_P(FreeBody, TurnsOnAGreatCircle) {
  // The chord of the VI's step is h |ω|, so that it turns by asin(h |ω|); a rotation, and a step in
  // the Lie algebra, turns by h |ω|, and by more than a quarter turn if it is told to. ω stays.
  const auto system = system_of(GetParam().system, 1, GetParam().values);
  State start;
  start.q = Vec3(1, 2, -2) / 3;
  start.w = Vec3(2, 1, 2);  // ⟂ q, |ω| = 3
  const Vec3 q0 = start.q.col(0), side = start.w.col(0).cross(q0) / 3;
  int measured = 0;
  for (const auto& [key, h, angle] : {std::tuple{"variational", 0.01, std::asin(0.03)},
                                      {"variational", 0.3, std::asin(0.9)},
                                      {"variational_cayley", 0.3, std::asin(0.9)},
                                      {"rattle", 0.3, std::asin(0.9)},
                                      {"rotation", 0.01, 0.03},
                                      {"rotation", 0.9, 2.7},
                                      {"rotation4", 0.9, 2.7},
                                      {"rotation6", 5.0, 15.0},
                                      {"rkmk4", 0.9, 2.7}}) {
    const IntegratorInfo& info = *find_integrator(key);
    if (!info.supports(*system)) continue;
    State s = start;
    auto integrator = prepared(key, *system, s);
    constexpr int steps = 200;
    ASSERT_TRUE(march(*system, *integrator, h, steps, s)) << key;
    const double turned = steps * angle;
    EXPECT_LT((s.q.col(0) - std::cos(turned) * q0 - std::sin(turned) * side).norm(), 1e-11) << key;
    EXPECT_LT((s.w - start.w).norm(), 2e-13) << key;  // measured: 2e-14
    ++measured;
  }
  // Rotations are of uncoupled bodies, the Cayley form and RATTLE are not of a variable inertia.
  const Inertia& inertia = system->inertia();
  EXPECT_EQ(measured, std::holds_alternative<DiagonalInertia>(inertia)   ? 9
                      : std::holds_alternative<VariableInertia>(inertia) ? 3
                                                                         : 5);
}

}  // namespace
}  // namespace twosphere::test::exact_test
