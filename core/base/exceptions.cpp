// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/exceptions.h"

#include <fmt/format.h>

#include <new>
#include <system_error>

#include "core/base/build.h"

namespace twosphere {

Error from_exception(const std::exception& thrown) {
  if (const auto* failure = dynamic_cast<const Failure*>(&thrown)) return failure->error();
  const auto* system = dynamic_cast<const std::system_error*>(&thrown);
  if (dynamic_cast<const std::bad_alloc*>(&thrown))
    return {ErrorKind::input_output, "", "there is not enough memory"};
  if (system && system->code() == std::errc::resource_unavailable_try_again)
    return {ErrorKind::input_output, "", "no thread can be started"};
  if (system) return {ErrorKind::input_output, "", thrown.what()};
  return {ErrorKind::internal, "",
          fmt::format("internal error: {}. Please report it with the scenario, the steps that led "
                      "to it, and this version: {}",
                      thrown.what(), program_version())};
}

}  // namespace twosphere
