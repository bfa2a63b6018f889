// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/exceptions.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>
#include <system_error>

#include "core/base/build.h"
#include "core/base/version.h"
#include "core/scenario/document.h"
#include "tests/outcome.h"

namespace twosphere::exceptions_test {
namespace {

using test::says;

/// What a piece of work throws, as an error.
template <class Work>
Error thrown_by(const Work& work) {
  try {
    work();
  } catch (const std::exception& e) {
    return from_exception(e);
  }
  return {};
}

TEST(ErrorOf, AsksForAReportOfAnUnexpectedException) {
  for (const Error& error : {thrown_by([] { (void)std::string("abc").at(7); }),
                             thrown_by([] { throw std::logic_error("a thing that cannot be"); }),
                             thrown_by([] { throw std::runtime_error("another"); })}) {
    EXPECT_EQ(error.kind, ErrorKind::internal);
    EXPECT_EQ(static_cast<int>(error.kind), 70) << "the exit status";
    for (const std::string& words :
         {std::string("internal error: "), std::string("Please report it"), std::string("scenario"),
          program_version()})
      EXPECT_TRUE(says(error.text(), words));
  }
}

TEST(ErrorOf, LeavesTheSystemsFailuresWhatTheyAre) {
  const Error full = thrown_by(
      [] { throw std::system_error(std::make_error_code(std::errc::no_space_on_device)); });
  EXPECT_EQ(full.kind, ErrorKind::input_output);
  EXPECT_EQ(full.text(), "No space left on device");
  const Error file = thrown_by([] { (void)std::filesystem::file_size("/no/such/file"); });
  EXPECT_EQ(file.kind, ErrorKind::input_output);
  const Error stream = thrown_by([] {
    std::ifstream in("/no/such/file");
    in.exceptions(std::ios::failbit);
  });
  EXPECT_EQ(stream.kind, ErrorKind::input_output);
  const Error memory = thrown_by([] { throw std::bad_alloc(); });
  EXPECT_EQ(memory.kind, ErrorKind::input_output);
  EXPECT_EQ(memory.text(), "there is not enough memory");
}

// What a document's reader throws can be caught by whoever catches anything.
TEST(ErrorOf, KeepsAnErrorThatIsThrown) {
  const json::Node node(1.0);
  const document::Origin source{"file"};
  const Error error =
      thrown_by([&] { (void)document::Value(source, node, "system.masses[1]").text(); });
  EXPECT_EQ(error.kind, ErrorKind::usage);
  EXPECT_EQ(error.location, "file: system.masses[1]");
  EXPECT_EQ(error.message, "must be a string, not 1");
}

TEST(Version, NamesRevisionAndCompiler) {
  const std::string said = program_version();
  EXPECT_TRUE(said.starts_with(std::string("twosphere ") + version)) << said;
  EXPECT_TRUE(says(said, compiler));
  EXPECT_TRUE(says(said, revision()));
  for (const char c : revision().substr(0, 12)) EXPECT_TRUE(std::isxdigit(c)) << revision();
}

}  // namespace
}  // namespace twosphere::exceptions_test
