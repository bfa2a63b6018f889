// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace twosphere {

/// The newest value of something, from one writer thread to one reader thread. Neither ever waits.
/// The writer fills back() and publishes it; the reader takes the newest published value, and it
/// stays as it is until the reader takes again. Values in between are lost.
///
/// Of three values one is the writer's, one the reader's, and the third changes hands: its index
/// and whether it is unread are one atomic number. Values are reused, so their storage is too:
/// back() holds some older value, not the last one published.
template <class T>
class TripleBuffer {
 public:
  TripleBuffer() = default;
  TripleBuffer(const TripleBuffer&) = delete;
  TripleBuffer& operator=(const TripleBuffer&) = delete;

  /// Writer: the value to fill.
  T& back() { return values_[back_]; }
  /// Writer: hands back() over as the newest value.
  void publish() { back_ = middle_.exchange(back_ | unread_bit) & index_bits; }
  /// Whether the last published value has not been taken yet. Any thread may ask.
  bool unread() const { return (middle_.load() & unread_bit) != 0; }

  /// Reader: makes the newest value front(). False if there is none since the last call.
  bool take() {
    if (!unread()) return false;
    front_ = middle_.exchange(front_) & index_bits;
    return true;
  }
  /// Reader: the value taken last.
  const T& front() const { return values_[front_]; }

 private:
  static constexpr std::uint8_t index_bits = 3, unread_bit = 4;

  std::array<T, 3> values_{};
  std::uint8_t back_ = 0;  // the writer's
  std::atomic<std::uint8_t> middle_ = 1;
  std::uint8_t front_ = 2;  // the reader's
};

}  // namespace twosphere
