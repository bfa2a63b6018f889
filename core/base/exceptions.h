// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "core/base/result.h"

namespace twosphere {

/// Carries an Error to the function that converts it to a Result.
class Failure : public std::exception {
 public:
  explicit Failure(Error error) : error_(std::move(error)), text_(error_.text()) {}

  const Error& error() const { return error_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Error error_;
  std::string text_;
};

/// The value of a result; its error is thrown as a Failure.
template <class T>
T must(Result<T> result) {
  if (!result) throw Failure(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}
/// The same, but what `change` makes of the error is thrown.
template <class T, class Change>
T must(Result<T> result, const Change& change) {
  if (!result) throw Failure(change(result.error()));
  return must(std::move(result));
}
/// The same, but the error is that of `place`, such as an option.
template <class T>
T must(Result<T> result, const char* place) {
  return must(std::move(result), [place](Error error) {
    error.location = place;
    return error;
  });
}

/// The error of an exception. Lack of memory or threads and errors of the operating system are
/// input/output errors; any other exception is an internal error, whose message asks for a report.
Error from_exception(const std::exception& thrown);

}  // namespace twosphere
