// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/edit_distance.h"
#include "core/base/exceptions.h"
#include "core/base/excerpt.h"
#include "core/base/parse_number.h"
#include "core/language/evaluate.h"
#include "core/scenario/file_limits.h"

namespace twosphere::document {

using json::Kind;
using json::Node;
using json::quote;
using json::shortest;

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string join(const Names& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string suggestion(std::string_view given, const Names& names) {
  const std::string near = nearest(given, names);
  return near.empty() ? "" : fmt::format("did you mean {}? ", near);
}

std::pair<std::string_view, int> split_location(std::string_view location) {
  const auto colon = location.rfind(':');
  if (colon == location.npos) return {location, 0};
  const auto column = parse_number<int>(location.substr(colon + 1));
  if (!column) return {location, 0};
  return {location.substr(0, colon), *column};
}

std::string Value::location(int column) const {
  std::string out(source_->name);
  if (node_->line > 0 && !out.empty()) out += fmt::format(":{}", node_->line);
  if (!path_.empty()) out += (out.empty() ? "" : ": ") + path_;
  if (column > 0) out += fmt::format(":{}", column);
  return out;
}

void Value::fail(std::string message, int column, std::string unknown) const {
  throw Failure(Error{ErrorKind::usage, location(column), std::move(message), std::move(unknown)});
}

void Value::wrong_kind(std::string_view wanted) const {
  fail(fmt::format("must be {}, not {}", wanted,
                   kind() == Kind::string    ? quote(node_->text)
                   : kind() == Kind::number  ? shortest(node_->number)
                   : kind() == Kind::boolean ? std::string(node_->boolean ? "true" : "false")
                                             : std::string(name(kind()))));
}

void Value::check_operations() const {
  if (operations() > max_operations)
    fail(
        fmt::format("the texts of the file up to here need more than {} operations, the most that "
                    "are allowed",
                    max_operations));
}

void Value::warn(const std::string& message, int column) const {
  if (source_->warnings) source_->warnings->push_back(location(column) + ": " + message);
}

const Value& Value::expect(Kind wanted) const {
  if (kind() != wanted) wrong_kind(name(wanted));
  return *this;
}

const Value& Value::list_of(std::size_t count, std::string_view wanted) const {
  if (kind() != Kind::array) wrong_kind(fmt::format("a list of {}", wanted));
  if (size() != count) fail(fmt::format("must have {}, not {}", wanted, size()));
  return *this;
}

Value Value::member(std::string_view key) const {
  const Node* found = node_->find(key);
  if (!found) fail(fmt::format("missing key {}", quote(key)));
  return child(key, *found);
}

std::optional<Value> Value::find(std::string_view key) const {
  const Node* found = node_->find(key);
  if (!found) return {};
  return child(key, *found);
}

Value Value::item(std::size_t i) const {
  return {*source_, node_->items[i], fmt::format("{}[{}]", path_, i)};
}

std::vector<Value> Value::items() const {
  expect(Kind::array);
  std::vector<Value> all;
  for (std::size_t i = 0; i < size(); ++i) all.push_back(item(i));
  return all;
}

const Value& Value::object(const Names& allowed, const Names& later) const {
  expect(Kind::object);
  for (const auto& [key, value] : node_->members) {
    if (contains(allowed, key)) continue;
    if (contains(later, key)) child(key, value).fail("is not supported yet");
    child(key, value)
        .fail(fmt::format("unknown key; {}allowed: {}", suggestion(key, allowed), join(allowed)));
  }
  return *this;
}

std::size_t Value::choice(const Names& names, std::string_view what) const {
  const auto found = std::find(names.begin(), names.end(), text());
  if (found == names.end())
    fail(fmt::format("unknown {} {}; {}known: {}", what, quote(text()), suggestion(text(), names),
                     join(names)));
  return static_cast<std::size_t>(found - names.begin());
}

double Value::number() const {
  if (kind() != Kind::number) wrong_kind("a number");
  if (!std::isfinite(node_->number)) fail("must be a finite number");
  return node_->number;
}

double Value::number(std::string_view unit) const {
  if (kind() != Kind::string) return number();
  const auto value = evaluate(text(), unit);
  if (!value) fail_in_text(no_number(value.error()));
  source_->evaluated[node_] = *value;
  return *value;
}

Node Value::with_numbers() const {
  const auto replaced = [this](const Node& node, const auto& again) -> Node {
    const auto known = source_->evaluated.find(&node);
    if (known != source_->evaluated.end()) return known->second;
    Node copy = node;
    for (std::size_t i = 0; i < node.items.size(); ++i) copy.items[i] = again(node.items[i], again);
    for (std::size_t i = 0; i < node.members.size(); ++i)
      copy.members[i].second = again(node.members[i].second, again);
    return copy;
  };
  return replaced(*node_, replaced);
}

Error Value::no_number(Error error, std::string_view wanted) const {
  if (!read_unit(text()))
    error.message = fmt::format("must be {}, not {}: {}", wanted, quote(text()), error.message);
  return error;
}

void Value::fail_in_text(const Error& error) const {
  const int column = column_of(error.location);
  fail(printable(error.message) + excerpt(text(), column), column);
}

std::int64_t Value::as_whole(double value) const {
  const auto whole = static_cast<std::int64_t>(value);
  if (kind() == Kind::string) source_->evaluated[node_] = Node::whole(whole);
  return whole;
}

std::int64_t Value::whole(std::int64_t min_value) const {
  const double value = number("1");
  if (value > static_cast<double>(max_steps))
    fail(fmt::format("must be a whole number from {} to 2^53 - 1, not {}", min_value,
                     shortest(value)));
  if (value != std::floor(value) || value < static_cast<double>(min_value))
    fail(fmt::format("must be a whole number of at least {}, not {}", min_value, shortest(value)));
  return as_whole(value);
}

std::int64_t Value::whole(std::int64_t min_value, std::int64_t max_value) const {
  const double value = number("1");
  if (value != std::floor(value) || value < static_cast<double>(min_value) ||
      value > static_cast<double>(max_value))
    fail(fmt::format("must be a whole number from {} to {}, not {}", min_value, max_value,
                     shortest(value)));
  return as_whole(value);
}

double Value::positive(std::string_view unit) const {
  const double value = number(unit);
  if (!(value > 0)) fail(fmt::format("must be greater than 0, not {}", shortest(value)));
  return value;
}

Value Value::child(std::string_view key, const Node& node) const {
  const std::string name = json::plain(key);
  return {*source_, node, path_.empty() ? name : fmt::format("{}.{}", path_, name)};
}

}  // namespace twosphere::document
