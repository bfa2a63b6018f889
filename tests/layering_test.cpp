// SPDX-License-Identifier: GPL-3.0-or-later
// Who may include whom: app → {ui, render} → core. Qt, OpenGL, GLM and Dear ImGui all lie in the
// compiler's default include path, so only this test keeps them out of where they do not belong.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string_view>;

/// What the files of one folder may include.
struct Layer {
  std::string_view folder;
  Names own;       ///< folders of this project
  Names packages;  ///< beginnings of other projects' header names
};

// The C++ standard library is open to all.
const std::vector<Layer> layers = {
    {"core", {"core/", "embedded/"}, {"Eigen/", "boost/", "nlohmann/", "fmt/", "fftw3.h", "hwy/"}},
    {"render",
     {"core/", "render/", "embedded/"},
     {"Eigen/", "fmt/", "glm/", "GL/glcorearb.h", "EGL/"}},
    {"ui", {"core/", "ui/"}, {"Eigen/", "fmt/", "imgui"}},
    {"app",
     {"core/", "render/", "ui/", "app/", "embedded/"},
     {"Eigen/", "fmt/", "glm/", "GL/", "EGL/", "imgui", "backends/imgui_impl_", "CLI/", "Q",
      "malloc.h"}},
};

// POSIX, for what the standard library lacks: durable files, processes, terminals.
const Names posix = {"fcntl.h",  "poll.h",  "pthread.h", "sched.h",
                     "signal.h", "spawn.h", "unistd.h",  "sys/"};

bool starts_with_any(std::string_view text, const Names& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool of_standard_library(std::string_view header) {
  return header.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == header.npos;
}

/// The includes of a source text that its layer may not have, as "LINE: include".
std::vector<std::string> violations(const Layer& layer, std::istream& text) {
  static const std::regex include(R"(^\s*#\s*include\s*(.*?)\s*(//.*)?$)");
  static const std::regex named(R"([<"]([^>"]+)[>"])");
  std::vector<std::string> found;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    std::smatch match;
    if (!std::regex_match(line, match, include)) continue;
    const std::string what = match[1];
    std::smatch name;
    bool allowed = false;
    if (std::regex_match(what, name, named)) {
      const std::string header = name[1];
      allowed = header.find("..") == header.npos &&
                (what[0] == '"' ? starts_with_any(header, layer.own) ||
                                      (layer.folder == "app" && header.ends_with(".moc"))
                                : of_standard_library(header) || starts_with_any(header, posix) ||
                                      starts_with_any(header, layer.packages));
    }
    if (!allowed) found.push_back(std::to_string(number) + ": " + what);
  }
  return found;
}

std::vector<std::string> violations(std::string_view folder, const std::string& text) {
  const auto layer = std::find_if(layers.begin(), layers.end(),
                                  [&](const Layer& l) { return l.folder == folder; });
  std::istringstream stream(text);
  return violations(*layer, stream);
}

bool is_source(const fs::path& path) {
  const std::string extension = path.extension();
  return extension == ".h" || extension == ".cpp" || path.string().ends_with(".h.in");
}

/// Whether a line of `nm --undefined-only --demangle` names something of Qt, OpenGL, EGL or ImGui.
bool of_window_system(const std::string& line) {
  static const std::regex foreign(
      R"(^\s*[Uvw] (non-virtual thunk to |vtable for |typeinfo for |guard variable for )?)"
      R"((Q[A-Z]\w*|Q[tT]\w*|q[A-Z]\w*|gl[A-Z]\w*|egl[A-Z]\w*|ImGui\w*|Im[A-Z]\w*)(::|\(|<|@|$).*)");
  return std::regex_match(line, foreign);
}

const fs::path root = TWOSPHERE_SOURCE_DIR;

TEST(Layering, ScannerFindsWhatIsNotAllowed) {
  using Found = std::vector<std::string>;
  EXPECT_EQ(violations("core", "#include <vector>\n#include <QString>\n"), Found{"2: <QString>"});
  EXPECT_EQ(violations("core", "  #  include <imgui/imgui.h>  // why\n"),
            Found{"1: <imgui/imgui.h>"});
  EXPECT_EQ(violations("core", "#include <glm/vec3.hpp>\n#include <GL/gl.h>\n").size(), 2u);
  EXPECT_EQ(violations("core", "#include \"render/scene.h\"\n").size(), 1u);
  EXPECT_EQ(violations("core", "#include \"state.h\"\n").size(), 1u);
  EXPECT_EQ(violations("core", "#include \"core/../app/window.h\"\n").size(), 1u);
  EXPECT_EQ(violations("core", "#include HEADER\n").size(), 1u);
  EXPECT_EQ(violations("ui", "#include \"render/scene.h\"\n").size(), 1u);
  EXPECT_EQ(violations("ui", "#include <QWidget>\n#include <GL/glcorearb.h>\n").size(), 2u);
  EXPECT_EQ(violations("render", "#include \"ui/interface.h\"\n#include <imgui.h>\n").size(), 2u);
  EXPECT_EQ(violations("render", "#include <QOpenGLContext>\n").size(), 1u);
  EXPECT_EQ(violations("app", "#include <boost/math/special_functions.hpp>\n").size(), 1u);
}

TEST(Layering, ScannerAllowsWhatIsAllowed) {
  EXPECT_TRUE(violations("core",
                         "#include <Eigen/Core>\n#include <string_view>\n#include <unistd.h>\n"
                         "#include \"core/mechanics/state.h\"\n// #include <QString>\n")
                  .empty());
  EXPECT_TRUE(
      violations("render", "#include <GL/glcorearb.h>\n#include \"core/run/worker.h\"\n").empty());
  EXPECT_TRUE(violations("ui", "#include <imgui.h>\n#include \"ui/actions.h\"\n").empty());
  EXPECT_TRUE(violations("app", "#include <QMainWindow>\n#include \"window.moc\"\n").empty());
}

TEST(Layering, SourcesKeepTheTable) {
  for (const Layer& layer : layers) {
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root / layer.folder)) {
      if (!is_source(entry.path())) continue;
      ++files;
      std::ifstream text(entry.path());
      for (const std::string& violation : violations(layer, text)) {
        ADD_FAILURE() << fs::relative(entry.path(), root).string() << ":" << violation
                      << ": not allowed in " << layer.folder << "/";
      }
    }
    EXPECT_GT(files, 0) << layer.folder;
  }
}

TEST(Layering, SymbolFilterTellsForeignFromOwn) {
  EXPECT_TRUE(of_window_system("                 U QString::~QString()"));
  EXPECT_TRUE(of_window_system("                 U glDrawArrays"));
  EXPECT_TRUE(of_window_system("                 U eglInitialize"));
  EXPECT_TRUE(of_window_system("                 U ImGui::Begin(char const*, bool*, int)"));
  EXPECT_TRUE(of_window_system("                 U vtable for QObject"));
  EXPECT_TRUE(of_window_system("                 U qVersion()"));
  EXPECT_FALSE(of_window_system("                 U twosphere::Worker::send(Query)"));
  EXPECT_FALSE(of_window_system("                 U qsort"));
  EXPECT_FALSE(of_window_system("                 U glob"));
}

TEST(Layering, CoreLibraryNeedsNoWindowSystem) {
  const std::string command =
      "nm --undefined-only --demangle '" TWOSPHERE_CORE_LIBRARY "' 2>/dev/null";
  FILE* nm = popen(command.c_str(), "r");
  ASSERT_NE(nm, nullptr);
  std::array<char, 65536> buffer;
  int symbols = 0;
  while (std::fgets(buffer.data(), buffer.size(), nm)) {
    std::string line = buffer.data();
    line.erase(line.find_last_not_of('\n') + 1);
    if (line.find(" U ") != line.npos) ++symbols;
    // Names that fill a screen are instances of templates of the core's own.
    if (line.size() < 500) {
      EXPECT_FALSE(of_window_system(line)) << line;
    }
  }
  EXPECT_EQ(pclose(nm), 0) << command;
  EXPECT_GT(symbols, 20) << "nm saw next to nothing";
}

TEST(Layering, EveryFileNamesItsLicence) {
  constexpr std::string_view identifier = "SPDX-License-Identifier: GPL-3.0-or-later";
  // Formats without comments, and texts for people.
  const Names exempt = {".json", ".csv", ".md", ".png", ".jpg"};
  int files = 0;
  for (const std::string_view folder : {".ci", "app", "cmake", "core", "render", "resources",
                                        "scripts", "shaders", "tests", "ui"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string extension = entry.path().extension();
      if (std::find(exempt.begin(), exempt.end(), extension) != exempt.end()) continue;
      ++files;
      std::ifstream text(entry.path());
      bool found = false;
      std::string line;
      for (int number = 0; number < 4 && std::getline(text, line); ++number) {
        found = found || line.find(identifier) != line.npos;
      }
      EXPECT_TRUE(found) << fs::relative(entry.path(), root).string();
    }
  }
  EXPECT_GT(files, 20);
}

}  // namespace
