// SPDX-License-Identifier: GPL-3.0-or-later
// Who may include whom: app → {ui, render} → core, and within each layer a wing itself and those
// before it. Qt, OpenGL, GLM and Dear ImGui all lie in the compiler's default include path, so only
// this test keeps them out of where they do not belong.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/documents.h"

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string_view>;
using twosphere::test::text_of;

const fs::path root = TWOSPHERE_SOURCE_DIR;

/// What the files of one folder may include.
struct Layer {
  std::string_view folder;
  Names below;     ///< other folders of this project
  Names packages;  ///< beginnings of other projects' header names
  /// Its wings, folders or single modules, from the ground up: each may include itself and those
  /// before it. What lies in none of them may include all.
  Names wings;
};

// The C++ standard library is open to all.
const std::vector<Layer> layers = {
    {"core",
     {"embedded/"},
     {"Eigen/", "nlohmann/", "fmt/", "fftw3.h", "hwy/", "llvm-c/", "llvm/Config/", "netcdf.h",
      "netcdf_mem.h", "zlib.h"},
     {"base", "language", "color", "mechanics", "program", "custom", "kernels", "systems",
      "integrators", "catalog", "scenario", "run", "worker", "record", "branches", "output",
      "studies", "tours"}},
    {"render", {"core/", "embedded/"}, {"Eigen/", "fmt/", "glm/", "GL/glcorearb.h", "EGL/"}, {}},
    {"ui",
     {"core/", "embedded/"},
     {"Eigen/", "fmt/", "imgui"},
     {"plot", "shell", "fields", "plots", "scene", "panels"}},
    {"python", {"core/", "render/"}, {"Eigen/", "fmt/", "pybind11/"}, {}},
    {"app",
     {"core/", "render/", "ui/", "embedded/", "moc_"},
     {"Eigen/", "fmt/", "glm/", "GL/", "EGL/", "imgui", "backends/imgui_impl_", "CLI/", "Q",
      "malloc.h", "sanitizer/tsan_interface.h"},
     {"base", "session", "scene", "figures", "export", "dialogs", "window", "cli"}},
};

// POSIX, for what the standard library lacks: durable files, processes, terminals, libraries that
// are loaded later.
const Names posix = {"dlfcn.h",  "fcntl.h", "poll.h",   "pthread.h", "sched.h",
                     "signal.h", "spawn.h", "unistd.h", "sys/"};

bool starts_with_any(std::string_view text, const Names& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool of_standard_library(std::string_view header) {
  return header.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == header.npos;
}

/// Of "core/run/lane.h" the wing "run", of "core/catalog.h" "catalog".
std::string_view wing_of(std::string_view path) {
  const std::string_view inside = path.substr(path.find('/') + 1);
  return inside.substr(0, inside.find_first_of("./"));
}

/// How far up in its layer a file stands.
std::ptrdiff_t height(const Layer& layer, std::string_view path) {
  return std::find(layer.wings.begin(), layer.wings.end(), wing_of(path)) - layer.wings.begin();
}

/// What a source text includes: number of the line, and <NAME> or "NAME".
std::vector<std::pair<int, std::string>> includes(std::istream& text) {
  static const std::regex include(R"(^\s*#\s*include\s*(.*?)\s*(//.*)?$)");
  std::vector<std::pair<int, std::string>> found;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    std::smatch match;
    if (std::regex_match(line, match, include)) found.emplace_back(number, match[1]);
  }
  return found;
}

/// The includes of a source text, in the file `path`, that it may not have, as "LINE: include".
std::vector<std::string> violations(std::string_view path, std::istream& text) {
  static const std::regex named(R"([<"]([^>"]+)[>"])");
  const auto folder = path.substr(0, path.find('/'));
  const Layer& layer = *std::find_if(layers.begin(), layers.end(),
                                     [&](const Layer& l) { return l.folder == folder; });
  std::vector<std::string> found;
  for (const auto& [number, what] : includes(text)) {
    std::smatch name;
    bool allowed = false;
    if (std::regex_match(what, name, named)) {
      const std::string header = name[1];
      if (header.find("..") != header.npos) {
        allowed = false;
      } else if (what[0] == '<') {
        allowed = of_standard_library(header) || starts_with_any(header, posix) ||
                  starts_with_any(header, layer.packages);
      } else if (header.substr(0, header.find('/')) == folder) {
        allowed = height(layer, header) <= height(layer, path);
      } else {
        allowed = starts_with_any(header, layer.below);
      }
    }
    if (!allowed) found.push_back(std::to_string(number) + ": " + what);
  }
  return found;
}

std::vector<std::string> violations(std::string_view path, const std::string& text) {
  std::istringstream stream(text);
  return violations(path, stream);
}

bool is_source(const fs::path& path) {
  const std::string extension = path.extension();
  return extension == ".h" || extension == ".cpp" || path.string().ends_with(".h.in");
}

/// "core/run/lane" of both its files.
std::string module(const std::string& path) {
  const std::string_view ending = path.ends_with(".h.in") ? ".h.in"
                                  : path.ends_with(".h")  ? ".h"
                                                          : ".cpp";
  return path.substr(0, path.size() - ending.size());
}

/// Modules, a header and its source each, with those that they include.
using Graph = std::map<std::string, std::set<std::string>>;

/// The modules of a circle of includes, "a b a"; empty if there is none.
std::string circle(const Graph& graph) {
  std::map<std::string, int> seen;  // 1: on the way, 2: done
  std::vector<std::string> way;
  std::string found;
  const std::function<bool(const std::string&)> visit = [&](const std::string& at) {
    if (seen[at] == 2) return false;
    way.push_back(at);
    if (seen[at] == 1) {
      for (auto i = std::find(way.begin(), way.end(), at); i != way.end(); ++i) found += *i + ' ';
      return true;
    }
    seen[at] = 1;
    if (const auto edges = graph.find(at); edges != graph.end())
      for (const std::string& next : edges->second)
        if (visit(next)) return true;
    seen[at] = 2;
    way.pop_back();
    return false;
  };
  for (const auto& [at, edges] : graph)
    if (visit(at)) return found;
  return {};
}

/// Whether a line of `nm --undefined-only --demangle` names something of Qt, OpenGL, EGL or ImGui.
bool of_window_system(const std::string& line) {
  static const std::regex foreign(
      R"(^\s*[Uvw] (non-virtual thunk to |vtable for |typeinfo for |guard variable for )?)"
      R"((Q[A-Z]\w*|Q[tT]\w*|q[A-Z]\w*|gl[A-Z]\w*|egl[A-Z]\w*|ImGui\w*|Im[A-Z]\w*)(::|\(|<|@|$).*)");
  return std::regex_match(line, foreign);
}

TEST(Layering, ScannerFindsWhatIsNotAllowed) {
  using Found = std::vector<std::string>;
  const auto core = [](const std::string& text) { return violations("core/run/lane.h", text); };
  EXPECT_EQ(core("#include <vector>\n#include <QString>\n"), Found{"2: <QString>"});
  EXPECT_EQ(core("  #  include <imgui/imgui.h>  // why\n"), Found{"1: <imgui/imgui.h>"});
  EXPECT_EQ(core("#include <glm/vec3.hpp>\n#include <GL/gl.h>\n").size(), 2u);
  EXPECT_EQ(core("#include \"render/scene.h\"\n").size(), 1u);
  EXPECT_EQ(core("#include \"state.h\"\n").size(), 1u);
  EXPECT_EQ(core("#include \"core/../app/window.h\"\n").size(), 1u);
  EXPECT_EQ(core("#include HEADER\n").size(), 1u);
  EXPECT_EQ(violations("ui/plots/plot.h", "#include \"render/scene.h\"\n").size(), 1u);
  EXPECT_EQ(violations("ui/plots/plot.h", "#include <QWidget>\n#include <GL/glcorearb.h>\n").size(),
            2u);
  const std::string higher = "#include \"ui/interface.h\"\n#include <imgui.h>\n";
  EXPECT_EQ(violations("render/scene.h", higher).size(), 2u);
  EXPECT_EQ(violations("render/scene.h", "#include <QOpenGLContext>\n").size(), 1u);
  const std::string boost = "#include <boost/math/special_functions.hpp>\n";
  EXPECT_EQ(violations("app/cli/run.cpp", boost).size(), 1u);
}

TEST(Layering, ScannerFindsWhatClimbs) {
  const auto core = [](std::string_view path, const std::string& header) {
    return violations(path, "#include \"" + header + "\"\n").size();
  };
  EXPECT_EQ(core("core/run/lane.h", "core/record/history.h"), 1u);
  EXPECT_EQ(core("core/record/history.h", "core/run/lane.h"), 0u);
  EXPECT_EQ(core("core/run/lane.h", "core/run/trail.h"), 0u);
  EXPECT_EQ(core("core/systems/n_body.cpp", "core/catalog.h"), 1u);
  EXPECT_EQ(core("core/scenario/reader.cpp", "core/catalog.h"), 0u);
  EXPECT_EQ(core("core/catalog.h", "core/scenario/scenario.h"), 1u);
  EXPECT_EQ(core("app/session/session.h", "app/window/window.h"), 1u);
  EXPECT_EQ(core("app/main.cpp", "app/cli/command_line.h"), 0u);
}

TEST(Layering, ScannerAllowsWhatIsAllowed) {
  EXPECT_TRUE(violations("core/run/lane.h",
                         "#include <Eigen/Core>\n#include <string_view>\n#include <unistd.h>\n"
                         "#include \"core/mechanics/state.h\"\n// #include <QString>\n")
                  .empty());
  const std::string lower = "#include <GL/glcorearb.h>\n#include \"core/worker/worker.h\"\n";
  EXPECT_TRUE(violations("render/scene.h", lower).empty());
  EXPECT_TRUE(
      violations("ui/plots/plot.h", "#include <imgui.h>\n#include \"ui/plot/axis.h\"\n").empty());
  const std::string qt = "#include <QMainWindow>\n#include \"moc_window.cpp\"\n";
  EXPECT_TRUE(violations("app/window/window.h", qt).empty());
}

TEST(Layering, SourcesKeepTheTable) {
  for (const Layer& layer : layers) {
    std::set<std::string, std::less<>> met;
    for (const auto& entry : fs::recursive_directory_iterator(root / layer.folder)) {
      if (!is_source(entry.path())) continue;
      const std::string path = fs::relative(entry.path(), root);
      met.emplace(wing_of(path));
      std::ifstream text(entry.path());
      for (const std::string& violation : violations(path, text))
        ADD_FAILURE() << path << ":" << violation << ": not allowed there";
    }
    EXPECT_FALSE(met.empty()) << layer.folder;
    for (const std::string_view wing : layer.wings)
      EXPECT_TRUE(met.contains(wing)) << layer.folder << "/" << wing << ": is not there";
  }
}

// What moc makes of a header is compiled with the header's own file: elsewhere, the linker would
// miss it.
TEST(Layering, ClassesOfQtAreCompiledWithTheirMoc) {
  int headers = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "app")) {
    fs::path path = fs::relative(entry.path(), root);
    if (path.extension() != ".h" || text_of(path).find("Q_OBJECT") == std::string::npos) continue;
    ++headers;
    const std::string line = "#include \"moc_" + path.stem().string() + ".cpp\"\n";
    path.replace_extension(".cpp");
    EXPECT_TRUE(text_of(path).ends_with(line)) << path << " does not end with " << line;
  }
  EXPECT_GT(headers, 20);
}

// Nor what `reproduce` draws of the paper: its figures take plots as data and Qt's painter alone.
TEST(Layering, WhatPlotsSayKnowsNoPainter) {
  for (const std::string_view folder : {"ui/plot", "app/figures"}) {
    int files = 0;
    for (const auto& entry : fs::directory_iterator(root / folder)) {
      ++files;
      std::ifstream text(entry.path());
      for (const auto& [number, what] : includes(text)) {
        EXPECT_FALSE(what.starts_with("<imgui")) << entry.path() << ":" << number;
        EXPECT_TRUE(!what.starts_with("\"ui/") || what.starts_with("\"ui/plot/"))
            << entry.path() << ":" << number;
      }
    }
    EXPECT_GT(files, 10) << folder;
  }
}

/// Of a test, "tests/core/scenario/timetable_test.cpp", those of the modules that have its name but
/// lie elsewhere in its layer, unless one lies in its own folder. Tests of no folder are the
/// core's.
std::set<std::string> misplaced(std::string_view test, const std::set<std::string>& modules) {
  std::string own(test.substr(std::string_view("tests/").size()));
  own.erase(own.rfind("_test.cpp"));
  if (own.find('/') == own.npos) own.insert(0, "core/");
  const std::string layer = own.substr(0, own.find('/') + 1), name = own.substr(own.rfind('/'));
  std::set<std::string> namesakes;
  if (!modules.contains(own))
    for (const std::string& module : modules)
      if (module.starts_with(layer) && module.ends_with(name)) namesakes.insert(module);
  return namesakes;
}

TEST(Layering, TestsLieWhereTheirModulesDo) {
  const std::set<std::string> some{"core/catalog", "core/run/lane", "core/custom/figure",
                                   "ui/plot/figure"};
  EXPECT_TRUE(misplaced("tests/catalog_test.cpp", some).empty());
  EXPECT_TRUE(misplaced("tests/ui/plot/figure_test.cpp", some).empty());
  EXPECT_TRUE(misplaced("tests/app/figures/figure_test.cpp", some).empty());
  EXPECT_TRUE(misplaced("tests/core/run/plane_test.cpp", some).empty());
  EXPECT_EQ(misplaced("tests/core/scenario/lane_test.cpp", some).size(), 1u);
  EXPECT_EQ(misplaced("tests/ui/plots/figure_test.cpp", some).size(), 1u);

  std::set<std::string> modules;
  for (const Layer& layer : layers)
    for (const auto& entry : fs::recursive_directory_iterator(root / layer.folder))
      if (is_source(entry.path())) modules.insert(module(fs::relative(entry.path(), root)));
  int tests = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests")) {
    const std::string path = fs::relative(entry.path(), root);
    if (!path.ends_with("_test.cpp")) continue;
    ++tests;
    for (const std::string& of : misplaced(path, modules)) ADD_FAILURE() << path << " of " << of;
  }
  EXPECT_GT(tests, 100);
}

// So that "system.h" in a talk, an error or a list of open files is one file.
TEST(Layering, HeadersHaveNamesOfTheirOwn) {
  std::map<std::string, std::string> known;
  const auto read = [&](std::string_view folder) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".h") continue;
      const std::string path = fs::relative(entry.path(), root);
      const auto [other, is_new] = known.emplace(entry.path().filename(), path);
      EXPECT_TRUE(is_new) << path << " has the name of " << other->second;
    }
  };
  for (const Layer& layer : layers) read(layer.folder);
  read("tests");
  EXPECT_GT(known.size(), 300U);
}

TEST(Layering, CirclesAreFound) {
  EXPECT_EQ(circle({{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {"d"}}}), "");
  EXPECT_EQ(circle({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}), "b c b ");
}

TEST(Layering, NoModulesIncludeEachOtherInACircle) {
  Graph graph;
  for (const Layer& layer : layers) {
    for (const auto& entry : fs::recursive_directory_iterator(root / layer.folder)) {
      if (!is_source(entry.path())) continue;
      const std::string path = fs::relative(entry.path(), root), from = module(path);
      std::ifstream text(entry.path());
      for (const auto& [number, what] : includes(text)) {
        const std::string to = module(what.substr(1, what.size() - 2));
        if (what[0] == '"' && to != from) graph[from].insert(to);
      }
    }
  }
  EXPECT_GT(graph.size(), 100u);
  EXPECT_EQ(circle(graph), "");
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

/// Symbols that a library asks for, one a line as `nm` names them.
std::vector<std::string> undefined(const std::string& library) {
  const std::string command = "nm --undefined-only --demangle '" + library + "' 2>/dev/null";
  std::vector<std::string> symbols;
  FILE* nm = popen(command.c_str(), "r");
  EXPECT_NE(nm, nullptr);
  std::array<char, 65536> buffer;
  while (nm && std::fgets(buffer.data(), buffer.size(), nm)) {
    std::string line = buffer.data();
    line.erase(line.find_last_not_of('\n') + 1);
    if (line.find(" U ") != line.npos) symbols.push_back(std::move(line));
  }
  EXPECT_TRUE(nm && pclose(nm) == 0) << command;
  EXPECT_GT(symbols.size(), 20u) << library << ": nm saw next to nothing";
  return symbols;
}

TEST(Layering, LibrariesOfTheProgramNeedNoWindowSystem) {
  for (const std::string library : {TWOSPHERE_PLAIN_LIBRARIES})
    for (const std::string& line : undefined(library))
      // Names that fill a screen are instances of templates of the core's own.
      if (line.size() < 500) {
        EXPECT_FALSE(of_window_system(line)) << library << line;
      }
}

#ifdef TWOSPHERE_FIGURE_LIBRARY
TEST(Layering, FigureLibraryNeedsNoImGui) {
  int painter = 0;
  for (const std::string& line : undefined(TWOSPHERE_FIGURE_LIBRARY)) {
    EXPECT_EQ(line.find(" ImGui"), line.npos) << line;
    EXPECT_EQ(line.find(" ImDraw"), line.npos) << line;
    painter += line.find(" QPainter::") != line.npos;
  }
  EXPECT_GT(painter, 5);
}
#endif

/// What the comments of a source text name like a file of this project, "core/run/lane.h" or
/// "lane.h": number of the line, and name. Headers of others stand in <>.
std::vector<std::pair<int, std::string>> named_in_comments(std::istream& text) {
  static const std::regex name(R"(<[^>]*>|\b([a-z][a-z0-9_/]*\.(h|cpp))\b(?!\.\w))");
  std::vector<std::pair<int, std::string>> found;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    const std::string comment = line.substr(std::min(line.find("//"), line.size()));
    for (std::sregex_iterator it(comment.begin(), comment.end(), name), end; it != end; ++it)
      if ((*it)[1].matched) found.emplace_back(number, (*it)[1]);
  }
  return found;
}

TEST(Layering, CommentsNameFilesThatExist) {
  std::istringstream example(
      "lane.h  // core/run/lane.h, <sys/stat.h>, KEY_test.cpp\n// lane.cpp.");
  EXPECT_EQ(named_in_comments(example),
            (std::vector<std::pair<int, std::string>>{{1, "core/run/lane.h"}, {2, "lane.cpp"}}));
  std::set<std::string> folders{"tests"}, names;
  for (const Layer& layer : layers) folders.emplace(layer.folder);
  std::vector<fs::path> files;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (is_source(entry.path())) {
        files.push_back(entry.path());
        names.insert(entry.path().filename());
      }
  for (const fs::path& file : files) {
    std::ifstream text(file);
    for (const auto& [number, name] : named_in_comments(text))
      EXPECT_TRUE(names.contains(name) || fs::exists(root / name))
          << fs::relative(file, root) << ":" << number << " names " << name;
  }
}

TEST(Layering, EveryFileNamesItsLicence) {
  constexpr std::string_view identifier = "SPDX-License-Identifier: GPL-3.0-or-later";
  // Formats without comments, and texts for people.
  const Names exempt = {".json", ".csv", ".help", ".md", ".png", ".jpg"};
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
        // What app stores read of the program has to be free of conditions.
        found = found || line.find(identifier) != line.npos ||
                (extension == ".in" && line.find("SPDX-License-Identifier: FSFAP") != line.npos);
      }
      EXPECT_TRUE(found) << fs::relative(entry.path(), root).string();
    }
  }
  EXPECT_GT(files, 20);
}

}  // namespace
