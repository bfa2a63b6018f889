// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/base/described_file.h"
#include "core/base/json.h"
#include "core/base/table_writer.h"
#include "core/base/text.h"
#include "core/scenario/setting_unit.h"

namespace twosphere {

namespace {

using json::Node;

/// The variables beside axes and measures.
std::vector<std::string> own_variables() { return {"member", "status"}; }

/// A name for each key, none of which is among others.
std::vector<std::string> variable_names(const std::vector<std::string>& keys,
                                        std::vector<std::string> taken) {
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    const std::string first = variable_name(key);
    std::string name = first;
    for (int k = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++k)
      name = fmt::format("{}_{}", first, k);
    names.push_back(name);
    taken.push_back(std::move(name));
  }
  return names;
}

std::string with_unit(const std::string& key, std::string_view unit) {
  return unit.empty() ? key : fmt::format("{} [{}]", key, unit);
}

/// The companion of the table: version, name, axes, measures, units and scenario.
std::string sweep_companion(const SweepFolder& folder) {
  const Sweep& sweep = folder.sweep;
  Node root = Node::object(), columns = Node::array();
  const auto column = [&](const std::string& key, std::string_view unit) {
    columns.items.push_back(Node::object({{"name", key}, {"unit", unit}}));
  };
  for (const SweepAxis& axis : sweep.axes)
    column(axis.path.text(), setting_unit(sweep.scenario, axis.path));
  for (const SweepMeasure& measure : sweep.measures) column(measure.key(), measure.unit());
  root.set("program", "twosphere");
  root.set("sweep_name", folder.name);
  root.set("columns", std::move(columns));
  if (auto document = json::parse(write_sweep(sweep), "")) root.set("sweep", std::move(*document));
  return json::write(root);
}

}  // namespace

std::string variable_name(const std::string& key) {
  std::string out;
  for (const char c : key) {
    const bool is_plain =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (is_plain)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

std::vector<std::string> axis_names(const Sweep& sweep) {
  const auto path = [](const SweepAxis& axis) { return axis.path.text(); };
  return variable_names(texts_of(sweep.axes, path), own_variables());
}

std::vector<std::string> measure_names(const Sweep& sweep) {
  std::vector<std::string> taken = own_variables();
  for (std::string& name : axis_names(sweep)) taken.push_back(std::move(name));
  return variable_names(texts_of(sweep.measures, &SweepMeasure::key), std::move(taken));
}

std::string sweep_table(const SweepFolder& folder, const std::vector<SweepRow>& rows) {
  const Sweep& sweep = folder.sweep;
  TableWriter table;
  table.add("task");
  for (const SweepAxis& axis : sweep.axes)
    table.add(with_unit(axis.path.text(), setting_unit(sweep.scenario, axis.path)));
  if (sweep.members > 1) table.add("member");
  for (const SweepMeasure& measure : sweep.measures)
    table.add(with_unit(measure.key(), measure.unit()));
  table.row("status");
  for (const SweepRow& row : rows) {
    table.add(row.task);
    const std::vector<std::size_t> at = sweep.point(row.task);
    for (std::size_t k = 0; k < sweep.axes.size(); ++k) {
      const Node& value = sweep.axes[k].values[at[k]];
      if (value.kind == json::Kind::string)
        table.add(value.text);
      else
        table.add(value.number);
    }
    if (sweep.members > 1) table.add(at.back());
    for (const double value : row.values) table.add(value);
    table.row(name(row.status));
  }
  return table.take();
}

UncertainFraction basins_uncertainty(const Sweep& sweep, const std::vector<SweepRow>& rows) {
  const auto measure = std::find_if(sweep.measures.begin(), sweep.measures.end(),
                                    std::mem_fn(&SweepMeasure::of_basin));
  std::vector<double> values(rows.size(), std::nan(""));
  for (const SweepRow& row : rows)
    if (!row.values.empty())
      values[row.task] = row.values[static_cast<std::size_t>(measure - sweep.measures.begin())];
  std::vector<std::size_t> axes;
  for (std::size_t k = 0; k < std::min<std::size_t>(2, sweep.axes.size()); ++k)
    if (sweep.axes[k].numeric()) axes.push_back(k);
  return uncertain_fraction(values, sweep.shape(), axes);
}

Result<void> write_results(const SweepFolder& folder, const std::vector<SweepRow>& rows,
                           const std::string& path) {
  if (path.ends_with(".csv") || path == "-")
    return write_described(path, sweep_table(folder, rows), sweep_companion(folder));
  if (path.ends_with(".nc") || path.ends_with(".zarr")) return write_netcdf(folder, rows, path);
  return Error{ErrorKind::usage, "file",
               fmt::format("{} must end in .csv, .nc or .zarr", json::quote(path))};
}

}  // namespace twosphere
