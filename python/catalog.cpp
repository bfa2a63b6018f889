// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog.h"

#include <pybind11/stl.h>

#include <optional>

#include "core/mechanics/diagnostics.h"
#include "python/bindings.h"

namespace twosphere::python {

namespace {

py::str text(std::string_view view) { return py::str(view.data(), view.size()); }

const char* shape_name(Shape shape) {
  switch (shape) {
    case Shape::scalar:
      return "scalar";
    case Shape::vector:
      return "vector";
    case Shape::list:
      return "list";
    case Shape::per_body:
      return "per_body";
    case Shape::choice:
      return "choice";
    case Shape::count:
      return "count";
    case Shape::points:
      return "points";
    case Shape::lattice:
      return "lattice";
    case Shape::springs:
      return "springs";
    case Shape::sites:
      return "sites";
    case Shape::pairs:
      return "pairs";
    case Shape::per_pair:
      return "per_pair";
    case Shape::waypoints:
      return "waypoints";
    case Shape::form:
      break;
  }
  return "form";
}

py::list texts(const std::vector<std::string_view>& views) {
  py::list list;
  for (const std::string_view view : views) list.append(text(view));
  return list;
}

py::object default_value(const ParameterInfo& p) {
  if (p.required || (p.optional && p.unless.empty())) return py::none();
  if (!p.default_vector.empty()) return py::cast(p.default_vector);
  return py::float_(p.default_value);
}

py::dict parameter(const ParameterInfo& p) {
  using namespace py::literals;
  return py::dict("key"_a = text(p.key), "symbol"_a = text(p.symbol), "label"_a = text(p.label),
                  "unit"_a = text(p.unit), "help"_a = text(p.help), "shape"_a = shape_name(p.shape),
                  "required"_a = p.required, "optional"_a = p.optional,
                  "choices"_a = texts(p.choices), "default"_a = default_value(p),
                  "live"_a = p.live);
}

py::list parameters(const std::vector<ParameterInfo>& list) {
  py::list out;
  for (const ParameterInfo& p : list) out.append(parameter(p));
  return out;
}

py::dict system_entry(const SystemInfo& info) {
  using namespace py::literals;
  return py::dict("key"_a = text(info.key), "title"_a = text(info.title),
                  "description"_a = text(info.description), "equations"_a = text(info.equations),
                  "reference"_a = text(info.reference),
                  "parameters"_a = parameters(info.parameters));
}

py::dict integrator_entry(const IntegratorInfo& info) {
  using namespace py::literals;
  py::list all;
  all.append(parameter(step_parameter()));
  for (const py::handle p : parameters(info.parameters)) all.append(p);
  return py::dict("key"_a = text(info.key), "title"_a = text(info.title),
                  "description"_a = text(info.description), "equations"_a = text(info.formula),
                  "reference"_a = text(info.reference), "parameters"_a = all,
                  "order"_a = info.order, "explicit"_a = info.explicit_method,
                  "adaptive"_a = info.adaptive, "symplectic"_a = info.symplectic,
                  "reversible"_a = info.reversible, "keeps_sphere"_a = info.keeps_sphere,
                  "needs"_a = text(info.needs));
}

template <class Info, class Entry>
py::list entries(const Info& list, Entry&& entry) {
  py::list out;
  for (const auto& info : list) out.append(entry(info));
  return out;
}

}  // namespace

void bind_catalog(py::module_& module) {
  using namespace py::literals;
  module.def(
      "systems", [] { return entries(systems(), system_entry); },
      "The records of the systems of the catalogue, as dictionaries.");
  module.def(
      "integrators", [] { return entries(integrators(), integrator_entry); },
      "The records of the integrators of the catalogue, as dictionaries.");
  module.def(
      "presets",
      [] {
        py::list out;
        for (const auto& list : {presets(), custom_presets()})
          for (const Preset& p : list)
            out.append(
                py::dict("key"_a = text(p.key), "text"_a = text(p.text), "help"_a = text(p.help)));
        return out;
      },
      "The scenarios that ship with the program: key, text of the file, and help page.");
  module.def(
      "quantities",
      [] {
        return entries(quantities(), [](const QuantityInfo& q) {
          return py::dict("key"_a = text(q.key), "label"_a = text(q.label),
                          "symbol"_a = text(q.symbol), "unit"_a = text(q.unit),
                          "help"_a = text(q.help), "error"_a = q.error);
        });
      },
      "The records of the sampled quantities, as dictionaries.");
}

}  // namespace twosphere::python
