// SPDX-License-Identifier: GPL-3.0-or-later
// Whether forces of the time repeat after a period, and turn with the state, by their texts.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numbers>
#include <string>

#include "tests/core/custom/definitions.h"

namespace twosphere::test::repeated_forces_test {
namespace {

constexpr double pi = std::numbers::pi;

std::unique_ptr<const System> under(const std::string& force) {
  Definition d;
  d.bodies = 2;
  d.parameters = {list("nu", {1, 3}), number("period", 2)};
  d.define = {"phase[i] = 2*pi*nu[i]*t/period", "wave = sin(pi*t)"};
  d.inertia = "diag(1)";
  d.potential = "-9.81*sum(i: q[i].e3)";
  d.force = {force};
  return make(d);
}

TEST(ForcesOfTexts, RepeatAfterAPeriodThatTheirFormShows) {
  const struct {
    const char* force;
    double period;
  } cases[] = {
      {"f[0] = 3*q[1]×e1", 0.7},
      {"f[i] = cos(phase[i] + 0.3)*e1", 2},
      {"f[i] = sum(j: sin(phase[j])*q[j]) - 0.1*v[i]*(2 + wave)", 2},
      {"f[0] = [exp(wave), 1/(3 + cos(4*pi*t)), q[0].e1]", 2},
      {"f[0] = (sin(t/3) + tan(t/2))*e2", 6 * pi},
      {"f[0] = sin(t + 0.2*sin(t))*e1", 2 * pi},
      {"f[0] = if(wave > 0.9, 4, 0)*e1", 2},
      {"f[0] = if(t + q[0].e1 < t + wave, 4, wave)*e1", 2},
      // By half waves.
      {"f[0] = wave^2*e1", 1},
      {"f[0] = abs(wave)*e1 + norm(wave*q[1])*e2", 1},
      {"f[0] = wave*cos(pi*t)*e1", 1},
      {"f[0] = cosh(2*wave)*tanh(wave)*(wave*e1)", 1},
      {"f[0] = (cos(pi*t)*e1)×(wave*q[1])", 1},
      {"f[0] = prod(i: cos(phase[i]/2))*e1", 2},
  };
  for (const auto& c : cases) {
    const auto system = under(c.force);
    EXPECT_NEAR(system->force_period(), system->time_dependent() ? c.period : 0, 1e-12) << c.force;
    EXPECT_TRUE(system->repeats_after(c.period)) << c.force;
    EXPECT_TRUE(system->repeats_after(6 * c.period)) << c.force;
    EXPECT_TRUE(system->System::repeats_after(c.period)) << c.force << ": by samples";
  }
}

TEST(ForcesOfTexts, DoNotRepeatElsewhere) {
  const struct {
    const char* force;
    double period;
  } cases[] = {
      {"f[0] = wave*e1", 1},
      {"f[0] = wave^3*e1", 1},
      {"f[0] = (1 + wave)*e1", 1},
      {"f[0] = [wave, 1, 0]", 1},
      {"f[i] = cos(phase[i])*e1", 1},
      {"f[0] = sin(t)*e1", 6.2832},
      {"f[0] = sin(t)*e1 + sin(sqrt(2)*t)*e2", 2 * pi},
      {"f[0] = sin(t*q[1].e1)*e1", 2 * pi},
      {"f[0] = t*e1", 1},
      {"f[0] = sin(pi*t^2)*e1", 2},
      {"f[0] = exp(-t)*sin(pi*t)*e1", 2},
      // Pulses that samples miss.
      {"f[0] = if(0.33 < t < 0.38, 3, 0)*e1", 5},
      {"f[0] = if(0.33 < t < 0.38, 3, 0)*e1 + wave*e2", 8},
      {"f[0] = exp(-((t - 0.355)/0.001)^2)*e1", 5},
  };
  for (const auto& c : cases) EXPECT_FALSE(under(c.force)->repeats_after(c.period)) << c.force;
}

TEST(ForcesOfTexts, HaveNoPeriodWhereTheyDoNotRepeat) {
  for (const char* force : {"f[0] = if(0.33 < t < 0.38, 3, 0)*e1 + wave*e2", "f[0] = t*e1",
                            "f[0] = sin(t)*e1 + sin(sqrt(2)*t)*e2", "f[0] = sin(t*q[1].e1)*e1",
                            "f[0] = exp(-t)*sin(pi*t)*e1"})
    EXPECT_EQ(under(force)->force_period(), 0) << force;
}

TEST(ForcesOfTexts, RepeatAfterAPeriodOfTwelveDigits) {
  const auto system = under("f[0] = cos(6*t)*e1");
  EXPECT_TRUE(system->repeats_after(1.04719755120));
  EXPECT_TRUE(system->System::repeats_after(1.04719755120)) << "by samples";
  EXPECT_FALSE(system->repeats_after(1.047197551)) << "ten";
}

TEST(ForcesOfTexts, TurnWithTheStateWhereTheirFormShowsIt) {
  using Axes = std::array<bool, 3>;
  constexpr Axes none{}, e3{false, false, true};
  const struct {
    const char* force;
    Axes axes;
  } cases[] = {
      {"f[i] = -0.1*v[i]", e3},
      {"f[i] = sin(t)*e3 + norm(v[i])*(q[0]×q[1]) - w[i]×e3", e3},
      {"f[i] = [0, 0, wave*(q[0].e3)]", e3},
      {"f[i] = ((q[0].e1)^2 + (q[0].e2)^2)*e3×q[i]", e3},
      {"f[i] = wave*e1", none},
      {"f[i] = (q[0].e1)*e3", none},
      // Pulses that samples miss.
      {"f[i] = -0.1*v[i] + if(0.33 < t < 0.38, 3, 0)*e1", none},
      {"f[i] = -0.1*v[i] + if(0.33 < t < 0.38, 3, 0)*e3", e3},
      {"f[i] = if(q[0].e1 > 0.999, 1, -1)*v[i]", none},
  };
  for (const auto& c : cases) EXPECT_EQ(under(c.force)->turning_axes(), c.axes) << c.force;
}

}  // namespace
}  // namespace twosphere::test::repeated_forces_test
