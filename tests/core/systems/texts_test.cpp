// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a built-in system, SystemInfo::text, is the same system.
#include "core/systems/texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/linear_terms.h"
#include "tests/cases.h"
#include "tests/core/custom/definitions.h"

namespace twosphere::test::texts_test {
namespace {

/// The rows of tests/cases.h, and others with what these leave out.
std::vector<SystemCase> text_cases() {
  std::vector<SystemCase> all;
  for (const SystemCase& c : all_system_cases())
    if (c.text.empty() && !c.matrix) all.push_back(c);
  const auto row = [&](const std::string& name) {
    return *std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.name == name; });
  };
  const auto add = [&](const std::string& of, const std::string& name, int n, const Values& other) {
    SystemCase c = row(of);
    c.name = name;
    c.n = n;
    for (const auto& [key, value] : other) c.values[key] = value;
    all.push_back(c);
  };
  add("driven_chain", "chain_with_tip_force_only", 3, {{"control_torque", {0, 0, 0, 0}}});
  add("driven_chain", "chain_with_torque_only", 3, {{"tip_force", {0, 0, 0, 0}}});
  add("driven_chain", "sine_of_the_tip", 3, {{"tip_force", {1, 2, -1, 0.5, 0.7, 0.4}}});
  add("sine_chain", "two_sines", 3, {{"tip_force", {1, 2, -1, 0.5, 1.3, -0.4}}});
  add("driven_chain", "still_sine", 3, {{"control_torque", {1, 0, 0, 0, 0.7, 0.4}}});
  add("sine_chain", "sine_on_one", 1, {{"masses", {2}}, {"lengths", {0.7}}});
  add("pd_chain", "damped_pd", 3, {{"damping", {0.3}}, {"tip_force", {0, 1, 0, 0.5}}});
  add("pd_chain", "derivative_term_only", 3, {{"control_torque", {2, 3, 0, -4, 0, 2}}});
  add("pd_chain", "pd_along_gravity", 3, {{"control_torque", {2, 0, 0, -2, 20, 0}}});
  add("pd_chain", "held_chain", 3, {{"control_torque", {3, 1, 0.5, -4, 40, 2}}});
  add("chain_of_5", "damped_held_chain", 5,
      {{"control_torque", {3, 1, 0.5, -4, 40, 2}}, {"damping", {0.1}}});
  add("three_bodies", "one_body", 1, {{"masses", {2}}});
  add("three_bodies", "repelling_bodies", 5, {{"masses", {1, 1, 1, 1, 1}}, {"gamma", {-0.02}}});
  add("network", "network_without_springs", 4, {{"springs", {}}});
  add("network", "network_of_equal_springs", 4,
      {{"masses", {0.1, 0.1, 0.1, 0.1}}, {"springs", {0, 1, 5, 1, 0, 5, 3, 1, 5, 2, 3, 5}}});
  add("network", "one_pendulum", 1,
      {{"masses", {0.1}}, {"lengths", {0.1}}, {"pivots", {0.1, 0, 0}}, {"springs", {}}});
  add("rod_consistent", "rod_of_one", 1, {{"elements", {1}}, {"stiffness", {15}}});
  add("rod_consistent", "weightless_rod", 4,
      {{"gravity", {0}}, {"stiffness", {15, 15, 15, 15}}, {"clamp_direction", {0, -2, 0}}});
  add("rod_published", "pinned_rod", 4, {{"ends", {2}}});
  add("rod_consistent", "pinned_rod_of_one", 1,
      {{"elements", {1}}, {"stiffness", {0}}, {"ends", {2}}, {"bending", {1}}});
  add("rod_consistent", "rod_of_linear_bending", 4, {{"bending", {1}}});
  add("rod_consistent", "free_rod_of_published_bending", 4, {{"ends", {1}}});
  add("free_rod", "damped_free_rod", 4, {{"damping", {1e-3}}});
  add("open_ring", "ring_of_the_usual_closing", 5,
      {{"closing_stiffness", {}}, {"stiffness", std::vector<double>(5, 1e-4)}});
  add("flying_chain", "flying_rod", 1,
      values_from("masses 2; lengths 0.7; thrust 0 0 0 0; orbital_rate 0"));
  add("pushed_chain", "chain_of_equal_links_in_orbit", 3,
      values_from("masses 1 1 1; lengths 0.5 0.5 0.5; thrust 0 0 0 0; orbital_rate 0.4"));
  add("dipoles", "dipoles_anywhere", 5,
      values_from("masses 0.05 0.06 0.05 0.05 0.05; lengths 0.02 0.02 0.03 0.02 0.02; "
                  "moments 0.1 0.1 0.1 0.1 0.1; "
                  "positions 0 0 0 0.05 0 0 0 0.05 0.01 -0.05 0 0 0 -0.06 0; lattice"));
  add("dipoles", "dipoles_in_a_row", 3,
      values_from("masses 0.05 0.05 0.05; lengths 0.02 0.02 0.02; moments 0.1 0.2 0.1; "
                  "lattice 1 3 0.024"));
  add("dipoles", "one_dipole", 1,
      {{"masses", {0.05}}, {"lengths", {0.02}}, {"moments", {0.1}}, {"lattice", {1, 1, 0.024}}});
  add("molecules", "molecules_with_cutoff", 12, {{"cutoff", {1.3}}});
  add("molecules", "equal_molecules", 12, {{"masses", std::vector<double>(12, 0.75)}});
  add("variable_inertia", "one_particle", 1, {{"masses", {2}}});
  add("variable_inertia", "round_particles", 3, {{"slope", {0}}, {"gravity", {0}}});
  add("vortices", "vortices_in_fluid_at_rest", 5, {{"rotation", {0}}});
  add("vortices", "equal_vortices", 5, {{"circulations", {2, 2, 2, 2, 2}}});
  add("gyrostats", "equal_tops", 3,
      values_from("moments 1 2 3 1 2 3 1 2 3; angular_momentum 1.5 1.5 2; "
                  "rotor 0 0 0 0 0 0 0 0 0"));
  add("gyrostats", "symmetric_tops", 2,
      values_from("moments 2 2 3 1 1 3; angular_momentum 1.5 1.5; rotor 0 0 0.1 0 0 0"));
  add("spins_ring", "open_chain_of_spins", 6, {{"lattice", {0, 6, 1, 1, 0.5, 0}}});
  add("spins_ring", "spins_of_two_fields", 6, {{"field", {2, 0.1, 0, 0.2, 0.5, 0.3}}});
  add("spins_ring", "one_spin", 1,
      values_from("strength 2; lattice 0 1 1 1 1 0; anisotropy 0; field 0 0 0 0; damping 0"));
  add("uncoupled", "one_uncoupled", 1, {{"masses", {2}}, {"lengths", {0.5}}});
  return all;
}

struct SystemText : testing::TestWithParam<SystemCase> {
  SystemText()
      : n_(GetParam().n),
        info_(kind_of_system(GetParam().system)),
        definition_(info_.text(n_, completed(GetParam()))),
        text_(make(definition_)),
        own_(make_system(GetParam())),
        start_(generic_start(n_, GetParam().spread, GetParam().speed, 3)) {}

  /// The torques q_i × g_i, which alone have an effect.
  Columns torques(const Columns& g) const {
    Columns out(3, n_);
    for (Eigen::Index i = 0; i < n_; ++i) out.col(i) = start_.q.col(i).cross(g.col(i));
    return out;
  }

  int n_;
  const SystemInfo& info_;
  Definition definition_;
  std::unique_ptr<const System> text_, own_;
  State start_;
};
INSTANTIATE_TEST_SUITE_P(Cases, SystemText, testing::ValuesIn(text_cases()),
                         [](const auto& c) { return c.param.name; });

TEST(SystemTexts, EveryBuiltInSystemHasOne) {
  std::set<std::string_view> tested;
  for (const SystemCase& c : text_cases()) tested.insert(kind_of_system(c.system).key);
  for (const SystemInfo& info : systems())
    if (info.key != custom_system().key) {
      EXPECT_TRUE(info.text) << info.key;
      EXPECT_TRUE(tested.contains(info.key)) << info.key;
    }
}

TEST(SystemTexts, ParametersAreThoseOfTheRecord) {
  const SystemInfo& info = *find_system("chain_pendulum");
  const ParameterInfo& masses = info.parameters[0];
  ASSERT_EQ(masses.key, "masses");
  Values values{{"masses", {1, 2}}, {"damping", {0.5}}};
  Parameter wanted{.key = "m",
                   .form = Parameter::Form::list,
                   .value = {1, 2},
                   .unit = "kg",
                   .help = std::string(masses.help),
                   .range = {{masses.low, masses.high}}};
  EXPECT_EQ(parameter_text("m", info, "masses", values), wanted);
  // Equal numbers are one.
  values["masses"] = {1, 1};
  wanted.form = Parameter::Form::number;
  wanted.value = {1};
  EXPECT_EQ(parameter_text("m", info, "masses", values), wanted);
  Definition damped, free;
  add_damping(damped, info, values);
  ASSERT_EQ(damped.parameters.size(), 1U);
  EXPECT_EQ(damped.parameters[0].value, std::vector{0.5});
  EXPECT_EQ(damped.torque, std::vector<std::string>{"torque[i] = -c*w[i]"});
  values["damping"] = {0};
  add_damping(free, info, values);
  EXPECT_EQ(free, Definition());
}

TEST_P(SystemText, HasUnitsThatAgree) {
  Definition strict = definition_;
  strict.strict_units = true;
  const CompileResult translation = translate(strict);
  const TextError& e = translation.error;
  EXPECT_TRUE(translation.definition) << e.location << ":" << e.column << ": " << e.message;
}

TEST_P(SystemText, HasTheSamePotentialAndDerivatives) {
  const double v = own_->potential(start_.q);
  EXPECT_NEAR(text_->potential(start_.q), v, 1e-13 * (1 + std::abs(v)));
  Columns a(3, n_), b(3, n_);
  text_->gradient(start_.q, a);
  own_->gradient(start_.q, b);
  EXPECT_LE((torques(a) - torques(b)).norm(), 1e-12 * torques(b).norm());
}

TEST_P(SystemText, HasTheSameInertia) {
  const Eigen::MatrixXd a = dense(text_->inertia(), start_.q), b = dense(own_->inertia(), start_.q);
  EXPECT_LE((a - b).norm(), 1e-14 * b.norm());
  EXPECT_EQ(text_->inertia().index(), own_->inertia().index()) << "the same structure";
  EXPECT_EQ(text_->strength(), own_->strength());
  EXPECT_EQ(text_->frame_rotation(), own_->frame_rotation());
}

TEST_P(SystemText, HasTheSameForces) {
  EXPECT_EQ(text_->has_external_force(), own_->has_external_force());
  EXPECT_EQ(text_->time_dependent(), own_->time_dependent());
  Columns a(3, n_), b(3, n_);
  text_->force(0.3, start_.q, a);
  own_->force(0.3, start_.q, b);
  EXPECT_LE((a - b).norm(), 1e-14 * b.norm());
  ASSERT_EQ(text_->damping().size(), own_->damping().size());
  EXPECT_LE((text_->damping() - own_->damping()).norm(), 1e-15 * own_->damping().norm());
  EXPECT_EQ(text_->conserved_momentum(), own_->conserved_momentum());
}

TEST_P(SystemText, IsDrawnTheSame) {
  Geometry a, b;
  text_->geometry(start_.q, a);
  own_->geometry(start_.q, b);
  EXPECT_EQ(a.sphere, b.sphere);
  const double small = 1e-14 * own_->extent().radius;
  const auto same_ends = [&](const auto& x, const auto& y, const char* what) {
    ASSERT_EQ(x.size(), y.size()) << what;
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_LE((x[i].from - y[i].from).norm(), small) << what << i;
      EXPECT_LE((x[i].to - y[i].to).norm(), small) << what << i;
    }
  };
  same_ends(a.links, b.links, "link ");
  same_ends(a.arrows, b.arrows, "arrow ");
  same_ends(a.guides, b.guides, "guide ");
  same_ends(a.springs, b.springs, "spring ");
  for (std::size_t i = 0; i < a.springs.size(); ++i) {
    EXPECT_NEAR(a.springs[i].tension, b.springs[i].tension, 1e-13);
    EXPECT_NEAR(a.springs[i].relaxed, b.springs[i].relaxed, small);
  }
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_LE((a.bodies[i].position - b.bodies[i].position).norm(), small) << i;
    EXPECT_NEAR(a.bodies[i].size, b.bodies[i].size, 1e-15) << i;
  }
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) EXPECT_NEAR(text_->lever(i, j), own_->lever(i, j), small);
  EXPECT_EQ(text_->extent().gravity, own_->extent().gravity);
}

TEST_P(SystemText, MovesTheSameWay) {
  State a = start_, b = start_;
  const double step = 2e-3 * GetParam().time;
  for (const auto& [system, state] : {std::pair{text_.get(), &a}, {own_.get(), &b}}) {
    const auto method = prepared(first_order(*system)    ? "spherical_midpoint"
                                 : has_strength(*system) ? "rotation"
                                                         : "variational",
                                 *system, *state);
    ASSERT_TRUE(march(*system, *method, step, 200, *state));
  }
  EXPECT_LT((a.q - b.q).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE((a.w - b.w).cwiseAbs().maxCoeff(), 1e-12 * b.w.cwiseAbs().maxCoeff());
  const double kinetic = kinetic_energy(*own_, b), potential = effective_potential(*own_, b.q);
  EXPECT_NEAR(total_energy(*text_, a), kinetic + potential,
              1e-12 * (kinetic + std::abs(potential)));
}

}  // namespace
}  // namespace twosphere::test::texts_test
