// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/base/document.h"
#include "core/mechanics/parameter.h"

namespace twosphere {

/// The numbers of a parameter that is not given.
std::vector<double> default_numbers(const ParameterInfo& info, int bodies);
/// Those of one of its forms with every field at its default.
std::vector<double> default_form(const ParameterInfo& info, std::size_t form);

/// One field of the form that a parameter has, and which of the parameter's numbers are its own.
struct FormField {
  const ParameterInfo& info;
  std::size_t first, count;

  std::vector<double> of(const std::vector<double>& numbers) const {
    const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(first);
    return {from, from + static_cast<std::ptrdiff_t>(count)};
  }
};
/// The form that these numbers of a parameter are of.
const ParameterForm& form_of(const ParameterInfo& info, const std::vector<double>& numbers);
std::vector<FormField> fields_of(const ParameterForm& form);

/// Whether two lists of springs join the same bodies in the same order.
bool same_ends(const std::vector<double>& a, const std::vector<double>& b);

/// Reads every parameter of a section for so many bodies; one that is not there has its default, or
/// what it has in `former`. Throws a Failure with the place.
Values read_parameters(const document::Value& section, const std::vector<ParameterInfo>& infos,
                       int bodies, const Values* former = nullptr);

/// A parameter as it is written; nothing for an optional one that has no value and no word for it.
std::optional<json::Node> parameter_node(const ParameterInfo& info,
                                         const std::vector<double>& numbers);

}  // namespace twosphere
