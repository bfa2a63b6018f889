// SPDX-License-Identifier: GPL-3.0-or-later
// `twosphere study`, in processes of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/app/cli/program.h"

namespace twosphere {
namespace {

class Study : public CommandLine {
 protected:
  static Words order(Words more = {}) {
    Words words{"study",      "order", "--preset", "double_spherical_pendulum",
                "--duration", "0.8",   "--steps",  "0.04:0.01:/2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Study, prints_orders_and_writes_table_and_figure) {
  const Outcome o = run(order({"--integrators", "variational,rk4,rk45", "--tolerances", "1e-3,1e-6",
                               "--csv", in("order.csv"), "--figure", in("order.png")}));
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* part : {"variational", "order 2.0", "order 3.9", "rk45", "reference: gauss16"})
    EXPECT_NE(o.out.find(part), std::string::npos) << part << '\n' << o.out;
  const std::string table = text("order.csv");
  EXPECT_TRUE(table.starts_with("integrator,step [s],")) << table;
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 3 + 3 + 2);
  EXPECT_TRUE(text("order.png").starts_with("\x89PNG"));
}

TEST_F(Study, draws_every_kind_of_figure) {
  for (const auto& [name, start] : {std::pair("f.pdf", "%PDF"), {"f.svg", "<?xml"}}) {
    const Outcome o = run(order({"--integrators", "variational", "--quiet", "--figure", in(name)}));
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.out, "");
    EXPECT_TRUE(text(name).starts_with(start)) << name;
  }
}

TEST_F(Study, compares_every_integrator_that_applies) {
  const Outcome o = run({"study", "order", "--preset", "three_body", "--duration", "0.1", "--steps",
                         "0.02,0.01", "--tolerances", "1e-3", "--csv", "-"});
  ASSERT_EQ(o.status, 0) << o.err;
  for (const char* key : {"variational,", "rotation6,", "rk4,", "rk45,"})
    EXPECT_NE(o.out.find(key), std::string::npos) << key;
}

TEST_F(Study, errors_name_the_option) {
  const auto expect = [&](const Words& words, const char* part) {
    SCOPED_TRACE(part);
    expect_failure({"", words, 2, part});
  };
  expect({"study"}, "study: the kind is missing");
  expect({"study", "ordre", "--preset", "three_body"}, "\"ordre\" is not a kind of study");
  expect({"study", "order"}, "study: needs a scenario file");
  expect(order({"--integrators", "rk5"}), "--integrators: ");
  expect(order({"--steps", "0.03"}), "--steps: can be given only once");
  const auto with = [](const char* option, const char* value) {
    return Words{"study",      "order", "--preset", "double_spherical_pendulum",
                 "--duration", "0.8",   option,     value};
  };
  expect(with("--steps", "0.03"),
         "--steps: a step of 0.03 s does not divide the duration of 0.8 s");
  expect(with("--steps", "0.04:0.01"), "--steps: must be numbers such as");
  expect(with("--steps", "0.04:0.01:/1"), "the factor after / must be above 1");
  expect(with("--steps", "-1"), "--steps: must be above 0");
  expect(with("--steps", "1:1e-30:/1.5"), "--steps: must be fewer than 64 numbers");
  expect(with("--reference", "rk45@0.01"), "--reference: rk45 has tolerances");
  expect(with("--integrators", "rotation"), "--integrators: ");
  expect(order({"--figure", in("figure.jpg")}), "--figure: ");
}

}  // namespace
}  // namespace twosphere
