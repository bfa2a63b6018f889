// SPDX-License-Identifier: GPL-3.0-or-later
// twosphere run --gltf. What is in the files, tests/python/test_gltf.py reads.
#include "tests/app/cli/run_program.h"
#include "tests/outcome.h"

namespace twosphere::command_line_gltf_test {
namespace {

using test::says;

class CommandLineGltf : public CommandLine {};

TEST_F(CommandLineGltf, IsWrittenWithTheOtherFiles) {
  const Outcome o = run("run --preset three_body --steps 40 --gltf run.glb --html run.html"_words);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(text("run.glb").starts_with("glTF"));
  EXPECT_EQ(count(), 2u);
}

TEST_F(CommandLineGltf, KeepsTheRowsBeforeAFailure) {
  const Outcome o =
      run("run --preset double_spherical_pendulum --step 3 --duration 300 --gltf run.glb"_words);
  EXPECT_EQ(o.status, 3) << o.err;
  EXPECT_TRUE(text("run.glb").starts_with("glTF"));
}

TEST_F(CommandLineGltf, RefusesOtherNames) {
  const Outcome name = run("run --preset three_body --gltf run.gltf"_words);
  EXPECT_EQ(name.status, 2);
  EXPECT_TRUE(says(name.err, "--gltf: \"run.gltf\" must end in .glb"));
  const Outcome twice = run("run --preset three_body --gltf a.glb --csv a.glb"_words);
  EXPECT_EQ(twice.status, 2);
  EXPECT_EQ(count(), 0u) << "nothing is written";
}

TEST_F(CommandLineGltf, RefusesTooManyBodiesBeforeItComputes) {
  const Outcome o =
      run("run --preset lennard_jones --integrator variational,rk4,rk45,variational4 --duration "
          "1e6 --gltf "
          "run.glb"_words);
  EXPECT_EQ(o.status, 2) << o.err;
  EXPECT_TRUE(says(o.err, "--gltf: the run would be"));
  EXPECT_EQ(count(), 0u);
}

}  // namespace
}  // namespace twosphere::command_line_gltf_test
