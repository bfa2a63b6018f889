// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/window_module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "core/base/build.h"
#include "core/base/exceptions.h"
#include "core/base/program_folder.h"

namespace twosphere {

namespace {

/// The module, beside the program as it is built or in the folder of libraries of its prefix, which
/// may be moved. It stays loaded.
Result<const WindowModule*> load_window() {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = program_folder();
  fs::path file = folder / TWOSPHERE_MODULE;
  if (!fs::exists(file, none)) file = folder / TWOSPHERE_MODULE_FOLDER / TWOSPHERE_MODULE;
  const auto failure = [](const std::string& reason) {
    return Error{ErrorKind::input_output, "",
                 "what draws windows, pictures and figures cannot be loaded: " + reason};
  };
  void* const library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    const char* const reason = dlerror();
    return failure(fmt::format("{}; it must be that of {}", reason ? reason : file.string(),
                               program_version()));
  }
  const void* const version = dlsym(library, "twosphere_window_version");
  const char* const built = version ? static_cast<const char*>(version) : "another version";
  const void* const found = dlsym(library, "twosphere_window_module");
  if (found && built == program_version()) return static_cast<const WindowModule*>(found);
  return failure(
      fmt::format("{} is of {}, and the program is {}", file.string(), built, program_version()));
}

const Result<const WindowModule*>& window_module() {
  static const Result<const WindowModule*> module = load_window();
  return module;
}

}  // namespace

Result<void> load_window_module() {
  const auto& window = window_module();
  if (!window) return window.error();
  return {};
}

int open_window(int argc, char** argv, const WindowOptions& options) {
  return must(window_module())->run_window(argc, argv, options);
}

int draw_by_module(const PictureOptions& options) {
  return must(window_module())->draw_pictures(options);
}

Result<std::string> figure_by_module(const Figure& figure, const FigurePage& page,
                                     const std::string& location) {
  const auto& window = window_module();
  if (!window) return window.error();
  std::string bytes = (*window)->figure_file(figure, page);
  if (bytes.empty()) return Error{ErrorKind::input_output, location, "the figure cannot be drawn"};
  return bytes;
}

Result<DrawnPage> page_by_module(const render::WebPageSource& source) {
  const auto& window = window_module();
  if (!window) return window.error();
  return (*window)->web_page(source);
}

Result<render::GltfRun> gltf_by_module(const Snapshot& end, const Scenario& record,
                                       const PageRows& rows,
                                       const std::optional<TurningFrame>& frame) {
  const auto& window = window_module();
  if (!window) return window.error();
  return (*window)->gltf(end, record, rows, frame);
}

}  // namespace twosphere
