// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/build.h"
#include "core/base/file.h"
#include "core/base/simd_level.h"
#include "core/base/thread_pool.h"
#include "core/base/version.h"
#include "python/bindings.h"

namespace py = pybind11;

PYBIND11_MODULE(_core, module) {
  using namespace twosphere;
  using namespace twosphere::python;
  module.doc() = "The bindings on which the package twosphere is built.";
  take(force_isa_from_environment());
  module.attr("version") = version;
  module.attr("revision") = std::string(revision());
  module.def(
      "isa_level", [] { return std::string(isa_level()); },
      "The instruction set level in use, such as 'avx2'.");
  module.def(
      "write_file",
      [](const std::string& path, const py::bytes& text) {
        take(write_file(path, std::string_view(text)));
      },
      py::arg("path"), py::arg("text"), "Writes a file, completely or not at all.");
  module.def("threads", &threads, "The number of threads that large sums use.");
  module.def(
      "set_threads",
      [](const Whole& count) { set_threads(to_int(count, "count", 1, max_threads)); },
      py::arg("count"),
      "Sets the number of threads that large sums use, at least 1. Results do not depend on "
      "it. No run may be in progress.");
  bind_catalog(module);
  bind_scenario(module);
  bind_recording(module);
  bind_simulation(module);
  bind_studies(module);
  bind_own_system(module);
  bind_own_integrator(module);
  bind_picture(module);
  bind_page(module);
}
