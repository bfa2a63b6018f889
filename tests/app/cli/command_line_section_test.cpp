// SPDX-License-Identifier: GPL-3.0-or-later
// `twosphere run --points` and `twosphere study section`, in processes of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/app/cli/run_program.h"

namespace twosphere::command_line_section_test {
namespace {

class SectionCommand : public CommandLine {
 protected:
  static Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\r')); }
  static std::ptrdiff_t lines(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  }
};

TEST_F(SectionCommand, points_go_on_from_a_saved_state) {
  const Words start{"run",     "--preset", "double_spherical_pendulum", "--section",
                    "q[1].e2", "--set",    "section.direction=both"};
  const Outcome whole = run(with(start, {"--steps", "6000", "--points", "whole.csv"}));
  ASSERT_EQ(whole.status, 0) << whole.err;
  const std::string table = text("whole.csv");
  EXPECT_EQ(first_line(table),
            "time [s],step [1],crossing [1],direction [1],q0_x [1],q0_y [1],q0_z [1],q1_x [1],q1_y "
            "[1],q1_z [1],omega0_x [rad/s],omega0_y [rad/s],omega0_z [rad/s],omega1_x "
            "[rad/s],omega1_y [rad/s],omega1_z [rad/s]");
  EXPECT_GT(lines(table), 10);
  EXPECT_NE(whole.out.find("section points: " + std::to_string(lines(table) - 1)),
            std::string::npos)
      << whole.out;
  const std::string companion = text("whole.csv.json");
  EXPECT_NE(companion.find("\"expression\": \"q[1].e2\""), std::string::npos) << companion;
  EXPECT_NE(companion.find("\"crossing\""), std::string::npos);

  ASSERT_EQ(
      run(with(start, {"--steps", "2500", "--points", "a.csv", "--save-state", "s.json"})).status,
      0);
  ASSERT_EQ(run({"run", "s.json", "--steps", "3500", "--points", "b.csv"}).status, 0);
  const std::string rest = text("b.csv");
  EXPECT_EQ(text("a.csv") + rest.substr(rest.find('\n') + 1), table);
}

TEST_F(SectionCommand, the_other_files_do_not_change) {
  for (const char* integrator : {"variational", "rk45"}) {
    const Words start{"run",          "--preset", "double_spherical_pendulum",
                      "--integrator", integrator, "--steps",
                      "3000"};
    ASSERT_EQ(run(with(start, {"--csv", "a.csv", "--trajectory", "a.traj.csv"})).status, 0);
    ASSERT_EQ(run(with(start, {"--csv", "b.csv", "--trajectory", "b.traj.csv", "--stroboscopic",
                               "sqrt(lengths[0]/gravity)/3", "--points", "p.csv"}))
                  .status,
              0);
    EXPECT_EQ(text("a.csv"), text("b.csv"));
    EXPECT_EQ(text("a.traj.csv"), text("b.traj.csv"));
    EXPECT_EQ(lines(text("p.csv")), 1 + 90);  // 0 ≤ j/3 < 30
  }
}

TEST_F(SectionCommand, lanes_have_files_of_their_own) {
  const Outcome o = run({"run", "--preset", "double_spherical_pendulum", "--integrator",
                         "variational", "--integrator", "rk4", "--steps", "2000", "--set",
                         R"(section={"expression": "q[0].e2", "coordinates": {"x": "q[0].e1"}})",
                         "--points", "p.csv"});
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* name : {"p.variational.csv", "p.rk4.csv"}) {
    EXPECT_EQ(first_line(text(name)), "time [s],step [1],crossing [1],direction [1],x [1]");
    EXPECT_GT(lines(text(name)), 1);
  }
  EXPECT_NE(text("p.rk4.csv.json").find("\"lane\": \"rk4\""), std::string::npos);
}

TEST_F(SectionCommand, several_orbits_are_one_table) {
  const Words study{
      "study",      "section", "--preset", "double_spherical_pendulum",   "--section",    "q[0].e2",
      "--duration", "20",      "--axis",   "initial.omega[1][1]=0.5,1,2", "--same-energy"};
  const Outcome o = run(with(study, {"--points", "p.csv"}));
  ASSERT_EQ(o.status, 0) << o.err;
  const std::string table = text("p.csv");
  EXPECT_TRUE(table.starts_with("start [1],time [s],step [1],crossing [1],")) << table;
  for (const char* start : {"\n0,", "\n1,", "\n2,"})
    EXPECT_NE(table.find(start), std::string::npos) << start;
  EXPECT_EQ(lines(o.out), 3) << o.out;
  EXPECT_NE(o.out.find("start 2 (initial.omega[1][1] = 2): "), std::string::npos) << o.out;
  EXPECT_NE(text("p.csv.json").find("\"same_energy\": true"), std::string::npos);
  const Outcome again = run(with(study, {"--points", "-"}));
  EXPECT_EQ(again.out, table);
}

TEST_F(SectionCommand, without_a_section_the_default_one_is_taken_and_named) {
  const char* note = "section: q[0].e2 = 0, rising, because none is given";
  const Words run_it{"run", "--preset", "double_spherical_pendulum", "--duration", "20"};
  const Outcome o = run(with(run_it, {"--points", "p.csv"}));
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.err.find(note), std::string::npos) << o.err;
  EXPECT_NE(text("p.csv").find(",angle ["), std::string::npos) << text("p.csv");
  EXPECT_NE(text("p.csv.json").find("q[0].e2"), std::string::npos);
  EXPECT_EQ(run(with(run_it, {"--points", "p.csv", "--quiet"})).err, "");
  const Words study{"study",      "section", "--preset", "double_spherical_pendulum",
                    "--duration", "20",      "--points", "-"};
  const Outcome points = run(study);
  ASSERT_EQ(points.status, 0) << points.err;
  EXPECT_NE(points.err.find(note), std::string::npos) << points.err;
  EXPECT_GT(lines(points.out), 2);
}

TEST_F(SectionCommand, errors_name_the_option) {
  const auto expect = [&](const Words& words, const char* part) {
    SCOPED_TRACE(part);
    expect_failure({"", words, 2, part});
  };
  const Words run_it{"run", "--preset", "double_spherical_pendulum"};
  ASSERT_EQ(run(with(run_it, {"--steps", "5", "--save-state", "s.json"})).status, 0);
  expect(with(run_it, {"--section", "q[0].e1"}), "--section: has points");
  expect(with(run_it, {"--section", "q[0]", "--points", "p.csv"}), "--section: ");
  expect(with(run_it, {"--section", "q[0].e1", "--stroboscopic", "1", "--points", "p.csv"}),
         "--stroboscopic: cannot be combined");
  expect(with(run_it, {"--stroboscopic", "1", "--points", "p.txt"}), "--points: ");
  expect(with(run_it, {"--stroboscopic", "-1", "--points", "p.csv"}), "--stroboscopic: ");
  expect(with(run_it, {"--stroboscopic", "1e-300", "--points", "p.csv"}),
         "--stroboscopic: must be at least 1e-04 s");
  expect({"study", "section", "--preset", "double_spherical_pendulum", "--stroboscopic", "1e-300",
          "--points", "p.csv"},
         "--stroboscopic: must be at least 1e-04 s");
  expect({"study", "section", "--preset", "three_body", "--section", "q[0].e1"},
         "--points: is missing");
  expect({"study", "section", "--preset", "three_body", "--section", "q[0].e1", "--csv", "p.csv"},
         "--csv: belongs to study order and study cloud");
  // Starts have one integrator and begin afresh.
  for (const Words& study : {Words{"study", "section", "--section", "q[0].e1", "--points", "p.csv"},
                             Words{"study", "cloud"}}) {
    expect(with(study, {"--preset", "three_body", "--integrator", "rk4", "--integrator", "heun"}),
           "scenario: has several integrators");
    expect(with(study, {"s.json"}), "scenario: must be a start, not a saved state");
  }
  expect({"study", "order", "--preset", "three_body", "--axis", "system.gamma=1,2"},
         "--axis: belongs to study section");
}

}  // namespace
}  // namespace twosphere::command_line_section_test
