// SPDX-License-Identifier: GPL-3.0-or-later
// Which components of J = Σ q_i × p_i are conserved, system by system: those exactly, the others
// not.
#include <gtest/gtest.h>

#include <cmath>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/symmetry.h"
#include "tests/cases.h"

namespace twosphere::test::momentum_test {
namespace {

struct Symmetry {
  const char* name;
  const char* system;
  int n;
  Values values;
  double spread, speed, step;
  std::array<bool, 3> conserved;
};
void PrintTo(const Symmetry& s, std::ostream* out) { *out << s.name; }

const Values links{{"masses", {1, 2, 0.5}}, {"lengths", {1, 0.5, 0.75}}};
const Values pendula = values_from("masses 0.1 0.2 0.1; lengths 0.1 0.12 0.1");
const Values rod = values_from("elements 3; mass 0.25; length 0.625; stiffness 15 20 12");
const Values magnets = values_from(
    "masses 0.05 0.05 0.05 0.05; lengths 0.02 0.02 0.02 0.02; "
    "moments 0.1 0.1 0.08 -0.1");
const Values chain_of_spins{{"lattice", {0, 3, 1, 1, 1, 0}}};
const Values particles{{"masses", {1, 2}}, {"coupling", {0.5}}};

Values with(Values values, const Values& more) {
  for (const auto& [key, value] : more) values[key] = value;
  return values;
}

constexpr std::array<bool, 3> none{false, false, false}, all{true, true, true},
    e1{true, false, false}, e2{false, true, false}, e3{false, false, true};

class MomentumMap : public testing::TestWithParam<Symmetry> {};
INSTANTIATE_TEST_SUITE_P(
    Systems, MomentumMap,
    testing::Values(
        // Rotations about the axis along which every force points.
        Symmetry{"chain", "chain_pendulum", 3, links, 0.5, 0.5, 0.002, e3},
        Symmetry{"chain_weightless", "chain_pendulum", 3, with(links, {{"gravity", {0}}}), 0.5, 0.5,
                 0.002, all},
        Symmetry{"chain_tip_force_down", "chain_pendulum", 3,
                 with(links, {{"tip_force", {0, 0, 0, 3}}}), 0.5, 0.5, 0.002, e3},
        Symmetry{"chain_tip_force_aside", "chain_pendulum", 3,
                 with(links, {{"tip_force", {0, 3, 0, 0}}}), 0.5, 0.5, 0.002, none},
        Symmetry{"chain_weightless_tip_force", "chain_pendulum", 3,
                 with(links, {{"gravity", {0}}, {"tip_force", {0, 0, 3, 0}}}), 0.5, 0.5, 0.002, e2},
        Symmetry{"chain_base_torque", "chain_pendulum", 3,
                 with(links, {{"control_torque", {0, 0.5, 0.3, 1}}}), 0.5, 0.5, 0.002, none},
        Symmetry{"chain_sine_torque", "chain_pendulum", 3,
                 with(links, {{"control_torque", {1, 0.5, 0.3, 1, 2, 0.5}}}), 0.5, 0.5, 0.002,
                 none},
        Symmetry{"chain_held_up", "chain_pendulum", 3,
                 with(links, {{"control_torque", {2, 0, 0, -1, 20, 0}}}), 0.5, 0.5, 0.002, e3},
        Symmetry{"chain_held_aside", "chain_pendulum", 3,
                 with(links, {{"control_torque", {2, 1, 0, -1, 20, 0}}}), 0.5, 0.5, 0.002, none},
        Symmetry{"chain_weightless_held_aside", "chain_pendulum", 3,
                 with(links, {{"gravity", {0}}, {"control_torque", {2, 2, 0, 0, 20, 0}}}), 0.5, 0.5,
                 0.002, e1},
        Symmetry{"chain_held_and_damped", "chain_pendulum", 3,
                 with(links, {{"control_torque", {2, 0, 0, -1, 20, 1}}}), 0.5, 0.5, 0.002, none},
        Symmetry{"chain_damped", "chain_pendulum", 3, with(links, {{"damping", {0.1}}}), 0.5, 0.5,
                 0.002, none},
        // A free base: about the thrust; a tide leaves nothing.
        Symmetry{"free_chain", "free_chain", 3, with(links, {{"base_mass", {1.5}}}), 0.5, 0.5,
                 0.002, all},
        Symmetry{"free_chain_pushed", "free_chain", 3,
                 with(links, {{"base_mass", {1.5}}, {"thrust", {0, 0, 4, 0}}}), 0.5, 0.5, 0.002,
                 e2},
        Symmetry{"free_chain_in_orbit", "free_chain", 3,
                 with(links, {{"base_mass", {1.5}}, {"orbital_rate", {0.5}}}), 0.5, 0.5, 0.002,
                 none},
        // Spins: the axis of all that is not isotropic.
        Symmetry{"spins", "spins", 3, chain_of_spins, everywhere, 0, 0.02, all},
        Symmetry{"spins_in_a_field", "spins", 3, with(chain_of_spins, {{"field", {0, 0, 0.3, 0}}}),
                 everywhere, 0, 0.02, e2},
        Symmetry{"spins_with_axis", "spins", 3,
                 with(chain_of_spins, {{"anisotropy", {0.3, 0, 0.2}}, {"axis", {2, 0, 0}}}),
                 everywhere, 0, 0.02, e1},
        Symmetry{"spins_with_bulk_dm", "spins", 3, with(chain_of_spins, {{"dm", {1, 0.3}}}),
                 everywhere, 0, 0.02, e1},
        Symmetry{"spins_with_interfacial_dm", "spins", 3, with(chain_of_spins, {{"dm", {2, 0.3}}}),
                 everywhere, 0, 0.02, e2},
        Symmetry{"spins_in_a_pulse", "spins", 3,
                 with(chain_of_spins, {{"field", {2, 0, 0, 1, 1, 0.5}}}), everywhere, 0, 0.02, e3},
        Symmetry{"spins_in_a_rotating_field", "spins", 3,
                 with(chain_of_spins, {{"field", {1, 0.3, 0, 0, 1, 0.2, 0}}}), everywhere, 0, 0.02,
                 none},
        Symmetry{"spins_with_torque", "spins", 3,
                 with(chain_of_spins, {{"spin_torque", {0, 0, 0.1}}}), everywhere, 0, 0.02, none},
        Symmetry{"spins_damped", "spins", 3, with(chain_of_spins, {{"damping", {0.1, 0, 0}}}),
                 everywhere, 0, 0.02, none},
        Symmetry{"bodies", "n_body", 3, values_from("masses 1 2 0.5; gamma 0.1"), everywhere, 0.5,
                 0.005, all},
        Symmetry{"pendula", "pendulum_network", 3,
                 with(pendula, {{"pivots", {0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0}}}), 0.5, 3, 1e-3, e3},
        Symmetry{"network_in_a_plane", "pendulum_network", 3,
                 with(pendula, {{"pivots", {0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0}},
                                {"springs", {0, 1, 10, 1, 2, 20}}}),
                 0.5, 3, 1e-3, none},
        Symmetry{"network_on_a_vertical", "pendulum_network", 3,
                 with(pendula, {{"pivots", {0.2, 0, 0, 0.2, 0, 0.1, 0.2, 0, 0.3}},
                                {"springs", {0, 1, 10, 1, 2, 20}}}),
                 0.5, 3, 1e-3, e3},
        Symmetry{
            "network_weightless_on_a_line", "pendulum_network", 3,
            with(pendula,
                 values_from("gravity 0; pivots 0 0 0 0 0.1 0 0 0.3 0; springs 0 1 10 1 2 20")),
            0.5, 3, 1e-3, e2},
        Symmetry{"rod", "elastic_rod", 3, rod, 0.3, 0.5, 2e-4, none},
        Symmetry{"rod_hanging", "elastic_rod", 3, with(rod, {{"clamp_direction", {0, 0, 1}}}), 0.3,
                 0.5, 2e-4, e3},
        Symmetry{"rod_standing", "elastic_rod", 3,
                 with(rod, {{"clamp_direction", {0, 0, -1}}, {"inertia", {1}}}), 0.3, 0.5, 2e-4,
                 e3},
        Symmetry{"rod_weightless", "elastic_rod", 3, with(rod, {{"gravity", {0}}}), 0.3, 0.5, 2e-4,
                 e1},
        Symmetry{"rod_pinned", "elastic_rod", 3, with(rod, {{"ends", {2}}}), 0.3, 0.5, 2e-4, e3},
        Symmetry{"rod_pinned_weightless", "elastic_rod", 3,
                 with(rod, {{"ends", {2}}, {"gravity", {0}}}), 0.3, 0.5, 2e-4, all},
        Symmetry{"rod_free", "elastic_rod", 3, with(rod, {{"ends", {1}}, {"inertia", {1}}}), 0.3,
                 0.5, 2e-4, all},
        Symmetry{"rod_closed", "elastic_rod", 3,
                 with(rod, {{"ends", {3}},
                            {"inertia", {1}},
                            {"bending", {1}},
                            {"stiffness", {0.2, 0.1, 0.2}},
                            {"closing_stiffness", {0.4}}}),
                 0.3, 0.5, 2e-4, all},
        Symmetry{"dipoles_in_a_plane", "dipole_array", 4,
                 with(magnets, {{"lattice", {2, 2, 0.024}}}), 1, 2, 5e-4, none},
        Symmetry{"dipoles_in_a_row", "dipole_array", 4, with(magnets, {{"lattice", {1, 4, 0.024}}}),
                 1, 2, 5e-4, e1},
        Symmetry{"dipoles_in_a_column", "dipole_array", 4,
                 with(magnets, {{"lattice", {4, 1, 0.024}}}), 1, 2, 5e-4, e2},
        Symmetry{"molecules", "lennard_jones", 6,
                 values_from("masses 1 1 2 1 0.5 1; epsilon 0.05; sigma 0.8"), everywhere, 0.3,
                 0.005, all},
        Symmetry{"particles", "conformal_particles", 2, particles, 1, 1, 0.004, e3},
        Symmetry{"particles_weightless_on_a_round_sphere", "conformal_particles", 2,
                 with(particles, {{"gravity", {0}}, {"slope", {0}}}), 1, 1, 0.004, all}),
    [](const auto& p) { return p.param.name; });

TEST_P(MomentumMap, IsConservedWhereItShouldBeAndNowhereElse) {
  const Symmetry& c = GetParam();
  const auto system = system_of(c.system, c.n, c.values);
  EXPECT_EQ(system->conserved_momentum(), c.conserved);
  EXPECT_EQ(symmetric_axes(*system), c.conserved) << "found by turning it";
  State s = generic_start(c.n, c.spread, c.speed, 51);
  auto integrator =
      prepared(first_order(*system) ? "spherical_midpoint" : "variational", *system, s);
  const Vec3 start = momentum_map(*system, s);
  Vec3 worst = Vec3::Zero();
  double size = 0;  // Σ |π_i|
  for (int k = 0; k < 2000; ++k) {
    s.t = k * c.step;
    ASSERT_TRUE(integrator->advance(*system, c.step, s).ok());
    integrator->complete(*system, s);
    worst = worst.cwiseMax((momentum_map(*system, s) - start).cwiseAbs());
    Columns v(3, c.n), p(3, c.n);
    for (int i = 0; i < c.n; ++i) v.col(i) = s.w.col(i).cross(s.q.col(i));
    multiply(system->inertia(), s.q, v, p);
    double sum = system->strength().cwiseAbs().sum();
    for (int i = 0; i < c.n; ++i) sum += s.q.col(i).cross(p.col(i)).norm();
    size = std::max(size, sum);
  }
  for (int k = 0; k < 3; ++k) {
    if (c.conserved[static_cast<std::size_t>(k)])
      EXPECT_LT(worst[k], 5e-14 * size) << "component " << k;  // measured: 5e-15
    else
      EXPECT_GT(worst[k], 0.0025 * size) << "component " << k;  // measured: 0.011
  }
}

TEST(Momentum, PendulaWithoutSpringsKeepTheirOwn) {
  const auto system = system_of("pendulum_network", 3,
                                with(pendula, {{"pivots", {0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0}}}));
  const Eigen::VectorXd& m = std::get<DiagonalInertia>(system->inertia()).m;
  State s = generic_start(3, 0.5, 3, 52);
  auto integrator = prepared("variational", *system, s);
  const Columns start = s.w * m.asDiagonal();
  ASSERT_TRUE(march(*system, *integrator, 1e-3, 2000, s));
  const Columns change = s.w * m.asDiagonal() - start;
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(std::abs(change(2, i)), 1e-14 * start.col(i).norm());  // measured: 6e-16
    EXPECT_GT(std::abs(change(0, i)), 0.01 * start.col(i).norm());
  }
}

}  // namespace
}  // namespace twosphere::test::momentum_test
