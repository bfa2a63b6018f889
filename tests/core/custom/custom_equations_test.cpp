// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "core/catalog.h"
#include "core/custom/equations.h"
#include "core/scenario/reader.h"
#include "tests/outcome.h"

namespace twosphere::custom_equations_test {
namespace {

std::string potential(const std::string& text) {
  Definition definition;
  definition.potential = text;
  const auto lines = equations(definition);
  return lines.empty() ? "" : lines.back();
}

TEST(CustomEquations, ArePlainMathematics) {
  EXPECT_EQ(potential("-g*sum(i: m[i]*e3.x[i])"), "V = −g Σᵢ mᵢ e₃·xᵢ");
  EXPECT_EQ(potential("sum(i < j: k/norm(q[i] - q[j]))"), "V = Σ_{i < j} k/(|qᵢ − qⱼ|)");
  EXPECT_EQ(potential("k/2*(1 - q[0].q[1])^2"), "V = k/2 (1 − q₀·q₁)²");
  EXPECT_EQ(potential("sum(i, j in springs: k[i]/2)"), "V = Σ_{i, j ∈ springs} kᵢ/2");
  EXPECT_EQ(potential("gamma*sqrt(1 - x^2)"), "V = γ √(1 − x²)");
  EXPECT_EQ(potential("-(a + b)*c"), "V = −(a + b) c");
  EXPECT_EQ(potential("-(a - b)"), "V = −(a − b)");
  EXPECT_EQ(potential("a*sum(i: b)*c"), "V = a (Σᵢ b) c");
  EXPECT_EQ(potential("sum(i: a + b)"), "V = Σᵢ [a + b]");
  EXPECT_EQ(potential("(a×b).c + 1e-7"), "V = a×b·c + 10⁻⁷");
  EXPECT_EQ(potential("if(x <= 1, a, b)"), "V = [a if x ≤ 1, else b]");
  EXPECT_EQ(potential("norm(x[0] - p1)"), "V = |x₀ − p₁|");
  EXPECT_EQ(potential("(sigma/norm(q[0] - q[1]))^12"), "V = (σ/(|q₀ − q₁|))¹²");
  EXPECT_EQ(potential("(gamma/2)^2"), "V = (γ/2)²");
  EXPECT_EQ(potential("(gamma^2)^3"), "V = (γ²)³");
  EXPECT_EQ(potential("(1e-7)*(2) + (3 m)^2"), "V = 10⁻⁷ 2 + (3 m)²");
  EXPECT_EQ(potential("1e-7^2"), "V = (10⁻⁷)²");
  EXPECT_EQ(potential("exp(-gamma/2)*2"), "V = exp((−γ)/2) 2");
  EXPECT_EQ(potential("(a*prod(i: b))*c"), "V = (a Πᵢ b) c");
  EXPECT_EQ(potential("norm(a - norm(b)*c)"), "V = norm(a − |b| c)");
  EXPECT_EQ(potential("9.81 m/s^2*k + 2 m s^-2"), "V = 9.81 m/s²·k + 2 m s⁻²");
}

TEST(CustomEquations, EntriesForABodyAddUp) {
  Definition definition;
  const auto of = [&](std::vector<std::string> force) {
    definition.force = std::move(force);
    return equations(definition);
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(of({"f[i] = a", "f[i] = -b*c"}), Lines{"fᵢ = a − b c"});
  EXPECT_EQ(of({"f[0] = a", "f[1] = b"}), (Lines{"f₀ = a", "f₁ = b"}));
  EXPECT_EQ(of({"f[0] = a", "f[i] = b", "f[0] = c"}), (Lines{"fᵢ = b", "f₀ += a + c"}));
}

TEST(CustomEquations, ATextThatCannotBeReadGivesNone) {
  EXPECT_EQ(potential("k*("), "");
  Definition definition;
  definition.define = {"x[i] = ", "y = 2*k"};
  EXPECT_EQ(equations(definition), std::vector<std::string>{"y = 2 k"});
}

TEST(CustomEquations, KineticEnergyIsThatOfTheInertia) {
  const auto of = [](const std::string& inertia) {
    Definition definition;
    definition.inertia = inertia;
    return equations(definition).front();
  };
  EXPECT_EQ(of("diag(m)"), "T = ½ Σᵢ mᵢ |q\u0307ᵢ|²");
  EXPECT_EQ(of("diag(m*l^2)"), "T = ½ Σᵢ m l² |q\u0307ᵢ|²");
  EXPECT_EQ(of("chain(m, l)"), "T = ½ Σ Mᵢⱼ q\u0307ᵢ·q\u0307ⱼ,  Mᵢⱼ = lᵢ lⱼ Σ_{k≥max(i,j)} mₖ");
  EXPECT_EQ(of("chain(m, l, b)"),
            "T = ½ Σ Mᵢⱼ q\u0307ᵢ·q\u0307ⱼ,  Mᵢⱼ = lᵢ lⱼ Σ_{k≥max(i,j)} mₖ − sᵢ sⱼ/(b + Σₖ mₖ),  "
            "sᵢ = lᵢ Σ_{k≥i} mₖ");
  EXPECT_EQ(of("rod(i: m[i], 2*l[i], 0)"),
            "T = ½ Σ Mᵢⱼ q\u0307ᵢ·q\u0307ⱼ,  Mᵢⱼ = 2 lᵢ 2 lⱼ Σ_{k≥max(i,j)} mₖ + δᵢⱼ 0");
  EXPECT_EQ(of("rod(m, l, D, b)"),
            "T = ½ Σ Mᵢⱼ q\u0307ᵢ·q\u0307ⱼ,  Mᵢⱼ = lᵢ lⱼ Σ_{k≥max(i,j)} mₖ + δᵢⱼ Dᵢ − "
            "sᵢ sⱼ/(b + Σₖ mₖ),  sᵢ = lᵢ Σ_{k≥i} mₖ");
  EXPECT_EQ(of("matrix(i, j: a + b)"), "T = ½ Σ Mᵢⱼ q\u0307ᵢ·q\u0307ⱼ,  Mᵢⱼ = a + b");
}

TEST(CustomEquations, EveryTextOfThePresetsHasOne) {
  ASSERT_FALSE(custom_presets().empty());
  for (const Preset& preset : custom_presets()) {
    const auto scenario = test::value_of(read_scenario(preset.text, preset.key));
    const Definition& d = scenario.definition->definition();
    // T, V, two of strengths and two of axes that rotate, or the equation of motion, H, κ and c.
    const std::size_t mechanics =
        d.first_order
            ? 3U + !d.damping.empty()
            : 1U + !d.potential.empty() + 2U * !d.strength.empty() + 2U * !d.frame_rotation.empty();
    EXPECT_EQ(equations(d).size(), d.define.size() + mechanics + d.force.size() + d.torque.size())
        << preset.key;
  }
}

}  // namespace
}  // namespace twosphere::custom_equations_test
