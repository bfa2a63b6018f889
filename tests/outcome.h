// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"

/// What a call must have given. Where it has not, the test fails and says what it gave.
namespace twosphere::test {

/// Where a test calls a function: std::source_location, which clang-tidy 14 lacks.
struct Caller {
  const char* file;
  int line;

  static constexpr Caller here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// Fails and ends the test, at a line of it.
[[noreturn]] inline void end_test(const Caller& at, const std::string& why) {
  ADD_FAILURE_AT(at.file, at.line) << why;
  throw testing::AssertionException(
      {testing::TestPartResult::kFatalFailure, at.file, at.line, why.c_str()});
}

/// The value, without which the test ends.
template <class T>
T value_of(Result<T> result, const Caller& at = Caller::here()) {
  if (!result) end_test(at, result.error().text());
  return std::move(*result);
}

template <class T>
T value_of(std::optional<T> value, const Caller& at = Caller::here()) {
  if (!value) end_test(at, "there is no value");
  return std::move(*value);
}

/// The error of what must be refused; otherwise the test ends.
template <class T>
Error error_of(const Result<T>& result, const Caller& at = Caller::here()) {
  if (result) end_test(at, "this is not refused");
  return result.error();
}

/// Whether a call gave no error.
template <class T>
testing::AssertionResult succeeds(const Result<T>& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << result.error().text();
}

/// Whether a text has this part in it.
inline testing::AssertionResult says(std::string_view text, std::string_view part) {
  const bool found = text.find(part) != std::string_view::npos;
  return (found ? testing::AssertionSuccess() : testing::AssertionFailure())
         << "\"" << text << (found ? "\" has \"" : "\" lacks \"") << part << "\"";
}

}  // namespace twosphere::test
