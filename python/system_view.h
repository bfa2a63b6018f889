// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

#include "core/mechanics/system.h"

namespace twosphere::python {

/// A system as Python sees it.
class SystemView {
 public:
  explicit SystemView(std::shared_ptr<const System> system)
      : owner_(std::move(system)), system_(owner_.get()) {}
  /// Lent for the time of a call, until close().
  explicit SystemView(const System& system) : system_(&system) {}

  void close() { system_ = nullptr; }
  /// Raises an error if the system was lent and the call is over.
  const System& system() const;

 private:
  std::shared_ptr<const System> owner_;
  const System* system_;
};

}  // namespace twosphere::python
