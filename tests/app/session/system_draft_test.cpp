// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/system_draft.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "tests/outcome.h"
#include "tests/replaced.h"
#include "tests/runs.h"

namespace twosphere::system_draft_test {
namespace {

using test::preset, test::replaced, test::says, test::value_of;

/// The pendulum over three magnets with one of its texts replaced.
struct Draft {
  Scenario base = preset("custom/magnetic_pendulum");
  SystemDraft draft = draft_of(base.definition->definition());

  CheckedDraft check() const { return check_draft(draft, base, nullptr); }
  /// What the scenario becomes; it must be in order.
  Scenario applied() const {
    const CheckedDraft checked = check();
    EXPECT_TRUE(checked.scenario || checked.problems.empty()) << checked.problems[0].message;
    return value_of(checked.scenario);
  }
  DraftProblem problem() const {
    const CheckedDraft checked = check();
    EXPECT_FALSE(checked.scenario);
    EXPECT_EQ(checked.problems.size(), 1U);
    return checked.problems.empty() ? DraftProblem() : checked.problems[0];
  }
};

TEST(SystemDraft, IsTheDefinitionThatItWasMadeOf) {
  ASSERT_GE(custom_presets().size(), 12U);
  for (const Preset& one : custom_presets()) {
    SCOPED_TRACE(one.key);
    const Scenario base = preset(one.key);
    const Definition& definition = base.definition->definition();
    const CheckedDraft checked = check_draft(draft_of(definition), base, nullptr);
    ASSERT_TRUE(checked.scenario) << checked.problems[0].message;
    EXPECT_EQ(checked.scenario->definition->definition(), definition);
    EXPECT_EQ(checked.scenario->q, base.q);
    EXPECT_TRUE(checked.problems.empty());
  }
}

TEST(SystemDraft, TermsAreGivenToAMethodThatTakesThem) {
  Draft d;
  d.base = test::with(d.base, "integrator.type", "rotation");
  EXPECT_EQ(d.applied().lanes[0].type, "rotation");
  d.draft.text(DraftText::strength) = "0.1";
  EXPECT_EQ(d.applied().lanes[0].type, "rotation");
  d.draft.text(DraftText::strength) = "";
  d.draft.text(DraftText::gyroscopic) = "0.1*e3.cross(q[0], v[0])";
  const Scenario turned = d.applied();
  EXPECT_EQ(turned.lanes[0].type, "variational");
  EXPECT_EQ(turned.lanes[0].step, d.base.lanes[0].step);
  EXPECT_EQ(turned.definition->definition().gyroscopic, "0.1*e3.cross(q[0], v[0])");
  // No symplectic method takes both.
  d.draft.text(DraftText::strength) = "0.1";
  const IntegratorInfo& both = *find_integrator(d.applied().lanes[0].type);
  EXPECT_TRUE(both.takes.strength && both.takes.gyroscopic && both.order >= 4) << both.key;
  d.draft.text(DraftText::gyroscopic) = "v[0].v[0]";
  const DraftProblem wrong = d.problem();
  EXPECT_EQ(wrong.text, DraftText::gyroscopic);
  EXPECT_EQ(wrong.column, 5);
}

TEST(SystemDraft, EnergiesAreThoseOfTheState) {
  const Scenario base = preset("custom/double_pendulum");
  const SystemDraft draft = draft_of(base.definition->definition());
  State state{0, base.q, base.omega};
  state.q.col(0) = Vec3(0, 0.6, 0.8);
  state.w.col(0) = Vec3(2, 0, 0);
  const auto system = value_of(create_system(base));
  const CheckedDraft checked = check_draft(draft, base, &state);
  EXPECT_EQ(checked.potential, system->potential(state.q));
  EXPECT_NEAR(checked.potential + checked.kinetic, total_energy(*system, state), 1e-12);
  EXPECT_EQ(check_draft(draft, base, nullptr).potential, system->potential(base.q));
}

TEST(SystemDraft, AProblemIsFoundAtItsCharacter) {
  Draft d;
  d.draft.text(DraftText::potential) = "-m*g*e3.x[0]\n  + k*q[0]*q[0]";
  const DraftProblem problem = d.problem();
  EXPECT_EQ(problem.text, DraftText::potential);
  EXPECT_EQ(problem.line, 1);
  EXPECT_EQ(problem.column, 10);  // of the second *
  EXPECT_EQ(problem.message.find('\n'), std::string::npos);
  EXPECT_TRUE(says(problem.message, "two vectors"));
}

TEST(SystemDraft, LinesOfAListAreItsEntries) {
  Draft d;
  d.draft.text(DraftText::define) = "\nx[i] = l*q[i]\n\n   y = 2*mm\n";
  const DraftProblem problem = d.problem();
  EXPECT_EQ(problem.text, DraftText::define);
  EXPECT_EQ(problem.line, 3);
  EXPECT_EQ(problem.column, 9);
  d.draft.text(DraftText::define) = "\n  x[i] = l*q[i]  \n";
  const Scenario scenario = d.applied();
  EXPECT_EQ(scenario.definition->definition().define, std::vector<std::string>{"x[i] = l*q[i]"});
}

TEST(SystemDraft, TheColourHasANameAndAnExpression) {
  Draft d;
  d.draft.text(DraftText::color) = "height: -e3.x[i]";
  const Scenario scenario = d.applied();
  const Definition& definition = scenario.definition->definition();
  ASSERT_EQ(definition.color.size(), 1U);
  EXPECT_EQ(definition.color[0], std::pair(std::string("height"), std::string("-e3.x[i]")));
  EXPECT_EQ(draft_of(definition).text(DraftText::color), "height: -e3.x[i]");
  d.draft.text(DraftText::color) = "height: -e3.x[i]\ndepth: e3.x[i]";
  const DraftProblem wrong = d.problem();
  EXPECT_EQ(wrong.text, DraftText::color);
  EXPECT_EQ(wrong.line, 1);
  EXPECT_TRUE(says(wrong.message, "coloured by one"));
}

TEST(SystemDraft, PlotsHaveANameAndAnExpression) {
  Draft d;
  d.draft.text(DraftText::plots) = "height: -e3.x[0]\nsum of heights: sum(i: e3.x[i])";
  const Scenario scenario = d.applied();
  ASSERT_EQ(scenario.definition->definition().plots.size(), 2U);
  EXPECT_EQ(scenario.definition->definition().plots[1].second, "sum(i: e3.x[i])");
  d.draft.text(DraftText::plots) = "height: -e3.x[0]\nsome height: e3.xx[0]";
  const DraftProblem wrong = d.problem();
  EXPECT_EQ(wrong.text, DraftText::plots);
  EXPECT_EQ(wrong.line, 1);
  EXPECT_EQ(wrong.column, 16);
  d.draft.text(DraftText::plots) = "height";
  EXPECT_TRUE(says(d.problem().message, "a name and an expression"));
}

TEST(SystemDraft, TheOtherOrderIsKeptAndNotRead) {
  Draft d;
  d.draft.text(DraftText::hamiltonian) = "not finished (";
  EXPECT_FALSE(d.applied().definition->definition().first_order);
  const std::string inertia = d.draft.text(DraftText::inertia);
  d.draft.first_order = true;
  EXPECT_EQ(d.problem().text, std::nullopt) << "there is no strength";
  d.draft.text(DraftText::strength) = "-1";
  EXPECT_EQ(d.problem().text, DraftText::hamiltonian);
  d.draft.text(DraftText::hamiltonian) = "-2*e3.q[0]";
  d.draft.text(DraftText::damping) = "0.1*zz";
  DraftProblem wrong = d.problem();
  EXPECT_EQ(wrong.text, DraftText::damping);
  EXPECT_EQ(wrong.column, 4);
  d.draft.text(DraftText::damping) = "0.1";
  d.draft.text(DraftText::force) = d.draft.text(DraftText::torque) = "";
  d.draft.text(DraftText::plots) = d.draft.text(DraftText::color) = "";
  const Scenario made = d.applied();
  const Definition& definition = made.definition->definition();
  EXPECT_TRUE(definition.first_order);
  EXPECT_EQ(definition.strength, "-1");
  EXPECT_EQ(definition.inertia, "");
  d.draft.text(DraftText::temperature) = "kT";
  wrong = d.problem();
  EXPECT_EQ(wrong.text, DraftText::temperature);
  EXPECT_EQ(wrong.unknown, "kT");
  d.draft.text(DraftText::temperature) = "0.2";
  d.draft.text(DraftText::seed) = "1.5";
  EXPECT_EQ(d.problem().text, DraftText::seed);
  d.draft.text(DraftText::seed) = "7";
  const Definition hot = d.applied().definition->definition();
  EXPECT_EQ(hot.temperature, "0.2");
  EXPECT_EQ(hot.seed, 7);
  EXPECT_EQ(draft_of(hot).text(DraftText::seed), "7");
  EXPECT_EQ(d.draft.text(DraftText::inertia), inertia);
  EXPECT_TRUE(draft_of(definition).first_order);
  // And back, from a start without velocities.
  const CheckedDraft second = check_draft(Draft().draft, made, nullptr);
  ASSERT_TRUE(second.scenario) << second.problems[0].message;
  EXPECT_FALSE(second.scenario->definition->definition().first_order);
  EXPECT_EQ(second.scenario->lanes[0].type, "variational");
  for (std::size_t k = 0; k < draft_texts; ++k) {
    const auto field = static_cast<DraftText>(k);
    const bool both = has_field(true, field) && has_field(false, field);
    EXPECT_EQ(both, field < DraftText::inertia || field == DraftText::strength ||
                        field > DraftText::lagrangian)
        << k;
  }
}

TEST(SystemDraft, IsReadAsItWasWritten) {
  TitledDraft titled{"A \"title\"", Draft().draft};
  titled.draft.text(DraftText::potential) = "not\nfinished (";
  titled.draft.bodies = 7;
  titled.draft.first_order = true;
  titled.start = R"({"initial": {}})";
  const auto read = value_of(read_draft(write_draft(titled), "text"));
  EXPECT_EQ(read.title, titled.title);
  EXPECT_EQ(read.draft, titled.draft);
  EXPECT_EQ(read.start, titled.start);
  // One of a program that did not know of a text yet.
  const std::string older = replaced(write_draft(titled), "\"seed\": \"\"", "\"later\": \"\"");
  EXPECT_EQ(value_of(read_draft(older, "text")).draft, titled.draft);
  for (const char* wrong : {"", "{}", "[]", R"({"title": "a", "bodies": 0})"})
    EXPECT_FALSE(read_draft(wrong, "text")) << wrong;
}

TEST(SystemDraft, ANameThatIsNotKnownMayBeAParameter) {
  Draft d;
  d.draft.text(DraftText::potential) = "kappa*q[0].e3";
  EXPECT_EQ(d.problem().unknown, "kappa");
  d.draft.text(DraftText::potential) = "κ*q[0].e3";
  EXPECT_EQ(d.problem().unknown, "κ");
  d.draft.text(DraftText::potential) = "mod(2, 3)";
  EXPECT_EQ(d.problem().unknown, "") << "a function";
  d.draft.text(DraftText::potential) = "q[0].e3*";
  EXPECT_EQ(d.problem().unknown, "");
}

TEST(SystemDraft, ParametersHaveTheirRow) {
  const auto problem_of = [](ParameterColumn column, const std::string& text) {
    Draft d;
    SystemDraft::Parameter& p = d.draft.parameters[2];
    (column == ParameterColumn::name    ? p.name
     : column == ParameterColumn::value ? p.value
     : column == ParameterColumn::unit  ? p.unit
                                        : p.range) = text;
    return d.problem();
  };
  for (const auto& [column, text] : {std::pair{ParameterColumn::value, "9.81 kg"},
                                     {ParameterColumn::value, "1 +"},
                                     {ParameterColumn::unit, "metre"},
                                     {ParameterColumn::range, "3"},
                                     {ParameterColumn::range, "3 to 1"},
                                     {ParameterColumn::name, "m"},
                                     {ParameterColumn::name, ""}}) {
    const DraftProblem problem = problem_of(column, text);
    EXPECT_EQ(problem.parameter, 2) << text << ": " << problem.message;
    EXPECT_EQ(problem.parameter_column, column) << text << ": " << problem.message;
    EXPECT_FALSE(problem.message.empty());
  }
}

TEST(SystemDraft, ValuesAreExpressionsAndLists) {
  Draft d;
  d.draft.parameters[3].value = "1/3";
  d.draft.parameters[5].value = "30 cm, 0, 1.1";
  const Scenario scenario = d.applied();
  EXPECT_EQ(scenario.parameters.at("k")[0], 1.0 / 3);
  EXPECT_EQ(scenario.parameters.at("p1"), (std::vector<double>{0.3, 0, 1.1}));
}

TEST(SystemDraft, UnitsThatDoNotFitAreWarnings) {
  Draft d;
  d.draft.text(DraftText::potential) = "-m*e3.x[0]";
  const CheckedDraft checked = d.check();
  ASSERT_TRUE(checked.scenario);
  ASSERT_EQ(checked.problems.size(), 1U);
  EXPECT_TRUE(checked.problems[0].warning);
  EXPECT_EQ(checked.problems[0].text, DraftText::potential);
}

TEST(SystemDraft, WarningsStayOnceTheTextIsApplied) {
  Draft d;
  d.draft.parameters[3].range = "0 to 1";
  d.draft.parameters[3].value = "7";
  d.draft.text(DraftText::potential) = "-m*e3.x[0]";
  for (int pass = 0; pass < 2; ++pass) {
    SCOPED_TRACE(pass);
    const CheckedDraft checked = d.check();
    ASSERT_TRUE(checked.scenario) << checked.problems[0].message;
    ASSERT_EQ(checked.problems.size(), 2U);
    EXPECT_EQ(checked.problems[0].text, DraftText::potential);
    EXPECT_EQ(checked.problems[1].parameter, 3);
    EXPECT_EQ(checked.problems[1].parameter_column, ParameterColumn::value);
    EXPECT_TRUE(checked.problems[1].message.starts_with("is 7, outside the range of its slider"))
        << checked.problems[1].message;
    for (const DraftProblem& problem : checked.problems) EXPECT_TRUE(problem.warning);
    d.base = *checked.scenario;
  }
}

TEST(SystemDraft, MoreBodiesBeginAtRestAwayFromOneAnother) {
  const Scenario base = preset("custom/thomson");
  SystemDraft draft = draft_of(base.definition->definition());
  draft.bodies = base.size() + 40;
  const CheckedDraft checked = check_draft(draft, base, nullptr);
  ASSERT_TRUE(checked.scenario) << checked.problems[0].message;
  const Columns& q = checked.scenario->q;
  ASSERT_EQ(q.cols(), draft.bodies);
  EXPECT_EQ(q.leftCols(base.size()), base.q);
  double closest = 2;
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    EXPECT_NEAR(q.col(i).norm(), 1, 1e-15);
    for (Eigen::Index j = base.size(); j < i; ++j)
      closest = std::min(closest, (q.col(i) - q.col(j)).norm());
  }
  EXPECT_GT(closest, 0.1);
  EXPECT_TRUE(std::isfinite(checked.potential));
}

}  // namespace
}  // namespace twosphere::system_draft_test
