// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace twosphere {

/// A variable of a netCDF file.
struct NetcdfVariable {
  std::string name;  ///< as variable_name() makes them
  std::string unit, meaning;
  std::vector<std::string> dimensions;  ///< the last varies fastest
  std::vector<double> values;
  std::vector<std::string> words;  ///< if there are any: what the values are numbers of
};

/// The contents of a netCDF file by the conventions CF-1.10.
struct NetcdfData {
  std::vector<std::pair<std::string, std::string>> attributes;  ///< of the file
  std::vector<std::pair<std::string, std::size_t>> dimensions;
  std::vector<NetcdfVariable> variables;  ///< one with the name of a dimension has its coordinates
};

/// The bytes of a netCDF-4 file with this contents; missing values are NaN. Fails with kind usage
/// in a build without netCDF, else with kind input_output.
Result<std::string> netcdf_bytes(const NetcdfData& data);

}  // namespace twosphere
