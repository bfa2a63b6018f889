// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "core/custom/definition.h"

namespace twosphere::custom {

/// Carries a DefinitionError to translate() or create().
class DefinitionException : public std::exception {
 public:
  explicit DefinitionException(DefinitionError error) : error_(std::move(error)) {}

  const DefinitionError& error() const { return error_; }
  const char* what() const noexcept override { return error_.message.c_str(); }

 private:
  DefinitionError error_;
};

/// Where a part of a definition stands: its path and its text.
struct Source {
  std::string location, text;

  /// `unknown`: of DefinitionError.
  [[noreturn]] void fail(int column, std::string message, std::string unknown = {}) const {
    throw DefinitionException({location, column, std::move(message), text, std::move(unknown)});
  }
};

/// How much a definition may ask for.
struct Limits {
  static constexpr std::size_t characters = 100000;   ///< of all texts together
  static constexpr int depth = 64;                    ///< of nested parts, through `define`
  static constexpr long operations = 10'000'000;      ///< of one evaluation
  static constexpr std::size_t numbers = 1ULL << 24;  ///< in tables and arrays
  static constexpr int bodies = 100000;
  static constexpr int matrix_bodies = 1024;         ///< where memory grows with the square
  static constexpr std::size_t figures = 1'000'000;  ///< that are drawn
  static constexpr std::size_t warnings = 100;       ///< further ones are not told
};

}  // namespace twosphere::custom
