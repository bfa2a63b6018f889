// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace twosphere {

/// Passes the newest value from one writer thread to one reader thread. Neither ever waits. The
/// writer fills back() and publishes it. The reader takes the newest published value, which does
/// not change until the next take(). Values in between are lost.
///
/// There are three values: one belongs to the writer, one to the reader, and the third is exchanged
/// between them. Its index and an unread flag form one atomic number. Values are reused together
/// with their memory: back() contains some older value, not the last one published.
template <class T>
class TripleBuffer {
 public:
  TripleBuffer() = default;
  TripleBuffer(const TripleBuffer&) = delete;
  TripleBuffer& operator=(const TripleBuffer&) = delete;

  /// Writer: the value to fill.
  T& back() { return values_[back_]; }
  /// Writer: publishes back() as the newest value.
  void publish() { back_ = middle_.exchange(back_ | unread_bit) & index_bits; }
  /// Whether the last published value has not been taken yet. May be called from any thread.
  bool unread() const { return (middle_.load() & unread_bit) != 0; }

  /// Reader: makes the newest value front(). False if none was published since the last call.
  bool take() {
    if (!unread()) return false;
    front_ = middle_.exchange(front_) & index_bits;
    return true;
  }
  /// Reader: the value last taken.
  const T& front() const { return values_[front_]; }

 private:
  static constexpr std::uint8_t index_bits = 3, unread_bit = 4;

  std::array<T, 3> values_{};
  std::uint8_t back_ = 0;  // the writer's
  std::atomic<std::uint8_t> middle_ = 1;
  std::uint8_t front_ = 2;  // the reader's
};

}  // namespace twosphere
