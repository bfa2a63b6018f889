// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/exceptions.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/document.h"

namespace twosphere {

/// What `read` makes of the value of this key in "view", or the Failure that it throws; none if the
/// view does not have the key. The location of errors is within "view", after the name of its
/// document, if that has one, and the line.
template <class Read>
Result<std::optional<std::invoke_result_t<Read, const document::Value&>>> entry_of_view(
    const json::Node& view, const std::string& key, std::string_view document, Read read) {
  using Entry = std::optional<std::invoke_result_t<Read, const document::Value&>>;
  const json::Node* const node = view.find(key);
  if (!node) return Entry();
  const document::Origin from{document};
  try {
    return Entry(read(document::Value(from, *node, "view." + key)));
  } catch (const Failure& failure) {
    return failure.error();
  }
}

}  // namespace twosphere
