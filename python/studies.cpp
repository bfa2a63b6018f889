// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <map>
#include <optional>

#include "core/base/file.h"
#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/catalog.h"
#include "core/scenario/branches.h"
#include "core/scenario/live_edit.h"
#include "core/studies/order_plan.h"
#include "core/studies/sweep_collect.h"
#include "core/studies/sweep_plan.h"
#include "core/studies/sweep_rows.h"
#include "python/bindings.h"
#include "python/watch.h"

namespace twosphere::python {

namespace {

constexpr const char* sweep_file = "sweep.json";

SweepFolder open_folder(const std::string& path) {
  const std::string file = path + '/' + sweep_file;
  const std::string text = take(read_file(file, json::max_bytes));
  Sweep sweep = take(read_sweep(text, file));
  const auto digest = py::module_::import("hashlib").attr("sha256")(py::bytes(text));
  return {path, digest.attr("hexdigest")().cast<std::string>(), std::move(sweep)};
}

SweepAxis axis_of(const std::string& path, py::handle values) {
  if (py::isinstance<py::str>(values)) {
    auto parsed = parse_axis(path + '=' + values.cast<std::string>());
    if (!parsed) raise({parsed.error().kind, "axis", parsed.error().text()});
    return std::move(*parsed);
  }
  SweepAxis axis{path, to_node(values).items};
  if (!axis.path.valid()) raise({ErrorKind::usage, "axis", axis.path.problem()});
  if (axis.values.empty()) raise({ErrorKind::usage, "axis", path + ": there is no value"});
  for (json::Node& value : axis.values) {
    value.integer = false;
    if ((value.kind != json::Kind::number && value.kind != json::Kind::string) ||
        value.kind != axis.values.front().kind)
      raise({ErrorKind::usage, "axis", path + ": values must be all numbers or all words"});
  }
  return axis;
}

void new_sweep(const std::string& folder, const Scenario& scenario, const py::dict& axes,
               const std::vector<std::string>& measures, int members, double spread,
               std::uint64_t seed) {
  Sweep sweep{.scenario = main_record(scenario),
              .members = members,
              .spread = spread,
              .seed = seed,
              .version = version,
              .isa = std::string(isa_level())};
  for (const auto& [path, values] : axes)
    sweep.axes.push_back(axis_of(py::str(path).cast<std::string>(), values));
  for (const std::string& text : measures) {
    const auto measure = parse_measure(text, info_of(sweep.scenario), sweep.scenario.size());
    if (!measure) raise({measure.error().kind, "measure", measure.error().text()});
    sweep.measures.push_back(*measure);
  }
  if (members < 1) raise({ErrorKind::usage, "members", "must be 1 or more"});
  take_called([&] { return complete_sweep(sweep); });
  const std::string file = folder + '/' + sweep_file, text = write_sweep(sweep);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) raise({ErrorKind::input_output, folder, error.message()});
  if (std::filesystem::exists(file, error)) {
    if (take(read_file(file, json::max_bytes)) == text) return;
    raise({ErrorKind::usage, file, "is there already; choose another folder"});
  }
  take(write_file(file, text));
}

/// Calls a Python function about 20 times a second, and handles signals; false once one raises.
class Progress {
 public:
  explicit Progress(py::object function) : function_(std::move(function)) {}

  template <class... Numbers>
  bool operator()(Numbers... numbers) {
    const py::gil_scoped_acquire acquire;
    try {
      watch_.check();
      if (!function_.is_none()) function_(numbers...);
      return true;
    } catch (py::error_already_set&) {
      Calls::keep();
      return false;
    }
  }

 private:
  py::object function_;
  Watch watch_;
};

bool run_sweep_part(const std::string& path, int jobs, int index, int count, double save_every,
                    py::object progress) {
  const SweepFolder folder = open_folder(path);
  const std::string file = folder.inside(sweep_file);
  if (folder.sweep.version != version)
    raise({ErrorKind::usage, file,
           fmt::format("was made by version {} of the program, which is {}; make the sweep again",
                       folder.sweep.version, version)});
  if (folder.sweep.isa != isa_level())
    raise({ErrorKind::usage, file,
           fmt::format("was made at the instruction set level {}, and this is {}; set "
                       "TWOSPHERE_ISA={} before Python starts",
                       folder.sweep.isa, isa_level(), folder.sweep.isa)});
  Calls calls;
  Progress report(std::move(progress));
  const auto done = [&] {
    const py::gil_scoped_release release;
    return run_sweep(folder, {{index, count}, jobs, save_every}, [&](const SweepProgress& now) {
      return report(now.done, now.all, now.failed);
    });
  }();
  calls.raise_kept();
  return take(done);
}

py::dict sweep_results(const std::string& path) {
  using namespace py::literals;
  const SweepFolder folder = open_folder(path);
  const Sweep& sweep = folder.sweep;
  const std::vector<SweepRow> rows = take(read_rows(folder));
  py::list axes, measures, statuses;
  for (const SweepAxis& axis : sweep.axes) {
    py::list values;
    for (const json::Node& value : axis.values) values.append(from_node(value));
    axes.append(py::dict("path"_a = axis.path.text(), "name"_a = variable_name(axis.path.text()),
                         "unit"_a = axis_unit(sweep.scenario, axis.path), "values"_a = values));
  }
  for (std::size_t m = 0; m < sweep.measures.size(); ++m) {
    std::vector<double> values;
    values.reserve(rows.size());
    for (const SweepRow& row : rows)
      values.push_back(m < row.values.size() ? row.values[m] : std::nan(""));
    const std::string key = sweep.measures[m].key();
    const auto size = static_cast<py::ssize_t>(values.size());
    measures.append(py::dict("key"_a = key, "name"_a = variable_name(key),
                             "unit"_a = std::string(sweep.measures[m].unit()),
                             "values"_a = adopt(std::move(values), {size})));
  }
  for (const SweepRow& row : rows) statuses.append(std::string(name(row.status)));
  return py::dict("name"_a = folder.name, "shape"_a = sweep.shape(), "members"_a = sweep.members,
                  "axes"_a = axes, "measures"_a = measures, "status"_a = statuses,
                  "scenario"_a = write_sweep(sweep));
}

void collect(const std::string& path, const std::string& file) {
  const SweepFolder folder = open_folder(path);
  const std::vector<SweepRow> rows = take(read_rows(folder));
  if (file.ends_with(".csv")) {
    take(write_file(file, sweep_table(folder, rows)));
    take(write_file(file + ".json", sweep_companion(folder)));
  } else if (file.ends_with(".nc") || file.ends_with(".zarr")) {
    take(write_netcdf(folder, rows, file));
  } else {
    raise({ErrorKind::usage, "file",
           fmt::format("{} must end in .csv, .nc or .zarr", json::quote(file))});
  }
}

py::dict study(const Scenario& scenario, std::vector<std::string> integrators,
               std::vector<double> steps, std::vector<double> tolerances, std::string reference,
               double reference_step, int threads, py::object progress) {
  using namespace py::literals;
  OrderChoice choice{
      std::move(integrators), std::move(steps), std::move(tolerances), std::move(reference), {}};
  if (reference_step > 0) choice.reference_step = reference_step;
  const OrderStudy plan =
      take_called([&] { return plan_order_study(main_record(scenario), choice); });
  Calls calls;
  Progress report(std::move(progress));
  const auto done = [&] {
    const py::gil_scoped_release release;
    return run_order_study(plan, threads,
                           [&](std::size_t ready, std::size_t of) { return report(ready, of); });
  }();
  calls.raise_kept();
  const std::optional<OrderStudyResult> result = take(done);
  if (!result) raise({ErrorKind::check, "", "the study was interrupted"});
  py::dict orders;
  for (std::size_t m = 0; m < plan.methods.size(); ++m)
    if (const auto order = order_of(plan, *result, m))
      orders[py::str(plan.methods[m].type)] = py::make_tuple(order->order, order->deviation);
  return py::dict("table"_a = py::bytes(order_table(plan, *result)),
                  "text"_a = order_text(plan, *result), "orders"_a = orders,
                  "reference"_a = plan.reference.type, "reference_step"_a = plan.reference.step,
                  "least_error"_a = result->least_error());
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def("new_sweep", &new_sweep, py::arg("folder"), py::arg("scenario"), py::arg("axes"),
             py::arg("measures"), py::arg("members"), py::arg("spread"), py::arg("seed"),
             "Writes the plan of a sweep to a folder, as `twosphere sweep new`.");
  module.def(
      "run_sweep", &run_sweep_part, py::arg("folder"), py::arg("jobs"), py::arg("index"),
      py::arg("count"), py::arg("save_every"), py::arg("progress"),
      "Runs the tasks of part `index` of `count` that have no row yet; whether all are done.");
  module.def("sweep_results", &sweep_results, py::arg("folder"),
             "The rows of a sweep, by task, with axes, units and statuses.");
  module.def("collect_sweep", &collect, py::arg("folder"), py::arg("file"),
             "Writes the rows as .csv, .nc or .zarr, as `twosphere sweep collect`.");
  module.def("has_netcdf", &has_netcdf, "Whether .nc and .zarr can be written.");
  module.def("study", &study, py::arg("scenario"), py::arg("integrators"), py::arg("steps"),
             py::arg("tolerances"), py::arg("reference"), py::arg("reference_step"),
             py::arg("threads"), py::arg("progress"),
             "Runs an order study, as `twosphere study order`.");
}

}  // namespace twosphere::python
