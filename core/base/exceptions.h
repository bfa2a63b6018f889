// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "core/base/result.h"

namespace twosphere {

/// An Error on its way to the function that makes a Result of it.
class Failure : public std::exception {
 public:
  explicit Failure(Error error) : error_(std::move(error)), text_(error_.text()) {}

  const Error& error() const { return error_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Error error_;
  std::string text_;
};

/// What an exception says, in words. No memory, no thread to be had and what the operating system
/// refuses are failures of input and output; whatever nobody foresaw is an error of the program
/// itself, and the words ask for a report.
Error from_exception(const std::exception& thrown);

}  // namespace twosphere
