// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/mechanics/sphere.h"
#include "core/scenario/document.h"
#include "core/scenario/setting.h"

/// The Python module twosphere._core, on which the package twosphere is built. Each file binds one
/// topic. Arrays of vectors are (n, 3) in C order, which are the columns of a 3×n array.
namespace twosphere::python {

namespace py = pybind11;

void bind_catalog(py::module_& module);
void bind_scenario(py::module_& module);
void bind_recording(py::module_& module);
void bind_simulation(py::module_& module);
void bind_studies(py::module_& module);
void bind_own_system(py::module_& module);
void bind_own_integrator(py::module_& module);
void bind_picture(py::module_& module);
void bind_page(py::module_& module);

/// Raises the error as twosphere.Error. The GIL must be held.
[[noreturn]] void raise(const Error& error);

/// The value of a result; its error is raised.
template <class T>
T take(Result<T> result) {
  if (!result) raise(result.error());
  return std::move(*result);
}
inline void take(const Result<void>& result) {
  if (!result) raise(result.error());
}

/// Issues each text as a twosphere.RunWarning.
void warn(const std::vector<std::string>& texts);

/// None, bool, numbers, text, lists and dictionaries, also of NumPy, as a document and back. Fails,
/// naming `what`, if it is something else.
json::Node to_node(py::handle value, const std::string& what = "");
py::object from_node(const json::Node& node);
/// The largest whole number below which a double has every other one.
constexpr std::int64_t max_whole = document::max_steps;
/// An argument that to_whole() reads: the module says "int".
struct Whole {
  py::object given;
  operator py::handle() const { return given; }  // NOLINT(google-explicit-constructor)
};
/// A whole number from `low` to `high`, also as a float without fraction. Fails, naming `what`, if
/// it is something else.
std::int64_t to_whole(py::handle value, const std::string& what, std::int64_t low,
                      std::int64_t high = max_whole);
inline int to_int(py::handle value, const std::string& what, int low,
                  int high = std::numeric_limits<int>::max()) {
  return static_cast<int>(to_whole(value, what, low, high));
}
/// The largest number of threads or jobs, that of the command line.
constexpr int max_threads = 1024;
/// A number, which may be infinite or NaN. Fails, naming `what`, if it is something else.
double to_double(py::handle value, const std::string& what);
/// A finite number. Fails, naming `what`, if it is something else.
double to_number(py::handle value, const std::string& what);
/// The same of what may be None.
std::optional<std::int64_t> to_optional_whole(py::handle value, const std::string& what,
                                              std::int64_t low);
std::optional<double> to_optional_number(py::handle value, const std::string& what);
/// {path: value, ...} in its order.
std::vector<Setting> to_settings(const py::dict& settings);

/// From now on the array cannot be written.
void freeze(const py::array& array);
/// A new array that Python owns, with the same contents, which cannot be written.
py::array_t<double> frozen(const Columns& columns);
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
/// Numbers of any shape. Fails, naming `what`, if they are something else.
Numbers to_numbers(py::handle value, const std::string& what);
/// A list of numbers, likewise.
std::vector<double> to_list(py::handle value, const std::string& what);
/// The contents of an (n, 3) array of numbers. Fails, naming `what`, if it has another shape.
Columns to_columns(py::handle value, Eigen::Index n, const std::string& what);
/// A new array that takes over these numbers without copying them.
py::array_t<double> adopt(std::vector<double> numbers, std::vector<py::ssize_t> shape);

/// Python functions that the core calls: what they raise is kept, since the core knows no
/// exceptions, and raised again by the function that was called from Python.
class Calls {
 public:
  Calls();
  ~Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  /// Raises what was kept on this thread since construction. The GIL must be held.
  void raise_kept();
  /// Whether something is kept on this thread.
  static bool any();
  /// Keeps the exception that is being handled, if none is kept yet.
  static void keep();

 private:
  std::exception_ptr kept_;
  Calls* outer_;
};

/// The value of a result of body(), in which the core may call Python functions.
template <class Body>
auto take_called(Body&& body) {
  Calls calls;
  auto result = body();
  calls.raise_kept();
  return take(std::move(result));
}

}  // namespace twosphere::python

/// Takes any object, so that what is wrong with it is said in the words of the program.
template <>
struct pybind11::detail::type_caster<twosphere::python::Whole> {
  PYBIND11_TYPE_CASTER(twosphere::python::Whole, const_name("int"));
  bool load(handle source, bool) {
    value.given = reinterpret_borrow<object>(source);
    return true;
  }
};
