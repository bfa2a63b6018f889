// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace twosphere {

/// How a computation in a separate process ended.
struct ChildEnd {
  bool returned = false;  ///< the computation returned, and `text` is what it returned
  std::string text{};     ///< otherwise why it did not: "signal 9 (Killed)"
};

/// Calls `work` in a copy of this process, which may end in any way without harm to this one, and
/// returns its text. The copy has no other threads; it ends with the thread that calls this.
/// Meanwhile proceed is called about 20 times a second; if it returns false, the copy is killed and
/// the result is empty. Fails if no process can be started.
Result<std::optional<ChildEnd>> run_child_process(const std::function<std::string()>& work,
                                                  const std::function<bool()>& proceed);

}  // namespace twosphere
