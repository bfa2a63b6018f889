// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/page_template.h"

#include <gtest/gtest.h>

#include "tests/outcome.h"

namespace twosphere::render::page_template_test {
namespace {

using test::error_of, test::says, test::value_of;

const PageFiles complete{
    {"page.html", "<style>@STYLE@</style><p>@TEXT@</p><script>@PLAYER@</script>"},
    {"player.css", "p { margin: 0; }"},
    {"player.js", "  // A comment.\n  go();  // at once\n"}};

TEST(PageTemplate, TakesPartsAndFiles) {
  EXPECT_EQ(value_of(filled_page(complete, {{"TEXT", "me@example.org"}})),
            "<style>p { margin: 0; }</style><p>me@example.org</p>"
            "<script>go();//at once\n</script>");
}

TEST(PageTemplate, AMissingFileIsAnError) {
  for (const char* name : {"page.html", "player.css", "player.js"})
    for (const bool empty : {false, true}) {
      PageFiles files = complete;
      if (empty)
        files[name] = "";
      else
        files.erase(name);
      const Error error = error_of(filled_page(files, {{"TEXT", ""}}));
      EXPECT_EQ(error.location, name);
      EXPECT_TRUE(says(error.message, "missing in the program"));
    }
}

TEST(PageTemplate, AMissingPartIsAnError) {
  EXPECT_TRUE(says(error_of(filled_page(complete, {})).message, "no part TEXT"));
}

TEST(PageTemplate, LeavesOutComments) {
  EXPECT_EQ(without_comments("// a\n\n\tb = 'c//d'; // e\n  //f", false), "b = 'c//d'; // e\n");
  EXPECT_EQ(without_comments("x; // y\n", true), "x;\n");
}

TEST(PageTemplate, LeavesOutSpacesButNotThoseOfTexts) {
  EXPECT_EQ(
      without_spaces("const f = (a, b) => a + b ? 'x = \\' y' : `${a} = , b`;\nreturn [f];\n"),
      "const f=(a,b)=>a+b?'x = \\' y':`${a} = , b`;\nreturn[f];\n");
  EXPECT_EQ(without_spaces("x + +y - -z / 2 !== -w % ++v"), "x+ +y- -z/2!==-w%++v");
  EXPECT_EQ(without_spaces(""), "");
}

}  // namespace
}  // namespace twosphere::render::page_template_test
