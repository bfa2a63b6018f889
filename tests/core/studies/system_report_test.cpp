// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/system_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/base/decompositions.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/forwarding_system.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/symmetry.h"
#include "core/studies/system_report_text.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/recast.h"
#include "tests/runs.h"

namespace twosphere::test::system_report_test {
namespace {

using Finding = ReportLine::Finding;
using Axes = std::array<bool, 3>;

std::vector<std::string> every_preset() {
  std::vector<std::string> keys;
  for (const auto& list : {presets(), custom_presets()})
    for (const Preset& preset : list) keys.emplace_back(preset.key);
  return keys;
}

Scenario scenario_of(const std::string& preset) { return test::preset(preset); }

/// As text, one line each.
std::string text(const SystemReport& report) {
  std::string out;
  for (const ReportLine& line : report_lines(report))
    out += line.label + ": " + line.value + (line.finding == Finding::warning ? " (!)\n" : "\n");
  return out;
}

const ReportLine& line(const std::vector<ReportLine>& lines, const std::string& label) {
  const auto found = std::find_if(lines.begin(), lines.end(),
                                  [&](const ReportLine& x) { return x.label == label; });
  if (found == lines.end()) throw std::logic_error("no line " + label);
  return *found;
}

LaneSpec lane(const std::string& method, double step) {
  LaneSpec spec;
  spec.type = spec.name = method;
  spec.step = step;
  spec.values = default_values(method_info(method).parameters);
  return spec;
}

SystemReport examined(const System& system, const State& start,
                      const std::vector<LaneSpec>& lanes = {}) {
  return *system_report(system, start, lanes);
}

class ReportOnPreset : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Every, ReportOnPreset, testing::ValuesIn(every_preset()),
                         [](const auto& p) {
                           std::string name = p.param;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

TEST_P(ReportOnPreset, FindsNothingWrong) {
  const Scenario scenario = scenario_of(GetParam());
  const auto before = std::chrono::steady_clock::now();
  const auto made = system_report(scenario);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - before;
  RecordProperty("seconds", std::to_string(spent.count()));
  ASSERT_TRUE(made && *made);
  const SystemReport& report = **made;
  RecordProperty("report", text(report));
  EXPECT_LT(report.gradient.error, 1e-8) << text(report);
  EXPECT_LT(report.hessian.error, 1e-8) << text(report);
  EXPECT_EQ(report.conserved, report.claimed);
  for (const ReportLine& line : report_lines(report))
    EXPECT_NE(line.finding, Finding::warning) << line.label << ": " << line.value;
  // Ten times what is allowed, because other tests run beside this one.
  EXPECT_LT(spent.count(), report.bodies <= 50 ? 3 : 30);
}

TEST(SystemReport, IsTheSameEveryTimeButForTheCost) {
  const auto known = [](const std::string& preset) {
    std::vector<std::string> out;
    for (const ReportLine& line : report_lines(**system_report(scenario_of(preset))))
      if (!line.label.starts_with("cost")) out.push_back(line.label + line.value);
    return out;
  };
  for (const char* preset : {"elastic_rod", "custom/conformal_pair"})
    EXPECT_EQ(known(preset), known(preset));
}

TEST(SystemReport, ComparesAtTheNumberOfStatesThatItTells) {
  const SystemReport few = **system_report(scenario_of("custom/conformal_pair"));
  EXPECT_EQ(few.gradient.states, 101);
  EXPECT_EQ(few.hessian.states, 101);
  EXPECT_EQ(few.inertia_slopes->states, 101);
  EXPECT_EQ(few.inertia_states, 1000);
  EXPECT_EQ(few.potential_states, 1000);
  const SystemReport many = **system_report(scenario_of("lennard_jones"));
  EXPECT_EQ(many.bodies, 642);
  EXPECT_EQ(many.gradient.states, 2);
  EXPECT_EQ(many.potential_states, 2);
}

TEST(SystemReport, EndsWhenItIsAskedTo) {
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(value_of(system_report(scenario_of("three_body"), source.get_token())));
}

/// Three pendula, of which one thing is wrong.
struct Wrong : ForwardingSystem {
  Wrong()
      : ForwardingSystem(system_of("chain_pendulum", 3,
                                   {{"masses", {1, 2, 0.5}}, {"lengths", {1, 0.5, 0.75}}})) {}
};
State start() { return generic_start(3, 0.8, 1, 7); }

TEST(SystemReport, FindsAWrongGradientAndItsBody) {
  struct WrongGradient final : Wrong {
    void gradient(const Columns& q, Columns& g) const override {
      original().gradient(q, g);
      g.col(1) *= 1 + 1e-4;
    }
  };
  const SystemReport report = examined(WrongGradient(), start());
  EXPECT_FALSE(report.gradient.right());
  EXPECT_GT(report.gradient.error, 1e-5);
  EXPECT_LT(report.gradient.error, 1e-3);
  EXPECT_EQ(report.gradient.body, 1);
  // The slope of this gradient is 0, as hessian_times() says.
  EXPECT_TRUE(report.hessian.right());
  const auto lines = report_lines(report);
  EXPECT_EQ(line(lines, "gradient").finding, Finding::warning);
  EXPECT_TRUE(says(line(lines, "gradient").value, "most for body 1"));
  EXPECT_EQ(line(lines, "Hessian").finding, Finding::ok);
}

TEST(SystemReport, FindsAGradientThatIsMissing) {
  struct NoGradient final : Wrong {
    void gradient(const Columns&, Columns& g) const override { g.setZero(); }
  };
  const SystemReport report = examined(NoGradient(), start());
  EXPECT_NEAR(report.gradient.error, 1, 1e-6);
  EXPECT_EQ(report.gradient.states, 101);
}

TEST(SystemReport, FindsAGradientThatIsNotFinite) {
  struct Singular final : Wrong {
    void gradient(const Columns& q, Columns& g) const override {
      original().gradient(q, g);
      if (q(2, 2) < 0) g.col(2).setConstant(std::nan(""));
    }
  };
  const SystemReport report = examined(Singular(), start());
  EXPECT_TRUE(std::isinf(report.gradient.error));
  EXPECT_EQ(report.gradient.body, 2);
  EXPECT_LT(random_directions(3, static_cast<unsigned>(report.gradient.state))(2, 2), 0);
}

TEST(SystemReport, FindsAWrongHessianAndItsBody) {
  struct WrongHessian final : Wrong {
    void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
      original().hessian_times(q, v, h);
      h.col(2) += 0.01 * v.col(2);
    }
  };
  const SystemReport report = examined(WrongHessian(), start());
  EXPECT_TRUE(report.gradient.right());
  EXPECT_GT(report.hessian.error, 1e-4);
  EXPECT_EQ(report.hessian.body, 2);
}

// A spring to the place where its body begins.
TEST(SystemReport, NamesANormThatIsZeroAtTheStart) {
  const auto scenario = value_of(read_scenario(R"text({"twosphere": 1,
    "system": {"type": "custom", "bodies": 1, "parameters": {"k": 2, "L": 0.3},
               "define": ["x[i] = q[i]", "a = e3"], "inertia": "diag(i: 1)",
               "potential": "k/2*(norm(x[0] - a) - L)^2"},
    "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 1})text",
                                               "text"));
  const auto lines = report_lines(**system_report(scenario));
  EXPECT_EQ(line(lines, "Hessian").value,
            "norm(x[0] - a) is 0 at the start, where it has no derivative");
}

TEST(SystemReport, NamesWhatIsZeroAtTheStartButForRounding) {
  for (const char* norm : {"norm(0.7*q[0] - [0.56, 0, 0.42])", "abs(0.7*q[0].e1 - 0.56)"}) {
    SCOPED_TRACE(norm);
    const auto scenario = value_of(read_scenario(fmt::format(R"text({{"twosphere": 1,
          "system": {{"type": "custom", "bodies": 1, "parameters": {{"k": 2}}, "inertia": "diag(i: 1)",
                     "potential": "k*q[0].e2 + k*{}"}},
          "initial": {{"q": [[0.8, 0, 0.6]], "omega": [[0, 0, 0]]}},
          "integrator": {{"type": "variational", "step": 0.01}}, "duration": 1}})text",
                                                             norm),
                                                 "text"));
    const auto lines = report_lines(**system_report(scenario));
    EXPECT_EQ(line(lines, "Hessian").value,
              fmt::format("{} is 0 at the start, where it has no derivative", norm));
  }
}

// Relative to the 0 that they are there, differences of any size are as large as can be.
TEST(SystemReport, TakesDerivativesThatVanishAtTheStartForRight) {
  for (const char* potential :
       {"k*q[0].e1^4", "k*norm(q[0] - e3)^4", "k*abs(q[0].e1)^3", "k*angle(q[0], e3)^2"}) {
    SCOPED_TRACE(potential);
    const auto scenario = value_of(read_scenario(fmt::format(R"text({{"twosphere": 1,
          "system": {{"type": "custom", "bodies": 1, "parameters": {{"k": 2}}, "inertia": "diag(i: 1)",
                     "potential": "{}"}},
          "initial": {{"q": [[0, 0, 1]], "omega": [[0, 0, 0]]}},
          "integrator": {{"type": "variational", "step": 0.01}}, "duration": 1}})text",
                                                             potential),
                                                 "text"));
    const auto report = *system_report(scenario);
    EXPECT_LT(report->gradient.error, 1e-6);
    EXPECT_LT(report->hessian.error, 1e-6);
  }
}

TEST(SystemReport, NamesAnAngleThatIsZeroAtTheStart) {
  const auto scenario = value_of(read_scenario(R"text({"twosphere": 1,
    "system": {"type": "custom", "bodies": 1, "parameters": {"k": 2}, "inertia": "diag(i: 1)",
               "potential": "k*(angle(q[0], e3) - 0.5)^2"},
    "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 1})text",
                                               "text"));
  const auto lines = report_lines(**system_report(scenario));
  EXPECT_EQ(line(lines, "Hessian").value,
            "angle(q[0], e3) is 0 at the start, where it has no derivative");
}

TEST(SystemReport, FindsAWrongSlopeOfTheForce) {
  class WrongSlope final : public Wrong {
   public:
    explicit WrongSlope(double factor) : factor_(factor) {}
    bool has_external_force() const override { return true; }
    void force(double t, const Columns& q, Columns& f) const override {
      f.setZero();
      f.col(1) = std::sin(t) * q.col(0).cross(q.col(1));
    }
    void force_slope(double t, const Columns& q, const Columns& v, Columns& d) const override {
      d.setZero();
      d.col(1) = factor_ * std::sin(t) * (v.col(0).cross(q.col(1)) + q.col(0).cross(v.col(1)));
    }
    bool time_dependent() const override { return true; }

   private:
    double factor_;
  };
  const SystemReport right = examined(WrongSlope(1), start());
  EXPECT_TRUE(right.force_slope->right());
  EXPECT_TRUE(right.forced && right.time_dependent);
  EXPECT_EQ(right.conserved, (Axes{false, false, false}));
  EXPECT_EQ(line(report_lines(right), "conserved momentum").finding, Finding::warning)
      << "the chain says that J3 is conserved";
  const SystemReport wrong = examined(WrongSlope(0.999), start());
  EXPECT_FALSE(wrong.force_slope->right());
  EXPECT_EQ(wrong.force_slope->body, 1);
}

/// m = diag(1 + a q_iz²) of three bodies, its derivatives multiplied by factors.
class Field final : public InertiaField {
 public:
  Field(double a, double rate = 1, double slope = 1, double change = 1)
      : a_(a), rate_(rate), slope_(slope), change_(change) {}
  void evaluate(const Columns& q, Eigen::MatrixXd& m) const override {
    m = (1 + a_ * q.row(2).array().square()).matrix().asDiagonal();
  }
  void derivative_along(const Columns& q, const Columns& d, Eigen::MatrixXd& dm) const override {
    dm = (rate_ * 2 * a_ * q.row(2).array() * d.row(2).array()).matrix().asDiagonal();
  }
  void slopes(const Columns& q, const Eigen::MatrixXd& a, Columns& r) const override {
    r.row(2).array() += slope_ * 2 * a_ * a.diagonal().transpose().array() * q.row(2).array();
  }
  void slopes_along(const Columns&, const Eigen::MatrixXd& a, const Columns& d,
                    Columns& r) const override {
    r.row(2).array() += change_ * 2 * a_ * a.diagonal().transpose().array() * d.row(2).array();
  }

 private:
  double a_, rate_, slope_, change_;
};

SystemReport with_inertia(const Field& field) {
  const Recast system(std::make_unique<Wrong>(), VariableInertia{&field, 3});
  return examined(system, start());
}

TEST(SystemReport, ComparesTheDerivativesOfTheInertia) {
  const SystemReport right = with_inertia(Field(0.5));
  EXPECT_TRUE(right.inertia_rate->right() && right.inertia_slopes->right());
  EXPECT_TRUE(right.positive_definite);
  EXPECT_NEAR(right.smallest_inertia, 1, 1e-3);
  EXPECT_FALSE(with_inertia(Field(0.5, 1.01)).inertia_rate->right());
  EXPECT_FALSE(with_inertia(Field(0.5, 1, 1.01)).inertia_slopes->right());
  EXPECT_FALSE(with_inertia(Field(0.5, 1, 1, 1.01)).inertia_slopes->right());
}

/// A unit mass with the terms e3·(q × q̇), whose derivative may be wrong by a factor.
class WithTerms final : public ForwardingSystem, private GyroscopicField {
 public:
  WithTerms(std::shared_ptr<const System> original, double factor)
      : ForwardingSystem(std::move(original)), factor_(factor) {}
  const GyroscopicField* gyroscopic() const override { return this; }

 private:
  void evaluate(const Columns& q, Columns& a) const override { a = turned(q); }
  void slopes(const Columns& /*q*/, const Columns& u, Columns& r) const override { r -= turned(u); }
  void derivative_along(const Columns& /*q*/, const Columns& d, Columns& da) const override {
    da = factor_ * turned(d);
  }
  void slopes_along(const Columns& /*q*/, const Columns& /*u*/, const Columns& /*d*/,
                    Columns& /*r*/) const override {}
  static Columns turned(const Columns& x) {
    Columns out(3, x.cols());
    for (Eigen::Index i = 0; i < x.cols(); ++i) out.col(i) = Vec3::UnitZ().cross(Vec3(x.col(i)));
    return out;
  }

  double factor_;
};

TEST(SystemReport, ComparesTheDerivativeOfGyroscopicTerms) {
  const Scenario scenario = scenario_of("double_spherical_pendulum");
  const std::shared_ptr<const System> plain = value_of(create_system(scenario));
  const State start{0, scenario.q, scenario.omega};
  EXPECT_FALSE(examined(*plain, start).gyroscopic);
  const SystemReport right = examined(WithTerms(plain, 1), start);
  ASSERT_TRUE(right.gyroscopic);
  EXPECT_TRUE(right.gyroscopic->right());
  EXPECT_TRUE(std::isinf(right.stable_step()));
  EXPECT_TRUE(says(text(right), "derivative of gyroscopic terms: agrees with differences of A"));
  EXPECT_TRUE(says(text(right), "oscillation at most"));
  EXPECT_FALSE(examined(WithTerms(plain, 1.01), start).gyroscopic->right());
}

TEST(SystemReport, FindsAnInertiaThatIsNotPositiveDefinite) {
  const Field field(-1.2);
  const SystemReport report = with_inertia(field);
  EXPECT_FALSE(report.positive_definite);
  EXPECT_LT(report.smallest_inertia, -0.19) << "of 3000 directions one is nearly vertical";
  EXPECT_GE(report.smallest_inertia, -0.2);
  // Where it says.
  EXPECT_EQ(report.inertia_at, random_directions(3, static_cast<unsigned>(report.inertia_state)));
  Eigen::MatrixXd m(3, 3);
  field.evaluate(report.inertia_at, m);
  EXPECT_NEAR(m.diagonal().minCoeff(), report.smallest_inertia, 1e-15);
  const auto lines = report_lines(report);
  EXPECT_EQ(line(lines, "inertia").finding, Finding::warning);
  EXPECT_TRUE(says(line(lines, "inertia").value, "q[2] = ["));
}

TEST(SystemReport, LooksAtAConstantInertiaOnce) {
  const auto report = [](Inertia inertia) {
    return examined(Recast(std::make_unique<Wrong>(), std::move(inertia)), start());
  };
  const SystemReport chain = examined(Wrong(), start());
  EXPECT_EQ(chain.inertia_states, 0);
  EXPECT_NEAR(chain.smallest_inertia, symmetric_eigenvalues(dense(Wrong().inertia(), start().q))[0],
              1e-14);
  Eigen::Matrix3d m;
  m << 1, 2, 0, 2, 1, 0, 0, 0, 1;
  const SystemReport indefinite = report(DenseInertia(m));
  EXPECT_FALSE(indefinite.positive_definite);
  EXPECT_NEAR(indefinite.smallest_inertia, -1, 1e-14);
  EXPECT_TRUE(report(DiagonalInertia(Eigen::Vector3d(1, 2, 3))).positive_definite);
  EXPECT_FALSE(report(DiagonalInertia(Eigen::Vector3d(1, -2, 3))).positive_definite);
}

TEST(SystemReport, CountsWhereThePotentialIsNotFinite) {
  struct Half final : Wrong {
    double potential(const Columns& q) const override {
      return original().potential(q) + std::log(q(2, 0)) * 0;
    }
  };
  State up = start();
  up.q.row(2) = up.q.row(2).cwiseAbs();
  const SystemReport report = examined(Half(), up);
  EXPECT_NEAR(report.potential_missing, 500, 5 * std::sqrt(250));
  EXPECT_LT(random_directions(3, static_cast<unsigned>(report.missing_state))(2, 0), 0);
  EXPECT_TRUE(report.gradient.right()) << "where V is finite";
  EXPECT_EQ(line(report_lines(report), "potential").finding, Finding::warning);
}

TEST(SystemReport, TellsWhatForcesDo) {
  const auto of = [](const Values& values) {
    return examined(*system_of("chain_pendulum", 2, values), generic_start(2, 0.8, 1, 7));
  };
  const Values links{{"masses", {1, 2}}, {"lengths", {1, 0.5}}};
  const auto with = [&links](std::string key, std::vector<double> value) {
    Values values = links;
    values[std::move(key)] = std::move(value);
    return values;
  };
  const SystemReport none = of(links);
  EXPECT_FALSE(none.forced || none.damped || none.time_dependent);
  EXPECT_EQ(line(report_lines(none), "forces").value, "none that do work: E is conserved");
  EXPECT_EQ(line(report_lines(none), "conserved momentum").value, "J₃");
  EXPECT_TRUE(of(with("tip_force", {0, 1, 0, 0})).forced);
  const SystemReport damped = of(with("damping", {0.1}));
  EXPECT_TRUE(damped.damped && !damped.forced);
  EXPECT_EQ(damped.conserved, (Axes{false, false, false}));
  // A force along q does no work.
  struct Radial final : Wrong {
    bool has_external_force() const override { return true; }
    void force(double, const Columns& q, Columns& f) const override { f = 3 * q; }
    void force_slope(double, const Columns&, const Columns& v, Columns& d) const override {
      d = 3 * v;
    }
  };
  EXPECT_FALSE(examined(Radial(), start()).forced);
  // A pulse does, whenever it comes.
  struct Pulse final : Wrong {
    bool has_external_force() const override { return true; }
    bool time_dependent() const override { return true; }
    void force(double t, const Columns&, Columns& f) const override {
      f.setConstant(0.33 < t && t < 0.38 ? 3 : 0);
    }
  };
  EXPECT_TRUE(examined(Pulse(), start()).forced);
}

TEST(SystemReport, EnergyIsThatOfTheStart) {
  const State s = start();
  const SystemReport report = examined(Wrong(), s);
  EXPECT_EQ(report.kinetic_energy + report.potential_energy, total_energy(Wrong(), s));
}

TEST(TimeScales, OfAPendulumAreThoseOfTheTextbook) {
  const auto pendulum =
      system_of("chain_pendulum", 1, {{"masses", {2}}, {"lengths", {0.5}}, {"gravity", {9}}});
  State s{0, Columns(3, 1), Columns(3, 1)};
  s.q << 0, 0, 1;
  s.w << 0.3, 0, 0;
  const TimeScales down = time_scales(*pendulum, s);
  EXPECT_NEAR(down.oscillation, std::sqrt(9 / 0.5), 1e-14);
  EXPECT_EQ(down.growth, 0);
  EXPECT_EQ(down.turn, 0.3);
  EXPECT_EQ(down.acceleration, 0);
  EXPECT_EQ(down.fastest(), down.oscillation);
  s.q << 0, 0, -1;
  EXPECT_NEAR(time_scales(*pendulum, s).growth, std::sqrt(9 / 0.5), 1e-14);
  EXPECT_EQ(time_scales(*pendulum, s).oscillation, 0);
  // Held out sideways it does not oscillate, but falls.
  s.q << 1, 0, 0;
  s.w.setZero();
  EXPECT_NEAR(time_scales(*pendulum, s).acceleration, std::sqrt(9 / 0.5), 1e-14);
}

/// The eigenvalues of M⁻¹ K in tangent coordinates, with the whole matrix.
Eigen::VectorXd squares(const System& system, const Columns& q) {
  const Eigen::Index n = q.cols();
  Eigen::MatrixXd k(2 * n, 2 * n), m(2 * n, 2 * n);
  const Eigen::MatrixXd inertia = dense(system.inertia(), q);
  Columns g(3, n), h(3, n);
  system.gradient(q, g);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index b = 0; b < 2; ++b) {
      Columns v = Columns::Zero(3, n);
      v.col(j) = tangent_basis(q.col(j)).col(b);
      system.hessian_times(q, v, h);
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto basis = tangent_basis(q.col(i));
        k.block<2, 1>(2 * i, 2 * j + b) =
            basis.transpose() * (h.col(i) - q.col(i).dot(g.col(i)) * v.col(i));
        m.block<2, 1>(2 * i, 2 * j + b) = inertia(i, j) * basis.transpose() * v.col(j);
      }
    }
  return generalised_eigensystem(k, m).values;
}

/// The rates of motion and growth of a system of first order: those of the matrix of its linear
/// equations, by differences of q̇ = ω × q in tangent coordinates.
std::pair<double, double> first_order_rates(const System& system, const State& s) {
  const Eigen::Index n = s.q.cols();
  constexpr double d = 1e-5;
  Eigen::MatrixXd a(2 * n, 2 * n);
  const auto velocity = [&](const Columns& q) {
    Columns v(3, n);
    first_order_velocity(system, s.t, q, v);
    for (Eigen::Index i = 0; i < n; ++i) v.col(i) = Vec3(v.col(i)).cross(Vec3(q.col(i))).eval();
    return v;
  };
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index b = 0; b < 2; ++b) {
      const Vec3 along = tangent_basis(s.q.col(j)).col(b);
      Columns ahead = s.q, behind = s.q;
      ahead.col(j) = (s.q.col(j) + d * along).normalized();
      behind.col(j) = (s.q.col(j) - d * along).normalized();
      const Columns slope = (velocity(ahead) - velocity(behind)) / (2 * std::atan(d));
      for (Eigen::Index i = 0; i < n; ++i)
        a.block<2, 1>(2 * i, 2 * j + b) = tangent_basis(s.q.col(i)).transpose() * slope.col(i);
    }
  const Eigen::VectorXcd values = general_eigensystem(a).values;
  double motion = 0, growth = 0;
  for (const std::complex<double>& value : values) {
    growth = std::max(growth, value.real());
    // Growth alone is no motion.
    motion = std::max(
        motion, value.real() > 1e-6 * std::abs(value) ? std::abs(value.imag()) : std::abs(value));
  }
  return {motion, growth};
}

TEST(TimeScales, AreTheEigenvaluesOfTheWholeMatrix) {
  int taken = 0;
  for (const SystemCase& c : system_cases()) {
    SCOPED_TRACE(c.name);
    if (c.n > 20) continue;
    ++taken;
    const auto [system, s] = started(c, 51);
    const TimeScales found = time_scales(*system, s);
    if (first_order(*system)) {
      const auto [motion, growth] = first_order_rates(*system, s);
      const double size = std::max(motion, growth);
      EXPECT_GT(size, 0);
      EXPECT_NEAR(found.oscillation, motion, 2e-6 * size);
      EXPECT_NEAR(found.growth, growth, 2e-6 * size);  // less counts as 0
      continue;
    }
    const Eigen::VectorXd square = squares(*system, s.q);
    const double size = std::sqrt(square.cwiseAbs().maxCoeff());
    EXPECT_NEAR(found.oscillation, std::sqrt(std::max(0.0, square.maxCoeff())), 1e-7 * size);
    EXPECT_NEAR(found.growth, std::sqrt(std::max(0.0, -square.minCoeff())), 1e-7 * size);
  }
  EXPECT_GE(taken, 28);
}

TEST(TimeScales, OfManyBodiesAreNearThem) {
  const auto chain = system_of(
      "chain_pendulum", 100,
      {{"masses", {std::vector<double>(100, 1)}}, {"lengths", std::vector<double>(100, 0.1)}});
  const State s = generic_start(100, 0.5, 1, 3);
  const double exact = std::sqrt(squares(*chain, s.q).maxCoeff());
  const double found = time_scales(*chain, s).oscillation;
  EXPECT_LE(found, exact * (1 + 1e-12));
  EXPECT_GT(found, 0.8 * exact);
}

TEST(SystemReport, TellsWhichStepsAreTooLarge) {
  const auto pendulum =
      system_of("chain_pendulum", 1, {{"masses", {2}}, {"lengths", {0.5}}, {"gravity", {9}}});
  State s{0, Columns(3, 1), Columns(3, 1)};
  s.q << 0.1, 0, std::sqrt(0.99);
  s.w.setZero();
  const auto verdict = [&](const std::string& method, double step) {
    const SystemReport report = examined(*pendulum, s, {lane(method, step)});
    return line(report_lines(report), "step of " + method);
  };
  EXPECT_EQ(verdict("variational", 0.01).finding, Finding::ok);
  EXPECT_EQ(verdict("variational", 0.045).finding, Finding::none) << "1.9 times";
  EXPECT_EQ(verdict("variational", 0.05).finding, Finding::warning) << "2.1 times";
  EXPECT_EQ(verdict("variational8", 0.05).finding, Finding::ok);
  EXPECT_EQ(verdict("variational", 0.1).finding, Finding::warning);
  EXPECT_EQ(verdict("variational", 0.1).value,
            "0.1 s, 4.2 times the largest step that resolves the fastest rate, 0.1/rate = 0.024 s; "
            "stable below 2/ω = 0.47 s");
  EXPECT_EQ(verdict("variational", 0.5).finding, Finding::warning);
  EXPECT_EQ(verdict("rk78", 0.5).finding, Finding::none) << "it takes inner steps";
  // A step that cannot be taken.
  s.w << 0, 5, 0;
  EXPECT_TRUE(says(verdict("variational", 0.6).value, "step 1 fails"));
}

TEST(SystemReport, MeasuresAStepOfEveryLane) {
  Scenario scenario = scenario_of("three_body");
  scenario.lanes.push_back(lane("rk4", 0.001));
  const SystemReport report = **system_report(scenario);
  ASSERT_EQ(report.methods.size(), 2U);
  for (const SystemReport::Method& method : report.methods) {
    EXPECT_GT(method.seconds, 1e-8);
    EXPECT_LT(method.seconds, 1e-2);
  }
  EXPECT_NO_THROW(line(report_lines(report), "cost of rk4"));
}

TEST(Symmetry, IsFoundOnlyWhereThePotentialIsFinite) {
  class Half final : public Wrong {
   public:
    explicit Half(double height) : height_(height) {}
    void gradient(const Columns& q, Columns& g) const override {
      original().gradient(q, g);
      if (q(2, 0) < height_) g.setConstant(std::nan(""));
    }

   private:
    double height_;
  };
  EXPECT_EQ(symmetric_axes(Half(0)), (Axes{false, false, true}));
  EXPECT_EQ(symmetric_axes(Half(0.95)), (Axes{false, false, true}));
  EXPECT_EQ(symmetric_axes(Half(2)), (Axes{false, false, false})) << "nothing is known";
}

/// A small obstacle is at none of the states, and so no proof.
TEST(SystemReport, SeparatesWhatIsShownFromWhatStatesSuggest) {
  const auto momentum = [](const std::string& potential) {
    const auto scenario = read_scenario(
        R"json({"twosphere": 1, "system": {"type": "custom", "inertia": "diag(1)", "potential": ")json" +
            potential + R"json("}, "initial": {"q": [[0, -1, 0]], "omega": [[0, 0, 1]]},
"integrator": {"type": "variational", "step": 0.01}, "duration": 1})json",
        "my.json");
    return line(report_lines(**system_report(*scenario)), "conserved momentum").value;
  };
  EXPECT_EQ(momentum("q[0].e3"), "J₃");
  EXPECT_EQ(momentum("max(0, 0.3 - norm(q[0] - [0.6, 0, 0.8]))^2"), "none");
  EXPECT_EQ(momentum("max(0, 1e-3 - norm(q[0] - [0.6, 0, 0.8]))^2"),
            "none; J₁, J₂, J₃ at 1001 states, but not shown for all");
  EXPECT_EQ(momentum("max(0, 1e-3 - norm(q[0] - e3))^2"),
            "J₃; J₁, J₂ at 1001 states, but not shown for all");
}

TEST(RandomState, IsUniformOnTheSphere) {
  constexpr int n = 20000;
  const Columns q = random_directions(n, 5);
  EXPECT_LT((q.colwise().norm().array() - 1).abs().maxCoeff(), 3e-16);
  // Means of q and of q qᵀ, within five standard deviations.
  EXPECT_LT(q.rowwise().mean().cwiseAbs().maxCoeff(), 5 / std::sqrt(3.0 * n));
  const Mat3 second = q * q.transpose() / n;
  EXPECT_LT((second - Mat3::Identity() / 3).cwiseAbs().maxCoeff(), 5 * 0.3 / std::sqrt(1.0 * n));
  const Columns d = random_tangents(q, 5);
  EXPECT_LT(q.cwiseProduct(d).colwise().sum().cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((d.colwise().norm().array() - 1).abs().maxCoeff(), 1e-15);
  EXPECT_EQ(random_directions(3, 5), q.leftCols(3));
  EXPECT_NE(random_directions(3, 6), q.leftCols(3));
}

}  // namespace
}  // namespace twosphere::test::system_report_test
