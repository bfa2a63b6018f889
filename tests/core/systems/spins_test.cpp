// SPDX-License-Identifier: GPL-3.0-or-later
// Spins: derivatives, bonds of lattices, signs, closed forms, messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/simd_level.h"
#include "core/base/thread_pool.h"
#include "core/mechanics/first_order.h"
#include "core/systems/site_lattice.h"
#include "tests/cases.h"
#include "tests/core/systems/lattices.h"
#include "tests/direction.h"
#include "tests/outcome.h"

namespace twosphere::test::spins_test {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<std::pair<int, int>> ends_of(const SiteLattice& lattice) {
  std::vector<std::pair<int, int>> ends;
  for (const SiteBond& bond : lattice.bonds()) ends.emplace_back(bond.first, bond.second);
  return ends;
}

/// One spin in a separate chain.
std::unique_ptr<const System> one_spin(Values values) {
  values["lattice"] = {0, 1, 1, 1, 1, 0};
  return system_of("spins", 1, std::move(values));
}

Vec3 turn_of(const System& system, const Vec3& q) {
  Columns w(3, 1);
  first_order_velocity(system, 0, q, w);
  return w.col(0);
}

using Ends = std::vector<std::pair<int, int>>;

TEST(SiteLattice, BondsAreListedByTheirFirstSite) {
  EXPECT_EQ(ends_of(lattice_of("chain", 3, 1, 1, false)), (Ends{{0, 1}, {1, 2}}));
  EXPECT_EQ(ends_of(lattice_of("chain", 3, 1, 1, true)), (Ends{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(ends_of(lattice_of("square", 2, 2, 1, false)), (Ends{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(ends_of(lattice_of("triangular", 2, 2, 1, false)),
            (Ends{{0, 1}, {0, 2}, {1, 3}, {1, 2}, {2, 3}}));
  EXPECT_EQ(ends_of(lattice_of("hexagonal", 2, 1, 1, false)), (Ends{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(ends_of(lattice_of("cubic", 1, 2, 2, false)), (Ends{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
}

TEST(SiteLattice, EverySiteOfAPeriodicOneHasAllItsNeighbours) {
  for (const auto& [key, nz, neighbours] : {std::tuple{"chain", 1, 2},
                                            {"square", 1, 4},
                                            {"triangular", 1, 6},
                                            {"hexagonal", 1, 3},
                                            {"cubic", 3, 6}}) {
    const bool chain = std::string_view(key) == "chain";
    const SiteLattice lattice = lattice_of(key, 4, chain ? 1 : 3, nz, true, 0.5);
    const Columns places = lattice.positions();
    std::vector<std::set<int>> of(static_cast<std::size_t>(lattice.sites()));
    for (const SiteBond& bond : lattice.bonds()) {
      of[static_cast<std::size_t>(bond.first)].insert(bond.second);
      of[static_cast<std::size_t>(bond.second)].insert(bond.first);
      EXPECT_NEAR(bond.along.norm(), lattice.distance(), 1e-15) << key;
      const Vec3 between = places.col(bond.second) - places.col(bond.first);
      EXPECT_EQ((between - bond.along).norm() > 1e-12, bond.across) << key;
    }
    for (const auto& one : of) EXPECT_EQ(static_cast<int>(one.size()), neighbours) << key;
  }
}

TEST(SiteLattice, RegionsHoldThePointsNearestToTheirSites) {
  for (const auto& [key, corners] : {std::pair{"square", 4}, {"triangular", 6}, {"hexagonal", 3}}) {
    SCOPED_TRACE(key);
    const SiteLattice lattice = lattice_of(key, 5, 5, 1, false, 0.5);
    const auto regions = lattice.regions();
    const Columns sites = lattice.positions();
    double area = 0;
    for (std::size_t k = 0; k < regions.size(); ++k) {
      ASSERT_EQ(static_cast<int>(regions[k].size()), corners);
      // A site in the middle, of each kind.
      const Vec3 site =
          sites.col(12 * static_cast<Eigen::Index>(regions.size()) + static_cast<Eigen::Index>(k));
      for (std::size_t i = 0; i < regions[k].size(); ++i) {
        const Vec3 &a = regions[k][i], &b = regions[k][(i + 1) % regions[k].size()];
        EXPECT_GT(a.cross(b).z(), 0) << "counter-clockwise";
        area += a.cross(b).z() / 2;
        const double least = (sites.colwise() - Vec3(site + a)).colwise().norm().minCoeff();
        EXPECT_NEAR(a.norm(), least, 1e-12) << "no other site is nearer to a corner";
      }
    }
    EXPECT_NEAR(area, lattice.along({1, 0, 0}).cross(lattice.along({0, 1, 0})).z(), 1e-12)
        << "together they are a cell";
  }
  for (const char* key : {"chain", "cubic"})
    EXPECT_TRUE(lattice_of(key, 4, 1, 1, false).regions().empty()) << key;
}

TEST(SiteLattice, TrianglesCoverAPeriodicPlaneOnce) {
  for (const char* key : {"square", "triangular", "hexagonal"}) {
    const SiteLattice lattice = lattice_of(key, 4, 3, 1, true);
    // Each side belongs to two triangles that run along it in opposite directions.
    std::set<std::pair<int, int>> sides;
    for (const auto& [a, b, c] : lattice.triangles())
      for (const auto& side : {std::pair{a, b}, {b, c}, {c, a}})
        EXPECT_TRUE(sides.insert(side).second) << key;
    for (const auto& [a, b] : sides) EXPECT_TRUE(sides.contains({b, a})) << key;
    // Euler's number of the torus is 0.
    EXPECT_EQ(2 * lattice.sites() - static_cast<std::ptrdiff_t>(sides.size()) +
                  2 * static_cast<std::ptrdiff_t>(lattice.triangles().size()),
              0)
        << key;
  }
}

/// Each kind of lattice, open and periodic, with all couplings, and the same bonds as a list.
struct Coupled {
  std::string name;
  int n;
  Values lattice, bonds;
};

std::vector<Coupled> coupled_spins() {
  std::vector<Coupled> all;
  for (const auto& [key, nx, ny, nz] : {std::tuple{"chain", 17, 1, 1},
                                        {"square", 9, 4, 1},
                                        {"triangular", 5, 4, 1},
                                        {"hexagonal", 3, 4, 1},
                                        {"cubic", 5, 3, 4},
                                        {"square", 3, 3, 1},
                                        {"chain", 1, 1, 1}})
    for (const bool periodic : {false, true}) {
      if (periodic && nx < 3) continue;
      const SiteLattice lattice = lattice_of(key, nx, ny, nz, periodic);
      const auto n = static_cast<int>(lattice.sites());
      Draws draws{std::mt19937(7)};
      Values values{{"exchange", {1.1}},         {"biquadratic", {0.3}},
                    {"dm", {0, 0.2, -0.1, 0.4}}, {"anisotropy", draws(n, -0.3, 0.3)},
                    {"axis", {1, 2, -2}},        {"field", {0, 0.1, 0.2, -0.3}}};
      Values listed = values;
      values["lattice"] = {kind_of(key), double(nx), double(ny),
                           double(nz),   1,          periodic ? 1.0 : 0.0};
      const Columns places = lattice.positions();
      listed["positions"].assign(places.data(), places.data() + places.size());
      for (const SiteBond& bond : lattice.bonds())
        listed["bonds"].insert(listed["bonds"].end(), {double(bond.first), double(bond.second)});
      all.push_back({std::string(key) + std::to_string(n) + (periodic ? "_periodic" : ""), n,
                     values, listed});
    }
  return all;
}

TEST(Spins, HaveTheDerivativesOfTheirEnergy) {
  for (const Coupled& c : coupled_spins()) {
    SCOPED_TRACE(c.name);
    const auto system = system_of("spins", c.n, c.lattice);
    const Columns q = generic_start(c.n, everywhere, 0, 5).q,
                  v = generic_start(c.n, everywhere, 0, 6).q;
    Columns g(3, c.n), h(3, c.n), after(3, c.n), before(3, c.n);
    system->gradient(q, g);
    system->hessian_times(q, v, h);
    constexpr double step = 1e-5;
    const double change =
        (system->potential(q + step * v) - system->potential(q - step * v)) / (2 * step);
    EXPECT_NEAR(change, g.cwiseProduct(v).sum(), 1e-8 * c.n);
    system->gradient(q + step * v, after);
    system->gradient(q - step * v, before);
    EXPECT_LT(((after - before) / (2 * step) - h).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(Spins, OfALatticeAreThoseOfItsBonds) {
  for (const Coupled& c : coupled_spins()) {
    if (c.bonds.find("bonds") == c.bonds.end()) continue;
    SCOPED_TRACE(c.name);
    const auto a = system_of("spins", c.n, c.lattice), b = system_of("spins", c.n, c.bonds);
    const Columns q = generic_start(c.n, everywhere, 0, 5).q,
                  v = generic_start(c.n, everywhere, 0, 6).q;
    Columns x(3, c.n), y(3, c.n);
    EXPECT_NEAR(a->potential(q), b->potential(q), 1e-14 * c.n);
    a->gradient(q, x);
    b->gradient(q, y);
    EXPECT_LT((x - y).cwiseAbs().maxCoeff(), 1e-14);
    a->hessian_times(q, v, x);
    b->hessian_times(q, v, y);
    EXPECT_LT((x - y).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_EQ(a->conserved_momentum(), b->conserved_momentum());
  }
}

TEST(Spins, OfALatticeHaveTheSameBitsAtEveryLevel) {
  const Coupled c = coupled_spins()[3];
  const Columns q = generic_start(c.n, everywhere, 0, 5).q;
  Columns first(3, c.n), g(3, c.n);
  double energy = 0;
  bool any = false;
  for (const std::string_view level : isa_levels()) {
    ASSERT_TRUE(force_isa_level(level));
    const auto system = system_of("spins", c.n, c.lattice);
    system->gradient(q, any ? g : first);
    const double v = system->potential(q);
    if (any) {
      EXPECT_EQ(g, first) << level;
      EXPECT_EQ(v, energy) << level;
    }
    energy = v;
    any = true;
  }
  ASSERT_TRUE(force_isa_level(""));
}

/// What some steps of the midpoint method leave and tell.
struct Swept {
  Columns q;
  std::vector<StepStatus> status;
  std::vector<int> iterations, sweeps;
  std::vector<TangentVector> vectors;
  bool operator==(const Swept& other) const {
    return q == other.q && status == other.status && iterations == other.iterations &&
           sweeps == other.sweeps && vectors[0].q == other.vectors[0].q;
  }
};

Swept swept(const System& system, double h) {
  State state = generic_start(system.size(), everywhere, 0, 5);
  Swept all;
  all.vectors.push_back({generic_start(system.size(), everywhere, 1, 6).w, state.w});
  for (Eigen::Index i = 0; i < state.q.cols(); ++i)
    all.vectors[0].q.col(i) = tangent(state.q.col(i), all.vectors[0].q.col(i));
  const auto method = prepared("spherical_midpoint", system, state);
  for (int k = 0; k < 6; ++k) {
    const StepReport report =
        k < 4 ? method->advance(system, h, state)
              : method->tangent_map(system)->advance(system, h, state, all.vectors);
    all.status.push_back(report.status);
    all.iterations.push_back(report.iterations);
    all.sweeps.push_back(report.sweeps);
  }
  all.q = state.q;
  return all;
}

TEST(Spins, StepsHaveTheSameBitsAtEveryLevelAndForAnyNumberOfThreads) {
  std::vector<Coupled> all = coupled_spins();
  Draws draws{std::mt19937(8)};
  // More than one thread takes at a time, in rows that are no whole vectors, and cut.
  Coupled large{"large", 67 * 70, all[2].lattice, {}};
  large.lattice["lattice"] = {kind_of("square"), 67, 70, 1, 1, 1};
  large.lattice["anisotropy"] = draws(large.n, -0.3, 0.3);
  all.push_back(large);
  for (Coupled& c : all) {
    const bool is_large = c.name == "large";
    // κ alike, or each its own with damping; some c are 0.
    for (const double damping : {0.0, 0.2}) {
      if (damping > 0) {
        c.lattice["strength"] = draws(c.n, 0.5, 1.5);
        c.lattice["damping"] = draws(c.n, 0, damping);
        c.lattice["damping"][0] = 0;
      }
      // Sweeps alone, and with Newton's method.
      for (const double h : {0.03, 0.25}) {
        if (is_large && h > 0.1) continue;
        SCOPED_TRACE(c.name + " " + std::to_string(damping) + " " + std::to_string(h));
        const auto system = system_of("spins", c.n, c.lattice);
        const Swept expected = swept(*system, h);
        for (const std::string_view level : isa_levels()) {
          ASSERT_TRUE(force_isa_level(level));
          for (const int count : is_large ? std::vector{1, 3} : std::vector{1}) {
            const int before = threads();
            set_threads(count);
            EXPECT_TRUE(swept(*system, h) == expected) << level << ", threads " << count;
            set_threads(before);
          }
        }
        ASSERT_TRUE(force_isa_level(""));
      }
    }
  }
}

TEST(Spins, CouplingsHaveTheSignsOfTheirWords) {
  const auto two = [](Values values) {
    values["lattice"] = {0, 2, 1, 1, 1, 0};
    return system_of("spins", 2, std::move(values));
  };
  Columns along(3, 2), against(3, 2), right(3, 2), left(3, 2), across(3, 2);
  along << Vec3::UnitZ(), Vec3::UnitZ();
  against << Vec3::UnitZ(), Vec3(-Vec3::UnitZ());
  EXPECT_LT(two({})->potential(along), two({})->potential(against));
  // Bulk, along the bond e1: a right-handed turn about it, e2 to e3.
  right << Vec3::UnitY(), Vec3::UnitZ();
  left << Vec3::UnitY(), Vec3(-Vec3::UnitZ());
  EXPECT_EQ(two({{"dm", {1, 0.3}}})->potential(right), -0.3);
  EXPECT_EQ(two({{"dm", {1, 0.3}}})->potential(left), 0.3);
  // Interfacial: e3 × e1 = e2, a turn from e3 to e1.
  across << Vec3::UnitZ(), Vec3::UnitX();
  EXPECT_EQ(two({{"dm", {2, 0.3}}})->potential(across), -0.3);
  EXPECT_EQ(two({{"dm", {0, 0, 0.3, 0}}})->potential(across), -0.3);
  EXPECT_EQ(two({{"exchange", {0}}, {"biquadratic", {0.7}}})->potential(against), -0.7);
  EXPECT_EQ(two({{"exchange", {0}}, {"anisotropy", {0.2, 0}}})->potential(against), -0.2);
}

TEST(Spins, PrecessWithMinusTheFieldOverTheirStrength) {
  const Vec3 q = direction(0.7, 0.3);
  for (const double kappa : {1.0, 2.0, -1.0, -0.5}) {
    const auto system = one_spin({{"strength", {kappa}}, {"field", {0, 0, 0, 0.4}}});
    const Vec3 expected = tangent(q, Vec3(0, 0, -0.4 / kappa));
    EXPECT_LT((turn_of(*system, q) - expected).norm(), 1e-15) << kappa;
  }
}

TEST(Spins, OfElectronsFollowGilbertsEquation) {
  // ṁ = −γ m × B + α m × ṁ with κ = −μ/γ, α = c/|κ|, here μ = γ = 1.
  const Vec3 m = direction(1.1, -0.4), b(0.1, -0.3, 0.5);
  const auto system =
      one_spin({{"strength", {-1}}, {"damping", {0.2}}, {"field", {0, b.x(), b.y(), b.z()}}});
  const Vec3 rate = turn_of(*system, m).cross(m);
  EXPECT_LT((rate - (-m.cross(b) + 0.2 * m.cross(rate))).norm(), 1e-15);
  EXPECT_GT(rate.dot(b), 0) << "damping turns the moment into the field";
}

TEST(Spins, ASpinTorqueAddsItsTangentialPartOverTheStrength) {
  const Vec3 q = direction(1.1, -0.4), a(0.1, -0.3, 0.5);
  for (const double kappa : {1.0, -2.0}) {
    const auto system = one_spin({{"strength", {kappa}}, {"spin_torque", {a.x(), a.y(), a.z()}}});
    EXPECT_LT((turn_of(*system, q).cross(q) - tangent(q, a) / kappa).norm(), 1e-15);
  }
}

TEST(Spins, WithDampingFollowTheClosedForm) {
  for (const double kappa : {1.0, -1.0, 0.0}) {
    const double c = 0.3, b = 0.5, theta = 2.5, t = 10, all = kappa * kappa + c * c;
    const auto system =
        one_spin({{"strength", {kappa}}, {"damping", {c}}, {"field", {0, 0, 0, b}}});
    State state{0, direction(theta, 0.2), Columns::Zero(3, 1)};
    const auto method = prepared("spherical_midpoint8", *system, state);
    ASSERT_TRUE(march(*system, *method, 0.05, 200, state));
    const Vec3 expected = direction(2 * std::atan(std::tan(theta / 2) * std::exp(-c * b * t / all)),
                                    0.2 - kappa * b * t / all);
    EXPECT_LT((state.q.col(0) - expected).norm(), 1e-10) << kappa;
  }
}

TEST(Spins, DriveIsWorkAndStillIsEnergy) {
  const Columns q = direction(0.7, 0.3);
  const auto still = one_spin({{"field", {0, 0.1, 0.2, 0.3}}});
  EXPECT_FALSE(still->has_external_force());
  EXPECT_NEAR(still->potential(q), -Vec3(0.1, 0.2, 0.3).dot(q.col(0)), 1e-15);
  Columns f(3, 1);
  // Amplitude 0.2 about e3, ν = 0.25 Hz, φ = 0.1.
  const auto rotating = one_spin({{"field", {1, 0.2, 0, 0, 3, 0.25, 0.1}}});
  EXPECT_TRUE(rotating->time_dependent());
  EXPECT_EQ(rotating->potential(q), 0);
  rotating->force(1, q, f);
  EXPECT_LT((f.col(0) - 0.2 * direction(pi / 2, pi / 2 + 0.1)).norm(), 1e-15);
  EXPECT_TRUE(rotating->repeats_after(8));
  EXPECT_FALSE(rotating->repeats_after(6));
  const auto pulse = one_spin({{"field", {2, 0.1, 0, 0.2, 5, 2}}});
  EXPECT_FALSE(pulse->repeats_after(1000)) << "a pulse comes once";
  pulse->force(7, q, f);
  EXPECT_LT((f.col(0) - std::exp(-0.5) * Vec3(0.1, 0, 0.2)).norm(), 1e-15);
}

/// The frequency of a small spin wave along a ring, from one step.
double frequency(const System& system, int n, int turns, double h, double amplitude) {
  Columns q(3, n);
  const double k = 2 * pi * turns / n;
  for (int i = 0; i < n; ++i) q.col(i) = direction(amplitude, k * i);
  State state{0, q, Columns::Zero(3, n)};
  const auto method = prepared("spherical_midpoint", system, state);
  EXPECT_TRUE(march(system, *method, h, 1, state));
  // All have turned by −Ωh about e3, at the colatitude they had.
  double turn = 0;
  for (int i = 0; i < n; ++i) {
    const Vec3 a = q.col(i), b = state.q.col(i);
    turn += std::atan2(a.x() * b.y() - a.y() * b.x(), a.x() * b.x() + a.y() * b.y()) / n;
  }
  return -turn / h;
}

TEST(Spins, WavesHaveTheFrequencyOfTheMethod) {
  constexpr int n = 16;
  constexpr double j = 1.2, d = 0.4, a = 0.3, b = 0.2;
  for (const double kappa : {1.0, -2.0})
    for (const double sign : {1.0, -1.0})
      for (const int turns : {1, 3, -3, 7}) {
        const auto system = system_of("spins", n,
                                      {{"lattice", {0, n, 1, 1, 1, 1}},
                                       {"strength", std::vector<double>(n, kappa)},
                                       {"exchange", {j}},
                                       {"dm", {0, 0, 0, sign * d}},
                                       {"anisotropy", std::vector<double>(n, a)},
                                       {"field", {0, 0, 0, b}}});
        const double k = 2 * pi * turns / n,
                     rate = (2 * j * (1 - std::cos(k)) + 2 * a + b - 2 * sign * d * std::sin(k)) /
                            kappa;
        for (const double h : {0.05, 0.2})
          EXPECT_NEAR(frequency(*system, n, turns, h, 1e-5), 2 / h * std::atan(h * rate / 2), 1e-8)
              << kappa << ' ' << sign << ' ' << turns << ' ' << h;
      }
}

TEST(Spins, TopologicalChargeIsAnInteger) {
  for (const char* key : {"square", "triangular", "hexagonal"}) {
    const SiteLattice lattice = lattice_of(key, 32, 32, 1, true);
    const auto n = static_cast<int>(lattice.sites());
    const auto system = system_of("spins", n, {{"lattice", {kind_of(key), 32, 32, 1, 1, 1}}});
    const auto charge = [&](const Columns& q) {
      return system->own_quantity("topological charge", 0, q, q);
    };
    const Columns places = lattice.positions();
    const Vec3 middle = places.rowwise().mean();
    for (const int winding : {1, -1, 2}) {
      Columns q(3, n);
      for (Eigen::Index i = 0; i < n; ++i) {
        const Vec3 x = places.col(i) - middle;
        const double r = x.head<2>().norm() / 5;
        q.col(i) =
            direction(2 * std::atan2(std::exp(1 - r), r), winding * std::atan2(x.y(), x.x()) + 0.3);
      }
      // Core down in a field up, turned once: −1.
      EXPECT_NEAR(charge(q), -winding, 1e-11) << key;
      EXPECT_NEAR(charge(-q), winding, 1e-11) << key;
    }
    const double any = charge(generic_start(n, everywhere, 0, 3).q);
    EXPECT_NEAR(any, std::round(any), 1e-11) << key;
  }
  const auto chain = system_of("spins", 3, {{"lattice", {0, 3, 1, 1, 1, 0}}});
  const Columns q = generic_start(3, everywhere, 0, 3).q;
  EXPECT_TRUE(std::isnan(chain->own_quantity("topological charge", 0, q, q)));
}

TEST(Spins, HaveMagnetisationAndExchangeEnergy) {
  const auto system = system_of(
      "spins", 3, {{"lattice", {0, 3, 1, 1, 1, 0}}, {"exchange", {2}}, {"field", {0, 1, 2, 3}}});
  Columns q(3, 3);
  q << Vec3::UnitX(), Vec3::UnitX(), Vec3::UnitZ();
  EXPECT_NEAR(system->own_quantity("magnetisation", 0, q, q), std::sqrt(5.0) / 3, 1e-15);
  EXPECT_EQ(system->own_quantity("exchange energy", 0, q, q), -2);
  std::vector<double> colors;
  system->own_color_values(0, q, q, colors);
  EXPECT_EQ(colors, (std::vector<double>{0, 0, 1}));
}

TEST(Spins, StandAtTheirSitesAsArrows) {
  const auto system = system_of("spins", 6, {{"lattice", {kind_of("square"), 3, 2, 1, 0.5, 0}}});
  const Columns q = generic_start(6, everywhere, 0, 3).q;
  Geometry figure;
  system->geometry(q, figure);
  ASSERT_EQ(figure.arrows.size(), 6U);
  EXPECT_EQ(figure.guides.size(), 7U);
  const Vec3 middle = (figure.arrows[4].from + figure.arrows[4].to) / 2;
  EXPECT_LT((middle - Vec3(0.5, 0.5, 0)).norm(), 1e-15);
  EXPECT_LT((figure.bodies[4].position - middle - system->lever(4, 4) * q.col(4)).norm(), 1e-15);
  EXPECT_GE(system->extent().radius, 0.5);
}

TEST(Spins, SayWhatIsWrong) {
  const auto error = [](int n, Values values) {
    values.merge(default_values(find_system("spins")->parameters, n));
    const auto made = find_system("spins")->create(n, values);
    return made ? std::string("none") : made.error().text();
  };
  const Values chain{{"lattice", {0, 3, 1, 1, 1, 0}}};
  const auto with = [&](std::string_view key, std::vector<double> value) {
    Values values = chain;
    values[std::string(key)] = std::move(value);
    return error(3, values);
  };
  EXPECT_NE(error(3, {}).find("needs either a lattice or bonds"), std::string::npos);
  EXPECT_NE(with("bonds", {0, 1}).find("needs either"), std::string::npos);
  EXPECT_NE(with("positions", {0, 0, 0, 1, 0, 0, 2, 0, 0}).find("not to a lattice"),
            std::string::npos);
  EXPECT_EQ(with("exchange", {1, 2, 3}),
            "exchange: must be one number or have 2, one per bond, not 3");
  EXPECT_EQ(with("biquadratic", {1, 2, 3}),
            "biquadratic: must be one number or have 2, one per bond, not 3");
  EXPECT_EQ(with("exchange", {1, 2}), "none");
  EXPECT_EQ(with("axis", {0, 0, 0}), "axis: must not be the zero vector");
  EXPECT_EQ(with("field", {1, 1, 0, 0, 0, 1, 0}), "field.axis: must not be the zero vector");
  EXPECT_NE(with("strength", {1, 0, 1}).find("strength[1]: 0 J s needs a damping"),
            std::string::npos);
  EXPECT_NE(error(3, {{"bonds", {0, 1}}, {"positions", {0, 0, 0, 1, 0, 0, 0, 0, 0}}})
                .find("positions[2]: coincides with position 0"),
            std::string::npos);
}

}  // namespace
}  // namespace twosphere::test::spins_test
