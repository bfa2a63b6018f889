// SPDX-License-Identifier: GPL-3.0-or-later
// What a custom system does beyond its potential: record, forces, damping, figure, plots, checks at
// the start.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>

#include "core/base/interrupt.h"
#include "core/mechanics/diagnostics.h"
#include "tests/cases.h"
#include "tests/core/custom/definitions.h"
#include "tests/outcome.h"

namespace twosphere::test::custom_system_test {
namespace {

Definition bodies(int n) {
  Definition d;
  d.bodies = n;
  d.inertia = "diag(1)";
  return d;
}

TEST(CustomSystem, HasARecordOfTheUsersParameters) {
  Definition d = bodies(2);
  d.parameters = {number("k", 3, "J"), list("m", {1, 2}, "kg"), list("p", {1, 0, 0}),
                  pairs("bonds", {0, 1})};
  d.parameters[0].help = "Strength.";
  d.parameters[0].range = {{0, 10}};
  d.inertia = "diag(m)";
  d.potential = "k*q[0].q[1]";
  const auto compiled = translate(d).definition;
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->definition(), d);
  const SystemInfo& info = compiled->info();
  EXPECT_EQ(info.key, "custom");
  EXPECT_TRUE(says(info.equations, "V = k q₀·q₁"));
  ASSERT_EQ(info.parameters.size(), 3u) << "pairs are not live: they are part of the definition";
  const ParameterInfo& k = info.parameters[0];
  EXPECT_EQ(k.key, "k");
  EXPECT_EQ(k.unit, "J");
  EXPECT_EQ(k.help, "Strength.");
  EXPECT_EQ(k.shape, Shape::scalar);
  EXPECT_EQ(k.default_value, 3);
  EXPECT_EQ(k.high, 10);
  EXPECT_TRUE(k.live);
  EXPECT_EQ(info.parameters[1].shape, Shape::per_body);
  EXPECT_EQ(info.parameters[1].high, 4) << "twice the largest";
  EXPECT_EQ(info.momentum_columns, (std::array{true, true, true}));
  // Other values make another system, those of the definition stay.
  Values values = values_of(d);
  values["k"] = {5};
  const Columns q = directions(2, 1);
  const auto other = value_of(info.create(2, values));
  EXPECT_DOUBLE_EQ(other->potential(q), 5 * q.col(0).dot(q.col(1)));
  EXPECT_FALSE(info.create(3, values)) << "the number of bodies is the definition's";
}

// The ground and the arrow of gravity are drawn where there is gravity.
TEST(CustomSystem, HasGravityIfTheForceAlongE3IsAWeight) {
  const auto gravity = [](const char* potential, const char* unit, const char* define = "") {
    Definition d = bodies(1);
    d.parameters = {number("m", 2, "kg"), number("l", 0.5, "m"), number("g", 9.81, unit)};
    if (*define) d.define.emplace_back(define);
    d.potential = potential;
    return make(d)->extent().gravity;
  };
  EXPECT_TRUE(gravity("-m*g*l*e3.q[0]", "m/s^2"));
  EXPECT_TRUE(gravity("-weight*l*e3.q[0]", "m/s^2", "weight = m*g"));
  EXPECT_TRUE(gravity("-m*9.81 N/kg*l*e3.q[0]", "J"));
  EXPECT_TRUE(gravity("-m*g*l*e3.q[0]", "")) << "it is not known";
  EXPECT_TRUE(gravity("-g*e3.q[0]", ""));
  EXPECT_FALSE(gravity("-g*e3.q[0]", "J")) << "a field";
  EXPECT_FALSE(gravity("-2*g*e3.q[0]", "J"));
  EXPECT_FALSE(gravity("m*g*l*e3.q[0]", "m/s^2")) << "upwards";
  EXPECT_FALSE(gravity("-m*g*l*e1.q[0]", "m/s^2")) << "sideways";
  EXPECT_FALSE(gravity("-g*(e3.q[0])^2", "J"));
}

TEST(CustomSystem, ForcesAndTorquesAct) {
  Definition d = bodies(3);
  d.parameters = {number("A", 0.2)};
  d.force = {"f[2] = A*sin(2*pi*t)*e1", "f[i] = (q[i].e3)^2*q[0]"};
  d.torque = {"torque[0] = [0, 0, 0.5]"};
  const auto system = make(d);
  EXPECT_TRUE(system->has_external_force());
  EXPECT_TRUE(system->time_dependent());
  EXPECT_EQ(system->conserved_momentum(), (std::array{false, false, false}));
  const Columns q = directions(3, 4), v = tangents(q, 5);
  Columns f(3, 3), slope(3, 3), ahead(3, 3), behind(3, 3);
  system->force(0.2, q, f);
  const Vec3 on_all = q(2, 2) * q(2, 2) * q.col(0);
  EXPECT_LT((f.col(2) - on_all - 0.2 * std::sin(0.4 * std::numbers::pi) * Vec3::UnitX()).norm(),
            1e-15);
  // q × f is the part of the torque across q.
  const Vec3 torque = q.col(0).cross(f.col(0) - q(2, 0) * q(2, 0) * q.col(0));
  EXPECT_LT((torque - tangent(q.col(0), Vec3(0, 0, 0.5))).norm(), 1e-15);
  constexpr double h = 1e-6;
  system->force_slope(0.2, q, v, slope);
  system->force(0.2, q + h * v, ahead);
  system->force(0.2, q - h * v, behind);
  EXPECT_LT(((ahead - behind) / (2 * h) - slope).norm(), 1e-9);
}

TEST(CustomSystem, LinearDampingIsRecognised) {
  Definition d = bodies(3);
  d.parameters = {list("c", {0.1, 0.2, 0.3})};
  d.torque = {"torque[i] = -c[i]*w[i]/2", "torque[1] = e3 - (0.5 + 0.5)*w[1]"};
  d.force = {"f[2] = -(0.25*v[2])"};
  const auto system = make(d);
  EXPECT_LT((system->damping() - Eigen::Vector3d(0.05, 1.1, 0.4)).norm(), 1e-15);
  EXPECT_TRUE(system->has_external_force()) << "the torque e3 is left";
  d.torque = {"torque[i] = -0*w[i]"};
  d.force = {};
  const auto none = make(d);
  EXPECT_EQ(none->damping().size(), 0);
  EXPECT_FALSE(none->has_external_force());
  EXPECT_EQ(none->conserved_momentum(), (std::array{true, true, true}));
}

TEST(CustomSystem, OtherForcesOfVelocitiesAreForcesOfTheirOwn) {
  Definition d = bodies(3);
  d.parameters = {number("c", 0.3), number("B", 2)};
  d.torque = {"torque[i] = -c*w[i] + e3"};
  d.force = {"f[i] = -c*norm(v[i])*v[i]", "f[0] = B*(1 + t)*cross(v[0], e3) - c*(v[0] - v[1])",
             "f[1] = -c*v[0]"};
  const auto system = make(d);
  EXPECT_EQ(system->damping(), Eigen::Vector3d::Constant(0.3));
  EXPECT_TRUE(system->has_external_force());
  EXPECT_TRUE(system->has_velocity_force());
  EXPECT_TRUE(system->time_dependent());
  const Columns q = directions(3, 4), v = tangents(q, 5);
  Columns w(3, 3), f(3, 3), expected(3, 3);
  for (int i = 0; i < 3; ++i) {
    w.col(i) = q.col(i).cross(v.col(i));
    expected.col(i) = -0.3 * v.col(i).norm() * v.col(i);
  }
  const Vec3 v0 = v.col(0), v1 = v.col(1);
  expected.col(0) += 2 * 1.5 * v0.cross(Vec3::UnitZ()) - 0.3 * (v0 - v1);
  expected.col(1) -= 0.3 * v0;
  system->velocity_force(0.5, q, w, f);
  EXPECT_LT((f - expected).norm(), 1e-14);
  EXPECT_EQ(system->conserved_momentum(), (std::array{false, false, false}));
  d.torque = {};
  d.force = {"f[i] = B*cross(v[i], q[i])"};
  EXPECT_EQ(make(d)->damping().size(), 0);
  EXPECT_FALSE(make(d)->time_dependent());
  d.force = {"f[i] = c*sin(norm(w[i]))*v[i]", "f[i] = c*e3"};
  EXPECT_TRUE(make(d)->has_velocity_force()) << "a drive";
}

TEST(CustomSystem, MomentumIsConservedWhereTheTextsShowIt) {
  const auto conserved = [](const std::string& potential, const std::string& inertia = "diag(1)",
                            const std::string& force = "", const std::string& torque = "") {
    Definition d = bodies(3);
    d.parameters.push_back(list("p", {0.6, 0, 0.8}));
    d.parameters.push_back(list("up", {0, 0, 1}));
    d.parameters.push_back(list("heights", {0.2, 0, 0.1}));
    d.define.push_back("pivot[i] = [0.3, 0.2, heights[i]]");
    d.define.push_back("y[i] = pivot[i] + 0.5*q[i]");
    d.potential = potential;
    d.inertia = inertia;
    if (!force.empty()) d.force = {force};
    if (!torque.empty()) d.torque = {torque};
    return make(d)->conserved_momentum();
  };
  using Axes = std::array<bool, 3>;
  constexpr Axes all{true, true, true}, none{}, e1{true, false, false}, e3{false, false, true};
  EXPECT_EQ(conserved("0"), all);
  EXPECT_EQ(conserved("sum(i < j: (q[i].q[j])^2)"), all);
  EXPECT_EQ(conserved("sum(i < j: exp(-norm(q[i] - q[j]))/norm(q[i] - q[j]))"), all) << "Yukawa";
  EXPECT_EQ(conserved("max(0, 1 - angle(q[0], q[1]))*(q[0]×q[1]).q[2]"), all);
  EXPECT_EQ(conserved("sum(i: q[i].e3)"), e3);
  EXPECT_EQ(conserved("sum(i: (q[i].e1)^2)"), e1);
  EXPECT_EQ(conserved("q[0].e1*q[1].e2"), none);
  EXPECT_EQ(conserved("0", "diag(i: 2 + (q[i].e2)^2)"), (Axes{false, true, false}));
  EXPECT_EQ(conserved("sum(i: if(q[i].e3 > 0.9, 5, tanh(q[i].e3)))"), e3);
  EXPECT_EQ(conserved("norm(up×q[0]) - angle(-e3, q[1])"), e3);
  // Polynomials whose parts are not conserved.
  EXPECT_EQ(conserved("sqrt(1 + (q[0].e1)^2 + (q[0].e2)^2)"), e3);
  EXPECT_EQ(conserved("norm([q[0].e1, q[0].e2, 2])"), e3);
  EXPECT_EQ(conserved("sum(i < j: (norm(y[i] - y[j]) - 1)^2)"), e3) << "pivots on a vertical";
  EXPECT_EQ(conserved("(q[0].e1)^2 + 1.001*(q[0].e2)^2"), none);
  // An obstacle is nowhere to be seen at most states.
  EXPECT_EQ(conserved("100*max(0, 0.3 - norm(q[0] - p))^2"), none);
  EXPECT_EQ(conserved("-9.81*e3.q[0] + 100*max(0, 0.25 - norm(q[0] - p))^2"), none);
  EXPECT_EQ(conserved("-9.81*e3.q[0] + 100*max(0, 0.25 - norm(q[0] - up))^2"), e3);
  EXPECT_EQ(conserved("-9.81*e3.q[0] + exp(-1e5*norm(q[0] - p)^2)"), none);
  EXPECT_EQ(conserved("max(0, q[0].e1 - 0.999)^2"), e1);
  EXPECT_EQ(conserved("0", "diag(i: 1 + max(0, q[i].e1 - 0.999))"), e1);
  // Forces.
  EXPECT_EQ(conserved("0", "diag(1)", "f[i] = sin(t)*(q[i].e1)*e3 + 2*q[i]"), e3);
  EXPECT_EQ(conserved("0", "diag(1)", "f[0] = if(q[0].p > 0.999, 1, 0)*p"), none);
  EXPECT_EQ(conserved("0", "diag(1)", "", "torque[i] = 3*cross(up, q[i])"), e3);
  EXPECT_EQ(conserved("0", "diag(1)", "", "torque[0] = e3"), none);
}

/// The motion into an obstacle tells, too.
TEST(CustomSystem, MomentumIsLostAtAnObstacle) {
  Definition d = bodies(1);
  d.parameters = {list("p", {0.6, 0, 0.8})};
  d.potential = "100*max(0, 0.3 - norm(q[0] - p))^2";
  const auto system = make(d);
  State s{0, Columns(3, 1), Columns(3, 1)};
  s.q.col(0) = Vec3(0, -1, 0);
  s.w.col(0) = Vec3(0.64, 0, -0.38);
  const Vec3 before = momentum_map(*system, s);
  auto integrator = make_integrator("variational");
  integrator->prepare(*system, s);
  for (int k = 1; k <= 5000; ++k) {
    ASSERT_TRUE(integrator->advance(*system, 0.002, s).ok());
    s.t = 0.002 * k;
  }
  EXPECT_GT(std::abs((momentum_map(*system, s) - before)[0]), 0.1);
  EXPECT_EQ(system->conserved_momentum(), (std::array{false, false, false}));
}

TEST(CustomSystem, InertiasHaveTheirStructure) {
  const auto inertia = [](const std::string& text) {
    Definition d = bodies(3);
    d.parameters = {list("m", {1, 2, 3}), number("l", 0.5)};
    d.inertia = text;
    return make(d)->inertia();
  };
  const auto diagonal = inertia("diag(i: m[i]*l^2)");
  ASSERT_TRUE(std::holds_alternative<DiagonalInertia>(diagonal));
  EXPECT_EQ(std::get<DiagonalInertia>(diagonal).m, Eigen::Vector3d(0.25, 0.5, 0.75));
  EXPECT_EQ(std::get<DiagonalInertia>(inertia("diag(m)")).m, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(std::get<DiagonalInertia>(inertia("diag(l)")).m, Eigen::Vector3d::Constant(0.5));
  EXPECT_EQ(std::get<ChainInertia>(inertia("chain(m, l)")).length, Eigen::Vector3d::Constant(0.5));
  EXPECT_EQ(std::get<ChainInertia>(inertia("chain(m, l)")).base_mass, 0);
  EXPECT_EQ(std::get<ChainInertia>(inertia("chain(m, l, 2*l)")).base_mass, 1);
  EXPECT_EQ(std::get<RodInertia>(inertia("rod(m, l, 0.01)")).rotary_inertia,
            Eigen::Vector3d::Constant(0.01));
  EXPECT_EQ(std::get<RodInertia>(inertia("rod(m, l, 0.01)")).base_mass, 0);
  EXPECT_EQ(std::get<RodInertia>(inertia("rod(m, l, 0.01, 2*l)")).base_mass, 1);
  EXPECT_EQ(std::get<RodInertia>(inertia("rod(i: m[i], l, 0.01, m[0])")).base_mass, 1);
  const auto matrix = inertia("matrix(i, j: if(i == j, 2, 0.5))");
  EXPECT_EQ(std::get<DenseInertia>(matrix).matrix(0, 1), 0.5);
  EXPECT_TRUE(
      std::holds_alternative<VariableInertia>(inertia("matrix(i, j: if(i == j, 4, q[i].q[j]))")));
}

TEST(CustomSystem, IsDrawnOnTheUnitSphereWithoutAFigure) {
  Definition d = bodies(2);
  const auto system = make(d);
  const Columns q = directions(2, 2);
  Geometry geometry;
  system->geometry(q, geometry);
  EXPECT_TRUE(geometry.sphere);
  ASSERT_EQ(geometry.bodies.size(), 2u);
  EXPECT_EQ(geometry.bodies[1].position, q.col(1));
  EXPECT_EQ(system->extent().radius, 1);
  EXPECT_EQ(system->lever(1, 1), 1);
  EXPECT_EQ(system->lever(1, 0), 0);
}

TEST(CustomSystem, FiguresThatAreNotLinearAreSampled) {
  Definition d = bodies(2);
  d.figure = {"ball((2 + (q[i].e3)^2)*q[i])", "sphere()"};
  const auto system = make(d);
  EXPECT_GT(system->extent().radius, 3);
  EXPECT_EQ(system->lever(0, 0), 1) << "the default";
}

TEST(CustomSystem, ASampledFigureCanBeGivenUpAndIsMeasuredAgain) {
  Definition d = bodies(2);
  d.figure = {"ball((2 + (q[i].e3)^2)*q[i])"};
  const auto system = make(d);
  {
    const std::atomic<bool> stop = true;
    const Interruptible scope(stop);
    EXPECT_LT(system->extent().radius, 3);
  }
  EXPECT_EQ(system->extent().radius, make(d)->extent().radius);
  EXPECT_GT(system->extent().radius, 3);
}

TEST(CustomSystem, RodsHangFromTheirPivots) {
  Definition d = bodies(2);
  d.define = {"x[i] = sum(j <= i: 0.5*q[j])"};
  d.figure = {"rod(x[i-1], x[i])", "ball(x[i], 1 + i)"};
  const auto system = make(d);
  Geometry geometry;
  system->geometry(directions(2, 2), geometry);
  ASSERT_EQ(geometry.pivots.size(), 1u);
  EXPECT_TRUE(geometry.pivots[0].isZero(0)) << "x[-1] is the origin";
  EXPECT_DOUBLE_EQ(geometry.bodies[0].size, std::cbrt(0.5));
  EXPECT_EQ(system->lever(1, 0), 0.5);
  EXPECT_EQ(system->lever(0, 1), 0);
  EXPECT_DOUBLE_EQ(system->extent().radius, 1);
}

TEST(CustomSystem, BallsThatDependOnNoDirectionAreFixed) {
  Definition d = bodies(2);
  d.parameters = {list("p", {0.5, 0, 2})};
  d.figure = {"ball(p, 8)", "ball(2*q[i], 1)", "ball(p + e1)"};
  const auto system = make(d);
  Geometry geometry;
  const Columns q = directions(2, 2);
  system->geometry(q, geometry);
  ASSERT_EQ(geometry.bodies.size(), 2u);
  EXPECT_EQ(geometry.bodies[1].position, 2 * q.col(1));
  EXPECT_DOUBLE_EQ(geometry.bodies[1].size, 0.5);
  ASSERT_EQ(geometry.fixed.size(), 2u);
  EXPECT_EQ(geometry.fixed[0].position, Vec3(0.5, 0, 2));
  EXPECT_EQ(geometry.fixed[0].size, 1);
  EXPECT_EQ(geometry.fixed[1].position, Vec3(1.5, 0, 2));
  EXPECT_GE(system->extent().radius, 2.5);
  geometry.clear();
  EXPECT_TRUE(geometry.fixed.empty());
  // Alone they leave the bodies where they are otherwise.
  d.figure = {"ball(p)"};
  make(d)->geometry(q, geometry);
  ASSERT_EQ(geometry.bodies.size(), 2u);
  EXPECT_EQ(geometry.bodies[0].position, q.col(0));
}

TEST(CustomSystem, PlotsAreEvaluated) {
  Definition d = bodies(2);
  d.plots = {{"height", "-e3.q[n-1]"}, {"speed", "norm(v[1]) + norm(w[0])*t"}};
  const auto system = make(d);
  const Columns q = directions(2, 6), w = tangents(q, 7);
  EXPECT_EQ(system->own_quantity("height", 0, q, w), -q(2, 1));
  EXPECT_NEAR(system->own_quantity("speed", 2, q, w), w.col(1).norm() + 2 * w.col(0).norm(), 1e-15);
}

TEST(CustomSystem, ColoursAreEvaluatedForEveryBody) {
  Definition d = bodies(3);
  std::vector<double> values{1};
  const Columns q = directions(3, 6), w = tangents(q, 7);
  make(d)->own_color_values(0, q, w, values);
  EXPECT_TRUE(values.empty());
  EXPECT_FALSE(make(d)->own_color());
  d.parameters = {number("l", 2)};
  d.parameters[0].unit = "m";
  d.color = {{"height", "-l*e3.q[i] + t*norm(w[i])*0 + i*0"}};
  const auto plain = make(d);
  ASSERT_TRUE(plain->own_color());
  EXPECT_EQ(plain->own_color()->name, "height");
  plain->own_color_values(0.5, q, w, values);
  ASSERT_EQ(values.size(), 3u);
  for (Eigen::Index i = 0; i < 3; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], -2 * q(2, i));
  d.color = {{"speed and time", "t*norm(w[i]) + norm(q[i] - q[0])"}};
  make(d)->own_color_values(0.5, q, w, values);
  for (Eigen::Index i = 0; i < 3; ++i)
    EXPECT_NEAR(values[static_cast<std::size_t>(i)],
                0.5 * w.col(i).norm() + (q.col(i) - q.col(0)).norm(), 1e-15);
  d.color = {{"reach", "l*e3.q[i]"}};
  EXPECT_EQ(make(d)->own_color()->unit, "m");
}

TEST(CustomSystem, StartsAreChecked) {
  Definition d = bodies(2);
  d.potential = "1/norm(q[0] - q[1])";
  const auto compiled = translate(d).definition;
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(compiled->info().check_start(directions(2, 1), {}));
  const Error met =
      error_of(compiled->info().check_start(Columns(Vec3::UnitX().replicate(1, 2)), {}));
  EXPECT_EQ(met.text(),
            "potential:3: is 0 at the start (q[0], q[1]) and divides; V must be finite");
  d.potential = "0";
  d.inertia = "matrix(i, j: if(i == j, 1, 0.999*if(q[i].q[j] > 0.999999, 2, 0)))";
  const auto heavy = translate(d).definition;
  ASSERT_TRUE(heavy);
  const Error indefinite =
      error_of(heavy->info().check_start(Columns(Vec3::UnitX().replicate(1, 2)), {}));
  EXPECT_TRUE(says(indefinite.text(), "smallest eigenvalue is -0.998"));
}

// With x = e1.q, y = e3.q and c = e2.q of a body at e2. A derivative that is 0 multiplies one that
// is infinite; beside a choice their product is taken for 0.
TEST(CustomSystem, StartsHaveTheDerivativesOfTheirTexts) {
  const Columns q = Vec3::UnitY();
  const auto refusal = [&](const std::string& potential) {
    Definition d = bodies(1);
    d.define = {"x = e1.q[0]", "y = e3.q[0]", "c = e2.q[0]"};
    d.potential = potential;
    const auto compiled = translate(d).definition;
    EXPECT_TRUE(compiled) << potential;
    const auto fine = compiled->info().check_start(q, {});
    return fine ? std::string() : fine.error().text();
  };
  const std::string infinite = " has no finite derivative at the start";
  for (const auto& [text, column] : {std::pair("cos(sqrt(x))", 5),
                                     {"(1 - cos(sqrt(x)))^0.75", 10},
                                     {"abs(sqrt(x) - y)^1.5", 5},
                                     {"norm([sqrt(abs(x)), 0, 0])^2", 7},
                                     {"cosh(abs(x)^0.5)", 12},
                                     {"acos(c) + c", 1},
                                     {"exp(0.25*log(x^2))", 10}})
    for (const int before : {0, 10}) {
      const std::string whole = before == 0 ? text : fmt::format("if(y < 2, {}, 0)", text);
      EXPECT_TRUE(says(refusal(whole), fmt::format("potential:{}:{}", before + column, infinite)))
          << whole;
    }
  for (const char* text :
       {"abs(x)^1.5", "sqrt(abs(x))^3", "(1 - c)^0.75", "acos(c)^1.1", "abs(x)^(c + 0.05)",
        "sqrt(x)^2 + 1000*y", "1e6*y^2 + abs(x)^1.5", "abs(x)", "norm([x, 0, y])"})
    for (const auto& whole : {std::string(text), fmt::format("if(y < 2, {}, 0)", text)})
      EXPECT_EQ(refusal(whole), "") << whole;
  // Nor are right texts refused beside a kink.
  for (const char* text : {"acos(c)^2 + abs(y)", "sqrt(abs(x))^3 + max(0, y)"})
    EXPECT_EQ(refusal(text), "") << text;
}

TEST(CustomSystem, ErrorsOfNewValuesNameTheirPlace) {
  Definition d = bodies(2);
  d.parameters = {number("m", 1), pairs("bonds", {0, 1})};
  d.inertia = "diag(m)";
  d.potential = "sum(i, j in bonds: q[i].q[j])";
  const auto compiled = translate(d).definition;
  ASSERT_TRUE(compiled);
  auto made = compiled->info().create(2, {{"m", {-1}}, {"bonds", {0, 1}}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().text(), "inertia:6: the inertia of body 0 is -1, must be positive");
  made = compiled->info().create(2, {{"m", {1}}, {"bonds", {0, 5}}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().text(),
            "potential:25: q[5] is read here; the indices of q go from 0 to 1");
}

}  // namespace
}  // namespace twosphere::test::custom_system_test
