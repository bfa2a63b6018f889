// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/setting_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace twosphere {

using json::Kind;
using json::Node;
using json::plain;
using json::quote;

namespace {

/// An index in brackets, the whole text: 0, or digits that do not begin with 0.
std::optional<std::size_t> read_index(std::string_view digits) {
  std::size_t index = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, index);
  if (read.ec != std::errc{} || read.ptr != end) return {};
  if (digits.size() > 1 && digits.front() == '0') return {};
  return index;
}

}  // namespace

SettingPath::SettingPath(std::string text) : text_(std::move(text)) {
  const std::string why = parse();
  if (why.empty()) return;
  parts_.clear();
  problem_ =
      fmt::format("{} is not a path: {}; a path looks like system.masses[0]", quote(text_), why);
}

std::string SettingPath::parse() {
  const std::string_view all = text_;
  if (all.empty()) return "it is empty";
  for (std::size_t at = 0; at < all.size();) {
    if (parts_.size() == most_parts) return fmt::format("it has more than {} parts", most_parts);
    if (all[at] == '[') {
      if (at == 0) return "it must begin with a key";
      const std::size_t close = all.find(']', at);
      if (close == all.npos) return "a bracket is not closed";
      const std::string_view digits = all.substr(at + 1, close - at - 1);
      const auto index = read_index(digits);
      if (!index)
        return fmt::format("an index must be a whole number from 0, not {}", quote(digits));
      parts_.push_back({{}, *index, at = close + 1});
      continue;
    }
    if (at > 0 && all[at++] != '.')
      return fmt::format("{} after an index", quote(all.substr(at - 1)));
    const std::size_t end = std::min(all.find_first_of(".[", at), all.size());
    if (end == at) return "a key is empty";
    parts_.push_back({std::string(all.substr(at, end - at)), 0, end});
    at = end;
  }
  return {};
}

std::string_view SettingPath::key(std::size_t i) const {
  return i < size() ? std::string_view(parts_[i].key) : std::string_view();
}

std::optional<std::size_t> SettingPath::index(std::size_t i) const {
  if (i >= size() || !parts_[i].is_index()) return {};
  return parts_[i].index;
}

std::string_view SettingPath::first(std::size_t parts) const {
  return parts == 0 ? std::string_view() : std::string_view(text_).substr(0, parts_[parts - 1].end);
}

SettingPath SettingPath::with_first(std::size_t parts, std::string_view other) const {
  return std::string(other) + text_.substr(first(parts).size());
}

bool SettingPath::within(const SettingPath& outer) const {
  return size() > 0 && outer.size() > 0 && outer.size() <= size() &&
         first(outer.size()) == outer.text_;
}

Result<void> assign(Node& root, const SettingPath& path, Node value) {
  const auto fail = [&](std::string message) {
    return Error{ErrorKind::usage, path.text(), std::move(message)};
  };
  if (!path.valid()) return fail(path.problem());
  Node* node = &root;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string here = plain(path.first(i));
    if (path[i].is_index()) {
      if (node->kind != Kind::array)
        return fail(fmt::format("{} is {}, not a list", here, name(node->kind)));
      if (path[i].index >= node->items.size())
        return fail(fmt::format("{} has {} entries, counted from 0", here, node->items.size()));
      node = &node->items[path[i].index];
      continue;
    }
    if (node->kind != Kind::object)
      return fail(fmt::format("{} is {}, not an object", here, name(node->kind)));
    Node* next = node->find(path[i].key);
    if (!next) {
      if (i + 1 < path.size()) return fail(fmt::format("there is no {}", plain(path.first(i + 1))));
      next = &node->members.emplace_back(path[i].key, Node{}).second;
    }
    node = next;
  }
  *node = std::move(value);
  return {};
}

}  // namespace twosphere
