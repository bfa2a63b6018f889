// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>

#include "core/result.h"

namespace twosphere {

/// What an exception of the standard library says, in words: no memory, or no thread to be had.
Error error_of(const std::exception& thrown);

}  // namespace twosphere
