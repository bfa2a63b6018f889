// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/custom/definition.h"

/// Reading a JSON document with the location of each error. Internal to the scenario reader.
namespace twosphere::document {

using Names = std::vector<std::string>;

/// The largest number that no larger whole number is rounded to.
inline constexpr std::int64_t max_steps = (std::int64_t{1} << 53) - 1;
/// The most steps that a file may say a run has taken: opening it computes them again, within a
/// day.
inline constexpr std::int64_t max_steps_taken = 1'000'000'000'000;

bool contains(const Names& names, std::string_view name);
std::string join(const Names& names);
/// "did you mean X? " or nothing.
std::string suggestion(std::string_view given, const Names& names);

/// The name of the document, where warnings go, and what its texts have cost before it is read.
/// Errors contain line numbers only if the document has a name.
struct Origin {
  std::string_view name;
  std::vector<std::string>* warnings = nullptr;
  /// The values of the expressions that were read, by the texts that hold them.
  mutable std::map<const json::Node*, json::Node> evaluated{};
  long before = operations_for_definitions();
};

/// The path in a location without a file, and the column after it, or 0.
std::pair<std::string_view, int> split_location(std::string_view location);

/// A value of the document with its path. The checks below throw a Failure, which the reader of the
/// whole document converts to an Error.
class Value {
 public:
  Value(const Origin& source, const json::Node& node, std::string path)
      : source_(&source), node_(&node), path_(std::move(path)) {}

  const json::Node& node() const { return *node_; }
  const std::string& path() const { return path_; }
  json::Kind kind() const { return node_->kind; }

  /// `column`: of a character in the text of this value, from 1; 0: the whole of it.
  std::string location(int column = 0) const;
  /// `unknown`: of the Error.
  [[noreturn]] void fail(std::string message, int column = 0, std::string unknown = {}) const;
  [[noreturn]] void wrong_kind(std::string_view wanted) const;
  void warn(const std::string& message, int column = 0) const;
  /// The operations that the texts of the document have taken up to here.
  long operations() const { return operations_for_definitions() - source_->before; }
  /// Fails where these are more than a file may ask for, however many each of its texts takes.
  void check_operations() const;
  /// The same value by another path.
  Value named(std::string path) const { return {*source_, *node_, std::move(path)}; }

  const Value& expect(json::Kind wanted) const;
  /// Requires a list with this many entries; `wanted` names both, as "3 numbers".
  const Value& list_of(std::size_t count, std::string_view wanted) const;
  Value member(std::string_view key) const;
  std::optional<Value> find(std::string_view key) const;
  Value item(std::size_t i) const;
  /// Requires a list; all its items.
  std::vector<Value> items() const;
  std::size_t size() const { return node_->items.size(); }

  /// Requires an object with no other keys than these. Keys in `later` are rejected as not
  /// supported yet.
  const Value& object(const Names& allowed, const Names& later = {}) const;
  const std::string& text() const { return expect(json::Kind::string).node_->text; }
  bool truth() const { return expect(json::Kind::boolean).node_->boolean; }
  /// Requires one of these names; returns its index.
  std::size_t choice(const Names& names, std::string_view what) const;
  /// A number as the program writes it.
  double number() const;
  /// A number as a person types it: in `unit`, or the value of an expression
  /// (core/language/evaluate.h).
  double number(std::string_view unit) const;
  double positive(std::string_view unit) const;
  /// A whole number, or an expression of one.
  std::int64_t whole(std::int64_t min_value) const;
  std::int64_t whole(std::int64_t min_value, std::int64_t max_value) const;
  /// A copy in which numbers replace the expressions that were read.
  json::Node with_numbers() const;
  /// Fails with an error within this text, whose location is "column N", and shows the character.
  [[noreturn]] void fail_in_text(const Error& error) const;
  /// The error of evaluate() for this text, which says what is wanted if it is no expression at
  /// all.
  Error no_number(Error error, std::string_view wanted = "a number") const;

 private:
  std::int64_t as_whole(double value) const;
  Value child(std::string_view key, const json::Node& node) const;

  const Origin* source_;
  const json::Node* node_;
  std::string path_;
};

}  // namespace twosphere::document
