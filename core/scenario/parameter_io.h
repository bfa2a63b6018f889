// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/mechanics/parameter.h"
#include "core/mechanics/sphere.h"
#include "core/scenario/document.h"

namespace twosphere {

/// One field of a form of a parameter, and which of the parameter's numbers belong to it.
struct FormField {
  const ParameterInfo& info;
  std::size_t first, count;

  std::vector<double> of(const std::vector<double>& numbers) const {
    const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(first);
    return {from, from + static_cast<std::ptrdiff_t>(count)};
  }
};
/// The form to which these numbers of a parameter belong.
const ParameterForm& form_of(const ParameterInfo& info, const std::vector<double>& numbers);
/// The fields of that form.
std::vector<FormField> fields_of(const ParameterForm& form, const std::vector<double>& numbers);

/// Whether two lists of springs connect the same bodies in the same order.
bool same_ends(const std::vector<double>& a, const std::vector<double>& b);

/// Reads a list of 3 numbers in `unit`. Throws an Error with the location.
Vec3 read_vector(const document::Value& entry, std::string_view unit);

/// Reads a lattice of sites, {"type", "size", "spacing", "periodic"}: the numbers of Shape::sites,
/// whatever the number of bodies. Throws a Failure with the location.
std::vector<double> read_site_lattice(const document::Value& value, const ParameterInfo& info);

/// Fails at a text such as "1,5" where a list may stand: it could be 1.5 or two entries.
void refuse_list_without_brackets(const document::Value& value);

/// Reads all parameters of a section for a system of `bodies` bodies. A missing one has its value
/// in `former`, if given, else its default. Throws a Failure with the location.
Values read_parameters(const document::Value& section, const std::vector<ParameterInfo>& infos,
                       int bodies, const Values* former = nullptr);

/// A parameter as written in a document; none for an optional one without a value that has no
/// keyword for this.
std::optional<json::Node> parameter_node(const ParameterInfo& info,
                                         const std::vector<double>& numbers);

}  // namespace twosphere
