// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace twosphere {

/// Whether values of this type are copied as they lie in memory.
template <class T>
inline constexpr bool is_plain_field = (std::is_arithmetic_v<T> ||
                                        std::is_enum_v<T>)&&!std::is_same_v<T, bool>;

/// Writes values as bytes in the order of this machine, to be read by FieldReader. A class lists
/// its members once for both, in a member transfer(fields) or in a function transfer(fields, value)
/// beside it.
class FieldWriter {
 public:
  static constexpr bool reads = false;
  explicit FieldWriter(std::string& out) : out_(out) {}

  template <class... T>
  void operator()(T&... values) {
    (put(values), ...);
  }
  void bytes(const void* from, std::size_t size) {
    if (size > 0) out_.append(static_cast<const char*>(from), size);
  }
  bool ok() const { return true; }

 private:
  void put_size(std::size_t size) {
    const auto number = static_cast<std::uint64_t>(size);
    bytes(&number, sizeof number);
  }
  template <class T>
  void put(T& value) {
    if constexpr (is_plain_field<T>) {
      bytes(&value, sizeof value);
    } else if constexpr (requires { value.transfer(*this); }) {
      value.transfer(*this);
    } else {
      transfer(*this, value);
    }
  }
  void put(bool value) {
    const char byte = value ? 1 : 0;
    bytes(&byte, 1);
  }
  void put(std::string& text) {
    put_size(text.size());
    bytes(text.data(), text.size());
  }
  template <class T>
  void put(std::vector<T>& list) {
    put_size(list.size());
    if constexpr (is_plain_field<T>)
      bytes(list.data(), list.size() * sizeof(T));
    else
      for (auto&& value : list) put(value);
  }
  void put(std::vector<bool>& list) {
    put_size(list.size());
    for (const bool value : list) put(value);
  }
  template <class T>
  void put(std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class A, class B>
  void put(std::pair<A, B>& value) {
    put(value.first);
    put(value.second);
  }
  template <int Rows, int Columns>
  void put(Eigen::Matrix<double, Rows, Columns>& values) {
    put_size(static_cast<std::size_t>(values.cols()));
    bytes(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  }

  std::string& out_;
};

/// Reads what FieldWriter has written. After an error ok() is false, and what is read is of no use.
class FieldReader {
 public:
  static constexpr bool reads = true;
  explicit FieldReader(std::string_view text) : rest_(text) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  void bytes(void* to, std::size_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_ || size == 0) return;
    std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  bool ok() const { return ok_; }
  void fail() { ok_ = false; }
  /// Whether everything was read.
  bool at_end() const { return ok_ && rest_.empty(); }

 private:
  /// The number of values that follow, each of at least `each` bytes.
  std::size_t get_size(std::size_t each) {
    std::uint64_t number = 0;
    bytes(&number, sizeof number);
    if (number > rest_.size() / each) ok_ = false;
    return ok_ ? static_cast<std::size_t>(number) : 0;
  }
  template <class T>
  void get(T& value) {
    if constexpr (is_plain_field<T>) {
      bytes(&value, sizeof value);
    } else if constexpr (requires { value.transfer(*this); }) {
      value.transfer(*this);
    } else {
      transfer(*this, value);
    }
  }
  void get(bool& value) {
    char byte = 0;
    bytes(&byte, 1);
    value = byte != 0;
  }
  void get(std::string& text) {
    text.resize(get_size(1));
    bytes(text.data(), text.size());
  }
  template <class T>
  void get(std::vector<T>& list) {
    if constexpr (is_plain_field<T>) {
      list.resize(get_size(sizeof(T)));
      bytes(list.data(), list.size() * sizeof(T));
    } else {
      list.clear();
      for (std::size_t left = get_size(1); left > 0 && ok_; --left) get(list.emplace_back());
    }
  }
  void get(std::vector<bool>& list) {
    list.clear();
    for (std::size_t left = get_size(1); left > 0; --left) {
      bool value = false;
      get(value);
      list.push_back(value);
    }
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool present = false;
    get(present);
    value.reset();
    if (present && ok_) get(*(value = T{}));
  }
  template <class A, class B>
  void get(std::pair<A, B>& value) {
    get(value.first);
    get(value.second);
  }
  template <int Rows, int Columns>
  void get(Eigen::Matrix<double, Rows, Columns>& values) {
    const std::size_t rows = static_cast<std::size_t>(values.rows()),
                      columns = get_size(rows * sizeof(double));
    if (Columns != Eigen::Dynamic && columns != static_cast<std::size_t>(values.cols())) fail();
    if (!ok_) return;
    values.resize(values.rows(), static_cast<Eigen::Index>(columns));
    bytes(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace twosphere
