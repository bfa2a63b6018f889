// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <iterator>
#include <limits>
#include <mutex>
#include <vector>

namespace twosphere {

/// A queue that passes values from one thread to another in chunks, in order. The lock is held only
/// while a chunk is moved.
template <class T>
class Stream {
 public:
  static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

  /// Moves `chunk` to the end of the queue and leaves it empty. Only the newest `keep` values
  /// remain in the queue; by default all do.
  void append(std::vector<T>& chunk, std::size_t keep = all) {
    if (chunk.empty()) return;
    const std::lock_guard lock(mutex_);
    move_to_end(chunk, waiting_);
    if (waiting_.size() > keep)
      waiting_.erase(waiting_.begin(),
                     waiting_.begin() + static_cast<std::ptrdiff_t>(waiting_.size() - keep));
  }

  /// Moves all waiting values to the end of `out`.
  void drain(std::vector<T>& out) {
    const std::lock_guard lock(mutex_);
    move_to_end(waiting_, out);
  }

 private:
  static void move_to_end(std::vector<T>& from, std::vector<T>& to) {
    if (to.empty())
      to.swap(from);
    else
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    from.clear();
  }

  std::mutex mutex_;
  std::vector<T> waiting_;
};

}  // namespace twosphere
