// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

#include "python/bindings.h"

namespace twosphere::python {

namespace {

const char* kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::check:
      return "check";
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::numerical:
      return "numerical";
    case ErrorKind::input_output:
      return "input_output";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

py::object error_class(const char* name) {
  return py::module_::import("twosphere._errors").attr(name);
}

/// A text as UTF-8.
std::string to_text(py::handle value, const std::string& what) {
  Py_ssize_t size = 0;
  const char* utf8 = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (utf8 != nullptr) return {utf8, static_cast<std::size_t>(size)};
  PyErr_Clear();
  raise({ErrorKind::usage, what,
         fmt::format("must be a text that UTF-8 can hold, not {}",
                     py::repr(value).cast<std::string>())});
}

/// Reads values as a document; `what` they are.
struct Reader {
  const std::string& what;

  json::Node number(py::handle value) const {
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow == 0 && whole >= -max_whole && whole <= max_whole) return json::Node::whole(whole);
    return json::Node(to_double(value, what));
  }

  json::Node list(py::handle value, int depth) const {
    json::Node made = json::Node::array();
    for (const py::handle item : value) made.items.push_back(node(item, depth));
    return made;
  }

  json::Node node(py::handle value, int depth) const {
    if (depth > json::max_depth)
      raise({ErrorKind::usage, what, fmt::format("is nested more than {} deep", json::max_depth)});
    if (value.is_none()) return {};
    if (py::isinstance<py::bool_>(value)) return json::Node::truth(value.cast<bool>());
    if (py::isinstance<py::int_>(value)) return number(value);
    if (py::isinstance<py::float_>(value)) return json::Node(value.cast<double>());
    if (py::isinstance<py::str>(value)) return json::Node(to_text(value, what));
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))
      return list(value, depth + 1);
    if (py::isinstance<py::dict>(value)) {
      json::Node object = json::Node::object();
      for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
        if (!py::isinstance<py::str>(key))
          raise({ErrorKind::usage, what, "keys of a dictionary must be texts"});
        object.set(to_text(key, what), node(item, depth + 1));
      }
      return object;
    }
    // Arrays and numbers of NumPy.
    if (py::hasattr(value, "tolist")) return node(value.attr("tolist")(), depth + 1);
    raise({ErrorKind::usage, what,
           fmt::format("a value must be a number, a text, a list or a dictionary, not a {}",
                       py::str(py::type::of(value).attr("__name__")).cast<std::string>())});
  }
};

}  // namespace

void raise(const Error& error) {
  const py::object made =
      error_class("Error")(kind_name(error.kind), error.location, error.message);
  PyErr_SetObject(py::type::of(made).ptr(), made.ptr());
  throw py::error_already_set();
}

void warn(const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    if (PyErr_WarnEx(error_class("RunWarning").ptr(), text.c_str(), 2) != 0)
      throw py::error_already_set();
}

json::Node to_node(py::handle value, const std::string& what) {
  return Reader{what}.node(value, 0);
}

std::int64_t to_whole(py::handle value, const std::string& what, std::int64_t low,
                      std::int64_t high) {
  const auto refuse = [&] {
    const std::string most = high == max_whole ? "2^53 - 1" : fmt::format("{}", high);
    raise({ErrorKind::usage, what,
           fmt::format("must be a whole number from {} to {}, not {}", low, most,
                       py::repr(value).cast<std::string>())});
  };
  if (PyFloat_Check(value.ptr()) != 0) {
    const double number = PyFloat_AS_DOUBLE(value.ptr());
    if (number != std::floor(number) || number < static_cast<double>(low) ||
        number > static_cast<double>(high))
      refuse();
    return static_cast<std::int64_t>(number);
  }
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) PyErr_Clear();
  int overflow = 0;
  const long long number = index ? PyLong_AsLongLongAndOverflow(index.ptr(), &overflow) : 0;
  if (!index || overflow != 0 || number < low || number > high) refuse();
  return number;
}

double to_double(py::handle value, const std::string& what) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  raise({ErrorKind::usage, what,
         fmt::format("must be a number of at most 1.8e308, not {}",
                     json::quote(py::repr(value).cast<std::string>()))});
}

double to_number(py::handle value, const std::string& what) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr || !std::isfinite(number)) {
    PyErr_Clear();
    raise({ErrorKind::usage, what,
           fmt::format("must be a finite number, not {}", py::repr(value).cast<std::string>())});
  }
  return number;
}

std::optional<std::int64_t> to_optional_whole(py::handle value, const std::string& what,
                                              std::int64_t low) {
  if (value.is_none()) return {};
  return to_whole(value, what, low);
}

std::optional<double> to_optional_number(py::handle value, const std::string& what) {
  if (value.is_none()) return {};
  return to_number(value, what);
}

py::object from_node(const json::Node& node) {
  switch (node.kind) {
    case json::Kind::null:
      return py::none();
    case json::Kind::boolean:
      return py::bool_(node.boolean);
    case json::Kind::number:
      if (node.integer) return py::int_(static_cast<std::int64_t>(node.number));
      return py::float_(node.number);
    case json::Kind::string:
      return py::str(node.text);
    case json::Kind::array: {
      py::list list;
      for (const json::Node& item : node.items) list.append(from_node(item));
      return list;
    }
    case json::Kind::object:
      break;
  }
  py::dict object;
  for (const auto& [key, value] : node.members) object[py::str(key)] = from_node(value);
  return object;
}

std::vector<Setting> to_settings(const py::dict& settings) {
  std::vector<Setting> list;
  for (const auto& [key, value] : settings) {
    SettingPath path = to_text(py::str(key), "");
    if (!path.valid()) raise({ErrorKind::usage, "", path.problem()});
    json::Node node = to_node(value, path.text());
    list.push_back({std::move(path), std::move(node)});
  }
  return list;
}

void freeze(const py::array& array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

py::array_t<double> frozen(const Columns& columns) {
  py::array_t<double> array({static_cast<py::ssize_t>(columns.cols()), py::ssize_t{3}});
  std::copy_n(columns.data(), columns.size(), array.mutable_data());
  freeze(array);
  return array;
}

Numbers to_numbers(py::handle value, const std::string& what) {
  // A conversion of complex numbers would leave out the imaginary parts.
  if (const py::array any = py::array::ensure(value); any && any.dtype().kind() != 'c')
    if (const Numbers array = Numbers::ensure(any)) return array;
  PyErr_Clear();
  raise({ErrorKind::usage, what,
         fmt::format("must be numbers, not {}", json::quote(py::repr(value).cast<std::string>()))});
}

std::vector<double> to_list(py::handle value, const std::string& what) {
  const Numbers array = to_numbers(value, what);
  if (array.ndim() != 1)
    raise({ErrorKind::usage, what,
           fmt::format("must be a list of numbers, not {}",
                       json::quote(py::repr(value).cast<std::string>()))});
  std::vector<double> list(array.data(), array.data() + array.size());
  // NumPy makes NaN of None.
  if (!std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x); }))
    raise(
        {ErrorKind::usage, what,
         fmt::format("must be numbers, not {}", json::quote(py::repr(value).cast<std::string>()))});
  return list;
}

Columns to_columns(py::handle value, Eigen::Index n, const std::string& what) {
  const Numbers array = to_numbers(value, what);
  if (array.ndim() != 2 || array.shape(0) != n || array.shape(1) != 3)
    raise({ErrorKind::usage, what,
           fmt::format("must be an array of shape ({}, 3), not {}", n,
                       py::str(array.attr("shape")).cast<std::string>())});
  return Eigen::Map<const Columns>(array.data(), 3, n);
}

py::array_t<double> adopt(std::vector<double> numbers, std::vector<py::ssize_t> shape) {
  auto held = std::make_unique<std::vector<double>>(std::move(numbers));
  const double* data = held->data();
  const py::capsule owner(held.get(), [](void* p) { delete static_cast<std::vector<double>*>(p); });
  (void)held.release();
  return py::array_t<double>(std::move(shape), data, owner);
}

namespace {
thread_local Calls* innermost = nullptr;
}  // namespace

Calls::Calls() : outer_(innermost) { innermost = this; }
Calls::~Calls() { innermost = outer_; }

bool Calls::any() { return innermost && innermost->kept_; }

void Calls::keep() {
  if (innermost && !innermost->kept_) innermost->kept_ = std::current_exception();
}

void Calls::raise_kept() {
  if (kept_) std::rethrow_exception(std::exchange(kept_, nullptr));
}

}  // namespace twosphere::python
