// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/model.h"

#include <algorithm>

namespace twosphere::custom {

const Definition::Parameter* Model::find_parameter(std::string_view name) const {
  const auto& all = definition.parameters;
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.key == name; });
  return at == all.end() ? nullptr : &*at;
}

const Named* Model::find_named(std::string_view name) const {
  const auto at =
      std::find_if(named.begin(), named.end(), [&](const Named& x) { return x.name == name; });
  return at == named.end() ? nullptr : &*at;
}

}  // namespace twosphere::custom
