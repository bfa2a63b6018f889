// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/lane_look.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/catalog.h"

namespace twosphere {

namespace {

/// The integrators whose looks further lanes may take, in the order of Look::reuse_order.
const std::vector<const IntegratorInfo*>& lenders() {
  static const std::vector<const IntegratorInfo*> list = [] {
    std::vector<const IntegratorInfo*> found;
    for (const IntegratorInfo& info : integrators()) found.push_back(&info);
    const auto rank = [](const IntegratorInfo* info) {
      return std::pair(info->look.reuse_order == 0, info->look.reuse_order);
    };
    std::stable_sort(found.begin(), found.end(),
                     [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
    return found;
  }();
  return list;
}

}  // namespace

Look integrator_look(std::string_view integrator) {
  const IntegratorInfo* info = find_integrator(integrator);
  return info ? info->look : Look{};
}

std::string_view lane_look(std::span<const std::string_view> integrators, std::size_t lane) {
  const auto second = [&](std::size_t index) {
    const auto end = integrators.begin() + static_cast<std::ptrdiff_t>(index);
    return std::find(integrators.begin(), end, integrators[index]) != end;
  };
  if (!second(lane)) return integrators[lane];
  std::size_t before = 0;  // earlier lanes that take the look of another integrator
  for (std::size_t i = 0; i < lane; ++i) before += second(i) ? 1 : 0;
  for (const IntegratorInfo* lender : lenders()) {
    if (std::find(integrators.begin(), integrators.end(), lender->key) != integrators.end())
      continue;
    if (before-- == 0) return lender->key;
  }
  return integrators[lane];
}

}  // namespace twosphere
