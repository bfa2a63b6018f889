// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <limits>
#include <mutex>

#include "core/catalog.h"
#include "core/mechanics/system.h"
#include "python/bindings.h"
#include "python/own.h"

namespace twosphere::python {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Of central differences: the error is of the order of its square, and of rounding divided by it.
const double difference = std::cbrt(std::numeric_limits<double>::epsilon());
/// Relative, by which a gradient may differ from differences of the potential.
constexpr double gradient_tolerance = 1e-4;

/// The Python functions of a system. They are kept until the process ends.
struct Functions {
  std::string key;
  py::handle potential, gradient;
  py::handle inertia;               // a number, (n,), (n, n), or a function of n
  py::handle hessian_times, force;  // may be None
};

/// A system whose functions are called in Python. What they raise is kept, and the value is NaN:
/// the step is refused.
class OwnSystem final : public System {
 public:
  OwnSystem(const Functions& functions, int n, NumberList numbers, Inertia inertia)
      : f_(functions), n_(n), numbers_(std::move(numbers)), inertia_(std::move(inertia)) {}

  int size() const override { return n_; }
  const Inertia& inertia() const override { return inertia_; }

  double potential(const Columns& q) const override {
    const py::gil_scoped_acquire acquire;
    try {
      return to_double(f_.potential(frozen(q), **numbers_.arguments()), "potential");
    } catch (...) {
      Calls::keep();
      return nan;
    }
  }
  void gradient(const Columns& q, Columns& g) const override {
    evaluate("gradient", g, [&] { return f_.gradient(frozen(q), **numbers_.arguments()); });
  }
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    if (!f_.hessian_times.is_none()) {
      evaluate("hessian_times", h,
               [&] { return f_.hessian_times(frozen(q), frozen(v), **numbers_.arguments()); });
      return;
    }
    const double length = v.norm();
    if (length == 0) {
      h.setZero();
      return;
    }
    const double e = difference / length;
    Columns before(3, n_);
    gradient(q - e * v, before);
    gradient(q + e * v, h);
    h = (h - before) / (2 * e);
  }
  bool has_external_force() const override { return !f_.force.is_none(); }
  bool time_dependent() const override { return has_external_force(); }
  void force(double t, const Columns& q, Columns& f) const override {
    if (f_.force.is_none())
      f.setZero();
    else
      evaluate("force", f, [&] { return f_.force(t, frozen(q), **numbers_.arguments()); });
  }
  void force_slope(double t, const Columns& q, const Columns& v, Columns& d) const override {
    const double length = v.norm();
    if (f_.force.is_none() || length == 0) {
      d.setZero();
      return;
    }
    const double e = difference / length;
    Columns before(3, n_);
    force(t, q - e * v, before);
    force(t, q + e * v, d);
    d = (d - before) / (2 * e);
  }
  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    out.sphere = true;
    for (Eigen::Index i = 0; i < q.cols(); ++i) out.bodies.push_back({q.col(i)});
  }
  Extent extent() const override { return {}; }

 private:
  template <class Call>
  void evaluate(const char* what, Columns& out, Call&& call) const {
    const py::gil_scoped_acquire acquire;
    try {
      out = to_columns(call(), n_, fmt::format("{} of {}", what, f_.key));
    } catch (...) {
      Calls::keep();
      out.setConstant(nan);
    }
  }

  const Functions& f_;
  int n_;
  NumberList numbers_;
  Inertia inertia_;
};

Inertia inertia_of(const Functions& functions, int n, const NumberList& numbers) {
  py::object given = py::reinterpret_borrow<py::object>(functions.inertia);
  if (PyCallable_Check(given.ptr())) given = given(n, **numbers.arguments());
  const Numbers array = to_numbers(given, "inertia");
  if (array.ndim() == 0) return DiagonalInertia(Eigen::VectorXd::Constant(n, *array.data()));
  if (array.ndim() == 1 && array.shape(0) == n)
    return DiagonalInertia(Eigen::Map<const Eigen::VectorXd>(array.data(), n));
  if (array.ndim() == 2 && array.shape(0) == n && array.shape(1) == n) {
    const Eigen::MatrixXd m = Eigen::Map<const Eigen::MatrixXd>(array.data(), n, n);
    if (!m.isApprox(m.transpose(), 1e-14))
      raise({ErrorKind::usage, "inertia", "must be symmetric"});
    return DenseInertia(m);
  }
  raise({ErrorKind::usage, "inertia",
         fmt::format("of {} bodies must be a number, or an array of shape ({}) or ({}, {})", n, n,
                     n, n)});
}

Error python_error(const Functions& functions) {
  Calls::keep();
  return {ErrorKind::usage, "", "the functions of " + functions.key + " raised an exception"};
}

Result<std::unique_ptr<const System>> create(const Functions& functions,
                                             const std::vector<ParameterInfo>& parameters, int n,
                                             const Values& values) {
  const py::gil_scoped_acquire acquire;
  try {
    NumberList numbers(parameters, values);
    Inertia inertia = inertia_of(functions, n, numbers);
    return std::unique_ptr<const System>(
        std::make_unique<OwnSystem>(functions, n, std::move(numbers), std::move(inertia)));
  } catch (...) {
    return python_error(functions);
  }
}

/// Compares the gradient at the start with differences of the potential, in one direction that has
/// parts along all axes.
Result<void> check_gradient(const Functions& functions, const System& system, const Columns& q) {
  Columns v(3, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const double x = static_cast<double>(i);
    v.col(i) = tangent(q.col(i), Vec3(std::cos(1 + x), std::sin(2 + 3 * x), std::cos(4 + 5 * x)));
  }
  v /= v.norm();
  Columns g(3, q.cols());
  system.gradient(q, g);
  const double e = difference, slope = (g.array() * v.array()).sum();
  const double high = system.potential(q + e * v), low = system.potential(q - e * v);
  const double expected = (high - low) / (2 * e);
  const double rounding = 1e-15 * std::max(std::abs(high), std::abs(low)) / e;
  if (std::abs(slope - expected) <= gradient_tolerance * (g.norm() + std::abs(expected)) + rounding)
    return {};
  if (!std::isfinite(slope) || !std::isfinite(expected))
    return Error{ErrorKind::usage, "",
                 fmt::format("potential or gradient of {} is not finite at "
                             "the start",
                             functions.key)};
  return Error{ErrorKind::usage, "",
               fmt::format("gradient of {} does not agree with potential: along a direction at the "
                           "start V changes by {:.6g}, and by the gradient {:.6g}",
                           functions.key, expected, slope)};
}

void add_own_system(const std::string& key, const py::object& potential, const py::object& gradient,
                    const py::object& inertia, const py::object& hessian_times,
                    const py::object& force, const py::dict& parameters, const std::string& title,
                    const std::string& description, const std::string& equations,
                    const std::string& reference) {
  const auto held = [](const py::object& object) { return py::object(object).release(); };
  // Records are there until the process ends, after the interpreter.
  static std::deque<Functions> all;
  const Functions& functions = all.emplace_back(Functions{
      key, held(potential), held(gradient), held(inertia), held(hessian_times), held(force)});
  SystemInfo info{.key = keep(key),
                  .title = keep(title.empty() ? key : title),
                  .description = keep(description),
                  .equations = keep(equations),
                  .reference = keep(reference),
                  .parameters = own_parameters(parameters),
                  .momentum_columns = {true, true, true}};
  info.create = [&functions, list = info.parameters](int n, const Values& values) {
    return create(functions, list, n, values);
  };
  info.check_start = [&functions, list = info.parameters](const Columns& q,
                                                          const Values& values) -> Result<void> {
    auto made = create(functions, list, static_cast<int>(q.cols()), values);
    if (!made) return made.error();
    return check_gradient(functions, **made, q);
  };
  const auto added = add_system(std::move(info));
  if (!added) raise({added.error().kind, "name", added.error().message});
}

}  // namespace

std::string_view keep(std::string text) {
  static std::mutex mutex;
  static std::deque<std::string> kept;
  const std::lock_guard lock(mutex);
  return kept.emplace_back(std::move(text));
}

std::vector<ParameterInfo> own_parameters(const py::dict& defaults) {
  std::vector<ParameterInfo> list;
  for (const auto& [name, value] : defaults) {
    const std::string key = py::str(name).cast<std::string>();
    const Numbers numbers = to_numbers(value, key);
    if (numbers.ndim() > 1 || numbers.size() == 0)
      raise({ErrorKind::usage, key, "the default must be a number or a list of numbers"});
    ParameterInfo p;
    p.key = p.symbol = p.label = keep(key);
    p.unit = "1";
    p.help = "Given in Python.";
    if (numbers.ndim() == 1) {
      p.shape = Shape::list;
      p.default_vector.assign(numbers.data(), numbers.data() + numbers.size());
    } else {
      p.default_value = *numbers.data();
    }
    list.push_back(std::move(p));
  }
  return list;
}

NumberList::NumberList(const std::vector<ParameterInfo>& parameters, const Values& values) {
  for (const ParameterInfo& p : parameters)
    if (const auto found = values.find(p.key); found != values.end())
      entries_.push_back({std::string(p.key), p.shape == Shape::list, found->second});
}

py::dict NumberList::arguments() const {
  py::dict out;
  for (const Entry& entry : entries_) {
    const py::str name(entry.name);
    if (!entry.list)
      out[name] = entry.numbers.at(0);
    else
      out[name] =
          py::array_t<double>(static_cast<py::ssize_t>(entry.numbers.size()), entry.numbers.data());
  }
  return out;
}

void bind_own_system(py::module_& module) {
  module.def("add_system", &add_own_system, py::arg("name"), py::arg("potential"),
             py::arg("gradient"), py::arg("inertia"), py::arg("hessian_times"), py::arg("force"),
             py::arg("parameters"), py::arg("title"), py::arg("description"), py::arg("equations"),
             py::arg("reference"),
             "Adds a system whose potential is a Python function to those of this process.");
}

}  // namespace twosphere::python
