// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace twosphere {

/// Where a text is wrong.
struct TextError {
  std::string location;  ///< path under "system": "potential", "define[0]", "parameters.k.unit"
  int column = 0;        ///< in characters from 1 within that text; 0: the whole of it
  std::string message;
  std::string text;       ///< the text itself, for showing the column in it
  std::string unknown{};  ///< a name that is not known, which a parameter may have; else empty
};

namespace language {

/// Carries a TextError to those who asked for the text to be read.
class TextException : public std::exception {
 public:
  explicit TextException(TextError error) : error_(std::move(error)) {}

  const TextError& error() const { return error_; }
  const char* what() const noexcept override { return error_.message.c_str(); }

 private:
  TextError error_;
};

/// Fields and the command line take single numbers with units, and what people are used to type
/// there; see core/language/syntax.h.
enum class Dialect { text, field };

/// A text, and where it stands: the path of a part of a definition.
struct Source {
  std::string location, text;
  Dialect dialect = Dialect::text;

  bool is_field() const { return dialect == Dialect::field; }

  /// `unknown`: of TextError.
  [[noreturn]] void fail(int column, std::string message, std::string unknown = {}) const {
    throw TextException({location, column, std::move(message), text, std::move(unknown)});
  }
};

/// How deep the parts of a text may be nested.
inline constexpr int max_depth = 64;

}  // namespace language
}  // namespace twosphere
