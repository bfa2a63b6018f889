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

/// The order of values in bytes, once for FieldWriter and FieldReader, which is `Self`. A class
/// lists its members once for both, in a member transfer(fields) or in a function transfer(fields,
/// value) beside it.
template <class Self>
class FieldOrder {
 public:
  template <class... T>
  void operator()(T&... values) {
    (field(values), ...);
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }

  template <class T>
  void field(T& value) {
    if constexpr (is_plain_field<T>) {
      self().bytes(&value, sizeof value);
    } else if constexpr (requires { value.transfer(self()); }) {
      value.transfer(self());
    } else {
      transfer(self(), value);
    }
  }
  void field(bool& value) {
    char byte = value ? 1 : 0;
    self().bytes(&byte, 1);
    if constexpr (Self::reads) value = byte != 0;
  }
  void field(std::string& text) {
    text.resize(self().size(text.size(), 1));
    self().bytes(text.data(), text.size());
  }
  template <class T>
  void field(std::vector<T>& list) {
    if constexpr (is_plain_field<T>) {
      list.resize(self().size(list.size(), sizeof(T)));
      self().bytes(list.data(), list.size() * sizeof(T));
    } else {
      const std::size_t size = self().size(list.size(), 1);
      if constexpr (Self::reads) list.clear();
      for (std::size_t k = 0; k < size && self().ok(); ++k) {
        if constexpr (Self::reads) list.emplace_back();
        field(list[k]);
      }
    }
  }
  void field(std::vector<bool>& list) {
    list.resize(self().size(list.size(), 1));
    for (auto&& value : list) {
      bool present = value;
      field(present);
      if constexpr (Self::reads) value = present;
    }
  }
  template <class T>
  void field(std::optional<T>& value) {
    bool present = value.has_value();
    field(present);
    if constexpr (Self::reads)
      value = present && self().ok() ? std::optional<T>(T{}) : std::nullopt;
    if (value) field(*value);
  }
  template <class A, class B>
  void field(std::pair<A, B>& value) {
    field(value.first);
    field(value.second);
  }
  template <int Rows, int Columns>
  void field(Eigen::Matrix<double, Rows, Columns>& values) {
    const auto rows = static_cast<std::size_t>(values.rows());
    const std::size_t columns =
        self().size(static_cast<std::size_t>(values.cols()), rows * sizeof(double));
    if constexpr (Self::reads) {
      if (Columns != Eigen::Dynamic && columns != static_cast<std::size_t>(values.cols()))
        self().fail();
      if (!self().ok()) return;
      values.resize(values.rows(), static_cast<Eigen::Index>(columns));
    }
    self().bytes(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  }
};

/// Writes values as bytes in the order of this machine, to be read by FieldReader.
class FieldWriter : public FieldOrder<FieldWriter> {
 public:
  static constexpr bool reads = false;
  explicit FieldWriter(std::string& out) : out_(out) {}

  void bytes(const void* from, std::size_t size) {
    if (size > 0) out_.append(static_cast<const char*>(from), size);
  }
  bool ok() const { return true; }

 private:
  friend class FieldOrder<FieldWriter>;
  std::size_t size(std::size_t size, std::size_t /*each*/) {
    const auto number = static_cast<std::uint64_t>(size);
    bytes(&number, sizeof number);
    return size;
  }

  std::string& out_;
};

/// Reads what FieldWriter has written. After an error ok() is false, and what is read is of no use.
class FieldReader : public FieldOrder<FieldReader> {
 public:
  static constexpr bool reads = true;
  explicit FieldReader(std::string_view text) : rest_(text) {}

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
  friend class FieldOrder<FieldReader>;
  /// The number of values that follow, each of at least `each` bytes.
  std::size_t size(std::size_t /*before*/, std::size_t each) {
    std::uint64_t number = 0;
    bytes(&number, sizeof number);
    if (number > rest_.size() / each) ok_ = false;
    return ok_ ? static_cast<std::size_t>(number) : 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace twosphere
