// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

/// A JSON document that records the line of every value, preserves the order of keys and rejects
/// duplicate ones.
namespace twosphere::json {

inline constexpr int max_depth = 64;
inline constexpr std::size_t max_bytes = std::size_t{64} << 20;
/// Enough for a document of max_bytes with numbers of full length; limits the memory that a
/// malicious document can take.
inline constexpr std::size_t max_values = std::size_t{1} << 22;

enum class Kind { null, boolean, number, string, array, object };

struct Node {
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  bool integer = false;  ///< written with digits only, never as 1e+05
  std::string text;
  std::vector<Node> items;                            ///< of an array
  std::vector<std::pair<std::string, Node>> members;  ///< of an object, in order
  int line = 0;                                       ///< from 1; 0 if not read from a text
  bool one_line = false;                              ///< write() puts it on one line

  Node() = default;
  // A number or a text is a value wherever one is wanted.
  Node(double value) : kind(Kind::number), number(value) {}
  Node(std::string value) : kind(Kind::string), text(std::move(value)) {}
  template <class Text>
  requires std::convertible_to<Text, std::string_view> Node(const Text& value)
      : kind(Kind::string), text(std::string_view(value)) {}
  static Node whole(std::int64_t value) {
    Node n(static_cast<double>(value));
    n.integer = true;
    return n;
  }
  static Node truth(bool value) {
    Node n;
    n.kind = Kind::boolean;
    n.boolean = value;
    return n;
  }
  /// A list of these, or of what `make` makes of them.
  template <class Range = std::vector<Node>, class Make = std::identity>
  static Node array(const Range& range = {}, Make make = {}) {
    Node n;
    n.kind = Kind::array;
    for (const auto& one : range) n.items.emplace_back(make(one));
    return n;
  }
  /// A list of numbers.
  static Node numbers(std::span<const double> values);
  /// An object with these members.
  static Node object(std::vector<std::pair<std::string, Node>> list = {}) {
    Node n;
    n.kind = Kind::object;
    n.members = std::move(list);
    return n;
  }

  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  /// Replaces the member with this key, or appends one.
  void set(std::string key, Node value);
};

/// Whether both hold the same, wherever they were read; 0 and −0 are the same.
bool same(const Node& a, const Node& b);

/// "a number", "a list", … for messages.
std::string_view name(Kind kind);

/// A text from outside the program in quotes, for messages: shortened, and without characters that
/// would not be seen.
std::string quote(std::string_view text);
/// The same without quotes, for a key or a path that needs none.
std::string plain(std::string_view text);

/// Reads one document, in UTF-8 with or without a byte order mark. Errors are located at
/// "SOURCE:LINE": syntax, duplicate key, nesting beyond max_depth, size beyond max_bytes or
/// max_values, number out of range.
Result<Node> parse(std::string_view text, std::string_view source);

/// Two-space indentation; lists of scalars and Node::one_line on one line; numbers in the shortest
/// form that reads back to the same double; ends in a newline. A number that is not finite is
/// written as null, because JSON has no such numbers.
std::string write(const Node& node);

/// The shortest decimal form that reads back to the same double, whatever the locale.
std::string shortest(double value);

/// A value given on the command line: JSON if it parses as JSON; else, in square brackets, a list
/// of such values, [0.3, 0, 120 cm]; else a string, which is an expression where a number is
/// expected. Fails only if the text is not UTF-8.
Result<Node> parse_value(std::string_view text);

}  // namespace twosphere::json
