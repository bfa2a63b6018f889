// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "core/base/excerpt.h"
#include "core/base/text.h"

namespace twosphere::json {

namespace {

/// The position of the parser in the text: after the last byte it read.
struct Position {
  std::string_view text;
  std::size_t offset = 0;
  int line = 1;
};

/// An input iterator whose position is stored outside it, where Builder can read it.
class Reading {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  explicit Reading(Position* position) : position_(position) {}  // null: the end of the text

  reference operator*() const { return position_->text[position_->offset]; }
  Reading& operator++() {
    if (position_->text[position_->offset++] == '\n') ++position_->line;
    return *this;
  }
  friend bool operator==(const Reading& a, const Reading& b) { return a.at_end() == b.at_end(); }

 private:
  bool at_end() const { return !position_ || position_->offset == position_->text.size(); }

  Position* position_;
};

bool scalar(const Node& node) { return node.kind != Kind::array && node.kind != Kind::object; }

/// Builds the tree from the parser's events. A handler that returns false ends the parse.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(const Position& position, Node& root) : position_(position), root_(root) {}

  bool null() override { return add(Node{}); }
  bool boolean(bool value) override {
    Node node;
    node.kind = Kind::boolean;
    node.boolean = value;
    return add(std::move(node));
  }
  bool number_integer(number_integer_t) override { return number(); }
  bool number_unsigned(number_unsigned_t) override { return number(); }
  bool number_float(number_float_t, const string_t&) override { return number(); }
  bool string(string_t& value) override { return add(Node(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Node::object()); }
  bool start_array(std::size_t) override { return open(Node::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    Frame& frame = open_.back();
    if (const auto [it, fresh] = frame.keys.insert(value); !fresh) {
      const Node* first = frame.node->find(value);
      return fail(fmt::format("duplicate key {} (first on line {})", quote(value), first->line));
    }
    frame.key = std::move(value);
    return true;
  }
  bool parse_error(std::size_t, const std::string& last,
                   const nlohmann::json::exception& exception) override {
    // The parser says "…: syntax error while parsing WHAT - REASON; last read: '…'; expected …".
    const std::string_view what = exception.what();
    if (what.find("number overflow") != what.npos) return fail(out_of_range(last));
    if (complete_) return fail("text after the end of the document: " + quote(behind()));
    const auto from = [&](std::size_t at, std::string_view mark) {
      return at == what.npos ? std::string_view{} : what.substr(at + mark.size());
    };
    std::string_view reason = from(what.find(" - "), " - ");
    std::string_view expected = from(what.rfind("; expected "), "; expected ");
    if (const auto token = reason.find("; last read"); token != reason.npos)
      reason = reason.substr(0, token);
    else
      reason = reason.substr(0, reason.find("; expected "));
    if (reason == "unexpected end of input") return fail(ended());
    if (expected.find("last read") != expected.npos)
      expected = {};  // belongs to the reason, not to the parser's message
    return fail(fmt::format("not JSON: {} at {}{}{}", reason, quote(last),
                            expected.empty() ? "" : "; expected ", expected));
  }

  /// The rest of the line after the end of the document.
  std::string_view behind() const {
    std::string_view rest = position_.text.substr(complete_);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    return rest.substr(0, rest.find_first_of("\r\n"));
  }

  /// The error for a text that ends early: at its end or at a zero byte.
  std::string ended() const {
    const auto at = position_.offset;
    const bool zero = at > 0 && position_.text[at - 1] == '\0';
    return zero ? "not JSON: a zero byte" : "the text ends prematurely";
  }
  const std::string& failure() const { return failure_; }
  int failure_line() const { return failure_line_; }

 private:
  struct Frame {
    Node* node;
    std::string key;
    std::unordered_set<std::string> keys;
  };

  static std::string out_of_range(std::string_view token) {
    return fmt::format("{} exceeds the range of a double, 1.8e308", quote(token));
  }

  bool fail(std::string message) {
    failure_ = std::move(message);
    const auto at = position_.offset;
    failure_line_ = position_.line - (at > 0 && position_.text[at - 1] == '\n' ? 1 : 0);
    return false;
  }

  /// The number whose text ends here, or one byte earlier: the parser looks one byte ahead.
  bool number() {
    const auto in_number = [&](std::size_t i) {
      const char c = position_.text[i];
      return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
    };
    std::size_t end = position_.offset;
    if (!in_number(end - 1)) --end;
    std::size_t begin = end;
    while (begin > 0 && in_number(begin - 1)) --begin;
    const std::string_view token = position_.text.substr(begin, end - begin);
    double value = 0;
    std::from_chars(token.data(), token.data() + token.size(), value);
    if (!std::isfinite(value)) return fail(out_of_range(token));
    const bool line_behind = end < position_.offset && position_.text[end] == '\n';
    if (!add(Node(value), line_behind ? 1 : 0)) return false;
    if (open_.empty()) complete_ = end;
    return true;
  }

  Node* add(Node node, int lines_ahead = 0) {
    node.line = position_.line - lines_ahead;
    if (++count_ > max_values) return fail(fmt::format("more than {} values", max_values)), nullptr;
    if (open_.empty()) {
      complete_ = scalar(node) ? position_.offset : 0;
      root_ = std::move(node);
      return &root_;
    }
    Frame& frame = open_.back();
    if (frame.node->kind == Kind::array) {
      frame.node->items.push_back(std::move(node));
      return &frame.node->items.back();
    }
    frame.node->members.emplace_back(std::move(frame.key), std::move(node));
    return &frame.node->members.back().second;
  }

  bool open(Node node) {
    if (open_.size() == max_depth) return fail(fmt::format("nested deeper than {}", max_depth));
    Node* added = add(std::move(node));
    if (added) open_.push_back({added, {}, {}});
    return added != nullptr;
  }

  bool close() {
    open_.pop_back();
    if (open_.empty()) complete_ = position_.offset;
    return true;
  }

  const Position& position_;
  Node& root_;
  std::vector<Frame> open_;
  std::size_t count_ = 0;
  std::size_t complete_ = 0;  // offset of the end of the outermost value
  std::string failure_;
  int failure_line_ = 0;
};

void append_text(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view character = first_character(text.substr(i));
    i += character.size();
    if (character == "\"" || character == "\\")
      (out += '\\') += character;
    else if (character == "\n")
      out += "\\n";
    else if (character == "\t")
      out += "\\t";
    else if (const auto code = static_cast<unsigned>(code_point(character)); is_hidden(code))
      out += code < 0x10000 ? fmt::format("\\u{:04x}", code)
                            : fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (code >> 10U),
                                          0xDC00 + (code & 0x3FFU));
    else
      out += character;
  }
  out += '"';
}

/// `flat`: on one line.
void append(std::string& out, const Node& node, std::size_t indent, bool flat = false) {
  flat = flat || node.one_line;
  const auto new_line = [&](std::size_t width) { out.append(1, '\n').append(width, ' '); };
  switch (node.kind) {
    case Kind::null:
      out += "null";
      return;
    case Kind::boolean:
      out += node.boolean ? "true" : "false";
      return;
    case Kind::number:
      if (!std::isfinite(node.number))
        out += "null";
      else if (node.integer)
        out += std::to_string(static_cast<std::int64_t>(node.number));
      else
        out += shortest(node.number);
      return;
    case Kind::string:
      append_text(out, node.text);
      return;
    case Kind::array: {
      // A list of scalars is written on one line.
      flat = flat || std::all_of(node.items.begin(), node.items.end(), scalar);
      out += '[';
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (i > 0) out += flat ? ", " : ",";
        if (!flat) new_line(indent + 2);
        append(out, node.items[i], indent + 2, flat);
      }
      if (!flat) new_line(indent);
      out += ']';
      return;
    }
    case Kind::object:
      out += '{';
      for (std::size_t i = 0; i < node.members.size(); ++i) {
        if (i > 0) out += flat ? ", " : ",";
        if (!flat) new_line(indent + 2);
        append_text(out, node.members[i].first);
        out += ": ";
        append(out, node.members[i].second, indent + 2, flat);
      }
      if (!flat && !node.members.empty()) new_line(indent);
      out += '}';
      return;
  }
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const auto& [name, value] : members)
    if (name == key) return &value;
  return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

void Node::set(std::string key, Node value) {
  if (Node* present = find(key))
    *present = std::move(value);
  else
    members.emplace_back(std::move(key), std::move(value));
}

Node Node::numbers(std::span<const double> values) {
  Node list = array();
  list.items.reserve(values.size());
  for (const double value : values) list.items.emplace_back(value);
  return list;
}

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.boolean == b.boolean && a.number == b.number && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same) &&
         std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && same(x.second, y.second);
                    });
}

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "true or false";
    case Kind::number:
      return "a number";
    case Kind::string:
      return "a string";
    case Kind::array:
      return "a list";
    case Kind::object:
      return "an object";
  }
  return "nothing";
}

std::string quote(std::string_view text) {
  constexpr int longest = 40;
  std::string out = "\"";
  for (int k = 0; k < longest && !text.empty(); ++k) {
    const std::string_view character = first_character(text);
    text.remove_prefix(character.size());
    if (is_utf8(character) && !is_hidden(code_point(character)))
      out += character;
    else
      for (const char c : character) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return out + (text.empty() ? "\"" : "…\"");
}

std::string plain(std::string_view text) {
  constexpr std::size_t longest = 80;
  return printable(text) != text || text.size() > longest ? quote(text) : std::string(text);
}

Result<Node> parse(std::string_view text, std::string_view source) {
  const auto failure = [&](int line, std::string message) {
    return Error{ErrorKind::usage, fmt::format("{}:{}", source, line), std::move(message)};
  };
  if (text.size() > max_bytes)
    return failure(1, fmt::format("larger than {} MiB", max_bytes >> 20));
  for (const std::string_view mark : {"\xff\xfe", "\xfe\xff"})
    if (text.starts_with(mark))
      return failure(1, "the text is UTF-16 or UTF-32; it must be JSON in UTF-8");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == text.npos) return failure(1, "the file is empty");
  Position position{text};
  Node root;
  Builder builder(position, root);
  if (!nlohmann::json::sax_parse(Reading(&position), Reading(nullptr), &builder))
    return failure(builder.failure_line(), builder.failure());
  // The parser treats a zero byte as the end of the text.
  if (position.text.back() == '\0' || position.offset < text.size())
    return failure(position.line, builder.ended());
  return root;
}

std::string write(const Node& node) {
  std::string out;
  append(out, node, 0);
  out += '\n';
  return out;
}

std::string shortest(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

namespace {

/// The text between brackets divided at its commas outside all brackets; none if it has none around
/// it, or others than those that close one another.
std::optional<std::vector<std::string_view>> entries(std::string_view text) {
  const auto trimmed = [](std::string_view part) {
    const std::size_t from = part.find_first_not_of(" \t\r\n");
    return from == part.npos ? std::string_view()
                             : part.substr(from, part.find_last_not_of(" \t\r\n") - from + 1);
  };
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return {};
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && --depth < 0) return {};
    if (c != ',' || depth > 0) continue;
    parts.push_back(trimmed(text.substr(from, at - from)));
    from = at + 1;
  }
  parts.push_back(trimmed(text.substr(from)));
  return parts;
}

Result<Node> parse_nested(std::string_view text, int depth) {
  if (auto value = parse(text, "")) return value;
  constexpr int most = 4;
  if (const auto parts = entries(text); parts && depth < most) {
    Node list = Node::array();
    for (const std::string_view part : *parts) {
      auto item = parse_nested(part, depth + 1);
      if (!item) return item;
      list.items.push_back(std::move(*item));
    }
    return list;
  }
  // Writing and reading it again fails if it is not UTF-8.
  Node node{std::string(text)};
  if (!parse(write(node), "")) return Error{ErrorKind::usage, "", "the value is not valid UTF-8"};
  return node;
}

}  // namespace

Result<Node> parse_value(std::string_view text) { return parse_nested(text, 0); }

}  // namespace twosphere::json
