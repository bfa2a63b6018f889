// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_collect.h"

#ifdef TWOSPHERE_NETCDF

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "core/base/file.h"
#include "core/base/temporary.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

namespace fs = std::filesystem;

/// A file being written. The first error is kept; calls after it do nothing.
class NetcdfFile {
 public:
  explicit NetcdfFile(const std::string& url) {
    open_ = try_call(nc_create(url.c_str(), NC_NETCDF4 | NC_CLOBBER, &id_));
  }
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;
  ~NetcdfFile() { (void)close(); }

  /// The first error, after all is written; NC_NOERR if there was none.
  int close() {
    if (open_) (void)try_call(nc_close(id_));
    open_ = false;
    return error_;
  }

  int dimension(const std::string& name, std::size_t length) {
    int dimension = -1;
    if (ok()) (void)try_call(nc_def_dim(id_, name.c_str(), length, &dimension));
    return dimension;
  }
  int variable(const std::string& name, nc_type type, const std::vector<int>& dimensions) {
    int variable = -1;
    if (ok())
      (void)try_call(nc_def_var(id_, name.c_str(), type, static_cast<int>(dimensions.size()),
                                dimensions.data(), &variable));
    return variable;
  }
  void attribute(int variable, const char* name, const std::string& text) {
    if (ok()) (void)try_call(nc_put_att_text(id_, variable, name, text.size(), text.c_str()));
  }
  void fill(int variable, double value) {
    if (ok()) (void)try_call(nc_put_att_double(id_, variable, "_FillValue", NC_DOUBLE, 1, &value));
  }
  /// Words as numbers from 0 on.
  void flags(int variable, const std::vector<std::string>& words) {
    std::vector<signed char> numbers(words.size());
    std::iota(numbers.begin(), numbers.end(), static_cast<signed char>(0));
    if (ok())
      (void)try_call(
          nc_put_att_schar(id_, variable, "flag_values", NC_BYTE, numbers.size(), numbers.data()));
    attribute(variable, "flag_meanings", fmt::format("{}", fmt::join(words, " ")));
  }
  void put(int variable, const std::vector<double>& values) {
    if (ok()) (void)try_call(nc_put_var_double(id_, variable, values.data()));
  }
  void put(int variable, const std::vector<signed char>& values) {
    if (ok()) (void)try_call(nc_put_var_schar(id_, variable, values.data()));
  }
  void end_definitions() {
    if (ok()) (void)try_call(nc_enddef(id_));
  }

 private:
  bool ok() const { return error_ == NC_NOERR; }
  bool try_call(int status) {
    if (ok()) error_ = status;
    return status == NC_NOERR;
  }

  int id_ = -1, error_ = NC_NOERR;
  bool open_ = false;
};

void write_all(NetcdfFile& file, const SweepFolder& folder, const std::vector<SweepRow>& rows) {
  const Sweep& sweep = folder.sweep;
  file.attribute(NC_GLOBAL, "Conventions", "CF-1.10");
  file.attribute(NC_GLOBAL, "title", "sweep of: " + sweep.scenario.title);
  file.attribute(NC_GLOBAL, "source", "twosphere " + sweep.version);
  file.attribute(NC_GLOBAL, "instruction_set", sweep.isa);
  file.attribute(NC_GLOBAL, "sweep_name", folder.name);
  file.attribute(NC_GLOBAL, "scenario", write_scenario(sweep.scenario));
  file.attribute(NC_GLOBAL, "sweep", write_sweep(sweep));

  // Axes: dimensions and their coordinates.
  std::vector<int> dimensions, coordinates;
  for (const SweepAxis& axis : sweep.axes) {
    const std::string name = variable_name(axis.path.text());
    dimensions.push_back(file.dimension(name, axis.values.size()));
    const int variable =
        file.variable(name, axis.numeric() ? NC_DOUBLE : NC_BYTE, {dimensions.back()});
    coordinates.push_back(variable);
    file.attribute(variable, "long_name", axis.path.text());
    if (const std::string unit = axis_unit(sweep.scenario, axis.path);
        !unit.empty() && axis.numeric())
      file.attribute(variable, "units", unit);
    if (axis.numeric()) continue;
    std::vector<std::string> words;
    for (const json::Node& value : axis.values) words.push_back(value.text);
    file.flags(variable, words);
  }
  if (sweep.members > 1) {
    dimensions.push_back(file.dimension("member", static_cast<std::size_t>(sweep.members)));
    coordinates.push_back(file.variable("member", NC_DOUBLE, {dimensions.back()}));
    file.attribute(coordinates.back(), "long_name", "member of the ensemble");
    file.attribute(coordinates.back(), "units", "1");
  }
  std::vector<int> measures;
  for (const SweepMeasure& measure : sweep.measures) {
    const int variable = file.variable(variable_name(measure.key()), NC_DOUBLE, dimensions);
    measures.push_back(variable);
    file.fill(variable, std::nan(""));
    file.attribute(variable, "long_name", measure.key());
    file.attribute(variable, "units", std::string(measure.unit()));
    file.attribute(variable, "ancillary_variables", "status");
  }
  const int status = file.variable("status", NC_BYTE, dimensions);
  file.attribute(status, "long_name", "how the task ended");
  file.attribute(status, "standard_name", "status_flag");
  file.flags(status, {task_statuses.begin(), task_statuses.end()});
  file.end_definitions();

  for (std::size_t k = 0; k < sweep.axes.size(); ++k) {
    const std::vector<json::Node>& values = sweep.axes[k].values;
    if (sweep.axes[k].numeric()) {
      std::vector<double> numbers;
      for (const json::Node& value : values) numbers.push_back(value.number);
      file.put(coordinates[k], numbers);
    } else {
      std::vector<signed char> numbers(values.size());
      std::iota(numbers.begin(), numbers.end(), static_cast<signed char>(0));
      file.put(coordinates[k], numbers);
    }
  }
  if (sweep.members > 1) {
    std::vector<double> numbers(static_cast<std::size_t>(sweep.members));
    std::iota(numbers.begin(), numbers.end(), 0.0);
    file.put(coordinates.back(), numbers);
  }
  std::vector<double> values(rows.size());
  for (std::size_t k = 0; k < measures.size(); ++k) {
    for (const SweepRow& row : rows) values[row.task] = row.values[k];
    file.put(measures[k], values);
  }
  std::vector<signed char> statuses;
  for (const SweepRow& row : rows) statuses.push_back(static_cast<signed char>(row.status));
  file.put(status, statuses);
}

}  // namespace

bool has_netcdf() { return true; }

Result<void> write_netcdf(const SweepFolder& folder, const std::vector<SweepRow>& rows,
                          const std::string& path) {
  const auto fails = [&](const std::string& why) {
    return Error{ErrorKind::input_output, path, why};
  };
  const auto write = [&](const std::string& url) -> Result<void> {
    NetcdfFile file(url);
    write_all(file, folder, rows);
    if (const int status = file.close(); status != NC_NOERR) return fails(nc_strerror(status));
    return {};
  };
  // A file, or a folder of which that in its place must be one, too.
  const bool zarr = path.ends_with(".zarr");
  std::error_code error;
  if (zarr && fs::exists(path, error) && !fs::exists(path + "/.zgroup", error))
    return fails("is there and is not a Zarr group; choose another name");
  const std::string parent = fs::absolute(folder_of(path), error).string();
  temporary::remove_abandoned(parent);
  const std::string unfinished = temporary::name(parent, zarr ? ".zarr" : ".nc");
  const auto written = write(zarr ? "file://" + unfinished + "#mode=zarr,file" : unfinished);
  if (written) {
    if (zarr) fs::remove_all(path, error);
    fs::rename(unfinished, path, error);
    if (!error) return {};
  }
  std::error_code ignored;
  fs::remove_all(unfinished, ignored);
  return written ? fails(error.message()) : written.error();
}

}  // namespace twosphere

#else

namespace twosphere {

bool has_netcdf() { return false; }

Result<void> write_netcdf(const SweepFolder& /*folder*/, const std::vector<SweepRow>& /*rows*/,
                          const std::string& path) {
  return Error{ErrorKind::usage, path,
               "this build writes no netCDF and Zarr; write .csv, or build with libnetcdf-dev"};
}

}  // namespace twosphere

#endif
