// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/studies/basins.h"
#include "core/studies/sweep_rows.h"

namespace twosphere {

// The results of a sweep, sorted by task: the same bytes from any parts, threads and interruptions.

/// One line per task: the task, the value on each axis, the measures and the status, with units in
/// the header as in other tables. Fields of measures that a task does not have are empty.
std::string sweep_table(const SweepFolder& folder, const std::vector<SweepRow>& rows);

/// Whether netCDF and Zarr can be written: by this build, with the library of this machine.
bool has_netcdf();
/// Writes netCDF-4 or, if the path ends in .zarr, a folder in the format Zarr 2, by the conventions
/// CF-1.10: dimensions and coordinate variables are the axes, variables the measures and the
/// status, with units; words of an axis and of the status are numbers with flag_values and
/// flag_meanings, in which white space is "_". Missing values are NaN. Global attributes are the
/// scenario, the whole of sweep.json, the name, and the version. The path is written completely or
/// not at all.
Result<void> write_netcdf(const SweepFolder& folder, const std::vector<SweepRow>& rows,
                          const std::string& path);

/// Writes the results as the end of the path says: .nc and .zarr by write_netcdf(), .csv as
/// sweep_table() with its companion; "-" is the table on standard output. Of another end the error
/// has kind usage and the location "file".
Result<void> write_results(const SweepFolder& folder, const std::vector<SweepRow>& rows,
                           const std::string& path);

/// The uncertain fraction of the basins of a sweep that measures them, along its first two axes or
/// its only one, over the whole grid. Members are not apart.
UncertainFraction basins_uncertainty(const Sweep& sweep, const std::vector<SweepRow>& rows);

/// A name as netCDF variables have it: "initial.omega[1][2]" is initial_omega_1_2.
std::string variable_name(const std::string& key);
/// Such names of the axes and of the measures, each with its own name: a second plots_x_max is
/// plots_x_max_2.
std::vector<std::string> axis_names(const Sweep& sweep);
std::vector<std::string> measure_names(const Sweep& sweep);

}  // namespace twosphere
