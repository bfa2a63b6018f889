// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace twosphere {

/// The program's exit status for a failure of this kind.
enum class ErrorKind {
  check = 1,
  usage = 2,
  numerical = 3,
  input_output = 4,
  internal = 70,  ///< an error in the program itself
};

/// A failure and its place: "PLACE: MESSAGE". The message says what was given and what is
/// allowed.
struct Error {
  ErrorKind kind = ErrorKind::usage;
  std::string
      location;  ///< a file and line, an option, a path such as system.masses[1]; may be empty
  std::string message;
  std::string unknown{};  ///< a name of the text that is not known, if it may be given; else empty

  std::string text() const { return location.empty() ? message : location + ": " + message; }
};

/// A value or an Error, with the member names of std::expected.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return held_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() { return assert(has_value()), std::get<0>(held_); }
  const T& value() const { return assert(has_value()), std::get<0>(held_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { return assert(!has_value()), std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}

  bool has_value() const { return !failed_; }
  explicit operator bool() const { return has_value(); }
  const Error& error() const { return assert(failed_), error_; }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace twosphere
