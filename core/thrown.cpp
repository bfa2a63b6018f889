// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/thrown.h"

#include <new>
#include <system_error>

namespace twosphere {

Error error_of(const std::exception& thrown) {
  const auto* system = dynamic_cast<const std::system_error*>(&thrown);
  if (dynamic_cast<const std::bad_alloc*>(&thrown))
    return {ErrorKind::input_output, "", "there is not enough memory"};
  if (system && system->code() == std::errc::resource_unavailable_try_again)
    return {ErrorKind::input_output, "", "no thread can be started"};
  return {ErrorKind::input_output, "", thrown.what()};
}

}  // namespace twosphere
