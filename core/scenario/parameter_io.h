// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/base/document.h"
#include "core/mechanics/parameter.h"

namespace twosphere {

/// The numbers of a parameter that is not given.
std::vector<double> default_numbers(const ParameterInfo& info, int bodies);

/// Whether two lists of springs join the same bodies in the same order.
bool same_ends(const std::vector<double>& a, const std::vector<double>& b);

/// Reads every parameter of a section for so many bodies. Throws a Failure with the place.
Values read_parameters(const document::Value& section, const std::vector<ParameterInfo>& infos,
                       int bodies);

/// A parameter as it is written; nothing for an optional one that has no value and no word for it.
std::optional<json::Node> parameter_node(const ParameterInfo& info,
                                         const std::vector<double>& numbers);

}  // namespace twosphere
