// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/mechanics/parameter.h"
#include "python/bindings.h"

/// The common part of systems and integrators written in Python.
namespace twosphere::python {

/// The same text, which stays until the process ends.
std::string_view keep(std::string text);

/// {name: default} as parameters: a number, or a list of numbers.
std::vector<ParameterInfo> own_parameters(const py::dict& defaults);

/// The values of parameters as keyword arguments: numbers, and arrays of lists.
class NumberList {
 public:
  NumberList(const std::vector<ParameterInfo>& parameters, const Values& values);

  /// {name: value}. The GIL must be held.
  py::dict arguments() const;

 private:
  struct Entry {
    std::string name;
    bool list = false;
    std::vector<double> numbers;
  };
  std::vector<Entry> entries_;
};

}  // namespace twosphere::python
