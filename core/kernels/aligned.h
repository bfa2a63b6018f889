// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace twosphere {

/// An array for kernels: aligned to a cache line, and padded with zeros to whole vectors of every
/// level, so that a kernel may read and write past the last element.
template <class T>
class Aligned {
 public:
  /// T per cache line, a multiple of T per vector.
  static constexpr std::size_t line = 64 / sizeof(T);

  Aligned() = default;
  explicit Aligned(std::size_t size) { resize(size); }

  /// Sets all elements to zero if it allocates, otherwise leaves them unchanged.
  void resize(std::size_t size) {
    if (size > room_) {
      const std::size_t room = (size + line - 1) / line * line;
      held_.reset();
      room_ = 0;
      held_.reset(static_cast<T*>(std::aligned_alloc(64, room * sizeof(T))));
      if (!held_) throw std::bad_alloc();
      std::fill_n(held_.get(), room, T{});
      room_ = room;
    }
  }

  T* data() { return held_.get(); }
  const T* data() const { return held_.get(); }
  T& operator[](std::size_t i) { return held_.get()[i]; }
  const T& operator[](std::size_t i) const { return held_.get()[i]; }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T[], Free> held_;
  std::size_t room_ = 0;
};

}  // namespace twosphere
